"""Text to statements.

A statement has a line of its own. It continues in the next line inside brackets, after an operator and before
one, but never into a line that begins like a statement: so a bracket that was forgotten, or an operator with
nothing behind it, spoils one statement only. Comments begin with `#`, or are those of Modelica, whose tokens
these are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from saltus.core.diagnostics import Diagnostic, ModelError, Note
from saltus.core.source import Source, Span
from saltus.read.modelica.lexer import END_OF_TEXT, NAME, STRING, Tokens, tokenise

#: Words of Modelica at which a statement begins.
_FIRST_WORDS = frozenset(["end", "initial", "parameter", "input", "equation", "connect"])
_OPERATORS = frozenset(
    [
        "+",
        "-",
        "*",
        "/",
        "^",
        "<",
        "<=",
        ">",
        ">=",
        "==",
        "<>",
        "=",
        ",",
        "and",
        "or",
        "when",
        "then",
        "else",
        "elseif",
    ]
)
#: After these, and before the operators, the line continues.
_OPEN = _OPERATORS | {"not", "if", ":"}

#: The largest lookahead of the parser: this many end tokens follow a statement.
_AHEAD = 4

#: A string, a comment of Modelica, or one of ours.
_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|(?P<ours>#[^\n]*)', re.DOTALL)


def tokens_of(source: Source) -> Tokens:
    """The tokens of a text; its own comments are blanked, so that places stay what they are."""
    text = _COMMENT.sub(lambda m: " " * len(m[0]) if m["ours"] is not None else m[0], source.text)
    try:
        return tokenise(Source(source.path, text))
    except ModelError as error:
        raise ModelError([_of(source, d) for d in error.diagnostics]) from None


def _of(source: Source, diagnostic: Diagnostic) -> Diagnostic:
    """The error with its place in the original text."""

    def moved(span: Span | None) -> Span | None:
        return None if span is None else Span(source, span.start, span.end)

    notes = tuple(Note(note.message, moved(note.span)) for note in diagnostic.notes)
    return replace(diagnostic, span=moved(diagnostic.span), notes=notes)


def statements(source: Source, tokens: Tokens, continuing: frozenset[str] = frozenset()) -> Iterator[Tokens]:
    """Stretches of tokens, each with an end of text of its own behind it. Words that are `continuing` begin
    none."""
    text, kinds, starts, ends = source.text, tokens.kinds, tokens.starts, tokens.ends
    first = depth = 0
    for at, kind in enumerate(kinds):
        new_line = (
            at > 0
            and "\n" in text[ends[at - 1] : starts[at]]
            and not (kind == NAME and tokens.texts[at] in continuing)
        )
        last = kind == END_OF_TEXT
        if at > first and (
            last
            or (
                new_line
                and (
                    begins_statement(tokens, at)
                    or (
                        depth <= 0
                        and kind not in _OPERATORS
                        and kinds[at - 1] not in _OPEN
                        and kind != STRING
                    )
                )
            )
        ):
            yield _stretch(tokens, first, at)
            first, depth = at, 0
        depth += (kind in "([{") - (kind in ")]}")


def begins_statement(tokens: Tokens, at: int) -> bool:
    """Whether nothing but a statement can begin like this."""
    kinds = tokens.kinds
    if kinds[at] in _FIRST_WORDS:
        return kinds[at + 1] != "("
    if kinds[at] != NAME:
        return False
    return kinds[at + 1] == NAME or (arrow_at(tokens, at + 1) and kinds[at - 1] not in _OPEN)


def arrow_at(tokens: Tokens, at: int) -> bool:
    """`->` are two tokens of Modelica that touch."""
    kinds = tokens.kinds
    return (
        at + 1 < len(kinds)
        and kinds[at] == "-"
        and kinds[at + 1] == ">"
        and tokens.ends[at] == tokens.starts[at + 1]
    )


def _stretch(tokens: Tokens, first: int, behind: int) -> Tokens:
    end = tokens.ends[behind - 1]
    return Tokens(
        [*tokens.kinds[first:behind], *[END_OF_TEXT] * _AHEAD],
        [*tokens.texts[first:behind], *[""] * _AHEAD],
        [*tokens.starts[first:behind], *[end] * _AHEAD],
        [*tokens.ends[first:behind], *[end] * _AHEAD],
    )
