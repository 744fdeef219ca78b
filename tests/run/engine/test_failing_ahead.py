"""Right-hand sides that fail from some moment on: the run ends there, soon and with the reason."""

from __future__ import annotations

import math
import time

import pytest

import saltus
from saltus.core.diagnostics import RunError

LIMIT = 10.0  # seconds; such runs used to go on for hours

#: Model, what is told, and when it happens.
CASES = {
    "assertion on a state": (
        """
        function f
          input Real x;
          output Real y;
        algorithm
          assert(x < 1, "x is too large");
          y := x^2 + 1;
        end f;
        model Growing
          Real x(start = 0, fixed = true);
        equation
          der(x) = f(x);
        end Growing;
        """,
        "x is too large",
        math.pi / 4,
    ),
    "assertion on the time": (
        """
        function f
          input Real t;
          output Real y;
        algorithm
          assert(t <= 2, "no data after 2 s");
          y := cos(t);
        end f;
        model Driven
          Real x(start = 0, fixed = true), y(start = 1, fixed = true);
        equation
          der(x) = f(time);
          der(y) = -100*(y - x);
        end Driven;
        """,
        "no data after 2 s",
        2.0,
    ),
    "not a number": (
        """
        model Outside
          Real x(start = 0, fixed = true);
        equation
          der(x) = 1 + sqrt(1 - x);
        end Outside;
        """,
        "a function is called outside its domain",
        2.0 * (1.0 - math.log(2.0)),
    ),
}


@pytest.mark.parametrize("method", ["bdf", "adams", "ida", "rk45"])
@pytest.mark.parametrize("case", CASES)
def test_a_run_does_not_crawl_towards_a_failure(case: str, method: str) -> None:
    text, reason, when = CASES[case]
    model = saltus.load(text)
    end = time.perf_counter() + LIMIT

    def progress(_part: float, _events: int) -> None:
        assert time.perf_counter() < end

    with pytest.raises(RunError) as error:
        model.simulate(stop_time=5, interval=1e-3, tolerance=1e-8, method=method, progress=progress)
    assert reason in str(error.value)
    assert time.perf_counter() < end
    partial = error.value.partial
    assert isinstance(partial, saltus.Result)
    assert when - 2e-3 < partial.time[-1] < when + 1e-5
    assert partial.statistics["steps"] < 20_000


def test_a_failure_that_is_overcome_ends_nothing() -> None:
    """The first step tried is too long for the assertion; the solution itself never violates it."""
    model = saltus.load("""
    function f
      input Real x;
      output Real y;
    algorithm
      assert(x > 0.25, "x is too small");
      y := 1000*(0.5 - x);
    end f;
    model Fast
      Real x(start = 1, fixed = true);
    equation
      der(x) = f(x);
    end Fast;
    """)
    result = model.simulate(stop_time=1e6, tolerance=1e-8)
    assert result["x"][-1] == pytest.approx(0.5, abs=1e-7)
