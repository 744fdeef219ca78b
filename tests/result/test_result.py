"""Names, aliases, parameters and derived forms of a result."""

from pathlib import Path

import numpy as np
import pytest
from hand_models import Model, bouncing_ball

import saltus
from saltus.expr.nodes import Op, Type, der, not_, pre, relation
from saltus.result.trajectories.trajectories import UnknownVariable


@pytest.fixture(scope="module")
def ball():
    return bouncing_ball().run(stop_time=1.0, tolerance=1e-8)


def test_names_are_in_order_of_declaration_and_without_helpers(ball):
    assert ball.names == ["h", "v", "n"]
    assert list(ball) == ball.names
    assert ball.parameters == {"g": 9.81, "e": 0.7}


def test_values_by_name(ball):
    assert len(ball.time) == len(ball) == len(ball["h"])
    np.testing.assert_array_equal(ball["time"], ball.time)
    np.testing.assert_array_equal(ball["g"], np.full(len(ball), 9.81))
    np.testing.assert_array_equal(ball["der(v)"], np.full(len(ball), -9.81))
    assert "h" in ball and "der(h)" in ball and "w" not in ball


def test_the_arrays_are_the_users_own(ball):
    values = ball["h"]
    values[:] = 7.0
    assert ball["h"][0] == 1.0


def test_unknown_names_get_suggestions(ball):
    with pytest.raises(KeyError) as error:
        ball["der(w)"]
    assert isinstance(error.value, UnknownVariable)
    assert "der(v)" in str(error.value) or "der(h)" in str(error.value)
    assert error.value.diagnostic.code == "E502"


def test_aliases_carry_their_sign():
    m = Model("Alias")
    x = m.state("x", 1.0)
    minus = m.algebraic("minus")
    same = m.algebraic("same")
    held = m.algebraic("held")
    p = m.parameter("p", 4.0)
    m.equation(der(x), -x)
    m.equation(minus, -x)
    m.equation(same, x)
    m.equation(held, p)
    result = m.run(stop_time=1.0, tolerance=1e-9)
    assert result.names == ["x", "minus", "same", "held"]
    np.testing.assert_allclose(result["minus"], -np.exp(-result.time), atol=1e-7)
    np.testing.assert_array_equal(result["same"], -result["minus"])
    np.testing.assert_array_equal(result["der(minus)"], result["x"])
    np.testing.assert_array_equal(result["held"], np.full(len(result), 4.0))


def test_booleans_are_numbers_also_when_negated():
    m = Model("Logic")
    n = m.discrete("n", Type.INTEGER, start=0, fixed=True)
    odd = m.discrete("odd", start=False)
    even = m.discrete("even", start=True)
    m.when(m.edge(m.clock(0.0, 1.0)), n, pre(n) + 1)
    from saltus.expr.nodes import call, const

    m.equation(odd, relation(Op.EQ, call("mod", n, const(2)), const(1)))
    m.equation(even, not_(odd))
    result = m.run(stop_time=3.5, interval=0.5)
    np.testing.assert_array_equal(result["odd"], result["n"] % 2)
    np.testing.assert_array_equal(result["even"], 1 - result["odd"])


def test_pandas(ball):
    pandas = pytest.importorskip("pandas")
    frame = ball.to_pandas(["h", "n"])
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["h", "n"] and frame.index.name == "time"
    np.testing.assert_array_equal(frame["h"].to_numpy(), ball["h"])


def test_the_representation_says_what_there_is(ball):
    assert "Ball" in repr(ball) and "3 variables" in repr(ball)
    assert ball.statistics["steps"] > 0 and ball.statistics["events"] == len(ball.events)


def test_a_result_says_how_many_events_there_are() -> None:
    """As many as can be looked at: the start of the run is one of them."""
    run = saltus.load(Path(__file__).parents[2] / "examples" / "BouncingBall.mo").simulate()
    assert f"{len(run.events)} events, the start of the run included>" in repr(run)
    assert repr(run.events).startswith(f"<{len(run.events)} events, the start of the run included>")
    assert f"{len(run)} rows" in repr(run)
