"""The causality of a bond graph in one mode: which end of each bond says what its effort is.

Of the two variables of a bond, one end gives the effort and the other the flow. Bonds are numbered as in the
graph. `because` leads from each bond to those from which it follows, down to an element that begins: a
source, a junction that is off, a storage, or a choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Storage(Enum):
    """How a storage is computed."""

    INTEGRAL = "integral"
    DERIVATIVE = "derivative"


@dataclass(frozen=True)
class Step:
    """One bond gets its causality: `effort_from` is the element that gives the effort. It follows at the
    element `at` from the bonds `because`; from none where the element itself begins."""

    bond: int
    effort_from: str
    at: str
    because: tuple[int, ...] = ()


@dataclass(frozen=True)
class Conflict:
    """What cannot be at the element `at`: two ways lead there, each a list of elements from where it begins.
    `what` is the variable, "effort" or "flow"; where `ways` tell of nothing that determines it, `missing`."""

    at: str
    what: str
    ways: tuple[tuple[str, ...], ...]
    missing: bool = False


@dataclass(frozen=True)
class Causality:
    """mode      which controlled junctions are on
    steps     by bond, in the order in which they were found
    storages  by element
    choices   elements whose causality does not follow from the others: there are algebraic loops
    conflict  why there is no causality; the steps are those that came before
    forced    storages in derivative causality only because something would be determined twice otherwise,
              and what: if both ways say the same it is none, but strokes know no numbers"""

    mode: Mapping[str, bool]
    steps: Mapping[int, Step]
    storages: Mapping[str, Storage]
    choices: tuple[str, ...]
    conflict: Conflict | None = None
    forced: Mapping[str, Conflict] = field(default_factory=dict)

    def way(self, bond: int) -> tuple[str, ...]:
        """The elements through which the causality of a bond follows, from where it begins."""
        found: list[str] = []
        at: int | None = bond
        while at is not None:
            step = self.steps[at]
            found.append(step.at)
            at = step.because[0] if step.because else None
        return tuple(reversed(found))

    def of_kind(self, storage: Storage) -> tuple[str, ...]:
        return tuple(name for name, kind in self.storages.items() if kind is storage)

    def verify(self, bonds: int) -> None:
        """Without a conflict every bond has its step, and each follows from earlier ones."""
        known: set[int] = set()
        for bond, step in self.steps.items():
            assert bond == step.bond and set(step.because) <= known, step
            known.add(bond)
        assert self.conflict is not None or known == set(range(bonds)), "a bond has no causality"


@dataclass(frozen=True)
class Verdict:
    """What numbers say about a mode in which something is determined twice, or would be.

    states      how many there are
    held        storages whose flow (of an I) or effort (of a C) sources determine alone: zero without them
    dependent   storages that are no states: those that are held, and those that follow from earlier ones
    open_bonds  bonds whose effort or flow nothing determines, by number"""

    states: int
    held: tuple[str, ...]
    dependent: tuple[str, ...]
    open_bonds: tuple[int, ...]
