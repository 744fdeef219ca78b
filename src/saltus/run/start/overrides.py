"""Parameter values given from outside: which may be set, and the number that each value means."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.nearest import did_you_mean
from saltus.core.wording import listed, number
from saltus.expr.nodes import Type
from saltus.ir.flat import Variability, Variable

_ELEMENT = re.compile(r"\[[^\[\]]*\]$")
_START_HINT = "only parameters can be set; for an initial value declare `start = p` with a parameter `p`"


def elements(overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays taken apart: `{"b": [1, 2]}` sets `b[1]` and `b[2]`; a list of lists sets `b[1,1]` and so on."""
    found: dict[str, Any] = {}
    for name, value in overrides.items():
        for subscripts, element in _leaves(_plain(value)):
            found[f"{name}[{','.join(map(str, subscripts))}]" if subscripts else name] = element
    return found


def refuse_partial(overrides: Mapping[str, Any], variables: Sequence[Variable]) -> None:
    """An array given as a list needs a value for every element: a list too short is a slip."""
    given = elements(overrides)
    for name, value in overrides.items():
        if not isinstance(_plain(value), list | tuple):
            continue
        known = [v.name for v in variables if _ELEMENT.sub("", v.name) == name and v.name != name]
        missing = [element for element in known if element not in given]
        if missing:
            message = f"the values given for `{name}` do not fit its {len(known)} elements"
            raise UsageError(Diagnostic("E501", message, hint=f"there is no value for `{missing[0]}`"))


def _plain(value: Any) -> Any:
    """Arrays and numbers of NumPy as lists and numbers of Python."""
    return value.tolist() if hasattr(value, "tolist") else value


def _leaves(value: Any) -> list[tuple[tuple[int, ...], Any]]:
    if not isinstance(value, list | tuple):
        return [((), value)]
    return [
        ((i, *subscripts), leaf)
        for i, element in enumerate(value, start=1)
        for subscripts, leaf in _leaves(_plain(element))
    ]


def parameter_value(v: Variable, value: Any) -> float:
    """The number that stands for a value of this parameter; refuses what is none."""

    def refuse(expected: str) -> UsageError:
        shown = str(value).lower() if isinstance(value, bool) else repr(value)
        return UsageError(Diagnostic("E501", f"parameter `{v.name}` must be {expected}, not {shown}", v.span))

    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    whole = numeric and math.isfinite(value) and value == int(value)
    if v.enumeration is not None:
        literals = v.enumeration
        if isinstance(value, str) and value.rpartition(".")[2] in literals:
            return float(literals.index(value.rpartition(".")[2]) + 1)
        if not whole or not 1 <= value <= len(literals):
            raise refuse(f"one of {', '.join(literals)}")
        return float(value)
    match v.symbol.type:
        case Type.BOOLEAN:
            if not isinstance(value, int | float) or value not in (0, 1):
                raise refuse("true or false")
        case Type.INTEGER:
            if not whole:
                raise refuse("an Integer")
        case _:
            if not numeric or not math.isfinite(value):
                raise refuse("a finite number")
    return float(value)


def unknown_parameter(name: str, variables: Sequence[Variable], parameters: Sequence[str]) -> UsageError:
    """There is no parameter of that name: says what there is instead."""
    others = {v.name: v for v in variables if not v.symbol.is_hidden}
    owner, _, attribute = name.rpartition(".")
    size = sum(1 for p in parameters if _ELEMENT.sub("", p) == name)
    if name in others:
        kind = "constant" if others[name].variability is Variability.CONSTANT else "variable"
        hint = _START_HINT if kind == "variable" else None
        found = Diagnostic("E502", f"`{name}` is a {kind}, not a parameter", others[name].span, hint=hint)
    elif attribute in ("start", "fixed", "min", "max", "nominal") and owner in others:
        message = f"the attribute `{attribute}` of `{owner}` cannot be set"
        found = Diagnostic("E502", message, others[owner].span, hint=_START_HINT)
    elif size:
        message = f"the parameter `{name}` is an array of {number(size, 'element')}"
        hint = f"set one as in `{name}[1] = 2`, or all with a list of {size}"
        found = Diagnostic("E502", message, hint=hint)
    else:
        found = Diagnostic("E502", f"there is no parameter `{name}`", hint=_known(name, parameters))
    return UsageError(found)


def _known(name: str, parameters: Sequence[str]) -> str:
    near = did_you_mean(name, parameters)
    if near is not None:
        return near
    if not parameters:
        return "the model has no parameters"
    return f"{'the parameters are' if len(parameters) > 1 else 'its only parameter is'} {listed(parameters)}"
