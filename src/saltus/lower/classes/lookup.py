"""What a name means at a place: chapter 5 of the Modelica specification.

A simple name is looked for in the class itself (own and inherited elements, then imports), then in the
enclosing classes unless one is encapsulated, then at the top level. The rest of a dotted name is looked
for inside what was found. Class redeclarations (chapter 7) are part of the environment of a class entry, so
that the answer is the class after all redeclarations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from saltus.core import nearest as names_near
from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Source, Span
from saltus.expr.nodes import Enumeration
from saltus.ir import ast
from saltus.ir.instance import UNANSWERED, Change, ClassEntry, Predefined, Question, Unanswered
from saltus.lower.classes.classes import (
    changes_inside,
    changing_arguments,
    in_environment,
    own_class,
    own_class_names,
    top_class,
    top_names,
)
from saltus.lower.classes.foreign import function_hint, type_hint
from saltus.lower.classes.shipped import shipped_hint

PREDEFINED = ("Real", "Integer", "Boolean", "String")
#: The class that those of external objects extend (section 12.9.7).
EXTERNAL_OBJECT = "ExternalObject"
CLOCK = "Clock"


#: Predefined enumerations (sections 4.9.8 and 8.3.7).
STATE_SELECT = ("never", "avoid", "default", "prefer", "always")
PREDEFINED_ENUMERATIONS = {
    "StateSelect": Enumeration("StateSelect", STATE_SELECT),
    "AssertionLevel": Enumeration("AssertionLevel", ("warning", "error")),
}


_PREDEFINED = {name: Predefined(name) for name in (*PREDEFINED, CLOCK)}
_PREDEFINED[EXTERNAL_OBJECT] = Predefined(EXTERNAL_OBJECT, kind="class")
_PREDEFINED |= {name: Predefined(name, literals) for name, literals in PREDEFINED_ENUMERATIONS.items()}

_CLASS: Question[ClassEntry | Predefined | None] = Question("the class a name means")
_OUTER_CLASSES: Question[frozenset[str]] = Question("the names of outer classes")
_MEMBER: Question[ClassEntry | None] = Question("the class of a name, own or inherited")
_REDECLARED: Question[ClassEntry] = Question("the class that a redeclaration brings")
_BASES: Question[Mapping[int, ClassEntry]] = Question("the bases by the place that names them")
_IMPORTS: Question[tuple[ast.Import, ...]] = Question("the import clauses")
_COMPONENT: Question[tuple[ClassEntry, str] | None] = Question("the component a name means")
_COMPONENTS: Question[Collection[str]] = Question("the names of components")
_PROTECTION: Question[dict[str, bool]] = Question("whether components are protected")
_PACKAGE_LIKE: Question[bool] = Question("whether it has only classes and constants")


def find_class(name: str, scope: ClassEntry | None, library_of: ClassEntry) -> ClassEntry | Predefined | None:
    """A simple class name at a place, or None."""
    if scope is None:
        return _PREDEFINED.get(name) or top_class(library_of.library, name)
    known: ClassEntry | Predefined | Unanswered | None = scope.answers.get((_CLASS, name), UNANSWERED)  # type: ignore[assignment]
    if known is not UNANSWERED:
        return known
    found = _find_class(name, scope)
    if not scope.library.seeking_bases:  # else some base may not be known yet: not the last word
        _CLASS.keep(scope, found, name)
    return found


def _find_class(name: str, scope: ClassEntry) -> ClassEntry | Predefined | None:
    place: ClassEntry | None = scope.parent if scope.is_short else scope
    while place is not None:
        found = member_class(place, name) or imported_class(place, name)
        if found is not None:
            return found
        if place.definition.encapsulated:
            # Section 5.3.1: from an encapsulated class only predefined names and imports are seen outside.
            return _PREDEFINED.get(name) or (place if place.name == name else None)
        place = place.parent
    return _PREDEFINED.get(name) or top_class(scope.library, name)


# ---------------------------------------------------------------- classes in classes


def outer_class_names(cls: ClassEntry) -> frozenset[str]:
    """The names of classes that are declared `outer` in a class or its bases."""
    known = _OUTER_CLASSES.known(cls)
    if known is UNANSWERED:
        known = _OUTER_CLASSES.keep(cls, frozenset())  # a class among its own bases is refused elsewhere
        own = (e for e in cls.elements if isinstance(e, ast.ClassDefinition) and e.prefixes.outer)
        inherited = (outer_class_names(base) for base in bases(cls))
        known = _OUTER_CLASSES.keep(cls, frozenset(e.name for e in own).union(*inherited))
    return known


def most_derived(cls: ClassEntry) -> ClassEntry:
    """The class that `cls` is seen as a base of, at the end of all extends clauses."""
    while cls.derived is not None:
        cls = cls.derived
    return cls


def member_class(cls: ClassEntry, name: str) -> ClassEntry | None:
    """A class declared in `cls` or inherited by it, as it is redeclared or modified from outside: what a
    derived class redeclares, the text of its bases means, too (section 7.3)."""
    found = _member(cls, name)
    if found is None or cls.derived is None:
        return found
    return _member(most_derived(cls), name) or found


def _member(cls: ClassEntry, name: str) -> ClassEntry | None:
    known: ClassEntry | Unanswered | None = cls.answers.get((_MEMBER, name), UNANSWERED)  # type: ignore[assignment]
    if known is not UNANSWERED:
        return known
    found = _changed(cls, name, cls.changes)
    if not cls.library.seeking_bases:
        _MEMBER.keep(cls, found, name)
    return found


def _changed(cls: ClassEntry, name: str, changes: tuple[Change, ...]) -> ClassEntry | None:
    """The class `name` of `cls` after these changes: the outermost redeclaration counts, with what is said
    about it still further outside."""
    said = [c for c in changes if c.name == name] if changes else []
    for k in range(len(said) - 1, -1, -1):
        if said[k].new_class is not None:
            return _modified(redeclared(said[k], _declared(cls, name)), said[k + 1 :])
    found = _declared(cls, name)
    return _modified(found, said) if found is not None else None


def _modified(cls: ClassEntry, said: Iterable[Change]) -> ClassEntry:
    inner = tuple(i for c in said for i in changes_inside(c))
    return in_environment(cls, changes=inner) if inner else cls


def _declared(cls: ClassEntry, name: str) -> ClassEntry | None:
    """The class as `cls` and its bases declare it."""
    own = own_class(cls, name)
    if own is None:
        return _inherited(cls, name)
    if own.definition.prefixes.outer:
        return most_derived(cls).inners.get(name, own)
    if not own.constraints:
        redeclares = own.definition.prefixes.redeclare and own.definition.constraint is None
        if redeclares or own.definition.constraint is not None:
            own.constraints = _constraints(_inherited(cls, name) if redeclares else own)
    return _meant(own) if own.kind == "package" else own


def _inherited(cls: ClassEntry, name: str) -> ClassEntry | None:
    for base in bases(cls):
        found = _member(base, name)
        if found is not None:
            return found
    return None


def redeclared(change: Change, replaced: ClassEntry | None) -> ClassEntry:
    """The class that a redeclaration brings. Its text is that of the class that says it (a short class has
    none), and what the constraining clause of the replaced class says holds for it, too (section 7.3.2)."""
    definition = change.new_class
    assert definition is not None
    constraints = _constraints(replaced)
    lexical = change.lexical
    key = (change.key, tuple(c.key for c in constraints))
    found = _REDECLARED.known(lexical, key)
    if found is UNANSWERED:
        made = ClassEntry(
            definition,
            lexical.source,
            enclosing(lexical),
            lexical.library,
            constraints=constraints,
            site=change.site,
        )
        found = _REDECLARED.keep(lexical, made, key)
    body = definition.body
    if isinstance(body, ast.ShortBody) and not found.library.seeking_bases and not bases(found):
        resolve_from(body.type_name, found.parent, found)  # which refuses what cannot be found
    return _meant(found)


def enclosing(lexical: ClassEntry) -> ClassEntry | None:
    """The class whose scope a text in `lexical` has."""
    place: ClassEntry | None = lexical
    while place is not None and place.is_short:
        place = place.parent
    return place


def _constraints(replaced: ClassEntry | None) -> tuple[Change, ...]:
    """What holds for whatever takes the place of this class: what its constraining clause says; without one,
    what a short definition itself says."""
    if replaced is None:
        return ()
    body, constraint = replaced.definition.body, replaced.definition.constraint
    if constraint is not None:
        said = constraint.modification
    else:
        said = body.modification if isinstance(body, ast.ShortBody) else None
    return tuple(Change(a, replaced, replaced.site) for a in changing_arguments(said))


def _meant(cls: ClassEntry) -> ClassEntry:
    """A class that is but another name for a class means that class: what is made for it (constants of a
    medium, its functions) is then made once."""
    body = cls.definition.body
    if not isinstance(body, ast.ShortBody) or cls.changes or cls.constraints or cls.definition.annotation:
        return cls
    if body.subscripts or body.causality or (body.modification is not None and body.modification.arguments):
        return cls
    found = bases(cls)
    return found[0] if found and found[0].kind == cls.kind and found[0].derived is None else cls


# ---------------------------------------------------------------- bases


def bases(cls: ClassEntry) -> tuple[ClassEntry, ...]:
    """The classes `cls` extends directly, short class definitions included. A base is looked up outside
    of what is being inherited, which is why a base that cannot be found there is skipped here: instantiation
    reports it."""
    return tuple(base_classes(cls).values())


def base_classes(cls: ClassEntry) -> Mapping[int, ClassEntry]:
    """The bases by the place in the text that names them: the extends clause, or the body."""
    known: Mapping[int, ClassEntry] | Unanswered = cls.answers.get((_BASES, None), UNANSWERED)  # type: ignore[assignment]
    if known is UNANSWERED:
        known = _BASES.keep(cls, {})  # what is asked while its own bases are sought has none
        cls.library.seeking_bases += 1
        try:
            known = _BASES.keep(cls, dict(_bases(cls)))
        except ModelError:
            _BASES.forget(cls)
            raise
        finally:
            cls.library.seeking_bases -= 1
    return known


def _bases(cls: ClassEntry) -> Iterator[tuple[int, ClassEntry]]:
    body = cls.definition.body
    if isinstance(body, ast.ShortBody):
        base = _base(cls, cls.parent, body.type_name)
        if base is not None:
            yield id(body), _as_base(base, cls, body.modification)
    if not isinstance(body, ast.LongBody):
        return
    if body.extends_base and cls.parent is not None:
        extended = _inherited(cls.parent, cls.name)
        if extended is not None:
            yield id(body), _as_base(extended, cls, body.modification)
    for element in body.elements:
        if isinstance(element, ast.Extends):
            base = _base(cls, cls, element.type_name)
            if base is not None:
                yield id(element), _as_base(base, cls, element.modification)


def _as_base(base: ClassEntry, cls: ClassEntry, modification: ast.Modification | None) -> ClassEntry:
    """A base in the environment of the class that extends it. One without classes of its own, about which
    nothing is said, is the same for all."""
    site = cls.site if cls.is_short else None
    said = (*cls.constraints, *(Change(a, cls, site) for a in changing_arguments(modification)))
    if not said and not _has_classes(base):
        return base
    return in_environment(base, changes=said, derived=cls)


def _has_classes(cls: ClassEntry) -> bool:
    return bool(own_class_names(cls)) or any(_has_classes(base) for base in bases(cls))


def _base(cls: ClassEntry, start: ClassEntry | None, name: ast.Reference) -> ClassEntry | None:
    """Finds a base class without looking into the bases of `cls` itself (that would be circular)."""
    first = name.parts[0][0]
    found: ClassEntry | Predefined | None = None
    if name.absolute or start is None:
        found = top_class(cls.library, first)
    elif start is cls:
        found = _near(cls, first) or imported_class(cls, first)
        if found is None and not cls.definition.encapsulated:
            found = find_class(first, cls.parent, cls)
    else:
        found = find_class(first, start, cls)
    for part, _ in name.parts[1:]:
        if not isinstance(found, ClassEntry):
            return None
        found = member_class(found, part)
    return found if isinstance(found, ClassEntry) else None


def _near(cls: ClassEntry, name: str) -> ClassEntry | None:
    """A class declared in `cls` itself, as it is redeclared from outside."""
    own = own_class(cls, name)
    if own is None:
        return None
    place: ClassEntry | None = cls
    found = own
    while place is not None:  # further and further outside: the last one counts
        said = [c for c in place.changes if c.name == name]
        for change in said:
            found = redeclared(change, own) if change.new_class is not None else _modified(found, [change])
        place = place.derived
        redeclaration = own_class(place, name) if place is not None else None
        found = redeclaration or found
    return _meant(found)


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
                _check_import(cls, element, target)
                return found
            if import_of_constant(cls, name) is None:
                raise model_error(
                    "E201",
                    f"the import `{'.'.join(target)}` cannot be found",
                    cls.at(element),
                    hint=missing_library_hint(target[0]),
                )
    everywhere: dict[ClassEntry, ClassEntry] = {}
    for element in _imports(cls):
        package = _absolute(cls, element.name) if element.wildcard else None
        found = member_class(package, name) if package is not None else None
        if package is not None and found is not None and not is_protected(package, name):
            _check_import(cls, element, (*element.name, name))
            everywhere.setdefault(found.origin, found)
    if len(everywhere) > 1:
        raise _ambiguous(cls, name)
    return next(iter(everywhere.values()), None)


def _ambiguous(cls: ClassEntry, name: str) -> ModelError:
    return model_error(
        "E201",
        f"`{name}` is imported by `*` from several packages",
        cls.span,
        hint=f"import the wanted one by its name: `import ....{name};`",
    )


def _check_import(cls: ClassEntry, element: ast.Import, target: tuple[str, ...]) -> None:
    """One can only import from packages, and only what is public there (section 13.2)."""
    owner = _absolute(cls, target[:-1]) if len(target) > 1 else None
    if owner is None:
        return
    problem = None
    if owner.kind != "package":
        problem = f"`{owner.full_name}` is a {owner.kind}, and one can only import from packages"
    elif is_protected(owner, target[-1]):
        problem = f"`{target[-1]}` is protected in `{owner.full_name}` and cannot be imported"
    if problem is not None:
        raise model_error("E209", problem, cls.at(element))


def _imports(cls: ClassEntry) -> tuple[ast.Import, ...]:
    known: tuple[ast.Import, ...] | Unanswered = cls.answers.get((_IMPORTS, None), UNANSWERED)  # type: ignore[assignment]
    if known is UNANSWERED:
        known = _IMPORTS.keep(cls, tuple(e for e in cls.elements if isinstance(e, ast.Import)))
    return known


def import_of_constant(cls: ClassEntry, name: str) -> tuple[ClassEntry, str] | None:
    """An import that names a constant of a package: the package and the constant's name."""
    everywhere: dict[ClassEntry, tuple[ClassEntry, str]] = {}
    for element in sorted(_imports(cls), key=lambda e: e.wildcard):  # those by `*` come last
        if element.wildcard or name in element.names:
            package, member = _absolute(cls, element.name), name
        elif not element.names and (element.alias or element.name[-1]) == name and len(element.name) > 1:
            package, member = _absolute(cls, element.name[:-1]), element.name[-1]
        else:
            continue
        if package is None or member not in component_names(package):
            continue
        if not element.wildcard:
            _check_import(cls, element, (*element.name, member) if element.names else element.name)
            return package, member
        if not is_protected(package, member):
            everywhere.setdefault(package.origin, (package, member))
    if len(everywhere) > 1:
        raise _ambiguous(cls, name)
    return next(iter(everywhere.values()), None)


