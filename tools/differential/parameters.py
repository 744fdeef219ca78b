"""The numbers of a model text as parameters, so that models of one structure share a translation.

Every number with a decimal point that is not zero becomes a parameter. What is zero is part of the structure:
a term that is absent, a source without resistance.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_NUMBER = re.compile(r"(?<![\w.])(\d+\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+)")

#: A minus belongs to the number where nothing that it could be subtracted from is before it.
_SIGN = re.compile(r"(?:[=({,*]|\bthen|\belse)\s*-$")


@dataclass(frozen=True)
class Parameterised:
    """A text whose numbers are the parameters `q1`, `q2`, ..., and what these are."""

    skeleton: str
    values: Mapping[str, float]

    @property
    def text(self) -> str:
        """The model with its own values, to be run as it is."""
        return _declared(self.skeleton, [f"{n} = {v!r}" for n, v in self.values.items()])

    @property
    def shared(self) -> str:
        """The model whose values are given when it is run: the same text for all of one structure."""
        return _declared(self.skeleton, [f"{n} = 1" for n in self.values])


def parameterised(text: str) -> Parameterised:
    """Of a model in which each number is written once, where it is used."""
    values: dict[str, float] = {}
    parts: list[str] = []
    end = 0
    for found in _NUMBER.finditer(text):
        before, value = text[end : found.start()], float(found[1])
        if value == 0:
            continue
        if _SIGN.search(text[: found.start()][-12:]):
            before, value = before[:-1], -value
        name = f"q{len(values) + 1}"
        values[name] = value
        parts += [before, name]
        end = found.end()
    return Parameterised("".join([*parts, text[end:]]), values)


def _declared(skeleton: str, parameters: list[str]) -> str:
    head, rest = skeleton.split("\n", 1)
    return "\n".join([head, f"  parameter Real {', '.join(parameters)};", rest]) if parameters else skeleton
