"""Garbage collection, put off.

Python's collector looks for cycles whenever so many objects have been made, and now and then through all
there are. Where thousands of objects are made to stay, it finds nothing, and takes as long as the work
itself.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def put_off() -> Iterator[None]:
    """No collection meanwhile. For work that makes many objects and little garbage."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
