"""Events without end: each is named, and none hangs."""

from __future__ import annotations

import pytest
from event_runs import body, message, refused, times

import saltus
from saltus.core.diagnostics import ModelError, RunError


def test_a_boolean_that_contradicts_its_own_past_is_named() -> None:
    text = message(refused("model M Boolean p; equation p = not pre(p); end M;"))
    assert text.startswith("E404") and "`p`" in text


def test_a_counter_that_never_stops_is_named() -> None:
    text = message(
        refused("model M Integer n(start = 0); equation n = if time >= 0.5 then pre(n) + 1 else 0; end M;")
    )
    assert text.startswith("E404") and "`n`" in text and "0.5" in text


def test_two_variables_that_chase_each_other_are_both_named() -> None:
    text = message(
        refused(
            """model M Boolean a(start = false); Boolean b(start = true); Boolean quiet;
            equation a = time >= 0.5 and not pre(b); b = pre(a); quiet = time >= 0.7; end M;"""
        )
    )
    assert "`a`" in text and "`b`" in text and "quiet" not in text


def test_a_boolean_loop_that_no_values_satisfy_is_refused_at_translation() -> None:
    with pytest.raises(ModelError) as caught:
        saltus.load("model M Boolean a, b, c; equation a = not b; b = not c; c = not a; end M;")
    first = caught.value.diagnostics[0]
    assert first.code == "E305" and all(f"`{name}`" in first.message for name in "abc")


def test_a_boolean_loop_that_has_no_solution_any_more_is_named_then() -> None:
    # Until 0.5, b is false and a is true. After that a = not a.
    error = refused("model M Boolean a; Boolean b; equation a = not b; b = a and time > 0.5; end M;")
    text = message(error)
    assert text.startswith("E404") and "`a`" in text and "`b`" in text and "time 0.5" in text
    assert error.partial is not None and error.partial["a"][-1] and not error.partial["b"][-1]


def test_relations_that_flip_for_ever_are_named() -> None:
    # x = -1 if x > 0 else 1: no choice is consistent.
    error = refused("model M Real x; equation x = if x > 0 then -1 else 1; end M;")
    text = message(error)
    assert text.startswith("E404") and "x > 0" in text


def test_relations_that_flip_from_some_time_on_are_named_with_that_time() -> None:
    error = refused(
        """model M Real x; Real k; equation k = if time < 0.5 then 0 else 2;
        x = (if x > 0 then 1 - k else 1); end M;"""
    )
    text = message(error)
    assert text.startswith("E404") and "x > 0" in text and "0.5" in text


def test_two_modes_that_push_towards_each_other_are_named() -> None:
    # der(x) = -sign(x): chatters at 0 from t = 0.5 on; the run would slide there, but n would grow for ever.
    error = refused(
        """model M Real x(start = 0.5, fixed = true); Integer n; equation der(x) = if x > 0 then -1 else 1;
        when x > 0 then n = pre(n) + 1; end when; end M;"""
    )
    text = message(error)
    assert text.startswith("E404") and "`x > 0` is chattering" in text and "Hz" in text
    assert "`n`" in error.diagnostics[0].notes[0].message and error.diagnostics[0].span is not None
    assert error.partial is not None and error.partial.time[-1] == pytest.approx(0.5, abs=1e-3)


def test_a_ball_that_comes_to_rest_is_told_as_zeno() -> None:
    # Impacts pile up at t = sqrt(2/9.81)*(1 + 2c/(1 - c)) = 1.3545 for c = 0.5.
    error = refused(
        """model M Real h(start = 1, fixed = true); Real v(start = 0, fixed = true);
        equation der(h) = v; der(v) = -9.81; when h <= 0 then reinit(v, -0.5*pre(v)); end when; end M;""",
        stop_time=3,
    )
    text = message(error)
    assert "h <= 0" in text
    assert error.partial is not None and error.partial.time[-1] == pytest.approx(1.3545, abs=2e-2)


def test_a_state_reinitialised_again_and_again_is_named() -> None:
    error = refused(
        """model M Real x(start = 0, fixed = true); Boolean b(start = false);
        equation der(x) = 1; b = time >= 0.5 and not pre(b);
        when b then reinit(x, pre(x) + 1); end when; end M;"""
    )
    text = message(error)
    assert text.startswith("E404") and ("`x`" in text or "`b`" in text)


def test_many_events_that_are_not_endless_are_allowed() -> None:
    result = body(
        "Integer n(start = 0, fixed = true);", "when sample(0, 1e-4) then n = pre(n) + 1; end when;"
    )
    assert len(times(result)) == 10000 and result["n"][-1] == 10001


def test_what_is_too_fast_for_an_explicit_method_is_told() -> None:
    """A leaky diode charges a capacitor with a time constant of 10 ps. By bdf it follows the source."""
    model = saltus.load("""
    model Fast
      Real v(start = 0, fixed = true), s, i, u = 10*sin(314*time);
    equation
      u - v = if s > 0 then 1e-5*s else s;
      i = if s > 0 then s else 1e-8*s;
      1e-6*der(v) = i - v/1000;
    end Fast;
    """)
    with pytest.raises(RunError) as caught:
        model.simulate(stop_time=0.004, method="rk45")
    assert "--method rk45" in str(caught.value) and "--method bdf" in str(caught.value)
    result = model.simulate(stop_time=0.004, method="bdf")
    assert abs(result["v"] - result["u"]).max() < 1e-2
