"""Deferred garbage collection. Python's collector looks for cycles after a number of allocations, and at
intervals through all objects. Where thousands of lasting objects are created, it finds nothing and takes as
long as the work itself.
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
