"""What a name means at a place: chapter 5 of the Modelica specification.

A simple name is looked for in the class itself (own and inherited elements, then imports), then in the
enclosing classes unless one is encapsulated, then at the top level. The rest of a dotted name is looked
for inside what was found.
"""

from __future__ import annotations

from difflib import get_close_matches

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.ir import ast
from saltus.lower.classes import ClassEntry

PREDEFINED = ("Real", "Integer", "Boolean", "String")


class Predefined:
    """One of the predefined types, found like a class."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.full_name = name
        self.kind = "type"


_PREDEFINED = {name: Predefined(name) for name in PREDEFINED}


def find_class(name: str, scope: ClassEntry | None, library_of: ClassEntry) -> ClassEntry | Predefined | None:
    """A simple class name at a place, or None."""
    place = scope
    while place is not None:
        found = member_class(place, name) or _imported(place, name)
        if found is not None:
            return found
        if place.definition.encapsulated:
            break
        place = place.parent
    return _PREDEFINED.get(name) or library_of.library.top(name)


def member_class(cls: ClassEntry, name: str, seen: frozenset[ClassEntry] = frozenset()) -> ClassEntry | None:
    """A class declared in `cls` or inherited by it."""
    found = cls.own_class(name)
    if found is not None or cls in seen:
        return found
    for base in bases(cls):
        inherited = member_class(base, name, seen | {cls})
        if inherited is not None:
            return inherited
    return None


def bases(cls: ClassEntry) -> list[ClassEntry]:
    """The classes `cls` extends directly, short class definitions included. A base is looked up outside
    of what is being inherited, which is why a base that cannot be found there is skipped here: whoever
    instantiates the class reports it."""
    body = cls.definition.body
    if isinstance(body, ast.ShortBody):
        names = [body.type_name]
        start = cls.parent
    else:
        names = [e.type_name for e in cls.elements if isinstance(e, ast.Extends)]
        start = cls
    found: list[ClassEntry] = []
    for name in names:
        base = _base(cls, start, name)
        if base is not None:
            found.append(base)
    return found


def _base(cls: ClassEntry, start: ClassEntry | None, name: ast.Reference) -> ClassEntry | None:
    """Finds a base class without looking into the bases of `cls` itself (that would be circular)."""
    first = name.parts[0][0]
    found: ClassEntry | Predefined | None = None
    if not name.absolute and start is not None:
        if start is cls:
            found = cls.own_class(first) or _imported(cls, first)
            if found is None and not cls.definition.encapsulated:
                found = find_class(first, cls.parent, cls)
        else:
            found = find_class(first, start, cls)
    if found is None:
        found = cls.library.top(first)
    for part, _ in name.parts[1:]:
        if not isinstance(found, ClassEntry):
            return None
        found = member_class(found, part) or _imported(found, part)
    return found if isinstance(found, ClassEntry) else None


def _imported(cls: ClassEntry, name: str) -> ClassEntry | None:
    for element in cls.elements:
        if not isinstance(element, ast.Import):
            continue
        target: tuple[str, ...] | None = None
        if element.wildcard:
            package = _absolute(cls, element.name)
            found = package.own_class(name) if package else None
            if found is not None:
                return found
        elif element.names:
            if name in element.names:
                target = (*element.name, name)
        elif (element.alias or element.name[-1]) == name:
            target = element.name
        if target is not None:
            found = _absolute(cls, target)
            if found is not None:
                return found
            if import_of_constant(cls, name) is None:
                raise model_error(
                    "E201",
                    f"the import `{'.'.join(target)}` cannot be found",
                    cls.at(element),
                    hint=missing_library_hint(target[0]),
                )
    return None


def import_of_constant(cls: ClassEntry, name: str) -> tuple[ClassEntry, str] | None:
    """An import that names a constant of a package: the package and the constant's name."""
    for element in cls.elements:
        if not isinstance(element, ast.Import):
            continue
        if element.wildcard or name in element.names:
            package, member = _absolute(cls, element.name), name
        elif not element.names and (element.alias or element.name[-1]) == name and len(element.name) > 1:
            package, member = _absolute(cls, element.name[:-1]), element.name[-1]
        else:
            continue
        if package is not None and member in component_names(package):
            return package, member
    return None


def _absolute(cls: ClassEntry, name: tuple[str, ...]) -> ClassEntry | None:
    found = cls.library.top(name[0])
    for part in name[1:]:
        if found is None:
            return None
        found = member_class(found, part)
    return found


def component_names(cls: ClassEntry, seen: frozenset[ClassEntry] = frozenset()) -> list[str]:
    """Names of components declared in a class or inherited."""
    names = [d.name for e in cls.elements if isinstance(e, ast.ComponentClause) for d in e.declarations]
    if cls not in seen:
        for base in bases(cls):
            names += component_names(base, seen | {cls})
    return names


def resolve_class(reference: ast.Reference, scope: ClassEntry) -> ClassEntry | Predefined:
    """The class a (dotted) name means in the class `scope`; refused with suggestions if there is none."""
    first = reference.parts[0][0]
    found: ClassEntry | Predefined | None
    if reference.absolute:
        found = scope.library.top(first)
    else:
        found = find_class(first, scope, scope)
    if found is None:
        raise unknown_class(first, scope, scope.at(reference))
    for part, _ in reference.parts[1:]:
        inner = member_class(found, part) or _imported(found, part) if isinstance(found, ClassEntry) else None
        if inner is None:
            near = nearest(part, class_names(found) if isinstance(found, ClassEntry) else [])
            raise model_error(
                "E201",
                f"there is no class `{part}` in `{found.full_name}`",
                scope.at(reference),
                hint=f"did you mean `{near}`?" if near else None,
            )
        found = inner
    return found


def unknown_class(name: str, scope: ClassEntry, span: Span) -> ModelError:
    names: list[str] = list(PREDEFINED)
    place: ClassEntry | None = scope
    while place is not None:
        names += class_names(place)
        place = place.parent
    names += scope.library.top_names()
    near = nearest(name, names)
    hint = f"did you mean `{near}`?" if near else missing_library_hint(name)
    return model_error("E201", f"the class `{name}` cannot be found", span, hint=hint)


def missing_library_hint(name: str) -> str:
    return f"if `{name}` is a library, give the folder it is in with --library or MODELICAPATH"


def class_names(cls: ClassEntry, seen: frozenset[ClassEntry] = frozenset()) -> list[str]:
    names = cls.own_class_names()
    if cls not in seen:
        for base in bases(cls):
            names += class_names(base, seen | {cls})
    return names


def nearest(name: str, names: list[str]) -> str | None:
    """The known name most like an unknown one. Case is forgiven first."""
    for known in names:
        if known.lower() == name.lower() and known != name:
            return known
    close = get_close_matches(name, names, n=1, cutoff=0.6)
    return close[0] if close else None
