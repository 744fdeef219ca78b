"""Identifiers of C for what has a place in the memory of a program.

A prefix says what something is: `p_` a parameter or constant, `x_` a state, `der_` its derivative, `v_` an
algebraic variable, `d_` a discrete one, `pre_` a left limit, `r_` the truth of a relation. So no identifier
is a word of C or a function of its library.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from saltus.expr.nodes import Expr, leaf_symbol
from saltus.ir.program import Layout

#: What identifiers begin with, by the section of the memory.
_PREFIXES = {
    "parameters": "p",
    "states": "x",
    "derivatives": "der",
    "algebraics": "v",
    "discretes": "d",
    "pre_states": "pre",
    "pre_discretes": "pre",
    "pre_algebraics": "pre",
    "relations": "r",
}

#: The number of significant characters of an identifier; C99 guarantees 63.
LONGEST = 60


def mangled(name: str) -> str:
    """A name as a part of an identifier."""
    return re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9]", "_", name)).strip("_")[:LONGEST] or "unnamed"


def distinct(name: str, taken: set[str]) -> str:
    """The name, or the first of name_2, name_3, ... that is not taken; it is taken then."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    taken.add(found)
    return found


class Names:
    """The identifiers of a program, by slots; those of its `sections` are the slots' names in capitals."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        leaves: dict[int, Expr] = {}
        for of, place in layout.slots.items():
            leaves.setdefault(place, of)
        taken: set[str] = set()
        self._slots: dict[int, str] = {}
        for section, (first, length) in layout.sections.items():
            prefix = _PREFIXES.get(section)
            for slot in range(first, first + length):
                leaf = leaves.get(slot)
                if section == "time":
                    name = "TIME"
                elif leaf is None:
                    name = f"n_{section}_{slot - first + 1}"
                elif prefix is None:
                    name = f"n_{mangled(leaf_symbol(leaf).name if leaf.data or leaf.args else section)}"
                else:
                    name = f"{prefix}_{mangled(leaf_symbol(leaf).name)}"
                self._slots[slot] = distinct(name, taken)

    def __getitem__(self, slot: int) -> str:
        return self._slots[slot]

    def all(self) -> Mapping[int, str]:
        """All of them."""
        return self._slots
