"""Numbers as people write them: with arithmetic, and with units.

    1/512      2*pi*50      5 mH      20 degC      3/4 kW.h

A quantity is an expression of numbers, and after it, maybe, a unit as Modelica writes them (`N.m`, `m/s2`).
The number is wanted in the unit in which the model counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from saltus.ir.unit import Unit, UnitError, parse_unit

_NUMBER = re.compile(r"\s*((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_NAME = re.compile(r"\s*([A-Za-z]\w*)\s*")
_OPERATOR = re.compile(r"\s*([-+*/^()])")

_CONSTANTS = {"pi": math.pi}
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "log10": math.log10, "abs": abs,
    "sin": math.sin, "cos": math.cos, "tan": math.tan,
    "asin": math.asin, "acos": math.acos, "atan": math.atan,
}  # fmt: skip


class QuantityError(ValueError):
    """The text is no quantity, or not one in this unit; the message says why."""


@dataclass(frozen=True)
class Quantity:
    """A number, and the text of the unit that it counts; '' if there is none."""

    number: float
    unit: str = ""

    def counted_in(self, wanted: str) -> float:
        """The number in another unit; '' stands for the units of the SI. What has no unit stays as it is."""
        if not self.unit:
            return self.number
        given = _unit(self.unit)
        if not wanted:
            return self.number * given.scale + given.offset
        target = _unit(wanted)
        if not given.same_dimension(target):
            raise QuantityError(f"`{self.unit}` is not a compatible unit of a value in `{wanted}`")
        if given == target:
            return self.number
        return (self.number * given.scale + given.offset - target.offset) / target.scale


def _unit(text: str) -> Unit:
    try:
        return parse_unit(text)
    except UnitError as error:
        raise QuantityError(str(error)) from None


def quantity(text: str) -> Quantity:
    """The quantity that a text means. Raises `QuantityError`."""
    reader = _Reader(text)
    try:
        number = reader.sum()
    except (ArithmeticError, ValueError) as error:
        if isinstance(error, QuantityError):
            raise
        raise QuantityError(f"`{text}` has no value") from None
    unit = text[reader.at :].strip()
    if isinstance(number, complex) or not math.isfinite(number):
        raise QuantityError(f"`{text}` has no value")
    if unit and not unit[0].isalpha() and not unit.startswith("1/"):
        raise QuantityError(f"`{unit}` is not expected")
    if unit:
        _unit(unit)
    return Quantity(number, unit)


class _Reader:
    """Reads an expression as far as there is one: what is left is a unit, or nothing."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def sum(self) -> float:
        value = self.product()
        while (sign := self._operator("+-")) is not None:
            value = value + self.product() if sign == "+" else value - self.product()
        return value

    def product(self) -> float:
        value = self.signed()
        while (sign := self._operator("*/")) is not None:
            value = value * self.signed() if sign == "*" else value / self.signed()
        return value

    def signed(self) -> float:
        sign = self._operator("+-")
        if sign is not None:
            return self.signed() if sign == "+" else -self.signed()
        value = self.operand()
        return value ** self.signed() if self._operator("^") else value

    def operand(self) -> float:
        if found := _NUMBER.match(self.text, self.at):
            self.at = found.end()
            return float(found[1])
        if self._operator("("):
            return self._closed()
        found = _NAME.match(self.text, self.at)
        if found is not None and found[1] in _CONSTANTS:
            self.at = found.end()
            return _CONSTANTS[found[1]]
        if found is not None and found[1] in _FUNCTIONS and self.text.startswith("(", found.end()):
            self.at = found.end() + 1
            return _FUNCTIONS[found[1]](self._closed())
        rest = self.text[self.at :].strip()
        raise QuantityError(f"`{rest}` is no number" if rest else f"`{self.text}` is not complete")

    def _closed(self) -> float:
        value = self.sum()
        if not self._operator(")"):
            raise QuantityError(f"a parenthesis is not closed in `{self.text}`")
        return value

    def _operator(self, those: str) -> str | None:
        found = _OPERATOR.match(self.text, self.at)
        if found is None or found[1] not in those:
            return None
        self.at = found.end()
        return found[1]
