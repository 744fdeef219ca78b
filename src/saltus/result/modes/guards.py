"""Mode guards: what decides between branches of the continuous equations of a model.

A mode is a choice of branches, so it is given by the values of

- relations, and Boolean variables, that stand in a continuous equation: they can do nothing else there;
- Integers and enumerations in the condition of an `if`, and comparisons of discrete variables there;
- Integers that multiply something that varies: `0 = open*i + (1 - open)*u` is a switch as much as an `if`;
- whatever a program has taken for granted (`Structure.mode`), and relations on whose surfaces it stays.

A discrete Real that multiplies is a coefficient like any other, unless a program had to fix it: a sampled
controller has a new value at every tick, but no new mode. What only decides when-clauses is no guard either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from saltus.core.source import Span
from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import RELATIONS, Expr, Op, Symbol, Type, leaf_symbol, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves, substitute, walk
from saltus.ir.flat import Equation, Variable
from saltus.ir.structure import Structure
from saltus.result.words.places import relation_span
from saltus.result.words.wording import Wording

#: The value of a relation or discrete variable as a person reads it.
Value: TypeAlias = bool | int | float | str

#: Longer texts of conditions are cut.
_LONGEST = 60


@dataclass(frozen=True, eq=False)
class ModeGuard:
    """A relation, a discrete variable, or a comparison of discrete variables, as an expression of their
    symbols; with the text in the source, and its place. `relation` is the index of the first, if it is
    one; `variable` is the second."""

    expression: Expr
    text: str
    span: Span
    relation: int | None = None
    variable: Variable | None = None

    @property
    def symbol(self) -> Symbol | None:
        """The symbol, if it is one."""
        return leaf_symbol(self.expression) if self.expression.op is Op.REF else None

    @property
    def is_truth(self) -> bool:
        """Whether it is true or false."""
        return self.expression.type is Type.BOOLEAN

    def value(self, values: Callable[[Expr], Any]) -> Value:
        """Its value, where those of relations, variables and parameters are these."""
        found: Value = evaluate(self.expression, values)
        literals = self.variable.enumeration if self.variable is not None else None
        if literals is not None and isinstance(found, int) and 1 <= found <= len(literals):
            return literals[found - 1]
        return found


class ModeGuards:
    """The mode guards of all programs of a run. `all`: relations in their order, then discrete variables in
    theirs. `of`: for each program, the places of those that make a difference in it."""

    def __init__(self, structures: Sequence[Structure]) -> None:
        first = structures[0]
        model = first.model
        self._relations = {r.symbol: k for k, r in enumerate(first.relations)}
        self._discretes = {v.symbol: v for v in first.discretes}
        self._parameters = {v.symbol for v in model.parameters if not v.symbol.is_hidden}
        found = {s: dict.fromkeys(self._decisive(s)) for s in structures}
        order = sorted({e: None for own in found.values() for e in own}, key=self._rank)
        describe = Descriptions(first).of
        self.all: tuple[ModeGuard, ...] = tuple(map(describe, order))
        places = {e: k for k, e in enumerate(order)}
        self.of = {s: frozenset(places[e] for e in own) for s, own in found.items()}

    # ------------------------------------------------------------ finding

    def _decisive(self, structure: Structure) -> Iterator[Expr]:
        """The guards of one program. What it takes for granted no longer stands in its equations."""
        continuous = {v.symbol for v in (*structure.states, *structure.algebraics)}
        for block in structure.blocks:
            if not any(leaf_symbol(u) in self._discretes for u in block.unknowns):
                for q in block.equations:
                    yield from self._in_equation(q, continuous)
        yield from (ref(leaf_symbol(guard)) for guard in structure.local)
        own = self._relations.keys() | self._discretes.keys()
        yield from (ref(symbol) for symbol in granted(structure) if symbol in own)
        for surface in structure.surfaces:
            yield from (ref(structure.model.relations[k].symbol) for k in surface.relations)

    def _in_equation(self, q: Equation, continuous: set[Symbol]) -> Iterator[Expr]:
        for side in (q.lhs, q.rhs):
            for node in walk(side):
                if node.op in (Op.REF, Op.PRE):
                    symbol = leaf_symbol(node)
                    if symbol.type is Type.BOOLEAN and (
                        symbol in self._relations or symbol in self._discretes
                    ):
                        yield ref(symbol)
                elif node.op in RELATIONS:
                    yield from self._in_comparison(node)
                elif node.op is Op.MUL:
                    inside = [leaf_symbol(leaf) for leaf in leaves(node)]
                    if not continuous.isdisjoint(inside):
                        yield from (ref(s) for s in inside if self._counts(s))

    def _in_comparison(self, node: Expr) -> Iterator[Expr]:
        """The guard in a comparison that the compiler has left as it is: of discrete variables and
        parameters, or in noEvent."""
        found = {leaf: leaf_symbol(leaf) for leaf in leaves(node)}
        variables = [s for s in found.values() if s in self._discretes]
        known = all(s in self._discretes or s in self._parameters for s in found.values())
        if not variables or not known:
            return
        if node.op in (Op.EQ, Op.NE) and all(s.type is not Type.REAL for s in variables):
            yield from map(ref, variables)
        else:
            yield substitute(node, {leaf: ref(s) for leaf, s in found.items()})

    def _counts(self, symbol: Symbol) -> bool:
        return symbol in self._discretes and symbol.type is Type.INTEGER and not symbol.is_hidden

    def _rank(self, e: Expr) -> tuple[int, int]:
        inside = [leaf_symbol(leaf) for leaf in leaves(e)]
        relations = [self._relations[s] for s in inside if s in self._relations]
        return (0, min(relations)) if relations else (1, min(s.serial for s in inside))


def granted(structure: Structure) -> dict[Symbol, float]:
    """What a program takes for granted, by the symbols of relations and variables. Between events, the value
    that a variable had before the last one is the one that it has. Parameters are left out."""
    parameters = {v.symbol for v in structure.model.parameters}
    fixed = ((leaf_symbol(guard), value) for guard, value in structure.mode.fixed)
    return {symbol: value for symbol, value in fixed if symbol not in parameters}


def granted_in_words(structure: Structure, words: Wording) -> dict[str, Value]:
    """What a program takes for granted, by the texts that people wrote, with Booleans as such."""
    texts = {r.symbol: text for r, text in zip(structure.relations, words.texts, strict=True)}
    return {
        texts.get(symbol, symbol.name): bool(value) if symbol.type is Type.BOOLEAN else value
        for symbol, value in granted(structure).items()
    }


def in_words(value: Value) -> str:
    """A value as the model writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class Descriptions:
    """Guards in words."""

    def __init__(self, structure: Structure) -> None:
        self._relations = {r.symbol: k for k, r in enumerate(structure.relations)}
        self._spans = [relation_span(r) for r in structure.relations]
        self._texts = Wording(structure).texts
        self._variables = {v.symbol: v for v in structure.discretes}
        self._equations = {q.lhs: q for block in structure.blocks for q in block.equations}

    def of(self, e: Expr) -> ModeGuard:
        """A relation as it was written; a variable by its name, unless the compiler gave it that: then by
        what it stands for."""
        symbol = leaf_symbol(leaves(e)[0])
        if e.op is not Op.REF:
            return ModeGuard(e, self._condition(e), self._variables[symbol].span)
        if symbol in self._relations:
            k = self._relations[symbol]
            return ModeGuard(e, self._texts[k], self._spans[k], relation=k)
        v = self._variables[symbol]
        q = self._equations.get(e) if symbol.is_hidden else None
        if q is not None:
            return ModeGuard(e, self._condition(q.rhs), q.span, variable=v)
        return ModeGuard(e, symbol.name, v.span, variable=v)

    def _condition(self, e: Expr) -> str:
        texts = {ref(s): ref(Symbol(self._texts[k], Type.BOOLEAN)) for s, k in self._relations.items()}
        return show(substitute(e, texts), _LONGEST)
