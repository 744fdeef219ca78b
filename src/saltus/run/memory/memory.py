"""A machine's memory with the model's names on it.

Two views of the same numbers: `cells`, a memoryview whose single elements are read and written in some
forty nanoseconds, for the event loop; and `value`, which gives the typed value of any leaf (aliases and
text constants included), for messages, start values and parameters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import ModelError
from saltus.emit.machine import Machine
from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import INITIAL, TERMINAL, TIME_SYMBOL, Expr, Op, Symbol, Type, leaf_symbol, pre, ref
from saltus.functions.interpret import call_function
from saltus.ir.flat import Variable
from saltus.ir.hybrid import HybridModel
from saltus.ir.native.contract import TIME_SLOT, Flag
from saltus.ir.program import Layout, Program
from saltus.ir.sorted.blocks import Solving, SolvingByNumbers, Switched
from saltus.ir.structure import Alias, Structure
from saltus.run.memory.notices import Notices
from saltus.run.memory.trail import Trail


class Cells(Protocol):
    """Single numbers, quickly (a memoryview of doubles)."""

    def __getitem__(self, slot: int) -> float: ...
    def __setitem__(self, slot: int, value: float) -> None: ...


class Memory:
    """Slots by section and by leaf."""

    def __init__(self, structure: Structure, machine: Machine) -> None:
        self.structure = structure
        self.program: Program = machine.program
        self.layout: Layout = machine.program.layout
        self.array: NDArray[np.float64] = machine.memory
        self.cells = cast(Cells, machine.memory.data)
        self.routines = machine.routines
        self._aliases, self._bindings = _values_elsewhere(structure)
        self._views: dict[str, NDArray[np.float64]] = {}
        self.objects: dict[Symbol, int] = {}  # external objects, which live as long as this
        self.notices = Notices()
        #: The trail of the modes that events pass through, if the steps of the run are requested.
        self.trail: Trail | None = None

    def section(self, name: str) -> NDArray[np.float64]:
        """A view of one section; empty if the layout has none of that name."""
        try:
            return self._views[name]
        except KeyError:
            first, length = self.layout.sections.get(name, (0, 0))
            self._views[name] = view = self.array[first : first + length]
            return view

    def first(self, name: str) -> int:
        """First slot of a section."""
        return self.layout.sections.get(name, (0, 0))[0]

    def length(self, name: str) -> int:
        """Number of slots of a section."""
        return self.layout.sections.get(name, (0, 0))[1]

    @property
    def time(self) -> float:
        """The current time."""
        return float(self.cells[TIME_SLOT])

    def slot(self, symbol: Symbol) -> int | None:
        """Where a variable's value is, if it has a place of its own."""
        return self.layout.slots.get(ref(symbol))

    def store(self, symbol: Symbol, value: float) -> None:
        """Writes a variable's value; does nothing for one without a slot (a folded constant)."""
        slot = self.slot(symbol)
        if slot is not None:
            self.array[slot] = value

    def value(self, leaf: Expr) -> Any:
        """The value of a REF, DER or PRE leaf, of `initial()` or of `terminal()`, by its type."""
        slot = self.layout.slots.get(leaf)
        if slot is not None and leaf.type is not Type.STRING:  # a String's slot holds nothing
            return typed(leaf.type, float(self.array[slot]))
        if leaf is INITIAL or leaf is TERMINAL:
            flag = Flag.INITIAL if leaf is INITIAL else Flag.TERMINAL
            return bool(self.array[self.first("flags") + flag])
        symbol = leaf_symbol(leaf)
        if symbol is TIME_SYMBOL:
            return self.time
        alias = self._aliases.get(symbol)
        if alias is not None:
            value = self.value(_same_kind(leaf, alias.target))
            if not alias.negated:
                return value
            return (not value) if leaf.type is Type.BOOLEAN else -value
        binding = self._bindings.get(symbol)
        if binding is not None and leaf.op is Op.REF:
            return self.evaluate(binding)
        if leaf.op is Op.PRE:  # of something that only changes continuously: its value
            return self.value(leaf.args[0])
        raise NotEvaluable(leaf)

    def evaluate(self, e: Expr) -> Any:
        """The value of an expression now. Raises what `saltus.expr.evaluate` raises."""
        try:
            return evaluate(e, self.value, apply=call_function)
        except (ModelError, IndexError):  # from the body of a function
            raise NotEvaluable(e) from None

    @property
    def blocks(self) -> tuple[Solving | SolvingByNumbers, ...]:
        """The blocks that are solved now, in order: of switched ones, those of the case that holds."""
        found: list[Solving | SolvingByNumbers] = []
        for block in self.structure.blocks:
            if not isinstance(block, Switched):
                found.append(block)
                continue
            case = block.case(self.value)
            found += case.blocks if case is not None else ()
        return tuple(found)

    def number(self, e: Expr | None, default: float) -> float:
        """A finite number, or the default where there is none to be had (a guess, a nominal value)."""
        if e is None:
            return default
        try:
            if e.op is Op.CONST:
                value = float(e.data)
            elif e.type is Type.REAL and (slot := self.layout.slots.get(e)) is not None:
                value = self.cells[slot]
            else:
                value = float(self.evaluate(e))
        except (NotEvaluable, ArithmeticError, ValueError, TypeError):
            return default
        return value if math.isfinite(value) else default

    def message(self, e: Expr) -> str:
        """The text of an assertion or a termination."""
        try:
            return str(self.evaluate(e))
        except (NotEvaluable, ArithmeticError, ValueError, TypeError):
            from saltus.expr.show import show

            return show(e)


