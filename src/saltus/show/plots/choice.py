"""The choice of variables to show: those that match patterns, or the few most informative ones. Separate from
the drawing, so that printing numbers does not import matplotlib.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.nearest import did_you_mean
from saltus.core.wording import listed
from saltus.expr.helpers import asked_derivative
from saltus.expr.nodes import Type
from saltus.ir.flat import Causality, Variability
from saltus.result.result import Result

if TYPE_CHECKING:
    from saltus.show.plots.drawn import Drawn, Numbers

#: How many variables are shown by default.
DEFAULT_COUNT = 8

#: Colours, and components that are shapes of an animation.
_DECORATION = re.compile(
    r"(^|\.)(\w*[cC]olou?r|specularCoefficient|animat\w*|visuali[sz]\w*|shape\d*|\w*Shape|\w*Arrow)(\[|\.|$)"
)


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
    """The most informative variables: outputs of the model, its states and switching variables, those of the
    model itself and of its own components before those of parts within parts. If there are none, the first
    others."""
    integrated = {v.name for part in result.recording.parts for v in part.structure.known_states}
    names = [name for name in result.names if not is_decoration(name)]
    outputs = [n for n in names if "." not in n and result.variables[n].causality is Causality.OUTPUT]
    states = sorted((n for n in names if n in integrated), key=depth)
    discretes = sorted((n for n in names if is_discrete(result, n)), key=depth)
    chosen = list(dict.fromkeys([*outputs, *states, *discretes]))
    return (chosen or sorted(names, key=depth) or result.names)[:DEFAULT_COUNT]


def default_curves(drawn: Drawn) -> list[str]:
    """The default choice for curves without a model: those that vary, parts within parts last."""
    names = [name for name in drawn.names if not is_decoration(name)]
    own = [n for n in names if not asked_derivative(n, ())[1]]
    varying = [n for n in own if np.ptp(_known(drawn.values(n))) > 0]
    return sorted(varying or names, key=depth)[:DEFAULT_COUNT]


def _known(values: Numbers) -> Numbers:
    finite = values[np.isfinite(values)]
    return finite if len(finite) else np.zeros(1)


def depth(name: str) -> int:
    """How deep a variable is within components: more than two are equally deep for a reader."""
    return min(max(name.count(".") - 1, 0), 2)


def is_decoration(name: str) -> bool:
    """Whether a variable is there for pictures only: a colour, or a shape of an animation."""
    return _DECORATION.search(name) is not None


def is_discrete(result: Result, name: str) -> bool:
    """Whether a variable changes at events only."""
    variable = result.variables.get(name)
    if variable is None:
        return False
    return variable.variability is Variability.DISCRETE or (
        variable.symbol.type is not Type.REAL and variable.variability > Variability.PARAMETER
    )
