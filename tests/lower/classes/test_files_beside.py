"""A file knows the nets, machines, processes, graphs and models of 1993 that stand beside it."""

from __future__ import annotations

from math import exp
from pathlib import Path

import pytest

import saltus
from saltus.core.diagnostics import ModelError

BESIDE = {
    "nets.pn": "net Pump\nplace off(tokens = 1)\nplace on\ntransition t(delay = 2): off -> on\nend Pump\n",
    "machines.sm": "machine Lamp\ninitial Dark\nstate Dark\nstate Bright\nDark -> Bright after 3\nend Lamp\n",
    "Count.chi": "proc Count() = |[ n : int | *[ delta 1; n := n + 1 ] ]|\n",
    "Old.dym": "model class Old\n  local x = 2\n  der(x) = -x\nend\n",
    "mass.bg": "graph Mass\n  Se f(e = 4)\n  I m(I = 2, p0 = 0)\n  J1 v\n  bond f -> v -> m\nend Mass\n",
}
PLANT = """
model Plant
  Pump pump;
  Lamp lamp;
  Count count;
  Old old;
  Mass mass;
  Boolean both = pump.on > 0 and lamp.Bright;
end Plant;
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in BESIDE.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_model_names_what_stands_beside_it_in_other_languages(folder: Path) -> None:
    (folder / "Plant.mo").write_text(PLANT)
    result = saltus.load(folder / "Plant.mo").simulate(stop_time=5.5, tolerance=1e-9)
    after = result.events.columns.times[result["both"][result.events.columns.rights] > 0]
    assert after[0] == 3
    assert result["count.n"][-1] == 5
    assert result["mass.m.p"][-1] == pytest.approx(4 * 5.5)
    assert result["old.x"][-1] == pytest.approx(2 * exp(-5.5), rel=1e-4)


def test_a_net_names_a_machine_and_a_model_beside_it(folder: Path) -> None:
    tank = "model Tank Real h(start = 0, fixed = true); equation der(h) = 1; end Tank;"
    (folder / "Tank.mo").write_text(tank)
    rule = "transition t: -> a at tank.h > 1 and lamp.Bright"
    (folder / "N.pn").write_text(f"net N\npart Lamp lamp\npart Tank tank\nplace a\n{rule}\nend N\n")
    result = saltus.load(folder / "N.pn").simulate(stop_time=5)
    assert [event.time for event in result.events.of("t.fires")] == [3]


def test_what_is_wrong_there_is_told_with_its_place(folder: Path) -> None:
    (folder / "machines.sm").write_text(BESIDE["machines.sm"].replace("-> Bright", "-> Brigt"))
    (folder / "Plant.mo").write_text(PLANT)
    with pytest.raises(ModelError) as caught:
        saltus.load(folder / "Plant.mo")
    (first,) = caught.value.diagnostics
    assert first.span is not None
    assert Path(first.span.source.path).name == "machines.sm"
    assert "there is no state `Brigt`" in first.message


def test_models_beside_a_model_are_not_known_without_a_library(folder: Path) -> None:
    (folder / "Tank.mo").write_text("model Tank Real h = 1; end Tank;")
    (folder / "Plant.mo").write_text("model Plant Tank tank; end Plant;")
    with pytest.raises(ModelError, match="the class `Tank` cannot be found"):
        saltus.load(folder / "Plant.mo")
    assert saltus.load(folder / "Plant.mo", libraries=folder).simulate()["tank.h"][-1] == 1
