"""Relations, clocks, delays and helper variables, found while a flat model becomes a hybrid DAE."""

from __future__ import annotations

from dataclasses import dataclass, field

from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.helpers import Helper
from saltus.expr.nodes import Expr, Op, Symbol, Type
from saltus.expr.traversal import leaves
from saltus.ir.flat import Equation, FlatModel, Variability, Variable
from saltus.ir.hybrid import Check, Clock, Delay, Relation, Transport


@dataclass(eq=False)
class Tables:
    """Relations, clocks and helper variables found so far."""

    flat: FlatModel
    discrete: set[Symbol]
    relations: dict[Expr, Relation] = field(default_factory=dict)
    clocks: dict[Expr, Clock] = field(default_factory=dict)
    delays: dict[Expr, Delay] = field(default_factory=dict)
    transports: dict[tuple[Expr, ...], Transport] = field(default_factory=dict)
    checks: list[Check] = field(default_factory=list)  # of the delays
    helpers: list[Variable] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)  # of the helpers
    _varies: dict[Expr, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.variables = {v.symbol: v for v in self.flat.variables}

    def helper(
        self,
        helper: Helper,
        name: str,
        kind: Type,
        span: Span,
        variability: Variability = Variability.DISCRETE,
    ) -> Expr:
        """A new variable, by default discrete, hidden from results."""
        variable = Variable(Symbol(name, kind, helper=helper), variability, span, protected=True)
        self.helpers.append(variable)
        if variability is Variability.DISCRETE:
            self.discrete.add(variable.symbol)
        else:
            self.variables[variable.symbol] = variable
        return x.ref(variable.symbol)

    def relation_symbol(self) -> Symbol:
        """The symbol for the truth of one more relation."""
        name = Helper.RELATION.numbered(len(self.relations) + 1)
        return Symbol(name, Type.BOOLEAN, helper=Helper.RELATION)

    def varies(self, e: Expr) -> bool:
        """Can change between events."""
        known = self._varies.get(e)
        if known is None:
            known = any(
                leaf.op is Op.DER or (leaf.op is Op.REF and (leaf is x.TIME or self.is_continuous(leaf.data)))
                for leaf in leaves(e)
            )
            self._varies[e] = known
        return known

    def is_continuous(self, symbol: Symbol) -> bool:
        """A Real that no when-clause and no declaration makes discrete."""
        variable = self.variables.get(symbol)
        return (
            variable is not None
            and variable.variability is Variability.CONTINUOUS
            and symbol not in self.discrete
        )

    def is_parameter(self, e: Expr) -> bool:
        """Has the same value from the start of a run to its end."""
        variables = (self.variables.get(x.leaf_symbol(leaf)) for leaf in leaves(e))
        return all(v is not None and v.variability <= Variability.PARAMETER for v in variables)
