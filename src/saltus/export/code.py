"""One program as C: its numbers by name, its routines, and what its driver goes by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from saltus.export.beginning import Beginning, OneProgram
from saltus.export.entries import Entry, entries_of
from saltus.export.items import Item, Table, Whole
from saltus.export.names import Names
from saltus.export.numbers import choosing, places, size, slots_text, steps
from saltus.export.routines import Routines, functions_of, reached, workspace
from saltus.export.statements import routine_name
from saltus.export.values import NotInC
from saltus.expr.nodes import Symbol, Type, leaf_symbol
from saltus.expr.show import show
from saltus.expr.traversal import leaves
from saltus.ir.flat import Variable
from saltus.ir.hybrid import HybridModel
from saltus.ir.program import FunctionFault, Routine
from saltus.ir.sorted.modes import Fixing
from saltus.run.engine.transfer import Named

#: The routines that steps and events call, with what they are for.
ROUTINES = {
    "parameters": "What depends on parameters alone.",
    "outputs": "All continuous variables, from time, states and discrete variables.",
    "relations": "Residues of all relations, and when relations of time cross.",
    "depart": "Values before an event.",
    "approach": "Relations that rest at zero have the truth of zero.",
    "presume": "Relations that have crossed have the truth of the side they move to.",
    "fire": "Relations of time whose crossing has come have the truth after it.",
    "evaluate": "One pass of an event: all variables, discrete ones included.",
    "settle_update": "Truths and presumed values follow from the last pass.",
    "settle": "Passes until no truth changes.",
    "commit": "New values become old ones; states are reinitialised.",
    "checks": "Which assertions are violated.",
}
OF_MODES = {
    "crossings": "Residues of relations of the state, from time and states.",
    "forget": "Nothing is known of signs any more.",
    "enter": "The mode is entered, and all is computed.",
    "entry": "How states jump as the mode is entered.",
    "lower": "What the mode demands of what does not jump.",
}
OF_RESTARTS = {
    "initial": "One pass of the initial system.",
    "settle_initial": "Passes of the initial system until no truth changes.",
    "settle_initial_update": "Truths and presumed values follow from the last pass.",
}

#: Unknowns of a system that a message names.
_SHOWN = 4


def comment(text: str, longest: int = 0) -> str:
    """Text for a comment of one line."""
    plain = " ".join(text.split()).replace("*/", "* /").replace("/*", "/ *")
    return plain if not longest or len(plain) <= longest else f"{plain[:longest]}..."


def string(text: str) -> str:
    """A literal; trigraphs are none."""
    plain = " ".join(text.split())[:400].replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?")
    return f'"{plain}"'


class Code:
    """Prints one program. `shown` are the variables that users reach by name."""

    def __init__(self, begun: Beginning, program: OneProgram, shown: Iterable[Variable]) -> None:
        self._begun, self.program = begun, program
        self._compiled = program.engine.machine.program
        self._structure = program.engine.structure
        if self._compiled.remembers:
            raise NotInC("a delay or a transport, which needs past values")
        self._names = Names(self._compiled.layout)
        self._roots = self._called()
        self._reached = reached(self._compiled, self._roots)
        self.printer = Routines(self._compiled, self._names)
        #: What users reach by name.
        self.entries: list[Entry] = entries_of(
            self._structure, self._compiled.layout, shown, _fixed(self._structure.model, begun.fixing)
        )
        #: How long local arrays are that have their place behind the memory.
        self.workspace = max((workspace(self._compiled.routines[n])[1] for n in self._reached), default=0)

    def _called(self) -> dict[str, str]:
        """The routines that the driver calls, with what they are for."""
        begun, has_entry = self._begun, self._structure.entry is not None
        roots = {**ROUTINES, **(OF_MODES if begun.has_modes else {})}
        if begun.restarts:
            roots |= OF_RESTARTS
        of_entries = () if has_entry else ("entry", "lower", "enter")
        return {name: said for name, said in roots.items() if name not in of_entries}

    @property
    def numbers_text(self) -> str:
        """Every number by its name; of relations, what they compare."""
        first = self._compiled.layout.sections["relations"][0]
        relations = enumerate(self._structure.model.relations)
        said = {first + k: comment(f"{show(r.residue)} {r.op.value} 0", 80) for k, r in relations}
        return slots_text(self._names, said)

    @property
    def places(self) -> list[Item]:
        """Where sections of the memory are."""
        return places(self.program, self.workspace)

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return size(self.program, self.workspace)

    @property
    def model_text(self) -> str:
        """Functions and routines; what this program lacks of what the driver calls does nothing."""
        functions = functions_of(self._compiled, self._reached)
        parts = [
            *(self.printer.declaration(f) for f in functions),
            *(f"static int {routine_name(n)}(double *m);" for n in self._reached),
            "",
            *(self.printer.function(f) for f in functions),
            *(self.printer.routine(n, self._roots.get(n, "")) for n in self._reached),
        ]
        lacking = [n for n in OF_MODES if self._begun.has_modes and n not in self._reached]
        does = {n: "do_evaluate(m)" if n == "enter" else "(void)m, 0" for n in lacking}
        parts += [f"static int {routine_name(n)}(double *m) {{ return {does[n]}; }}" for n in lacking]
        return "\n".join(parts)

    def printed(self, routine: Routine, said: str) -> str:
        """A routine that the program need not have."""
        return self.printer.printed(routine, said)

    def items(self, keys: Mapping[Named, int]) -> list[Item]:
        """What the driver goes by, without places; what other programs ask for has numbers, its `keys`."""
        found = [*steps(self._begun, self.program), *self._texts, *self._start]
        return [*found, *choosing(self._begun, self.program, keys)] if self._begun.has_modes else found

    @property
    def _start(self) -> list[Item]:
        """Its numbers when the code begins."""
        return [
            Table.of("double", "numbers_at_start", self.program.numbers.tolist()),
            Table.of("double", "bands_at_start", self.program.bands.tolist()),
        ]

    @cached_property
    def _texts(self) -> list[Item]:
        """What assertions say, and what a status of a routine means."""
        memory, failures = self.program.engine.memory, self._compiled.failures
        statuses = sorted(failures)
        checks = [memory.message(c.message) for c in self._structure.model.checks]
        said = [_failure_text(failures[status]) for status in statuses]
        return [
            Whole("N_FAILURES", len(statuses)),
            Table.of("int", "failures", statuses),
            Table("char *const", "check_texts", tuple(map(string, checks))),
            Table("char *const", "failure_texts", tuple(map(string, said))),
        ]


def _failure_text(what: object) -> str:
    """What a status means: a block without a solution, or an assertion of a function."""
    if isinstance(what, FunctionFault):
        return f"function {what.function}: {what.message}"
    unknowns = getattr(what, "unknowns", ())
    shown = ", ".join(show(u) for u in unknowns[:_SHOWN]) + (", ..." if len(unknowns) > _SHOWN else "")
    return f"there is no solution for {shown}" if shown else "a system has no solution"


def _fixed(model: HybridModel, fixing: Fixing) -> set[Symbol]:
    """Parameters that decide when clocks tick, what external objects are, and which program is the right one:
    that is found at the export, once for all."""
    objects = [v for v in (*model.constants, *model.parameters) if v.symbol.type is Type.OBJECT]
    expressions = [e for c in model.clocks for e in (c.start, c.interval)]
    expressions += [v.binding for v in objects if v.binding is not None]
    used = {leaf_symbol(x) for e in (*expressions, *fixing.guards()) for x in leaves(e)}
    bindings = {v.symbol: v.binding for v in model.parameters if v.binding is not None}
    pending = list(used)
    while pending:
        binding = bindings.get(pending.pop())
        new = {leaf_symbol(x) for x in leaves(binding)} - used if binding is not None else set()
        used |= new
        pending += new
    return used
