"""Processes to classes of Modelica. Everything keeps the places of the text, which later messages quote."""

from __future__ import annotations

from collections.abc import Iterator

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.read.chi import sampling
from saltus.read.chi.channels import ends, equations, neutral
from saltus.read.chi.control import automaton_of
from saltus.read.chi.equations import items_of
from saltus.read.chi.names import (
    CHANNEL,
    CONSTANT,
    CONTINUOUS,
    DISCRETE,
    PARAMETER,
    PART,
    REAL,
    RECEIVE,
    SEND,
    Declared,
)
from saltus.read.chi.pieces import modifier, path, references, truth
from saltus.read.chi.sampling import samples
from saltus.read.chi.stepping import controlled
from saltus.read.chi.syntax import (
    Assignment,
    Constant,
    Definition,
    Part,
    Process,
    Statement,
    System,
    Text,
    Variable,
    assigned,
    assignments,
    derivatives,
)
from saltus.read.chi.systems import is_uncertain, meant, modifiers, parts_of


def classes(text: Text, source: Source, experiment: ast.Offsets | None) -> tuple[ast.ClassDefinition, ...]:
    """A class for each process and each experiment, in the order of the text. Raises `ModelError`."""
    lowering = _Lowering(text, source, experiment)
    lowering.check()
    return tuple(lowering.definitions())


