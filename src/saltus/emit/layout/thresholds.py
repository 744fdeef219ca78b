"""Thresholds that are smaller than the zero band: `u > 1e-15` asks whether u is zero.

Such a relation distinguishes zero from larger values, mostly to keep a divisor away from zero. Where its
residue is in its band it is not compared as zero, since it is not: u is.
"""

from __future__ import annotations

from math import isfinite

from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import ONE, Expr, call, ref
from saltus.expr.traversal import leaves
from saltus.ir.hybrid import HybridModel
from saltus.ir.native.contract import BAND


def small_thresholds(model: HybridModel) -> frozenset[int]:
    """The relations whose residue is in its band, but not zero, where all that varies is zero."""
    bindings = {ref(v.symbol): v.binding for v in (*model.constants, *model.parameters)}

    def value(leaf: Expr) -> object:
        binding = bindings.get(leaf)
        return 0.0 if binding is None else evaluate(binding, value)

    found: set[int] = set()
    for k, r in enumerate(model.relations):
        if r.is_time_event or all(leaf in bindings for leaf in leaves(r.residue)):
            continue
        try:
            at_zero = evaluate(r.residue, value)
            size = evaluate(call("abs", r.nominal or ONE), value) or 1.0
        except (NotEvaluable, ArithmeticError, ValueError, TypeError, IndexError, RecursionError):
            continue
        if isfinite(at_zero) and 0 < abs(at_zero) <= BAND * size:
            found.add(k)
    return frozenset(found)
