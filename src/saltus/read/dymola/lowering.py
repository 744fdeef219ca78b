"""Models to classes of Modelica, with the places of their own text.

    terminal x, local x        Real x, or Boolean x                         (types)
    cut A (Va / i)             a connector A, and Va = A.across, i = A.through
    connect ...                connect(...)                                 (wiring)
    new(x), init(x), when      x and pre(x), initial equations, reinit      (prior, at_instants)
    der2(x)                    a variable for the first derivative

A variable with a derivative and a value in its declaration starts there; without one it starts at zero, if
nothing else decides. Where a class extends one of another language, or has submodels of one, only names meet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.nearest import known_hint
from saltus.ir import ast
from saltus.ir.dymola import (
    BOOLEAN,
    CONSTANT,
    INPUT,
    OUTPUT,
    PARAMETER,
    REAL,
    Connections,
    Cut,
    Declaration,
    Equation,
    Interface,
    Model,
    NodeNames,
    Part,
    Path,
    Seen,
    Submodel,
    When,
)
from saltus.read.dymola.at_instants import AtInstants
from saltus.read.dymola.connectors import connector_class, connector_name, cut_equations
from saltus.read.dymola.merging import merged
from saltus.read.dymola.prior import Rewriting
from saltus.read.dymola.scope import (
    Declared,
    Text,
    called,
    declared,
    declared_twice,
    differentiated,
    equations,
    renewed,
)
from saltus.read.dymola.types import types_of
from saltus.read.dymola.wiring import Wiring

_UNIT = re.compile(r"\[([^\[\]]+)\]\s*(.*)")
_PACKAGE = ("Dymola1993",)


def classes(text: Text) -> tuple[ast.ClassDefinition, ...]:
    """The classes of a text: those that begin with `model class` first, so that the last is a model to run.
    Raises `ModelError` with what is wrong in any of them."""
    errors = list(declared_twice(text))
    if errors:
        raise ModelError(errors)
    text.types = types_of(text)
    text.forget()
    found: list[ast.ClassDefinition] = []
    for model in sorted(text.models, key=lambda m: not m.is_class):
        try:
            found.append(_Lowering(text, model).definition())
        except ModelError as error:
            errors += error.diagnostics
    if errors:
        raise ModelError(errors)
    return tuple(found)


class _Lowering:
    def __init__(self, text: Text, model: Model) -> None:
        self.text = text
        self.whole = model
        own = text.interface(model.name)
        assert own is not None
        self.own: Interface = own
        self.model = merged(text, model)
        self.base = None if self.model.base is None else text.needed(self.model.base)
        chain = [self.model, *(self.base.written if self.base is not None else ())]
        self.states = frozenset(n for m in chain for n in differentiated(m)) | frozenset(
            n for n, v in self.own.variables.items() if v.is_state
        )
        self.renewed = frozenset(n for m in chain for n in renewed(m)) - self.states
        self.twice = self._twice(chain)
        rewriting = Rewriting(text, self.own.variables, self.renewed, self.twice)
        self.rewriting = rewriting
        self.at_instants = AtInstants(text, self.model, self.own, rewriting, self.states)
        self.kept = self.at_instants.kept()

    def definition(self) -> ast.ClassDefinition:
        """The class."""
        model = self.model
        elements: list[ast.Element] = []
        items: list[ast.Item] = []
        initial: list[ast.Item] = []
        wiring = Wiring(self.text, self.whole, self.own)
        cut_items = [item for item in model.items if isinstance(item, Cut) and not item.parts]
        elements += self._connector_classes(cut_items)
        if model.base is not None:
            elements.append(self._extends(model.base))
        told = {v.name: v for v in declared(model)}
        for item in model.items:
            match item:
                case Declaration():
                    elements += self._clauses([told[v.name] for v in item.variables if v.name in told])
                case Cut() if not item.parts:
                    names = [v.name for v in (*item.across, *item.through)]
                    ours = [
                        told[n]
                        for n in dict.fromkeys(names)
                        if n and told[n].node in (*item.across, *item.through)
                    ]
                    # First the variables: in listings they stand for those of the connector, too.
                    elements += self._clauses(ours)
                    elements.append(self._connector(item))
                    items += cut_equations(item)
                case Submodel():
                    elements.append(self._submodel(item))
                case Connections():
                    items += wiring.connects(item)
                case Equation():
                    (initial if self.at_instants.is_initial(item) else items).append(
                        self.at_instants.equation(item)
                    )
                case When():
                    items.append(self.at_instants.when(item))
                case Cut() | Path() | NodeNames():
                    pass
        for name, first in self.twice.items():
            if self._declares_first(name):
                elements += self._first_derivative(name, first, items)
        self._check_paths()
        sections = [ast.Section(model.start, model.end, False, False, tuple(items))] if items else []
        if initial:
            sections.insert(0, ast.Section(model.start, model.end, False, True, tuple(initial)))
        return ast.ClassDefinition(
            model.start,
            model.end,
            model.name,
            "model",
            ast.LongBody(model.start, model.end, tuple(elements), tuple(sections)),
            description=model.note,
            annotation=model.experiment,
        )

    # ------------------------------------------------------------ classes

    def _extends(self, base: ast.Reference) -> ast.Extends:
        """The base, with where its variables start if it matters only here."""
        arguments = []
        own = {v.name for v in declared(self.model)}
        for name, seen in self.own.variables.items():
            if name in own or seen.kind in (PARAMETER, CONSTANT):
                continue
            before = self.base.variables.get(name) if self.base is not None else None
            values: list[ast.ElementModification] = []
            newly = name in self.kept or (name in self.renewed and name in renewed(self.model))
            if newly:
                values = [*self._default(base, seen), _modifier(base, "fixed", _boolean(base, True))]
            elif before is not None and not before.is_state and name in self.states:
                fixed = _modifier(base, "fixed", _boolean(base, True))
                values = [fixed] if self._has_value(name) else self._default(base, seen)
            if values:
                arguments.append(_modifier(base, name, None, tuple(values)))
        inside = ast.Modification(base.start, base.end, tuple(arguments)) if arguments else None
        return ast.Extends(base.start, base.end, self._class(base), inside)

    def _has_value(self, name: str) -> bool:
        """Whether a base says where a variable starts."""
        bases = self.base.written if self.base is not None else ()
        return any(v.name == name and v.value is not None for m in bases for v in declared(m))

    def _default(self, node: ast.Node, seen: Seen) -> list[ast.ElementModification]:
        if self._has_value(seen.name):
            return []
        zero: ast.Expression = (
            _boolean(node, False) if seen.type == BOOLEAN else ast.Number(node.start, node.end, 0)
        )
        return [_modifier(node, "start", zero)]

    def _class(self, name: ast.Reference) -> ast.Reference:
        """The class as Modelica finds it."""
        full = self.text.needed(name).full_name
        if not full:
            return name
        return ast.Reference(name.start, name.end, tuple((n, ()) for n in full.split(".")), absolute=True)

    def _connector_classes(self, cuts: list[Cut]) -> Iterator[ast.ClassDefinition]:
        """Connectors that the library has not, and no base either."""
        known = {p.signature for p in self.base.ports.values()} if self.base is not None else set()
        for cut in cuts:
            signature = self.own.ports[cut.name].signature
            assert signature is not None
            if signature in known or connector_name(signature) is None:
                continue
            known.add(signature)
            yield connector_class(cut, signature)

    def _connector(self, cut: Cut) -> ast.ComponentClause:
        signature = self.own.ports[cut.name].signature
        assert signature is not None
        name = connector_name(signature)
        parts = (*_PACKAGE, "Cut") if name is None else (name,)
        type_name = ast.Reference(cut.start, cut.end, tuple((p, ()) for p in parts), absolute=name is None)
        declaration = ast.Declaration(cut.start, cut.end, cut.name, description=cut.note)
        return ast.ComponentClause(cut.start, cut.end, type_name, (), (declaration,))

    # ------------------------------------------------------------ variables

    def _clauses(self, variables: list[Declared]) -> Iterator[ast.ComponentClause]:
        """One clause for what stands together and has one type."""
        group: list[Declared] = []
        for variable in variables:
            if group and self._prefix(variable) != self._prefix(group[0]):
                yield self._clause(group)
                group = []
            group.append(variable)
        if group:
            yield self._clause(group)

    def _type(self, name: str) -> str:
        return self.own.variables[name].type or REAL

    def _prefix(self, variable: Declared) -> tuple[str, str, str]:
        causality = variable.kind if variable.kind in (INPUT, OUTPUT) else ""
        variability = variable.kind if variable.kind in (PARAMETER, CONSTANT) else ""
        if (
            not variability
            and self._type(variable.name) == REAL
            and variable.name in self.renewed | self.kept
        ):
            variability = "discrete"
        return variability, causality, self._type(variable.name)

    def _clause(self, group: list[Declared]) -> ast.ComponentClause:
        variability, causality, kind = self._prefix(group[0])
        start, end = group[0].node.start, group[-1].node.end
        declarations = tuple(
            ast.Declaration(
                v.node.start,
                v.node.start + len(v.name),
                v.name,
                modification=self._modification(v),
                description=unit_of(v.note)[1],
            )
            for v in group
        )
        type_name = ast.Reference(start, end, ((kind, ()),))
        return ast.ComponentClause(
            start, end, type_name, (), declarations, variability=variability, causality=causality
        )

    def _modification(self, variable: Declared) -> ast.Modification | None:
        node = variable.node
        value = None if variable.value is None else self.rewriting.expression(variable.value)
        unit = unit_of(variable.note)[0] if self._type(variable.name) == REAL else ""
        units = [_modifier(node, "unit", ast.String(node.start, node.end, unit))] if unit else []
        if variable.kind in (PARAMETER, CONSTANT):
            if value is None and not units:
                return None
            return ast.Modification(node.start, node.end, tuple(units) or None, value)
        given = [] if value is None else [_modifier(node, "start", value)]
        if variable.name in self.renewed | self.kept:
            given = given or self._default(node, self.own.variables[variable.name])
            given.append(_modifier(node, "fixed", _boolean(node, True)))
        elif variable.name in self.states:
            fixed = [_modifier(node, "fixed", _boolean(node, True))]
            given = [*given, *fixed] if given else self._default(node, self.own.variables[variable.name])
        given = [*units, *given]
        return ast.Modification(node.start, node.end, tuple(given)) if given else None

    # ------------------------------------------------------------ second derivatives

    def _twice(self, chain: list[Model]) -> dict[str, str]:
        """Variables with a second derivative, and the names of the variables for the first."""
        found = {}
        for model in chain:
            for equation in equations(model):
                for reference in called((equation.left, equation.right), "der2"):
                    if len(reference.parts) == 1:
                        found[reference.text] = f"der_{reference.text.strip(chr(39))}"
        return found

    def _declares_first(self, name: str) -> bool:
        bases = self.base.written if self.base is not None else ()
        return not any(
            reference.text == name
            for model in bases
            for equation in equations(model)
            for reference in called((equation.left, equation.right), "der2")
        )

    def _first_derivative(
        self, name: str, first: str, items: list[ast.Item]
    ) -> Iterator[ast.ComponentClause]:
        uses = (
            reference
            for equation in equations(self.model)
            for reference in called((equation.left, equation.right), "der2")
        )
        node = next(reference for reference in uses if reference.text == name)
        if first in self.own.variables:
            message = f"`{first}` is the first derivative of `{name}`, whose second one is taken here"
            raise model_error("E202", message, self.text.at(node), hint=f"choose another name than `{first}`")
        declaration = ast.Declaration(node.start, node.end, first, description=f"Derivative of {name}")
        real = ast.Reference(node.start, node.end, ((REAL, ()),))
        yield ast.ComponentClause(node.start, node.end, real, (), (declaration,))
        left = ast.Reference(node.start, node.end, ((first, ()),))
        function = ast.Reference(node.start, node.end, (("der", ()),))
        right = ast.Call(
            node.start, node.end, function, (ast.Reference(node.start, node.end, ((name, ()),)),)
        )
        items.append(ast.SimpleEquation(node.start, node.end, left, right))

    # ------------------------------------------------------------ submodels

    def _submodel(self, item: Submodel) -> ast.ComponentClause:
        seen = self.text.needed(item.class_name)
        declarations = tuple(
            ast.Declaration(
                p.start,
                p.start + len(p.name),
                p.name,
                modification=self._arguments(p, seen),
                description=p.note,
            )
            for p in item.parts
        )
        return ast.ComponentClause(item.start, item.end, self._class(item.class_name), (), declarations)

    def _arguments(self, part: Part, seen: Interface) -> ast.Modification | None:
        """Values of parameters, and of variables where they start."""
        given = []
        for name, value, place in part.arguments:
            node = ast.Node(*place)
            if name not in seen.variables:
                names = list(seen.variables)
                parameters = [n for n, v in seen.variables.items() if v.kind == PARAMETER]
                hint = known_hint(name, names, f"`{seen.name}`", "parameter", parameters)
                message = f"`{seen.name}` has no parameter `{name}`"
                raise model_error("E207", message, self.text.at(node), hint=hint)
            variable = seen.variables[name]
            changed = self.rewriting.expression(value)
            if variable.kind == PARAMETER:
                given.append(_modifier(node, name, changed))
                continue
            if variable.kind == CONSTANT:
                message = f"`{name}` is a constant of `{seen.name}`"
                raise model_error(
                    "E207", message, self.text.at(node), hint="declare it there as a `parameter`"
                )
            inside = [_modifier(node, "start", changed)]
            if variable.is_state:
                inside.append(_modifier(node, "fixed", _boolean(node, True)))
            given.append(_modifier(node, name, None, tuple(inside)))
        return ast.Modification(part.start, part.end, tuple(given)) if given else None

    def _check_paths(self) -> None:
        """A path leads from one cut of the model to another."""
        for path in self.model.of(Path):
            for end in (path.first, path.last):
                if end.text not in self.own.ports and not self._inside(end):
                    known = list(self.own.ports)
                    hint = known_hint(end.text, known, f"`{self.model.name}`", "cut", known)
                    message = f"`{self.model.name}` has no cut `{end.text}`"
                    raise model_error("E201", message, self.text.at(end), hint=hint)

    def _inside(self, end: ast.Reference) -> bool:
        return len(end.parts) > 1 and end.parts[0][0] in self.own.parts


def unit_of(note: str) -> tuple[str, str]:
    """The unit at the beginning of a comment, and the rest: `[Ohm] resistance`."""
    found = _UNIT.match(note)
    return (found[1], found[2]) if found is not None else ("", note)


def _modifier(
    node: ast.Node,
    name: str,
    value: ast.Expression | None,
    inside: tuple[ast.ElementModification, ...] | None = None,
) -> ast.ElementModification:
    modification = ast.Modification(node.start, node.end, inside, value)
    return ast.ElementModification(node.start, node.end, (name,), modification)


def _boolean(node: ast.Node, value: bool) -> ast.Boolean:
    return ast.Boolean(node.start, node.end, value)
