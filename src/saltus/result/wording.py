"""Relations in words: what people wrote, without the names that the compiler has made.

`floor(x)` steps at the relations `x < pre($floor1)` and `x >= pre($floor1) + 1` (`saltus.lower.events`); what
the helper stands for is said in its place: `x >= pre(floor(x)) + 1`.
"""

from __future__ import annotations

import re

from saltus.expr.nodes import Op
from saltus.expr.show import show
from saltus.ir.hybrid import Relation
from saltus.ir.structure import Structure

_STEP = re.compile(r"\$floor\d+")
_TOP = re.compile(r"pre\(\$top(\d+)\)")  # where time is floored, the upper edge has a helper of its own


class Wording:
    """The texts of the relations of a model."""

    def __init__(self, structure: Structure) -> None:
        self._steps = {
            q.lhs.data.name: f"floor({show(q.rhs.args[1].args[0])})"
            for q in structure.model.equations
            if q.lhs.op is Op.REF and q.rhs.op is Op.IF and _STEP.fullmatch(q.lhs.data.name)
        }
        #: As written, and the residues, which are watched.
        self.texts = [self._spelled_out(r.text) for r in structure.relations]
        self.residues = [self.residue(r) for r in structure.relations]

    def residue(self, relation: Relation) -> str:
        """What is compared with zero."""
        return self._spelled_out(show(relation.residue))

    def _spelled_out(self, text: str) -> str:
        if not self._steps:
            return text
        text = _TOP.sub(r"(pre($floor\1) + 1)", text)
        return _STEP.sub(lambda found: self._steps.get(found[0], found[0]), text)
