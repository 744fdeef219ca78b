"""Statements of processes: assignments, events, selection and repetition."""

from __future__ import annotations

from saltus.core.nearest import did_you_mean
from saltus.ir import ast
from saltus.read.chi.names import (
    CONSTANT,
    CONTINUOUS,
    DISCRETE,
    LITERAL,
    PARAMETER,
    TIME,
    Declared,
    ascii_text,
    plain,
)
from saltus.read.chi.parser_expressions import ExpressionParser
from saltus.read.chi.pieces import joined, references
from saltus.read.chi.syntax import (
    Alternative,
    Assignment,
    Event,
    Repetition,
    Selection,
    Skip,
    StateEvent,
    Statement,
    TimeOut,
)
from saltus.read.chi.tokens import KEYWORDS
from saltus.read.modelica.lexer import END_OF_TEXT, NAME

ALTERNATIVES = frozenset(["[]", "||"])
_EVENTS = frozenset(["nabla", "delta"])
#: Signs by which the text of statements differs from that of equations.
_OF_STATEMENTS = frozenset([":=", "::=", "nabla", "delta", "skip", "!", "?"])


class StatementParser(ExpressionParser):
    """Reads statements."""

    def statements(self) -> tuple[Statement, ...]:
        """`S1; S2`"""
        found = [self._statement()]
        while self.kinds[self.at] == ";":
            self.at += 1
            if self.kinds[self.at] in ("]", "]]", "[]"):
                self.at -= 1
                self.fail(
                    "no statement stands behind this `;`", hint="`;` stands between statements: leave it out"
                )
            found.append(self._statement())
        return tuple(found)

    def _statement(self) -> Statement:
        at, kind = self.at, self.kinds[self.at]
        if kind == "skip":
            self.at += 1
            return Skip(self.starts[at], self.ends[at])
        if self._at_event():
            event = self._event()
            alternative = Alternative(event.start, event.end, None, event, (), self.shown(event))
            return Selection(event.start, event.end, (alternative,))
        if kind == "*":
            return self._repetition()
        if kind == "[":
            return self._selection()
        return self.assignment()

    def shown(self, node: ast.Node) -> str:
        """The text of a stretch, in ASCII and on one line."""
        return ascii_text(self.source.text[node.start : node.end])

    # ------------------------------------------------------------ events

    def _at_event(self) -> bool:
        return self.kinds[self.at] in _EVENTS

    def _event(self) -> Event:
        at = self.at
        self.at += 1
        if self.kinds[at] == "delta":
            duration = self.sum()
            return TimeOut(self.starts[at], duration.end, duration)
        begin = self.at
        left = self.sum()
        equality = None
        if self.kinds[self.at] == "=":
            self.at += 1
            right = self.sum()
            relation: ast.Expression = joined(
                "and", [self._sided("<=", left, right), self._sided(">=", left, right)]
            )
            equality = (left, right)
        else:
            self.at = begin
            relation = self.condition()
        if not self.is_continuous(relation):
            node = ast.Node(self.starts[at], relation.end)
            message = f"`{self.shown(node)}` waits for a relation that no continuous variable can change"
            self.fail_with(
                "E209", message, begin, "a condition on discrete variables is a guard: `[ b -> S ]`"
            )
        return StateEvent(self.starts[at], relation.end, relation, equality)

    def _sided(self, operator: str, left: ast.Expression, right: ast.Expression) -> ast.Expression:
        return ast.Binary(left.start, right.end, operator, left, right)

    def is_continuous(self, node: object) -> bool:
        """Whether an expression changes by itself."""
        return any(is_continuous(reference, self.known) for reference in references(node))

    # ------------------------------------------------------------ choice and repetition

    def _selection(self) -> Selection:
        opener = self.at
        found: list[Alternative] = []
        while not found or self.kinds[self.at] in ALTERNATIVES:
            self.at += 1
            found.append(self._alternative())
        self.closing("]", opener)
        return Selection(self.starts[opener], self.ends[self.at - 1], tuple(found))

    def _alternative(self) -> Alternative:
        at = self.at
        guard = event = None
        if self._at_event():
            event = self._event()
        else:
            guard = self.condition()
            if self.kinds[self.at] == ";":
                self.at += 1
                if not self._at_event():
                    self.unexpected(
                        "an event", hint="an alternative is `guard; event -> S`, with `nabla r` or `delta t`"
                    )
                event = self._event()
        last = self.ends[self.at - 1]
        if self.kinds[self.at] != "->":
            self.unexpected(
                "`->`", hint="an alternative is `guard -> S`, `nabla r -> S` or `guard; nabla r -> S`"
            )
        self.at += 1
        body = self.statements()
        text = self.shown(ast.Node(self.starts[at], last))
        return Alternative(self.starts[at], body[-1].end, guard, event, body, text)

    def _repetition(self) -> Repetition:
        start = self.at
        self.at += 1
        opener = self.at
        if self.kinds[opener] != "[":
            self.unexpected("`[`", hint="a repetition is `*[ S ]`")
        body: tuple[Statement, ...] | Selection
        if self._has_arrow(opener):
            body = self._selection()
        else:
            self.at += 1
            body = self.statements()
            self.closing("]", opener)
        return Repetition(self.starts[start], self.ends[self.at - 1], body)

    def _has_arrow(self, opener: int) -> bool:
        """Whether a bracket holds alternatives."""
        return any(self.kinds[at] == "->" and depth == 1 for at, depth in self._inside(opener))

    def _inside(self, opener: int) -> list[tuple[int, int]]:
        """The tokens up to the partner of a bracket, each with the depth of brackets around it."""
        found = []
        depth = 0
        for at in range(opener, len(self.kinds)):
            kind = self.kinds[at]
            depth += (kind == "[") - (kind == "]")
            found.append((at, depth))
            if depth == 0 or kind == END_OF_TEXT:
                break
        return found

    def has_statements(self) -> bool:
        """Whether a part of a process, which begins here, holds statements: up to a `|` or the end."""
        depth = 0
        for at in range(self.at, len(self.kinds)):
            kind = self.kinds[at]
            depth += (kind == "[") - (kind == "]")
            if kind in _OF_STATEMENTS or (kind == "*" and self.kinds[at + 1] == "["):
                return True
            if depth < 0 or kind in (END_OF_TEXT, "proc", "xper", "const", "syst"):
                return False
            if kind == "|" and depth == 0 and self._separates(at):
                return False
        return False

    def _separates(self, at: int) -> bool:
        """Whether a `|` ends an operand: then it does not open an absolute value."""
        before = self.kinds[at - 1]
        return at > 0 and (before in (NAME, "number", ")", "]", "'", "true", "false") or before == "|")

    # ------------------------------------------------------------ assignments

    def assignment(self) -> Assignment:
        """`n := value` or `h ::= value`"""
        at = self.at
        word = self._name("a variable", at)
        declared = self.known.get(plain(word))
        if declared is None:
            near = did_you_mean(
                plain(word), [n for n, d in self.known.items() if d.kind in (CONTINUOUS, DISCRETE)]
            )
            self.fail_with("E201", f"`{word}` is not declared", at, near)
        sign = self.at
        if self.kinds[sign] not in (":=", "::="):
            hint = f"write `{word} {'::=' if declared.kind == CONTINUOUS else ':='} VALUE`"
            self.unexpected("`:=` or `::=`", hint=hint)
        self._assignable(declared, at, sign)
        self.at += 1
        value = self.condition()
        return Assignment(self.starts[at], value.end, declared.name, value, self.kinds[sign] == "::=")

    def _assignable(self, declared: Declared, at: int, sign: int) -> None:
        word = self.texts[at]
        if declared.kind not in (CONTINUOUS, DISCRETE) or declared.place == (0, 0):
            what = {PARAMETER: "a parameter", CONSTANT: "a constant", LITERAL: "a value"}
            message = f"`{word}` is {what.get(declared.kind, 'the time')}, and cannot be assigned"
            self.fail_with("E209", message, at, "declare a variable of its own")
        if declared.kind == CONTINUOUS and self.kinds[sign] == ":=":
            message = f"`{word}` is a continuous variable, and `:=` assigns discrete ones"
            hint = f"write `{word} ::= ...`, or declare `{word} : real`"
            self.fail_with("E211", message, sign, hint)
        if declared.kind == DISCRETE and self.kinds[sign] == "::=":
            message = f"`{word}` is a discrete variable, and `::=` assigns continuous ones"
            hint = f"write `{word} := ...`, or declare `{word} : [unit]`"
            self.fail_with("E211", message, sign, hint)

    def _name(self, what: str, at: int) -> str:
        if self.kinds[at] in KEYWORDS:
            self.fail(
                f"expected the name of {what}, but `{self.texts[at]}` is a reserved word",
                hint="choose another name",
            )
        if self.kinds[at] != NAME:
            self.unexpected(f"the name of {what}")
        self.at = at + 1
        return self.texts[at]


def is_continuous(reference: ast.Reference, known: dict[str, Declared]) -> bool:
    """Whether a name is that of a continuous variable, or of the time."""
    name = reference.parts[0][0]
    declared = known.get(TIME if name == "time" else name)
    return declared is not None and declared.kind == CONTINUOUS
