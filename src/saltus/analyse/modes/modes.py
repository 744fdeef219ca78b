"""Modes: the same model with some of its guards replaced by constants in the continuous equations.

A *mode guard*, a guard for short, is what decides between the branches of a continuous equation, or
multiplies there, and changes at events only: the truth of a relation, a discrete variable, its value before
the event. The general program has all of them as ordinary conditionals. It is of no use where an equation has
nothing left to determine for one value of a guard:

    0 = if closed then v1 - v2 else i       with states v1, v2: i is determined only as long as it is open

`fixing` finds that: each way through the branches of an equation, and each number that multiplies, is taken
for granted, and the matching of the running system is repaired. Where it cannot be, the guards on that way
have to be *fixed* where they have these values: a program of its own is made for them when a run comes to it.
Two switches that only together leave something open are found by the run, when a block is singular.

Alias elimination comes before, so that all programs of a model have the same variables. A variable may be a
state in one and follow from others in another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice, product

from saltus.analyse.order.matching import Repair
from saltus.analyse.order.sort import sorted_components
from saltus.analyse.order.system import System, dependencies
from saltus.analyse.trivial.cancel import cancel
from saltus.expr.nodes import FALSE, TRUE, Expr, Op, Symbol, Type, const, leaf_symbol, no_event, ref, relation
from saltus.expr.show import show
from saltus.expr.simplify import simplify
from saltus.expr.traversal import leaves, substitute
from saltus.ir.flat import Equation
from saltus.ir.hybrid import Check, HybridModel
from saltus.ir.sorted.modes import Fixing, Mode, in_order_of_texts


def deciding_variables(model: HybridModel, mode: Mode) -> frozenset[Symbol]:
    """The algebraic variables that a mode depends on: those in the relations behind its guards."""
    if not mode.fixed:
        return frozenset()
    behind: dict[Expr, list[Expr]] = {ref(r.symbol): list(leaves(r.residue)) for r in model.relations}
    discretes = {ref(v.symbol) for v in model.discretes}
    for q in model.equations:
        for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
            if side in discretes:
                behind.setdefault(side, []).extend(leaves(other))
    pending, seen = [guard for guard, _ in mode.fixed], set[Expr]()
    while pending:
        leaf = pending.pop()
        leaf = leaf.args[0] if leaf.op is Op.PRE else leaf
        if leaf not in seen:
            seen.add(leaf)
            pending += behind.get(leaf, [])
    return frozenset(v.symbol for v in model.algebraics if ref(v.symbol) in seen)


class ModeGuards:
    """The guards of a model: the leaves of relations, of discrete variables and of the values these had
    before."""

    def __init__(self, model: HybridModel) -> None:
        self._model = model
        self._all = frozenset(model.mode_guards())
        # Parameters are no guards by themselves, but a mode may take a zero or a truth of one for granted. So
        # it may of what functions make of parameters: only the run knows that it is zero.
        self.computed = {ref(v.symbol) for v in model.algebraics if v.symbol.type is Type.REAL}

    def of(self, *expressions: Expr) -> set[Expr]:
        """The guards that occur in expressions."""
        return {leaf for e in expressions for leaf in leaves(e) if leaf in self._all}

    def is_parameter(self, leaf: Expr) -> bool:
        """Whether this is no guard but a parameter that a mode takes for granted."""
        return leaf not in self._all

    @cached_property
    def inert(self) -> tuple[int, ...]:
        """The relations, by index, whose residues follow from states (of the model as it is written) by
        equations that are the same in all modes."""
        model = self._model
        variables = {ref(v.symbol) for v in model.algebraics}
        # A variable may be on its own in several equations: a voltage in that of its source, and in that of
        # the two potentials that it is the difference of.
        defined: dict[Expr, list[Expr]] = {}
        for q in model.equations:
            for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
                if q.presence is None and side in variables and not self._switches(other):
                    defined.setdefault(side, []).append(other)
        residues = {
            k: r.residue
            for k, r in enumerate(model.relations)
            if not r.is_time_event and not self._switches(r.residue)
        }
        asked: dict[Expr, None] = {}
        pending = list(residues.values())
        while pending:
            for leaf in leaves(pending.pop()):
                if leaf in defined and leaf not in asked:
                    asked[leaf] = None
                    pending += defined[leaf]
        lasting: set[Expr] = set()

        def follows(e: Expr) -> bool:
            return all(
                leaf.op is not Op.DER and (leaf not in variables or leaf in lasting) for leaf in leaves(e)
            )

        found = -1
        while found < len(lasting):
            found = len(lasting)
            open_ = [leaf for leaf in reversed(asked) if leaf not in lasting]
            lasting.update(leaf for leaf in open_ if any(map(follows, defined[leaf])))
        return tuple(k for k, residue in residues.items() if follows(residue))

    @cached_property
    def given(self) -> frozenset[int]:
        """The relations, by index, that follow from time, parameters and values before an event, however many
        variables and other relations are between: nothing that a mode changes has a say in them."""
        model = self._model
        unknown = {ref(v.symbol) for v in (*model.states, *model.algebraics, *model.discretes)}
        relations = {ref(r.symbol): k for k, r in enumerate(model.relations)}
        states = {ref(v.symbol) for v in model.states}
        ways = [(x, r.residue) for x, r in zip(relations, model.relations, strict=True)]
        for q in model.equations:
            for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
                if q.presence is None and side in unknown and side not in states:
                    ways.append((side, other))
        unknown |= relations.keys()
        users: dict[Expr, list[int]] = {}
        waiting: list[int] = []
        for number, (_, e) in enumerate(ways):
            # A derivative is none of time, whatever it is the derivative of.
            needed = {leaf for leaf in leaves(e) if leaf in unknown or leaf.op is Op.DER}
            waiting.append(len(needed))
            for leaf in needed:
                users.setdefault(leaf, []).append(number)
        pending = [number for number, count in enumerate(waiting) if not count]
        known: set[Expr] = set()
        while pending:
            x = ways[pending.pop()][0]
            if x not in known:
                known.add(x)
                for number in users.get(x, ()):
                    waiting[number] -= 1
                    if not waiting[number]:
                        pending.append(number)
        return frozenset(k for x, k in relations.items() if x in known)

    def _switches(self, e: Expr) -> bool:
        """Whether a guard other than a number chooses what an expression means."""
        return any(leaf in self._all and leaf.type is not Type.REAL for leaf in leaves(e))


def fixed_values(mode: Mode) -> dict[Expr, Expr]:
    """What stands for each guard that is fixed."""
    return {guard: _constant(guard, value) for guard, value in mode.fixed}


def _constant(leaf: Expr, value: float) -> Expr:
    match leaf.type:
        case Type.BOOLEAN:
            return TRUE if value else FALSE
        case Type.INTEGER:
            return const(int(value))
        case _:
            return const(value)


def in_mode(
    model: HybridModel, continuous: Iterable[Equation], mode: Mode, guards: ModeGuards
) -> tuple[HybridModel, dict[Equation, Equation]]:
    """The model with the guards of a mode fixed in its `continuous` equations and in the residues of its
    relations, without equations that do not exist in the mode; and which equation each changed one was made
    of."""
    values = fixed_values(mode)
    if not values:
        return model, {}
    chosen = set(continuous)
    constants: dict[Equation, tuple[Expr, Expr]] = {}
    checks: list[Check] = []
    if any(map(guards.is_parameter, values)):
        granted = {leaf: value for leaf, value in values.items() if leaf in guards.computed}
        formulas = _formulas(model, granted)
        checks = [_stays_zero(q, x, e) for x, (q, e) in formulas.items()]
        constants = {q: (x, granted[x]) for x, (q, _) in formulas.items()}
        constants |= _constants(model, chosen.difference(constants), values)
        values |= dict(constants.values())
    memo: dict[Expr, Expr] = {}
    written: dict[Equation, Equation] = {}
    equations: list[Equation] = []
    for q in model.equations:
        new = q
        if q in chosen:
            presence = TRUE if q.presence is None else substitute(q.presence, values, memo)
            if presence is FALSE:
                continue
            assert presence is TRUE, "the guards of all presences are fixed"
            lhs, rhs = constants.get(q) or (substitute(q.lhs, values, memo), substitute(q.rhs, values, memo))
            if lhs is not q.lhs or rhs is not q.rhs or q.presence is not None:
                new = _without_what_cancels(Equation(lhs, rhs, q.span, q.origin))
                written[new] = q
        equations.append(new)
    relations = tuple(replace(r, residue=substitute(r.residue, values, memo)) for r in model.relations)
    changed = replace(model, equations=tuple(equations), relations=relations, checks=(*model.checks, *checks))
    return (_without_unused_states(changed) if constants else changed), written


def _without_what_cancels(q: Equation) -> Equation:
    """The equation of a mode, less what the values of its guards have made to cancel: `i = s - m*s` with 1
    for m, `(on - on)*s` with a parameter."""
    return cancel(replace(q, lhs=simplify(q.lhs), rhs=simplify(q.rhs)))


def _formulas(model: HybridModel, granted: Collection[Expr]) -> dict[Expr, tuple[Equation, Expr]]:
    """The equations by which variables are computed that a mode takes for granted, and their values."""
    found: dict[Expr, tuple[Equation, Expr]] = {}
    for q in model.equations:
        for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
            if side in granted and side not in leaves(other):
                found.setdefault(side, (q, other))
    return found


def _stays_zero(q: Equation, x: Expr, formula: Expr) -> Check:
    """The check that what a mode takes to be zero is still zero."""
    said = f"`{show(x)}` was zero and no longer is: it must be zero always or never"
    holds = relation(Op.EQ, formula, const(0.0))
    return Check(TRUE, no_event(holds), const(said), False, q.span, q.origin, code="E402")


def _without_unused_states(model: HybridModel) -> HybridModel:
    """With former states whose derivatives are gone for ordinary variables. Nothing is
    computed from their derivatives, and making them anew would differentiate whole circuits."""
    sides = (e for q in (*model.equations, *model.initial_equations) for e in (q.lhs, q.rhs))
    conditions = (e for k in model.checks for e in (k.guard, k.condition))
    jumps = (e for j in model.jumps for e in (j.condition, j.value))
    others = (*(r.residue for r in model.relations), *(n.condition for n in model.endings))
    used = {j.state for j in model.jumps}
    for e in (*sides, *conditions, *jumps, *others):
        used.update(leaf_symbol(x) for x in leaves(e) if x.op is Op.DER)
    kept = tuple(v for v in model.states if v.symbol in used or v.state_select == "always")
    rest = tuple(v for v in model.states if v not in kept)
    return replace(model, states=kept, algebraics=(*model.algebraics, *rest))


def _constants(
    model: HybridModel, continuous: Collection[Equation], values: Mapping[Expr, Expr]
) -> dict[Equation, tuple[Expr, Expr]]:
    """The equations that say nothing but the value of a variable once a mode's parameters are zero, with that
    variable and the value. A capacitance that is computed from them multiplies a derivative: only where it is
    known to be zero can anybody see that there is no derivative."""
    variables = {ref(v.symbol) for v in model.algebraics}
    found: dict[Equation, tuple[Expr, Expr]] = {}
    known = dict(values)
    rest = [q for q in model.equations if q in continuous and q.presence is None]
    while True:
        memo: dict[Expr, Expr] = {}
        new: dict[Equation, tuple[Expr, Expr]] = {}
        for q in rest:
            lhs, rhs = substitute(q.lhs, known, memo), substitute(q.rhs, known, memo)
            if lhs is q.lhs and rhs is q.rhs:
                continue
            x, value = (lhs, rhs) if lhs.op is Op.REF else (rhs, lhs)
            if value.op is Op.CONST and x in variables:
                new[q] = x, value
                variables.discard(x)
        if not new:
            return found
        found |= new
        known |= dict(new.values())
        rest = [q for q in rest if q not in new]


# ---------------------------------------------------------------- which guards have to be fixed

#: The number of combinations of branches of one equation that are tried one by one; beyond that only one
#: condition at a time is assumed, and the run has to find the rest.
_WAYS = 64

#: Guards of one condition whose values are written out.
_WRITTEN_OUT = 6


def fixing(system: System, matched: Sequence[int], guards: ModeGuards) -> Fixing:
    """The values of guards with which an equation loses what it determines, for a perfect matching of the
    running system."""
    rows_of: dict[Expr, list[int]] = {}  # by condition or number
    ways: dict[frozenset[tuple[Expr, Expr]], None] = {}
    always: set[Expr] = set()
    for row, q in enumerate(system.equations):
        if system.claims[row] >= 0:
            continue
        found = list(islice(_ways(q, guards), _WAYS + 1))
        if len(found) > _WAYS:
            found = list(_single_ways(q, guards))
        for node in dict.fromkeys(node for way in found for node, _ in way):
            rows_of.setdefault(node, []).append(row)
        ways.update((frozenset(way), None) for way in found if way)
    combinations: dict[Mode, None] = {}
    repair = Repair(system.solvable, len(system.unknowns), matched)
    for way in ways:
        rows = sorted({row for node, _ in way for row in rows_of[node]})
        if _still_matched(system, matched, repair, dict(way), rows):
            continue
        written = _written_out(way, guards)
        if written is None:
            always |= {guard for node, _ in way for guard in guards.of(node)}
        else:
            combinations.update((mode, None) for mode in written)
    by_guard: dict[Expr, list[Mode]] = {}
    for c in combinations:
        by_guard.setdefault(c.fixed[0][0], []).append(c)
    for mode in _in_loops(system, matched, repair, guards, rows_of):
        known = dict(mode.fixed)
        near = (c for guard in known for c in by_guard.get(guard, ()))
        if not any(all(known.get(guard) == v for guard, v in c.fixed) for c in near):
            combinations[mode] = None
            by_guard.setdefault(mode.fixed[0][0], []).append(mode)
    return Fixing(frozenset(always), tuple(combinations))


def _in_loops(
    system: System,
    matched: Sequence[int],
    repair: Repair,
    guards: ModeGuards,
    rows_of: Mapping[Expr, Sequence[int]],
) -> Iterator[Mode]:
    """Combinations of the guards of several equations that depend on each other: switch and diode of a
    converter, of which one must conduct."""
    decisions: dict[int, list[Expr]] = {}
    for node, rows in rows_of.items():
        if node.type is Type.BOOLEAN:
            for row in rows:
                decisions.setdefault(row, []).append(node)
    for members in sorted_components(dependencies(system, matched)):
        nodes = list(dict.fromkeys(node for row in members for node in decisions.get(row, ())))
        own = in_order_of_texts(guards.of(*nodes))
        plain = all(guard.type is Type.BOOLEAN for guard in own)
        if len(nodes) < 2 or not plain or len(own) > _WRITTEN_OUT:
            continue
        affected = sorted({row for node in nodes for row in rows_of[node]})
        for truths in product((0.0, 1.0), repeat=len(own)):
            mode = Mode(tuple(zip(own, truths, strict=True)))
            if not _still_matched(system, matched, repair, fixed_values(mode), affected):
                yield mode


def _ways(q: Equation, guards: ModeGuards) -> Iterator[tuple[tuple[Expr, Expr], ...]]:
    """All ways through the branches of an equation: conditions with their truths. And each number that
    multiplies, with the values that make a factor vanish most often."""
    stack: list[tuple[tuple[tuple[Expr, Expr], ...], tuple[Expr, Expr]]] = [((), (q.lhs, q.rhs))]
    while stack:
        way, sides = stack.pop()
        condition = next(
            (n.args[0] for n in _outside_no_event(*sides) if n.op is Op.IF and guards.of(n.args[0])), None
        )
        if condition is None:
            yield way
            continue
        for truth in (FALSE, TRUE):
            chosen = substitute(sides[0], {condition: truth}), substitute(sides[1], {condition: truth})
            stack.append(((*way, (condition, truth)), chosen))
    for node in _outside_no_event(q.lhs, q.rhs):
        if node.op in (Op.REF, Op.PRE) and node.type is not Type.BOOLEAN and guards.of(node):
            for value in (0, 1):
                yield ((node, const(float(value) if node.type is Type.REAL else value)),)


def _single_ways(q: Equation, guards: ModeGuards) -> Iterator[tuple[tuple[Expr, Expr], ...]]:
    """Each condition of an equation on its own, true and false."""
    for node in _outside_no_event(q.lhs, q.rhs):
        if node.op is Op.IF and guards.of(node.args[0]):
            yield ((node.args[0], FALSE),)
            yield ((node.args[0], TRUE),)


def _outside_no_event(*expressions: Expr) -> list[Expr]:
    """All nodes but those inside `noEvent`, each once."""
    seen: dict[Expr, None] = {}
    stack = list(expressions)
    while stack:
        node = stack.pop()
        if node not in seen:
            seen[node] = None
            if node.op is not Op.NOEVENT and node.op is not Op.PRE:
                stack += node.args
    return list(seen)


def _still_matched(
    system: System,
    matched: Sequence[int],
    repair: Repair,
    values: Mapping[Expr, Expr],
    rows: Sequence[int],
) -> bool:
    """Whether all rows can be matched when something has these values."""
    if all(_keeps(system, row, matched[row]) for row in rows):
        return True
    column, memo = system.column, dict[Expr, Expr]()
    changed: dict[int, list[int]] = {}
    for row in rows:
        q = system.equations[row]
        lhs, rhs = (substitute(e, dict(values), memo) for e in (q.lhs, q.rhs))
        left = _without_what_cancels(Equation(lhs, rhs, q.span, q.origin))
        sides = left.lhs, left.rhs
        used = dict.fromkeys(column[leaf] for e in sides for leaf in leaves(e) if leaf in column)
        changed[row] = [c for c in used if c < system.continuous]
    return repair.succeeds(changed)


def _keeps(system: System, row: int, column: int) -> bool:
    """Whether an unknown is one side of an equation: whatever values guards have, it stays there."""
    q = system.equations[row]
    return system.column.get(q.lhs) == column or system.column.get(q.rhs) == column


def _written_out(way: Iterable[tuple[Expr, Expr]], guards: ModeGuards) -> list[Mode] | None:
    """The values of guards for which conditions have these truths; None where there are too many."""
    way = list(way)
    own = in_order_of_texts(guards.of(*(node for node, _ in way)))
    if len(way) == 1 and way[0][0].type is not Type.BOOLEAN:
        return [Mode(((own[0], float(way[0][1].data)),))]
    if len(own) > _WRITTEN_OUT or any(guard.type is not Type.BOOLEAN for guard in own):
        return None
    found = []
    for truths in product((0.0, 1.0), repeat=len(own)):
        mode = Mode(tuple(zip(own, truths, strict=True)))
        values = fixed_values(mode)
        if all(substitute(node, values) is truth for node, truth in way):
            found.append(mode)
    return found
