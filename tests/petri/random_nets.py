"""Random nets: as text, and as rules for the game of the tests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import inf

from hypothesis import strategies as st
from reference_game import Marking, Rule, play

#: How long nets are run.
END = 6.0
_PLACES = "abcde"


@dataclass(frozen=True, repr=False)
class RandomNet:
    text: str
    marking: Marking
    capacity: dict[str, float]
    rules: list[Rule]
    stops: list[float]
    conditions: dict[str, str]  # of transitions, in words

    def __repr__(self) -> str:
        return self.text

    def played(self) -> list[tuple[float, Marking, tuple[str, ...]]]:
        return list(play(self.marking, self.capacity, self.rules, self.stops, END))

    def ends(self) -> bool:
        """Whether every instant has an end."""
        try:
            self.played()
        except OverflowError:
            return False
        return True


@cache  # hypothesis checks each strategy that is made, which takes longer than to draw from it
def _some(places: str, most: int) -> st.SearchStrategy[list[str]]:
    """Places in their order: that of a set of texts differs from process to process."""
    return st.sets(st.sampled_from(places), max_size=most).map(sorted)


@st.composite
def nets(draw: st.DrawFn, name: str = "N") -> RandomNet:
    """Places with and without capacities; transitions with weights, inhibitors, conditions of time and of
    places, levels and edges, delays, priorities."""
    places = _PLACES[: draw(st.integers(1, 5))]
    marking, capacity, lines, rules, stops = {}, {}, [f"net {name}"], [], []
    conditions: dict[str, str] = {}
    for p in places:
        capacity[p] = draw(st.sampled_from([inf, inf, 1, 2, 3]))
        marking[p] = draw(st.integers(0, int(min(capacity[p], 4))))
        limit = f", capacity = {capacity[p]}" if capacity[p] < inf else ""
        lines.append(f"place {p}(tokens = {marking[p]}{limit})")
    for k in range(draw(st.integers(1, 5))):
        most = {p: int(min(3, capacity[p])) for p in places}
        takes, gives, unless = (
            {p: draw(st.integers(1, most[p])) for p in draw(_some(places, size))}
            for size in (2, 2, 1 if draw(st.booleans()) else 0)
        )
        if not takes and not gives:
            takes = {places[0]: 1}
        rule = Rule(f"t{k}", takes, gives, unless, priority=draw(st.integers(1, 2)))
        condition = draw(st.sampled_from(["", "", "time", "place"]))
        if not takes and not condition:
            condition = "time"
        words = ""
        rule.edge = condition != "" and draw(st.booleans())
        if condition == "time":
            at = float(draw(st.integers(0, 5)))
            stops.append(at)
            rule.holds = lambda time, marking, at=at: time >= at  # type: ignore[misc]
            words = f"time >= {at}"
        elif condition == "place":
            p, n = draw(st.sampled_from(places)), draw(st.integers(1, 2))
            rule.holds = lambda time, marking, p=p, n=n: marking[p] >= n  # type: ignore[misc]
            words = f"{p} >= {n}"
        if not rule.edge and (not takes or draw(st.booleans())):
            rule.delay = float(draw(st.integers(0 if takes else 1, 3)))
        rules.append(rule)
        conditions[rule.name] = words
        lines.append(_text(rule, words))
        lines.insert(1, f"memory Integer m{k} = 0")
    lines.append(f"end {name}")
    return RandomNet("\n".join(lines), marking, capacity, rules, stops, conditions)


def _text(rule: Rule, condition: str) -> str:
    given = [f"priority = {rule.priority}"] if rule.priority != 1 else []
    given += [f"delay = {rule.delay}"] if rule.delay is not None else []
    head = f"transition {rule.name}" + (f"({', '.join(given)})" if given else "")
    unless = f" unless {_arcs(rule.unless)}" if rule.unless else ""
    when = f" {'at' if rule.edge else 'when'} {condition}" if condition else ""
    count = rule.name.replace("t", "m")
    return f"{head}: {_arcs(rule.takes)} -> {_arcs(rule.gives)}{unless}{when} then {count} = {count} + 1"


def _arcs(arcs: Marking) -> str:
    return " + ".join(p if n == 1 else f"{n}*{p}" for p, n in arcs.items())
