"""Runs that go on from checkpoints: bit for bit the same as if nothing had happened.

Each model is run undisturbed, then again with an end after every so many checkpoints, each time in a run of
its own that knows nothing but the file. How long stretches and calls of the native driver are is drawn at
random: so checkpoints fall right after events, inside of steps, on output points, anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_models import FUNCTIONS

import saltus
from saltus.core.diagnostics import RunError, UsageError
from saltus.model import Model
from saltus.result.result import Result
from saltus.run import simulate
from saltus.run.engine import driver
from saltus.run.resume.checkpoint import Checkpoint, Saved
from saltus.run.start import starting

EXAMPLES = Path(__file__).parents[3] / "examples"

BALL = """
model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer bounces(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.99*pre(v));
    bounces = pre(bounces) + 1;
  end when;
end Ball;
"""

THERMOSTATS = """
model Thermostats
  Real T[5](start = {18, 19, 20, 21, 22}, each fixed = true);
  Boolean on[5](each start = false, each fixed = true);
equation
  for i in 1:5 loop
    der(T[i]) = (if on[i] then 20 + i else 0) - (T[i] - 12);
    when {T[i] < 19, T[i] > 21} then
      on[i] = T[i] < 19;
    end when;
  end for;
end Thermostats;
"""

SAMPLED = """
model Sampled
  Real x(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true), slow(start = 0, fixed = true), next(start = 0.05, fixed = true);
equation
  der(x) = -3*x + u;
  when sample(0, 0.01) then
    u = pre(u) + 0.1*(1 - x) - 0.02*slow;
  end when;
  when sample(0.1, 0.03) then
    slow = x;
  end when;
  when time >= pre(next) then
    next = pre(next) + 0.0371;
  end when;
end Sampled;
"""

#: Nothing to integrate: clocks alone.
COUNTER = """
model Counter
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  when sample(0, 0.001) then
    n = pre(n) + 1;
  end when;
  when sample(0, 0.003) then
    m = pre(m) + n;
  end when;
end Counter;
"""

#: A loop through a relation: full-wave rectifier with leaky diodes, and a capacitor.
RECTIFIER = """
model Rectifier
  Real v, i[2], u(start = 0, fixed = true);
  Boolean off[2];
equation
  v = 10*sin(6*time);
  off[1] = v - u < 0;
  off[2] = -v - u < 0;
  i[1] = (v - u)*(if off[1] then 1e-5 else 1e2);
  i[2] = (-v - u)*(if off[2] then 1e-5 else 1e2);
  der(u) = i[1] + i[2] - u;
end Rectifier;
"""

#: Warnings of the start, of assertions on the way, a termination; terminal().
TELLING = """
model Telling
  parameter Real p;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  Boolean over(start = false, fixed = true);
  Integer turns(start = 0, fixed = true);
equation
  der(x) = y + p;
  der(y) = -x;
  assert(x < 0.9, "x is large", AssertionLevel.warning);
  assert(turns < 3, "three turns at x = " + String(x), AssertionLevel.warning);
  when {x > 0.5, terminal()} then
    turns = pre(turns) + 1;
  end when;
  when turns > 6 then
    over = true;
  end when;
  when over then
    terminate("enough");
  end when;
end Telling;
"""


#: Chatters, slides along s = 0, leaves it when the force becomes too large, and comes back.
SLIDING = """
model Sliding
  Real x(start = 0.5, fixed = true), v(start = 0, fixed = true), s;
equation
  s = v + x;
  der(x) = v;
  der(v) = 3*sin(time)*time/4 - (if s > 0 then 3 else -3);
end Sliding;
"""

#: A ball that comes to rest, is thrown up by a clock, and comes to rest again.
RESTING = """
model Resting
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when sample(3, 3) then
    reinit(v, 4);
  elsewhen h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
