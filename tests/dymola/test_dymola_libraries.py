"""Models of Dymola and of Modelica use each other, from files beside each other and along libraries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import ModelError
from saltus.drawing import diagram
from saltus.finding import find_class

PARTS = """
model class (TwoPort) Lamp
  parameter R = 4
  u = R * i
end

model class (Lamp) WarmLamp
  local heat
  der(heat) = u * i
end
"""


def final(model: saltus.Model, name: str, **settings) -> float:
    return float(model.simulate(stop_time=1, **settings)[name][-1])


def test_a_model_of_modelica_has_parts_of_dymola(tmp_path: Path) -> None:
    """Cuts meet pins, by position: 8 V at 4 ohm."""
    (tmp_path / "Parts.dym").write_text(PARTS)
    (tmp_path / "Rig.mo").write_text("""
model Rig
  Saltus.Electrical.Sources.ConstantVoltage source(V = 8);
  Saltus.Electrical.Ground ground;
  Lamp lamp;
equation
  connect(source.p, lamp.A);
  connect(lamp.B, source.n);
  connect(source.n, ground.p);
end Rig;
""")
    model = saltus.load(tmp_path / "Rig.mo", libraries=[tmp_path])
    assert final(model, "lamp.i") == pytest.approx(2)


def test_a_model_of_dymola_has_parts_of_modelica(tmp_path: Path) -> None:
    """Two connectors are a way from the first to the second."""
    file = tmp_path / "Rig.dym"
    file.write_text("""
model Rig
  submodel (VSource) U
  submodel (Saltus.Electrical.Resistor) R(R = 5)
  submodel (Saltus.Electrical.Ground) ground
  connect ground - U - R - ground
  U.u0 = 10
end
""")
    assert final(saltus.load(file), "R.i") == pytest.approx(2)


def test_classes_of_files_beside(tmp_path: Path) -> None:
    """A file is a library of its models for those beside it: also for bases, and for what they inherit."""
    (tmp_path / "Parts.dym").write_text(PARTS)
    file = tmp_path / "Rig.dym"
    file.write_text(
        "model Rig\n submodel (CSource) I\n submodel (WarmLamp) lamp(R = 2)\n submodel Common\n"
        " connect Common - I - Common - lamp - Common\n I.I0 = 0\nend\n"
    )
    assert saltus.load(file).check()["states"] == 1


def test_new_reaches_into_a_base_of_another_file(tmp_path: Path) -> None:
    (tmp_path / "Switches.dym").write_text(
        "model class (TwoPort) Switch\n terminal OpenSwitch\n 0 = if OpenSwitch then i else u\nend\n"
    )
    file = tmp_path / "Half.dym"
    file.write_text("""
model class (Switch) Diode
  new(OpenSwitch) = u <= 0 and not i > 0
end
model Half
  submodel (VSource) U
  submodel (Resistor) R(R = 2)
  submodel (Diode) Diode
  submodel Common
  connect Common - U - R - Diode - Common
  U.u0 = sin(10 * Time)
end
""")
    result = saltus.load(file).simulate(stop_time=2, tolerance=1e-9)
    expected = np.maximum(np.sin(10 * np.asarray(result.time)), 0) / 2
    np.testing.assert_allclose(result["R.i"], expected, atol=1e-7)


def test_two_files_use_each_other(tmp_path: Path) -> None:
    (tmp_path / "A.dym").write_text(
        "model class (Base) Derived\n local y\n y = 2 * x\nend\nmodel class Inner\n local z\n z = 3\nend\n"
    )
    (tmp_path / "B.dym").write_text(
        "model class Base\n local x\n x = Time\nend\n"
        "model Outer\n submodel (Derived) d\n submodel (Inner) i\nend\n"
    )
    assert final(saltus.load(tmp_path / "B.dym"), "d.y") == pytest.approx(2)


def test_members_of_a_package(tmp_path: Path) -> None:
    folder = tmp_path / "Shop"
    folder.mkdir()
    (folder / "package.mo").write_text("package Shop\nend Shop;\n")
    (folder / "Lamps.dym").write_text(PARTS)
    (folder / "Test.mo").write_text(
        "within Shop;\nmodel Test\n  WarmLamp lamp;\n"
        "  Saltus.Electrical.Sources.ConstantVoltage source(V = 4);\n"
        "  Saltus.Electrical.Ground ground;\nequation\n"
        "  connect(source.p, lamp.A);\n  connect(source.n, lamp.B);\n"
        "  connect(ground.p, lamp.B);\nend Test;\n"
    )
    model = saltus.load("Shop.Test", libraries=[tmp_path])
    assert final(model, "lamp.heat") == pytest.approx(4)
    assert find_class("Shop.Lamp", libraries=[tmp_path]).full_name == "Shop.Lamp"


def test_a_model_of_the_same_file_by_its_full_name(tmp_path: Path) -> None:
    """The file that is being read is not read again for that: it would never end."""
    folder = tmp_path / "Shop"
    folder.mkdir()
    (folder / "package.mo").write_text("package Shop\nend Shop;\n")
    (folder / "Lamps.dym").write_text(
        PARTS + "model Street\n submodel (Shop.WarmLamp) one\n submodel (VSource) U\n submodel Common\n"
        " connect Common - U - one - Common\n U.u0 = 4\nend\n"
    )
    model = saltus.load("Shop.Street", libraries=[tmp_path])
    assert final(model, "one.heat") == pytest.approx(4)


def test_own_classes_come_before_those_that_are_known() -> None:
    text = "model class Common\n local mine\n mine = 7\nend\nmodel M\n submodel Common\nend\n"
    assert final(saltus.load(text), "Common.mine") == 7


def test_connectors_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    (tmp_path / "Parts.dym").write_text(PARTS)
    (tmp_path / "Rig.mo").write_text(
        "model Rig\n  connector Heat\n    Real T;\n    Real U;\n"
        "    flow Real Q;\n    flow Real P;\n  end Heat;\n"
        "  Heat h;\n  Lamp lamp;\nequation\n  connect(h, lamp.A);\nend Rig;\n"
    )
    with pytest.raises(ModelError, match="differ in their numbers"):
        saltus.load(tmp_path / "Rig.mo", libraries=[tmp_path])


def test_a_diagram_says_what_has_no_place(tmp_path: Path) -> None:
    """The language has no graphics: the picture is empty, and no error."""
    file = tmp_path / "M.dym"
    file.write_text("model M\n submodel Common\nend\n")
    assert diagram(file).startswith("<svg")
