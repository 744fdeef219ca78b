"""Networks of resistors, coils, capacitors, sources, ideal diodes and ideal switches, at random.

Compared are what is unique in a passive network: voltages of capacitors, currents of coils and of resistors.
Potentials of nodes that float, and how diodes side by side share a current, are not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
from tools.differential.case import Case, Truth, piecewise_linear_truth
from tools.differential.draw import Draw
from tools.differential.solvers.piecewise_linear import Builder, Source, System, Vector

_PARTS = """  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model OnePort
    Pin p, n;
    Real u, i;
  equation
    u = p.v - n.v;
    p.i = i;
    n.i = -i;
  end OnePort;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Resistor
    extends OnePort;
    parameter Real R;
  equation
    u = R*i;
  end Resistor;
  model Capacitor
    extends OnePort(u(start = 0, fixed = true));
    parameter Real C;
  equation
    C*der(u) = i;
  end Capacitor;
  model Inductor
    extends OnePort(i(start = 0, fixed = true));
    parameter Real L;
  equation
    L*der(i) = u;
  end Inductor;
  model Diode
    extends OnePort;
    Real s;
    Boolean off = s < 0;
  equation
    i = if off then 0 else s;
    u = if off then s else 0;
  end Diode;
  model Switch
    extends OnePort;
    input Boolean closed;
  equation
    0 = if closed then u else i;
  end Switch;
  model Voltage
    extends OnePort;
    parameter Real R;
    input Real e;
  equation
    u = e + R*i;
  end Voltage;
  model Current
    extends OnePort;
    parameter Real G;
    input Real e;
  equation
    i = e + G*u;
  end Current;
