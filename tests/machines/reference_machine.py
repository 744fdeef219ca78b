"""State machines once more, by themselves and on one page: what the engine is compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import inf


@dataclass
class Node:
    """A state; `initial` is the number of the one in it that is entered first. Numbers are added to a counter
    when it is entered and left, unless others that happen later in the round add theirs."""

    name: str
    inside: list[Node] = field(default_factory=list)
    parallel: bool = False
    initial: int = 0
    history: bool = False
    entry: int = 0
    exit: int = 0

    def all(self) -> list[Node]:
        return [self, *(n for inner in self.inside for n in inner.all())]


@dataclass
class Step:
    name: str
    source: str
    target: str
    holds: Callable[[float, set[str]], bool] = lambda time, active: True
    edge: bool = False
    after: float | None = None
    priority: int = 1
    adds: int = 0


def play(
    root: Node, steps: list[Step], stops: list[float], end: float, seen: Counter[str] | None = None
) -> Iterator[tuple[float, set[str], int, tuple[str, ...]]]:
    """Time, what is active, the counter and what was taken, after every round in which something happens.
    `seen` counts how often each state is entered."""
    way: dict[str, list[Node]] = {root.name: [root]}
    for node in root.all():
        way |= {inner.name: [*way[node.name], inner] for inner in node.inside}

    def domain(s: Step) -> int:
        a, b = way[s.source][:-1], way[s.target][:-1]
        return sum(x is y for x, y in zip(a, b, strict=False))  # so many states around both are kept

    def default(node: Node) -> list[Node]:
        chosen = node.inside if node.parallel else node.inside[last[node.name] :][:1]
        return [node, *(n for inner in chosen for n in default(inner))]

    def down(path: list[Node]) -> list[Node]:
        first, *rest = path
        if not rest:
            return default(first)
        others = [n for n in first.inside if first.parallel and n is not rest[0]]
        return [first, *down(rest), *(n for other in others for n in default(other))]

    last = {n.name: n.initial for n in root.all()}
    time, counter = 0.0, 0
    active = {n.name for n in default(root)}
    since, held = dict.fromkeys(way, 0.0), {s.name: s.holds(0.0, active) for s in steps}
    started = False
    while time <= end:
        for _ in range(60):
            left, entered, taken = list[Node](), list[Node](), list[Step]()
            if not started:
                entered, started = default(root)[1:], True
                holding = dict(held)
            else:
                holding = {s.name: s.holds(time, active) for s in steps}
                for s in sorted(steps, key=lambda s: (domain(s), len(way[s.source]), s.priority)):
                    ready = s.source in active and holding[s.name] and not (s.edge and held[s.name])
                    ready = ready and (s.after is None or time >= since[s.source] + s.after)
                    gone = way[s.source][domain(s)].all()
                    if ready and not any(n in gone or g in n.all() for n in left for g in gone[:1]):
                        taken.append(s)
                        left += gone
                        entered += down(way[s.target][domain(s) :])
            order = {n.name: k for k, n in enumerate(root.all())}
            exits = [(len(way[n.name]), order[n.name], n.exit) for n in left if n.name in active and n.exit]
            entries = [(-len(way[n.name]), order[n.name], n.entry) for n in entered if n.entry]
            adding = [s.adds for s in taken if s.adds]
            counter += min(entries)[2] if entries else adding[0] if adding else min(exits)[2] if exits else 0
            active = (active - {n.name for n in left}) | {n.name for n in entered}
            since |= {n.name: time for n in entered}
            if seen is not None:
                seen.update({n.name for n in entered})
            for n in root.all():
                if n.history and n.name in active:
                    last[n.name] = next(k for k, i in enumerate(n.inside) if i.name in active)
            quiet, held = not taken and not entered and holding == held, holding
            if taken:
                yield time, set(active), counter, tuple(s.name for s in taken)
            if quiet:
                break
        else:
            raise OverflowError(f"time {time} does not end")
        due = [since[s.source] + s.after for s in steps if s.after is not None]
        time = min((t for t in (*due, *stops) if t > time), default=inf)
