"""What depends on parameters only is computed once per run, not in every step.

A section of straight-line code asks `Invariants.leaf(e)` for the place of such a value: a slot of the memory
that the routine `invariants` fills as soon as the parameters are known (those that the initial system
determines are no invariants). So divisions by masses and inductances, and the factors of linear systems with
parameters as coefficients, are not computed in the loop of the integrator.
"""

from __future__ import annotations

from collections.abc import Iterable

from saltus.emit.layout.layout import Memory
from saltus.emit.straight.sharing import Contains, is_guarded
from saltus.expr.nodes import LEAVES, Expr, Op, Symbol, Type, ref

_TRIVIAL = frozenset({Op.NEG, Op.NOT, Op.ARRAY, Op.ITEM, Op.APPLY, Op.NOEVENT, Op.SMOOTH})
_MODES = frozenset({Op.INITIAL, Op.TERMINAL})


class Invariants:
    """The invariants of one program, in the order in which they must be computed."""

    def __init__(self, parameters: Iterable[Expr], memory: Memory) -> None:
        self._known = set(parameters)
        self._memory = memory
        self._varies = Contains(self._is_varying)
        self._guarded = Contains(is_guarded)
        self._leaves: dict[Expr, Expr] = {}

    @property
    def values(self) -> list[tuple[Expr, Expr]]:
        """The place and the value of each invariant."""
        return [(leaf, e) for e, leaf in self._leaves.items()]

    def _is_varying(self, node: Expr) -> bool:
        if node.op is Op.CONST:
            return False
        return node.op in _MODES or (node.op in LEAVES and node not in self._known)

    def covers(self, e: Expr) -> bool:
        """Whether an expression depends on nothing but constants and parameters."""
        return not self._varies(e)

    def leaf(self, e: Expr) -> Expr | None:
        """Where the value of an expression will be; None if it varies, or is not worth a place. What may
        fail is left where it was: it may stand in a branch that is never taken."""
        if e.op in LEAVES or e.op in _TRIVIAL or e.type is Type.STRING:
            return None
        found = self._leaves.get(e)
        if found is None and not self._varies(e) and not self._guarded(e):
            found = ref(Symbol(f"invariant[{len(self._leaves)}]", e.type))
            self._leaves[e] = found
            self._known.add(found)
            self._memory.append(found)
        return found
