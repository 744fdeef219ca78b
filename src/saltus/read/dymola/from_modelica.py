"""Classes of Modelica as models of Dymola: the part of Modelica that fits.

That is: models and blocks with scalar variables of predefined types, connectors of potentials and flows in
the same text, one base, connections, equations, and when-clauses with one branch. Everything else is refused
at its place. A variable to which `pre` is applied becomes one with `new`; variables of a cut are those that
the equations name, and a part of a connector that has no name gets one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from saltus.core.diagnostics import Diagnostic, ModelError, model_error
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.dymola import (
    CONSTANT,
    INPUT,
    LOCAL,
    OUTPUT,
    PARAMETER,
    Connection,
    Connections,
    Cut,
    CutVariable,
    Declaration,
    Equation,
    Item,
    Model,
    Part,
    Submodel,
    Variable,
    When,
)
from saltus.read.dymola.connectors import ACROSS, THROUGH
from saltus.read.dymola.prior import rebuilt
from saltus.read.dymola.scope import Known, called, nothing_known, walk
from saltus.read.dymola.text.tokens import DYMOLA_WORDS

_TYPES = frozenset(["Real", "Boolean", "Integer"])
_MODELS = ("model", "block", "class")
_PACKAGE = "Dymola1993."


@dataclass(frozen=True)
class _Sides:
    """The variables of a connector."""

    across: tuple[str, ...]
    through: tuple[str, ...]


_USUAL = _Sides((ACROSS,), (THROUGH,))


def to_models(
    source: Source, stored: ast.StoredDefinition, known: Known = nothing_known
) -> tuple[Model, ...]:
    """The models of a text. Raises `ModelError` with all that does not fit. Classes that the text has not are
    `known`."""
    errors: list[Diagnostic] = []
    connectors: dict[str, _Sides] = {f"{_PACKAGE}Cut": _USUAL}
    found: list[Model] = []
    # What is run is the last one: Dymola calls the others classes.
    last = next((c for c in reversed(stored.classes) if c.kind in _MODELS), None)
    for definition in stored.classes:
        try:
            if definition.kind == "connector":
                connectors[definition.name] = _connector(source, definition)
            elif definition.kind in _MODELS:
                others = {c.name: c for c in stored.classes}
                reader = _Class(source, definition, connectors, others, known)
                found.append(replace(reader.model(), is_class=definition is not last))
            else:
                _refuse(source, definition, f"a {definition.kind}")
        except ModelError as error:
            errors += error.diagnostics
    if errors:
        raise ModelError(errors)
    return tuple(found)


def _refuse(source: Source, node: ast.Node, what: str, hint: str | None = None) -> NoReturn:
    span = Span(
        source, node.start, min(node.end, source.text.find("\n", node.start) % (len(source.text) + 1))
    )
    raise model_error("E204", f"{what} has no counterpart in the Dymola language of 1993", span, hint=hint)


def _elements(definition: ast.ClassDefinition) -> tuple[ast.Element, ...]:
    return definition.body.elements if isinstance(definition.body, ast.LongBody) else ()


def _connector(source: Source, definition: ast.ClassDefinition) -> _Sides:
    across: list[str] = []
    through: list[str] = []
    if not isinstance(definition.body, ast.LongBody):
        _refuse(source, definition, "a connector that is a signal")
    if definition.expandable:
        _refuse(source, definition, "an expandable connector")
    for element in _elements(definition):
        if not isinstance(element, ast.ComponentClause) or element.type_name.text not in _TYPES:
            _refuse(source, element, "what is no variable of a predefined type in a connector")
        if element.connection == "stream" or element.causality or element.variability or element.subscripts:
            _refuse(source, element, "such a variable of a connector")
        side = through if element.connection == "flow" else across
        side += [d.name for d in element.declarations]
    return _Sides(tuple(across), tuple(through))


@dataclass(eq=False)
class _Class:
    source: Source
    definition: ast.ClassDefinition
    connectors: Mapping[str, _Sides]
    others: Mapping[str, ast.ClassDefinition]
    known: Known
    cuts: dict[str, _Sides] = field(default_factory=dict)
    named: dict[tuple[str, str], tuple[str, bool]] = field(default_factory=dict)

    def model(self) -> Model:
        definition = self.definition
        body = definition.body
        if not isinstance(body, ast.LongBody) or body.external is not None or body.extends_base:
            _refuse(self.source, definition, "such a class")
        connectors = dict(self.connectors)
        for element in body.elements:
            if isinstance(element, ast.ClassDefinition):
                if element.kind != "connector":
                    _refuse(self.source, element, "a class in a class")
                connectors[element.name] = _connector(self.source, element)
        self.connectors = connectors
        equations = [i for s in body.sections for i in self._of_section(s)]
        self._refuse_words(body)
        clauses = [e for e in body.elements if isinstance(e, ast.ComponentClause)]
        self.prior = self._prior(body)
        self._cuts(clauses, equations)
        items: list[Item] = []
        base = None
        for element in body.elements:
            match element:
                case ast.ClassDefinition():
                    pass
                case ast.Extends():
                    if base is not None:
                        _refuse(self.source, element, "a second base")
                    base = self._extends(element)
                case ast.ComponentClause():
                    items += self._clause(element, items)
                case _:
                    _refuse(self.source, element, "an import", "write full names")
        for section in body.sections:
            for item in section.items:
                if self._absorbed(item) is None:
                    items += self._item(item, section.initial)
        return Model(
            definition.start,
            definition.end,
            definition.name,
            False,
            base,
            tuple(items),
            definition.description,
        )

    def _refuse_words(self, body: ast.LongBody) -> None:
        for element in body.elements:
            for declaration in element.declarations if isinstance(element, ast.ComponentClause) else ():
                if declaration.name in DYMOLA_WORDS:
                    hint = f"`{declaration.name}` is a word of the language: choose another name"
                    _refuse(self.source, declaration, "this name", hint)

    def _of_section(self, section: ast.Section) -> tuple[ast.Item, ...]:
        if section.algorithm:
            _refuse(self.source, section, "an algorithm", "write equations")
        return section.items

    def _prior(self, body: ast.LongBody) -> frozenset[str]:
        """Variables that `new` is said of: `pre` is applied to them, and they change at instants only."""
        found = {r.text for r in called(tuple(body.sections), "pre") if len(r.parts) == 1}
        found &= self._in_whens() | {
            d.name
            for c in self._chain()
            for e in _elements(c)
            if isinstance(e, ast.ComponentClause) and e.type_name.text in ("Boolean", "Integer")
            for d in e.declarations
        }
        for base in self._chain()[1:]:
            for node in walk(tuple(_sections(base))):
                if isinstance(node, ast.Reference) and node.text in found:
                    hint = f"declare `{node.text}` where `pre({node.text})` is used"
                    _refuse(self.source, node, f"`pre({node.text})` of what a base uses, too,", hint)
        return frozenset(found)

    def _chain(self) -> list[ast.ClassDefinition]:
        """The class and its bases in this text."""
        chain = [self.definition]
        while True:
            names = [e.type_name.text.lstrip(".") for e in _elements(chain[-1]) if isinstance(e, ast.Extends)]
            found = self.others.get(names[0]) if names else None
            if found is None or found in chain:
                return chain
            chain.append(found)

    # ------------------------------------------------------------ cuts

    def _cuts(self, clauses: list[ast.ComponentClause], equations: list[ast.Item]) -> None:
        """Names of the variables of cuts: those that an equation gives, else those that are made up."""
        for clause in clauses:
            sides = self.connectors.get(clause.type_name.text.lstrip("."))
            if sides is not None:
                self.cuts.update((d.name, sides) for d in clause.declarations)
        for item in equations:
            found = self._absorbed(item)
            if found is not None:
                self.named.setdefault(found[0], found[1])
        inside = [i for i in equations if self._absorbed(i) is None]
        for node in walk((*inside, *clauses)):
            if isinstance(node, ast.Reference) and len(node.parts) == 2 and node.parts[0][0] in self.cuts:
                key = node.parts[0][0], node.parts[1][0]
                self.named.setdefault(key, (f"{key[0]}_{key[1]}", False))

    def _absorbed(self, item: ast.Item) -> tuple[tuple[str, str], tuple[str, bool]] | None:
        """`A.across = Va`, `A.through = -i`: the names that a cut gives its variables."""
        if not isinstance(item, ast.SimpleEquation) or item.description:
            return None
        for outer, own in ((item.left, item.right), (item.right, item.left)):
            if (
                not isinstance(outer, ast.Reference)
                or len(outer.parts) != 2
                or outer.parts[0][0] not in self.cuts
            ):
                continue
            negative = isinstance(own, ast.Unary) and own.operator == "-"
            inner = own.operand if isinstance(own, ast.Unary) else own
            key = outer.parts[0][0], outer.parts[1][0]
            if negative and key[1] not in self.cuts[key[0]].through:
                continue
            if isinstance(inner, ast.Reference) and len(inner.parts) == 1:
                found = inner.text, negative
                if self.named.get(key, found) == found:
                    return key, found
        return None

    def _cut(self, declaration: ast.Declaration) -> Cut:
        name = declaration.name
        sides = self.cuts[name]

        def variables(names: tuple[str, ...]) -> tuple[CutVariable, ...]:
            told = (self.named.get((name, each), ("", False)) for each in names)
            return tuple(CutVariable(declaration.start, declaration.end, n, minus) for n, minus in told)

        place = declaration.start, declaration.end
        return Cut(
            *place, name, variables(sides.across), variables(sides.through), note=declaration.description
        )

    # ------------------------------------------------------------ components

    def _extends(self, element: ast.Extends) -> ast.Reference:
        for argument in (element.modification.arguments or ()) if element.modification else ():
            modification = argument.modification if isinstance(argument, ast.ElementModification) else None
            values = self._attributes(modification)
            start = values.get("start")
            zero = start is None or (isinstance(start, ast.Number | ast.Boolean) and not start.value)
            if (
                modification is None
                or modification.value is not None
                or not zero
                or set(values) - {"start", "fixed"}
            ):
                hint = "give the value to a component, or declare the variable in this class"
                _refuse(self.source, argument, "a modification of a base", hint)
        return self._class_name(element.type_name)

    def _class_name(self, name: ast.Reference) -> ast.Reference:
        parts = name.parts
        if name.text.lstrip(".").startswith(_PACKAGE):
            parts = parts[1:]
        return ast.Reference(name.start, name.end, parts)

    def _attributes(self, modification: ast.Modification | None) -> dict[str, ast.Expression | None]:
        found: dict[str, ast.Expression | None] = {}
        for argument in (modification.arguments or ()) if modification is not None else ():
            if not isinstance(argument, ast.ElementModification) or len(argument.name) > 1:
                _refuse(self.source, argument, "such a modification")
            inner = argument.modification
            found[argument.name[0]] = inner.value if inner is not None else None
        return found

    def _clause(self, clause: ast.ComponentClause, before: list[Item]) -> Iterator[Item]:
        if clause.subscripts or any(d.subscripts or d.condition is not None for d in clause.declarations):
            _refuse(self.source, clause, "an array, or what exists on a condition,")
        p = clause.prefixes
        if p.inner or p.outer or p.replaceable or p.redeclare:
            _refuse(self.source, clause, "such a prefix")
        kind = clause.type_name.text.lstrip(".")
        if kind in self.connectors:
            for declaration in clause.declarations:
                yield self._cut(declaration)
            return
        if kind not in _TYPES:
            given: list[Item] = []
            parts = tuple(self._part(d, clause.type_name, given) for d in clause.declarations)
            yield Submodel(clause.start, clause.end, self._class_name(clause.type_name), parts)
            yield from given
            return
        declared = clause.variability if clause.variability in (PARAMETER, CONSTANT) else clause.causality
        word = declared if declared in (PARAMETER, CONSTANT, INPUT, OUTPUT) else LOCAL
        told: list[Variable] = []
        bindings: list[Item] = []
        names = {name for name, _ in self.named.values()}
        for declaration in clause.declarations:
            plain = declaration.modification is None and not declaration.description
            if plain and word == LOCAL and declaration.name in names:
                continue  # its cut declares it
            told.append(self._variable(declaration, word, bindings))
        if told:
            yield Declaration(clause.start, clause.end, word, tuple(told))
        yield from bindings

    def _variable(self, declaration: ast.Declaration, word: str, bindings: list[Item]) -> Variable:
        modification = declaration.modification
        values = self._attributes(modification)
        note = declaration.description
        unit = values.pop("unit", None)
        if isinstance(unit, ast.String):
            note = f"[{unit.value}] {note}".strip()
        start, fixed = values.pop("start", None), values.pop("fixed", None)
        if values:
            _refuse(self.source, declaration, f"the attribute `{next(iter(values))}`", "leave it away")
        value = modification.value if modification is not None else None
        if word not in (PARAMETER, CONSTANT):
            if value is not None:
                own = ast.Reference(declaration.start, declaration.start, ((declaration.name, ()),))
                place = declaration.start, declaration.end
                bindings.append(Equation(*place, self._changed(own), self._changed(value)))
            zero = isinstance(start, ast.Number | ast.Boolean) and not start.value
            is_fixed = isinstance(fixed, ast.Boolean) and fixed.value
            # A state without a value starts at zero if nothing else decides, what changes at instants always.
            value = None if zero and not (is_fixed and declaration.name in self._states()) else start
            if is_fixed and not self._starts(declaration.name):
                _refuse(
                    self.source, declaration, "a fixed value of what is no state", "write an initial equation"
                )
        elif isinstance(fixed, ast.Boolean) and not fixed.value:
            _refuse(self.source, declaration, "a parameter that initial equations determine")
        elif start is not None:
            value = value if value is not None else start
        changed = None if value is None else self._changed(value)
        return Variable(declaration.start, declaration.end, declaration.name, changed, note)

    def _starts(self, name: str) -> bool:
        """Whether a variable has a start in Dymola: a state, or one that changes at instants."""
        return name in self._states() | self._in_whens() | self.prior

    def _states(self) -> set[str]:
        """Variables with a derivative, here or in a base."""
        whole = tuple(part for c in self._chain() for part in (*_sections(c), *_elements(c)))
        return {r.text for r in called(whole, "der")}

    def _in_whens(self) -> set[str]:
        """Variables that get values at instants, here or in a base."""
        sections = tuple(s for c in self._chain() for s in _sections(c))
        return {
            i.left.text
            for w in walk(sections)
            if isinstance(w, ast.WhenEquation)
            for _, items in w.branches
            for i in items
            if isinstance(i, ast.SimpleEquation) and isinstance(i.left, ast.Reference)
        }

    def _part(
        self, declaration: ast.Declaration, class_name: ast.Reference, equations: list[Item]
    ) -> Part:
        """A submodel. What is no parameter of it gets its value by an equation."""
        modification = declaration.modification
        given: list[tuple[str, ast.Expression, ast.Offsets]] = []
        if modification is not None and modification.value is not None:
            _refuse(self.source, declaration, "a component with a value")
        for argument in (modification.arguments or ()) if modification is not None else ():
            if not isinstance(argument, ast.ElementModification) or len(argument.name) > 1:
                _refuse(self.source, argument, "such a modification")
            inner = argument.modification
            value = inner.value if inner is not None else None
            if value is None:
                values = self._attributes(inner)
                value = values.pop("start", None)
                if value is None or set(values) - {"fixed"}:
                    _refuse(self.source, argument, "such a modification")
            elif self._is_variable(class_name, argument.name[0]):
                place = argument.start, argument.end
                own = ast.Reference(*place, ((declaration.name, ()), (argument.name[0], ())))
                equations.append(Equation(*place, own, self._changed(value)))
                continue
            given.append((argument.name[0], self._changed(value), (argument.start, argument.end)))
        return Part(
            declaration.start, declaration.end, declaration.name, tuple(given), declaration.description
        )

    def _is_variable(self, class_name: ast.Reference, name: str) -> bool:
        """Whether a class has a variable of this name that is no parameter."""
        seen = self.known(class_name.text.lstrip("."))
        definition = self.others.get(class_name.text.lstrip("."))
        while definition is not None:
            for clause in _elements(definition):
                if isinstance(clause, ast.ComponentClause) and name in (d.name for d in clause.declarations):
                    return clause.variability not in (PARAMETER, CONSTANT)
            bases = [e for e in _elements(definition) if isinstance(e, ast.Extends)]
            base = bases[0].type_name.text.lstrip(".") if bases else ""
            seen, definition = self.known(base) if base else None, self.others.get(base)
        found = seen.variables.get(name) if seen is not None else None
        return found is not None and found.kind not in (PARAMETER, CONSTANT)

    # ------------------------------------------------------------ equations

    def _item(self, item: ast.Item, initial: bool) -> Iterator[Item]:
        place = item.start, item.end
        match item:
            case ast.SimpleEquation(left=left, right=right):
                if initial:
                    if not isinstance(left, ast.Reference):
                        _refuse(self.source, item, "an initial equation that is not `x = value`")
                    left = _call(left, "init", left)
                    yield Equation(*place, left, self._changed(right), item.description)
                else:
                    yield Equation(*place, self._changed(left), self._changed(right), item.description)
            case ast.Connect():
                way = ast.Reference(item.left.start, item.left.end, item.left.parts)
                yield Connections(*place, (Connection(*place, way, (item.right,)),))
            case ast.WhenEquation(branches=branches) if len(branches) == 1:
                condition, inside = branches[0]
                equations = tuple(self._at_instant(i) for i in inside)
                yield When(*place, self._changed(condition), equations, item.description)
            case _:
                hints = {ast.IfEquation: "write an if-expression", ast.WhenEquation: "write several of them"}
                _refuse(self.source, item, "such an equation", hints.get(type(item)))

    def _at_instant(self, item: ast.Item) -> Equation:
        place = item.start, item.end
        if isinstance(item, ast.SimpleEquation):
            return Equation(*place, self._changed(item.left), self._changed(item.right), item.description)
        if isinstance(item, ast.CallEquation) and item.call.function.text == "reinit":
            state, value = item.call.args
            if isinstance(state, ast.Reference) and len(state.parts) == 1:

                def before(node: ast.Node) -> ast.Node | None:
                    if isinstance(node, ast.Call) and node.function.text == "pre":
                        inner = node.args[0]
                        if isinstance(inner, ast.Reference) and inner.text not in self.prior:
                            return inner
                    return None

                value = rebuilt(value, before)
                return Equation(*place, _call(state, "new", state), self._changed(value), item.description)
        _refuse(self.source, item, "such a statement at an instant")

    def _changed(self, node: Any) -> Any:
        """An expression in Dymola."""

        def change(each: ast.Node) -> ast.Node | None:
            if isinstance(each, ast.Call):
                if each.function.text == "pre" and len(each.args) == 1:
                    inner = each.args[0]
                    if isinstance(inner, ast.Reference) and inner.text in self.prior:
                        return inner
                    return each
                if each.iterators or each.named:
                    _refuse(self.source, each, "such a call")
            if isinstance(each, ast.Reference):
                if any(subscripts for _, subscripts in each.parts):
                    _refuse(self.source, each, "an array")
                if each.text == "time":
                    return ast.Reference(each.start, each.end, (("Time", ()),))
                if each.text in self.prior:
                    return _call(each, "new", each)
                if len(each.parts) == 2 and each.parts[0][0] in self.cuts:
                    name, minus = self.named[each.parts[0][0], each.parts[1][0]]
                    own = ast.Reference(each.start, each.end, ((name, ()),))
                    if not minus:
                        return own
                    return ast.Parenthesis(each.start, each.end, ast.Unary(each.start, each.end, "-", own))
            if isinstance(
                each, ast.ArrayConstructor | ast.MatrixConstructor | ast.Range | ast.String | ast.Tuple
            ):
                _refuse(self.source, each, "such an expression")
            return None

        return rebuilt(node, change)


def _sections(definition: ast.ClassDefinition) -> tuple[ast.Section, ...]:
    return definition.body.sections if isinstance(definition.body, ast.LongBody) else ()


def _call(node: ast.Node, function: str, argument: ast.Expression) -> ast.Call:
    name = ast.Reference(node.start, node.end, ((function, ()),))
    return ast.Call(node.start, node.end, name, (argument,))
