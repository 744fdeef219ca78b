"""One thread at a time: what `saltus` does is done by one thread, and others wait for their turn.

Models share what they are made of: expressions are interned, programs of modes are kept by the model and made
better while it runs. Work in several threads would have to lock all of it; simulations that are to run at the
same time belong into processes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")

#: Of one thread again and again: a model may be simulated by the progress function of another.
_TURN = threading.RLock()


def exclusive(call: Callable[Given, Made]) -> Callable[Given, Made]:
    """Decorates a call so that it waits until no other exclusive call is under way in another thread."""

    @wraps(call)
    def waiting(*args: Given.args, **kwargs: Given.kwargs) -> Made:
        with _TURN:
            return call(*args, **kwargs)

    return waiting
