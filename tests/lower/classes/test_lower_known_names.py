"""A name that does not exist: the refusal tells what there is in its place."""

from __future__ import annotations

import pytest
from lower_case import Refusal, check_refusal, named

import saltus
from saltus.core.diagnostics import SaltusError

PARTS = """
    connector Pin Real v; flow Real i; end Pin;
    partial model TwoPin
      Pin p;
      Pin n;
    protected
      Real drop = p.v - n.v;
    equation
      p.i + n.i = 0;
    end TwoPin;
    model Diode extends TwoPin; Real s; equation drop = 2*s; p.i = s; end Diode;
    model Resistor
      extends TwoPin;
      parameter Real R = 1;
      parameter Real T = 300;
      final parameter Real G = 1/R;
    equation
      drop = R*p.i;
    end Resistor;
    model Pair Diode d; Resistor r; equation connect(d.n, r.p); connect(r.n, d.p); end Pair;
    record Point Real x = 1; Real y = 2; end Point;
    package Parts model Wheel end Wheel; model Axle end Axle; end Parts;
"""


def _model(body: str) -> str:
    return f"{PARTS}\nmodel M\n{body}\nend M;\n"


REFUSALS = [
    # connectors: those of the component, and nothing else that it has
    Refusal(
        "connector that a component does not have",
        _model("Diode diode; Resistor r; equation connect(diode.pin, r.p); connect(diode.n, r.n);"),
        "E201",
        ("there is no `pin` in `diode`", "the connectors of `diode` are `p` and `n`"),
    ),
    Refusal(
        "connector of an element of an array",
        _model("Diode diode[2]; Resistor r; equation connect(diode[1].pin, r.p);"),
        "E201",
        ("the connectors of `diode[1]` are `p` and `n`",),
    ),
    Refusal(
        "connectors of all elements of an array",
        _model("Diode diode[2]; Resistor r[2]; equation connect(diode.pin, r.p);"),
        "E201",
        ("the connectors of `diode[1]` are `p` and `n`",),
    ),
    Refusal(
        "component in place of its connector",
        _model("Diode diode; Resistor r; equation connect(diode, r.p);"),
        "E210",
        ("`diode` is not a connector", "its connectors are `diode.p` and `diode.n`"),
    ),
    Refusal(
        "array of components in place of their connectors",
        _model("Diode diode[2]; Resistor r[2]; equation connect(diode, r.p);"),
        "E210",
        ("its connectors are `diode.p` and `diode.n`",),
    ),
    Refusal(
        "variable in place of a connector",
        _model("Diode diode; Resistor r; equation connect(diode.s, r.p);"),
        "E210",
        ("`diode.s` is not a connector", "the connectors of `diode` are `p` and `n`"),
    ),
    Refusal(
        "component without connectors",
        _model("Pair pair; Resistor r; equation connect(pair.p, r.p);"),
        "E201",
        ("`pair` has no connectors",),
    ),
    Refusal(
        "part of a connector that it does not have",
        _model("Diode diode; Resistor r; equation connect(diode.p.u, r.p.v);"),
        "E201",
        ("`diode.p` has `v` and `i`",),
    ),
    Refusal(
        "component of a connection that is not there",
        _model("Diode diode; Resistor r; Real x = 1; equation connect(diode.p, q.p);"),
        "E201",
        ("the name `q` cannot be found", "components with connectors are `diode` and `r`"),
    ),
    # parts of components and records
    Refusal(
        "part that a component does not have",
        _model("Diode diode; Real z = diode.charge;"),
        "E201",
        ("`diode` has `p`, `n` and `s`",),  # what is protected cannot be meant
    ),
    Refusal(
        "part that is nearly there, of few",
        _model("Point point; Real z = point.X;"),
        "E201",
        ("did you mean `x`? `point` has `x` and `y`",),
    ),
    Refusal(
        "part of a variable",
        _model("Real x = 1; Real z = x.y;"),
        "E201",
        ("`x` is a variable and has no part `y`", "use `x` itself"),
    ),
    Refusal(
        "field of a record that is a value",
        """
        record Point Real x; Real y; end Point;
        function f input Real a; output Point p; algorithm p.x := a; p.z := a; end f;
        model M Point p = f(1); end M;
        """,
        "E201",
        ("`p` has `x` and `y`",),
    ),
    Refusal(
        "unknown target in a function",
        """
        function f input Real a; output Real y; protected Real h; algorithm z := a; y := a; end f;
        model M Real x = f(time); end M;
        """,
        "E201",
        ("`z` is not an output or local variable of `f`", "`f` has `y` and `h`"),
    ),
    # modifications: the parameters
    Refusal(
        "parameter that a component does not have",
        _model("Resistor r(ohm = 2);"),
        "E201",
        ("`ohm` is not an element of `r`", "the parameters of `Resistor` are `R` and `T`"),
    ),
    Refusal(
        "parameter that is nearly there",
        _model("Resistor r(RR = 2);"),
        "E201",
        ("did you mean `R`? the parameters of `Resistor` are `R` and `T`",),
    ),
    Refusal(
        "parameter that a base does not have",
        _model("extends Resistor(ohm = 2);"),
        "E201",
        ("the parameters of `Resistor` are `R` and `T`",),
    ),
    Refusal(
        "modification of a component without parameters",
        _model("Diode d(voltage = 2);"),
        "E201",
        ("`Diode` has `p`, `n` and `s`",),
    ),
    # classes
    Refusal(
        "class that a package does not have",
        _model("Parts.Gearbox g;"),
        "E201",
        ("`Parts` has `Wheel` and `Axle`",),
    ),
    Refusal(
        "constant or class that a package does not have",
        _model("Real x = Parts.radius;"),
        "E201",
        ("`Parts` has `Wheel` and `Axle`",),
    ),
    Refusal(
        "text in single quotes",
        _model("parameter String s = 'abc def';"),
        "E201",
        ('a text stands in double quotes: `"abc def"`',),
    ),
]


@named(REFUSALS)
def test_what_there_is_is_told(case: Refusal) -> None:
    check_refusal(case)


def test_of_many_parts_the_first_are_told() -> None:
    variables = "".join(f"Real quantity{k} = {k};" for k in range(20))
    text = f"model Many {variables} end Many; model M Many m; Real z = m.v; end M;"
    with pytest.raises(SaltusError) as caught:
        saltus.load(text)
    hint = caught.value.diagnostics[0].hint
    assert hint is not None and hint.startswith("`m` has `quantity0`, `quantity1`")
    assert hint.endswith("`quantity7` and 12 more")


def test_of_many_parts_only_the_nearest_is_told_where_one_is_near() -> None:
    variables = "".join(f"Real quantity{k} = {k};" for k in range(20))
    text = f"model Many {variables} end Many; model M Many m; Real z = m.Quantity3; end M;"
    with pytest.raises(SaltusError) as caught:
        saltus.load(text)
    assert caught.value.diagnostics[0].hint == "did you mean `quantity3`?"