def component_place(name: str, scope: ClassEntry) -> tuple[ClassEntry, str] | None:
    """The class that has the component a simple name means in the text of `scope`, and the component's name
    there (another one after `import c = P.d`). None if the name means a class, or nothing.

    The classes of the text decide what is seen: a class that inherits the text does not bring its own
    names into it."""
    known: tuple[ClassEntry, str] | Unanswered | None = scope.answers.get((_COMPONENT, name), UNANSWERED)  # type: ignore[assignment]
    if known is not UNANSWERED:
        return known
    found = _component_place(name, scope)
    if not scope.library.seeking_bases:
        _COMPONENT.keep(scope, found, name)
    return found


def _component_place(name: str, scope: ClassEntry) -> tuple[ClassEntry, str] | None:
    place: ClassEntry | None = scope
    while place is not None:
        if place is scope and place.is_short:  # it has no scope of its own
            place = place.parent
            continue
        if name in component_names(place):
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
    found = top_class(cls.library, name[0])
    for part in name[1:]:
        if found is None:
            return None
        found = member_class(found, part)
    return found


def component_names(cls: ClassEntry) -> Collection[str]:
    """Names of components declared in a class or inherited."""
    known = _COMPONENTS.known(cls)
    if known is not UNANSWERED:
        return known
    found = dict.fromkeys(_component_names(cls, frozenset()))
    if not cls.library.seeking_bases:
        _COMPONENTS.keep(cls, found)
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
    """The class that a name in the text of `text` means when it is looked up in `scope` (None: at the top
    level)."""
    first = reference.parts[0][0]
    found: ClassEntry | Predefined | None
    if reference.absolute:
        found = top_class(text.library, first)
    else:
        found = find_class(first, scope, text)
    if found is None:
        within = reference.parts[-1][0] if len(reference.parts) > 1 else None
        raise unknown_class(first, text, text.at(reference), "class" if within else what, within=within)
    for part, _ in reference.parts[1:]:
        inner = member_class(found, part) if isinstance(found, ClassEntry) else None
        if inner is None:
            known = class_names(found) if isinstance(found, ClassEntry) else []
            hint = names_near.known_hint(part, known, f"`{found.full_name}`")
            if not names_near.nearest(part, known):
                hint = shipped_hint(reference.parts[-1][0], text.library) or hint
            message = f"there is no {what} `{part}` in `{found.full_name}`"
            raise model_error("E201", message, text.at(reference), hint=hint)
        assert isinstance(found, ClassEntry)
        check_class_access(found, part, text.at(reference))
        found = inner
    return found


