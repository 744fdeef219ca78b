"""A mode whose equations say too much of some quantities and nothing of others is completed.

With its switches open, an island of a circuit has no connection to ground: its currents are zero by several
equations at once, and none says how high its potentials are. Nothing is wrong with such a mode, so

  * equations that follow from others are taken out and *checked* during the run. Of a source that an ideal
    switch shorts, `v = 5` and `v = 0`, the check fails and names both;
  * quantities that are open take the values of *least change*: of all values that their equations allow the
    nearest to those at which the mode was entered (`leastchange`).

Where to look is seen from structure alone: the decomposition of Dulmage and Mendelsohn, with a state and its
derivative taken for one unknown. What is open there is seen from the coefficients: only the potentials p and
n of an island are, not the current of the resistor and the charge of the capacitor between them, though
`p - n = R*i`, `p - n = u`, `C*der(u) = -i` are three equations for four unknowns. Laplace's variable s, in
place of the derivatives, makes a matrix of the equations; s has an arbitrary value, and ranks are exact
(`nullspace`).

What has a memory must not depend on what is open: such a mode is refused. Conditions of events may.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite

from saltus.analyse.index.shared_work import Slopes
from saltus.analyse.index.trial import GenericValues
from saltus.analyse.modes.leastchange import Binding, LeastChange, least_change
from saltus.analyse.order.matching import maximum_matching, overdetermined, underdetermined
from saltus.analyse.order.singular import equation_text
from saltus.analyse.order.system import System
from saltus.analyse.start.excess import agreement
from saltus.analyse.trivial.alias import Reduced
from saltus.analyse.trivial.cancel import is_real
from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.nullspace import PRIME, dependent_rows, null_space, residue
from saltus.core.source import Span
from saltus.core.wording import LISTED, listed
from saltus.expr.differentiate import NotDifferentiable, differentiate
from saltus.expr.evaluate import evaluate
from saltus.expr.linear import linear_system
from saltus.expr.nodes import ONE, TRUE, Expr, Op, Type, call, const, der, leaf_symbol, no_event, ref
from saltus.expr.traversal import leaves
from saltus.ir.hybrid import Check
from saltus.ir.sorted.modes import Open

#: Laplace's variable: any number will do that no model has for a pole.
_S = 0x9E3779B97F4A7C1


def completed(
    reduced: Reduced,
    system: System,
    at: Mapping[str, float] | None = None,
    *,
    thorough: bool = False,
    slopes: Slopes | None = None,
) -> tuple[Reduced, Open] | None:
    """The model with as many equations as unknowns, of which each has its own when a state and its derivative
    are one unknown; None where that is so already, or where equations of discrete unknowns are at fault.

    Coefficients that vary are looked at for the values in `at`, by name. `thorough` looks at all equations,
    also where structure sees no fault: the balances of an island say one thing twice, and so do two clutches
    between the same shafts. `slopes` may be shared between the modes of a model, for equations that they have
    in common. Raises `ModelError` (E306) where something with a memory depends on what is open.
    """
    mode = _Mode(reduced, system, {} if slopes is None else slopes)
    if len(set(system.claims) - {-1}) < len(system.unknowns) - system.continuous:
        return None
    if not all(mode.is_continuous(row) for row in mode.rows):
        return None
    part, columns = (mode.rows, range(len(mode.variables))) if thorough else mode.suspects()
    if not part and not columns:
        return None
    return mode.completed(sorted(part, key=mode.preference), columns, GenericValues(reduced.model, at))


class _Mode:
    """The continuous equations, by row of the system, and the variables that they are for, by column."""

    def __init__(self, reduced: Reduced, system: System, slopes: Slopes) -> None:
        self.reduced, self.model, self.system = reduced, reduced.model, system
        self.slopes = slopes
        self.variables = (*self.model.states, *self.model.algebraics)
        self.column = {v.symbol: j for j, v in enumerate(self.variables)}
        self.rows = [row for row, claimed in enumerate(system.claims) if claimed < 0]
        self.equations = system.equations
        self.uses = {row: self._columns_of(self.equations[row].leaves) for row in self.rows}

    def _column(self, leaf: Expr) -> int | None:
        return self.column.get(leaf_symbol(leaf)) if leaf.op in (Op.REF, Op.DER) else None

    def _columns(self, expressions: Sequence[Expr]) -> list[int]:
        return self._columns_of(leaf for e in expressions for leaf in leaves(e))

    def _columns_of(self, found_leaves: Iterable[Expr]) -> list[int]:
        found = map(self._column, found_leaves)
        return list(dict.fromkeys(j for j in found if j is not None))

    def is_continuous(self, row: int) -> bool:
        """An equation of Reals; or of constants, such as the `0 = 0` that is left of a branch."""
        q = self.equations[row]
        numbers = {q.lhs.type, q.rhs.type} <= {Type.REAL, Type.INTEGER}
        return is_real(q) or (numbers and not self.system.uses[row])

    # ------------------------------------------------------------ where to look

    def suspects(self) -> tuple[list[int], list[int]]:
        """Rows and columns of the parts in which equations or variables are in excess. What else occurs in
        these equations is determined by others."""
        uses, count = [self.uses[row] for row in self.rows], len(self.variables)
        matched = maximum_matching(uses, count)
        above = overdetermined(uses, count, matched)
        columns = set(underdetermined(uses, count, matched))
        below = [k for k, column in enumerate(matched) if column in columns]
        columns.update(j for k in above for j in uses[k])
        return [self.rows[k] for k in (*above, *below)], sorted(columns)

    def preference(self, row: int) -> tuple[int, int, int]:
        """Which of dependent equations are kept: constraints on states first, since states must not be free
        of them, then what says how states move, then the simplest."""
        moves = any(x.op is Op.DER for x in self.equations[row].leaves)
        constrains = any(j < len(self.model.states) for j in self.uses[row])
        return (1 if moves else 0 if constrains else 2), len(self.uses[row]), row

    # ------------------------------------------------------------ coefficients

    def _slopes(self, row: int) -> dict[Expr, Expr | None]:
        known = self.slopes.get(self.equations[row])
        if known is None:
            residual = self.equations[row].residual
            wanted = list(dict.fromkeys(x for x in leaves(residual) if self._column(x) is not None))
            form = linear_system([residual], wanted)  # one walk for all of them
            known = {wanted[k]: e for _, k, e in form[0]} if form is not None else None
            known = known or {x: _slope(residual, x) for x in wanted}
            self.slopes[self.equations[row]] = known
        return known

    def completed(
        self, part: Sequence[int], columns: Sequence[int], values: GenericValues
    ) -> tuple[Reduced, Open] | None:
        """`part`: rows in order of preference, to be looked at with these columns."""
        wanted = set(columns)
        known: dict[Expr, int] = {}
        matrix: list[dict[int, int]] = []
        for k, row in enumerate(part):
            entries: dict[int, int] = {}
            for leaf, slope in self._slopes(row).items():
                j = self.column[leaf_symbol(leaf)]
                if j in wanted:
                    if slope in known:
                        value = known[slope]
                    elif slope is not None and isfinite(number := values.number(slope)):
                        value = known[slope] = residue(number)
                    else:
                        # Without a form it varies somehow: any number, but not the same one twice.
                        value = pow(3, 1 + k * len(self.variables) + j, PRIME)
                    entries[j] = (entries.get(j, 0) + (_S if leaf.op is Op.DER else 1) * value) % PRIME
            matrix.append(entries)
        solutions = null_space(matrix, columns)
        open_ = sorted({j for solution in solutions.values() for j in solution})
        full = len(columns) - len(solutions) == len(part)
        dependent = {} if full else dependent_rows(matrix)
        if not open_ and not dependent:
            return None
        self._refuse_memory(open_)
        excess = {part[k]: [part[i] for i in others] for k, others in dependent.items()}
        among = set(open_)
        kept = [k for k in range(len(part)) if k not in dependent]
        within = [{j: v for j, v in matrix[k].items() if j in among} for k in kept]
        also = dependent_rows(within)  # they say of the open ones what others say already, or nothing
        binding = sorted((k for i, k in enumerate(kept) if i not in also), key=part.__getitem__)
        symbol = [v.symbol for v in self.variables]
        directions = {symbol[f]: {symbol[j]: v for j, v in d.items()} for f, d in solutions.items()}
        bindings = []
        for row in (part[k] for k in binding):
            slopes = {x.data: e for x, e in self._slopes(row).items() if self._column(x) in among}
            bindings.append(Binding(self.model.equations[row], slopes))
        change = least_change([self.variables[j] for j in open_], bindings, directions)
        return self._with_equations(change, [part[k] for k in binding], excess)

    # ------------------------------------------------------------ the new model

    def _with_equations(
        self, change: LeastChange, binding: Sequence[int], excess: Mapping[int, Sequence[int]]
    ) -> tuple[Reduced, Open]:
        model = self.model
        left = (q for row, q in enumerate(model.equations) if row not in excess)
        new = replace(
            model,
            parameters=(*model.parameters, *change.parameters),
            algebraics=(*model.algebraics, *change.multipliers),
            equations=(*left, *change.equations),
            checks=(*model.checks, *self._checks(excess)),
        )
        found = Open(
            change.kept,
            tuple(v.symbol for v in change.multipliers),
            tuple(model.equations[row] for row in binding),
            tuple(model.equations[row] for row in sorted(excess)),
        )
        return Reduced(new, self.reduced.aliases, self.reduced.written), found

    def _checks(self, excess: Mapping[int, Sequence[int]]) -> Iterator[Check]:
        for row, involved in sorted(excess.items()):
            q = self.equations[row]
            given = [self.variables[j].nominal for j in self.uses[row]]
            sizes = [call("abs", n) for n in given if n is not None]
            least = sizes[0] if sizes else ONE
            for size in sizes[1:]:
                least = call("max", least, size)
            agrees = agreement(q, least)
            if not q.leaves and evaluate(agreement(q), lambda leaf: 0.0):
                continue  # 0 = 0
            # The simplest first: what sources and switches say, before what connects them.
            named = sorted(involved, key=lambda r: (len(self.uses[r]), r))
            texts = [equation_text(self.reduced, self.model.equations[r]) for r in named]
            words = f"these equations cannot hold together in this mode: {listed(texts)}"
            if len(texts) == 1:
                words = f"this equation does not hold in this mode: {listed(texts)}"
            places = [self.equations[r].span for r in named]
            notes = tuple(
                Note(f"`{text}` is one of them", place)
                for text, place in zip(texts[1:LISTED], places[1:LISTED], strict=True)
            )
            parts = [p for p in dict.fromkeys(self.equations[r].origin for r in named) if p]
            if len(parts) > 1:
                notes = (
                    Note(words),
                    *notes,
                    Note("put a resistance or an inductance in between, or a spring"),
                )
                words = (
                    f"the ideal parts {listed(parts)} contradict each other, and one of them has to give way"
                )
            origin = self.equations[named[0]].origin
            message = const(words)
            reduced = (self.model.equations[r] for r in named)
            equations = tuple(self.reduced.written.get(q, q) for q in reduced)
            check = Check(TRUE, no_event(agrees), message, False, places[0], origin, code="E410", notes=notes)
            yield replace(check, equations=equations)

    # ------------------------------------------------------------ what must not depend on it

    def _refuse_memory(self, open_: Sequence[int]) -> None:
        """States, discrete numbers, jumps and delays remember."""
        for j in open_:
            if j < len(self.model.states):
                raise self._state_refusal(j, set(open_))
        for name, span, expressions in self._memories():
            found = [j for j in self._columns(expressions) if j in open_]
            if found:
                raise self._refusal(name, found, span)

    def _memories(self) -> Iterator[tuple[str, Span, tuple[Expr, ...]]]:
        for row, column in enumerate(self.system.claims):
            if column >= 0 and self.system.unknowns[column].type is not Type.BOOLEAN:
                q = self.equations[row]
                yield leaf_symbol(self.system.unknowns[column]).name, q.span, (q.lhs, q.rhs)
        for jump in self.model.jumps:
            yield jump.state.name, jump.span, (jump.value,)
        for delay in self.model.delays:
            yield delay.text, delay.span, (delay.input, delay.time)
        for transport in self.model.transports:
            yield transport.text, transport.span, transport.remembered

    def _state_refusal(self, state: int, open_: set[int]) -> ModelError:
        """Names an equation of the state, one with its derivative if there is one."""
        rate = der(ref(self.variables[state].symbol))
        own = [row for row in self.rows if state in self.uses[row]]
        own.sort(
            key=lambda row: rate not in {*leaves(self.equations[row].lhs), *leaves(self.equations[row].rhs)}
        )
        for row in own:
            others = [j for j in self.uses[row] if j in open_ and j != state]
            if others:
                return self._refusal(self.variables[state].name, others, self.equations[row].span)
        v = self.variables[state]
        return model_error("E306", f"nothing determines `{v.name}` in this mode", v.span, origin=v.name)

    def _refusal(self, name: str, columns: Sequence[int], span: Span) -> ModelError:
        found = [self.variables[j] for j in columns]
        return model_error(
            "E306",
            f"`{name}` depends on {listed([v.name for v in found])}, which nothing determines in this mode",
            span,
            notes=tuple(Note(f"`{v.name}` is declared here", v.span) for v in found[:LISTED]),
            hint="a variable with a memory must be determined in every mode",
            origin=name,
        )


def _slope(e: Expr, leaf: Expr) -> Expr | None:
    try:
        return differentiate(e, leaf)
    except NotDifferentiable:
        return None
