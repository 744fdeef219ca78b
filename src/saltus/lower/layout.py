"""The elements of a class with all its bases: what an instance of it will consist of.

A layout depends only on the class, so it is made once per class; values of modifiers depend on the
instance and are bound later (`modifiers`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.ir import ast
from saltus.lower.classes import ClassEntry
from saltus.lower.lookup import Predefined, nearest, refuse_argument, resolve_class, resolve_from


@dataclass(frozen=True, eq=False)
class Element:
    """A component declaration with the modifications that extends clauses add to it, innermost first."""

    name: str
    clause: ast.ComponentClause
    declaration: ast.Declaration
    lexical: ClassEntry
    protected: bool
    modifications: tuple[tuple[ast.ElementModification, ClassEntry], ...] = ()

    @property
    def span(self) -> Span:
        return self.lexical.at(self.declaration)


@dataclass(eq=False)
class Layout:
    """`predefined` names the predefined type a type class stands for, with the attributes given on the
    way (`type_modifications`, innermost first) and dimensions (`type Vector = Real[3]`)."""

    cls: ClassEntry | Predefined
    predefined: str | None = None
    enumeration: tuple[str, ...] | None = None
    type_modifications: list[tuple[ast.Modification, ClassEntry]] = field(default_factory=list)
    dimensions: list[tuple[tuple[ast.Expression, ...], ClassEntry]] = field(default_factory=list)
    causality: str = ""
    elements: dict[str, Element] = field(default_factory=dict)
    sections: list[tuple[ast.Section, ClassEntry]] = field(default_factory=list)
    external: ast.External | None = None
    lexicals: set[ClassEntry] = field(default_factory=set)


class Layouts:
    """All layouts made so far."""

    def __init__(self) -> None:
        self._made: dict[ClassEntry | Predefined, Layout] = {}
        self._making: list[ClassEntry] = []
        self.records: dict[str, ClassEntry] = {}  # record classes by full name, for the types of values

    def of(self, cls: ClassEntry | Predefined, named: Span | None = None) -> Layout:
        """The layout of a class, which is named as a base at `named`."""
        made = self._made.get(cls)
        if made is None:
            if isinstance(cls, Predefined):
                made = Layout(cls, "Integer" if cls.literals else cls.name, cls.literals)
            else:
                made = self._make(cls, named)
                if cls.kind == "record":
                    self.records[cls.full_name] = cls
            self._made[cls] = made
        return made

    def enumeration_name(self, literals: tuple[str, ...]) -> str | None:
        """The enumeration these are the literals of: types that stand for it have the very same ones."""
        return next((cls.full_name for cls, made in self._made.items() if made.enumeration is literals), None)

    def _make(self, cls: ClassEntry, named: Span | None) -> Layout:
        if cls in self._making:
            chain = [*self._making[self._making.index(cls) :], cls]
            raise model_error(
                "E203",
                " extends ".join(f"`{c.full_name}`" for c in chain),
                named or cls.span,
                hint="remove one of these extends clauses",
            )
        self._making.append(cls)
        try:
            _refuse_unsupported_class(cls)
            body = cls.definition.body
            match body:
                case ast.LongBody():
                    return self._long(cls, body)
                case ast.ShortBody():
                    return self._short(cls, body)
                case ast.EnumerationBody():
                    _refuse_twice(cls, body)
                    literals = tuple(name for name, _, _ in body.literals or ())
                    return Layout(cls, predefined="Integer", enumeration=literals)
                case ast.DerBody():
                    what = "a function defined by der(...) can only be called"
                    raise model_error("E204", what, cls.at(body))
        finally:
            self._making.pop()

    def _short(self, cls: ClassEntry, body: ast.ShortBody) -> Layout:
        # A short class has no scope of its own: its names are those of the class it stands in.
        base = self.of(resolve_from(body.type_name, cls.parent, cls), cls.at(body.type_name))
        layout = Layout(cls, base.predefined, base.enumeration)
        layout.causality = body.causality or base.causality
        layout.dimensions = list(base.dimensions)
        if body.subscripts:
            layout.dimensions.insert(0, (body.subscripts, cls))
        self._inherit(layout, base, cls, body.modification, protected=False)
        return layout

    def _long(self, cls: ClassEntry, body: ast.LongBody) -> Layout:
        _check_sections(cls, body)
        layout = Layout(cls, external=body.external, lexicals={cls})
        for element in body.elements:
            match element:
                case ast.Extends():
                    base_class = resolve_class(element.type_name, cls)
                    _check_kinds(cls, base_class, element)
                    base = self.of(base_class, cls.at(element))
                    self._inherit(layout, base, cls, element.modification, element.protected)
                case ast.ComponentClause():
                    _refuse_unsupported_clause(cls, element)
                    for declaration in element.declarations:
                        self._add(
                            layout,
                            Element(declaration.name, element, declaration, cls, element.prefixes.protected),
                        )
                case ast.ClassDefinition() | ast.Import():
                    pass
        layout.sections += [(section, cls) for section in body.sections]
        return layout

    def _add(self, layout: Layout, element: Element) -> None:
        other = layout.elements.get(element.name)
        if other is not None:
            if other.declaration is element.declaration or _written_alike(other, element):
                return  # inherited twice along different ways: one element
            raise model_error(
                "E202",
                f"`{element.name}` is declared twice in `{layout.cls.full_name}`",
                element.span,
                notes=(Note("first declared here", other.span),),
                hint="rename or remove one of them",
            )
        layout.elements[element.name] = element

    def _inherit(
        self,
        layout: Layout,
        base: Layout,
        cls: ClassEntry,
        modification: ast.Modification | None,
        protected: bool,
    ) -> None:
        """Takes over a base's elements, each with what the modification says about it."""
        if base.predefined is not None:
            layout.predefined = base.predefined
            layout.enumeration = base.enumeration
            layout.type_modifications += base.type_modifications
            if modification is not None:
                layout.type_modifications.append((modification, cls))
            return
        arguments = _arguments(modification, cls)
        for name, element in base.elements.items():
            own = tuple((a, cls) for a in arguments if a.name[0] == name)
            inherited = Element(
                name,
                element.clause,
                element.declaration,
                element.lexical,
                element.protected or protected,
                (*element.modifications, *own),
            )
            self._add(layout, inherited)
        for argument in arguments:
            if argument.name[0] not in base.elements:
                near = nearest(argument.name[0], list(base.elements))
                raise model_error(
                    "E201",
                    f"`{argument.name[0]}` is not an element of `{base.cls.full_name}`",
                    cls.at(argument),
                    hint=f"did you mean `{near}`?" if near else None,
                )
        layout.sections += base.sections
        layout.lexicals |= base.lexicals
        layout.external = layout.external or base.external


