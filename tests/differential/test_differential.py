"""Runs agree with solvers that share nothing with Saltus: a corner of `tools/differential`.

`python -m tools.differential --seed 7 --models 4000` tries others.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from tools.differential.campaign import Campaign, read, run
from tools.differential.case import Case, Truth
from tools.differential.families import FAMILIES
from tools.differential.judge import judged, refused_translation
from tools.differential.parameters import parameterised
from tools.differential.report import keep, summary
from tools.differential.trial import (
    METHODS,
    VARIANTS,
    Record,
    Trial,
    drawn,
    in_turn,
    recorded,
    structure_of,
    text_of,
)

import saltus

MODELS = 5


@pytest.mark.parametrize("family", FAMILIES)
def test_runs_agree(family: str) -> None:
    records = [r for n in range(MODELS) for r in recorded(Trial(family, 1, n, ("bdf", "rk45")))]
    assert not [r for r in records if not r.is_well], "\n" + summary(records)
    assert sum(r.verdict == "agree" for r in records) >= MODELS


#: What is changed in a model, and the change: each makes another motion.
SPOILT = [
    ("circuits", "*i_r1;", "*i_r1*1.01;"),
    ("circuits", "if off_d1 then s_d1 else 0", "if off_d1 then s_d1 else -0.05"),
    ("friction", "f0 = ", "f0 = 1.02*"),
    ("impacts", "pre(v[1]) - ", "pre(v[1]) - 0.99*"),
    ("logic", " + 1;", " + 2;"),
]


def _with(family: str, text: str) -> Case:
    """The first case of a family whose model has a text, and that moves. Impacts that end in contact are no
    matter of a coefficient."""
    for number in range(0, 300, VARIANTS):
        case, _ = drawn(Trial(family, 1, number))
        if text in case.text and "rest" not in case.structure and "table" not in case.structure:
            truth = case.truth(True)
            if truth.events > 3 and _moves(truth):
                return case
    raise AssertionError(f"no model of {family} has `{text}`")


def _moves(truth: Truth) -> bool:
    if truth.unsure or truth.ended is not None:
        return False
    spoilt = {name: values for name, values in truth.values.items() if "r1" in name or name[0] == "n"}
    return all(np.abs(values).max() > 0.5 for values in spoilt.values())


@pytest.mark.parametrize(("family", "text", "other"), SPOILT)
def test_wrong_answer_is_noticed(family: str, text: str, other: str) -> None:
    case = _with(family, text)
    assert judged(case, saltus.load(case.text), "bdf", 1e-8).verdict == "agree"
    spoilt = replace(case, text=case.text.replace(text, other))
    found = judged(spoilt, saltus.load(spoilt.text), "bdf", 1e-8)
    assert found.verdict in ("wrong", "refused falsely"), found


def _case(text: str, ended: float | None = None) -> Case:
    return Case("", text, 1.0, lambda certain: Truth(ended=ended))


SHORT = "model M Real v, i; equation v = 5; 0 = if time >= 0.5 then v else i; end M;"
QUIET = "model M Real v = 5; end M;"


@pytest.mark.parametrize(
    ("text", "ended", "verdict"),
    [(SHORT, 0.5, "refused rightly"), (SHORT, None, "refused falsely"), (SHORT, 0.8, "refused falsely"),
     (QUIET, 0.5, "wrong"), (QUIET, None, "agree")],
)  # fmt: skip
def test_refusals(text: str, ended: float | None, verdict: str) -> None:
    assert judged(_case(text, ended), saltus.load(text), "bdf", 1e-6).verdict == verdict


def test_refused_translation() -> None:
    early, late = Truth(ended=0.001), Truth(ended=0.9)
    assert refused_translation(_case(""), early, "E301").verdict == "refused rightly"
    assert refused_translation(_case(""), late, "E301").verdict == "refused falsely"


def test_goes_on_with_a_record(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    campaign = Campaign(models=2, families=("logic",), methods=("rk45",), record=record)
    first = list(run(campaign))
    assert [r.key for r in first] == ["logic-1-0", "logic-1-1"] and read(record) == first
    again = list(run(replace(campaign, models=3)))
    assert again[:2] == first and len(again) == 3 and len(read(record)) == 3
    spoilt = [replace(again[0], verdict="wrong"), *again[1:]]
    record.write_text("".join(json.dumps(asdict(r)) + "\n" for r in spoilt))
    assert next(r.verdict for r in run(replace(campaign, models=3))) == "wrong"
    mended = list(run(replace(campaign, models=3, again=True)))
    assert {r.key: r.verdict for r in mended} == {r.key: r.verdict for r in again}
    assert len(read(record)) == 3


def test_methods_take_turns() -> None:
    """All of them for some models, and each as often as any other for the rest of a few structures."""
    turns = [in_turn(number, METHODS, 5) for number in range(5 * VARIANTS)]
    assert all(turn == METHODS for turn in turns[::5])
    single = [turn[0] for k, turn in enumerate(turns) if k % 5]
    assert all(len(turn) == 1 for k, turn in enumerate(turns) if k % 5)
    assert {single.count(method) for method in METHODS} == {len(single) // len(METHODS)}
    assert all(in_turn(number, METHODS, 1) == METHODS for number in range(10))


def test_what_is_kept_can_be_run(tmp_path: Path) -> None:
    keep(Record("impacts-1-1", "", "bdf", 1e-6, "wrong", "as if"), tmp_path)
    trial = Trial("impacts", 1, 1)
    case, _ = drawn(trial)
    assert (tmp_path / "impacts-1-1.mo").read_text().endswith(text_of(trial, case).text)
    result = saltus.load(tmp_path / "impacts-1-1.mo").simulate(stop_time=0.1)
    assert result.time[-1] == 0.1


def test_variants_share_a_text() -> None:
    """Their numbers are other ones, and given as they are the model is the same as with them in it."""
    for family in ("circuits", "friction", "impacts"):
        trials = [Trial(family, 1, n) for n in range(VARIANTS, 2 * VARIANTS)]
        made = [text_of(trial, drawn(trial)[0]) for trial in trials]
        assert len({m.shared for m in made}) == 1 and len({m.text for m in made}) == VARIANTS
        assert len({structure_of(trial.key) for trial in trials}) == 1


def test_numbers_become_parameters() -> None:
    made = parameterised(
        "model M\n  Real a[2] = {-1.5, 0.0}, x2 = 3 - 2.5e-3 + (if time < 1.0 then -4.0 else 1e3);\nend M;"
    )
    assert list(made.values.values()) == [-1.5, 0.0025, 1.0, -4.0, 1000.0]
    assert "{q1, 0.0}, x2 = 3 - q2 + (if time < q3 then q4 else q5)" in made.shared
    assert "q1 = -1.5, q2 = 0.0025" in made.text


#: Prints the last digits of a run, with machine code that is made `quick` or with care.
DIGITS = """
import sys, saltus
from saltus.emit.llvm.modules import hasten
if sys.argv[1] == "quick":
    hasten()
r = saltus.load('''model M
  Real x(start = 1, fixed = true), y;
  Boolean b = x > 0.5;
equation
  der(x) = (if b then -x else sin(5*time)) + 0.1*y;
  y = x/3 + cos(x*y);
end M;''').simulate(stop_time=3)
print([v.hex() for v in r["x"].tolist()], len(r.events))
"""


def test_quick_code_computes_the_same() -> None:
    """The campaign makes machine code at once; that of others computes the same numbers."""
    commands = [[sys.executable, "-c", DIGITS, how] for how in ("quick", "careful")]
    one, two = (subprocess.run(c, capture_output=True, text=True, check=True).stdout for c in commands)
    assert one == two and len(one) > 1000
