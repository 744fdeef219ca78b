"""Every case of the language does what its file says; docs/language.md is made from the same files.

A case that says "not supported" fails when its model is accepted with the right values: the file, and so the
page, is to be brought up to date then.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import pytest
from tools.language_cases import Case, read_chapters
from tools.language_table import PAGE, page_with, table_text

import saltus
from lowered_values import shown_values
from saltus.compiler import load_flat
from saltus.core.diagnostics import Diagnostic, SaltusError
from saltus.functions import interpret
from saltus.lower.functions import execution

CHAPTERS = read_chapters()
CASES = [case for chapter in CHAPTERS for case in chapter.cases]


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions without end are given up after fewer steps than elsewhere: that they are is tested."""
    monkeypatch.setattr(interpret, "STEP_LIMIT", 10_000)
    monkeypatch.setattr(execution, "WORK_LIMIT", 10_000)
    monkeypatch.setattr(execution, "TEXT_LIMIT", 1_000)


def last_values(case: Case) -> dict[str, float]:
    """The values that a case speaks of, at the end of a run."""
    result = saltus.load(case.model, model=case.main).simulate(stop_time=case.stop, set=dict(case.set))
    return {name: float(result[name][-1]) for name in case.values}


def lowered_values(case: Case) -> dict[str, float]:
    """The values that a case speaks of, read off the lowered model."""
    found = shown_values(case.model, case.main, set=case.set, time=case.stop)
    return {name: float(found[name]) for name in case.lowered}


def right(values: Mapping[str, float]) -> object:
    return pytest.approx({name: float(v) for name, v in values.items()}, rel=1e-6, abs=1e-6)


def refusal(case: Case) -> tuple[Diagnostic, ...]:
    """With what a case is refused, each at a place; nothing if it is not."""
    try:
        found = last_values(case)
    except SaltusError as error:
        assert all(d.span is not None for d in error.diagnostics), error
        return error.diagnostics
    if case.values and found != right(case.values):
        return (Diagnostic("", "wrong values"),)
    return ()


def said_by(diagnostic: Diagnostic) -> str:
    return diagnostic.message + (diagnostic.hint or "") + "".join(note.message for note in diagnostic.notes)


@pytest.mark.parametrize("case", CASES, ids=[case.test for case in CASES])
def test_case_is_as_its_file_says(case: Case) -> None:
    match case.status:
        case "yes" | "partly":
            if case.lowered:
                assert lowered_values(case) == right(case.lowered)
            else:
                assert last_values(case) == right(case.values)
        case "extension":
            assert last_values(case) == right(case.values)
            assert "W203" in [w.code for w in saltus.load(case.model).extensions]
        case "checked":
            told = [d for d in refusal(case) if d.code == case.error]
            assert told, f"not refused with {case.error}"
            assert all(word in said_by(told[0]) for word in case.words), said_by(told[0])
        case "unchecked":
            assert not refusal(case), "this rule is checked now: remove `unchecked` from the case"
        case "no" | "flat":
            codes = [d.code for d in refusal(case)]
            works = case.error in codes if case.error else not codes
            assert not works, "this works now: remove `refused` from the case"
            assert case.refused in codes
            if case.status == "flat":
                load_flat(case.model).verify()


def test_names_of_cases_are_unique_and_belong_to_their_chapter() -> None:
    assert max(Counter(case.test for case in CASES).values()) == 1
    for chapter in CHAPTERS:
        for row in chapter.rows:
            assert re.fullmatch(r"\d+(\.\d+)*", row.section), row.id


def test_the_page_is_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == page_with(table_text(CHAPTERS), page), "run `python -m tools.language_table`"
