"""Routines in the making that consist of loops: sections of the memory, tables and local arrays as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from saltus.expr.nodes import Expr, Op, Symbol, Type, add, const, index, ref, relation
from saltus.ir.program import Assign, For, If, Routine, Statement, Table, View

_ONE = const(1)

#: Where sections of the memory begin, and how long they are.
Sections: TypeAlias = Mapping[str, tuple[int, int]]


class LoopCode:
    """A routine in the making: loops over sections of the memory, tables and local arrays."""

    def __init__(self, sections: Sections, size: int) -> None:
        self._sections = sections
        self.size = size
        self._locals: list[Symbol] = []
        self._views: dict[str, View] = {}
        self._tables: dict[str, Table] = {}

    def section(self, name: str) -> Symbol:
        """A section of the memory as an array."""
        if name not in self._views:
            first, length = self._sections[name]
            self._views[name] = View(Symbol(name, Type.REAL, (length,)), first)
        return self._views[name].symbol

    def table(self, name: str, values: Sequence[float]) -> Symbol:
        """Constants as an array."""
        if name not in self._tables:
            self._tables[name] = Table(Symbol(name, Type.REAL, (len(values),)), tuple(map(float, values)))
        return self._tables[name].symbol

    def array(self, name: str, *shape: int) -> Symbol:
        """A local array."""
        return self._own(Symbol(name, Type.REAL, shape))

    def number(self, name: str, type: Type = Type.REAL) -> Symbol:
        """A local."""
        return self._own(Symbol(name, type))

    def counter(self, name: str) -> Symbol:
        """An index of a loop."""
        return Symbol(name, Type.INTEGER)

    def _own(self, symbol: Symbol) -> Symbol:
        self._locals.append(symbol)
        return symbol

    def every(self, k: Symbol, *body: Statement, first: Expr = _ONE, last: Expr | None = None) -> For:
        """For each number up to the size of the system, or from a first to a last one."""
        return For(k, first, _ONE, const(self.size) if last is None else last, body)

    def downward(self, k: Symbol, *body: Statement) -> For:
        """For each number from the size of the system down."""
        return For(k, const(self.size), const(-1), _ONE, body)

    def routine(self, name: str, *body: Statement) -> Routine:
        views, tables = tuple(self._views.values()), tuple(self._tables.values())
        return Routine(name, body, tuple(self._locals), loops=True, views=views, tables=tables)


def at(array: Symbol, *place: Symbol | Expr) -> Expr:
    """An element of an array."""
    return index(ref(array), *(p if isinstance(p, Expr) else ref(p) for p in place))


def put(array: Symbol, place: Symbol | Expr | tuple[Symbol, Symbol], value: Expr) -> Assign:
    """An element of an array := value"""
    places = place if isinstance(place, tuple) else (place,)
    return Assign(array, value, tuple(p if isinstance(p, Expr) else ref(p) for p in places))


def when(condition: Expr, *body: Statement, otherwise: Sequence[Statement] = ()) -> If:
    """A choice."""
    return If(((condition, body),), tuple(otherwise))


def equal(a: Expr, b: Expr) -> Expr:
    """a == b"""
    return relation(Op.EQ, a, b)


def increased(array: Symbol, place: Symbol | Expr, by: Expr) -> Assign:
    """An element of an array made larger."""
    return put(array, place, add(at(array, place), by))
