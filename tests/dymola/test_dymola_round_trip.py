"""Dymola to Modelica and back: equal text after the first round, and equal runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dymola_examples import ALL, EXAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import saltus
from saltus.core.diagnostics import ModelError, UsageError
from saltus.tools.cli import app


def there_and_back(file: Path, folder: Path) -> tuple[Path, Path, Path]:
    """The same as Modelica, as Dymola again, and as Modelica of that."""
    files = tuple(folder / f"{file.stem}{k}.{suffix}" for k, suffix in enumerate(("mo", "dym", "mo")))
    for source, target in zip((file, *files), files, strict=False):
        to = "dymola" if target.suffix == ".dym" else "modelica"
        target.write_text(saltus.convert(source, to, EXAMPLES))
    return files  # type: ignore[return-value]


@pytest.mark.parametrize("file", ALL, ids=lambda p: p.stem)
def test_examples_come_back(file: Path, tmp_path: Path) -> None:
    modelica, back, again = there_and_back(file, tmp_path)
    assert saltus.convert(again, "dymola") == back.read_text()
    # Beside the examples there is a file with the two-ports of the paper, which the others use.
    runs = [saltus.load(f, libraries=EXAMPLES).simulate() for f in (file, modelica, back)]
    for other in runs[1:]:
        assert set(runs[0].variables) <= set(other.variables)
        np.testing.assert_array_equal(runs[0].time, other.time)
        for name in runs[0].variables:
            np.testing.assert_allclose(runs[0][name], other[name], rtol=1e-12, atol=1e-12, err_msg=name)


def test_what_a_person_would_keep(tmp_path: Path) -> None:
    """Names, comments, parameters with units, connections."""
    file = tmp_path / "Lamp.dym"
    file.write_text("""
