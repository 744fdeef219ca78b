"""The flat model as Modelica text: every kind of declaration and clause, and names that need quotes."""

from __future__ import annotations

import pytest

from saltus.core.source import Source, Span
from saltus.expr.nodes import (
    FALSE,
    TIME,
    Op,
    Symbol,
    Type,
    apply,
    const,
    der,
    if_,
    index,
    item,
    neg,
    pre,
    ref,
    relation,
)
from saltus.ir.flat import (
    Assert,
    Causality,
    Equation,
    Experiment,
    FlatModel,
    Guarded,
    IfEquation,
    Reinit,
    Terminate,
    Variability,
    Variable,
    When,
)
from saltus.ir.program import Assign, For, Function, If
from saltus.show.listings.flat import flat_text, identifier

SPAN = Span(Source("A.mo", "model A end A;"), 0, 5)


def variable(symbol: Symbol, variability: Variability = Variability.CONTINUOUS, **given: object) -> Variable:
    return Variable(symbol, variability, SPAN, **given)  # type: ignore[arg-type]


def model(variables: list[Variable], clauses: list[object], initial: tuple[object, ...] = ()) -> FlatModel:
    flat = FlatModel("A", SPAN, tuple(variables), tuple(clauses), tuple(initial))  # type: ignore[arg-type]
    flat.verify()
    return flat


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x", "x"),
        ("r1.p.v", "'r1.p.v'"),
        ("a[2]", "'a[2]'"),
        ("'my var'", "'my var'"),
        ("'my var'.x", r"'\'my var\'.x'"),
        ("2x", "'2x'"),
    ],
)
def test_identifiers(name: str, text: str) -> None:
    assert identifier(name) == text


def test_a_bouncing_ball() -> None:
    e, h, v = Symbol("e"), Symbol("ball.h"), Symbol("ball.v")
    flat = FlatModel(
        name="Ball",
        span=SPAN,
        variables=(
            variable(e, Variability.PARAMETER, binding=const(0.7), description="restitution"),
            variable(h, start=const(1.0), fixed=True, unit="m"),
            variable(v, unit="m/s", minimum=const(-10.0), state_select="prefer"),
        ),
        clauses=(
            Equation(der(ref(h)), ref(v), SPAN),
            Equation(der(ref(v)), const(-9.81), SPAN),
            When(
                (
                    Guarded(
                        (relation(Op.LE, ref(h), const(0.0)),),
                        (Reinit(v, neg(ref(e) * pre(ref(v))), SPAN),),
                    ),
                ),
                SPAN,
            ),
        ),
        initial_clauses=(Equation(ref(v), const(0.0), SPAN),),
        experiment=Experiment(0.0, 3.0, 1e-8, 0.01),
        description='a "ball"',
    )
    flat.verify()
    assert flat_text(flat) == (
        'model Ball "a \\"ball\\""\n'
        '  parameter Real e = 0.7 "restitution";\n'
        "  Real 'ball.h'(unit = \"m\", start = 1.0, fixed = true);\n"
        "  Real 'ball.v'(unit = \"m/s\", min = -10.0, stateSelect = StateSelect.prefer);\n"
        "initial equation\n"
        "  'ball.v' = 0.0;\n"
        "equation\n"
        "  der('ball.h') = 'ball.v';\n"
        "  der('ball.v') = -9.81;\n"
        "  when 'ball.h' <= 0.0 then\n"
        "    reinit('ball.v', -e*pre('ball.v'));\n"
        "  end when;\n"
        "  annotation(experiment(StartTime = 0.0, StopTime = 3.0, Tolerance = 1e-8, Interval = 0.01));\n"
        "end Ball;\n"
    )


def test_every_kind_of_declaration() -> None:
    symbols = {
        "c": variable(Symbol("c", Type.INTEGER), Variability.CONSTANT, binding=const(3)),
        "p": variable(Symbol("p"), Variability.PARAMETER, binding=const(1.0), final=True),
        "d": variable(Symbol("d"), Variability.DISCRETE),
        "b": variable(Symbol("b", Type.BOOLEAN), Variability.DISCRETE, start=FALSE, fixed=True),
        "u": variable(Symbol("u"), causality=Causality.INPUT),
        "m": variable(Symbol("m", Type.INTEGER), Variability.DISCRETE, enumeration=("off", "on")),
        "h": variable(Symbol("h"), protected=True, nominal=const(1e5), display_unit="bar"),
    }
    lines = flat_text(model(list(symbols.values()), [])).splitlines()
    assert lines == [
        "model A",
        "  constant Integer c = 3;",
        "  final parameter Real p = 1.0;",
        "  discrete Real d;",
        "  Boolean b(start = false, fixed = true);",
        "  input Real u;",
        "  Integer m; // enumeration(off, on)",
        "protected",
        '  Real h(displayUnit = "bar", nominal = 100000.0);',
        "  annotation(experiment(StartTime = 0.0, StopTime = 1.0, Tolerance = 1e-6));",
        "end A;",
    ]


