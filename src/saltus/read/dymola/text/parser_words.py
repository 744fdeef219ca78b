"""Expressions, and the words of messages: also about what other languages have and this one has not."""

from __future__ import annotations

from typing import NoReturn

from saltus.core.diagnostics import Diagnostic, Note
from saltus.ir import ast
from saltus.read.dymola.text.tokens import PARALLEL, SEPARATOR
from saltus.read.modelica.lexer import END_OF_TEXT
from saltus.read.modelica.parser_expressions import ExpressionParser
from saltus.read.modelica.token_stream import Fault

#: Words of other languages and versions, and what they are here.
MEANT = {
    "equation": "equations need no heading",
    "algorithm": "there are no assignments: write equations",
    "extends": "the class that is extended stands in front: `model class (Base) Name`",
    "flow": "a through variable stands behind the `/` of a cut: `cut A (Va / i)`",
    "connector": "what is connected is a cut: `cut A (Va / i)`",
    "package": "a file is a library of its models; this is Modelica if it ends with .mo",
    "within": "this is Modelica: let the name of the file end with .mo",
    "variable": "write `local` or `terminal`",
    "Real": "variables have no type: write `local x`",
    "Boolean": "variables have no type: write `local x`",
    "Integer": "variables have no type: write `local x`",
    "endif": "an `if` is an expression and has no end",
    "endfor": "there are no loops: write an equation for each case",
    "for": "there are no loops: write an equation for each case",
    "while": "there are no loops: write an equation for each case",
    "external": "declare it as a `parameter`, and give it to the submodels",
    "internal": "declare it as a `parameter`, and give it to the submodels",
    "graph": "this is a bond graph: let the name of the file end with .bg",
}
_STATEMENTS_OF_OTHERS = {
    "assert": "remove it, or look at the result of the run",
    "terminate": "let the run end with `{experiment stop = 10}`",
    "reinit": "write `new(x) = VALUE` in a `when`",
    "print": "declare an `output`, and look at the result of the run",
}


class WordsParser(ExpressionParser):
    """The part of the parser that reads expressions."""

    def show(self, index: int) -> str:
        """A token as messages name it; the sign that ends a statement is not in the text."""
        if self.kinds[index] == SEPARATOR and self.starts[index] == self.ends[index]:
            return "the end of the line"
        return super().show(index).replace("`'", "`").replace("'`", "`")

    def unexpected(self, expected: str, *, hint: str | None = None, notes: tuple[Note, ...] = ()) -> NoReturn:
        """The syntax error in terms of this language."""
        if self.kinds[self.at] == PARALLEL:
            hint = "a comment stands in braces: `{text}`; `//` connects in parallel"
        if hint == "write `elseif`":
            hint = "write `else if`"
        super().unexpected(expected, hint=hint, notes=notes)

    # ------------------------------------------------------------ what the language has not

    def missing(self, what: str, index: int, hint: str) -> NoReturn:
        """Something of other languages, by its name."""
        message = f"{what} no part of the Dymola language of 1993"
        raise Fault(Diagnostic("E101", message, self.token_span(index), hint=hint))

    def no_array(self, index: int) -> NoReturn:
        """Arrays, at what shows that one is meant."""
        depth = 0
        while self.kinds[self.at] != END_OF_TEXT:  # do not also report what is inside
            depth += (self.kinds[self.at] == "[") - (self.kinds[self.at] == "]")
            if depth <= 0:
                break
            self.at += 1
        hint = "give each element a name of its own, `x1`, `x2`, or write this model in Modelica"
        self.missing("arrays are", index, hint)

    def subscripts(self) -> tuple[ast.Expression, ...]:
        """`x[1]`, at `[`."""
        self.no_array(self.at)

    def _matrix(self) -> ast.MatrixConstructor:
        self.no_array(self.at)

    def simple_expression(self) -> ast.Expression:
        """An expression without ranges, `1:3`."""
        at = self.at
        found = super().simple_expression()
        if isinstance(found, ast.Range):
            self.no_array(at)
        return found

    def _parenthesis(self) -> ast.Expression:
        """A parenthesised expression with one value, `(x)`."""
        at = self.at
        found = super()._parenthesis()
        if isinstance(found, ast.Tuple):
            self.fail("a list in parentheses is not a value", index=at, hint="write one equation per value")
        return found

    def of_other_languages(self, word: str) -> None:
        """Statements that Modelica has, where one begins."""
        behind = self.kinds[self.at + 1]
        if word == "'elsewhen'":
            hint = "end this `when` with `endwhen`, and write a `when` for the other condition"
            self.missing("`elsewhen` is", self.at, hint)
        if word in _STATEMENTS_OF_OTHERS and behind == "(":
            self.missing(f"`{word}` is", self.at, _STATEMENTS_OF_OTHERS[word])
        if word == "if":
            at = self.at
            while self.kinds[at] not in ("then", SEPARATOR, END_OF_TEXT):
                at += 1
            if self.kinds[at] == "then" and self._on_new_line(at + 2):
                hint = "write `x = if CONDITION then A else B`"
                self.fail("an `if` is an expression, no statement", hint=hint)