model class (TwoPort) Lamp {Glows}
  parameter R = 4 {[Ohm] when warm}
  { Ohm's law }
  u = R * i
end
model Rig
  {experiment stop = 2}
  submodel (VSource) U {the battery}
  submodel (Lamp) lamp(R = 5), other
  submodel Common
  { all in one loop }
  connect Common - U - lamp - other - Common
  U.u0 = if Time < 1 then 1 else if Time < 1.5 then 2 else 3 {steps}
end
""")
    assert saltus.convert(file, "modelica") == """model Lamp "Glows"
  extends Dymola1993.TwoPort;
  parameter Real R(unit = "Ohm") = 4 "when warm";
equation
  // Ohm's law
  u = R*i;
end Lamp;

model Rig
  Dymola1993.VSource U "the battery";
  Lamp lamp(R = 5), other;
  Dymola1993.Common Common;
equation
  // all in one loop
  connect(Common.A, U.A);
  connect(U.B, lamp.A);
  connect(lamp.B, other.A);
  connect(other.B, Common.A);
  U.u0 = if time < 1 then 1 elseif time < 1.5 then 2 else 3 "steps";
  annotation(experiment(StopTime = 2.0));
end Rig;
"""


def test_modelica_that_fits(tmp_path: Path) -> None:
    file = tmp_path / "Ball.mo"
    file.write_text("""
connector Port
  Real v;
  flow Real i;
end Port;
model Load
  Port p, n;
  parameter Real G = 2 "conductance";
equation
  p.i = G*(p.v - n.v);
  p.i + n.i = 0;
end Load;
model Ground
  Port g;
equation
  g.v = 0;
end Ground;
model Ball
  Load load(G = 3);
  Ground ground;
  Integer n(start = 0, fixed = true);
  Real h(start = 1, fixed = true), v(start = 0, fixed = true) = der(h);
equation
  connect(load.p, ground.g);
  connect(load.n, ground.g);
  der(v) = -9.81;
  when h <= 0 then
    n = pre(n) + 1;
    reinit(v, -0.5*pre(v));
  end when;
  annotation(experiment(StopTime = 1));
end Ball;
""")
    text = saltus.convert(file, "dymola")
    assert "new(n) = n + 1" in text and "new(v) = -0.5*v" in text and "cut p (p_v / p_i)" in text
    back = tmp_path / "Ball.dym"
    back.write_text(text)
    one, other = (saltus.load(f).simulate(tolerance=1e-9) for f in (file, back))
    for name in ("h", "v", "n"):
        np.testing.assert_allclose(one[name], other[name], atol=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "model M Real x[2]; equation x = {1, 2}; end M;",
        "model M Real x; algorithm x := 1; end M;",
        "model M Real x(max = 2); equation x = 1; end M;",
        "model M Real x; equation if time > 1 then x = 1; else x = 2; end if; end M;",
        "package P model M Real x = 1; end M; end P;",
        "model M parameter Boolean b = true; Real x if b; end M;",
        "model M Real at = 1; end M;",
        "model A Real x(start = 1, fixed = true); equation der(x) = -1; end A; model M A a; "
        "equation when a.x < 0.5 then reinit(a.x, 1); end when; end M;",
        "model M Real x; parameter Real p(fixed = false); initial equation x = 3; equation p = x; end M;",
        "expandable connector Bus Real x; end Bus; model M Bus bus; Real y = bus.x; end M;",
    ],
)
def test_modelica_that_does_not_fit_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "M.mo"
    file.write_text(text)
    with pytest.raises(ModelError, match="no counterpart"):
        saltus.convert(file, "dymola")


def test_parts_with_comments_one_of_which_is_named_like_its_class(tmp_path: Path) -> None:
    file = tmp_path / "M.dym"
    file.write_text("model class A\n local x = 1\nend\nmodel M\n submodel (A) A, b {two}\nend\n")
    once = saltus.convert(file, "dymola")
    assert "  submodel A\n  submodel (A) b {two}\n" in once
    file.write_text(once)
    assert saltus.convert(file, "dymola") == once


def both(text: str, tmp_path: Path, **settings) -> tuple[saltus.Result, saltus.Result]:
    """A model of Modelica and the same in Dymola, run."""
    (tmp_path / "M.mo").write_text(text)
    (tmp_path / "back").mkdir()
    back = tmp_path / "back" / "M.dym"
    back.write_text(saltus.convert(tmp_path / "M.mo", "dymola"))
    one, other = (saltus.load(f).simulate(tolerance=1e-9, **settings) for f in (tmp_path / "M.mo", back))
    np.testing.assert_array_equal(one.time, other.time)
    common = set(one.variables) & set(other.variables)  # those of connectors have other names
    assert common
    for name in common:
        np.testing.assert_allclose(one[name], other[name], atol=1e-12, err_msg=name)
    return one, other


def test_variables_of_connectors_that_only_declarations_use(tmp_path: Path) -> None:
    """It ended in a traceback."""
    text = """
connector Flange
  Real s;
  flow Real f;
end Flange;
model Brake
  Flange b;
  Real v = der(b.s);
equation
  b.f = 3*v;
end Brake;
model Drive
  Flange b;
equation
  b.s = 2*time;
end Drive;
model M
  Brake k;
  Drive d;
equation
  connect(k.b, d.b);
end M;
"""
    assert both(text, tmp_path)[1]["k.v"][-1] == pytest.approx(2)


def test_a_fixed_zero_stays_fixed(tmp_path: Path) -> None:
    """The rope is slack only if the speeds are those that are given: they are zero, and that was lost."""
    text = """
model Tow
  Real x1(start = 0, fixed = true), v1(start = 0, fixed = true);
  Real x2(start = 2, fixed = true), v2(start = 0, fixed = true), F, s;
  Boolean slack = s > 0;
equation
  der(x1) = v1;
  der(x2) = v2;
  1500*der(v1) = F - 200;
  1000*der(v2) = 3000 - F;
  5 - (x2 - x1) = if slack then s else 0;
  F = if slack then 0 else -s;
end Tow;
"""
    both(text, tmp_path, stop_time=3)
    assert "v1 = 0" in (tmp_path / "back" / "M.dym").read_text()


def test_what_a_part_is_given_is_its_start_only_if_it_is_said_so(tmp_path: Path) -> None:
    """A value of a variable of a component is an equation in Modelica, and a parameter is a parameter; also
    of what a base declares, and of a part of the library."""
    text = """
model Base
  input Real u;
  parameter Real k = 1;
end Base;
model Gain
  extends Base;
  Real y = k*u, x(start = 3, fixed = true);
equation
  der(x) = -x;
end Gain;
model M
  Gain g(k = 2, u = 3 + time, x(start = 4));
  Saltus.Blocks.Math.Gain h(k = 5, u = 2*time);
end M;
"""
    _, other = both(text, tmp_path)
    assert (other["g.y"][-1], other["g.x"][0], other["h.y"][-1]) == (pytest.approx(8), 4, pytest.approx(10))


def test_command(tmp_path: Path) -> None:
    target = tmp_path / "R.mo"
    done = CliRunner().invoke(app, ["convert", str(ALL[0]), "--to", "modelica", "--output", str(target)])
    assert done.exit_code == 0 and target.read_text() == saltus.convert(ALL[0], "modelica")
    with pytest.raises(UsageError, match="no language"):
        saltus.convert(ALL[0], "omola")


# ---------------------------------------------------------------- random circuits


@st.composite
def circuits(draw: st.DrawFn) -> str:
    """A source, and resistors and capacitors in ways within ways."""
    parts: list[str] = []

    def way(depth: int) -> str:
        kind = draw(st.sampled_from(["part", "-", "//"] if depth else ["part"]))
        if kind == "part":
            parts.append(draw(st.sampled_from(["R", "C"])))
            return f"{parts[-1]}{len(parts)}"
        inside = [way(depth - 1) for _ in range(draw(st.integers(2, 3)))]
        return "(" + f" {kind} ".join(inside) + ")"

    load = way(2)
    submodels = [
        f"  submodel ({'Resistor' if k == 'R' else 'Capacitor'}) {k}{n}({k} = {draw(st.integers(1, 5))})"
        for n, k in enumerate(parts, 1)
    ]
    return "\n".join([
        "model M", "  submodel (VSource) U", "  submodel (Resistor) Ri(R = 1)", "  submodel Common",
        *submodels,
        f"  connect Common - U - Ri - {load} - Common", "  U.u0 = 10 * sin(3 * Time)", "end", "",
    ])  # fmt: skip


@settings(max_examples=8, deadline=None)
@given(circuits())
def test_random_circuits_come_back(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """Equal text after the first round, equal runs; and the power of the source is that of its load."""
    folder = tmp_path_factory.mktemp("circuit")
    file = folder / "M.dym"
    file.write_text(text)
    _, back, again = there_and_back(file, folder)
    assert saltus.convert(again, "dymola") == back.read_text()
    one, other = (saltus.load(f).simulate(stop_time=1, tolerance=1e-8) for f in (file, back))
    names = [n.removesuffix(".u") for n in one.variables if n.endswith(".u")]
    np.testing.assert_allclose(sum(one[f"{n}.u"] * one[f"{n}.i"] for n in names), 0, atol=1e-9)
    for name in names:
        np.testing.assert_allclose(one[f"{name}.i"], other[f"{name}.i"], atol=1e-9)
