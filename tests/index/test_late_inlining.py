"""Prescribed motion by functions with `noDerivative` inputs: position, speed, acceleration are given apart.

The truth is the closed form: the torque that a given motion needs is inertia times the given acceleration.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import saltus
from saltus.ir.sorted.blocks import Nonlinear

FUNCTIONS = """
function position input Real q[3]; input Real t; output Real s;
  algorithm s := q[1]; annotation(derivative(noDerivative = q) = speed); end position;
function speed input Real q[3]; input Real t; input Real dt; output Real s;
  algorithm s := q[2]; annotation(derivative(noDerivative = q, order = 2) = acceleration); end speed;
function acceleration input Real q[3]; input Real t; input Real dt; input Real d2t; output Real s;
  algorithm s := q[3]; end acceleration;
"""


def test_the_acceleration_that_is_given_is_the_one_that_is_used() -> None:
    """It is not the derivative of the given position: three signals that do not belong together show which
    one each derivative takes."""
    result = saltus.load(
        FUNCTIONS
        + """
        model M
          Real phi, w, a, torque;
          Real u[3] = {time^2, 10 + time, 100 + sin(time)};
        equation
          phi = position(u, time); der(phi) = w; der(w) = a; torque = 2*a;
        end M;
        """
    ).simulate(stop_time=2)
    assert result["phi"] == pytest.approx(result.time**2)
    assert result["w"] == pytest.approx(10 + result.time)
    assert result["torque"] == pytest.approx(2 * (100 + np.sin(result.time)))


def test_signals_that_follow_from_states() -> None:
    """A mass on a spring drives a second mass through its three signals: both move as one of mass 1 + 3."""
    result = saltus.load(
        FUNCTIONS
        + """
        model M
          Real x(start = 1, fixed = true), v(start = 0, fixed = true), f;
          Real y, y1, y2;
          Real phi, w;
        equation
          der(x) = v; 1*der(v) = -4*x - f;
          y = x; y1 = der(y); y2 = der(y1);
          phi = position({y, y1, y2}, time); w = der(phi); 3*der(w) = f;
        end M;
        """
    ).simulate(stop_time=3, tolerance=1e-9)
    assert result["phi"][-1] == pytest.approx(math.cos(3), abs=1e-6)
    assert result["f"] == pytest.approx(-3 * np.cos(result.time), abs=1e-5)


def test_after_the_last_given_derivative_the_next_is_made() -> None:
    """Only a speed is given for the first derivative; the second is the derivative of that."""
    result = saltus.load(
        """
        function position input Real q[2]; input Real t; output Real s;
          algorithm s := q[1]; annotation(derivative(noDerivative = q) = speed); end position;
        function speed input Real q[2]; input Real t; input Real dt; output Real s;
          algorithm s := q[2]; end speed;
        model M Real phi, w, a; equation
          phi = position({time, time^3}, time); der(phi) = w; der(w) = a; end M;
        """
    ).simulate(stop_time=2)
    assert result["w"] == pytest.approx(result.time**3)
    assert result["a"] == pytest.approx(3 * result.time**2)


def _crank(horizontal: str, vertical: str) -> str:
    """A crank of inertia 1 drives a mass of 2 along x by a rod; `{c}`, `{s}`, `{w}`, `{l}` of each arm."""
    arms = [("cos(phi)", "sin(phi)", "wp", "1"), ("cos(psi)", "sin(psi)", "ws", "3")]
    x, y = (
        " + ".join(form.format(c=c, s=s, w=w, l=length) for c, s, w, length in arms)
        for form in (horizontal, vertical)
    )
    return f"""
        model M
          Real phi(start = 0.5, fixed = true), wp(start = 1, fixed = true), psi(start = -0.16), ws;
          Real x, v, f, lam, mu;
        equation
          wp = der(phi); ws = der(psi); v = der(x);
          x = {x};
          0 = {y};
          2*der(v) = f;
          1*der(wp) = -(-sin(phi)*f + cos(phi)*lam);
          0 = -3*sin(psi)*f + 3*cos(psi)*lam + mu;
          mu = 0;
        end M;
    """


def test_a_loop_whose_functions_hide_the_positions_in_their_derivatives() -> None:
    """The derivatives of the functions speak of speeds only: the loop seems open at the level of positions.
    The truth is the same mechanism with its formulas written plainly, and its energy."""
    functions = """
    function right input Real c; input Real s; input Real w; input Real l; output Real x; algorithm x := c*l;
      annotation(derivative(noDerivative = c, noDerivative = s, noDerivative = w) = right_der); end right;
    function right_der input Real c; input Real s; input Real w; input Real l; input Real dl; output Real x;
      algorithm x := -s*w*l + c*dl; end right_der;
    function up input Real c; input Real s; input Real w; input Real l; output Real y; algorithm y := s*l;
      annotation(derivative(noDerivative = c, noDerivative = s, noDerivative = w) = up_der); end up;
    function up_der input Real c; input Real s; input Real w; input Real l; input Real dl; output Real y;
      algorithm y := c*w*l + s*dl; end up_der;
    """
    called = _crank("right({c}, {s}, {w}, {l})", "up({c}, {s}, {w}, {l})")
    plain = _crank("{l}*{c}", "{l}*{s}")
    runs = [saltus.load(text).simulate(stop_time=4, tolerance=1e-9) for text in (functions + called, plain)]
    assert runs[0]["x"][-1] == pytest.approx(runs[1]["x"][-1], abs=1e-6)
    energy = runs[0]["wp"] ** 2 / 2 + runs[0]["v"] ** 2
    assert energy == pytest.approx(np.full_like(energy, energy[0]), rel=1e-6)


def test_an_impulse_passes_through_a_function() -> None:
    """Two shafts with a ratio that varies, given by a function that also takes the derivative of the ratio,
    pull a third one along. Impulses are linear in the jumps, and so is the function, though the speed that
    jumps is among its other arguments, too: no iteration, whatever the number of joints."""
    model = saltus.load(
        """
        function carried input Real r; input Real s; input Real v; output Real w;
          algorithm w := r*v; annotation(derivative(noDerivative = r, noDerivative = s) = carried_der);
        end carried;
        function carried_der input Real r; input Real s; input Real v; input Real dv; output Real dw;
          algorithm dw := r*dv + s*v; end carried_der;
        model M
          Real phi(start = 2, fixed = true), w1(start = 5, fixed = true), w2, w3(start = 1, fixed = true);
          Real r, s, t1, t2;
          Boolean locked = time >= 0.5;
        equation
          r = 1 + 0.1*phi; s = 0.1*w1; der(phi) = w1;
          w2 = carried(r, s, w1);
          3*der(w1) = -r*t1;
          2*der(w2) = t1 - t2;
          der(w3) = t2;
          if locked then w3 = w2; else t2 = 0; end if;
        end M;
        """
    )
    assert model.structure.entry is not None
    assert not any(isinstance(block, Nonlinear) for block in model.structure.entry.blocks)
    result = model.simulate(stop_time=1, tolerance=1e-9)
    after = int(np.searchsorted(result.time, 0.5, side="right")) - 1
    ratio, w1, w3 = (result[name][after - 1] for name in ("r", "w1", "w3"))
    common = ((3 + 2 * ratio**2) * w1 + ratio * w3) / (3 + (2 + 1) * ratio**2)
    assert result["w1"][after] == pytest.approx(common, rel=1e-12)
    assert result["w3"][after] == pytest.approx(ratio * common, rel=1e-12)
