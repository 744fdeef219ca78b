"""What follows from the mode; models without the variables that do not exist there."""

from __future__ import annotations

import pytest

import saltus
from saltus.analyse.analysis import Analysis
from saltus.analyse.modes.absence import deduced
from saltus.core.source import Source, Span
from saltus.expr.nodes import FALSE, TRUE, Expr, Op, Symbol, Type, and_, not_, or_, pre, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves
from saltus.ir.flat import Equation
from saltus.ir.sorted.modes import Fixing, Mode

PLACE = Span(Source("test", ""), 0, 0)
A, B, C, D, E = (ref(Symbol(name, Type.BOOLEAN)) for name in "abcde")


def equation(left: Expr, right: Expr) -> Equation:
    return Equation(left, right, PLACE)


@pytest.mark.parametrize(
    ("equations", "known", "found"),
    [
        ([(A, and_(B, C))], {B: FALSE}, {A: FALSE}),
        ([(A, B), (B, not_(C))], {C: TRUE}, {A: FALSE, B: FALSE}),  # in either order
        ([(A, and_(B, not_(C)))], {A: TRUE}, {B: TRUE, C: FALSE}),
        ([(A, or_(B, pre(C)))], {A: FALSE}, {B: FALSE, pre(C): FALSE}),
        ([(A, or_(B, C)), (D, and_(B, E))], {A: FALSE}, {B: FALSE, C: FALSE, D: FALSE}),
        ([(A, or_(B, C))], {A: TRUE}, {}),
        ([(A, and_(B, not_(pre(B))))], {B: TRUE}, {}),
    ],
)
def test_what_follows(
    equations: list[tuple[Expr, Expr]], known: dict[Expr, Expr], found: dict[Expr, Expr]
) -> None:
    assert deduced([equation(*q) for q in equations], known) == known | found


STAGE = """
model Stage
  Boolean separated = time >= 1, landed(start = false, fixed = true);
  Real h(start = 5, fixed = true), h1, v1;
  discrete Real impact(start = 0, fixed = true);
equation
  der(h) = 1;
  if separated and not landed then
    der(h1) = v1;
    der(v1) = -10;
    assert(h1 > -1, "too low");
  end if;
  when separated then
    reinit(h1, h);
  end when;
  when separated and h1 <= 0 then
    landed = true;
    impact = pre(v1);
  end when;
end Stage;
"""


def test_a_model_without_what_does_not_exist() -> None:
    analysis = Analysis(saltus.load(STAGE).hybrid)
    landed, separated = analysis.fixing.guards()
    assert (show(landed), show(separated)) == ("landed", "separated")
    assert analysis.fixing == Fixing(frozenset({separated, landed}))
    before, flight, after = (
        analysis.in_mode(Mode.of(dict(zip((landed, separated), truths, strict=True))), {}).structure
        for truths in ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0))
    )
    assert {v.name for v in flight.states} - {v.name for v in before.states} == {"h1", "v1"}
    assert not flight.model.absent
    for structure in (before, after):
        assert [v.name for v in structure.model.absent] == ["h1", "v1"]
        for relation in structure.relations:  # of h1 only its truth is left
            assert all(leaf.data.name != "h1" for leaf in leaves(relation.residue) if leaf.op is Op.REF)
        assert structure.model.checks[0].guard is FALSE
        assert len(structure.relations) == len(flight.relations)
    # Before the separation nothing can be reinitialised; after the landing that would be refused.
    assert not before.model.jumps and len(before.model.checks) == 1
    assert not after.model.jumps and after.model.checks[1].code == "E307"
    assert len(flight.model.jumps) == 1


def test_combinations_found_in_a_mode_need_its_values() -> None:
    on, closed = (ref(Symbol(name, Type.BOOLEAN)) for name in ("on", "closed"))
    mode = Mode(((on, 1.0),))
    found = Fixing(combinations=(Mode(((closed, 1.0),)),)).within(mode)
    assert found.combinations == (Mode(((closed, 1.0), (on, 1.0))),)
    joined = Fixing(frozenset({on})).joined(found)
    assert joined.mode({on: 1.0, closed: 1.0}.__getitem__) == found.combinations[0]
    assert joined.mode({on: 0.0, closed: 1.0}.__getitem__) == Mode(((on, 0.0),))
    assert joined.joined(found) == joined and joined.joined(Fixing()) is joined
