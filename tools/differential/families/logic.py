"""Timers, ramps with hysteresis, flip-flops, counters and gates, wired at random; all of it exact.

Times are multiples of 1/64, so that many events are at one instant. Booleans, Integers and ramps are
compared.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from tools.differential.case import POINTS, Case, Truth
from tools.differential.draw import Draw
from tools.differential.solvers.discrete_events import (
    Alarm,
    Clock,
    Course,
    Definition,
    Equation,
    Expression,
    Logic,
    Ramp,
    Simulator,
    Threshold,
    Value,
    Values,
    When,
)

#: Output points lie between the multiples of 1/64 at which something is due.
STOP = Fraction(403, 100)


class _Wiring:
    """Definitions as they are drawn. A Boolean asks for earlier ones, or for any by `pre`."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.definitions: list[Definition] = []
        self.lines: list[str] = []
        self.declared: list[str] = []
        self.starts: dict[str, Value] = {}
        self.compared: list[str] = []
        self.booleans: list[str] = []
        self.integers: list[str] = []
        self.count = draw.whole(3, 9)
        self.ramps = [f"x{k}" for k in range(1, draw.whole(1, 3) + 1)]
        self._relations = 0
        self._conditions = 0

    # ---------------------------------------------------------------- expressions

    def threshold(self, ramp: str) -> Expression:
        level = Fraction(self.draw.whole(-900, 900), 500) + Fraction(1, 1000)
        return self._relation(ramp, level)

    def _relation(self, ramp: str, level: Fraction) -> Expression:
        self._relations += 1
        name, strict = f"relation{self._relations}", self.draw.yes()
        self.definitions.append(Threshold(name, ramp, level, strict))
        negative = self.draw.yes(0.3)
        sign = ("<=" if strict else "<") if negative else (">" if strict else ">=")
        return Expression(f"({ramp} {sign} {float(level)!r})", _truth(name, negative))

    def alarm(self) -> Expression:
        due = Fraction(self.draw.whole(4, 250), 64)
        self._relations += 1
        name = f"relation{self._relations}"
        self.definitions.append(Alarm(name, Expression("", lambda now, pre: due)))
        negative = self.draw.yes(0.4)
        return Expression(f"(time {'<' if negative else '>='} {float(due)!r})", _truth(name, negative))

    def clock(self) -> Expression:
        start, interval = Fraction(self.draw.whole(1, 64), 64), Fraction(self.draw.whole(4, 64), 64)
        self._relations += 1
        name = f"relation{self._relations}"
        self.definitions.append(Clock(name, start, interval))
        return Expression(f"sample({float(start)!r}, {float(interval)!r})", _truth(name, False))

    def boolean(self, depth: int = 0) -> Expression:
        """Something that is true or false."""
        kind = self.draw.whole(0, 7)
        if kind <= 1 and self.booleans:
            return _now(self.draw.one_of(self.booleans))
        if kind == 2:
            return _before(f"b{self.draw.whole(1, self.count)}")
        if kind == 3 and self.integers:
            return self._of_integer(self.draw.one_of(self.integers))
        if kind >= 6 and depth < 2:
            return self._gate(self.boolean(depth + 1), self.boolean(depth + 1))
        return self.alarm() if self.draw.yes(0.3) else self.threshold(self.draw.one_of(self.ramps))

    def _of_integer(self, name: str) -> Expression:
        if self.draw.yes():
            limit = self.draw.whole(0, 4)
            return Expression(f"({name} > {limit})", lambda now, pre: now[name] > limit)
        return Expression(f"(mod({name}, 2) == 0)", lambda now, pre: int(now[name]) % 2 == 0)

    def _gate(self, a: Expression, b: Expression) -> Expression:
        kind = self.draw.one_of(["and", "or", "xor", "and not"])
        functions: dict[str, Callable[[bool, bool], bool]] = {
            "and": lambda p, q: p and q, "or": lambda p, q: p or q, "xor": lambda p, q: p != q,
            "and not": lambda p, q: p and not q,
        }  # fmt: skip
        text = {"xor": f"({a.text} <> {b.text})"}.get(kind, f"({a.text} {kind} {b.text})")
        function = functions[kind]
        return Expression(text, lambda now, pre: function(bool(a.value(now, pre)), bool(b.value(now, pre))))

    # ---------------------------------------------------------------- definitions

    def equation(self, name: str, expression: Expression) -> None:
        self.definitions.append(Equation(name, expression))
        self.lines.append(f"  {name} = {expression.text};")

    def when(self, assignments: list[tuple[str, Expression]], jumps: list[tuple[str, Expression]]) -> None:
        conditions = []
        for _ in range(1 if self.draw.yes(0.7) else 2):
            self._conditions += 1
            conditions.append(Equation(f"condition{self._conditions}", self._condition()))
        names = [c.expression.text for c in conditions]
        body = [f"    {n} = {e.text};" for n, e in assignments] + [
            f"    reinit({n}, {e.text});" for n, e in jumps
        ]
        text = names[0] if len(names) == 1 else f"{{{', '.join(names)}}}"
        self.lines.append("\n".join([f"  when {text} then", *body, "  end when;"]))
        made = tuple(Equation(n, e) for n, e in assignments)
        self.definitions.append(When(tuple(conditions), made, tuple(Equation(n, e) for n, e in jumps)))

    def _condition(self) -> Expression:
        kind = self.draw.whole(0, 5)
        if kind == 0:
            return self.clock()
        if kind <= 2 and self.booleans:
            name = self.draw.one_of(self.booleans)
            choice = self.draw.whole(0, 3)
            if choice == 0:
                return Expression(f"edge({name})", lambda now, pre: bool(now[name]) and not pre[name])
            if choice == 1:
                return Expression(f"change({name})", lambda now, pre: now[name] != pre[name])
            if choice == 2:
                return Expression(f"not {name}", lambda now, pre: not now[name])
            return _now(name)
        return self.boolean(1)

    def declare(self, kind: str, name: str, start: Value) -> None:
        text = ("true" if start else "false") if kind == "Boolean" else str(int(start))
        self.declared.append(f"  {kind} {name}(start = {text}, fixed = true);")
        self.starts[name] = start
        self.compared.append(name)

    def draw_boolean(self, k: int) -> None:
        name, kind = f"b{k}", self.draw.whole(0, 6)
        if kind == 0:  # hysteresis
            ramp = self.draw.one_of(self.ramps)
            low = Fraction(self.draw.whole(-800, 400), 500) + Fraction(1, 1000)
            high = low + Fraction(self.draw.whole(100, 500), 500)
            up, down = self._relation(ramp, high), self._relation(ramp, low)
            up, down = _positive(up), _positive(down)
            self.equation(name, Expression(
                f"{up.text} or pre({name}) and {down.text}",
                lambda now, pre: bool(up.value(now, pre)) or (bool(pre[name]) and bool(down.value(now, pre))),
            ))  # fmt: skip
        elif kind == 1:  # latch
            on, off = self.clock() if self.draw.yes(0.2) else self.boolean(1), self.boolean(1)
            self.equation(name, Expression(
                f"{on.text} or pre({name}) and not {off.text}",
                lambda now, pre: bool(on.value(now, pre)) or (bool(pre[name]) and not off.value(now, pre)),
            ))  # fmt: skip
        elif kind == 2:  # flip-flop
            self.when([(name, Expression(f"not pre({name})", lambda now, pre: not pre[name]))], [])
        elif kind == 3:  # takes over
            self.when([(name, self.boolean(1))], [])
        elif kind == 4 and self.booleans:  # timer
            self._timer(name, self.draw.one_of(self.booleans))
        else:
            self.equation(name, self.boolean())
        self.declare("Boolean", name, self.draw.yes(0.3))
        self.booleans.append(name)

    def _timer(self, name: str, source: str) -> None:
        """True as soon as the source has been true for some time."""
        since, length = f"t_{name}", Fraction(self.draw.whole(1, 64), 64)
        self._conditions += 1
        condition = Equation(f"condition{self._conditions}", _now(source))
        self.definitions.append(
            When((condition,), (Equation(since, Expression("time", lambda now, pre: now["time"])),))
        )
        self.lines.append(f"  when {source} then\n    {since} = time;\n  end when;")
        self._relations += 1
        relation = f"relation{self._relations}"
        self.definitions.append(
            Alarm(relation, Expression("", lambda now, pre: Fraction(now[since]) + length))
        )
        self.equation(name, Expression(
            f"{source} and time >= {since} + {float(length)!r}",
            lambda now, pre: bool(now[source]) and bool(now[relation]),
        ))  # fmt: skip
        self.declared.append(f"  discrete Real {since}(start = 0, fixed = true);")
        self.starts[since] = Fraction(0)

    def draw_integer(self, k: int) -> None:
        name, kind = f"n{k}", self.draw.whole(0, 2)
        step, wrap = self.draw.whole(1, 3), self.draw.whole(2, 5)
        if kind == 0:
            expression = Expression(f"pre({name}) + {step}", lambda now, pre: int(pre[name]) + step)
        elif kind == 1:
            expression = Expression(
                f"if pre({name}) >= {wrap} then 0 else pre({name}) + 1",
                lambda now, pre: 0 if int(pre[name]) >= wrap else int(pre[name]) + 1,
            )
        else:
            up = self.boolean(2)
            expression = Expression(
                f"pre({name}) + (if {up.text} then 1 else -1)",
                lambda now, pre: int(pre[name]) + (1 if up.value(now, pre) else -1),
            )
        self.when([(name, expression)], [])
        self.declare("Integer", name, 0)
        self.integers.append(name)

    def draw_ramp(self, name: str) -> Ramp:
        up, down = (Fraction(self.draw.whole(40, 400), 100) for _ in range(2))
        guard = self.draw.one_of(self.booleans)
        first, second = (float(-down), float(up)) if self.draw.yes(0.8) else (float(up), float(-down))
        values = Fraction(first).limit_denominator(1000), Fraction(second).limit_denominator(1000)
        rate = Expression(
            f"if {guard} then {first!r} else {second!r}",
            lambda now, pre: values[0] if now[guard] else values[1],
        )
        if self.draw.yes(0.25):
            place = Fraction(self.draw.whole(-900, 900), 500)
            self.when([], [(name, Expression(repr(float(place)), lambda now, pre: place))])
        self.lines.append(f"  der({name}) = {rate.text};")
        start = Fraction(self.draw.whole(-500, 500), 500)
        self.declared.append(f"  Real {name}(start = {float(start)!r}, fixed = true);")
        self.compared.append(name)
        return Ramp(name, start, rate)


