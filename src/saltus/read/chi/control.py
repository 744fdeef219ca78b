"""Statements to an automaton.

Statements in a row are steps of one edge, as long as none of them reads a continuous variable behind an
assignment: equations are solved again before it does. What is waited for, and choices that depend on
continuous variables, are locations. At the end, locations that are left at once are taken out, and behind
each assignment to a continuous variable a location is put in, in which equations are solved with its new
value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from saltus.core.diagnostics import model_error
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.read.chi.automaton import Automaton, Choice, Edge, Location, Preparation, Reception, Step
from saltus.read.chi.equations import exhaustive
from saltus.read.chi.names import Declared, ascii_text
from saltus.read.chi.pieces import references
from saltus.read.chi.syntax import (
    Alternative,
    Assignment,
    Receive,
    Repetition,
    Selection,
    Skip,
    StateEvent,
    Statement,
    TimeOut,
)
from saltus.read.chi.types import is_continuous


def automaton_of(
    node: ast.Node, statements: tuple[Statement, ...], known: dict[str, Declared], source: Source
) -> Automaton:
    """The automaton of a process. Raises `ModelError` for what is never reached, and for what never ends."""
    builder = _Builder(known, source)
    found = builder.whole(node, statements)
    found.verify()
    return found


@dataclass
class _Way:
    """An edge that is being built. Its target is not known at first."""

    source: int
    alternative: Alternative | None = None
    otherwise: bool = False
    steps: list[Step] = field(default_factory=list)
    target: int = -1

    @property
    def at_once(self) -> bool:
        return self.alternative is None and not self.otherwise


class _Builder:
    def __init__(self, known: dict[str, Declared], source: Source) -> None:
        self.known = known
        self.source = source
        self.locations: list[Location] = []
        self.ways: list[_Way] = []
        #: Ways that have not come anywhere yet: the statement that comes next is done on them.
        self.open: list[_Way] = []

    def whole(self, node: ast.Node, statements: tuple[Statement, ...]) -> Automaton:
        """The automaton."""
        begin = self._location(ast.Node(statements[0].start, statements[0].start), "begin")
        self._leave(begin)
        self._sequence(statements)
        if self.open:
            self._close(self._location(ast.Node(statements[-1].end, statements[-1].end), "end"))
        self._refuse_endless()
        initial = self._without_detours(begin)
        self._pause_behind_jumps()
        return self._numbered(node, initial)

    # ------------------------------------------------------------ locations and ways

    def _location(self, node: ast.Node, name: str) -> int:
        self.locations.append(Location(node.start, node.end, name))
        return len(self.locations) - 1

    def _leave(self, location: int, alternative: Alternative | None = None, otherwise: bool = False) -> _Way:
        way = _Way(location, alternative, otherwise)
        event = alternative.event if alternative is not None else None
        if isinstance(event, Receive) and event.target is not None:
            way.steps.append(Reception(event.start, event.end, event.channel, event.target))
        self.ways.append(way)
        self.open.append(way)
        return way

    def _close(self, location: int) -> None:
        """All open ways lead here."""
        for way in self.open:
            way.target = location
        self.open = []

    def _join(self, node: ast.Node) -> int:
        """A location in which all open ways meet, and from which one leads on."""
        line = self.source.position(node.start)[0]
        name = f"repetition in line {line}" if isinstance(node, Repetition) else self._text(node)
        location = self._location(node, name)
        self._close(location)
        return location

    def _text(self, node: ast.Node) -> str:
        text = ascii_text(self.source.text[node.start : node.end])
        return text if len(text) <= 60 else f"{text[:57]}..."

    def _span(self, node: ast.Node) -> Span:
        return Span(self.source, node.start, node.end)

    # ------------------------------------------------------------ statements

    def _sequence(self, statements: Sequence[Statement]) -> None:
        for statement in statements:
            if not self.open:
                message = "this is never reached: the preceding repetition never ends"
                hint = "a repetition that ends has guards: `*[ b -> S ]`"
                raise model_error("E209", message, self._span(statement), hint=hint)
            match statement:
                case Skip():
                    pass
                case Assignment():
                    self._append(statement)
                case Selection():
                    choice = self._choice(statement)
                    if choice is None:
                        self._select(statement)
                    else:
                        self._append(choice)
                case Repetition():
                    self._repeat(statement)

    def _append(self, step: Step) -> None:
        """Does a step on the way."""
        if len(self.open) != 1 or not self._compatible(self.open[0].steps, [step]):
            self._leave(self._join(step))
        self.open[0].steps.append(step)

    def _compatible(self, before: Sequence[Step], steps: Sequence[Step]) -> bool:
        """Whether steps can be done in one go with those before them."""
        return not (any(not isinstance(s, Preparation) for s in before) and any(map(self._reads, steps)))

    def _reads(self, step: Step) -> bool:
        """Whether a step depends on continuous variables; the time does not change on the way."""
        match step:
            case Assignment():
                return self._continuous(step.value)
            case Choice() | Reception():
                return False
            case Preparation():
                guard, event = step.alternative.guard, step.alternative.event
                asked: list[object] = [guard if event is not None else None]
                if isinstance(event, StateEvent):
                    asked.append(event.equality)
                if isinstance(event, TimeOut):
                    asked.append(event.duration)
                return self._continuous(tuple(asked))

    def _continuous(self, node: object) -> bool:
        return any(is_continuous(r, self.known) for r in references(node) if r.text != "time")

    def _choice(self, selection: Selection) -> Choice | None:
        """A selection that needs no waiting and depends on nothing continuous."""
        branches = []
        for alternative in selection.alternatives:
            guard = alternative.guard
            if alternative.event is not None or guard is None or self._changes(guard):
                return None
            steps: list[Step] = []
            for statement in alternative.body:
                if isinstance(statement, Selection):
                    inner = self._choice(statement)
                    if inner is None:
                        return None
                    steps.append(inner)
                elif isinstance(statement, Assignment) and not self._continuous(statement.value):
                    steps.append(statement)
                elif not isinstance(statement, Skip):
                    return None
            branches.append((guard, tuple(steps)))
        if not exhaustive([guard for guard, _ in branches]):
            return None
        return Choice(selection.start, selection.end, tuple(branches))

    def _changes(self, node: object) -> bool:
        return any(is_continuous(reference, self.known) for reference in references(node))

    def _select(self, selection: Selection) -> int:
        """Waits, or chooses. Returns the location."""
        kept: list[Step] = [
            Preparation(a.start, a.end, a) for a in selection.alternatives if self._needs_preparation(a)
        ]
        if any(not self._compatible(way.steps, kept) for way in self.open):
            self._leave(self._join(selection))
        for way in self.open:
            way.steps += kept
        location = self._location(selection, self._name(selection))
        self._close(location)
        behind: list[_Way] = []
        for alternative in selection.alternatives:
            self._leave(location, alternative)
            self._sequence(alternative.body)
            behind += self.open
            self.open = []
        self.open = behind
        return location

    def _name(self, selection: Selection) -> str:
        if len(selection.alternatives) == 1:
            return selection.alternatives[0].text
        return " [] ".join(a.text for a in selection.alternatives)

    def _needs_preparation(self, alternative: Alternative) -> bool:
        event = alternative.event
        if event is None:
            return False
        equality = isinstance(event, StateEvent) and event.equality is not None
        guarded = alternative.guard is not None and self._changes(alternative.guard)
        return equality or guarded or isinstance(event, TimeOut)

    def _repeat(self, repetition: Repetition) -> None:
        head = self._join(repetition)
        self._leave(head)
        if not isinstance(repetition.body, Selection):
            self._sequence(repetition.body)
            self._close(head)
            return
        location = self._select(repetition.body)
        self._close(head)
        guards = [a.guard for a in repetition.body.alternatives if a.guard is not None]
        if len(guards) == len(repetition.body.alternatives) and not exhaustive(guards):
            self._leave(location, otherwise=True)

    # ------------------------------------------------------------ the whole

    def _refuse_endless(self) -> None:
        """What goes round without ever waiting for anything."""
        following = {way.source: way.target for way in self.ways if way.at_once}
        for start in following:
            at, seen = start, set()
            while at in following and at not in seen:
                seen.add(at)
                at = following[at]
            if at == start and start in seen:
                message = "this repetition never waits: it would repeat forever at one instant"
                hint = "let it wait for something: `delta t`, or `nabla r`"
                raise model_error("E209", message, self._span(self.locations[start]), hint=hint)

    def _without_detours(self, initial: int) -> int:
        """Takes locations out that are left at once, where the steps behind them can be done in one go with
        those before. Returns where the automaton begins."""
        for number in range(len(self.locations)):
            leaving = [way for way in self.ways if way.source == number]
            if len(leaving) != 1 or not leaving[0].at_once:
                continue
            (way,) = leaving
            arriving = [w for w in self.ways if w.target == number]
            if number == initial:
                if way.steps:
                    continue
                initial = way.target
            for before in arriving:
                if self._compatible(before.steps, way.steps):
                    before.steps += way.steps
                    before.target = way.target
            if not any(w.target == number for w in self.ways):
                self.ways.remove(way)
        return initial

    def _pause_behind_jumps(self) -> None:
        """After continuous variables were assigned, equations are solved before anything else is done."""
        pauses: dict[tuple[int, str], int] = {}
        for way in list(self.ways):
            jumps = [step for step in way.steps if _jumps(step)]
            if not jumps:
                continue
            key = (way.target, self._text(jumps[-1]))
            if key not in pauses:
                pauses[key] = self._location(jumps[-1], key[1])
                self.ways.append(_Way(pauses[key], target=way.target))
            way.target = pauses[key]

    def _numbered(self, node: ast.Node, initial: int) -> Automaton:
        """What is left, in the order of the text, with names that differ."""
        used = {initial} | {way.target for way in self.ways} | {way.source for way in self.ways}
        kept = sorted(used, key=lambda k: (self.locations[k].start, k))
        number = {old: new for new, old in enumerate(kept)}
        names = Counter(self.locations[k].name for k in kept)
        taken: set[str] = set()
        locations = []
        for old in kept:
            location = self.locations[old]
            name = location.name
            if names[name] > 1:
                name = f"{name} in line {self.source.position(location.start)[0]}"
            unique, count = name, 1
            while unique in taken:
                count += 1
                unique = f"{name} ({count})"
            taken.add(unique)
            locations.append(replace(location, name=unique))
        edges = tuple(
            Edge(
                locations[number[w.source]].start,
                locations[number[w.source]].end,
                number[w.source],
                number[w.target],
                w.alternative,
                w.otherwise,
                tuple(w.steps),
            )
            for w in self.ways
        )
        return Automaton(node.start, node.end, tuple(locations), edges, number[initial])


def _jumps(step: Step) -> bool:
    """Whether a continuous variable is assigned."""
    match step:
        case Assignment():
            return step.continuous
        case Choice():
            return any(_jumps(inner) for _, steps in step.branches for inner in steps)
        case Preparation() | Reception():
            return False
