"""Runs of the command that are killed with SIGKILL, and go on to the identical end."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from interruption import hear_ctrl_c

from saltus.run.resume.checkpoint import ENVIRONMENT

EXAMPLES = Path(__file__).parents[2] / "examples"

#: A ball, two thermostats, a sampled controller and a clock of its own: about a thousand events a second.
BUSY = """
model Busy
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Real T[2](start = {18, 20}, each fixed = true), x(start = 0, fixed = true);
  Boolean on[2](each start = false, each fixed = true);
  discrete Real u(start = 0, fixed = true), next(start = 0.05, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -pre(v));
  end when;
  for i in 1:2 loop
    der(T[i]) = (if on[i] then 100 + i else 0) - 5*(T[i] - 12);
    when {T[i] < 19, T[i] > 21} then
      on[i] = T[i] < 19;
    end when;
  end for;
  der(x) = 20*(u - x) + sin(30*time);
  when sample(0, 0.01) then
    u = pre(u) + 0.1*(1 - x);
  end when;
  when time >= pre(next) then
    next = pre(next) + 0.0371;
  end when;
end Busy;
"""


class Command:
    """`saltus simulate` with a checkpoint, in a folder of its own."""

    def __init__(self, folder: Path, source: Path, *options: str, seconds: float = 0.0) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.output, self.events = folder / "out.csv", folder / "events.jsonl"
        self.checkpoint = folder / "run.checkpoint"
        self._environment = {**os.environ, ENVIRONMENT: str(seconds), "SALTUS_DEBUG": ""}
        self._command = [sys.executable, "-m", "saltus", "simulate", str(source), *options]
        self._command += ["--output", "out.csv", "--events", "events.jsonl", "--checkpoint", "run.checkpoint"]

    def start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self._command, cwd=self.folder, env=self._environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=hear_ctrl_c,
        )  # fmt: skip

    def to_the_end(self) -> str:
        """What it says on standard error."""
        process = self.start()
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        return err

    def stop(self, after: float, how: Callable[[subprocess.Popen[str]], None]) -> str | None:
        """Ends the run some time after its first checkpoint, by any means; None if it was over before."""
        before = self.checkpoint.stat().st_mtime_ns if self.checkpoint.exists() else 0
        process = self.start()
        written = False
        for _ in range(12_000):
            if process.poll() is not None:
                break
            if written := self.checkpoint.exists() and self.checkpoint.stat().st_mtime_ns != before:
                break
            time.sleep(0.01)
        if written:
            time.sleep(after)
            how(process)
        _, err = process.communicate(timeout=60)
        if process.returncode == 0:
            return None
        assert written, err
        return err


def kill(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)


def rows_of(path: Path) -> list[list[float]]:
    """A CSV file, which must be in order."""
    with path.open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header[0] == "time" and all(len(row) == len(header) for row in rows)
    return [[float(x) for x in row] for row in rows]


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """The run that nobody disturbs, over."""
    folder = tmp_path_factory.mktemp("busy")
    source = folder / "Busy.mo"
    source.write_text(BUSY)
    command = Command(folder, source, "--stop-time", "100", "--interval", "0.05")
    command.to_the_end()
    return command


@pytest.mark.parametrize("seed", range(3))
def test_killed_at_random_moments(busy: Command, tmp_path: Path, seed: int) -> None:
    moments = random.Random(seed)
    source = busy.folder / "Busy.mo"
    # Sometimes checkpoints follow each other at once, sometimes there is a while between them.
    seconds = moments.choice([0.0, 0.05])
    command = Command(tmp_path, source, "--stop-time", "100", "--interval", "0.05", seconds=seconds)
    whole = rows_of(busy.output)
    reached = -1.0
    for _ in range(3):
        if command.stop(moments.uniform(0.0, 0.25), kill) is None or not command.checkpoint.exists():
            break  # it was over by then
        rows = rows_of(command.output)
        assert rows == whole[: len(rows)]
        assert rows[-1][0] >= reached
        reached = rows[-1][0]
        if reached >= 100.0:
            break  # it was killed between its last row and its end
        events = [json.loads(line) for line in command.events.read_text().splitlines()]
        assert events[0]["causes"][0]["kind"] == "initial"
    assert reached > 0.0
    if command.checkpoint.exists():
        assert "resumed at time " in command.to_the_end()
    assert command.output.read_bytes() == busy.output.read_bytes()
    assert command.events.read_bytes() == busy.events.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["events.jsonl", "out.csv"]


def test_a_pendulum_over_the_top_is_killed(tmp_path: Path) -> None:
    """States are chosen again and again, so that the run has two programs, which have to be made again."""
    options = (EXAMPLES / "Pendulum.mo", "--stop-time", "200", "--interval", "0.1")
    whole, killed = (Command(tmp_path / name, *map(str, options)) for name in ("whole", "killed"))
    whole.to_the_end()
    assert killed.stop(0.02, kill) is not None
    assert killed.checkpoint.exists()
    rows_of(killed.output)
    killed.stop(0.1, kill)  # which a quick machine may not see any more
    if killed.checkpoint.exists():
        assert "resumed" in killed.to_the_end()
    assert killed.output.read_bytes() == whole.output.read_bytes()
    assert killed.events.read_bytes() == whole.events.read_bytes()


def test_ctrl_c_keeps_the_checkpoint(busy: Command, tmp_path: Path) -> None:
    command = Command(tmp_path, busy.folder / "Busy.mo", "--stop-time", "100", "--interval", "0.05")
    err = command.stop(0.1, lambda process: process.send_signal(signal.SIGINT))
    assert err is not None and "cancelled" in err and "the same command resumes from run.checkpoint" in err
    assert command.checkpoint.exists()
    rows_of(command.output)
    command.to_the_end()
    assert command.output.read_bytes() == busy.output.read_bytes()
    assert not command.checkpoint.exists()


def test_the_result_is_that_of_a_run_without(busy: Command, tmp_path: Path) -> None:
    """The same events, as near as the tolerance lets two runs be; here they disturb each other little."""
    plain = tmp_path / "plain.csv"
    source = str(busy.folder / "Busy.mo")
    command = [sys.executable, "-m", "saltus", "simulate", source, "--stop-time", "100", "--interval", "0.05"]
    subprocess.run([*command, "--output", str(plain)], check=True, timeout=120)
    ours, theirs = np.array(rows_of(busy.output)), np.array(rows_of(plain))
    assert len(ours) == len(theirs)
    np.testing.assert_allclose(ours[:, 0], theirs[:, 0], atol=2e-3)


def test_a_checkpoint_of_something_else(busy: Command, tmp_path: Path) -> None:
    command = Command(tmp_path, busy.folder / "Busy.mo", "--stop-time", "100", "--interval", "0.05")
    assert command.stop(0.0, kill) is not None
    other = Command(tmp_path, busy.folder / "Busy.mo", "--stop-time", "50", "--interval", "0.05")
    process = other.start()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "E504" in err and "stop time is 100.0, not 50.0" in err and "delete the file" in err
    assert command.checkpoint.exists()
    command.checkpoint.write_bytes(command.checkpoint.read_bytes()[:-100])
    process = command.start()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "E504" in err and "damaged" in err and "Traceback" not in err


def test_a_checkpoint_that_cannot_be_written_is_found_before_the_run(tmp_path: Path) -> None:
    source = str(EXAMPLES / "BouncingBall.mo")
    for checkpoint, said in (("nowhere/run.checkpoint", "E503"), ("out.csv", "same file")):
        done = subprocess.run(
            [sys.executable, "-m", "saltus", "simulate", source, "--output", "out.csv", "--checkpoint",
             checkpoint],
            cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 2 and said in done.stderr
        assert list(tmp_path.iterdir()) == []
