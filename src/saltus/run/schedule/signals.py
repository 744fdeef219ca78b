"""What the inputs of a model are over time, as people give it.

    2.5                     always the same
    (times, values)         straight lines from point to point; equal times make a jump
    (times, values, kind)   "linear", "hold" (constant from point to point), "smooth" (a spline)
    lambda t: ...           a function of time, sampled where it needs it
    a Series of pandas      values over its index

A whole table gives all of them at once: a file of results in any format, curves that were read or made, a
DataFrame of pandas. Its columns have the names of the inputs; others are not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic
from saltus.core.nearest import did_you_mean
from saltus.core.option import usage_error
from saltus.core.wording import listed
from saltus.expr.nodes import Type
from saltus.functions.external.given import KINDS, Curve
from saltus.ir.flat import Variable

#: A function is halved between two points until straight lines are as near to it, in parts of its range.
_AS_STRAIGHT = 1e-7

#: Stretches that a function is divided into at first, and points that it may need.
_FIRST, _MOST_SAMPLES = 256, 200_000

#: A stretch of this part of the whole in which a function is not straight is a jump.
_ABRUPT = 1e-13

#: Points that are nearer to a jump, in parts of the whole, are those by which it was found.
_BESIDE = 1e-8


def without_curves(inputs: Sequence[Variable], curves: Collection[str]) -> list[Diagnostic]:
    """W409: inputs that have neither a curve nor a start value. They are zero or false, which is seldom
    meant."""
    silent = [v for v in inputs if v.start is None and v.name not in curves]
    if not silent:
        return []
    names = [v.name for v in silent]
    has, stays = ("input", "has") if len(names) == 1 else ("inputs", "have")
    zero = "false" if all(v.symbol.type is Type.BOOLEAN for v in silent) else "0"
    message = f"{has} {listed(names)} {stays} no curve and no start value: {zero} throughout the run"
    hint = f"--signals FILE with a column `{names[0]}`, or --set {names[0]}=... (docs/values.md)"
    return [Diagnostic("W409", message, silent[0].span, hint=hint, origin=silent[0].owner)]


def curves_for(inputs: Sequence[Variable], given: Any, start: float, stop: float) -> dict[str, Curve]:
    """The curves of those of a model's inputs that are given one. Refuses names that no input has."""
    table, is_table = _table(given)
    known = {v.name: v for v in inputs}
    for name in table if not is_table else ():
        if name not in known:
            hint = did_you_mean(name, list(known)) or _open(list(known))
            raise usage_error(f"there is no input `{name}`", code="E502", hint=hint)
    if is_table and not known.keys() & table.keys():
        raise usage_error("the table has no column for an input", hint=_open(list(known)))
    return {name: _curve(v, table[name], start, stop) for name, v in known.items() if name in table}


def _open(names: list[str]) -> str:
    return f"the open inputs are {listed(names)}" if names else "no input of the model is open"


def _table(given: Any) -> tuple[Mapping[str, Any], bool]:
    """Signals by name, and whether they are columns of a table, of which some may be of no interest."""
    from saltus.result.exchange.curves import Curves

    if given is None:
        return {}, False
    if isinstance(given, str | Path):
        from saltus.result.exchange.formats import read_result

        given = read_result(given)
    if isinstance(given, Curves):  # a mapping, too
        kinds = {name: "hold" if given.column(name).is_discrete else "linear" for name in given.names}
        return {name: (given.time, given[name], kinds[name]) for name in given.names}, True
    if hasattr(given, "columns") and hasattr(given, "index"):
        times = given["time"] if "time" in given.columns else given.index
        return {str(name): (times, given[name]) for name in given.columns if name != "time"}, True
    if isinstance(given, Mapping):
        return given, isinstance(given, _Columns)
    raise usage_error(f"signals are a table, a file or a mapping by name, not {type(given).__name__}")


