"""Whether only events change a Jacobian, told by derivatives taken by hand."""

import pytest

import saltus
from saltus.run.memory.dependence import jacobian_is_fixed

FIXED = {
    "a ball": "Real h(start = 1), v; equation der(h) = v; der(v) = -9.81; "
    "when h < 0 then reinit(v, -v); end when;",
    "driven by a wave": "Real x(start = 1); equation der(x) = -2*x + sin(time);",
    "a switch": "Real x(start = 1), r; equation r = if x > 0.5 then 1 else 3; der(x) = -r*x;",
    "a leaky diode": "Real x(start = 1), s; equation der(x) = -s; x = s*(if s < 0 then 1e5 else 1e-5);",
    "a sampled gain": "Real x(start = 1); discrete Real k(start = 1, fixed = true);"
    " equation when sample(0, 0.1) then k = x; end when; der(x) = -pre(k)*x;",
    "a parameter": "parameter Real p = 2; Real x(start = 1); equation der(x) = -p^2*x;",
}

MOVING = {
    "a square": "Real x(start = 1); equation der(x) = -x^2;",
    "a product with a wave": "Real x(start = 1); equation der(x) = -x*sin(time);",
    "through a variable of time": "Real x(start = 1), r; equation r = 1 + time; der(x) = -r*x;",
    "a switch without an event": "Real x(start = 1); equation der(x) = -x*noEvent(if x > 0.5 then 1 else 3);",
    "a nonlinear loop": "Real x(start = 1), y(start = 1); equation der(x) = -y; y^3 + y = x;",
    "a matrix that moves": "Real x(start = 1), y, z; equation der(x) = -y; y + x*z = x; y - z = 1;",
    "a delay": "Real x(start = 1, fixed = true); equation der(x) = -delay(x, 0.1);",
}


@pytest.mark.parametrize("what", [*FIXED, *MOVING])
def test_told_by_hand(what: str) -> None:
    text = (FIXED | MOVING)[what]
    structure = saltus.load(f"model M {text} end M;").structure
    assert jacobian_is_fixed(structure) is (what in FIXED)
