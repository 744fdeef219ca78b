"""Which variables are shown: those that patterns mean, or a few that tell most.

Apart from the drawing, so that whoever only prints numbers does not wait for matplotlib.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.nearest import did_you_mean
from saltus.core.wording import listed
from saltus.expr.nodes import Type
from saltus.ir.flat import Variability
from saltus.result.result import Result

#: How many variables are shown by default.
DEFAULT_COUNT = 8


def select_names(known: Iterable[str], patterns: Iterable[str], others: Iterable[str] = ()) -> list[str]:
    """The names that the patterns mean, in the order of the patterns, each once.

    Only `*` and `?` are special: a bracket is part of a name here. `others` (parameters, derivatives)
    must be named in full; a `*` does not mean them.
    """
    known, others = list(known), set(others)
    chosen: dict[str, None] = {}
    unknown: list[Diagnostic] = []
    for pattern in patterns:
        if pattern in known or pattern in others:
            chosen[pattern] = None
            continue
        as_regex = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
        found = [name for name in known if re.fullmatch(as_regex, name)]
        chosen.update(dict.fromkeys(found))
        if not found:
            unknown.append(_unknown(pattern, [*known, *sorted(others)]))
    if unknown:
        raise UsageError(unknown)
    return list(chosen)


def _unknown(pattern: str, known: list[str]) -> Diagnostic:
    return Diagnostic(
        "E502",
        f"there is no variable `{pattern}` in the result",
        hint=did_you_mean(pattern, known) or f"there are {listed(known)}",
    )


def default_names(result: Result) -> list[str]:
    """States first, then discrete variables, then, if there are neither, the first others."""
    integrated = {v.name for part in result.recording.parts for v in part.structure.known_states}
    states = [n for n in result.names if n in integrated]
    discretes = [n for n in result.names if is_discrete(result, n)]
    chosen = list(dict.fromkeys([*states, *discretes]))
    if not chosen:
        chosen = result.names
    return chosen[:DEFAULT_COUNT]


def is_discrete(result: Result, name: str) -> bool:
    """Whether a variable changes at events only."""
    variable = result.variables.get(name)
    if variable is None:
        return False
    return variable.variability is Variability.DISCRETE or (
        variable.symbol.type is not Type.REAL and variable.variability > Variability.PARAMETER
    )
