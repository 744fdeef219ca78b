"""Expressions as C, with as few brackets as C needs and compilers do not warn of.

All numbers are doubles, in the order in which the other back ends compute with them. Where a truth is a
number it is 0 or 1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable

from saltus.export.names import Names
from saltus.expr.nodes import RELATIONS, Expr, Op, Symbol, Type

#: How tightly operators bind, loosest first.
_IF, _OR, _AND, _EQUAL, _ORDER, _SUM, _PRODUCT, _SIGN, _LEAF = range(9)

_RELATION = {Op.LT: "<", Op.LE: "<=", Op.GT: ">", Op.GE: ">=", Op.EQ: "==", Op.NE: "!="}

#: Built-in functions: those of the C library, or of the head of the file.
_CALLS = {
    **{name: name for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh")},
    **{name: name for name in ("exp", "log", "log10", "sqrt", "floor", "ceil")},
    "abs": "fabs",
    "integer": "floor",
    "sign": "sign_of",
    "min": "least",
    "max": "greatest",
    "div": "quotient",
    "mod": "modulo",
    "rem": "remainder_of",
}


#: The number of operations from which a repeated expression in a statement is computed once.
_LARGE = 5


class NotInC(Exception):
    """Something that has no counterpart in C; its words are for users."""


def number(value: float) -> str:
    """A literal, exact."""
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(float(value))


class Values:
    """Prints expressions. `local` are the locals in force: how C reads each of them."""

    def __init__(self, names: Names, *, in_function: bool = False, trusted: bool = False) -> None:
        self.names = names
        self.local: dict[Symbol, str] = {}
        self.counters: dict[Symbol, str] = {}  # of loops, whole numbers of C
        self._in_function = in_function
        self.trusted = trusted  # subscripts need no check
        self.checks: list[str] = []  # of subscripts: what has to be true, since it was emptied
        self._shared: dict[Expr, str] = {}

    def share(
        self, expressions: Iterable[Expr], fresh: Callable[[], str], add: Callable[[str], None]
    ) -> None:
        """Values that occur several times in the expressions of one statement are computed once, before it:
        written out they may be as many as there are ways through the expressions. `fresh` makes a name, `add`
        takes a line. They are good until the next call."""
        self._shared.clear()
        uses: Counter[Expr] = Counter()
        sizes: dict[Expr, int] = {}
        order: list[Expr] = []
        stack = [(e, False) for e in expressions]
        while stack:
            e, is_done = stack.pop()
            if is_done:
                sizes[e] = min(1 + sum(sizes.get(a, 1) for a in e.args), _LARGE)
                order.append(e)
                continue
            uses[e] += 1
            if uses[e] > 1 or not e.args or self._place(e) is not None:
                continue
            stack.append((e, True))
            stack.extend((a, False) for a in e.args)
        for e in order:
            if uses[e] > 1 and sizes[e] >= _LARGE and e.op not in (Op.ARRAY, Op.NOEVENT, Op.SMOOTH):
                kind = "int" if e.type is Type.BOOLEAN else "double"
                text, name = self.truth(e) if kind == "int" else self.value(e), fresh()
                for check in self.take_checks():
                    add(check)
                add(f"const {kind} {name} = {text};")
                self._shared[e] = name

    def take_checks(self) -> list[str]:
        """What has to be true before values printed so far are computed."""
        found = [f"if (!({check})) " for check in self.checks]
        self.checks.clear()
        return found

    def value(self, e: Expr) -> str:
        """A number."""
        return self._number(e, _IF)

    def truth(self, e: Expr) -> str:
        """A condition."""
        return self._within(e, _IF)

    def _number(self, e: Expr, binding: int) -> str:
        """The expression as a C number, with parentheses for the given binding strength."""
        if e.type is not Type.BOOLEAN:
            return self._within(e, binding)
        place = self._place(e)
        if place is not None:
            return place
        if e in self._shared:  # a truth
            return self._shared[e]
        if e.op is Op.CONST:
            return "1.0" if e.data else "0.0"
        return _bracketed(f"{self._within(e, _OR)} ? 1.0 : 0.0", _IF, binding)

    def _within(self, e: Expr, binding: int) -> str:
        text, own = self._printed(e)
        return _bracketed(text, own, binding)

    def _place(self, e: Expr) -> str | None:
        """Where a value is stored, if it is."""
        if e.op is Op.REF and e.data in self.counters:
            return f"(double){self.counters[e.data]}"
        if e.op is Op.REF and e.data in self.local:
            return self.local[e.data]
        slot = None if self._in_function else self.names.layout.slots.get(e)
        return None if slot is None else f"m[{self.names[slot]}]"

    def _printed(self, e: Expr) -> tuple[str, int]:
        """The text, and how tightly its outermost operator binds."""
        if e in self._shared:
            return self._shared[e], _LEAF
        place = self._place(e)
        if place is not None:
            return (f"{place} != 0.0", _EQUAL) if e.type is Type.BOOLEAN else (place, _LEAF)
        match e.op:
            case Op.CONST:
                if e.type is Type.BOOLEAN:
                    return ("1" if e.data else "0"), _LEAF
                text = number(float(e.data))
                return text, _SIGN if text.startswith("-") else _LEAF
            case Op.ADD:
                return self._sum(e), _SUM
            case Op.MUL:
                first, *rest = e.args
                factors = [self._number(first, _PRODUCT), *(self._number(a, _SIGN) for a in rest)]
                return " * ".join(factors), _PRODUCT
            case Op.DIV:
                return f"{self._number(e.args[0], _PRODUCT)} / {self._number(e.args[1], _SIGN)}", _PRODUCT
            case Op.NEG:
                return f"-{self._number(e.args[0], _LEAF)}", _SIGN
            case Op.NOT:
                return f"!{self._within(e.args[0], _LEAF)}", _SIGN
            case Op.AND:
                return " && ".join(self._within(a, _EQUAL) for a in e.args), _AND
            case Op.OR:
                return " || ".join(self._within(a, _EQUAL) for a in e.args), _OR
            case Op.IF:
                kind = self._within if e.type is Type.BOOLEAN else self._number
                then, other = kind(e.args[1], _OR), kind(e.args[2], _OR)
                return f"{self._within(e.args[0], _OR)} ? {then} : {other}", _IF
            case Op.POW:
                return f"pow({self.value(e.args[0])}, {self.value(e.args[1])})", _LEAF
            case Op.CALL if e.data == "real":
                return self._number(e.args[0], _LEAF), _LEAF
            case Op.CALL if e.data in _CALLS:
                return f"{_CALLS[e.data]}({', '.join(map(self.value, e.args))})", _LEAF
            case Op.CALL if e.data == "peek":
                return f"peek({', '.join(map(self.value, e.args))})", _LEAF
            case Op.INDEX:
                element = self.element(e.args[0].data, e.args[1:])
                return (f"{element} != 0.0", _EQUAL) if e.type is Type.BOOLEAN else (element, _LEAF)
            case Op.NOEVENT | Op.SMOOTH:
                return self._printed(e.args[0])
            case Op.RECALL:
                raise NotInC("a delay or a transport, which needs past values")
            case _:
                assert e.op in RELATIONS, f"{e.op} cannot be printed"
                left, right = (self._number(x, _SUM) for x in e.args)
                return f"{left} {_RELATION[e.op]} {right}", _ORDER if e.op in _ORDERS else _EQUAL

    def _sum(self, e: Expr) -> str:
        text = self._number(e.args[0], _SUM)
        for a in e.args[1:]:
            subtracted = a.op is Op.NEG
            term = self._number(a.args[0] if subtracted else a, _PRODUCT)
            if term.startswith("-"):  # signs are exact
                subtracted, term = not subtracted, term[1:]
            text += f" - {term}" if subtracted else f" + {term}"
        return text

    def element(self, array: Symbol, indices: tuple[Expr, ...]) -> str:
        """An element of a local array. Subscripts that are computed have to be checked before."""
        known, place = 0, ""  # the part of the subscript that is a number, and the other one
        for i, extent in zip(indices, array.shape, strict=True):
            known, place = known * extent, f"({place})*{extent}" if place else ""
            if i.op is Op.CONST and 1 <= i.data <= extent:
                known += int(i.data) - 1
                continue
            counted = self._counted(i)
            if counted is not None:
                known -= 1
                place = f"{place} + {counted}" if place else counted
                continue
            subscript = self._number(i, _LEAF)
            if not self.trusted:
                check = f"1.0 <= {subscript} && {subscript} <= {float(extent)!r}"
                if check not in self.checks:
                    self.checks.append(check)
            known -= 1
            place = f"{place} + (int){subscript}" if place else f"(int){subscript}"
        if place and known:
            place += f" + {known}" if known > 0 else f" - {-known}"
        place = place or str(known)
        return f"{self.local[array]}[{place}]"

    def _counted(self, e: Expr) -> str | None:
        """A subscript that is a counter, or one and a number, as C counts; None if it is something else."""
        if not self.trusted:
            return None
        if e.op is Op.REF and e.data in self.counters:
            return self.counters[e.data]
        if e.op is not Op.ADD or len(e.args) != 2:
            return None
        first, other = e.args
        if not (first.op is Op.REF and first.data in self.counters and other.op is Op.CONST):
            return None
        offset = int(other.data)
        sign = "-" if offset < 0 else "+"
        return f"{self.counters[first.data]} {sign} {abs(offset)}"

    def array(self, e: Expr) -> str:
        """A whole array."""
        if e.op is Op.REF:
            return self.local[e.data]
        assert e.op is Op.ARRAY, e.op
        return f"(const double[{max(len(e.args), 1)}]){{{', '.join(map(self.value, e.args)) or '0.0'}}}"


_ORDERS = frozenset({Op.LT, Op.LE, Op.GT, Op.GE})


def _bracketed(text: str, own: int, binding: int) -> str:
    """Brackets where what is around binds more tightly; and around what compilers take for mistaken."""
    return f"({text})" if own < binding else text
