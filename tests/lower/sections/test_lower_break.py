"""`break` in algorithms of models: what follows in the loop is done only where it was not left."""

from __future__ import annotations

import pytest

import saltus
from saltus.compiler import load_flat


def test_a_condition_that_varies() -> None:
    """The first of five numbers that is above a rising level; hand-written in Python beside it."""
    numbers = [0.3, 0.9, 0.1, 1.7, 1.2]
    result = saltus.load(
        """
        model M
          parameter Real a[5] = {0.3, 0.9, 0.1, 1.7, 1.2};
          Integer found; Real below;
        algorithm
          found := 0;
          below := 0;
          for i in 1:5 loop
            if a[i] > time then
              found := i;
              break;
            end if;
            below := below + a[i];
          end for;
        end M;
        """
    ).simulate(stop_time=2, interval=0.11)
    for k, t in enumerate(result.time):
        if any(abs(t - a) < 1e-9 for a in numbers):
            continue
        above = next((i for i, a in enumerate(numbers) if a > t), 5)
        assert result["found"][k] == (above + 1 if above < 5 else 0)
        assert result["below"][k] == pytest.approx(sum(numbers[:above]))


def test_the_name_of_an_instance() -> None:
    flat = load_flat(
        """
        block B parameter String here = getInstanceName(); Real y = 1; end B;
        model A B b; end A;
        model M A a; end M;
        """
    )
    value = next(v.binding for v in flat.variables if v.name == "a.b.here")
    assert value is not None and value.data == "M.a.b"
