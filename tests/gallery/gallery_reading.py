"""Reading the gallery: its classes, their runs, and what happens at their leaps."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import saltus
from translated_models import translated

Vector = NDArray[np.float64]

PAPERS = Path(saltus.__file__).parent / "library" / "Saltus" / "Examples" / "Papers"
ENTRIES = ("paper", "place", "passage", "look", "plot", "modes", "log")

#: Plotted although it does not move: a voltage divider beside circuits with states.
STILL = {("Sec3_Causality", "R3.u")}


def class_text(package: str, name: str) -> str:
    return (PAPERS / package / f"{name}.mo").read_text()


def gallery_classes(package: str) -> list[str]:
    """The classes of a paper that the gallery shows; others are what these are made of."""
    files = sorted((PAPERS / package).glob("*.mo"))
    return [path.stem for path in files if "__Saltus(Gallery(" in path.read_text()]


@cache
def load(package: str, name: str) -> saltus.Model:
    return translated(f"Saltus.Examples.Papers.{package}.{name}")


@cache
def run(package: str, name: str) -> saltus.Result:
    """The class as it is, with its own experiment; Python has nothing to warn of, whatever is tried."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return load(package, name).simulate()


def presentable(package: str, name: str) -> None:
    """The annotation is complete, what it plots exists and moves, it runs to its end without a
    warning. That units match is tested with those of the other examples."""
    content = class_text(package, name)
    assert "experiment(" in content and "Documentation(" in content
    for entry in ENTRIES:
        assert re.search(rf"^ .*\b{entry} = ", content, re.MULTILINE), f"{name} has no {entry}"
    found = re.search(r"plot = \{([^}]*)\}", content)
    assert found is not None
    plotted = re.findall(r'"([^"]+)"', found.group(1))
    result = run(package, name)
    assert plotted
    for v in plotted:
        moves = bool(np.nanmax(result[v]) > np.nanmin(result[v]))
        assert moves is ((name, v) not in STILL), v
    model = load(package, name)
    assert not result.interrupted and result.time[-1] == model.experiment.stop_time
    assert list(model.warnings) == [] and list(result.warnings) == []


def numbers(values: object) -> Vector:
    return np.asarray(values, dtype=float)


def limits(result: saltus.Result, time: float, names: Sequence[str]) -> tuple[Vector, Vector]:
    """The left and right limits of variables at the event that is nearest to a time."""
    when = [e.time for e in result.events if e.kind in ("state", "time")]
    moment = when[int(np.argmin(np.abs(np.array(when) - time)))]
    first = int(np.searchsorted(result.time, moment, side="left"))
    last = int(np.searchsorted(result.time, moment, side="right")) - 1
    assert last > first, f"there is no event at {time}"
    return numbers([result[n][first] for n in names]), numbers([result[n][last] for n in names])


def impulse(result: saltus.Result, time: float, name: str) -> float:
    """The weight of the impulses of a variable around a time; 0 where there are none."""
    return float(sum(i.weight for i in result.impulses[name] if abs(i.time - time) < 1e-6))


def between(result: saltus.Result, leaps: Sequence[float], margin: float = 1e-6) -> NDArray[np.bool_]:
    """Which rows are away from leaps, so that a small error of their times does not matter."""
    return far_from(numbers(result.time), leaps, margin)


def far_from(times: Vector, leaps: Sequence[float], margin: float) -> NDArray[np.bool_]:
    """Which times are away from leaps."""
    distance = np.abs(times[:, None] - np.array([*leaps, -1e9])[None, :])
    return np.asarray(distance.min(axis=1) > margin)


def structures(result: saltus.Result) -> list[tuple[int, int]]:
    """(number of states, index) of the modes that last, one after the other; repetitions left out."""
    found: list[tuple[int, int]] = []
    for stay in result.modes:
        pair = (len(stay.mode.states), stay.mode.index)
        if stay.stop > stay.start and found[-1:] != [pair]:
            found.append(pair)
    return found
