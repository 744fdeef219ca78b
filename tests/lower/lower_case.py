"""Small models with what the specification says about them: values at the end of a run, or a refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import saltus
from saltus.core.diagnostics import SaltusError


@dataclass(frozen=True)
class Case:
    """`values` holds at the end of the run up to `stop_time`."""

    name: str
    text: str
    values: Mapping[str, float]
    stop_time: float | None = 1.0
    set: Mapping[str, float | int | bool] = field(default_factory=dict)
    model: str | None = None


@dataclass(frozen=True)
class Refusal:
    """The text is refused with `code`, at a place, with all `words` in what is said."""

    name: str
    text: str
    code: str
    words: tuple[str, ...] = ()
    set: Mapping[str, float | int | bool] = field(default_factory=dict)
    model: str | None = None


def named(cases: Sequence[Case | Refusal]) -> pytest.MarkDecorator:
    """A test for each of the cases."""
    return pytest.mark.parametrize("case", cases, ids=[c.name for c in cases])


def check_values(case: Case, libraries: Sequence[Path] = ()) -> None:
    """Runs a case and compares the last values."""
    model = saltus.load(case.text, model=case.model, libraries=libraries)
    result = model.simulate(stop_time=case.stop_time, set=dict(case.set))
    found = {name: float(result[name][-1]) for name in case.values}
    assert found == pytest.approx(dict(case.values), rel=1e-6, abs=1e-6)


def check_refusal(case: Refusal, libraries: Sequence[Path] = ()) -> None:
    """The case is refused, and the refusal can be shown."""
    with pytest.raises(SaltusError) as caught:
        saltus.load(case.text, model=case.model, libraries=libraries).simulate(set=dict(case.set))
    found = caught.value.diagnostics
    assert case.code in [d.code for d in found], found
    first = next(d for d in found if d.code == case.code)
    assert first.span is not None
    said = first.message + (first.hint or "") + "".join(note.message for note in first.notes)
    for word in case.words:
        assert word in said
