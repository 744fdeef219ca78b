"""Which numbers go where when a run changes engines: found once for each pair of programs, whatever the run.

Programs live longer than runs, so what was found out about two of them is kept with their layouts, as plain
numbers, and goes when one of them does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from saltus.ir.program import Layout

#: Slots here, slots there; and what else there is to say.
Slots: TypeAlias = tuple[NDArray[np.int64], ...]

_KEPT: WeakKeyDictionary[Layout, WeakKeyDictionary[Layout, dict[str, Slots]]] = WeakKeyDictionary()
_NAMES: WeakKeyDictionary[Layout, dict[str, int]] = WeakKeyDictionary()


def between(here: Layout, there: Layout, what: str, find: Callable[[], Slots]) -> Slots:
    """What is known about two programs, found when it is first asked for."""
    known = _KEPT.setdefault(here, WeakKeyDictionary()).setdefault(there, {})
    if what not in known:
        known[what] = find()
    return known[what]


def names(of: Layout, find: Callable[[], dict[str, int]]) -> dict[str, int]:
    """The slots of a program by name, found when they are first asked for."""
    known = _NAMES.get(of)
    if known is None:
        known = _NAMES[of] = find()
    return known


def columns(pairs: list[tuple[int, int]]) -> Slots:
    """Pairs of slots, here and there, as two arrays."""
    both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return both[:, 0].copy(), both[:, 1].copy()
