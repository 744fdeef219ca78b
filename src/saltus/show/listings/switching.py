"""What the relations and clocks of a model decide: when-clauses, equations with branches, assertions.

When-clauses are gone from the hybrid model; what is left of one is its *edge*, `c and not pre(c)`, in the
equations of the variables that it sets, in jumps, assertions and terminations. So a clause is found by its
condition `c`, together with all that it does. Conditions that the compiler has named (`$when1`) are shown as
they were written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from saltus.core.source import Span
from saltus.expr.nodes import RELATIONS, Expr, Op, Symbol, Type, leaf_symbol, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves, substitute, walk
from saltus.ir.flat import BaseClock, SubPartition
from saltus.ir.hybrid import Check, Clock, HybridModel, Relation, is_step
from saltus.ir.structure import Structure
from saltus.result.words.places import place, written_span
from saltus.result.words.wording import Wording

#: Longer texts of conditions are cut.
_LONGEST = 60


@dataclass(eq=False)
class WhenClause:
    """All that happens at the instant at which `condition` becomes true (or false, unless it `rises`)."""

    condition: Symbol
    rises: bool
    text: str
    span: Span
    effects: dict[str, None] = field(default_factory=dict)  # in order


@dataclass
class Switched:
    """What one relation or clock decides, by numbers of when-clauses, names and texts."""

    clauses: dict[int, None] = field(default_factory=dict)
    variables: dict[str, None] = field(default_factory=dict)
    others: dict[str, None] = field(default_factory=dict)  # assertions, reinit, other relations


@dataclass(frozen=True, eq=False)
class Comparison:
    """One inside noEvent or smooth: it makes no events."""

    text: str
    span: Span


class Switching:
    """Everything that switches in a model. Clauses are numbered from 1."""

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self.model: HybridModel = structure.model
        self.relations: tuple[Relation, ...] = structure.relations
        self.clocks: tuple[Clock, ...] = self.model.clocks
        self.words = Wording(structure)
        #: Assertions of the model, not those of the compiler.
        self.checks: list[Check] = [c for c in self.model.checks if c.code == "E406"]
        self._texts: dict[Expr, Expr] = {
            ref(s): ref(Symbol(text, Type.BOOLEAN))
            for s, text in (
                *((r.symbol, text) for r, text in zip(self.relations, self.words.texts, strict=True)),
                *((c.symbol, c.in_words) for c in self.clocks),
            )
        }
        #: Each equation with its unknown, and the name of that.
        self._equations = [
            (u, show(u), q)
            for block in structure.blocks
            for q, u in zip(block.equations, block.unknowns, strict=True)
        ]
        self._values = {leaf_symbol(u): q for u, _, q in self._equations if q.lhs is ref(leaf_symbol(u))}
        self.clauses = list(self._find_clauses())
        self.switched = self._find_switched()

    def condition_text(self, e: Expr) -> str:
        """A condition as it is written in the source."""
        # A relation binds stronger than `not`, `and` and `or`: it needs no parentheses there.
        return show(substitute(e, self._texts), _LONGEST)

    # ------------------------------------------------------------ when-clauses

    def _find_clauses(self) -> Iterator[WhenClause]:
        found: dict[tuple[Symbol, bool], WhenClause] = {}

        def add(e: Expr, effect: str, span: Span) -> None:
            for condition, rises in edges(e):
                key = (condition, rises)
                if key not in found:
                    text, place = self._condition(condition, span)
                    found[key] = WhenClause(condition, rises, text if rises else f"not {text}", place)
                found[key].effects[effect] = None

        for u, name, q in self._equations:
            if not _is_helper(u):
                add(q.rhs, name, q.span)
        for j in self.model.jumps:
            add(j.condition, f"reinit({j.state.name})", j.span)
        for c in self.model.checks:
            add(c.guard, "assert", c.span)
        for n in self.model.endings:
            add(n.condition, "terminate", n.span)
        order = {w: (w.span.source.path, w.span.start, w.condition.serial) for w in found.values()}
        yield from sorted(order, key=order.__getitem__)

    def _condition(self, condition: Symbol, span: Span) -> tuple[str, Span]:
        """The text of a condition of a when-clause, and its place; `span` is that of something it does."""
        q = self._values.get(condition) if condition.helper is not None else None
        if q is None:
            return condition.name, span
        text = self.condition_text(q.rhs)
        return text, written_span(text, q.span, q.origin)

    # ------------------------------------------------------------ relations and clocks

    def _find_switched(self) -> dict[Symbol, Switched]:
        symbols = [*(r.symbol for r in self.relations), *(c.symbol for c in self.clocks)]
        found = {symbol: Switched() for symbol in symbols}
        numbers: dict[Symbol, list[int]] = {}
        for k, clause in enumerate(self.clauses, start=1):
            numbers.setdefault(clause.condition, []).append(k)

        def read(expressions: Iterable[Expr]) -> Iterator[Switched]:
            known = {leaf_symbol(leaf): None for e in expressions for leaf in leaves(e)}
            return (found[s] for s in known if s in found)

        for u, name, q in self._equations:
            for switched in read((q.lhs, q.rhs)):
                switched.clauses |= dict.fromkeys(numbers.get(leaf_symbol(u), ()))
                if _is_helper(u) and is_step(leaf_symbol(u)):
                    switched.others["when a value steps"] = None
                elif not _is_helper(u):
                    switched.variables[name] = None
        for j in self.model.jumps:
            for switched in read((j.condition, j.value)):
                switched.others[f"reinit({j.state.name})"] = None
        for c in self.model.checks:
            for switched in read((c.guard, c.condition)):
                switched.others["an assertion"] = None
        for n in self.model.endings:
            for switched in read((n.condition,)):
                switched.others["terminate"] = None
        for r, text in zip(self.relations, self.words.texts, strict=True):
            for switched in read((r.residue,)):
                switched.others[f"the relation {text}"] = None
        return found

    # ------------------------------------------------------------ no events

    def comparisons(self) -> list[Comparison]:
        """Comparisons inside noEvent or smooth, each once."""
        found: dict[Expr, Comparison] = {}
        for q in self.model.equations:
            for e in (q.lhs, q.rhs):
                for node in walk(e):
                    if node.op is Op.NOEVENT:
                        for inner in walk(node):
                            if inner.op in RELATIONS and inner not in found:
                                found[inner] = Comparison(show(inner, _LONGEST), q.span)
        return list(found.values())


def edges(e: Expr) -> Iterator[tuple[Symbol, bool]]:
    """The Boolean variables whose rise or fall is asked for: `c and not pre(c)`, `not c and pre(c)`."""
    for node in walk(e):
        if node.op is Op.AND:
            terms = set(_terms(node))
            for term in terms:
                inner = term.args[0] if term.op is Op.NOT else term
                if inner.op is Op.PRE:
                    now = ref(leaf_symbol(inner))
                    if term.op is Op.NOT and now in terms:
                        yield leaf_symbol(inner), True
                    elif term.op is Op.PRE and any(t.op is Op.NOT and t.args[0] is now for t in terms):
                        yield leaf_symbol(inner), False


def _terms(e: Expr) -> Iterator[Expr]:
    for a in e.args:
        if a.op is Op.AND:
            yield from _terms(a)
        else:
            yield a


def _is_helper(unknown: Expr) -> bool:
    """Whether an unknown is not in the source: it is no derivative, and its symbol is the compiler's."""
    return unknown.op is Op.REF and leaf_symbol(unknown).helper is not None


