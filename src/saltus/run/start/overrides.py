"""Values given from outside: which parameters and start values may be set, and the number that each means."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.nearest import did_you_mean
from saltus.core.wording import listed, number
from saltus.expr.nodes import Type
from saltus.ir.flat import Variability, Variable
from saltus.run.schedule.quantities import QuantityError, quantity

_ELEMENT = re.compile(r"\[[^\[\]]*\]$")
#: Start values that differ by less from those that were given have been kept.
_SAME_START = 1e-6
_STARTS = re.compile(r"(.+)\.start((?:\[[^\[\]]*\])?)")


def elements(overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays taken apart: `{"b": [1, 2]}` sets `b[1]` and `b[2]`; a list of lists sets `b[1,1]` and so on."""
    found: dict[str, Any] = {}
    for name, value in overrides.items():
        for subscripts, element in _leaves(_plain(value)):
            found[f"{name}[{','.join(map(str, subscripts))}]" if subscripts else name] = element
    return found


def with_starts_named(overrides: Mapping[str, Any], variables: Sequence[Variable]) -> dict[str, Any]:
    """The values, with start values under the names of their parameters: `x[2].start`, also where they are
    given as `x.start[2]`, or for all of `x` by a list under `x.start`."""
    if not any(_STARTS.fullmatch(name) for name in overrides):
        return dict(overrides)
    names = {v.name for v in variables}
    known = {v.name for v in variables if can_be_started(v)}
    found: dict[str, Any] = {}
    for name, value in overrides.items():
        match = _STARTS.fullmatch(name)
        if match is None or name in names:
            found[name] = value
            continue
        given = {match[1] + match[2]: value}
        refuse_partial(given, variables)
        scalars = elements(given)
        found |= (
            {f"{v}.start": element for v, element in scalars.items()}
            if known.issuperset(scalars)
            else {name: value}
        )
    return found


def started_by(overrides: Mapping[str, Any], variables: Sequence[Variable]) -> list[str]:
    """The names of the variables whose start values are given."""
    names = {v.name: v for v in variables}
    found = [(name, name.removesuffix(".start")) for name in overrides if name.endswith(".start")]
    return [
        owner
        for name, owner in found
        if name not in names and owner in names and can_be_started(names[owner])
    ]


def can_be_started(v: Variable) -> bool:
    """Whether a variable has a start value that can be given: constants and parameters have values."""
    return v.variability > Variability.PARAMETER and v.symbol.type is not Type.STRING


def unkept_starts(
    overrides: Mapping[str, Any], variables: Sequence[Variable], first: Callable[[str], float]
) -> list[Diagnostic]:
    """W408: start values that were given and are not where the run began: initial equations, or constraints,
    determine another value, and for that the one given was a guess. `first` knows the values at the start."""
    if not any(name.endswith(".start") for name in overrides):
        return []
    declared = {v.name: v for v in variables}
    told = []
    for name in started_by(overrides, [v for v in variables if not v.name.endswith(".start")]):
        v = declared[name]
        if v.variability is not Variability.CONTINUOUS:
            continue
        given, found = parameter_value(v, overrides[f"{name}.start"]), first(name)
        if abs(found - given) <= _SAME_START * max(abs(found), abs(given)):
            continue
        message = f"`{name}` begins with {found:.6g}, not with the start value {given:.6g} that was given"
        hint = "other equations determine it at the start; the start value is only an initial guess"
        told.append(Diagnostic("W408", message, v.span, hint=hint, origin=v.owner))
    return told


def held_inputs(
    inputs: Sequence[Variable], given: Mapping[str, Any], curves: Container[str]
) -> tuple[dict[str, float], dict[str, Any]]:
    """Inputs that stay as they are given by `u` or `u.start`, and the other values. Those that have curves
    cannot have values, too."""
    held, rest = {}, dict(given)
    for v in inputs:
        if v.name in curves:
            if v.name in rest:
                told = f"the input `{v.name}` is given a curve and a value"
                raise UsageError(Diagnostic("E501", told, v.span, hint="remove one of them"))
            continue
        for name in (f"{v.name}.start", v.name):
            if name in rest:
                held[v.name] = parameter_value(v, rest.pop(name))
    return held, rest


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


def structural_value(v: Variable, value: Any) -> float | int | bool | str:
    """A value of a structural parameter as the translation takes it; a wrong one is not the model's fault."""
    if v.symbol.type is Type.STRING:
        return str(value)
    found = parameter_value(v, value)
    if not isinstance(value, str) or v.enumeration is not None or v.symbol.type is Type.BOOLEAN:
        return value  # type: ignore[no-any-return]  # checked by the line above
    return int(found) if v.symbol.type is Type.INTEGER else found


def parameter_value(v: Variable, value: Any) -> float:
    """The number that stands for a value of this parameter; refuses what is none."""

    def refuse(expected: str) -> UsageError:
        shown = str(value).lower() if isinstance(value, bool) else repr(value)
        return UsageError(Diagnostic("E501", f"parameter `{v.name}` must be {expected}, not {shown}", v.span))

    if isinstance(value, str) and v.enumeration is None and v.symbol.type in (Type.REAL, Type.INTEGER):
        value = _counted(v, value)
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


def _counted(v: Variable, text: str) -> float:
    """A number with arithmetic or a unit, in the unit of the parameter."""
    try:
        return quantity(text).counted_in(v.unit)
    except QuantityError as error:
        message = f"parameter `{v.name}` must be a finite number, not {text!r}: {error}"
        hint = f"its unit is `{v.unit}`; compatible units are converted" if v.unit else None
        raise UsageError(Diagnostic("E501", message, v.span, hint=hint)) from None


def unknown_parameter(name: str, variables: Sequence[Variable], parameters: Sequence[str]) -> UsageError:
    """There is no parameter of that name: says what there is instead."""
    others = {v.name: v for v in variables if not v.symbol.is_hidden}
    owner, _, attribute = name.rpartition(".")
    size = sum(1 for p in parameters if _ELEMENT.sub("", p) == name)
    if name in others:
        kind = "constant" if others[name].variability is Variability.CONSTANT else "variable"
        hint = f"to set its start value, use `{name}.start`" if can_be_started(others[name]) else None
        found = Diagnostic("E502", f"`{name}` is a {kind}, not a parameter", others[name].span, hint=hint)
    elif attribute in ("start", "fixed", "min", "max", "nominal") and owner in others:
        message = f"the attribute `{attribute}` of `{owner}` cannot be set"
        if can_be_started(others[owner]):
            hint = f"only parameters and start values can be set, as `{owner}.start`"
        else:
            hint = f"set `{owner}` itself"
        found = Diagnostic("E502", message, others[owner].span, hint=hint)
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
