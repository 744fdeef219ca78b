"""Text to tokens: Modelica 3.6, chapter 2 and the lexical part of appendix A.

One regular expression skips white space and comments and takes one token; the tokens are four parallel
lists, because objects per token would cost more than the parsing itself.

An annotation is ONE token, from the word `annotation` to its closing parenthesis. Half of a typical library
is graphics and documentation that is not needed, so the closing parenthesis is found by a second
expression for nothing but strings, quoted identifiers, comments and parentheses. Python's expressions do
not recurse, so that one is unrolled to a fixed depth; a plain loop takes over where text is nested deeper.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from sys import intern

from saltus.core.diagnostics import Diagnostic, ModelError, Note
from saltus.core.source import Source, Span

#: Kinds of tokens that have many texts. The kind of a keyword or operator is its own text.
NAME = "identifier"
NUMBER = "number"
STRING = "string"
ANNOTATION = "annotation"
END_OF_TEXT = "end of text"

KEYWORDS = frozenset(
    ["algorithm", "and", "annotation", "block", "break", "class", "connect", "connector", "constant",
     "constrainedby", "der", "discrete", "each", "else", "elseif", "elsewhen", "encapsulated", "end",
     "enumeration", "equation", "expandable", "extends", "external", "false", "final", "flow", "for",
     "function", "if", "import", "impure", "in", "initial", "inner", "input", "loop", "model", "not",
     "operator", "or", "outer", "output", "package", "parameter", "partial", "protected", "public",
     "pure", "record", "redeclare", "replaceable", "return", "stream", "then", "true", "type", "when",
     "while", "within"]
)  # fmt: skip
OPERATORS = frozenset(
    [".+", ".-", ".*", "./", ".^", "<=", ">=", "==", "<>", ":=", "+", "-", "*", "/", "^", "<", ">", "=",
     "(", ")", "[", "]", "{", "}", ",", ";", ":", "."]
)  # fmt: skip

_KINDS = {text: intern(text) for text in (*KEYWORDS, *OPERATORS)}

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_QUOTED = r"'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"
_COMMENT = r"//[^\n]*+|/\*.*?\*/"

# The possessive quantifiers (`*+`) say that no token is ever given back: no input makes the scan slow.
# A number comes before the operators because of `.5`.
_TOKEN = re.compile(
    rf"""
    [ \t\n\r\f\v]*+ (?: (?: {_COMMENT} ) [ \t\n\r\f\v]*+ )*+
    (?: (?P<word> [A-Za-z_][A-Za-z0-9_]*+ )
      | (?P<number> (?: [0-9]++ (?: \.[0-9]*+ )? | \.[0-9]++ ) (?: [eE][+-]?[0-9]++ )? )
      | (?P<operator> [;,()\[\]{{}}] | \.[-+*/^]? | ==? | <[=>]? | >=? | :=? | [-+*^] | /(?!\*) )
      | (?P<string> {_STRING} )
      | (?P<quoted> {_QUOTED} )
      | (?P<end> \Z )
      | (?P<unknown> /\* | . )
    )""",
    re.VERBOSE | re.DOTALL,
)
_WORD, _NUMBER, _OPERATOR, _STRING_GROUP, _QUOTED_GROUP, _END = 1, 2, 3, 4, 5, 6

_UNROLLED_DEPTH = 10


def _balanced(depth: int) -> str:
    """A parenthesis with everything in it, down to `depth` levels of parentheses."""
    inner = _balanced(depth - 1) if depth else r"(?!)"
    return rf"\((?:[^\"'()/]++|{_STRING}|{inner}|{_COMMENT}|{_QUOTED}|/)*+\)"


_BALANCED = re.compile(rf"(?:[ \t\n\r\f\v]++|{_COMMENT})*+{_balanced(_UNROLLED_DEPTH)}", re.DOTALL)
_OPENING = re.compile(rf"(?:[ \t\n\r\f\v]++|{_COMMENT})*+\(", re.DOTALL)
_STEP = re.compile(
    rf"[^\"'()/]*+(?:(?P<other>{_STRING}|{_QUOTED}|{_COMMENT}|/)|(?P<open>\()|(?P<close>\)))", re.DOTALL
)

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {
    "'": "'", '"': '"', "?": "?", "\\": "\\", "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r",
    "t": "\t", "v": "\v",
}  # fmt: skip

_HINTS = {
    "!": "`not equal` is written `<>`, and `not` is a word",
    "&": "write the word `and`",
    "|": "write the word `or`",
    "%": "a remainder is `mod(x, y)` or `rem(x, y)`",
    "#": "a comment starts with `//`",
    "?": "a choice is written `if condition then a else b`",
    "$": "names starting with `$` are reserved",
    **dict.fromkeys("\u2018\u2019\u201c\u201d", "this is a typographic quotation mark; write `\"` or `'`"),
    **dict.fromkeys("\u00b7\u00d7\u22c5", "a product is written with `*`"),
    **dict.fromkeys("\u2212\u2013", "this is a typographic minus or dash; write `-`"),
    "\u2264": "write `<=`",
    "\u2265": "write `>=`",
    "\u2260": "write `<>`",
    "\u00b2": "a power is written `x^2`",
    "\u00a0": "this is a no-break space; write an ordinary one",
}
MAXIMUM_OF_ERRORS = 10


@dataclass(frozen=True, slots=True)
class Tokens:
    """Parallel lists: what a token is, its text and its half-open stretch. The last is `END_OF_TEXT`."""

    kinds: list[str]
    texts: list[str]
    starts: list[int]
    ends: list[int]


def tokenise(source: Source, start: int = 0, stop: int | None = None) -> Tokens:
    """The tokens of a text or of a stretch of it; all that is wrong in its letters is raised at once."""
    text = source.text
    if stop is None:
        stop = len(text)
    kinds: list[str] = []
    texts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    faults: list[Diagnostic] = []
    put_kind, put_text, put_start, put_end = kinds.append, texts.append, starts.append, ends.append
    known = _KINDS.get
    position = start
    done = False
    while not done:
        # An annotation or something wrong restarts the scan behind it.
        for match in _TOKEN.finditer(text, position, stop):
            group = match.lastindex
            word = match[group]  # type: ignore[index]  # every alternative is a group
            end = match.end()
            if group == _WORD:
                kind = known(word)
                if kind is None:
                    put_kind(NAME)
                    put_text(intern(word))
                elif kind != ANNOTATION:
                    put_kind(kind)
                    put_text(kind)
                else:
                    put_kind(ANNOTATION)
                    put_text(ANNOTATION)
                    put_start(end - len(word))
                    position = _annotation_end(source, end, stop, faults)
                    put_end(position)
                    break
            elif group == _OPERATOR:
                kind = known(word)
                put_kind(kind)  # type: ignore[arg-type]  # the expression knows the same operators
                put_text(kind)  # type: ignore[arg-type]
            elif group == _NUMBER:
                put_kind(NUMBER)
                put_text(word)
            elif group == _STRING_GROUP:
                put_kind(STRING)
                put_text(word)
            elif group == _QUOTED_GROUP:
                put_kind(NAME)
                put_text(intern(_plain_quoted(word)))
            elif group == _END:
                put_kind(END_OF_TEXT)
                put_text("")
                put_start(end)
                put_end(end)
                done = True
                break
            else:
                before = Tokens(kinds, texts, starts, ends)
                position = _report_unknown(source, end - len(word), word, stop, before, faults)
                if len(faults) >= MAXIMUM_OF_ERRORS:
                    raise ModelError(faults)
                break
            put_start(end - len(word))
            put_end(end)
    if faults:
        raise ModelError(faults)
    return Tokens(kinds, texts, starts, ends)


def _annotation_end(source: Source, word_end: int, stop: int, faults: list[Diagnostic]) -> int:
    """Behind the parenthesis that closes the annotation whose word ends at `word_end`."""
    match = _BALANCED.match(source.text, word_end, stop)
    if match is not None:
        return match.end()
    opening = _OPENING.match(source.text, word_end, stop)
    if opening is None:
        faults.append(
            Diagnostic(
                "E101",
                "expected `(` after `annotation`",
                Span(source, word_end - len(ANNOTATION), word_end),
                hint="an annotation is `annotation(name = value, ...)`; the word itself is reserved",
            )
        )
        return word_end
    depth = 0
    expected = opening.end() - 1
    for step in _STEP.finditer(source.text, expected, stop):
        if step.start() != expected:
            break  # a quotation mark without its partner
        expected = step.end()
        if step.lastgroup == "open":
            depth += 1
        elif step.lastgroup == "close":
            depth -= 1
            if depth == 0:
                return expected
    place = opening.end() - 1
    faults.append(
        Diagnostic(
            "E101",
            "the parenthesis of this annotation is never closed",
            Span(source, place, place + 1),
            hint="look for a missing `)` or a missing quotation mark inside the annotation",
        )
    )
    return stop


def _report_unknown(
    source: Source, start: int, word: str, stop: int, before: Tokens, faults: list[Diagnostic]
) -> int:
    """Reports text at `start` that is not a token; returns where to continue."""
    if word == "/*":
        faults.append(
            Diagnostic(
                "E101",
                "this comment is never closed",
                Span(source, start, start + 2),
                hint="a comment that starts with `/*` ends with `*/`",
            )
        )
        return stop
    if word == '"':
        notes = _suspicious_string(source, before)
        faults.append(
            Diagnostic(
                "E101",
                "this string is never closed",
                Span(source, start, start + 1),
                notes,
                hint='a string ends with `"`; a quotation mark inside it is written `\\"`',
            )
        )
        return stop
    if word == "'":
        line_end = source.text.find("\n", start, stop)
        line_end = stop if line_end < 0 else line_end
        faults.append(
            Diagnostic(
                "E101",
                "this quoted identifier is never closed",
                Span(source, start, line_end),
                hint="a derivative is written `der(x)`"
                if source.text[max(start - 1, 0)].isalnum()
                else "a quoted identifier ends with `'` on the same line; strings use `\"`",
            )
        )
        return line_end
    hint = _HINTS.get(word)
    if hint is None and word.isalpha():
        hint = "identifiers use the letters a to z, digits and `_`; other letters need quotes: 'name'"
    shown = word if word.isprintable() else f"U+{ord(word):04X}"
    faults.append(
        Diagnostic("E101", f"unexpected character `{shown}`", Span(source, start, start + 1), hint=hint)
    )
    end = start + 1
    # `&&` is one mistake, not two.
    while end < stop and source.text[end] == word:
        end += 1
    return end


def _suspicious_string(source: Source, before: Tokens) -> tuple[Note, ...]:
    """The first string that runs over a line's end: more likely the culprit than the last quotation mark."""
    for kind, text, start in zip(before.kinds, before.texts, before.starts, strict=False):
        if kind == STRING and "\n" in text:
            message = "this string runs over the end of its line; is its closing mark missing?"
            return (Note(message, Span(source, start, start + 1)),)
    return ()


def _plain_quoted(word: str) -> str:
    """A quoted identifier in its one spelling: the escapes of `?` and `"` are redundant."""
    if "\\" not in word:
        return word
    return _ESCAPE.sub(lambda match: match[1] if match[1] in '?"' else match[0], word)


def string_value(literal: str) -> str:
    """The value of a string literal with its quotation marks. Unknown escapes keep their backslash."""
    value = literal[1:-1]
    if "\\" not in value:
        return value
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[0]), value)


def unknown_escape(literal: str) -> int | None:
    """Where in the literal an escape stands that the language does not have."""
    for match in _ESCAPE.finditer(literal):
        if match[1] not in _ESCAPED:
            return match.start()
    return None
