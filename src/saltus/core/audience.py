"""Who hears of warnings as they arise. In Python they wait in `warnings` of models and results until somebody
looks; a notebook, where nobody would, listens, and shows them below the cell."""

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
    """Tells all who listen."""
    for listener in _listeners if warnings else ():
        listener(warnings)


@contextmanager
def unheard() -> Iterator[None]:
    """Whoever simulates here shows the warnings by himself."""
    listeners = _listeners.copy()
    _listeners.clear()
    try:
        yield
    finally:
        _listeners[:] = listeners
