"""Random numbers for models: what a model is made of, and its numbers, come from two sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from tools.lost_events.cases import Draw as _Draw

T = TypeVar("T")


class Draw(_Draw):
    """The same choices for the same `structure`; Reals depend on `values` too. Where no values are given,
    everything comes from one source."""

    def __init__(self, structure: Sequence[int], values: Sequence[int]) -> None:
        super().__init__(*(values or structure))
        self._choices = np.random.default_rng(structure) if values else self._random

    def whole(self, low: int, high: int) -> int:
        return int(self._choices.integers(low, high + 1))

    def yes(self, probability: float = 0.5) -> bool:
        return float(self._choices.uniform(0.0, 1.0)) < probability

    def one_of(self, choices: Sequence[T]) -> T:
        return choices[int(self._choices.integers(len(choices)))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """In another order."""
        return [items[k] for k in self._choices.permutation(len(items))]
