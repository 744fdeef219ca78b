"""Exported C is compiled by gcc and compared with closed forms, and with the run in this process."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tools.exported_c import CASES, SANITISERS, Case, build, compared, table

import saltus
from saltus.core.diagnostics import ModelError, UsageError

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc to compile with")



def _said(case: Case) -> str:
    """What tests are called by."""
    name = Path(case.name).stem if case.name.endswith(".mo") else case.name.rpartition(".")[2]
    return " ".join([name, *map(str, case.options.values()), *["per mode"] * case.per_mode])


DECAY = """
model Decay "Something that decays, and is taken away once"
  parameter Real T(unit = "s") = 2 "time constant";
  parameter Real x0 = 5;
  Real x(start = x0, fixed = true) "what is left", missing = -x;
  Boolean late = time >= 0.5;
equation
  T*der(x) = -x;
  when late then
    reinit(x, pre(x)/2);
  end when;
end Decay;
"""

CLUTCH = """
model Clutch "Two inertias; the clutch closes at 0.5 s"
  parameter Real J1 = 2, J2 = 3;
  Real w1(start = 6, fixed = true), w2(start = 0, fixed = true), torque;
  Boolean locked = time > 0.5;
equation
  J1*der(w1) = -torque;
  J2*der(w2) = torque;
  0 = if locked then w1 - w2 else torque;
end Clutch;
"""


def run(program: Path, *arguments: str) -> dict[str, np.ndarray]:
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True, check=True)
    names, rows = table(done.stdout)
    return {name: rows[:, k] for k, name in enumerate(names)}


@needs_gcc
@pytest.mark.parametrize("case", CASES, ids=[_said(case) for case in CASES])
def test_steps_are_those_of_the_run_in_this_process(case: Case, tmp_path: Path) -> None:
    found = compared(saltus.load(case.name), case, tmp_path, "-O0", *SANITISERS)
    assert found.agrees, found


@needs_gcc
def test_an_implicit_step_is_what_the_formula_says(tmp_path: Path) -> None:
    files = saltus.load(DECAY).export_c(tmp_path, method="inline:implicit-euler", step=0.1, stop_time=1)
    curves = run(build(files), "1")
    before, after = np.flatnonzero(np.isclose(curves["time"], 0.5))
    assert np.allclose(curves["x"][:after], 5 / 1.05 ** np.arange(after), rtol=1e-14)
    assert curves["x"][after] == curves["x"][before] / 2
    assert np.isclose(curves["x"][-1], 2.5 / 1.05**10, rtol=1e-14)
    assert np.array_equal(curves["missing"], -curves["x"])


HARNESS = r"""
#include <stdio.h>
#include "Decay.h"

static Decay model, twin;

int main(void)
{
    Decay_init(&model);
    model.stop = 0.4;
    while (Decay_step(&model) == Decay_OK) printf("%.17g %.17g\n", model.now, Decay_get(&model, Decay_x));
    Decay_init(&model);
    printf("%d %d\n", Decay_find("x") == Decay_x, Decay_find("nothing"));
    printf("%d %d ", Decay_set(&model, Decay_x, 1.0), Decay_set(&model, -1, 1.0));
    printf("%d\n", Decay_set_step(&model, 0.0));
    Decay_set(&model, Decay_x0, 8.0);
    printf("%g %g\n", Decay_get(&model, Decay_x0), Decay_get(&model, Decay_x));
    printf("%d\n", Decay_restart(&model));
    twin = model;
    Decay_set(&model, Decay_T, 1.0);
    Decay_step(&model);
    Decay_set_step(&twin, 0.05);
    Decay_step(&twin);
    printf("%.17g %.17g %.17g\n", Decay_get(&model, Decay_x), Decay_get(&twin, Decay_x), twin.now);
    printf("%s; %g\n", Decay_entries[Decay_x].description, Decay_get(&model, Decay_missing));
    printf("%lld %lld %s\n", model.steps, model.events, Decay_text(&model));
    return 0;
}
"""


@needs_gcc
def test_a_program_of_ones_own(tmp_path: Path) -> None:
    files = saltus.load(DECAY).export_c(tmp_path, method="inline:implicit-euler", step=0.1, stop_time=1)
    own = tmp_path / "own.c"
    own.write_text(HARNESS)
    program = build([own, *(f for f in files if f.name == "Decay.c")], "-O1", *SANITISERS)
    lines = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.splitlines()
    times, values = np.array([line.split() for line in lines[:4]], dtype=float).T
    assert np.allclose(times, [0.1, 0.2, 0.3, 0.4])
    assert np.allclose(values, 5 / 1.05 ** np.arange(1, 5), rtol=1e-14)
    assert lines[4] == "1 -1"
    refused = lines[5].split()
    assert len(set(refused)) == 1 and int(refused[0]) > 0
    assert lines[6:8] == ["8 5", "0"]
    own_time, half_step, now = map(float, lines[8].split())
    assert np.isclose(own_time, 8 / (1 + 0.1), rtol=1e-14)
    assert np.isclose(half_step, 8 / (1 + 0.05 / 2), rtol=1e-14) and now == 0.05
    assert lines[9] == f"what is left; {-own_time:g}"
    assert lines[10] == "1 0 all is well"


CART = """
model Cart "A mass that is pushed"
  input Real force(start = 1);
  output Real v(start = 0, fixed = true);
