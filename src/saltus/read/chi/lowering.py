"""Processes to classes of Modelica. Everything keeps the places of the text, which later messages quote."""

from __future__ import annotations

from collections.abc import Iterator

from saltus.core.diagnostics import Note, model_error
from saltus.core.nearest import known_hint
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.read.chi.control import automaton_of
from saltus.read.chi.equations import items_of
from saltus.read.chi.names import BOOLEAN, CONSTANT, CONTINUOUS, DISCRETE, INTEGER, PARAMETER, REAL, Declared
from saltus.read.chi.pieces import literal, modifier, path, references, truth
from saltus.read.chi.stepping import controlled
from saltus.read.chi.syntax import Assignment, Constant, Experiment, Instance, Process, Text, Variable


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
        for definition in self.text.definitions:
            match definition:
                case Process():
                    yield self._process(definition)
                case Experiment():
                    yield self._run(definition)

    def _at(self, start: int) -> Span:
        return Span(self.source, start, start + len("proc"))

    # ------------------------------------------------------------ processes

    def _process(self, process: Process) -> ast.ClassDefinition:
        known = {v.declared.name: v.declared for v in (*process.parameters, *process.variables)}
        constants = {c.variable.declared.name: c for c in self.text.constants}
        known.update({n: c.variable.declared for n, c in constants.items() if n not in known})
        starts = self._starts(process, known)
        elements: list[ast.Element] = []
        elements += self._enumerations(process)
        elements += [self._constant(constants[n]) for n in self._used(process, constants)]
        elements += [self._variable(v, starts) for v in (*process.parameters, *process.variables)]
        items = tuple(items_of(process.equations, known, self.source))
        sections = [ast.Section(process.start, process.end, False, False, items)] if items else []
        if process.statements:
            automaton = automaton_of(process, process.statements, known, self.source)
            control = controlled(automaton, known, self.source)
            elements += control.elements
            sections += control.sections
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

    def _span(self, node: ast.Node) -> Span:
        return Span(self.source, node.start, node.end)

    def _used(self, process: Process, constants: dict[str, Constant]) -> list[str]:
        """The constants that a process needs, in the order of the text."""
        own = {v.declared.name for v in (*process.parameters, *process.variables)}
        waiting = {
            r.parts[0][0] for r in references((process.initialization, process.equations, process.statements))
        }
        found: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in constants and name not in own and name not in found:
                found.add(name)
                waiting |= {r.parts[0][0] for r in references(constants[name].value)}
        return [name for name in constants if name in found]

    def _enumerations(self, process: Process) -> Iterator[ast.ClassDefinition]:
        seen = set()
        for variable in (*process.parameters, *process.variables):
            declared = variable.declared
            if declared.literals and declared.type not in seen:
                seen.add(declared.type)
                body = ast.EnumerationBody(
                    variable.start, variable.end, tuple((name, "", None) for name in declared.literals)
                )
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
            value = self._zero(variable)
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

    def _zero(self, variable: Variable) -> ast.Expression:
        """What a discrete variable is as long as nothing was assigned."""
        declared = variable.declared
        if declared.type == BOOLEAN:
            return truth(variable, False)
        if declared.type in (REAL, INTEGER):
            return literal(variable, 0)
        return path(variable, declared.type, declared.literals[0])

    def _clause(
        self, variable: Variable, modification: ast.Modification | None, variability: str
    ) -> ast.ComponentClause:
        declared = variable.declared
        declaration = ast.Declaration(variable.start, variable.end, declared.name, modification=modification)
        type_name = path(variable, declared.type)
        return ast.ComponentClause(
            variable.start, variable.end, type_name, (), (declaration,), variability=variability
        )

    # ------------------------------------------------------------ what is run

    def _run(self, experiment: Experiment) -> ast.ClassDefinition:
        """An experiment with one process is that process, with the values of its parameters."""
        (instance,) = experiment.instances
        process = self._meant(instance)
        given = self._given(instance, process)
        inside = ast.Modification(instance.start, instance.end, given) if given else None
        extends = ast.Extends(
            instance.start, instance.end, path(ast.Node(*instance.place), instance.process), inside
        )
        return self._class(experiment, experiment.name, [extends], ())

    def _meant(self, instance: Instance) -> Process:
        processes = self.text.processes
        if instance.process not in processes:
            hint = known_hint(instance.process, processes, "this file", "process")
            span = Span(self.source, *instance.place)
            raise model_error("E201", f"there is no process `{instance.process}`", span, hint=hint)
        return processes[instance.process]

    def _given(self, instance: Instance, process: Process) -> tuple[ast.ElementModification, ...]:
        """The values of parameters, by name or by place."""
        names = [v.declared.name for v in process.parameters]
        found: dict[str, ast.ElementModification] = {}
        for number, (name, value, place) in enumerate(instance.arguments):
            span = Span(self.source, *place)
            if not name:
                if number >= len(names):
                    hint = f"they are {', '.join(names)}" if names else None
                    message = f"`{process.name}` has {len(names)} parameters"
                    raise model_error("E212", message, self._span(value), hint=hint)
                name = names[number]
            if name not in names:
                hint = known_hint(name, names, f"`{process.name}`", "parameter")
                raise model_error("E207", f"`{process.name}` has no parameter `{name}`", span, hint=hint)
            if name in found:
                raise model_error("E202", f"`{name}` is given twice", span)
            found[name] = modifier(ast.Node(*place), name, value)
        return tuple(found.values())
