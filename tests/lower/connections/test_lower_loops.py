"""A mechanism whose connections close a loop: a crank with inertia, a rod and a slider with mass.

Directions carry an angular velocity, by which a library function is differentiated (`noDerivative`), as those
of multi-body libraries are. Positions constrain each other all the same, and states must be found.
"""

from __future__ import annotations

import numpy as np
import pytest

import saltus

SLIDER_CRANK = """
record Direction
  Real c;
  Real s;
  Real w;
  function equalityConstraint
    input Direction a;
    input Direction b;
    output Real residue[1];
  algorithm
    residue := {a.c*b.s - a.s*b.c};
    annotation(Inline = true);
  end equalityConstraint;
end Direction;
function along "A vector of length L in a direction"
  input Direction R;
  input Real L;
  output Real v[2];
algorithm
  v := {L*R.c, L*R.s};
  annotation(derivative(noDerivative = R) = along_der, InlineAfterIndexReduction = true);
end along;
function along_der
  input Direction R;
  input Real L;
  input Real L_der;
  output Real v[2];
algorithm
  v := {L_der*R.c - L*R.w*R.s, L_der*R.s + L*R.w*R.c};
  annotation(InlineAfterIndexReduction = true);
end along_der;
connector Frame
  Real r[2];
  Direction R;
  flow Real f[2];
  flow Real t;
end Frame;
model Ground
  Frame f;
equation
  Connections.root(f.R);
  f.r = {0, 0};
  f.R.c = 1;
  f.R.s = 0;
  f.R.w = 0;
end Ground;
model Hinge
  parameter Real J = 0;
  Frame a;
  Frame b;
  Real phi;
  Real w;
equation
  Connections.branch(a.R, b.R);
  w = der(phi);
  a.r = b.r;
  b.R.c = a.R.c*cos(phi) - a.R.s*sin(phi);
  b.R.s = a.R.s*cos(phi) + a.R.c*sin(phi);
  b.R.w = a.R.w + w;
  a.f + b.f = {0, 0};
  a.t = 0;
  b.t = J*der(w);
end Hinge;
model Bar
  Frame a;
  Frame b;
  parameter Real L = 1;
equation
  Connections.branch(a.R, b.R);
  b.r = a.r + along(a.R, L);
  b.R = a.R;
  a.f + b.f = {0, 0};
  0 = a.t + b.t + L*(a.R.c*b.f[2] - a.R.s*b.f[1]);
end Bar;
model Slider "Moves along the x axis without turning"
  Frame a;
  Frame b;
  parameter Real m = 1;
  Real s;
  Real v;
equation
  Connections.branch(a.R, b.R);
  v = der(s);
  b.r = a.r + along(a.R, s);
  b.R = a.R;
  a.f[1] = 0;
  a.f[2] + b.f[2] = 0;
  b.f[1] = m*der(v);
  0 = a.t + b.t + s*(a.R.c*b.f[2] - a.R.s*b.f[1]);
end Slider;
model M
  Ground ground;
  Hinge h1(
    J = 2,
    phi(start = 0.5, fixed = true),
    w(start = 1, fixed = true),
    b(R(c(start = 0.9), s(start = 0.5))));
  Bar crank;
  Hinge h2(phi(start = -0.7), b(R(c(start = 1), s(start = -0.2))));
  Bar rod(L = 2);
  Hinge h3(phi(start = 0.2), b(R(c(start = 1))));
  Slider slider(s(start = 2.8));
equation
  connect(ground.f, h1.a);
  connect(h1.b, crank.a);
  connect(crank.b, h2.a);
  connect(h2.b, rod.a);
  connect(rod.b, h3.a);
  connect(ground.f, slider.a);
  connect(h3.b, slider.b);
end M;
"""


def test_a_slider_crank_keeps_its_geometry_and_its_energy() -> None:
    """With a crank of length 1 and a rod of length 2, the slider is at cos(phi) + sqrt(4 - sin(phi)^2).
    Nothing drives it and nothing brakes it."""
    result = saltus.load(SLIDER_CRANK).simulate(stop_time=5.0, tolerance=1e-8)
    phi, w, v = result["h1.phi"], result["h1.w"], result["slider.v"]
    assert phi[-1] > 2.0  # it turns
    root = np.sqrt(4 - np.sin(phi) ** 2)
    assert result["slider.s"] == pytest.approx(np.cos(phi) + root, abs=1e-9)
    assert v == pytest.approx(-np.sin(phi) * (1 + np.cos(phi) / root) * w, abs=1e-9)
    energy = 0.5 * 2 * w**2 + 0.5 * v**2
    assert energy == pytest.approx(np.full_like(energy, energy[0]), rel=1e-5)
