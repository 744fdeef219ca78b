"""Patterns of small systems: what is assigned fulfils the equations, whatever coefficients vanish."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from saltus.core.source import Span
from saltus.emit.systems.pattern_code import Assignment, Following, Known, Leaping, PatternCode
from saltus.emit.systems.patterns import Pattern, _pattern
from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import ONE, Expr, Symbol, ref
from saltus.ir.flat import Equation
from saltus.ir.signature import Pair, Signature

SPAN: Span | None = None


def named(name: str, count: int) -> list[Expr]:
    return [ref(Symbol(f"{name}{k}")) for k in range(count)]


class Small:
    """A system of a few equations with random coefficients, and a pattern of it."""

    def __init__(self, size: int, states: int, seed: int, most: int) -> None:
        random_ = random.Random(seed)
        self.size, self.states = size, states
        entries: dict[tuple[int, int], int] = {}
        for row in range(size):
            for column in random_.sample(range(size), random_.randint(1, min(most, size))):
                entries[row, column] = random_.randint(0, 1) if column < states else 0
        symbols = tuple(Symbol(f"v{k}") for k in range(size))
        pairs = tuple(Pair(row, column, order, ONE) for (row, column), order in sorted(entries.items()))
        equations = tuple(Equation(ref(s), ONE, SPAN) for s in symbols)
        self.signature = Signature(equations, symbols, states, pairs, frozenset(), (ONE,) * size)
        self.slopes = [random_.choice((-1, 1)) * random_.uniform(0.5, 2) for _ in pairs]
        present = tuple(k for k in range(len(pairs)) if random_.random() < 0.85)
        self.pattern: Pattern | None = _pattern(self.signature, present)
        self.random = random_

    def matrix(self) -> np.ndarray[Any, Any]:
        """That of the leading pairs."""
        assert self.pattern is not None
        found = np.zeros((self.size, self.size))
        for k in self.pattern.pairs:
            pair = self.signature.pairs[k]
            if self.pattern.is_leading(pair):
                found[pair.row, pair.column] += self.slopes[k]
        return found

    def known(self, values: dict[Expr, float]) -> Known:
        names = SimpleNamespace(pairs=named("pair", len(self.slopes)), rest=named("rest", self.size))
        inverse = [named(f"inverse{row}_", self.size) for row in range(self.size)]
        values |= dict(zip(names.pairs, self.slopes, strict=True))
        values |= {x: self.random.uniform(-1, 1) for x in names.rest}
        exact = np.linalg.inv(self.matrix())
        for row, own in enumerate(inverse):
            values |= {x: float(exact[column, row]) for column, x in enumerate(own)}
        return Known(names.pairs, inverse, names.rest)

    def of_row(self, row: int, order: int) -> list[tuple[int, float]]:
        """Columns and coefficients of a row, of one order."""
        assert self.pattern is not None
        own = ((self.signature.pairs[k], self.slopes[k]) for k in self.pattern.pairs)
        return [(p.column, slope) for p, slope in own if p.row == row and p.order == order]


def carried_out(assignments: Sequence[Assignment], values: dict[Expr, float]) -> None:
    for leaf, e in assignments:
        values[leaf] = float(evaluate(e, values.__getitem__))


systems = st.builds(
    Small, st.integers(1, 7), st.integers(0, 4), st.integers(0, 10**9), st.integers(1, 4)
).filter(lambda small: small.states <= small.size and small.pattern is not None)


@given(systems)
def test_equations_hold_and_so_do_their_derivatives(small: Small) -> None:
    assert small.pattern is not None
    assume(np.linalg.cond(small.matrix()) < 1e6)
    size, c = small.size, small.pattern.offsets.c
    values: dict[Expr, float] = {}
    known = small.known(values)
    at = Following(
        *(named(name, size) for name in ("drift", "value", "kept", "unknown", "change", "derivative"))
    )
    given_ = [small.random.uniform(-1, 1) for _ in range(size)]
    values |= dict(zip(at.values, given_, strict=True))
    values |= {x: small.random.uniform(-1, 1) for x in at.drifts}
    drifts = [values[x] for x in at.drifts]
    carried_out(PatternCode(small.signature, small.pattern, known).follow(at), values)
    states = range(small.states)
    value = [values[at.values[j]] if j in states else values[at.unknowns[j]] for j in range(size)]
    rate = [
        values[at.unknowns[j]] if j in states else values.get(at.derivatives[j], 0.0) for j in range(size)
    ]
    for row in range(size):
        left = [values[known.rest[row]]]
        left += [slope * value[j] for j, slope in small.of_row(row, 0)]
        left += [slope * rate[j] for j, slope in small.of_row(row, 1)]
        assert abs(math.fsum(left)) < 1e-7 * (1 + max(map(abs, left)))
        if c[row]:
            changes = [drifts[row], *(slope * rate[j] for j, slope in small.of_row(row, 0))]
            assert abs(math.fsum(changes)) < 1e-7 * (1 + max(map(abs, changes)))
    if not small.pattern.is_constrained:
        assert value[: small.states] == given_[: small.states]


@given(systems)
def test_states_leap_onto_constraints_and_conserve_what_others_say(small: Small) -> None:
    """Integrated over the instant, an equation that is not differentiated says that jumps of what it has the
    rate of and impulses of the others balance."""
    assert small.pattern is not None
    assume(small.pattern.is_constrained and np.linalg.cond(small.matrix()) < 1e6)
    size, c, d = small.size, small.pattern.offsets.c, small.pattern.offsets.d
    values: dict[Expr, float] = {}
    known = small.known(values)
    exact, off, extent = named("exact", 3)
    at = Leaping(
        *(named(name, size) for name in ("left", "leap", "place")), (off, extent), exact, located=1e-9
    )
    values |= {x: small.random.uniform(-1, 1) for x in at.lefts}
    values[exact] = 1.0
    carried_out(PatternCode(small.signature, small.pattern, known).leap(at), values)
    # What is constrained and no state has no impulse, but jumps as well: by what it was found to.
    leap = [values.get(at.places[j], 0.0) for j in range(size)]
    for row in range(size):
        if c[row]:
            terms = [values[known.rest[row]]]
            terms += [slope * (values[at.lefts[j]] + leap[j]) for j, slope in small.of_row(row, 0)]
        else:
            terms = [0.0, *(slope * leap[j] for j, slope in small.of_row(row, 1) if d[j] == 1)]
            terms += [slope * leap[j] for j, slope in small.of_row(row, 0) if d[j] == 0]
        assert abs(math.fsum(terms)) < 1e-7 * (1 + max(map(abs, terms)))
    assert values[off] <= 1e-7 * values[extent]
    for j in range(size):
        expected = 0.0 if j >= small.states and d[j] else leap[j]
        assert values[at.leaps[j]] == expected
