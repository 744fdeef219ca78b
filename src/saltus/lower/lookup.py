"""What a name means at a place: chapter 5 of the Modelica specification.

A simple name is looked for in the class itself (own and inherited elements, then imports), then in the
enclosing classes unless one is encapsulated, then at the top level. The rest of a dotted name is looked
for inside what was found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from saltus.core import nearest as names_near
from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.ir import ast
from saltus.lower.classes import ClassEntry
from saltus.lower.foreign import function_hint, type_hint

PREDEFINED = ("Real", "Integer", "Boolean", "String")
#: The class that those of external objects extend (section 12.9.7).
EXTERNAL_OBJECT = "ExternalObject"


#: Predefined enumerations (sections 4.9.8 and 8.3.7).
STATE_SELECT = ("never", "avoid", "default", "prefer", "always")
PREDEFINED_ENUMERATIONS = {"StateSelect": STATE_SELECT, "AssertionLevel": ("warning", "error")}
#: Predefined types that a later version brings.
_UNSUPPORTED_TYPES = ("Clock",)


class Predefined:
    """One of the predefined types, found like a class."""

    def __init__(self, name: str, literals: tuple[str, ...] | None = None) -> None:
        self.name = name
        self.full_name = name
        self.kind = "class" if name == EXTERNAL_OBJECT else "type"
        self.literals = literals


_PREDEFINED = {name: Predefined(name) for name in (*PREDEFINED, EXTERNAL_OBJECT)}
_PREDEFINED |= {name: Predefined(name, literals) for name, literals in PREDEFINED_ENUMERATIONS.items()}


def find_class(name: str, scope: ClassEntry | None, library_of: ClassEntry) -> ClassEntry | Predefined | None:
    """A simple class name at a place, or None."""
    if scope is None:
        return _PREDEFINED.get(name) or library_of.library.top(name)
    key = ("class", name)
    if key in scope.memo:
        known: ClassEntry | Predefined | None = scope.memo[key]
        return known
    found = _find_class(name, scope)
    if not scope.library.seeking_bases:  # else some base may not be known yet: not the last word
        scope.memo[key] = found
    return found


def _find_class(name: str, scope: ClassEntry) -> ClassEntry | Predefined | None:
    place: ClassEntry | None = scope
    while place is not None:
        found = member_class(place, name) or imported_class(place, name)
        if found is not None:
            return found
        if place.definition.encapsulated:
            # Section 5.3.1: from an encapsulated class only predefined names and imports are seen outside.
            return _PREDEFINED.get(name) or (place if place.name == name else None)
        place = place.parent
    return _PREDEFINED.get(name) or scope.library.top(name)


def member_class(cls: ClassEntry, name: str, seen: frozenset[ClassEntry] = frozenset()) -> ClassEntry | None:
    """A class declared in `cls` or inherited by it."""
    found = cls.own_class(name)
    if found is not None or cls in seen:
        return found
    for base in bases(cls):
        inherited = member_class(base, name, seen | {cls})
        if inherited is not None:
            return _in_scope_of(cls, inherited) if base in _modified_bases(cls) else inherited
    return None


def _in_scope_of(cls: ClassEntry, inherited: ClassEntry) -> ClassEntry:
    """A class inherited by `extends P(c = 5)` sees the modified c: it is a class of its own, in `cls`."""
    key = ("inherited", inherited)
    if key not in cls.memo:
        cls.memo[key] = ClassEntry(inherited.definition, inherited.source, cls, cls.library, inherited.folder)
    found: ClassEntry = cls.memo[key]
    return found


_BASES = "bases"


def bases(cls: ClassEntry) -> tuple[ClassEntry, ...]:
    """The classes `cls` extends directly, short class definitions included. A base is looked up outside
    of what is being inherited, which is why a base that cannot be found there is skipped here: whoever
    instantiates the class reports it."""
    if _BASES not in cls.memo:
        cls.memo[_BASES] = ()  # what is asked while its own bases are sought has none
        cls.library.seeking_bases += 1
        try:
            cls.memo[_BASES] = tuple(_bases(cls))
        except ModelError:
            del cls.memo[_BASES]
            raise
        finally:
            cls.library.seeking_bases -= 1
    found: tuple[ClassEntry, ...] = cls.memo[_BASES]
    return found


def _bases(cls: ClassEntry) -> Iterator[ClassEntry]:
    body = cls.definition.body
    _refuse_redeclarations(cls)
    if isinstance(body, ast.ShortBody):
        clauses = [(body.type_name, body.modification)]
        start = cls.parent
    else:
        clauses = [(e.type_name, e.modification) for e in cls.elements if isinstance(e, ast.Extends)]
        start = cls
    modified: set[ClassEntry] = set()
    cls.memo[_MODIFIED] = modified
    for name, modification in clauses:
        base = _base(cls, start, name)
        if base is None:
            continue
        for argument in (modification.arguments or ()) if modification is not None else ():
            if not isinstance(argument, ast.ElementModification):
                refuse_argument(argument, cls)
            elif member_class(base, argument.name[0]) is not None:
                raise model_error(
                    "E204",
                    f"modifying the class `{argument.name[0]}` of `{base.full_name}` is not supported yet",
                    cls.at(argument),
                )
            modified.add(base)
        yield base


_MODIFIED = "modified bases"


def _modified_bases(cls: ClassEntry) -> set[ClassEntry]:
    found: set[ClassEntry] = cls.memo.get(_MODIFIED, set())
    return found


def refuse_argument(argument: ast.Argument, cls: ClassEntry) -> None:
    """Redeclarations and breaks in a modification: a later version."""
    what = "`break`" if isinstance(argument, ast.InheritanceBreak) else "`redeclare` or `replaceable`"
    raise model_error(
        "E204",
        f"{what} in a modification is not supported yet",
        cls.at(argument),
        hint="write the wanted class directly",
    )


def _refuse_redeclarations(cls: ClassEntry) -> None:
    """`redeclare` as an element changes what inherited text means: a later version."""
    for element in cls.elements:
        if isinstance(element, ast.ClassDefinition | ast.ComponentClause) and element.prefixes.redeclare:
            raise model_error("E204", "`redeclare` is not supported yet", cls.at(element))


def _base(cls: ClassEntry, start: ClassEntry | None, name: ast.Reference) -> ClassEntry | None:
    """Finds a base class without looking into the bases of `cls` itself (that would be circular)."""
    first = name.parts[0][0]
    found: ClassEntry | Predefined | None = None
    if name.absolute or start is None:
        found = cls.library.top(first)
    elif start is cls:
        found = cls.own_class(first) or imported_class(cls, first)
        if found is None and not cls.definition.encapsulated:
            found = find_class(first, cls.parent, cls)
    else:
        found = find_class(first, start, cls)
    for part, _ in name.parts[1:]:
        if not isinstance(found, ClassEntry):
            return None
        found = member_class(found, part)
    return found if isinstance(found, ClassEntry) else None


def imported_class(cls: ClassEntry, name: str) -> ClassEntry | None:
    """A class that an import clause of `cls` brings under this name. Named imports hide those by `*`."""
    for element in _imports(cls):
        target: tuple[str, ...] | None = None
        if element.names:
            if name in element.names:
                target = (*element.name, name)
        elif not element.wildcard and (element.alias or element.name[-1]) == name:
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
    for element in _imports(cls):
        package = _absolute(cls, element.name) if element.wildcard else None
        found = member_class(package, name) if package is not None else None
        if found is not None:
            return found
    return None


def _imports(cls: ClassEntry) -> tuple[ast.Import, ...]:
    if "imports" not in cls.memo:
        cls.memo["imports"] = tuple(e for e in cls.elements if isinstance(e, ast.Import))
    found: tuple[ast.Import, ...] = cls.memo["imports"]
    return found


def import_of_constant(cls: ClassEntry, name: str) -> tuple[ClassEntry, str] | None:
    """An import that names a constant of a package: the package and the constant's name."""
    for element in sorted(_imports(cls), key=lambda e: e.wildcard):  # those by `*` come last
        if element.wildcard or name in element.names:
            package, member = _absolute(cls, element.name), name
        elif not element.names and (element.alias or element.name[-1]) == name and len(element.name) > 1:
            package, member = _absolute(cls, element.name[:-1]), element.name[-1]
        else:
            continue
        if package is not None and member in component_names(package):
            return package, member
    return None


