"""Modes in a file: those that one run has visited, for which another run has code ready.

    {"modes": [
      {"off": true},
      {"off": false}
    ]}

A mode is recorded as users see it (`saltus.result.modes.stays`): the values of its guards by their texts. So
a file says the same about the model with other methods, parameters and states.

Not every guard that distinguishes modes deserves separate code. One that selects branches of equations that
are solved together does: without these branches, loops are smaller or disappear. In an explicit equation a
branch costs next to nothing, and modes that differ in such guards only share their code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from saltus.core.nearest import did_you_mean
from saltus.core.option import usage_error
from saltus.expr.nodes import Expr, Type, leaf_symbol, ref
from saltus.expr.traversal import leaves
from saltus.ir.sorted.blocks import Explicit
from saltus.ir.sorted.modes import Mode
from saltus.ir.structure import Structure
from saltus.result.modes.guards import Descriptions, ModeGuard, ModeGuards, Value
from saltus.result.modes.modes import Modes

#: A mode by the texts of its guards.
Recorded: TypeAlias = Mapping[str, Value]


def recorded(modes: Modes) -> list[dict[str, Value]]:
    """The modes in which a run has spent time, in the order of the first visit."""
    lasting = {stay.mode: None for stay in modes if stay.stop > stay.start}
    return [{g.text: g.value for g in mode.guards if not g.held} for mode in lasting]


def write_recorded(modes: Modes, path: str | Path) -> None:
    """Writes the modes that a run has visited, one a line."""
    lines = ",\n".join("  " + json.dumps(mode) for mode in recorded(modes))
    try:
        Path(path).write_text(f'{{"modes": [\n{lines}\n]}}\n', encoding="utf-8")
    except OSError as error:
        raise usage_error(f"{path}: {error.strerror or error}", code="E503") from None


def modes_from(given: str | Path | Modes | Recorded | Sequence[Any]) -> tuple[Recorded, ...]:
    """The modes of one file or of several, those that a run has visited, or modes as they are recorded."""
    if isinstance(given, Mapping):
        return (given,)
    if isinstance(given, Modes):
        return tuple(recorded(given))
    if isinstance(given, str | Path):
        return tuple(_read(Path(given)))
    return tuple(mode for part in given for mode in modes_from(part))


def _read(file: Path) -> list[Recorded]:
    try:
        found = json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise usage_error(f"cannot read {str(file)!r}: {error.strerror}") from None
    except ValueError as error:  # also what is not UTF-8
        raise usage_error(f"{str(file)!r} cannot be read: {error}", hint=_HINT) from None
    modes = found.get("modes") if isinstance(found, Mapping) else None
    if not isinstance(modes, list) or not all(isinstance(mode, Mapping) for mode in modes):
        raise usage_error(f"{str(file)!r} is not a list of modes", hint=_HINT)
    return modes


_HINT = "`saltus simulate MODEL --record-modes FILE` writes one"


def listed_modes(structure: Structure, guards: Iterable[Expr], modes: Sequence[Recorded]) -> tuple[Mode, ...]:
    """What programs of modes take for granted: the values of what decides in equations of the general program
    that are solved together, and of `guards` that have to be fixed in any case. Raises `UsageError` where
    something is listed that the model does not have."""
    describe = Descriptions(structure).of
    decisive = _decisive(structure) | set(guards)
    known = (*ModeGuards([structure]).all, *(describe(ref(leaf_symbol(leaf))) for leaf in decisive))
    by_text = {guard.text: guard for guard in known if guard.symbol is not None}
    found: dict[Mode, None] = {}
    for mode in modes:
        fixed: dict[Expr, float] = {}
        for text, value in mode.items():
            guard = by_text.get(text)
            if guard is None:
                continue
            number = _number(guard, value)
            fixed |= {leaf: number for leaf in decisive if leaf_symbol(leaf) is guard.symbol}
        if fixed:
            found[Mode.of(fixed)] = None
    unknown = {text for mode in modes for text in mode} - {guard.text for guard in known}
    if unknown and not found:
        text = min(unknown)
        hint = (
            did_you_mean(text, by_text) or "the list is of another model, or of an older version of this one"
        )
        raise usage_error(f"`{text}` decides nothing in this model, and cannot be fixed in a mode", hint=hint)
    return tuple(found)


def _decisive(structure: Structure) -> set[Expr]:
    """The leaves of guards in equations that are solved together, but for sampled numbers."""
    guards = {leaf for leaf in structure.model.mode_guards() if leaf.type is not Type.REAL}
    discretes = {ref(v.symbol) for v in structure.discretes}
    together = (
        b for b in structure.blocks if not isinstance(b, Explicit) and discretes.isdisjoint(b.unknowns)
    )
    used = {leaf for b in together for q in b.equations for side in (q.lhs, q.rhs) for leaf in leaves(side)}
    return used & guards


def _number(guard: ModeGuard, value: Value) -> float:
    """The value of a guard as the memory has it."""
    literals = guard.variable.enumeration if guard.variable is not None else None
    if literals is not None and value in literals:
        return float(literals.index(str(value)) + 1)
    if isinstance(value, bool | int | float) and (guard.is_truth == isinstance(value, bool)):
        return float(value)
    raise usage_error(f"`{guard.text}` has the value {value!r} in a list of modes, which it cannot have")
