"""The elements of a class with all its bases: what an instance of it will consist of.

A layout depends only on the class and its environment, so it is made once per entry; values of modifiers
depend on the instance and are bound later (`modifiers`).
"""

from __future__ import annotations

from dataclasses import replace

from saltus.core.diagnostics import Note, model_error
from saltus.core.nearest import known_hint
from saltus.core.source import Span
from saltus.expr.nodes import Enumeration
from saltus.ir import ast
from saltus.ir.instance import Change, ClassEntry, Element, Layout, Predefined, changed_name
from saltus.lower.classes.classes import changing_arguments
from saltus.lower.classes.inheritance import check_alone, check_base, check_inherited_classes, check_kinds
from saltus.lower.classes.lookup import (
    base_classes,
    class_names,
    member_class,
    nearest,
    resolve_class,
    resolve_from,
)
from saltus.lower.classes.restrictions import check_definition
from saltus.lower.classes.selective import Deselection


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
                self._change(made, cls)
            self._made[cls] = made
        return made

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
            check_definition(cls)
            body = cls.definition.body
            match body:
                case ast.LongBody():
                    return self._long(cls, body)
                case ast.ShortBody():
                    return self._short(cls, body)
                case ast.EnumerationBody():
                    literals = Enumeration(cls.full_name, (name for name, _, _ in body.literals or ()))
                    return Layout(cls, predefined="Integer", enumeration=literals)
                case ast.DerBody():
                    what = "a function defined by der(...) can only be called"
                    raise model_error("E204", what, cls.at(body))
        finally:
            self._making.pop()

    def _short(self, cls: ClassEntry, body: ast.ShortBody) -> Layout:
        # A short class has no scope of its own: its names are those of the class it stands in.
        found = base_classes(cls).get(id(body)) or resolve_from(body.type_name, cls.parent, cls)
        check_kinds(cls, found, cls.at(body.type_name))
        base = self.of(found, cls.at(body.type_name))
        layout = Layout(cls, base.predefined, base.enumeration)
        layout.partial = cls.definition.partial or base.partial
        layout.causality = body.causality or base.causality
        layout.dimensions = list(base.dimensions)
        if body.subscripts:
            layout.dimensions.insert(0, (body.subscripts, cls))
        self._inherit(layout, base, protected=False)
        self._change_predefined(layout, cls, found, body.modification)
        return layout

    def _long(self, cls: ClassEntry, body: ast.LongBody) -> Layout:
        layout = Layout(cls, external=body.external, lexicals={cls}, partial=cls.definition.partial)
        redeclarations: list[Element] = []
        known = base_classes(cls)
        if body.extends_base:
            self._extend_own_name(layout, cls, known.get(id(body)))
        for element in body.elements:
            match element:
                case ast.Extends():
                    base_class = known.get(id(element)) or resolve_class(element.type_name, cls)
                    check_base(cls, base_class, element, inherited_name=id(element) not in known)
                    base = self.of(base_class, cls.at(element))
                    if base.dimensions or base.causality:
                        check_alone(cls, element, "is an array" if base.dimensions else "has a direction")
                    layout.dimensions += base.dimensions  # `type Orientation extends Matrix`
                    layout.causality = layout.causality or base.causality
                    self._inherit(layout, base, element.protected, Deselection(element.modification, cls))
                    self._change_predefined(layout, cls, base_class, element.modification)
                case ast.ComponentClause():
                    for declaration in element.declarations:
                        own = Element(declaration.name, element, declaration, cls, element.prefixes.protected)
                        if element.prefixes.redeclare:
                            redeclarations.append(own)
                        else:
                            self._add(layout, own)
                case ast.ClassDefinition() | ast.Import():
                    pass
        check_inherited_classes(cls)
        for redeclaration in redeclarations:
            _redeclare(layout, redeclaration)
        layout.sections += [(section, cls) for section in body.sections]
        return layout

    def _extend_own_name(self, layout: Layout, cls: ClassEntry, base: ClassEntry | None) -> None:
        """`redeclare model extends M`: the inherited M, and more (section 7.3.1)."""
        if base is None:
            raise model_error(
                "E201",
                f"there is no inherited class `{cls.name}` that could be extended here",
                cls.span,
                hint="the class around it must extend one that declares it",
            )
        self._inherit(layout, self.of(base, cls.span), protected=False)

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
        self, layout: Layout, base: Layout, protected: bool, deselection: Deselection | None = None
    ) -> None:
        """Takes over a base's elements, without those that are left out."""
        if base.predefined is not None:
            layout.predefined = base.predefined
            layout.enumeration = base.enumeration
            layout.type_modifications += base.type_modifications
            return
        if deselection:
            deselection.check(base.elements, base.sections)
        for element in base.elements.values():
            if not deselection or deselection.keeps(element.name):
                self._add(layout, replace(element, protected=True) if protected else element)
        kept = [(deselection.of(s), c) for s, c in base.sections] if deselection else base.sections
        layout.sections += kept
        layout.lexicals |= base.lexicals
        layout.external = layout.external or base.external

    def _change_predefined(
        self,
        layout: Layout,
        cls: ClassEntry,
        base: ClassEntry | Predefined,
        modification: ast.Modification | None,
    ) -> None:
        """What is said about a predefined type; a class keeps by itself what is said about it."""
        if isinstance(base, Predefined):
            site = cls.site if cls.is_short else None
            said = (*cls.constraints, *(Change(a, cls, site) for a in changing_arguments(modification)))
            layout.type_modifications += said

    def _change(self, layout: Layout, cls: ClassEntry) -> None:
        """Adds to the elements what is said about them from outside."""
        if layout.predefined is not None:
            layout.type_modifications += cls.changes
            return
        for change in cls.changes:
            element = layout.elements.get(change.name)
            if element is not None:
                changed = replace(element, modifications=(*element.modifications, change))
                layout.elements[change.name] = changed
            elif member_class(cls, change.name) is None:
                raise model_error(
                    "E201",
                    f"`{change.name}` is not an element of `{cls.full_name}`",
                    change.span,
                    hint=modifiable_hint(change.name, layout),
                )


