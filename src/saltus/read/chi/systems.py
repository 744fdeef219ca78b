"""Systems and experiments as classes of Modelica: processes side by side, joined by channels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from saltus.core.diagnostics import Note, model_error
from saltus.core.nearest import did_you_mean, known_hint
from saltus.core.source import Source, Span
from saltus.core.wording import there_are
from saltus.ir import ast
from saltus.read.chi.channels import Link, joined_by
from saltus.read.chi.names import CHANNEL, CONTINUOUS, PARAMETER, RECEIVE, SEND, VOID, Declared
from saltus.read.chi.pieces import modifier, path
from saltus.read.chi.sampling import SEED, handed_on, samples
from saltus.read.chi.syntax import Instance, Process, System, Text, Variable

_Argument: TypeAlias = tuple[str, ast.Expression, ast.Offsets]


@dataclass(frozen=True)
class Parts:
    """What the class of a system has beside its parameters."""

    elements: list[ast.Element] = field(default_factory=list)
    items: list[ast.Item] = field(default_factory=list)


def parts_of(system: System, text: Text, source: Source) -> Parts:
    """The processes of a system and what joins them. Raises `ModelError`."""
    return _Joining(system, text, source).whole()


class _Joining:
    def __init__(self, system: System, text: Text, source: Source) -> None:
        self.system = system
        self.text = text
        self.source = source
        self.parts = Parts()
        #: The ends of each channel: instance, parameter, and where it is given.
        self.ends: dict[str, dict[str, tuple[str, str, ast.Offsets]]] = {}
        self.channels = {c.declared.name: c.declared for c in system.channels}

    def whole(self) -> Parts:
        """All of it."""
        for variable in self.system.channels:
            if variable.declared.causality == "continuous":
                self.parts.elements.append(_real(variable))
        for name, instance in zip(self._names(), self.system.instances, strict=True):
            self._instance(name, instance)
        links = []
        for channel_name, channel in self.channels.items():
            found = self.ends.get(channel_name, {})
            self._complete(channel, found)
            if channel.causality != "continuous":
                links.append(Link(channel, found[SEND][:2], found[RECEIVE][:2]))
        for part in joined_by(links):
            if isinstance(part, ast.SimpleEquation):
                self.parts.items.append(part)
            else:
                self.parts.elements.append(part)
        return self.parts

    def _names(self) -> list[str]:
        """What the instances are called: as they say, or like their process, with a number if there are
        several."""
        given = [instance.name for instance in self.system.instances if instance.name]
        count = Counter(instance.process for instance in self.system.instances if not instance.name)
        number: Counter[str] = Counter()
        found: dict[str, Instance] = {}
        for instance in self.system.instances:
            name = instance.name
            if not name:
                number[instance.process] += 1
                several = count[instance.process] > 1 or instance.process in given
                name = f"{instance.process}_{number[instance.process]}" if several else instance.process
            if name in found:
                note = Note("it is here for the first time", self._span(found[name]))
                message = f"`{name}` stands twice in this system"
                raise model_error("E202", message, self._span(instance), notes=(note,))
            found[name] = instance
        return list(found)

    def _span(self, node: ast.Node) -> Span:
        return Span(self.source, node.start, node.end)

    # ------------------------------------------------------------ instances

    def _instance(self, name: str, instance: Instance) -> None:
        process = meant(instance, self.text, self.source)
        given = []
        arguments = bound(instance, process, self.text, self.source)
        for parameter in process.parameters:
            end = parameter.declared
            argument = arguments.get(end.name)
            if end.kind == PARAMETER:
                if argument is not None:
                    given.append(modifier(ast.Node(*argument[2]), end.name, argument[1]))
            elif argument is None:
                hint = f"write `{instance.process}(..., {end.name} = c)`, with `c : -...` in the system"
                message = f"`{end.name}` of `{name}` is joined to no channel"
                raise model_error("E210", message, Span(self.source, *instance.place), hint=hint)
            else:
                self._join(name, end, argument)
        if SEED in arguments and SEED not in {p.declared.name for p in process.parameters}:
            given.append(modifier(ast.Node(*arguments[SEED][2]), SEED, arguments[SEED][1]))
        if is_uncertain(process, self.text):
            number = self.system.instances.index(instance) + 1
            given += handed_on(instance, number, set(arguments))
        inside = ast.Modification(instance.start, instance.end, tuple(given)) if given else None
        declaration = ast.Declaration(instance.start, instance.end, name, modification=inside)
        type_name = ast.Reference(*instance.place, ((instance.process, ()),), absolute=True)
        self.parts.elements.append(
            ast.ComponentClause(instance.start, instance.end, type_name, (), (declaration,))
        )

    def _join(self, name: str, end: Declared, argument: _Argument) -> None:
        """An end of a process meets a channel of the system."""
        _, value, place = argument
        span = Span(self.source, value.start, value.end)
        channel_name = value.text if isinstance(value, ast.Reference) else ""
        if channel_name not in self.channels:
            hint = known_hint(channel_name, self.channels, "the system", "channel")
            raise model_error("E210", f"`{end.name}` needs a channel of the system", span, hint=hint)
        channel = self.channels[channel_name]
        continuous = end.kind == CONTINUOUS
        if continuous != (channel.causality == "continuous") or channel.type != end.type:
            message = f"`{end.name}` {_shown(end)}, and the channel `{channel_name}` {_shown(channel)}"
            raise model_error("E210", message, span, hint="both need the same type")
        if continuous:
            node = ast.Node(*place)
            inner = path(node, name, end.name)
            self.parts.items.append(ast.SimpleEquation(*place, inner, path(node, channel_name)))
        kind = end.kind if not continuous else (SEND if end.causality == "output" else RECEIVE)
        found = self.ends.setdefault(channel_name, {})
        if kind in found and not (continuous and kind == RECEIVE):
            does = "sends" if kind == SEND else "receives"
            note = Note("the other one", Span(self.source, *found[kind][2]))
            message = f"a second process {does} through the channel `{channel_name}`"
            hint = "a channel leads from one process to one other"
            raise model_error("E210", message, span, notes=(note,), hint=hint)
        found[kind] = (name, end.name, place)

    def _complete(self, channel: Declared, found: dict[str, tuple[str, str, ast.Offsets]]) -> None:
        for kind, does in ((SEND, "sends"), (RECEIVE, "receives")):
            if kind not in found and not (kind == RECEIVE and channel.causality == "continuous"):
                message = f"no process {does} through the channel `{channel.name}`"
                hint = "give it to a process, or remove it"
                raise model_error("E210", message, Span(self.source, *channel.place), hint=hint)


def _real(channel: Variable) -> ast.ComponentClause:
    declared = channel.declared
    unit = modifier(channel, "unit", ast.String(channel.start, channel.end, declared.unit))
    inside = ast.Modification(channel.start, channel.end, (unit,))
    declaration = ast.Declaration(channel.start, channel.end, declared.name, modification=inside)
    type_name = path(channel, declared.type)
    return ast.ComponentClause(channel.start, channel.end, type_name, (), (declaration,))


def _shown(end: Declared) -> str:
    if end.kind == CONTINUOUS or end.causality == "continuous":
        return "is continuous"
    if end.type == VOID:
        return "passes nothing"
    verb = "is" if end.kind == CHANNEL else "passes"
    return f"{verb} of the type {end.type.strip(chr(39))}"


def is_uncertain(definition: Process | System, text: Text) -> bool:
    """Whether something in it is sampled."""
    known: dict[str, Process | System] = {**text.processes, **text.systems}
    seen: set[str] = set()
    waiting = [definition]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Process):
            if samples(found.statements):
                return True
        elif found.name not in seen:
            seen.add(found.name)
            waiting += [known[i.process] for i in found.instances if i.process in known]
    return False


def meant(instance: Instance, text: Text, source: Source) -> Process | System:
    """The process or system of an instance."""
    known: dict[str, Process | System] = {**text.processes, **text.systems}
    if instance.process not in known:
        near = did_you_mean(instance.process, known)
        hint = near or f"this file defines {', '.join(f'`{name}`' for name in list(known)[:5])}"
        span = Span(source, *instance.place)
        raise model_error("E201", f"there is no process `{instance.process}`", span, hint=hint)
    return known[instance.process]


def bound(instance: Instance, process: Process | System, text: Text, source: Source) -> dict[str, _Argument]:
    """The arguments by the parameters that they are for, by name or by place."""
    names = [v.declared.name for v in process.parameters]
    found: dict[str, _Argument] = {}
    for number, argument in enumerate(instance.arguments):
        name, value, place = argument
        if not name:
            if number >= len(names):
                count = f"{len(names)} parameter{'s' * (len(names) != 1)}" if names else "no parameters"
                message = f"`{process.name}` has {count}"
                told: str | None = (
                    there_are(names, f"`{process.name}`", "parameter") if names else "leave the value out"
                )
                raise model_error("E212", message, Span(source, value.start, value.end), hint=told)
            name = names[number]
        if name not in names and not (name == SEED and is_uncertain(process, text)):
            told = known_hint(name, names, f"`{process.name}`", "parameter")
            span = Span(source, *place)
            raise model_error("E207", f"`{process.name}` has no parameter `{name}`", span, hint=told)
        if name in found:
            raise model_error("E202", f"`{name}` is given twice", Span(source, *place))
        found[name] = argument
    return found


def modifiers(
    instance: Instance, process: Process | System, text: Text, source: Source
) -> Iterator[ast.ElementModification]:
    """The values of parameters."""
    for name, (_, value, place) in bound(instance, process, text, source).items():
        yield modifier(ast.Node(*place), name, value)
