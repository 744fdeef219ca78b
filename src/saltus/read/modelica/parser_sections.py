"""Equations and statements (Modelica 3.6, A.2.6). If, for and when are read by the same code in both kinds of
sections; a wrong item is reported and the next one is read."""

from __future__ import annotations

from itertools import pairwise
from typing import NoReturn

from saltus.core.diagnostics import Diagnostic, Note
from saltus.ir import ast
from saltus.read.modelica.lexer import ANNOTATION, END_OF_TEXT, KEYWORDS, NAME, NUMBER
from saltus.read.modelica.parser_expressions import ExpressionParser
from saltus.read.modelica.slips import ELSE_IF
from saltus.read.modelica.token_stream import BLOCK_WORDS, Fault

#: What cannot start an equation or statement: here a list of them ends.
_LIST_ENDS = frozenset(
    ["end", "else", "elseif", "elsewhen", "equation", "algorithm", "public", "protected", "external",
     ANNOTATION, END_OF_TEXT]
)  # fmt: skip
_BRANCH_WORDS = frozenset(["else", "elseif", "elsewhen"])
_DECLARATION_WORDS = frozenset(
    ["parameter", "constant", "discrete", "input", "output", "flow", "stream", "model", "block", "record",
     "connector", "function", "package", "type", "class", "extends", "import", "replaceable", "redeclare",
     "inner", "outer", "final", "partial", "encapsulated"]
)  # fmt: skip


