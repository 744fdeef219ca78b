"""The routines of a system whose structure is found by numbers (`saltus.emit.systems`): its coefficients,
sums and patterns, and its solution for the routines that need it.
"""

from __future__ import annotations

from collections.abc import Sequence

from saltus.emit.layout.rolling import Shape, Unit, shape_of
from saltus.emit.layout.system_units import (
    following_tails,
    following_units,
    leaping_tails,
    leaping_units,
)
from saltus.emit.routines.routines import Routines
from saltus.emit.routines.tasks import Task, verbatim
from saltus.emit.systems.leading import LeadingRoutines
from saltus.emit.systems.pattern_loops import PatternRoutines
from saltus.emit.systems.patterns import inverse_rooms
from saltus.expr.nodes import ONE, ZERO, Expr, Op, add, mul, or_, relation
from saltus.ir.program import If, Invoke, Routine, Statement, Store
from saltus.ir.signature import Signature
from saltus.ir.sorted.blocks import Leading, Leap


class NumericSystem:
    """The system, if the structure has one."""

    def __init__(self, made: Routines) -> None:
        self._made = made
        self._systems: dict[Leading, str] = {}

    def find_structure(self) -> None:
        """The routines of a system whose structure is found by numbers."""
        signature, entry = self._made.structure.signature, self._made.structure.entry
        if signature is None:
            return
        block = next(b for b in self._made.structure.blocks if isinstance(b, Leading))
        leap = next(b for b in entry.blocks if isinstance(b, Leap)) if entry is not None else None
        assert leap is not None, "its states are constrained in some modes"
        memory = self._made.memory
        slopes = [self._made.store(x, p.slope) for x, p in zip(memory.pairs, signature.pairs, strict=True)]
        known = list(zip(memory.varying, memory.known_varying, strict=True))
        differ = [relation(Op.NE, x, before) for x, before in known]
        self._made.routine("system_slopes", [*slopes, *(self._made.store(before, x) for x, before in known)])
        of_rows = [
            *zip(memory.nominals, signature.nominals, strict=True),
            *zip(memory.driven, signature.driven, strict=True),
            *zip(memory.sourced, (value for value, _ in signature.sourced), strict=True),
            *zip(memory.sourced_rates, (rate for _, rate in signature.sourced), strict=True),
        ]
        self._made.routine("system_nominals", [self._made.store(*item) for item in of_rows])
        self._made.routine("system_compare", [self._made.store(memory.has_changed, or_(*differ))])
        self._add_up(signature)
        sections, status = self._made.memory.layout().sections, self._made.statuses[block]
        inverses = inverse_rooms(signature, memory.patterns)
        routines = LeadingRoutines(signature, sections, status, leap.located, inverses).all()
        if memory.patterns:
            routines += PatternRoutines(signature, memory.patterns, sections).all()
        self._made.routines |= {routine.name: routine for routine in routines}
        self._made.routines["system_anew"] = self._anew(bool(memory.patterns), any(inverses))

    def _anew(self, patterns: bool, inverses: bool) -> Routine:
        """All that follows from coefficients, if these have changed: the patterns of parts, and factors where
        a part has none that is known."""
        memory = self._made.memory
        slots = memory.slots
        stale = or_(relation(Op.EQ, memory.is_known, ZERO), relation(Op.NE, memory.has_changed, ZERO))
        factors = Invoke("system_structure")
        found: tuple[Statement, ...] = (factors,)
        if patterns:
            some_unknown = relation(Op.EQ, memory.all_known, ZERO)
            by_patterns = ["system_patterns", *(["system_inverses"] if inverses else [])]
            found = (*map(Invoke, by_patterns), If(((some_unknown, (factors,)),)))
        anew: tuple[Statement, ...] = (
            Store(slots[memory.is_known], ZERO),  # until all has gone well
            Store(slots[memory.has_factors], ZERO),
            Store(slots[memory.has_open], ZERO),
            Invoke("system_slopes"),
            *found,
            Store(slots[memory.is_known], ONE),
        )
        return Routine("system_anew", (Invoke("system_compare"), If(((stale, anew),))))

    def _add_up(self, signature: Signature) -> None:
        """What equations come to with values of variables, and how they change with rates."""
        memory = self._made.memory
        own: dict[tuple[int, int], list[Expr]] = {}
        columns: dict[tuple[int, int], list[int]] = {}
        for x, pair in zip(memory.pairs, signature.pairs, strict=True):
            own.setdefault((pair.row, pair.order), []).append(x)
            columns.setdefault((pair.row, pair.order), []).append(pair.column)

        def terms(row: int, order: int, values: Sequence[Expr]) -> list[Expr]:
            places = columns.get((row, order), ())
            return [mul(x, values[k]) for x, k in zip(own.get((row, order), ()), places, strict=True)]

        rows = range(signature.size)
        sums = [add(memory.rest[i], *terms(i, 0, memory.values)) for i in rows]
        stores = [self._made.store(*item) for item in zip(memory.sums, sums, strict=True)]
        self._made.routine("system_sums", stores)
        rates = [(memory.sums[i], terms(i, 1, memory.rates_found)) for i in rows]
        rates += [(memory.changes[i], terms(i, 0, memory.rates_found)) for i in rows]
        stores = [self._made.store(x, add(x, *own_terms)) for x, own_terms in rates if own_terms]
        self._made.routine("system_rates", stores)

    def leading(self, block: Leading) -> Task:
        """Solves a system whose structure is found by numbers, in a routine of its own."""
        if block in self._systems:
            return verbatim([Invoke(self._systems[block])])
        memory, name = self._made.memory, f"system_{len(self._systems) + 1}"
        self._systems[block] = name
        states = block.signature.states
        given = zip(
            (*memory.rest, *memory.drifts, *memory.bends),
            (*block.rest, *block.drifts, *block.bends),
            strict=True,
        )
        tasks = [self._made.store(*item) for item in given]
        tasks += [self._made.store(*item) for item in zip(memory.values, block.values, strict=False)]
        tasks.append(self._made.store(memory.nearing, ONE if block in self._made.structure.blocks else ZERO))
        self._made.routine(f"{name}_given", tasks)
        found = [*memory.values[:states], *memory.solution]
        stores = [self._made.store(*item) for item in zip(block.unknowns, found, strict=True)]
        self._made.routine(f"{name}_found", stores)
        eliminated = (f"{name}_given", "system_follow", f"{name}_found")
        if block in self._made.structure.blocks:
            tails = following_tails(block, memory, self._made.parameters)
            self._made.routine(f"{name}_tails", [self._made.store(*item) for item in tails])
            units = following_units(block, memory, self._made.parameters)
            self._by_patterns(name, units, (f"{name}_tails",), eliminated)
        else:  # tangents are taken where all else has been found
            self._made.sequence(name, "system_structure", *eliminated)
        return verbatim([Invoke(name)])

    def _by_patterns(
        self, name: str, units: Sequence[Unit], then: Sequence[str], eliminated: Sequence[str]
    ) -> None:
        """A system that is solved part by part where all of its parts have patterns, or else by
        elimination."""
        quick: list[str] = []
        alike: dict[Shape, list[tuple[Expr, ...]]] = {}
        for unit in units:
            domains = self._made.domains
            limited = tuple((c, tuple((x, domains(e)) for x, e in own)) for c, own in unit.branches)
            rolled = self._made.unit(Task((), 1, lambda section: None, Unit(limited)), True)
            if rolled is None:
                break
            shape, own = shape_of(rolled)
            alike.setdefault(shape, []).append(own)
        else:
            for shape, instances in alike.items():
                quick.append(f"{name}_parts_{len(quick) + 1}")
                self._made.rolled(quick[-1], shape, instances)
        steps: tuple[Statement, ...] = tuple(map(Invoke, eliminated))
        if quick:
            known = relation(Op.NE, self._made.memory.all_known, ZERO)
            steps = (If(((known, tuple(map(Invoke, (*quick, *then)))),), steps),)
        self._made.routines[name] = Routine(name, (Invoke("system_anew"), *steps))

    def leap(self, block: Leap) -> Task:
        """Enters the mode of such a system."""
        memory, name = self._made.memory, "system_entry"
        given = zip(
            (*memory.rest, *memory.drifts, *memory.values, *memory.nominals, *memory.exactness),
            (*block.rest, *block.drifts, *block.lefts, *block.signature.nominals, block.exact),
            strict=True,
        )
        rates = zip(memory.left_rates, block.left_rates, strict=False)
        self._made.routine(f"{name}_given", [self._made.store(*item) for item in (*given, *rates)])
        found = zip((*block.leaps, *block.books), (*memory.solution, *memory.conserved), strict=True)
        self._made.routine(f"{name}_found", [self._made.store(*item) for item in found])
        eliminated = (f"{name}_given", "system_leap", f"{name}_found")
        stores = [self._made.store(*item) for item in zip(block.books, memory.conserved, strict=True)]
        self._made.routine("system_books", stores)
        units = leaping_units(block, memory, self._made.parameters)
        tails = leaping_tails(block, memory, self._made.parameters)
        self._made.routine(f"{name}_tails", [self._made.store(*item) for item in tails])
        self._by_patterns(name, units, (f"{name}_tails", "system_worst", "system_books"), eliminated)
        return verbatim([Invoke(name)])