def _arguments(modification: ast.Modification | None, cls: ClassEntry) -> list[ast.ElementModification]:
    found: list[ast.ElementModification] = []
    for argument in (modification.arguments or ()) if modification else ():
        if isinstance(argument, ast.ElementModification):
            found.append(argument)
        else:
            refuse_argument(argument, cls)
    return found


#: Which kinds of class a class may extend besides its own kind and `class` (section 7.1.3).
_OTHER_BASES: dict[str, frozenset[str]] = {
    "connector": frozenset({"type", "record"}),
    "block": frozenset({"record"}),
    "model": frozenset({"record", "block"}),
    "class": frozenset({"record", "block", "model"}),  # more than the table has: old models do this
}


def _check_kinds(cls: ClassEntry, base: ClassEntry | Predefined, extends: ast.Extends) -> None:
    if base.kind in (cls.kind, "class") or base.kind in _OTHER_BASES.get(cls.kind, ()):
        return
    raise model_error(
        "E209", f"a {cls.kind} cannot extend a {base.kind} (`{base.full_name}`)", cls.at(extends)
    )


def _check_sections(cls: ClassEntry, body: ast.LongBody) -> None:
    """Records and connectors only hold variables (section 4.7)."""
    if cls.kind not in ("record", "connector"):
        return
    for section in body.sections:
        what = "algorithms" if section.algorithm else "equations"
        raise model_error("E209", f"a {cls.kind} has no {what} of its own", cls.at(section))


def _refuse_twice(cls: ClassEntry, body: ast.EnumerationBody) -> None:
    names = [name for name, _, _ in body.literals or ()]
    for name in names:
        if names.count(name) > 1:
            raise model_error(
                "E202", f"the literal `{name}` is given twice in `{cls.full_name}`", cls.at(body)
            )


def _written_alike(a: Element, b: Element) -> bool:
    """The same declaration of the same class (section 7.1): inherited from two classes, or from one and
    repeated, it is one element. Comments and annotations do not count."""

    def meaning(element: Element) -> tuple[object, ...]:
        clause, declaration = element.clause, element.declaration
        said = (*clause.subscripts, *declaration.subscripts, declaration.modification, declaration.condition)
        text = element.lexical.source.text
        words = tuple(text[node.start : node.end].split() if node is not None else None for node in said)
        return clause.connection, clause.variability, clause.causality, clause.prefixes.final, words

    if a.lexical is b.lexical or meaning(a) != meaning(b):
        return False
    classes = (resolve_class(e.clause.type_name, e.lexical) for e in (a, b))
    return next(classes) is next(classes)


def _refuse_unsupported_class(cls: ClassEntry) -> None:
    definition = cls.definition
    what = None
    if definition.expandable:
        what = "expandable connectors"
    elif isinstance(definition.body, ast.LongBody) and definition.body.extends_base:
        what = "class extensions (`extends` with a class's own name)"
    elif definition.prefixes.inner or definition.prefixes.outer:
        what = "`inner` and `outer` classes"
    elif definition.constraint is not None and definition.constraint.modification is not None:
        what = "modifications of a constraining class"
    if what is not None:
        raise model_error("E204", f"{what} are not supported yet", cls.span)


def _refuse_unsupported_clause(cls: ClassEntry, clause: ast.ComponentClause) -> None:
    prefixes = clause.prefixes
    what = None
    if prefixes.inner or prefixes.outer:
        what = "`inner` and `outer` components"
    elif prefixes.redeclare:
        what = "`redeclare` components"
    elif clause.connection == "stream":
        what = "`stream` variables"
    elif clause.constraint is not None and clause.constraint.modification is not None:
        what = "modifications of a constraining class"
    if what is not None:
        raise model_error("E204", f"{what} are not supported yet", cls.at(clause))
