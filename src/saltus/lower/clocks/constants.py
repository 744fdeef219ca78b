"""Numbers that clocks are related by: needed at translation, so their parameters become structural."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import TIME, Expr, Op, Symbol, Type, leaf_symbol
from saltus.expr.traversal import leaves, walk
from saltus.functions.interpret import call_function
from saltus.ir.flat import FlatModel, Variability, clause_expressions


@dataclass(eq=False)
class Constants:
    """Values of parameters of a flat model, at translation."""

    flat: FlatModel
    used: set[Symbol] = field(default_factory=set)
    _values: dict[Symbol, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._variables = {v.symbol: v for v in self.flat.variables}

    def value(self, e: Expr, span: Span, what: str) -> Any:
        """The value of an expression of constants and parameters."""
        try:
            return evaluate(e, lambda leaf: self._leaf(leaf, span, what), apply=call_function)
        except (NotEvaluable, ArithmeticError, ValueError) as problem:
            raise model_error("E208", f"{what} has no value at translation: {problem}", span) from None

    def _leaf(self, leaf: Expr, span: Span, what: str) -> Any:
        symbol = leaf_symbol(leaf)
        if symbol not in self._values:
            variable = self._variables.get(symbol)
            if leaf is TIME or variable is None or variable.variability > Variability.PARAMETER:
                raise model_error(
                    "E208",
                    f"{what} must be known at translation, but `{symbol.name}` varies during the run",
                    span,
                )
            given = variable.binding if variable.binding is not None else variable.start
            if given is None:
                raise model_error("E208", f"{what} needs the value of `{symbol.name}`, which has none", span)
            self.used.add(symbol)
            self._values[symbol] = self.value(given, variable.span, what)
        return self._values[symbol]


def with_structural_clocks(flat: FlatModel) -> FlatModel:
    """The flat model with the parameters marked that relate clocks to each other: setting them requires
    another translation. Intervals that are Real numbers may be set before every run."""
    pending: list[Expr] = []
    seen: set[Expr] = set()
    for clause in flat.clauses:
        for e in clause_expressions(clause):
            for node in walk(e, seen):
                if node.op is Op.CLOCKED:
                    first = node.args[:1] if node.data == "Clock" else ()
                    pending += [a for a in first if a.type is Type.INTEGER]
                    pending += [a for a in node.args[1:] if a.type in (Type.INTEGER, Type.STRING)]
                elif node.op is Op.IF and node.type is Type.CLOCK:
                    pending.append(node.args[0])
    known = {v.symbol: v for v in flat.variables if v.variability <= Variability.PARAMETER}
    used: set[Symbol] = set()
    while pending:
        for leaf in leaves(pending.pop()):
            symbol = leaf_symbol(leaf)
            if symbol in known and symbol not in used:
                used.add(symbol)
                binding = known[symbol].binding
                pending += [binding] if binding is not None else []
    if not used:
        return flat
    variables = (
        replace(v, structural=True) if v.symbol in used and v.variability is Variability.PARAMETER else v
        for v in flat.variables
    )
    return replace(flat, variables=tuple(variables))
