"""Numbers at which Jacobians are evaluated: to choose states, at the start, before anything is solved, or
during the run, when everything is known; and to complete a mode, for everything that may happen in it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import isfinite
from random import Random

from saltus.analyse.trivial.alias import start_value
from saltus.core.diagnostics import ModelError
from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import TIME, Expr, Op, Symbol, Type, add, leaf_symbol, mul, ref, sub
from saltus.expr.traversal import leaves, transform
from saltus.functions.interpret import call_function
from saltus.ir.hybrid import HybridModel


class TrialValues:
    """Numbers at which Jacobians are evaluated: start values where they are given, elsewhere arbitrary but
    reproducible ones (zero would make regular systems look singular). A value in `at`, by name, takes
    precedence over both."""

    def __init__(
        self, model: HybridModel, at: Mapping[str, float] | None = None, *, guesses: bool = True
    ) -> None:
        self._model = model
        self._at = at or {}
        self._guesses = guesses
        self.during_run = at is not None
        self._random = Random(0)
        self._known: dict[Expr, float] = {}
        self._bindings = {
            ref(v.symbol): v.binding if v.binding is not None else v.start
            for v in (*model.constants, *model.parameters)
        }
        self._starts = {ref(v.symbol): v for v in (*model.states, *model.algebraics, *model.discretes)}
        self._residues = {ref(r.symbol): r for r in model.relations}

    @cached_property
    def elsewhere(self) -> TrialValues:
        """Trial values with arbitrary numbers in place of start values that are not fixed."""
        return TrialValues(self._model, guesses=False)

    def number(self, e: Expr) -> float:
        """The value, 1 where it has none (then structure alone decides)."""
        try:
            value = float(evaluate(e, self._leaf, apply=call_function))
        except (NotEvaluable, ArithmeticError, ValueError, TypeError, IndexError, ModelError):
            return 1.0
        return value if isfinite(value) else 1.0

    def _leaf(self, leaf: Expr) -> float:
        known = self._known.get(leaf)
        if known is None:
            self._known[leaf] = known = self._find(leaf)
        return known

    def _find(self, leaf: Expr) -> float:
        if leaf.op is Op.PRE:
            leaf = leaf.args[0]
        value = self._at.get(leaf.data.name) if leaf.op is Op.REF else None
        if value is not None:
            return value
        binding = self._bindings.get(leaf)
        if binding is not None:
            return float(evaluate(binding, self._leaf, apply=call_function))
        v = self._starts.get(leaf)
        given = v is not None and v.start is not None and (self._guesses or v.fixed is True)
        if v is not None and (given or v.symbol.type is not Type.REAL):
            return float(evaluate(start_value(v), self._leaf, apply=call_function))
        if leaf is TIME or leaf in self._residues:
            return 0.0
        return self._random.uniform(0.5, 1.5)


class GenericValues:
    """Trial values for everything that may happen between two changes of the structure. Discrete numbers are
    arbitrary; a case distinction lies somewhere between its cases, always at the same place for the same
    condition, unless parameters decide it."""

    def __init__(self, model: HybridModel, at: Mapping[str, float] | None = None) -> None:
        self._values = TrialValues(model, at, guesses=at is not None)
        self._settled = {v.symbol for v in (*model.constants, *model.parameters)}
        self._numbers = {v.symbol for v in model.discretes if v.symbol.type is not Type.BOOLEAN}
        self._arbitrary: dict[Expr, Expr] = {}
        self._memo: dict[Expr, Expr] = {}

    def number(self, e: Expr) -> float:
        """The value, 1 where it has none."""
        if e.op is Op.CONST:
            return float(e.data)
        if e.op is Op.REF and e.data not in self._numbers:
            return self._values.number(e)
        return self._values.number(transform(e, self._blended, self._memo))

    def _blended(self, node: Expr) -> Expr | None:
        if node.op in (Op.REF, Op.PRE) and leaf_symbol(node) in self._numbers:
            return self._weight(node)
        if node.op is not Op.IF or node.type not in (Type.REAL, Type.INTEGER):
            return None
        condition, then, other = node.args
        if all(leaf_symbol(leaf) in self._settled for leaf in leaves(condition)):
            return None
        then, other = (transform(case, self._blended, self._memo) for case in (then, other))
        return add(other, mul(self._weight(condition), sub(then, other)))

    def _weight(self, e: Expr) -> Expr:
        return self._arbitrary.setdefault(e, ref(Symbol(f"$share{len(self._arbitrary) + 1}")))
