"""The tree of a damaged text: what an editor knows of a model during typing. The parser skips what it cannot
read, up to the next `;`, and continues, so that every undamaged part is in the tree, at its place. What is no
token at all is first replaced by spaces: a lone character, the rest of a line behind a quotation mark without
its partner, or the line of an annotation that is not closed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

from saltus.core.collection import put_off
from saltus.core.diagnostics import ModelError
from saltus.core.source import Source
from saltus.ir import ast
from saltus.read.modelica.lexer import ANNOTATION, END_OF_TEXT, Tokens, tokenise
from saltus.read.modelica.parser_classes import ClassParser
from saltus.read.modelica.token_stream import Fault

#: Each round replaces all that the one before has found, and may uncover more.
_ROUNDS = 20


@dataclass(frozen=True)
class Recovered:
    """What a text still has. `is_whole`: all of it, it is not damaged."""

    tokens: Tokens
    tree: ast.StoredDefinition
    is_whole: bool


def recovered(source: Source) -> Recovered:
    """The tokens and the tree of a text, as far as it has any. Their places are those of the text. Never
    raises."""
    tokens, is_readable = _recovered_tokens(source)
    parser = ClassParser(source, tokens)
    parser.most = inf
    try:
        with put_off():  # a tree has no cycles
            tree = parser.stored_definition()
    except (Fault, ModelError, RecursionError):
        return Recovered(tokens, ast.StoredDefinition(0, len(source.text), None, ()), False)
    return Recovered(tokens, tree, is_readable and not parser.errors)


def _recovered_tokens(source: Source) -> tuple[Tokens, bool]:
    """The tokens of a text, and whether it has nothing else in it."""
    readable = source
    for _ in range(_ROUNDS):
        try:
            return tokenise(readable), readable is source
        except ModelError as error:
            text = readable.text
            for diagnostic in error.diagnostics:
                # A string that runs over its line is more likely the one without an end than the last is.
                spans = (*(note.span for note in diagnostic.notes), diagnostic.span)
                span = next((each for each in spans if each is not None), None)
                if span is not None:
                    text = _without(text, span.start, span.end)
            readable = replace(readable, text=text)
    return Tokens([END_OF_TEXT], [""], [len(source.text)], [len(source.text)]), False


def _without(text: str, start: int, end: int) -> str:
    """The text with spaces in place of what is no token there."""
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    found = text[start]
    if found in "\"'" or text.startswith("/*", start) or text.startswith(ANNOTATION, start):
        end = line_end
    elif found == "(":  # of an annotation; what is in its other lines would be taken for elements
        start = max(text.rfind(ANNOTATION, 0, start), 0)
        end = line_end
    return text[:start] + "".join(c if c == "\n" else " " for c in text[start:end]) + text[end:]
