"""The table of language constructs, and the part of docs/language.md that is made from it.

A row is a case of `tests/language/*.toml` (tools/language_cases.py reads them), and
`tests/language/test_language.py` runs every case; so what the page says is what the tests found.
Usage: `python -m tools.language_table` writes the page anew.
"""

from __future__ import annotations

from collections import Counter

from tools.language_cases import ROOT, Case, Chapter, read_chapters

PAGE = ROOT / "docs" / "language.md"
BEGIN = "<!-- From here on made by tools/language_table.py. -->"
END = "<!-- Until here. -->"

#: Marks of the page, by status, with what they mean.
STATUSES: dict[str, str] = {
    "yes": "works: the row's model gives the right values",
    "partly": "works, with the limits that are named",
    "extension": "not in Modelica, but allowed; `--pedantic` warns",
    "checked": "a rule: a model that breaks it is refused",
    "flat": "typed and flattened, refused by name in a simulation",
    "no": "refused by name",
    "unchecked": "a rule that is not checked: a model that breaks it may be accepted",
}


def table_text(chapters: list[Chapter]) -> str:
    """The page's part: what the words mean, and one table for each chapter."""
    total = Counter(row.status for chapter in chapters for row in chapter.rows)
    lines = [
        f"{sum(total.values())} constructs and rules, by chapter of the specification. Each row is a test: a "
        "model in the file below the heading,\nrun by `pytest tests/language -k NAME`.",
        "",
        "| word | rows | meaning |",
        "| --- | --- | --- |",
    ]
    lines += [f"| {word} | {total[word]} | {meaning} |" for word, meaning in STATUSES.items()]
    for chapter in chapters:
        file = chapter.rows[0].file
        lines += [
            "",
            f"### {chapter.number} {chapter.title}",
            "",
            f"[tests/language/{file}](../tests/language/{file})",
            "",
            "| section | construct | | test |",
            "| --- | --- | --- | --- |",
        ]
        lines += [_line(row) for row in chapter.rows]
    return "\n".join(lines)


def _line(row: Case) -> str:
    remark = row.status
    if row.limits:
        remark += f": {row.limits}"
    elif row.refused or (row.error and not row.unchecked):
        remark += f" ({row.refused or row.error})"
    construct = row.construct.replace("|", "\\|")
    return f"| {row.section} | {construct} | {remark} | `{row.id}` |"


def page_with(table: str, page: str) -> str:
    """The page with its table replaced."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(
        page_with(table_text(read_chapters()), PAGE.read_text(encoding="utf-8")), encoding="utf-8"
    )
