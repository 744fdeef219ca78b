"""Factors that change at events only, written out where they multiply an unknown.

A diode may be written with a number that is 0 or 1, as a plain Real:

    mo = if s < 0 then 1 else 0;    u = mo*s;    i = (1 - mo)*s

Nothing in the last two equations says that they may lose `s`: `mo` is an unknown like any other, which is
never zero as far as structure goes. Written out, `u = (if s < 0 then 1 else 0)*s`, they are the cases that
`saltus.analyse.modes` looks for. A Boolean, an Integer or a discrete Real needs none of this: these are
guards themselves.

A variable is *stepped* if its equation gives it as a formula of guards and parameters, through other stepped
variables, too; or of states and time besides, if a guard may make it a mere number. It keeps its own
equation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from itertools import islice

from saltus.analyse.trivial.alias import Reduced
from saltus.expr.linear import solve
from saltus.expr.nodes import TIME, Expr, Op, Type, der, ref
from saltus.expr.traversal import leaves, substitute, walk
from saltus.ir.flat import Equation
from saltus.ir.hybrid import HybridModel

#: A formula of more nodes than this is not written out: it would be computed again wherever it is used.
_MOST_NODES = 100

#: What hides the cases inside it, or has none.
_OPAQUE = frozenset({Op.NOEVENT, Op.APPLY, Op.ITEM, Op.RECALL, Op.HOMOTOPY, Op.INITIAL})


def write_out(reduced: Reduced) -> Reduced:
    """The reduced model with stepped factors written out; itself where there are none."""
    model = reduced.model
    stepped = _Formulas(model).all(model.equations)
    if not stepped:
        return reduced
    unknown = {der(ref(v.symbol)) for v in model.states} | {ref(v.symbol) for v in model.algebraics}
    unknown -= stepped.keys()
    memo: dict[Expr, Expr] = {}
    changed: dict[Equation, Equation] = {}
    for q in model.equations:
        if any(_multiplies(e, stepped.keys(), unknown) for e in (q.lhs, q.rhs)):
            lhs, rhs = substitute(q.lhs, stepped, memo), substitute(q.rhs, stepped, memo)
            changed[q] = replace(q, lhs=lhs, rhs=rhs)
    if not changed:
        return reduced
    equations = tuple(changed.get(q, q) for q in model.equations)
    written = {new: reduced.written.get(old, old) for old, new in changed.items()}
    return Reduced(replace(model, equations=equations), reduced.aliases, reduced.written | written)


class _Formulas:
    """What is stepped, with formulas of what is not."""

    def __init__(self, model: HybridModel) -> None:
        self._guards = set(model.mode_guards())
        self._lasting = {ref(v.symbol) for v in (*model.constants, *model.parameters)}
        self._moving = {TIME, *(ref(v.symbol) for v in model.states)}
        self._algebraic = {ref(v.symbol) for v in model.algebraics if v.symbol.type is Type.REAL}

    def all(self, equations: Iterable[Equation]) -> dict[Expr, Expr]:
        """The stepped variables, each with its formula."""
        found: dict[Expr, Expr] = {}
        pending = [q for q in equations if q.presence is None]
        while True:
            new: dict[Expr, Expr] = {}
            rest: list[Equation] = []
            for q in pending:
                x = self._only_unknown(q, found)
                formula = None if x is None else _solved(q, x, found)
                if x is not None and formula is not None and self._is_stepped(formula):
                    new.setdefault(x, formula)
                else:
                    rest.append(q)
            if not new:
                return found
            found |= new
            pending = rest

    def _only_unknown(self, q: Equation, found: Mapping[Expr, Expr]) -> Expr | None:
        """The only variable in an equation that is not known to be stepped, if something there is stepped."""
        inside = {*leaves(q.lhs), *leaves(q.rhs)}
        if self._guards.isdisjoint(inside) and found.keys().isdisjoint(inside):
            return None
        own = [x for x in inside if x in self._algebraic and x not in found]
        if len(own) != 1 or any(_has_more_nodes(e, _MOST_NODES) for e in (q.lhs, q.rhs)):
            return None  # what is solved for is as long as the equation
        return own[0]

    def _is_stepped(self, formula: Expr) -> bool:
        own = set(leaves(formula))
        nodes = list(islice(walk(formula), _MOST_NODES + 1))
        if own.isdisjoint(self._guards) or len(nodes) > _MOST_NODES or any(n.op in _OPAQUE for n in nodes):
            return False
        others = own - self._guards - self._lasting
        branches = (branch for n in nodes if n.op is Op.IF for branch in n.args[1:])
        return not others or (others <= self._moving and any(b.op is Op.CONST for b in branches))


def _has_more_nodes(e: Expr, most: int) -> bool:
    return next(islice(walk(e), most, None), None) is not None


def _solved(q: Equation, x: Expr, known: dict[Expr, Expr]) -> Expr | None:
    """What an equation says of a variable, with formulas for others that are known."""
    solution = solve(q.lhs, q.rhs, x)
    if solution is None or solution.divisor.op is not Op.CONST:
        return None
    return substitute(solution.value, known)


def _multiplies(e: Expr, stepped: Set[Expr], unknown: Set[Expr]) -> bool:
    """Whether something stepped multiplies an unknown, or divides it, anywhere in an expression."""
    if stepped.isdisjoint(leaves(e)):
        return False
    for node in walk(e):
        if node.op in (Op.MUL, Op.DIV):
            inside = [leaves(a) for a in node.args]
            factors = [not stepped.isdisjoint(x) for x in map(set, inside)]
            others = [not unknown.isdisjoint(x) for x in map(set, inside)]
            if any(f and any(others[:k] + others[k + 1 :]) for k, f in enumerate(factors)):
                return True
    return False
