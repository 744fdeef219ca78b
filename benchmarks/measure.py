"""Timing and the one line that a benchmark prints."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

T = TypeVar("T")


def best_of(repeats: int, work: Callable[[], object]) -> float:
    """Seconds of the fastest repeat: the one that the rest of the machine disturbed least."""
    gc.collect()
    fastest = float("inf")
    for _ in range(repeats):
        began = perf_counter()
        work()
        fastest = min(fastest, perf_counter() - began)
    return fastest


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds and the result of one call."""
    gc.collect()
    began = perf_counter()
    result = work()
    return perf_counter() - began, result


def report(name: str, measured: str, required: str, met: bool) -> None:
    """One number of the project, and whether it holds."""
    print(f"{name}: {measured}, required {required}, {'ok' if met else 'NOT MET'}", flush=True)


def skipped(name: str, reason: str) -> None:
    """A number that cannot be measured here."""
    print(f"{name}: not measured, {reason}", flush=True)