def _curve(v: Variable, given: Any, start: float, stop: float) -> Curve:
    """One signal as points."""

    def refuse(why: str) -> Exception:
        return usage_error(f"the signal for the input `{v.name}` {why}")

    kind = "linear" if v.symbol.type is Type.REAL else "hold"
    if callable(given):
        points = _sampled(given, start, stop, v.name)
        return Curve(points, "sampled" if v.symbol.type is Type.REAL else "hold")
    if isinstance(given, int | float | np.generic):
        return Curve(np.array([[start, float(given)]]), kind)
    if hasattr(given, "index") and hasattr(given, "to_numpy"):
        given = (given.index, given)
    if not isinstance(given, tuple | list) or len(given) not in (2, 3):
        raise refuse("is none: give a number, (times, values), a function or a Series")
    if len(given) == 3:
        if given[2] not in KINDS:
            raise refuse(f"cannot be {given[2]!r}; the kinds are {', '.join(KINDS)}")
        kind = given[2] if v.symbol.type is Type.REAL else "hold"
    try:
        times, values = (np.asarray(part, dtype=float).ravel() for part in given[:2])
    except (TypeError, ValueError):
        raise refuse("has times or values that are not numbers") from None
    if len(times) != len(values) or not len(times):
        raise refuse(f"has {len(times)} times and {len(values)} values")
    if not (np.isfinite(times).all() and np.isfinite(values).all()):
        raise refuse("has times or values that are not finite")
    if (np.diff(times) < 0).any():
        k = int(np.argmax(np.diff(times) < 0))
        raise refuse(f"goes back in time: {times[k]:g} is followed by {times[k + 1]:g}")
    return Curve(np.column_stack([times, values]), kind)


def merged_signals(files: Iterable[str]) -> Any:
    """The curves of several files, of which the last that has an input counts."""
    from saltus.result.exchange.formats import read_result

    found = [read_result(file) for file in files]
    if len(found) == 1:
        return found[0]
    return _Columns({name: signal for curves in found for name, signal in _table(curves)[0].items()})


class _Columns(dict[str, Any]):
    """Columns of tables, of which some may be of no interest."""


def digest(curves: Mapping[str, Any]) -> dict[str, str]:
    """What two runs must have in common for one to resume the other."""
    return {name: _digest(curve) for name, curve in sorted(curves.items())}


def _digest(curve: Any) -> str:
    if isinstance(curve, Curve):
        return sha256(curve.points.tobytes() + curve.kind.encode()).hexdigest()
    return repr(curve)


# ---------------------------------------------------------------- functions


def _sampled(function: Callable[[float], Any], start: float, stop: float, name: str) -> NDArray[np.float64]:
    """Points between which straight lines are as good as the function. Where it jumps there are two of them,
    as near to one another as numbers allow."""

    def value(time: float) -> float:
        found = float(function(time))
        if not math.isfinite(found):
            raise usage_error(f"the function for the input `{name}` is {found} at time {time:g}")
        return found

    if stop <= start:
        return np.array([[start, value(start)]])
    times = np.linspace(start, stop, _FIRST + 1).tolist()
    values = [value(t) for t in times]
    near = _AS_STRAIGHT * max(max(values) - min(values), 1e-300)
    points = [(times[0], values[0])]
    # Stretches that are still to be looked at, the first on top.
    ends = list(zip(times, values, strict=True))
    stack = list(pairwise(ends))[::-1]
    while stack:
        (a, fa), (b, fb) = stack.pop()
        middle = 0.5 * (a + b)
        if b - a <= _ABRUPT * (stop - start) or not a < middle < b:
            points += [(b, fa), (b, fb)] if abs(fb - fa) > near else [(b, fb)]
            continue
        found = value(middle)
        quarter = value(0.75 * a + 0.25 * b)
        if abs(found - 0.5 * (fa + fb)) <= near and abs(quarter - (0.75 * fa + 0.25 * fb)) <= near:
            points.append((b, fb))
        else:
            stack += [((middle, found), (b, fb)), ((a, fa), (middle, found))]
        if len(points) + len(stack) > _MOST_SAMPLES:
            hint = "give it as (times, values), as finely as it is meant"
            raise usage_error(f"the function for the input `{name}` is too rough near time {a:g}", hint=hint)
    return _apart(np.array(list(_without_middles(points))), _BESIDE * (stop - start))


def _apart(points: NDArray[np.float64], least: float) -> NDArray[np.float64]:
    """Without the points that the search for a jump has left close to it."""
    times = points[:, 0]
    jumps = np.unique(times[1:][np.diff(times) == 0])
    if not len(jumps):
        return points
    behind = np.minimum(np.searchsorted(jumps, times), len(jumps) - 1)
    distance = np.minimum(np.abs(times - jumps[behind]), np.abs(times - jumps[np.maximum(behind - 1, 0)]))
    kept: NDArray[np.float64] = points[(distance == 0) | (distance >= least)]
    return kept


def _without_middles(points: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """The points without those between the first and the last at one time, which are the limits on both
    sides."""
    for k, point in enumerate(points):
        inside = 0 < k < len(points) - 1 and points[k - 1][0] == point[0] == points[k + 1][0]
        if not inside:
            yield point
