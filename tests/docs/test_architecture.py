"""`docs/architecture.md` stays short, and what it names is there: a newcomer begins with this page.
What the pages about the design and CONTRIBUTING.md name is there, too.

A path is in backticks and relative to `src/saltus`, or to the repository. In the answers to the questions,
names in brackets behind a file are defined in that file:

    `emit/driver/crossings.py` (`scan`, `locate`)

docs/python.md is made from the source, and a docstring is changed soon.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.import_direction import ROOMS

import saltus
from tools import python_page

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
DESIGN = sorted((ROOT / "docs" / "design").glob("*.md"))
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
MOST_LINES, WIDEST = 250, 120

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
DEFINED_IN = re.compile(r"`([\w/]+\.py)`\s+\((`\w+`(?:,\s+`\w+`)*)\)")


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def paths(page: Path) -> Iterator[str]:
    """What a page names with a slash or as a file of Python or Markdown, but for `PLACEHOLDERS/NAME.mo`."""
    for text in CODE.findall(prose(page)):
        if re.search(r"\b(?:test_)?(?:NAME|PACKAGE|PART)\b", text):
            continue
        if re.fullmatch(r"[\w./-]+", text) and ("/" in text or text.endswith((".py", ".md"))):
            yield text


def defined(path: Path) -> set[str]:
    """Names of functions, classes, methods and variables of a module."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names.update(target.id for target in targets if isinstance(target, ast.Name))
    return names


def test_the_page_is_short() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= MOST_LINES
    assert [line for line in lines if len(line) > WIDEST] == []


@pytest.mark.parametrize("page", [PAGE, *DESIGN, CONTRIBUTING], ids=lambda page: page.name)
def test_every_path_that_a_page_names_exists(page: Path) -> None:
    known = list(paths(page))
    assert known
    assert [p for p in known if not ((ROOT / "src" / "saltus" / p).exists() or (ROOT / p).exists())] == []


def test_names_behind_a_file_are_defined_in_it() -> None:
    answers = DEFINED_IN.findall(prose(PAGE))
    assert len(answers) > 15
    for path, names in answers:
        missing = set(CODE.findall(names)) - defined(ROOT / "src" / "saltus" / path)
        assert not missing, f"{path} does not define {', '.join(sorted(missing))}"


def test_rooms_are_those_that_are_checked_in_their_order() -> None:
    tables = re.findall(r"^\| rooms of `(\w+)/`, .*\n\| ---.*\n((?:\|.*\n)+)", prose(PAGE), re.MULTILINE)
    listed = {stage: tuple(re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE)) for stage, rows in tables}
    # The rooms of `ir` are files, one for each noun; its docstring has them.
    assert listed == {stage: rooms for stage, rooms in ROOMS.items() if stage != "ir"}


def test_the_page_about_python_is_that_of_the_source() -> None:
    assert python_page.PAGE.read_text(encoding="utf-8") == python_page.page(), "python tools/python_page.py"


def test_it_has_everything_that_the_package_offers() -> None:
    shown = {entry.place for entries in python_page.SECTIONS.values() for entry in entries}
    assert {name for name in saltus.__all__ if f"saltus:{name}" not in shown} == {"__version__"}
