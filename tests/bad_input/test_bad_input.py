"""Bad input ends with the right exit status and a message that names the thing, never with a traceback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from bad_case import FAILED, FINE, REFUSED, USAGE, Case
from bad_meanings import CONNECTIONS, COUNTS, UNSUPPORTED
from bad_runs import RUNS, USAGES
from bad_texts import CLASSES, NAMES, SYNTAX
from bad_types import TYPES

CASES = [*SYNTAX, *NAMES, *CLASSES, *TYPES, *CONNECTIONS, *COUNTS, *UNSUPPORTED, *RUNS, *USAGES]
SCREEN = 30  # lines
GOOD = Case("good", FINE, 0, ())


@dataclass(frozen=True)
class Ending:
    """How a command ended."""

    status: int
    err: str


def check(case: Case, ending: Ending) -> None:
    shown = f"{case.name}: status {ending.status}\n{ending.err}"
    assert ending.status == case.status, shown
    assert "Traceback" not in ending.err, shown
    assert "internal error" not in ending.err, shown
    assert ending.err.count("\n") <= SCREEN, shown
    for words in case.told:
        # A short name must stand on its own, not inside another word.
        pattern = rf"(?<!\w){re.escape(words)}(?!\w)" if words.isidentifier() else re.escape(words)
        assert re.search(pattern, ending.err), f"nothing about {words!r}\n{shown}"


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Runs the command in this process, in a fresh folder."""
    from saltus.tools.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SALTUS_DEBUG", raising=False)
    monkeypatch.delenv("MODELICAPATH", raising=False)
    (tmp_path / "folder").mkdir()

    def run(text: str, *arguments: str, source: str = "bad.mo") -> Ending:
        Path("bad.mo").write_text(text, encoding="utf-8")
        with pytest.raises(SystemExit) as ending:
            main(["simulate", source, *arguments])
        return Ending(ending.value.code or 0, capsys.readouterr().err)

    return run


def in_another_process(folder: Path, *arguments: str) -> Ending:
    environment = {k: v for k, v in os.environ.items() if k not in ("SALTUS_DEBUG", "MODELICAPATH")}
    done = subprocess.run(
        [sys.executable, "-m", "saltus.tools.cli", "simulate", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return Ending(done.returncode, done.stderr)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bad_input(command, case: Case) -> None:
    check(case, command(case.text, *case.arguments))


def test_the_good_model_of_these_tests_is_good(command) -> None:
    """Otherwise the wrong options might be refused for another reason."""
    assert command(GOOD.text, "--set", "rate=2", "--output", "out.csv").status == 0


@pytest.mark.parametrize("status", [REFUSED, USAGE, FAILED])
def test_a_real_process_ends_the_same_way(tmp_path: Path, status: int) -> None:
    """The exit status and the stream as the shell sees them, once for each status."""
    case = (
        next(c for c in CASES if c.status == status and not c.arguments)
        if status != USAGE
        else next(c for c in CASES if c.status == USAGE)
    )
    (tmp_path / "bad.mo").write_text(case.text, encoding="utf-8")
    check(case, in_another_process(tmp_path, "bad.mo", *case.arguments))


def test_missing_file(command) -> None:
    check(Case("missing file", "", USAGE, ("missing.mo",)), command("", source="missing.mo"))


def test_missing_class(command) -> None:
    check(Case("missing class", "", REFUSED, ("No",)), command("", source="No.Such.Class"))


def test_file_that_is_no_text(command, tmp_path: Path) -> None:
    (tmp_path / "binary.mo").write_bytes(bytes(range(256)) * 4)
    check(Case("binary file", "", REFUSED, ("binary.mo",)), command("", source="binary.mo"))


def test_file_without_a_class(command) -> None:
    check(Case("empty", "", REFUSED, ("bad.mo:1", "defines no class", "`model M")), command("// nothing\n"))


def test_file_of_a_package_that_is_not_around_it(command) -> None:
    told = ("bad.mo:2", "belongs to the package `Plant.Parts`", "remove `within Plant.Parts;`")
    ending = command("// a part\nwithin Plant.Parts;\nmodel M Real x = 1; end M;\n")
    check(Case("within", "", REFUSED, told), ending)


def test_folder_without_a_package(command) -> None:
    check(Case("folder", "", USAGE, ("folder",)), command("", source="folder"))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_output(command, tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text("precious\n")
    (tmp_path / "out.csv").chmod(0o444)
    check(Case("read-only file", FINE, USAGE, ("out.csv",)), command(GOOD.text, "--output", "out.csv"))
    assert (tmp_path / "out.csv").read_text() == "precious\n"


def test_what_was_computed_before_a_failure_is_kept(command, tmp_path: Path) -> None:
    case = next(c for c in CASES if c.name == "assertion violated")
    check(case, command(case.text, "--output", "out.csv", "--interval", "0.1"))
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[0].startswith("time,")
    last = dict(zip(lines[0].split(","), map(float, lines[-1].split(",")), strict=True))
    # der(level) = 1 from 0: the level is the time, and the assertion fails at 0.5.
    assert len(lines) >= 6
    assert abs(last["level"] - last["time"]) < 1e-6
    assert 0.39 < last["time"] < 0.61


def test_a_refused_output_leaves_no_file_behind(command, tmp_path: Path) -> None:
    case = next(c for c in CASES if c.name == "unknown variable")
    check(case, command(case.text, "--output", "out.csv"))
    assert not (tmp_path / "out.csv").exists()
