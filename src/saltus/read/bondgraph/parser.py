"""Statements to graphs: recursive descent, one method for a kind of statement.

Expressions are read by the parser of Modelica, so there is one language of them. A statement with a fault is
left out and the next one is read, so that one run reports all faults.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NoReturn

from saltus.core.diagnostics import Diagnostic, ModelError, Note
from saltus.core.nearest import did_you_mean
from saltus.core.source import Source, Span
from saltus.core.wording import listed
from saltus.ir.automata.automaton import Action, Automaton, Location, Transition
from saltus.ir.automata.lines import Experiment, Memory, Parameter, Signal
from saltus.ir.bonds.graph import KINDS, OFF, ON, Bond, Element, Graph, Item, Machine
from saltus.read.lines.reader import Reader
from saltus.read.lines.statement import Statement
from saltus.read.lines.statements import arrow_at
from saltus.read.modelica.lexer import END_OF_TEXT, NAME, STRING
from saltus.read.modelica.token_stream import Fault

#: Statements of a graph besides elements, which begin with their kind.
_WORDS = ("parameter", "bond", "signal", "memory", "machine", "experiment", "end")
#: Words for elements, and what they are here.
_MEANT = {
    **dict.fromkeys(["resistor", "damper", "friction", "resistance", "orifice"], "R"),
    **dict.fromkeys(["mass", "inertia", "inductor", "coil", "inductance"], "I"),
    **dict.fromkeys(["capacitor", "spring", "tank", "accumulator", "compliance", "capacitance"], "C"),
    **dict.fromkeys(["transformer", "gear", "lever"], "TF"),
    **dict.fromkeys(["gyrator", "motor"], "GY"),
    **dict.fromkeys(["source", "effort", "voltage", "force", "torque", "battery", "gravity"], "Se"),
    **dict.fromkeys(["flow", "current", "velocity", "speed"], "Sf"),
    **dict.fromkeys(["zero", "zerojunction", "parallel"], "J0"),
    **dict.fromkeys(["one", "onejunction", "series", "junction"], "J1"),
    **dict.fromkeys(["switch", "clutch", "brake"], "X0` or `X1"),
}
_MACHINE = "`initial LOCATION`, `LOCATION -> LOCATION when CONDITION`, `location NAME = on` or `end`"


def parse(source: Source) -> tuple[Graph, ...]:
    """The graphs of a text. Raises `ModelError` (E101, E201) with all faults of its form."""
    return _Reader(source).graphs()


class _Statement(Statement):
    """One statement of a graph."""

    def items(self) -> list[Item]:
        """What the statement says."""
        word, kind = self.texts[0], self.kinds[0]
        if kind == "parameter":
            self.at = 1
            return [self.definition(Parameter, "the parameter")]
        if kind == NAME and self.kinds[1] != "=":
            if word == "signal":
                self.at = 1
                return [self.definition(Signal, "the signal")]
            if word == "memory":
                self.at = 1
                return [self.definition(Memory, "the memory")]
            if word == "bond":
                return list(self._bonds())
            if word == "experiment":
                self.at = 1
                return [Experiment(self.starts[0], self.ends[-1], self.arguments(END_OF_TEXT))]
            if word in KINDS:
                return [self._element()]
        return self._unknown()

    def _unknown(self) -> NoReturn:
        """The first word means nothing."""
        word = self.texts[0]
        if self.kinds[0] != NAME:
            self.unexpected("a statement", hint=f"statements begin with {', '.join((*_WORDS, *KINDS))}")
        if arrow_at(self.tokens, 1):
            self.fail("a bond begins with the word `bond`", index=0, hint=f"write `bond {self.whole.text}`")
        if word in ("initial", OFF, ON) or self.kinds[1] == "=":
            what = f"write `signal {word} = ...` or `parameter {word} = ...`"
            self.fail(f"`{word}` is not a statement of a graph", index=0, hint=what)
        near = f"write `{_MEANT[word.lower()]}`" if word.lower() in _MEANT else None
        near = near or did_you_mean(word, (*KINDS, *_WORDS[:-1]))
        hint = near or f"elements are {listed(tuple(KINDS), len(KINDS))}"
        raise Fault(
            Diagnostic("E201", f"there is no kind of element `{word}`", self.token_span(0), hint=hint)
        )

    def _element(self) -> Element:
        self.at = 1
        name = self.name("the element")
        arguments = self.bracketed()
        if not arguments and self.kinds[self.at] not in (STRING, END_OF_TEXT, ";"):
            law = KINDS[self.texts[0]].law
            hint = f"write `{self.texts[0]} {name}({law[0]} = ...)`" if law else None
            self.unexpected("`(`", hint=hint)
        description = self.description_string()
        return Element(
            self.starts[0], self.ends[-1], self.texts[0], name, arguments, description, self.span(1)
        )

    def _bonds(self) -> tuple[Bond, ...]:
        self.at = 1
        title = ""
        if self.kinds[2] == ":":
            title = self.name("the bond")
            self.at += 1
        ends = [self.at]
        self.name("an element")
        while self.arrow():
            ends.append(self.at)
            self.name("an element")
        if len(ends) == 1:
            hint = "a bond is written `bond a -> b`, its half arrow points to b"
            if self.kinds[self.at] == "<" and self.kinds[self.at + 1] == "-":
                hint = f"write it the other way round: `bond {self.texts[self.at + 2]} -> {self.texts[1]}`"
            self.unexpected("`->`", hint=hint)
        description = self.description_string()
        if title and len(ends) > 2:
            hint = f"write a line of its own for `{title}`"
            message = f"`{title}` names one bond, and these are {len(ends) - 1}"
            raise Fault(Diagnostic("E101", message, self.token_span(1), hint=hint))
        return tuple(
            Bond(
                self.starts[0] if title else self.starts[a],
                self.ends[b],
                self.texts[a],
                self.texts[b],
                title,
                description,
                self.span(a),
                self.span(b),
            )
            for a, b in pairwise(ends)
        )


class _Reader(Reader[_Statement]):
    """Goes through the statements; `at` is the index of the next one."""

    statement_class = _Statement

    def graphs(self) -> tuple[Graph, ...]:
        found = []
        while self.at < len(self.parts):
            found.append(self._graph())
        if not found and not self.errors:
            where = Span(self.source, 0, 0)
            hint = "a file holds a graph: `graph NAME`, its elements and bonds, `end NAME`"
            self.complain(Diagnostic("E101", "there is no graph in this text", where, hint=hint))
        if self.errors:
            raise ModelError(self.errors)
        return tuple(found)

    def _graph(self) -> Graph:
        head = self.next()
        name, description, items = "", "", list[Item]()

        def read_head() -> None:
            nonlocal name, description
            if head.texts[0] != "graph" or head.kinds[0] != NAME:
                hint = "a graph begins with `graph NAME`"
                if head.kinds[0] in ("model", "package", "within", "block", "class"):
                    hint = "this is Modelica: let the name of the file end with .mo"
                    self.at = len(self.parts)  # nothing of it can be read
                head.unexpected("`graph`", hint=hint)
            head.at = 1
            name = head.name("the graph")
            description = head.description_string()

        self.read(head, read_head)
        while self.at < len(self.parts):
            statement = self.next()
            if statement.kinds[0] == "end":
                self.read(statement, lambda s=statement: s.end(name, head))  # type: ignore[misc]
                return Graph(head.starts[0], statement.ends[-1], name, description, tuple(items))
            if statement.texts[0] == "graph" and statement.kinds[:2] == [NAME, NAME]:
                self.at -= 1
                break
            if statement.texts[0] == "machine" and statement.kinds[0] == NAME:
                machine = self._machine(statement)
                items += [] if machine is None else [machine]
            else:
                items += self._items(statement)
        if name:
            self.complain(self.missing_end("graph", name, head))
        end = self.parts[self.at - 1].ends[-1]
        return Graph(head.starts[0], end, name, description, tuple(items))

    def _items(self, statement: _Statement) -> list[Item]:
        """What a statement says; nothing, if it has a fault."""
        found: list[Item] = []
        self.read(statement, lambda: found.extend(statement.items()))
        return found

    def _machine(self, head: _Statement) -> Machine | None:
        reader = _MachineReader(head)
        self.read(head, reader.head)
        while self.at < len(self.parts):
            statement = self.next()
            if statement.kinds[0] == "end":
                if statement.kinds[1] == NAME and statement.texts[1] != reader.name:
                    self.at -= 1  # the end of the graph
                    break
                self.read(statement, lambda s=statement: s.end(reader.name, head))  # type: ignore[misc]
                return reader.machine(statement.ends[-1])
            first = statement.texts[0]
            if statement.kinds[0] == NAME and not arrow_at(statement.tokens, 1):
                if first in KINDS or first in _WORDS:
                    self.at -= 1
                    break
            elif statement.kinds[0] == "parameter":
                self.at -= 1
                break
            self.read(statement, lambda s=statement: reader.statement(s))  # type: ignore[misc]
        end = self.parts[self.at - 1].ends[-1]
        note = Note("the machine begins here", head.whole)
        place = Span(self.source, end, end)
        hint = "write `end` behind its last transition"
        self.complain(Diagnostic("E101", f"machine `{reader.name}` is not closed", place, (note,), hint))
        return None


class _MachineReader:
    """Collects the statements of a machine."""

    def __init__(self, head: _Statement) -> None:
        self.first = head
        self.name = ""
        self.locations: dict[str, tuple[Location, bool]] = {}
        self.initial: _Statement | None = None
        self.transitions: list[Transition] = []

    def head(self) -> None:
        self.first.at = 1
        self.name = self.first.name("the controlled junction")
        self.first.description_string()
        if self.first.kinds[self.first.at] == NAME:
            self.first.unexpected(
                "the end of the statement", hint="locations and transitions have lines of their own"
            )

    def statement(self, statement: _Statement) -> None:
        word = statement.texts[0]
        if statement.kinds[0] == "initial":
            self._initial(statement)
        elif statement.kinds[0] == NAME and arrow_at(statement.tokens, 1):
            self._transition(statement)
        elif word == "location" and statement.kinds[1] == NAME:
            self._location(statement)
        else:
            statement.unexpected(_MACHINE)

    def _initial(self, statement: _Statement) -> None:
        if self.initial is not None:
            note = Note("it was said here", self.initial.whole)
            message = f"machine `{self.name}` has two initial locations"
            hint = "leave one of them"
            raise Fault(Diagnostic("E202", message, statement.whole, (note,), hint))
        statement.at = 1
        statement.name("a location")
        self.initial = statement

    def _location(self, statement: _Statement) -> None:
        statement.at = 1
        name = statement.name("the location")
        statement.expect("=")
        at = statement.at
        value = statement.name("`on` or `off`")
        if value not in (ON, OFF):
            statement.fail(
                f"a location is `on` or `off`, not `{value}`", index=at, hint=f"write `location {name} = on`"
            )
        if name in self.locations or name in (ON, OFF):
            statement.fail(f"there is a location `{name}` already", index=1, hint="choose another name")
        text = statement.description_string()
        self.locations[name] = Location(statement.starts[0], statement.ends[-1], name, text), value == ON

    def _transition(self, statement: _Statement) -> None:
        statement.at = 0
        source = statement.name("a location")
        statement.arrow()
        target = statement.name("a location")
        if statement.kinds[statement.at] != "when":
            statement.unexpected("`when`", hint=f"write `{source} -> {target} when CONDITION`")
        statement.at += 1
        guard = statement.expression()
        actions: list[Action] = []
        if statement.kinds[statement.at] == "then":
            while not actions or statement.kinds[statement.at] == ",":
                statement.at += 1
                begin = statement.at
                target_of = statement.reference("a memory")
                statement.expect("=")
                value = statement.expression()
                actions.append(Action(statement.starts[begin], value.end, target_of, value))
        priority = 1 + sum(t.source == source for t in self.transitions)
        self.transitions.append(
            Transition(
                statement.starts[0], statement.ends[-1], source, target, guard, priority, tuple(actions)
            )
        )

    def machine(self, end: int) -> Machine:
        """What was read. Locations that are not declared are `off` and `on`, which every machine has."""
        first = self.first
        place = first.starts[0], first.starts[0]
        own = {OFF: (Location(*place, OFF), False), ON: (Location(*place, ON), True), **self.locations}
        initial = self.initial.texts[1] if self.initial is not None else ""
        automaton = Automaton(
            first.starts[0],
            end,
            self.name,
            tuple(location for location, _ in own.values()),
            initial,
            tuple(self.transitions),
        )
        on = tuple(name for name, (_, works) in own.items() if works)
        begins = self.initial.span(1) if self.initial is not None else first.span(1)
        return Machine(first.starts[0], end, automaton, on, first.span(1), begins)
