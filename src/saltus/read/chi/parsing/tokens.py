"""Text to tokens. Mathematical spelling and ASCII give the same ones: `∇` and `nabla`, `→` and `->`.

A word is a run of letters, digits and `_`, Greek letters among them: `ρgh` is one word, and which names it is
made of is found later (`names`). What stands in brackets behind a `:` is a unit, one token.
"""

from __future__ import annotations

import re

from saltus.core.diagnostics import Diagnostic, ModelError
from saltus.core.source import Source, Span
from saltus.read.modelica.lexer import END_OF_TEXT, MAXIMUM_OF_ERRORS, NAME, NUMBER, Tokens

UNIT = "unit"
#: In front of a type: what is sent, what is received, what a channel passes on.
CHANNEL_SIGNS = ("!", "?", "-")
KEYWORDS = frozenset(
    ["proc", "syst", "xper", "const", "type", "func", "skip", "nabla", "delta", "not", "and", "or", "true",
     "false", "sample"]
)  # fmt: skip
#: Other spellings of signs and words.
_SPELLINGS = {
    "∇": "nabla",
    "Δ": "delta",
    "∆": "delta",
    "¬": "not",
    "∧": "and",
    "∨": "or",
    "√": "sqrt",
    "→": "->",
    "⟶": "->",
    "←": "<-",
    "≤": "<=",
    "≥": ">=",
    "≠": "/=",
    "‖": "||",
    "□": "[]",
    "▯": "[]",
    "☐": "[]",
    "⟦": "[[",
    "⟧": "]]",
    "·": "*",
    "⋅": "*",
    "×": "*",
    "−": "-",
    "σ": "sample",
}
#: Letters of words; the large delta and the small sigma are signs, where they begin a word.
_GREEK = "αβγδεϵζηθϑικλμµνξοπρςτυφϕχψωΓΘΛΞΠΣΦΨΩ"
_LETTERS = rf"A-Za-z_{_GREEK}"
_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
_TOKEN = re.compile(
    rf"""
    (?: \s | //[^\n]* | /\*.*?\*/ )*+
    (?: (?P<word> [{_LETTERS}][{_LETTERS}0-9{_SUBSCRIPTS}]*+ )
      | (?P<number> (?: [0-9]++ (?: \.[0-9]++ )? | \.[0-9]++ ) (?: [eE][+-]?[0-9]++ )? )
      | (?P<sign> ::= | := | -> | <- | <= | >= | /= | \[\] | \|\|
                | /(?!\*) | [-+*^()\[\]{{}}|,;:.<>='!?~{"".join(_SPELLINGS)}] )
      | (?P<end> \Z )
      | (?P<unknown> /\* | "[^"\n]*"? | &+ | . )
    )""",
    re.VERBOSE | re.DOTALL,
)
_UNIT = re.compile(r"\[[^\[\]\n]*\]")
_HINTS = {
    "/*": "a comment that begins with `/*` ends with `*/`",
    "&": "write `and` or `∧`",
    '"': "the language has no strings; a comment begins with `//`",
    "#": "a comment begins with `//`",
    "%": "a remainder is `mod(x, y)`; a comment begins with `//`",
    "≡": "write `=`",
    "∈": "a declaration is `name : type`",
    "ẋ": "a derivative is written `x'`",
}


def _is_type(kinds: list[str]) -> bool:
    """Whether a type comes next: behind a `:`, and behind the sign of a channel there."""
    return kinds[-1:] == [":"] or (len(kinds) > 1 and kinds[-1] in CHANNEL_SIGNS and kinds[-2] == ":")


def tokens_of(source: Source) -> Tokens:
    """The tokens of a text. Raises `ModelError` (E101) for what is none."""
    found = Tokens([], [], [], [])
    faults: list[Diagnostic] = []
    position = 0
    while True:
        match = _TOKEN.match(source.text, position)
        assert match is not None and match.lastgroup is not None
        group, position = match.lastgroup, match.end()
        text, end = match[group], match.end()
        start = end - len(text)
        if group == "unknown":
            message = "this comment is never closed" if text == "/*" else f"unexpected character `{text}`"
            faults.append(
                Diagnostic(
                    "E101", message, Span(source, start, end), hint=_HINTS.get(text, _HINTS.get(text[:1]))
                )
            )
            if text == "/*" or len(faults) >= MAXIMUM_OF_ERRORS:
                break
            continue
        kind = {"word": NAME, "number": NUMBER, "end": END_OF_TEXT}.get(group, text)
        unit = _UNIT.match(source.text, start) if text == "[" and _is_type(found.kinds) else None
        if unit is not None:
            kind, text, end = UNIT, unit[0], unit.end()
            position = end
        elif group == "word" and text in KEYWORDS:
            kind = text
        elif group == "sign":
            kind = _SPELLINGS.get(text, text)
        found.kinds.append(kind)
        found.texts.append(text)
        found.starts.append(start)
        found.ends.append(end)
        if group == "end":
            break
    if faults:
        raise ModelError(faults)
    for _ in range(3):  # the parser looks a few tokens ahead
        found.kinds.append(END_OF_TEXT)
        found.texts.append("")
        found.starts.append(len(source.text))
        found.ends.append(len(source.text))
    return found