end Resting;
"""

DELAYED = """
model Delayed
  Real x(start = 1, fixed = true), y, z(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = -delay(x, 1) + 0.3*delay(u, 0.25);
  y = delay(u, 0.5) + delay(x, 0.1 + 0.05*sin(time), 0.2);
  der(z) = y - z;
  when sample(0, 0.7) then
    u = if x > 0 then 1 else -1;
  end when;
end Delayed;
"""

#: Flow through a pipe, there and back.
PIPE = """
model Pipe
  Real x(start = 0, fixed = true), v, out0, out1, z(start = 0, fixed = true);
equation
  der(x) = v;
  v = cos(0.7*time) + 0.3;
  (out0, out1) = spatialDistribution(
    sin(5*time), if time < 4 then 1 else 2, x, v >= 0, {0, 0.4, 1}, {0, 1, 0});
  der(z) = out0 + out1 - z;
end Pipe;
"""

#: A clutch that closes with an impulse and opens again; a rectifier, its current a state while it conducts.
EXISTENCE = """
model Existence "Vessels that are there for a while, one after the other, until they are full"
  Real level[3](start = {0.1, 0.2, 0.3}), x(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean there[3](each start = false, each fixed = true);
  discrete Real last(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -9*x;
  for k in 1:3 loop
    when sample(0.4*k, 2.5) then
      there[k] = true;
    elsewhen level[k] >= 0.8 then
      there[k] = false;
    end when;
    if there[k] then
      der(level[k]) = 1 + 0.5*x - level[k];
    end if;
  end for;
  when level[1] >= 0.8 then
    last = pre(level[1]) + x;
  end when;
end Existence;
"""

MODES = """
model Modes
  Real w1(start = 0, fixed = true), w2(start = 0, fixed = true), tau;
  Real i(start = 0), u, s;
  Boolean locked = sin(4*time) > 0.2, off = s < 0;
equation
  2*der(w1) = 3*cos(time) - w1 - tau;
  3*der(w2) = tau - w2;
  0 = if locked then w1 - w2 else tau;
  10*sin(5*time) = i + 0.1*der(i) + u;
  u = if off then s else 0;
  i = if off then 0 else s;
end Modes;
"""

PEAK_DETECTOR = """
model PeakDetector "Where the diode blocks, the current leaves zero without speed"
  Real v(start = 0, fixed = true), i, u, s;
  Boolean off = s < 0;
equation
  10*sin(2*3.141592653589793*50*time) = u + v;
  1e-4*der(v) = i - v/1e5;
  i = if off then 0 else s;
  u = if off then s else 0;
end PeakDetector;
"""


TABLES = (
    FUNCTIONS
    + """
model M "Driven by a table of time, damped by another one"
  T.Source source(table = [0, 1; 0.3, 1; 0.3, -1; 0.7, 0; 1, 1], extrapolation = 3);
  parameter T.Table1D id = T.Table1D("", "", [-2, -8; -1, -1; 0, 0; 1, 1; 2, 8], {2}, 2, 2);
  Real x(start = 0.5, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = source.y - T.value1D(id, 1, x) - 0.1*v;
end M;
"""
)


@dataclass(frozen=True)
class Case:
    """A model and how it is run; and how near the states of a run with other steps must come."""

    source: str | Path
    options: tuple[tuple[str, Any], ...]
    near: float = 1e-4

    @property
    def model(self) -> Model:
        return loaded(self.source)


@cache
def loaded(source: str | Path) -> Model:
    return saltus.load(source)


def case(source: str | Path, near: float = 1e-4, **options: Any) -> Case:
    return Case(source, tuple(options.items()), near)


#: Guards that decide together: one program finds the structure of every mode by numbers.
CLUTCHES = """
model Clutches
  parameter Integer n = 6;
  Real w[n](start = {k*(-1)^k for k in 1:n}, each fixed = true), tau[n - 1];
  Boolean locked[n - 1] = {time > 0.1 and sin((1 + 0.37*k)*time) > 0.2*k - 0.5 for k in 1:n - 1};
equation
  for k in 1:n loop
    k*der(w[k]) = (if k == 1 then 2*cos(time) else tau[max(k - 1, 1)])
      - (if k == n then 0 else tau[min(k, n - 1)]);
  end for;
  for k in 1:n - 1 loop
    0 = if locked[k] then w[k] - w[k + 1] else tau[k];
  end for;
end Clutches;
"""

#: Two rates, an event clock, and an interval that varies.
CLOCKED = """
model Clocked
  Clock c = Clock(1, 30), d = shiftSample(c, 1, 2);
  Real x(start = 1, fixed = true), u(start = 0);
  Integer n(start = 0), k(start = 0), interval(start = 3);
equation
  der(x) = hold(u) - x;
  u = 0.9*previous(u) + sample(1.1 - x, c) + 0.1*sample(sin(5*time), c);
  when d then
    n = previous(n) + 1;
  end when;
  when Clock(x > 1.1) then
    k = previous(k) + 1;
  end when;
  when Clock(interval, 100) then
    interval = mod(7*previous(interval), 31) + 1;
  end when;
end Clocked;
"""

CASES = {
    "ball": case(BALL, stop_time=20.0, tolerance=1e-8),
    "thermostats": case(THERMOSTATS, stop_time=5.0, tolerance=1e-7),
    "thermostats with IDA": case(THERMOSTATS, stop_time=2.0, tolerance=1e-7, method="ida"),
    "thermostats with Adams": case(THERMOSTATS, stop_time=2.0, tolerance=1e-7, method="adams"),
    "sampled": case(SAMPLED, stop_time=4.0, tolerance=1e-7),
    "clocked": case(CLOCKED, stop_time=4.0, tolerance=1e-7),
    "counter": case(COUNTER, stop_time=1.0),
    "rectifier": case(RECTIFIER, stop_time=10.0, tolerance=1e-8),
    "rectifier, sparse": case(RECTIFIER, stop_time=3.0, tolerance=1e-8, linear_solver="sparse"),
    "telling": case(TELLING, stop_time=100.0, tolerance=1e-7),
    "pendulum": case(EXAMPLES / "Pendulum.mo", stop_time=6.0, near=1e-3),
    "sliding": case(SLIDING, stop_time=15.0, tolerance=1e-7),
    "resting": case(RESTING, stop_time=8.0, tolerance=1e-8, zeno="rest"),
    "delayed": case(DELAYED, stop_time=12.0, tolerance=1e-7),
    "pipe": case(PIPE, stop_time=10.0, tolerance=1e-6),
    "modes": case(MODES, stop_time=5.0, tolerance=1e-7),
    "room in the modes": case(PEAK_DETECTOR, stop_time=0.3, tolerance=1e-3, near=1e-2),
    "modes by numbers": case(CLUTCHES, stop_time=5.0, tolerance=1e-7),
    "existence": case(EXISTENCE, stop_time=9.0, tolerance=1e-8),
    "tables": case(TABLES, stop_time=6.0, tolerance=1e-8),
    "tumbling body": case(EXAMPLES / "TumblingBody.mo", stop_time=15.0, near=1e-3),
}


class Killed(BaseException):
    """As abrupt as a test in one process can be."""


class Deadly(Checkpoint):
    """Writes at every opportunity, and ends the run after so many."""

    def __init__(self, path: Path, lives: float = math.inf) -> None:
        super().__init__(path, seconds=0.0)
        self._lives = lives

    def write(self, identity: Mapping[str, Any], saved: Saved, result: Result) -> None:
        super().write(identity, saved, result)
        assert self.problem is None
        self._lives -= 1
        if self._lives <= 0:
            raise Killed


@contextmanager
def stretches(steps: int, events: int, rows: int, work: int) -> Iterator[None]:
    """So long calls of the driver, and stretches."""
    with (
        patch("os.fsync"),  # what it is for does not happen here, and it takes most of the time
        patch.multiple(driver, MOST_STEPS=steps, MOST_EVENTS=events, MOST_ROWS=rows),
        patch.multiple(simulate, LONGEST_STRETCH=work, SHORTEST_STRETCH=work),
    ):
        yield


def killed_again_and_again(case: Case, lives: int) -> tuple[Result, int]:
    """The result of the last run, and how many were killed before it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.checkpoint"
        for deaths in range(10_000):
            try:
                return case.model.simulate(**dict(case.options), checkpoint=Deadly(path, lives)), deaths
            except Killed:
                assert sorted(p.name for p in path.parent.iterdir()) == [path.name]
    raise AssertionError("it does not get on")


def undisturbed(case: Case) -> tuple[Result, int]:
    """The result, and the number of checkpoints."""
    with TemporaryDirectory() as folder:
        checkpoint = Deadly(Path(folder) / "run.checkpoint")
        return case.model.simulate(**dict(case.options), checkpoint=checkpoint), checkpoint.written


def assert_identical(one: Result, other: Result) -> None:
    """To the last bit, but for the seconds."""
    assert one.names == other.names and one.parameters == other.parameters
    for name in ("time", *one.names):
        assert one[name].tobytes() == other[name].tobytes(), name
    assert list(one.events) == list(other.events)
    for ours, theirs in zip(one.records, other.records, strict=True):
        assert ours[:6] == theirs[:6] and ours.impulses == theirs.impulses
        for a, b in zip(ours.rounds, theirs.rounds, strict=True):
            assert a.tobytes() == b.tobytes()
    assert one.warnings == other.warnings
    # What was compiled before a run was killed is not compiled again, nor counted.
    apart = ("seconds", "programs compiled during the run")
    counted = [{k: n for k, n in r.statistics.items() if k not in apart} for r in (one, other)]
    assert counted[0] == counted[1]


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=4)
@given(
    steps=st.integers(30, 200),  # a run that gets nowhere in so many steps has failed
    events=st.integers(1, 20),
    rows=st.integers(4, 60),
    work=st.integers(40, 400),
    lives=st.integers(1, 4),
)
def test_killed_runs_end_as_if_undisturbed(
    name: str, steps: int, events: int, rows: int, work: int, lives: int
) -> None:
    case = CASES[name]
    with stretches(steps, events, rows, work):
        whole, written = undisturbed(case)
        result, deaths = killed_again_and_again(case, lives)
    assert deaths == written // lives
    assert_identical(result, whole)


@pytest.mark.parametrize("name", CASES)
def test_stretches_change_nothing_beyond_tolerance(name: str) -> None:
    """The same events in the same order, and all values as near as the tolerance lets two runs be."""
    case = CASES[name]
    plain = case.model.simulate(**dict(case.options))
    with stretches(steps=30, events=3, rows=5, work=200):
        whole, written = undisturbed(case)
    assert written >= 3
    assert [(r.kind, r.fired, r.clocks) for r in whole.records] == [
        (r.kind, r.fired, r.clocks) for r in plain.records
    ]
    np.testing.assert_allclose(whole.records.times(), plain.records.times(), atol=case.near)
    assert len(whole) == len(plain)
    np.testing.assert_allclose(whole.time, plain.time, atol=case.near)
    for v in plain.structure.states:
        np.testing.assert_allclose(whole[v.name], plain[v.name], atol=case.near, err_msg=v.name)


# ---------------------------------------------------------------- the file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.checkpoint"


def leave_checkpoint(path: Path, source: str | Path = BALL, **options: Any) -> None:
    """A run that is killed in the middle."""
    with stretches(steps=20, events=4, rows=20, work=40), pytest.raises(Killed):
        loaded(source).simulate(checkpoint=Deadly(path, lives=3), **options)


def test_the_file_is_gone_after_a_good_end(path: Path) -> None:
    leave_checkpoint(path)
    assert path.exists()
    result = loaded(BALL).simulate(checkpoint=path)
    assert result.time[-1] == 1.0
    assert list(path.parent.iterdir()) == []


def test_initialisation_is_not_repeated(path: Path) -> None:
    leave_checkpoint(path)
    with patch.object(starting, "solve_initial", side_effect=AssertionError("again")):
        loaded(BALL).simulate(checkpoint=path)


def test_resuming_is_told(path: Path) -> None:
    leave_checkpoint(path)
    told: list[float] = []
    loaded(BALL).simulate(checkpoint=Checkpoint(path, on_resume=told.append))
    assert len(told) == 1 and 0.0 < told[0] < 1.0


def refusal(path: Path, source: str | Path = BALL, **options: Any) -> str:
    before = path.read_bytes()
    with pytest.raises(UsageError) as caught:
        loaded(source).simulate(checkpoint=path, **options)
    assert path.read_bytes() == before, "somebody else's checkpoint"
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E504" and str(path) in diagnostic.message
    assert diagnostic.hint is not None and "delete" in diagnostic.hint
    return diagnostic.message


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"stop_time": 2.0}, "stop time is 1.0, not 2.0"),
        ({"start_time": 0.1}, "start time is 0.0, not 0.1"),
        ({"tolerance": 1e-9}, "tolerance is 1e-06, not 1e-09"),
        ({"method": "adams"}, "method is bdf, not adams"),
        ({"interval": 0.1}, "output interval is 0.002, not 0.1"),
        ({"max_step": 0.1}, "largest step is not given, not 0.1"),
        ({"linear_solver": "sparse"}, "linear solver is auto, not sparse"),
    ],
)
def test_other_settings_are_refused(path: Path, options: dict[str, Any], said: str) -> None:
    leave_checkpoint(path)
    assert said in refusal(path, **options)


