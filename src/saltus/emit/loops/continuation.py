"""Continuation, for nonlinear systems that Newton's method does not solve from the start values.

The points with  r(x) = (1 - mu) r(x0)  form a curve through (x0, 0); where it meets mu = 1, r is zero (the
Newton homotopy; Allgower and Georg, Numerical Continuation Methods, Springer 1990, chapters 2, 6 and 10).
Damped Newton iteration goes along this curve too, but ends where mu has a maximum: |r| has a local minimum
there and the Jacobian is singular. Here the curve is followed by its own length, which has no such ends:

    predict   y := point + arc * tangent              y = (x / weights, theta mu)
    correct   solve  [ J W   r0 / theta ] d  =  [ r - (1 - mu) r0             ],  y := y - d  until d is small
                     [     tangent      ]       [ tangent . (y - point) - arc ]

The first tangent is the Newton step. A step whose correction fails, or which turns by too much, is halved;
one that needs few corrections is followed by one twice as long. A curve has two directions; if the one in
which mu grows does not lead to mu = 1, the other one is tried. Where mu passes 1 between two points, Newton's
method takes over from there; should it fail, the points were too far apart and the last step is made shorter.
theta is small: steps are measured in x. A large change of r with a small one of x is no reason to take care,
but a large step in mu may end on another part of the curve.

The curve may lead to another solution than the nearest. So the run allows it only where values may jump in
any case: at the start and at events.

The iteration of a block stands in several routines, so all this is a function of its own, one for each number
of unknowns: called with what the iteration found at a point, it gives the next one. What it must remember
between two calls is in one array, the *track*.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from saltus.expr.nodes import (
    ONE,
    TRUE,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    add,
    and_,
    call,
    const,
    if_,
    index,
    or_,
    ref,
    relation,
)
from saltus.ir.program import Assign, For, Function, If, SolveLinear, Statement

FIRST_ARC = 0.1  # in units of the weights: nominal values, or start values that are larger
SMALLEST_ARC = 1e-8
MOST_POINTS = 500  # in one direction
THETA = 0.01  # how much mu counts in the length of a step
FARTHEST = 1e8  # of mu: there the residuals are so many times those at the origin
MOST_CORRECTIONS = 6
FEW_CORRECTIONS = 3
CORRECTED = 1e-6  # a correction below this part of a long step ends the correcting: no need to be exact
SMALLEST_COSINE = 0.7  # of the angle between two steps

#: Larger systems are not tried: the matrix of the function is on the stack.
LARGEST = 300

#: Phases: Newton's method; along the curve, one way and the other; Newton's method at its end.
NEWTON, FORWARD, BACKWARD, END = 0, 1, 2, 3

#: Where the curve cannot begin (the Jacobian is singular, the residuals are not finite), the origin is moved
#: by these parts of the nominal values.
FIRST_NUDGE, LAST_NUDGE = 0.01, 1.0

#: The track begins with these numbers. After them come the origin, r0, the weights and the last iterate of
#: Newton's method (n numbers each), then place, point and tangent (n + 1 each, theta mu last).
PHASE, WAY, BEGINNING, ARC, POINTS, CORRECTIONS, NUDGE, SCALARS = 1, 2, 3, 4, 5, 6, 7, 7


def track_size(n: int) -> int:
    """Length of the track of n unknowns."""
    return SCALARS + 7 * n + 3


def begin_at(track: Symbol, values: Sequence[Expr]) -> list[Statement]:
    """Before the iteration begins at some values: should it fail, the curve begins there."""
    return [
        Assign(track, const(float(NEWTON)), (const(PHASE),)),
        Assign(track, ZERO, (const(NUDGE),)),
        *(Assign(track, x, (const(SCALARS + k + 1),)) for k, x in enumerate(values)),
    ]


def follows(track: Symbol) -> Expr:
    """Whether a curve is being followed."""
    phase = index(ref(track), const(PHASE))
    return or_(*(relation(Op.EQ, phase, const(float(p))) for p in (FORWARD, BACKWARD)))


def begins(track: Symbol) -> Expr:
    """Whether the next point is the first one: the Newton step is wanted there."""
    return and_(follows(track), relation(Op.NE, index(ref(track), const(BEGINNING)), ZERO))


@cache
def next_point(n: int) -> Function:
    """The function of the following inputs and outputs, for n unknowns.

    in   lost       what was tried last has failed (the residuals are not finite, no smaller ones found)
         before     the track
         base       the point
         residual, jacobian, step    at the point; the Newton step where the curve `begins`
         nominal    of the unknowns
    out  track      after this call
         target     the point to evaluate next
         hopeless   there is no other way; the target is where Newton's method ended, for the message
    """
    return _NextPoint(n).function()


class _NextPoint:
    def __init__(self, n: int) -> None:
        self.n = n

        def vector(name: str) -> Symbol:
            return Symbol(name, Type.REAL, (n,))

        self.lost = Symbol("lost", Type.BOOLEAN)
        self.before, self.track = (Symbol(s, Type.REAL, (track_size(n),)) for s in ("before", "track"))
        self.base, self.residual, self.step = vector("base"), vector("residual"), vector("step")
        self.nominal, self.target = vector("nominal"), vector("target")
        self.jacobian = Symbol("jacobian", Type.REAL, (n, n))
        self.failed, self.hopeless = (Symbol(s, Type.BOOLEAN) for s in ("failed", "hopeless"))
        self.matrix = Symbol("matrix", Type.REAL, (n + 1, n + 1))
        self.correction = Symbol("correction", Type.REAL, (n + 1,))
        self.size, self.share = Symbol("size"), Symbol("share")
        self.i, self.j = Symbol("i", Type.INTEGER), Symbol("j", Type.INTEGER)
        starts = [SCALARS + k * n for k in range(5)]
        self.origin, self.first, self.weights, self.stuck, self.place = starts
        self.point, self.tangent = self.place + n + 1, self.place + 2 * (n + 1)

    def function(self) -> Function:
        size = track_size(self.n)
        begin = relation(Op.NE, self._scalar(BEGINNING), ZERO)
        body: tuple[Statement, ...] = (
            For(
                self.i, const(1), const(1), const(size), (Assign(self.track, self._at(self.before), self._i),)
            ),
            self._each(Assign(self.target, self._at(self.base), self._i)),
            If(
                ((ref(self.lost), (Assign(self.failed, TRUE),)), (begin, tuple(self._begin()))),
                tuple(self._correct()),
            ),
            If(((ref(self.failed), tuple(self._recover())),)),
            If(((ref(self.hopeless), (self._each(Assign(self.target, self._part(self.stuck), self._i)),)),)),
        )
        return Function(
            f"$continuation{self.n}",
            (self.lost, self.before, self.base, self.residual, self.jacobian, self.step, self.nominal),
            (self.track, self.target, self.hopeless),
            (self.failed, self.matrix, self.correction, self.size, self.share),
            body,
            internal=True,
        )

    # ------------------------------------------------------------ when something failed

    def _recover(self) -> list[Statement]:
        """Begins to follow the curve, moves its beginning, takes a shorter step along it, or gives up."""

        def phase(number: int) -> Expr:
            return relation(Op.EQ, self._scalar(PHASE), const(float(number)))

        keep = self._each(self._store(self.stuck, self._at(self.base)))
        too_short = relation(Op.LT, self._scalar(ARC), const(SMALLEST_ARC))
        shorter = (
            self._set(ARC, 0.5 * self._scalar(ARC)),
            If(((too_short, tuple(self._turn())),), tuple(self._predict())),
        )
        cases = (
            (phase(NEWTON), (keep, *self._turn())),
            (phase(END), (self._set(PHASE, self._scalar(WAY)), *shorter)),
            (begins(self.track), tuple(self._move_origin())),
        )
        return [If(cases, shorter)]

    def _move_origin(self) -> list[Statement]:
        nudge = self._scalar(NUDGE)
        moved = self._part(self.origin) + nudge * self._at(self.nominal)
        return [
            self._set(NUDGE, if_(relation(Op.EQ, nudge, ZERO), const(FIRST_NUDGE), 10.0 * nudge)),
            Assign(self.hopeless, relation(Op.GT, nudge, const(1.5 * LAST_NUDGE))),
            self._each(self._store(self.origin, moved)),
            self._each(Assign(self.target, self._part(self.origin), self._i)),
        ]

    def _turn(self) -> list[Statement]:
        """Starts again from the origin, in the next direction."""
        return [
            self._set(PHASE, self._scalar(PHASE) + 1.0),
            Assign(self.hopeless, relation(Op.GE, self._scalar(PHASE), const(float(END)))),
            self._set(BEGINNING, ONE),
            self._each(Assign(self.target, self._part(self.origin), self._i)),
        ]

    # ------------------------------------------------------------ along the curve

    def _begin(self) -> list[Statement]:
        way = if_(relation(Op.EQ, self._scalar(PHASE), const(float(FORWARD))), ONE, const(-1.0))
        weight = call("max", call("abs", self._at(self.base)), self._at(self.nominal))
        return [
            self._set(BEGINNING, ZERO),
            self._each(self._store(self.weights, weight)),
            self._each(self._store(self.first, self._at(self.residual))),
            self._each(self._store(self.point, self._at(self.base) / self._part(self.weights))),
            self._set(self.point + self.n + 1, ZERO),
            self._each(
                Assign(self.correction, -1.0 * self._at(self.step) / self._part(self.weights), self._i)
            ),
            Assign(self.correction, const(THETA), (const(self.n + 1),)),
            *self._norm(),
            self._each(self._store(self.tangent, way * self._at(self.correction) / ref(self.size)), 1),
            self._set(ARC, const(FIRST_ARC)),
            self._set(POINTS, ZERO),
            *self._predict(),
        ]

    def _predict(self) -> list[Statement]:
        step = self._part(self.point) + self._scalar(ARC) * self._part(self.tangent)
        return [self._each(self._store(self.place, step), 1), self._set(CORRECTIONS, ZERO), self._go()]

    def _go(self) -> Statement:
        return self._each(Assign(self.target, self._part(self.place) * self._part(self.weights), self._i))

    def _bordered(self) -> list[Statement]:
        """matrix := the Jacobian with respect to (x / weights, theta mu), and the tangent as its last row"""
        n, i, j = self.n, ref(self.i), ref(self.j)
        entry = index(ref(self.jacobian), i, j) * index(ref(self.track), add(const(self.weights), j))
        row = For(self.j, const(1), const(1), const(n), (Assign(self.matrix, entry, (i, j)),))
        last = const(n + 1)
        return [
            self._each(row),
            self._each(Assign(self.matrix, self._part(self.first) / THETA, (i, last))),
            self._each(Assign(self.matrix, self._part(self.tangent), (last, i)), 1),
        ]

    def _correct(self) -> list[Statement]:
        last = const(self.n + 1)
        mu, right = self._scalar(self.place + self.n + 1) / THETA, index(ref(self.correction), last)
        off = self._at(self.residual) - (1.0 - mu) * self._part(self.first)
        length = self._part(self.tangent) * (self._part(self.place) - self._part(self.point))
        enough = relation(Op.GT, self._scalar(CORRECTIONS), const(float(MOST_CORRECTIONS)))
        tolerance = CORRECTED * call("max", ONE, self._scalar(ARC))
        return [
            *self._bordered(),
            self._each(Assign(self.correction, off, self._i)),
            Assign(self.correction, -1.0 * self._scalar(ARC), (last,)),
            self._each(Assign(self.correction, right + length, (last,)), 1),
            SolveLinear(self.matrix, self.correction, self.failed),
            self._each(self._store(self.place, self._part(self.place) - self._at(self.correction)), 1),
            self._set(CORRECTIONS, self._scalar(CORRECTIONS) + 1.0),
            *self._norm(),
            If(
                (
                    # A size that is not a number is not below anything.
                    (relation(Op.LE, ref(self.size), tolerance), tuple(self._arrive())),
                    (enough, (Assign(self.failed, TRUE),)),
                ),
                (self._go(),),
            ),
        ]

    def _arrive(self) -> list[Statement]:
        """At the next point of the curve. Its tangent is what the matrix makes of (0, ..., 0, 1): its product
        with the last tangent is 1, so its length is one over the cosine of the angle between the two."""
        now, before = (self._scalar(part + self.n + 1) / THETA for part in (self.place, self.point))
        beyond = relation(Op.LE, (now - 1.0) * (before - 1.0), ZERO)
        between = self._part(self.point) + ref(self.share) * (self._part(self.place) - self._part(self.point))
        finish = (
            Assign(self.share, (1.0 - before) / (now - before)),
            self._each(Assign(self.target, between * self._part(self.weights), self._i)),
            self._set(WAY, self._scalar(PHASE)),
            self._set(PHASE, const(float(END))),
        )
        few = relation(Op.LE, self._scalar(CORRECTIONS), const(float(FEW_CORRECTIONS)))
        lost = or_(
            relation(Op.GT, self._scalar(POINTS), const(float(MOST_POINTS))),
            relation(Op.GT, call("abs", now), const(FARTHEST)),
        )
        go_on = (
            self._each(self._store(self.tangent, self._at(self.correction) / ref(self.size)), 1),
            self._each(self._store(self.point, self._part(self.place)), 1),
            self._set(ARC, if_(few, 2.0 * self._scalar(ARC), self._scalar(ARC))),
            self._set(POINTS, self._scalar(POINTS) + 1.0),
            If(((lost, tuple(self._turn())),), tuple(self._predict())),
        )
        # Written this way round, a size that is not a number is refused.
        straight = relation(Op.LE, ref(self.size), const(1.0 / SMALLEST_COSINE))
        return [
            *self._bordered(),
            self._each(Assign(self.correction, ZERO, self._i)),
            Assign(self.correction, ONE, (const(self.n + 1),)),
            SolveLinear(self.matrix, self.correction, self.failed),
            *self._norm(),
            If(
                ((and_(straight, beyond), finish), (straight, go_on)),
                (Assign(self.failed, TRUE),),
            ),
        ]

    # ------------------------------------------------------------ small parts

    @property
    def _i(self) -> tuple[Expr, ...]:
        return (ref(self.i),)

    def _at(self, array: Symbol) -> Expr:
        return index(ref(array), ref(self.i))

    def _part(self, start: int) -> Expr:
        """Element i of the part of the track that begins after `start`."""
        return index(ref(self.track), add(const(start), ref(self.i)))

    def _store(self, start: int, value: Expr) -> Statement:
        return Assign(self.track, value, (add(const(start), ref(self.i)),))

    def _scalar(self, place: int) -> Expr:
        return index(ref(self.track), const(place))

    def _set(self, place: int, value: Expr) -> Statement:
        return Assign(self.track, value, (const(place),))

    def _each(self, statement: Statement, more: int = 0) -> Statement:
        """Does a statement for every unknown; with `more` = 1 for mu too."""
        return For(self.i, const(1), const(1), const(self.n + more), (statement,))

    def _norm(self) -> list[Statement]:
        """size := the Euclidean norm of the correction"""
        return [
            Assign(self.size, ZERO),
            self._each(
                Assign(self.size, ref(self.size) + self._at(self.correction) * self._at(self.correction)), 1
            ),
            Assign(self.size, call("sqrt", ref(self.size))),
        ]
