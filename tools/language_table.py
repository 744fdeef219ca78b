"""The table of language constructs, and the part of docs/language.md that is made from it.

`tests/language/*.toml` has a row for each construct: a small model, and what the specification says about
it. `tests/language/test_language.py` runs every row; so what the page says is what the tests found.
Usage: `python tools/language_table.py` writes the page anew.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "tests" / "language"
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


@dataclass(frozen=True)
class Row:
    """One construct. The specification wants `values` at the end of a run (up to `stop`; None is as the
    model's experiment says), or wants an `error`, to be told with that code. `refused` is the code with which
    Saltus refuses the model for another reason: something in it is not supported; `flattens`: the flat model
    is made all the same. `unchecked` marks an error that Saltus does not see."""

    id: str
    construct: str
    section: str
    model: str
    file: str
    values: Mapping[str, float] = field(default_factory=dict)
    error: str = ""
    refused: str = ""
    unchecked: bool = False
    flattens: bool = False
    limits: str = ""
    extension: bool = False
    stop: float | None = 1.0

    @property
    def status(self) -> str:
        if self.error and not self.refused:
            return "unchecked" if self.unchecked else "checked"
        if self.refused:
            return "flat" if self.flattens else "no"
        if self.extension:
            return "extension"
        return "partly" if self.limits else "yes"

    def verify(self) -> None:
        """A row says what it expects, once, and nothing that nobody would look at."""
        assert bool(self.values) != bool(self.error), f"{self.id}: either values or an error is wanted"
        assert not (self.unchecked and not self.error), f"{self.id}: unchecked errors only"
        assert not (self.flattens and not self.refused), f"{self.id}: refused with which code?"


@dataclass(frozen=True)
class Chapter:
    """The rows of one chapter of the specification."""

    number: int
    title: str
    rows: tuple[Row, ...]


def read_table(folder: Path = TABLE) -> list[Chapter]:
    """All chapters, in order."""
    chapters: list[Chapter] = []
    known = {f.name for f in fields(Row)} - {"file"}
    for path in sorted(folder.glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        rows: list[Row] = []
        for entry in content["row"]:
            assert entry.keys() <= known, f"{path.name}: {entry['id']}: {entry.keys() - known}"
            if entry.get("stop") == "experiment":
                entry["stop"] = None
            row = Row(file=path.name, **entry)
            row.verify()
            rows.append(row)
        chapters.append(Chapter(content["chapter"], content["title"], tuple(rows)))
    return chapters


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


def _line(row: Row) -> str:
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
    PAGE.write_text(page_with(table_text(read_table()), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