def test_other_parameters_are_refused(path: Path) -> None:
    source = EXAMPLES / "BouncingBall.mo"
    leave_checkpoint(path, source, set={"c": 0.9})
    assert "c = 0.9, not c = 0.7" in refusal(path, source, set={"c": 0.7})
    assert "c = 0.9, not as the model has it" in refusal(path, source)


def test_another_model_is_refused(path: Path) -> None:
    leave_checkpoint(path)
    assert "model is Ball, not Thermostats" in refusal(path, THERMOSTATS)


@pytest.mark.parametrize(
    "change", [("0.99", "0.98"), ("start = 1,", "start = 2,"), ("Real h(", "Real h(nominal = 5, ")]
)
def test_a_changed_model_is_refused(path: Path, change: tuple[str, str]) -> None:
    leave_checkpoint(path)
    assert "the model has been changed" in refusal(path, BALL.replace(*change))


def test_another_format_is_refused(path: Path) -> None:
    with patch("saltus.run.resume.checkpoint.FORMAT", 0):
        leave_checkpoint(path)
    assert "another version of the format (0, not 4)" in refusal(path)


@pytest.mark.parametrize("content", [b"", b"model Ball end Ball;", b"PK\x03\x04", bytes(1000)])
def test_files_that_are_no_checkpoints_are_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert "is not a checkpoint, or is damaged" in refusal(path)


