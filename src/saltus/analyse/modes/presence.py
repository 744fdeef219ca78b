"""Equations that exist in some modes only.

An if-equation whose branches have different numbers of equations leaves equations with a *presence*, a
condition on guards. These guards are fixed in every program (`ir.sorted.modes.Fixing.always`), so there
is no general one: in a mode, an equation is kept where its presence holds, and dropped where it does not.
Variables of such equations that are in none of the continuous equations that are left are absent in that
mode (`absence`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from saltus.analyse.modes.modes import ModeGuards, fixed_values
from saltus.core.diagnostics import ModelError, Note
from saltus.expr.helpers import Helper
from saltus.expr.nodes import TRUE, Expr, Op, Symbol, Type, leaf_symbol, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves, substitute
from saltus.ir.flat import Equation, Variable
from saltus.ir.hybrid import HybridModel
from saltus.ir.sorted.modes import Mode

#: The initial mode is sought among those in which at most this many guards differ from the start values; and
#: this many are named where a mode is described.
_TURNED = 3


class Presence:
    """What exists in some modes only. `guards` decide about it."""

    def __init__(self, model: HybridModel, guards: ModeGuards) -> None:
        self._equations = [q for q in model.equations if q.presence is not None]
        self._of: dict[Symbol, set[Expr]] = {}  # by variable, the guards that decide about it
        for q in self._equations:
            assert q.presence is not None
            own = guards.of(q.presence)
            for symbol in continuous_symbols(q):
                self._of.setdefault(symbol, set()).update(own)
        self.guards = frozenset(guard for own in self._of.values() for guard in own)
        self._words = _Words(model)

    def __bool__(self) -> bool:
        return bool(self._equations)

    def absent(self, model: HybridModel, continuous: Collection[Equation]) -> tuple[Variable, ...]:
        """The variables of a model that do not exist beside these continuous equations."""
        used = {s for q in continuous for s in continuous_symbols(q)}
        both = (*model.states, *model.algebraics)
        return tuple(v for v in both if v.symbol in self._of and v.symbol not in used)

    def others(self, mode: Mode) -> Iterator[Mode]:
        """Modes in which some truths are others, few first."""
        boolean = [guard for guard, _ in mode.fixed if guard.type is Type.BOOLEAN]
        for count in range(1, min(len(boolean), _TURNED) + 1):
            for turned in combinations(boolean, count):
                yield Mode(tuple((guard, 1.0 - v if guard in turned else v) for guard, v in mode.fixed))

    def told(self, mode: Mode, symbols: Iterable[Symbol] | None = None) -> str:
        """Which mode that is, in words; only what decides about some variables, if they are given."""
        wanted = self.guards if symbols is None else {g for s in symbols for g in self._of.get(s, ())}
        said = [self._words.of(guard, v) for guard, v in mode.fixed if guard in wanted]
        return " and ".join(said[:_TURNED]) + (" and so on" if len(said) > _TURNED else "")

    def refusal(self, error: ModelError, mode: Mode) -> ModelError:
        """What is wrong with a mode, and which one it is."""
        first, *rest = error.diagnostics
        values = fixed_values(mode)
        kept = (q for q in self._equations if q.presence and substitute(q.presence, values) is TRUE)
        place = next(kept, self._equations[0]).span
        note = Note(f"in the mode in which {self.told(mode)}", place)
        return ModelError((replace(first, notes=(note, *first.notes)), *rest))


class _Words:
    """The guards of a model as a person reads them."""

    def __init__(self, model: HybridModel) -> None:
        texts = {r.symbol: r.text for r in model.relations}
        spoken = {ref(symbol): ref(Symbol(text, Type.BOOLEAN)) for symbol, text in texts.items()}
        for q in model.equations:
            if q.lhs.op is Op.REF and q.lhs.data.helper is Helper.EXISTENCE:
                texts[q.lhs.data] = show(substitute(q.rhs, spoken))
        self._texts = texts
        self._literals = {v.symbol: v.enumeration for v in model.discretes}

    def of(self, guard: Expr, value: float) -> str:
        """What a guard has for a value."""
        symbol = leaf_symbol(guard)
        text = self._texts.get(symbol) or show(guard)
        literals = self._literals.get(symbol)
        if guard.type is Type.BOOLEAN:
            return f"`{text}` is {'true' if value else 'false'}"
        if literals is not None and 1 <= value <= len(literals):
            return f"`{text}` is {literals[int(value) - 1]}"
        return f"`{text}` is {value:g}"


def continuous_symbols(q: Equation) -> Iterator[Symbol]:
    """Variables that occur in an equation, by themselves or by their derivatives."""
    for e in (q.lhs, q.rhs):
        for leaf in leaves(e):
            if leaf.op in (Op.REF, Op.DER):
                yield leaf_symbol(leaf)
