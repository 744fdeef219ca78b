"""Why a system cannot be sorted, in the user's words.

There are two causes. The numbers of equations and unknowns differ; or they agree, but some equations
have nothing left to determine while some variables have no equation (both from the decomposition of Dulmage
and Mendelsohn). It is no fault when equations constrain the states, so that differentiated equations are
needed (`reduction`): that is the case exactly when the system can be matched with each state and its
derivative taken for one unknown, the condition under which Pantelides' algorithm ends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from saltus.analyse.order.matching import overdetermined, underdetermined
from saltus.analyse.order.network import fault
from saltus.analyse.order.system import System
from saltus.analyse.trivial.alias import Reduced
from saltus.analyse.trivial.cancel import is_real
from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.wording import LISTED, listed, number
from saltus.expr.nodes import ZERO, Expr, is_leaf, leaf_symbol, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves
from saltus.ir.flat import Causality, Equation
from saltus.ir.hybrid import HybridModel

#: The number of equations listed if the fault has been named.
_FEW = 6


def refuse_singular(model: HybridModel, reduced: Reduced, system: System, matched: Sequence[int]) -> None:
    """Raises E301 unless the matching is perfect. `model` is the one before reduction."""
    deficient = [row for row, column in enumerate(matched) if column < 0]
    if not deficient and len(system.equations) == len(system.unknowns):
        return
    raise _singular(model, reduced, system, matched)


def constrains_states(reduced: Reduced, system: System, matched: Sequence[int]) -> bool:
    """Whether derivatives of equations are needed: the matching is deficient for that reason alone."""
    complete = len(system.equations) == len(system.unknowns)
    return complete and min(matched, default=0) < 0 and _index_is_high(reduced.model, system)


def _singular(model: HybridModel, reduced: Reduced, system: System, matched: Sequence[int]) -> ModelError:
    columns = len(system.unknowns)
    rows: Sequence[Sequence[int]] = system.solvable
    if min(matched, default=0) < 0 or len(matched) < columns:
        # equations that merely constrain states are no fault and are not listed with one
        rows = _rows_with_states(reduced.model, system)
        matched = system.match(rows)
    excess = [system.equations[r] for r in overdetermined(rows, columns, matched)]
    lacking = [system.unknowns[c] for c in underdetermined(rows, columns, matched)]
    unmatched = sum(column < 0 for column in matched)
    open_ = columns - (len(matched) - unmatched)
    count = f"{number(len(model.equations), 'equation')} for {number(_unknowns(model), 'unknown')}"
    difference = len(system.equations) - columns
    if difference < 0:
        message = f"{number(-difference, 'equation')} too few ({count})"
    elif difference > 0:
        message = f"{number(difference, 'equation')} too many ({count})"
    else:
        message = (
            f"the numbers agree ({count}), but {number(unmatched, 'equation')} "
            f"{'has' if unmatched == 1 else 'have'} no variable left to determine"
        )
    if lacking:
        message += f"; undetermined: {listed([show(x) for x in lacking])}"
    notes = [*_undetermined(model, lacking, open_), *_in_excess(reduced, excess, unmatched)]
    place = excess[0].span if excess and not lacking else model.span
    symbols = {leaf_symbol(x) for x in lacking}
    inputs = [v.name for v in model.variables() if v.causality is Causality.INPUT and v.symbol in symbols]
    hint = f"an input needs a value: connect {listed(inputs)} or give it a binding" if inputs else None
    hint = hint or _nothing_to_determine(reduced, excess)
    if hint is None:
        if (found := fault(model, reduced, excess, lacking)) is not None:
            notes = [Note(message), *_in_excess(reduced, excess, unmatched)[:_FEW]]
            told = tuple(notes)
            return model_error(
                "E301", found.message, model.span, notes=told, hint=found.hint, origin=_common(found.parts)
            )
        hint = _given_where_nothing_is_connected(model, excess)
    origins = [q.origin for q in excess[:1]] if place is not model.span else [s.name for s in symbols]
    return model_error("E301", message, place, notes=tuple(notes), hint=hint, origin=_common(origins))


def _nothing_to_determine(reduced: Reduced, excess: list[Equation]) -> str | None:
    """An equation in which only parameters stand: it was meant to give one its value."""
    parameters = {v.symbol for v in reduced.model.parameters}
    for q in excess:
        used = [leaf_symbol(leaf) for e in (q.lhs, q.rhs) for leaf in leaves(e)]
        if used and parameters.issuperset(used):
            what = f"`{used[0].name}` is a parameter"
            return f"{what}: give its value in its declaration, or declare it without `parameter`"
    return None


def _given_where_nothing_is_connected(model: HybridModel, excess: list[Equation]) -> str | None:
    """A flow that an equation gives, though it is zero because its connector is connected to nothing."""
    used = {leaf_symbol(leaf) for q in excess for e in (q.lhs, q.rhs) for leaf in leaves(e)}
    declared = {v.symbol: v.span for v in model.variables()}
    for q in model.equations:
        if not is_leaf(q.lhs) or q.rhs is not ZERO:
            continue
        flow = leaf_symbol(q.lhs)
        connector, dot, _ = flow.name.rpartition(".")
        # the equation of an unconnected flow has the place of its declaration
        if dot and flow in used and q.span is declared.get(flow):
            why = f"`{flow.name}` is zero as long as nothing is connected to `{connector}`"
            return f"{why}: connect a part that determines it, instead of writing an equation"
    return None


def _common(paths: Sequence[str]) -> str:
    """The component that all these components or variables are in."""
    parts = [path.split(".") for path in paths]
    shared = [same[0] for same in takewhile(lambda same: len(set(same)) == 1, zip(*parts, strict=False))]
    return ".".join(shared)


def _undetermined(model: HybridModel, lacking: list[Expr], missing: int) -> list[Note]:
    """Where the variables of the underdetermined part are declared; which occur nowhere."""
    declared = {v.symbol: v for v in model.variables()}
    mentioned = {leaf_symbol(x) for q in model.equations for e in (q.lhs, q.rhs) for x in leaves(e)}
    notes = []
    for x in lacking[:LISTED]:
        symbol = leaf_symbol(x)
        if symbol not in mentioned:
            text = f"`{symbol.name}` appears in no equation"
        elif len(lacking) == missing:
            text = f"`{show(x)}` is not determined"
        else:
            shared = number(len(lacking) - missing, "equation")
            text = f"`{show(x)}` is one of {len(lacking)} variables that share {shared}"
        notes.append(Note(text, declared[symbol].span if symbol in declared else None))
    if len(lacking) > LISTED:
        notes.append(Note(f"... and {len(lacking) - LISTED} more variables"))
    return notes


def _in_excess(reduced: Reduced, excess: list[Equation], unmatched: int) -> list[Note]:
    """The equations of the overdetermined part."""
    notes = []
    for q in excess[:LISTED]:
        text = f"`{equation_text(reduced, q)}`"
        if len(excess) == unmatched:
            text = f"equation {text} is in excess"
        else:
            text = f"equation {text} is one of {len(excess)}, of which {unmatched} in excess"
        notes.append(Note(text, q.span))
    if len(excess) > LISTED:
        notes.append(Note(f"... and {len(excess) - LISTED} more equations"))
    return notes


# ---------------------------------------------------------------- states that constrain each other


def _index_is_high(model: HybridModel, system: System) -> bool:
    """The system can be matched when a state and its derivative are one unknown."""
    return min(system.match(_rows_with_states(model, system)), default=0) >= 0


def _rows_with_states(model: HybridModel, system: System) -> list[list[int]]:
    """The columns that each row may determine, when a state and its derivative are one unknown."""
    state = {ref(v.symbol) for v in model.states}
    merged = {leaf_symbol(x): column for column, x in enumerate(system.unknowns[: system.continuous])}
    rows = []
    for q, claim, solvable in zip(system.equations, system.claims, system.solvable, strict=True):
        found = set(solvable)
        if claim < 0 and is_real(q):
            found |= {merged[x.data] for e in (q.lhs, q.rhs) for x in leaves(e) if x in state}
        rows.append(sorted(found))
    return rows


# ---------------------------------------------------------------- words


_RELATION = re.compile(r"\$relation\d+")


def equation_text(reduced: Reduced, q: Equation) -> str:
    """An equation as it was before aliases were eliminated, with relations as they were written."""
    q = reduced.written.get(q, q)
    written = {r.symbol.name: r.text for r in reduced.model.relations}
    text = f"{show(q.lhs, 200)} = {show(q.rhs, 200)}"
    return _RELATION.sub(lambda name: written.get(name[0], name[0]), text)


def _unknowns(model: HybridModel) -> int:
    return len(model.states) + len(model.algebraics) + len(model.discretes)
