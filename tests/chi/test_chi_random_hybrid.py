"""Random processes with a continuous variable that runs straight on, against an interpreter.

u' = r with a discrete r: between assignments u is a line, so that the times of all state events are fractions
of differences. State events that hold already succeed at once; equality is crossed from either side.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import saltus

STOP = 20.0
Statement = tuple[Any, ...]


def program(random: Random, depth: int = 0) -> list[Statement]:
    """Statements of one level; waits beside each other have a time-out."""
    found: list[Statement] = []
    for _ in range(random.randint(2, 5)):
        level = round(random.uniform(-3, 3), 5)
        found.append(
            random.choice(
                [
                    ("slope", round(random.choice([-1, 1]) * random.uniform(0.2, 2), 5)),
                    ("jump", round(random.uniform(-3, 3), 5)),
                    ("delta", round(random.uniform(0.05, 1), 5)),
                    ("read",),
                    (random.choice(["above", "below", "equal"]), level),
                ]
            )
        )
        if depth == 0 and random.random() < 0.5:
            late = round(random.uniform(0.3, 2), 5)
            kind = random.choice(["above", "below", "equal"])
            other = round(random.uniform(-3, 3), 5)
            found.append(("first", (kind, other), late, program(random, 1), program(random, 1)))
    return found


def text(statements: list[Statement]) -> str:
    """The statements in chi."""
    signs = {"above": ">", "below": "<", "equal": "="}
    found = []
    for statement in statements:
        match statement:
            case ("slope", value):
                found.append(f"r := {value}")
            case ("jump", value):
                found.append(f"u ::= {value}")
            case ("delta", value):
                found.append(f"delta {value}")
            case ("read",):
                found.append("seen := 2u + y")
            case ("first", (kind, level), late, inner, other):
                event = f"nabla u {signs[kind]} {level}"
                found.append(f"[ {event} -> n := n + 1; {text(inner)} [] delta {late} -> {text(other)} ]")
            case (kind, level):
                found.append(f"nabla u {signs[kind]} {level}; n := n + 1")
    return "\n  ; ".join(found)


class Interpreter:
    """Where u is, and what was read of it."""

    def __init__(self) -> None:
        self.t, self.u, self.r, self.n, self.seen = 0.0, 0.0, 0.0, 0, 0.0
        self.rows: list[tuple[float, float, float, int, float]] = [(0.0, 0.0, 0.0, 0, 0.0)]

    def wait(self, kind: str, level: float) -> float:
        """How long it takes until a relation holds."""
        gap = level - self.u
        if gap == 0 and kind == "equal":
            return 0.0
        if (kind == "above" and gap < 0) or (kind == "below" and gap > 0):
            return 0.0
        return gap / self.r if self.r and gap / self.r >= 0 else np.inf

    def pass_time(self, time: float) -> bool:
        """Whether the run goes on so long."""
        if self.t + time > STOP:
            return False
        self.u += self.r * time
        self.t += time
        return True

    def run(self, statements: list[Statement]) -> bool:
        """Whether the run has not ended."""
        for statement in statements:
            match statement:
                case ("slope", value):
                    self.r = value
                case ("jump", value):
                    self.u = value
                case ("delta", value):
                    if not self.pass_time(value):
                        return False
                case ("read",):
                    self.seen = 2 * self.u + 3 * self.u + self.r
                case ("first", event, late, inner, other):
                    early = self.wait(*event)
                    if not self.pass_time(min(early, late)):
                        return False
                    self.settle(event, early <= late)
                    if not self.run(inner if early <= late else other):
                        return False
                case event:
                    if not self.pass_time(self.wait(*event)):
                        return False
                    self.settle(event, True)
            self.note()
        return True

    def settle(self, event: Statement, happened: bool) -> None:
        """Behind an equality u is exactly there."""
        if happened:
            self.n += 1
            if event[0] == "equal":
                self.u = event[1]
        self.note()

    def note(self) -> None:
        """What is known now."""
        self.rows.append((self.t, self.u, self.r, self.n, self.seen))

    def at(self, time: float) -> tuple[float, int, float]:
        """u, n and what was seen."""
        t, u, r, n, seen = [row for row in self.rows if row[0] <= time][-1]
        return u + r * (time - t), n, seen


def compared(seed: int) -> None:
    random = Random(f"hybrid {seed}")
    statements = program(random)
    # y is algebraic, so that what is read needs the equations solved with the last assignments.
    source = f"""proc P() =
 |[ u, y : [m], r, seen : real, n : int
  ; u ::= 0
  | u' = r, y = 3u + r
  | *[ delta 0.011
  ; {text(statements)} ]
  ]|
"""
    whole = Interpreter()
    while whole.run([("delta", 0.011), *statements]):
        pass
    result = saltus.load(source).simulate(stop_time=STOP, tolerance=1e-10)
    times = [
        t for t in np.linspace(0.0137, STOP - 0.01, 60) if min(abs(t - row[0]) for row in whole.rows) > 1e-5
    ]
    at = np.searchsorted(result.time, times, side="right") - 1
    expected = [whole.at(t) for t in times]
    told = f"{seed}\n{source}"
    np.testing.assert_array_equal(np.asarray(result["n"])[at], [n for _, n, _ in expected], err_msg=told)
    np.testing.assert_allclose(
        np.asarray(result["seen"])[at], [s for _, _, s in expected], atol=1e-6, err_msg=told
    )
    found = np.interp(times, result.time, result["u"])
    np.testing.assert_allclose(found, [u for u, _, _ in expected], atol=1e-6, err_msg=told)


@pytest.mark.parametrize("share", range(3))
def test_random_processes_see_their_events(share: int) -> None:
    for seed in range(10 * share, 10 * (share + 1)):
        compared(seed)
