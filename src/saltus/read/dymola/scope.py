"""What names mean in a model: its own, those of its bases, and what is seen of other classes.

Classes are looked for in the same text, then where `known` looks: in files, and among those that come with
the program. An interface is made of the text alone, so that models may use each other in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from saltus.core.diagnostics import Diagnostic, Note, model_error
from saltus.core.nearest import did_you_mean
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.dymola import (
    REAL,
    TERMINAL,
    Cut,
    Declaration,
    Equation,
    Interface,
    Model,
    NodeNames,
    Path,
    Port,
    Seen,
    Submodel,
    When,
)

#: What is known of a class of that name outside of the text.
Known = Callable[[str], Interface | None]


def nothing_known(name: str) -> Interface | None:
    """A text that stands alone."""
    return None


@dataclass(eq=False)
class Text:
    """The models of one text and what they may use. `types` are found later, and are Real until then."""

    source: Source
    models: tuple[Model, ...]
    known: Known = nothing_known
    types: Mapping[tuple[str, str], str] = field(default_factory=dict)
    _interfaces: dict[str, Interface] = field(default_factory=dict)

    def model(self, name: str) -> Model | None:
        """A model of this text."""
        return next((m for m in self.models if m.name == name), None)

    def interface(self, name: str) -> Interface | None:
        """What is seen of a class, of this text or another."""
        if name not in self._interfaces:
            model = self.model(name)
            found = self.known(name) if model is None else self._of(model)
            if found is None:
                return None
            self._interfaces[name] = found
        return self._interfaces[name]

    def needed(self, name: ast.Reference) -> Interface:
        """The class that a name means, which must exist."""
        found = self.interface(name.text)
        if found is None:
            near = did_you_mean(name.text, [m.name for m in self.models])
            near = near or did_you_mean(name.text, self._others(name.text))
            hint = near or "a class stands in this file, in one beside it, or along --library"
            raise model_error("E201", f"there is no class `{name.text}`", self.at(name), hint=hint)
        return found

    def _others(self, name: str) -> list[str]:
        """Predefined classes."""
        from_outside = ("Common", "TwoPort", "Resistor", "Capacitor", "Inductor", "VSource", "CSource")
        return [n for n in from_outside if self.known(n) is not None]

    def forget(self) -> None:
        """Interfaces are made anew: the types have become known."""
        self._interfaces.clear()

    def at(self, node: ast.Node) -> Span:
        """The place of a node."""
        return Span(self.source, node.start, node.end)

    # ------------------------------------------------------------ bases

    def bases(self, model: Model) -> Iterator[Model]:
        """The models of this text that a model extends, the nearest first."""
        seen = [model]
        while model.base is not None:
            found = self.model(model.base.text)
            if found is None:
                return
            if found in seen:
                names = " extends ".join(f"`{m.name}`" for m in [*seen[seen.index(found) :], found])
                raise model_error("E203", names, self.at(model.base), hint="remove one of these classes")
            seen.append(found)
            yield found
            model = found

    def outside_base(self, model: Model) -> Interface | None:
        """The first base that is not in this text."""
        last = [model, *self.bases(model)][-1]
        return None if last.base is None else self.needed(last.base)

    # ------------------------------------------------------------ interfaces

    def _of(self, model: Model) -> Interface:
        chain = [model, *self.bases(model)]
        outside = self.outside_base(model)
        ports: dict[str, Port] = dict(outside.ports) if outside else {}
        paths = dict(outside.paths) if outside else {}
        variables = dict(outside.variables) if outside else {}
        parts = dict(outside.parts) if outside else {}
        main_cut, main_path = (outside.main_cut, outside.main_path) if outside else (None, None)
        states = {name for each in chain for name in differentiated(each)}
        for each in reversed(chain):
            for variable in declared(each):
                known = self.types.get((each.name, variable.name), REAL)
                variables[variable.name] = Seen(variable.name, variable.kind, each.name, known)
            for cut in each.of(Cut):
                ports[cut.name] = self._port(each, cut, ports)
                main_cut = cut.name if cut.main else main_cut
            for path in each.of(Path):
                paths[path.name] = path.first.text, path.last.text
                main_path = path.name if path.main else main_path
            for submodel in each.of(Submodel):
                parts.update((part.name, submodel.class_name.text) for part in submodel.parts)
        for name in states & variables.keys():
            seen = variables[name]
            variables[name] = Seen(seen.name, seen.kind, seen.declared_in, seen.type, is_state=True)
        written = tuple(chain) + (outside.written if outside else ())
        return Interface(model.name, ports, main_cut, paths, main_path, variables, parts, written=written)

    def _port(self, model: Model, cut: Cut, ports: Mapping[str, Port]) -> Port:
        if not cut.parts:
            types = tuple(
                tuple(self.types.get((model.name, v.name), REAL) for v in side)
                for side in (cut.across, cut.through)
            )
            return Port(cut.name, (types[0], types[1]))
        inside = []
        for name, place in cut.parts:
            if name not in ports:
                span = Span(self.source, *place)
                hint = did_you_mean(name, ports) or "declare it before the cut that it is a part of"
                raise model_error("E201", f"`{model.name}` has no cut `{name}`", span, hint=hint)
            inside.append(ports[name])
        return Port(cut.name, None, tuple(inside))


@dataclass(frozen=True)
class Declared:
    """A variable that a model declares, in a declaration or in a cut."""

    node: ast.Node
    name: str
    kind: str
    value: ast.Expression | None = None
    note: str = ""


def declared(model: Model) -> list[Declared]:
    """The variables of a model itself, in order. A cut declares its own, unless they are declared anyway."""
    found: dict[str, Declared] = {}
    explicit = {v.name for d in model.of(Declaration) for v in d.variables}
    several: list[Declared] = []
    for item in model.items:
        if isinstance(item, Declaration):
            for v in item.variables:
                several.append(Declared(v, v.name, item.kind, v.value, v.note))
        elif isinstance(item, Cut):
            for variable in (*item.across, *item.through):
                if variable.name and variable.name not in found and variable.name not in explicit:
                    found[variable.name] = Declared(variable, variable.name, TERMINAL)
                    several.append(found[variable.name])
    return several


def declared_twice(text: Text) -> Iterator[Diagnostic]:
    """Names that are given to two models of a text, or to two things in a model: of what has a value or
    connects, and of what can be connected. A path may be called like a variable, as one in the paper is,
    and a variable may stand in several cuts."""
    yield from _twice(text.source, "this file", ((m.name, m.named) for m in text.models))
    for model in text.models:
        seen: set[Span | None] = set()
        for kinds in ((Declared, Cut, Submodel), (Cut, Path, Submodel, NodeNames)):
            names = sorted(_names(model, kinds), key=lambda each: each[1])
            for found in _twice(text.source, f"`{model.name}`", names):
                if found.span not in seen:
                    seen.add(found.span)
                    yield found


def _twice(source: Source, where: str, names: Iterable[tuple[str, ast.Offsets]]) -> Iterator[Diagnostic]:
    first: dict[str, ast.Offsets] = {}
    for name, place in names:
        if name in first:
            notes = (Note("first declared here", Span(source, *first[name])),)
            hint = "rename or remove one of them"
            message = f"`{name}` is declared twice in {where}"
            yield Diagnostic("E202", message, Span(source, *place), notes, hint)
        first.setdefault(name, place)


def _names(model: Model, kinds: tuple[type, ...]) -> Iterator[tuple[str, ast.Offsets]]:
    for item in (*declared(model), *model.items):
        if not isinstance(item, kinds):
            continue
        match item:
            case Declared():
                yield item.name, (item.node.start, item.node.end)
            case Cut() | Path():
                yield item.name, (item.start, item.start + len(item.name))
            case Submodel():
                yield from ((p.name, (p.start, p.start + len(p.name))) for p in item.parts)
            case NodeNames():
                yield from item.names


def equations(model: Model) -> Iterator[Equation]:
    """All equations of a model, those inside of whens included."""
    for item in model.items:
        if isinstance(item, Equation):
            yield item
        elif isinstance(item, When):
            yield from item.items


def called(node: Any, function: str) -> Iterator[ast.Reference]:
    """The variables to which a function is applied, `x` of `der(x)` and `new(x)`."""
    for call in calls(node, function):
        if len(call.args) == 1 and isinstance(call.args[0], ast.Reference):
            yield call.args[0]


def calls(node: Any, function: str) -> Iterator[ast.Call]:
    """The calls of a function in a tree."""
    for each in walk(node):
        if isinstance(each, ast.Call) and each.function.text == function:
            yield each


def walk(node: Any) -> Iterator[ast.Node]:
    """A tree from the top, but for the names of functions. A sum of a thousand terms is a tree as deep."""
    left = [node]
    while left:
        each = left.pop()
        if isinstance(each, tuple):
            left += reversed(each)
        elif isinstance(each, ast.Node):
            yield each
            left += [v for k, v in reversed(each.__dict__.items()) if k != "function"]


def differentiated(model: Model) -> set[str]:
    """Own or inherited variables with a derivative in this model."""
    found = set()
    for equation in equations(model):
        for function in ("der", "der2"):
            for side in (equation.left, equation.right):
                found |= {r.text for r in called(side, function) if len(r.parts) == 1}
    return found


def renewed(model: Model) -> dict[str, ast.Reference]:
    """Variables with `new(x)` in this model, each with its first place."""
    found: dict[str, ast.Reference] = {}
    for equation in equations(model):
        for side in (equation.left, equation.right):
            for reference in called(side, "new"):
                found.setdefault(reference.text, reference)
    return found
