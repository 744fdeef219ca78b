"""What decides about a mode: the guards in its equations, the relations behind them, and zeros."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from saltus.expr.nodes import Expr, Op, Type, leaf_symbol, neg, ref
from saltus.expr.traversal import leaves
from saltus.ir.flat import Equation
from saltus.ir.sorted.blocks import Block, Explicit, Linear, Nonlinear
from saltus.ir.sorted.modes import Mode
from saltus.ir.sorted.surfaces import OnSurface
from saltus.ir.structure import Structure
from saltus.run.engine.engine import Engine
from saltus.run.modes.vanishing import divided_by


def mode_guards_in(engine: Engine, equations: Iterable[Equation]) -> list[Expr]:
    """The mode guards that occur in equations."""
    return guards_in(frozenset(engine.structure.model.mode_guards()), equations)


def guards_in(guards: frozenset[Expr], equations: Iterable[Equation]) -> list[Expr]:
    """The guards that occur in equations."""
    used = dict.fromkeys(x for q in equations for e in (q.lhs, q.rhs) for x in leaves(e))
    return [x for x in used if x in guards]


def zeros_in(engine: Engine, block: Block) -> list[Expr]:
    """The parameters that are zero in the equations of a block, and those by which something in there is zero
    that is computed before; with Boolean parameters, whatever they are."""
    formulas = {b.unknown: b.equation for b in engine.memory.blocks if isinstance(b, Explicit)}
    slots, cells, parameters = engine.memory.layout.slots, engine.memory.cells, engine.mode.guards.parameters
    found: dict[Expr, None] = {}
    pending = [x for q in block.equations for e in (q.lhs, q.rhs) for x in leaves(e)]
    seen = set(block.unknowns)
    while pending:
        x = pending.pop()
        truth = x.type is Type.BOOLEAN and x in parameters
        if x in seen or x.op is not Op.REF or x not in slots or (cells[slots[x]] != 0.0 and not truth):
            continue
        seen.add(x)
        if x in parameters:
            found[x] = None
        elif x in formulas:
            pending += [leaf for e in (formulas[x].lhs, formulas[x].rhs) for leaf in leaves(e)]
    return list(found)


def is_derivative(x: Expr) -> bool:
    """Whether an unknown is a derivative, or what index reduction has made of one."""
    return x.op is Op.DER or leaf_symbol(x).derivative_of is not None


def computed_zeros(engine: Engine, block: Block) -> list[Expr]:
    """The variables that are zero and multiply in a block the derivatives that it has to determine: without
    them there are fewer states. Where no formula shows which parameter makes them zero (a function of many
    parameters), they are fixed themselves."""
    match block:
        case Explicit():
            factors = list(divided_by(block.value)) if is_derivative(block.unknown) else []
        case Linear():
            factors = [e for _, j, e in block.matrix if is_derivative(block.unknowns[j])]
        case Nonlinear():
            factors = [e for _, j, e in block.jacobian or () if is_derivative(block.unknowns[j])]
        case _:
            factors = []
    slots, cells, model = engine.memory.layout.slots, engine.memory.cells, engine.structure.model
    # Derivatives that index reduction has made variables of are none in other modes.
    known = {x for v in model.algebraics if not is_derivative(x := ref(v.symbol))}
    known &= {side for q in model.equations for side in (q.lhs, q.rhs)}
    used = dict.fromkeys(x for e in factors for x in leaves(e) if x in known and x not in block.unknowns)
    return [x for x in used if cells[slots[x]] == 0.0]


def deciding(engine: Engine, guards: Iterable[Expr]) -> list[int]:
    """The relations that the values of guards depend on, directly or through discrete variables."""
    return behind(engine)(guards)


def weighted(first: Engine, mode: Mode, surfaces: frozenset[OnSurface]) -> Mode:
    """A mode without the guards that have the values of both sides of surfaces: those of relations that
    change with one, as the first engine of a run shows."""
    turning = {k for one in surfaces if one.turning for k in (one.relation, *dict(one.turning))}
    if not turning:
        return mode
    decides = behind(first)
    return Mode(tuple((x, value) for x, value in mode.fixed if turning.isdisjoint(decides((x,)))))


#: What was found out about structures. They outlive runs.
_BEHIND: WeakKeyDictionary[Structure, Behind] = WeakKeyDictionary()


def behind(engine: Engine) -> Behind:
    """What finds the relations of an engine that are behind guards; made once for its structure."""
    found = _BEHIND.get(engine.structure)
    if found is None:
        found = _BEHIND[engine.structure] = Behind(engine)
    return found


class Behind:
    """Finds the relations of an engine that are behind guards."""

    def __init__(self, engine: Engine) -> None:
        structure, state = engine.structure, set(engine.relations.of_states)
        numbers = {ref(r.symbol): k for k, r in enumerate(structure.relations)}
        self._index = {leaf: k for leaf, k in numbers.items() if k in state}
        self._others = {leaf: k for leaf, k in numbers.items() if k not in state}
        discretes = {ref(v.symbol) for v in structure.model.discretes}
        self._used: dict[Expr, list[Expr]] = {}
        for q in structure.model.equations:
            for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
                if side in discretes:
                    self._used.setdefault(side, []).extend(leaves(other))
        self._terms = {k: _terms(structure.relations[k].residue) for k in self._index.values()}
        self._alike: dict[frozenset[Expr], list[int]] = {}
        for k, terms in self._terms.items():
            self._alike.setdefault(terms, []).append(k)

    def __call__(self, guards: Iterable[Expr]) -> list[int]:
        found = {self._index[leaf] for leaf in self._all(guards) if leaf in self._index}
        # What is zero in one relation is zero in others that ask for it: `v < 0` and `v <= 0` go together.
        terms = {t for k in found for t in (self._terms[k], frozenset(map(neg, self._terms[k])))}
        return sorted(found.union(*(self._alike.get(t, ()) for t in terms)))

    def inputs(self, guards: Iterable[Expr]) -> list[int]:
        """The relations behind guards that do not depend on states: at an instant they are given."""
        return sorted(self._others[leaf] for leaf in self._all(guards) if leaf in self._others)

    def _all(self, guards: Iterable[Expr]) -> set[Expr]:
        """Guards, and all that their values are computed from."""
        pending = list(guards)
        seen: set[Expr] = set()
        while pending:
            leaf = pending.pop()
            leaf = leaf.args[0] if leaf.op is Op.PRE else leaf
            if leaf not in seen:
                seen.add(leaf)
                pending += self._used.get(leaf, [])
        return seen


def _terms(residue: Expr) -> frozenset[Expr]:
    """The terms whose sum is a residue."""
    return frozenset(residue.args if residue.op is Op.ADD else (residue,))
