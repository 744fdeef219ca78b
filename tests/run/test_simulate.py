"""Whole runs of models written by hand, against closed forms."""

import math
import time as clock
from fractions import Fraction

import numpy as np
import pytest
from hand_models import Model, bouncing_ball

from saltus.core.diagnostics import RunError, UsageError
from saltus.expr.nodes import (
    TERMINAL,
    TIME,
    Op,
    Type,
    add,
    call,
    const,
    der,
    if_,
    neg,
    not_,
    or_,
    pre,
    relation,
)
from saltus.run.schedule.settings import Settings
from saltus.run.simulate import simulate


def bounce_times(height, restitution, count, g=9.81):
    """Instants of the first bounces of a ball dropped from rest."""
    fall = math.sqrt(2.0 * height / g)
    times = [fall]
    flight = 2.0 * fall
    for _ in range(count - 1):
        flight *= restitution
        times.append(times[-1] + flight)
    return times


def codes(error):
    return [d.code for d in error.value.diagnostics]


def test_ball_bounces_at_the_times_of_the_closed_form():
    result = bouncing_ball(0.7).run(stop_time=2.4, tolerance=1e-9)
    hits = [e.time for e in result.events if e.reinitialised]
    expected = bounce_times(1.0, 0.7, len(hits))
    assert len(hits) == len([t for t in bounce_times(1.0, 0.7, 40) if t < 2.4])
    np.testing.assert_allclose(hits, expected, atol=1e-7)
    for event in (e for e in result.events if e.reinitialised):
        (jump,) = event.reinitialised
        assert jump.name == "v" and jump.new == -0.7 * jump.old
        (cause,) = event.causes
        assert (cause.kind, cause.text, cause.truth) == ("relation", "h <= 0", True)
    assert result["n"][-1] == len(hits)


def test_events_give_two_rows_and_output_points_do_not_drift():
    result = bouncing_ball(0.7).run(stop_time=1.0, interval=0.1, tolerance=1e-8)
    times = result.time
    events = [e.time for e in result.events if e.time > 0.0]
    assert len(events) >= 2
    for t in events:
        left, right = np.flatnonzero(times == t)
        assert right == left + 1
    assert [t for t in times if t not in events] == [k * 0.1 for k in range(10)] + [1.0]
    (hit,) = (e.time for e in result.events if e.reinitialised)
    left, right = np.flatnonzero(times == hit)
    assert result["v"][right] == -0.7 * result["v"][left] > 0.0
    assert result["h"][right] == result["h"][left]
    np.testing.assert_array_equal(result["der(h)"], result["v"])


def test_a_spring_that_touches_is_not_integrated_past_the_wall():
    # der(v) = -g - (if x < 0 then k*x else 0): the force is continuous at the contact, so derivatives
    # there are equal bit for bit, but the equations are not.
    m = Model("Spring")
    x = m.state("x", 1.0)
    v = m.state("v", 0.0)
    touches = m.relation(Op.LT, x, "x < 0")
    m.equation(der(x), v)
    m.equation(der(v), if_(touches, const(-10.0) - 1000.0 * x, const(-10.0)))
    result = m.run(stop_time=0.9, tolerance=1e-9)
    t1 = math.sqrt(0.2)
    omega, v1 = math.sqrt(1000.0), -10.0 * t1
    after = result.time > t1 + 1e-6
    tau = result.time[after] - t1
    exact = -0.01 + 0.01 * np.cos(omega * tau) + v1 / omega * np.sin(omega * tau)
    inside = tau < 0.09  # still in contact
    assert inside.sum() > 10
    np.testing.assert_allclose(result["x"][after][inside], exact[inside], atol=1e-6)


def test_sampled_counter_counts_at_exact_tenths():
    m = Model("Counter")
    n = m.discrete("n", Type.INTEGER, start=0, fixed=True)
    fast = m.discrete("fast", Type.INTEGER, start=0, fixed=True)
    m.when(m.edge(m.clock(0.0, 0.3)), n, pre(n) + 1)
    m.when(m.edge(m.clock(0.0, 0.1)), fast, pre(fast) + 1)
    result = m.run(stop_time=1000.0, interval=100.0)
    ticks = [e for e in result.events if any(c.kind == "clock" for c in e.causes)]
    assert [e.time for e in ticks] == [float(Fraction(k, 10)) for k in range(10001)]
    assert [len(e.causes) - (e.time == 0) for e in ticks] == [2 if k % 3 == 0 else 1 for k in range(10001)]
    assert result["n"][-1] == 3334 and result["fast"][-1] == 10001
    assert result["n"][0] == 0 and result["n"][1] == 1  # the two limits at the start


