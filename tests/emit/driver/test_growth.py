"""How much longer the next step or panel may be."""

import math

from saltus.emit.driver import panels, runge_kutta


def test_bounds_of_roots_are_beyond_what_steps_and_panels_may_grow():
    """Native code takes no root there, and must come to the same number as if it did."""
    for part in (1 - 2.0**-53, 0.999, 0.1, 1e-5, 1e-30):
        error = runge_kutta.SMALL_ERROR * part
        assert runge_kutta.SAFETY * max(error, 1e-10) ** (-1 / 5) > runge_kutta.MOST_CHANGE
    for times in (1 + 2.0**-52, 1.001, 10.0, 1e30, math.inf):
        assert (panels.MOST_CALM * times) ** (1 / 3) > panels.MOST_GROWTH
