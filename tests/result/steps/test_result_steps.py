"""`result.steps` as users have it: columns, single steps, files; on a body whose steps are known by hand."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import UsageError
from saltus.result.result import Result
from saltus.result.steps.passed import KINDS
from saltus.result.steps.steps import Step
from saltus.result.trajectories.trajectories import UnknownVariable

#: A rigid stop for a body that is pushed on: the diode of mechanics. Then signals, one a round.
SOURCE = """
model M
  parameter Real m = 2 "mass";
  Real v(start = 3, fixed = true), f, minus_f = -f, x(start = 0, fixed = true);
  Boolean stopped(start = false, fixed = true), bell(start = false, fixed = true);
  Boolean light(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  m*der(v) = f;
  0 = if stopped then v else f;
  when time >= 0.5 then
    stopped = true;
  elsewhen pre(light) then
    stopped = false;
  end when;
  when pre(stopped) then
    bell = true;
    n = pre(n) + 1;
  end when;
  when pre(bell) then
    light = true;
  end when;
end M;
"""


@cache
def run() -> Result:
    return saltus.load(SOURCE).simulate(steps=True, interval=0.25)


def test_columns() -> None:
    """The body is stopped with the impulse -m*v, and let go two rounds later, without a velocity."""
    steps = run().steps
    k = [s.k for s in steps.at(0.5)]
    assert steps.kind[k].tolist() == ["left limit", *["pinnacle"] * 3, "continuous"]
    assert steps["stopped"][k].tolist() == [0, 1, 1, 1, 0]
    assert steps["bell"][k].tolist() == [0, 0, 1, 1, 1]
    assert steps["light"][k].tolist() == [0, 0, 0, 1, 1]
    assert steps["n"][k].tolist() == [0, 0, 1, 1, 1]
    assert steps["v"][k] == pytest.approx([3, 0, 0, 0, 0], abs=1e-12)
    assert steps["x"][k] == pytest.approx([1.5] * 5, rel=1e-9)
    assert steps.impulses("f")[k] == pytest.approx([0, -6, 0, 0, -6], abs=1e-12)
    assert steps.impulses("minus_f")[k] == pytest.approx([0, 6, 0, 0, 6], abs=1e-12)
    assert steps.mode[k].tolist() == ["not stopped", *["stopped"] * 3, "not stopped"]
    assert steps["m"].tolist() == [2.0] * len(steps)
    assert steps["time"].tolist() == steps.time.tolist()
    assert steps.event[k].tolist() == [1] * 5
    assert run().events[1].time == 0.5
    assert steps.event[steps.time == 0.25].tolist() == [-1]


def test_steps_are_numbered_in_the_order_of_the_run() -> None:
    steps = run().steps
    assert steps.k.tolist() == list(range(len(steps)))
    assert len(steps) == len(run()) + 3
    assert np.all(np.diff(steps.time) >= 0)
    assert set(steps.kind) <= set(KINDS)
    assert steps.instants == [(steps.at(0.5)[0].k, steps.at(0.5)[-1].k)]


def test_derivatives() -> None:
    """der(v) is a state's derivative in one mode and a variable in the other."""
    steps = run().steps
    np.testing.assert_allclose(steps["der(x)"], steps["v"], atol=1e-12)


def test_single_steps() -> None:
    steps = run().steps
    first, *_, last = steps.at(0.499)  # the nearest instant
    assert steps[first.k + 1] == Step(first.k + 1, 0.5, "pinnacle", 1, "stopped", {"f": -6.0})
    assert last.impulses == {"f": -6.0}
    assert [s.k for s in steps[1:3]] == [1, 2] and steps[-1].k == len(steps) - 1
    assert list(steps)[-1] == steps[-1]
    with pytest.raises(IndexError):
        steps[len(steps)]
    assert "pinnacle" in str(steps[first.k + 1]) and "impulse of f: -6" in str(steps[first.k + 1])


def test_the_text_shows_what_was_passed_through() -> None:
    lines = repr(run().steps).splitlines()
    assert lines[0] == f"<{len(run().steps)} steps: 0 mythical, 3 pinnacles>"
    assert [line.split()[2] for line in lines[1:]] == ["left", *["pinnacle"] * 3, "continuous"]


def test_names() -> None:
    steps = run().steps
    assert steps.names == run().names
    assert "v" in steps and "w" not in steps
    with pytest.raises(UnknownVariable):
        steps["w"]
    with pytest.raises(UsageError, match="no variable `w`"):
        steps.impulses("w")


def test_csv_reads_back(tmp_path: Path) -> None:
    """The columns of the result after number, time and kind, bit for bit."""
    run().steps.to_csv(tmp_path / "steps.csv")
    run().to_csv(tmp_path / "result.csv")
    with (tmp_path / "steps.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    with (tmp_path / "result.csv").open(newline="") as file:
        header = next(csv.reader(file))
    assert list(rows[0]) == ["k", "time", "kind", *header[1:]]
    steps = run().steps
    assert [int(row["k"]) for row in rows] == steps.k.tolist()
    assert [row["kind"] for row in rows] == steps.kind.tolist()
    for name in ("time", *run().names):
        assert [float(row[name]) for row in rows] == steps[name].tolist()
    assert {row["stopped"] for row in rows} == {"0", "1"} and {row["m"] for row in rows} == {"2.0"}


def test_csv_of_some_variables(tmp_path: Path) -> None:
    run().steps.to_csv(tmp_path / "steps.csv", ["v", "n"])
    lines = (tmp_path / "steps.csv").read_text().splitlines()
    assert lines[:2] == ["k,time,kind,v,n", "0,0.0,continuous,3.0,0"]


def test_csv_of_a_model_with_a_k_of_its_own(tmp_path: Path) -> None:
    source = "model K parameter Real k = 2; Real x(start = 1, fixed = true); equation der(x) = -k*x; end K;"
    saltus.load(source).simulate(steps=True).steps.to_csv(tmp_path / "steps.csv")
    assert (tmp_path / "steps.csv").read_text().splitlines()[0] == "step.k,time,kind,x,k"


def test_pandas() -> None:
    pytest.importorskip("pandas")
    frame = run().steps.to_pandas(["v", "n"])
    assert list(frame.columns) == ["v", "n"] and len(frame) == len(run().steps)
    assert frame.index.names == ["k", "time", "kind"]
    assert frame.xs("pinnacle", level="kind")["n"].tolist() == [0, 1, 1]


def test_a_run_that_was_not_asked() -> None:
    with pytest.raises(UsageError, match="kept no steps") as caught:
        _ = saltus.load(SOURCE).simulate().steps
    assert caught.value.diagnostics[0].hint == "simulate(steps=True)"


def test_a_run_without_events() -> None:
    """But for that at the start."""
    source = "model D Real x(start = 1, fixed = true); equation der(x) = -x; end D;"
    result = saltus.load(source).simulate(steps=True)
    assert result.steps["x"].tobytes() == result["x"].tobytes()
    assert set(result.steps.kind) == {"continuous"} and set(result.steps.mode) == {"no guards"}
    assert result.steps.instants == [] and len(result.steps.at(0.7)) == 1
