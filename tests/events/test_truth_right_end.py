"""Where events are placed: at the right end of their bracket, where the relation has the truth it changes to.

The residue of the relation that fired, computed at the instant of the event from the states recorded there,
has the sign of the new truth. And a relation that changed its truth changes it back before it changes it
again.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from truth_cases import every_case

import saltus

MODELS = {
    "oscillator": (
        """model M Real x(start = 1, fixed = true), y(start = 0, fixed = true); Boolean b[4];
        equation der(x) = y; der(y) = -x; b = {x > 0.3, x >= -0.5, y < 0.2, y <= x}; end M;""",
        20.0,
    ),
    "ball": (
        """model M Real h(start = 1, fixed = true), v(start = 0, fixed = true);
        equation der(h) = v; der(v) = -9.81; when h <= 0 then reinit(v, -0.8*pre(v)); end when; end M;""",
        2.0,
    ),
    "function of time": (
        """model M Real x; Boolean b, c; equation x = sin(3*time) + cos(5*time)/2; b = x > 0.1; c = x < 0.7;
        end M;""",
        6.0,
    ),
    "loop": (
        """model M Real x(start = 2, fixed = true), y(start = 1); Boolean b;
        equation der(x) = -x + 2*sin(4*time); y + y^3 = x; b = y >= 0.2; end M;""",
        6.0,
    ),
    "relays": (
        """model M Real x(start = 0, fixed = true), z(start = 0, fixed = true);
        Boolean on(start = true, fixed = true);
        equation der(x) = (if on then 1 else -1) - x/2; der(z) = x - z;
        on = if pre(on) then not x > 0.7 else x < 0.2; end M;""",
        10.0,
    ),
    "stiff": (
        """model M Real x(start = 1, fixed = true); Boolean b;
        equation der(x) = -1e4*(x - cos(3*time)); b = x > 0.4; end M;""",
        5.0,
    ),
    "large numbers": (
        """model M Real p(start = 1e5, fixed = true, nominal = 1e5);
        Real q(start = 0, fixed = true, nominal = 1e5);
        Boolean b; equation der(p) = 7*q; der(q) = -7*p; b = p > 3e4; end M;""",
        5.0,
    ),
}


@pytest.fixture(scope="module")
def loaded() -> dict[str, saltus.Model]:
    return {name: saltus.load(text) for name, (text, _) in MODELS.items()}


@every_case
@pytest.mark.parametrize("name", MODELS)
def test_the_relation_is_true_where_it_becomes_true(
    loaded: dict[str, saltus.Model], name: str, method: str, tolerance: float
) -> None:
    result = loaded[name].simulate(stop_time=MODELS[name][1], tolerance=tolerance, method=method)
    last: dict[str, bool] = {}
    seen = 0
    for event in result.events:
        for cause in event.causes:
            if cause.kind != "relation":
                continue
            seen += 1
            assert cause.before is not None and cause.truth is not None
            above = ">" in cause.text
            side = 1 if above == cause.truth else -1
            # Where zero itself has the new truth, being at zero is right too.
            zero_counts = ("=" in cause.text) == cause.truth
            assert cause.before * side > 0 or (zero_counts and cause.before == 0), (event.time, cause)
            assert last.get(cause.text) != cause.truth, f"{cause.text} became {cause.truth} twice"
            last[cause.text] = cause.truth
    assert seen >= 4
    assert np.all(np.diff([e.time for e in result.events]) >= 0)


@settings(max_examples=30)
@given(st.floats(-0.95, 0.95), st.floats(0.5, 20), st.sampled_from([1e-4, 1e-7, 1e-10]))
def test_thresholds_of_an_oscillator(threshold: float, omega: float, tolerance: float) -> None:
    result = OSCILLATOR.simulate(
        stop_time=5, tolerance=tolerance, set={"threshold": threshold, "omega": omega}, interval=5
    )
    causes = [(e.time, c) for e in result.events for c in e.causes if c.kind == "relation"]
    for _, cause in causes:
        assert cause.before is not None and (cause.before > 0) == cause.truth
    truths = [c.truth for _, c in causes]
    assert all(a != b for a, b in pairwise(truths))


OSCILLATOR = saltus.load(
    """model M parameter Real threshold = 0, omega = 1;
      Real x(start = 1, fixed = true), y(start = 0, fixed = true); Boolean b;
    equation der(x) = omega*y; der(y) = -omega*x; b = x > threshold; end M;"""
)
