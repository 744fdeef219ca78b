"""Statements of processes: assignments, events, selection and repetition."""

from __future__ import annotations

from saltus.core.diagnostics import Diagnostic
from saltus.core.nearest import did_you_mean
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.read.chi.names import (
    CHANNEL,
    CONSTANT,
    CONTINUOUS,
    DISCRETE,
    INTEGER,
    LITERAL,
    PARAMETER,
    REAL,
    RECEIVE,
    SEND,
    VOID,
    Declared,
    ascii_text,
    plain,
)
from saltus.read.chi.parsing.expressions import MEANT, ExpressionParser
from saltus.read.chi.parsing.tokens import KEYWORDS
from saltus.read.chi.pieces import joined, references
from saltus.read.chi.syntax import (
    Alternative,
    Assignment,
    Event,
    Receive,
    Repetition,
    Selection,
    Send,
    Skip,
    StateEvent,
    Statement,
    TimeOut,
)
from saltus.read.chi.types import DISTRIBUTIONS, SAMPLE, is_continuous, shown_type, type_of
from saltus.read.modelica.lexer import END_OF_TEXT, NAME, Tokens
from saltus.read.modelica.token_stream import Fault

ALTERNATIVES = frozenset(["[]", "||"])
DEFINITIONS = frozenset(["proc", "syst", "xper", "const"])
_EVENTS = frozenset(["nabla", "delta"])
_BEHIND_COMMUNICATION = frozenset([";", "]", "]]", "[]", "||", "->", "|", END_OF_TEXT])
_OPERATORS = frozenset(["+", "-", "*", "/", "^", "(", NAME])
#: Signs by which the text of statements differs from that of equations.
_OF_STATEMENTS = frozenset([":=", "::=", "nabla", "delta", "skip", "!", "?"])


