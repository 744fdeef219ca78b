"""Parameters in order of their bindings."""

from __future__ import annotations

from analyse_models import Model, places, refusal, solve_blocks
from hypothesis import given, settings
from hypothesis import strategies as st

from saltus.analyse.order.parameters import order_parameters
from saltus.expr.nodes import Type, add, const
from saltus.ir.flat import Variable


def bind(m: Model, name: str, **changes: object) -> None:
    """Changes the binding of a parameter that was declared before the ones it uses."""
    group = m.groups["parameters"]
    at = next(i for i, v in enumerate(group) if v.name == name)
    group[at] = Variable(group[at].symbol, group[at].variability, group[at].span, **changes)  # type: ignore[arg-type]


@settings(deadline=None)
@given(st.permutations(range(9)), st.data())
def test_values_are_those_of_substitution(order: list[int], data: st.DataObject) -> None:
    # Parameter k is 1 plus some parameters of lower number; they are declared in any order.
    uses = [data.draw(st.sets(st.integers(0, k - 1))) if k else set() for k in range(9)]
    expected: list[float] = []
    for k in range(9):
        expected.append(1.0 + sum(expected[j] for j in uses[k]))
    m = Model()
    p = {k: m.parameter(f"p{k}") for k in order}
    for k in order:
        bind(m, f"p{k}", binding=add(const(1.0), *(p[j] for j in sorted(uses[k]))))
    values = solve_blocks(order_parameters(m.build()), {})
    assert [values[p[k]] for k in range(9)] == expected


def test_constants_come_along_and_unbound_and_text_parameters_do_not() -> None:
    m = Model()
    c = m.constant("c", binding=const(2.0))
    p = m.parameter("p", binding=c + 1.0)
    m.parameter("start_only", start=const(4.0))
    m.parameter("text", Type.STRING, binding=const("file"))
    blocks = order_parameters(m.build())
    assert [b.unknown for b in blocks] == [c, p]
    assert blocks[1].equation.span.text == "Real p;"


def test_cycle_is_refused_by_name() -> None:
    m = Model()
    p, q, r = (m.parameter(n) for n in ("a.p", "q", "r"))
    bind(m, "a.p", binding=q + 1.0)
    bind(m, "q", binding=2.0 * r)
    bind(m, "r", binding=p - 1.0)
    m.parameter("outside", binding=p)
    d = refusal(m)
    assert d.code == "E304"
    assert "`a.p` -> `q` -> `r` -> `a.p`" in d.message and "outside" not in d.message
    assert places(d) == ["Real a.p;", "Real q;", "Real r;"]


def test_own_value_is_refused() -> None:
    m = Model()
    p = m.parameter("p")
    bind(m, "p", binding=p + 1.0)
    d = refusal(m)
    assert d.code == "E304" and d.message == "the value of `p` depends on itself"
