"""Inverses of functions that the user wrote: the annotation `inverse` (section 12.7.3).

    function f  input Real p, u; output Real y;  ...  annotation(inverse(u = g(p, y)));

says that y = f(p, u) can be solved for u by calling g. That takes the place of an iteration. As with
derivatives, an annotation that cannot be followed leads to a warning, and the iteration stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from saltus.core.diagnostics import Diagnostic, ModelError, model_error
from saltus.expr.nodes import ZERO, Type
from saltus.ir import ast
from saltus.ir.instance import UNANSWERED, ClassEntry, Library, Question
from saltus.ir.program import Function, Inverse
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import resolve_class
from saltus.lower.functions.defaults import causality_of, function_inputs
from saltus.lower.functions.function_derivatives import Input, Specialise
from saltus.lower.functions.function_locals import symbols_of
from saltus.lower.scope.context import Context
from saltus.lower.scope.values import Value

#: The name of an input and the call that gives it.
_Annotation = tuple[str, ast.Call]

_DECLARES_INVERSE: Question[bool] = Question("whether its annotation declares an inverse")


def declares_inverse(library: Library, cls: ClassEntry) -> bool:
    """Whether the annotation of a function names an inverse."""
    known = _DECLARES_INVERSE.known(cls)
    if known is UNANSWERED:
        known = _DECLARES_INVERSE.keep(cls, any(True for _ in _annotations(library, cls)))
    return known


def declared_inverses(
    context: Context, cls: ClassEntry, function: Function, inputs: Sequence[Input], specialise: Specialise
) -> tuple[Inverse, ...]:
    """The inverses that the annotation of a function names."""
    found: list[Inverse] = []
    for name, call in _annotations(context.library, cls):
        try:
            found.append(_inverse(context.layouts, cls, (name, call), function, inputs, specialise))
        except ModelError as error:
            reason = error.diagnostics[0].message
            message = f"`{call.function.text}` is not used as an inverse of `{cls.full_name}`: {reason}"
            hint = "equations with the function are solved by iteration"
            context.reporter.report(Diagnostic("W202", message, cls.at(call), hint=hint))
    return tuple(found)


def _annotations(library: Library, cls: ClassEntry) -> Iterator[_Annotation]:
    offsets = cls.definition.annotation
    if offsets is None or "inverse" not in cls.source.text[slice(*offsets)]:
        return
    for argument in library.reader.annotation(cls.source, offsets).arguments or ():
        if not isinstance(argument, ast.ElementModification) or argument.name != ("inverse",):
            continue
        for entry in (argument.modification.arguments if argument.modification is not None else None) or ():
            if isinstance(entry, ast.ElementModification) and entry.modification is not None:
                given = entry.modification.value
                if isinstance(given, ast.Call):
                    yield entry.name[0], given


def _inverse(
    layouts: Layouts,
    cls: ClassEntry,
    annotation: _Annotation,
    function: Function,
    inputs: Sequence[Input],
    specialise: Specialise,
) -> Inverse:
    name, call = annotation
    span = cls.at(call)
    layout = layouts.of(cls)
    outputs = [e.name for e in layout.elements.values() if causality_of(layouts, e) == "output"]
    if len(outputs) != 1 or [(s.type, s.shape) for s in function.outputs] != [(Type.REAL, ())]:
        raise model_error("E212", "only a function with one result, a Real scalar, has an inverse", span)
    values: dict[str, Value] = {i.name: i.value for i in inputs}
    places: dict[str, list[int | None]] = {outputs[0]: [None]}
    start = 0
    for i in inputs:
        count = len(list(symbols_of(i.local)))
        places[i.name] = list(range(start, start + count))
        start += count
    if name not in values:
        raise model_error("E212", f"`{cls.full_name}` has no input `{name}`", span)
    position = places.pop(name)
    unknown = function.inputs[position[0] or 0] if len(position) == 1 else None
    if unknown is None or unknown.type is not Type.REAL or unknown.shape:
        raise model_error("E212", f"`{name}` is not a Real scalar", span)
    target = resolve_class(call.function, cls, "function")
    if not isinstance(target, ClassEntry):
        raise model_error("E209", f"`{target.full_name}` is not a function", span)
    names = [e.name for e in function_inputs(layouts, layouts.of(target))]
    given: dict[str, str] = dict(zip(names, (_name(a, places) for a in call.args), strict=False))
    given |= {key: _name(a, places) for key, a in call.named}
    if len(call.args) > len(names) or given.keys() != set(names) or "" in given.values():
        raise model_error(
            "E212", f"its inputs are not given by the result and the other inputs of `{cls.full_name}`", span
        )
    made = specialise(target, [values.get(given[n], ZERO) for n in names])
    if [(s.type, s.shape) for s in made.outputs] != [(Type.REAL, ())]:
        raise model_error("E212", "its result is not a Real scalar", span)
    assert position[0] is not None
    return Inverse(position[0], made, tuple(p for n in names for p in places[given[n]]))


def _name(argument: ast.Expression, known: dict[str, list[int | None]]) -> str:
    """The name that an argument of the formal call is; empty if it is none of those known."""
    if isinstance(argument, ast.Reference) and argument.text in known:
        return argument.text
    return ""
