"""When each sub-partition ticks, as an exact rational multiple of its base clock (sections 16.5.2 and 16.7.5
of the specification).

A sub-partition ticks at O + k P. Conversions relate these numbers linearly,

    subSample(u, f)       P' = f P      O' = O
    superSample(u, f)     P' = P/f      O' = O
    shiftSample(u, k, r)  P' = P        O' = O + k P/r
    backSample(u, k, r)   P' = P        O' = O - k P/r

so sub-partitions that are related by known factors make a group, whose members have P = p P0 and
O = O0 + o P0. Clocks that are written somewhere give P0 and O0. Factors that are not given follow then, and
have to be whole numbers.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from fractions import Fraction

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.source import Span
from saltus.expr.nodes import Expr, Type
from saltus.ir.flat import BaseClock, Rate
from saltus.lower.clocks.constants import Constants
from saltus.lower.clocks.partitioning import Conversion, Graph, Timing, told

#: The longest rational numbers that are accepted: those that 64 bits hold.
_LARGEST = 2**63


@dataclass(frozen=True, eq=False)
class Based:
    """A base partition with the rates of its sub-partitions, by their representatives. `first` is the clock
    that it ticks by; None for the default."""

    kind: BaseClock
    first: Timing | None
    rates: dict[int, Rate]


class Inference:
    """The rates of all base partitions of a graph."""

    def __init__(self, graph: Graph, constants: Constants) -> None:
        self._graph, self._constants, self._text = graph, constants, graph.rows.text
        find = graph.based.find
        self._subs: dict[int, dict[int, None]] = {}
        self._conversions: dict[int, list[Conversion]] = {}
        self._timings: dict[int, list[Timing]] = {}
        for node in (*graph.of_row, *graph.of_variable.values()):
            self._subs.setdefault(find(node), {})[graph.together.find(node)] = None
        for conversion in graph.conversions:
            self._conversions.setdefault(find(conversion.to), []).append(conversion)
            for node in (conversion.of, conversion.to):
                self._subs.setdefault(find(node), {})[graph.together.find(node)] = None
        for timing in graph.timings:
            self._timings.setdefault(find(timing.node), []).append(timing)

    def of(self, base: int) -> Based:
        """The rates of a base partition."""
        timings = [(t, *self._kind(t)) for t in self._timings.get(base, ())]
        timings = [t for t in timings if t[1] is not None]
        kinds = {kind for _, kind, _ in timings if kind is not None}
        if kinds - {BaseClock.RATIONAL} and len(timings) > 1:
            raise self._several([t for t, _, _ in timings])
        groups = self._groups(base)
        kind = next(iter(kinds), BaseClock.DEFAULT)
        rates = self._absolute(groups, timings, kind)
        self._check_inferred(base, rates)
        for conversion in self._conversions.get(base, ()):
            for node in (conversion.of, conversion.to):
                self._check(kind, rates[self._graph.together.find(node)], conversion)
        return Based(kind, timings[0][0] if timings else None, rates)

    # ------------------------------------------------------------ what is written

    def _kind(self, timing: Timing) -> tuple[BaseClock | None, Fraction]:
        """The kind of a clock and, of a rational one, its interval. None where the interval is inferred."""
        first, constants = timing.clock.args[0], self._constants
        known = self._graph.rows.is_known(first)
        if first.type is Type.BOOLEAN:
            return BaseClock.EVENT, Fraction(1)
        if not known:
            return BaseClock.VARYING, Fraction(1)
        if first.type is Type.REAL:
            return BaseClock.REAL, Fraction(1)
        counter = int(constants.value(first, timing.span, "`intervalCounter`"))
        resolution = 1
        if len(timing.clock.args) > 1:
            resolution = int(constants.value(timing.clock.args[1], timing.span, "`resolution`"))
        if counter < 0 or resolution < 1:
            what = f"`{self._text(timing.clock)}`: {counter}/{resolution} is no interval"
            raise model_error("E212", what, timing.span)
        return (None if counter == 0 else BaseClock.RATIONAL), Fraction(counter, resolution)

    def _factor(self, conversion: Conversion) -> int:
        """The factor of a subSample or superSample; 0 where it is inferred."""
        args = conversion.operator.args
        return self._whole(args[1], conversion.span, "factor", 0) if len(args) > 1 else 0

    def _whole(self, e: Expr, span: Span, what: str, least: int) -> int:
        number = int(self._constants.value(e, span, f"`{what}`"))
        if number < least:
            raise model_error("E212", f"`{what}` must be at least {least}, not {number}", span)
        return number

    def _shift(self, conversion: Conversion) -> Fraction:
        """By which part of an interval a shiftSample or backSample shifts; forward is positive."""
        name, args = conversion.operator.data, conversion.operator.args
        word = "shiftCounter" if name == "shiftSample" else "backCounter"
        counter = self._whole(args[1], conversion.span, word, 0)
        resolution = self._whole(args[2], conversion.span, "resolution", 1) if len(args) > 2 else 1
        return Fraction(counter if name == "shiftSample" else -counter, resolution)

    # ------------------------------------------------------------ groups of related rates

    def _groups(self, base: int) -> list[dict[int, Rate]]:
        """Sub-partitions that are related by known factors, with rates relative to the first of them."""
        find = self._graph.together.find
        ways: dict[int, list[tuple[int, Conversion, bool]]] = {}
        for conversion in self._conversions.get(base, ()):
            name = conversion.operator.data
            if name == "noClock" or (name in ("subSample", "superSample") and not self._factor(conversion)):
                continue
            of, to = find(conversion.of), find(conversion.to)
            ways.setdefault(of, []).append((to, conversion, True))
            ways.setdefault(to, []).append((of, conversion, False))
        found: list[dict[int, Rate]] = []
        seen: set[int] = set()
        for first in self._subs[base]:
            if first in seen:
                continue
            group = {first: Rate(Fraction(1), Fraction(0))}
            pending = deque([first])
            while pending:
                node = pending.popleft()
                for other, conversion, forward in ways.get(node, ()):
                    rate = self._converted(group[node], conversion, forward)
                    if other not in group:
                        group[other] = rate
                        pending.append(other)
                    elif group[other] != rate:
                        raise self._disagree(conversion)
            seen |= group.keys()
            found.append(group)
        return found

    def _converted(self, rate: Rate, conversion: Conversion, forward: bool) -> Rate:
        """The rate of the result of a conversion from that of its argument, or the other way round."""
        name = conversion.operator.data
        if name in ("shiftSample", "backSample"):
            shift = self._shift(conversion) * rate.factor
            return Rate(rate.factor, rate.shift + (shift if forward else -shift))
        slower = (name == "subSample") is forward
        factor = Fraction(self._factor(conversion))
        return Rate(rate.factor * factor if slower else rate.factor / factor, rate.shift)

    def _absolute(
        self,
        groups: list[dict[int, Rate]],
        timings: list[tuple[Timing, BaseClock | None, Fraction]],
        kind: BaseClock,
    ) -> dict[int, Rate]:
        """Rates in units of the base clock."""
        find = self._graph.together.find
        rates: dict[int, Rate] = {}
        loose: list[dict[int, Rate]] = []
        for group in groups:
            own = [(t, interval) for t, _, interval in timings if find(t.node) in group]
            if own:
                first, interval = own[0]
                rates |= _scaled(group, group[find(first.node)], interval)
                for other, another in own[1:]:
                    if rates[find(other.node)] != Rate(another, Fraction(0)):
                        raise self._two_clocks(first, other)
            elif kind is BaseClock.DEFAULT and not rates and len(groups) == 1:
                rates |= _scaled(group, min(group.values(), key=lambda r: r.factor), Fraction(1))
            else:
                loose.append(group)
        for group in loose:
            node = next(iter(group))
            raise self._not_inferred(node)
        return rates

    # ------------------------------------------------------------ checks

    def _check_inferred(self, base: int, rates: dict[int, Rate]) -> None:
        """Factors that are not given are whole numbers."""
        find = self._graph.together.find
        for conversion in self._conversions.get(base, ()):
            name = conversion.operator.data
            if name not in ("subSample", "superSample") or self._factor(conversion):
                continue
            of, to = rates[find(conversion.of)], rates[find(conversion.to)]
            factor = to.factor / of.factor if name == "subSample" else of.factor / to.factor
            if factor.denominator != 1 or of.shift != to.shift:
                raise model_error(
                    "E310",
                    f"no factor of `{self._text(conversion.operator)}` fits the clocks that it relates",
                    conversion.span,
                    notes=(Note(f"its argument ticks {_in_words(of)}, the result {_in_words(to)}"),),
                    hint="change one of the clocks, or leave one of them to be inferred: `Clock()`",
                )

    def _check(self, kind: BaseClock, rate: Rate, conversion: Conversion) -> None:
        text = self._text(conversion.operator)
        if rate.shift < 0:
            raise model_error(
                "E310",
                f"`{text}` would tick before its base clock, first {-rate.shift} before it",
                conversion.span,
                hint="shift back by no more than was shifted",
            )
        whole = rate.factor.denominator == 1 and rate.shift.denominator == 1
        if kind in (BaseClock.EVENT, BaseClock.VARYING) and not whole:
            why = "an event clock" if kind is BaseClock.EVENT else "a clock whose interval varies"
            raise model_error(
                "E310",
                f"`{text}` asks for ticks between those of {why}",
                conversion.span,
                hint="the time of its next tick is not known: use subSample, or shiftSample by whole ticks",
            )
        numbers = (rate.factor.numerator, rate.factor.denominator, rate.shift.denominator)
        if max(numbers) > _LARGEST:
            raise model_error("E310", f"`{text}` needs fractions beyond 2^63", conversion.span)

    def _several(self, timings: list[Timing]) -> ModelError:
        return self._two_clocks(timings[0], timings[1])

    def _two_clocks(self, first: Timing, second: Timing) -> ModelError:
        graph = self._graph
        way = graph.way([first.node], {second.node})
        names = graph.names(way)
        subject = f"`{names[0]}` has" if names else "these equations have"
        return model_error(
            "E310",
            f"{subject} two different clocks: `{self._text(first.clock)}` and `{self._text(second.clock)}`",
            second.span,
            notes=(
                Note(f"`{self._text(first.clock)}` is used here", first.span),
                *told(graph, way),
            ),
            hint="leave one of them to be inferred, `Clock()`, or convert: "
            "subSample, superSample, shiftSample, or sample(hold(...))",
        )

    def _disagree(self, conversion: Conversion) -> ModelError:
        return model_error(
            "E310",
            f"`{self._text(conversion.operator)}` contradicts the other conversions between the same clocks",
            conversion.span,
            notes=told(
                self._graph,
                self._graph.way([conversion.of], {conversion.to}),
            ),
            hint="all paths between two clocks must give the same factor and the same shift",
        )

    def _not_inferred(self, sub: int) -> ModelError:
        graph, find = self._graph, self._graph.together.find
        rows = zip(graph.rows.rows, graph.of_row, strict=True)
        row = next((r for r, node in rows if find(node) == sub), None)
        name = next((s.name for s, node in graph.of_variable.items() if find(node) == sub), "these equations")
        return model_error(
            "E310",
            f"no clock can be inferred for `{name}`",
            row.span if row is not None else None,
            hint="give the missing factor, or a clock: `sample(u, Clock(...))`, `when Clock(...) then`",
        )


def _scaled(group: dict[int, Rate], known: Rate, interval: Fraction) -> dict[int, Rate]:
    """The rates of a group, one of whose members ticks at 0 and then in this interval."""
    unit = interval / known.factor
    return {k: Rate(r.factor * unit, (r.shift - known.shift) * unit) for k, r in group.items()}


def _in_words(rate: Rate) -> str:
    first = f", first at {rate.shift}" if rate.shift else ""
    return f"every {rate.factor}{first}"
