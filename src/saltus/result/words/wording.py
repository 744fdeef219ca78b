"""Relations in words: what people wrote, without the names that the compiler has made.

`floor(x)` is the helper `$floor1` (`saltus.lower.hybrid.events`); what it stands for is said in its place.
The whole numbers on both sides of x, at which it steps, follow from it in a way that would be hard to read:
they are called the `next whole number`.
"""

from __future__ import annotations

import re

from saltus.expr.nodes import Op
from saltus.expr.show import show
from saltus.ir.hybrid import NEXT_WHOLE, Relation, is_step
from saltus.ir.structure import Structure


class Wording:
    """The texts of the relations of a model."""

    def __init__(self, structure: Structure) -> None:
        self._steps = {
            q.lhs.data.name: f"floor({show(q.rhs.args[1].args[0])})"
            for q in structure.model.equations
            if q.lhs.op is Op.REF and q.rhs.op is Op.IF and is_step(q.lhs.data)
        }
        names = "|".join(map(re.escape, self._steps))
        self._named_steps = re.compile(rf"(?:{names})(?!\d)")  # in texts, each as a whole
        #: As written, and the residues, which are watched.
        self.texts = [self._spelled_out(r.text) for r in structure.relations]
        self.residues = [self.residue(r) for r in structure.relations]

    def residue(self, relation: Relation) -> str:
        """What is compared with zero."""
        stepping, _, edge = relation.text.rpartition(" >= ")
        return self._spelled_out(f"{stepping} - {edge}" if edge == NEXT_WHOLE else show(relation.in_words))

    def _spelled_out(self, text: str) -> str:
        if not self._steps:
            return text
        return self._named_steps.sub(lambda found: self._steps[found[0]], text)
