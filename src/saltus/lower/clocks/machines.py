"""State machines (chapter 17 of the specification) as clocked equations.

Blocks that transitions join are a machine. The equations of section 17.3 say which of them is active,

    selected = if reset then 1 else previous(next)
    fired    = the transition of highest priority that leaves `selected` and whose condition holds, or 0
    active   = if reset then 1 elseif fired > 0 then its target else selected
    next     = if the machine is active then active else previous(next)

and what is written in the blocks holds while they are: for each variable that blocks determine

    v = if a.active then e1 elseif b.active then e2 else last(v)

where `last(v)` and `previous(v)` are the start value if the block that v belongs to is reset. A machine in a
block is active while the block is, and is reset with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.helpers import Helper
from saltus.expr.nodes import Expr, Op, Symbol, Type
from saltus.expr.show import show
from saltus.expr.traversal import transform, walk
from saltus.ir.flat import (
    Assert,
    Clause,
    Equation,
    FlatModel,
    Guarded,
    IfEquation,
    InitialState,
    Reinit,
    Terminate,
    Transition,
    Variability,
    Variable,
    clause_expressions,
    mapped,
)
from saltus.lower.clocks.matching import matching
from saltus.lower.sections.algorithms import ENTRY
from saltus.lower.sections.branches import are_alike, counts_differ, paired

_FIRST = x.clocked("firstTick", Type.BOOLEAN)


def without_machines(flat: FlatModel) -> FlatModel:
    """The flat model with clocked equations for its state machines, and values of what is asked of states."""
    return _Conversion(flat).converted()


@dataclass(eq=False)
class _State:
    """A block, and the machine that it is a state of."""

    path: str
    number: int
    machine: _Machine
    active: Expr
    reset: Expr
    equations: list[Equation] = field(default_factory=list)
    inner: list[_Machine] = field(default_factory=list)


@dataclass(eq=False)
class _Machine:
    """States by their paths, the initial one first, and transitions, that of the highest priority last."""

    span: Span
    states: dict[str, _State]
    transitions: list[Transition]
    parent: _State | None = None
    ticks: Expr | None = None  # since the active state was entered
    since: Expr | None = None  # when that was


class _Conversion:
    def __init__(self, flat: FlatModel) -> None:
        self._flat = flat
        self._names = {v.name for v in flat.variables}
        self._variables: list[Variable] = []
        self._made: list[Equation] = []
        self._count = 0
        self._declared = {v.symbol: v for v in flat.variables}
        self._machines = self._found()
        self._states = {path: s for m in self._machines for path, s in m.states.items()}
        for machine in self._machines:
            (owner, *_) = (*(p.rpartition(".")[0] for p in machine.states),)
            machine.parent = self._state_of(owner)
            if machine.parent is not None:
                machine.parent.inner.append(machine)

    # ------------------------------------------------------------ which machines there are

    def _found(self) -> list[_Machine]:
        """The machines: blocks that are joined by transitions, with one initial state each."""
        parts: dict[str, set[str]] = {}
        spans: dict[str, Span] = {}
        for part in self._flat.machines:
            own = [part.state] if isinstance(part, InitialState) else [part.source, part.target]
            joined = set(own).union(*(parts.get(p, set()) for p in own))
            for path in joined:
                parts[path] = joined
                spans.setdefault(path, part.span)
        initial = [p for p in self._flat.machines if isinstance(p, InitialState)]
        found: list[_Machine] = []
        done: set[str] = set()
        for path, joined in parts.items():
            if path in done:
                continue
            done |= joined
            begin = [p for p in initial if p.state in joined]
            if len(begin) != 1:
                raise _no_beginning(path, spans[path], begin)
            rest = [p for p in parts if p in joined and p != begin[0].state]
            transitions = [p for p in self._flat.machines if isinstance(p, Transition) and p.source in joined]
            _check_priorities(transitions)
            transitions.sort(key=lambda t: -t.priority)
            machine = _Machine(begin[0].span, {}, transitions)
            for number, own_path in enumerate([begin[0].state, *rest], 1):
                active = self._variable(f"{own_path}.active", Type.BOOLEAN, machine.span)
                reset = self._hidden("reset", Type.BOOLEAN, machine.span)
                machine.states[own_path] = _State(own_path, number, machine, active, reset)
            found.append(machine)
        return found

    def _state_of(self, path: str) -> _State | None:
        """The innermost state that a component or variable with this path is in."""
        while path:
            if path in self._states:
                return self._states[path]
            path = path.rpartition(".")[0]
        return None

    # ------------------------------------------------------------ variables that are made

    def _variable(self, name: str, kind: Type, span: Span, start: Expr | None = None) -> Expr:
        helper = Helper.TICK if name in self._names else None
        if helper is not None:
            self._count += 1
            name = Helper.TICK.numbered(self._count, name)
        symbol = Symbol(name, kind, helper=helper)
        self._variables.append(Variable(symbol, Variability.DISCRETE, span, start=start))
        return x.ref(symbol)

    def _hidden(self, part: str, kind: Type, span: Span) -> Expr:
        self._count += 1
        symbol = Symbol(Helper.TICK.numbered(self._count, f"state.{part}"), kind, helper=Helper.TICK)
        self._variables.append(Variable(symbol, Variability.DISCRETE, span, protected=True))
        return x.ref(symbol)

    def _define(self, variable: Expr, value: Expr, span: Span) -> Expr:
        self._made.append(Equation(variable, value, span))
        return variable

    # ------------------------------------------------------------ all of it

    def converted(self) -> FlatModel:
        """The flat model without machines."""
        outside: list[Clause] = []
        written: list[Clause] = []
        for clause in self._flat.clauses:
            state = self._state_of(clause.origin)
            if state is None:
                outside.append(clause)
            elif isinstance(clause, Equation | IfEquation):
                state.equations += _plain(clause)
                _refuse_continuous(clause)
            elif isinstance(clause, Assert):
                inactive = x.not_(state.active)
                written.append(replace(clause, condition=x.or_(inactive, clause.condition)))
            elif isinstance(clause, Terminate):
                guarded = Guarded((state.active,), (clause,))
                written.append(IfEquation((guarded,), clause.span, clause.origin))
            else:
                raise model_error(
                    "E204",
                    "a when-clause in a state of a state machine",
                    clause.span,
                    hint="remove it: equations hold at the ticks at which the state is active",
                    origin=clause.origin,
                )
        for machine in self._machines:
            self._define_machine(machine)
        merged = self._merged()
        clauses = (*outside, *written, *merged, *self._made)
        return replace(
            self._flat,
            variables=(*self._flat.variables, *self._variables),
            clauses=tuple(self._resolved(c) for c in clauses),
            machines=(),
            regions=tuple(
                {x.leaf_symbol(state.active).name: path for path, state in machine.states.items()}
                for machine in self._machines
            ),
        )

    def _define_machine(self, m: _Machine) -> None:
        """The equations of section 17.3."""
        parent, span = m.parent, m.span
        alive = x.TRUE if parent is None else parent.active
        reset = _FIRST if parent is None else x.and_(parent.active, parent.reset)
        following = self._hidden("next", Type.INTEGER, span)
        selected = self._define(
            self._hidden("selected", Type.INTEGER, span),
            x.if_(reset, x.const(1), _previous(following)),
            span,
        )
        fired: Expr = x.const(0)
        target, resets = selected, x.FALSE
        for number, t in enumerate(m.transitions, 1):
            condition = self._condition(t)
            holds = self._hidden("condition", Type.BOOLEAN, t.span)
            self._define(holds, _while(alive, condition, holds), t.span)
            leaves_it = x.relation(Op.EQ, selected, x.const(m.states[t.source].number))
            fires = x.and_(leaves_it, holds if t.immediate else _previous(holds))
            fired = x.if_(fires, x.const(number), fired)
            target = x.if_(fires, x.const(m.states[t.target].number), target)
            resets = x.if_(fires, x.TRUE if t.reset else x.FALSE, resets)
        fired = self._define(self._hidden("fired", Type.INTEGER, span), fired, span)
        changes = x.relation(Op.GT, fired, x.const(0))
        active = self._define(
            self._hidden("active", Type.INTEGER, span), x.if_(reset, x.const(1), target), span
        )
        self._define(following, _while(alive, active, following), span)
        entered_anew = x.or_(reset, x.and_(changes, resets))
        for state in m.states.values():
            here = x.relation(Op.EQ, active, x.const(state.number))
            self._define(state.active, x.and_(alive, here), span)
            pending = self._hidden("pending", Type.BOOLEAN, span)
            waits = x.or_(reset, _previous(pending))
            self._define(pending, _while(alive, x.and_(x.not_(here), waits), pending), span)
            self._define(state.reset, x.and_(state.active, x.or_(entered_anew, waits)), span)
        entering = x.or_(reset, changes)
        if parent is not None:
            entering = x.or_(entering, x.not_(_previous(parent.active)))
        m.ticks = self._hidden("ticks", Type.INTEGER, span)
        counted = x.if_(entering, x.const(1), x.add(_previous(m.ticks), x.const(1)))
        self._define(m.ticks, _while(alive, counted, m.ticks), span)
        m.since = self._hidden("since", Type.REAL, span)
        self._define(m.since, _while(x.and_(alive, entering), _NOW, m.since), span)

    def _condition(self, t: Transition) -> Expr:
        condition = t.condition
        counts = any(node.op is Op.CLOCKED and node.data in _COUNTING for node in walk(condition))
        if t.immediate and counts:
            raise model_error(
                "E204",
                "ticksInState or timeInState in the condition of an immediate transition",
                t.span,
                hint="write `immediate = false`: what it counts begins when the transition has been decided",
            )
        if t.synchronize:
            if t.immediate:
                raise model_error(
                    "E204",
                    "an immediate transition that synchronizes",
                    t.span,
                    hint="write `immediate = false`",
                )
            for inner in self._states[t.source].inner:
                condition = x.and_(condition, self._final_of(inner))
        return condition

    def _final_of(self, m: _Machine) -> Expr:
        """Whether a machine is in a state that no transition leaves."""
        sources = {t.source for t in m.transitions}
        return x.or_(*(s.active for path, s in m.states.items() if path not in sources))

    # ------------------------------------------------------------ what blocks determine

    def _merged(self) -> list[Equation]:
        """One equation for each variable that blocks determine."""
        cases: dict[Symbol, list[tuple[_State, Expr | None, Equation]]] = {}
        for state in self._states.values():
            own = [s for s in self._declared if self._state_of(s.name.rpartition(".")[0]) is state]
            others = [
                q.lhs.data
                for q in state.equations
                if q.lhs.op is Op.REF and q.lhs.data not in own and q.lhs.data in self._declared
            ]
            unknowns = [*dict.fromkeys((*own, *others))]
            for q, symbol in zip(state.equations, matching(state.equations, unknowns), strict=True):
                if symbol is None:
                    raise model_error(
                        "E301",
                        f"this equation of the state `{state.path}` has no variable to determine",
                        q.span,
                        origin=q.origin,
                    )
                value = q.rhs if q.lhs is x.ref(symbol) else q.lhs if q.rhs is x.ref(symbol) else None
                cases.setdefault(symbol, []).append((state, value, q))
        return [self._one(symbol, own) for symbol, own in cases.items()]

    def _one(self, symbol: Symbol, cases: Sequence[tuple[_State, Expr | None, Equation]]) -> Equation:
        v, (first, _, q) = x.ref(symbol), cases[0]
        for k, (state, _, one) in enumerate(cases):
            for other, _, two in cases[:k]:
                if not _exclude(state, other):
                    raise model_error(
                        "E202",
                        f"`{symbol.name}` is determined by `{other.path}` and by `{state.path}`, "
                        "which may be active together",
                        one.span,
                        notes=(Note("the other equation", two.span),),
                    )
        last = self._last(symbol)
        if len(cases) == 1 and cases[0][1] is None:
            difference = x.if_(first.active, x.sub(q.lhs, q.rhs), x.sub(v, last))
            return replace(q, lhs=difference, rhs=x.ZERO)
        value = last
        for state, own, equation in reversed(cases):
            if own is None:
                raise model_error(
                    "E204",
                    f"an equation of a state that is not solved for `{symbol.name}`",
                    equation.span,
                    hint=f"write it as `{symbol.name.rpartition('.')[2]} = ...`",
                )
            value = x.if_(state.active, own, value)
        return replace(q, lhs=v, rhs=value)

    def _last(self, symbol: Symbol) -> Expr:
        """What a variable was at the tick before; its start value where the state that it is in is reset."""
        before = _previous(x.ref(symbol))
        state = self._state_of(symbol.name.rpartition(".")[0])
        if state is None:
            return before
        declared = self._declared.get(symbol)
        start = declared.start if declared is not None else None
        default = {Type.REAL: x.ZERO, Type.INTEGER: x.const(0), Type.BOOLEAN: x.FALSE}.get(symbol.type)
        start = start if start is not None else default
        return before if start is None else x.if_(state.reset, start, before)

    def _resolved(self, clause: Clause) -> Clause:
        """A clause with values for the operators of states."""
        memo: dict[Expr, Expr] = {}

        def visit(node: Expr) -> Expr | None:
            if node.op is not Op.CLOCKED:
                return None
            if node.data in ("previous", ENTRY) and node.args[0].op is Op.REF:
                symbol = node.args[0].data
                inside = self._state_of(symbol.name.rpartition(".")[0]) is not None
                return self._last(symbol) if inside and symbol in self._declared else None
            if node.data == "activeState" or node.data in _COUNTING:
                return self._value(node, clause.span)
            return None

        new = mapped(clause, lambda e: transform(e, visit, memo))
        assert not isinstance(new, Reinit), "reinit belongs in a when-clause"
        return new

    def _value(self, node: Expr, span: Span) -> Expr:
        path = str(node.args[0].data)
        state = self._states.get(path) if node.data == "activeState" else self._state_of(path)
        if state is None:
            what = (
                f"`{path}` is not a state of a state machine"
                if path
                else "this is not in a state of a state machine"
            )
            raise model_error("E209", what, span)
        machine = state.machine
        assert machine.ticks is not None and machine.since is not None
        if node.data == "activeState":
            return state.active
        return machine.ticks if node.data == "ticksInState" else x.sub(_NOW, machine.since)


_COUNTING = frozenset({"ticksInState", "timeInState"})
_NOW = x.clocked("sample", Type.REAL, x.TIME)


def _previous(v: Expr) -> Expr:
    return x.clocked("previous", v.type, v)


def _while(alive: Expr, value: Expr, v: Expr) -> Expr:
    """A value while a machine is active, and then what it was last."""
    return x.if_(alive, value, _previous(v))


def _plain(clause: Equation | IfEquation) -> list[Equation]:
    """The equations of a clause of a state, with if-expressions in place of branches."""
    if isinstance(clause, Equation):
        return [clause]
    conditions: list[Expr] = []
    branches: list[list[Equation]] = []
    for branch in clause.branches:
        conditions.append(branch.conditions[0] if branch.conditions else x.TRUE)
        found: list[Equation] = []
        for action in branch.actions:
            if not isinstance(action, Equation | IfEquation):
                raise model_error("E204", "this in a branch of a state", action.span, origin=clause.origin)
            found += _plain(action)
        branches.append(found)
    if conditions[-1] is not x.TRUE or not are_alike(branches):
        if conditions[-1] is not x.TRUE:
            branches.append([])
        raise model_error("E209", counts_differ(branches), clause.span, origin=clause.origin)
    return paired(branches, conditions, clause.span)


def _refuse_continuous(clause: Equation | IfEquation) -> None:
    for e in clause_expressions(clause):
        for node in walk(e):
            if node.op is Op.DER:
                raise model_error(
                    "E204",
                    f"`{show(node)}` in a state of a state machine",
                    clause.span,
                    hint="write a difference equation with `previous(...)` and `interval()`",
                    origin=clause.origin,
                )


def _exclude(a: _State, b: _State) -> bool:
    """Whether two states are never active together: they, or states around them, are of one machine."""
    around_a, around_b = ({s.machine: s for s in _around(state)} for state in (a, b))
    return any(m in around_b and around_b[m] is not s for m, s in around_a.items())


def _around(state: _State) -> Iterator[_State]:
    current: _State | None = state
    while current is not None:
        yield current
        current = current.machine.parent


def _no_beginning(path: str, span: Span, found: Sequence[InitialState]) -> ModelError:
    if not found:
        return model_error(
            "E209",
            f"the state machine of `{path}` has no initial state",
            span,
            hint="write `initialState(...)` with one of its states",
        )
    return model_error(
        "E209",
        f"the state machine of `{path}` has {len(found)} initial states",
        found[1].span,
        notes=(Note("the first one", found[0].span),),
    )


def _check_priorities(transitions: Iterable[Transition]) -> None:
    known: dict[tuple[str, int], Transition] = {}
    for t in transitions:
        first = known.setdefault((t.source, t.priority), t)
        if first is not t:
            raise model_error(
                "E209",
                f"two transitions from `{t.source}` have the priority {t.priority}",
                t.span,
                notes=(Note("the other one", first.span),),
                hint="give one of them another: `priority = 2`",
            )
