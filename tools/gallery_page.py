"""docs/gallery, one page for each paper, made from runs of its models: picture, model, modes, log, what to
look at.

Usage: `python tools/gallery_page.py [NAME ...]` runs all models, or those with these words in their names,
and writes the pages and the pictures anew. `tests/gallery/test_gallery_page.py` runs every model again and
compares what it tells with its page.
"""

from __future__ import annotations

import sys
from pathlib import Path

from saltus.catalogue import gallery
from saltus.core.diagnostics import SaltusError
from saltus.ir.catalogue import Exhibit, Wing
from saltus.tools.gallery_tour import Tour

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "gallery"
INDEX = PAGES / "README.md"
PICTURES = ROOT / "docs" / "images" / "gallery"

#: Lines of a log, and of a table of modes, on a page.
LINES = 16

#: Dots per inch of the pictures: they are many.
DPI = 60

HEAD = """# The gallery

The models, listings and figures of the papers that Saltus grows from, as Modelica classes in
`Saltus.Examples.Papers`, with the parameters of the papers where they give them. What a paper says is told
in our words. `saltus gallery` lists them, `saltus gallery NAME` runs one, and with `--text` prints it.

Tests compare each of them with the numbers of its paper, or with a closed form or a separate integration.
The pages are made from runs by `tools/gallery_page.py`; long logs are cut.

| paper | title | models |
| --- | --- | --- |
"""


def page_of(wing: Wing) -> Path:
    """The file with the page about a paper."""
    return PAGES / wing.page


def anchor(exhibit: Exhibit) -> str:
    """What stands between the parts of a page, by which they are found again."""
    return f"<!-- {exhibit.short} -->"


def picture(exhibit: Exhibit) -> Path:
    """The file with the plot."""
    return PICTURES / f"{exhibit.short}.png"


def section(tour: Tour) -> str:
    """What a page says about an exhibit."""
    e = tour.exhibit
    modes, log = tour.modes(LINES) if e.modes else [], tour.log(LINES) if e.log else []
    parts = [
        anchor(e),
        f"## {e.short}",
        f"{e.description}. {e.paper}, {e.place}.",
        f"**In the paper.** {e.passage}",
        f"**What to look at.** {e.look}",
        f"![{', '.join(e.plot)}](../{picture(e).relative_to(PAGES.parent).as_posix()})",
    ]
    if modes:
        parts.append("\n".join(["```text", *modes, "```"]))
    if log:
        parts.append("\n".join(["```text", *log, "```"]))
    if tour.failure is not None:
        parts.append(f"The run ends at {tour.result.time[-1]:.6g} s: {tour.failure.diagnostics[0].message}.")
    parts.append(f"<details><summary>The model</summary>\n\n```modelica\n{e.text}\n```\n\n</details>")
    return "\n\n".join(parts) + "\n"


def omitted(wing: Wing) -> str:
    """What of a paper is not shown."""
    if not wing.omitted:
        return ""
    return "\n".join(["## Not shown", "", *(f"- {item}" for item in wing.omitted), ""])


def heading(wing: Wing) -> str:
    """The title of a paper, and the way to the others."""
    return f"# {wing.description}\n\n[All papers of the gallery]({INDEX.name})\n"


def page(wing: Wing, sections: dict[str, str]) -> str:
    """The page about a paper from the parts about its exhibits, by name."""
    parts = [heading(wing), *(sections[e.name] for e in wing.exhibits), omitted(wing)]
    return "\n".join(part for part in parts if part)


def index() -> str:
    """The page that leads to those of the papers."""
    return HEAD + "".join(
        f"| [{wing.exhibits[0].paper}]({wing.page}) | {wing.description.partition(': ')[2]} "
        f"| {len(wing.exhibits)} |\n"
        for wing in gallery()
    )


def sections_of(wing: Wing) -> dict[str, str]:
    """The parts of its page about the exhibits that there are, by name."""
    text = page_of(wing).read_text(encoding="utf-8") if page_of(wing).exists() else ""
    found: dict[str, str] = {}
    for exhibit in wing.exhibits:
        begin = text.find(anchor(exhibit))
        if begin >= 0:
            end = text.index("</details>", begin) + len("</details>\n")
            found[exhibit.name] = text[begin:end]
    return found


def main(words: list[str]) -> int:
    """Writes the pages; 1 if a model could not be run."""
    wings = gallery()
    sections = {name: text for wing in wings for name, text in sections_of(wing).items()}
    PAGES.mkdir(parents=True, exist_ok=True)
    PICTURES.mkdir(parents=True, exist_ok=True)
    failed = False
    for exhibit in (e for wing in wings for e in wing.exhibits):
        if words and exhibit.name in sections and not any(word in exhibit.name for word in words):
            continue
        try:
            tour = Tour.of(exhibit)
            sections[exhibit.name] = section(tour)
            figure = tour.result.plot(*exhibit.plot, modes=exhibit.modes, title=exhibit.short)
            figure.savefig(picture(exhibit), dpi=DPI)
            print(exhibit.short, flush=True)
        except SaltusError as error:
            print(f"{exhibit.short}: {error}", file=sys.stderr)
            failed = True
    if not failed:
        INDEX.write_text(index(), encoding="utf-8")
        for wing in wings:
            page_of(wing).write_text(page(wing, sections), encoding="utf-8")
    for old in set(PAGES.glob("*.md")) - {INDEX, *map(page_of, wings)}:
        old.unlink()
    for old in set(PICTURES.glob("*.png")) - {picture(e) for wing in wings for e in wing.exhibits}:
        old.unlink()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
