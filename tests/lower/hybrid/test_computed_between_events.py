"""Integers that a function computes beside Reals: they follow between events, and make none."""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import ModelError

CELL = """
function cell "The interval that a number is in, and where it is there"
  input Real u;
  output Real part;
  output Integer k;
algorithm
  k := integer(floor(u));
  part := u - k;
end cell;
"""
MEDIUM = """
record State
  Integer phase;
  Real T;
end State;
function state "Boils between 1 and 2"
  input Real h;
  output State s;
algorithm
  s.phase := if h > 1 and h < 2 then 2 else 1;
  s.T := if h > 1 then (if h < 2 then 1 else h - 1) else h;
end state;
function density
  input State s;
  output Real d;
algorithm
  d := if s.phase == 2 then 0.5 else 1/(1 + s.T);
end density;
"""


def test_the_interval_beside_the_value() -> None:
    text = (
        CELL
        + """
    model M
      Real part, y, z;
      Integer k;
    equation
      (part, k) = cell(4*time);
      y = part + k;
      z = if k == 2 then 1 else 0;
    end M;
    """
    )
    result = saltus.load(text).simulate(interval=0.01)
    k = np.floor(4 * result.time + 1e-12)
    assert np.array_equal(result["k"], k)
    assert result["y"] == pytest.approx(4 * result.time)
    assert np.array_equal(result["z"], k == 2)
    assert not result.events[1:]  # nothing but the start


def test_the_phase_of_a_state() -> None:
    text = (
        MEDIUM
        + """
    model M
      State s = state(3*time);
      Real d = density(s), rate = der(s.T);
    end M;
    """
    )
    result = saltus.load(text).simulate(interval=0.01)
    h = 3 * result.time
    away = (np.abs(h - 1) > 1e-9) & (np.abs(h - 2) > 1e-9)
    boils = (h > 1) & (h < 2)
    assert np.array_equal(result["s.phase"][away], np.where(boils, 2, 1)[away])
    exact = np.where(boils, 0.5, 1 / (1 + np.where(h > 2, h - 1, h)))
    assert result["d"][away] == pytest.approx(exact[away])
    assert np.array_equal(result["rate"][away], np.where(boils, 0, 3)[away])


def test_a_function_of_one_integer_is_refused() -> None:
    # Here it is the variable itself that would change between events, and a when-clause can assign it.
    text = """
    function f input Real u; output Integer k; algorithm k := integer(floor(u)); end f;
    model M Integer k = f(4*time); end M;
    """
    with pytest.raises(ModelError, match="E211"):
        saltus.load(text)
