"""The same models three ways: as a file, built in Python, and of the parts of other fields in Modelica."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from bond_texts import EXAMPLES, example
from graphs_in_python import BUILT
from models_of_parts import OF_PARTS, SAME

import saltus

NAMES = sorted(BUILT)
#: Points of time at which results are compared, besides the end.
POINTS = 40


def settings(name: str) -> dict[str, Any]:
    """Tight enough for nine digits: errors of one model are other ones than those of another."""
    stop = example(name).experiment.stop_time
    assert stop is not None
    return {"stop_time": stop, "interval": stop / POINTS, "tolerance": 1e-13, "method": "rk45"}


@cache
def of_file(name: str) -> saltus.Result:
    return example(name).simulate(**settings(name))


def at_points(result: saltus.Result, name: str) -> np.ndarray:
    """A variable at the output points: where there is an event, behind it. `-x` is that with another sign."""
    times = np.linspace(result.time[0], result.time[-1], POINTS + 1)
    rows = np.searchsorted(result.time, times + 1e-9 * times[-1], side="right") - 1
    np.testing.assert_allclose(result.time[rows], times, rtol=0, atol=1e-9 * times[-1])
    return -result[name[1:]][rows] if name.startswith("-") else result[name][rows]


def assert_same(first: np.ndarray, second: np.ndarray, what: str) -> None:
    """Equal to 1e-9 of the largest value."""
    size = np.abs(first).max()
    assert size > 0, f"{what} says nothing"
    assert np.abs(first - second).max() <= 1e-9 * size, what


def test_all_files_are_here() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.bg")} == set(NAMES) == set(OF_PARTS) == set(SAME)


@pytest.mark.parametrize("name", NAMES)
def test_built_in_python(name: str) -> None:
    """Every variable that elements and signals have."""
    graph = BUILT[name]()
    result = graph.simulate(**settings(name))
    first = of_file(name)
    compared = 0
    for element in graph._tree().elements:
        variable = {"I": "p", "C": "q", "R": "f", "Se": "f", "Sf": "e"}.get(element.kind)
        if variable is not None:
            full = f"{element.name}.{variable}"
            one, other = at_points(first, full), at_points(result, full)
            assert np.abs(one - other).max() <= 1e-9 * max(np.abs(one).max(), 1e-300), full
            compared += 1
    assert compared


@pytest.mark.parametrize("name", NAMES)
def test_of_parts_of_other_fields(name: str) -> None:
    result = saltus.load(OF_PARTS[name]).simulate(**settings(name))
    for bond, part in SAME[name].items():
        assert_same(at_points(of_file(name), bond), at_points(result, part), bond)


@pytest.mark.parametrize("name", ["Fig6", "Fig11"])
def test_with_other_parameters(name: str) -> None:
    given = {"Fig6": {"gain": 2}, "Fig11": {"epsilon": 0.5}}[name]
    results = [
        model.simulate(set=given, **settings(name))
        for model in (example(name), BUILT[name]().load(), saltus.load(OF_PARTS[name]))
    ]
    for bond, part in SAME[name].items():
        first, second, third = (at_points(r, n) for r, n in zip(results, (bond, bond, part), strict=True))
        assert_same(first, second, bond)
        assert_same(first, third, bond)
