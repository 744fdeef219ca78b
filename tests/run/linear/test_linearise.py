"""Linear systems against closed forms, mode by mode."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.result.linear.system import LinearSystem
from saltus.tools.cli import main

L, C, R, V = 1e-3, 4.7e-5, 6.0, 24.0

#: A buck converter whose transistor is off from 1 ms on: then the diode conducts until the coil is empty.
BUCK = f"""model Buck
  parameter Real V = {V}, R = {R};
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), u;
  Boolean on = time < 1e-3, empty(start = false, fixed = true);
equation
  {L}*der(i) = u - v;
  {C}*der(v) = i - v/R;
  u = if on then V elseif empty then v else 0;
  empty = not on and (pre(empty) or i <= 0);
end Buck;"""

#: Two inertias with a clutch that is closed between 1 s and 2 s, and slips until the speeds are equal.
CLUTCH = """model Clutch
  import Saltus.Rotational;
  Rotational.Inertia a(J = 2, w(start = 10, fixed = true), phi(start = 0, fixed = true));
  Rotational.Inertia b(J = 3, w(start = 0, fixed = true), phi(start = 0, fixed = true));
  Rotational.Damper brake(d = 0.7);
  Rotational.Fixed wall;
  Rotational.IdealClutch clutch(closed = time > 1);
equation
  connect(a.flange_b, clutch.flange_a);
  connect(clutch.flange_b, b.flange_a);
  connect(b.flange_b, brake.flange_a);
  connect(brake.flange_b, wall.flange);
end Clutch;"""


@pytest.fixture(scope="module")
def buck() -> saltus.Model:
    return saltus.load(BUCK)


def close(found: np.ndarray, wanted: list[list[float]]) -> bool:
    return np.allclose(found, wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max())


def test_a_converter_with_its_transistor_on(buck: saltus.Model) -> None:
    """A series resonant circuit with a load, as every textbook has it."""
    found = buck.linearise(0.9e-3, inputs=["V"], outputs=["v", "i"])
    assert found.states == ("i", "v")
    assert close(found.A, [[0, -1 / L], [1 / C, -1 / (R * C)]])
    assert close(found.B, [[1 / L], [0]]) and close(found.C, [[0, 1], [1, 0]]) and not found.D.any()
    (pair,) = found.eigenvalues
    assert pair.value.real == pytest.approx(-1 / (2 * R * C), rel=1e-9)
    assert abs(pair.value) == pytest.approx(1 / np.sqrt(L * C), rel=1e-9)
    assert pair.damping == pytest.approx(np.sqrt(L / C) / (2 * R), rel=1e-9)
    assert close(found.gain(), [[1], [1 / R]]) and found.is_stable
    # from the source to the output: V/(1 + s L/R + s^2 L C)
    s = 2j * np.pi * 800
    assert found.response([800])[0, 0, 0] == pytest.approx(1 / (1 + s * L / R + s**2 * L * C), rel=1e-9)


def test_a_converter_that_freewheels(buck: saltus.Model) -> None:
    """The diode conducts, and the source is cut off; then the coil is empty, and the capacitor alone."""
    found = buck.linearise(1.05e-3, inputs=["V"], outputs=["v"])
    assert close(found.A, [[0, -1 / L], [1 / C, -1 / (R * C)]]) and not found.B.any()
    assert found.mode == "not on, not empty"
    empty = buck.linearise(2e-3)
    assert close(empty.A, [[0, 0], [1 / C, -1 / (R * C)]]) and empty.mode == "not on, empty"
    assert [e.value for e in empty.eigenvalues] == [0, pytest.approx(-1 / (R * C))]


@pytest.mark.parametrize("load", [3.0, 20.0])
def test_the_load_as_an_input(buck: saltus.Model, load: float) -> None:
    """The derivative of -v/(R C) by R is v/(R^2 C)."""
    found = buck.linearise(0.5e-3, inputs=["R"], outputs=["v"], set={"R": load}, tolerance=1e-9)
    assert close(found.B, [[0], [found.at["v"] / (load**2 * C)]])
    assert found.at["R"] == load


def test_a_clutch_slips_and_holds() -> None:
    """Open: two speeds. Engaged: one speed, with the sum of the inertias."""
    model = saltus.load(CLUTCH)
    open_, engaged = model.linearise(0.5), model.linearise(1.5)
    speeds = sorted(e.value.real for e in open_.eigenvalues)
    assert speeds == pytest.approx([-0.7 / 3, 0, 0, 0], abs=1e-9)
    assert min(e.value.real for e in engaged.eigenvalues) == pytest.approx(-0.7 / 5, rel=1e-9)
    assert len(engaged.states) < len(open_.states)


@settings(max_examples=25, deadline=None)
@given(st.floats(-3, 3), st.floats(-2, 2), st.floats(0.1, 20))
def test_a_pendulum_at_any_position(phi: float, w: float, g: float) -> None:
    found = pendulum().linearise(
        state={"phi": phi, "w": w}, set={"g": g}, inputs=["g"], outputs=["height", "energy"]
    )
    assert np.allclose(found.A, [[0, 1], [-g * np.cos(phi), -0.1]], rtol=1e-8, atol=1e-8)
    assert np.allclose(found.B, [[0], [-np.sin(phi)]], rtol=1e-8, atol=1e-8)
    assert np.allclose(found.C, [[np.sin(phi), 0], [g * np.sin(phi), w]], rtol=1e-8, atol=1e-8)
    assert np.allclose(found.D, [[0], [1 - np.cos(phi)]], rtol=1e-8, atol=1e-8)


@settings(max_examples=25, deadline=None)
@given(st.floats(1e-5, 10))
def test_near_the_end_of_a_domain(level: float) -> None:
    """Torricelli's tank at a low level: there is none below zero, and the root bends more the lower it is."""
    model = saltus.load(
        "model Tank Real h(start = 1, fixed = true); equation der(h) = 0.02 - 0.04*sqrt(h); end Tank;"
    )
    found = model.linearise(state={"h": level})
    assert found.A[0, 0] == pytest.approx(-0.02 / np.sqrt(level), rel=1e-7)


