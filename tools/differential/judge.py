"""One run compared with the truth.

agree             all that is compared is right, which is all until the truth ends: the text tells when
refused rightly   the run ends where the truth contradicts itself, and was right until then
refused falsely   it ends, and there is a solution
wrong             it does not end, and its values are others
tolerance         it does not end, and its values are others, but those of a tolerance of 1e-10 are right, or
                  of 1e-12 where a hundred impacts have made errors of 1e-10 too large
disobeys          a row contradicts a relation that is in force (`tools/obedience`)
unsure            there is no truth to compare with
late, died        the run took too long, or ended its process
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from tools.differential.case import Case, Truth
from tools.differential.solvers.piecewise_linear import Vector
from tools.obedience.judge import violations

import saltus
from saltus.core.diagnostics import SaltusError

WELL = ("agree", "refused rightly", "unsure")
VERDICTS = (*WELL, "tolerance", "refused falsely", "wrong", "disobeys", "late", "died")

#: The tolerances of the runs that are asked where another one is not right, and what they may be wrong by, as
#: part of the largest value.
TIGHT, TIGHTER, TIGHT_ERROR = 1e-10, 1e-12, 2e-5

#: What a run may be wrong by, in tolerances of the largest value.
ERROR = 1e3

#: The time of a contradiction may be this part of the run elsewhere: sources reach it with no speed.
PLACING = 0.02


@dataclass(frozen=True)
class Judgement:
    """A verdict, with what is wrong in words."""

    verdict: str
    text: str = ""


class Judge:
    """Runs one model and compares it with its truth. A run that agrees with one solution, without any margin,
    is right; only for others the truth has to be `certain`."""

    def __init__(self, case: Case, model: saltus.Model | SaltusError, values: Mapping[str, float]) -> None:
        self._case, self._model, self._values = case, model, values
        self.first = case.truth(False)

    @cached_property
    def certain(self) -> Truth:
        return self._case.truth(True)

    def of_translation(self, failure: str) -> Judgement:
        """Of a model that is refused before it is run: rightly, if it contradicts itself from the start."""
        return refused_translation(self._case, self.certain, failure)

    def of_run(self, method: str, tolerance: float) -> Judgement:
        found = tight = self._judged(method, tolerance)
        if found.verdict != "wrong":
            return found
        for tighter in (TIGHT, TIGHTER):
            if tolerance > tighter:
                tight = self._judged(method, tighter)
                if tight.verdict in WELL:
                    return Judgement("tolerance", found.text)
        return tight if found.verdict == tight.verdict else found

    def _judged(self, method: str, tolerance: float) -> Judgement:
        case = self._case
        assert not isinstance(self._model, SaltusError)
        result, failure = _run(case, self._model, self._values, method, tolerance)
        found = _judged(case, self.first, result, failure, tolerance)
        if found.verdict in ("agree", "refused rightly"):
            return found
        return _judged(case, self.certain, result, failure, tolerance)


def judged(case: Case, model: saltus.Model, method: str, tolerance: float) -> Judgement:
    """Runs a model that has its values in itself, and compares it with the truth."""
    return Judge(case, model, {}).of_run(method, tolerance)


def refused_translation(case: Case, truth: Truth, failure: str) -> Judgement:
    """A model that is refused before it is run: rightly, if it contradicts itself from the start."""
    early = truth.at_start or (truth.ended is not None and truth.ended <= PLACING * case.stop)
    return Judgement("unsure" if truth.unsure else "refused rightly" if early else "refused falsely", failure)


def _judged(
    case: Case, truth: Truth, result: saltus.Result | None, failure: str, tolerance: float
) -> Judgement:
    near = PLACING * case.stop
    if truth.unsure and (truth.until is None or truth.until < near):
        return Judgement("unsure", truth.unsure)
    end = float(result.time[-1]) if result is not None and len(result.time) else 0.0
    if failure and truth.until is not None and end > truth.until - near:
        wrong = _difference(case, truth, result, tolerance) if result is not None else ""
        return Judgement("wrong", wrong) if wrong else Judgement("unsure", truth.unsure)
    if failure:
        expected = truth.ended is not None and abs(end - truth.ended) <= near
        if not expected and not (truth.at_start and end <= near):
            return Judgement("refused falsely", f"at {end:.6g}: {failure}")
    elif truth.ended is not None and truth.ended < case.stop * (1 - PLACING):
        return Judgement("wrong", f"goes on beyond the contradiction at {truth.ended:.6g}")
    if result is None:
        return Judgement("refused rightly", failure)
    wrong = _difference(case, truth, result, tolerance)
    if wrong:
        return Judgement("wrong", wrong)
    if failure:
        return Judgement("refused rightly", failure)
    bad = violations(result, tolerance)
    if bad:
        return Judgement("disobeys", str(bad[0]))
    return Judgement("agree", "" if truth.until is None else f"until {truth.until:.6g}: {truth.unsure}")


def _run(
    case: Case, model: saltus.Model, values: Mapping[str, float], method: str, tolerance: float
) -> tuple[saltus.Result | None, str]:
    try:
        result = model.simulate(
            stop_time=case.stop,
            interval=float(case.times[0]),
            tolerance=tolerance,
            method=method,
            set=values,
            **case.settings,  # type: ignore[arg-type]
        )
    except SaltusError as error:
        return getattr(error, "partial", None), str(error).splitlines()[0]
    return result, ""


def _difference(case: Case, truth: Truth, result: saltus.Result, tolerance: float) -> str:
    """The largest difference, in units of what is allowed; nothing if all are smaller."""
    worst, text = 1.0, ""
    rows = _rows(result.time, case.times)
    known = [np.abs(v[np.isfinite(v)]).max(initial=0.0) for v in truth.values.values()]
    least = max(0.1, 0.2 * float(max(known, default=0.0)))  # tolerances are not for each variable by itself
    for name, expected in truth.values.items():
        got = np.asarray(result[name], dtype=float)
        margin = truth.margins[name]
        certain = np.isfinite(margin) & np.isfinite(expected)
        size = max(float(np.abs(expected[certain]).max(initial=0.0)), least)
        for k in np.flatnonzero(certain):
            first, last = rows[k]
            if first == last:
                continue
            limit = _limit(size, float(margin[k]), tolerance)
            errors = np.abs(got[first:last] - expected[k])
            error = float(errors.min()) if np.isfinite(errors).all() else np.inf
            if error > worst * limit:
                worst = error / limit
                value = got[first + int(np.argmin(errors))]
                text = (f"{name} at {case.times[k]:.6g} is {value:.9g} instead of {expected[k]:.9g}"
                        f" (at most {limit:.2g})")  # fmt: skip
    return text


def _limit(size: float, margin: float, tolerance: float) -> float:
    allowed = TIGHT_ERROR if tolerance <= TIGHT else max(ERROR * tolerance, TIGHT_ERROR)
    return allowed * size + margin * max(1.0, tolerance / 1e-7)


def _rows(time: Vector, asked: Vector) -> list[tuple[int, int]]:
    """Which rows of a result are at each of the times."""
    slack = 1e-9 * float(asked[-1])
    first = np.searchsorted(time, asked - slack)
    last = np.searchsorted(time, asked + slack, side="right")
    return list(zip(first.tolist(), last.tolist(), strict=True))