equation
  2*der(v) = force - 0.5*v;
end Cart;
"""

PUSHED = r"""
#include <stdio.h>
#include "Cart.h"

static Cart cart;

int main(void)
{
    Cart_init(&cart);
    for (int k = 0; k < 10; k++) {
        if (k == 3) Cart_set(&cart, Cart_force, 5.0);
        Cart_step(&cart);
        printf("%.17g %g %lld\n", Cart_get(&cart, Cart_v), Cart_get(&cart, Cart_force), cart.events);
    }
    return 0;
}
"""


@needs_gcc
def test_inputs_are_told_between_steps(tmp_path: Path) -> None:
    files = saltus.load(CART).export_c(tmp_path, method="inline:euler", step=0.1, stop_time=1)
    own = tmp_path / "own.c"
    own.write_text(PUSHED)
    program = build([own, *(f for f in files if f.name == "Cart.c")], "-O1", *SANITISERS)
    told = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    speeds, forces, events = np.array([line.split() for line in told.splitlines()], dtype=float).T
    expected, v = [], 0.0
    for force in forces:
        v += 0.1 * (force - 0.5 * v) / 2
        expected.append(v)
    assert np.allclose(speeds, expected, rtol=1e-14)
    assert forces.tolist() == [1.0] * 3 + [5.0] * 7 and events.tolist() == [0.0] * 3 + [1.0] * 7


@needs_gcc
def test_momentum_is_kept_where_a_clutch_locks(tmp_path: Path) -> None:
    curves = run(build(saltus.load(CLUTCH).export_c(tmp_path, step=1e-2, stop_time=1)), "1")
    momentum = 2 * curves["w1"] + 3 * curves["w2"]
    assert np.allclose(momentum, 12, rtol=1e-12)
    assert np.isclose(curves["w1"][-1], 2.4) and np.isclose(curves["w2"][-1], 2.4)


@needs_gcc
def test_parameters_count_for_the_start(tmp_path: Path) -> None:
    """A converter, whose start has to be searched for: with another capacitance all is as in this process."""
    model, step = saltus.load("Saltus.Examples.Electrical.BuckConverter"), 1e-6
    program = build(model.export_c(tmp_path, step=step, stop_time=3e-4))
    curves = run(program, "3e-4", repr(step), "C.C=2e-5")
    here = model.simulate(method="mixed", step=step, interval=step, stop_time=3e-4, set={"C.C": 2e-5})
    voltage = np.interp(curves["time"][-1:], here.time, here["C.v"])
    assert np.isclose(curves["C.v"][-1], voltage[0], rtol=1e-12)


@needs_gcc
def test_a_mode_that_the_code_lacks_ends_the_run(tmp_path: Path) -> None:
    """Exported for a time in which the diode does not change, and run for longer; and for all of the time."""
    model = saltus.load("Saltus.Examples.Electrical.HalfWaveRectifier")
    stop = model.experiment.stop_time
    files = model.export_c(tmp_path / "short", step=stop / 1000, stop_time=stop / 50)
    done = subprocess.run([str(build(files)), repr(stop)], capture_output=True, text=True)
    assert done.returncode == 3 and "a mode with equations of its own" in done.stderr
    files = model.export_c(tmp_path / "long", step=stop / 1000)
    assert len([file for file in files if "_mode_" in file.name]) == 1
    curves = run(build(files, "-O0", *SANITISERS), repr(stop))
    truth = model.simulate()
    current = np.interp(curves["time"], truth.time, truth["D.i"])
    assert curves["time"][-1] == stop and np.abs(curves["D.i"] - current).max() < 0.02 * current.max()


RECTIFIER = """
model Rectifier "Source, inductor, ideal diode, and a capacitor with a load"
  parameter Real L = 0.02, R = 1, RL = 50, C = 1e-3;
  Real i(start = 0, fixed = true) "through the diode", u(start = 0, fixed = true) "of the load";
  Real ud, s "place on its curve";
  Boolean blocks = s < 0;
