"""How long fixed steps take, and whether they keep pace: what does not depend on how busy the machine is."""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import saltus
from saltus.core.diagnostics import UsageError
from saltus.result.log.step_times import StepTimes
from saltus.tools.cli import main

BALL = """
model Ball "Bounces"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.8*pre(v));
  end when;
  annotation(experiment(StopTime = 1));
end Ball;
"""
MODEL = saltus.load(BALL)


def test_every_step_is_measured() -> None:
    run = MODEL.simulate(method="inline:euler", step=1e-3, speed=0)
    times = run.step_times
    assert times is not None
    assert len(times.nanoseconds) == run.statistics["steps"] >= 1000
    assert np.all(times.nanoseconds > 0)
    assert 0 < times.median <= times.at(0.999) <= times.worst
    assert times.overruns == 0
    assert "overruns" not in times.text()


def test_steps_wait_for_their_time() -> None:
    began = time.monotonic()
    run = MODEL.simulate(method="inline:euler", step=0.01, speed=5.0)
    passed = time.monotonic() - began
    assert passed >= (1.0 - 0.01) / 5.0  # the last step begins then
    assert run.step_times is not None and "overruns" in run.step_times.text()


def test_steps_that_are_too_late_are_counted() -> None:
    """At such a speed each step ends after its time; the first cannot be late."""
    run = MODEL.simulate(method="inline:euler", step=1e-3, speed=1e9)
    times = run.step_times
    assert times is not None
    assert times.overruns == len(times.nanoseconds) - 1
    assert times.latest > 0


def test_results_do_not_depend_on_the_pace() -> None:
    plain = MODEL.simulate(method="inline:trapezoid", step=5e-3)
    paced = MODEL.simulate(method="inline:trapezoid", step=5e-3, speed=20.0)
    assert plain.step_times is None
    assert np.array_equal(plain.time, paced.time) and np.array_equal(plain["h"], paced["h"])


def test_a_pace_asks_for_fixed_steps() -> None:
    with pytest.raises(UsageError, match="steps of a fixed length"):
        MODEL.simulate(speed=1.0)


@given(st.lists(st.integers(1, 10**10), min_size=1, max_size=300), st.floats(0, 1))
def test_quantiles_and_histogram(found: list[int], part: float) -> None:
    times = StepTimes(np.array(found, dtype=np.int64), 1e-3, 1.0)
    value = round(times.at(part) * 1e9)
    assert sum(n <= value * (1 + 1e-12) for n in found) >= part * len(found)
    assert sum(n < value * (1 - 1e-12) for n in found) <= part * len(found)
    bars = re.findall(r" to .*?(\d+)(?: #*)?$", times.text(), re.MULTILINE)
    assert sum(map(int, bars)) == len(found)


@pytest.mark.parametrize("step", ["1ms", "1e-3", "1/1000 s"])
def test_the_command(step: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Ball.mo"
    path.write_text(BALL)
    with pytest.raises(SystemExit) as ending:
        main(["realtime", str(path), "--step", step, "--speed", "0"])
    assert not ending.value.code
    text = capsys.readouterr().out
    assert text.startswith("Ball: time 0 to 1, ")
    assert re.search(r"^10\d\d steps of 1 ms$", text, re.MULTILINE)
    for word in ("median", "99.9 %", "worst"):
        assert re.search(rf"^  {word} +[\d.]+ [nmu]?s$", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--step", "1parsec"], "not known"),
        (["--step", "1kg"], "not a compatible unit of a value in"),
        (["--step", "1ms", "--method", "bdf"], "chooses its steps"),
        ([], "--step"),
    ],
)
def test_what_the_command_refuses(
    options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "Ball.mo"
    path.write_text(BALL)
    with pytest.raises(SystemExit) as ending:
        main(["realtime", str(path), *options])
    assert ending.value.code == 2
    assert words in " ".join(capsys.readouterr().err.split())


def test_no_garbage_is_collected_while_steps_are_measured() -> None:
    """A collection takes as long as thousands of steps: there is none from the first step to the last."""
    seen: list[bool] = []
    pushed = saltus.load("""
    model Pushed
      input Real u(start = 0);
      Real x(start = 0, fixed = true);
    equation
      der(x) = u;
    end Pushed;""")

    def looked_at(time: float, outputs: Mapping[str, float]) -> dict[str, float]:
        seen.append(gc.isenabled())
        return {}

    assert gc.isenabled()
    for speed in (None, 0.0):
        exchange = saltus.Exchange(looked_at, every=0.25, inputs=["u"], outputs=["x"])
        pushed.simulate(method="inline:euler", step=0.01, stop_time=1, exchange=exchange, speed=speed)
        assert gc.isenabled()
    assert seen == [True] * 4 + [False] * 4
