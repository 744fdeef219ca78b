"""An editor shows what the command tells: the same codes, words, hints and places, of a text that is not on
the disk yet."""

from __future__ import annotations

from pathlib import Path

import pytest
from bad_case import REFUSED, Case
from bad_meanings import CONNECTIONS, COUNTS, UNSUPPORTED
from bad_texts import CLASSES, NAMES, SYNTAX
from bad_types import TYPES

import saltus
from saltus.core.diagnostics import SaltusError
from saltus.editor.findings import Job, findings

ALL = [*SYNTAX, *NAMES, *CLASSES, *TYPES, *CONNECTIONS, *COUNTS, *UNSUPPORTED]
CASES = [case for case in ALL if case.status == REFUSED and not case.arguments]

#: The command refuses to do something with them; who writes them has done nothing wrong.
NOTHING_TO_RUN = ("empty file", "only a comment", "only a package", "only a function")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_findings_are_what_the_command_tells(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "bad.mo"
    path.write_text("model Saved end Saved;\n")
    found = findings(Job(path, {path.resolve(): case.text}, ()))
    path.write_text(case.text, encoding="utf-8")
    with pytest.raises(SaltusError) as told:
        saltus.load(path)
    if case.name in NOTHING_TO_RUN:
        assert not found
        return
    shown = {
        (f.code, f.message.split("\n")[0], f.message.split("\nhint: ")[-1], f.range.start.line) for f in found
    }
    assert shown
    for diagnostic in told.value.diagnostics:
        first = f"{diagnostic.title}: {diagnostic.message}".split("\n")[0]
        hint = diagnostic.advice or first
        line = diagnostic.span.line - 1 if diagnostic.span is not None else 0
        assert (diagnostic.code, first, hint, line) in shown, f"{diagnostic}\n{shown}"
