"""What loop variables run over, in loops, reductions and comprehensions (sections 11.2.2 and 10.4.1).

Ranges are known at translation. A loop variable without a range runs over the indices of the arrays whose
subscript it is in the body of the loop (section 11.2.2.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from saltus.core.diagnostics import model_error
from saltus.expr.nodes import Expr, const
from saltus.ir import ast
from saltus.ir.instance import ArrayNode
from saltus.lower.classes.layout import Layouts
from saltus.lower.instances.enumerations import type_values
from saltus.lower.names.references import find_node
from saltus.lower.scope.context import Context, ReferenceTarget, Scope
from saltus.lower.scope.limits import refuse_iterations
from saltus.lower.scope.values import ArrayValue, RecordValue, Value, shape_of


def iterations(
    context: Context, iterators: Sequence[ast.Iterator], scope: Scope, body: Sequence[ast.Node]
) -> Iterator[dict[str, Value]]:
    """The bindings of loop variables for each turn, the last iterator fastest."""
    if not iterators:
        yield {}
        return
    first, rest = iterators[0], iterators[1:]
    for value in iterator_values(context, first, scope, (*rest, *body)):
        inner = scope.with_locals({first.name: value})
        for more in iterations(context, rest, inner, body):
            yield {first.name: value, **more}


def iterator_values(
    context: Context, iterator: ast.Iterator, scope: Scope, body: Sequence[ast.Node]
) -> list[Value]:
    """The values of one loop variable; `body` is where it is used."""
    values = _values(context, iterator, scope, body)
    context.expressions.iterations += len(values)
    refuse_iterations(context.expressions.iterations, scope.at(iterator))
    return values


def _values(context: Context, iterator: ast.Iterator, scope: Scope, body: Sequence[ast.Node]) -> list[Value]:
    if iterator.range is None:
        return list(deduced_values(context, iterator, scope, body))
    values = type_values(context.layouts, iterator.range, scope)
    if values is not None:
        return list(values)
    value = context.lower(context, iterator.range, scope)
    if not isinstance(value, ArrayValue) or len(value.shape) != 1:
        raise model_error("E206", "a loop needs a vector to run over", scope.at(iterator.range))
    return value.rows()


def deduced_values(
    context: Context, iterator: ast.Iterator, scope: Scope, body: Sequence[ast.Node]
) -> list[Expr]:
    """The indices that a loop variable without a range stands for: it must be a whole subscript somewhere,
    and of dimensions of one size."""
    found: list[Expr] | None = None
    for reference, part, position in _uses(iterator.name, body):
        values = _indices(context, reference, part, position, scope)
        if found is not None and values != found:
            raise model_error(
                "E206",
                f"`{iterator.name}` has no range, and the dimensions it is a subscript of differ: "
                f"{len(found)} and {len(values)} elements",
                scope.at(reference),
            )
        found = values
    if found is None:
        raise model_error(
            "E206",
            f"`{iterator.name}` has no range and is not a subscript anywhere",
            scope.at(iterator),
            hint=f"write the range: `{iterator.name} in 1:n`",
        )
    return found


def _uses(name: str, body: Sequence[ast.Node]) -> Iterator[tuple[ast.Reference, int, int]]:
    """Where a name is a whole subscript: the reference, which of its parts and which subscript there."""
    stack: list[object] = list(reversed(body))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Reference):
            for part, (_, subscripts) in enumerate(node.parts):
                for position, subscript in enumerate(subscripts):
                    if isinstance(subscript, ast.Reference) and subscript.parts == ((name, ()),):
                        yield node, part, position
        if isinstance(node, ast.Node):
            stack += reversed(list(vars(node).values()))
        elif isinstance(node, tuple):
            stack += reversed(node)


def _indices(
    context: Context, reference: ast.Reference, part: int, position: int, scope: Scope
) -> list[Expr]:
    """The values that the subscript at a position of a part of a reference can have."""
    values = _type_indices(context.layouts, reference, position, scope) if part == 0 else None
    if values is not None:
        return values
    outside = len(_shape(context, reference, part, scope)) if part else 0
    shape = _shape(context, reference, part + 1, scope)
    if outside + position >= len(shape):
        raise model_error("E206", f"`{reference.text}` has too many subscripts", scope.at(reference))
    return [const(k + 1) for k in range(shape[outside + position])]


def _shape(context: Context, reference: ast.Reference, parts: int, scope: Scope) -> tuple[int, ...]:
    """The shape of what the first parts of a reference mean without subscripts."""
    names = tuple((name, ()) for name, _ in reference.parts[:parts])
    plain = ast.Reference(reference.start, reference.end, names, reference.absolute)
    local: Value | ReferenceTarget | None = scope.locals.get(names[0][0])
    if local is not None:
        if isinstance(local, (Expr, ArrayValue, RecordValue)) and parts == 1:
            return shape_of(local)
        return shape_of(context.lower(context, plain, scope))
    node = find_node(context, plain, scope)
    return node.shape if isinstance(node, ArrayNode) else ()


def _type_indices(
    layouts: Layouts, reference: ast.Reference, position: int, scope: Scope
) -> list[Expr] | None:
    """The values of the type that a dimension of a component of this instance is declared with."""
    name = reference.parts[0][0]
    if scope.instance is None or name in scope.locals:
        return None
    element = scope.instance.layout.elements.get(name)
    declared = (*element.declaration.subscripts, *element.clause.subscripts) if element is not None else ()
    if element is None or position >= len(declared):
        return None
    return type_values(layouts, declared[position], Scope(scope.instance, element.lexical))
