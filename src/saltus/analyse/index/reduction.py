"""Index reduction: equations that constrain states are differentiated, and some states are given up.

The offsets of `offsets` say how often each equation is differentiated. Then *dummy derivatives* (Mattsson
and Söderlind, "Index reduction in differential-algebraic equations using dummy derivatives", SIAM J. Sci.
Comput. 14, 1993): for every differentiated equation one derivative is taken for an ordinary unknown, and
what it is the derivative of is no state any more. Which ones: the columns of the constraints' Jacobian are
chosen by pivoting at the start values, those that `stateSelect` speaks against as states first, and with some
preference for those without a start value. All equations, the original ones and the derivatives, stay in the
model, so the constraints hold exactly and nothing drifts.

Where a run comes close to a position in which the chosen states no longer determine the others (a pendulum
in the coordinate x at x = 1), states are chosen again, by pivoting at the values that hold there:
`pivot_guards` watches the pivots. Offsets, derivatives and Jacobians do not depend on the choice and are made
once.

The result is a model like any other, with fewer states and more algebraic variables; later steps do not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

from saltus.analyse.index.dependence import HiddenCondition, combined, dependence
from saltus.analyse.index.derivatives import Level
from saltus.analyse.index.offsets import offsets
from saltus.analyse.index.pivot_guards import Pivots, with_pivot_guards
from saltus.analyse.index.pivots import choose_columns
from saltus.analyse.index.shared_work import Common
from saltus.analyse.index.trial import TrialValues
from saltus.analyse.order.system import System
from saltus.analyse.trivial.alias import Reduced
from saltus.analyse.trivial.cancel import is_real
from saltus.analyse.trivial.homotopy import actual, actual_equation
from saltus.analyse.trivial.late_inlining import inlined, inlined_equation, late_orders, seeded_equation
from saltus.analyse.trivial.rewritten import rewritten_model
from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.wording import LISTED, number
from saltus.expr.helpers import Helper
from saltus.expr.nodes import TIME, TIME_SYMBOL, Expr, Op, Symbol, Type, der, leaf_symbol, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves, substitute
from saltus.ir.flat import Equation, Variability, Variable
from saltus.ir.hybrid import HybridModel
from saltus.ir.sorted.blocks import Block, Explicit, Nonlinear, block_expressions
from saltus.ir.structure import PIVOT_FLOOR, REINITIALISED, WANTED_AS_STATE, Differentiated, IndexReduction

#: Pivots count as smaller by this where the user gave a start value, and where it is fixed: such variables
#: should stay states, unless that is bad for the numbers.
_STARTED, _FIXED = 0.1, 0.02

#: What an equation with cases or discrete variables defines jumps at events, which a state must not.
_JUMPING = 30.0

#: A pivot that varies and is smaller than this is taken only if there is no other: its guard would soon fall
#: (see `pivot_guards`).
_SAFE = 1.3 * PIVOT_FLOOR


@dataclass(frozen=True, eq=False)
class Choice:
    """The derivatives that become ordinary unknowns, which distinguish one choice of states from another; and
    the pivots by which they were chosen."""

    dummies: frozenset[Level]
    pivots: tuple[Pivots, ...]


class Reduction:
    """The index of a model reduced to one, for a system of which `constrains_states` is true: `choose`
    states, then have the model `rebuilt` with them."""

    def __init__(
        self,
        reduced: Reduced,
        system: System,
        common: Common | None = None,
        *,
        written_out: bool = False,
        speeds: bool = False,
        further: Sequence[Variable] = (),
        rounded: float = 0.0,
    ) -> None:
        """With all short functions `written_out`, also those whose derivatives the user gave otherwise; with
        preferred `speeds` for states though they appear nowhere differentiated, and with `further` ones.
        Coefficients may have been `rounded`: see `dependence`."""
        self._rounded = rounded
        self.reduced = reduced
        self.model: HybridModel = reduced.model
        self._further = further
        claimed = system.claims
        # Those of the model, not of the running system: they may have parts for the start only (`homotopy`).
        memo: dict[Expr, Expr] = {}
        written = [
            inlined_equation(q, memo, early=not written_out)
            for row, q in enumerate(self.model.equations)
            if claimed[row] < 0 and is_real(q)
        ]
        # With those of Integers that functions compute between events, too: they have no derivatives.
        self.discrete = [
            q for row, q in enumerate(self.model.equations) if claimed[row] >= 0 or not is_real(q)
        ]
        self._computed = [v for v in self.model.algebraics if v.symbol.type is not Type.REAL]
        rates = [*self._rates_wanted(written), *further]
        self._set_offsets(written, rates, common)
        preferred = self._constrained_speeds() if speeds else []
        if preferred:
            before = self.c
            self._set_offsets(written, [*rates, *preferred], common)
            if self._jumps_more(before):
                self._set_offsets(written, rates, common)
        self.jumping = self._jumping()
        running = [actual_equation(q) for q in self.rows]
        for r, q in enumerate(self.rows):
            # A simplified expression may use derivatives that do not exist in the run: not used then.
            simplified = q is not running[r]
            if simplified and any(self.d[i] - self.c[r] < n for i, n in self._seeded_orders(q).items()):
                self.rows[r] = running[r]
        self.derivatives = [self.levels.of(q, c) for q, c in zip(self.rows, self.c, strict=True)]
        self.jacobian = {r: self._entries(r) for r, c in enumerate(self.c) if c > 0}

    # ------------------------------------------------------------ derivatives

    def _set_offsets(
        self, written: Sequence[Equation], rates: Sequence[Variable], common: Common | None
    ) -> None:
        """How often the equations are differentiated, with further ones in which these variables are."""
        extra = [_rate_equation(v, self._of_rate(v.symbol)) for v in rates]
        self.rows = [*written, *(q for q, _ in extra)]
        reals = (v for v in self.model.algebraics if v.symbol.type is Type.REAL)
        self.variables = (*self.model.states, *reals, *(v for _, v in extra))
        self.levels = (common or Common()).derivatives([v.symbol for v in self.variables])
        self.index = self.levels.index
        running = [actual_equation(q) for q in self.rows]
        found = offsets([self._orders(q) for q in running], len(self.variables))
        if found is None:  # an argument that takes no part in derivatives is determined by its call
            found = offsets([self.levels.orders(inlined_equation(q)) for q in running], len(self.variables))
        assert found is not None, "matched with states and derivatives as one unknown"
        self.c, self.d = found

    def nominal(self, variable: int, order: int) -> Expr | None:
        """The nominal value of a variable, or of a derivative of it."""
        v = self.variables[variable]
        return v.nominal if order == 0 else self._of_rate(v.symbol) if order == 1 else None

    def _of_rate(self, symbol: Symbol) -> Expr | None:
        balance = self.model.balance
        return None if balance is None else balance.nominal(der(ref(symbol)))

    def _constrained_speeds(self) -> list[Variable]:
        """Preferred speeds that appear nowhere differentiated, of something that is constrained."""
        constrained = {i for r, c in enumerate(self.c) if c > 0 for i in self.levels.orders(self.rows[r])}
        return [
            v
            for v, x in preferred_speeds(self.model)
            if self.d[self.index[v.symbol]] == 0 and self.index[x] in constrained
        ]

    def _jumps_more(self, before: Sequence[int]) -> bool:
        """Whether an equation with discontinuities is differentiated once more than `before`. That would not
        do for a preferred speed: if it went on while something jumps, another speed would have to jump."""
        known = self._continuous()
        more = (q for q, old, new in zip(self.rows, before, self.c, strict=False) if new > old)
        return any(leaf_symbol(x) not in known for q in more for e in (q.lhs, q.rhs) for x in leaves(e))

    def _continuous(self) -> set[Symbol]:
        constant = (v.symbol for v in (*self.model.constants, *self.model.parameters))
        return {*self.index, *constant, TIME_SYMBOL}

    def _rates_wanted(self, rows: Sequence[Equation]) -> list[Variable]:
        """Variables whose derivative is used (in an initial equation, in the condition of an event) but
        occurs in no equation of the continuous system, and those that must be states: they need an
        equation in which it does."""
        present = {leaf for q in rows for e in (q.lhs, q.rhs) for leaf in leaves(e)}
        unused = [v for v in self.model.states if der(ref(v.symbol)) not in present]
        return [*unused, *forced_states(self.model)]

    def _jumping(self) -> set[int]:
        """Variables that an equation defines by a formula with discontinuities. One that the user forces to
        be a state would continue smoothly while those it follows from jump, so it is refused."""
        known = self._continuous()
        forced = {v.symbol for v in forced_states(self.model)}
        found: set[int] = set()
        for q in self.rows:
            for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
                i = self.index.get(side.data) if side.op is Op.REF else None
                if i is None or all(leaf_symbol(x) in known for x in leaves(other)):
                    continue
                found.add(i)
                if side.data in forced:
                    raise model_error(
                        "E302",
                        f"`{side.data.name}` has stateSelect = always, but jumps at events by its equation",
                        q.span,
                        origin=q.origin,
                    )
        return found

    def _seeded_orders(self, q: Equation) -> dict[int, int]:
        return self.levels.orders(seeded_equation(q))

    def _orders(self, q: Equation) -> dict[int, int]:
        """The orders of the variables in an equation, for its offset. Some come into its second or a later
        derivative only (see `late_inlining`)."""
        if not (q.lhs.calls or q.rhs.calls):
            return self.levels.orders(q)
        found: dict[int, int] = {}
        for leaf, order in (*late_orders(q.lhs).items(), *late_orders(q.rhs).items()):
            known = self.levels.order(leaf)
            if known is not None:
                order += known[1]
                found[known[0]] = max(found.get(known[0], order), order)
        return found | self._seeded_orders(q)

    # ------------------------------------------------------------ selection

    def choose(self, values: TrialValues) -> Choice:
        """The derivatives that become ordinary unknowns. What must be a state cannot be kept in the last step
        where its derivative was given up in a step before (and that of a copy of it was not): then that one
        is kept too."""
        kept: frozenset[int] = frozenset()
        while True:
            choice = self._chosen(values, kept)
            lost = [x.variable for x in choice.dummies if x.order == 1 and self._is_forced(x.variable)]
            if not lost:
                return choice
            further = {i for i in lost if self.d[i] > 1} - kept
            if not further:
                v = self.variables[min(lost)]
                raise model_error(
                    "E302",
                    f"`{v.name}` has stateSelect = always, but constraints do not allow it to be a state",
                    v.span,
                    origin=v.name,
                )
            kept |= further

    def _is_forced(self, i: int) -> bool:
        return self.variables[i].state_select == "always"

    def _chosen(self, values: TrialValues, kept: frozenset[int]) -> Choice:
        """A choice, level by level; higher derivatives of `kept` ones are given up after others."""
        dummies: set[Level] = set()
        pivots: list[Pivots] = []
        rows = [r for r, c in enumerate(self.c) if c > 0]
        candidates = {i for r in rows for i in self.jacobian[r]}
        step = 0
        while rows:
            found = self._choose(rows, candidates, step, values, kept)
            chosen = [i for p in found for i in p.chosen]
            pivots += found
            dummies |= {Level(i, self.d[i] - step) for i in chosen}
            step += 1
            rows = [r for r in rows if self.c[r] > step]
            candidates = {i for i in chosen if self.d[i] > step}
        return Choice(frozenset(dummies), () if self._further else tuple(pivots))

    def _entries(self, r: int) -> dict[int, Expr]:
        """The row of the Jacobian of the differentiated equations with respect to the highest derivatives.
        One level down it is the same: that of e' with respect to v' is that of e with respect to v."""
        top = self.derivatives[r][self.c[r]]
        residual = inlined(actual(top.residual))
        found: dict[int, Expr] = {}
        for leaf in leaves(residual):
            level = self.levels.level_of.get(leaf)
            if level is not None and level.order == self.d[level.variable] > 0:
                found[level.variable] = self.levels.slope(residual, leaf)
        return found

    def _choose(
        self, rows: list[int], candidates: set[int], step: int, values: TrialValues, kept: frozenset[int]
    ) -> list[Pivots]:
        """Columns for one level of differentiation, component by component."""
        entries = [{i: e for i, e in self.jacobian[r].items() if i in candidates} for r in rows]
        pivots: list[Pivots] = []
        for part in _components(entries):
            picked = self._picked([entries[k] for k in part], [rows[k] for k in part], step, values, kept)
            pivots.append(
                Pivots(
                    tuple(entries[k] for k in part),
                    tuple(picked),
                    tuple(self.rows[rows[k]] for k in part),
                    tuple(self.variables[i].name for i in picked),
                )
            )
        return pivots

    def _picked(
        self,
        jacobian: Sequence[Mapping[int, Expr]],
        rows: Sequence[int],
        step: int,
        values: TrialValues,
        kept: frozenset[int],
    ) -> list[int]:
        """Variables for the constraints of one component, as many as there are constraints."""
        used = sorted({i for entries in jacobian for i in entries})
        place = {i: j for j, i in enumerate(used)}
        groups = [self._wanted(i, step, kept) for i in used]
        weights = [self._weight(i, step, started=not values.during_run) for i in used]
        exact = all(e.op is Op.CONST for entries in jacobian for e in entries.values())
        varying = not exact and any(map(self._varies, (e for row in jacobian for e in row.values())))
        # Further states are those of a user who knows where they hold; their units need not be of one size.
        watched = varying and not self._further
        forced = WANTED_AS_STATE["always"]
        safe = [inf if g == forced else _SAFE for g in groups]
        found: list[int] | None = None
        # Start values may be guesses, and a bad guess (all of them 0) may look singular where nothing is.
        for at in (values, values.elsewhere) if varying and not values.during_run else (values,):
            matrix = [{place[i]: at.number(e) for i, e in entries.items()} for entries in jacobian]
            picked = choose_columns(matrix, groups, weights, safe if watched else None)
            if picked is not None and all(groups[j] != forced for j in picked):
                return [used[j] for j in picked]
            found = found or picked
        if found is not None:
            return [used[j] for j in found]
        raise self._dependent(matrix if exact else None, rows, values)

    def _varies(self, e: Expr) -> bool:
        return any(leaf is TIME or leaf in self.levels.level_of for leaf in leaves(e))

    def _weight(self, i: int, step: int, *, started: bool) -> float:
        v = self.variables[i]
        jump = _JUMPING if i in self.jumping else 1.0
        if not started or self.d[i] - step > 1 or v.start is None:
            return jump
        return jump * (_FIXED if v.fixed is True else _STARTED)

    def _wanted(self, i: int, step: int, kept: frozenset[int]) -> int:
        v = self.variables[i]
        if self.d[i] - step > 1:
            # A derivative without a name of its own. Only if it is given up can what it is the derivative of
            # be given up in the next step, where that is not wanted as a state.
            default = WANTED_AS_STATE["default"]
            return default + 1 if i in kept else min(WANTED_AS_STATE[v.state_select], default)
        jumps = any(j.state is v.symbol for j in self.model.jumps)
        return REINITIALISED if jumps else WANTED_AS_STATE[v.state_select]

    def _dependent(
        self, matrix: Sequence[Mapping[int, float]] | None, rows: Sequence[int], values: TrialValues
    ) -> ModelError | HiddenCondition:
        """What to say or do about constraints without enough independent columns, of which `matrix` has the
        coefficients where they are constants."""
        factors = dependence(matrix, self._rounded) if matrix is not None else None
        if factors is None:
            return self._singular([self.rows[r] for r in rows], values)
        return self.condition([(rows[k], self.c[rows[k]]) for k in factors], list(factors.values()))

    def condition(self, levels: Sequence[tuple[int, int]], factors: Sequence[Fraction]) -> HiddenCondition:
        """What a combination of equations says, each given by its row and by how often it is differentiated:
        before all of them were differentiated as often as the one with the fewest derivatives."""
        lowest = min(order for _, order in levels)
        equations = [self.derivatives[r][order - lowest] for r, order in levels]
        left, constant = combined(equations, dict(enumerate(factors)), self._rounded)
        old = self.rows[next(r for r, order in reversed(levels) if order == lowest)]
        return HiddenCondition([self.rows[r] for r, _ in levels], old, self._unplain(left), constant)

    def _unplain(self, e: Expr) -> Expr | None:
        """With der(x) for the symbols of first derivatives; None where a higher one occurs."""
        levels = {leaf: self.levels.level_of[leaf] for leaf in leaves(e) if leaf in self.levels.level_of}
        if any(level.order > 1 for level in levels.values()):
            return None
        back = {
            leaf: der(ref(self.variables[level.variable].symbol))
            for leaf, level in levels.items()
            if level.order == 1
        }
        return substitute(e, back)

    def _singular(self, equations: Sequence[Equation], values: TrialValues) -> ModelError:
        notes = tuple(Note(f"`{show(q.lhs, 200)} = {show(q.rhs, 200)}`", q.span) for q in equations[:LISTED])
        return model_error(
            "E302",
            f"{number(len(equations), 'constraint')} between states depend on each other "
            + ("in this position" if values.during_run else "at the start values"),
            equations[0].span,
            notes=notes,
            hint="one of them is redundant, or the start values are a singular position",
            origin=equations[0].origin,
        )

    # ------------------------------------------------------------ the new model

    def is_state(self, level: Level, choice: Choice) -> bool:
        """Whether a derivative of a variable is a state."""
        above = Level(level.variable, level.order + 1)
        return level.order < self.d[level.variable] and above not in choice.dummies

    def final(self, choice: Choice) -> dict[Expr, Expr]:
        """The symbols of derivatives that are the derivative of a state and no state themselves; and der(x)
        of the state."""
        found: dict[Expr, Expr] = {}
        for i in range(len(self.variables)):
            for order in range(1, self.d[i] + 1):
                level, below = Level(i, order), Level(i, order - 1)
                if self.is_state(below, choice) and not self.is_state(level, choice):
                    found[self.levels.leaf(level)] = der(self.levels.leaf(below))
        return found

    def rebuilt(self, choice: Choice, *, first: bool = True) -> tuple[Reduced, IndexReduction]:
        """States with their derivatives as leaves again, everything else as algebraic variables. Only in the
        first choice must everything that is reinitialised be a state; in another, jumps of what is none are
        left out."""
        states: list[Variable] = []
        algebraics: list[Variable] = [*self._computed]
        final = self.final(choice)
        chain: list[Equation] = []  # of states whose derivatives are states; nothing is left to rewrite
        for i, v in enumerate(self.variables):
            if not self.d[i]:
                algebraics.append(v)
                continue
            for order in range(self.d[i] + 1):
                level = Level(i, order)
                leaf = self.levels.leaf(level)
                if leaf in final:
                    continue
                below = Level(i, order - 1)
                state = self.is_state(level, choice)
                if order and self.is_state(below, choice):
                    chain.append(Equation(der(self.levels.leaf(below)), leaf, v.span))
                variable = v if order == 0 else derivative_variable(v, leaf.data, self.nominal(i, order))
                (states if state else algebraics).append(variable)
        # Of these, derivatives that the model speaks of are what they were.
        same = {rate for leaf, rate in final.items() if self.levels.level_of[leaf].order == 1}
        memo: dict[Expr, Expr] = {}

        def rewrite(e: Expr) -> Expr:
            return substitute(self.levels.plain(e), final, memo)

        def rewritten(q: Equation) -> Equation:
            if all(leaf in same for leaf in q.leaves if leaf.op is Op.DER):
                return q
            return _same_or_new(q, rewrite(q.lhs), rewrite(q.rhs))

        after = {v.symbol for v in states}
        if first:
            self._refuse_jumps(after)
        continuous = (
            new
            for q, (_, *made) in zip(self.rows, self.derivatives, strict=True)
            for new in (rewritten(q), *(replace(x, lhs=rewrite(x.lhs), rhs=rewrite(x.rhs)) for x in made))
        )
        new_equations = (*chain, *continuous, *map(rewritten, self.discrete))
        jumping = replace(self.model, jumps=tuple(j for j in self.model.jumps if j.state in after))
        model = rewritten_model(jumping, rewrite, tuple(states), tuple(algebraics), new_equations)
        model, guards = with_pivot_guards(model, choice.pivots, rewrite)
        times = tuple(
            Differentiated(self.rows[r], c, tuple(self.derivatives[r][1:])) for r, c in enumerate(self.c) if c
        )
        demoted = tuple(v for v in self.model.states if v.symbol not in after)
        lost = (j for j in self.model.jumps if j.state not in after)
        jumps = tuple(replace(j, condition=rewrite(j.condition), value=rewrite(j.value)) for j in lost)
        reduction = IndexReduction(times, demoted, max(self.c, default=0) + 1, guards, jumps)
        return Reduced(model, self.reduced.aliases, self.reduced.written), reduction

    def _refuse_jumps(self, states: set[Symbol]) -> None:
        for jump in self.model.jumps:
            if jump.state not in states:
                raise model_error(
                    "E302",
                    f"`{jump.state.name}` is constrained by other states and cannot be reinitialised",
                    jump.span,
                    hint="reinitialise the state it follows from",
                    origin=jump.origin,
                )


def _same_or_new(q: Equation, lhs: Expr, rhs: Expr) -> Equation:
    """The equation itself where it did not change, so that it can be known again."""
    return q if lhs is q.lhs and rhs is q.rhs else Equation(lhs, rhs, q.span, q.origin)


def forced_states(model: HybridModel) -> list[Variable]:
    """Algebraic variables that the user wants for states: stateSelect = always holds for them too."""
    return [v for v in model.algebraics if v.state_select == "always"]


def preferred_speeds(model: HybridModel) -> list[tuple[Variable, Symbol]]:
    """The algebraic variables v of equations `v = der(x)` that are preferred as states, as x is; and x. That
    they do not appear differentiated is no reason against them (specification 4.9.7.1), and which speeds are
    states decides what a `reinit` of another one leaves as it is."""
    wanted = {v.symbol: v for v in (*model.states, *model.algebraics) if v.state_select == "prefer"}
    found: list[tuple[Variable, Symbol]] = []
    for q in model.equations if wanted else ():
        for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
            if side.op is Op.REF and other.op is Op.DER and side.data in wanted:
                x = other.args[0].data
                if x in wanted:
                    found.append((wanted[side.data], x))
    return found


def preferred_coordinates(model: HybridModel, blocks: Sequence[Block]) -> list[list[Variable]]:
    """Preferred variables that follow from the states alone, where that takes iterations or a division by
    what varies: as states in place of those, they need neither. (Pressure and temperature of a fluid, whose
    mass and energy are balanced; the temperature in a tank that runs empty, where both are nearly zero and
    their quotient has no digits.) That they do not appear differentiated is no reason against them
    (specification 4.9.7.1).

    What to try, the best first: all preferred variables that follow from the states, since those that follow
    without more ado (a level) take the place of what the others are divided by; then those of iterations
    only.
    """
    wanted = {v.symbol: v for v in model.algebraics if v.state_select == "prefer"}
    known = (*model.discretes, *model.constants, *model.parameters)
    follow = {ref(v.symbol) for v in (*model.states, *known)}
    varying = {ref(v.symbol) for v in model.states}
    iterated: list[Variable] = []
    preferred: list[Variable] = []
    divided: set[Expr] = set()
    for block in blocks if wanted else ():
        own = set(block.unknowns)
        used = {leaf for e in block_expressions(block) for leaf in leaves(e)} - own
        if not used <= follow:
            continue
        follow |= own
        if used.isdisjoint(varying):
            continue
        varying |= own
        found = [wanted[u.data] for u in block.unknowns if u.op is Op.REF and u.data in wanted]
        preferred += found
        if isinstance(block, Nonlinear):
            iterated += found
        divides = isinstance(block, Explicit) and _is_divided(block.value, varying)
        if divides or not used.isdisjoint(divided):
            divided |= own
    chosen = [preferred] if any(ref(v.symbol) in divided for v in preferred) else []
    if iterated and iterated != preferred:
        chosen.append(iterated)
    return chosen or ([iterated] if iterated else [])


def _is_divided(e: Expr, varying: Set[Expr]) -> bool:
    """Whether there is a division by something that varies."""
    divides = e.op is Op.DIV and not varying.isdisjoint(leaves(e.args[1]))
    return divides or any(_is_divided(x, varying) for x in e.args)


def _rate_equation(v: Variable, nominal: Expr | None) -> tuple[Equation, Variable]:
    """An equation with the derivative of a variable, and the new variable that it determines."""
    rate = Symbol(Helper.RATE.belonging_to(v.name), helper=Helper.RATE)
    variable = Variable(rate, Variability.CONTINUOUS, v.span, nominal=nominal)
    return Equation(der(ref(v.symbol)), ref(rate), v.span), variable


def derivative_variable(v: Variable, symbol: Symbol, nominal: Expr | None) -> Variable:
    """The variable that stands for a derivative of another."""
    unit = f"({v.unit})/s" if v.unit else ""
    return Variable(symbol, Variability.CONTINUOUS, v.span, nominal=nominal, unit=unit, protected=True)


def _components(entries: Sequence[Mapping[int, Expr]]) -> list[list[int]]:
    """Rows that share columns, together."""
    parent = list(range(len(entries)))

    def find(k: int) -> int:
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    first: dict[int, int] = {}
    for k, uses in enumerate(entries):
        for i in uses:
            parent[find(k)] = find(first.setdefault(i, k))
    groups: dict[int, list[int]] = {}
    for k in range(len(entries)):
        groups.setdefault(find(k), []).append(k)
    return list(groups.values())