# ---------------------------------------------------------------- what is seen from outside


def check_class_access(cls: ClassEntry, name: str, span: Span) -> None:
    """Refuses the class `name` of `cls` in a composite name if it is protected, or if it is not encapsulated
    and `cls` is more than a package (section 5.3.2)."""
    found = definition_of(cls, name)
    if found is None:
        return
    if is_protected(cls, name):
        raise model_error(
            "E209",
            f"the class `{name}` is protected in `{cls.full_name}`",
            span,
            hint="protected elements are visible only in their class and in classes that extend it",
        )
    if not found[0].encapsulated and not is_package_like(cls):
        raise model_error(
            "E209",
            f"the class `{name}` of the {cls.kind} `{cls.full_name}` cannot be used from outside",
            span,
            hint="declare it `encapsulated`, or put it into a package",
        )


def is_protected(cls: ClassEntry, name: str) -> bool:
    """Whether an element of a class, inherited or not, is protected there."""
    component = _own_protection(cls).get(name)
    if component is not None:
        return component
    own = own_class(cls, name)
    if own is not None:
        return own.definition.prefixes.protected
    return any(is_protected(base, name) for base in bases(cls))


def _own_protection(cls: ClassEntry) -> dict[str, bool]:
    """Whether the components that a class itself declares are protected."""
    known = _PROTECTION.known(cls)
    if known is UNANSWERED:
        clauses = [e for e in cls.elements if isinstance(e, ast.ComponentClause)]
        known = _PROTECTION.keep(cls, {d.name: c.prefixes.protected for c in clauses for d in c.declarations})
    return known


