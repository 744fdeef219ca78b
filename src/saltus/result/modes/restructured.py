"""What it means that a run goes on with the program of another mode: guards that are decided now, states that
are given up because the equations determine them, and states that are free again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from saltus.ir.structure import Structure
from saltus.result.modes.guards import Value, granted_in_words, in_words
from saltus.result.modes.stays import index_of, open_names, state_names
from saltus.result.words.wording import Wording


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
