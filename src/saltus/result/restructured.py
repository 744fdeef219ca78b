"""What it means that a run goes on with the program of another mode: guards that are decided now, states that
are given up because the equations determine them, and states that are free again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from saltus.expr.nodes import Type
from saltus.ir.structure import Structure
from saltus.result.guards import granted
from saltus.result.modes import state_names
from saltus.result.wording import Wording


@dataclass(frozen=True)
class Restructured:
    """From one program to another. `fixed`: guards that the new one takes for granted and the old one did
    not, or otherwise, by their texts. `freed`: those that only the old one took for granted."""

    fixed: tuple[tuple[str, Any], ...]
    freed: tuple[str, ...]
    given_up: tuple[str, ...]
    gained: tuple[str, ...]

    def __str__(self) -> str:
        """In words, after "equations changed". That guards are free again is not worth a word: what became of
        them is told as for all relations and variables."""
        told = [f"{text} is {_short(value)}" for text, value in self.fixed]
        told += [f"state {name} is given up" for name in self.given_up]
        told += [f"state {name} is gained" for name in self.gained]
        return "; ".join(told) or "the states are the same"

    def row(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "fixed": dict(self.fixed),
            "freed": list(self.freed),
            "given_up": list(self.given_up),
            "gained": list(self.gained),
        }


def restructured(old: Structure, new: Structure, words: Wording) -> Restructured:
    """What is different; the `words` are those of the model's relations."""
    texts = {r.symbol.name: text for r, text in zip(new.relations, words.texts, strict=True)}
    logical = {v.name for v in new.discretes if v.symbol.type is Type.BOOLEAN} | texts.keys()
    before, after = granted(old), granted(new)
    states, others = state_names(old), state_names(new)
    return Restructured(
        fixed=tuple(
            (texts.get(name, name), bool(x) if name in logical else x)
            for name, x in after.items()
            if before.get(name) != x
        ),
        freed=tuple(texts.get(name, name) for name in before if name not in after),
        given_up=tuple(name for name in states if name not in others),
        gained=tuple(name for name in others if name not in states),
    )


def _short(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:.6g}"
