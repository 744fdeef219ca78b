"""The flat model to the hybrid DAE: every discontinuity gets a name.

    when c then x = e; end when   ->   x = if c and not pre(c) then e else pre(x)
    reinit(x, e)                  ->   a jump of x under the same condition
    if c then a = b; else ...     ->   a = if c then b else ...
    sample(t, h)                  ->   the symbol of a clock
    v > w  (continuous)           ->   the symbol of a relation, with residue v - w   (paper 000)
    floor(v), mod(v, w), ...      ->   a discrete variable that steps at relations
    delay(v, T)                   ->   a variable that asks the history of v
    spatialDistribution(v, w, x)  ->   two variables that ask what is between 0 and 1

Conditions, if-equations and when-clauses are treated in `clauses`; this file rewrites expressions and fills
the tables (`event_tables`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.helpers import Helper
from saltus.expr.linear import linear
from saltus.expr.nodes import RELATIONS, Expr, Op, Symbol, Type, const
from saltus.expr.show import show
from saltus.expr.traversal import leaves, transform
from saltus.ir.flat import Equation, Variability
from saltus.ir.hybrid import NEXT_WHOLE, Clock, Relation
from saltus.lower.hybrid.delays import add_delay
from saltus.lower.hybrid.event_tables import Tables
from saltus.lower.hybrid.transports import add_transport

#: Functions of Reals that step: they make events outside noEvent (section 3.7.2 of the specification).
_STEPPING = frozenset({"floor", "ceil", "integer", "div", "mod", "rem"})


@dataclass(eq=False)
class EventTables(Tables):
    """The tables, and the rewriting that fills them."""

    _steps: dict[Expr, Expr] = field(default_factory=dict)
    _memos: dict[tuple[bool, bool], dict[Expr, Expr]] = field(default_factory=dict)
    _delayed: dict[Expr, Expr] = field(default_factory=dict)
    _carried: dict[tuple[Expr, ...], tuple[Expr, Expr]] = field(default_factory=dict)

    # ------------------------------------------------------------ rewriting

    def rewrite(
        self, e: Expr, span: Span, origin: str, *, events: bool = True, stepping: bool = True
    ) -> Expr:
        """An expression of the hybrid DAE. Without `events` relations are compared as they stand;
        without `stepping` floor and its relatives are computed as they stand (inside when-clauses)."""
        memo = self._memos.setdefault((events, stepping), {})

        def visit(node: Expr) -> Expr | None:
            match node.op:
                case Op.NOEVENT:
                    return x.no_event(self.rewrite(node.args[0], span, origin, events=False, stepping=False))
                case Op.SMOOTH if node.data >= 1:
                    # Smooth enough for the integrator to step across.
                    return x.no_event(self.rewrite(node.args[0], span, origin, events=False, stepping=False))
                case Op.SMOOTH:
                    return self.rewrite(node.args[0], span, origin, events=events, stepping=stepping)
                case Op.EDGE:
                    (b,) = node.args
                    return x.and_(b, x.not_(x.pre(b)))
                case Op.CHANGE:
                    (v,) = node.args
                    return x.relation(Op.NE, v, x.pre(v))
                case Op.SAMPLE:
                    return self._clock(node, span, origin)
                case Op.DELAY:
                    return self._delay(node, span, origin)
                case Op.TRANSPORT:
                    return self._transport(node, span, origin)
                case Op.CALL if node.data in _STEPPING and events and stepping and self.varies(node):
                    args = [self.rewrite(a, span, origin) for a in node.args]
                    return self._stepping(node.data, args, span, origin)
            if node.op in RELATIONS and events and self.varies(node):
                a, b = (self.rewrite(v, span, origin, stepping=stepping) for v in node.args)
                return self._relation(node, a, b, span, origin)
            return None

        return transform(e, visit, memo)

    # ------------------------------------------------------------ relations

    def _relation(self, written: Expr, a: Expr, b: Expr, span: Span, origin: str) -> Expr:
        node = x.relation(written.op, a, b)
        if not self.varies(node):
            return node  # of Integers that step, say: what made it vary has become discrete
        if written.op in (Op.EQ, Op.NE):
            if a.type is not Type.REAL and b.type is not Type.REAL:
                return x.no_event(node)  # what a function computes between events makes none
            raise model_error(
                "E205",
                f"`{show(written)}` compares Reals that vary continuously for equality",
                span,
                hint="use an inequality, or noEvent(...) if the exact comparison is meant",
                origin=origin,
            )
        return self._watch(written.op, a, b, show(written), span, origin)

    def _watch(self, op: Op, a: Expr, b: Expr, text: str, span: Span, origin: str) -> Expr:
        """The symbol of a relation between Reals that vary."""
        node = x.relation(op, a, b)
        found = self.relations.get(node)
        if found is None:
            residue = x.sub(a, b)
            slope, offset = self._time_event(residue)
            found = Relation(
                self.relation_symbol(),
                op,
                residue,
                self._nominal(residue),
                text,
                span,
                origin,
                slope,
                offset,
            )
            self.relations[node] = found
        return x.ref(found.symbol)

    def _time_event(self, residue: Expr) -> tuple[Expr, Expr] | tuple[None, None]:
        """slope * time + offset, both constant between events."""
        parts = linear(residue, x.TIME)
        if parts is None or any(self.varies(p) for p in parts) or parts[0] is x.ZERO:
            return None, None
        return parts

    def _nominal(self, residue: Expr) -> Expr | None:
        """The size of a residue: the largest nominal of its variables, None if none is given."""
        given: list[Expr] = []
        for leaf in leaves(residue):
            variable = self.variables.get(leaf.data) if leaf.op is Op.REF else None
            if variable is not None and variable.nominal is not None and variable.nominal not in given:
                given.append(variable.nominal)
        if not given:
            return None
        size = x.call("abs", given[0])
        for nominal in given[1:]:
            size = x.call("max", size, x.call("abs", nominal))
        return size

    # ------------------------------------------------------------ clocks

    def _clock(self, node: Expr, span: Span, origin: str) -> Expr:
        found = self.clocks.get(node)
        if found is None:
            start, interval = node.args
            for e in node.args:
                for leaf in leaves(e):
                    variable = self.variables.get(x.leaf_symbol(leaf))
                    if variable is None or variable.variability > Variability.PARAMETER:
                        raise model_error(
                            "E211",
                            "the arguments of `sample` must be parameters",
                            span,
                            hint="compute the next time where intervals vary: `when time >= pre(next) then`",
                            origin=origin,
                        )
            name = Helper.CLOCK.numbered(len(self.clocks) + 1)
            symbol = Symbol(name, Type.BOOLEAN, helper=Helper.CLOCK)
            found = Clock(symbol, start, interval, span, origin, node.data)
            self.clocks[node] = found
        return x.ref(found.symbol)

    # ------------------------------------------------------------ delays

    def _delay(self, node: Expr, span: Span, origin: str) -> Expr:
        """What is delayed makes its events wherever the delayed value stands."""
        found = self._delayed.get(node)
        if found is None:
            args = [self.rewrite(a, span, origin) for a in node.args]
            found, check = add_delay(self, node, args, span, origin)
            if check is not None:
                condition = self.rewrite(check.condition, span, origin, stepping=False)
                self.checks.append(replace(check, condition=condition))
            self._delayed[node] = found
        return found

    def _transport(self, node: Expr, span: Span, origin: str) -> Expr:
        found = self._carried.get(node.args)
        if found is None:
            args = [self.rewrite(a, span, origin) for a in node.args]
            found = self._carried[node.args] = add_transport(self, node, args, span, origin)
        return found[node.data]

    # ------------------------------------------------------------ steps

    def _stepping(self, name: str, args: list[Expr], span: Span, origin: str) -> Expr:
        """floor and its relatives of something that varies, through floors that step at events."""
        if name in ("floor", "integer"):
            return self._floor(args[0], span, origin)
        if name == "ceil":
            return x.neg(self._floor(x.neg(args[0]), span, origin))
        a, b = args
        quotient = x.div(a, b)
        if name == "mod":
            return x.sub(a, x.mul(self._floor(quotient, span, origin), b))
        truncated = self._truncated(quotient, span, origin)
        return truncated if name == "div" else x.sub(a, x.mul(truncated, b))

    def _truncated(self, v: Expr, span: Span, origin: str) -> Expr:
        """The whole part of v, towards zero. At zero itself nothing steps, so nothing is watched there."""
        if self._time_event(v)[0] is None:
            n = self._floor(x.call("abs", v), span, origin, touches_zero=True)
            return x.mul(x.call("sign", v), n)
        # The absolute value of the time would no longer be linear, and its steps not be scheduled.
        positive = self._relation(x.relation(Op.GE, v, x.ZERO), v, x.ZERO, span, origin)
        return x.if_(positive, self._floor(v, span, origin), x.neg(self._floor(x.neg(v), span, origin)))

    def _floor(self, v: Expr, span: Span, origin: str, *, touches_zero: bool = False) -> Expr:
        """The largest whole number n that is not above v.

        Of the two numbers between which v is, n and n + 1, one is even and one is odd, and each has a
        relation. When v passes a number, the relation of this number stays as it is, while that of the other
        one turns to the next number in the same direction. So where v is near a whole number, in its zero
        band, exactly one relation has its zero there, and it is treated as every relation is."""
        found = self._steps.get(v)
        if found is None:
            name = Helper.STEP.numbered(len(self._steps) + 1)
            n = self.helper(Helper.STEP, name, Type.INTEGER, span)
            self._steps[v] = n
            before, now = x.pre(n), x.call("integer", v)
            # Written so that a number is the same to the last bit whether v was below or above it.
            even = x.mul(const(2), x.call("integer", x.div(x.add(before, const(1)), const(2))))
            odd = x.add(x.mul(const(2), x.call("integer", x.div(before, const(2)))), const(1))
            if touches_zero:
                # But never goes below: the steps of the integrator need not be divided in search of that.
                even = x.if_(x.relation(Op.EQ, before, const(0)), const(-2), even)
            text = f"{show(v)} >= {NEXT_WHOLE}"
            reached = [self._watch(Op.GE, v, edge, text, span, origin) for edge in (even, odd)]
            # At the event itself v may still be a rounding error short of the number: the relation says that
            # it has been passed, so at least one step is taken.
            up = x.call("max", now, x.add(before, const(1)))
            down = x.call("min", now, x.sub(before, const(1)))
            step = x.if_(x.and_(*reached), up, x.if_(x.or_(*reached), before, down))
            self.equations.append(Equation(n, x.if_(x.INITIAL, now, step), span, origin))
            found = n
        return found
