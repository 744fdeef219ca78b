"""Whether a class may stand for another one: the interfaces of chapter 6 of the specification.

What an element may be redeclared to be is said by its constraining class, and what an `outer` component may
be by the type that it is declared with. A class fits if it has all public elements of the other one, each of
a type that fits. Packages and functions are not compared here: what they lack is reported where it is used.
"""

from __future__ import annotations

from saltus.core.diagnostics import ModelError
from saltus.ir.instance import ClassEntry, Element, Predefined
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import resolve_class

_NOT_COMPARED = frozenset({"package", "function", "operator"})


def difference(
    layouts: Layouts, given: ClassEntry | Predefined, wanted: ClassEntry | Predefined
) -> str | None:
    """What keeps a class from standing for the wanted one, in words; None if it fits."""
    return _difference(layouts, given, wanted, set())


def _difference(
    layouts: Layouts,
    given: ClassEntry | Predefined,
    wanted: ClassEntry | Predefined,
    compared: set[tuple[object, object]],
) -> str | None:
    key = _origin(given), _origin(wanted)
    if key[0] is key[1] or key in compared or wanted.kind in _NOT_COMPARED or given.kind in _NOT_COMPARED:
        return None
    compared.add(key)
    try:
        ours, theirs = layouts.of(given), layouts.of(wanted)
    except ModelError:
        return None  # the error is reported where the class is used
    if ours.predefined is not None or theirs.predefined is not None:
        same = ours.predefined == theirs.predefined
        if same and theirs.enumeration:
            same = ours.enumeration == theirs.enumeration
        elif same:
            same = not ours.enumeration or theirs.enumeration is not None
        return None if same else f"`{given.full_name}` is no `{wanted.full_name}`"
    for name, element in theirs.elements.items():
        if element.protected:
            continue
        own = ours.elements.get(name)
        if own is None or own.protected:
            return f"`{given.full_name}` has no public element `{name}`"
        reason = _element_difference(layouts, own, element, compared)
        if reason is not None:
            return f"of `{name}`: {reason}"
    return None


def _element_difference(
    layouts: Layouts, own: Element, element: Element, compared: set[tuple[object, object]]
) -> str | None:
    for ours, theirs in (
        (own.clause.connection, element.clause.connection),
        (own.clause.causality, element.clause.causality),
    ):
        if theirs and ours and ours != theirs:
            return f"it is `{ours}`, not `{theirs}`"
    try:
        classes = [resolve_class(e.clause.type_name, e.lexical) for e in (own, element)]
    except ModelError:
        return None
    return _difference(layouts, classes[0], classes[1], compared)


def same_class(a: ClassEntry | Predefined, b: ClassEntry | Predefined) -> bool:
    """Whether two classes have the same text, whatever is said about them from outside."""
    return _origin(a) is _origin(b)


def _origin(cls: ClassEntry | Predefined) -> object:
    return cls.origin if isinstance(cls, ClassEntry) else cls
