"""What the judge knows of the rows of one program: values, and how far they move with the states.

A difference of large numbers is as uncertain as they are: how far an expression moves where states are off
by a part of their values is followed through the equations that are solved for its variables.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray
from tools.obedience.column_values import Column, Unknown, column_of

from saltus.expr.nodes import TIME_SYMBOL, Expr, Op, Symbol, Type, leaf_symbol, ref
from saltus.ir.sorted.blocks import Explicit, Leading, Linear
from saltus.result.result import Result
from saltus.result.trajectories.recording import Part

#: Equations are looked into so deep for what a residue is computed from.
_DEEPEST = 8

Flags = NDArray[np.bool_]


class Values:
    """Values of leaves in the rows of one program, and how far they move with the states."""

    def __init__(
        self,
        result: Result,
        part: Part,
        places: NDArray[np.intp],
        numbers: dict[Symbol, int],
        truths: list[Flags],
        known: Mapping[Symbol, float],
    ) -> None:
        self._result, self._part, self._places = result, part, places
        self._numbers, self._truths, self._known = numbers, truths, known
        self._discretes = {v.symbol for v in part.structure.discretes}
        self._memo: dict[Expr, Column] = {}
        model = part.structure.model
        self._bindings = {v.symbol: v.binding for v in (*model.constants, *model.parameters)}
        solved = (block for block in part.structure.blocks if isinstance(block, Explicit | Linear))
        self._solved: dict[Expr, Explicit | Linear | Leading] = {x: b for b in solved for x in b.unknowns}
        for block in part.structure.blocks:
            if isinstance(block, Leading):
                self._solved |= dict.fromkeys((*block.rates, *block.algebraics), block)
        self._reaches: dict[Linear | Leading, Column] = {}

    def of(self, e: Expr) -> Column:
        """Of an expression. Raises `Unknown`."""
        return column_of(e, self.leaf, len(self._places))

    def of_terms(self, e: Expr) -> NDArray[np.float64]:
        """The terms of a sum, one a row."""
        terms = e.args if e.op is Op.ADD else (e,)
        return np.array([self.of(term).astype(float) for term in terms])

    def at(self, rows: NDArray[np.intp]) -> Values:
        """The values in some of the rows only."""
        known = self._result, self._part, self._places[rows], self._numbers, self._truths, self._known
        return Values(*known)

    def reach(self, e: Expr, deepest: int = _DEEPEST) -> Column:
        """How far an expression would move if every state from which it is computed did so by its own size:
        the play between two wheels by the sum of their angles."""
        with np.errstate(all="ignore"):
            found = self._reach(e, deepest)
        return found if np.isfinite(found).all() else np.where(np.isfinite(found), found, self._size(e))

    def _reach(self, e: Expr, deepest: int) -> Column:
        def move(part: Expr) -> Column:
            return self.reach(part, deepest)

        size = self._size
        match e.op:
            case Op.ADD:
                return np.asarray(sum(move(term) for term in e.args))
            case Op.MUL:
                whole = size(e)
                return np.asarray(sum(move(a) * whole / size(a) for a in e.args))
            case Op.DIV:
                over, under = e.args
                return np.asarray((move(over) + size(e) * move(under)) / size(under))
            case Op.NEG | Op.NOEVENT | Op.SMOOTH:
                return move(e.args[0])
            case Op.IF:
                return np.where(self.of(e.args[0]).astype(bool), move(e.args[1]), move(e.args[2]))
            case Op.CONST:
                return np.zeros(len(self._places))
            case Op.REF | Op.DER if leaf_symbol(e) in self._bindings:
                return np.zeros(len(self._places))  # parameters have no errors
            case Op.REF | Op.DER if deepest and e in self._solved:
                with suppress(Unknown, np.linalg.LinAlgError):
                    return self._reach_solved(e, self._solved[e], deepest - 1)
        return size(e)

    def _reach_solved(self, e: Expr, block: Explicit | Linear | Leading, deepest: int) -> Column:
        """Of an unknown, by the block that it is solved in: where A x = b, x moves by A^-1 (db - dA x)."""
        if isinstance(block, Explicit):
            return self.reach(block.value, deepest)
        if isinstance(block, Leading):
            if block not in self._reaches:
                self._reaches[block] = self._reaches_leading(block, deepest)
            return np.asarray(self._reaches[block][:, (*block.rates, *block.algebraics).index(e)])
        if block not in self._reaches:
            rows, n = len(self._places), len(block.unknowns)
            matrix, moves = np.zeros((rows, n, n)), np.array([self.reach(b, deepest) for b in block.right]).T
            for i, j, entry in block.matrix:
                matrix[:, i, j] = self.of(entry)
                moves[:, i] += self.reach(entry, deepest) * self._size(block.unknowns[j])
            self._reaches[block] = np.einsum("rij,rj->ri", np.abs(np.linalg.inv(matrix)), moves)
        return np.asarray(self._reaches[block][:, block.unknowns.index(e)])

    def _reaches_leading(self, block: Leading, deepest: int) -> Column:
        """Of all rates and algebraic variables of a system whose structure depends on numbers. What an
        equation says of states alone it says of their rates; what is left open moves as little as it may."""
        signature, rows = block.signature, len(self._places)
        size, states = signature.size, signature.states
        matrix, demands = np.zeros((rows, size, size)), np.zeros((rows, size, size))
        moves = np.array([self.reach(rest, deepest) for rest in block.rest]).T
        for pair in signature.pairs:
            slope = self.of(pair.slope).astype(float)
            if pair.column >= states or pair.order:
                matrix[:, pair.row, pair.column] += slope
            else:
                demands[:, pair.row, pair.column] += slope
                moves[:, pair.row] += np.abs(slope) * self._size(ref(signature.variables[pair.column]))
        demanding = ~matrix.any(axis=2)
        matrix[demanding], moves[demanding] = demands[demanding], 0.0
        return np.asarray(np.einsum("rij,rj->ri", np.abs(np.linalg.pinv(matrix, rcond=1e-12)), moves))

    def _size(self, e: Expr) -> Column:
        """What only the run knows, a value that a mode has left open, is constant between events."""
        try:
            return np.asarray(np.abs(self.of(e).astype(float)))
        except Unknown:
            return np.zeros(len(self._places))

    def leaf(self, leaf: Expr) -> Column:
        """Of a variable, a derivative, what was before, or a relation."""
        if leaf not in self._memo:
            self._memo[leaf] = self._found(leaf)
        return self._memo[leaf]

    def _found(self, leaf: Expr) -> Column:
        symbol = leaf_symbol(leaf)
        if symbol is TIME_SYMBOL:
            return self._result.time[self._places]
        if leaf.op is Op.PRE and symbol not in self._discretes:
            raise Unknown(symbol.name)  # of a continuous variable: its left limit at some event
        # Between events, what a discrete variable was before the last one is what it is.
        if symbol in self._numbers:
            known = self._known.get(symbol)
            if known is not None:
                return np.full(len(self._places), bool(known))
            return self._truths[self._numbers[symbol]][self._places]
        if symbol.type in (Type.STRING, Type.OBJECT):
            raise Unknown(symbol.name)
        name = f"der({symbol.name})" if leaf.op is Op.DER else symbol.name
        column = self._result.recording.column(name)  # also of what the program of a mode has made
        if column is not None:
            return column[self._places]
        try:
            return self._result[name][self._places]
        except KeyError:
            binding = self._bindings.get(symbol)
            if binding is None or leaf.op is not Op.REF:
                raise Unknown(name) from None
            return self.of(binding)
