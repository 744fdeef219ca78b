"""What the native driver knows about the parts of a program that events keep apart (`saltus.ir.parts`): a row
of fields for each of them (`saltus.ir.native.passage`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.ir.native.passage import PART, PART_LISTS, PART_MOVES, PART_TURNS
from saltus.ir.parts import ALL, Part, Parts, Turns, turns_name

if TYPE_CHECKING:
    from saltus.run.engine.engine import Engine

#: The lists of a gate of which parts have some numbers.
OF_PARTS = ("impulses", "nonlinear", "watched", "deciding", "held")

#: To which slots from which ones, by what goes there.
Moves: TypeAlias = Mapping[str, tuple[NDArray[np.int64], NDArray[np.int64]]]


class NativeParts:
    """The rows of all parts of an engine's program. `lists` are those of its gate, and `moves` those of the
    link from the engine to itself; `lacking` are slots that it has no left limits for."""

    def __init__(
        self,
        engine: Engine,
        parts: Parts,
        lists: Mapping[str, Sequence[int]],
        moves: Moves,
        lacking: NDArray[np.int64],
    ) -> None:
        self._engine, self._lists = engine, {name: set(own) for name, own in lists.items()}
        self._lacking = set(lacking.tolist())
        self._mode = set(engine.continuous.mode_slots.tolist())
        self._moves = {
            name: dict(zip(to.tolist(), source.tolist(), strict=True)) for name, (to, source) in moves.items()
        }
        self._arrays: list[NDArray[np.int64]] = []  # kept alive for native code
        places = {name: k for k, (name, _) in enumerate(PART)}
        self._rows = np.zeros((len(parts.parts), len(PART)), dtype=np.int64)
        columns: dict[str, list[Sequence[int]]] = {}
        for part in parts.parts:
            for name, numbers in self._fields(part):
                columns.setdefault(name, []).append(numbers)
        for name, own in columns.items():
            lengths = np.array([len(numbers) for numbers in own])
            joined = np.array([x for numbers in own for x in numbers], dtype=np.int64)
            first = self._keep(joined) + 8 * np.concatenate([[0], np.cumsum(lengths)[:-1]])
            each = 3 if name.startswith("turns_") else 1
            self._rows[:, places[name]] = first
            self._rows[:, places[f"n_{name.removesuffix('_to').removesuffix('_from')}"]] = lengths // each
        base = self._keep(self._rows)
        of_relations = np.array(parts.of_relation, dtype=np.int64)
        #: The address of an array with the address of the row for each relation.
        self.address = self._keep(base + 8 * len(PART) * of_relations)

    def _keep(self, array: NDArray[np.int64]) -> int:
        self._arrays.append(array)
        return int(array.ctypes.data)

    def _fields(self, part: Part) -> Iterable[tuple[str, Sequence[int]]]:
        """The lists of a part, by the names of their fields."""
        slots = set(part.slots)
        for name in PART_MOVES:
            own = {to: source for to, source in self._moves[name].items() if to in slots}
            slots.update(own.values())  # they have to be frozen to be moved
            yield f"{name}_to", list(own)
            yield f"{name}_from", list(own.values())
        yield "lacking", sorted(self._lacking & slots)
        lists = self._entries(part, slots)
        assert set(lists) == set(PART_LISTS)
        for name, numbers in lists.items():
            yield f"each_{name}", numbers
        for name in PART_TURNS:
            yield f"turns_{name}", self._turns(part.turns[name.removesuffix("_routine")])

    def _entries(self, part: Part, slots: set[int]) -> dict[str, Sequence[int]]:
        relations, continuous = set(part.relations), self._engine.continuous
        first = continuous.first
        found: dict[str, Sequence[int]] = {
            "slots": sorted(slots),
            "relations": part.relations,
            "discretes": part.discretes,
            "states": part.around,
            "jumped": part.states,
            "lefts": self._within("lefts", slots),
            "relation_impulses": self._within("relation_impulses", slots),
            "continuous": sorted(s - first for s in slots if first <= s < first + continuous.count),
            "mode": sorted(self._mode & slots),
        }
        for name in ("lower", "books"):
            found[name] = [k // 2 for k in self._within(name, slots) if k % 2 == 0]
        for name in ("impulses", "nonlinear"):
            found[name] = sorted(self._lists[name] & slots)
        for name in ("watched", "deciding", "held"):
            found[name] = sorted(self._lists[name] & relations)
        return {**found, "excess": ()}

    def _within(self, section: str, slots: set[int]) -> list[int]:
        """The entries of a section that are among the slots."""
        memory = self._engine.memory
        if section not in memory.layout.sections:
            return []
        first, count = memory.layout.sections[section]
        return sorted(s - first for s in slots if first <= s < first + count)

    def _turns(self, turns: Sequence[Turns]) -> list[int]:
        address = self._engine.machine.address
        return [
            x
            for name, first, past in turns
            for x in (address(name if first == ALL else turns_name(name)), first, past)
        ]
