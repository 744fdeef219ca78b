"""Random processes that compute, wait and communicate, against an interpreter of sixty lines.

Processes share nothing but channels, and whatever they wait for beside a channel is a time-out at a time of
its own. So there is one outcome, in whichever order things are done that happen at one instant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import pytest

import saltus

VARIABLES = ("x", "y", "z")
STOP = 12.0
Statement = tuple[Any, ...]
Body = list[Statement]


# ---------------------------------------------------------------- programs


def expression(random: Random) -> str:
    a, b = random.choice(VARIABLES), random.choice(VARIABLES)
    more = random.randint(1, 30)
    return random.choice([f"mod({a} + {more}, 23)", f"mod({a} - {b}, 19) - 4", f"mod({a}*3 + {b}, 17)"])


def condition(random: Random) -> tuple[str, str]:
    """A condition and its opposite."""
    a, n = random.choice(VARIABLES), random.randint(-3, 12)
    return random.choice([(f"{a} < {n}", f"{a} >= {n}"), (f"{a} <= {n}", f"{a} > {n}")])


def waiting(random: Random, channels: list[tuple[str, str]]) -> Statement:
    kind, channel = random.choice([*channels, ("delta", "")])
    if kind == "send":
        return ("send", channel, expression(random))
    if kind == "receive":
        if random.random() < 0.4:
            late = round(random.uniform(0.1, 2), 6)
            first, second = body(random, channels, 1), body(random, [], 1)
            return ("either", channel, random.choice(VARIABLES), late, first, second)
        return ("receive", channel, random.choice(VARIABLES))
    return ("delta", round(random.uniform(0.1, 1.5), 6))


def body(random: Random, channels: list[tuple[str, str]], depth: int) -> Body:
    found: Body = []
    for _ in range(random.randint(1, 3)):
        what = random.random()
        if what < 0.45 or depth > 2:
            found.append(("set", random.choice(VARIABLES), expression(random)))
        elif what < 0.65:
            found.append(waiting(random, channels))
        elif what < 0.85:
            yes, no = condition(random)
            first, second = (body(random, channels, depth + 1) for _ in range(2))
            found.append(("if", yes, no, first, second))
        else:
            name = random.choice(VARIABLES)
            found.append(("set", name, "0"))
            steps = [*body(random, channels, depth + 1), ("set", name, f"{name} + 1")]
            steps = [s for s in steps if s[0] != "while"]
            found.append(("while", f"{name} < 3", [("delta", round(random.uniform(0.1, 0.5), 6)), *steps]))
    return found


def program(random: Random, channels: list[tuple[str, str]]) -> Body:
    """It repeats itself for ever, and always waits in between."""
    pause = ("delta", round(random.uniform(0.1, 1), 6))
    inner = [*body(random, channels, 0), pause, waiting(random, channels)]
    return [*body(random, channels, 0), ("for ever", inner)]


def text(statements: Body) -> str:
    """The statements in chi."""
    found = []
    for statement in statements:
        match statement:
            case ("set", name, value):
                found.append(f"{name} := {value}")
            case ("delta", time):
                found.append(f"delta {time}")
            case ("send", channel, value):
                found.append(f"{channel}!{value}")
            case ("receive", channel, name):
                found.append(f"{channel}?{name}")
            case ("either", channel, name, late, first, second):
                found.append(f"[ {channel}?{name} -> {text(first)} [] delta {late} -> {text(second)} ]")
            case ("if", yes, no, first, second):
                found.append(f"[ {yes} -> {text(first)} [] {no} -> {text(second)} ]")
            case ("while", guard, inner):
                found.append(f"*[ {guard} -> {text(inner)} ]")
            case ("for ever", inner):
                found.append(f"*[ {text(inner)} ]")
    return "\n  ; ".join(found)


# ---------------------------------------------------------------- the interpreter


@dataclass
class Running:
    values: dict[str, int] = field(default_factory=lambda: dict.fromkeys(VARIABLES, 0))
    steps: Iterator[Statement] | None = None
    wait: Statement | None = None
    until: float = np.inf


def steps_of(statements: Body, values: dict[str, int]) -> Iterator[Statement]:
    """What a process waits for, one after the other. It is sent which branch it goes."""

    def value(what: str) -> Any:
        return eval(what, {"mod": lambda a, b: a % b}, values)

    for statement in statements:
        match statement:
            case ("set", name, what):
                values[name] = value(what)
            case ("if", yes, _, first, second):
                yield from steps_of(first if value(yes) else second, values)
            case ("while", guard, inner):
                while value(guard):
                    yield from steps_of(inner, values)
            case ("for ever", inner):
                while True:
                    yield from steps_of(inner, values)
            case ("either", channel, name, late, first, second):
                taken = yield ("receive", channel, name, late)
                yield from steps_of(first if taken else second, values)
            case ("send", channel, what):
                yield ("send", channel, value(what))
            case ("receive", channel, name):
                yield ("receive", channel, name, np.inf)
            case _:
                yield statement


def interpreted(programs: list[Body], times: list[float]) -> list[list[dict[str, int]]]:
    """The values of all processes at some times."""
    found: list[list[dict[str, int]]] = []
    running = [Running() for _ in programs]
    now = 0.0

    def resume(process: Running, sent: bool | None) -> None:
        try:
            process.wait = process.steps.send(sent)  # type: ignore[union-attr]
            late = process.wait[1] if process.wait[0] == "delta" else np.inf
            process.until = now + (process.wait[3] if process.wait[0] == "receive" else late)
        except StopIteration:
            process.wait, process.until = None, np.inf

    for process, statements in zip(running, programs, strict=True):
        process.steps = steps_of(statements, process.values)
        resume(process, None)
    while len(found) < len(times):
        pairs = [
            (one, other)
            for one in running
            for other in running
            if one.wait and other.wait and (one.wait[0], other.wait[0]) == ("send", "receive")
            and one.wait[1] == other.wait[1]
        ]  # fmt: skip
        if pairs:
            one, other = pairs[0]
            other.values[other.wait[2]] = one.wait[2]
            resume(one, None)
            resume(other, True)
            continue
        first = min(running, key=lambda process: process.until)
        while len(found) < len(times) and times[len(found)] < first.until:
            found.append([dict(process.values) for process in running])
        now = first.until
        if now < np.inf:
            resume(first, False)
    return found


# ---------------------------------------------------------------- the comparison


def system(random: Random) -> tuple[str, list[Body]]:
    """Two or three processes with a channel from each to the next one."""
    count = random.randint(1, 3)
    programs, definitions, instances = [], [], []
    for k in range(count):
        ends = []
        if k > 0:
            ends.append(("receive", f"c{k}"))
        if k + 1 < count:
            ends.append(("send", f"c{k + 1}"))
        programs.append(program(random, ends))
        signs = ", ".join(f"{name} : {'?' if kind == 'receive' else '!'}int" for kind, name in ends)
        definitions.append(
            f"proc P{k}({signs}) =\n |[ {', '.join(VARIABLES)} : int\n  | {text(programs[-1])}\n  ]|\n"
        )
        instances.append(f"P{k}({', '.join(name for _, name in ends)})")
    channels = ", ".join(f"c{k}" for k in range(1, count))
    head = f"{channels} : -int | " if channels else ""
    run = f"xper Run = |[ {head}{' || '.join(['q : ' + instances[0], *instances[1:]])} ]|\n"
    return "".join(definitions) + run, programs


def compared(seed: int) -> None:
    random = Random(seed)
    source, programs = system(random)
    times = [STOP * (k + 0.5) / 40 + 1e-3 for k in range(40)]
    expected = interpreted(programs, times)
    result = saltus.load(source).simulate(stop_time=STOP)
    at = np.searchsorted(result.time, times, side="right") - 1
    for k in range(len(programs)):
        for name in VARIABLES:
            found = np.asarray(result[f"{'q' if k == 0 else f'P{k}'}.{name}"])[at]
            np.testing.assert_array_equal(found, [e[k][name] for e in expected], err_msg=f"{seed}\n{source}")


@pytest.mark.parametrize("share", range(4))
def test_random_processes_do_what_their_text_says(share: int) -> None:
    for seed in range(10 * share, 10 * (share + 1)):
        compared(seed)
