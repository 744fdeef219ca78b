"""Variables that do not exist in a mode: what may still speak of them.

What is absent has no value. The continuous equations of the mode do not have it, and must not depend on it
through a comparison either; nor must assertions that the mode has (`deduced`: everything is decided first
that follows from the mode). What happens at events is another matter:

    relations      keep the truth that they had when a variable of theirs ceased to exist: it may be the very
                   one by which it did
    when-clauses   may ask what it was before the event, pre(x). Where they ask for its value, or reinitialise
                   it, a check in their place refuses that when it happens.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.source import Span
from saltus.expr.nodes import FALSE, TRUE, Expr, Op, Symbol, const, if_, leaf_symbol, ref
from saltus.expr.traversal import leaves, substitute
from saltus.ir.flat import Equation, Variable
from saltus.ir.hybrid import Check, Ending, HybridModel, Jump, Relation


def deduced(discrete: Iterable[Equation], known: Mapping[Expr, Expr]) -> dict[Expr, Expr]:
    """The values that discrete variables and relations must have where some are known: constants by leaf."""
    found = dict(known)
    pending = list(discrete)
    while pending:
        before, later = len(found), []
        for q in pending:
            value = substitute(q.rhs, found)
            if value.op is Op.CONST:
                found.setdefault(q.lhs, value)
                continue
            if q.lhs in found:
                _demand(value, found[q.lhs], found)
            later.append(q)
        if len(found) == before:
            break
        pending = later
    return found


def _demand(e: Expr, value: Expr, found: dict[Expr, Expr]) -> None:
    """What must hold for a condition to have a truth."""
    match e.op:
        case Op.REF | Op.PRE:
            found.setdefault(e, value)
        case Op.NOT if value in (TRUE, FALSE):
            _demand(e.args[0], FALSE if value is TRUE else TRUE, found)
        case Op.AND if value is TRUE:
            for part in e.args:
                _demand(part, TRUE, found)
        case Op.OR if value is FALSE:
            for part in e.args:
                _demand(part, FALSE, found)


class Absence:
    """A model in a mode: `continuous` are its continuous equations, `values` those of fixed guards. `told`
    describes the mode."""

    def __init__(
        self,
        model: HybridModel,
        absent: tuple[Variable, ...],
        continuous: Collection[Equation],
        values: Mapping[Expr, Expr],
        told: str,
    ) -> None:
        self._model, self._variables, self._continuous = model, absent, continuous
        self._absent = {v.symbol: v for v in absent}
        self._told = told
        self._frozen = {r.symbol: r for r in model.relations if self._spoken_of(r.residue)}
        trusted = {leaf: v for leaf, v in values.items() if leaf_symbol(leaf) not in self._frozen}
        discrete = (q for q in model.equations if q not in continuous)
        self._known = deduced(discrete, trusted)
        self._memo: dict[Expr, Expr] = {}
        self._refusals: list[Check] = []

    def model(self, *, starting: bool) -> HybridModel:
        """The model without them. Raises `ModelError` (E307) where something speaks of them; of initial
        equations that matters only where it is to be started."""
        model = self._model
        for q in self._continuous:
            self._refuse_comparisons(q.span, q.lhs, q.rhs)
        for d in model.delays:
            self._refuse(d.span, d.input)
        for t in model.transports:
            self._refuse(t.span, *t.remembered)
        without = replace(
            model,
            states=tuple(v for v in model.states if v.symbol not in self._absent),
            algebraics=tuple(v for v in model.algebraics if v.symbol not in self._absent),
            equations=tuple(q if q in self._continuous else self._discrete(q) for q in model.equations),
            initial_equations=tuple(self._initial(starting)),
            relations=tuple(_kept(r) if r.symbol in self._frozen else r for r in model.relations),
            jumps=tuple(j for old in model.jumps if (j := self._jump(old)) is not None),
            checks=tuple(map(self._check, model.checks)),
            endings=tuple(map(self._ending, model.endings)),
            absent=self._variables,
        )
        return replace(without, checks=(*without.checks, *self._refusals))

    # ------------------------------------------------------------ what happens at events

    def _discrete(self, q: Equation) -> Equation:
        if not self._spoken_of(q.lhs, q.rhs):
            return q
        value = self._decided(q.rhs)
        if self._spoken_of(value):
            value = self._without_actions(q.rhs, q)
        self._refuse(q.span, q.lhs, value)
        return replace(q, rhs=value)

    def _without_actions(self, value: Expr, q: Equation) -> Expr:
        """The value of a variable that when-clauses assign, without those that ask for something absent."""
        if value.op is not Op.IF:
            return value
        condition, then, otherwise = value.args
        rest = self._without_actions(otherwise, q)
        symbol = self._spoken_of(then)
        if symbol is None or self._spoken_of(condition) is not None:
            return if_(condition, then, rest)
        self._refuse_when(condition, symbol, q.span, q.origin, "but its value is used here", before=True)
        return rest

    def _initial(self, starting: bool) -> Iterable[Equation]:
        for q in self._model.initial_equations:
            decided = replace(q, lhs=self._decided(q.lhs), rhs=self._decided(q.rhs))
            if not self._spoken_of(q.lhs, q.rhs):
                yield q
            elif not self._spoken_of(decided.lhs, decided.rhs):
                yield decided
            elif starting:
                hint = "it takes its start value when it begins to exist"
                self._refuse(q.span, decided.lhs, decided.rhs, hint=hint)

    def _jump(self, jump: Jump) -> Jump | None:
        target = jump.state in self._absent
        if not target and not self._spoken_of(jump.value):
            return jump
        if self._decided(jump.condition) is FALSE:
            return None
        value = self._decided(jump.value)
        asked = self._spoken_of(value)
        if not target and asked is None:
            return replace(jump, value=value)
        symbol = jump.state if target or asked is None else asked
        words = "so it cannot be reinitialised" if target else "but its value is used here"
        self._refuse_when(jump.condition, symbol, jump.span, jump.origin, words, before=not target)
        return None

    def _check(self, check: Check) -> Check:
        if not self._spoken_of(check.guard, check.condition) and not self._compared(
            check.guard, check.condition
        ):
            return check
        guard, condition = self._decided(check.guard), self._decided(check.condition)
        if guard is FALSE or condition is TRUE:
            return replace(check, guard=FALSE, condition=TRUE)  # in its place, for others are counted
        self._refuse(check.span, guard, condition)
        self._refuse_comparisons(check.span, guard, condition)
        return replace(check, guard=guard, condition=condition)

    def _ending(self, ending: Ending) -> Ending:
        if not self._spoken_of(ending.condition) and not self._compared(ending.condition):
            return ending
        condition = self._decided(ending.condition)
        self._refuse(ending.span, condition)
        self._refuse_comparisons(ending.span, condition)
        return replace(ending, condition=condition)

    # ------------------------------------------------------------ who speaks of what

    def _decided(self, e: Expr) -> Expr:
        return substitute(e, self._known, self._memo)

    def _spoken_of(self, *expressions: Expr) -> Symbol | None:
        """The first variable that is absent, and whose value is asked for."""
        for e in expressions:
            for leaf in leaves(e):
                if leaf.op is not Op.PRE and leaf_symbol(leaf) in self._absent:
                    return leaf_symbol(leaf)
        return None

    def _compared(self, *expressions: Expr) -> Relation | None:
        """The first relation that compares something absent."""
        symbols = (leaf_symbol(leaf) for e in expressions for leaf in leaves(e) if leaf.op is Op.REF)
        return next((self._frozen[s] for s in symbols if s in self._frozen), None)

    def _refuse_when(
        self, condition: Expr, symbol: Symbol, span: Span, origin: str, but: str, *, before: bool
    ) -> None:
        """Something that must not happen at an event."""
        notes = [Note("it is declared here", self._absent[symbol].span)]
        if before:
            notes.append(Note(f"its value before the event is pre({symbol.name})"))
        words = const(f"`{symbol.name}` does not exist while {self._told}, {but}")
        self._refusals.append(
            Check(condition, FALSE, words, False, span, origin, code="E307", notes=tuple(notes))
        )

    def _refuse(self, span: Span, *expressions: Expr, hint: str | None = None) -> None:
        symbol = self._spoken_of(*expressions)
        if symbol is not None:
            raise self._refusal(symbol, span, "but its value is used here", hint)

    def _refuse_comparisons(self, span: Span, *expressions: Expr) -> None:
        relation = self._compared(*expressions)
        if relation is not None:
            symbol = self._spoken_of(relation.residue)
            assert symbol is not None
            raise self._refusal(symbol, span, f"but `{relation.text}` decides something here")

    def _refusal(self, symbol: Symbol, span: Span, but: str, hint: str | None = None) -> ModelError:
        return model_error(
            "E307",
            f"`{symbol.name}` does not exist while {self._told}, {but}",
            span,
            notes=(Note("it is declared here", self._absent[symbol].span),),
            hint=hint
            or "move this into the branch in which it exists, or under the condition of that branch",
            origin=symbol.name,
        )


def _kept(relation: Relation) -> Relation:
    """A relation that keeps its truth: its residue has the sign that goes with it."""
    below = relation.op in (Op.LT, Op.LE)
    true, false = const(-1.0 if below else 1.0), const(1.0 if below else -1.0)
    return replace(relation, residue=if_(ref(relation.symbol), true, false), nominal=const(1.0))
