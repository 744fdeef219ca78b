"""Values of parameters as the command line has them, `--set name=value`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

from saltus.core.diagnostics import UsageError
from saltus.core.option import usage_error
from saltus.run.schedule.quantities import QuantityError, quantity

# A quoted identifier may hold an equals sign: 'a=b'.x=3.
_SETTING = re.compile(r"\s*((?:'(?:[^'\\]|\\.)*'|[^'=])+?)\s*=\s*(.*?)\s*", re.DOTALL)
_INTEGER = re.compile(r"[+-]?\d+")
_REAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_LITERAL = re.compile(r"(?:\.?(?:[A-Za-z_]\w*|'(?:[^'\\]|\\.)*'))+")


def parse_assignments(texts: Iterable[str]) -> dict[str, Any]:
    """`name=value` texts as values by name. `{1, 2}` gives a list; `1/512` is a number. Enumeration literals
    stay text, and so do numbers with a unit: the parameter knows what its unit is."""
    values: dict[str, Any] = {}
    for text in texts:
        match = _SETTING.fullmatch(text)
        if match is None or not match[2]:
            raise usage_error(f"--set {text}: not of the form name=value", hint="for example --set m=2.5")
        name = match[1]
        if name in values:
            raise usage_error(f"--set gives {name} twice")
        try:
            values[name] = parse_value(match[2])
        except UsageError as error:
            told = error.diagnostics[0]
            raise usage_error(f"--set {text}: {told.message}", hint=told.hint) from None
    return values


def parse_value(text: str) -> Any:
    """The value that a text means."""
    if text.startswith("{") and text.endswith("}") and text[1:-1].strip():
        return [parse_value(part) for part in _elements(text[1:-1])]
    if text in ("true", "false"):
        return text == "true"
    if _INTEGER.fullmatch(text):
        return int(text)
    if _REAL.fullmatch(text):
        number = float(text)
        if not math.isfinite(number):
            raise usage_error(f"{text} is too large")
        return number
    if quoted := _STRING.fullmatch(text):
        return re.sub(r"\\(.)", r"\1", quoted[1], flags=re.DOTALL)
    if text.lower() not in ("nan", "inf", "infinity") and _LITERAL.fullmatch(text):
        return text
    try:
        found = quantity(text)
    except QuantityError as error:
        reason = f": {error}" if text[:1].isdigit() else ""
        raise usage_error(
            f"{text} is not a value{reason}",
            hint="a value is a number as in 1/512 or 5 mH, true, false, an enumeration literal, "
            'a "string" or an array {1, 2}',
        ) from None
    return text if found.unit else found.number


def _elements(text: str) -> list[str]:
    """The parts between commas that stand outside braces and strings."""
    parts, depth, quoted = [""], 0, False
    for c in text:
        if c == '"':
            quoted = not quoted
        elif not quoted:
            depth += (c == "{") - (c == "}")
        if c == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]
