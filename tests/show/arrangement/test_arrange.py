"""Models that say nothing of places are drawn all the same: nothing overlaps, wires lead from connector to
connector around everything, and wires of different nets can be told apart. All is measured in the drawing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from drawn_geometry import asides, faults, read
from hypothesis import given, settings
from hypothesis import strategies as st
from random_circuits import circuit
from unplaced_models import MODELS

import saltus
from saltus.finding import find_class
from saltus.lower.annotations.graphics import picture_of
from saltus.show.arrangement.arrange import arranged


@pytest.mark.parametrize("name", MODELS)
def test_models_without_places(name: str) -> None:
    text, model = MODELS[name]
    drawn = read(saltus.diagram(text, model))
    picture = picture_of(find_class(text, model))
    assert set(drawn.parts) == {c.name for c in picture.unplaced}
    assert [(a, b) for a, b, _ in drawn.wires] == [c.ends for c in picture.connections]
    assert faults(drawn) == []


@settings(max_examples=6, deadline=None, derandomize=True)
@given(count=st.integers(4, 40), seed=st.integers(0, 10**6))
def test_random_circuits(count: int, seed: int) -> None:
    text = circuit(count, seed)
    drawn = read(saltus.diagram(text, "Circuit"))
    assert len(drawn.parts) == count
    assert len(drawn.wires) == text.count("connect(")
    assert faults(drawn) == []


def test_the_same_drawing_every_time(tmp_path: Path) -> None:
    text = circuit(12, 5)
    (tmp_path / "circuit.mo").write_text(text)
    command = [sys.executable, "-m", "saltus", "draw", "circuit.mo", "--output", "-"]
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    again = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert again.stdout == saltus.diagram(text, "Circuit")


PLACED = """
model Half "Two parts are placed, the others not"
  import Saltus.Electrical.*;
  Sources.ConstantVoltage battery
    annotation(Placement(transformation(origin = {-50, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Resistor first annotation(Placement(transformation(extent = {{-30, 20}, {-10, 40}})));
  Resistor second, third;
  Ground ground;
equation
  connect(battery.p, first.p) annotation(Line(points = {{-50, 10}, {-50, 30}, {-30, 30}}));
  connect(first.n, second.p);
  connect(second.n, third.p);
  connect(third.n, battery.n);
  connect(battery.n, ground.p);
end Half;
"""


def test_what_is_placed_stays_where_it_is() -> None:
    before = picture_of(find_class(PLACED))
    after = arranged(before)
    assert [c.name for c in after.components] == ["battery", "first", "second", "third", "ground"]
    for old, new in zip(before.components, after.components, strict=False):
        assert old.box == new.box
    assert after.connections[0].line == before.connections[0].line
    assert faults(read(saltus.diagram(PLACED))) == []


def test_a_line_that_is_forgotten_is_drawn() -> None:
    text = PLACED.replace("Resistor second, third;\n  Ground ground;", "").replace(
        "  connect(first.n, second.p);\n  connect(second.n, third.p);\n  connect(third.n, battery.n);\n"
        "  connect(battery.n, ground.p);\n",
        "  connect(first.n, battery.n);\n",
    )
    drawn = read(saltus.diagram(text))
    assert [(a, b) for a, b, _ in drawn.wires] == [("battery.p", "first.p"), ("first.n", "battery.n")]
    assert faults(drawn) == []


def test_sources_are_left_and_ground_is_below() -> None:
    text, model = MODELS["circuit"]
    parts = read(saltus.diagram(text, model)).parts
    others = [shown.body for name, shown in parts.items() if name not in ("source", "ground")]
    assert parts["source"].body[0] <= min(box[0] for box in others)
    assert parts["ground"].body[1] >= max(box[3] for box in others)


def test_signals_run_to_the_right() -> None:
    text, model = MODELS["loop"]
    parts = read(saltus.diagram(text, model)).parts
    way = ["setpoint", "outer_error", "slow", "inner_error", "fast", "load", "motor", "mechanics", "position"]
    lefts = [parts[name].body[0] for name in way]
    assert lefts == sorted(lefts)


@pytest.mark.parametrize("name", ["circuit", "bridge", "gearbox", "filter", "plant"])
def test_wires_do_not_go_aside_by_a_little(name: str) -> None:
    text, model = MODELS[name]
    assert list(asides(read(saltus.diagram(text, model)))) == []


def test_vessels_stand_upright() -> None:
    """A part with more than two ends is not turned by a quarter to make one wire shorter."""
    text, model = MODELS["plant"]
    parts = read(saltus.diagram(text, model)).parts
    for tank in (parts["upper"], parts["lower"]):
        bottom = [tank.connectors["port_a"], tank.connectors["port_b"]]
        assert bottom[0][1] == bottom[1][1] > tank.connectors["inlet"][1]
        assert bottom[0][0] < tank.connectors["inlet"][0] < bottom[1][0]


def test_sensors_are_read_without_turning_the_head() -> None:
    text, model = MODELS["servo"]
    parts = read(saltus.diagram(text, model)).parts
    for name, flange, signal in (("angle", "flange", "phi"), ("speed", "flange", "w")):
        connectors = parts[name].connectors
        assert connectors[flange][1] == pytest.approx(connectors[signal][1], abs=1.0)


def test_parts_without_connections_are_drawn_beside_each_other() -> None:
    text = "model M Saltus.Electrical.Resistor a, b, c, d; end M;"
    drawn = read(saltus.diagram(text))
    assert set(drawn.parts) == {"a", "b", "c", "d"} and faults(drawn) == []