def definition_of(cls: ClassEntry, name: str) -> tuple[ast.ClassDefinition, Source] | None:
    """The definition of a class of `cls`, inherited ones included, with its text."""
    own = own_class(cls, name)
    if own is not None:
        return own.definition, own.source
    for base in bases(cls):
        found = definition_of(base, name)
        if found is not None:
            return found
    return None


def is_package_like(cls: ClassEntry) -> bool:
    """Whether a class has only classes and constants, as a package."""
    if cls.kind == "package":
        return True
    known = _PACKAGE_LIKE.known(cls)
    if known is UNANSWERED:
        body = cls.definition.body
        clauses = [e for e in cls.elements if isinstance(e, ast.ComponentClause)]
        known = _PACKAGE_LIKE.keep(
            cls,
            all(c.variability == "constant" for c in clauses)
            and not (isinstance(body, ast.LongBody) and body.sections)
            and all(is_package_like(base) for base in bases(cls)),
        )
    return known


def unknown_class(
    name: str,
    scope: ClassEntry,
    span: Span,
    what: str = "class",
    *,
    within: str | None = None,
    also: Collection[str] = (),
) -> ModelError:
    """The refusal of a class name (`what`: a class or a function); `also` are further names that could have
    been meant. Where a class `within` it is wanted, it may be the name of a library."""
    names: list[str] = [*also] if within else [*PREDEFINED, *also]
    place: ClassEntry | None = scope
    while place is not None:
        names += class_names(place)
        if place.definition.encapsulated:
            if top_class(scope.library, name) is not None:
                hint = f"`{place.name}` is encapsulated: write `import {name};` in it"
                return model_error("E201", f"the {what} `{name}` cannot be found", span, hint=hint)
            break
        place = place.parent
    names += top_names(scope.library)
    near = nearest(name, names)
    known = function_hint(name) if what == "function" else type_hint(name)
    missing = missing_library_hint(name) if within else _empty_import_hint(scope)
    shipped = shipped_hint(within or name, scope.library)
    likely = known or (f"did you mean `{near}`?" if near else "; ".join(filter(None, (missing, shipped))))
    return model_error("E201", f"the {what} `{name}` cannot be found", span, hint=likely or None)


def _empty_import_hint(scope: ClassEntry) -> str | None:
    """An import of all that a package has, of one that cannot be found: from it the name may have come."""
    place: ClassEntry | None = scope
    while place is not None:
        for element in _imports(place):
            if element.wildcard and _absolute(place, element.name) is None:
                written = ".".join(element.name)
                return f"`import {written}.*` brings nothing: {missing_library_hint(element.name[0])}"
        place = place.parent
    return None


def missing_library_hint(name: str) -> str:
    return f"if `{name}` is a library, give the folder it is in with --library or MODELICAPATH"


def class_names(cls: ClassEntry, seen: frozenset[ClassEntry] = frozenset()) -> list[str]:
    names = own_class_names(cls)
    if cls not in seen:
        for base in bases(cls):
            names += class_names(base, seen | {cls})
    return names


def nearest(name: str, known_names: Iterable[str]) -> str | None:
    """The known name most like an unknown one. Case is forgiven first."""
    near = names_near.nearest(name, (known for known in known_names if known != name), count=1)
    return near[0] if near else None
