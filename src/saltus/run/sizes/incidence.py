"""Which variables stand where in the equations of a model: found once, since runs are often repeated."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from saltus.expr.nodes import Expr, Op, pre
from saltus.expr.traversal import leaves
from saltus.ir.balance import Balance, Term


@dataclass(frozen=True)
class Use:
    """A variable in one term of a sum, and the exponent it has there; the `others` are terms that say how
    large it is: those without the variable that may be in force at the same time. `sometimes`: the term is in
    a branch, and the variable is none that stands for its value there."""

    sum: int
    term: int
    exponent: float
    others: tuple[int, ...]
    sometimes: bool


@dataclass(frozen=True, eq=False)
class Incidence:
    """`numbers` are those of the leaves of expressions. By the number of a variable: its `uses` with positive
    exponents, and its `neighbours`, whose sizes depend on its own. By sum and term: the variables `within`,
    but for those that it is divided by."""

    numbers: dict[Expr, int]
    uses: tuple[tuple[Use, ...], ...]
    neighbours: tuple[tuple[int, ...], ...]
    within: tuple[tuple[tuple[int, ...], ...], ...]


_known: WeakKeyDictionary[Balance, Incidence] = WeakKeyDictionary()


def incidence(balance: Balance) -> Incidence:
    """The incidence of the equations of a model."""
    found = _known.get(balance)
    if found is None:
        found = _known[balance] = _incidence(balance)
    return found


def _incidence(balance: Balance) -> Incidence:
    numbers: dict[Expr, int] = {}
    for k, leaf in enumerate(balance.leaves):
        if numbers.setdefault(leaf, k) == k and leaf.op is Op.REF:
            numbers[pre(leaf)] = k
    variants = frozenset(number for own in balance.variants.values() for number, _ in own)
    uses: list[list[Use]] = [[] for _ in balance.leaves]
    neighbours: list[dict[int, None]] = [{} for _ in balance.leaves]
    within = []
    for row, q in enumerate(balance.sums):
        inside = [_variables(t, numbers) for t in q.terms]
        within.append(tuple(inside))
        members = dict.fromkeys(
            k for t, own in zip(q.terms, inside, strict=True) for k in (*_powers(t), *own)
        )
        for k in members:
            neighbours[k].update(members)
        for place, own in enumerate(q.terms):
            for k, exponent in own.powers:
                if exponent > 0.0:
                    others = (
                        n
                        for n, t in enumerate(q.terms)
                        if n != place and k not in _powers(t) and not contradicts(own, t)
                    )
                    sometimes = bool(own.choices) and k not in variants
                    uses[k].append(Use(row, place, exponent, tuple(others), sometimes))
    for state, rate in balance.rates.items():
        neighbours[rate][state] = None
    for k, found in enumerate(neighbours):
        found.pop(k, None)
    return Incidence(numbers, tuple(map(tuple, uses)), tuple(map(tuple, neighbours)), tuple(within))


def _powers(t: Term) -> tuple[int, ...]:
    return tuple(k for k, _ in t.powers)


def _variables(t: Term, numbers: dict[Expr, int]) -> tuple[int, ...]:
    """The variables in a term, but for those that it is divided by."""
    plain = [k for k, exponent in t.powers if exponent > 0.0]
    rest = {numbers[leaf] for e, _ in t.rest for leaf in leaves(e) if leaf in numbers}
    return tuple(dict.fromkeys((*plain, *sorted(rest))))


def contradicts(a: Term, b: Term) -> bool:
    """Whether two terms are in branches that exclude each other."""
    return any((guard, not holds) in b.choices for guard, holds in a.choices)
