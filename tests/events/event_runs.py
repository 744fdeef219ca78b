"""Running small models, and reading their results at and around events."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import RunError
from saltus.result.result import Result


@lru_cache(maxsize=16)
def loaded(text: str) -> saltus.Model:
    """The latest models are kept: cases of a test differ in method and tolerance more often than in text."""
    return saltus.load(text)


def run(text: str, **options: object) -> Result:
    """The result of a model given as text; `options` are those of `Model.simulate`."""
    return loaded(text).simulate(**options)  # type: ignore[arg-type]


def body(declarations: str, equations: str, **options: object) -> Result:
    """The result of a model made of these declarations and equations."""
    return run(f"model M\n{declarations}\nequation\n{equations}\nend M;", **options)


def times(result: Result) -> list[float]:
    """When events happened, those of the start and of the end of the run left out."""
    return [e.time for e in result.events if e.causes[0].kind not in ("initial", "terminal")]


def after(result: Result, name: str, time: float) -> float:
    """The value of the last row that is not after a time: the right limit, if there is an event then."""
    row = int(np.searchsorted(result.time, time, side="right")) - 1
    return float(result[name][row])


def before(result: Result, name: str, time: float) -> float:
    """The left limit at the time of an event."""
    row = int(np.searchsorted(result.time, time, side="left"))
    assert result.time[row] == time, f"there is no row at {time}"
    return float(result[name][row])


def steps(result: Result, name: str) -> list[tuple[float, float]]:
    """(time, new value) for every change of a piecewise constant variable, its first value included."""
    values, when = result[name], result.time
    found = [(float(when[0]), float(values[0]))]
    for k in range(1, len(values)):
        if values[k] != values[k - 1]:
            found.append((float(when[k]), float(values[k])))
    return found


def refused(text: str, **options: object) -> RunError:
    """The error of a run that must fail."""
    with pytest.raises(RunError) as caught:
        run(text, **options)
    return caught.value


def message(error: RunError) -> str:
    """Code, message and notes of the first diagnostic, in one text."""
    first = error.diagnostics[0]
    return "\n".join([f"{first.code}: {first.message}", *(n.message for n in first.notes)])