class StatementParser(ExpressionParser):
    """Reads statements."""

    def __init__(self, source: Source, tokens: Tokens) -> None:
        super().__init__(source, tokens)
        #: Brackets that hold alternatives.
        self._with_arrows = _with_arrows(tokens.kinds)

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
        if self.kinds[self.at] == ",":
            self.fail("statements are separated by `;`", hint="a `,` stands between equations")
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
        at, kinds = self.at, self.kinds
        return kinds[at] in _EVENTS or (kinds[at] == NAME and kinds[at + 1] in ("!", "?"))

    def _event(self) -> Event:
        at = self.at
        if self.kinds[at] == NAME:
            return self._communication()
        self.at += 1
        if self.kinds[at] == "delta":
            duration = self._sample() if self.kinds[self.at] == SAMPLE else self.sum()
            self._fits(type_of(duration, self.known), Declared("the time that passes", DISCRETE), duration)
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
            relation = self.truth(self.condition(), "what `nabla` waits for")
        if not self.is_continuous(relation):
            node = ast.Node(self.starts[at], relation.end)
            message = f"`{self.shown(node)}` waits for a relation that no continuous variable can change"
            span = Span(self.source, relation.start, relation.end)
            hint = "a condition on discrete variables is a guard: `[ b -> S ]`"
            raise Fault(Diagnostic("E209", message, span, hint=hint))
        return StateEvent(self.starts[at], relation.end, relation, equality)

    def _communication(self) -> Send | Receive:
        """`a!x`, `a?x`, and both without anything to pass."""
        at = self.at
        sign = self.kinds[at + 1]
        channel = self._channel(at, SEND if sign == "!" else RECEIVE)
        self.at += 2
        empty = self.kinds[self.at] in _BEHIND_COMMUNICATION
        end = self.ends[self.at - 1]
        if empty != (channel.type == VOID):
            word = self.texts[at]
            if empty:
                self.unexpected("a value" if sign == "!" else "a variable", hint=f"write `{word}{sign}x`")
            self.fail(f"nothing passes through `{word}`", hint=f"write `{word}{sign}` alone")
        if sign == "!":
            value = None if empty else self.condition()
            if value is not None:
                self._fits(type_of(value, self.known), channel, value)
                end = value.end
            return Send(self.starts[at], end, channel.name, value)
        target = None
        if not empty:
            where = self.at
            declared = self._variable(where)
            self._assignable(declared, where, False)
            end, target = self.ends[where], declared.name
            self._fits(channel.type, declared, ast.Node(self.starts[where], end))
        return Receive(self.starts[at], end, channel.name, target)

    def _sample(self) -> ast.Call:
        """`sample exponential(2.5)`"""
        at = self.at
        self.at += 1
        where = self.at
        name = self.texts[where] if self.kinds[where] == NAME else ""
        if name not in DISTRIBUTIONS:
            shown = ", ".join(f"`{n}({', '.join(names)})`" for n, names in DISTRIBUTIONS.items())
            self.unexpected("a distribution", hint=did_you_mean(name, DISTRIBUTIONS) or f"there are {shown}")
        self.at += 1
        opener = self.at
        self.expect("(")
        arguments = [self.condition()]
        while self.kinds[self.at] == ",":
            self.at += 1
            arguments.append(self.condition())
        self.closing(")", opener)
        names = DISTRIBUTIONS[name]
        if len(arguments) != len(names):
            self.fail(
                f"`{name}` has {len(names)} argument{'s' if len(names) > 1 else ''}, not {len(arguments)}",
                index=where,
                hint=f"write `sample {name}({', '.join(names)})`",
            )
        end = self.ends[self.at - 1]
        if self.kinds[self.at] in _OPERATORS:
            hint = "give it a name of its own: `x := sample ...`, then `2*x`"
            self.fail("a sample stands alone", index=at, hint=hint)
        inner = ast.Call(self.starts[where], end, self._function(where, name), tuple(arguments))
        return ast.Call(self.starts[at], end, self._function(at, SAMPLE), (inner,))

    def _channel(self, at: int, kind: str) -> Declared:
        word = self.texts[at]
        declared = self.known.get(plain(word))
        if declared is None:
            near = did_you_mean(plain(word), [n for n, d in self.known.items() if d.kind in (SEND, RECEIVE)])
            hint = near or f"a channel is a parameter of the process: `{word} : !int` or `{word} : ?int`"
            self.fail_with("E201", f"there is no channel `{word}`", at, hint)
        if declared.kind not in (SEND, RECEIVE):
            hint = f"a channel is a parameter of the process: `{word} : !real` or `{word} : ?real`"
            self.fail_with("E209", f"`{word}` is no channel", at, hint)
        if declared.kind != kind:
            does, other = ("receives", "!") if declared.kind == RECEIVE else ("sends", "?")
            message = f"this process {does} through `{word}`"
            hint = f"`{word}{'?' if other == '!' else '!'}`, or declare `{word} : {other}...`"
            self.fail_with("E209", message, at, hint)
        return declared

    def _fits(self, given: str, wanted: Declared, node: ast.Node) -> None:
        """Whether a value may be assigned."""
        if given == wanted.type or (given == INTEGER and wanted.type == REAL):
            return
        message = f"this is {shown_type(given)}, and `{wanted.name}` is {shown_type(wanted.type)}"
        hint = f"declare `{wanted.name}` with another type, or give it another value"
        if wanted.literals:
            hint = f"its values are {', '.join(f'`{name}`' for name in wanted.literals)}"
        elif (given, wanted.type) == (REAL, INTEGER):
            hint = "a whole number is `floor(x)`"
        raise Fault(Diagnostic("E205", message, Span(self.source, node.start, node.end), hint=hint))

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
            guard = self.truth(self.condition(), "a guard")
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
        if opener in self._with_arrows:
            body = self._selection()
        else:
            self.at += 1
            body = self.statements()
            if self.kinds[self.at] in ("[]", "->"):
                hint = "an alternative is `guard -> S` or `nabla r -> S`"
                self.fail(f"{self.show(self.at)} cannot stand behind a statement", hint=hint)
            self.closing("]", opener)
        return Repetition(self.starts[start], self.ends[self.at - 1], body)

    def has_statements(self) -> bool:
        """Whether a part of a process, which begins here, holds statements: its first sign says so. Guards
        are alike in both."""
        depth, guard = 0, False
        for at in range(self.at, len(self.kinds)):
            kind = self.kinds[at]
            if kind in _OF_STATEMENTS or (kind == "*" and self.kinds[at + 1] == "["):
                return True
            if kind in ("'", "=", "<-") and not guard:
                return False
            depth += (kind == "[") - (kind == "]")
            guard = kind in ("[", *ALTERNATIVES) or (guard and kind != "->")
            if depth < 0 or kind in (END_OF_TEXT, *DEFINITIONS):
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
        declared = self._variable(at)
        word = self.texts[at]
        sign = self.at
        if self.kinds[sign] not in (":=", "::="):
            hint = f"write `{word} {'::=' if declared.kind == CONTINUOUS else ':='} VALUE`"
            self.unexpected("`:=` or `::=`", hint=hint)
        continuous = self.kinds[sign] == "::="
        self._assignable(declared, at, continuous)
        self.at += 1
        value = self._sample() if self.kinds[self.at] == SAMPLE else self.condition()
        self._fits(type_of(value, self.known), declared, value)
        return Assignment(self.starts[at], value.end, declared.name, value, continuous)

    def _variable(self, at: int) -> Declared:
        """Takes the name of a variable that is to get a value."""
        word = self._name("a variable", at)
        declared = self.known.get(plain(word))
        if declared is None:
            variables = [n for n, d in self.known.items() if d.kind in (CONTINUOUS, DISCRETE)]
            self.fail_with("E201", f"`{word}` is not declared", at, self._instead(word, variables))
        return declared

    def _instead(self, word: str, variables: list[str]) -> str:
        """What to do about a name that is not known where a statement begins."""
        near = did_you_mean(plain(word), variables)
        return MEANT.get(word) or near or f"declare `{word} : int`, or what else it is to be"

    def _assignable(self, declared: Declared, at: int, continuous: bool) -> None:
        word = self.texts[at]
        if declared.kind not in (CONTINUOUS, DISCRETE) or declared.place == (0, 0):
            what = {PARAMETER: "a parameter", CONSTANT: "a constant", LITERAL: "a value"}
            what |= dict.fromkeys((SEND, RECEIVE, CHANNEL), "a channel")
            message = f"`{word}` is {what.get(declared.kind, 'the time')}, and cannot be assigned"
            self.fail_with("E209", message, at, "declare a variable of its own")
        if declared.causality == "input":
            message = f"`{word}` is given to this process, which cannot assign it"
            self.fail_with("E209", message, at, f"`{word} : ![...]` is a variable that it gives to others")
        if declared.kind == CONTINUOUS and not continuous:
            message = f"`{word}` is a continuous variable, and `:=` assigns discrete ones"
            hint = f"write `{word} ::= ...`, or declare `{word} : real`"
            self.fail_with("E211", message, at, hint)
        if declared.kind == DISCRETE and continuous:
            message = f"`{word}` is a discrete variable, and `::=` assigns continuous ones"
            hint = f"write `{word} := ...`, or declare `{word} : [unit]`"
            self.fail_with("E211", message, at, hint)

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


def _with_arrows(kinds: list[str]) -> set[int]:
    """The brackets that have an arrow in them, outside of brackets inside."""
    found: set[int] = set()
    open_brackets: list[int] = []
    for at, kind in enumerate(kinds):
        if kind == "[":
            open_brackets.append(at)
        elif kind == "]" and open_brackets:
            open_brackets.pop()
        elif kind == "->" and open_brackets:
            found.add(open_brackets[-1])
    return found
