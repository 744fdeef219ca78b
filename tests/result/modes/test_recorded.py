"""Modes in files: what a run writes, what another run makes of it, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import UsageError
from saltus.ir.sorted.blocks import Explicit
from saltus.ir.sorted.modes import Mode
from saltus.run import simulate
from saltus.run.course import course
from saltus.run.engine import driver
from saltus.run.engine import progress as headway
from saltus.run.resume.checkpoint import Checkpoint
from saltus.tools.cli import main

#: Two rectifiers without inductors: their loops do without a program of their own.
RECTIFIERS = """
model Rectifiers
  parameter Real R = 10, C = 1e-3;
  Real s[2], u[2], i[2], v[2](each start = 0, each fixed = true);
  Boolean off[2] = {s[k] < 0 for k in 1:2};
equation
  for k in 1:2 loop
    u[k] = if off[k] then s[k] else 0;
    i[k] = if off[k] then 0 else s[k];
    R*i[k] = k*10*sin(314*time - k) - u[k] - v[k];
    C*der(v[k]) = i[k] - v[k]/50;
  end for;
  annotation(experiment(StopTime = 0.05, Tolerance = 1e-9));
end Rectifiers;
"""

#: A clutch, whose mode has another number of states.
CLUTCH = """
model Clutch
  Real w1(start = 6, fixed = true), w2(start = 0, fixed = true), torque;
  Boolean locked = time > 0.5;
equation
  2*der(w1) = -torque;
  3*der(w2) = torque;
  0 = if locked then w1 - w2 else torque;
