"""The command line with the real compiler: one small model with a closed form, through every output.

The model decays from 1 with rate k and is reset to 1 whenever it has fallen to one half: with k = ln 2
that is once a second, and the value at time t is 2^-(t - floor(t)).
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from interruption import PROCESSES, interruptible, let_it_work

from saltus import options
from saltus.tools.cli import main

TEXT = """model Decay "falls to one half, then starts again"
  type Mode = enumeration(Falling, Resting);
  parameter Real k(unit = "1/s") = log(2) "rate";
  parameter Mode mode = Mode.Falling;
  parameter Boolean on = true;
  Real x(start = 1, fixed = true, unit = "m");
  Integer resets(start = 0, fixed = true);
equation
  der(x) = if on and mode == Mode.Falling then -k*x else 0;
  when x <= 0.5 then
    reinit(x, 1);
    resets = pre(resets) + 1;
  end when;
  annotation(experiment(StartTime = 0, StopTime = 2.5, Tolerance = 1e-9, Interval = 0.125));
end Decay;
"""


@pytest.fixture(scope="module")
def decay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "Decay.mo"
    path.write_text(TEXT)
    return path


def ends(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as ending:
        main([str(a) for a in arguments])
    code = ending.value.code
    assert isinstance(code, int)
    return code


def columns(text: str) -> dict[str, np.ndarray]:
    head, *rows = csv.reader(io.StringIO(text))
    table = np.array(rows, dtype=float)
    return {name: table[:, i] for i, name in enumerate(head)}


def test_csv_on_standard_output(decay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ends("simulate", decay, "--output", "-") == 0
    out, err = capsys.readouterr()
    assert err == ""
    data = columns(out)
    assert next(iter(data)) == "time"
    time = data["time"]
    assert time[0] == 0 and time[-1] == 2.5
    inside = np.abs(time - np.round(time)) > 1e-4
    np.testing.assert_allclose(data["x"][inside], 2.0 ** -(time[inside] - np.floor(time[inside])), atol=1e-6)
    assert data["resets"][-1] == 2


def test_options_reach_the_run(decay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--start-time", "1", "--stop-time", "3", "--interval", "0.5", "--output", "-"]
    assert ends("simulate", decay, *arguments, "--set", f"k={math.log(2) / 4!r}") == 0
    data = columns(capsys.readouterr().out)
    np.testing.assert_allclose(data["time"], [1, 1.5, 2, 2.5, 3])
    np.testing.assert_allclose(data["x"], 2 ** (-(data["time"] - 1) / 4), atol=1e-6)


@pytest.mark.parametrize("setting", ["on=false", "mode=Mode.Resting", "mode=Resting"])
def test_booleans_and_enumerations_can_be_set(
    decay: Path, setting: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ends("simulate", decay, "--set", setting, "--output", "-") == 0
    np.testing.assert_array_equal(columns(capsys.readouterr().out)["x"], 1.0)


def test_events_as_json_lines(decay: Path, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    assert ends("simulate", decay, "--events", path, "--quiet") == 0
    events = [json.loads(line) for line in path.read_text().splitlines()]
    times = [e["time"] for e in events if any(c["name"] == "x" for c in e["reinitialised"])]
    np.testing.assert_allclose(times, [1, 2], atol=1e-6)


def test_the_event_log(decay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ends("simulate", decay, "--log-events") == 0
    out = capsys.readouterr().out
    assert "Variable resets changed to 1" in out
    assert "Variable resets changed to 2" in out
    assert "at time = 1" in out


def test_a_plot(decay: Path, tmp_path: Path) -> None:
    path = tmp_path / "plot.png"
    assert ends("simulate", decay, "--plot", path, "--plot-variables", "x, res*", "--quiet") == 0
    assert path.read_bytes().startswith(b"\x89PNG")


def test_steps_and_a_plot_of_them(decay: Path, tmp_path: Path) -> None:
    """At each reset there is a round in which it is counted, and x is still what it was."""
    steps, plot = tmp_path / "steps.csv", tmp_path / "plot.png"
    assert ends("simulate", decay, "--steps", steps, "--plot", plot, "--plot-against", "k", "--quiet") == 0
    assert plot.read_bytes().startswith(b"\x89PNG")
    with steps.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["step.k"]) for row in rows] == list(range(len(rows)))  # the model has a parameter k
    passed = [row for row in rows if row["kind"] == "pinnacle"]
    np.testing.assert_allclose([float(row["time"]) for row in passed], [1, 2], atol=1e-6)
    np.testing.assert_allclose([float(row["x"]) for row in passed], 0.5, atol=1e-6)
    assert [row["resets"] for row in passed] == ["1", "2"]
    after = [rows[int(row["step.k"]) + 1] for row in passed]
    assert [(row["kind"], float(row["x"])) for row in after] == [("continuous", 1.0)] * 2


def test_the_summary(decay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ends("simulate", decay) == 0
    out = capsys.readouterr().out
    assert out.startswith("Decay: time 0 to 2.5, 2 events")
    values = dict(line.split(" = ") for line in out.splitlines() if " = " in line)
    values = {name.strip(): float(value) for name, value in values.items()}
    assert values["x"] == pytest.approx(2**-0.5, abs=1e-6)
    assert values["resets"] == 2


def test_check(decay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ends("check", decay) == 0
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first.startswith("Decay: ")
    assert "1 state" in first
    assert last == "ok"


def test_explain(decay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ends("explain", decay) == 0
    out = capsys.readouterr().out
    assert "[der(x)]" in out


@pytest.mark.parametrize("stage", options.STAGES)
def test_every_stage_can_be_dumped(decay: Path, stage: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ends("check", decay, "--dump", stage) == 0
    assert capsys.readouterr().out.strip()


def test_the_flat_model_runs_again(decay: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ends("flat", decay) == 0
    again = tmp_path / "Flat.mo"
    again.write_text(capsys.readouterr().out)
    assert ends("simulate", decay, "--output", "-", "--quiet") == 0
    first = columns(capsys.readouterr().out)
    assert ends("simulate", again, "--output", "-", "--quiet") == 0
    second = columns(capsys.readouterr().out)
    np.testing.assert_allclose(second["x"], first["x"], rtol=1e-12)


def test_an_unknown_parameter(decay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ends("simulate", decay, "--set", "modes=1") == 2
    err = capsys.readouterr().err
    assert "error[E502]" in err and "modes" in err and "did you mean `mode`" in err


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "Missing.mo"
    assert ends("simulate", missing) == 2
    err = capsys.readouterr().err
    assert "Missing.mo" in err and "Traceback" not in err


def test_a_class_along_a_library(decay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ends("check", "Decay", "--library", decay.parent) == 0
    assert capsys.readouterr().out.startswith("Decay: ")


def test_a_failed_run_writes_what_it_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "Blow.mo"
    model.write_text(
        "model Blow Real x(start = 0, fixed = true); equation der(x) = 1;"
        ' assert(x < 0.5, "x is too large"); end Blow;'
    )
    output = tmp_path / "out.csv"
    assert ends("simulate", model, "--output", output) == 3
    err = capsys.readouterr().err
    assert "x is too large" in err and "out.csv" in err
    data = columns(output.read_text())
    assert data["time"][-1] == pytest.approx(0.5, abs=0.01)
    np.testing.assert_allclose(data["x"], data["time"], atol=1e-6)


@pytest.mark.skipif(not PROCESSES.exists(), reason="asks how long a process has worked")
def test_ctrl_c_keeps_what_was_computed(tmp_path: Path) -> None:
    model = tmp_path / "Long.mo"
    model.write_text(
        "model Long Real x(start = 1, fixed = true); Integer n(start = 0, fixed = true);"
        " equation der(x) = -x + sin(1000*time);"
        " when sample(0, 1e-4) then n = pre(n) + 1; end when; end Long;"
    )
    output = tmp_path / "out.csv"
    # A fresh interpreter tells that the run has started by the flat model it has printed before.
    with interruptible(
        [sys.executable, "-m", "saltus.tools.cli", "simulate", str(model), "--stop-time", "1e6",
         "--interval", "1", "--output", str(output), "--dump", "flat"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "SALTUS_DEBUG": ""},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("end "):
                break
        let_it_work(process, 3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "cancelled" in err and "out.csv" in err
    assert columns(output.read_text())["time"][-1] > 0
