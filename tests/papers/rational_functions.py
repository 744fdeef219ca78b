"""Quotients of polynomials over named symbols, exactly: two expressions are the same if these are.

A polynomial is a mapping from monomials to fractions; a monomial is a sorted tuple of names, as often as they
are multiplied. The names in `bits` stand for 0 or 1, so that their squares are themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from saltus.expr.nodes import Expr, Op, leaf_symbol

Monomial = tuple[str, ...]
Polynomial = Mapping[Monomial, Fraction]


class Rational:
    """A quotient `above/below` of polynomials, to be added, multiplied and compared."""

    bits: frozenset[str] = frozenset()

    def __init__(self, above: Mapping[Monomial, Fraction], below: Mapping[Monomial, Fraction] | None = None):
        self.above = {m: c for m, c in above.items() if c}
        self.below = {(): Fraction(1)} if below is None else {m: c for m, c in below.items() if c}
        if not self.below:
            raise ZeroDivisionError

    @classmethod
    def of(cls, value: object) -> Rational:
        """A number as a rational function."""
        return value if isinstance(value, Rational) else cls({(): Fraction(value)})  # type: ignore[arg-type]

    @classmethod
    def named(cls, name: str) -> Rational:
        """A symbol."""
        return cls({(name,): Fraction(1)})

    def _times(self, a: Polynomial, b: Polynomial) -> dict[Monomial, Fraction]:
        found: dict[Monomial, Fraction] = {}
        for m, c in a.items():
            for n, d in b.items():
                names = sorted([*(x for x in m if x not in self.bits), *(x for x in n if x not in self.bits)])
                key = tuple(sorted([*names, *({*m, *n} & self.bits)]))
                found[key] = found.get(key, Fraction(0)) + c * d
        return found

    def __add__(self, other: object) -> Rational:
        b = Rational.of(other)
        left, right = self._times(self.above, b.below), self._times(b.above, self.below)
        total = {m: left.get(m, Fraction(0)) + right.get(m, Fraction(0)) for m in {*left, *right}}
        return Rational(total, self._times(self.below, b.below))

    def __neg__(self) -> Rational:
        return Rational({m: -c for m, c in self.above.items()}, self.below)

    def __sub__(self, other: object) -> Rational:
        return self + -Rational.of(other)

    def __rsub__(self, other: object) -> Rational:
        return Rational.of(other) - self

    def __mul__(self, other: object) -> Rational:
        b = Rational.of(other)
        return Rational(self._times(self.above, b.above), self._times(self.below, b.below))

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: object) -> Rational:
        b = Rational.of(other)
        return Rational(self._times(self.above, b.below), self._times(self.below, b.above))

    def __eq__(self, other: object) -> bool:
        return not (self - other).above

    __hash__ = None  # type: ignore[assignment]  # equal ones have many forms

    def __repr__(self) -> str:
        def text(p: Mapping[Monomial, Fraction]) -> str:
            return " + ".join(f"{c}*{'*'.join(m) or '1'}" for m, c in sorted(p.items())) or "0"

        return f"({text(self.above)})/({text(self.below)})"


def rational(e: Expr, known: Mapping[str, Rational]) -> Rational:
    """An expression of the program. Leaves are symbols by their names, unless they are `known`; `pre(x)` is
    called like `x`. A case on a truth is b*x + (1 - b)*y."""
    match e.op:
        case Op.CONST:
            return Rational.of(Fraction(e.data))
        case Op.REF | Op.PRE:
            name = leaf_symbol(e).name
            return known[name] if name in known else Rational.named(name)
        case Op.ADD:
            return sum((rational(a, known) for a in e.args), Rational.of(0))
        case Op.MUL:
            found = Rational.of(1)
            for a in e.args:
                found = found * rational(a, known)
            return found
        case Op.NEG:
            return -rational(e.args[0], known)
        case Op.DIV:
            return rational(e.args[0], known) / rational(e.args[1], known)
        case Op.IF:
            b, x, y = (rational(a, known) for a in e.args)
            return b * x + (1 - b) * y
        case Op.CALL if e.data == "real":
            return rational(e.args[0], known)
    raise NotImplementedError(e.op)