end Clutch;
"""


def rectified(k: int, times: np.ndarray) -> np.ndarray:
    """The voltage of one rectifier by tiny explicit steps, without Saltus."""
    h, v, found = 1e-6, 0.0, [0.0]
    for n in range(1, round(0.05 / h) + 1):
        i = max(0.0, (k * 10 * np.sin(314 * (n - 0.5) * h - k) - v) / 10)
        v += h * (i - v / 50) / 1e-3
        found.append(v)
    return np.interp(times, np.arange(len(found)) * h, found)


def test_code_for_visited_modes_gives_the_same_run(tmp_path: Path) -> None:
    model = saltus.load(RECTIFIERS)
    plain = model.simulate()
    assert not all(isinstance(block, Explicit) for block in plain.general.blocks)
    listed = model.simulate(modes=plain.modes)
    assert listed.statistics["modes listed"] == len(plain.modes.visited) > 2
    assert listed.statistics["programs compiled during the run"] == 0
    for part in listed.recording.parts:
        if part.structure.mode.fixed:  # but for the one in which the run has begun
            assert all(isinstance(block, Explicit) for block in part.structure.blocks)
    times = np.linspace(0, 0.05, 101)
    for k in (1, 2):
        truth = rectified(k, times)
        for run in (plain, listed):
            np.testing.assert_allclose(np.interp(times, run.time, run[f"v[{k}]"]), truth, atol=2e-3)
    ends = [event.time for event in plain.events]
    np.testing.assert_allclose([event.time for event in listed.events], ends, atol=1e-8)


def test_modes_that_are_not_listed_run_all_the_same() -> None:
    model = saltus.load(RECTIFIERS)
    plain = model.simulate()
    some = model.simulate(stop_time=0.004).modes
    assert len(some.visited) < len(plain.modes.visited)
    listed = model.simulate(modes=some)
    assert listed.statistics["modes listed"] == len(some.visited)
    assert {bool(mode.fixed) for mode in listed.modes.visited} == {False, True}
    times = np.linspace(0, 0.05, 101)
    for k in (1, 2):
        value = np.interp(times, listed.time, listed[f"v[{k}]"])
        np.testing.assert_allclose(value, rectified(k, times), atol=2e-3)


@pytest.mark.parametrize("options", [{}, {"method": "inline:euler", "step": 1e-3, "locate": True}])
def test_nothing_is_compiled_after_the_start(options: dict[str, object]) -> None:
    """The locked clutch needs a program of its own; with its mode in the list it is there before."""
    without = saltus.load(CLUTCH).simulate(**options)  # type: ignore[arg-type]
    assert without.statistics["programs compiled during the run"] == 1
    modes = without.modes
    result = saltus.load(CLUTCH).simulate(modes=modes, **options)  # type: ignore[arg-type]
    assert result.statistics["programs compiled during the run"] == 0
    # 2*6 = (2 + 3)*w, once they are locked.
    assert result["w1"][-1] == pytest.approx(2.4, abs=1e-9)
    assert [decision.value for decision in result.modes[-1].mode.guards] == [True]


def test_listed_modes_are_ready_before_the_first_step() -> None:
    """What native code has to know to enter and to leave a program is known then."""
    model = saltus.load(RECTIFIERS)
    modes = model.simulate(method="mixed", step=1e-4).modes
    ready: list[set[Mode]] = []
    loop = simulate._Run.loop

    def looked_at(run: simulate._Run) -> None:
        ready.append({engine.structure.mode for engine in run.course.modes.passages.engines})
        loop(run)

    with patch.object(simulate._Run, "loop", looked_at):
        result = model.simulate(method="mixed", step=1e-4, modes=modes)
    entered = {part.structure.mode for part in result.recording.parts if part.structure.mode.fixed}
    assert len(entered) > 2 and entered <= ready[0]


def test_a_checkpoint_keeps_the_list(tmp_path: Path) -> None:
    modes = saltus.load(RECTIFIERS).simulate().modes
    file = tmp_path / "run.checkpoint"
    often = (
        patch.multiple(driver, MOST_STEPS=20, MOST_EVENTS=4, MOST_ROWS=20),
        patch.multiple(simulate, LONGEST_STRETCH=40, SHORTEST_STRETCH=40),
        patch.multiple(course, MOST_STEPS=20),
        patch.multiple(headway, PROGRESS_EVERY=0.0),  # a quick machine is not to be at the end before
    )

    def interrupt(fraction: float, events: int) -> None:
        if fraction > 0.5:
            raise KeyboardInterrupt

    with often[0], often[1], often[2], often[3]:
        part = saltus.load(RECTIFIERS).simulate(
            modes=modes, checkpoint=Checkpoint(file, seconds=0), progress=interrupt
        )
        assert part.interrupted and file.exists()
        whole = saltus.load(RECTIFIERS).simulate(modes=modes, checkpoint=Checkpoint(file, seconds=0))
    assert whole.statistics["modes listed"] == len(modes.visited)
    assert whole.statistics["programs compiled during the run"] == 0
    np.testing.assert_allclose(whole["v[1]"][-1], rectified(1, np.array([0.05]))[0], atol=2e-3)


def _ended(*arguments: str | Path) -> object:
    with pytest.raises(SystemExit) as ending:
        main([str(a) for a in arguments])
    return ending.value.code


def test_the_command_line_records_modes_and_takes_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, file = tmp_path / "Rectifiers.mo", tmp_path / "modes.json"
    model.write_text(RECTIFIERS)
    assert _ended("simulate", model, "--record-modes", file) == 0
    assert {"off[1]": True, "off[2]": False} in json.loads(file.read_text())["modes"]
    step = ("--method", "inline:euler", "--step", "1e-5", "--speed", "0")
    assert _ended("realtime", model, "--modes", file, *step) == 0
    capsys.readouterr()
    assert _ended("explain", model, "--modes", "--code-per-mode") == 0
    told = capsys.readouterr().out
    lines = [line.split() for line in told.splitlines()]
    assert ["after", "tearing", "1"] in lines
    assert ["in", "the", "worst", "of", "4", "modes", "with", "own", "code", "0"] in lines
    assert "listed, for code of its own" in told


def _written(text: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / "modes.json"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda folder: folder / "none.json", "cannot read"),
        (_written("off: true"), "cannot be read"),
        (_written("[1, 2]"), "is not a list of modes"),
        (_written('{"modes": [{"of[1]": true}]}'), "`of[1]` decides nothing"),
        (_written('{"modes": [{"off[1]": 3}]}'), "cannot have"),
    ],
)
def test_what_is_no_list_of_modes_is_refused(
    made: Callable[[Path], Path], words: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as refused:
        saltus.load(RECTIFIERS).simulate(modes=made(tmp_path))
    assert words in refused.value.diagnostics[0].message
    assert refused.value.diagnostics[0].hint or "cannot" in words
