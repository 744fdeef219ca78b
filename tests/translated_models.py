"""Models that several tests run are translated once, with their programs of other modes and states."""

from __future__ import annotations

from functools import cache

import saltus


@cache
def translated(text: str, model: str | None = None) -> saltus.Model:
    """As `saltus.load`; but the same text is the same model, for all parameters, methods and tolerances. All
    are kept: pytest runs the tests with one method before those with the next."""
    return saltus.load(text, model=model)