def test_a_clock_starts_late_and_the_run_later_still():
    m = Model("Late")
    n = m.discrete("n", Type.INTEGER, start=0, fixed=True)
    m.when(m.edge(m.clock(0.5, 0.25)), n, pre(n) + 1)
    assert [e.time for e in m.run(stop_time=1.0).events] == [0.0, 0.5, 0.75, 1.0]
    later = m.run(start_time=0.6, stop_time=1.3)
    assert [e.time for e in later.events] == [0.6, 0.75, 1.0, 1.25]


def test_the_integrator_sees_sampled_values():
    # x' = u, u held at pre(u) + 1 every second: x(t) = sum of k over whole seconds
    m = Model("Hold")
    x = m.state("x")
    u = m.discrete("u", Type.REAL, start=0.0, fixed=True)
    m.equation(der(x), u)
    m.when(m.edge(m.clock(1.0, 1.0)), u, pre(u) + 1.0)
    result = m.run(stop_time=5.0, interval=0.5)
    assert result["x"][-1] == pytest.approx(0 + 1 + 2 + 3 + 4, abs=1e-9)
    assert result["u"][-1] == 5.0


def test_time_events_happen_at_exactly_their_times():
    m = Model("Times")
    y = m.algebraic("y")
    z = m.algebraic("z")
    late = m.relation(Op.GT, 3.0 * TIME - 0.9, "3*time > 0.9", slope=3.0, offset=-0.9)
    m.equation(y, if_(m.after(0.1), const(1.0), const(0.0)))
    m.equation(z, if_(late, TIME, const(0.0)))
    result = m.run(stop_time=1.0, interval=0.25)
    assert [e.time for e in result.events] == [0.0, 0.1, 0.9 / 3.0]
    for t, name in ((0.1, "y"), (0.9 / 3.0, "z")):
        left, right = np.flatnonzero(result.time == t)
        assert result[name][left] == 0.0 and result[name][right] != 0.0
    assert [c.kind for c in result.events[1].causes] == ["time"]


def test_a_time_event_that_schedules_its_successor():
    # when time >= pre(next) then next = pre(next) + 0.1
    m = Model("Chain")
    n = m.discrete("n", Type.INTEGER, start=0, fixed=True)
    following = m.discrete("following", Type.REAL, start=0.5, fixed=True)
    due = m.relation(
        Op.GE, TIME - pre(following), "time >= pre(following)", slope=1.0, offset=neg(pre(following))
    )
    edge = m.edge(due)
    m.when(edge, following, pre(following) + 0.25)
    m.when(edge, n, pre(n) + 1)
    result = m.run(stop_time=2.0)
    assert [e.time for e in result.events if e.changes] == [0.5 + 0.25 * k for k in range(7)]
    assert result["n"][-1] == 7


def test_time_greater_than_start_holds_from_the_start():
    m = Model("Start")
    y = m.algebraic("y")
    m.equation(y, if_(m.relation(Op.GT, TIME, "time > 0", slope=1.0, offset=0.0), const(1.0), const(0.0)))
    result = m.run(stop_time=1.0, interval=0.5)
    assert list(result["y"]) == [0.0, 1.0, 1.0, 1.0]


def test_limiter_without_states():
    m = Model("Limiter")
    u = m.algebraic("u")
    y = m.algebraic("y")
    above = m.relation(Op.GT, u - 1.0, "u > 1")
    below = m.relation(Op.LT, u + 1.0, "u < -1")
    m.equation(u, 2.0 * call("sin", TIME))
    m.equation(y, if_(above, const(1.0), if_(below, const(-1.0), u)))
    result = m.run(stop_time=2 * math.pi, tolerance=1e-8)
    np.testing.assert_allclose(result["y"], np.clip(2.0 * np.sin(result.time), -1.0, 1.0), atol=1e-9)
    crossings = sorted({round(e.time, 6) for e in result.events if e.relations})
    expected = [math.pi * f for f in (1 / 6, 5 / 6, 7 / 6, 11 / 6)]
    assert crossings == pytest.approx(expected, abs=2e-6)


