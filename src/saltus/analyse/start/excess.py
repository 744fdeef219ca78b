"""Initial conditions that are one too many: checked, or refused by name.

The matching of the initial system finds equations that have no unknown left (`x = 1` and `2*x = 2`), exact
elimination those that say the same of several unknowns (`x + y = 1` and `2*x + 2*y = 2`). Neither means that
the model is wrong: they are left out and must hold in the solution. What literals alone decide is decided at
translation; a contradiction is an error that quotes the equations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from saltus.analyse.index.dependence import HiddenCondition, refuse_dependent
from saltus.analyse.order.matching import Matching
from saltus.analyse.order.singular import equation_text
from saltus.analyse.order.system import System
from saltus.analyse.trivial.alias import Reduced, start_value
from saltus.analyse.trivial.cancel import is_real
from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.wording import LISTED, listed
from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import (
    INITIAL,
    ONE,
    ZERO,
    Expr,
    Op,
    Symbol,
    add,
    call,
    const,
    mul,
    no_event,
    ref,
    relation,
    sub,
)
from saltus.expr.traversal import leaves
from saltus.functions.interpret import call_function
from saltus.ir.flat import Equation
from saltus.ir.hybrid import Check, HybridModel
from saltus.ir.native.contract import CONSISTENT
from saltus.ir.sorted.blocks import Block, Explicit, Nonlinear


@dataclass(frozen=True)
class Excess:
    """A given equation without an unknown of its own, and the given equations that leave it none."""

    row: int
    others: tuple[int, ...]


def match_given(
    reduced: Reduced,
    full: System,
    matching: Matching,
    given: int,
    model_rows: int,
    left_out: Mapping[int, tuple[int, ...]],
) -> list[Excess]:
    """Matches every given equation. Those that have nothing left to determine are returned, to be checked;
    the model is refused where they are not initial equations, or have no unknown, or say of a discrete
    variable what the model says already."""
    found: list[Excess] = []
    for row in range(given):
        if row not in left_out and matching.column_of[row] < 0 and not matching.augment(row):
            others = tuple(r for r in sorted(matching.visited) if r >= model_rows and r != row)
            found.append(Excess(row, others))
    refused = [
        e
        for e in found
        if e.row < model_rows or not full.solvable[e.row] or not (e.others or is_real(full.equations[e.row]))
    ]
    if refused:
        raise _overdetermined(reduced, full, refused)
    return [*found, *(Excess(row, others) for row, others in left_out.items())]


def redundant_equation(
    reduced: Reduced, full: System, blocks: Sequence[Block], initial: range
) -> Excess | None:
    """An initial equation that says what others say in other words, seen only by the coefficients:
    `x + y = 1` and `2*x + 2*y = 2`; or `der(x) = 0` and `der(y) = 0` where x + y is constant by the
    equations, so that something else is open. Where they contradict each other the model is refused."""
    rows = {full.equations[row]: row for row in initial}
    try:
        refuse_dependent(blocks, ())
    except HiddenCondition as found:
        # What is left when the unknowns cancel says something of values that initial equations gave.
        remaining = set(leaves(found.left)) if found.left is not None else set()
        values = [b.equation for b in blocks if isinstance(b, Explicit) and b.unknown in remaining]
        own = sorted(rows[q] for q in (*found.involved, *values) if q in rows)
        if not own:
            return None  # the run decides
        if found.left is not ZERO or found.constant == 0.0:
            return Excess(own[-1], tuple(own[:-1]))
        texts = [equation_text(reduced, q) for q in found.involved]
        raise model_error(
            "E303",
            f"these equations contradict each other at the start: {listed(texts)}; "
            f"combined they say 0 = {abs(found.constant):g}",
            full.equations[own[-1]].span,
            notes=tuple(_given_here(reduced, found.involved)),
            hint="remove or correct an initial equation",
            origin=full.equations[own[-1]].origin,
        ) from None
    return None


def with_guesses(full: System, excess: Sequence[Excess], blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """The blocks, with a guess before each nonlinear one for which a redundant condition has a formula: of
    `x^2 + y^2 = 1`, solved for y, the condition `y = -sqrt(1 - x^2)` selects the intended solution."""
    home = {x: k for k, b in enumerate(blocks) for x in b.unknowns}
    guesses: dict[int, list[Block]] = {}
    for item in excess:
        q = full.equations[item.row]
        for unknown, value in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
            k = home.get(unknown, -1)
            known_before = all(home.get(leaf, -1) < k for leaf in leaves(value))
            if k >= 0 and isinstance(blocks[k], Nonlinear) and known_before:
                guesses.setdefault(k, []).append(Explicit(unknown, value, q))
                break
    return tuple(part for k, block in enumerate(blocks) for part in (*guesses.get(k, ()), block))


def consistency_checks(
    reduced: Reduced,
    full: System,
    excess: Sequence[Excess],
    blocks: Sequence[Block],
    constrained_variables: frozenset[Symbol],
) -> Iterator[Check]:
    """Redundant initial equations must agree with the others. What literals alone decide is decided now; the
    rest, which a parameter may change, is checked when the initial system has been solved."""
    if not excess:
        return
    values = _literal_values(reduced.model, blocks)
    model = reduced.model
    nominals = {ref(v.symbol): v.nominal for v in (*model.states, *model.algebraics)}
    wrong: list[Excess] = []
    for e in excess:
        q = full.equations[e.row]
        agrees = agreement(q)
        if all(leaf in values for leaf in leaves(agrees)):
            if not _holds(agrees, values):
                wrong.append(e)
                continue
            if _holds(agreement(q, ZERO), values):
                continue
        agrees = agreement(q, largest_nominal(q, nominals))
        words = _contradiction(reduced, full, e, constrained_variables)
        notes = tuple(_given_here(reduced, [full.equations[r] for r in e.others]))
        yield Check(
            INITIAL, no_event(agrees), const(words), False, q.span, q.origin, code="E401", notes=notes
        )
    if wrong:
        words = _contradiction(reduced, full, wrong[0], frozenset())
        raise _overdetermined(reduced, full, wrong, words if len(wrong) == 1 else "")


def largest_nominal(q: Equation, nominals: Mapping[Expr, Expr | None]) -> Expr:
    """How large the variables of an equation are meant to be."""
    sizes = [call("abs", n) for leaf in q.leaves if (n := nominals.get(leaf)) is not None]
    largest = sizes[0] if sizes else ONE
    for size in sizes[1:]:
        largest = call("max", largest, size)
    return largest


def agreement(q: Equation, least: Expr = ONE) -> Expr:
    """Both sides are the same, up to a small part of the terms they consist of, which counts as no smaller
    than that of `least`. Truths and Integers are the same or not."""
    if not is_real(q):
        return relation(Op.EQ, q.lhs, q.rhs)
    parts = [p for e in (q.lhs, q.rhs) for p in (e.args if e.op is Op.ADD else (e,))]
    size = add(least, *(call("abs", p) for p in parts))
    return relation(Op.LE, call("abs", sub(q.lhs, q.rhs)), mul(const(CONSISTENT), size))


def _literal_values(model: HybridModel, blocks: Sequence[Block]) -> dict[Expr, Any]:
    """What can be computed without knowing any parameter."""
    values: dict[Expr, Any] = {}
    known = [(ref(v.symbol), v.binding) for v in model.constants if v.binding is not None]
    for unknown, value in (*known, *((b.unknown, b.value) for b in blocks if isinstance(b, Explicit))):
        if all(leaf in values for leaf in leaves(value)):
            with suppress(NotEvaluable, ArithmeticError, ValueError, IndexError, ModelError):
                values[unknown] = evaluate(value, values.__getitem__, apply=call_function)
    return values


def _holds(condition: Expr, values: dict[Expr, Any]) -> bool:
    try:
        return bool(evaluate(condition, values.__getitem__, apply=call_function))
    except (NotEvaluable, ArithmeticError, ValueError, IndexError, ModelError):
        return False


def _contradiction(
    reduced: Reduced, full: System, e: Excess, constrained_variables: frozenset[Symbol]
) -> str:
    q = full.equations[e.row]
    symbol = q.lhs.data if q.lhs.op is Op.REF else None
    v = next((v for v in (*reduced.model.states, *reduced.model.algebraics) if v.symbol is symbol), None)
    fixed = v is not None and v.fixed is True and q.rhs is start_value(v)
    if symbol in constrained_variables and v is not None and fixed:
        return f"the fixed start value of `{v.name}` contradicts those of the states it depends on"
    text = equation_text(reduced, q)
    if symbol in constrained_variables or not e.others:
        return f"`{text}` contradicts the other initial values and the equations"
    return f"`{text}` contradicts {listed([equation_text(reduced, full.equations[r]) for r in e.others])}"


def _given_here(reduced: Reduced, equations: Sequence[Equation]) -> Iterator[Note]:
    for q in equations[:LISTED]:
        yield Note(f"`{equation_text(reduced, q)}` is given here", q.span)
    if len(equations) > LISTED:
        yield Note(f"... and {len(equations) - LISTED} more equations")


def _overdetermined(
    reduced: Reduced, full: System, excess: Sequence[Excess], contradiction: str = ""
) -> ModelError:
    """Names the equations of which some must go: those in excess and those that already said it all."""
    involved = list(dict.fromkeys(row for e in excess for row in (*e.others, e.row)))
    texts = [equation_text(reduced, full.equations[row]) for row in involved]
    if len(excess) == 1:
        message = contradiction or f"one initial condition too many: {listed(texts)}"
    else:
        message = f"{len(excess)} initial conditions too many among these: {listed(texts)}"
    return model_error(
        "E303",
        message,
        full.equations[excess[0].row].span,
        notes=tuple(_given_here(reduced, [full.equations[row] for row in involved])),
        origin=full.equations[excess[0].row].origin,
    )
