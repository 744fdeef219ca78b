"""What the tests of the gallery share: runs, events, and the text of a class with its annotation."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import saltus

#: The event-by-event references of friction are written once, for the tests of modes.
sys.path.insert(0, str(Path(__file__).parents[1] / "modes"))

Vector = NDArray[np.float64]

PAPERS = Path(saltus.__file__).parent / "library" / "Saltus" / "Examples" / "Papers"
ENTRIES = ("paper", "place", "passage", "look", "plot", "modes", "log")


@cache
def load(package: str, name: str) -> saltus.Model:
    return saltus.load(f"Saltus.Examples.Papers.{package}.{name}")


@cache
def run(package: str, name: str) -> saltus.Result:
    """The class as it is, with its own experiment."""
    return load(package, name).simulate()


def classes(package: str) -> list[str]:
    """All classes of the gallery in a paper's package; `Parts` has what they are made of."""
    files = (path.stem for path in (PAPERS / package).glob("*.mo"))
    return sorted(name for name in files if name not in ("package", "Parts"))


def text(package: str, name: str) -> str:
    return (PAPERS / package / f"{name}.mo").read_text()


def plotted(package: str, name: str) -> list[str]:
    """The variables that the gallery plots."""
    found = re.search(r"plot = \{([^}]*)\}", text(package, name))
    assert found is not None, f"{name} says nothing of a plot"
    return re.findall(r'"([^"]+)"', found.group(1))


def presentable(package: str, name: str) -> None:
    """The annotation is complete, what it plots exists and moves, and units match."""
    content = text(package, name)
    assert "__Saltus(Gallery(" in content and "experiment(" in content and "Documentation(" in content
    for entry in ENTRIES:
        assert re.search(rf"\b{entry} = ", content), f"{name} has no {entry}"
    result = run(package, name)
    assert plotted(package, name)
    assert any(np.ptp(np.asarray(result[v], dtype=float)) > 0 for v in plotted(package, name))
    assert list(load(package, name).unit_warnings()) == []
    assert list(result.warnings) == []


def moments(result: saltus.Result) -> list[float]:
    """When events happened, that of the start left out."""
    return [e.time for e in result.events if e.causes[0].kind != "initial"]


def changes(result: saltus.Result, name: str) -> list[tuple[float, float]]:
    """(time, new value) wherever a piecewise constant variable changes."""
    values = np.asarray(result[name], dtype=float)
    rows = np.flatnonzero(np.diff(values) != 0) + 1
    return [(float(result.time[r]), float(values[r])) for r in rows]


def far_from(times: Vector, instants: list[float], distance: float) -> NDArray[np.bool_]:
    """Rows that are not at an event, where curves leap."""
    near = np.abs(np.asarray(times)[:, None] - np.asarray([*instants, -1e9])[None, :]).min(axis=1)
    return near > distance
