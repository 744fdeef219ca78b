"""One statement, and what statements of all languages of lines are made of."""

from __future__ import annotations

from saltus.core.diagnostics import Diagnostic, Note
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.automata.lines import Argument, Memory, Parameter, Signal
from saltus.read.lines.statements import arrow_at
from saltus.read.modelica.lexer import END_OF_TEXT, NAME, Tokens
from saltus.read.modelica.parser_expressions import ExpressionParser
from saltus.read.modelica.token_stream import Fault


class Statement(ExpressionParser):
    """One statement."""

    def __init__(self, source: Source, tokens: Tokens) -> None:
        super().__init__(source, tokens)
        self.tokens = tokens

    @property
    def whole(self) -> Span:
        return Span(self.source, self.starts[0], self.ends[-1])

    def show(self, index: int) -> str:
        if self.kinds[index] == END_OF_TEXT:
            return "the end of the statement"
        return super().show(index)

    def span(self, index: int) -> ast.Offsets:
        return self.starts[index], self.ends[index]

    def finish(self) -> None:
        """Nothing stands behind what was read."""
        if self.kinds[self.at] != END_OF_TEXT:
            hint = self.operator_hint()
            if hint is None and self.kinds[self.at] == "=":
                hint = "conditions compare with `==`, `<`, `<=`, `>` or `>=`"
            if hint is None and self.kinds[self.at] == ";":
                hint = "a line ends a statement; no `;` is needed"
            self.unexpected("the end of the statement", hint=hint or "a statement has a line of its own")

    def arrow(self) -> bool:
        """Takes `->` if it stands here."""
        if not arrow_at(self.tokens, self.at):
            return False
        self.at += 2
        return True

    def end(self, name: str, head: Statement) -> None:
        """`end` or `end NAME`"""
        self.at = 1
        if self.kinds[1] == NAME:
            if self.texts[1] != name and name:
                note = Note(f"`{name}` begins here", head.whole)
                span = self.token_span(1)
                message = f"expected `end {name}`, found `end {self.texts[1]}`"
                raise Fault(Diagnostic("E101", message, span, (note,), f"write `end {name}`"))
            self.at = 2

    def definition(self, node: type[Parameter | Signal | Memory], what: str) -> Parameter | Signal | Memory:
        name = self.name(what)
        self.expect("=")
        value = self.expression()
        return node(self.starts[0], self.ends[-1], name, value, self.description_string())

    def arguments(self, closer: str) -> tuple[Argument, ...]:
        """`name = value, ...` up to a token that is not taken."""
        found: list[Argument] = []
        while self.kinds[self.at] != closer or not found:
            if found:
                if self.kinds[self.at] != ",":
                    break
                self.at += 1
            elif self.kinds[self.at] == closer:
                break
            at = self.at
            name = self.name("an argument")
            if self.kinds[self.at] != "=":
                self.unexpected("`=`", hint=f"write `{name} = VALUE`")
            self.at += 1
            value = self.expression()
            found.append(Argument(self.starts[at], value.end, name, value))
        return tuple(found)

    def bracketed(self) -> tuple[Argument, ...]:
        """`(name = value, ...)`, if it stands here."""
        if self.kinds[self.at] != "(":
            return ()
        opener = self.at
        self.at += 1
        found = self.arguments(")")
        self.close(")", opener)
        return found