def component_place(name: str, scope: ClassEntry) -> tuple[ClassEntry, str] | None:
    """The class that has the component a simple name means in the text of `scope`, and the component's name
    there (another one after `import c = P.d`). None if the name means a class, or nothing.

    The classes of the text decide what is seen: a class that inherits the text does not bring its own
    names into it."""
    key = ("component", name)
    if key in scope.memo:
        known: tuple[ClassEntry, str] | None = scope.memo[key]
        return known
    found = _component_place(name, scope)
    if not scope.library.seeking_bases:
        scope.memo[key] = found
    return found


def _component_place(name: str, scope: ClassEntry) -> tuple[ClassEntry, str] | None:
    place: ClassEntry | None = scope
    while place is not None:
        # A short class has no scope of its own: its own text is in the class around it.
        own_text = place is scope and isinstance(place.definition.body, ast.ShortBody)
        if not own_text and name in component_names(place):
            return place, name
        if member_class(place, name) is not None:
            return None
        imported = import_of_constant(place, name)
        if imported is not None:
            return imported
        if place.definition.encapsulated:
            return None
        place = place.parent
    return None


def _absolute(cls: ClassEntry, name: tuple[str, ...]) -> ClassEntry | None:
    found = cls.library.top(name[0])
    for part in name[1:]:
        if found is None:
            return None
        found = member_class(found, part)
    return found


