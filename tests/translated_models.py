"""Models that several tests run are translated once, with their programs of other modes and states."""

from __future__ import annotations

from functools import lru_cache

import saltus


@lru_cache(maxsize=64)
def translated(text: str, model: str | None = None) -> saltus.Model:
    """As `saltus.load`; but the same text is the same model, for all parameters, methods and tolerances."""
    return saltus.load(text, model=model)
