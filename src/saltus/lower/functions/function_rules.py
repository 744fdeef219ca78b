"""What a function must not have (section 12.2 of the specification)."""

from __future__ import annotations

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Layout
from saltus.lower.classes.lookup import bases, resolve_class
from saltus.lower.functions.defaults import causality_of
from saltus.lower.scope.context import Context, Scope


def check_function(context: Context, cls: ClassEntry, layout: Layout) -> None:
    """Refuses a function whose variables are not such as a function may have. Said once of each class."""
    if cls in context.functions.checked:
        return
    if not is_impure(cls) and any(is_impure(base) for base in bases(cls)):
        what = f"`{cls.full_name}` extends an impure function, so it must be declared `impure` too"
        raise model_error("E209", what, cls.span)
    for element in layout.elements.values():
        prefixes = element.clause.prefixes
        if prefixes.inner or prefixes.outer:
            what = f"`{element.name}` is `inner` or `outer`, which a variable of a function cannot be"
            raise model_error("E209", what, element.span)
        causality = causality_of(context.layouts, element)
        if not causality and not element.protected and element.clause.variability != "constant":
            raise model_error(
                "E209",
                f"`{element.name}` of the function `{cls.full_name}` is neither an input nor an output",
                element.span,
                hint="write it after `protected`",
            )
        type_ = resolve_class(element.clause.type_name, element.lexical)
        if type_.kind in ("model", "block", "connector", "package", "operator"):
            what = f"`{type_.full_name}` is a {type_.kind}"
            raise model_error("E209", f"{what}; a function cannot have one", element.span)
    for k, (section, lexical) in enumerate(layout.sections):
        if not section.algorithm or section.initial or k:
            raise model_error("E209", "a function has one algorithm section only", lexical.at(section))
        if layout.external is not None:
            raise model_error(
                "E209", "a function with an external clause has no algorithm", lexical.at(section)
            )
    context.functions.checked.add(cls)


def is_impure(cls: ClassEntry) -> bool:
    """Whether a function is declared `impure`."""
    definition: ast.ClassDefinition = cls.definition
    return definition.purity == "impure"


def refuse_impure(cls: ClassEntry, scope: Scope, span: Span) -> None:
    """An impure function is called at events, at the start, or by another impure function (section 12.3).
    The caller need not be declared impure: libraries call functions that read files or print everywhere."""
    if scope.impure or scope.in_function or not is_impure(cls):
        return
    raise model_error(
        "E209",
        f"the impure function `{cls.full_name}` is called in the equations of a run",
        span,
        notes=(Note("declared here", cls.span),),
        hint=f"call it in a when-clause or at the start, or write pure({cls.name}(...))",
    )
