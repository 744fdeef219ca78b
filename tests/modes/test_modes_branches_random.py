"""Bodies that come and go at random, linked to a cart while they are there, against an integration that stops
at each coming and going and is written anew for the bodies that are left."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from branch_readings import at
from scipy.integrate import solve_ivp

import saltus

STOP = 4.0


@dataclass(frozen=True)
class Body:
    """There from `start` to `stop`; at rest relative to the cart when it comes, if it is `carried` then."""

    start: float
    stop: float
    mass: float
    spring: float
    carried: bool


def bodies(seed: int) -> list[Body]:
    random = np.random.default_rng(seed)
    found = []
    for _ in range(int(random.integers(2, 5))):
        start, stop = np.sort(random.uniform(0.1, STOP - 0.1, 2))
        mass, spring = random.uniform(0.5, 2, 2)
        found.append(Body(float(start), float(stop), float(mass), float(spring), bool(random.integers(2))))
    return found


def text(found: list[Body]) -> str:
    """Each body has two states and a force of its own while it is there, and leaves its momentum behind."""
    lines = [
        "model Cart",
        "  Real x(start = 0, fixed = true), v(start = 1, fixed = true), pull[n];",
        f"  parameter Integer n = {len(found)};",
        "  Real s[n](each start = 0.5), u[n](each start = -1), F[n];",
        "  Boolean there[n];",
        "equation",
        "  der(x) = v;",
        "  3*der(v) = sum(pull) - x;",
    ]
    for k, b in enumerate(found, 1):
        lines += [
            f"  there[{k}] = time >= {b.start!r} and time < {b.stop!r};",
            f"  if there[{k}] then",
            f"    der(s[{k}]) = u[{k}];",
            f"    {b.mass!r}*der(u[{k}]) = -F[{k}];",
            f"    F[{k}] = {b.spring!r}*(s[{k}] - x);",
            f"    pull[{k}] = F[{k}];",
            "  else",
            f"    pull[{k}] = 0;",
            "  end if;",
        ]
        if b.carried:
            action = f"reinit(s[{k}], x); reinit(u[{k}], v);"
            lines.append(f"  when there[{k}] then {action} end when;")
    for k, b in enumerate(found, 1):
        lines.append(f"  {'else' if k > 1 else ''}when not there[{k}] then")
        lines.append(f"    reinit(v, (3*pre(v) + {b.mass!r}*pre(u[{k}]))/(3 + {b.mass!r}));")
    lines.append("  end when;")
    return "\n".join([*lines, f"  annotation(experiment(StopTime = {STOP}));", "end Cart;"])


def reference(found: list[Body]) -> tuple[list[float], dict[int, list[float]]]:
    """Position and speed of the cart at the end; and of each body in the middle of its time."""
    halves = {k: (b.start + b.stop) / 2 for k, b in enumerate(found)}
    times = sorted({t for b in found for t in (b.start, b.stop)} | set(halves.values()) | {STOP})
    cart, there, seen, now = [0.0, 1.0], dict[int, list[float]](), dict[int, list[float]](), 0.0
    for until in times:
        order = list(there)

        def rates(t: float, y: np.ndarray, order: list[int] = order) -> list[float]:
            forces = [found[k].spring * (y[2 + 2 * j] - y[0]) for j, k in enumerate(order)]
            own = [r for j, k in enumerate(order) for r in (y[3 + 2 * j], -forces[j] / found[k].mass)]
            return [y[1], (sum(forces) - y[0]) / 3, *own]

        start = [*cart, *(value for k in order for value in there[k])]
        end = solve_ivp(rates, (now, until), start, rtol=1e-11, atol=1e-13).y[:, -1].tolist()
        cart, now = end[:2], until
        there = {k: end[2 + 2 * j : 4 + 2 * j] for j, k in enumerate(order)}
        for k, b in enumerate(found):
            if halves[k] == until:
                seen[k] = there[k]
            if b.start == until:
                there[k] = list(cart) if b.carried else [0.5, -1.0]
            if b.stop == until:
                _, speed = there.pop(k)
                cart[1] = (3 * cart[1] + b.mass * speed) / (3 + b.mass)
    return cart, seen


@pytest.mark.parametrize("seed", range(8))
def test_bodies_that_come_and_go(seed: int) -> None:
    found = bodies(seed)
    result = saltus.load(text(found)).simulate(tolerance=1e-10)
    cart, seen = reference(found)
    assert at(result, STOP, "x", "v") == pytest.approx(cart, abs=1e-6)
    for k, b in enumerate(found):
        name, inside = f"s[{k + 1}]", (result.time > b.start) & (result.time < b.stop)
        assert not np.isnan(result[name][inside]).any()
        assert np.isnan(result[name][(result.time < b.start) | (result.time > b.stop)]).all()
        middle = np.interp((b.start + b.stop) / 2, result.time[inside], result[name][inside])
        assert middle == pytest.approx(seen[k][0], abs=1e-4)  # interpolated between output points
    assert len(result.modes) == 2 * len(found) + 1  # stays
