"""Bodies on a line that bounce off floors, tables that move, walls and each other, or hang on ropes.

Impacts are written with `reinit` and a coefficient of restitution. Where they accumulate, the run is told to
rest there, or to go on with every impact first. Positions and velocities are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from tools.differential.case import Case, Truth, piecewise_linear_truth
from tools.differential.draw import Draw
from tools.differential.families.circuits import Signal
from tools.differential.solvers.piecewise_linear import Builder, System, Vector

GRAVITY = 9.81


@dataclass(frozen=True)
class Contact:
    """Between body `a` and body `b`; 0 is the floor, the table or a wall at `place`. It closes where
    `side*(x[a] - x[b] - place)` falls to zero: side 1 for a body above, -1 for a rope or a ceiling."""

    a: int
    b: int
    place: float
    side: int
    restitution: float


@dataclass(frozen=True)
class Bodies:
    """`table` is the motion of the floor, as its size and angular frequency."""

    masses: list[float]
    places: list[float]
    speeds: list[float]
    drags: list[float]
    springs: list[float]
    gravity: float
    contacts: list[Contact]
    table: tuple[float, float] | None


def _digits(x: float) -> float:
    return float(f"{x:.3g}")


def _restitution(draw: Draw) -> float:
    return 1.0 if draw.yes(0.15) else round(draw.uniform(0.2, 0.95), 2)


def drawn_bodies(draw: Draw) -> tuple[str, Bodies]:
    kind = draw.one_of(["floor", "table", "stack", "box", "rope", "spring"])
    count = {"floor": draw.whole(1, 2), "table": 1, "stack": draw.whole(2, 3), "box": draw.whole(1, 3),
             "rope": draw.whole(1, 2), "spring": draw.whole(1, 2)}[kind]  # fmt: skip
    masses = [_digits(draw.decades(0.3, 4.0)) for _ in range(count)]
    places = [round(float(p), 2) for p in draw.sorted(count, 0.5, 3.0)]
    places = [p + 0.2 * k for k, p in enumerate(places)]
    speeds = [round(draw.uniform(-2, 2), 2) for _ in range(count)]
    drags = [_digits(draw.decades(0.02, 0.5)) if draw.yes(0.3) else 0.0 for _ in range(count)]
    springs = [0.0] * count
    gravity, table = GRAVITY, None
    contacts = [Contact(k, 0, 0.0, 1, _restitution(draw)) for k in range(1, count + 1)]
    if kind == "table":
        w = draw.uniform(2.0, 10.0)
        table = (round(draw.uniform(0.2, 1.5) * GRAVITY / w**2, 3), round(w, 2))
        places = [p + table[0] for p in places]
    elif kind == "stack":
        contacts = [Contact(k, k - 1, 0.0, 1, min(_restitution(draw), 0.9)) for k in range(1, count + 1)]
    elif kind == "box":
        gravity = 0.0
        wall = round(places[-1] + draw.uniform(0.3, 1.0), 2)
        contacts = [Contact(k, k - 1, 0.0, 1, _restitution(draw)) for k in range(1, count + 1)]
        contacts.append(Contact(count, 0, wall, -1, _restitution(draw)))
    elif kind == "rope":
        length = round(draw.uniform(0.3, 2.0), 2)
        low = draw.whole(0, count - 1)  # 0: from the place where the first one hangs
        if low == 0:
            contacts = [Contact(1, 0, round(places[0] - length, 2), 1, _restitution(draw)), *contacts[1:]]
        else:
            contacts = [Contact(2, 1, round(places[1] - places[0] + length, 2), -1, _restitution(draw))]
            gravity = 0.0
    elif kind == "spring":
        gravity = GRAVITY if draw.yes() else 0.0
        springs = [_digits(draw.decades(2.0, 60.0)) for _ in range(count)]
        contacts = [Contact(k, 0, round(places[k - 1] * draw.uniform(-0.3, 0.6), 2), 1, _restitution(draw))
                    for k in range(1, count + 1)]  # fmt: skip
    return kind, Bodies(masses, places, speeds, drags, springs, gravity, contacts, table)


def bodies_system(bodies: Bodies, leak: float) -> System:
    """Springs pull towards zero. What leaks is contact: it gives way by the leak times its force."""
    b = Builder()
    count = len(bodies.masses)
    for k in range(1, count + 1):
        b.unknown(f"x{k}", bodies.places[k - 1])
        b.unknown(f"v{k}", bodies.speeds[k - 1])
    b.unknown("x0")
    b.unknown("v0")
    for number in range(len(bodies.contacts)):
        b.unknown(f"f{number}")
    place, speed = _table(bodies)
    b.row({"x0": 1.0}, source=place.value)
    b.row({"v0": 1.0}, source=speed.value)
    for k in range(1, count + 1):
        m = bodies.masses[k - 1]
        b.row({f"v{k}": -1.0}, {f"x{k}": 1.0})
        pushes = {f"x{k}": bodies.springs[k - 1], f"v{k}": bodies.drags[k - 1]}
        for number, c in enumerate(bodies.contacts):
            if k in (c.a, c.b):
                pushes[f"f{number}"] = -float(c.side) if c.a == k else float(c.side)
        b.row(pushes, {f"v{k}": m}, partial(_weight, -m * bodies.gravity))
    for number, c in enumerate(bodies.contacts):
        s, f = float(c.side), f"f{number}"
        gap = {f"x{c.a}": s, f"x{c.b}": -s}
        closing = {f"v{c.a}": s, f"v{c.b}": -s}
        jump = {f"v{c.a}": s / bodies.masses[c.a - 1]}
        if c.b:
            jump[f"v{c.b}"] = -s / bodies.masses[c.b - 1]
        b.element([
            ({f: 1.0}, 0.0, [(gap, -s * c.place, 1)]),
            ({**closing, f: leak}, 0.0, [({f: 1.0}, 0.0, 0)]),
        ], impact=(closing, jump, c.restitution))  # fmt: skip
    return b.system()


def _weight(value: float, t: Vector) -> float:
    return value


def _table(bodies: Bodies) -> tuple[Signal, Signal]:
    size, w = bodies.table or (0.0, 1.0)
    place = Signal(f"{size!r}*sin({w!r}*time)", lambda t: size * np.sin(w * t))
    return place, Signal(f"{size * w!r}*cos({w!r}*time)", lambda t: size * w * np.cos(w * t))


def _text(bodies: Bodies) -> str:
    count = len(bodies.masses)
    given = {"m": bodies.masses, "d": bodies.drags, "k": bodies.springs}
    numbers = [
        f"  parameter Real {n}[{count}] = {{{', '.join(map(repr, values))}}};" for n, values in given.items()
    ]
    starts = [f"{n}[{count}](start = {{{', '.join(map(repr, values))}}}, each fixed = true)"
              for n, values in (("x", bodies.places), ("v", bodies.speeds))]  # fmt: skip
    lines = ["model Bodies", *numbers, f"  Real {', '.join(starts)};"]
    place, speed = _table(bodies)
    if bodies.table:
        lines.append(f"  Real x0 = {place.text}, v0 = {speed.text};")
    hits = len(bodies.contacts)
    lines += [f"  Boolean hit[{hits}];", "equation"]
    for n in range(1, count + 1):
        lines.append(f"  der(x[{n}]) = v[{n}];")
        lines.append(f"  m[{n}]*der(v[{n}]) = -{bodies.gravity!r}*m[{n}] - d[{n}]*v[{n}] - k[{n}]*x[{n}];")
    floor = ("x0", "v0") if bodies.table else ("0", "0")
    new: dict[int, list[tuple[int, str]]] = {}
    for number, c in enumerate(bodies.contacts, 1):
        other, pace = (f"x[{c.b}]", f"v[{c.b}]") if c.b else floor
        sign = "<=" if c.side > 0 else ">="
        lines.append(f"  hit[{number}] = x[{c.a}] - {other} {sign} {c.place!r};")
        relative = f"(pre(v[{c.a}]) - {f'pre({pace})' if c.b else pace})"
        ma, mb = f"m[{c.a}]", f"m[{c.b}]"
        part = f"{mb}/({ma} + {mb})*" if c.b else ""
        new.setdefault(c.a, []).append((number, f"pre(v[{c.a}]) - {part}{1 + c.restitution!r}*{relative}"))
        if c.b:
            text = f"pre(v[{c.b}]) + {ma}/({ma} + {mb})*{1 + c.restitution!r}*{relative}"
            new.setdefault(c.b, []).append((number, text))
    for body, jumps in new.items():
        *first, (_, last) = jumps
        value = "".join(f"if edge(hit[{n}]) then {text} else " for n, text in first) + last
        conditions = ", ".join(f"hit[{n}]" for n, _ in jumps)
        lines += [f"  when {{{conditions}}} then", f"    reinit(v[{body}], {value});", "  end when;"]
    return "\n".join([*lines, "end Bodies;\n"])


def impacts(draw: Draw) -> Case:
    """Some bodies and their contacts."""
    kind, bodies = drawn_bodies(draw)
    return bodies_case(kind, bodies, draw.one_of(["rest", "continue"]), 4.0)


def bodies_case(kind: str, bodies: Bodies, zeno: str, stop: float) -> Case:
    """Bodies that are given."""
    # docs/events.md: a thousandth of the run may be left when intervals are a hundredth of the first one.
    early = 1e-3 if zeno == "rest" else 0.0
    names = {f"{q}[{k}]": {f"{q}{k}": 1.0} for q in "xv" for k in range(1, len(bodies.masses) + 1)}

    def truth(certain: bool) -> Truth:
        return piecewise_linear_truth(partial(bodies_system, bodies), stop, names, certain, early)

    structure = f"{kind} {len(bodies.masses)} {zeno}"
    return Case(structure, _text(bodies), stop, truth, {"zeno": zeno}, loosest=1e-7)
