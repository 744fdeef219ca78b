"""A bad input, and what the user must be told about it."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent

REFUSED, USAGE, FAILED = 1, 2, 3  # exit status


@dataclass(frozen=True)
class Case:
    """`model` becomes the file `bad.mo`, its first line with text being line 1. Standard error must contain
    all strings of `told`; `bad.mo:LINE` among them is the place."""

    name: str
    model: str
    status: int
    told: tuple[str, ...]
    arguments: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text of the file."""
        return dedent(self.model).lstrip("\n")


FINE = """
    model Fine
      parameter Real rate = 1;
      Real x(start = 1, fixed = true);
    equation
      der(x) = -rate*x;
    end Fine;
    """
