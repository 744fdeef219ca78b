"""A mode as it is shown, a stay in it, and the facts about its program that distinguish it from others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from saltus.core.source import Span
from saltus.expr.nodes import leaf_symbol
from saltus.ir.sorted.blocks import Block, Explicit
from saltus.ir.structure import Structure
from saltus.result.modes.guards import Value

#: The largest number of guards shown one by one.
_FEW = 5


@dataclass(frozen=True)
class Decision:
    """The value of a guard in a mode. `fixed`: the program has it in place of the guard. `held`: the run
    stays where the relation changes its truth; its value is then `sliding` or `resting`."""

    text: str
    value: Value
    fixed: bool = False
    held: bool = False
    span: Span | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        if isinstance(self.value, bool):
            return self.text if self.value else f"not {_operand(self.text)}"
        return f"{self.value} on {self.text}" if self.held else f"{self.text} = {self.value}"


@dataclass(frozen=True, eq=False)
class Mode:
    """What the equations were. Modes are numbered from 1 in the order of the first visit.

    `index`: 0 where the equations can be computed one after the other, 1 where some must be solved together,
    2 or more where they constrain the states: then it is the number of differentiations after which all
    derivatives are known. `largest_block`: the number of unknowns of the largest system that is solved
    together, before tearing; 1 where there is none. `open`: quantities that the equations do not determine.
    `why`: the reason for which guards are fixed, empty where none is. `structure` has the equations: where
    several programs served for the mode, those of the one that took most for granted.
    """

    number: int
    guards: tuple[Decision, ...]
    states: tuple[str, ...]
    index: int
    largest_block: int
    open: tuple[str, ...]
    why: str
    structure: Structure = field(repr=False)

    @property
    def fixed(self) -> tuple[Decision, ...]:
        """The guards that were fixed in the program."""
        return tuple(g for g in self.guards if g.fixed)

    def row(self) -> dict[str, Any]:
        """The mode as plain data, for a table or JSON."""
        return {
            "mode": self.number,
            "guards": {g.text: g.value for g in self.guards},
            "fixed": [g.text for g in self.fixed],
            "states": list(self.states),
            "index": self.index,
            "largest_block": self.largest_block,
            "open": list(self.open),
        }

    @property
    def brief(self) -> str:
        """Enough to distinguish modes of one model: of many guards, those that hold, or those that do not."""
        holding = [str(g) for g in self.guards if g.value is not False]
        failing = [g.text for g in self.guards if g.value is False]
        if len(self.guards) <= _FEW:
            return str(self)
        if len(failing) < len(holding):
            return f"all but {', '.join(failing)}" if failing else "all"
        return ", ".join(holding) or "none"

    def __str__(self) -> str:
        return in_words_of(self.guards)


class Stay(NamedTuple):
    """A stretch of time in one mode. A mode that was passed through at one instant has start == stop."""

    start: float
    stop: float
    mode: Mode

    def __str__(self) -> str:
        return f"{self.start:<12.9g}  {self.stop:<12.9g}  {self.mode.number:<3} {self.mode}"


def in_words_of(guards: Sequence[Decision]) -> str:
    """A mode with the values that its guards have."""
    return ", ".join(map(str, guards)) or "no guards"


def _operand(text: str) -> str:
    """A condition to which `not` can be put; a relation binds stronger."""
    return f"({text})" if " and " in text or " or " in text else text


# ---------------------------------------------------------------- facts of a program


def index_of(structure: Structure) -> int:
    """The index of the equations, see `Mode`."""
    if structure.reduction is not None:
        return structure.reduction.index
    return int(any(not isinstance(block, Explicit) for block in _continuous(structure)))


def largest_block(structure: Structure) -> int:
    """The number of unknowns of the largest block of continuous equations."""
    return max((len(block.unknowns) for block in _continuous(structure)), default=0)


def _continuous(structure: Structure) -> Iterator[Block]:
    discrete = {v.symbol for v in structure.discretes}
    return (b for b in structure.blocks if leaf_symbol(b.unknowns[0]) not in discrete)


def open_names(structure: Structure) -> tuple[str, ...]:
    """What the equations leave open, by the names that users know."""
    kept = () if structure.open is None else structure.open.kept
    return tuple(s.name for s in kept if not s.is_hidden)


def state_names(structure: Structure) -> tuple[str, ...]:
    """The states that users know."""
    return tuple(v.name for v in structure.known_states if not v.symbol.is_hidden)