def test_an_array_or_a_foreign_archive_is_refused(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.zeros(3))
    assert "is not a checkpoint" in refusal(path)
    with path.open("wb") as file:
        np.savez(file, x=np.zeros(3))
    assert "is not a checkpoint" in refusal(path)


def test_a_file_cut_off_anywhere_is_refused(path: Path) -> None:
    leave_checkpoint(path)
    whole = path.read_bytes()
    for size in np.linspace(0, len(whole) - 1, 40).astype(int):
        path.write_bytes(whole[:size])
        assert "damaged" in refusal(path)


def test_a_file_with_a_wrong_byte_is_refused_or_none_the_worse(path: Path) -> None:
    """All contents are under checksums; some bytes of the archive's own (dates, say) do not matter."""
    leave_checkpoint(path)
    whole = path.read_bytes()
    expected = loaded(BALL).simulate(checkpoint=path)
    refused = 0
    for at in np.linspace(0, len(whole) - 1, 200).astype(int).tolist():
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        try:
            result = loaded(BALL).simulate(checkpoint=path)
        except UsageError as error:
            assert [d.code for d in error.diagnostics] == ["E504"]
            refused += 1
        else:
            assert_identical(result, expected)
    assert refused > 150


def test_a_checkpoint_that_cannot_be_written_does_not_end_the_run(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "nowhere" / "run.checkpoint", seconds=0.0)
    with stretches(steps=20, events=4, rows=20, work=40):
        result = loaded(BALL).simulate(checkpoint=checkpoint)
    assert result.time[-1] == 1.0 and checkpoint.written == 0
    assert [w.code for w in result.warnings] == ["W405"]


