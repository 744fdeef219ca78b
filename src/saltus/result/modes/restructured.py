"""The meaning of a switch to the program of another mode: guards that are fixed now, states that are given up
because the equations determine them, and states that are free again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from saltus.expr.nodes import Expr, Symbol, leaf_symbol, ref
from saltus.ir.sorted.modes import in_order_of_texts
from saltus.ir.structure import Structure
from saltus.result.modes.guards import Value, granted_in_words, in_words
from saltus.result.modes.stays import index_of, open_names, state_names
from saltus.result.words.wording import Wording

#: The values of guards at some instant.
Values: TypeAlias = Callable[[Expr], float]


@dataclass(frozen=True)
class Restructured:
    """From one program to another. `fixed`: guards that the new one takes for granted and the old one did
    not, or otherwise, by their texts. `freed`: those that only the old one took for granted."""

    fixed: tuple[tuple[str, Value], ...]
    freed: tuple[str, ...]
    given_up: tuple[str, ...]
    gained: tuple[str, ...]

    def __str__(self) -> str:
        """In words, after "equations changed". That guards are free again is left out: their
        new values are shown as those of all relations and variables."""
        told = [f"{text} is {in_words(value)}" for text, value in self.fixed]
        told += [f"state {name} is given up" for name in self.given_up]
        told += [f"state {name} is gained" for name in self.gained]
        return "; ".join(told) or "the states are the same"

    def row(self) -> dict[str, Any]:
        """The change as plain data, for a table or JSON."""
        return {
            "fixed": dict(self.fixed),
            "freed": list(self.freed),
            "given_up": list(self.given_up),
            "gained": list(self.gained),
        }


def is_alike(old: Structure, new: Structure) -> bool:
    """Whether both programs have the same states, index and open quantities: then it is for the compiler's
    sake only that one is followed by the other."""
    return all(of(old) == of(new) for of in (state_names, index_of, open_names))


def followed(
    program: Structure,
    turned: Iterable[Symbol],
    old: Values,
    new: Values,
    words: Wording,
    zeros: frozenset[str],
) -> Restructured | None:
    """What is different in a program that follows guards by itself, of which some have `turned`; None where
    the equations are alike. `zeros` are the parameters that are zero."""
    states = {ref(v.symbol): v.name for v in program.states if not v.symbol.is_hidden}
    blocks = dict.fromkeys(b for symbol in turned for b in program.switched_by.get(symbol, ()))
    cases = [[block.case(value) for block in blocks] for value in (old, new)]
    computed = [
        {x for case in own if case is not None for b in case.blocks for x in b.unknowns if x in states}
        for own in cases
    ]
    times = [max((case.times for case in own if case is not None), default=0) for own in cases]
    for own, value in zip(computed, (old, new), strict=True):
        own.update(map(ref, program.given_up(value, zeros)))
    if computed[0] == computed[1] and times[0] == times[1]:
        return None
    texts = {r.symbol: text for r, text in zip(program.relations, words.texts, strict=True)}
    guards = [guard for guard in program.local if leaf_symbol(guard) in set(turned)]
    return Restructured(
        fixed=tuple(
            (texts.get(leaf_symbol(g), leaf_symbol(g).name), bool(new(g)))
            for g in in_order_of_texts(guards)
            if old(g) != new(g)
        ),
        freed=(),
        given_up=tuple(name for x, name in states.items() if x in computed[1] - computed[0]),
        gained=tuple(name for x, name in states.items() if x in computed[0] - computed[1]),
    )


def restructured(old: Structure, new: Structure, words: Wording) -> Restructured:
    """What is different; the `words` are those of the model's relations."""
    before, after = granted_in_words(old, words), granted_in_words(new, words)
    states, others = state_names(old), state_names(new)
    return Restructured(
        fixed=tuple((text, value) for text, value in after.items() if before.get(text) != value),
        freed=tuple(text for text in before if text not in after),
        given_up=tuple(name for name in states if name not in others),
        gained=tuple(name for name in others if name not in states),
    )
