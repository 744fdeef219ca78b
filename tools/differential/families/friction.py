"""Masses with springs and dampers, dry friction, clutches that lock at given times, and free-wheels.

Friction is written in three ways: as a curve with a parameter along it, with locked and sliding phases that
are remembered, and as a force with the sign of the velocity, on which a run has to slide. Positions and
velocities are compared; how two frictions share a load at rest is not unique.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tools.differential.case import Case, Truth, piecewise_linear_truth
from tools.differential.draw import Draw
from tools.differential.families.circuits import Signal, drawn_signal
from tools.differential.solvers.piecewise_linear import Builder, System

_CURVE = """  model Friction
    parameter Real f0, d;
    input Real v;
    Real f, s;
    Boolean forward = s > 1, backward = s < -1;
  equation
    v = if forward then s - 1 elseif backward then s + 1 else 0;
    f = if forward then f0 + d*(s - 1) elseif backward then -f0 + d*(s + 1) else f0*s;
  end Friction;
"""

_PHASES = """  model Friction
    parameter Real f0, d;
    input Real v;
    Real f, a, s;
    Integer mode(start = 0, fixed = true);
    Boolean startForward(start = false, fixed = true), startBackward(start = false, fixed = true), locked;
  equation
    a = der(v);
    startForward = pre(mode) == 0 and not initial() and s > f0 or initial() and v > 0;
    startBackward = pre(mode) == 0 and not initial() and s < -f0 or initial() and v < 0;
    locked = not (pre(mode) == 1 or startForward or pre(mode) == -1 or startBackward);
    a = if locked then 0 elseif startForward or not startBackward and pre(mode) == 1 then s - f0 else s + f0;
    f = if locked then s elseif startForward or not startBackward and pre(mode) == 1 then f0 + d*v
      else -f0 + d*v;
    mode = if (pre(mode) == 1 or startForward) and v > 0 then 1
      elseif (pre(mode) == -1 or startBackward) and v < 0 then -1 else 0;
  end Friction;
"""

_SIGN = """  model Friction
    parameter Real f0, d;
    input Real v;
    Real f = (if v > 0 then f0 else -f0) + d*v;
  end Friction;
"""

_OTHERS = """  model FreeWheel
    input Real v;
    Real f, s;
    Boolean free = s > 0;
  equation
    v = if free then s else 0;
    f = if free then 0 else s;
  end FreeWheel;
  model Lock
    input Real v;
    input Boolean closed;
    Real f;
  equation
    0 = if closed then v else f;
  end Lock;