def modifiable_hint(name: str, layout: Layout) -> str | None:
    """What may be meant by a modification of an element that a class does not have: a list of its parameters,
    or of all its elements, if it has none."""
    cls = layout.cls
    public = [e for e in layout.elements.values() if not e.protected and not e.clause.prefixes.final]
    known = [e.name for e in public] + (class_names(cls) if isinstance(cls, ClassEntry) else [])
    parameters = [e.name for e in public if e.clause.variability == "parameter"]
    owner = f"`{cls.full_name}`"
    if parameters:
        return known_hint(name, known, owner, "parameter", parameters)
    return known_hint(name, known, owner)


def _redeclare(layout: Layout, element: Element) -> None:
    """`redeclare Resistor2 r` as an element: it takes the place of the inherited one."""
    replaced = layout.elements.get(element.name)
    if replaced is None:
        near = nearest(element.name, list(layout.elements))
        raise model_error(
            "E201",
            f"there is no inherited `{element.name}` that could be redeclared here",
            element.span,
            hint=f"did you mean `{near}`?" if near else "remove `redeclare`",
        )
    layout.elements[element.name] = replace(in_place_of(replaced, element), replaced=replaced)


def in_place_of(replaced: Element, element: Element) -> Element:
    """The element with what it keeps of the one it replaces: prefixes and sizes that it does not give
    itself, the condition, and what the constraining clause says; without one the declaration itself is
    the constraint (section 7.3.2)."""
    old, new = replaced.clause, element.clause
    clause = replace(
        new,
        connection=new.connection or old.connection,
        variability=new.variability or old.variability,
        causality=new.causality or old.causality,
        prefixes=replace(new.prefixes, inner=old.prefixes.inner, outer=old.prefixes.outer),
        constraint=new.constraint or old.constraint,
    )
    declaration = element.declaration
    if not (new.subscripts or declaration.subscripts):
        declaration = replace(
            declaration, subscripts=(*replaced.declaration.subscripts, *replaced.clause.subscripts)
        )
    if declaration.condition is None:
        declaration = replace(declaration, condition=replaced.declaration.condition)
    constraints = replaced.constraints
    said = replaced.declaration.modification if old.constraint is None else old.constraint.modification
    if said is not None and said.arguments:
        constraints = (*constraints, (replace(said, value=None), replaced.lexical))
    return Element(
        element.name,
        clause,
        declaration,
        element.lexical,
        element.protected or replaced.protected,
        element.modifications,
        constraints,
    )


def _written_alike(a: Element, b: Element) -> bool:
    """Whether two declarations are written alike and mean one class (section 7.1): inherited from two
    classes, or from one and repeated, they are one element. Comments and annotations do not count, nor what
    the one says about it and the other does not: the first one is taken."""
    if a.lexical is b.lexical or _meaning(a) != _meaning(b):
        return False
    said, again = _said(a), _said(b)
    if said[""] != again[""] or any(said[name] != again[name] for name in said.keys() & again.keys()):
        return False
    first, second = (resolve_class(e.clause.type_name, e.lexical) for e in (a, b))
    if isinstance(first, ClassEntry) and isinstance(second, ClassEntry):
        return first.origin is second.origin
    return first is second


def _meaning(element: Element) -> tuple[object, ...]:
    clause, declaration = element.clause, element.declaration
    nodes = (*clause.subscripts, *declaration.subscripts, declaration.condition)
    texts = tuple(_text(element, node) for node in nodes)
    return clause.connection, clause.variability, clause.causality, clause.prefixes.final, texts


def _said(element: Element) -> dict[str, str]:
    """What the declaration says, by attribute; its value under no name."""
    modification = element.declaration.modification
    said = {changed_name(a): _text(element, a) for a in changing_arguments(modification)}
    said[""] = _text(element, modification.value if modification is not None else None)
    return said


def _text(element: Element, node: ast.Node | None) -> str:
    """The text without blanks."""
    return "".join(element.lexical.source.text[node.start : node.end].split()) if node is not None else ""