equation
  10*sin(2*3.141592653589793*50*time) = L*der(i) + R*i + ud + u;
  C*der(u) = i - u/RL;
  ud = if blocks then s else 0;
  i = if blocks then 0 else s;
  annotation(experiment(StopTime = 0.08, Tolerance = 1e-8));
end Rectifier;
"""


@needs_gcc
@pytest.mark.parametrize("method", ["mixed", "inline:euler"])
@pytest.mark.parametrize("listed", [[True], [False], [False, True]])
def test_modes_have_code_and_the_general_program_serves_for_others(
    method: str, listed: list[bool], tmp_path: Path
) -> None:
    """What is in the list has a program of its own; the diode blocks and conducts in any case, and does
    neither of them against its current or its voltage."""
    modes = tmp_path / "modes.json"
    modes.write_text(json.dumps({"modes": [{"blocks": blocks} for blocks in listed]}))
    model, step = saltus.load(RECTIFIER), 2e-5
    files = model.export_c(tmp_path / "c", method=method, step=step, modes=modes)
    assert len([file for file in files if "_mode_" in file.name]) >= len(listed)
    curves = run(build(files, "-O0", *SANITISERS), "0.08")
    truth = model.simulate(tolerance=1e-10)
    assert np.abs(curves["u"] - np.interp(curves["time"], truth.time, truth["u"])).max() < 0.05
    assert np.all(curves["i"] * (curves["blocks"] != 0) == 0) and np.diff(curves["blocks"]).any()
    here = model.simulate(method=method, step=step, interval=step, modes=modes)
    assert np.isclose(curves["u"][-1], here["u"][-1], rtol=1e-12)


#: Two half-bridges in a row, each of two transistors with diodes, that feed a coil.
HALF_BRIDGES = """
model HalfBridges
  model Valve "A transistor and a diode against it"
    Real u, i, s;
    Boolean on, off = not on and s > 0;
  equation
    u = if off then s else 0;
    i = if off then 0 else s;
  end Valve;
  Valve high[2], low[2];
  Real v[2], j(start = 0, fixed = true);
equation
  for k in 1:2 loop
    high[k].on = sin(2000*time + k) > 0;
    low[k].on = not high[k].on;
    high[k].u = 50 - v[k];
    low[k].u = v[k];
    high[k].i - low[k].i = if k == 1 then j else -j;
  end for;
  1e-2*der(j) = v[1] - v[2] - 5*j;
