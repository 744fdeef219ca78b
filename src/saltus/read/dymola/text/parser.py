"""Tokens to models: recursive descent, one method for a kind of statement.

Expressions are read by the parser of Modelica. A statement with a fault is left out and the next one is read,
so that one run reports all faults.

Where the paper says nothing: names of a declaration stand on one line, or have commas between them; `//`
binds closer than `-`; a name may follow `end`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn, TypeVar

from saltus.core.diagnostics import Diagnostic, ModelError, Note
from saltus.core.nearest import did_you_mean
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.dymola import (
    KINDS,
    Comment,
    Cut,
    Equation,
    Item,
    Model,
    Path,
    When,
)
from saltus.read.dymola.text.parser_declarations import DeclarationParser, one_line
from saltus.read.dymola.text.parser_words import MEANT
from saltus.read.dymola.text.tokens import SEPARATOR, STATEMENT_WORDS
from saltus.read.modelica.lexer import END_OF_TEXT, NAME
from saltus.read.modelica.token_stream import Fault

_EXPERIMENT = re.compile(r"\s*experiment\b")
Read = TypeVar("Read")


def parse(source: Source) -> tuple[Model, ...]:
    """The models of a text. Raises `ModelError` (E101) with all faults of its form."""
    parser = _Parser(source)
    try:
        return parser.models()
    except RecursionError:
        raise too_deep(source) from None


def too_deep(source: Source) -> ModelError:
    """The error for expressions that are nested too deeply."""
    hint = "give parts of long expressions names"
    return ModelError(Diagnostic("E101", "nested too deeply", Span(source, 0, 0), hint=hint))


class _Parser(DeclarationParser):
    # ------------------------------------------------------------ comments

    def _alone(self, start: int, end: int) -> list[Comment]:
        """Comments on lines of their own."""
        found = []
        for comment in self.comments:
            if start <= comment.start < end and not _EXPERIMENT.match(comment.text):
                line = self.source.text.rfind("\n", 0, comment.start) + 1
                if not self.source.text[line : comment.start].strip():
                    found.append(Comment(comment.start, comment.end, one_line(comment.text)))
        return found

    # ------------------------------------------------------------ models

    def models(self) -> tuple[Model, ...]:
        """All of the text."""
        found: list[Model] = []
        self._skip()
        while self.kinds[self.at] != END_OF_TEXT:
            if self.kinds[self.at] == "model":
                model = self._model()
                found += [] if model is None else [model]
            else:
                self._guarded(self._no_model)
                while self.kinds[self.at] not in ("model", END_OF_TEXT):
                    self.at += 1
            self._skip()
        if self.errors:
            raise ModelError(self.errors)
        return tuple(found)

    def _no_model(self) -> NoReturn:
        word = self.texts[self.at]
        hint = MEANT.get(word.strip("'")) or "a file holds models: `model class Name ... end`"
        if word == "end":
            hint = "there is no open `model` for this `end`"
        self.unexpected("`model`", hint=hint)

    def _skip(self) -> None:
        while self.kinds[self.at] == SEPARATOR:
            self.at += 1

    def _model(self) -> Model | None:
        start = self.at
        head = self._guarded(self._head)
        items: list[Item] = []
        while True:
            self._skip()
            kind = self.kinds[self.at]
            if kind == "end":
                break
            if kind in ("model", END_OF_TEXT):
                self._not_closed(start, head[1] if head else "")
                break
            items += self._guarded(self._statement) or ()
        stop = self.at
        if self.kinds[self.at] == "end":
            self.at += 1
            self._end_name(head, stop)
        if head is None:
            return None
        is_class, name, base, named, note = head
        first, last = self.starts[start], self.ends[stop]
        experiment = None
        for comment in self.comments:
            if first <= comment.start < last and _EXPERIMENT.match(comment.text):
                experiment = (comment.start, comment.end)
        body = self.starts[named] + 1
        alone = [c for c in self._alone(body, last) if not any(i.start <= c.start < i.end for i in items)]
        if not note and alone and self._is_next(self.ends[named], alone[0].start):
            note = alone.pop(0).text
        ordered = tuple(sorted([*items, *alone], key=lambda item: item.start))
        self._one_main(items)
        place = (self.starts[named], self.ends[named])
        return Model(first, last, name, is_class, base, ordered, note, place, experiment)

    def _one_main(self, items: list[Item]) -> None:
        """A model has one main cut and one main path."""
        for kind, word in ((Cut, "cut"), (Path, "path")):
            found = [i for i in items if isinstance(i, kind) and i.main]
            if len(found) > 1:
                first, second = (Span(self.source, i.start, i.end) for i in found[:2])
                hint = f"declare one of them as `{word}`"
                note = Note("the first is here", first)
                self.complain(Diagnostic("E202", f"a second main {word}", second, (note,), hint))

    def _is_next(self, end: int, start: int) -> bool:
        """Whether nothing but the rest of a line is between two places."""
        return not self.source.text[end:start].strip() and self.source.text.count("\n", end, start) == 1

    def _head(self) -> tuple[bool, str, ast.Reference | None, int, str]:
        self.at += 1
        is_class = self.texts[self.at] in ("'class'", "'type'")
        self.at += is_class
        base = None
        if self.kinds[self.at] == "(":
            opener = self.at
            self.at += 1
            base = self.type_name()
            self.close(")", opener)
        named = self.at
        name = self.name("the model")
        if self.kinds[self.at] == "(":
            self.unexpected(
                "the end of the line", hint=f"the class it extends stands in front: `(Base) {name}`"
            )
        return is_class, name, base, named, self.note(self.ends[named])

    def _end_name(self, head: tuple[bool, str, ast.Reference | None, int, str] | None, stop: int) -> None:
        """`end` or `end Name`"""
        if self.kinds[self.at] != NAME or "\n" in self.source.text[self.ends[stop] : self.starts[self.at]]:
            return
        name = self.texts[self.at]
        if head is not None and name != head[1]:
            meant = {"'when'": "write `endwhen`", "'if'": "an `if` is an expression and has no end"}.get(name)
            note = Note(f"`{head[1]}` begins here", self.token_span(head[3]))
            message = f"expected `end`, found `end {name}`"
            hint = meant or f"write `end` or `end {head[1]}`"
            self.complain(Diagnostic("E101", message, self.token_span(self.at), (note,), hint))
        self.at += 1

    def _not_closed(self, start: int, name: str) -> None:
        end = self.ends[max(start, self.at - 1)]
        note = Note("it begins here", self.token_span(start))
        message = f"the model `{name}` is not closed" if name else "this model is not closed"
        hint = "write `end` behind its last statement; a model cannot stand in another one"
        self.complain(Diagnostic("E101", message, Span(self.source, end, end), (note,), hint))

    def _guarded(self, work: Callable[[], Read]) -> Read | None:
        """What is read; after a fault, nothing, and the next statement is what comes next."""
        at = self.at
        try:
            return work()
        except Fault as fault:
            self.complain(fault.diagnostic)
        self.at = max(self.at, at + 1)
        self.subscript_depth = 0
        while self.kinds[self.at] not in (SEPARATOR, END_OF_TEXT) and not (
            self.kinds[self.at] in STATEMENT_WORDS and self._on_new_line(self.at)
        ):
            self.at += 1
        return None

    # ------------------------------------------------------------ statements

    def _statement(self) -> list[Item]:
        kind = self.kinds[self.at]
        if kind in KINDS:
            return [self.declaration()]
        match kind:
            case "cut" | "main" | "path":
                return self.cuts_or_paths()
            case "submodel":
                return self.submodels()
            case "node":
                return [self.nodes()]
            case "connect":
                return [self.connections()]
            case "when":
                return self._whole_when()
            case "endwhen":
                self.fail("there is no open `when` for this `endwhen`")
        return [self._equation()]

    # ------------------------------------------------------------ equations

    def _equation(self) -> Equation:
        start = self.at
        word = self.texts[start]
        self.of_other_languages(word)
        if self.kinds[start] == NAME and self.kinds[start + 1] in (NAME, SEPARATOR, END_OF_TEXT):
            hint = MEANT.get(word.strip("'")) or did_you_mean(word, sorted(STATEMENT_WORDS))
            self.fail(
                f"{self.show(start)} begins no statement", hint=hint or "an equation is written `a = b`"
            )
        left = self.expression()
        if self.kinds[self.at] != "=":
            hint = self.operator_hint()
            if isinstance(left, ast.Binary) and left.operator == "==":
                hint = "an equation has one `=`; `==` compares"
            elif isinstance(left, ast.Call):
                hint = hint or did_you_mean(left.function.text, sorted(STATEMENT_WORDS))
            self.unexpected("`=`", hint=hint or "an equation is written `a = b`")
        self.at += 1
        right = self.expression()
        if self.kinds[self.at] == "=":
            self.fail("an equation has one `=`", hint="comparisons are written `==`, `<`, `<=`, `>`, `>=`")
        end = self.ends[self.at - 1]
        return Equation(self.starts[start], end, left, right, self.note(end))

    def _whole_when(self) -> list[Item]:
        """A when; after a fault in it, what follows its end."""
        try:
            return [self._when()]
        except Fault as fault:
            self.complain(fault.diagnostic)
        at = self.at
        while self.kinds[at] not in ("endwhen", "model", "end", "connect", "submodel", "when", END_OF_TEXT):
            at += 1
        if self.kinds[at] == "endwhen":
            self.at = at + 1
        return []

    def _when(self) -> When:
        start = self.at
        self.at += 1
        condition = self.expression()
        if self.kinds[self.at] == "=":
            self.fail("a condition has no `=`", hint="comparisons are written `==`, `<`, `<=`, `>`, `>=`")
        if self.kinds[self.at] != "then":
            self.unexpected("`then`", hint="write `when CONDITION then ... endwhen`")
        note = self.note(self.ends[self.at])
        self.at += 1
        items: list[Equation] = []
        while True:
            self._skip()
            kind = self.kinds[self.at]
            if kind == "endwhen":
                self.at += 1
                break
            if kind == "end" and self.kinds[self.at + 1] == "when":
                self.at += 2
                self.fail("a `when` ends with one word", index=self.at - 2, hint="write `endwhen`")
            if kind in STATEMENT_WORDS or kind == END_OF_TEXT:
                opened = Note("`when` begins here", self.token_span(start))
                hint = "write `endwhen` behind the last of its equations"
                if kind in STATEMENT_WORDS and kind != "end":
                    hint = "only equations stand in a `when`"
                self.unexpected("`endwhen`", hint=hint, notes=(opened,))
            items.append(self._equation())
        return When(self.starts[start], self.ends[self.at - 1], condition, tuple(items), note)
