"""Processes and models of Modelica in one system, and processes as Modelica."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from chi_examples import EXAMPLES, changes, duration

import saltus
from saltus.compiler import load_flat
from saltus.core.diagnostics import ModelError
from saltus.show.listings.flat import flat_text

TANK = """model Tank "With a valve that somebody else controls"
  parameter Real A(unit = "m2") = 0.5;
  parameter Real K = 1e-4*sqrt(9810);
  Real h(unit = "m", start = 1, fixed = true);
  input Real Qi(unit = "m3/s");
equation
  A*der(h) = Qi - K*sqrt(h);
end Tank;
"""
PROCESSES = """// experiment stop = 20, tolerance = 1e-9
proc Valve(low, high, Qset : real, h : ?[m], Q : ![m3/s]) =
  |[ n : int | Q = nQset | *[ nabla h < low; n := 1; nabla h > high; n := 0 ] ]|

proc Controlled(area : real) =
  |[ tank : Tank(A = area), n : int, before : real
   | tank.Qi = 0.02n
   | *[ nabla tank.h < 0.6; before := tank.h; n := 1; nabla tank.h > 0.8; n := 0 ]
   ]|

xper Run = |[ Controlled(0.1) ]|
"""
PLANT = """model Plant
  Tank tank(A = 0.1);
  Valve valve(low = 0.6, high = 0.8, Qset = 0.02);
equation
  valve.h = tank.h;
  tank.Qi = valve.Q;
  annotation(experiment(StopTime = 20, Tolerance = 1e-9));
end Plant;
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("mixed")
    for name, text in (("Tank.mo", TANK), ("Processes.chi", PROCESSES), ("Plant.mo", PLANT)):
        (found / name).write_text(text)
    return found


def moves(stop: float) -> list[tuple[float, float]]:
    """When the valve opens and closes: the level falls from 1 to 0.6, rises to 0.8, and so on."""
    k, t, level, valve = 1e-4 * math.sqrt(9810), 0.0, 1.0, 0.0
    found = []
    while True:
        goal, inflow = (0.6, 0.0) if not valve else (0.8, 0.02)
        t += duration(level, goal, inflow, 0.1, k)
        level, valve = goal, 1.0 - valve
        if t > stop:
            return found
        found.append((t, valve))


def test_a_process_with_a_model_as_its_plant(folder: Path) -> None:
    result = saltus.load(folder / "Processes.chi").simulate()
    found, expected = changes(result, "n"), moves(20)
    assert [n for _, n in found] == [n for _, n in expected]
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in expected], atol=1e-6)
    assert result["before"][-1] == pytest.approx(0.6, abs=1e-8)


def test_a_model_with_a_process_as_its_controller(folder: Path) -> None:
    result = saltus.load(folder / "Plant.mo", libraries=[folder]).simulate()
    found, expected = changes(result, "valve.n"), moves(20)
    assert [n for _, n in found] == [n for _, n in expected]
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in expected], atol=1e-6)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (("tank : Tank(A = area)", "tank : Tnk(A = area)"), "`Tnk` cannot be found"),
        (("A = area", "B = area"), "`B` is not an element of `tank`"),
        (("A = area", "area"), "parameters by name"),
        (("tank.Qi =", "tank ="), "is a model, and has no value"),
        (("tank.h < 0.6", "tank.level < 0.6"), "level"),
    ],
)
def test_mistakes_about_a_plant(folder: Path, tmp_path: Path, wrong: tuple[str, str], words: str) -> None:
    (tmp_path / "Tank.mo").write_text(TANK)
    file = tmp_path / "Wrong.chi"
    assert wrong[0] in PROCESSES
    file.write_text(PROCESSES.replace(*wrong))
    with pytest.raises(ModelError, match=words) as raised:
        saltus.load(file)
    span = raised.value.diagnostics[0].span
    assert span is not None and span.source.path == str(file)


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.chi")), ids=lambda path: path.stem)
def test_as_modelica_the_examples_mean_the_same(path: Path) -> None:
    """The flat model is the same, but for names that have the line of a when-clause in them."""

    def shown(what: str | Path) -> str:
        return re.sub(r"\$when\.([^']*?)\.\d+\.\d+\.\d+", r"$when.\1", flat_text(load_flat(what)))

    assert shown(saltus.convert(path, "modelica")) == shown(path)
