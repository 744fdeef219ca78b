"""Strings in functions, and functions that are executed at translation because of them (sections 12.4 and
3.7.1.2)."""

from __future__ import annotations

import pytest

import saltus
from saltus.core.diagnostics import SaltusError


def test_the_message_of_an_error_function() -> None:
    text = """
    model M
      function error
        input String s;
        external "C" ModelicaError(s);
      end error;
      function f
        input Real x;
        output Real y = x;
      algorithm
        if x > 0.5 then
          error("too large in f");
        end if;
      end f;
      Real y = f(time);
    end M;
    """
    model = saltus.load(text)
    assert float(model.simulate(stop_time=0.4)["y"][-1]) == pytest.approx(0.4)
    with pytest.raises(SaltusError) as caught:
        model.simulate(stop_time=1.0)
    assert "too large in f" in caught.value.diagnostics[0].message


def test_a_parameter_that_was_a_text_of_an_execution_translates_again() -> None:
    text = """
    function count
      input String s;
      input Integer n;
      output Integer k = 0;
    protected
      String t = "";
    algorithm
      while t <> s loop
        t := t + "a";
        k := k + n;
      end while;
    end count;
    model M
      parameter Integer n = 1;
      parameter Integer k = count("aaa", n);
      Real x = k*time;
    end M;
    """
    model = saltus.load(text)
    assert float(model.simulate()["x"][-1]) == pytest.approx(3)
    assert float(model.simulate(set={"n": 2})["x"][-1]) == pytest.approx(6)
