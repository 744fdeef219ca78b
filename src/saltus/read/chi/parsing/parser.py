"""Tokens to processes: recursive descent.

A process stands in `|[ ... ]|`, also written `[[ ... ]]` and `|| ... ||`. Its parts are separated by `|`,
which is also the sign of an absolute value: a `|` where an operand is expected is one of those.

A definition with a fault is left out, and the next one is read, so that one run reports the faults of all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeVar

from saltus.core.diagnostics import Diagnostic, ModelError, Note
from saltus.core.nearest import did_you_mean
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.read.chi.names import (
    CHANNEL,
    CONSTANT,
    CONTINUOUS,
    PARAMETER,
    plain,
    safe,
)
from saltus.read.chi.parsing.declarations import DeclarationParser
from saltus.read.chi.parsing.statements import ALTERNATIVES, DEFINITIONS
from saltus.read.chi.parsing.tokens import tokens_of
from saltus.read.chi.syntax import (
    Assignment,
    Constant,
    ContinuousItem,
    Definition,
    Equation,
    GuardedEquations,
    Instance,
    Process,
    Statement,
    System,
    Text,
    Variable,
)
from saltus.read.modelica.lexer import END_OF_TEXT, MAXIMUM_OF_ERRORS, NAME
from saltus.read.modelica.token_stream import Fault

Read = TypeVar("Read")


def parse(source: Source) -> Text:
    """What a text defines. Raises `ModelError` with all faults."""
    return _Parser(source).text()


class _Parser(DeclarationParser):
    def __init__(self, source: Source) -> None:
        super().__init__(source, tokens_of(source))

    # ------------------------------------------------------------ definitions

    def text(self) -> Text:
        """All of the text."""
        found: list[Definition] = []
        self._foresee_constants()
        while self.kinds[self.at] != END_OF_TEXT:
            definition = self._guarded(self._definition)
            if definition is not None:
                found.append(definition)
            while self.kinds[self.at] == ";":
                self.at += 1
        if self.errors:
            raise ModelError(self.errors[:MAXIMUM_OF_ERRORS])
        if not found:
            hint = "a process is `proc name(parameters) = |[ ... ]|`"
            place = Span(self.source, 0, 0)
            raise ModelError(Diagnostic("E209", "this file defines no process", place, hint=hint))
        return Text(tuple(found))

    def _foresee_constants(self) -> None:
        """Constants are known in all of the text, wherever they stand."""
        for at, kind in enumerate(self.kinds):
            if kind == "const":
                self.at = at + 1
                try:
                    self.declaration(CONSTANT, "a constant")
                except Fault:
                    continue  # it is reported where it is read
        self.at = 0

    def _guarded(self, work: Callable[[], Read]) -> Read | None:
        """What is read; after a fault, nothing, and the next definition is what comes next."""
        at, known = self.at, dict(self.known)
        try:
            return work()
        except Fault as fault:
            self.complain(fault.diagnostic)
        self.known = known
        self.at = max(self.at, at + 1)
        while self.kinds[self.at] not in (*DEFINITIONS, END_OF_TEXT):
            self.at += 1
        return None

    def _definition(self) -> Definition:
        match self.kinds[self.at]:
            case "proc":
                with self.scope():
                    return self._process()
            case "xper" | "syst":
                with self.scope():
                    return self._system()
            case "const":
                return self._constant()
        return self._no_definition()

    def _no_definition(self) -> NoReturn:
        word = self.texts[self.at]
        hint = "a file holds processes: `proc name(parameters) = |[ ... ]|`"
        if word in ("type", "func"):
            hint = (
                "write the type itself where it is used"
                if word == "type"
                else "write what it gives where it is used"
            )
            what = "types have no names" if word == "type" else "functions are not supported"
            self.fail_with("E204", f"`{word}`: {what}", self.at, hint)
        if word in ("model", "package", "class", "block", "function", "within"):
            hint = "this is Modelica: let the name of the file end with .mo"
        near = did_you_mean(word, sorted(DEFINITIONS)) if self.kinds[self.at] == NAME else None
        message = f"expected `proc`, `const`, `syst` or `xper`, found {self.show(self.at)}"
        self.fail(message, hint=near or hint)

    def _constant(self) -> Constant:
        start = self.at
        self.at += 1
        known = self.known.get(plain(self.texts[self.at]))
        if known is not None and known.kind == CONSTANT and known.place[0] > self.starts[self.at]:
            span = Span(self.source, *known.place)
            note = Note("it is defined here", self.token_span(self.at))
            raise Fault(Diagnostic("E202", f"`{known.name}` is defined twice", span, (note,)))
        variable = self.declaration(CONSTANT, "a constant")[0]
        self.expect("=")
        value = self.sum()
        return Constant(self.starts[start], value.end, variable, value)

    def _heading(self, what: str) -> tuple[int, str]:
        start = self.at
        self.at += 1
        at = self.at
        return start, safe(plain(self._name(what, at)))

    def _process(self) -> Process:
        start, name = self._heading("the process")
        self.parts = []
        parameters = self.parameters()
        self.expect("=")
        opener = self.open_body()
        variables: list[Variable] = []
        initial: list[Assignment] = []
        if self.kinds[self.at] == NAME and self.kinds[self.at + 1] in (":", ","):
            variables = self.declarations(CONTINUOUS, "a variable")
            while self.kinds[self.at] == ";" and not self.at_end():
                self.at += 1
                initial.append(self.assignment())
            if not self.at_end():
                self._bar("behind the declarations and the initialization")
        elif self.kinds[self.at] == "|":
            self.at += 1
        equations: list[ContinuousItem] = []
        statements: tuple[Statement, ...] = ()
        if not self.at_end() and not self.has_statements():
            equations = [] if self.kinds[self.at] == "|" else self._equations()
            if not self.at_end():
                self._bar("between equations and statements")
        if not self.at_end():
            statements = self.statements()
        end = self.close_body(opener)
        place = self.starts[start]
        return Process(
            place,
            end,
            name,
            tuple(parameters),
            tuple(variables),
            tuple(initial),
            tuple(equations),
            statements,
            tuple(self.parts),
        )

    def _bar(self, where: str) -> None:
        if self.kinds[self.at] != "|":
            self.unexpected("`|`", hint=self._instead_of_bar() or f"a `|` stands {where}")
        self.at += 1

    def open_body(self) -> int:
        """Takes `|[`, `[[` or `||`; returns the index."""
        at, kinds = self.at, self.kinds
        if kinds[at] in ("||", "[["):
            self.at += 1
        elif kinds[at] in ("|", "[") and kinds[at + 1] == "[":
            self.at += 2
        else:
            self.unexpected("`|[`", hint="a process stands between `|[` and `]|`")
        return at

    def at_end(self) -> bool:
        """Whether the body ends here."""
        kinds, at = self.kinds, self.at
        return kinds[at] in ("]]", END_OF_TEXT) or (kinds[at] == "]" and kinds[at + 1] in ("|", "]")) or (
            kinds[at] == "||" and kinds[at + 1] in (*DEFINITIONS, END_OF_TEXT, ";")
        )  # fmt: skip

    def close_body(self, opener: int) -> int:
        """Takes `]|`, `]]` or `||`; returns where it ends."""
        kinds = self.kinds
        if not self.at_end() or kinds[self.at] == END_OF_TEXT:
            note = Note("the body begins here", self.token_span(opener))
            self.unexpected("`]|`", notes=(note,), hint=self._instead_of_end())
        self.at += 1 if kinds[self.at] in ("]]", "||") else 2
        return self.ends[self.at - 1]

    def _instead_of_bar(self) -> str | None:
        kind = self.kinds[self.at]
        if kind == "=":
            return "an equation has one `=`; the next one begins behind a `,`"
        if kind == ";":
            return "equations are separated by `,`; statements stand behind a `|`"
        if kind in (":=", "::="):
            return "in an equation, write `=`; assignments are statements, behind a `|`"
        if kind == NAME:
            return f"write `,` or an operator in front of {self.show(self.at)}"
        return None

    def _instead_of_end(self) -> str:
        kind = self.kinds[self.at]
        if kind == ",":
            return (
                "statements are separated by `;`; equations stand in front of them, behind a `|` of their own"
            )
        if kind == NAME:
            return f"write `;` or an operator in front of {self.show(self.at)}"
        return "a process ends with `]|`"

    # ------------------------------------------------------------ equations

    def _equations(self) -> list[ContinuousItem]:
        found = [self._continuous()]
        while self.kinds[self.at] == ",":
            self.at += 1
            found.append(self._continuous())
        return found

    def _continuous(self) -> ContinuousItem:
        if self.kinds[self.at] == "[":
            return self._guarded_equations()
        start = self.at
        left = self.sum()
        kind = self.kinds[self.at]
        if kind not in ("=", "<-"):
            hints = {":=": "in an equation, write `=`; assignments are statements, behind a second `|`"}
            hints["::="] = hints[":="]
            self.unexpected("`=`", hint=hints.get(kind, "an equation is `left = right`"))
        self.at += 1
        if self.kinds[self.at] == "=":
            self.fail("an equation has one `=`", hint="write `left = right`")
        if kind == "<-" and self.kinds[self.at] == "[":
            return self._substitution(start, left)
        right = self.sum()
        if not self.is_continuous((left, right)):
            span = Span(self.source, self.starts[start], right.end)
            hint = "the value of a discrete variable is assigned: `n := 1`, behind the equations and a `|`"
            message = "an equation without a continuous variable"
            raise Fault(Diagnostic("E209", message, span, hint=hint))
        return Equation(self.starts[start], right.end, left, right)

    def _branches(self, read: Callable[[], Read]) -> tuple[list[tuple[ast.Expression, Read]], int]:
        """`[ b1 -> ... [] b2 -> ... ]`, and where it ends."""
        opener = self.at
        found: list[tuple[ast.Expression, Read]] = []
        while not found or self.kinds[self.at] in ALTERNATIVES:
            self.at += 1
            guard = self.truth(self.condition(), "a guard")
            if self.kinds[self.at] != "->":
                self.unexpected("`->`", hint="an alternative is `guard -> equations`")
            self.at += 1
            found.append((guard, read()))
        self.closing("]", opener)
        return found, self.ends[self.at - 1]

    def _guarded_equations(self) -> GuardedEquations:
        start = self.at
        branches, end = self._branches(self._equations)
        return GuardedEquations(self.starts[start], end, tuple((g, tuple(e)) for g, e in branches))

    def _substitution(self, start: int, left: ast.Expression) -> GuardedEquations:
        """`x <- [ b1 -> e1 [] b2 -> e2 ]`. Which variables are substituted is found by sorting."""
        branches, end = self._branches(self.sum)
        items = tuple((guard, (Equation(left.start, value.end, left, value),)) for guard, value in branches)
        return GuardedEquations(self.starts[start], end, items)

    # ------------------------------------------------------------ systems

    def _system(self) -> System:
        start, name = self._heading("the system" if self.kinds[self.at] == "syst" else "the experiment")
        parameters = self.parameters()
        for variable in parameters:
            if variable.declared.kind != PARAMETER:
                message = f"`{variable.declared.name}` is no parameter"
                hint = "processes are connected inside of one system: its own parameters are numbers"
                span = Span(self.source, variable.start, variable.end)
                raise Fault(Diagnostic("E204", message, span, hint=hint))
        self.expect("=")
        opener = self.open_body()
        channels: list[Variable] = []
        if self.kinds[self.at] == NAME and (
            self.kinds[self.at + 1] == ","
            or (self.kinds[self.at + 1] == ":" and self.kinds[self.at + 2] != NAME)
        ):
            channels = self.declarations(CHANNEL, "a channel")
            self._bar("behind the channels")
        elif self.kinds[self.at] == "|":
            self.at += 1
        instances = [self._instance()]
        while self.kinds[self.at] == "||" and not self.at_end():
            self.at += 1
            instances.append(self._instance())
        end = self.close_body(opener)
        return System(self.starts[start], end, name, tuple(parameters), tuple(channels), tuple(instances))

    def _instance(self) -> Instance:
        """`P(a, x = 2)` or `label : P(a)`"""
        start = self.at
        label = ""
        if self.kinds[start] == NAME and self.kinds[start + 1] == ":":
            label = safe(plain(self.texts[start]))
            self.at += 2
        at = self.at
        name = safe(plain(self._name("a process", at)))
        arguments = self.arguments()
        place = (self.starts[at], self.ends[at])
        return Instance(self.starts[start], self.ends[self.at - 1], label, name, place, arguments)
