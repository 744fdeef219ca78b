"""Where everything is in the memory of a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from saltus.emit.layout.implicit import implicit_form
from saltus.emit.layout.phases import phases
from saltus.emit.layout.thresholds import small_thresholds
from saltus.emit.systems.patterns import inverse_rooms, system_patterns
from saltus.expr.nodes import INITIAL, LAMBDA, TERMINAL, TIME, Expr, Op, Symbol, Type, der, pre, ref
from saltus.expr.traversal import leaves
from saltus.ir.hybrid import HybridModel
from saltus.ir.native.contract import TIME_SLOT, Counter, Flag
from saltus.ir.program import Layout
from saltus.ir.signature import MOST_OPEN
from saltus.ir.sorted.blocks import Leap, block_expressions
from saltus.ir.sorted.modes import Entry
from saltus.ir.structure import Structure


class Memory:
    """The layout in the making, and the leaves by which routines speak of slots that are no variables
    (`memory.signs[k]` and so on)."""

    def __init__(self, structure: Structure) -> None:
        self._slots: dict[Expr, int] = {}
        self._sections: dict[str, tuple[int, int]] = {}
        self._size = 0
        model = structure.model
        states = [ref(v.symbol) for v in structure.states]
        algebraics = [ref(v.symbol) for v in structure.algebraics]
        discretes = [ref(v.symbol) for v in structure.discretes]
        used = set(special_leaves(structure))
        relations = len(model.relations)

        self._section("time", [TIME])
        assert self._slots[TIME] == TIME_SLOT
        self._section("parameters", [ref(v.symbol) for v in (*model.constants, *model.parameters)])
        flags = [ref(Symbol(f"overridden[{k}]", Type.BOOLEAN)) for k in range(len(structure.parameters))]
        self._section("overridden", flags)
        self.overridden = flags
        # Through these an implicit integrator and the routine `residual` speak to each other.
        self.form = implicit_form(structure)
        self.loop_values = self._numbered("loop_values", len(self.form.loop_unknowns))
        self.rates = self._numbered("rates", len(states))
        self.residuals = self._numbered("residuals", len(self.form.components))
        self._tangents(structure, [der(x) for x in states])
        self._system(structure)
        # Nothing before the states, time apart, changes at an event, or it is found anew where it does not
        # fit: what looks at other values for a moment keeps the rest only. States, derivatives, algebraics
        # and discretes stay side by side, which makes a row of the result one copy.
        self._section("states", states)
        self._section("derivatives", [der(x) for x in states])
        self._section("algebraics", algebraics)
        self._section("discretes", discretes)
        self._section("pre_states", [pre(x) for x in states])
        self._section("pre_discretes", [pre(d) for d in discretes])
        absent = [ref(v.symbol) for v in model.absent]  # in when-clauses they may be asked for all the same
        self._section("pre_algebraics", [pre(a) for a in (*algebraics, *absent) if pre(a) in used])
        self._section("relations", [ref(r.symbol) for r in model.relations])
        self._section("presumed", [p.presumed for p in structure.presumptions])
        self._section("echoes", list(structure.echoes))
        self.signs = self._numbered("signs", relations)
        self.residues = self._numbered("residues", relations)
        self.bands = self._numbered("bands", relations)
        #: The bands of relations whose residues are of another kind while they are false and while they are
        #: true; 0 for others.
        two_faced = model.balance is not None and bool(model.balance.by_truth)
        self.bands_by_truth = tuple(
            self._numbered(name, relations if two_faced else 0)
            for name in ("bands_while_false", "bands_while_true")
        )
        self.crossing_times = self._numbered("crossing_times", relations)
        self.zero_since = self._numbered("zero_since", relations)
        self.directions = self._numbered("directions", relations)
        self.of_phases = phases(structure)
        self.small_thresholds = small_thresholds(structure.model)
        self.phases = self._numbered("phases", len(self.of_phases.expressions))
        self._entry(structure.entry, relations)
        self._section("clocks", [ref(c.symbol) for c in model.clocks])
        handles = [*(d.history for d in model.delays), *(t.history for t in model.transports)]
        self._section("histories", [ref(h) for h in handles])
        self.remembered = self._numbered("remembered", len(remembered(model)))
        self.new_states = self._numbered("new_states", len(states))
        self.jumped = self._numbered("jumped", len(states))
        self.checks = self._numbered("checks", len(model.checks))
        self.endings = self._numbered("endings", len(model.endings))
        flags_of_run = {Flag.INITIAL: INITIAL, Flag.TERMINAL: TERMINAL}
        self._section("flags", [flags_of_run[flag] for flag in Flag])
        self._section("homotopy", [LAMBDA] if LAMBDA in used else [])
        self.counters = dict(zip(Counter, self._numbered("counters", len(Counter)), strict=True))
        (self.scratch,) = self._numbered("scratch", 1)
        self.mode, self.mode_before, self.look_again, self.detour = self._numbered("circle", 4)
        self._section("computed", [])
        # The left limit of what does not jump is the thing itself.
        for e in (TIME, *(ref(v.symbol) for v in (*model.constants, *model.parameters))):
            self._slots[pre(e)] = self._slots[e]

    def _entry(self, entry: Entry | None, relations: int) -> None:
        """Left limits, unknowns and verdicts of an entry."""
        self.relation_impulses = self._numbered("relation_impulses", relations if entry is not None else 0)
        if entry is None:
            self.lower: list[Expr] = []
            self.books: list[Expr] = []
            return
        self._section("lefts", [ref(s) for s in entry.lefts])
        self._section("exact", [ref(entry.exact)])
        self._section("entry", [x for block in entry.blocks for x in block.unknowns])
        self.lower = self._numbered("lower", 2 * len(entry.lower))
        self.books = self._numbered("books", 2 * len(entry.books))

    def _system(self, structure: Structure) -> None:
        """What a system whose structure is found by numbers computes with (`emit.systems.leading`)."""
        signature = structure.signature
        #: The patterns of each of its parts, if all have some.
        self.patterns = system_patterns(structure)
        if signature is None:
            return
        n, pairs = signature.size, len(signature.pairs)
        self.pairs = self._numbered("pairs", pairs)
        self.known_pairs = self._numbered("known_pairs", pairs)
        #: Whether all that follows from coefficients is known; their factors, too; whether they have changed.
        self.is_known, self.has_factors, self.has_changed = self._numbered("known_structure", 3)
        own = {ref(v.symbol) for v in (*structure.model.constants, *structure.model.parameters)}
        varying = dict.fromkeys(x for p in signature.pairs for x in leaves(p.slope) if x not in own)
        #: What coefficients vary with, and what that was when they were last computed.
        self.varying = list(varying)
        self.known_varying = [ref(Symbol(f"known_varying[{k}]", x.type)) for k, x in enumerate(varying)]
        self._section("known_varying", self.known_varying)
        parts = len(signature.parts)
        self._numbered("known_parts", parts)
        #: Of each part: its pattern, and what is off at an instant with its size. Whether all have a pattern.
        self.pattern, self.off = self._numbered("pattern", parts), self._numbered("off", parts)
        self.sizes = self._numbered("sizes", parts)
        (self.all_known,) = self._numbered("all_known", 1)
        self.inverses = self._numbered("inverses", sum(inverse_rooms(signature, self.patterns)))
        self._numbered("part", 1)
        for name in ("row_levels", "column_levels", "matched_rows", "matched_places"):
            self._numbered(name, n)
        for name in ("row_scales", "column_scales", "pivot_order", "pivots", "pivot_places", "row_blocks"):
            self._numbered(name, n)
        for name in ("block_ends", "factor_starts", "lower_starts", "upper_starts", "factor_ends"):
            self._numbered(name, n)
        for name in ("excess", "free", "noted", "open_since"):
            self._numbered(name, n)
        if signature.spares:
            self._numbered("masked", n)
            self._numbered("hidden_counts", parts)
            self._array("weights", len(signature.spare_rows) * n)
        self.kept = self._numbered("kept", n)
        self._numbered("tail_rights", len(signature.tails))
        for name in ("block_counts", "open_counts"):
            self._numbered(name, len(signature.parts))
        self._array("nulls", MOST_OPEN * n)
        (self.has_open,) = self._numbered("has_open", 1)
        (self.nearing,) = self._numbered("nearing", 1)
        for name in ("factors", "factor_places"):
            self._array(name, sum(signature.factor_rooms))
        self.sums, self.changes = self._numbered("sums", n), self._numbered("changes", n)
        self.rates_found = self._numbered("rates_found", n)
        self.rest, self.drifts = self._numbered("rest", n), self._numbered("drifts", n)
        self.bends = self._numbered("bends", n)
        self.values, self.solution = self._numbered("values", n), self._numbered("solution", n)
        self.left_rates = self._numbered("left_rates", n)
        self.nominals, self.driven = self._numbered("nominals", n), self._numbered("driven", n)
        self.sourced, self.sourced_rates = (self._numbered(x, n) for x in ("sourced", "sourced_rates"))
        self.exactness = self._numbered("exactness", 1)
        self.conserved = self._numbered("conserved", 2)
        entering = structure.entry.blocks if structure.entry is not None else ()
        self.displaced = [x for b in entering if isinstance(b, Leap) for x in b.lower]
        self._section("displaced", self.displaced)

    def _array(self, name: str, length: int) -> None:
        """A section whose entries have no leaves."""
        self._sections[name] = (self._size, length)
        self._size += length

    def _tangents(self, structure: Structure, derivatives: Sequence[Expr]) -> None:
        jacobian = structure.jacobian
        tangents = jacobian.tangents if jacobian is not None else None
        of = dict(tangents.of) if tangents is not None else {}
        self._section("seeds", tangents.seeds if tangents is not None else ())
        unvaried = [ref(Symbol(f"slopes[{k}]")) for k in range(len(derivatives))]
        slopes = [of.pop(x, other) for x, other in zip(derivatives, unvaried, strict=True)]
        self._section("slopes", slopes if tangents is not None else ())
        self._section("tangents", list(of.values()))
        self._numbered("scales", len(derivatives))

    @property
    def slots(self) -> dict[Expr, int]:
        return self._slots

    def layout(self) -> Layout:
        return Layout(self._slots, self._sections, self._size)

    def append(self, leaf: Expr) -> None:
        """Adds a place to the section `computed`, which is the last one and grows while routines are made."""
        first, length = self._sections["computed"]
        self._sections["computed"] = (first, length + 1)
        self._slots[leaf] = self._size
        self._size += 1

    def _section(self, name: str, entries: Sequence[Expr]) -> None:
        self._sections[name] = (self._size, len(entries))
        for leaf in entries:
            assert leaf not in self._slots, f"{leaf} has two places"
            self._slots[leaf] = self._size
            self._size += 1

    def _numbered(self, name: str, length: int) -> list[Expr]:
        entries = [ref(Symbol(f"{name}[{k}]")) for k in range(length)]
        self._section(name, entries)
        return entries


def remembered(model: HybridModel) -> list[Expr]:
    """The expressions whose values are written into histories, those of delays first."""
    return [*(d.input for d in model.delays), *(e for t in model.transports for e in t.remembered)]


def special_leaves(structure: Structure) -> Iterator[Expr]:
    """Every PRE leaf of a structure, and LAMBDA if it occurs."""
    model = structure.model
    expressions = [e for b in (*structure.blocks, *structure.initial) for e in block_expressions(b)]
    expressions += [r.residue for r in model.relations]
    for j in model.jumps:
        expressions += [j.condition, j.value]
    for c in model.checks:
        expressions += [c.guard, c.condition]
    expressions += [n.condition for n in model.endings]
    seen: set[Expr] = set()
    for e in expressions:
        if e in seen:
            continue
        seen.add(e)
        yield from (leaf for leaf in leaves(e) if leaf.op is Op.PRE or leaf is LAMBDA)
