"""Functions of Strings, by the C names under which the Modelica Standard Library declares them.

Indices count characters from 1. A scan gives the index after what it has found, or the index it was given
where it found nothing.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from saltus.ir.external.objects import ExternalError


def length(text: str) -> list[Any]:
    return [len(text)]


def substring(text: str, first: int, last: int) -> list[Any]:
    """The characters from first to last; those outside of the text are left out."""
    if last < first:
        return [""]
    return [text[max(first, 1) - 1 : last]]


def compare(a: str, b: str, case_sensitive: bool) -> list[Any]:
    """1, 2 or 3: a comes before b, they are equal, a comes after b."""
    if not case_sensitive:
        a, b = a.lower(), b.lower()
    return [2 + (a > b) - (a < b)]


def skip_white_space(text: str, start: int) -> list[Any]:
    """The index of the first character that is no white space."""
    return [_after(re.compile(r"\s*"), text, start)]


def scan_identifier(text: str, start: int) -> list[Any]:
    return _scanned(re.compile(r"\s*([A-Za-z]\w*)", re.ASCII), text, start, str, "")


def scan_integer(text: str, start: int, unsigned: bool) -> list[Any]:
    sign = "" if unsigned else "[+-]?"
    # What goes on like a Real number is none.
    return _scanned(re.compile(rf"\s*({sign}\d+)(?![\d.eE])"), text, start, int, 0)


def scan_real(text: str, start: int, unsigned: bool) -> list[Any]:
    sign = "" if unsigned else "[+-]?"
    return _scanned(re.compile(rf"\s*({sign}\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)"), text, start, float, 0.0)


def scan_string(text: str, start: int) -> list[Any]:
    """What stands between quotes."""
    return _scanned(re.compile(r'\s*"((?:[^"\\]|\\.)*)"', re.DOTALL), text, start, str, "")


def _after(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, max(start, 1) - 1)
    return found.end() + 1 if found else start


def _scanned(pattern: re.Pattern[str], text: str, start: int, kind: type, nothing: object) -> list[Any]:
    found = pattern.match(text, max(start, 1) - 1)
    return [found.end() + 1, kind(found.group(1))] if found else [start, nothing]


def hash_string(text: str) -> list[Any]:
    """A number for a text: the hash function of B. Jenkins (Algorithm Alley, Dr. Dobb's Journal, September
    1997), begun with 0xfeedbeef, as a signed Integer."""
    key = text.encode()
    a = b = 0x9E3779B9
    c = 0xFEEDBEEF
    whole = len(key) // 12 * 12
    for k in range(0, whole, 12):
        words = [int.from_bytes(key[k + at : k + at + 4], "little") for at in (0, 4, 8)]
        a, b, c = _mixed(a + words[0], b + words[1], c + words[2])
    rest = key[whole:]
    a += int.from_bytes(rest[:4], "little")
    b += int.from_bytes(rest[4:8], "little")
    c += len(key) + (int.from_bytes(rest[8:], "little") << 8)  # its lowest byte is for the length
    value = _mixed(a, b, c)[2]
    return [value - (1 << 32) if value >= 1 << 31 else value]


def _mixed(a: int, b: int, c: int) -> tuple[int, int, int]:
    """Three words of 32 bits, so that every bit of each has to do with every other."""
    word = 0xFFFFFFFF
    a, b, c = a & word, b & word, c & word
    for first, second, third in ((13, 8, 13), (12, 16, 5), (3, 10, 15)):
        a = (a - b - c & word) ^ c >> first
        b = (b - c - a & word) ^ (a << second & word)
        c = (c - a - b & word) ^ b >> third
    return a, b, c


def read_line(file: str, number: int) -> list[Any]:
    """A line of a text file, and whether the file has ended before it."""
    lines = _lines(file)
    return [lines[number - 1], False] if 1 <= number <= len(lines) else ["", True]


def count_lines(file: str) -> list[Any]:
    return [len(_lines(file))]


def _lines(file: str) -> list[str]:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise ExternalError(f"the file {file} cannot be read: {error.strerror}", "E102") from None
