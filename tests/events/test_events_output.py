"""What a run writes down: the output grid, limits at events, aliases, and parameters set from outside."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from event_runs import body, run, steps, times

import saltus
from saltus.core.diagnostics import RunError, UsageError
from saltus.tools.cli import main

# ---------------------------------------------------------------- the grid


def test_the_first_and_the_last_time_are_exact_whatever_the_interval() -> None:
    for start, stop, interval in ((0.1, 0.7, 0.1), (-1 / 3, 2 / 3, 0.3), (0.0, 1e-9, 3e-10), (5.0, 6.0, 7.0)):
        result = body(
            "Real x(start = 0, fixed = true);",
            "der(x) = 1;",
            start_time=start,
            stop_time=stop,
            interval=interval,
        )
        assert result.time[0] == start and result.time[-1] == stop
        inner = result.time[1:-1]
        np.testing.assert_array_equal(inner, start + interval * np.arange(1, len(inner) + 1))
        assert np.all(np.diff(result.time) > 1e-3 * min(interval, stop - start))


def test_an_interval_that_divides_the_span_up_to_rounding_adds_no_sliver() -> None:
    result = body("Real x;", "x = time;", stop_time=1, interval=0.1)
    assert len(result) == 11
    result = body("Real x;", "x = time;", stop_time=0.3, interval=0.1)
    assert list(result.time) == [0.0, 0.1, 0.2, 0.3]


def test_an_interval_longer_than_the_run_gives_both_ends() -> None:
    result = body("Real x(start = 1, fixed = true);", "der(x) = -x;", interval=10)
    assert list(result.time) == [0.0, 1.0]


def test_both_limits_at_events_and_no_third_row_where_an_output_point_coincides() -> None:
    result = body(
        "Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true);",
        "der(x) = 1; when sample(0.1, 0.1) then n = pre(n) + 1; end when;",
        interval=0.05,
    )
    counts = Counter(result.time.tolist())
    events = times(result)
    assert len(events) == 10
    assert all(counts[t] == 2 for t in events)
    assert all(count == 1 for t, count in counts.items() if t not in events)
    # Between the events there is one output point each, and the start.
    assert len(result) == 2 * 10 + 10 + 1
    assert np.all(np.diff(result.time) >= 0)


def test_an_event_a_hair_from_an_output_point_takes_its_place() -> None:
    # 0.3 and 3 * 0.1 differ in the last bit, on one side or the other.
    for instant in (0.3, 3 * 0.1, float(np.nextafter(3 * 0.1, 1))):
        result = body(
            "Real x(start = 0, fixed = true); Boolean b;",
            f"der(x) = 1; b = time >= {instant!r};",
            interval=0.1,
        )
        assert times(result) == [instant]
        near = result.time[np.abs(result.time - 0.3) < 1e-6]
        assert list(near) == [instant, instant]
        assert len(result) == 12


def test_no_two_rows_are_the_same() -> None:
    result = body(
        "Real x(start = 1, fixed = true); Real v(start = 0, fixed = true);",
        "der(x) = v; der(v) = -1; when x <= 0 then reinit(v, -0.9*pre(v)); end when;",
        stop_time=4,
    )
    rows = list(zip(result.time, result["x"], result["v"], result["der(v)"], strict=True))
    doubled = [row for row, count in Counter(rows).items() if count > 1]
    # Two rows may be equal only as the limits of an event that changed nothing continuous.
    assert {row[0] for row in doubled} <= set(times(result))
    assert len(doubled) <= len(times(result))


def test_a_model_in_which_nothing_moves() -> None:
    result = body("parameter Real p = 3; Real y;", "y = 2*p;", interval=0.25)
    assert list(result["y"]) == [6.0] * 5


# ---------------------------------------------------------------- names and files


def test_a_csv_of_every_type(tmp_path: Path) -> None:
    result = run(
        """model M
          type Mode = enumeration(off, slow, fast);
          Real x; Boolean b; Integer n; Mode mode; Real minus;
        protected
          Real hidden;
        equation
          x = time/3;
          hidden = x^2;
          minus = -x;
          b = time >= 0.5;
          n = if b then -7 else 12;
          mode = if b then Mode.fast else Mode.off;
        end M;""",
        interval=0.5,
    )
    target = tmp_path / "m.csv"
    result.to_csv(target)
    with target.open(newline="") as file:
        table = list(csv.reader(file))
    header, rows = table[0], table[1:]
    assert header[:6] == ["time", "x", "b", "n", "mode", "minus"]
    assert [r[0] for r in rows] == ["0.0", "0.5", "0.5", "1.0"]
    column = {name: [r[i] for r in rows] for i, name in enumerate(header)}
    assert column["b"] == ["0", "0", "1", "1"]
    assert column["n"] == ["12", "12", "-7", "-7"]
    assert column["mode"] == ["1", "1", "3", "3"]
    # Shortest texts that read back to the same numbers, and an alias with its sign.
    assert [float(t) for t in column["x"]] == [t / 3 for t in (0, 0.5, 0.5, 1)]
    assert [float(t) for t in column["minus"]] == [-float(t) for t in column["x"]]


def test_aliases_follow_with_their_sign_through_chains_and_events() -> None:
    result = body(
        "Real a(start = 1, fixed = true); Real b; Real c; Real d; Boolean p; Boolean q;",
        "der(a) = -a; b = -a; c = b; 0 = c + d; p = time >= 0.5; q = not p;",
    )
    np.testing.assert_array_equal(result["b"], -result["a"])
    np.testing.assert_array_equal(result["c"], -result["a"])
    np.testing.assert_array_equal(result["d"], result["a"])
    np.testing.assert_array_equal(result["q"], 1 - result["p"])
    assert len(result.structure.aliases) >= 3


def test_protected_variables_can_be_asked_for() -> None:
    result = body("Real y; protected Real x(start = 1, fixed = true);", "der(x) = 0; y = 2*x;")
    assert set(result["x"]) == {1.0} and set(result["y"]) == {2.0}


# ---------------------------------------------------------------- parameters


def test_a_set_parameter_changes_what_depends_on_it_without_translation() -> None:
    model = saltus.load(
        """model M
          parameter Real R = 2; parameter Real C = 0.5; parameter Real T = R*C; parameter Real k = 1/T;
          Real x(start = T, fixed = true); Boolean low;
        equation
          der(x) = -k*x; low = x < T/2;
        end M;"""
    )
    program = model.program
    for changes, constant in (({}, 1.0), ({"R": 6.0}, 3.0), ({"T": 0.25}, 0.25), ({"R": 9.0, "T": 2.0}, 2.0)):
        result = model.simulate(stop_time=2 * constant, set=changes, tolerance=1e-9)
        assert result.parameters["T"] == constant and result.parameters["k"] == 1 / constant
        assert result["x"][0] == constant
        (_, (t, _)) = steps(result, "low")
        assert t == pytest.approx(constant * np.log(2), rel=1e-6)
    assert model.program is program
    assert model.simulate().parameters["R"] == 2.0, "values set for one run are gone in the next"


def test_a_set_parameter_feeds_others_through_a_user_function() -> None:
    model = saltus.load(
        """model M
          function weighted
            input Real a; input Real w[3]; output Real s;
          algorithm
            s := 0;
            for i in 1:3 loop
              s := s + a^i*w[i];
            end for;
          end weighted;
          parameter Real a = 2;
          parameter Real b = weighted(a, {1, 10, 100});
          parameter Real c = b + 1;
          parameter Real d = weighted(c, {1, 0, 0});
          Real x(start = d, fixed = true);
        equation
          der(x) = 0;
        end M;"""
    )

    def weighted(a: float) -> float:
        return a + 10 * a**2 + 100 * a**3

    def expected(changes: dict[str, float]) -> dict[str, float]:
        a = changes.get("a", 2.0)
        b = changes.get("b", weighted(a))
        c = changes.get("c", b + 1)
        return {"a": a, "b": b, "c": c, "d": changes.get("d", c)}

    for changes in ({}, {"a": 3.0}, {"b": 5.0}, {"c": -1.0}, {"a": 3.0, "c": 4.0}, {"d": 0.5}):
        result = model.simulate(set=changes)
        assert result.parameters == pytest.approx(expected(changes)), changes
        assert result["x"][-1] == pytest.approx(expected(changes)["d"])


def test_set_on_the_command_line_reaches_what_depends_on_it(tmp_path: Path) -> None:
    source, target = tmp_path / "M.mo", tmp_path / "m.csv"
    source.write_text(
        """model M
          function cube input Real a; output Real b; algorithm b := a^3; end cube;
          parameter Real a = 2; parameter Real b = cube(a); Real y;
        equation
          y = b + time;
        end M;"""
    )
    with pytest.raises(SystemExit) as ended:
        main(["simulate", str(source), "--set", "a=3", "--interval", "1", "--output", str(target)])
    assert ended.value.code == 0
    with target.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["y"]) for row in rows] == [27.0, 28.0]


def test_a_start_value_that_depends_on_a_set_parameter_through_a_parameter_without_a_binding() -> None:
    model = saltus.load(
        """model M parameter Real b = 2; parameter Real a(start = 3*b); parameter Real c = a + b; Real y;
        equation y = c; end M;"""
    )
    assert model.simulate()["y"][0] == 8
    assert model.simulate(set={"b": 5.0})["y"][0] == 20
    assert model.simulate(set={"a": 1.0})["y"][0] == 3


def test_a_set_value_that_makes_another_parameter_infinite_is_told() -> None:
    model = saltus.load(
        "model M parameter Real p = 2; parameter Real q = 1/p; Real y; equation y = q; end M;"
    )
    with pytest.raises(RunError) as caught:
        model.simulate(set={"p": 0})
    first = caught.value.diagnostics[0]
    assert first.code == "E402" and "`p`" in first.message


def test_values_of_the_wrong_kind_are_refused() -> None:
    model = saltus.load(
        """model M parameter Boolean on = true; parameter Integer n = 2; final parameter Real f = 1;
        parameter Real half = 0.5*n; Real y; equation y = if on then half else f; end M;"""
    )
    assert model.simulate(set={"on": False})["y"][0] == 1
    assert model.simulate(set={"n": 6})["y"][0] == 3
    for wrong in ({"on": 2}, {"n": 1.5}, {"f": 2}, {"y": 1}, {"m": 1}, {"half": float("nan")}):
        with pytest.raises(UsageError):
            model.simulate(set=wrong)


def test_warnings_of_the_translation_are_told_once() -> None:
    model = saltus.load("model M Real x; equation der(x) = 1; end M;")
    assert [w.code for w in model.warnings] == ["W301"]
    assert model.simulate().warnings == [] and len(model.warnings) == 1
