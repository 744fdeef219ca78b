"""Which solver method a sub-partition has: the one of its clock, or one inferred from those that it is
connected with by conversions (sections 16.8.2 and 16.8.3 of the specification)."""

from __future__ import annotations

from collections.abc import Collection

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.lower.clocks.constants import Constants
from saltus.lower.clocks.partitioning import Graph
from saltus.lower.clocks.solvers import METHODS


class Methods:
    """The methods of all sub-partitions, by their representatives."""

    def __init__(self, graph: Graph, constants: Constants) -> None:
        find = graph.together.find
        self._given: dict[int, tuple[str, Span]] = {}
        for m in graph.methods:
            name = str(constants.value(m.name, m.span, "`solverMethod`"))
            if not name:
                continue
            if name not in METHODS:
                raise model_error(
                    "E204",
                    f'the solver method "{name}" of a clock',
                    m.span,
                    hint=f"there are {', '.join(METHODS)}",
                )
            known = self._given.setdefault(find(m.node), (name, m.span))
            if known[0] != name:
                raise _two_methods(name, m.span, *known)
        self._ways: dict[int, set[int]] = {}
        for conversion in graph.conversions:
            a, b = find(conversion.of), find(conversion.to)
            self._ways.setdefault(a, set()).add(b)
            self._ways.setdefault(b, set()).add(a)

    def of(self, sub: int, continuous: Collection[int], span: Span) -> str:
        """The method of a sub-partition; '' where it has none, and is not among the `continuous` ones."""
        if sub in self._given:
            return self._given[sub][0]
        found: dict[str, Span] = {}
        merged, pending = {sub}, [sub]
        while pending:
            for other in self._ways.get(pending.pop(), ()):
                if other in self._given:
                    found.setdefault(*self._given[other])
                elif other not in merged:
                    merged.add(other)
                    pending.append(other)
        if sub not in continuous:
            return next(iter(found), "")
        if not found:
            raise model_error(
                "E310",
                "continuous equations have a clock without a solver method",
                span,
                hint='give the clock one: `Clock(c, solverMethod = "ImplicitEuler")`',
            )
        if len(found) > 1:
            (a, first), (b, second) = list(found.items())[:2]
            raise _two_methods(b, second, a, first)
        return next(iter(found))


def _two_methods(name: str, span: Span, other: str, place: Span) -> Exception:
    return model_error(
        "E310",
        f'two solver methods for one clock partition: "{other}" and "{name}"',
        span,
        notes=(Note(f'"{other}" is given here', place),),
    )
