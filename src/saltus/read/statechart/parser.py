"""Statements to machines: states in states, and what transitions say.

    state Working "draws water"
      initial Slow
      entry n = n + 1
      during u = 1
      state Slow
      state Fast
      hurry: Slow -> Fast after 2 when h < 0.5 then last = time
    end Working

A state has a body if there is an `end` with its name. Expressions are read by the parser of Modelica. A
statement with a fault is left out and the next one is read.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NoReturn

from saltus.core.diagnostics import Diagnostic, ModelError, Note
from saltus.core.nearest import did_you_mean
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.automata.automaton import Action
from saltus.ir.automata.lines import Declared, Equation
from saltus.ir.automata.machine import Machine, State, Transition
from saltus.read.lines.declarations import DECLARING, DeclaringStatement
from saltus.read.lines.reader import Reader
from saltus.read.lines.statements import arrow_at
from saltus.read.modelica.lexer import END_OF_TEXT, NAME
from saltus.read.modelica.token_stream import Fault

_OWN = ("state", "parallel", "initial", "history", "entry", "during", "exit", "transition")
_WORDS = (*_OWN, *DECLARING, "end")
#: Words that people write who have learnt others.
_MEANT = {
    **dict.fromkeys(["location", "node", "mode", "place", "simple", "composite"], "state"),
    **dict.fromkeys(["region", "orthogonal", "concurrent", "and"], "parallel"),
    **dict.fromkeys(["enter", "onentry", "on_entry", "do_entry"], "entry"),
    **dict.fromkeys(["leave", "onexit", "on_exit"], "exit"),
    **dict.fromkeys(["do", "while", "activity"], "during"),
    **dict.fromkeys(["event", "edge", "arc"], "transition"),
    **dict.fromkeys(["start", "default", "begin"], "initial"),
}
_TRANSITION = "a transition is written `A -> B when CONDITION`, or `NAME: A -> B when CONDITION`"


def parse(source: Source) -> tuple[Machine, ...]:
    """The machines of a text. Raises `ModelError` (E101, E201) with all faults of its form."""
    return _Reader(source).machines()


class _Statement(DeclaringStatement):
    """One statement of a machine."""

    @property
    def is_transition(self) -> bool:
        """`A -> B`, `NAME: A -> B` or `transition NAME...`"""
        kinds = self.kinds
        if kinds[0] != NAME:
            return False
        return (
            arrow_at(self.tokens, 1)
            or (kinds[1] == ":" and kinds[2] == NAME)
            or (self.texts[0] == "transition" and kinds[1] in (NAME, "(", ":"))
        )

    def transition(self) -> Transition:
        """What a transition says; one without a name gets its own later."""
        self.at, name, priority = 0, "", 1
        if self.texts[0] == "transition" and not arrow_at(self.tokens, 1):
            self.at = 1
            name = self.name("the transition")
            priority = self.priority()
            if self.kinds[self.at] != ":":
                self.unexpected("`:`", hint=f"write `transition {name}: A -> B`")
            self.at += 1
        elif self.kinds[1] == ":":
            name, self.at = self.texts[0], 2
        source = self.name("a state")
        if not self.arrow():
            self.unexpected("`->`", hint=_TRANSITION)
        target = self.name("a state")
        after: ast.Expression | None = None
        if self.kinds[self.at] == NAME and self.texts[self.at] == "after":
            self.at += 1
            after = self.expression()
        condition, edge = self.condition()
        actions = self.actions()
        if self.kinds[self.at] == NAME and self.texts[self.at] == "after":
            self.unexpected("the end of the statement", hint="`after` comes before `when`")
        description = self.description_string()
        return Transition(
            self.starts[0],
            self.ends[-1],
            name,
            source,
            target,
            condition,
            edge,
            after,
            priority,
            actions,
            description,
            bool(name),
        )

    def one_action(self) -> tuple[Action, ...]:
        """`entry x = 1, y = 2`"""
        self.at = 1
        found = [self.action()]
        while self.kinds[self.at] == ",":
            self.at += 1
            found.append(self.action())
        return tuple(found)

    def during(self) -> Equation:
        """`during u = 1`, `during der(h) = -1`"""
        self.at = 1
        left = self.simple_expression()
        if self.kinds[self.at] != "=":
            self.unexpected("`=`", hint="write `during u = 1` or `during der(h) = -1`")
        self.at += 1
        value = self.expression()
        return Equation(self.starts[0], self.ends[-1], left, value, self.description_string())

    def unknown(self) -> NoReturn:
        """The statement means nothing."""
        word = self.texts[0]
        if self.kinds[0] in ("when", "while", "if"):
            self.fail("a condition belongs to a transition", index=0, hint=_TRANSITION)
        if self.kinds[0] != NAME:
            self.unexpected("a statement", hint=f"statements begin with {', '.join(_WORDS)}")
        if word in _WORDS:
            self.at = 1
            self.no_name(f"the {word}")
        if self.kinds[1] == "=":
            what = f"write `signal {word} = ...`, `entry {word} = ...` or `during {word} = ...`"
            self.fail(f"`{word}` is not a statement of a machine", index=0, hint=what)
        near = f"write `{_MEANT[word.lower()]}`" if word.lower() in _MEANT else None
        hint = near or did_you_mean(word, _WORDS[:-1]) or f"statements begin with {', '.join(_WORDS)}"
        message = f"there is no kind of statement `{word}`"
        raise Fault(Diagnostic("E201", message, self.token_span(0), hint=hint))


@dataclass
class _Body:
    """A state that is being read."""

    head: _Statement
    name: str = ""
    parallel: bool = False
    description: str = ""
    states: list[State] = field(default_factory=list)
    initial: _Statement | None = None
    history: bool = False
    entry: list[Action] = field(default_factory=list)
    during: list[Equation] = field(default_factory=list)
    exit: list[Action] = field(default_factory=list)

    def state(self, end: int) -> State:
        """What was read. Of one state the only one in it is the initial one."""
        initial = self.initial.texts[1] if self.initial is not None else ""
        if not initial and len(self.states) == 1 and not self.parallel:
            initial = self.states[0].name
        return State(
            self.head.starts[0],
            end,
            self.name,
            tuple(self.states),
            initial,
            self.parallel,
            self.history,
            tuple(self.entry),
            tuple(self.during),
            tuple(self.exit),
            self.description,
            self.head.span(1),
        )


class _Reader(Reader[_Statement]):
    """Goes through the statements."""

    statement_class = _Statement
    continuing = frozenset(["at", "after"])

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        #: The names that have an `end` in the machine that is read.
        self.ended: set[str] = set()
        self.open: list[str] = []
        self.transitions: list[Transition] = []
        self.items: list[Declared] = []

    def machines(self) -> tuple[Machine, ...]:
        found = []
        while self.at < len(self.parts):
            head = self.parts[self.at]
            try:
                found.append(self._machine())
            except RecursionError:
                place = self.statement_class(self.source, head).whole
                hint = "a machine that needs so many levels is better made of several, as parts of one model"
                message = "states in this machine are nested too deeply"
                raise ModelError(Diagnostic("E101", message, place, hint=hint)) from None
        if not found and not self.errors:
            hint = "a file holds a machine: `machine NAME`, its states and transitions, `end NAME`"
            where = Span(self.source, 0, 0)
            self.complain(Diagnostic("E101", "there is no machine in this text", where, hint=hint))
        if self.errors:
            raise ModelError(self.errors)
        return tuple(found)

    def _machine(self) -> Machine:
        body = _Body(self.next())
        self.transitions, self.items, self.ended = [], [], set()
        for part in self.parts[self.at :]:
            if part.texts[0] == "machine" and part.kinds[:2] == [NAME, NAME]:
                break
            if part.kinds[0] == "end" and part.kinds[1] == NAME:
                self.ended.add(part.texts[1])

        def read_head() -> None:
            head = body.head
            if head.texts[0] != "machine" or head.kinds[0] != NAME:
                hint = "a machine begins with `machine NAME`"
                if head.kinds[0] in ("model", "package", "within", "block", "class"):
                    hint = "this is Modelica: let the name of the file end with .mo"
                    self.at = len(self.parts)  # nothing of it can be read
                head.unexpected("`machine`", hint=hint)
            head.at = 1
            body.name = head.name("the machine")
            body.description = head.description_string()

        self.read(body.head, read_head)
        end = self._contents(body, "machine")
        root = body.state(end)
        transitions = tuple(_with_names(self.transitions))
        return Machine(root.start, end, body.name, body.description, root, transitions, tuple(self.items))

    def _contents(self, body: _Body, what: str) -> int:
        """Reads up to the end of a state; where that is."""
        self.open.append(body.name)
        end = self._up_to_the_end(body, what)
        self.open.pop()
        return end

    def _up_to_the_end(self, body: _Body, what: str) -> int:
        while self.at < len(self.parts):
            statement = self.next()
            if statement.kinds[0] == "end":
                self.read(statement, lambda s=statement: s.end(body.name, body.head))  # type: ignore[misc]
                return statement.ends[-1]
            if statement.texts[0] == "machine" and statement.kinds[:2] == [NAME, NAME]:
                self.at -= 1
                break
            if statement.texts[0] in ("state", "parallel") and statement.kinds[:2] == [NAME, NAME]:
                self._state(body, statement)
            else:
                self.read(statement, lambda s=statement: self._statement(body, s))  # type: ignore[misc]
        if body.name:
            self.complain(self.missing_end(what, body.name, body.head))
        return self.parts[self.at - 1].ends[-1]

    def _state(self, around: _Body, head: _Statement) -> None:
        body = _Body(head, head.texts[1], head.texts[0] == "parallel")

        def read_head() -> None:
            head.at = 2
            body.description = head.description_string()
            if head.kinds[head.at] != END_OF_TEXT:
                hint = f"what it does has lines of its own, and `end {body.name}` behind them"
                if head.kinds[head.at] == "when":
                    hint = _TRANSITION
                head.unexpected("the end of the statement", hint=hint)

        self.read(head, read_head)
        if body.name in self.open:
            message = f"`{body.name}` stands in a state or machine of its own name"
            self.complain(Diagnostic("E202", message, head.token_span(1), hint="choose another name"))
        elif body.name in self.ended:
            end = self._contents(body, "state")
            around.states.append(body.state(end))
            return
        end = head.ends[-1]
        around.states.append(body.state(end))

    def _statement(self, body: _Body, statement: _Statement) -> None:
        word, is_word = statement.texts[0], statement.kinds[0] == NAME
        if statement.is_transition:
            self.transitions.append(statement.transition())
        elif statement.kinds[0] == "initial":
            self._initial(body, statement)
        elif is_word and word == "history" and statement.kinds[1] == END_OF_TEXT:
            statement.at = 1
            body.history = True
        elif is_word and word in ("entry", "exit", "during") and statement.kinds[1] != "=":
            self._not_outside(body, statement)
            if word == "during":
                body.during.append(statement.during())
            else:
                (body.entry if word == "entry" else body.exit).extend(statement.one_action())
        else:
            found = statement.declared()
            if found is None:
                statement.unknown()
            self.items.append(found)

    def _not_outside(self, body: _Body, statement: _Statement) -> None:
        """What a state does stands in it, and `end NAME` makes it a body."""
        if body.head.texts[0] == "machine":
            last = body.states[-1].name if body.states else "NAME"
            hint = f"if it belongs to `{last}`, write `end {last}` behind it"
            statement.fail(f"`{statement.texts[0]}` stands outside of a state", index=0, hint=hint)

    def _initial(self, body: _Body, statement: _Statement) -> None:
        statement.at = 1
        statement.name("a state")
        if body.initial is not None:
            note = Note("it was said here", body.initial.whole)
            message = f"`{body.name}` has two initial states"
            raise Fault(Diagnostic("E202", message, statement.whole, (note,), "leave one of them"))
        body.initial = statement


def _with_names(transitions: list[Transition]) -> list[Transition]:
    """Each has a name: one that it was not given is made of its ends."""
    taken = {t.name for t in transitions if t.name}
    found = []
    for transition in transitions:
        if not transition.name:
            base = name = f"{transition.source}_to_{transition.target}"
            count = 1
            while name in taken:
                count += 1
                name = f"{base}_{count}"
            taken.add(name)
            transition = replace(transition, name=name)
        found.append(transition)
    return found
