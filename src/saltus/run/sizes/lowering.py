"""Sizes that only hold each other up are lowered together.

    i = a + b,  a = u/R while it conducts,  b = u/R while it conducts

Where two switches conduct, their currents may be as large as u/R, and cancel: the size of a is no less than
that of b, and the other way round. If i is smaller, nothing says that they are: no equation is unbalanced
where both are as large as i. So these sizes are possible, but not certain.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from saltus.ir.balance import Bound
from saltus.run.sizes.incidence import Use
from saltus.run.sizes.told import EQUAL, Tellers, Told

#: Sizes below this do not matter here; and the largest number of times that one rises.
LEAST_SIZE = 4.0
MOST_RISES = 8


def lowered(tellers: Tellers, reached: Sequence[int]) -> dict[int, Bound]:
    """Lowers the large sizes of variables that no equation needs, and says what is left of each."""
    options = _together(tellers, reached)
    sizes = tellers.sizes
    old = {k: size for k in options if (size := sizes[k]) is not None}
    for k in options:
        sizes[k] = None
    found: dict[int, Bound] = {}
    left = dict.fromkeys(options, MOST_RISES)
    waiting, queued = deque(options), set(options)
    while waiting:
        k = waiting.popleft()
        queued.discard(k)
        told = [t for use in options[k] if (t := tellers.by(k, use)) is not None]
        if not told or not left[k]:
            continue
        bound = min(told, key=lambda t: t.size).bound
        size, known = min(bound.size, old[k]), sizes[k]
        if known is None or abs(size - known) > EQUAL:
            left[k] -= 1
            sizes[k] = size
            found[k] = Bound(size, bound.sum, bound.rests_on)
            for j in tellers.incidence.neighbours[k]:
                if j in options and j not in queued:
                    queued.add(j)
                    waiting.append(j)
    for k, size in old.items():
        if sizes[k] is None or not left[k]:
            sizes[k] = size
            found.pop(k, None)
    return found


def _together(tellers: Tellers, reached: Sequence[int]) -> dict[int, list[Use]]:
    """Variables that could all be smaller at once, with the equations that would allow it."""
    rates, neighbours = tellers.balance.rates, tellers.incidence.neighbours
    options: dict[int, list[Use]] = {}
    for k in reached:
        size = tellers.sizes[k]
        if k not in rates and size is not None and size > LEAST_SIZE:
            options[k] = []
    waiting, queued = deque(options), set(options)
    while waiting:
        k = waiting.popleft()
        queued.discard(k)
        if k not in options:
            continue
        options[k] = [use for use in tellers.incidence.uses[k] if _allows(tellers, k, use, options)]
        if not options[k]:
            del options[k]
            for j in neighbours[k]:
                if j in options and j not in queued:
                    queued.add(j)
                    waiting.append(j)
    return options


def _allows(tellers: Tellers, k: int, use: Use, options: dict[int, list[Use]]) -> bool:
    """Whether an equation bounds a variable by nothing but what could be smaller at the same time."""
    size = tellers.sizes[k]
    told: Told | None = None if use.sometimes else tellers.by(k, use)
    if told is None or size is None or not told.complete or told.size > size + EQUAL:
        return False
    return all(any(j in options for j in part.variables) for part in told.parts if part.size > size - EQUAL)
