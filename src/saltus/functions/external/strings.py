"""Functions of texts by the C names of the standard library. Characters count from 1."""

from __future__ import annotations

import re

from saltus.expr.evaluate import Value

#: Whitespace and letters as C has them, whatever the language of the machine.
_SPACE = re.compile(r"[ \t\n\r\f\v]*")
_INTEGER = re.compile(r"[+-]?[0-9]+(?![0-9.eE])")
_REAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TEXT = re.compile(r'"((?:\\"|[^"])+)"', re.DOTALL)

#: As the standard library numbers the results of comparisons.
_LESS, _EQUAL, _GREATER = 1, 2, 3


def length(text: str) -> list[Value]:
    """How many characters there are."""
    return [len(text)]


def substring(text: str, first: int, last: int) -> list[Value]:
    """The characters from `first` to `last`."""
    return [text[max(first, 1) - 1 : max(last, 0)] if last >= first else ""]


def compare(a: str, b: str, case_sensitive: bool) -> list[Value]:
    """Which one comes first in the order of character codes."""
    if not case_sensitive:
        a, b = a.lower(), b.lower()
    return [_LESS if a < b else _EQUAL if a == b else _GREATER]


def skip_white_space(text: str, start: int) -> list[Value]:
    """Where the next character is that is no white space."""
    return [_after_space(text, start) + 1]


def _after_space(text: str, start: int) -> int:
    found = _SPACE.match(text, max(start, 1) - 1)
    return found.end() if found is not None else len(text)


def _scanned(pattern: re.Pattern[str], text: str, start: int, unsigned: bool = False) -> re.Match[str] | None:
    at = _after_space(text, start)
    if unsigned and text[at : at + 1] in ("+", "-"):
        return None
    return pattern.match(text, at)


def scan_real(text: str, start: int, unsigned: bool) -> list[Value]:
    """The position after a number, and the number; the start itself if there is none."""
    found = _scanned(_REAL, text, start, unsigned)
    if found is None or re.match(r"[eE]", text[found.end() : found.end() + 1]):
        return [start, 0.0]
    return [found.end() + 1, float(found[0])]


def scan_integer(text: str, start: int, unsigned: bool) -> list[Value]:
    """The position after an Integer, and the number."""
    found = _scanned(_INTEGER, text, start, unsigned)
    return [start, 0] if found is None else [found.end() + 1, int(found[0])]


def scan_string(text: str, start: int) -> list[Value]:
    """The position after a quoted string, and its content."""
    found = _scanned(_TEXT, text, start)
    return [start, ""] if found is None else [found.end() + 1, found[1]]


def scan_identifier(text: str, start: int) -> list[Value]:
    """The position after an identifier, and the identifier."""
    found = _scanned(_IDENTIFIER, text, start)
    return [start, ""] if found is None else [found.end() + 1, found[0]]


def hash_string(text: str) -> list[Value]:
    """The hash of Arash Partow, of 32 bits with a sign."""
    h = 0xAAAAAAAA
    for k, byte in enumerate(text.encode()):
        if k % 2 == 0:
            h ^= (h << 7) ^ byte * (h >> 3)
        else:
            h ^= ~((h << 11) + (byte ^ (h >> 5)))
        h &= 0xFFFFFFFF
    return [h - 2**32 if h >= 2**31 else h]