def test_a_model_with_nothing_in_it_but_time():
    m = Model("Plain")
    m.equation(m.algebraic("y"), 2.0 * TIME)
    result = m.run(stop_time=1.0, interval=0.25)
    assert list(result["y"]) == [0.0, 0.5, 1.0, 1.5, 2.0]


def test_start_equal_to_stop_gives_the_initial_values():
    result = bouncing_ball().run(stop_time=0.0)
    assert list(result.time) == [0.0] and result["h"][0] == 1.0


def test_terminate_ends_gracefully_and_says_why():
    m = bouncing_ball(0.7)
    n = next(v for v in m.variables["discrete"] if v.name == "n")
    from saltus.expr.nodes import ref

    third = m.edge(relation(Op.GE, ref(n.symbol), const(3)), "when n >= 3")
    m.terminate(third, "bounced enough")
    result = m.run(stop_time=10.0, tolerance=1e-9)
    assert result.time[-1] == pytest.approx(bounce_times(1.0, 0.7, 3)[-1], abs=1e-7)
    assert result["n"][-1] == 3
    (warning,) = result.warnings
    assert warning.code == "W402" and "bounced enough" in warning.message
    assert not result.interrupted


def test_terminal_is_true_at_the_end_only():
    m = Model("Ending")
    x = m.state("x")
    last = m.discrete("last", Type.REAL, start=0.0, fixed=True)
    m.equation(der(x), 1.0)
    m.when(m.edge(TERMINAL), last, x)
    result = m.run(stop_time=2.0)
    assert result["last"][-1] == pytest.approx(2.0) and result["last"][-2] == 0.0


def test_assertion_of_error_level_ends_the_run_with_what_there_is():
    m = Model("Check")
    x = m.state("x")
    m.equation(der(x), 1.0)
    m.check(
        relation(Op.LT, x, const(0.55)),
        call("concat", const("x is too large: "), call("String", x)),
    )
    with pytest.raises(RunError) as error:
        m.run(stop_time=1.0, interval=0.1)
    assert codes(error) == ["E406"]
    (diagnostic,) = error.value.diagnostics
    assert "x is too large: 0.6" in diagnostic.message and "time 0.6" in diagnostic.message
    assert diagnostic.span.text == "assert(...)"
    partial = error.value.partial
    np.testing.assert_allclose(partial.time, np.linspace(0.0, 0.6, 7))
    np.testing.assert_allclose(partial["x"], partial.time, atol=1e-9)


def test_assertion_of_warning_level_is_told_once():
    m = Model("Warn")
    x = m.state("x")
    m.equation(der(x), 1.0)
    m.check(relation(Op.LT, x, const(0.5)), "large", warning=True)
    result = m.run(stop_time=1.0)
    assert [w.code for w in result.warnings] == ["W401"]
    assert result.time[-1] == 1.0


def test_assertion_inside_a_when_clause_is_looked_at_in_its_round():
    m = Model("Guarded")
    n = m.discrete("n", Type.INTEGER, start=0, fixed=True)
    tick = m.edge(m.clock(0.0, 0.1))
    m.when(tick, n, pre(n) + 1)
    m.check(relation(Op.LT, n, const(4)), "too many", guard=tick)
    with pytest.raises(RunError, match="too many") as error:
        m.run(stop_time=1.0)
    assert codes(error) == ["E406"]
    assert error.value.partial["n"][-1] == 3


def test_not_pre_of_itself_is_refused_by_name():
    m = Model("Flip")
    p = m.discrete("p", start=False, fixed=True)
    m.equation(p, not_(pre(p)), "p = not pre(p);")
    with pytest.raises(RunError) as error:
        m.run(stop_time=1.0)
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "E404"
    assert diagnostic.message.startswith("`p` keeps changing at time 0")
    assert diagnostic.span.text == "p = not pre(p);"


