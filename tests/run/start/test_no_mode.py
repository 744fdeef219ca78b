"""A model that can begin in none of its modes."""

from __future__ import annotations

import pytest

import saltus


def test_a_mode_that_was_entered_on_the_way_is_tried_as_a_beginning() -> None:
    """With the valve open the inflow is constant, and its derivative asks for a level of 4 m; the start value
    is another. A program made to enter this mode was asked for an initial system, which it has not got."""
    model = saltus.load(
        """model Tank
          parameter Real Q = 0.02;
          Real h(start = 0.1, fixed = true), q, u;
        equation
          der(q) = q - 0.01*sqrt(h);
          u = 4*(0.8 - h);
          q = if u < 0 then 0 elseif u <= 1 then u*Q else Q;
        end Tank;"""
    )
    with pytest.raises(saltus.RunError) as caught:
        model.simulate()
    assert caught.value.diagnostics[0].code == "E404" and "can start" in str(caught.value)
