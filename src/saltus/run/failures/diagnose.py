"""Why a run failed, in the model's own words: which variables, which equations, which relations.

Nothing here is fast; it is called once, when a run has already ended.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, ModelError, Note, RunError
from saltus.core.source import Span
from saltus.core.wording import listed
from saltus.expr.evaluate import LARGE_OPERATIONS, NotEvaluable, evaluate
from saltus.expr.nodes import LARGEST_INTEGER, Expr, Op, Type, leaf_symbol, leaves, ref, walk
from saltus.expr.show import show
from saltus.functions.interpret import call_function
from saltus.ir.contract import TIME_SLOT, Counter
from saltus.ir.flat import Equation
from saltus.ir.hybrid import Check
from saltus.ir.program import FUNCTION_FAILED, INTEGER_OVERFLOW, NOT_FINITE, SETTLE_FAILED, FunctionFault
from saltus.ir.structure import (
    Block,
    Explicit,
    Leading,
    Leap,
    Linear,
    Mode,
    Nonlinear,
    PivotGuard,
    Switched,
    block_expressions,
)
from saltus.run.failures.coupling import ENUMERATED, groups
from saltus.run.integrators.integrator import Integrator
from saltus.run.integrators.sundials import CONV_FAILURE
from saltus.run.memory.memory import Memory, typed

#: Below this part of the largest one a singular value, and below this part of its terms a divisor, is on its
#: way to zero when the integrator gets no further.
NEARLY_SINGULAR = 1e-8

#: How many names a message lists before it says how many more there are.
SHOWN = 5

#: The step, relative to the time, after which it is looked whether a function has left its domain.
AHEAD = 1e-6

#: Passes in which flipping relations are looked for after `settle` has given up.
_WATCHED_PASSES = 12

#: Up to so many relations and discrete variables that contradict each other, each choice is explained.
_TRIED_OUT = 2


_UNBOUNDED = (
    "the solution may grow without bound here, or a discontinuity may be hidden by noEvent; "
    "try a smaller tolerance"
)
_OUTSIDE = (
    "a function is called outside its domain when time goes on: look for sqrt, log, asin, acos or a power "
    "whose argument reaches its limit here, and guard it as in sqrt(max(x, 0))"
)


#: Operations whose Integers may be too large, in themselves or in the body of a function.
_MAY_OVERFLOW = LARGE_OPERATIONS | {Op.APPLY}


def at_time(memory: Memory) -> str:
    """` at time 0.5`, or ` at the start`."""
    return f"at time {memory.time:.9g}"


def names(found: Sequence[str], shown: int = SHOWN) -> str:
    """`a`, `b` and 3 more."""
    return listed(found, shown)


def failure(memory: Memory, status: int, *, initial: bool = False) -> RunError:
    """A routine returned a status that is not zero."""
    error = _failure(memory, status, initial)
    error.status = status
    return error


def _failure(memory: Memory, status: int, initial: bool) -> RunError:
    if status == SETTLE_FAILED:
        return relations_flip(memory, initial=initial)
    block = memory.program.failures.get(status)
    if isinstance(block, FunctionFault):
        said = f"{block.message} (in the function `{block.function}`, {at_time(memory)})"
        return RunError(Diagnostic("E406", said, block.span))
    if status == INTEGER_OVERFLOW:
        return RunError(_too_large(memory, initial=initial))
    if status == FUNCTION_FAILED:
        used = names([f.name for f in memory.program.functions if not f.internal])
        said = f"a subscript is out of range or a recursion does not end, {at_time(memory)}, in one of {used}"
        return RunError(Diagnostic("E407", said))
    blocks: Sequence[Block] = memory.structure.initial if initial else memory.blocks
    if isinstance(block, Leading):
        return RunError(_without_mode(memory, block))
    if not isinstance(block, Explicit | Linear | Nonlinear):
        what = f" ({block})" if block is not None else ""
        code = "E401" if initial else "E403"
        return RunError(Diagnostic(code, f"a computation failed {at_time(memory)}{what}"))
    # A value that went wrong earlier is the reason, the block only where it was noticed.
    earlier = blocks[: blocks.index(block)] if block in blocks else ()
    culprit = _first_not_finite(memory, earlier) or _zero_denominator(memory, block)
    if culprit is not None:
        return RunError(culprit)
    code = "E401" if initial else "E403"
    if isinstance(block, Linear):
        return RunError(_singular(memory, block, code))
    return RunError(_unsolved(memory, block, code))


def _unsolved(memory: Memory, block: Block, code: str) -> Diagnostic:
    """E403 (E401 at the start): variables with their values, equations with their places."""
    unknowns = [show(u) for u in block.unknowns]
    residuals = [_residual(memory, e) for e in block.equations]
    order = sorted(range(len(residuals)), key=lambda i: -_size(residuals[i]))
    message = f"the nonlinear equations for {names(unknowns)} were not solved {at_time(memory)}"
    worst = residuals[order[0]] if order else None
    if worst is not None:
        message += f"; the largest residual is {worst:.4g}"
    notes = [
        Note(f"{text} = {memory.value(u):.6g}") for text, u in zip(unknowns, block.unknowns, strict=True)
    ][:SHOWN]
    for i in order[:SHOWN]:
        residual = residuals[i]
        text = "in this equation" if residual is None else f"this equation has the residual {residual:.4g}"
        notes.append(Note(text, block.equations[i].span))
    hint = "give better start values for these variables"
    if code == "E401":
        hint += ", or begin with easier equations: homotopy(actual, simplified)"
    return Diagnostic(
        code,
        message,
        block.equations[order[0]].span if order else None,
        tuple(notes),
        hint,
        origin=block.equations[order[0]].origin if order else "",
    )


def _singular(memory: Memory, block: Linear, code: str) -> Diagnostic:
    """A linear block whose matrix is singular now: the equations that depend on each other, and the variables
    that they leave open."""
    unknowns = names([show(u) for u in block.unknowns])
    message = f"the linear equations for {unknowns} have no unique solution {at_time(memory)}"
    rows, columns = _null_vectors(memory, block)
    equations = [block.equations[i] for i in rows]
    if columns and len(columns) < len(block.unknowns):
        message += f"; open are {names([show(block.unknowns[j]) for j in columns])}"
    notes = [Note("this equation says what the others say, or contradicts them", q.span) for q in equations]
    if len(notes) > SHOWN:
        notes[SHOWN:] = [Note(f"... and {len(notes) - SHOWN} more equations")]
    used = {leaf for i, _, e in block.matrix if i in rows for leaf in leaves(e)}
    texts = sorted(text for leaf in used for text in _leaf_values(memory, leaf))
    if texts:
        notes.append(Note("with " + ", ".join(texts[:SHOWN])))
    hint = "a coefficient has a value here that makes equations depend on each other: look at those that vary"
    return Diagnostic(
        code, message, equations[0].span, tuple(notes), hint if texts else None, origin=equations[0].origin
    )


def _without_mode(memory: Memory, block: Leading) -> Diagnostic:
    """A system whose structure is found by numbers has no solution in the mode that its guards have."""
    guards = dict.fromkeys(x for p in block.signature.pairs for x in leaves(p.slope))
    local = memory.structure.local
    texts = [f"`{show(x)}` {typed(x.type, memory.value(x))}" for x in guards if x in local]
    first = next((p.row for p in block.signature.pairs if not local.isdisjoint(leaves(p.slope))), 0)
    equation = block.equations[first]
    return Diagnostic(
        "E403",
        f"the equations for {names([show(x) for x in block.algebraics])} have no unique solution "
        f"{at_time(memory)}",
        equation.span,
        (Note(f"with {names(texts)}"),) if texts else (),
        origin=equation.origin,
    )


def _null_vectors(memory: Memory, block: Linear) -> tuple[list[int], list[int]]:
    """The rows whose combination vanishes, and the columns of a solution without right side; all rows and no
    columns where the matrix has no value."""
    found = _decomposed(memory, block)
    if found is None:
        return list(range(len(block.unknowns))), []
    left, _, right = found
    large = [np.flatnonzero(np.abs(v) > 1e-6 * np.abs(v).max()).tolist() for v in (left[:, -1], right[-1])]
    return large[0], large[1]


def _decomposed(memory: Memory, block: Linear) -> tuple[NDArray[np.float64], ...] | None:
    """The singular value decomposition of the matrix, its rows scaled; None where it has no value."""
    n = len(block.unknowns)
    matrix = np.zeros((n, n))
    try:
        for i, j, e in block.matrix:
            matrix[i, j] = float(memory.evaluate(e))
        return np.linalg.svd(matrix / np.maximum(np.abs(matrix).max(axis=1, keepdims=True), 1e-300))
    except (NotEvaluable, ArithmeticError, ValueError, TypeError, np.linalg.LinAlgError):
        return None


def _pole(memory: Memory) -> Diagnostic | None:
    """Where the integrator gets no further: the linear equations that become singular there, or the divisor
    that goes to zero."""
    for block in memory.blocks:
        if isinstance(block, Linear):
            found = _decomposed(memory, block)
            if found is not None and found[1][-1] < NEARLY_SINGULAR * found[1][0]:
                return _singular(memory, block, "E403")
        culprit = _zero_denominator(memory, block, NEARLY_SINGULAR)
        if culprit is not None:
            return culprit
    return None


def _size(residual: float | None) -> float:
    if residual is None:
        return -1.0
    return math.inf if math.isnan(residual) else abs(residual)


def _residual(memory: Memory, equation: Equation) -> float | None:
    try:
        return float(memory.evaluate(equation.lhs)) - float(memory.evaluate(equation.rhs))
    except (NotEvaluable, ArithmeticError, ValueError, TypeError):
        return None


# ---------------------------------------------------------------- numbers that are none


def not_finite(memory: Memory, blocks: Iterable[Block]) -> RunError | None:
    """E402 or E407 for the first variable, in the order of computation, that is not finite."""
    found = _first_not_finite(memory, blocks)
    return None if found is None else RunError(found)


def _first_not_finite(memory: Memory, blocks: Iterable[Block]) -> Diagnostic | None:
    for block in blocks:
        for unknown in block.unknowns:
            slot = memory.layout.slots.get(unknown)
            if slot is None or math.isfinite(memory.array[slot]):
                continue
            return _zero_denominator(memory, block) or _invalid(memory, block, unknown)
    return None


def _invalid(memory: Memory, block: Block, unknown: Expr) -> Diagnostic:
    slot = memory.layout.slots[unknown]
    value = float(memory.array[slot])
    word = "not a number" if math.isnan(value) else "infinite"
    at = block.unknowns.index(unknown)
    equation = block.equations[min(at, len(block.equations) - 1)]
    notes: list[Note] = []
    for e in block_expressions(block):
        for leaf in _leaf_values(memory, e)[: SHOWN - len(notes)]:
            notes.append(Note(leaf))
    return Diagnostic(
        "E407",
        f"`{show(unknown)}` is {word} {at_time(memory)}",
        equation.span,
        tuple(notes[:SHOWN]),
        origin=equation.origin,
    )


def _too_large(memory: Memory, *, initial: bool) -> Diagnostic:
    """E413 for the first variable, in the order of computation, that needs an Integer which is too large."""
    model = memory.structure.model
    bindings = [
        (v.name, v.binding, v.span, "")
        for v in (*model.constants, *model.parameters)
        if v.binding is not None and v.symbol.type is not Type.STRING
    ]
    equations = [
        (show(u), e, q.span, q.origin)
        for block in (*(memory.structure.initial if initial else ()), *memory.blocks)
        for u, e, q in zip(block.unknowns, _per_equation(block), block.equations, strict=False)
    ]
    conditions = [(r.text, r.residue, r.span, r.origin) for r in model.relations]
    candidates = (*bindings, *equations, *conditions)
    # An event that failed has been undone, and its clocks tick no more: what is computed at ticks only is
    # looked for in branches as well.
    inner = ((n, part, s, o) for n, e, s, o in candidates for part in walk(e) if part.op in _MAY_OVERFLOW)
    for name, e, span, origin in (*candidates, *inner):
        reason = _overflow(memory, e)
        if reason is not None:
            notes = tuple(Note(leaf) for leaf in _leaf_values(memory, e)[:SHOWN])
            message = f"`{name}` cannot be computed {at_time(memory)}: {reason}"
            return Diagnostic("E413", message, span, notes, origin=origin)
    return Diagnostic("E413", f"an Integer is beyond {LARGEST_INTEGER} (2^53 - 1) {at_time(memory)}")


def _overflow(memory: Memory, e: Expr) -> str | None:
    """In which words an expression has no value because of an Integer that is too large."""
    try:
        evaluate(e, memory.value, apply=call_function)
    except OverflowError as error:
        return str(error)
    except ModelError as error:  # from the body of a function
        (told, *_) = error.diagnostics
        return told.message if told.code == "E413" else None
    except (NotEvaluable, ArithmeticError, ValueError, TypeError, IndexError):
        return None
    return None


def _leaf_values(memory: Memory, e: Expr) -> list[str]:
    """What an expression is made of, each with its value; relations as the user wrote them."""
    texts = {r.symbol: r.text for r in memory.structure.model.relations}
    found = []
    for leaf in leaves(e):
        try:
            value = memory.value(leaf)
        except (NotEvaluable, ArithmeticError, ValueError):
            continue
        if leaf.op is Op.REF and leaf.data in texts:
            found.append(f"`{texts[leaf.data]}` {'true' if value else 'false'}")
        elif isinstance(value, float):
            found.append(f"{show(leaf)} = {value:.6g}")
        else:
            found.append(f"{show(leaf)} = {str(value).lower()}")
    return found


def _zero_denominator(memory: Memory, block: Block, nearly: float = 0.0) -> Diagnostic | None:
    """The division in a block whose denominator is zero now, or `nearly` so compared with its terms."""
    for i, e in enumerate(_per_equation(block)):
        for node in walk(e):
            zero = node.args[1] if node.op is Op.DIV else None
            if zero is None:
                continue
            try:
                value = float(memory.evaluate(zero))
                terms = zero.args if zero.op is Op.ADD else ()
                size = max((abs(float(memory.evaluate(t))) for t in terms), default=0.0)
                if value != 0.0 and not abs(value) < nearly * size:
                    continue
            except (NotEvaluable, ArithmeticError, ValueError, TypeError):
                continue
            equation = block.equations[min(i, len(block.equations) - 1)]
            return Diagnostic(
                "E402",
                f"the divisor {_divisor(zero, value)} {at_time(memory)}",
                equation.span,
                (Note(f"in the equation for `{show(block.unknowns[min(i, len(block.unknowns) - 1)])}`"),),
                origin=equation.origin,
            )
    return None


def _divisor(e: Expr, value: float) -> str:
    if not leaves(e):
        return "is always 0"
    return f"`{show(e)}` is 0" if value == 0.0 else f"`{show(e)}` goes to 0"


def _per_equation(block: Block) -> list[Expr]:
    match block:
        case Explicit():
            return [block.value]
        case Nonlinear():
            return list(block.residuals)
        case Linear():
            # The right sides first: they are in the order of the equations.
            return [*block.right, *(e for _, _, e in block.matrix)]
        case Switched():
            return [e for inner in block.inner for e in _per_equation(inner)]
        case Leading() | Leap():
            return list(block.rest)


# ---------------------------------------------------------------- events without end


@dataclass(frozen=True)
class Switch:
    """A relation or a presumption, as the user knows it."""

    text: str
    span: Span
    residue: Expr | None  # of a relation
    type: Type = Type.BOOLEAN
    loop: tuple[str, ...] = ()  # what else is in the loop of a presumption
    origin: str = ""  # the component it belongs to

    def said(self, value: float) -> str:
        """`x > 0` true, or `mode` 3."""
        shown = typed(self.type, value)
        return f"`{self.text}` {str(shown).lower() if self.type is Type.BOOLEAN else shown}"


def switches(memory: Memory) -> list[Switch]:
    """All relations, then all presumptions."""
    structure = memory.structure
    found = [Switch(r.text, r.span, r.residue, origin=r.origin) for r in structure.model.relations]
    for p in structure.presumptions:
        others = (x for x in p.loop if x is not p.variable and leaf_symbol(x).helper is None)
        span, loop = p.equation.span, tuple(map(show, others))
        found.append(Switch(show(p.variable), span, None, p.variable.type, loop, p.equation.origin))
    return found


def no_mode_to_start_in(memory: Memory, tried: Sequence[Mode]) -> RunError:
    """E404: the solution of the initial system in each mode belongs to another."""
    model = memory.structure.model
    texts = {ref(r.symbol): r.text for r in model.relations}
    notes = [
        Note("tried: " + ", ".join(f"`{texts.get(g) or show(g)}` = {v:g}" for g, v in mode.fixed[:SHOWN]))
        for mode in tried[:SHOWN]
    ]
    return RunError(
        Diagnostic(
            "E404",
            f"no mode was found in which `{model.name}` can start: the values of each lead to another",
            model.span,
            tuple(notes),
            "give start values of the variables that these conditions depend on",
        )
    )


def relations_flip(memory: Memory, *, initial: bool = False) -> RunError:
    """E404 for a settle that did not end: the relations and discrete variables that go on changing when
    passes go on, and how each choice of a few of them contradicts itself."""
    one_pass = _Pass(memory, initial)
    changing: set[int] = set()
    for _ in range(_WATCHED_PASSES):
        before = one_pass.mode()
        if not one_pass.done():
            break
        changing.update(np.flatnonzero(one_pass.mode() != before).tolist())
    known = switches(memory)
    places = sorted(changing) or list(range(len(known)))
    found = [known[i] for i in places]
    if len(found) <= _TRIED_OUT and all(s.type is Type.BOOLEAN for s in found):
        notes = list(_contradictions(memory, one_pass, known, places))
    else:
        notes = [
            Note(f"`{s.text}` keeps changing{_residue_now(memory, s)}", s.span)
            for s in sorted(found, key=lambda s: s.residue is None)
        ]
        notes[SHOWN:] = [Note(f"... and {len(notes) - SHOWN} more")] if len(notes) > SHOWN else []
    loop = list(dict.fromkeys(name for s in found for name in s.loop))
    notes += [Note(f"it depends on itself through {names(loop)}")] if loop else []
    sizes = [
        len(g.members)
        for g in groups(memory.structure, initial=initial)
        if not changing.isdisjoint(g.members)
    ]
    largest = max(sizes, default=0)
    message = f"no consistent values were found for {names([s.text for s in found])} {at_time(memory)}: " + (
        "each choice contradicts itself"
        if largest <= ENUMERATED
        else f"{largest} depend on each other, too many to try all choices"
    )
    return RunError(
        Diagnostic(
            "E404",
            message,
            found[0].span,
            tuple(notes),
            "use pre() to break the loop",
            origin=found[0].origin,
        )
    )


class _Pass:
    """One pass of `settle` on what it finds in the memory."""

    def __init__(self, memory: Memory, initial: bool) -> None:
        name = "settle_initial" if initial else "settle"
        self._routines = [
            memory.routines[r] for r in ("initial" if initial else "evaluate", "relations", f"{name}_update")
        ]
        self._sections = [memory.section(s) for s in ("relations", "presumed")]

    def mode(self) -> NDArray[np.float64]:
        """All truths, and all presumed values."""
        return np.concatenate(self._sections)

    def take(self, mode: NDArray[np.float64]) -> None:
        """Takes a mode for granted."""
        count = len(self._sections[0])
        self._sections[0][:], self._sections[1][:] = mode[:count], mode[count:]

    def done(self) -> bool:
        """Whether nothing failed."""
        return not any(routine() for routine in self._routines)


def _contradictions(
    memory: Memory, one_pass: _Pass, known: Sequence[Switch], places: Sequence[int]
) -> Iterator[Note]:
    """What comes out for each choice of a few switches."""
    start = memory.array.copy()
    for values in product((1.0, 0.0), repeat=len(places)):
        memory.array[:] = start
        mode = one_pass.mode()
        mode[places] = values
        one_pass.take(mode)
        choice = "with " + ", ".join(known[i].said(mode[i]) for i in places)
        if not one_pass.done():
            yield Note(f"{choice}, the equations have no solution")
            continue
        after = one_pass.mode()
        for i in places:
            if after[i] != mode[i]:
                opposite = f"`{known[i].text}` is {'true' if after[i] else 'false'}"
                yield Note(f"{choice}: {opposite}{_residue_now(memory, known[i])}", known[i].span)
                break
    memory.array[:] = start


def _residue_now(memory: Memory, switch: Switch) -> str:
    """`; x - 1 = 0.5` for a relation."""
    if switch.residue is None:
        return ""
    value = memory.number(switch.residue, math.nan)
    return f"; {show(switch.residue)} = {value:.6g}"


def discretes_flip(memory: Memory, changing_now: NDArray[np.bool_], rounds: int) -> RunError:
    """E404 for an iteration in which discrete variables keep changing."""
    first = memory.first("discretes")
    slots = [first + int(i) for i in np.flatnonzero(changing_now)]
    places = {slot: leaf for leaf, slot in memory.layout.slots.items()}
    changing = [places[s] for s in slots if s in places]
    named = [leaf for leaf in changing if leaf_symbol(leaf).helper is None] or changing
    origin = leaf_symbol(named[0]).name if named else ""
    notes = []
    for leaf in named[:SHOWN]:
        for block in memory.blocks:
            if leaf in block.unknowns:
                span = block.equations[min(block.unknowns.index(leaf), len(block.equations) - 1)].span
                notes.append(Note(f"`{show(leaf)}` is determined here", span))
                break
    if not named:  # states that jump again and again
        jumped = np.flatnonzero(memory.section("jumped"))
        states = [v.name for i, v in enumerate(memory.structure.states) if i in jumped]
        notes = [Note("reinit here", j.span) for j in memory.structure.model.jumps if j.state.name in states]
        what = f"{names(states)} is reinitialised again and again" if states else "the event does not settle"
        origin = states[0] if states else ""
    else:
        verb = "keeps" if len(named) == 1 else "keep"
        what = f"{names([show(leaf) for leaf in named])} {verb} changing"
    return RunError(
        Diagnostic(
            "E404",
            f"{what} {at_time(memory)} (stopped after {rounds} rounds)",
            notes[0].span if notes else None,
            tuple(notes) if len(notes) > 1 else (),
            origin=origin,
        )
    )


def endless_events(memory: Memory, fired: Sequence[int], count: int, passed: float) -> RunError:
    """E404 for events that follow each other with next to no time passing. Relations in the user's own file
    are told first: libraries only look on."""
    model = memory.structure.model
    found = sorted((model.relations[i] for i in fired), key=lambda r: r.span.source is not model.span.source)
    cause = f" of {names([r.text for r in found])}" if found else ""
    return RunError(
        Diagnostic(
            "E404",
            f"{count} events{cause} within {passed:.3g} s {at_time(memory)}",
            found[0].span if found else None,
            tuple(Note(f"`{r.text}`", r.span) for r in found[:SHOWN]),
            "two modes push towards each other here (chattering), or the intervals between events shrink "
            "to nothing (Zeno)",
            origin=found[0].origin if found else "",
        )
    )


def unresolved_events(memory: Memory, index: int) -> RunError:
    """E404 for a relation that changed and changed back within one step after an event. Unnoticed, a ball
    would fall through its floor."""
    relation = memory.structure.model.relations[index]
    return RunError(
        Diagnostic(
            "E404",
            f"events of `{relation.text}` follow each other faster than can be resolved {at_time(memory)}",
            relation.span,
            (),
            "the intervals between events shrink to nothing here (Zeno): give the model a state of rest; if "
            "they do not, try a smaller tolerance",
            origin=relation.origin,
        )
    )


# ---------------------------------------------------------------- states


def singular_position(
    memory: Memory, guards: Sequence[PivotGuard], reason: ModelError | None = None
) -> RunError:
    """E408: no states are left that determine the others."""
    found = list(dict.fromkeys(name for guard in guards for name in guard.names))
    notes = [Note(d.message, d.span) for d in reason.diagnostics] if reason is not None else []
    forced = [v for v in memory.structure.states if v.state_select == "always"]
    notes += [Note(f"`{v.name}` is kept: it has stateSelect = always", v.span) for v in forced[:SHOWN]]
    equations = list(dict.fromkeys(guard.equation for guard in guards))
    notes += [Note("and this one", q.span) for q in equations[1:SHOWN]]
    values = (text for q in equations for side in (q.lhs, q.rhs) for text in _leaf_values(memory, side))
    notes += [Note(text) for text in list(dict.fromkeys(values))[:SHOWN]]
    return RunError(
        Diagnostic(
            "E408",
            f"{at_time(memory)} this constraint no longer determines {names(found)}, "
            "whichever states are chosen",
            equations[0].span if equations else None,
            tuple(notes),
            "here the model may go on in more than one way, or in none; begin elsewhere, or use other "
            "coordinates",
            origin=equations[0].origin if equations else "",
        )
    )


# ---------------------------------------------------------------- assertions, integrator


def violated(memory: Memory, check: Check) -> RunError:
    """E406, or what the assertion has in its place."""
    message = f"{memory.message(check.message)} ({at_time(memory)})"
    return RunError(Diagnostic(check.code, message, check.span, check.notes, origin=check.origin))


def integration_failure(memory: Memory, integrator: Integrator) -> RunError:
    """E405, or the reason why the equations could not be evaluated."""
    status = int(memory.array[memory.first("counters") + Counter.STATUS])
    if status not in (0, NOT_FINITE):
        return failure(memory, status)
    # States that are infinite themselves are a solution that escapes, not a wrong equation.
    if np.all(np.isfinite(memory.section("states"))):
        culprit = _first_not_finite(memory, memory.blocks)
        if culprit is not None:
            hint = _OUTSIDE if np.any(np.isnan(memory.section("derivatives"))) else None
            return RunError(replace(culprit, hint=culprit.hint or hint))
        pole = _pole(memory)
        if pole is not None:
            return RunError(pole)
    notes: list[Note] = []
    states = memory.structure.states
    span, origin = None, ""
    if states:
        derivatives = memory.section("derivatives")
        errors = np.nan_to_num(integrator.error_ratios()[: len(states)], nan=0.0)
        # Without an error estimate (no step was ever completed) the steepest state is the suspect.
        by_error = bool(np.any(errors))
        suspects = errors if by_error else np.nan_to_num(np.abs(derivatives), nan=np.inf)
        worst = int(np.argmax(suspects))
        what = "has the largest error" if by_error else "changes fastest"
        value, slope = integrator.y[worst], derivatives[worst]
        span, origin = states[worst].span, states[worst].name
        notes.append(Note(f"`{states[worst].name}` {what}: value {value:.6g}, derivative {slope:.6g}"))
    loops = memory.program.components[len(states) :]
    if loops and integrator.flag == CONV_FAILURE:
        places = {slot: leaf for leaf, slot in memory.layout.slots.items()}
        solved = names([show(places[slot]) for slot in loops])
        notes.append(Note(f"steps also solve the loops for {solved}: beyond here they may have no solution"))
    return RunError(
        Diagnostic(
            "E405",
            f"the integrator gave up at time {integrator.time:.9g} with step size {integrator.step_size:.3g} "
            f"({integrator.flag_name})",
            span,
            tuple(notes),
            _OUTSIDE if _leaves_the_domain(memory) else _UNBOUNDED,
            origin=origin,
        )
    )


def _leaves_the_domain(memory: Memory) -> bool:
    """Whether a derivative is not a number, here or after a small step."""
    derivatives = memory.section("derivatives")
    if np.any(np.isnan(derivatives)):
        return True
    before = memory.array.copy()
    step = AHEAD * (abs(memory.time) or 1.0)
    memory.array[TIME_SLOT] += step
    memory.section("states")[:] += step * derivatives
    memory.routines["derivatives"]()
    found = bool(np.any(np.isnan(derivatives)))
    memory.array[:] = before
    return found
