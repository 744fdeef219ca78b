"""Units of measurement: Modelica's unit strings (chapter 19 of the specification) and their algebra.

A unit is a product of powers of the seven base units of the SI, times a scale. Powers are rational, because
square roots are taken. Angles are pure numbers: `rad` is 1, and `deg` is 1 with a scale. Units of temperature
with another zero point (`degC`) have an offset, which only matters where two of them are compared.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

_BASES = ("kg", "m", "s", "A", "K", "mol", "cd")

#: Scales of equal units agree to this relative accuracy; they are products of few decimal numbers.
_SAME_SCALE = 1e-9


@dataclass(frozen=True)
class Unit:
    """`powers` of the base units, in the order of `_BASES`; one of this unit is `scale` of their product,
    and its zero is at `offset` of it."""

    powers: tuple[Fraction, ...]
    scale: float = 1.0
    offset: float = 0.0

    def __mul__(self, other: Unit) -> Unit:
        powers = tuple(a + b for a, b in zip(self.powers, other.powers, strict=True))
        return Unit(powers, self.scale * other.scale)

    def __truediv__(self, other: Unit) -> Unit:
        return self * other.power(Fraction(-1))

    def power(self, exponent: Fraction) -> Unit:
        """The unit to a rational power."""
        return Unit(tuple(p * exponent for p in self.powers), self.scale ** float(exponent))

    def same_dimension(self, other: Unit) -> bool:
        """Whether quantities in these units can be added at all."""
        return self.powers == other.powers

    def same(self, other: Unit) -> bool:
        """Whether numbers in these units mean the same quantity."""
        return (
            self.powers == other.powers
            and math.isclose(self.scale, other.scale, rel_tol=_SAME_SCALE)
            and self.offset == other.offset
        )

    def __str__(self) -> str:
        """The unit as Modelica writes it; with a number in front where no unit string has that scale."""
        if not math.isclose(self.scale, 1.0, rel_tol=_SAME_SCALE) or self.offset:
            named = _named(self)
            return named if named is not None else f"{self.scale:.6g} {Unit(self.powers)}"
        named = _named(self)
        if named is not None:
            return named
        above = [_factor(n, p) for n, p in zip(_BASES, self.powers, strict=True) if p > 0]
        below = [_factor(n, -p) for n, p in zip(_BASES, self.powers, strict=True) if p < 0]
        text = ".".join(above) or "1"
        if below:
            text += "/" + (below[0] if len(below) == 1 else f"({'.'.join(below)})")
        return text


def _factor(name: str, power: Fraction) -> str:
    if power == 1:
        return name
    return f"{name}{power}" if power.denominator == 1 else f"{name}^({power})"


def _base(**powers: int) -> Unit:
    return Unit(tuple(Fraction(powers.get(name, 0)) for name in _BASES))


ONE = _base()
SECOND = _base(s=1)

#: Symbols with their units: those of the SI, those that are accepted beside it, and a few that libraries use.
_SYMBOLS: dict[str, Unit] = {name: _base(**{name: 1}) for name in _BASES if name != "kg"}
_SYMBOLS["g"] = Unit(_base(kg=1).powers, 1e-3)  # the kilogram is a gram with a prefix


def _define(name: str, meaning: str, scale: float = 1.0, offset: float = 0.0) -> None:
    unit = parse_unit(meaning)
    _SYMBOLS[name] = Unit(unit.powers, unit.scale * scale, offset)


class UnitError(ValueError):
    """The text is no unit. `symbol` is the part that is not known, if that is why."""

    def __init__(self, message: str, symbol: str | None = None) -> None:
        super().__init__(message)
        self.symbol = symbol


_PREFIXES: dict[str, float] = {
    "Y": 1e24, "Z": 1e21, "E": 1e18, "P": 1e15, "T": 1e12, "G": 1e9, "M": 1e6, "k": 1e3, "h": 1e2, "da": 1e1,
    "d": 1e-1, "c": 1e-2, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12, "f": 1e-15, "a": 1e-18, "z": 1e-21,
    "y": 1e-24,
}  # fmt: skip

_FACTOR = re.compile(r"([^\W\d]+)([+-]?\d+)?")


def parse_unit(text: str) -> Unit:
    """The unit that a unit string means. Raises `UnitError`."""
    unit, end = _expression(text, 0)
    if end < len(text):
        raise UnitError(f"`{text[end]}` is not expected in the unit `{text}`")
    return unit


def conversion(unit: str, wanted: str) -> tuple[float, float] | None:
    """A factor, and what is added to the product, that make numbers in a unit those in another one; None
    where there is no such thing. Speeds in `1/min` are revolutions, as in Modelica tools."""
    try:
        given, target = parse_unit(unit), parse_unit(wanted)
    except UnitError:
        return None
    if not given.same_dimension(target):
        return None
    scale = target.scale
    if wanted == "1/min" and unit in ("rad/s", "1/s"):
        scale *= 2 * math.pi if unit == "rad/s" else 1.0
    return given.scale / scale, (given.offset - target.offset) / scale


def _expression(text: str, at: int) -> tuple[Unit, int]:
    if text.startswith("(", at):
        unit, at = _group(text, at)
    elif text.startswith("1", at):
        unit, at = ONE, at + 1
    else:
        unit, at = _one_factor(text, at)
        while text.startswith(".", at):
            factor, at = _one_factor(text, at + 1)
            unit = unit * factor
    if text.startswith("/", at):
        below, at = _group(text, at + 1) if text.startswith("(", at + 1) else _one_factor(text, at + 1)
        unit = unit / below
    return unit, at


def _group(text: str, at: int) -> tuple[Unit, int]:
    unit, at = _expression(text, at + 1)
    if not text.startswith(")", at):
        raise UnitError(f"a parenthesis is not closed in the unit `{text}`")
    return unit, at + 1


def _one_factor(text: str, at: int) -> tuple[Unit, int]:
    found = _FACTOR.match(text, at)
    if found is None:
        what = f"`{text[at]}` is" if at < len(text) else "the end is"
        raise UnitError(f"{what} not expected in the unit `{text}`")
    unit = _operand(found[1])
    return (unit if found[2] is None else unit.power(Fraction(int(found[2])))), found.end()


def _operand(name: str) -> Unit:
    """A symbol; only if there is none of this name, a prefix and a symbol."""
    if name in _SYMBOLS:
        return _SYMBOLS[name]
    for length in (1, 2):
        prefix, symbol = name[:length], name[length:]
        if prefix in _PREFIXES and symbol in _SYMBOLS:
            unit = _SYMBOLS[symbol]
            return Unit(unit.powers, unit.scale * _PREFIXES[prefix])
    raise UnitError(f"the unit symbol `{name}` is not known", name)


for _name, _meaning in {
    "rad": "1", "sr": "1", "Hz": "1/s", "N": "kg.m/s2", "Pa": "N/m2", "J": "N.m", "W": "J/s", "C": "A.s",
    "V": "W/A", "F": "C/V", "Ohm": "V/A", "S": "A/V", "Wb": "V.s", "T": "Wb/m2", "H": "Wb/A", "lm": "cd.sr",
    "lx": "lm/m2", "Bq": "1/s", "Gy": "J/kg", "Sv": "J/kg", "kat": "mol/s", "var": "W", "VA": "W",
}.items():  # fmt: skip
    _define(_name, _meaning)

for _name, _meaning, _scale in (
    ("min", "s", 60.0), ("h", "s", 3600.0), ("d", "s", 86400.0), ("deg", "1", math.pi / 180),
    ("rev", "1", 2 * math.pi), ("l", "m3", 1e-3), ("L", "m3", 1e-3), ("t", "kg", 1e3), ("ha", "m2", 1e4),
    ("bar", "Pa", 1e5), ("atm", "Pa", 101325.0), ("eV", "J", 1.602176634e-19), ("cal", "J", 4.184),
    ("u", "kg", 1.66053906660e-27), ("rpm", "1/s", math.pi / 30), ("debye", "C.m", 3.33564e-30),
):  # fmt: skip
    _define(_name, _meaning, _scale)

_define("degC", "K", 1.0, 273.15)
_define("degF", "K", 5 / 9, 459.67 * 5 / 9)
_define("degRk", "K", 5 / 9)

#: Levels and the like: known symbols whose numbers are no multiples of anything.
LEVELS = frozenset({"dB", "Np", "phon", "sone", "pH"})

_PREFERRED = ("N", "Pa", "J", "W", "C", "V", "F", "Ohm", "S", "Wb", "T", "H", "K", "s", "m", "kg", "A", "mol")
_PREFERRED_SCALED = (
    "mm", "cm", "km", "g", "ms", "min", "h", "d", "degC", "degF", "degRk", "deg", "rev", "bar", "kW", "kJ",
    "rpm", "l", "km/h",
)  # fmt: skip


def _named(unit: Unit) -> str | None:
    """The symbol of a unit that has one of its own."""
    for name in (*_PREFERRED, *_PREFERRED_SCALED):
        if parse_unit(name).same(unit):
            return name
    return None