def test_a_relation_that_contradicts_itself_is_refused_by_name():
    m = Model("Liar")
    x = m.state("x", -1.0)
    y = m.algebraic("y")
    positive = m.relation(Op.GT, y, "y > 0")
    m.equation(der(x), 1.0)
    # y = x until x > 0; then y > 0 makes y negative and the other way round
    past = m.relation(Op.GT, x, "x > 0")
    m.equation(y, if_(past, if_(positive, const(-1.0), const(1.0)), const(-1.0)))
    with pytest.raises(RunError) as error:
        m.run(stop_time=2.0)
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "E404" and "`y > 0`" in diagnostic.message
    assert "`x > 0`" not in diagnostic.message
    assert error.value.partial.time[-1] == pytest.approx(1.0, abs=1e-6)


def test_division_by_zero_at_the_start_is_named():
    m = Model("Divide")
    x = m.state("x", 0.0)
    y = m.algebraic("y")
    m.equation(der(x), 1.0)
    m.equation(y, 1.0 / x, "y = 1/x;")
    with pytest.raises(RunError) as error:
        m.run()
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "E402"
    assert "`x` is 0 at time 0" in diagnostic.message
    assert diagnostic.span.text == "y = 1/x;"


def test_an_invalid_value_is_named():
    m = Model("Invalid")
    x = m.state("x", -1.0)
    y = m.algebraic("y")
    m.equation(der(x), 1.0)
    m.equation(y, call("log", x), "y = log(x);")
    with pytest.raises(RunError) as error:
        m.run()
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "E407"
    assert "`y` is not a number at time 0" in diagnostic.message
    assert any("x = -1" in note.message for note in diagnostic.notes)


def test_an_unsolvable_start_names_variables_and_equations():
    m = Model("Unsolvable")
    y = m.algebraic("y", start=1.0)
    m.equation(y * y * y * y + call("exp", y) + 1.0, 0.0, "y^4 + exp(y) + 1 = 0;")
    with pytest.raises(RunError) as error:
        m.run()
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "E401"
    assert "`y`" in diagnostic.message
    assert any(n.span is not None and "exp(y)" in n.span.text for n in diagnostic.notes)


def test_a_solution_that_escapes_ends_with_a_partial_result():
    m = Model("Escape")
    x = m.state("x", 1.0)
    m.equation(der(x), x * x)
    with pytest.raises(RunError) as error:
        m.run(stop_time=2.0)
    assert codes(error)[0] in ("E405", "E407")
    partial = error.value.partial
    assert 0.9 < partial.time[-1] <= 1.001
    early = partial.time < 0.9
    np.testing.assert_allclose(partial["x"][early], 1.0 / (1.0 - partial.time[early]), rtol=1e-3)


def test_an_interrupt_gives_the_result_so_far():
    m = Model("Long")
    x = m.state("x")
    m.equation(der(x), call("cos", 1000.0 * TIME))
    calls = []

    def progress(fraction, events):
        calls.append(fraction)
        if fraction > 2e-5:  # on a busy machine the first call may come before the second row
            raise KeyboardInterrupt

    result = m.run(progress, stop_time=1e5, interval=1.0)
    assert result.interrupted and 0.0 < calls[-1] < 1.0
    assert [w.code for w in result.warnings] == ["W402"]
    assert 0.0 < result.time[-1] < 1e5


def test_parameters_can_be_set_and_their_dependents_follow():
    m = Model("Parameters")
    a = m.parameter("a", 2.0)
    b = m.parameter("b", 3.0 * a)
    flag = m.parameter("flag", False, Type.BOOLEAN)
    x = m.state("x", a)
    m.equation(der(x), if_(flag, b, const(0.0)))
    compiled = m.compiled()
    assert simulate(*compiled, Settings()).parameters == {"a": 2.0, "b": 6.0, "flag": False}
    changed = simulate(*compiled, Settings(overrides={"a": 5, "flag": True}))
    assert changed.parameters == {"a": 5.0, "b": 15.0, "flag": True}
    assert changed["x"][0] == 5.0 and changed["x"][-1] == pytest.approx(20.0)
    only_b = simulate(*compiled, Settings(overrides={"b": 1.0}))
    assert only_b.parameters["a"] == 2.0 and only_b.parameters["b"] == 1.0


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"gg": 1.0}, "no parameter `gg`"),
        ({"h": 1.0}, "`h` is a variable"),
        ({"g": "heavy"}, "must be a finite number"),
        ({"g": math.nan}, "must be a finite number"),
        ({"g": True}, "must be a finite number"),
    ],
)
def test_wrong_parameters_are_refused(overrides, words):
    with pytest.raises(UsageError, match=words):
        bouncing_ball().run(overrides=overrides)


