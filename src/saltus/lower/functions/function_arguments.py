"""Functions as arguments (section 12.4.2): `integral(f, 0, 1)` and `integral(function g(a = 2), 0, 1)`.

The function that is called is lowered for the functions it is given, so there are no pointers in the program:
what a partial application fixes becomes further inputs.
"""

from __future__ import annotations

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Element
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import nearest, resolve_class
from saltus.lower.functions.function_derivatives import differentiated_function
from saltus.lower.functions.function_locals import LocalFunction
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.values import Value


def function_type(element: Element) -> ClassEntry | None:
    """The type of an input that is a function; None for any other."""
    cls = resolve_class(element.clause.type_name, element.lexical)
    return cls if isinstance(cls, ClassEntry) and cls.kind == "function" else None


def function_argument(
    context: Context, argument: ast.Expression, scope: Scope, name: str, wanted: ClassEntry
) -> LocalFunction:
    """The function that is given for the input `name`."""
    span = scope.at(argument)
    while isinstance(argument, ast.Parenthesis):
        argument = argument.inner
    named: tuple[tuple[str, ast.Expression], ...] = ()
    reference: ast.Expression = argument
    if isinstance(argument, ast.PartialApplication):
        reference, named = argument.function, argument.named
    if not isinstance(reference, ast.Reference):
        raise model_error("E205", f"the input `{name}` must be a function", span)
    base = scope.locals.get(reference.text)
    if not isinstance(base, LocalFunction):
        cls = resolve_class(reference, scope.lexical, "function")
        if not isinstance(cls, ClassEntry) or cls.kind != "function":
            raise model_error("E205", f"the input `{name}` must be a function, not a {cls.kind}", span)
        base = LocalFunction(cls, {})
    function = _applied(context, base, named, scope, span)
    _check(context.layouts, function, wanted, name, span)
    return function


def _applied(
    context: Context,
    base: LocalFunction,
    named: tuple[tuple[str, ast.Expression], ...],
    scope: Scope,
    span: Span,
) -> LocalFunction:
    """A function with further inputs fixed."""
    inputs = _inputs(context.layouts, base.cls)
    given: dict[str, Value] = base.values()
    functions = dict(base.functions)
    for name, argument in named:
        if name not in inputs:
            near = nearest(name, inputs)
            hint = f"did you mean `{near}`?" if near else f"its inputs are {', '.join(inputs)}"
            raise model_error("E212", f"`{base.cls.full_name}` has no input `{name}`", span, hint=hint)
        if name in given or name in functions:
            raise model_error("E212", f"the input `{name}` is given twice", span)
        wanted = function_type(inputs[name])
        if wanted is None:
            given[name] = context.lower(context, argument, scope)
        else:
            functions[name] = function_argument(context, argument, scope, name, wanted)
    # In the order of declaration, so that equal applications are equal.
    return LocalFunction(
        base.cls,
        {name: given[name] for name in inputs if name in given},
        {name: functions[name] for name in inputs if name in functions},
    )


def _inputs(layouts: Layouts, cls: ClassEntry) -> dict[str, Element]:
    layout = layouts.of(differentiated_function(cls)[0])
    return {e.name: e for e in layout.elements.values() if e.clause.causality == "input"}


def _check(layouts: Layouts, function: LocalFunction, wanted: ClassEntry, name: str, span: Span) -> None:
    """What is left of the inputs must be those of the type, in number and type; more need defaults."""
    needed = list(_inputs(layouts, wanted).values())
    left = [
        e
        for e in _inputs(layouts, function.cls).values()
        if e.name not in function.given and e.name not in function.functions
    ]
    fits = len(left) >= len(needed) and all(
        e.declaration.modification is not None and e.declaration.modification.value is not None
        for e in left[len(needed) :]
    )
    if fits:
        return
    names = ", ".join(e.name for e in left)
    raise model_error(
        "E205",
        f"`{function.cls.full_name}` has the inputs ({names}) here; `{name}` is called with {len(needed)}",
        span,
        notes=(Note(f"the type of `{name}`", wanted.span),),
    )