def component_names(cls: ClassEntry) -> Collection[str]:
    """Names of components declared in a class or inherited."""
    if "components" in cls.memo:
        known: dict[str, None] = cls.memo["components"]
        return known
    found = dict.fromkeys(_component_names(cls, frozenset()))
    if not cls.library.seeking_bases:
        cls.memo["components"] = found
    return found


def _component_names(cls: ClassEntry, seen: frozenset[ClassEntry]) -> list[str]:
    names = [d.name for e in cls.elements if isinstance(e, ast.ComponentClause) for d in e.declarations]
    if cls not in seen:
        for base in bases(cls):
            names += _component_names(base, seen | {cls})
    return names


def resolve_class(
    reference: ast.Reference, scope: ClassEntry, what: str = "class"
) -> ClassEntry | Predefined:
    """The class a (dotted) name means in the class `scope`; refused with suggestions if there is none.
    `what` it is called then: a class or a function."""
    return resolve_from(reference, scope, scope, what)


def resolve_from(
    reference: ast.Reference, scope: ClassEntry | None, text: ClassEntry, what: str = "class"
) -> ClassEntry | Predefined:
    """The same, for a name in the text of `text` that is looked up in `scope` (None: at the top level)."""
    first = reference.parts[0][0]
    found: ClassEntry | Predefined | None
    if reference.absolute:
        found = text.library.top(first)
    else:
        found = find_class(first, scope, text)
    if found is None:
        dotted = len(reference.parts) > 1
        raise unknown_class(first, text, text.at(reference), "class" if dotted else what, dotted=dotted)
    for part, _ in reference.parts[1:]:
        inner = member_class(found, part) if isinstance(found, ClassEntry) else None
        if inner is None:
            near = nearest(part, class_names(found) if isinstance(found, ClassEntry) else [])
            raise model_error(
                "E201",
                f"there is no {what} `{part}` in `{found.full_name}`",
                text.at(reference),
                hint=f"did you mean `{near}`?" if near else None,
            )
        found = inner
    return found


def unknown_class(
    name: str,
    scope: ClassEntry,
    span: Span,
    what: str = "class",
    *,
    dotted: bool = False,
    also: Collection[str] = (),
) -> ModelError:
    """The refusal of a class name (`what`: a class or a function); `also` are further names that could have
    been meant. More follows a `dotted` name, so it may be that of a library."""
    if name in _UNSUPPORTED_TYPES:
        return model_error("E204", f"the predefined type `{name}` is not supported yet", span)
    names: list[str] = [*PREDEFINED, *also]
    place: ClassEntry | None = scope
    while place is not None:
        names += class_names(place)
        if place.definition.encapsulated:
            if scope.library.top(name) is not None:
                hint = f"`{place.name}` is encapsulated: write `import {name};` in it"
                return model_error("E201", f"the {what} `{name}` cannot be found", span, hint=hint)
            break
        place = place.parent
    names += scope.library.top_names()
    near = nearest(name, names)
    known = function_hint(name) if what == "function" else type_hint(name)
    missing = missing_library_hint(name) if dotted else None
    likely = known or (f"did you mean `{near}`?" if near else missing)
    return model_error("E201", f"the {what} `{name}` cannot be found", span, hint=likely)


def missing_library_hint(name: str) -> str:
    return f"if `{name}` is a library, give the folder it is in with --library or MODELICAPATH"


def class_names(cls: ClassEntry, seen: frozenset[ClassEntry] = frozenset()) -> list[str]:
    names = cls.own_class_names()
    if cls not in seen:
        for base in bases(cls):
            names += class_names(base, seen | {cls})
    return names


def nearest(name: str, known_names: Iterable[str]) -> str | None:
    """The known name most like an unknown one. Case is forgiven first."""
    near = names_near.nearest(name, (known for known in known_names if known != name), count=1)
    return near[0] if near else None