class _Lowering:
    def __init__(self, text: Text, source: Source, experiment: ast.Offsets | None) -> None:
        self.text = text
        self.source = source
        self.experiment = experiment
        self.assigned: set[str] = set()

    def check(self) -> None:
        """No name is defined twice."""
        seen: dict[str, ast.Node] = {}
        for definition in self.text.definitions:
            if isinstance(definition, Constant):
                continue
            if definition.name in seen:
                first = seen[definition.name]
                note = Note("it is defined here", self._at(first.start))
                message = f"`{definition.name}` is defined twice"
                raise model_error("E202", message, self._at(definition.start), notes=(note,))
            seen[definition.name] = definition

    def definitions(self) -> Iterator[ast.ClassDefinition]:
        """The classes."""
        yield from self._enumerations()
        for definition in self.text.definitions:
            match definition:
                case Process():
                    yield self._process(definition)
                case System():
                    yield self._system(definition)

    def _at(self, start: int) -> Span:
        return Span(self.source, start, start + len("proc"))

    # ------------------------------------------------------------ processes

    def _process(self, process: Process) -> ast.ClassDefinition:
        known = {v.declared.name: v.declared for v in (*process.parameters, *process.variables)}
        for part in process.parts:
            known[part.name] = Declared(part.name, PART, place=(part.start, part.end))
        constants = {c.variable.declared.name: c for c in self.text.constants}
        known.update({n: c.variable.declared for n, c in constants.items() if n not in known})
        starts = self._starts(process, known)
        self._check_jumps(process)
        self.assigned = assigned(process.statements)
        own = {v.declared.name for v in (*process.parameters, *process.variables)}
        written = (process.initialization, process.equations, process.statements, process.parts)
        elements: list[ast.Element] = []
        elements += [self._constant(constants[n]) for n in self._used(written, own, constants)]
        channels = [v.declared for v in process.parameters if v.declared.kind in (SEND, RECEIVE)]
        for variable in (*process.parameters, *process.variables):
            if variable.declared not in channels:
                elements.append(self._variable(variable, starts))
        elements += [_component(part) for part in process.parts]
        elements += ends(channels)
        if samples(process.statements):
            elements += [*sampling.parameters(process, known), sampling.state(process)]
        items = tuple(items_of(process.equations, known, self.source))
        sections = [ast.Section(process.start, process.end, False, False, items)] if items else []
        if process.statements:
            automaton = automaton_of(_stretch(process.statements), process.statements, known, self.source)
            control = controlled(automaton, known, self.source)
            elements += control.elements
            sections += control.sections
        elif channels:
            silent = tuple(equations(channels, {}))
            sections.append(ast.Section(process.start, process.end, False, False, silent))
        return self._class(process, process.name, elements, tuple(sections))

    def _class(
        self, node: ast.Node, name: str, elements: list[ast.Element], sections: tuple[ast.Section, ...]
    ) -> ast.ClassDefinition:
        body = ast.LongBody(node.start, node.end, tuple(elements), sections)
        return ast.ClassDefinition(node.start, node.end, name, "model", body, annotation=self.experiment)

    def _starts(self, process: Process, known: dict[str, Declared]) -> dict[str, Assignment]:
        found: dict[str, Assignment] = {}
        for assignment in process.initialization:
            if assignment.name in found:
                note = Note("here for the first time", self._span(found[assignment.name]))
                message = f"`{assignment.name}` is initialized twice"
                raise model_error("E202", message, self._span(assignment), notes=(note,))
            for reference in references(assignment.value):
                name = reference.parts[0][0]
                if name in known and known[name].kind in (CONTINUOUS, DISCRETE):
                    message = f"the initial value of `{assignment.name}` depends on the variable `{name}`"
                    hint = "initial values consist of parameters and constants"
                    span = Span(self.source, reference.start, reference.end)
                    raise model_error("E211", message, span, hint=hint)
            found[assignment.name] = assignment
        return found

    def _check_jumps(self, process: Process) -> None:
        """Continuous variables that are assigned have a derivative: others follow from equations."""
        states = set(derivatives(process.equations))
        for assignment in assignments(process.statements):
            if assignment.continuous and assignment.name not in states:
                name = assignment.name
                message = f"`{name}` follows from equations, and keeps no value that is assigned"
                hint = f"only variables with a derivative do; there is no `{name}'` in this process"
                raise model_error("E209", message, self._span(assignment), hint=hint)

    def _span(self, node: ast.Node) -> Span:
        return Span(self.source, node.start, node.end)

    def _used(self, written: object, own: set[str], constants: dict[str, Constant]) -> list[str]:
        """The constants that something needs, in the order of the text."""
        waiting = {r.parts[0][0] for r in references(written)}
        found: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in constants and name not in own and name not in found:
                found.add(name)
                waiting |= {r.parts[0][0] for r in references(constants[name].value)}
        return [name for name in constants if name in found]

    def _enumerations(self) -> Iterator[ast.ClassDefinition]:
        """The types of the text, beside the processes: what passes a channel has one type at both ends."""
        seen = set()
        for definition in self.text.definitions:
            for variable in _variables(definition):
                declared = variable.declared
                if declared.literals and declared.type not in seen:
                    seen.add(declared.type)
                    literals = tuple((name, "", None) for name in declared.literals)
                    body = ast.EnumerationBody(variable.start, variable.end, literals)
                    yield ast.ClassDefinition(variable.start, variable.end, declared.type, "type", body)

    def _constant(self, constant: Constant) -> ast.ComponentClause:
        variable = constant.variable
        given = self._units(variable)
        modification = ast.Modification(variable.start, variable.end, given or None, constant.value)
        return self._clause(variable, modification, CONSTANT)

    def _variable(self, variable: Variable, starts: dict[str, Assignment]) -> ast.ComponentClause:
        declared = variable.declared
        given = self._units(variable)
        if declared.kind == PARAMETER:
            modification = ast.Modification(variable.start, variable.end, given) if given else None
            return self._clause(variable, modification, PARAMETER)
        start = starts.get(declared.name)
        value: ast.Expression | None = None if start is None else start.value
        if declared.kind == DISCRETE and value is None:
            value = neutral(variable, declared)
        if declared.kind == DISCRETE and declared.name not in self.assigned:
            # It keeps its initial value.
            kept = ast.Modification(variable.start, variable.end, given or None, value)
            return self._clause(variable, kept, "")
        if value is not None:
            given = (
                *given,
                modifier(variable, "start", value),
                modifier(variable, "fixed", truth(variable, True)),
            )
        modification = ast.Modification(variable.start, variable.end, given) if given else None
        variability = "discrete" if declared.kind == DISCRETE and declared.type == REAL else ""
        return self._clause(variable, modification, variability)

    def _units(self, variable: Variable) -> tuple[ast.ElementModification, ...]:
        unit = variable.declared.unit
        if not unit:
            return ()
        return (modifier(variable, "unit", ast.String(variable.start, variable.end, unit)),)

    def _clause(
        self, variable: Variable, modification: ast.Modification | None, variability: str
    ) -> ast.ComponentClause:
        declared = variable.declared
        declaration = ast.Declaration(variable.start, variable.end, declared.name, modification=modification)
        type_name = path(variable, declared.type)
        return ast.ComponentClause(
            variable.start,
            variable.end,
            type_name,
            (),
            (declaration,),
            variability=variability,
            causality="" if declared.kind == CHANNEL else declared.causality,
        )

    # ------------------------------------------------------------ systems

    def _system(self, system: System) -> ast.ClassDefinition:
        """A system of one process without a name of its own is that process."""
        constants = {c.variable.declared.name: c for c in self.text.constants}
        used = self._used((system.instances,), {v.declared.name for v in system.parameters}, constants)
        elements: list[ast.Element] = [self._constant(constants[n]) for n in used]
        elements += [self._variable(v, {}) for v in system.parameters]
        (first, *others) = system.instances
        if not others and not first.name and not system.channels:
            process = meant(first, self.text, self.source)
            if all(p.declared.kind == PARAMETER for p in process.parameters):
                given = tuple(modifiers(first, process, self.text, self.source))
                inside = ast.Modification(first.start, first.end, given) if given else None
                base = path(ast.Node(*first.place), first.process)
                elements.append(ast.Extends(first.start, first.end, base, inside))
                return self._class(system, system.name, elements, ())
        if is_uncertain(system, self.text):
            elements += sampling.parameters(system, {v.declared.name: v.declared for v in system.parameters})
        parts = parts_of(system, self.text, self.source)
        section = ast.Section(system.start, system.end, False, False, tuple(parts.items))
        return self._class(
            system, system.name, [*elements, *parts.elements], (section,) if parts.items else ()
        )


def _stretch(statements: tuple[Statement, ...]) -> ast.Node:
    return ast.Node(statements[0].start, statements[-1].end)


def _component(part: Part) -> ast.ComponentClause:
    """A model of another language."""
    given = tuple(modifier(ast.Node(*place), name, value) for name, value, place in part.arguments)
    modification = ast.Modification(part.start, part.end, given) if given else None
    declaration = ast.Declaration(part.start, part.end, part.name, modification=modification)
    return ast.ComponentClause(part.start, part.end, part.class_name, (), (declaration,))


def _variables(definition: Definition) -> tuple[Variable, ...]:
    """What a definition declares."""
    match definition:
        case Process():
            return (*definition.parameters, *definition.variables)
        case System():
            return (*definition.parameters, *definition.channels)
        case Constant():
            return (definition.variable,)
