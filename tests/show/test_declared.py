"""Parameters and variables in tables: `model.parameters`, `saltus describe`."""

from __future__ import annotations

from pathlib import Path

import pytest

import saltus
from saltus.tools.cli import main

TANK = """model Tank "Two tanks"
  type Valve = enumeration(closed, open);
  model Part "A part"
    parameter Real A(unit = "m2", min = 0) = 2 "area of the floor";
    Real level(unit = "m", start = A/4, fixed = true, nominal = 10, max = 5) "of the liquid";
  protected
    parameter Real inner_area = A/2;
  equation
    A*der(level) = -inner_area;
  end Part;
  Part left, right(A = 3, level(displayUnit = "cm"));
  parameter Integer n = 2;
  parameter Boolean wet = true "or dry";
  parameter Valve valve = Valve.open;
  parameter String label = "a tank";
  final parameter Real sum = left.A + right.A;
  constant Real g = 9.81;
  output Real y = left.level;
  Boolean low = left.level < 0.2;
end Tank;"""


@pytest.fixture(scope="module")
def tank() -> saltus.Model:
    return saltus.load(TANK)


def test_parameters_with_values_and_all_that_is_declared(tank: saltus.Model) -> None:
    p = tank.parameters
    wanted = ["left.A", "left.inner_area", "right.A", "right.inner_area", "n", "wet", "valve", "label"]
    assert list(p) == wanted
    assert [p[name].value for name in wanted] == [2, 1, 3, 1.5, 2, True, "open", "a tank"]
    area = p["left.A"]
    assert (area.unit, area.minimum, area.maximum, area.description) == ("m2", 0, None, "area of the floor")
    assert (area.place.line, area.type, area.protected) == (4, "Real", False)
    assert p["left.inner_area"].protected and p["valve"].type == "closed | open"


def test_variables_with_start_values(tank: saltus.Model) -> None:
    v = tank.variables
    assert [v[name].kind for name in ("left.level", "y", "low")] == ["state", "output", "discrete"]
    assert v["left.level"].value == 0.5 and v["right.level"].value == 0.75 and v["low"].value is None
    assert (v["left.level"].nominal, v["left.level"].maximum) == (10, 5)
    assert v["right.level"].display_unit == "cm"
    assert "g" not in v and "sum" not in v


def test_search(tank: saltus.Model) -> None:
    assert list(tank.parameters.of("FLOOR")) == ["left.A", "right.A"]
    assert list(tank.variables.of("*.level")) == ["left.level", "right.level"]
    with pytest.raises(saltus.UsageError, match=r"did you mean `left\.A`"):
        tank.parameters["left.a"]


def test_tables_can_be_read(tank: saltus.Model) -> None:
    lines = repr(tank.parameters.of("area of")).splitlines()
    assert lines[0].split() == ["name", "value", "unit", "min", "description", "place"]
    assert lines[1].split() == ["left.A", "2", "m2", "0", "area", "of", "the", "floor", "<text>:4"]
    assert "<td>left.A</td>" in tank.parameters._repr_html_()
    frame = pytest.importorskip("pandas") and tank.parameters.to_pandas()
    assert frame.loc["right.A", "value"] == 3


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["describe", *arguments])
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("Tank.mo").write_text(TANK)
    status, out, _ = told(capsys, "Tank.mo")
    headings = [line for line in out.splitlines() if line.isupper() or line[:5].isupper()]
    assert status == 0
    assert headings == ["PARAMETERS 9", "OUTPUTS 1", "STATES 2", "DISCRETE 1", "CONSTANTS 1"]
    _, out, _ = told(capsys, "Tank.mo", "right.level")
    assert out.splitlines()[0] == "right.level (state): of the liquid"
    assert "--set right.level.start=" in out and "shown in     cm" in out
    _, out, _ = told(capsys, "Tank.mo", "sum")
    assert "final" in out
    status, _, err = told(capsys, "Tank.mo", "left.lvl")
    assert status == 2 and "did you mean `left.level`" in err
