"""Going on from a run: the second half of a run is that of the whole one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import saltus
from saltus.tools.cli import main

PRECISE = {"tolerance": 1e-10}

MODELS = {
    "ball": """model Ball
      Real h(start = 1, fixed = true), v(start = 0, fixed = true);
      discrete Integer n(start = 0, fixed = true);
    equation
      der(h) = v; der(v) = -9.81;
      when h < 0 and v < 0 then reinit(v, -0.8*pre(v)); n = pre(n) + 1; end when;
    end Ball;""",
    "thermostat": """model Thermostat
      Real T(start = 20, fixed = true);
      Boolean on(start = true, fixed = true);
    equation
      der(T) = (if on then 10 else 0) - 0.5*(T - 5);
      on = if pre(on) then T < 22 else T < 21;
    end Thermostat;""",
    "sampled": """model Sampled
      parameter Real p(fixed = false);
      Real x;
      discrete Real u(start = 0, fixed = true);
    initial equation
      der(x) = 1; p = 2*x;
    equation
      der(x) = -p*x + u + 3;
      when sample(0.1, 0.1) then u = pre(u) - x/10; end when;
    end Sampled;""",
    "clutch": """model Clutch
      Real a(start = 10, fixed = true), b(start = 0, fixed = true), f;
      Boolean closed = time > 0.4;
    equation
      2*der(a) = -f; 3*der(b) = f - b;
      if closed then a = b; else f = 0; end if;
    end Clutch;""",
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("time", [0.33, 0.71, 0.77])
def test_the_rest_is_that_of_the_whole_run(name: str, time: float) -> None:
    model = saltus.load(MODELS[name])
    whole = model.simulate(stop_time=1, **PRECISE)
    rest = model.simulate(start_from=model.simulate(stop_time=time, **PRECISE), stop_time=1, **PRECISE)
    assert rest.time[0] == time
    for variable in whole.names:
        assert rest[variable][-1] == pytest.approx(whole[variable][-1], rel=1e-6, abs=1e-7), variable
    later = [e.time for e in whole.events if time < e.time < 1]
    assert np.allclose([e.time for e in rest.events if time < e.time < 1], later, atol=1e-7)


def test_a_state_between_two_rows_is_on_the_curve() -> None:
    """x = sin(t): cubic polynomials over 0.1 are within 0.1^4/384 of it, straight lines within 0.1^2/8."""
    model = saltus.load(
        "model M Real x(start = 0, fixed = true), y(start = 1, fixed = true);"
        "equation der(x) = y; der(y) = -x; end M;"
    )
    run = model.simulate(stop_time=3, interval=0.1, **PRECISE)
    for time in (0.05, 1.234, 2.999):
        found = run.state_at(time)
        assert found["x"] == pytest.approx(np.sin(time), abs=4e-7) and list(found) == ["x", "y"]


def test_both_sides_of_an_event() -> None:
    run = saltus.load(MODELS["ball"]).simulate(stop_time=1, **PRECISE)
    hit = run.events.of("n")[0].time
    before, after = run.state_at(hit, left=True), run.state_at(hit)
    assert after["v"] == pytest.approx(-0.8 * float(before["v"])) and (before["n"], after["n"]) == (0, 1)


def test_parameters_may_be_others_and_values_too() -> None:
    model = saltus.load(
        "model M parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end M;"
    )
    first = model.simulate(stop_time=1, **PRECISE)
    rest = model.simulate(start_from=first, set={"k": 2}, stop_time=2, **PRECISE)
    assert rest["x"][-1] == pytest.approx(np.exp(-3), rel=1e-7)
    other = model.simulate(start_from=first, set={"x.start": 5}, stop_time=2, **PRECISE)
    assert other["x"][-1] == pytest.approx(5 * np.exp(-1), rel=1e-7)
    moved = model.simulate(start_from=first, start_time=0, stop_time=1, **PRECISE)
    assert moved["x"][-1] == pytest.approx(np.exp(-2), rel=1e-7)


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("M.mo").write_text(MODELS["sampled"])
    model = saltus.load("M.mo")
    whole = model.simulate(stop_time=1, **PRECISE)
    first = model.simulate(stop_time=0.55, **PRECISE)
    for suffix in (".csv", ".mat", ".nc"):
        first.save(f"first{suffix}")
        rest = model.simulate(start_from=f"first{suffix}", set={"p": first["p"][0]}, stop_time=1, **PRECISE)
        assert rest["x"][-1] == pytest.approx(whole["x"][-1], rel=1e-7)
    with pytest.raises(SystemExit) as ended:
        main(
            ["simulate", "M.mo", "--start-from", "first.mat", "--output", "rest.csv", "--tolerance", "1e-10"]
        )
    assert ended.value.code == 0
    assert saltus.read_result("rest.csv")["x"][-1] == pytest.approx(whole["x"][-1], rel=1e-7)
    first.save("less.mat", ["u"])
    with pytest.raises(SystemExit) as ended:
        main(["simulate", "M.mo", "--start-from", "less.mat"])
    assert ended.value.code == 2 and "no values of the state `x`" in capsys.readouterr().err