_PENDULUM: list[saltus.Model] = []


def pendulum() -> saltus.Model:
    if not _PENDULUM:
        _PENDULUM.append(
            saltus.load(
                """model Pendulum
                  parameter Real g = 9.81;
                  Real phi(start = 0, fixed = true), w(start = 0, fixed = true);
                  output Real height = 1 - cos(phi), energy = g*height + w^2/2;
                equation
                  der(phi) = w;
                  der(w) = -g*sin(phi) - 0.1*w;
                end Pendulum;"""
            )
        )
    return _PENDULUM[0]


def test_outputs_are_those_that_are_declared() -> None:
    found = pendulum().linearise(0.5)
    assert found.outputs == ("height", "energy") and found.C.shape == (2, 2) and found.B.shape == (2, 0)


def test_a_sampled_controller_holds_its_value() -> None:
    """Between the samples the input is constant: the plant is alone."""
    model = saltus.load(
        """model M Real x(start = 1, fixed = true); discrete Real u(start = 0, fixed = true);
        equation der(x) = -2*x + u; when sample(0.1, 0.1) then u = -5*pre(x); end when; end M;"""
    )
    assert close(model.linearise(0.55).A, [[-2.0]])


def test_shares_of_weakly_coupled_states() -> None:
    """A fast and a slow state: each belongs to one eigenvalue."""
    found = LinearSystem(
        "m", 0, "", ("slow", "fast"), (), (),
        np.array([[-1.0, 0.01], [0.01, -100.0]]), np.zeros((2, 0)), np.zeros((0, 2)), np.zeros((0, 0)),
    )  # fmt: skip
    first, second = found.eigenvalues
    assert next(iter(first.shares)) == "slow" and next(iter(second.shares)) == "fast"
    assert first.time_constant == pytest.approx(1, rel=1e-3) and sum(first.shares.values()) == pytest.approx(
        1
    )
    assert "slow 100%" in str(first)


def test_it_goes_to_scipy(buck: saltus.Model) -> None:
    signal = pytest.importorskip("scipy.signal")
    system = buck.linearise(0.9e-3, inputs=["V"], outputs=["v"]).to_scipy()
    _, response = signal.step(system, T=np.linspace(0, 5e-3, 50))
    assert response[-1] == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"inputs": ["W"]}, "there is no variable `W`"),
        ({"outputs": ["vv"]}, "there is no variable `vv`"),
        ({"outputs": ["on"]}, "`on` is not a Real"),
        ({"inputs": ["v"]}, "`v` is a variable, not a parameter"),
        ({"state": {"q": 1}}, "there is no parameter `q.start`"),
        ({"time": 0.1, "state": {"v": 1}}, "not at both"),
    ],
)
def test_what_cannot_be_asked_for(buck: saltus.Model, asked: dict[str, object], words: str) -> None:
    with pytest.raises(saltus.UsageError) as caught:
        buck.linearise(**{"time": None, **asked})  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("Buck.mo").write_text(BUCK)
    arguments = ["linearise", "Buck.mo", "--stop-time", "0.9e-3", "--inputs", "V", "--outputs", "v,i"]
    for name in ("a.json", "a.npz"):
        with pytest.raises(SystemExit) as ended:
            main([*arguments, "--output", name])
        assert ended.value.code == 0
    out = capsys.readouterr().out
    assert "EIGENVALUES 1" in out and "damping 0.384" in out and "B: states by inputs" in out
    found = json.loads(Path("a.json").read_text())
    assert found["states"] == ["i", "v"] and found["B"][0][0] == pytest.approx(1 / L)
    with np.load("a.npz") as arrays:
        assert close(arrays["A"], found["A"])
