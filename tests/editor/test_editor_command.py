"""`saltus lsp` where it cannot serve, and what other commands need not import."""

from __future__ import annotations

import subprocess
import sys

import pytest

from saltus.tools.cli import main


def test_without_pygls_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    with pytest.raises(SystemExit) as ending:
        main(["lsp"])
    assert ending.value.code == 2
    told = capsys.readouterr().err
    assert "pygls" in told and "pip install 'saltus[editor]'" in told


def test_a_folder_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["lsp", "--library", "no-such-folder"])
    assert ending.value.code == 2 and "no-such-folder" in capsys.readouterr().err


def test_other_commands_do_not_import_it() -> None:
    code = "import sys, saltus.tools.cli; print([m for m in sys.modules if 'pygls' in m or '.editor.' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
