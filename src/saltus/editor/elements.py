"""What classes declare and inherit, and what is known about it, during typing. Lowering refuses a class with
any error. Here partial knowledge is enough: a base that cannot be found has no elements, an element whose
type cannot be found has no type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from saltus.core.diagnostics import SaltusError
from saltus.core.source import Span
from saltus.ir import ast
from saltus.ir.instance import UNANSWERED, Change, ClassEntry, Element, Predefined, Question
from saltus.lower.classes.classes import changing_arguments, own_class_names, top_class
from saltus.lower.classes.lookup import base_classes, find_class, member_class

Class: TypeAlias = ClassEntry | Predefined

#: A component, the component in it that is meant, and so on.
Chain: TypeAlias = tuple[Element, ...]

_ELEMENTS: Question[dict[str, Element]] = Question("the elements, as far as they are known")


@dataclass(frozen=True)
class Said:
    """What a modification says: an expression, in the text of a class."""

    expression: ast.Expression
    lexical: ClassEntry

    @property
    def span(self) -> Span:
        return self.lexical.at(self.expression)

    @property
    def text(self) -> str:
        """The declaration as it is written, on one line."""
        return " ".join(self.span.text.split())


# ---------------------------------------------------------------- what there is


def elements_of(cls: Class | None) -> Mapping[str, Element]:
    """The components of a class with all its bases, by name."""
    if not isinstance(cls, ClassEntry):
        return {}
    known = _ELEMENTS.known(cls)
    if known is UNANSWERED:
        found: dict[str, Element] = {}
        _gather(cls, found, (), frozenset(), protected=False)
        known = _ELEMENTS.keep(cls, found)
    return known


def _gather(
    cls: ClassEntry,
    found: dict[str, Element],
    changes: tuple[Change, ...],
    seen: frozenset[int],
    *,
    protected: bool,
) -> None:
    if id(cls.definition) in seen:
        return
    seen |= {id(cls.definition)}
    known = known_bases(cls)
    body = cls.definition.body
    if isinstance(body, ast.ShortBody) or (isinstance(body, ast.LongBody) and body.extends_base):
        base = known.get(id(body))
        if base is not None:
            _gather(base, found, (*_said(body.modification, cls), *changes), seen, protected=protected)
    if not isinstance(body, ast.LongBody):
        return
    for element in body.elements:
        if isinstance(element, ast.Extends) and id(element) in known:
            said = (*_said(element.modification, cls), *changes)
            _gather(known[id(element)], found, said, seen, protected=protected or element.protected)
        elif isinstance(element, ast.ComponentClause):
            hidden = protected or element.prefixes.protected
            for declaration in element.declarations:
                name = declaration.name
                about = tuple(change for change in changes if change.name == name)
                found[name] = Element(name, element, declaration, cls, hidden, about)


def _said(modification: ast.Modification | None, lexical: ClassEntry) -> tuple[Change, ...]:
    return tuple(Change(argument, lexical) for argument in changing_arguments(modification))


def known_bases(cls: ClassEntry) -> Mapping[int, ClassEntry]:
    """The bases that can be found, by the place that names them."""
    try:
        return base_classes(cls)
    except (SaltusError, RecursionError):
        return {}


def classes_of(cls: ClassEntry) -> list[str]:
    """The names of the classes that a class declares or inherits."""
    names: dict[str, None] = {}
    for place in with_bases(cls):
        try:
            names |= dict.fromkeys(own_class_names(place))
        except SaltusError:
            names |= {e.name: None for e in place.elements if isinstance(e, ast.ClassDefinition)}
    return [name for name in names if name]


def class_in(cls: ClassEntry, name: str) -> ClassEntry | None:
    """A class that a class declares or inherits."""
    try:
        return member_class(cls, name)
    except (SaltusError, RecursionError):
        return None


def type_of(element: Element) -> Class | None:
    """The class of a component; of one that is redeclared from outside, that."""
    clause, lexical = element.clause, element.lexical
    for change in element.modifications:
        argument = change.argument
        if isinstance(argument, ast.ElementRedeclaration) and isinstance(
            argument.element, ast.ComponentClause
        ):
            clause, lexical = argument.element, change.lexical
    return named(clause.type_name, lexical)


def named(reference: ast.Reference, lexical: ClassEntry) -> Class | None:
    """The class that a name means in the text of another. Lowering's explanation of a name that cannot be
    found takes long, and is not needed here."""
    first, *rest = (name for name, _ in reference.parts)
    try:
        found: Class | None
        if reference.absolute:
            found = top_class(lexical.library, first)
        else:
            found = find_class(first, lexical, lexical)
        for name in rest:
            found = member_class(found, name) if isinstance(found, ClassEntry) else None
    except (SaltusError, RecursionError):
        return None
    return found


def literals_of(cls: Class | None) -> Mapping[str, str]:
    """The literals of an enumeration with their descriptions; none of any other class."""
    for _ in range(20):
        if isinstance(cls, Predefined):
            return dict.fromkeys(cls.literals, "") if cls.literals is not None else {}
        if cls is None:
            return {}
        body = cls.definition.body
        if isinstance(body, ast.EnumerationBody):
            return {name: description for name, description, _ in body.literals or ()}
        if not isinstance(body, ast.ShortBody):
            return {}
        cls = named(body.type_name, cls)
    return {}


def predefined_of(cls: Class | None) -> str:
    """The predefined type that a type stands for; "" if it is none."""
    for _ in range(20):
        if isinstance(cls, Predefined):
            return cls.name
        if cls is None:
            return ""
        body = cls.definition.body
        if isinstance(body, ast.EnumerationBody):
            return "enumeration"
        reference = body.type_name if isinstance(body, ast.ShortBody) else None
        if reference is None and cls.kind in ("type", "connector"):
            extended = [e.type_name for e in cls.elements if isinstance(e, ast.Extends)]
            reference = extended[0] if extended else None
        if reference is None:
            return ""
        cls = named(reference, cls)
    return ""


# ---------------------------------------------------------------- what is said about it


def value_of(chain: Chain) -> Said | None:
    """The value of a component as the outermost modification or declaration gives it."""
    return next(_said_about(chain, ()), None)


def attribute_of(chain: Chain, name: str) -> Said | None:
    """An attribute of a component such as `unit`, from modifications, the declaration, or the type."""
    return next(_said_about(chain, (name,)), None) or _of_type(type_of(chain[-1]), name)


def unit_of(chain: Chain) -> str:
    """The unit of a variable; "" if none is given."""
    said = attribute_of(chain, "unit")
    return said.expression.value if said is not None and isinstance(said.expression, ast.String) else ""


def _said_about(chain: Chain, attribute: tuple[str, ...]) -> Iterator[Said]:
    """What is said about the end of a chain, the outermost first."""
    for k, element in enumerate(chain):
        path = (*(inner.name for inner in chain[k + 1 :]), *attribute)
        for change in reversed(element.modifications):
            found = _in_argument(change.argument, (element.name, *path))
            if found is not None:
                yield Said(found, change.lexical)
        found = _in_modification(element.declaration.modification, path)
        if found is not None:
            yield Said(found, element.lexical)


def _in_modification(modification: ast.Modification | None, path: tuple[str, ...]) -> ast.Expression | None:
    if modification is None:
        return None
    if not path:
        return modification.value
    for argument in modification.arguments or ():
        if not isinstance(argument, ast.InheritanceBreak):
            found = _in_argument(argument, path)
            if found is not None:
                return found
    return None


def _in_argument(
    argument: ast.ElementModification | ast.ElementRedeclaration, path: tuple[str, ...]
) -> ast.Expression | None:
    if isinstance(argument, ast.ElementModification):
        depth = len(argument.name)
        is_about_it = argument.name == path[:depth]
        return _in_modification(argument.modification, path[depth:]) if is_about_it else None
    element = argument.element
    if isinstance(element, ast.ComponentClause) and path and element.declarations[0].name == path[0]:
        return _in_modification(element.declarations[0].modification, path[1:])
    return None


def _of_type(cls: Class | None, name: str) -> Said | None:
    for _ in range(20):
        if not isinstance(cls, ClassEntry):
            return None
        body = cls.definition.body
        if isinstance(body, ast.ShortBody):
            modification, reference = body.modification, body.type_name
        else:
            extended = [e for e in cls.elements if isinstance(e, ast.Extends)]
            if cls.kind not in ("type", "connector") or not extended:
                return None
            modification, reference = extended[0].modification, extended[0].type_name
        found = _in_modification(modification, (name,))
        if found is not None:
            return Said(found, cls)
        cls = named(reference, cls)
    return None


def with_bases(cls: ClassEntry) -> Iterator[ClassEntry]:
    """A class and all its bases, each once."""
    waiting, seen = [cls], set[int]()
    while waiting:
        place = waiting.pop(0)
        if id(place.definition) in seen:
            continue
        seen.add(id(place.definition))
        yield place
        waiting += known_bases(place).values()


def references(node: object) -> Iterator[ast.Reference]:
    """The names in a tree, but for those of functions."""
    left = [node]
    while left:
        each = left.pop()
        if isinstance(each, tuple):
            left += reversed(each)
        elif isinstance(each, ast.Node):
            if isinstance(each, ast.Reference):
                yield each
            left += [value for name, value in reversed(each.__dict__.items()) if name != "function"]
