"""Random numbers by the C names of the standard library: the xorshift generators of Sebastiano Vigna (2014).

States are Integers of 32 bits with a sign, two of them for 64 bits, the lower half first.
`emit.support.external` has the same in native code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from saltus.expr.evaluate import Value

_MASK = 2**64 - 1
#: The factors of the generators with a star.
FACTOR_64, FACTOR_1024 = 2685821657736338717, 1181783497276652981


#: The state of the generator that has one of its own: 32 halves, the position, and an id. It is one for all
#: models of a process, as in C.
STATE = np.zeros(34)


def _words(state: Sequence[int]) -> list[int]:
    halves = [int(h) & 0xFFFFFFFF for h in state]
    return [low | high << 32 for low, high in zip(halves[::2], halves[1::2], strict=False)]


def _halves(words: Sequence[int]) -> list[int]:
    halves = [h for w in words for h in (w & 0xFFFFFFFF, w >> 32)]
    return [h - 2**32 if h >= 2**31 else h for h in halves]


def _fraction(word: int) -> float:
    """A number between 0 and 1."""
    return (word - 2**64 if word >= 2**63 else word) * 2.0**-64 + 0.5


def xorshift64star(state: Sequence[int]) -> list[Value]:
    """The next state, and a number."""
    (x,) = _words(state)
    x ^= x >> 12
    x ^= x << 25 & _MASK
    x ^= x >> 27
    x = x * FACTOR_64 & _MASK
    return [*_halves([x]), _fraction(x)]


def xorshift128plus(state: Sequence[int]) -> list[Value]:
    """The next state, and a number."""
    s1, s0 = _words(state)
    s1 ^= s1 << 23 & _MASK
    x = (s1 ^ s0 ^ s1 >> 17 ^ s0 >> 26) + s0 & _MASK
    return [*_halves([s0, x]), _fraction(x)]


def xorshift1024star(state: Sequence[int]) -> list[Value]:
    """The next state, whose last Integer is a position, and a number."""
    words, p = _words(state[:32]), int(state[32]) & 15
    s0 = words[p]
    p = p + 1 & 15
    s1 = words[p]
    s1 ^= s1 << 31 & _MASK
    s1 ^= s1 >> 11
    s0 ^= s0 >> 30
    words[p] = s0 ^ s1
    return [*_halves(words), p, _fraction(words[p] * FACTOR_1024 & _MASK)]


def set_state(state: Sequence[int], length: int, id: int) -> list[Value]:
    """Begins the sequence of `impure_random` anew."""
    STATE[:33], STATE[33] = state, id
    return []


@contextmanager
def undisturbed(state: NDArray[np.float64] | None = None) -> Iterator[None]:
    """What is drawn meanwhile is as if it had not been; it begins at a state, if one is given."""
    before = STATE.copy()
    if state is not None:
        STATE[:] = state
    try:
        yield
    finally:
        STATE[:] = before


def impure_random(id: int) -> list[Value]:
    """The next number of a sequence whose state is kept here, not in a variable of the model."""
    *state, y = xorshift1024star([int(s) for s in STATE[:33]])
    STATE[:33] = state
    return [y]