@pytest.mark.parametrize(
    "settings",
    [
        {"stop_time": -1.0},
        {"tolerance": 0.0},
        {"interval": -0.1},
        {"interval": 0.0},
        {"stop_time": math.inf},
        {"max_step": 0.0},
    ],
)
def test_wrong_settings_are_refused(settings):
    with pytest.raises(UsageError) as error:
        bouncing_ball().run(**settings)
    assert codes(error) == ["E501"]


def test_reinit_while_other_events_coincide():
    # a clock tick and a time event in the same instant: one event, both effects, the state jumps once
    m = Model("Coincide")
    x = m.state("x")
    n = m.discrete("n", Type.INTEGER, start=0, fixed=True)
    m.equation(der(x), 1.0)
    tick = m.edge(m.clock(0.5, 10.0))
    late = m.edge(m.after(0.5))
    m.when(or_(tick, late), n, pre(n) + 1)
    m.reinit(late, x, add(pre(x), const(10.0)))
    result = m.run(stop_time=1.0)
    assert [e.time for e in result.events] == [0.0, 0.5]
    assert result["n"][-1] == 1
    assert result["x"][-1] == pytest.approx(11.0)


def test_zero_crossing_of_a_relation_that_starts_at_zero():
    # x starts at exactly 0, inside the band of x > 0, and leaves it upwards
    m = Model("FromZero")
    x = m.state("x", 0.0)
    y = m.algebraic("y")
    m.equation(der(x), 1.0)
    m.equation(y, if_(m.relation(Op.GT, x, "x > 0"), const(1.0), const(0.0)))
    result = m.run(stop_time=1.0, interval=0.25)
    assert result["y"][0] == 0.0 and result["y"][-1] == 1.0
    (event,) = (e for e in result.events if e.relations)
    assert 0.0 < event.time < 1e-8


def test_chattering_is_refused_by_name_instead_of_running_for_ever():
    # both sides push towards x = 0
    m = Model("Chatter")
    x = m.state("x", 0.5)
    m.equation(der(x), if_(m.relation(Op.GT, x, "x > 0"), const(-1.0), const(1.0)))
    with pytest.raises(RunError) as error:
        m.run(stop_time=2.0)
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "E404" and "`x > 0`" in diagnostic.message
    assert "chattering" in diagnostic.hint
    assert error.value.partial.time[-1] == pytest.approx(0.5, abs=1e-4)


def test_a_right_hand_side_that_ends_on_the_way_is_told():
    # x' = -1/sqrt(x) from 1: x = (1 - 3t/2)^(2/3), and there is nothing beyond t = 2/3
    m = Model("Vanish")
    x = m.state("x", 1.0)
    m.equation(der(x), -1.0 / call("sqrt", x), "der(x) = -1/sqrt(x);")
    with pytest.raises(RunError) as error:
        m.run(stop_time=1.0, tolerance=1e-9)
    assert codes(error)[0] in ("E402", "E405", "E407")
    assert "x" in str(error.value) or error.value.diagnostics[0].span is not None
    partial = error.value.partial
    assert partial.time[-1] == pytest.approx(2.0 / 3.0, abs=0.01)
    early = partial.time < 0.6
    exact = (1.0 - 1.5 * partial.time[early]) ** (2.0 / 3.0)
    np.testing.assert_allclose(partial["x"][early], exact, rtol=1e-4)


def test_ten_thousand_events_are_fast(capsys):
    m = bouncing_ball(1.0, height=1.0)
    compiled = m.compiled()
    stop = 2.0 * math.sqrt(2.0 / 9.81) * 10_000
    began = clock.perf_counter()
    result = simulate(*compiled, Settings(stop_time=stop, interval=stop / 10, tolerance=1e-10))
    seconds = clock.perf_counter() - began
    with capsys.disabled():
        per = 1e6 * seconds / len(result.events)
        print(f"\n{len(result.events)} events in {seconds:.2f} s: {per:.0f} microseconds each with steps")
    # The integrator's error in energy adds up over the bounces; the count still agrees to a thousandth.
    assert result["n"][-1] == pytest.approx(10_000, rel=1e-3)
