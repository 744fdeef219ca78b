"""The position in the tokens, what is expected there, and the errors. A `Fault` is a syntax error on its way
to the nearest place where parsing can continue (the next `;`). There it is collected, so that one run reports
several errors; `ModelError` is raised with all of them at the end.
"""

from __future__ import annotations

from typing import NoReturn

from saltus.core.diagnostics import Diagnostic, ModelError, Note
from saltus.core.source import Source, Span
from saltus.read.modelica.lexer import (
    ANNOTATION,
    END_OF_TEXT,
    KEYWORDS,
    MAXIMUM_OF_ERRORS,
    NAME,
    NUMBER,
    STRING,
    Tokens,
    string_value,
    unknown_escape,
)
from saltus.read.modelica.slips import (
    AFTER_BRACKETS,
    instead_of_bracket,
    instead_of_name,
    instead_of_semicolon,
    instead_of_word,
)

#: Words at which the search for a place to continue stops even without a `;`.
_SECTION_WORDS = frozenset(["equation", "algorithm", "public", "protected", "external", END_OF_TEXT])
#: Words that open a block closed by `end word`.
BLOCK_WORDS = frozenset(["if", "for", "when", "while"])


class Fault(Exception):
    """One syntax error, not yet collected."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class TokenStream:
    """What all parts of the parser share. `at` is the index of the next token."""

    def __init__(self, source: Source, tokens: Tokens, *, lenient_escapes: bool = False) -> None:
        self.source = source
        self.kinds = tokens.kinds
        self.texts = tokens.texts
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.at = 0
        self.errors: list[Diagnostic] = []
        self.most: float = MAXIMUM_OF_ERRORS
        self.forgiven = -1  # the index of a token before which a missing `;` was reported in other words
        self.subscript_depth = 0  # the word `end` is an expression only inside subscripts
        # Documentation strings of annotations are sloppy; that is no reason to refuse a model.
        self.lenient_escapes = lenient_escapes

    # ------------------------------------------------------------ taking tokens

    def expect(self, kind: str) -> int:
        """Takes a token of this kind and returns its index."""
        at = self.at
        if self.kinds[at] != kind:
            self.unexpected(f"`{kind}`")
        self.at = at + 1
        return at

    def close(self, kind: str, opener: int) -> int:
        """Takes the partner of the bracket at index `opener`; returns the offset behind it."""
        at = self.at
        if self.kinds[at] != kind:
            note = Note(f"`{self.texts[opener]}` was opened here", self.token_span(opener))
            hint = self.operator_hint() or instead_of_bracket(
                self.kinds, at, same_line=not self._on_new_line(at + 1)
            )
            if hint is None and self.kinds[at] in AFTER_BRACKETS:
                hint = f"write `{kind}` before {self.show(at)}"
            self.unexpected(f"`{kind}`", notes=(note,), hint=hint)
        self.at = at + 1
        return self.ends[at]

    def name(self, what: str) -> str:
        """Takes an identifier; `what` says what it would name."""
        at = self.at
        if self.kinds[at] != NAME:
            self.no_name(what)
        self.at = at + 1
        return self.texts[at]

    def no_name(self, what: str) -> NoReturn:
        """The fault that the next token is not the identifier of `what`."""
        kind = self.kinds[self.at]
        if kind in KEYWORDS and kind != ANNOTATION:
            if self._on_new_line(self.at) and self.at > 0:
                self.unexpected(f"the name of {what}", hint=f"write a name after {self.show(self.at - 1)}")
            self.fail(
                f"expected the name of {what}, but `{kind}` is a reserved word",
                hint=f"choose another name, or write it in quotes: '{kind}'",
            )
        self.unexpected(f"the name of {what}", hint=instead_of_name(kind))

    def string(self) -> str:
        """Takes a string literal and returns its value."""
        at = self.at
        literal = self.texts[at]
        self.at = at + 1
        if "\\" not in literal:
            return literal[1:-1]
        if not self.lenient_escapes:
            wrong = unknown_escape(literal)
            if wrong is not None:
                start = self.starts[at] + wrong
                self.complain(
                    Diagnostic(
                        "E101",
                        f"unknown escape `{literal[wrong : wrong + 2]}` in a string",
                        Span(self.source, start, start + 2),
                        hint="a backslash itself is written `\\\\`",
                    )
                )
        return string_value(literal)

    def description_string(self) -> str:
        """`"a" + "b"`, or nothing."""
        kinds = self.kinds
        if kinds[self.at] != STRING:
            return ""
        value = self.string()
        while kinds[self.at] == "+":
            self.at += 1
            if kinds[self.at] != STRING:
                self.unexpected("a string", hint="descriptions are joined from string literals only")
            value += self.string()
        return value

    def annotation(self) -> tuple[int, int] | None:
        """The stretch of an annotation if one stands here."""
        at = self.at
        if self.kinds[at] != ANNOTATION:
            return None
        self.at = at + 1
        return (self.starts[at], self.ends[at])

    def semicolon(self) -> None:
        """Takes `;`. If it is only forgotten, reports that and continues as if it were there."""
        at = self.at
        if self.kinds[at] == ";":
            self.at = at + 1
            return
        if at == self.forgiven:
            return
        diagnostic = self._missing_semicolon()
        if not self._on_new_line(at) and self.kinds[at] not in ("end", END_OF_TEXT):
            raise Fault(diagnostic)
        self.complain(diagnostic)

    def word(self, kind: str, after: str) -> None:
        """Takes `then` or `loop`. If it is only forgotten, reports that and continues as if it were there."""
        at = self.at
        if self.kinds[at] == kind:
            self.at = at + 1
            return
        # Where the next equation begins, the word is only forgotten.
        forgotten = self._on_new_line(at) or self.kinds[at] in (NAME, "der")
        hint = self.operator_hint() or instead_of_word(self.kinds, at)
        if forgotten:
            hint = f"`{after}` needs `{kind}` after it"
        diagnostic = self.expected(f"`{kind}`", hint=hint)
        if not forgotten:
            raise Fault(diagnostic)
        self.complain(diagnostic)

    # ------------------------------------------------------------ errors

    def unexpected(self, expected: str, *, hint: str | None = None, notes: tuple[Note, ...] = ()) -> NoReturn:
        """The fault that something else was expected than the next token."""
        raise Fault(self.expected(expected, hint=hint, notes=notes))

    def fail(self, message: str, *, index: int | None = None, hint: str | None = None) -> NoReturn:
        """A fault at the next token, or at the one with this index."""
        span = self.token_span(self.at if index is None else index)
        raise Fault(Diagnostic("E101", message, span, hint=hint))

    def complain(self, diagnostic: Diagnostic) -> None:
        """Collects an error; parsing continues. Consequences of the last one (same place) are dropped."""
        place = diagnostic.span
        if self.errors and place is not None:
            last = self.errors[-1].span
            if last is not None and last.start == place.start:
                return
        self.errors.append(diagnostic)
        if len(self.errors) >= self.most:
            raise ModelError(self.errors)

    def recover(self, fault: Fault) -> None:
        """Collects the fault and moves behind the next `;`, or to a word that starts or ends a section."""
        self.complain(fault.diagnostic)
        self.subscript_depth = 0
        kinds = self.kinds
        at = self.at
        depth = 0  # of square brackets: the `;` of a matrix and the `end` of a subscript do not count
        while True:
            kind = kinds[at]
            if kind in _SECTION_WORDS:
                break
            if kind == "[":
                depth += 1
            elif kind == "]":
                depth -= 1
            elif depth <= 0:
                if kind == ";":
                    at += 1
                    break
                if kind == "end" and (at > self.at or self._closes(at)):
                    break
            at += 1
        self.at = at

    def _closes(self, index: int) -> bool:
        """Whether the `end` at this index ends a class or block, and is not the misuse that was reported."""
        return self.kinds[index + 1] == NAME or self.kinds[index + 1] in BLOCK_WORDS

    def token_span(self, index: int) -> Span:
        """Where a token stands."""
        return Span(self.source, self.starts[index], self.ends[index])

    def show(self, index: int) -> str:
        """A token as messages name it."""
        kind = self.kinds[index]
        if kind == END_OF_TEXT:
            return "the end of the text"
        if kind == STRING:
            return "a string"
        if kind == NUMBER:
            return f"the number `{self.texts[index]}`"
        return f"`{self.texts[index]}`"

    def _on_new_line(self, index: int) -> bool:
        if index == 0 or index == len(self.starts):  # before the first token, behind the end of the text
            return True
        return "\n" in self.source.text[self.ends[index - 1] : self.starts[index]]

    def _place(self, index: int) -> Span:
        """The token, or the end of the one before it if that ended its line: there something is missing.

        Behind a `;` nothing is: then it is the token that is wrong.
        """
        if self.kinds[index] != END_OF_TEXT and self.kinds[index - 1] == ";":
            return self.token_span(index)
        if index > 0 and (self._on_new_line(index) or self.kinds[index] == END_OF_TEXT):
            end = self.ends[index - 1]
            return Span(self.source, end, end)
        return self.token_span(index)

    def expected(self, expected: str, *, hint: str | None = None, notes: tuple[Note, ...] = ()) -> Diagnostic:
        at = self.at
        return Diagnostic("E101", f"expected {expected}, found {self.show(at)}", self._place(at), notes, hint)

    def _missing_semicolon(self) -> Diagnostic:
        at = self.at
        hint = self.operator_hint()
        if hint is None and self._on_new_line(at):
            hint = f"write `;` after {self.show(at - 1)}"
        elif hint is None:
            hint = instead_of_semicolon(self.kinds, self.texts, at)
        return self.expected("`;`", hint=hint)

    def operator_hint(self) -> str | None:
        """What to do about a token that would continue an expression in other languages or places."""
        at = self.at
        kind = self.kinds[at]
        if kind in ("^", ".^"):
            return "powers do not associate: write `(a^b)^c` or `a^(b^c)`"
        if kind in ("<", "<=", ">", ">=", "==", "<>"):
            return "comparisons cannot be chained: write `a < b and b < c`"
        if kind == "[" and self.kinds[at - 1] == ")":
            return "only a variable can be indexed: give the value a name first"
        if kind == ")":
            return "there is no open `(` for this `)`"
        if kind == "=" and self.kinds[at - 1] == "=":
            return "equality is tested with `==`, without a space"
        return None