def _truth(name: str, negative: bool) -> Callable[[Values, Values], Value]:
    return lambda now, pre: bool(now[name]) != negative


def _now(name: str) -> Expression:
    return Expression(name, lambda now, pre: now[name])


def _before(name: str) -> Expression:
    return Expression(f"pre({name})", lambda now, pre: pre[name])


def _positive(relation: Expression) -> Expression:
    """A relation that says that a ramp is above its level."""
    if ">" in relation.text:
        return relation
    return Expression(f"not {relation.text}", lambda now, pre: not relation.value(now, pre))


def logic(draw: Draw) -> Case:
    """One network of logic."""
    wiring = _Wiring(draw)
    integers = 0
    for k in range(1, wiring.count + 1):
        wiring.draw_boolean(k)
        if draw.yes(0.4):
            integers += 1
            wiring.draw_integer(integers)
    ramps = tuple(wiring.draw_ramp(name) for name in wiring.ramps)
    lines = draw.shuffled(wiring.lines)
    text = "\n".join(["model Wiring", *wiring.declared, "equation", *lines, "end Wiring;\n"])
    made = Logic(tuple(wiring.definitions), ramps, wiring.starts)

    def truth(certain: bool) -> Truth:
        return _truth_of(made, wiring.compared)

    structure = f"{wiring.count} Booleans, {integers} Integers, {len(ramps)} ramps"
    return Case(structure, text, float(STOP), truth)


