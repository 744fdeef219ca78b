"""What users reach by name: parameters, variables and derivatives, each with its place in the memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from saltus.export.names import distinct, mangled
from saltus.expr.helpers import derivative_name
from saltus.expr.nodes import Expr, Op, Symbol, Type, der, leaf_symbol, ref
from saltus.ir.flat import Variable
from saltus.ir.program import Layout
from saltus.ir.structure import Structure
from saltus.run.exchange.values import told_by

#: Names that the enumeration has for itself.
_TAKEN = (
    "OK", "FINISHED", "ENDED", "REFUSED", "ASSERTION", "NO_SOLUTION", "EVENT_FAILED", "UNLISTED_MODE",
    "N_ENTRIES", "PARAMETER", "INPUT", "STATE", "DERIVATIVE", "VARIABLE", "kind", "status", "entry",
    "entries", "init", "restart", "step", "advance", "outputs", "get", "get_left", "set", "set_step",
    "find", "text", "H",
)  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """`negated` is 1 for the opposite number, 2 for the opposite truth. `settable` are parameters that may be
    set; `overridden` is the slot of the flag that says so, if there is one, `told` the slot of the value that
    an input receives."""

    name: str
    identifier: str
    kind: str
    place: int
    negated: int
    settable: bool
    overridden: int
    told: int
    unit: str
    description: str


def entries_of(
    structure: Structure, layout: Layout, shown: Iterable[Variable], fixed: set[Symbol]
) -> list[Entry]:
    """All entries: parameters, then what is shown, in the order of the model, then derivatives of states.
    What is `fixed` may not be set."""
    taken = set(_TAKEN)
    flags = {leaf_symbol(p.unknown): k for k, p in enumerate(structure.parameters)}
    first, _ = layout.sections["overridden"]
    solved = {leaf_symbol(u) for block in structure.initial for u in block.unknowns}
    # What is shown is of another translation, perhaps: only names are the same.
    aliases = {a.symbol.name: a for a in structure.aliases}
    states = {v.name for v in structure.states}
    by_name = {leaf_symbol(leaf).name: leaf for leaf in layout.slots if leaf.op is Op.REF}
    found: list[Entry] = []

    def add(v: Variable, leaf: Expr, kind: str, name: str, negated: int, settable: bool) -> None:
        symbol = leaf_symbol(leaf)
        flag = first + flags[symbol] if symbol in flags else 0
        place, own = layout.slots[leaf], distinct(mangled(name), taken)
        teller = by_name.get(told_by(name))
        told = 0 if teller is None else layout.slots[teller]
        kind = "INPUT" if told else kind
        found.append(
            Entry(name, own, kind, place, negated, settable or bool(told), flag, told, v.unit, v.description)
        )

    known: set[str] = set()
    for v in structure.model.parameters:
        special = v.symbol.is_hidden or v.symbol.type in (Type.STRING, Type.OBJECT)
        if special or ref(v.symbol) not in layout.slots:
            continue
        settable = not (v.final or v.structural or v.symbol in solved or v.symbol in fixed)
        add(v, ref(v.symbol), "PARAMETER", v.name, 0, settable)
        known.add(v.name)
    for v in shown:
        name, negated = v.name, 0
        if v.name in known or v.symbol.type in (Type.STRING, Type.OBJECT, Type.CLOCK):
            continue
        while name in aliases:
            alias = aliases[name]
            name, negated = alias.target.name, negated ^ int(alias.negated)
        leaf = by_name.get(name)
        if leaf is None:
            continue
        known.add(v.name)
        if v.symbol.type is Type.BOOLEAN:
            negated *= 2
        kind = "STATE" if name in states else "VARIABLE"
        kind = "PARAMETER" if layout.slots[leaf] < sum(layout.sections["parameters"]) else kind
        add(v, leaf, kind, v.name, negated, False)
    for v in structure.states:
        if not v.symbol.is_hidden:
            add(replace(v, description=f"derivative of {v.name}", unit=""), der(ref(v.symbol)), "DERIVATIVE",
                derivative_name(v.name), 0, False)  # fmt: skip
    return found
