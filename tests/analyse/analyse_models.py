"""Hand-made hybrid models for the tests of the analyse stage, one line of source per element."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import root

from saltus.analyse.analysis import analyse
from saltus.core.diagnostics import Diagnostic, ModelError
from saltus.core.source import Source, Span
from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import Expr, Op, Symbol, Type, ref
from saltus.expr.show import show
from saltus.ir.flat import Equation, Variability, Variable
from saltus.ir.hybrid import HybridModel, Relation
from saltus.ir.sorted.blocks import Block, Explicit, Linear, Nonlinear
from saltus.ir.structure import Structure

NOWHERE = Span(Source("none.mo", ""), 0, 0)


class Model:
    """Collects variables and equations; `build` gives each its own line in a source."""

    def __init__(self) -> None:
        self.groups: dict[str, list[Variable]] = {
            k: [] for k in ("constants", "parameters", "states", "algebraics", "discretes")
        }
        self.equations: list[Equation] = []
        self.initial_equations: list[Equation] = []
        self.relations: list[Relation] = []

    def _variable(self, group: str, name: str, variability: Variability, kind: Type, **more: Any) -> Expr:
        symbol = Symbol(name, kind)
        self.groups[group].append(Variable(symbol, variability, NOWHERE, **more))
        return ref(symbol)

    def constant(self, name: str, **more: Any) -> Expr:
        return self._variable("constants", name, Variability.CONSTANT, Type.REAL, **more)

    def parameter(self, name: str, kind: Type = Type.REAL, **more: Any) -> Expr:
        return self._variable("parameters", name, Variability.PARAMETER, kind, **more)

    def state(self, name: str, **more: Any) -> Expr:
        return self._variable("states", name, Variability.CONTINUOUS, Type.REAL, **more)

    def algebraic(self, name: str, **more: Any) -> Expr:
        return self._variable("algebraics", name, Variability.CONTINUOUS, Type.REAL, **more)

    def discrete(self, name: str, kind: Type = Type.REAL, **more: Any) -> Expr:
        return self._variable("discretes", name, Variability.DISCRETE, kind, **more)

    def equation(self, lhs: Expr, rhs: Expr, origin: str = "") -> None:
        self.equations.append(Equation(lhs, rhs, NOWHERE, origin))

    def initially(self, lhs: Expr, rhs: Expr) -> None:
        self.initial_equations.append(Equation(lhs, rhs, NOWHERE))

    def relation(self, op: Op, residue: Expr) -> Expr:
        symbol = Symbol(f"relation{len(self.relations) + 1}", Type.BOOLEAN)
        self.relations.append(Relation(symbol, op, residue, ref(symbol), "", NOWHERE))
        return ref(symbol)

    def build(self) -> HybridModel:
        lines = ["model M"]
        elements: list[Any] = [v for group in self.groups.values() for v in group]
        lines += [f"Real {v.name};" for v in elements]
        equations = [*self.equations, *self.initial_equations]
        lines += [f"{show(q.lhs)} = {show(q.rhs)};" for q in equations]
        source = Source("M.mo", "\n".join(lines))
        starts = source.line_starts
        spans = [Span(source, starts[i], starts[i] + len(lines[i])) for i in range(len(lines))]
        placed = [replace(x, span=s) for x, s in zip([*elements, *equations], spans[1:], strict=True)]
        groups: dict[str, tuple[Variable, ...]] = {}
        at = 0
        for name, group in self.groups.items():
            groups[name] = tuple(placed[at : at + len(group)])
            at += len(group)
        middle = at + len(self.equations)
        model = HybridModel(
            "M",
            spans[0],
            **groups,
            equations=tuple(placed[at:middle]),
            initial_equations=tuple(placed[middle:]),
            relations=tuple(self.relations),
            order=tuple(placed[:at]),
        )
        model.verify()
        return model


def solve_blocks(blocks: tuple[Block, ...], values: dict[Expr, Any]) -> dict[Expr, Any]:
    """Computes the unknowns of blocks one block after the other, in numbers: numpy for linear ones, scipy's
    root finder (without the symbolic Jacobian) for nonlinear ones. `values` holds what is known."""
    values = dict(values)

    def number(e: Expr) -> Any:
        return evaluate(e, values.__getitem__)

    for block in blocks:
        match block:
            case Explicit():
                values[block.unknown] = number(block.value)
            case Linear():
                n = len(block.unknowns)
                matrix = np.zeros((n, n))
                for i, j, e in block.matrix:
                    matrix[i, j] = number(e)
                solution = np.linalg.solve(matrix, [number(e) for e in block.right])
                values.update(zip(block.unknowns, solution.tolist(), strict=True))
            case Nonlinear():

                def residuals(x: Any, block: Nonlinear = block) -> list[float]:
                    trial = values | dict(zip(block.unknowns, map(float, x), strict=True))
                    return [evaluate(r, trial.__getitem__) for r in block.residuals]

                found = root(residuals, np.ones(len(block.unknowns)), tol=1e-12)
                assert found.success
                values.update(zip(block.unknowns, found.x.tolist(), strict=True))
    return values


def with_aliases(structure: Structure, values: dict[Expr, Any]) -> dict[str, Any]:
    """Values by name, those of eliminated variables included."""
    named = {show(leaf): value for leaf, value in values.items()}
    for a in structure.aliases:
        named[a.symbol.name] = -named[a.target.name] if a.negated else named[a.target.name]
    return named


def refusal(model: Model) -> Diagnostic:
    """The one diagnostic with which a model is refused."""
    with pytest.raises(ModelError) as caught:
        analyse(model.build())
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def places(diagnostic: Diagnostic) -> list[str]:
    """The source text at each note that has a place."""
    return [n.span.text for n in diagnostic.notes if n.span is not None]