end HalfBridges;
"""


@needs_gcc
def test_what_searches_have_found_goes_along(tmp_path: Path) -> None:
    """Where one transistor takes over from the other, the diode that conducts beside it contradicts it, and
    another mode has to be searched for: a run does that, and the code knows where it has led."""
    model = saltus.load(HALF_BRIDGES)
    case = Case("", 500, 0.01, {"method": "inline:euler"})
    found = compared(model, case, tmp_path, "-O0", *SANITISERS)
    assert found.agrees and found.events[0] > 10, found
    program = tmp_path / "program"
    curves = run(program, "0.01")
    for k in (1, 2):  # a transistor that is on has no voltage, and the other one blocks
        high = np.sin(2000 * curves["time"] + k) > 0
        clear = np.abs(np.sin(2000 * curves["time"] + k)) > 0.1
        assert np.allclose(curves[f"v[{k}]"][clear], np.where(high, 50, 0)[clear], atol=1e-9)


@needs_gcc
def test_a_parameter_counts_in_all_programs(tmp_path: Path) -> None:
    """The load is lighter from the beginning on, at which nothing flows."""
    model, modes = saltus.load(RECTIFIER), tmp_path / "modes.json"
    modes.write_text('{"modes": [{"blocks": false}, {"blocks": true}]}')
    options = {"method": "mixed", "step": 8e-5, "modes": modes}
    program = build(model.export_c(tmp_path / "c", **options))
    command = [str(program), "0.08", "8e-5", "RL=200"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "from the start on" in done.stderr  # which is not done anew
    names, rows = table(done.stdout)
    here = model.simulate(**options, interval=8e-5, set={"RL": 200})
    assert np.isclose(rows[-1, names.index("u")], here["u"][-1], rtol=1e-12)
    assert not np.isclose(here["u"][-1], model.simulate(**options)["u"][-1], rtol=1e-2)


@needs_gcc
def test_momentum_is_kept_by_an_impulse(tmp_path: Path) -> None:
    """Explicit steps: the clutch closes in an instant, into a program in which both speeds are one."""
    files = saltus.load(CLUTCH).export_c(tmp_path, method="inline:euler", step=1e-2, stop_time=1)
    curves = run(build(files, "-O0", *SANITISERS), "1")
    assert np.allclose(2 * curves["w1"] + 3 * curves["w2"], 12, rtol=1e-12)
    assert np.allclose(curves["w1"][curves["time"] > 0.52], 2.4)
    assert np.allclose(curves["w1"][curves["time"] < 0.5], 6)


KICKED = """
model Kicked "Something that stands still until it is kicked, and is pushed at the same time"
  input Real force(start = 0);
  Real v(start = 0, fixed = true);
equation
  der(v) = force;
  when time >= 0.5 then
    reinit(v, 3);
  end when;
end Kicked;
"""

PUSHED_AT_AN_EVENT = r"""
#include <stdio.h>
#include "Kicked.h"

static Kicked model;

int main(void)
{
    Kicked_init(&model);
    while (Kicked_advance(&model) == Kicked_OK && !model.event)
        ;
    Kicked_set(&model, Kicked_force, 1.0);
    Kicked_step(&model);
    printf("%.17g %.17g\n", model.now, Kicked_get(&model, Kicked_v));
    return 0;
}
"""


@needs_gcc
def test_an_input_that_is_told_at_an_event_leaves_what_has_jumped(tmp_path: Path) -> None:
    files = saltus.load(KICKED).export_c(tmp_path, method="inline:euler", step=0.1, stop_time=1)
    own = tmp_path / "own.c"
    own.write_text(PUSHED_AT_AN_EVENT)
    program = build([own, *(f for f in files if f.name == "Kicked.c")], "-O1", *SANITISERS)
    told = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    assert np.allclose([float(x) for x in told.split()], [0.6, 3.1], rtol=1e-14)


def test_the_code_allocates_nothing(tmp_path: Path) -> None:
    for file in saltus.load(DECAY).export_c(tmp_path, step=0.1):
        assert not {"malloc", "calloc", "realloc", "alloca"} & set(file.read_text().replace("(", " ").split())


def test_a_delay_is_refused(tmp_path: Path) -> None:
    delayed = saltus.load("model M Real x = sin(time), y = delay(x, 0.1); equation end M;")
    with pytest.raises((ModelError, UsageError), match="delay"):
        delayed.export_c(tmp_path / "out", step=0.1)
    assert not (tmp_path / "out").exists()


@needs_gcc
def test_an_external_function_is_refused(tmp_path: Path) -> None:
    text = """
    model M
      function f input Real x; output Real y;
        external "C" y = twice(x) annotation(Include="double twice(double x) { return 2*x; }");
      end f;
      Real y = f(time);
    end M;"""
    with pytest.raises(ModelError, match="external function `twice`"):
        saltus.load(text).export_c(tmp_path / "out", step=0.1)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UsageError, match="cannot be written"):
        saltus.load(DECAY).export_c(tmp_path / "file", step=0.1)


def test_a_method_without_fixed_steps_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="chooses its steps by itself"):
        saltus.load(DECAY).export_c(tmp_path, method="bdf", step=0.1)
    with pytest.raises(UsageError, match="no step length is given"):
        saltus.load(DECAY).export_c(tmp_path)
