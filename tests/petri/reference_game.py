"""The token game once more, by itself and on one page: what the engine is compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import inf

Marking = dict[str, int]


@dataclass
class Rule:
    """A transition. `holds` is its condition, asked with the time and the marking before the round; with
    `edge` it counts when it becomes true."""

    name: str
    takes: Marking
    gives: Marking
    unless: Marking = field(default_factory=dict)
    holds: Callable[[float, Marking], bool] = lambda time, marking: True
    edge: bool = False
    delay: float | None = None
    priority: int = 1


def play(
    marking: Marking, capacity: dict[str, float], rules: list[Rule], stops: list[float], end: float
) -> Iterator[tuple[float, Marking, tuple[str, ...]]]:
    """Time, marking and what has fired, after every round in which something fires. Raises `OverflowError`
    where an instant does not end. `stops` are the times at which conditions may change."""
    time, due = 0.0, {r.name: inf for r in rules}
    able = dict.fromkeys(due, False)
    held = {r.name: r.holds(0.0, marking) for r in rules}
    fired: tuple[str, ...] = ()
    while time <= end:
        for _ in range(60):
            was = dict(able), dict(due), dict(held), fired
            left, filled, firing = dict(marking), dict(marking), list[Rule]()
            for r in sorted(rules, key=lambda r: r.priority):
                need = {p: max(0, n - r.takes.get(p, 0)) for p, n in r.gives.items()}
                holds = r.holds(time, marking)
                counts = holds and not (r.edge and held[r.name])
                quiet = all(marking[p] < n for p, n in r.unless.items())
                free = quiet and all(left[p] >= n for p, n in r.takes.items())
                free = free and all(filled[p] + n <= capacity[p] for p, n in need.items())
                can = counts and quiet and all(marking[p] >= n for p, n in r.takes.items())
                can = can and all(marking[p] + n <= capacity[p] for p, n in need.items())
                begins = can and (not able[r.name] or r.name in fired)
                ready = can if r.delay is None else can and not begins and time >= due[r.name]
                if ready and free:
                    firing.append(r)
                    left |= {p: left[p] - n for p, n in r.takes.items()}
                    filled |= {p: filled[p] + n for p, n in need.items()}
                if r.delay is not None and begins:
                    due[r.name] = time + r.delay
                elif not can:
                    due[r.name] = inf
                able[r.name], held[r.name] = can, holds
            marking = dict(marking)
            for r in firing:
                for sign, arcs in ((-1, r.takes), (1, r.gives)):
                    marking |= {p: marking[p] + sign * n for p, n in arcs.items()}
            fired = tuple(r.name for r in firing)
            if fired:
                yield time, marking, fired
            if not fired and (able, due, held, fired) == was:
                break
        else:
            raise OverflowError(f"time {time} does not end")
        time = min((t for t in (*due.values(), *stops) if t > time), default=inf)