# ---------------------------------------------------------------- clock partitions

_UNITS = {
    BaseClock.RATIONAL: " s",
    BaseClock.DEFAULT: " s",
    BaseClock.REAL: " intervals",
    BaseClock.VARYING: " ticks",
    BaseClock.EVENT: " ticks",
}


def clocks_text(model: HybridModel) -> str:
    """The listing of `saltus explain --clocks`: base partitions, and what ticks when in each.

    CLOCKS OF Drive

    BASE PARTITION 1  Clock(1, 50), rational interval, Drive.mo:9
      1.1  every 1/50 s                    3 equations: e, I, M
      1.2  every 3/50 s, first at 1/25 s   2 equations, ImplicitEuler: x, der(x)
    """
    lines = [f"CLOCKS OF {model.name}"]
    for number, base in enumerate(model.partitions, 1):
        where = f", {place(base.span)}" if base.span is not None else ""
        lines += ["", f"BASE PARTITION {number}  {base.clock}, {base.kind.value}{where}"]
        rows = [(f"{number}.{k}", *_of_sub(base.kind, sub)) for k, sub in enumerate(base.subs, 1)]
        widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:2]]
        lines += [f"  {a:<{widths[0]}}  {b:<{widths[1]}}  {c}" for a, b, c in rows]
    if not model.partitions:
        lines += ["", "no clock partitions: all equations are continuous, or hold at events"]
    return "\n".join(lines) + "\n"


def _of_sub(kind: BaseClock, sub: SubPartition) -> tuple[str, str]:
    unit = _UNITS[kind]
    ticks = f"every {sub.rate.factor}{unit}" if sub.rate.factor != 1 or unit == " s" else "every tick"
    ticks += f", first at {sub.rate.shift}{unit}" if sub.rate.shift else ""
    count = f"{sub.equations} equation" + ("s" if sub.equations != 1 else "")
    method = f", {sub.method}" if sub.discretised else ""
    return ticks, f"{count}{method}" + (f": {', '.join(sub.variables)}" if sub.variables else "")
