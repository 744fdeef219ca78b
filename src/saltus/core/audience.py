"""Listeners for warnings as they arise. In Python warnings are kept in `warnings` of models and results; a
notebook, where nobody would look there, listens for them and shows them below the cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from saltus.core.message import Diagnostic

Listener: TypeAlias = Callable[[Sequence[Diagnostic]], None]

_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """From now on, `listener` hears of all warnings."""
    if listener not in _listeners:
        _listeners.append(listener)


def listen_no_more(listener: Listener) -> None:
    """Ends what `listen` began."""
    if listener in _listeners:
        _listeners.remove(listener)


def announce(warnings: Sequence[Diagnostic]) -> None:
    """Passes warnings to all listeners."""
    for listener in _listeners if warnings else ():
        listener(warnings)


@contextmanager
def unheard() -> Iterator[None]:
    """Suspends listening: the code inside shows the warnings itself."""
    listeners = _listeners.copy()
    _listeners.clear()
    try:
        yield
    finally:
        _listeners[:] = listeners
