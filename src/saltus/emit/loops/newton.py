"""Damped Newton iteration as statements, so that every back end runs the same algorithm.

For r(x) = 0 with J = dr/dx, from the values in memory (Deuflhard, Newton Methods for Nonlinear Problems,
chapter 3; residuals scaled by rows):

    repeat  solve J d = r;  lambda := 1
            repeat  x := base - lambda d;  lambda := lambda / 2
            until   |S r(x)| <= (1 - lambda / 10) |S r(base)|

S divides row i by sum_j |J_ij| w_j, with w_j = max(|x_j|, nominal_j): the size of the row's terms, so that
|S r| is about the relative error of x, and about the rounding unit where r cannot get smaller. A residual
that is not finite is never smaller, so the step is halved back into the domain of the functions. A point at
which a function violates one of its assertions counts as such: what is asserted is meant of the solution, not
of the points that are tried on the way. Only if no solution is found, the assertion is what the run tells.

That test alone is blind for a curved valley: where one row is strongly curved and holds already, and another
one is far off in a flat direction (a flow m = sqrt(dp) and a pressure, whose relative error is small), only
tiny steps along the curve make |S r| smaller. So a step is taken as well if it makes the error smaller, by
what the matrix at base makes of the residuals: the natural monotonicity test (loc. cit., section 3.3),

            |W J(base)^-1 r(x)| <= (1 - lambda / 4) |W d|,    W divides by w

which varies neither with the scaling of the residuals nor with which equations are inserted into others.

Where the first step changes nothing but last digits (`ROUNDING`, of each unknown), the start is the solution,
and stays: what was computed with it elsewhere agrees with it to the last digit.

It has converged when the last full step was below `STEP` (relative to w), or was small and left a residual
at rounding level. Where no smaller residual can be found, the iterate is accepted if the step or the
residual is at rounding level: then a repeated call does not move x. Where the run allows it, `continuation`
tries another way on failure, and after that the last iterate stays in memory, for the message. Where it does
not, the values are put back from which the iteration began: an integrator tries a shorter step then, and has
to begin on the branch that it follows, not at a kink from which Newton's method might go to another one.

Where a residual at the start is not finite, x is moved off by a part of its nominal value, a few times before
giving up. So it is where J gives no step: a row that is all zero (a square law at 0, the default start) or
not finite (a square root there), or a matrix that is singular at the start. Each unknown is moved by another
part, so that differences of them move too, and to the side on which a comparison with a number (`x > 0`) has
the truth that it has where both are equal: of two solutions, one on either side, that is the one for which
less is turned round.

Where not even the shortest step gives a smaller residual, x may lie at a kink, as of |x| at 0, with the
Jacobian of the wrong side: the shortest step is taken nevertheless, for it leads to the other side. That,
too, is done a few times.

In a torn loop x are the tearing variables: the inner unknowns are computed from them before the residuals,
and J is reduced to them (`saltus.emit.loops.torn`).

The residuals are written once, and so is the Jacobian: the first round has lambda = 0 and accepts anything
finite, and whoever wants another point puts it into `base` and begins a first round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from saltus.emit.loops.continuation import LARGEST, begin_at, begins, follows, next_point, track_size
from saltus.emit.loops.elimination import solve
from saltus.emit.loops.quadratic import curvature, solve_quadratic
from saltus.emit.loops.torn import TornMatrix, untorn
from saltus.emit.straight.sharing import Section
from saltus.expr.nodes import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    add,
    and_,
    array,
    call,
    const,
    if_,
    index,
    not_,
    or_,
    ref,
    relation,
)
from saltus.expr.traversal import walk
from saltus.ir.program import (
    Assign,
    Attempt,
    Break,
    CallFunction,
    Fail,
    Fill,
    For,
    If,
    SolveLinear,
    Statement,
    Store,
    While,
)
from saltus.ir.sorted.blocks import Nonlinear, block_expressions

ITERATIONS = 100
STEP = 1e-12  # relative step of a converged iteration
SMALL_STEP = 1e-7  # its square is below rounding: with a residual at rounding level that is enough
DECREASE = 0.1  # of the residual, by a full step at least; less would let the step swing about a steep root
NATURAL_DECREASE = 0.25  # of the error, likewise
STAGNANT_STEP = 1e-9  # accepted if the residual cannot be made smaller
ROUNDING = 1e-14  # scaled residual per unknown that counts as rounding
SMALLEST_DAMPING = 1e-10
NUDGES = 3  # by about 1 %, 10 % and 100 % of the nominal values
FIRST_NUDGE = 0.01
GOLDEN = 0.6180339887498949
KINKS = 3  # that are stepped over
_MIRRORED = {Op.LT: Op.GT, Op.GT: Op.LT, Op.LE: Op.GE, Op.GE: Op.LE}  # with the sides exchanged
HUGE = 1e300  # what is not below is not finite
OUTSIDE = 1e301  # the residual where a function has none
DIFFERENCE = 1.4901161193847656e-08  # relative increment of forward differences: sqrt of the rounding unit


class _Iteration:
    """The statements for one block."""

    def __init__(
        self,
        block: Nonlinear,
        slots: Mapping[Expr, int],
        status: int,
        allowed: Expr,
        outer: Section,
        *,
        may_jump: bool,
        puts_back: bool,
    ) -> None:
        self.block = block
        self.slots = slots
        self.status = status
        self.allowed = allowed
        self.outer = outer
        tearing = block.tearing or untorn(len(block.unknowns))
        self.tearing = tearing
        self.unknowns = [block.unknowns[j] for j in tearing.columns]
        self.residuals = [block.residuals[i] for i in tearing.rows]
        self.n = len(self.unknowns)
        self.sides = _sides(self.unknowns, block_expressions(block))
        self.inner = self._section(block_expressions(block))
        new = outer.locals.new
        n = self.n
        self.base, self.step, self.residual = (new(p, shape=(n,)) for p in ("base", "step", "residual"))
        self.shifted, self.scale = new("shifted", shape=(n,)), new("scale", shape=(n,))
        self.damping, self.norm, self.trial = new("damping"), new("norm"), new("trial")
        self.length, self.iteration = new("length"), new("iteration")
        self.nudges, self.nudge, self.kinks = new("nudges"), new("nudge"), new("kinks")
        self.done, self.flat = new("done", Type.BOOLEAN), new("flat", Type.BOOLEAN)
        self.failed = new("failed", Type.BOOLEAN)
        self.fault, self.obstacle = new("fault"), new("obstacle")
        scales = [block.nominals[j] for j in tearing.columns]
        self.nominals = [outer.local(_positive(call("abs", e))) for e in scales]
        self.tries = may_jump and n <= LARGEST
        self.origin = new("origin", shape=(n if puts_back else 0,))
        self.puts_back = puts_back
        self.track = new("track", shape=(track_size(n if self.tries else 0),))
        self.ready, self.hopeless = new("ready", Type.BOOLEAN), new("hopeless", Type.BOOLEAN)
        self.follows = follows(self.track) if self.tries else FALSE
        self.begins = begins(self.track) if self.tries else FALSE
        # Without formulas the matrix is filled by differences; the continuation needs it as an array too.
        self.torn: TornMatrix | None = None
        # With one unknown, both tests are the same.
        self.looks = 1 < n <= LARGEST
        if block.jacobian is None or self.tries or self.looks:
            self.jacobian = new("jacobian", shape=(n, n))
        if self.looks:
            self.kept = new("kept", shape=(n, n)) if block.jacobian is None else self.jacobian
            self.factors, self.error = new("factors", shape=(n, n)), new("error", shape=(n,))
            self.natural, self.singular = new("natural"), new("singular", Type.BOOLEAN)

    def _section(self, expressions: Sequence[Expr]) -> Section:
        """Code inside the loop: what does not vary with the unknowns of the block is computed before."""
        outer = self.outer
        varying = frozenset(self.block.unknowns)
        return Section(expressions, outer.locals, outer.lowered, parent=outer, varying=varying)

    def statements(self) -> list[Statement]:
        start: list[Statement] = [
            Assign(self.done, FALSE),
            Assign(self.length, ZERO),
            Assign(self.nudges, ZERO),
            Assign(self.kinks, ZERO),
            Assign(self.nudge, const(FIRST_NUDGE)),
            Fill(self.scale, ONE),
            *(self._set(self.base, i, x) for i, x in enumerate(self.unknowns)),
            *(begin_at(self.track, self.unknowns) if self.tries else ()),
            *(self._set(self.origin, i, x) for i, x in enumerate(self.unknowns) if self.puts_back),
            Assign(self.obstacle, ZERO),
            *self._first_round(),
        ]
        evaluate = self._attempt(self._evaluate(self.residual))
        search = While(TRUE, (*self._move(), *evaluate, *self._judge()))
        finished = If(((ref(self.done), (Break(),)),))
        anew = (*self._first_round(), *self._move_off())
        linearise = self._attempt(self._linearise())
        first = relation(Op.EQ, ref(self.iteration), ONE)
        singular = and_(ref(self.failed), first, not_(self.follows))
        step = If(
            (
                (self.outside, (Assign(self.failed, TRUE),)),
                (and_(self.follows, not_(self.begins)), (Assign(self.ready, TRUE),)),
                (and_(ref(self.flat), self.begins), (Assign(self.failed, TRUE),)),
                (ref(self.flat), (*self._stop_at_rounding(), *anew)),
            ),
            (
                *self._direction(),
                Assign(self.ready, self.begins),
                If(((singular, anew), (first, tuple(self._stay())))),
            ),
        )
        advance = (*self._count(), *self._stop_at_zero(), *linearise, step)
        body = (
            If(((or_(ref(self.failed), ref(self.ready)), tuple(self._continue())),)),
            search,
            finished,
            If(((not_(ref(self.failed)), advance),)),
        )
        return [*start, While(TRUE, body)]

    def _first_round(self) -> list[Statement]:
        """What is in `base` is evaluated next, and accepted if it is finite."""
        return [
            Assign(self.failed, FALSE),
            Assign(self.ready, FALSE),
            Assign(self.iteration, ZERO),
            Assign(self.damping, ZERO),
            Assign(self.norm, const(HUGE)),
            Fill(self.step, ZERO),  # it may not be finite, and 0 times that would not be 0
        ]

    def _continue(self) -> list[Statement]:
        """Another way, after the iteration has failed; the next point on it, when residuals and Jacobian are
        ready."""
        refused = relation(Op.EQ, self.allowed, ZERO)
        back = self._back(self.origin) if self.puts_back else []
        if not self.tries:
            return [If(((refused, tuple(back)),)), *self._fail()]
        inputs = (self.track, self.base, self.residual, self.jacobian, self.step)
        return [
            If(((refused, (*back, *self._fail())),)),
            CallFunction(
                (self.track, self.base, self.hopeless),
                self.outer.lowered(next_point(self.n)),
                (ref(self.failed), *map(ref, inputs), array((self.n,), self.nominals)),
            ),
            If(((ref(self.hopeless), (*self._back(self.base), *self._fail())),)),
            *self._first_round(),
        ]

    @property
    def outside(self) -> Expr:
        """Whether a function failed at the point that was looked at last."""
        return relation(Op.NE, ref(self.fault), ZERO)

    def _attempt(self, code: Sequence[Statement]) -> list[Statement]:
        """The code, which may fail: functions that it calls have a domain."""
        return [Attempt(tuple(code), self.fault)] if _calls(code) else [Assign(self.fault, ZERO), *code]

    def _fail(self) -> list[Statement]:
        """Where nothing was found: with the assertion that the last step would have violated, if any."""
        blocked = relation(Op.NE, ref(self.obstacle), ZERO)
        return [If(((blocked, (Fail(self.obstacle),)),)), Fail(self.status)]

    # ------------------------------------------------------------ the line search

    def _move(self) -> list[Statement]:
        """x := base - damping * step"""
        return [
            Store(self.slots[x], _at(self.base, i) - ref(self.damping) * _at(self.step, i))
            for i, x in enumerate(self.unknowns)
        ]

    def _back(self, point: Symbol) -> list[Statement]:
        """x := point"""
        return [Store(self.slots[x], _at(point, i)) for i, x in enumerate(self.unknowns)]

    def _evaluate(self, target: Symbol) -> list[Statement]:
        values = self._residuals(self.inner)
        code = self._take()
        return [*code, *(self._set(target, i, e) for i, e in enumerate(values))]

    def _residuals(self, section: Section) -> list[Expr]:
        """The inner unknowns, one by one, then the residuals."""
        for (_, j), e in zip(self.tearing.inner, self.block.inner, strict=True):
            value = section.value(e)
            section.statements.append(Store(self.slots[self.block.unknowns[j]], value))
        return [section.value(e) for e in self.residuals]

    def _judge(self) -> list[Statement]:
        """Accepts the trial point, gives up, or halves the step."""
        trial, norm, damping, length = ref(self.trial), ref(self.norm), ref(self.damping), ref(self.length)
        terms = [call("abs", _at(self.residual, i)) * _at(self.scale, i) for i in range(self.n)]
        rounding = const(ROUNDING * self.n)
        # In the first round norm is HUGE and damping 0: anything finite is accepted.
        descent = relation(Op.LE, trial, (1.0 - DECREASE * damping) * norm)
        full = relation(Op.EQ, damping, ONE)
        converged = and_(
            full,
            or_(
                _below(length, STEP),
                and_(_below(length, SMALL_STEP), relation(Op.LE, trial, rounding)),
            ),
        )
        stagnant = or_(_below(length, STAGNANT_STEP), relation(Op.LE, norm, rounding))
        first = relation(Op.EQ, ref(self.iteration), ZERO)
        tiny = _below(damping, SMALLEST_DAMPING)
        may_step_over = relation(Op.LT, ref(self.kinks), const(float(KINKS)))
        give_up = (Assign(self.failed, TRUE), Break())
        return [
            *self._sum(self.trial, terms),
            If(
                (
                    (
                        self.outside,
                        (Assign(self.trial, const(OUTSIDE)), Assign(self.obstacle, ref(self.fault))),
                    ),
                )
            ),
            If(((descent, (Assign(self.done, converged), Break())),)),
            If(
                (
                    (self.follows, give_up),
                    (first, (*self._move_off(), If(((ref(self.failed), (Break(),)),)))),
                    (stagnant, (*self._back(self.base), Assign(self.done, TRUE), Break())),
                ),
                (
                    *self._look(converged),
                    If(
                        (
                            (and_(tiny, may_step_over, _below(trial, HUGE)), tuple(self._step_over())),
                            (tiny, give_up),
                        ),
                        (Assign(self.damping, 0.5 * damping),),
                    ),
                ),
            ),
        ]

    def _look(self, converged: Expr) -> list[Statement]:
        """Accepts the trial point if the error has become smaller."""
        if not self.looks:
            return []
        errors = [
            call("abs", _at(self.error, i)) / call("max", call("abs", _at(self.base, i)), self.nominals[i])
            for i in range(self.n)
        ]
        smaller = relation(
            Op.LE, ref(self.natural), (1.0 - NATURAL_DECREASE * ref(self.damping)) * ref(self.length)
        )
        look = (
            Assign(self.factors, ref(self.kept)),
            Assign(self.error, ref(self.residual)),
            SolveLinear(self.factors, self.error, self.singular),
            *self._sum(self.natural, errors),
            If(((and_(smaller, not_(ref(self.singular))), (Assign(self.done, converged), Break())),)),
        )
        return [If(((_below(ref(self.trial), HUGE), look),))]

    def _step_over(self) -> list[Statement]:
        """On from the trial point, with the Jacobian that holds there: base may lie at a kink."""
        return [
            Assign(self.kinks, ref(self.kinks) + 1.0),
            *(self._set(self.base, i, x) for i, x in enumerate(self.unknowns)),
            Fill(self.step, ZERO),
            *self._first_round(),
        ]

    def _move_off(self) -> list[Statement]:
        """Another start; the iteration is then in its first round again."""
        past = relation(Op.GE, ref(self.nudges), const(float(NUDGES)))
        return [
            Assign(self.failed, past),
            *(
                self._set(self.base, i, x + ref(self.nudge) * self.sides[i] * _part(i) * self.nominals[i])
                for i, x in enumerate(self.unknowns)
            ),
            Assign(self.nudges, ref(self.nudges) + 1.0),
            Assign(self.nudge, 10.0 * ref(self.nudge)),
            Assign(self.iteration, ZERO),
        ]

    def _stop_at_zero(self) -> list[Statement]:
        """Residuals that are exactly zero end the iteration, whatever the Jacobian."""
        zeros = [relation(Op.EQ, _at(self.residual, i), ZERO) for i in range(self.n)]
        code: list[Statement] = [Assign(self.done, TRUE)]
        for k in range(0, self.n, 20):
            code.append(Assign(self.done, and_(ref(self.done), *zeros[k : k + 20])))
        return [*code, If(((ref(self.done), (Break(),)),))]

    def _stay(self) -> list[Statement]:
        """Ends the iteration at its start, if that is a solution up to rounding: of the unknowns, not of
        their nominal values: it may be much smaller than these."""
        code: list[Statement] = [Assign(self.done, not_(self.follows))]
        for i in range(self.n):
            size = ROUNDING * call("abs", _at(self.base, i))
            small = relation(Op.LE, call("abs", _at(self.step, i)), size)
            code.append(Assign(self.done, and_(ref(self.done), small)))
        return [*code, If(((ref(self.done), (Break(),)),))]

    def _stop_at_rounding(self) -> list[Statement]:
        """Where J gives no step, residuals that cannot get smaller end the iteration. (In the first round
        they are not scaled, and say nothing.)"""
        small = relation(Op.LE, ref(self.trial), const(ROUNDING * self.n))
        later = relation(Op.GT, ref(self.iteration), ONE)
        return [Assign(self.done, and_(small, later)), If(((ref(self.done), (Break(),)),))]

    def _count(self) -> list[Statement]:
        past = relation(Op.GT, ref(self.iteration), const(float(ITERATIONS)))
        return [
            Assign(self.iteration, ref(self.iteration) + 1.0),
            If(((past, (Assign(self.failed, TRUE),)),)),
        ]

    # ------------------------------------------------------------ the Newton step

    def _linearise(self) -> list[Statement]:
        """The Jacobian at x, and the weights of its rows."""
        if self.block.jacobian is None:
            code = self._differences()
            rows = [{j: _at(self.jacobian, i, j) for j in range(self.n)} for i in range(self.n)]
        else:
            self.torn = TornMatrix(self.block.jacobian, self.tearing, self.inner, self.failed)
            code = self._take()
            rows = self.torn.reduced
            if self.tries or self.looks:
                code.append(Fill(self.jacobian, ZERO))
                for i, row in enumerate(rows):
                    code += [Assign(self.jacobian, e, (const(i + 1), const(j + 1))) for j, e in row.items()]
        weights = [self._weight(j) for j in range(self.n)]
        size = self.outer.locals.new("size")
        code.append(Assign(self.flat, FALSE))
        for i, row in enumerate(rows):
            terms = [call("abs", e) * weights[j] for j, e in row.items()]
            code += self._sum(size, terms or [ZERO])
            usable = and_(relation(Op.GT, ref(size), ZERO), _below(ref(size), HUGE))
            code.append(self._set(self.scale, i, if_(usable, 1.0 / ref(size), ONE)))
            code.append(Assign(self.flat, or_(ref(self.flat), not_(usable))))
        return code

    def _differences(self) -> list[Statement]:
        """Forward differences, column by column. The residuals at x are known."""
        column = Symbol("column", Type.INTEGER)
        increment = self.outer.locals.new("increment")
        code: list[Statement] = [self._set(self.base, i, x) for i, x in enumerate(self.unknowns)]
        body: list[Statement] = []
        for j, x in enumerate(self.unknowns):
            chosen = relation(Op.EQ, ref(column), const(j + 1))
            width = DIFFERENCE * call("max", call("abs", _at(self.base, j)), self.nominals[j])
            body.append(If(((chosen, (Assign(increment, width),)),)))
            body.append(Store(self.slots[x], _at(self.base, j) + if_(chosen, ref(increment), ZERO)))
        again = self._section(block_expressions(self.block))
        values = self._residuals(again)
        body += again.statements
        body += [self._set(self.shifted, i, e) for i, e in enumerate(values)]
        for i in range(self.n):
            slope = (_at(self.shifted, i) - _at(self.residual, i)) / ref(increment)
            body.append(Assign(self.jacobian, slope, (const(i + 1), ref(column))))
        code.append(For(column, const(1), const(1), const(self.n), tuple(body)))
        return [*code, *self._back(self.base)]

    def _direction(self) -> list[Statement]:
        """Solves for the step and starts the next search from here."""
        n = self.n
        norm = [call("abs", _at(self.residual, i)) * _at(self.scale, i) for i in range(n)]
        code: list[Statement] = [
            *self._sum(self.norm, norm),
            *self._step(),
            *(self._set(self.base, i, x) for i, x in enumerate(self.unknowns)),
        ]
        code += self._sum(self.length, [call("abs", _at(self.step, i)) / self._weight(i) for i in range(n)])
        code += [Assign(self.damping, ONE), Assign(self.obstacle, ZERO)]
        return code

    def _step(self) -> list[Statement]:
        """step := J^-1 residual; the inner unknowns have no residuals."""
        residuals = [_at(self.residual, i) for i in range(self.n)]
        if self.torn is not None:
            found = self.torn.solve(residuals)
            return [*self._take(), *(self._set(self.step, i, x) for i, x in enumerate(found))]
        copied: list[Statement] = [self._set(self.step, i, x) for i, x in enumerate(residuals)]
        if self.looks:
            copied.append(Assign(self.kept, ref(self.jacobian)))
        return [*copied, *solve(self.jacobian, self.step, self.failed, self.outer.locals)]

    # ------------------------------------------------------------ small parts

    def _weight(self, j: int) -> Expr:
        return call("max", call("abs", self.unknowns[j]), self.nominals[j])

    def _sum(self, target: Symbol, terms: Sequence[Expr]) -> list[Statement]:
        """target := sum of terms, in pieces that a back end can print. A sum, not a maximum: what is not
        a number must not get lost."""
        code: list[Statement] = [Assign(target, terms[0])]
        for k in range(1, len(terms), 20):
            code.append(Assign(target, add(ref(target), *terms[k : k + 20])))
        return code

    def _take(self) -> list[Statement]:
        code = self.inner.statements
        self.inner.statements = []
        return code

    def _set(self, array: Symbol, i: int, value: Expr) -> Statement:
        return Assign(array, value, (const(i + 1),))


def _at(array: Symbol, *place: int) -> Expr:
    return index(ref(array), *(const(p + 1) for p in place))


def _sides(unknowns: Sequence[Expr], expressions: Sequence[Expr]) -> list[float]:
    """The side to which each unknown is moved off: down, if all comparisons with numbers stay true or false
    that way only."""
    sought = frozenset(unknowns)
    up: set[Expr] = set()
    down: set[Expr] = set()
    seen: set[Expr] = set()  # a large loop is gone through once, not once for each unknown
    for e in expressions:
        for node in walk(e, seen):
            if node.op not in _MIRRORED:
                continue
            left, right = node.args
            for x, other, op in ((left, right, node.op), (right, left, _MIRRORED[node.op])):
                if x in sought and other.op is Op.CONST:
                    (up if op in (Op.LT, Op.GE) else down).add(x)
    return [-1.0 if x in down and x not in up else 1.0 for x in unknowns]


def _part(i: int) -> float:
    """By which unknown i is moved off, relative to the others: from 1 to 2, no two alike (multiples of the
    golden ratio, modulo 1)."""
    return 1.0 + i * GOLDEN % 1.0


def _positive(e: Expr) -> Expr:
    """A nominal value, or 1 where it is not positive, which says nothing."""
    return if_(relation(Op.GT, e, ZERO), e, ONE)


def _calls(code: Sequence[Statement]) -> bool:
    """Whether user functions are called."""
    for s in code:
        match s:
            case CallFunction():
                return True
            case If(branches, otherwise):
                if _calls(otherwise) or any(_calls(inner) for _, inner in branches):
                    return True
            case For(body=inner) | While(body=inner):
                if _calls(inner):
                    return True
            case _:
                pass
    return False


def _below(e: Expr, bound: float) -> Expr:
    return relation(Op.LT, e, const(bound))


def newton(
    block: Nonlinear,
    slots: Mapping[Expr, int],
    status: int,
    continuation: Expr,
    outer: Section,
    *,
    may_jump: bool,
    puts_back: bool,
) -> None:
    """Appends the solution of a nonlinear block to a section. `continuation` is not 0 where another way may
    be tried when the iteration fails, in routines in which values `may_jump`. Where it is 0, and the routine
    `puts_back`, the unknowns have their old values after a failure."""
    # Made first: it hoists what does not depend on the unknowns into the statements of `outer`.
    code = _Iteration(
        block, slots, status, continuation, outer, may_jump=may_jump, puts_back=puts_back
    ).statements()
    bend = curvature(block)
    if bend is not None:
        code = solve_quadratic(block, bend, slots, outer, code)
    outer.statements += code
