"""What expressions are at rows of a run, and with which numbers relations are watched from there on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import Expr, call, leaf_symbol
from saltus.ir.hybrid import Relation
from saltus.ir.native.contract import BAND
from saltus.result.modes.guard_values import GuardValues
from saltus.result.trajectories.recording import leaf_name
from saltus.result.trajectories.trajectories import Trajectories, UnknownVariable


class Watched(NamedTuple):
    """The numbers with which a relation is watched, in the names of paper 000: its residue, the sign of that,
    0 within the zero band, and what is taken off it where a crossing is sought."""

    residue: float  # QRel
    sign: float  # QM
    above: float  # Qp: the lower end of the band while the residue is within it, else 0
    below: float  # Qn: the upper end, or 0

    @property
    def crossings(self) -> tuple[float, float]:
        """QZp and QZn, which cross zero."""
        return self.residue - self.above, self.residue - self.below


class AtRows:
    """Expressions at the rows of one run."""

    def __init__(self, result: Trajectories, guards: GuardValues) -> None:
        self._result = result
        self._guards = guards
        self._columns: dict[str, NDArray[np.float64] | None] = {}
        self._truths = {r.symbol for r in result.general.relations}

    def watched(self, relation: Relation, row: int) -> Watched:
        """How a relation is watched from a row on. Scheduled ones have no band."""
        residue, band = self.value(relation.residue, row), 0.0
        if not relation.is_time_event:
            nominal = relation.nominal
            band = BAND * (1.0 if nominal is None else self.value(call("abs", nominal), row))
        if abs(residue) <= band:
            return Watched(residue, 0.0, -band, band)
        return Watched(residue, float(residue > 0) - float(residue < 0), 0.0, 0.0)

    def value(self, e: Expr, row: int) -> float:
        """NaN where the mode of the row has not what it needs."""

        def leaf(each: Expr) -> float:
            if leaf_symbol(each) in self._truths:
                return self._guards.at(each, row)
            column = self._column(leaf_name(each))
            return float("nan") if column is None else float(column[row])

        return float(evaluate(e, leaf))

    def _column(self, name: str) -> NDArray[np.float64] | None:
        if name not in self._columns:
            try:
                self._columns[name] = self._result[name]
            except UnknownVariable:
                self._columns[name] = None
        return self._columns[name]