@lru_cache(maxsize=16)
def _values_elsewhere(structure: Structure) -> tuple[Mapping[Symbol, Alias], Mapping[Symbol, Expr]]:
    """What is another variable, and what parameters and constants are bound to."""
    parameters = (*structure.model.constants, *structure.model.parameters)
    bindings = {v.symbol: v.binding for v in parameters if v.binding is not None}
    return {a.symbol: a for a in structure.aliases}, bindings


def presume_values(memory: Memory) -> None:
    """Gives presumptions and echoes the values of what they stand for."""
    for slot, of in presumed_slots(memory):
        memory.cells[slot] = memory.cells[of]


def presumed_slots(memory: Memory) -> list[tuple[int, int]]:
    """Slots of presumptions and echoes, each with that of what it stands for."""
    slots, structure = memory.layout.slots, memory.structure
    pairs = [*((p.presumed, p.variable) for p in structure.presumptions), *structure.echoes.items()]
    return [(slots[leaf], slots[of]) for leaf, of in pairs]


def start_number(memory: Memory, v: Variable) -> float:
    """The start value of a variable."""
    if v.start is None:
        return default_number(memory, v)
    value = memory.number(v.start, math.nan)
    return default_number(memory, v) if math.isnan(value) else value


def constant_start(v: Variable) -> float | None:
    """The start value of a variable where it is the same in all runs."""
    if v.start is not None and v.start.op is Op.CONST and not isinstance(v.start.data, str):
        value = float(v.start.data)
        return value if math.isfinite(value) else None
    if v.start is None and v.enumeration is None and v.minimum is None and v.maximum is None:
        return 0.0
    return None


def size_number(memory: Memory, v: Variable) -> float:
    """The size of a variable: its nominal value, the inferred size, or 1 if neither is known."""
    return abs(memory.number(v.nominal, 1.0)) or 1.0


def default_number(memory: Memory, v: Variable) -> float:
    """Zero, or what is nearest to it between minimum and maximum."""
    if v.enumeration is not None:
        return 1.0
    if v.minimum is None and v.maximum is None:
        return 0.0
    low = memory.number(v.minimum, -math.inf)
    high = memory.number(v.maximum, math.inf)
    return max(low, min(0.0, high))


def parameter_values(memory: Memory) -> dict[str, Any]:
    """The values of all constants and parameters by name; external objects have none to show."""
    slots, shown = _parameters(memory.structure.model, memory.layout)
    numbers = memory.array[slots].tolist()
    found: dict[str, Any] = {}
    for name, kind, what in shown:
        if isinstance(what, int):
            found[name] = numbers[what] if kind is Type.REAL else typed(kind, numbers[what])
        else:
            found[name] = memory.message(what)
    return found


@lru_cache(maxsize=16)
def _parameters(
    model: HybridModel, layout: Layout
) -> tuple[NDArray[np.intp], Sequence[tuple[str, Type, int | Expr]]]:
    """Slots of constants and parameters; and names in order, with the number of the slot or the text."""
    slots: list[int] = []
    shown: list[tuple[str, Type, int | Expr]] = []
    for v in (*model.constants, *model.parameters):
        kind, slot = v.symbol.type, layout.slots.get(ref(v.symbol))
        if kind is Type.STRING:
            if v.binding is not None:
                shown.append((v.name, kind, v.binding))
        elif slot is not None and kind is not Type.OBJECT:
            shown.append((v.name, kind, len(slots)))
            slots.append(slot)
    return np.array(slots, dtype=np.intp), shown


def typed(kind: Type, value: float) -> Any:
    """A double of the memory as the Python value of its type."""
    match kind:
        case Type.BOOLEAN:
            return value != 0.0
        case Type.INTEGER if math.isfinite(value):
            return int(value)
        case _:
            return value


def _same_kind(leaf: Expr, target: Symbol) -> Expr:
    from saltus.expr.nodes import der, pre

    of = ref(target)
    return of if leaf.op is Op.REF else der(of) if leaf.op is Op.DER else pre(of)


def pre_algebraics(memory: Memory) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Slots of the left limits of algebraic variables, where the model uses them, and of their values."""
    if not memory.length("pre_algebraics"):
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    slots = memory.layout.slots
    pairs = [
        (slots[pre(ref(v.symbol))], slots[ref(v.symbol)])
        for v in memory.structure.algebraics
        if pre(ref(v.symbol)) in slots
    ]
    both = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return both[:, 0].copy(), both[:, 1].copy()
