"""Bodies on a line with dry friction between them, integrated event by event without Saltus.

    m_i x_i'' = F_i(t, x, v) + (W' lambda)_i,      relative velocities g = W v - belt

Each contact sticks (g = 0, |lambda| <= limit), slides forward (g >= 0) or backward (g <= 0) with the force
-(+-f0 + f1 g). At an event all assignments of the contacts with g = 0 are tried: a sticking force must be
within its limit, a contact that begins to slide must move apart. Their number is 3^n, which is fine for the
few contacts of a test, and leaves nothing to chance. SciPy integrates between events.

`regularised` replaces the law by a steep smooth one: a second reference that knows nothing of modes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import DOP853, solve_ivp
from scipy.optimize import brentq

Vector = NDArray[np.float64]
Force = Callable[[float, Vector, Vector], Vector]
Modes = tuple[int, ...]

SLACK = 1e-9  # of forces and accelerations when modes are compared
AT_REST = 1e-13  # a velocity that is zero but for rounding
PRECISION = 1e-12
MAX_STEP = 0.1
LOOKS = 11  # points of each step at which margins are looked at


@dataclass(frozen=True)
class Contacts:
    """Bodies, the forces on them, and the contacts between them."""

    masses: Vector
    force: Force
    between: NDArray[np.float64]  # one row per contact: its relative velocity from the velocities
    f0: Vector
    f1: Vector
    peak: Vector
    belt: Vector  # subtracted from the relative velocities
    pressure: Callable[[float], Vector] | None = None  # factors of f0 that vary with time

    def relative(self, v: Vector) -> Vector:
        """Velocities of the contacts."""
        return self.between @ v - self.belt

    def sliding(self, t: float) -> Vector:
        """Forces of the contacts at the velocity 0."""
        return self.f0 if self.pressure is None else self.f0 * self.pressure(t)

    def respond(self, t: float, x: Vector, v: Vector, modes: Modes) -> tuple[Vector, Vector]:
        """Accelerations of the bodies and forces of the contacts when these slide or stick as said."""
        mode = np.array(modes)
        given = -(mode * self.sliding(t) + self.f1 * self.relative(v)) * (mode != 0)
        stuck = np.flatnonzero(mode == 0)
        rows = self.between[stuck]
        free = (self.force(t, x, v) + self.between.T @ given) / self.masses
        forces = given.copy()
        if len(stuck):
            inertia = rows @ (rows / self.masses).T
            forces[stuck] = np.linalg.solve(inertia, -rows @ free)
        return (self.force(t, x, v) + self.between.T @ forces) / self.masses, forces


@dataclass
class Motion:
    """What the reference found: pieces of smooth motion, each with the modes in it."""

    pieces: list[tuple[float, float, Callable[[float], Vector], Modes]] = field(default_factory=list)

    @property
    def changes(self) -> list[tuple[float, Modes]]:
        """Times at which modes change, with the new ones."""
        return [(new[0], new[3]) for old, new in pairwise(self.pieces) if new[3] != old[3]]

    def at(self, times: Vector) -> Vector:
        """Rows of positions, velocities and dissipated energies at these times."""
        starts = np.array([piece[0] for piece in self.pieces])
        places = np.maximum(0, np.searchsorted(starts, times, side="right") - 1)
        return np.array([self.pieces[i][2](t) for i, t in zip(places, times, strict=True)])


def begin(contacts: Contacts, t: float, x: Vector, v: Vector, left: int = -1) -> Modes:
    """The modes that begin here. `left`: a contact that has just torn itself loose."""
    g = contacts.relative(v)
    at_rest = np.abs(g) < AT_REST
    choices = [
        (int(np.sign(speed)),) if not rests else (1, -1) if i == left else (0, 1, -1)
        for i, (speed, rests) in enumerate(zip(g, at_rest, strict=True))
    ]
    for modes in product(*choices):
        a, forces = contacts.respond(t, x, v, modes)
        apart, limits = contacts.between @ a, contacts.sliding(t) * contacts.peak
        if all(
            mode * apart[i] >= -SLACK if mode else abs(forces[i]) <= limits[i] + SLACK
            for i, mode in enumerate(modes)
            if at_rest[i]
        ):
            return modes
    raise AssertionError(f"no consistent modes at {t}")


def integrate(contacts: Contacts, x: Vector, v: Vector, stop: float, start: float = 0.0) -> Motion:
    """The whole motion, event by event. Columns: positions, velocities, energies lost in the contacts."""
    n, k = len(contacts.masses), len(contacts.f0)
    motion, t, left = Motion(), start, -1
    state = np.concatenate([x, v, np.zeros(k)])
    while t < stop:
        modes = begin(contacts, t, state[:n], state[n : 2 * n], left)
        mode = np.array(modes)

        def slope(time: float, y: Vector, modes: Modes = modes) -> Vector:
            a, forces = contacts.respond(time, y[:n], y[n : 2 * n], modes)
            return np.concatenate([y[n : 2 * n], a, -forces * contacts.relative(y[n : 2 * n])])

        def margins(time: float, y: Vector, modes: Modes = modes, mode: Vector = mode) -> Vector:
            """Positive while the modes hold."""
            _, forces = contacts.respond(time, y[:n], y[n : 2 * n], modes)
            limits = contacts.sliding(time) * contacts.peak
            return np.where(mode == 0, limits - np.abs(forces), mode * contacts.relative(y[n : 2 * n]))

        solver = DOP853(slope, t, state, stop, rtol=PRECISION, atol=1e-14, max_step=MAX_STEP)
        # A contact that begins to slide has the margin zero: it is watched once that has grown.
        watched = (mode == 0) | (np.abs(contacts.relative(state[n : 2 * n])) >= AT_REST)
        end, ended = stop, -1
        while solver.status == "running" and ended < 0:
            solver.step()
            piece = solver.dense_output()
            motion.pieces.append((solver.t_old, solver.t, piece, modes))
            grid = np.linspace(solver.t_old, solver.t, LOOKS)
            for a, b in pairwise(grid):
                now = margins(b, piece(b))
                crossed = np.flatnonzero(watched & (now < 0))
                if len(crossed):
                    roots = [(root(margins, piece, int(i), a, b), int(i)) for i in crossed]
                    end, ended = min(roots)
                    motion.pieces[-1] = (solver.t_old, end, piece, modes)
                    break
                watched |= now > 0
        state = motion.pieces[-1][2](end).copy()
        left = ended if ended >= 0 and modes[ended] == 0 else -1
        resting = [i for i in range(k) if modes[i] == 0 or i == ended]
        if resting:
            rows = contacts.between[resting]
            step = np.linalg.lstsq(rows, contacts.belt[resting] - rows @ state[n : 2 * n], rcond=None)[0]
            assert np.abs(step).max() < 1e-9, "the velocities have drifted"
            state[n : 2 * n] += step
        t = end
    return motion


def root(
    margins: Callable[[float, Vector], Vector], piece: Callable[[float], Vector], i: int, a: float, b: float
) -> float:
    """Where the margin of contact i is zero; a, if it is not positive there."""

    def margin(t: float) -> float:
        return float(margins(t, piece(t))[i])

    return a if margin(a) <= 0 else float(brentq(margin, a, b, xtol=1e-15, rtol=1e-14))


def regularised(contacts: Contacts, x: Vector, v: Vector, times: Vector, width: float = 1e-6) -> Vector:
    """Positions and velocities with the steep law f0 tanh(g/width) + f1 g in place of the leap."""
    n = len(contacts.masses)

    def slope(t: float, y: Vector) -> Vector:
        g = contacts.relative(y[n:])
        forces = -(contacts.f0 * np.tanh(g / width) + contacts.f1 * g)
        total = contacts.force(t, y[:n], y[n:]) + contacts.between.T @ forces
        return np.concatenate([y[n:], total / contacts.masses])

    whole = (times[0], times[-1])
    with np.errstate(over="ignore"):  # in its search for steps of differences
        run = solve_ivp(slope, whole, np.concatenate([x, v]), "Radau", times, rtol=1e-8, atol=1e-10)
    assert run.success
    return np.asarray(run.y.T)
