"""Models that several tests run are translated once, with their programs of other modes and states."""

from __future__ import annotations

from functools import cache

import saltus
from saltus import load  # also where a test has put `translated` in the place of `saltus.load`


@cache
def translated(text: str, model: str | None = None) -> saltus.Model:
    """As `saltus.load`; but the same text, or the same name of a class of the library, is the same model, for
    all parameters, methods and tolerances. All are kept: pytest runs the tests with one method before those
    with the next."""
    return load(text, model=model)
