"""Structure to program: memory layout, and the routines that solve the sorted blocks.

    structure.parameters, bands            -> parameters
    structure.initial                      -> initial
    structure.blocks                       -> derivatives, outputs, evaluate, crossings
    structure.jacobian                     -> tangents
    relations, jumps, checks, endings      -> relations, jumps, checks, and what `saltus.emit.events.events`
    lists

and in a program of its own, made on demand,

    structure.blocks                       -> residual (`saltus.emit.layout.implicit`)

Each routine is a list of *tasks*; a task appends its statements to a section of straight-line code, and
names beforehand the expressions it will ask for, so that what several tasks need is computed once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from saltus.emit.events.events import (
    band_values,
    bands_by_truth,
    check_values,
    commit_pieces,
    crossing_time,
    depart_pieces,
    fire_relation,
    jump_values,
    residue_at_event,
    settle,
    update_presumption,
    update_timed,
)
from saltus.emit.events.section_loops import (
    approach_loop,
    commit_loop,
    depart_loop,
    presume_loop,
    update_loop,
)
from saltus.emit.layout import rolling
from saltus.emit.layout.implicit import residual_stores
from saltus.emit.layout.invariants import Invariants
from saltus.emit.layout.layout import Memory, remembered
from saltus.emit.layout.parts import found_parts
from saltus.emit.layout.rolling import Shape, Unit, runs, shape_of
from saltus.emit.layout.schedule import (
    PIECE,
    SEPARATE,
    SEPARATE_LOOPS,
    around_outputs,
    continuous_blocks,
    cost,
    needed,
    overlaps,
    used_leaves,
)
from saltus.emit.layout.splitting import cut
from saltus.emit.layout.system_units import (
    following_tails,
    following_units,
    leaping_tails,
    leaping_units,
)
from saltus.emit.loops.newton import newton
from saltus.emit.loops.torn import TornMatrix, untorn
from saltus.emit.straight.domains import Domains
from saltus.emit.straight.functions import FunctionTable, faults
from saltus.emit.straight.sharing import Contains, Locals, Section, may_fail
from saltus.emit.systems.leading import LeadingRoutines
from saltus.emit.systems.pattern_loops import PatternRoutines
from saltus.emit.systems.patterns import inverse_rooms
from saltus.expr.nodes import (
    ONE,
    TRUE,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    add,
    const,
    der,
    if_,
    leaf_symbol,
    mul,
    not_,
    or_,
    ref,
    relation,
)
from saltus.expr.traversal import leaves, transform
from saltus.ir.hybrid import Relation
from saltus.ir.native.contract import Counter
from saltus.ir.program import Assign, Each, If, Invoke, Program, Routine, Statement, Store
from saltus.ir.signature import Signature
from saltus.ir.sorted.blocks import (
    Block,
    Explicit,
    Leading,
    Leap,
    Linear,
    Nonlinear,
    Switched,
    Tearing,
    block_expressions,
    solving,
)
from saltus.ir.sorted.modes import Entry
from saltus.ir.structure import Structure

#: How far a pivot must be above its floor for a value of a moment ago to do: more than it falls in a step.
FAR_ABOVE_FLOOR = 0.1


@dataclass(frozen=True)
class Task:
    """A few statements: the expressions they need, how many they are about, and how to append them. Those
    that are assignments and nothing else are a `unit` as well."""

    expressions: tuple[Expr, ...]
    cost: int
    append: Callable[[Section], None]
    unit: Unit | None = None


def build(structure: Structure, *, brief: bool = False, entered: bool = False) -> Program:
    """The imperative program of a structure. If it is to be `brief`, routines share the code of their blocks
    even where each would be faster with its own. One that is `entered` from another never starts a run: it
    gets its parameters from there, and has no initial system."""
    return _Builder(structure, brief=brief, entered=entered).program()


def build_implicit(structure: Structure, explicit: Program) -> Program:
    """The routine `residual` alone, for the memory of the program that `build` has made."""
    return _Builder(structure).implicit_program(explicit)


class _Builder:
    def __init__(self, structure: Structure, *, brief: bool = False, entered: bool = False) -> None:
        self.structure = structure
        self.brief, self.entered = brief, entered
        self.memory = Memory(structure)
        self.functions = FunctionTable()
        self.invariants = Invariants(_fixed_parameters(structure), self.memory)
        self.routines: dict[str, Routine] = {}
        self.statuses: dict[Block, int] = {}
        self.failures: dict[int, object] = {}
        self.parameters = _fixed_parameters(structure)
        self.switched: dict[tuple[Switched, bool, bool], If] = {}
        equations = structure.signature.size if structure.signature is not None else 0
        self.may_roll = len(structure.blocks) + equations >= rolling.LEAST_BLOCKS
        self.domains = Domains(structure)
        self._not_rolled = Contains(lambda node: may_fail(node) or node.op is Op.RECALL)
        self._hoisted_expressions: dict[Expr, Expr] = {}
        self.systems: dict[Leading, str] = {}
        self.stale: list[Expr] = []  # for each loop: 1 if it must be solved, whatever it depends on

    def program(self) -> Program:
        entry = self.structure.entry
        entering = entry.blocks if entry is not None else ()
        for block in solving((*self.structure.blocks, *self.structure.initial, *entering)):
            if not isinstance(block, Explicit):
                status = len(self.failures) + 1
                self.statuses[block] = status
                self.failures[status] = block
        self._find_structure()
        self._solve_blocks()
        self._follow_tangents()
        self._watch_relations()
        self._enter()
        self._handle_events()
        self._routine("invariants", [self._store(*item) for item in self.invariants.values], places=False)
        self._sequence("parameters", "bindings", "invariants")
        for function in self.functions.functions:
            self.failures.update(faults(function.body))
        program = Program(
            self.structure.model.name,
            self.memory.layout(),
            self.routines,
            self.functions.functions,
            self.failures,
            tuple(k for k, r in enumerate(self.structure.model.relations) if not r.is_time_event),
            jacobian=self.structure.jacobian,
            components=tuple(self.memory.slots[x] for x in self.memory.form.components),
            delays=self.structure.model.delays,
            transports=self.structure.model.transports,
            steering=self.memory.of_phases.steering,
            opaque=self.memory.of_phases.opaque,
        )
        # Of a program that is entered, everything that an event does is a loop where there are many parts. A
        # system that finds its structure by numbers is looked at as a whole.
        has_parts = self.entered and self.structure.signature is None
        return replace(program, parts=found_parts(program)) if has_parts else program

    def implicit_program(self, explicit: Program) -> Program:
        memory = self.memory
        stores = residual_stores(memory.form, memory.loop_values, memory.rates, memory.residuals)
        self._routine("residual", [self._store(*item) for item in stores], places=False)
        layout = replace(memory.layout(), size=explicit.layout.size)
        return replace(explicit, layout=layout, routines=self.routines, functions=self.functions.functions)

    # ------------------------------------------------------------ routines

    def _find_structure(self) -> None:
        """The routines of a system whose structure is found by numbers."""
        signature, entry = self.structure.signature, self.structure.entry
        if signature is None:
            return
        block = next(b for b in self.structure.blocks if isinstance(b, Leading))
        leap = next(b for b in entry.blocks if isinstance(b, Leap)) if entry is not None else None
        assert leap is not None, "its states are constrained in some modes"
        memory = self.memory
        slopes = [self._store(x, p.slope) for x, p in zip(memory.pairs, signature.pairs, strict=True)]
        known = list(zip(memory.varying, memory.known_varying, strict=True))
        differ = [relation(Op.NE, x, before) for x, before in known]
        self._routine("system_slopes", [*slopes, *(self._store(before, x) for x, before in known)])
        of_rows = [
            *zip(memory.nominals, signature.nominals, strict=True),
            *zip(memory.driven, signature.driven, strict=True),
            *zip(memory.sourced, (value for value, _ in signature.sourced), strict=True),
            *zip(memory.sourced_rates, (rate for _, rate in signature.sourced), strict=True),
        ]
        self._routine("system_nominals", [self._store(*item) for item in of_rows])
        self._routine("system_compare", [self._store(memory.has_changed, or_(*differ))])
        self._add_up(signature)
        sections, status = self.memory.layout().sections, self.statuses[block]
        inverses = inverse_rooms(signature, memory.patterns)
        routines = LeadingRoutines(signature, sections, status, leap.located, inverses).all()
        if memory.patterns:
            routines += PatternRoutines(signature, memory.patterns, sections).all()
        self.routines |= {routine.name: routine for routine in routines}
        self.routines["system_anew"] = self._anew(bool(memory.patterns), any(inverses))

    def _anew(self, patterns: bool, inverses: bool) -> Routine:
        """All that follows from coefficients, if these have changed: the patterns of parts, and factors where
        a part has none that is known."""
        memory = self.memory
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
        memory = self.memory
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
        self._routine("system_sums", [self._store(*item) for item in zip(memory.sums, sums, strict=True)])
        rates = [(memory.sums[i], terms(i, 1, memory.rates_found)) for i in rows]
        rates += [(memory.changes[i], terms(i, 0, memory.rates_found)) for i in rows]
        stores = [self._store(x, add(x, *own_terms)) for x, own_terms in rates if own_terms]
        self._routine("system_rates", stores)

    def _leading(self, block: Leading) -> Task:
        """Solves a system whose structure is found by numbers, in a routine of its own."""
        if block in self.systems:
            return _verbatim([Invoke(self.systems[block])])
        memory, name = self.memory, f"system_{len(self.systems) + 1}"
        self.systems[block] = name
        states = block.signature.states
        given = zip(
            (*memory.rest, *memory.drifts, *memory.bends),
            (*block.rest, *block.drifts, *block.bends),
            strict=True,
        )
        tasks = [self._store(*item) for item in given]
        tasks += [self._store(*item) for item in zip(memory.values, block.values, strict=False)]
        tasks.append(self._store(memory.nearing, ONE if block in self.structure.blocks else ZERO))
        self._routine(f"{name}_given", tasks)
        found = [*memory.values[:states], *memory.solution]
        stores = [self._store(*item) for item in zip(block.unknowns, found, strict=True)]
        self._routine(f"{name}_found", stores)
        eliminated = (f"{name}_given", "system_follow", f"{name}_found")
        if block in self.structure.blocks:
            tails = following_tails(block, memory, self.parameters)
            self._routine(f"{name}_tails", [self._store(*item) for item in tails])
            units = following_units(block, memory, self.parameters)
            self._by_patterns(name, units, (f"{name}_tails",), eliminated)
        else:  # tangents are taken where all else has been found
            self._sequence(name, "system_structure", *eliminated)
        return _verbatim([Invoke(name)])

    def _by_patterns(
        self, name: str, units: Sequence[Unit], then: Sequence[str], eliminated: Sequence[str]
    ) -> None:
        """A system that is solved part by part where all of its parts have patterns, or else by
        elimination."""
        quick: list[str] = []
        alike: dict[Shape, list[tuple[Expr, ...]]] = {}
        for unit in units:
            limited = tuple((c, tuple((x, self.domains(e)) for x, e in own)) for c, own in unit.branches)
            rolled = self._unit(Task((), 1, lambda section: None, Unit(limited)), True)
            if rolled is None:
                break
            shape, own = shape_of(rolled)
            alike.setdefault(shape, []).append(own)
        else:
            for shape, instances in alike.items():
                quick.append(f"{name}_parts_{len(quick) + 1}")
                self._rolled(quick[-1], shape, instances)
        steps: tuple[Statement, ...] = tuple(map(Invoke, eliminated))
        if quick:
            known = relation(Op.NE, self.memory.all_known, ZERO)
            steps = (If(((known, tuple(map(Invoke, (*quick, *then)))),), steps),)
        self.routines[name] = Routine(name, (Invoke("system_anew"), *steps))

    def _leap(self, block: Leap) -> Task:
        """Enters the mode of such a system."""
        memory, name = self.memory, "system_entry"
        given = zip(
            (*memory.rest, *memory.drifts, *memory.values, *memory.nominals, *memory.exactness),
            (*block.rest, *block.drifts, *block.lefts, *block.signature.nominals, block.exact),
            strict=True,
        )
        rates = zip(memory.left_rates, block.left_rates, strict=False)
        self._routine(f"{name}_given", [self._store(*item) for item in (*given, *rates)])
        found = zip((*block.leaps, *block.books), (*memory.solution, *memory.conserved), strict=True)
        self._routine(f"{name}_found", [self._store(*item) for item in found])
        eliminated = (f"{name}_given", "system_leap", f"{name}_found")
        stores = [self._store(*item) for item in zip(block.books, memory.conserved, strict=True)]
        self._routine("system_books", stores)
        units = leaping_units(block, memory, self.parameters)
        tails = leaping_tails(block, memory, self.parameters)
        self._routine(f"{name}_tails", [self._store(*item) for item in tails])
        self._by_patterns(name, units, (f"{name}_tails", "system_worst", "system_books"), eliminated)
        return _verbatim([Invoke(name)])

    def _solve_blocks(self) -> None:
        structure = self.structure
        bands = [
            self._store(leaf, value)
            for leaf, value in zip(self.memory.bands, band_values(structure), strict=True)
        ]
        bands += [
            self._store(self.memory.bands_by_truth[face][k], value)
            for k, faces in bands_by_truth(structure).items()
            for face, value in enumerate(faces)
        ]
        never = [
            self._store(leaf, const(math.inf))
            for leaf, r in zip(self.memory.crossing_times, structure.model.relations, strict=True)
            if not r.is_time_event
        ]
        bindings = [
            self._block(replace(b, value=if_(flag, b.unknown, b.value)))
            for b, flag in zip(structure.parameters, self.memory.overridden, strict=True)
            if not self.entered
        ]
        self._routine("bindings", [*bindings, *bands, *never], places=False)
        if not self.entered:
            self._routine("initial", [self._block(b, puts_back=False) for b in structure.initial])

        continuous = continuous_blocks(structure)
        residues = [
            (self.memory.residues[k], r.residue)
            for k, r in enumerate(structure.model.relations)
            if not r.is_time_event
        ]
        rates = [der(ref(v.symbol)) for v in structure.states]
        residues += zip(self.memory.phases, self.memory.of_phases.expressions, strict=True)
        watched = [x for _, e in residues for x in leaves(e)]
        for_derivatives, for_crossings = needed(continuous, rates), needed(continuous, watched)
        store_residues = [self._store(leaf, e) for leaf, e in residues]
        loops = any(not isinstance(b, Explicit) for b in continuous)
        # Newton's method has fewer ways to go where values do not jump, so such loops keep their own code.
        iterated = any(isinstance(b, Nonlinear) for b in solving(continuous))
        separate = sum(map(cost, continuous)) <= (SEPARATE_LOOPS if loops else SEPARATE)
        separate = separate and not (self.brief and not iterated)
        if separate:
            used = used_leaves([*for_derivatives, *(t for t, _ in self._tangents())], rates)
            self._routine("derivatives", [self._moving(b, used) for b in for_derivatives], in_steps=True)
            self._routine("outputs", map(self._block, continuous))
            used = used_leaves(for_crossings, watched)
            tasks = [*(self._moving(b, used) for b in for_crossings), *store_residues]
            self._routine("crossings", tasks, in_steps=True)
        else:
            parts = ("shared", "only_derivatives", "only_crossings", "only_outputs")
            for name, part in zip(parts, overlaps(continuous, for_derivatives, for_crossings), strict=True):
                self._routine(name, map(self._block, part), in_steps=name != parts[-1])
            self._routine("residues", store_residues, in_steps=True)
            self._sequence("derivatives", parts[0], parts[1])
            self._sequence("crossings", parts[0], parts[2], "residues")
            self._sequence("outputs", *parts)
        if structure.model.delays or structure.model.transports:
            self._remember(continuous)
        if residues and len(residues) == len(structure.pivot_guards):
            self._watch_pivot_guards([(leaf, e) for leaf, e in residues])
        around = around_outputs(structure)
        if around is None or (separate and any(around)):
            self._routine("evaluate", map(self._if_changed, structure.blocks))
        else:
            names = ("discretes_before", "discretes_after")
            for name, part in zip(names, around, strict=True):
                self._routine(name, map(self._block, part))
            self._sequence("evaluate", names[0], "outputs", names[1])

    def _remember(self, continuous: Sequence[Block]) -> None:
        """The routine that computes what is written into histories."""
        inputs = remembered(self.structure.model)
        wanted = [x for e in inputs for x in leaves(e)]
        blocks = needed(continuous, wanted)
        used = used_leaves(blocks, wanted)
        stores = [self._store(leaf, e) for leaf, e in zip(self.memory.remembered, inputs, strict=True)]
        self._routine("remembered", [*(self._moving(b, used) for b in blocks), *stores])

    def _watch_pivot_guards(self, residues: Sequence[tuple[Expr, Expr]]) -> None:
        """Where nothing is watched but the choice of states: while all pivots are well above their floors,
        what the memory has of a moment ago tells it, and no loop is solved to see it."""
        local = Locals()
        section = Section([e for _, e in residues], local, self.functions.lowered, invariants=self.invariants)
        near: list[Expr] = []
        for leaf, e in residues:
            section.statements.append(Store(self.memory.slots[leaf], section.local(e)))
            near.append(not_(relation(Op.GT, leaf, const(FAR_ABOVE_FLOOR))))
        code = (*section.statements, If(((or_(*near), (Invoke("crossings"),)),)))
        self.routines["watch"] = Routine("watch", code, tuple(local.symbols))

    def _follow_tangents(self) -> None:
        jacobian = self.structure.jacobian
        if jacobian is None or jacobian.tangents is None:
            return
        blocks = self._tangents()
        pairs = zip(solving(t for t, _ in blocks), solving(b for _, b in blocks), strict=True)
        for tangent, block in pairs:
            if not isinstance(tangent, Explicit):
                self.statuses[tangent] = self.statuses[block]  # where one has no solution, nor has the other
        self._routine("tangents", [self._block(tangent) for tangent, _ in blocks], in_steps=True)

    def _tangents(self) -> tuple[tuple[Block, Block], ...]:
        jacobian = self.structure.jacobian
        return () if jacobian is None or jacobian.tangents is None else jacobian.tangents.blocks

    def _watch_relations(self) -> None:
        relations = self.structure.model.relations
        memory = self.memory
        timed = [(k, r) for k, r in enumerate(relations) if r.is_time_event]
        tasks = [
            self._store(leaf, residue_at_event(r)) for leaf, r in zip(memory.residues, relations, strict=True)
        ]
        tasks += [self._store(memory.crossing_times[k], crossing_time(r)) for k, r in timed]
        self._routine("relations", tasks)
        self.routines["approach"] = approach_loop(relations, memory)
        self.routines["presume"] = presume_loop(relations, memory)
        self._routine("fire", [self._fire(k, r) for k, r in timed])
        for name, one_pass, initial in (
            ("settle", "evaluate", False),
            ("settle_initial", "initial", True),
        ):
            if initial and self.entered:
                continue
            update = f"{name}_update"
            tasks = [self._update(k, r, initial=initial) for k, r in timed]
            for k, p in enumerate(self.structure.presumptions, len(relations)):
                tasks.append(_verbatim(update_presumption(k, p, memory)))
            loop, rest = f"{update}_loop", f"{update}_rest"
            self.routines[loop] = update_loop(loop, relations, memory, initial=initial)
            self._routine(rest, tasks)
            self._sequence(update, loop, rest)
            self.routines[name] = settle(name, one_pass, update, self.structure, memory)

    def _enter(self) -> None:
        """What entering a mode takes: `entry`, which gives states their values after the instant, `enter`
        with all that follows from them; and what has to be looked at before (`lower`) and after that
        (`books`)."""
        entry, memory = self.structure.entry, self.memory
        if entry is None:
            return
        impulses = [self._store(memory.relation_impulses[k], e) for k, e in entry.decides.items()]
        afters = [self._store(ref(state), ref(after)) for state, after in entry.afters.items()]
        self._routine("entry", [*map(self._block, entry.blocks), *impulses, *afters])
        self._sequence("enter", "entry", "evaluate")
        for name, places, known in (
            ("lower", memory.lower, entry.lower),
            ("books", memory.books, entry.books),
        ):
            numbers = [e for _, residual, size in known for e in (residual, size)]
            tasks = [self._store(*item) for item in zip(places, numbers, strict=True)]
            if name == "lower" and known and self.structure.signature is not None:
                tasks = [_verbatim(self._displaced()), *tasks]
            self._routine(name, tasks)

    def _displaced(self) -> list[Statement]:
        """Looks where constraints on what does not jump are off, in a system that finds its structure by
        numbers: nowhere if it has no solution, or if all of its parts have patterns."""
        memory = self.memory
        places = [memory.slots[x] for x in (*memory.lower, *memory.displaced)]
        looked = (Invoke("system_entry_given"), Invoke("system_lower"))
        return [
            *(Store(slot, value) for slot, value in zip(places, (ZERO, ONE, ZERO, ONE), strict=True)),
            Invoke("system_anew"),
            If(((relation(Op.EQ, memory.all_known, ZERO), looked),)),
        ]

    def _handle_events(self) -> None:
        structure, memory = self.structure, self.memory
        self._routine("take_left", [self._store(*item) for item in depart_pieces(structure, memory)])
        # What loops were solved with at an earlier event says nothing. Nor do jumps: where nothing is
        # demanded, an iteration that begins with nothing finds nothing, and not what was left of another one.
        jumps = [self._store(x, ZERO) for x in _iterated(structure.entry)]
        self._routine("forget", [*(self._store(stale, ONE) for stale in self.stale), *jumps])
        self.routines["depart_states"] = depart_loop(memory)
        self._sequence("depart", "depart_states", "take_left", "forget")
        tasks: list[Task] = []
        for k, active, value in jump_values(structure):
            tasks.append(self._store(memory.jumped[k], active))
            tasks.append(self._store(memory.new_states[k], value))
        self._routine("jumps", tasks)
        tasks = [self._store(leaf, e) for leaf, e in zip(memory.checks, check_values(structure), strict=True)]
        tasks += [
            self._store(leaf, n.condition)
            for leaf, n in zip(memory.endings, structure.model.endings, strict=True)
        ]
        self._routine("checks", tasks)
        self._routine("commit_changes", [_verbatim(s) for s in commit_pieces(structure, memory)])
        self.routines["commit_discretes"] = commit_loop(memory)
        changed = memory.counters[Counter.CHANGED]
        parts: list[Statement] = [
            Store(memory.slots[changed], ZERO),
            *(Invoke(name) for name in ("jumps", "commit_discretes", "commit_changes")),
        ]
        if self._follow_zeros():
            parts.append(If(((relation(Op.NE, changed, ZERO), (Invoke("follow_zeros"),)),)))
        if structure.signature is not None:
            parts.append(Invoke("system_noted"))
        self.routines["commit"] = Routine("commit", tuple(parts))

    def _follow_zeros(self) -> bool:
        """Relations whose zero moves with values before an event are compared anew when these have changed.
        Otherwise floor(x) would be tried one step too far in the next pass. Whether there are any."""
        memory, relations = self.memory, self.structure.model.relations
        moving = [(k, r) for k, r in enumerate(relations) if r.has_moving_zero]
        if not moving:
            return False
        timed = [(k, r) for k, r in moving if r.is_time_event]
        tasks = [self._store(memory.residues[k], residue_at_event(r)) for k, r in moving]
        tasks += [self._store(memory.crossing_times[k], crossing_time(r)) for k, r in timed]
        self._routine("moved_residues", tasks)
        loop = "moved_update_loop"
        self.routines[loop] = update_loop(loop, relations, memory, initial=False, only_moving=True)
        self._routine("moved_update_rest", [self._update(k, r, initial=False) for k, r in timed])
        self._sequence("follow_zeros", "moved_residues", loop, "moved_update_rest")
        return True

    # ------------------------------------------------------------ tasks

    def _store(self, leaf: Expr, value: Expr) -> Task:
        slot = self.memory.slots[leaf]
        value = self.domains(value)

        def append(section: Section) -> None:
            section.statements.append(Store(slot, section.value(value)))

        return Task((value,), 1, append, Unit.of(leaf, value))

    def _moving(self, block: Block, wanted: frozenset[Expr]) -> Task:
        """A block in a routine that the integrator calls: values do not jump there."""
        return self._block(block, wanted, may_jump=False)

    def _block(
        self,
        block: Block,
        wanted: frozenset[Expr] | None = None,
        *,
        may_jump: bool = True,
        puts_back: bool = True,
    ) -> Task:
        """Solves a block. Where not all of its unknowns are `wanted`, inner ones of a torn loop are left."""
        if isinstance(block, Linear | Nonlinear):
            inside = self.domains.loop(block)
            if inside is not block:
                self.statuses[inside] = self.statuses[block]
                block = inside
        match block:
            case Switched():
                return self._switched(block, may_jump=may_jump, puts_back=puts_back)
            case Explicit(unknown, value, _):
                if unknown.type is Type.STRING:
                    return Task((), 0, lambda section: None)  # text is for messages, not for the run
                return self._store(unknown, value)
            case Linear():
                return Task(block_expressions(block), cost(block), lambda s: self._linear(block, wanted, s))
            case Leading():
                return self._leading(block)
            case Leap():
                return self._leap(block)
            case Nonlinear():
                status = self.statuses[block]
                continuation = self.memory.counters[Counter.CONTINUATION]
                return Task(
                    block_expressions(block),
                    cost(block),
                    lambda s: newton(
                        block,
                        self.memory.slots,
                        status,
                        continuation,
                        s,
                        may_jump=may_jump,
                        puts_back=puts_back,
                    ),
                )

    def _switched(self, block: Switched, *, may_jump: bool, puts_back: bool) -> Task:
        """Solves what belongs to the case that holds."""

        def append(section: Section) -> None:
            section.statements.append(self._cases(block, may_jump=may_jump, puts_back=puts_back))

        unit: Unit | None = None
        if all(isinstance(inner, Explicit) for inner in block.inner):
            own = [(c.condition, [b for b in c.blocks if isinstance(b, Explicit)]) for c in block.cases]
            unit = Unit(tuple((c, tuple((b.unknown, b.value) for b in inner)) for c, inner in own))
        return Task((), cost(block), append, unit)

    def _cases(self, block: Switched, *, may_jump: bool, puts_back: bool) -> If:
        """The choice between cases. Each is a routine of its own, shared by all that need it, since it keeps
        what it computes in the memory."""
        differs = any(isinstance(inner, Nonlinear) for inner in block.inner)
        key = block, may_jump or not differs, puts_back or not differs
        if key not in self.switched:
            number = len(self.switched) + 1
            branches: list[tuple[Expr, tuple[Statement, ...]]] = []
            for k, case in enumerate(block.cases, 1):
                name = f"case_{number}_{k}"
                tasks = [self._block(b, may_jump=may_jump, puts_back=puts_back) for b in case.blocks]
                self._routine(name, tasks)
                branches.append((case.condition, (Invoke(name),)))
            self.switched[key] = If(tuple(branches))
        return self.switched[key]

    def _if_changed(self, block: Block) -> Task:
        """For passes at an event: a loop is solved again only if something has changed that it depends on."""
        if isinstance(block, Explicit | Switched | Leading | Leap):
            return self._block(block)
        own = {*block.unknowns, *self.parameters}
        used = dict.fromkeys(x for e in block_expressions(block) for x in leaves(e) if x not in own)
        name = f"loop_{self.statuses[block]}"
        if not used:
            return self._block(block)
        self._routine(name, [self._block(block)])
        stale = ref(Symbol(f"{name}[stale]"))
        self.memory.append(stale)
        self.stale.append(stale)
        stored: list[Statement] = [Store(self.memory.slots[stale], ZERO)]
        changed: list[Expr] = [relation(Op.NE, stale, ZERO)]
        for k, x in enumerate(used):
            known = ref(Symbol(f"{name}[{k}]", x.type))
            self.memory.append(known)
            changed.append(relation(Op.NE, x, known))
            stored.append(Store(self.memory.slots[known], x))
        return _verbatim([If(((or_(*changed), (Invoke(name), *stored)),))])

    def _linear(self, block: Linear, wanted: frozenset[Expr] | None, section: Section) -> None:
        tearing = block.tearing or untorn(len(block.unknowns))
        torn = TornMatrix(block.matrix, tearing, section, self.statuses[block])
        right = {i: section.atom(e) for i, e in enumerate(block.right)}
        values = torn.solve(torn.insert_right(right))
        slots, unknowns = self.memory.slots, block.unknowns
        for j, value in zip(tearing.columns, values, strict=True):
            section.statements.append(Store(slots[unknowns[j]], value))
        for i, j in _wanted_inner(block, tearing, wanted):
            value = section.value(torn.inner_value(i, j, right[i], unknowns))
            section.statements.append(Store(slots[unknowns[j]], value))

    def _update(self, k: int, relation_: Relation, *, initial: bool) -> Task:
        slope, offset = relation_.slope, relation_.offset
        assert slope is not None and offset is not None

        def append(section: Section) -> None:
            known = replace(relation_, slope=section.value(slope), offset=section.value(offset))
            sign, truth = section.locals.new("sign"), section.locals.new("truth", Type.BOOLEAN)
            section.statements += update_timed(k, known, self.memory, sign, truth, initial=initial)

        return Task((slope, offset), 4, append)

    def _fire(self, k: int, relation_: Relation) -> Task:
        slope = relation_.slope
        assert slope is not None

        def append(section: Section) -> None:
            section.statements += fire_relation(k, relation_, section.value(slope), self.memory)

        return Task((slope,), 2, append)

    # ------------------------------------------------------------ making routines

    def _routine(
        self, name: str, tasks: Iterable[Task], *, places: bool = True, in_steps: bool = False
    ) -> None:
        """A routine of tasks; a long one is cut into sub-routines. It may use new `places` in the memory:
        for invariants, and for what is needed in several parts of a very long one. Many tasks that are alike
        are a loop. Every step of the integrator needs those that are `in_steps`."""
        own = list(tasks)
        units = [self._unit(t, places) for t in own] if self.may_roll else []
        parts: list[Callable[[str], None]] = []
        # A run waits for a program that is entered: straight-line code would be compiled late and without
        # care, and then a loop is faster as well.
        written_out = in_steps and not self.entered
        for numbers, alike in runs(units, in_steps=written_out) or [(list(range(len(own))), None)]:
            if alike is not None:
                parts.append(partial(self._rolled, shape=alike[0], instances=alike[1]))
                continue
            parts += [
                partial(self._straight, tasks=piece, places=places)
                for piece in _pieces(own[k] for k in numbers)
            ]
        if not parts:
            self._straight(name, [], places)
        elif len(parts) == 1:
            parts[0](name)
        else:
            names = [f"{name}_{k + 1}" for k in range(len(parts))]
            for part, part_name in zip(parts, names, strict=True):
                part(part_name)
            self._sequence(name, *names)

    def _unit(self, task: Task, places: bool) -> Unit | None:
        """What a task does, if it may become part of a loop; what is computed before the run has places."""
        unit, memo = task.unit, self._hoisted_expressions
        if unit is None or any(map(self._not_rolled, unit.expressions)):
            return None
        if not places:
            return unit

        def new(e: Expr) -> Expr:
            return transform(e, self.invariants.leaf, memo)

        return Unit(tuple((new(c), tuple((x, new(e)) for x, e in own)) for c, own in unit.branches))

    def _rolled(self, name: str, shape: Shape, instances: Sequence[tuple[Expr, ...]]) -> None:
        """Tasks of one shape as a loop. What is the same leaf in all of them is that leaf."""
        columns = list(zip(*instances, strict=True))
        written = set(shape.unit.targets)
        common: dict[Expr, Expr] = {}
        places: list[tuple[Symbol, tuple[int, ...]]] = []
        for placeholder, column in zip(shape.placeholders, columns, strict=True):
            if len(set(column)) == 1 and placeholder not in written:
                common[placeholder] = column[0]
            else:
                places.append((leaf_symbol(placeholder), tuple(self.memory.slots[x] for x in column)))
        unit = shape.unit.mapped(common)
        local = Locals()
        section = Section(unit.expressions, local, self.functions.lowered)
        branches: list[tuple[Expr, tuple[Statement, ...]]] = []
        for condition, assignments in unit.branches:
            holds = section.value(condition)
            with section.branch() as body:
                for leaf, value in assignments:
                    body.append(Assign(leaf_symbol(leaf), section.value(value)))
            branches.append((holds, tuple(body)))
        code: list[Statement] = section.statements
        code += branches[0][1] if branches[0][0] is TRUE else [If(tuple(branches))]
        loop = Each(len(instances), tuple(places), tuple(code))
        self.routines[name] = Routine(name, (loop,), tuple(local.symbols))

    def _straight(self, name: str, tasks: Sequence[Task], places: bool) -> None:
        local = Locals()
        section = Section(
            [e for t in tasks for e in t.expressions],
            local,
            self.functions.lowered,
            invariants=self.invariants if places else None,
        )
        for task in tasks:
            task.append(section)
        if places:
            self.routines.update((r.name, r) for r in cut(name, section.statements, local, self.memory))
        else:
            self.routines[name] = Routine(name, tuple(section.statements), tuple(local.symbols))

    def _sequence(self, name: str, *parts: str) -> None:
        self.routines[name] = Routine(name, tuple(Invoke(p) for p in parts))


def _fixed_parameters(structure: Structure) -> set[Expr]:
    """Constants and parameters but those that the initial system determines."""
    model = structure.model
    known = {ref(v.symbol) for v in (*model.constants, *model.parameters)}
    return known.difference(*(b.unknowns for b in structure.initial))


def _wanted_inner(block: Linear, tearing: Tearing, wanted: frozenset[Expr] | None) -> list[tuple[int, int]]:
    """The inner unknowns that are wanted, or that a wanted one follows from."""
    if wanted is None:
        return list(tearing.inner)
    used = {j for j, x in enumerate(block.unknowns) if x in wanted}
    columns: dict[int, list[int]] = {}
    for i, j, _ in block.matrix:
        columns.setdefault(i, []).append(j)
    found: list[tuple[int, int]] = []
    for i, j in reversed(tearing.inner):
        if j in used:
            used.update(columns[i])
            found.append((i, j))
    return found[::-1]


def _iterated(entry: Entry | None) -> Iterator[Expr]:
    """The unknowns of the nonlinear loops with which a mode is entered."""
    for block in entry.blocks if entry is not None else ():
        for inner in block.inner if isinstance(block, Switched) else (block,):
            if isinstance(inner, Nonlinear):
                yield from inner.unknowns


def _verbatim(statements: list[Statement]) -> Task:
    return Task((), len(statements), lambda section: section.statements.extend(statements))


def _pieces(tasks: Iterable[Task]) -> list[list[Task]]:
    """The tasks in runs of about `PIECE` statements."""
    result: list[list[Task]] = []
    room = 0
    for task in tasks:
        if room <= 0:
            result.append([])
            room = PIECE
        result[-1].append(task)
        room -= task.cost
    return result