"""

_CLASS = {"R": "Resistor", "C": "Capacitor", "L": "Inductor", "D": "Diode", "S": "Switch", "V": "Voltage",
          "I": "Current"}  # fmt: skip


@dataclass(frozen=True)
class Signal:
    """What a source does: as a Modelica expression, as a function, and where it jumps."""

    text: str
    value: Source
    breaks: tuple[float, ...] = ()


@dataclass(frozen=True)
class Part:
    """An element from node `a` to node `b`; `times` are those at which a switch changes, `first` whether it
    is closed before. `value` of a source is its resistance or conductance."""

    kind: str
    name: str
    a: int
    b: int
    value: float = 0.0
    signal: Signal | None = None
    times: tuple[float, ...] = ()
    first: bool = False

    @property
    def closed(self) -> str:
        """The condition of a switch in Modelica."""
        if len(self.times) == 1:
            return f"time {'<' if self.first else '>='} {self.times[0]!r}"
        inside = f"time >= {self.times[0]!r} and time < {self.times[1]!r}"
        return f"not ({inside})" if self.first else inside


def drawn_signal(draw: Draw, stop: float, ideal: bool) -> Signal:
    """A sine, a constant or a step; where nothing may be between the source and a capacitor it begins with
    zero."""
    size = round(draw.uniform(1.0, 10.0), 2) * (1 if draw.yes() else -1)
    kind = draw.whole(0, 2)
    if kind == 0 or (ideal and kind == 1):
        w = round(2 * math.pi * draw.uniform(0.7, 5.0) / stop, 3)
        phase = 0.0 if ideal or draw.yes() else round(draw.phase(), 2)
        return Signal(f"{size!r}*sin({w!r}*time + {phase!r})", partial(_sine, size, w, phase))
    if kind == 1:
        return Signal(repr(size), partial(_constant, size))
    at = round(draw.uniform(0.05, 0.6) * stop, 3)
    return Signal(f"(if time < {at!r} then 0 else {size!r})", partial(_step, size, at), (at,))


def _sine(size: float, w: float, phase: float, t: Vector) -> Vector:
    found: Vector = size * np.sin(w * t + phase)
    return found


def _constant(size: float, t: Vector) -> float:
    return size


def _step(size: float, at: float, t: Vector) -> Vector:
    return np.where(t < at, 0.0, size)


def _part(draw: Draw, kind: str, name: str, a: int, b: int, stop: float) -> Part:
    if kind in "VI":
        ideal = draw.yes(0.15)
        value = 0.0 if ideal else _digits(draw.decades(0.1, 10.0))
        return Part(kind, name, a, b, value, drawn_signal(draw, stop, ideal))
    if kind == "S":
        times = tuple(round(float(t), 3) for t in draw.sorted(draw.whole(1, 2), 0.05 * stop, 0.95 * stop))
        return Part(kind, name, a, b, times=times, first=draw.yes())
    ranges = {"R": (0.1, 20.0), "C": (0.02, 1.0), "L": (0.02, 1.0), "D": (1.0, 1.0)}
    return Part(kind, name, a, b, _digits(draw.decades(*ranges[kind])))


def _digits(x: float) -> float:
    return float(f"{x:.3g}")


def drawn_network(draw: Draw, stop: float) -> tuple[int, list[Part]]:
    """The number of nodes, and parts that connect all of them."""
    nodes = draw.whole(2, 6)
    kinds = ["V" if draw.yes(0.8) else "I", draw.one_of("CL"), "D", "V" if draw.yes(0.4) else "R"]
    kinds += [draw.one_of("RRRRCCLLDDDDDSSVI") for _ in range(draw.whole(nodes - 2, 2 * nodes - 1))]
    order = draw.shuffled(range(len(kinds)))
    parts: list[Part] = []
    counts: dict[str, int] = {}
    for position, k in enumerate(order):
        kind = kinds[k]
        if (kind == "D" and counts.get("D", 0) >= 6) or (kind == "S" and counts.get("S", 0) >= 3):
            kind = "R"
        if position < nodes - 1:
            a, b = position + 1, draw.whole(0, position)
        else:
            a = draw.whole(0, nodes - 1)
            b = (a + draw.whole(1, nodes - 1)) % nodes
        if draw.yes():
            a, b = b, a
        counts[kind] = counts.get(kind, 0) + 1
        parts.append(_part(draw, kind, f"{kind.lower()}{counts[kind]}", a, b, stop))
    return nodes, parts


def network_system(nodes: int, parts: list[Part], leak: float) -> System:
    """The same with leaks: diodes, switches, sources and nodes determine something in every mode."""
    b = Builder()
    for k in range(1, nodes):
        b.unknown(f"node{k}")
    for part in parts:
        b.unknown(part.name)
    for k in range(1, nodes):
        flows = {f"node{k}": leak}
        for part in parts:
            if k in (part.a, part.b):
                flows[part.name] = 1.0 if part.a == k else -1.0
        b.row(flows)
    for part in parts:
        across, i = voltage(part), part.name
        if part.kind == "R":
            b.row({**across, i: -part.value})
        elif part.kind == "L":
            b.row(across, {i: -part.value})
        elif part.kind == "C":
            b.row({i: 1.0}, {n: -part.value * f for n, f in across.items()})
        elif part.kind == "V" and part.signal:
            b.row({**across, i: -part.value - leak}, source=part.signal.value)
        elif part.kind == "I" and part.signal:
            inside = {n: -(part.value + leak) * f for n, f in across.items()}
            b.row({i: 1.0, **inside}, source=part.signal.value)
        else:
            off = {i: 1.0, **{n: -leak * f for n, f in across.items()}}
            on = {**across, i: -leak}
            if part.kind == "D":
                reverse = {n: -f for n, f in across.items()}
                b.element([(off, 0.0, [(reverse, 0.0, 1)]), (on, 0.0, [({i: 1.0}, 0.0, 0)])])
            else:
                changes = [(0.0, int(part.first))]
                changes += [(t, int(part.first) ^ (k % 2 == 0)) for k, t in enumerate(part.times)]
                b.element([(off, 0.0, []), (on, 0.0, [])], changes)
        if part.signal:
            b.breaks.update(part.signal.breaks)
    return b.system()


def voltage(part: Part) -> dict[str, float]:
    """Of a part, as a sum of potentials."""
    found: dict[str, float] = {}
    if part.a:
        found[f"node{part.a}"] = 1.0
    if part.b:
        found[f"node{part.b}"] = -1.0
    return found


def _flat_text(nodes: int, parts: list[Part], draw: Draw) -> str:
    variables = [f"  Real {', '.join(f'v{k}' for k in range(1, nodes))};"]
    equations = []
    for part in parts:
        u, i, name = f"u_{part.name}", f"i_{part.name}", part.name
        start = "(start = 0, fixed = true)"
        starts = [start if part.kind == kind else "" for kind in "CL"]
        variables.append(f"  Real {u}{starts[0]}, {i}{starts[1]};")
        ends = [f"v{k}" if k else "0" for k in (part.a, part.b)]
        equations.append(f"{u} = {ends[0]} - {ends[1]};")
        if part.kind == "R":
            equations.append(f"{u} = {part.value!r}*{i};")
        elif part.kind == "C":
            equations.append(f"{part.value!r}*der({u}) = {i};")
        elif part.kind == "L":
            equations.append(f"{part.value!r}*der({i}) = {u};")
        elif part.kind == "V" and part.signal:
            equations.append(f"{u} = {part.signal.text} + {part.value!r}*{i};")
        elif part.kind == "I" and part.signal:
            equations.append(f"{i} = {part.signal.text} + {part.value!r}*{u};")
        elif part.kind == "D":
            variables += [f"  Real s_{name};", f"  Boolean off_{name} = s_{name} < 0;"]
            equations.append(f"{i} = if off_{name} then 0 else s_{name};")
            equations.append(f"{u} = if off_{name} then s_{name} else 0;")
        else:
            variables.append(f"  Boolean closed_{name} = {part.closed};")
            equations.append(f"0 = if closed_{name} then {u} else {i};")
    for k in range(1, nodes):
        flows = [f"{'+' if p.a == k else '-'} i_{p.name}" for p in parts if k in (p.a, p.b)]
        equations.append(f"0 = {' '.join(flows)};")
    equations = [f"  {e}" for e in draw.shuffled(equations)]
    return "\n".join(["model Network", *variables, "equation", *equations, "end Network;\n"])


def _parts_text(nodes: int, parts: list[Part]) -> str:
    lines, connections = [], []
    pins: dict[int, list[str]] = {k: [] for k in range(nodes)}
    pins[0].append("ground.p")
    for part in parts:
        given = f"{part.kind} = {part.value!r}" if part.kind in "RCL" else ""
        if part.signal:
            given = f"{'R' if part.kind == 'V' else 'G'} = {part.value!r}, e = {part.signal.text}"
        elif part.kind == "S":
            given = f"closed = {part.closed}"
        lines.append(f"  {_CLASS[part.kind]} {part.name}{f'({given})' if given else ''};")
        pins[part.a].append(f"{part.name}.p")
        pins[part.b].append(f"{part.name}.n")
    for first, *others in pins.values():
        connections += [f"  connect({first}, {other});" for other in others]
    body = ["  Ground ground;", *lines, "equation", *connections]
    return "\n".join(["model Network", _PARTS, *body, "end Network;\n"])


def circuit(draw: Draw) -> Case:
    """One network, as flat equations or of parts with connectors."""
    stop = 2.0
    nodes, parts = drawn_network(draw, stop)
    flat = draw.yes()
    text = _flat_text(nodes, parts, draw) if flat else _parts_text(nodes, parts)
    names: dict[str, dict[str, float]] = {}
    for part in parts:
        u, i = (f"u_{part.name}", f"i_{part.name}") if flat else (f"{part.name}.u", f"{part.name}.i")
        if part.kind == "C":
            names[u] = voltage(part)
        elif part.kind in "LR":
            names[i] = {part.name: 1.0}

    def truth(certain: bool) -> Truth:
        return piecewise_linear_truth(partial(network_system, nodes, parts), stop, names, certain)

    kinds = "".join(sorted(part.kind for part in parts))
    return Case(f"{kinds}{'' if flat else ' parts'}", text, stop, truth)