"""

WAYS = {"curve": _CURVE, "phases": _PHASES, "sign": _SIGN}


@dataclass(frozen=True)
class Joint:
    """Between masses `a` and `b` (0 is the ground): a spring with stiffness and damping, a friction with its
    force and viscous part, a free-wheel, or a lock that changes at `times`. `belt` is the speed of the
    ground."""

    kind: str
    name: str
    a: int
    b: int
    first: float = 0.0
    second: float = 0.0
    belt: float = 0.0
    times: tuple[float, ...] = ()
    closed: bool = False

    @property
    def condition(self) -> str:
        text = f"time >= {self.times[0]!r}"
        if len(self.times) == 2:
            text += f" and time < {self.times[1]!r}"
        return f"not ({text})" if self.closed else text

    def across(self, quantity: str) -> dict[str, float]:
        """The difference of a quantity of both masses."""
        return {f"{quantity}{k}": f for k, f in ((self.a, 1.0), (self.b, -1.0)) if k}

    def text(self, quantity: str) -> str:
        terms = " - ".join(f"{quantity}[{k}]" if k else "0" for k in (self.a, self.b))
        return f"{terms} - ({self.belt!r})" if self.belt and quantity == "v" else terms


@dataclass(frozen=True)
class Mechanism:
    """Masses with their speeds at the start, what is between them, and forces by the numbers of masses."""

    masses: list[float]
    speeds: list[float]
    joints: list[Joint]
    forces: list[tuple[int, Signal]]


def _digits(x: float) -> float:
    return float(f"{x:.3g}")


def drawn_mechanism(draw: Draw, stop: float, way: str) -> Mechanism:
    count = draw.whole(1, 4)
    masses = [_digits(draw.decades(0.3, 5.0)) for _ in range(count)]
    speeds = [round(draw.uniform(-3, 3), 2) if draw.yes(0.4) else 0.0 for _ in range(count)]
    joints: list[Joint] = []
    for k in range(1, count + 1):
        if k > 1 or draw.yes(0.6):
            other = draw.whole(0, k - 1)
            stiffness = _digits(draw.decades(1.0, 100.0)) if draw.yes(0.8) else 0.0
            damping = _digits(draw.decades(0.05, 2.0)) if draw.yes(0.5) or not stiffness else 0.0
            joints.append(Joint("spring", f"spring{k}", k, other, stiffness, damping))
    for j in range(1, draw.whole(1, 4) + 1):
        a = draw.whole(1, count)
        b = draw.whole(0, count) if draw.yes(0.4) else 0
        b = 0 if b == a else b
        belt = round(draw.uniform(-1, 1), 2) if b == 0 and draw.yes(0.25) and way != "phases" else 0.0
        force = _digits(draw.decades(0.3, 5.0))
        viscous = _digits(draw.decades(0.01, 0.5)) if draw.yes(0.3) else 0.0
        joints.append(Joint("friction", f"friction{j}", a, b, force, viscous, belt))
    # Phases are told by accelerations: what is locked withstands any impulse, and that is not Coulomb's law.
    if count > 1 and draw.yes(0.25) and way != "phases":
        a = draw.whole(2, count)
        times = tuple(round(float(t), 3) for t in draw.sorted(draw.whole(1, 2), 0.1 * stop, 0.9 * stop))
        joints.append(Joint("lock", "lock", a, draw.whole(0, a - 1), times=times, closed=False))
    if count > 1 and draw.yes(0.25) and way != "phases":
        a = draw.whole(1, count)
        b = draw.whole(0, count)
        if b != a:
            joints.append(Joint("wheel", "wheel", a, b))
    driven = {draw.whole(1, count) for _ in range(draw.whole(1, 2))}
    forces = [(k, drawn_signal(draw, stop, ideal=draw.yes())) for k in sorted(driven)]
    return Mechanism(masses, speeds, joints, forces)


def mechanism_system(mechanism: Mechanism, leak: float) -> System:
    b = Builder()
    count = len(mechanism.masses)
    for k in range(1, count + 1):
        b.unknown(f"x{k}")
        b.unknown(f"v{k}", mechanism.speeds[k - 1])
    for joint in mechanism.joints:
        b.unknown(joint.name)
    signals = dict(mechanism.forces)
    for k in range(1, count + 1):
        b.row({f"v{k}": -1.0}, {f"x{k}": 1.0})
        pulls = {j.name: 1.0 if j.a == k else -1.0 for j in mechanism.joints if k in (j.a, j.b)}
        signal = signals.get(k)
        b.row(pulls, {f"v{k}": mechanism.masses[k - 1]}, signal.value if signal else None)
        if signal:
            b.breaks.update(signal.breaks)
    for joint in mechanism.joints:
        f, v = joint.name, joint.across("v")
        if joint.kind == "spring":
            terms = {n: -joint.first * c for n, c in joint.across("x").items()}
            terms.update({n: -joint.second * c for n, c in v.items()})
            b.row({f: 1.0, **terms})
            continue
        stuck = {**v, f: -leak}
        if joint.kind == "friction":
            slides = {f: 1.0, **{n: -joint.second * c for n, c in v.items()}}
            lost = joint.second * joint.belt
            back = {n: -c for n, c in v.items()}
            b.element([
                (stuck, joint.belt, [({f: -1.0}, joint.first, 1), ({f: 1.0}, joint.first, 2)]),
                (slides, joint.first - lost, [(v, -joint.belt, 0)]),
                (slides, -joint.first - lost, [(back, joint.belt, 0)]),
            ])  # fmt: skip
        elif joint.kind == "wheel":
            free = {f: 1.0, **{n: -leak * c for n, c in v.items()}}
            b.element([(free, 0.0, [(v, 0.0, 1)]), (stuck, 0.0, [({f: -1.0}, 0.0, 0)])])
        else:
            changes = [(0.0, int(joint.closed))]
            changes += [(t, int(joint.closed) ^ (k % 2 == 0)) for k, t in enumerate(joint.times)]
            b.element([({f: 1.0}, 0.0, []), (stuck, 0.0, [])], changes)
    return b.system()


def _text(mechanism: Mechanism, way: str) -> str:
    count = len(mechanism.masses)
    speeds = ", ".join(map(repr, mechanism.speeds))
    masses = ", ".join(map(repr, mechanism.masses))
    lines = ["model Mechanism", WAYS[way] + _OTHERS, f"  parameter Real m[{count}] = {{{masses}}};"]
    lines.append(f"  Real x[{count}](each start = 0, each fixed = true);")
    lines.append(f"  Real v[{count}](start = {{{speeds}}}, each fixed = true);")
    for joint in mechanism.joints:
        if joint.kind == "friction":
            given = f"f0 = {joint.first!r}, d = {joint.second!r}, v = {joint.text('v')}"
            lines.append(f"  Friction {joint.name}({given});")
        elif joint.kind == "wheel":
            lines.append(f"  FreeWheel wheel(v = {joint.text('v')});")
        elif joint.kind == "lock":
            lines.append(f"  Lock lock(v = {joint.text('v')}, closed = {joint.condition});")
        else:
            law = f"{joint.first!r}*({joint.text('x')}) + {joint.second!r}*({joint.text('v')})"
            lines.append(f"  Real {joint.name} = {law};")
    lines.append("equation")
    signals = dict(mechanism.forces)
    for k in range(1, count + 1):
        lines.append(f"  der(x[{k}]) = v[{k}];")
        force = signals[k].text if k in signals else "0"
        for j in mechanism.joints:
            if k in (j.a, j.b):
                force += f" {'-' if j.a == k else '+'} {j.name}{'' if j.kind == 'spring' else '.f'}"
        lines.append(f"  m[{k}]*der(v[{k}]) = {force};")
    return "\n".join([*lines, "end Mechanism;\n"])


def friction(draw: Draw) -> Case:
    """One mechanism, with its frictions written in one of the ways."""
    stop = 4.0
    way = draw.one_of(["curve", "curve", "phases", "sign"])
    return mechanism_case(drawn_mechanism(draw, stop, way), way, stop)


def mechanism_case(mechanism: Mechanism, way: str, stop: float) -> Case:
    """A mechanism that is given."""
    names = {f"{q}[{k}]": {f"{q}{k}": 1.0} for q in "xv" for k in range(1, len(mechanism.masses) + 1)}

    def truth(certain: bool) -> Truth:
        return piecewise_linear_truth(partial(mechanism_system, mechanism), stop, names, certain)

    kinds = " ".join(j.kind for j in mechanism.joints if j.kind != "spring")
    return Case(f"{way} {len(mechanism.masses)} masses {kinds}", _text(mechanism, way), stop, truth)
