"""Random machines: as text, and as nodes and steps for the play of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from reference_machine import Node, Step, play

#: How long machines are run.
END = 6.0


@dataclass(frozen=True, repr=False)
class RandomMachine:
    text: str
    root: Node
    steps: list[Step]
    stops: list[float]
    conditions: dict[str, str]  # of transitions: a time, or the name of a state, or nothing

    def __repr__(self) -> str:
        return self.text

    def played(self) -> list[tuple[float, set[str], int, tuple[str, ...]]]:
        return list(play(self.root, self.steps, self.stops, END))

    def ends(self) -> bool:
        """Whether every instant has an end."""
        try:
            self.played()
        except OverflowError:
            return False
        return True


@st.composite
def machines(draw: st.DrawFn, flat: bool = False, level: bool = False) -> RandomMachine:
    """States in states, parallel ones, histories; transitions between any two that may have one, or with
    `level` between those that stand beside each other, with waits, conditions of time and of states, levels
    and edges, priorities; a counter to which all of them add."""
    count = iter(range(100))

    def grown(depth: int, inside_parallel: bool) -> Node:
        node = Node(f"S{next(count)}")
        node.entry, node.exit = (draw(st.sampled_from([0, 0, 1, 2, 5])) for _ in range(2))
        kinds = ["simple"] if depth >= 3 or flat else ["simple", "simple", "composite", "parallel"]
        kind = draw(st.sampled_from(kinds))
        if inside_parallel and depth < 3:
            kind = "composite"
        if kind != "simple":
            node.parallel = kind == "parallel"
            node.inside = [grown(depth + 1, node.parallel) for _ in range(draw(st.integers(2, 3)))]
            if not node.parallel:
                node.initial = draw(st.integers(0, len(node.inside) - 1))
                node.history = draw(st.booleans())
        return node

    root = Node("M")
    root.inside = [grown(1, False) for _ in range(draw(st.integers(2, 4)))]
    root.initial = draw(st.integers(0, len(root.inside) - 1))
    names = [n.name for n in root.all()[1:]]
    ways = _ways(root)
    steps: list[Step] = []
    lines: list[str] = []
    stops: list[float] = []
    conditions: dict[str, str] = {}
    for k in range(draw(st.integers(1, 7))):
        source = draw(st.sampled_from(names))
        beside = [n.name for n in ways[source][-2].inside] if level else names
        target = draw(st.sampled_from(beside))
        if _between(ways, source, target).parallel:
            continue
        step = Step(f"t{k}", source, target, priority=draw(st.integers(1, 2)), adds=draw(st.integers(0, 9)))
        condition = draw(st.sampled_from(["time", "state", ""]))
        step.edge = condition != "" and draw(st.booleans())
        words = ""
        if condition == "time":
            at = float(draw(st.integers(0, 5)))
            stops.append(at)
            step.holds = lambda time, active, at=at: time >= at  # type: ignore[misc]
            words = f"time >= {at}"
        elif condition == "state":
            other = draw(st.sampled_from(names))
            step.holds = lambda time, active, other=other: other in active  # type: ignore[misc]
            words = other
        if not step.edge and (not condition or draw(st.booleans())):
            step.after = float(draw(st.integers(1, 3)))
        steps.append(step)
        conditions[step.name] = words
        priority = f"(priority = {step.priority})" if step.priority != 1 else ""
        after = f" after {step.after}" if step.after is not None else ""
        when = f" {'at' if step.edge else 'when'} {words}" if words else ""
        then = f" then n = n + {step.adds}" if step.adds else ""
        lines.append(f"transition {step.name}{priority}: {source} -> {target}{after}{when}{then}")
    text = ["machine M", "memory Integer n = 0", *_text(root), *lines, "end M"]
    return RandomMachine("\n".join(text), root, steps, stops, conditions)


def _ways(root: Node) -> dict[str, list[Node]]:
    found = {root.name: [root]}
    for node in root.all():
        found |= {inner.name: [*found[node.name], inner] for inner in node.inside}
    return found


def _between(ways: dict[str, list[Node]], source: str, target: str) -> Node:
    """The innermost state around both."""
    both = zip(ways[source][:-1], ways[target][:-1], strict=False)
    return [x for x, y in both if x is y][-1]


def _text(node: Node) -> Iterator[Any]:
    if node.inside and not node.parallel:
        yield f"initial {node.inside[node.initial].name}"
    if node.history:
        yield "history"
    if node.entry:
        yield f"entry n = n + {node.entry}"
    if node.exit:
        yield f"exit n = n + {node.exit}"
    for inner in node.inside:
        yield f"{'parallel' if inner.parallel else 'state'} {inner.name}"
        body = list(_text(inner))
        if body:
            yield from body
            yield f"end {inner.name}"
