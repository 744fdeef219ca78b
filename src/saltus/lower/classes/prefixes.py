"""Which components may have which type prefixes, by the class they are made of (sections 4.4.2.2 and 4.7).

`flow`, `stream`, `input`, `output`, `constant`, `parameter` and `discrete` are for variables: for types,
records and connectors. What a prefix of a whole component says about each of its elements must not be said of
them again.
"""

from __future__ import annotations

from collections.abc import Iterator

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.ir.instance import ClassEntry, Element, Layout, Predefined
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import member_class, resolve_class

#: Kinds of class whose components are variables, so that they may have type prefixes. A general `class` may
#: be any of them.
_VARIABLES = frozenset({"type", "record", "connector", "class"})

#: Kinds of class that components of these kinds of class may be made of.
_PARTS = {"record": frozenset({"record", "type"}), "connector": frozenset({"connector", "record", "type"})}


def check_component(
    layouts: Layouts, element: Element, cls: ClassEntry | Predefined, layout: Layout, owner: ClassEntry
) -> None:
    """Refuses prefixes that a component of class `cls`, an element of `owner`, must not have."""
    clause = element.clause
    if layout.predefined is None:
        _check_part(element, cls)
        prefix = clause.connection or clause.causality or clause.variability
        if prefix and cls.kind not in _VARIABLES:
            raise model_error(
                "E209",
                f"`{element.name}` is a {cls.kind} and cannot be `{prefix}`",
                element.span,
                hint="type prefixes are for variables, records and connectors",
            )
        if clause.connection == "flow" and isinstance(cls, ClassEntry) and cls.definition.operator:
            _check_group(element, cls)
        _check_conflicts(layouts, element, layout)
        if owner.kind == "block" and cls.kind == "connector" and not element.protected:
            _check_directions(layouts, element, cls, layout)
    elif clause.connection and layout.predefined != "Real":
        raise model_error(
            "E205",
            f"`{clause.connection}` variables are Real, but `{element.name}` is {layout.predefined}",
            element.span,
        )
    if "input" in (clause.causality, layout.causality) and clause.variability in ("parameter", "constant"):
        raise _both("input", clause.variability, element)
    if cls.kind == "connector" and clause.variability in ("parameter", "constant"):
        raise model_error(
            "E210",
            f"`{element.name}` is a connector and cannot be a {clause.variability}",
            element.span,
            hint="let the connector have parameters, or use a record",
        )


def _check_group(element: Element, cls: ClassEntry) -> None:
    """Flows are added, so an operator record must say what that means (section 9.2)."""
    for name in ("'+'", "'-'", "'0'"):
        if member_class(cls, name) is None:
            raise model_error(
                "E209",
                f"`{element.name}` is a flow, but `{cls.full_name}` has no operator {name}",
                element.span,
                notes=(Note("declared here", cls.span),),
            )


def _check_part(element: Element, cls: ClassEntry | Predefined) -> None:
    allowed = _PARTS.get(element.lexical.kind)
    if allowed is not None and cls.kind not in allowed:
        raise model_error(
            "E209",
            f"a {element.lexical.kind} cannot have a component `{element.name}` that is a {cls.kind}",
            element.span,
            hint=f"its components are made of classes of kind {' or '.join(sorted(allowed))}",
        )


def _both(first: str, second: str, element: Element, inner: Element | None = None) -> ModelError:
    about = f"`{inner.name}` in `{element.name}`" if inner is not None else f"`{element.name}`"
    notes = (Note("declared here", inner.span),) if inner is not None else ()
    return model_error("E209", f"{about} is `{first}` and `{second}` at once", element.span, notes=notes)


def _check_conflicts(layouts: Layouts, element: Element, layout: Layout) -> None:
    """A prefix of a structured component is that of its elements, which then must not have one."""
    clause = element.clause
    prefix = clause.connection or clause.causality or layout.causality
    fixed = clause.variability in ("parameter", "constant")
    if not prefix and not fixed:
        return
    for inner, causality in _parts(layouts, layout):
        # Earlier versions let directions stand below `flow`, and models do.
        other = inner.clause.connection or (causality if prefix != "flow" else "")
        if prefix and other:
            raise _both(prefix, other, element, inner)
        if fixed and causality == "input":
            raise _both(causality, clause.variability, element, inner)


def _parts(layouts: Layouts, layout: Layout) -> Iterator[tuple[Element, str]]:
    """All elements of a structured class and of its parts, each with its own causality."""
    for element in layout.elements.values():
        inner = layouts.of(resolve_class(element.clause.type_name, element.lexical))
        yield element, element.clause.causality or inner.causality
        if inner.predefined is None:
            yield from _parts(layouts, inner)


def _check_directions(
    layouts: Layouts, element: Element, cls: ClassEntry | Predefined, layout: Layout
) -> None:
    """Each variable of a public connector of a block has a direction."""
    if element.clause.causality or layout.causality:
        return
    if isinstance(cls, ClassEntry) and cls.definition.expandable:
        return  # what is connected to it gives its variables their directions
    for inner, causality in _parts(layouts, layout):
        if not causality and inner.clause.variability not in ("parameter", "constant"):
            if _is_structured(layouts, inner):
                continue  # its own variables decide
            raise model_error(
                "E209",
                f"the connector `{element.name}` of a block has a variable `{inner.name}` without direction",
                element.span,
                notes=(Note("declared here", inner.span),),
                hint="declare it `input` or `output`, or make a model of the block",
            )


def _is_structured(layouts: Layouts, element: Element) -> bool:
    return layouts.of(resolve_class(element.clause.type_name, element.lexical)).predefined is None