class SectionParser(ExpressionParser):
    """The part of the parser that reads equation and algorithm sections."""

    def section(self) -> ast.Section:
        """One section, from `initial`, `equation` or `algorithm` on."""
        start = self.starts[self.at]
        initial = self.kinds[self.at] == "initial"
        if initial:
            self.at += 1
        word = self.kinds[self.at]
        if word not in ("equation", "algorithm"):
            self.unexpected("`equation` or `algorithm` after `initial`")
        self.at += 1
        algorithm = word == "algorithm"
        items = self.items(algorithm)
        while self.stray():
            items += self.items(algorithm)
        return ast.Section(start, self.ends[self.at - 1], algorithm, initial, items)

    def stray(self) -> bool:
        """Skips an `else` or `end if` that belongs to nothing, so that the section continues after it. It is
        reported if it is the first error; otherwise it is likely a consequence of that."""
        kinds = self.kinds
        at = self.at
        word = kinds[at]
        if word == "end" and kinds[at + 1] in BLOCK_WORDS:
            word = kinds[at + 1]
            message, skipped = f"`end {word}` without its `{word}`", (";",)
        elif word in _BRANCH_WORDS:
            message, skipped = f"`{word}` without its `if` or `when`", ("then",)
        else:
            return False
        if not self.errors:
            self.complain(Diagnostic("E101", message, self.token_span(at)))
        if word == "else":
            self.at = at + 1
            return True
        while kinds[self.at] not in (*skipped, ";", END_OF_TEXT):
            self.at += 1
        if kinds[self.at] != END_OF_TEXT:
            self.at += 1
        return True

    def items(self, algorithm: bool) -> tuple[ast.Item, ...]:
        """Equations or statements up to a word that cannot start one."""
        kinds = self.kinds
        found: list[ast.Item] = []
        while True:
            kind = kinds[self.at]
            if kind in _LIST_ENDS:
                break
            if kind == "initial" and kinds[self.at + 1] in ("equation", "algorithm"):
                break
            try:
                found.append(self._statement() if algorithm else self._equation())
                if kinds[self.at] == ";":
                    self.at += 1
                else:
                    self._item_end(algorithm)
            except Fault as fault:
                self.recover(fault)
        return tuple(found)

    def _item_end(self, algorithm: bool) -> None:
        """A missing `;`: often it is a wrong equals sign or a declaration."""
        kind = self.kinds[self.at]
        if kind == "=" or kind == ":=":
            self.fail(
                f"a second `{kind}` in one {'statement' if algorithm else 'equation'}",
                hint="write `==` to compare; write `;` between two of them",
            )
        self.semicolon()

    # ------------------------------------------------------------ equations

    def _equation(self) -> ast.Equation:
        at = self.at
        kind = self.kinds[at]
        if kind == "connect":
            return self._connect_equation()
        if kind == "if":
            return self._if(False)
        if kind == "for":
            return self._for(False)
        if kind == "when":
            return self._when(False)
        self._refuse_declaration(kind, "an equation section")
        if kind in ("while", "break", "return"):
            self.fail(f"`{kind}` may stand only in an algorithm", hint="equations have no order")
        left = self.simple_expression()
        kind = self.kinds[self.at]
        if kind != "=":
            if isinstance(left, ast.Call) and kind != ":=" and left.function.parts[0][0] not in KEYWORDS:
                description, annotation = self.description()
                return ast.CallEquation(left.start, self.ends[self.at - 1], left, description, annotation)
            if kind == ":=":
                self.complain(
                    Diagnostic(
                        "E101",
                        "expected `=`, found `:=`",
                        self.token_span(self.at),
                        hint="an equation is written with `=`; assignments belong to an algorithm section",
                    )
                )
            else:
                self._no_equation(left)
        self.at += 1
        right = self.expression()
        description, annotation = self.description()
        return ast.SimpleEquation(left.start, self.ends[self.at - 1], left, right, description, annotation)

    def _no_equation(self, left: ast.Expression) -> None:
        hint = None
        if isinstance(left, ast.Binary) and left.operator == "==":
            hint = "an equation is written with `=`; `==` compares"
        elif isinstance(left, ast.Reference) and left.text in ELSE_IF:
            hint = "a further branch of an `if` is `elseif`"
        elif self.kinds[self.at] == NAME and isinstance(left, ast.Reference):
            hint = "declarations stand before `equation`, or behind `public` or `protected`"
        elif self.kinds[self.at] in (";", NUMBER):
            hint = "an equation has two sides: `a = b`"
        self.unexpected("`=`", hint=hint)

    def connect(self) -> ast.Connect:
        """`connect(a, b)` alone."""
        start = self.starts[self.at]
        self.at += 1
        opener = self.expect("(")
        left = self.reference("a connector")
        self.expect(",")
        right = self.reference("a connector")
        if self.kinds[self.at] == ",":
            self.unexpected("`)`", hint="connect joins two connectors: write one more for the third")
        end = self.close(")", opener)
        return ast.Connect(start, end, left, right)

    def _connect_equation(self) -> ast.Connect:
        plain = self.connect()
        description, annotation = self.description()
        return ast.Connect(
            plain.start, self.ends[self.at - 1], plain.left, plain.right, description, annotation
        )

    # ------------------------------------------------------------ statements

    def _statement(self) -> ast.Statement:
        at = self.at
        kind = self.kinds[at]
        if kind == NAME or kind == ".":
            return self._assignment_or_call()
        if kind == "if":
            return self._if(True)
        if kind == "for":
            return self._for(True)
        if kind == "(":
            return self._tuple_assignment()
        start = self.starts[at]
        if kind == "while":
            return self._while()
        if kind == "when":
            return self._when(True)
        if kind == "break":
            self.at += 1
            description, annotation = self.description()
            return ast.BreakStatement(start, self.ends[self.at - 1], description, annotation)
        if kind == "return":
            self.at += 1
            description, annotation = self.description()
            return ast.ReturnStatement(start, self.ends[self.at - 1], description, annotation)
        return self._no_statement(kind)

    def _no_statement(self, kind: str) -> NoReturn:
        self._refuse_declaration(kind, "an algorithm section")
        if kind == "connect":
            self.fail("`connect` may stand only in an equation section")
        if kind == "der":
            self.fail("a derivative cannot be assigned to", hint="write it as an equation: `der(x) = ...`")
        self.unexpected("a statement")

    def _assignment_or_call(self) -> ast.Statement:
        target = self.reference()
        kind = self.kinds[self.at]
        if kind == "(":
            call = self.call(target)
            description, annotation = self.description()
            return ast.CallEquation(target.start, self.ends[self.at - 1], call, description, annotation)
        if kind != ":=":
            self._no_assignment(kind)
        self.at += 1
        value = self.expression()
        description, annotation = self.description()
        return ast.Assignment(target.start, self.ends[self.at - 1], target, value, description, annotation)

    def _no_assignment(self, kind: str) -> None:
        """Reports what stands in place of `:=`; returns if that is `=`."""
        if kind == "=":
            self.complain(
                Diagnostic(
                    "E101",
                    "expected `:=`, found `=`",
                    self.token_span(self.at),
                    hint="a statement assigns with `:=`; equations belong to an equation section",
                )
            )
            return
        hint = None
        if self.texts[self.at - 1] in ELSE_IF:
            hint = "a further branch of an `if` is `elseif`"
        elif kind == NAME:
            hint = "declarations stand before `algorithm`, or behind `public` or `protected`"
        self.unexpected("`:=`", hint=hint)

    def _tuple_assignment(self) -> ast.TupleAssignment:
        first = self.at
        places, _ = self.places()
        targets: list[ast.Reference | None] = []
        for place in places:
            if place is not None and not isinstance(place, ast.Reference):
                index = self.starts.index(place.start, first)
                self.fail("only a variable can be assigned to", index=index)
            targets.append(place)
        if self.kinds[self.at] != ":=":
            self._no_assignment(self.kinds[self.at])
        self.at += 1
        function = self.reference("a function")
        if self.kinds[self.at] != "(":
            self.unexpected("`(`", hint="several variables are assigned by one function call")
        call = self.call(function)
        description, annotation = self.description()
        start = self.starts[first]
        return ast.TupleAssignment(
            start, self.ends[self.at - 1], tuple(targets), call, description, annotation
        )

    def _while(self) -> ast.WhileStatement:
        first = self.at
        self.at += 1
        condition = self.expression()
        self.word("loop", "while")
        items = self.items(True)
        self._end_block("while", first)
        description, annotation = self.description()
        return ast.WhileStatement(
            self.starts[first], self.ends[self.at - 1], condition, items, description, annotation
        )

    # ------------------------------------------------------------ both

    def _if(self, algorithm: bool) -> ast.IfEquation:
        kinds = self.kinds
        first = self.at
        branches: list[tuple[ast.Expression | None, tuple[ast.Item, ...]]] = []
        branches += self._branches("elseif", algorithm)
        if kinds[self.at] == "else":
            self.at += 1
            branches.append((None, self.items(algorithm)))
            if kinds[self.at] in ("else", "elseif"):
                self.fail(f"`{kinds[self.at]}` after `else`", hint="`else` is the last branch of an `if`")
        self._end_block("if", first)
        description, annotation = self.description()
        return ast.IfEquation(
            self.starts[first], self.ends[self.at - 1], tuple(branches), description, annotation
        )

    def _branches(self, further: str, algorithm: bool) -> list[tuple[ast.Expression, tuple[ast.Item, ...]]]:
        """Conditions and what stands under them, from `if` or `when` on; more follow the word `further`."""
        branches: list[tuple[ast.Expression, tuple[ast.Item, ...]]] = []
        while True:
            word = self.kinds[self.at]
            self.at += 1
            condition = self.expression()
            self.word("then", word)
            branches.append((condition, self.items(algorithm)))
            if self.kinds[self.at] != further:
                return branches

    def _for(self, algorithm: bool) -> ast.ForEquation:
        first = self.at
        self.at += 1
        iterators = self.iterators()
        self.word("loop", "for")
        items = self.items(algorithm)
        self._end_block("for", first)
        description, annotation = self.description()
        return ast.ForEquation(
            self.starts[first], self.ends[self.at - 1], iterators, items, description, annotation
        )

    def _when(self, algorithm: bool) -> ast.WhenEquation:
        first = self.at
        branches = self._branches("elsewhen", algorithm)
        self._end_block("when", first)
        description, annotation = self.description()
        return ast.WhenEquation(
            self.starts[first], self.ends[self.at - 1], tuple(branches), description, annotation
        )

    def _end_block(self, word: str, first: int) -> None:
        """Takes `end if`, `end for`, `end when` or `end while`."""
        kinds = self.kinds
        at = self.at
        if kinds[at] == "end" and kinds[at + 1] == word:
            self.at = at + 2
            return
        note = Note(f"this `{word}` is not closed", self.token_span(first))
        if kinds[at] == "end" and kinds[at + 1] in BLOCK_WORDS:
            self.at = at + 1
            self.complain(self.expected(f"`{word}` after `end`", notes=(note,)))
            self.at = at + 2
            return
        hint = f"write `end {word};` before {self.show(at)}"
        if kinds[at] == "end" and kinds[at + 1] == ";":
            hint = f"write `end {word};`"
        elif word == "if" and ("else", "if") in pairwise(kinds[first:at]):
            hint = "`else if` opens a new `if` with its own `end if`; perhaps `elseif` is meant"
        if word == "when" and kinds[at] in ("else", "elseif"):
            hint = "a further branch of a `when` is `elsewhen`"
        self.unexpected(f"`end {word}`", notes=(note,), hint=hint)

    def description(self) -> tuple[str, tuple[int, int] | None]:
        """Description string and annotation, each of which may be missing."""
        kind = self.kinds[self.at]
        if kind == ";":
            return "", None
        return self.description_string(), self.annotation()

    def _refuse_declaration(self, kind: str, place: str) -> None:
        if kind in _DECLARATION_WORDS:
            self.fail(
                f"`{kind}` cannot stand in {place}",
                hint="declarations stand before it, or behind `public` or `protected`",
            )
