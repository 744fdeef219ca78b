"""The code blocks of the README and of docs/ are run, in order, in an empty folder per page.

    ```modelica Name.mo     the block is written to that file; so is one in another
                            language, ```bondgraph Name.bg, and a file of values, ```toml values.toml
    ```console              lines after `$ ` are run; the lines below must be their output. Those of the
                            README are run in a shell, as by a user, and so is whatever is more than a
                            command of Saltus; the others are run in this process
    ```python               executed; names stay from block to block of the page
    ```python sweep.py      written to that file
    ```ipython              a cell of a notebook, run in one that is the same for the page

In expected output a line `...` stands for any number of lines, and `...` inside a line for any text.
"""

from __future__ import annotations

import codeop
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import matplotlib
import pytest

from saltus.tools.cli import main
from tools import library_page, options_page

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
#: A command that needs no shell.
PLAIN = re.compile(r"saltus [^|&;<>`$*?]*")
FENCE = re.compile(r"^```(\w+)[ \t]*([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str, str]]:
    return [(kind, info.strip(), body) for kind, info, body in FENCE.findall(page.read_text())]


def expected_pattern(lines: list[str]) -> re.Pattern[str]:
    parts = []
    for line in lines:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(r"[^\n]*".join(map(re.escape, line.rstrip().split("..."))) + r"[ ]*\n")
    return re.compile("".join(parts))


def in_a_shell(command: str, folder: Path) -> tuple[int, str]:
    """The exit status of a command and what it printed."""
    environment = dict(os.environ)
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def in_this_process(command: str) -> tuple[int, str]:
    """The same of a command of Saltus, without the second that another process takes for its imports."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ending:
        main(shlex.split(command)[1:])
    return int(ending.value.code or 0), out.getvalue() + err.getvalue()


def run_console(body: str, folder: Path, shell: bool) -> None:
    """`shell`: each command is one of its own process, as for a user."""
    for chunk in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, *expected = chunk.rstrip("\n").split("\n")
        plain = PLAIN.fullmatch(command) and not shell
        status, output = in_this_process(command) if plain else in_a_shell(command, folder)
        refused = any(line.startswith("error[") or " refused  E" in line for line in expected)
        assert (status != 0) is refused, f"{command}: exit {status}\n{output}"
        if expected:
            shown = "".join(line.rstrip() + "\n" for line in output.splitlines())
            assert expected_pattern(expected).fullmatch(shown), f"{command} printed\n{output}"


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """What runs the cells of a notebook."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    yield shell
    if "saltus" in shell.extension_manager.loaded:
        shell.run_line_magic("unload_ext", "saltus")
    InteractiveShell.clear_instance()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix().removeprefix("docs/"))
def test_code_blocks_of_a_page_work(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    names: dict[str, object] = {}
    for kind, info, body in blocks(page):
        if info and kind in (
            "python",
            "modelica",
            "bondgraph",
            "dymola",
            "chi",
            "petrinet",
            "machine",
            "toml",
            "csv",
        ):
            (tmp_path / info).write_text(body)
        elif kind == "console" and "$ make" not in body and "$ git" not in body:
            run_console(body, tmp_path, shell=page.name == "README.md")
        elif kind == "python":
            exec(compile(body, str(page), "exec"), names)
        elif kind == "ipython":
            request.getfixturevalue("notebook").run_cell(body).raise_error()


def test_the_runner_finds_the_blocks() -> None:
    assert any(kind == "console" for page in PAGES for kind, _, _ in blocks(page))
    assert any(kind == "modelica" for kind, _, _ in blocks(ROOT / "README.md"))


def test_expected_output_is_compared() -> None:
    assert expected_pattern(["a", "...", "b ... c"]).fullmatch("a\nx\ny\nb 1 c\n")
    assert not expected_pattern(["a"]).fullmatch("b\n")


def test_all_relative_links_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        prose = FENCE.sub("", page.read_text())
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def anchors(page: Path) -> set[str]:
    """Those of the headings of a page, as they are made when it is shown."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_all_links_to_headings_lead_to_one() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        prose = FENCE.sub("", page.read_text())
        for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", prose):
            linked = page.parent / target if target else page
            assert anchor in anchors(linked), f"{page.name} links to {target}#{anchor}"


def test_the_glossary_is_in_order_and_every_term_has_a_link() -> None:
    _, _, terms = (ROOT / "docs" / "glossary.md").read_text().partition("## Terms\n")
    entries = re.findall(r"^- \*\*(.+?)\*\*: (.*?)(?=^- |\Z)", terms, re.MULTILINE | re.DOTALL)
    names = [name for name, _ in entries]
    assert len(names) == terms.count("\n- ") > 50
    assert names == sorted(names, key=str.lower)
    assert [name for name, text in entries if "](" not in text] == []


def test_the_page_of_options_has_their_table() -> None:
    text = options_page.PAGE.read_text(encoding="utf-8")
    assert text == options_page.page(text), "python tools/options_page.py"


def test_the_library_page_lists_all_parts() -> None:
    text = library_page.PAGE.read_text(encoding="utf-8")
    assert text == library_page.page(text), "python tools/library_page.py"


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *(ROOT / "docs" / "tutorials").glob("*.md")], ids=lambda p: p.stem
)
def test_blocks_of_tutorials_can_be_typed_line_by_line(page: Path) -> None:
    """An interpreter that is asked ends an indented block at an empty line only."""
    for kind, info, body in blocks(page):
        if kind == "python" and not info:
            typed: list[str] = []
            for line in [*body.splitlines(), ""]:
                typed.append(line)
                if codeop.compile_command("\n".join(typed)) is not None:  # raises what the interpreter would
                    typed = []
            assert typed == []
