"""The relations of one program: where their numbers are, and which truth belongs to which side.

Every event asks for these, so the first slots of their sections are plain numbers, bound once: the truth of
relation `k` is at `truth + k`.
"""

from __future__ import annotations

from saltus.expr.nodes import Op
from saltus.run.memory.memory import Memory


class Relations:
    """The relations in a memory, those of the model first."""

    def __init__(self, memory: Memory) -> None:
        self.truth, self.signs = memory.first("relations"), memory.first("signs")
        self.residues, self.bands = memory.first("residues"), memory.first("bands")
        self.zero_since = memory.first("zero_since")
        #: Those whose residues depend on states.
        self.of_states = memory.program.state_relations
        #: Truth of each relation for a positive residue; for a negative one it is the opposite.
        self.truth_above = [1.0 if r.op in (Op.GT, Op.GE) else 0.0 for r in memory.structure.model.relations]

    def truth_on(self, index: int, side: float) -> float:
        """The truth of a relation where its residue has this sign."""
        above = self.truth_above[index]
        return above if side > 0 else 1.0 - above
