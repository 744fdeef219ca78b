"""Overloaded operators of operator records (chapter 14)."""

from __future__ import annotations

import pytest
from lower_case import Case, Refusal, check_refusal, check_values, named
from overloading_case import COMPLEX, complex_values

import saltus
from saltus.compiler import load_flat
from saltus.expr.nodes import Op, walk

A, B = 2 + 3j, -1 + 0.5j

VALUES = [
    Case(
        "binary operators and minus",
        COMPLEX
        + """
        model M
          Cx a = Cx(2, 3), b = Cx(-1, 0.5);
          Cx sum = a + b, difference = a - b, product = a*b, quotient = a/b, negative = -a;
        end M;
        """,
        complex_values(
            {"sum": A + B, "difference": A - B, "product": A * B, "quotient": A / B, "negative": -A}
        ),
    ),
    Case(
        "an operand is converted by a constructor (section 14.4, rule 3)",
        COMPLEX
        + """
        model M
          Cx j = Cx(0, 1);
          Cx a = 2 + 3*j, b = 1/a, c = a - 1;
          Real x = 2;
          Cx d = x*a;
        end M;
        """,
        complex_values({"a": A, "b": 1 / A, "c": A - 1, "d": 2 * A}),
    ),
    Case(
        "arrays element by element (rule 4)",
        COMPLEX
        + """
        model M
          Cx a = Cx(2, 3), b = Cx(-1, 0.5);
          Cx v[2] = {a, b};
          Cx sum[2] = v + v, scaled[2] = a*v, halved[2] = v/2, mixed[2] = v - {1, 2}, negative[2] = -v;
          Cx squares[2] = v.*v, shifted[2] = v .+ a, mirror[2] = 2*v .- 1;
        end M;
        """,
        complex_values(
            {
                "sum[2]": 2 * B,
                "scaled[2]": A * B,
                "halved[1]": A / 2,
                "mixed[2]": B - 2,
                "negative[1]": -A,
                "squares[1]": A * A,
                "shifted[2]": A + B,
                "mirror[1]": 2 * A - 1,
            }
        ),
    ),
    Case(
        "matrices by the operators of elements, vectors by a function of the record",
        COMPLEX
        + """
        model M
          Cx a = Cx(2, 3), b = Cx(-1, 0.5);
          Cx v[2] = {a, b}, m[2, 2] = {{a, b}, {b, a}};
          Cx mv[2] = m*v, mm[2, 2] = m*m, vv = v*v;
          Real r[2, 2] = {{1, 2}, {3, 4}};
          Cx rv[2] = r*v;
        end M;
        """,
        complex_values(
            {
                "mv[1]": A * A + B * B,
                "mv[2]": 2 * A * B,
                "mm[1,2]": 2 * A * B,
                "vv": A * A + B * B,
                "rv[2]": 3 * A + 4 * B,
            }
        ),
    ),
    Case(
        "sum and product",
        COMPLEX
        + """
        model M
          Cx v[3] = {Cx(2, 3), Cx(-1, 0.5), Cx(0, 1)};
          Cx s = sum(v), p = product(v), w = sum(k*v[k] for k in 1:3);
          Cx none[0], zero = sum(none);
        end M;
        """,
        complex_values({"s": A + B + 1j, "p": A * B * 1j, "w": A + 2 * B + 3j, "zero": 0j}),
    ),
    Case(
        "fields, conditions and derivatives",
        COMPLEX
        + """
        model M
          Cx a(re(start = 1, fixed = true), im(start = 0, fixed = true));
          Cx c = if time > 0.5 then a else -a;
          Cx twice[2] = {a, 2*a};
          Real re[2] = twice.re;
        equation
          der(a.re) = -2;
          der(a.im) = 1;
        end M;
        """,
        {"a.re": -1, "a.im": 1, "c.re": -1, "re[2]": -2},
    ),
    Case(
        "a short class has the operators of its base (section 14.1)",
        COMPLEX
        + """
        operator record Volt = Cx(re(unit = "V"), im(unit = "V"));
        connector In = input Cx;
        connector Out = output Cx;
        block Gain
          In u;
          Out y;
          parameter Cx k = Cx(0, 2);
        equation
          y = k*u;
        end Gain;
        model M
          Volt v = Volt(1, 2);
          Cx a = v + 1, b = v*v;
          Gain g;
          Out o[2] = {v, 2*v};
        equation
          g.u = v;
        end M;
        """,
        complex_values({"a": 2 + 2j, "b": (1 + 2j) ** 2, "g.y": 2j * (1 + 2j), "o[2]": 2 + 4j}),
    ),
    Case(
        "connections: potentials equal, flows sum to zero",
        COMPLEX
        + """
        connector Pin
          Cx v;
          flow Cx i;
        end Pin;
        model Impedance
          Pin p, n;
          parameter Cx z;
        equation
          p.v - n.v = z*p.i;
          p.i + n.i = Cx(0);
        end Impedance;
        model Source
          Pin p, n;
        equation
          p.v - n.v = Cx(10);
          p.i + n.i = Cx(0);
        end Source;
        model Ground
          Pin p;
        equation
          p.v = Cx(0);
        end Ground;
        model M
          Source s;
          Impedance a(z = Cx(1, 2)), b(z = Cx(0, -1)), c(z = Cx(3));
          Ground g;
        equation
          connect(s.p, a.p);
          connect(a.n, b.p);
          connect(a.n, c.p);
          connect(b.n, g.p);
          connect(c.n, g.p);
          connect(s.n, g.p);
        end M;
        """,
        complex_values(
            {
                "a.p.i": 10 / ((1 + 2j) + 1 / (1 / -1j + 1 / 3)),
                "c.p.v": 10 - (1 + 2j) * 10 / ((1 + 2j) + 1 / (1 / -1j + 1 / 3)),
            }
        ),
    ),
    Case(
        "operators in functions and algorithms",
        COMPLEX
        + """
        function horner
          input Cx x;
          input Real c[:];
          output Cx y;
        algorithm
          y := Cx(0);
          for k in size(c, 1):-1:1 loop
            y := y*x + c[k];
          end for;
        end horner;
        model M
          Cx y = horner(Cx(2, 3), {1, 2, 3}), z, w[2] = horner({Cx(1), Cx(0, 1)}, {1, 0, 1});
        algorithm
          z := Cx(2, 3);
          for k in 1:3 loop
            z := z*z;
          end for;
        end M;
        """,
        complex_values({"y": 1 + 2 * A + 3 * A * A, "z": A**8, "w[1]": 2 + 0j, "w[2]": 0j}),
    ),
    Case(
        "text",
        COMPLEX
        + """
        model M
          parameter Cx c = Cx(2, -3.25);
          Real x = if String(c) == "2 - 3.25j" then 1 else 0;
          Real y = if String(c, unit = "i", significantDigits = 2) == "2 - 3.2i" then 1 else 0;
        end M;
        """,
        {"x": 1, "y": 1},
    ),
    Case(
        "an enumeration is a type of its own",
        """
        type Unit = enumeration(radian, degree);
        operator record Angle
          Real rad;
          encapsulated operator 'constructor'
            function fromReal
              import Angle;
              input Real x;
              output Angle a(rad = x);
            algorithm
            end fromReal;
            function fromUnit
              import Angle;
              import Unit;
              input Real x;
              input Unit unit;
              output Angle a;
            algorithm
              a.rad := if unit == Unit.degree then x/60 else x;
            end fromUnit;
          end 'constructor';
        end Angle;
        model M
          Angle a = Angle(120, Unit.degree), b = Angle(2), c = Angle(3, Unit.radian);
        end M;
        """,
        {"a.rad": 2, "b.rad": 2, "c.rad": 3},
    ),
    Case(
        "relations and logic",
        """
        operator record Size
          Integer n;
          encapsulated operator function '<'
            import Size;
            input Size a;
            input Size b;
            output Boolean less;
          algorithm
            less := a.n < b.n;
          end '<';
          encapsulated operator function 'not'
            import Size;
            input Size a;
            output Boolean none;
          algorithm
            none := a.n == 0;
          end 'not';
        end Size;
        model M
          parameter Size a(n = 3), b = Size(4);
          Integer x = if a < b then 1 else 0;
          Integer y = if not a then 1 else 0;
        end M;
        """,
        {"x": 1, "y": 0},
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


REFUSALS = [
    Refusal(
        "vector times vector is not deduced (rule 4a)",
        """
        operator record D
          Real d;
          encapsulated operator function '*'
            import D;
            input D a;
            input D b;
            output D c;
          algorithm
            c := D(a.d*b.d);
          end '*';
        end D;
        model M
          D v[2] = {D(1), D(2)};
          D p = v*v;
        end M;
        """,
        "E205",
        ("vector",),
    ),
    Refusal(
        "an operator that is not defined",
        COMPLEX + "model M Cx a = Cx(1); Boolean b = a < a; end M;",
        "E205",
        ("`<`", "Cx"),
    ),
    Refusal(
        "a record without operators",
        "record R Real x; end R; model M R a(x = 1); R b = a + a; end M;",
        "E205",
        ("operator record",),
    ),
    Refusal(
        "a constructor with other arguments",
        COMPLEX + 'model M Cx a = Cx("text"); end M;',
        "E212",
        ("String",),
    ),
    Refusal(
        "ambiguous (section 14.4)",
        """
        operator record D
          Real d;
          encapsulated operator '+'
            function one
              import D;
              input D a;
              input Real b;
              output D c;
            algorithm
              c := D(a.d + b);
            end one;
            function other
              import D;
              input D a;
              input Integer b;
              output D c;
            algorithm
              c := D(a.d + b);
            end other;
          end '+';
        end D;
        model M
          D a = D(1), b = a + 1;
        end M;
        """,
        "E212",
        ("several",),
    ),
    Refusal(
        "an operator has one output",
        """
        operator record D
          Real d;
          encapsulated operator function '+'
            import D;
            input D a;
            input D b;
            output D c;
            output Real r;
          algorithm
            c := a;
          end '+';
        end D;
        model M
          D a = D(1), b = a + a;
        end M;
        """,
        "E212",
        ("2 outputs",),
    ),
    Refusal(
        "an operator record is not extended (section 4.6)",
        COMPLEX + "operator record D extends Cx; end D; model M D d; end M;",
        "E209",
        ("extended",),
    ),
    Refusal(
        "nor is what an operator record is in",
        """
        package A operator record D Real d; end D; end A;
        package B extends A; constant Real x = 1; end B;
        model M Real x = B.x; end M;
        """,
        "E209",
        ("extended",),
    ),
    Refusal(
        "operators are encapsulated",
        """
        operator record D
          Real d;
          operator function '-'
            input D a;
            output D c;
          algorithm
            c := a;
          end '-';
        end D;
        model M
          D a = D(1), b = -a;
        end M;
        """,
        "E209",
        ("encapsulated",),
    ),
]


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)


def test_operators_are_written_out() -> None:
    """No call is left in the equations: linear loops of complex numbers are linear loops."""
    text = COMPLEX + "model M Cx a = Cx(time, 1), b; equation a*b + b = Cx(1); end M;"
    flat = load_flat(text)
    expressions = [e for c in flat.clauses for e in (c.lhs, c.rhs)]  # type: ignore[union-attr]
    assert not any(node.op is Op.APPLY for e in expressions for node in walk(e))


INLINED = """
function limited
  input Real u;
  output Real y;
algorithm
  if u > 1 then
    y := 1;
  elseif u < -1 then
    y := -1;
  else
    y := u;
  end if;
  annotation(Inline = %s);
end limited;
model M
  Real x(start = 0, fixed = true), y = limited(x);
equation
  der(x) = 2;
end M;
"""


@pytest.mark.parametrize("inline", ["true", "false"])
def test_comparisons_of_inlined_functions_make_no_events(inline: str) -> None:
    """Section 8.5: a function makes no events, written out or not."""
    result = saltus.load(INLINED % inline).simulate(stop_time=1)
    assert result["y"][-1] == pytest.approx(1)
    assert len(result.events) == 1  # the start


def test_inlining_is_what_the_annotation_says() -> None:
    def calls(inline: str) -> bool:
        clauses = load_flat(INLINED % inline).clauses
        return any(n.op is Op.APPLY for c in clauses for n in walk(c.rhs))  # type: ignore[union-attr]

    assert not calls("true")
    assert calls("false")