def test_writing_takes_a_small_part_of_the_time(path: Path) -> None:
    """After the first second, and then as seldom as the time it takes asks for."""
    now = 0.0

    class Slow:
        def update(self, result: Result) -> None:
            nonlocal now
            now += 2.0

    with patch("saltus.run.resume.checkpoint.perf_counter", lambda: now):
        checkpoint = Checkpoint(path, [Slow()])
        saved, result = Saved({}, {}), loaded(BALL).simulate()
        assert not checkpoint.is_due()
        now = 1.0
        assert checkpoint.is_due()
        checkpoint.write({}, saved, result)
        now += 39.0
        assert not checkpoint.is_due()
        now += 1.5
        assert checkpoint.is_due()


def test_a_failed_run_leaves_its_checkpoint_and_fails_again(path: Path) -> None:
    source = BALL.replace("end Ball", '  assert(bounces < 4, "four bounces");\nend Ball')
    model = loaded(source)

    def failure() -> RunError:
        checkpoint = Checkpoint(path, seconds=0.0)
        with stretches(steps=20, events=4, rows=20, work=40), pytest.raises(RunError) as caught:
            model.simulate(stop_time=20, checkpoint=checkpoint)
        return caught.value

    first = failure()
    assert path.exists()
    again = failure()
    assert again.diagnostics == first.diagnostics
    assert isinstance(first.partial, Result) and isinstance(again.partial, Result)
    assert_identical(first.partial, again.partial)


def test_ctrl_c_keeps_the_checkpoint(path: Path) -> None:
    class Impatient(Deadly):
        def write(self, identity: Mapping[str, Any], saved: Saved, result: Result) -> None:
            super().write(identity, saved, result)
            if self.written == 3:
                raise KeyboardInterrupt

    with stretches(steps=20, events=4, rows=20, work=40):
        stopped = loaded(BALL).simulate(checkpoint=Impatient(path))
        assert stopped.interrupted and path.exists()
        result = loaded(BALL).simulate(checkpoint=path)
        whole, _ = undisturbed(case(BALL))
    assert not path.exists()
    assert_identical(result, whole)