def _truth_of(made: Logic, compared: list[str]) -> Truth:
    course = Simulator(made, Fraction(1, 10**5)).run(STOP)
    times = [STOP * k / POINTS for k in range(1, POINTS + 1)]
    if not course.times:
        return Truth(ended=0.0, at_start=True) if course.ended else Truth(unsure=course.why)
    values = {name: np.array([_at(course, name, t) for t in times]) for name in compared}
    doubtful = np.array([_doubtful(course, t) for t in times])
    margins = {name: np.where(doubtful, np.inf, 0.0) for name in compared}
    ended = float(course.until) if course.ended and course.until is not None else None
    until = None if course.until is None or course.ended else float(course.until)
    unsure = "" if until is None else course.why
    return Truth(values, margins, ended, unsure=unsure, until=until, events=len(course.times))


def _at(course: Course, name: str, time: Fraction) -> float:
    k = max(k for k, t in enumerate(course.times) if t <= time)
    moved = Fraction(course.rates[k].get(name, 0)) * (time - course.times[k])
    return float(Fraction(course.values[k][name]) + moved)


def _doubtful(course: Course, time: Fraction) -> bool:
    if course.until is not None and time >= course.until - Fraction(1, 10**4):
        return True
    return any(abs(t - time) < Fraction(1, 10**4) for t in course.times)
