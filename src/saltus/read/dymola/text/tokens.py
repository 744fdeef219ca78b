"""Text to tokens: those of Modelica, with the words and signs of Dymola.

The language has no sign between statements. Here one is put in: a `;` before a line that begins with a word
of a statement, and before one that has an `=` of its own outside of brackets, if the line before it can have
come to its end. So an equation goes on in the next line after an operator, inside of brackets and before
`else`, `and`, `*` and the like; and `-x = y` on a line of its own is an equation.

Comments stand in braces. They are blanked, so that places stay what they are.
"""

from __future__ import annotations

import re
from dataclasses import replace

from saltus.core.diagnostics import Diagnostic, ModelError, Note
from saltus.core.source import Source, Span
from saltus.ir.dymola import Comment
from saltus.read.modelica.lexer import END_OF_TEXT, KEYWORDS, NAME, Tokens, tokenise

PARALLEL = "//"
SEPARATOR = ";"
#: Words at which a statement begins.
STATEMENT_WORDS = frozenset(
    [
        "model", "end", "terminal", "cut", "main", "path", "local", "parameter", "constant", "input",
        "output", "submodel", "node", "connect", "when", "endwhen",
    ]
)  # fmt: skip
#: The other words that cannot be names.
_INNER_WORDS = frozenset(["at", "from", "to", "if", "then", "else", "and", "or", "not", "der"])
DYMOLA_WORDS = STATEMENT_WORDS | _INNER_WORDS
_TRUTHS = {
    "True": "true",
    "TRUE": "true",
    "true": "true",
    "False": "false",
    "FALSE": "false",
    "false": "false",
}
#: A line continues after these.
_OPEN = frozenset(["+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "<>", "=", ",", "(", "[", "and", "or",
                   "not", "else", "elseif", "if", "at", "from", "to", ".", PARALLEL])  # fmt: skip
#: And before these.
_CONTINUING = frozenset(["*", "/", "^", "<", "<=", ">", ">=", "==", "<>", "=", ",", ")", "]", "and", "or",
                         "then", "else", "elseif", "at", "from", "to", PARALLEL])  # fmt: skip
#: What the lexer takes for `//`, which begins a comment in Modelica.
_STAND_IN = ":="
_BRACES = re.compile(r"\{([^{}]*)\}|[{}]|//|:=")
_HINTS = {
    '"': "a comment stands in braces: `{text}`",
    "'": "a derivative is written `der(x)`",
}


def tokens_of(source: Source) -> tuple[Tokens, tuple[Comment, ...]]:
    """Tokens and comments of a text. Raises `ModelError` (E101) for what is none of them."""
    comments: list[Comment] = []
    faults: list[Diagnostic] = []

    def blanked(match: re.Match[str]) -> str:
        text = match[0]
        if text == PARALLEL:
            return _STAND_IN
        if text == _STAND_IN:
            message, hint = "`:=` is not a symbol of the language", "an equation is written `a = b`"
        elif len(text) > 1:
            comments.append(Comment(match.start(), match.end(), match[1]))
            return re.sub(r"[^\n]", " ", text)
        elif text == "{":
            message, hint = "this comment is never closed", "a comment that begins with `{` ends with `}`"
        else:
            message, hint = "there is no open `{` for this `}`", "a comment stands in braces: `{text}`"
        faults.append(Diagnostic("E101", message, Span(source, match.start(), match.end()), hint=hint))
        return " " * len(text)

    text = _BRACES.sub(blanked, source.text)
    if faults:
        raise ModelError(faults[:10])
    try:
        tokens = tokenise(Source(source.path, text))
    except ModelError as error:
        raise ModelError([_of(source, d) for d in error.diagnostics]) from None
    return _separated(source.text, _in_dymola(tokens)), tuple(comments)


def _of(source: Source, diagnostic: Diagnostic) -> Diagnostic:
    """The error with its place in the original text."""

    def moved(span: Span | None) -> Span | None:
        return None if span is None else Span(source, span.start, span.end)

    notes = tuple(Note(note.message, moved(note.span)) for note in diagnostic.notes)
    span = moved(diagnostic.span)
    hint = _HINTS.get(span.text[:1], diagnostic.hint) if span is not None else diagnostic.hint
    return replace(diagnostic, span=span, notes=notes, hint=hint)


def _in_dymola(tokens: Tokens) -> Tokens:
    """Words of Modelica become names, those of Dymola get kinds of their own, `./` becomes two signs."""
    found = Tokens([], [], [], [])

    def put(kind: str, text: str, start: int, end: int) -> None:
        found.kinds.append(kind)
        found.texts.append(text)
        found.starts.append(start)
        found.ends.append(end)

    for kind, text, start, end in zip(tokens.kinds, tokens.texts, tokens.starts, tokens.ends, strict=True):
        if kind == _STAND_IN:
            put(PARALLEL, PARALLEL, start, end)
        elif len(kind) == 2 and kind[0] == "." and kind != "..":
            put(".", ".", start, start + 1)
            put(kind[1], kind[1], start + 1, end)
        elif text in _TRUTHS:
            put(_TRUTHS[text], text, start, end)
        elif text in DYMOLA_WORDS:
            put(text, text, start, end)
        elif kind == "elseif":
            put(kind, text, start, end)
        elif kind in KEYWORDS or text == "time":
            put(NAME, f"'{text}'", start, end)  # a name here, but a word of Modelica
        else:
            put(kind, text, start, end)
    return found


def _separated(text: str, tokens: Tokens) -> Tokens:
    kinds, starts, ends = tokens.kinds, tokens.starts, tokens.ends
    lines = [0] + [k for k in range(1, len(kinds)) if "\n" in text[ends[k - 1] : starts[k]]]
    own = _with_equals(kinds, lines)
    found = Tokens([], [], [], [])
    depth, is_first = 0, set(lines)
    for at, kind in enumerate(kinds):
        if at in is_first and at > 0:
            word = kind in STATEMENT_WORDS
            before = kinds[at - 1]
            goes_on = depth > 0 or before in _OPEN or kind in _CONTINUING
            if word or kind == END_OF_TEXT or (at in own and not goes_on):
                found.kinds.append(SEPARATOR)
                found.texts.append(SEPARATOR)
                found.starts.append(ends[at - 1])
                found.ends.append(ends[at - 1])
                depth = 0
        depth = max(0, depth + (kind in "([") - (kind in ")]"))
        found.kinds.append(kind)
        found.texts.append(tokens.texts[at])
        found.starts.append(starts[at])
        found.ends.append(ends[at])
    for _ in range(3):  # the parser looks a few tokens ahead
        found.kinds.append(END_OF_TEXT)
        found.texts.append("")
        found.starts.append(starts[-1])
        found.ends.append(ends[-1])
    return found


def _with_equals(kinds: list[str], lines: list[int]) -> set[int]:
    """The first tokens of lines that have an `=` outside of their brackets, or before the next line."""
    found = set()
    for first, behind in zip(lines, [*lines[1:], len(kinds)], strict=True):
        depth = 0
        if behind < len(kinds) and kinds[behind] == "=" and kinds[first] != "=":
            found.add(first)
        for kind in kinds[first:behind]:
            depth += (kind in "([") - (kind in ")]")
            if kind == "=" and depth <= 0:
                found.add(first)
                break
    return found