def test_every_kind_of_clause() -> None:
    x, y, b = Symbol("x"), Symbol("y"), Symbol("b", Type.BOOLEAN)
    above = relation(Op.GT, ref(x), const(1.0))
    below = relation(Op.LT, ref(x), const(0.0))
    text = flat_text(
        model(
            [variable(x), variable(y), variable(b, Variability.DISCRETE)],
            [
                Equation(if_(ref(b), ref(x), ref(y)), TIME, SPAN),
                Assert(above, const("too low"), True, SPAN),
                Assert(below, const("too high"), False, SPAN),
                IfEquation(
                    (
                        Guarded((above,), (Equation(ref(y), const(1.0), SPAN),)),
                        Guarded((below,), (Equation(ref(y), const(2.0), SPAN),)),
                        Guarded((), (Equation(ref(y), const(3.0), SPAN),)),
                    ),
                    SPAN,
                ),
                When(
                    (
                        Guarded((above, below), (Equation(ref(b), FALSE, SPAN),)),
                        Guarded((ref(b),), (Terminate(const("done"), SPAN),)),
                    ),
                    SPAN,
                ),
            ],
        )
    )
    body = text[text.index("equation\n") : text.index("  annotation")]
    assert body == (
        "equation\n"
        "  (if b then x else y) = time;\n"
        '  assert(x > 1.0, "too low", AssertionLevel.warning);\n'
        '  assert(x < 0.0, "too high");\n'
        "  if x > 1.0 then\n"
        "    y = 1.0;\n"
        "  elseif x < 0.0 then\n"
        "    y = 2.0;\n"
        "  else\n"
        "    y = 3.0;\n"
        "  end if;\n"
        "  when {x > 1.0, x < 0.0} then\n"
        "    b = false;\n"
        "  elsewhen b then\n"
        '    terminate("done");\n'
        "  end when;\n"
    )


def test_functions_are_printed_once_with_unique_names() -> None:
    def total(size: int) -> Function:
        a, s, i = Symbol("a", shape=(size,)), Symbol("s"), Symbol("i", Type.INTEGER)
        loop = For(i, const(1), const(1), const(size), (Assign(s, ref(s) + index(ref(a), ref(i))),))
        cut = If(((relation(Op.GT, ref(s), const(9.0)), (Assign(s, const(9.0)),)),))
        return Function("Lib.total", (a,), (s,), (), (loop, cut))

    from saltus.expr.nodes import array

    two, three = total(2), total(3)
    x, y = Symbol("x"), Symbol("y")
    first = item(apply(two, [array((2,), [ref(x), TIME])]), 0)
    second = item(apply(three, [array((3,), [first, first, ref(x)])]), 0)
    text = flat_text(
        model(
            [variable(x), variable(y)],
            [Equation(ref(x), TIME, SPAN), Equation(ref(y), second, SPAN)],
        )
    )
    assert text.count("function 'Lib.total'\n") == 1
    assert text.count("function 'Lib.total_2'\n") == 1
    # Which of the two got the number is not promised; that calls and sizes agree is.
    outer = "'Lib.total'" if "y = 'Lib.total'(" in text else "'Lib.total_2'"
    inner = "'Lib.total_2'" if outer == "'Lib.total'" else "'Lib.total'"
    assert f"y = {outer}({{{inner}({{x, time}}), {inner}({{x, time}}), x}});" in text
    declared = text[text.index(f"function {outer}\n") :]
    assert declared.splitlines()[1:10] == [
        "    input Real[3] a;",
        "    output Real s;",
        "  algorithm",
        "    for i in 1:1:3 loop",
        "      s := s + a[i];",
        "    end for;",
        "    if s > 9.0 then",
        "      s := 9.0;",
        "    end if;",
    ]
