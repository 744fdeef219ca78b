"""What people write who think in another language, and what to write here instead.

The parser knows what it expected; the functions of this file look at what it found and guess what was meant.
They never change what is accepted, and answer None where no guess is better than the plain message.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from saltus.read.modelica.lexer import NAME, NUMBER

#: Words that may stand before the type of a component.
_PREFIXES = (
    "parameter", "constant", "discrete", "input", "output", "flow", "stream", "final", "inner", "outer",
    "replaceable", "extends", "import",
)  # fmt: skip
_CLASSES = ("model", "block", "class", "connector", "function", "package", "record", "type", "operator")
_SECTIONS = ("equation", "algorithm", "protected", "public")
#: Words that cannot continue an expression, so that a `;` before them was forgotten.
_AFTER_SEMICOLON = frozenset(["end", "equation", "algorithm", "public", "protected", "der", "when", "for"])
#: Words of other languages for a further branch.
ELSE_IF = frozenset(["elif", "elsif", "elseIf", "ElseIf"])
#: Before these, brackets are closed.
AFTER_BRACKETS = frozenset([";", "end", "then", "loop", "equation", "algorithm"])
_CHOICE = "a choice is written `if condition then a else b`"


def near_word(word: str, words: Sequence[str]) -> str | None:
    """`did you mean ...?` for a misspelt word of the language."""
    near = get_close_matches(word.lower(), words, n=1, cutoff=0.75)
    return f"did you mean `{near[0]}`?" if near else None


def near_class_word(word: str) -> str | None:
    """For a word where `model`, `block` and the like are expected."""
    return near_word(word, _CLASSES)


def near_section_word(word: str) -> str | None:
    """For a word that was read as a type, where `equation` may be meant."""
    return near_word(word, _SECTIONS)


def instead_of_semicolon(kinds: list[str], texts: list[str], at: int) -> str | None:
    """For a token on the same line as what should be closed by `;`."""
    kind = kinds[at]
    if kind == "if":
        return _CHOICE
    if kind == "{":
        return "modifications and arguments stand in `( )`"
    if texts[at - 1] == "return":
        return "`return` stands alone: a function gives back what its outputs hold"
    if kind == NAME and kinds[at - 1] == NUMBER:
        return "a product is written with `*`; a number has no unit or scale letter behind it"
    if kind == NAME and at >= 2 and kinds[at - 1] == NAME == kinds[at - 2]:
        return near_word(texts[at - 2], _PREFIXES)
    if kind in _AFTER_SEMICOLON:
        return f"write `;` before `{kind}`"
    return None


def instead_of_bracket(kinds: list[str], at: int, *, same_line: bool) -> str | None:
    """For a token where a bracket should close."""
    kind = kinds[at]
    if kind == "=":
        return "equality is tested with `==`"
    named = kind == NAME and kinds[at + 1] in ("=", "(")
    if named or (kind == ";" and same_line and kinds[at + 1] == NAME and kinds[at + 2] == "="):
        return "arguments and modifications are separated by `,`"
    if kind == NAME and kinds[at - 1] == NUMBER:
        return "a product is written with `*`; a number has no unit or scale letter behind it"
    return None


def instead_of_word(kinds: list[str], at: int) -> str | None:
    """For a token where `then` or `loop` should stand."""
    if kinds[at] == "=":
        return "equality is tested with `==`"
    if kinds[at] == ".":
        return "a range is written `first:last`"
    return None


def instead_of_operand(kinds: list[str], at: int) -> str | None:
    """For a token where an expression should begin."""
    kind, before = kinds[at], kinds[at - 1] if at else ""
    if kind == "*" and before == "*":
        return "a power is written `x^2`"
    if kind == "=" and before in ("+", "-", "*", "/"):
        return f"there is no `{before}=`: write the whole right-hand side"
    if kind == "}":
        return "a class ends with `end Name;`, not with a brace"
    return None


def instead_of_declaration(kind: str) -> str | None:
    """For a word of the language where an element of a class should begin."""
    if kind in ("der", "if", "when", "for", "connect", "initial", "not"):
        return "equations stand behind the word `equation`"
    return None


def instead_of_name(kind: str) -> str | None:
    """For a token where an identifier should stand."""
    if kind in ("{", "}"):
        return "a class has no braces: it ends with `end Name;`"
    if kind == NUMBER:
        return "give values by name: `name = value`"
    return None
