"""Linear differential-algebraic equations with elements that have modes, such as ideal diodes.

    mass*z' + matrix*z = sources(t)

Rows of elements are left open there: an element has one law, `row*z = value`, for each of its modes. A mode
is left where one of its exits, `row*z + constant`, becomes negative.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float64]

#: The value at each of several times, or one for all of them.
Source: TypeAlias = Callable[[Vector], Vector | float]

#: A sum of unknowns: the factor of each.
Terms: TypeAlias = Mapping[str, float]


@dataclass(frozen=True)
class Exit:
    """The mode is left for the mode `to` where `row*z + constant` becomes negative."""

    row: Vector
    constant: float
    to: int


@dataclass(frozen=True)
class Law:
    """What an element says in one of its modes."""

    row: Vector
    value: float = 0.0
    exits: tuple[Exit, ...] = ()


@dataclass(frozen=True)
class Impact:
    """What happens where an element that was free (mode 0) closes: `speed*z`, which is negative then, becomes
    `-restitution` times what it was, by a jump of z along `jump`. Mode 1 is lasting contact."""

    speed: Vector
    jump: Vector
    restitution: float


@dataclass(frozen=True)
class Element:
    """An equation that depends on the mode. `schedule` are times and modes of what is switched from
    outside."""

    row: int
    laws: tuple[Law, ...]
    schedule: tuple[tuple[float, int], ...] = ()
    impact: Impact | None = None


@dataclass(frozen=True)
class System:
    """A model. `sources` gives a row for each of the times; `breaks` are those at which they jump or have a
    kink."""

    names: tuple[str, ...]
    mass: Vector
    matrix: Vector
    sources: Callable[[Vector], Vector]
    elements: tuple[Element, ...]
    start: Vector
    breaks: tuple[float, ...] = ()

    def disturbed(self, by: float, apart: float = 0.0, phase: float = 1.0) -> System:
        """The same with start values and sources that are a little larger, all by the same part; and start
        values besides by a part that is another one for each, and for another `phase`. Where all is in
        proportion, as with bodies that bounce on a floor, the former changes nothing but sizes: events come
        when they came."""
        factor = 1.0 + by
        each = factor + apart * np.cos(phase * (1.0 + np.arange(len(self.start))))
        return replace(self, start=self.start * each, sources=lambda t: factor * self.sources(t))


@dataclass
class Builder:
    """Unknowns and rows of a system, by name."""

    unknowns: dict[str, int] = field(default_factory=dict)
    rows: list[tuple[dict[str, float], dict[str, float], Source | None]] = field(default_factory=list)
    elements: list[tuple[int, Callable[[], Element]]] = field(default_factory=list)
    starts: dict[str, float] = field(default_factory=dict)
    breaks: set[float] = field(default_factory=set)

    def unknown(self, name: str, start: float = 0.0) -> str:
        self.unknowns[name] = len(self.unknowns)
        self.starts[name] = start
        return name

    def row(self, terms: Mapping[str, float], rates: Mapping[str, float] | None = None,
            source: Source | None = None) -> int:  # fmt: skip
        """The equation `rates*z' + terms*z = source`; its number."""
        self.rows.append((dict(rates or {}), dict(terms), source))
        return len(self.rows) - 1

    def vector(self, terms: Mapping[str, float]) -> Vector:
        found = np.zeros(len(self.unknowns))
        for name, factor in terms.items():
            found[self.unknowns[name]] += factor
        return found

    def element(
        self,
        laws: Sequence[tuple[Terms, float, Sequence[tuple[Terms, float, int]]]],
        schedule: Sequence[tuple[float, int]] = (),
        impact: tuple[Terms, Terms, float] | None = None,
    ) -> None:
        """Laws are terms, value and exits; an exit is terms, constant and the next mode."""
        number = self.row({})
        self.breaks.update(t for t, _ in schedule)

        def made() -> Element:
            built = tuple(
                Law(self.vector(t), v, tuple(Exit(self.vector(e), c, to) for e, c, to in exits))
                for t, v, exits in laws
            )
            hit = impact and Impact(self.vector(impact[0]), self.vector(impact[1]), impact[2])
            return Element(number, built, tuple(schedule), hit)

        self.elements.append((number, made))

    def system(self) -> System:
        size = len(self.unknowns)
        if len(self.rows) != size:
            raise ValueError(f"{len(self.rows)} equations for {size} unknowns")
        mass, matrix = np.zeros((size, size)), np.zeros((size, size))
        sources = []
        for k, (rates, terms, source) in enumerate(self.rows):
            mass[k], matrix[k] = self.vector(rates), self.vector(terms)
            if source is not None:
                sources.append((k, source))

        def values(t: Vector) -> Vector:
            found = np.zeros((len(t), size))
            for k, source in sources:
                found[:, k] = source(t)
            return found

        start = np.array([self.starts[name] for name in self.unknowns])
        elements = tuple(made() for _, made in self.elements)
        return System(tuple(self.unknowns), mass, matrix, values, elements, start, tuple(sorted(self.breaks)))
