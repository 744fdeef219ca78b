"""The documentation site: Sphinx reads the pages of the repository as they are. `make site` builds it.

The pages are written for the repository, too, so nothing in them is for Sphinx: the order of the site is that
of the links in `docs/index.md` and in the pages that lead to others (`HUBS`).
"""

from __future__ import annotations

import re
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from pygments.lexer import Lexer
from pygments.lexers.modeling import ModelicaLexer
from pygments.lexers.python import PythonLexer
from pygments.lexers.special import TextLexer
from pygments.token import Name, Whitespace

project = "Saltus"
release = version = version_of("saltus")
copyright = "the authors of Saltus"

extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["docs/**", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
#: What need not even be looked through.
exclude_patterns = [".*", "build", "demo-output", "src", "tests", "tools", "benchmarks", "examples"]

myst_heading_anchors = 4
#: `--method` is two hyphens also where it is no code.
smartquotes = False
#: Blocks are excerpts, and may leave something away.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = "Saltus"
html_copy_source = False
html_show_sphinx = False
html_permalinks_icon = "#"
html_static_path = ["site"]
html_css_files = ["site.css"]
pygments_style, pygments_dark_style = "friendly", "monokai"

ROOT = Path(__file__).parents[1]

#: Pages whose links, in their order, are the pages below them: on the first one by sections, on others those
#: to pages of the same folder.
HUBS = ("docs/index", "docs/gallery/README")

#: Languages of blocks that have no lexer of their own.
LEXERS = {
    **dict.fromkeys(("bondgraph", "petrinet", "machine", "chi", "csv"), TextLexer),
    "dymola": ModelicaLexer,
}

LINK = re.compile(r"(?<!!)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)\s#:]+)(#[^)]*)?\)")

#: A block that is written to a file when the tests run the page.
FILE = re.compile(r"^```(\w+) (\S+)$", re.MULTILINE)


class CellLexer(Lexer):
    """A cell of a notebook: Python, unless its first line says otherwise."""

    def get_tokens_unprocessed(self, text: str, *more: Any) -> Any:
        """Lines with `%` are IPython's."""
        first, _, rest = text.partition("\n")
        if not first.startswith("%"):
            yield from PythonLexer(**self.options).get_tokens_unprocessed(text)
            return
        yield 0, Name.Decorator, first
        lexer = ModelicaLexer if first.startswith("%%modelica") else PythonLexer
        begin = len(first) + 1
        yield len(first), Whitespace, "\n"
        for place, kind, value in lexer(**self.options).get_tokens_unprocessed(rest):
            yield begin + place, kind, value


def linked(docname: str, text: str) -> dict[str, str]:
    """The pages to which a text leads, in order; with the words of the link, where it leads to a section."""
    folder = (ROOT / docname).parent
    found: dict[str, str] = {}
    for words, target, section in LINK.findall(text):
        path = (folder / target).resolve()
        if path.suffix == ".md" and path.is_file():
            found.setdefault(path.relative_to(ROOT).with_suffix("").as_posix(), words if section else "")
    return found


def toctree(pages: dict[str, str], caption: str = "") -> str:
    """A list of pages for the side of the site, which is not shown in the text."""
    if not pages:
        return ""
    lines = ["```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), ""]
    entries = [f"{words} </{page}>" if words else f"/{page}" for page, words in pages.items()]
    return "\n".join([*lines, *entries, "```"]) + "\n"


def with_toctrees(docname: str, text: str) -> str:
    """A page that leads to others, with what Sphinx needs to know about that."""
    top, folder = docname == root_doc, Path(docname).parent
    known = {docname, root_doc}
    parts = []
    for section in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        pages = {
            page: words
            for page, words in linked(docname, section).items()
            if page not in known and (top or Path(page).parent == folder)
        }
        known.update(pages)
        heading = re.match(r"## (.*)", section)
        parts.append(f"{section.rstrip()}\n\n{toctree(pages, heading[1] if top and heading else '')}\n")
    return "".join(parts)


def with_names(text: str) -> str:
    """Blocks that are files, with their names above them."""
    return FILE.sub(r"```{code-block} \1\n:caption: \2\n", text)


def without_folders(docname: str, text: str) -> str:
    """Links to folders are for the repository: here only their text is left."""
    folder = (ROOT / docname).parent
    return LINK.sub(lambda m: m[1] if (folder / m[2]).is_dir() else m[0], text)


def prepare(app: Any, docname: str, source: list[str]) -> None:
    """What is different on the site."""
    text = with_names(without_folders(docname, source[0]))
    source[0] = with_toctrees(docname, text) if docname in HUBS else text


def lead_to_the_first_page(app: Any, failure: Exception | None) -> None:
    """Who opens the folder finds the page."""
    if failure is None and app.builder.format == "html":
        first = f"{root_doc}.html"
        text = (
            f'<!doctype html><title>Saltus</title><meta http-equiv="refresh" content="0; url={first}">'
            f'<a href="{first}">Saltus</a>\n'
        )
        Path(app.outdir, "index.html").write_text(text, encoding="utf-8")


def setup(app: Any) -> None:
    """Called by Sphinx."""
    for name, lexer in LEXERS.items():
        app.add_lexer(name, lexer)
    app.add_lexer("ipython", CellLexer)
    app.connect("source-read", prepare)
    app.connect("build-finished", lead_to_the_first_page)
