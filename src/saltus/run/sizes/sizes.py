"""The sizes of a run: found when its parameters are known, and written into its memory.

A size that is found is a bound that may be some powers of ten too high, and a variable may be much smaller
than its size for a while. So sizes between a thousandth and ten thousand count as 1: there bands and
tolerances are what they would be without. Below, down to a ten-thousandth, sizes come into force by and by.
Above, it is by a ten-thousandth of what is certain, so that a zero band is a hundred times what a number of
that size is rounded by, and still far below what matters. Absolute tolerances of states never become larger
(`saltus.run.integrators`).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Expr, Op, leaf_symbol, ref
from saltus.ir.balance import Balance, Found, Sizes, is_inferred
from saltus.ir.flat import Variable
from saltus.ir.program import Layout
from saltus.run.memory.memory import Memory
from saltus.run.schedule.settings import Settings
from saltus.run.sizes.balance import FARTHEST_SIZE, Balancing
from saltus.run.sizes.incidence import incidence
from saltus.run.sizes.magnitude import ANYTHING, NOTHING, Magnitudes, Size, log_size

#: Logarithms of sizes: what is between these counts as 1; below the least one sizes are what was found.
SMALL_SIZE, LARGE_SIZE, TINY_SIZE = -3.0, 4.0, -4.0

#: The least size that is used: errors are weighted by sizes, and the squares of weighted errors are added up.
LEAST_USED = -100.0


#: What was found last for the parameters of a model: runs are often repeated.
_known: WeakKeyDictionary[Balance, _Known] = WeakKeyDictionary()


class _Known(NamedTuple):
    """Parameters, start and stop; the sizes for them; and these as numbers, one for each symbol."""

    key: tuple[bytes, float, float]
    sizes: Sizes
    numbers: NDArray[np.float64]


def reset_sizes(memory: Memory) -> None:
    """All sizes are 1, until they are found."""
    balance = memory.structure.model.balance
    if balance is not None:
        memory.array[_places(balance, memory.layout)[0]] = 1.0


@lru_cache(maxsize=16)
def _places(balance: Balance, layout: Layout) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where the sizes are that have a place of their own, and which of all symbols these belong to."""
    by_truth = [symbol for symbols in balance.by_truth.values() for symbol in symbols]
    symbols = (*balance.sizes.values(), *balance.relations.values(), *by_truth)
    found = [(layout.slots.get(ref(symbol)), k) for k, symbol in enumerate(symbols)]
    pairs = np.array([(slot, k) for slot, k in found if slot is not None], dtype=np.intp).reshape(-1, 2)
    return pairs[:, 0].copy(), pairs[:, 1].copy()


def _numbers(balance: Balance, found: Sizes) -> NDArray[np.float64]:
    """The sizes that are used, in the order of the symbols."""
    used = [found.variables[number].used for number in balance.sizes]
    used += [found.relations[index].used for index in balance.relations]
    return np.array([*used, *(size for index in balance.by_truth for size in found.by_truth[index])])


def set_sizes(memory: Memory, settings: Settings) -> Sizes | None:
    """Finds the sizes of variables without a nominal value, and writes them into memory; parameters are
    known."""
    balance = memory.structure.model.balance
    if balance is None or settings.scale == "one":
        return None
    key = memory.section("parameters").tobytes(), settings.start_time, settings.stop_time
    known = _known.get(balance)
    if known is None or known.key != key:
        found = _found(memory, balance, settings.start_time, settings.stop_time)
        known = _known[balance] = _Known(key, found, _numbers(balance, found))
    slots, which = _places(balance, memory.layout)
    memory.array[slots] = known.numbers[which]
    return known.sizes


def _found(memory: Memory, balance: Balance, start: float, stop: float) -> Sizes:
    model = memory.structure.model
    variables = {v.symbol: v for v in model.variables()}
    numbers = incidence(balance).numbers
    given: dict[int, float] = {}
    starts = [NOTHING] * len(balance.leaves)
    for k, leaf in enumerate(balance.leaves):
        if numbers[leaf] != k:  # a variant of it
            if numbers[leaf] in given:
                given[k] = given[numbers[leaf]]
            continue
        v = variables.get(leaf_symbol(leaf))
        if leaf.op is not Op.REF or v is None:
            continue
        starts[k] = _start(memory, v)
        nominal = _nominal(memory, v)
        if nominal is not None:
            given[k] = nominal
    kept: dict[Expr, float] = {}
    magnitudes = Magnitudes(memory, start, stop, numbers, kept)
    at_least = Magnitudes(memory, start, stop, numbers, kept, certain=True)
    span = stop - start
    likely = Balancing(balance, magnitudes, given, starts, span)
    certain = likely
    if any(size is not None and size > LARGE_SIZE for size in likely.sizes):
        certain = Balancing(balance, at_least, given, starts, span, certain=True)
    of_variables = {
        k: Found(_used(likely.sizes[k], certain.sizes[k]), likely.sizes[k], likely.bounds.get(k))
        for k in balance.sizes
    }
    of_relations, by_truth = {}, {}
    for index in balance.relations:
        residue = model.relations[index].residue
        size = _finite(magnitudes.of(residue, likely.sizes))
        least = _finite(at_least.of(residue, certain.sizes))
        used = _used(size, least)
        if index in balance.by_truth:
            involved = magnitudes.variables(residue)
            one, other = (
                _used(
                    _finite(magnitudes.of(residue, _where(likely, involved, index, truth))),
                    _finite(at_least.of(residue, _where(certain, involved, index, truth))),
                )
                for truth in (False, True)
            )
            used = used if one == other else min(one, other)
            by_truth[index] = one, other
        of_relations[index] = Found(used, size)
    return Sizes(balance, of_variables, of_relations, by_truth, given)


def _where(balancing: Balancing, involved: set[int], relation: int, truth: bool) -> list[Size]:
    """The sizes of variables while a relation has a truth."""
    sizes = list(balancing.sizes)
    for k in involved:
        sizes[k] = balancing.where(k, relation, truth)
    return sizes


def _used(size: Size, least: Size) -> float:
    """The size that is used for what was found, and what is certain."""
    if least is not None and least > LARGE_SIZE:
        return float(10.0 ** (least - LARGE_SIZE))
    return _at_most_one(size)


def _start(memory: Memory, v: Variable) -> float:
    found = log_size(memory.number(v.start, 0.0))
    return NOTHING if found == ANYTHING else found


def _nominal(memory: Memory, v: Variable) -> float | None:
    """The nominal value from the model."""
    if v.nominal is None or is_inferred(v.nominal):
        return None
    found = log_size(memory.number(v.nominal, math.nan))
    return None if math.isinf(found) else found


def _at_most_one(size: Size) -> float:
    """The size that is used for one that was found."""
    if size is None or size >= SMALL_SIZE or math.isinf(size):
        return 1.0
    steep = TINY_SIZE / (TINY_SIZE - SMALL_SIZE)
    return float(10.0 ** (max(size, LEAST_USED) if size <= TINY_SIZE else (size - SMALL_SIZE) * steep))


def _finite(size: Size) -> Size:
    return None if size is None or math.isinf(size) else min(max(size, -FARTHEST_SIZE), FARTHEST_SIZE)
