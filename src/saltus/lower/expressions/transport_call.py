"""The call of `spatialDistribution`: its arguments checked, an expression for each end.

What these mean in the hybrid DAE is said in `transports`.
"""

from __future__ import annotations

from saltus.core.diagnostics import ModelError, model_error
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Type, const
from saltus.lower.expressions.builtin_call import Place, number, scalar_argument, wrong
from saltus.lower.scope.values import ArrayValue, Value, array_of, scalar_item, shape_of

_WANTED = "in0, in1, x, positiveVelocity, initialPoints and initialValues"


def transport_values(args: list[Value], place: Place) -> list[Value]:
    """Both results of a call. Inflows may be vectors, of quantities that flow together; then the values at
    the start are a matrix, with a row for each of them, or the same for all."""
    if not 4 <= len(args) <= 6:
        raise wrong(place, "spatialDistribution", _WANTED)
    inflows = args[:2]
    position = number(scalar_argument(args[2], place, "spatialDistribution"), place, "spatialDistribution")
    positive = scalar_argument(args[3], place, "spatialDistribution")
    if positive.type is not Type.BOOLEAN:
        raise model_error("E205", "`positiveVelocity` must be a Boolean, like `v >= 0`", place.span)
    points: Value = array_of([const(0.0), const(1.0)])
    values: Value = array_of([const(0.0), const(0.0)])
    only_values = len(args) == 5 and any(name == "initialValues" for name, _ in place.call.named)
    if len(args) > 4 and not only_values:
        points = args[4]
    if len(args) == 6 or only_values:
        values = args[-1]
    sizes = [shape_of(v) for v in inflows]
    if sizes[0] != sizes[1] or len(sizes[0]) > 1:
        raise model_error("E206", "`in0` and `in1` must be scalars, or vectors of the same size", place.span)
    if not sizes[0]:
        return list(_one(inflows, position, positive, _row(points, None), _row(values, None), place))
    outflows = [
        _one(
            [v.items[k] if isinstance(v, ArrayValue) else v for v in inflows],
            position,
            positive,
            _row(points, k),
            _row(values, k),
            place,
        )
        for k in range(sizes[0][0])
    ]
    return [array_of([pair[end] for pair in outflows]) for end in (0, 1)]


def _row(value: Value, k: int | None) -> list[Expr]:
    """The numbers for one quantity."""
    items = list(value.items) if isinstance(value, ArrayValue) else [value]
    shape = shape_of(value)
    if len(shape) == 2 and k is not None:
        width = shape[1]
        items = items[k * width : (k + 1) * width]
    return [scalar_item(v) for v in items]


def _one(
    inflows: list[Value], position: Expr, positive: Expr, points: list[Expr], values: list[Expr], place: Place
) -> tuple[Expr, Expr]:
    name = "spatialDistribution"
    if len(points) != len(values) or not points:
        raise _sizes(len(points), len(values), place)
    reals = [number(scalar_argument(v, place, name), place, name) for v in (*inflows, *points, *values)]
    args = [*reals[:2], position, positive, *reals[2:]]
    return x.transport(0, args), x.transport(1, args)


def _sizes(points: int, values: int, place: Place) -> ModelError:
    return model_error("E206", f"there are {points} initial points, but {values} initial values", place.span)
