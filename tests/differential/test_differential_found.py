"""Models in which `tools/differential` has found something, with its solvers for truth."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tools.differential.case import Case, Truth
from tools.differential.families.circuits import Signal
from tools.differential.families.friction import Joint, Mechanism, mechanism_case
from tools.differential.families.impacts import GRAVITY, Bodies, Contact, bodies_case
from tools.differential.judge import judged

import saltus

METHODS = ("bdf", "ida", "adams", "rk45", "auto")

#: A mass slides on the ground, on a belt and along another mass, to which a free-wheel couples it: surfaces
#: are left where the free-wheel locks or lets go, which are other modes. A run went on in the old one.
BELT = Mechanism(
    [0.366, 0.825, 1.12],
    [0.0, 0.0, 0.0],
    [
        Joint("spring", "spring2", 2, 1, 0.0, 0.23),
        Joint("spring", "spring3", 3, 1, 0.0, 0.421),
        Joint("friction", "friction1", 1, 0, 0.833),
        Joint("friction", "friction2", 1, 0, 1.09, 0.0263, -0.59),
        Joint("friction", "friction3", 1, 3, 0.671),
        Joint("wheel", "wheel", 1, 3),
    ],
    [(1, Signal("2.2*sin(4.099*time + 3.07)", lambda t: 2.2 * np.sin(4.099 * t + 3.07)))],
)

#: Four frictions on one mass, two of them on belts: eight relations decide together, and four of them are
#: other at the start than presumed.
SHAFT = Mechanism(
    [0.322],
    [0.0],
    [
        Joint("friction", "friction1", 1, 0, 2.0, 0.0, 0.45),
        Joint("friction", "friction2", 1, 0, 0.774),
        Joint("friction", "friction3", 1, 0, 0.779),
        Joint("friction", "friction4", 1, 0, 3.96, 0.0, 0.29),
    ],
    [(1, Signal("5.3*sin(7.22*time)", lambda t: 5.3 * np.sin(7.22 * t)))],
)


#: A mass leaves two of its frictions at once where a lock may close as well: rows had its forces before and
#: its truths after.
LOCKED = Mechanism(
    [0.464, 0.456, 1.48],
    [0.0, 0.0, -1.32],
    [
        Joint("spring", "spring1", 1, 0, 0.0, 0.203),
        Joint("spring", "spring2", 2, 0, 0.0, 0.201),
        Joint("spring", "spring3", 3, 0, 4.44, 0.0),
        Joint("friction", "friction1", 2, 0, 1.31),
        Joint("friction", "friction2", 2, 1, 3.76),
        Joint("friction", "friction3", 3, 0, 4.04, 0.0948, 0.24),
        Joint("friction", "friction4", 2, 0, 2.19),
        Joint("lock", "lock", 2, 0, times=(2.221, 2.243)),
    ],
    [
        (1, Signal("-8.62*sin(5.066*time + 5.41)", lambda t: -8.62 * np.sin(5.066 * t + 5.41))),
        (2, Signal("7.45*sin(1.753*time)", lambda t: 7.45 * np.sin(1.753 * t))),
    ],
)

#: A mass pushes against another, by a free-wheel, which friction holds. While that slides along rest the
#: wheel cannot lock with the friction of one side, and cannot stay free with that of the other: such runs did
#: not get on.
PUSHED = Mechanism(
    [4.6, 0.318],
    [-1.49, 0.0],
    [
        Joint("spring", "spring2", 2, 0, 6.1, 0.304),
        Joint("friction", "friction1", 2, 0, 1.56),
        Joint("friction", "friction2", 1, 0, 1.84, 0.272, 0.03),
        Joint("friction", "friction3", 1, 0, 0.717),
        Joint("friction", "friction4", 2, 0, 2.96),
        Joint("wheel", "wheel", 2, 1),
    ],
    [(2, Signal("6.6", lambda t: 6.6))],
)

#: A clutch and a friction hold two masses together, and two frictions hold one of them on the ground: of
#: these four constraints two follow from the others, one of them without any term of its own. Its row
#: displaced the law of motion of a mass in the elimination, which then did not hold: 5.99 N moved nothing.
CLAMPED = Mechanism(
    [0.359, 1.87],
    [2.67, 0.0],
    [
        Joint("spring", "spring1", 1, 0, 32.1, 0.0),
        Joint("spring", "spring2", 2, 0, 1.07, 0.0),
        Joint("friction", "friction1", 1, 0, 3.05, 0.0, 0.63),
        Joint("friction", "friction2", 1, 0, 0.949),
        Joint("friction", "friction3", 2, 1, 2.93),
        Joint("friction", "friction4", 1, 0, 1.85, 0.237),
        Joint("lock", "lock", 2, 1, times=(0.612, 1.796)),
    ],
    [(2, Signal("(if time < 1.452 then 0 else 5.99)", lambda t: np.where(t < 1.452, 0.0, 5.99), (1.452,)))],
)

MECHANISMS = {
    "clamped": (CLAMPED, "curve"),
    "belt": (BELT, "sign"),
    "shaft": (SHAFT, "curve"),
    "locked": (LOCKED, "sign"),
    "pushed": (PUSHED, "sign"),
}


@cache
def _prepared(name: str) -> tuple[Case, Truth, saltus.Model]:
    case = mechanism_case(*MECHANISMS[name], 4.0)
    return case, case.truth(True), saltus.load(case.text)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("tolerance", [1e-6, 1e-9])
@pytest.mark.parametrize("name", MECHANISMS)
def test_mechanisms(name: str, tolerance: float, method: str) -> None:
    case, truth, model = _prepared(name)
    assert not truth.unsure and truth.events > (1 if name in ("pushed", "clamped") else 12)
    found = judged(case, model, method, tolerance)
    assert found.verdict == "agree", found


def _stack(masses: list[float], drags: list[float], places: list[float], speeds: list[float],
           restitutions: list[float]) -> Bodies:  # fmt: skip
    """Bodies one above the other, the lowest one above the floor."""
    contacts = [Contact(k, k - 1, 0.0, 1, e) for k, e in enumerate(restitutions, 1)]
    return Bodies(masses, places, speeds, drags, [0.0] * len(masses), GRAVITY, contacts, None)


#: What falls onto bodies that rest on each other makes all of them bounce: the lowest one was held meanwhile.
HELD = _stack([2.88, 0.82, 0.599], [0.0406, 0.0, 0.0], [2.74, 3.14, 3.39], [1.91, -0.28, -0.02],
              [0.9, 0.29, 0.89])  # fmt: skip

#: All three come to rest nearly at once: two of them did, and the third went through them.
AT_ONCE = _stack([0.873, 2.65, 0.606], [0.0206, 0.0, 0.0551], [1.22, 2.52, 3.03], [-0.36, 1.09, 0.71],
                 [0.71, 0.56, 0.42])  # fmt: skip

#: The lowest one is moved onto the floor by less than the tolerance: rows had it apart from the next one, and
#: in contact with it.
MOVED = _stack([0.473, 0.46, 1.36], [0.156, 0.0, 0.18], [0.98, 2.06, 3.07], [0.12, -1.02, -0.44],
               [0.9, 0.32, 0.86])  # fmt: skip


#: The middle one is thrown to and fro between two that meet, faster and faster, until it is out: no rest, and
#: nothing is at rest on it while it is about to be hit.
THROWN = _stack([1.33, 0.344, 1.2], [0.0, 0.0, 0.0], [1.2, 1.94, 2.98], [0.53, 0.14, 1.48],
                [0.89, 0.61, 0.21])  # fmt: skip

#: The last hop of the lowest one, lower than the band, came between two looks: it fell through the floor.
LAST_HOP = _stack([1.0, 2.35, 1.24], [0.129, 0.142, 0.0995], [0.84, 2.26, 3.28], [-0.39, 0.15, -1.45],
                  [0.24, 0.77, 0.62])  # fmt: skip

#: Between its hops on the floor, which become shorter by a plain ratio, the upper one hits the lower one:
#: a single short interval was taken for the end of the series.
HIT_BETWEEN = _stack([2.17, 0.63], [0.0, 0.0], [1.44, 2.55], [0.22, -2.0], [0.69, 0.55])

#: What rests on another that is thrown up is left in the air; a surface held it there with the truths of its
#: outer side, and it fell through.
IN_THE_AIR = _stack([0.407, 2.75, 1.63], [0.0, 0.102, 0.0], [0.89, 2.81, 3.28], [-0.56, 1.19, -1.42],
                    [0.44, 0.84, 0.9])  # fmt: skip

#: The lowest one falls onto the floor and the next one onto that at one instant: one of both was lost.
BOTH_HIT = _stack([0.509, 1.97, 0.356], [0.0, 0.197, 0.0], [0.53, 1.09, 2.64], [-1.3, 1.34, 1.21],
                  [0.42, 0.5, 0.77])  # fmt: skip

#: The two lower ones are left at rest, one on the other, with the floor within the band but not held by it.
AT_THE_EDGE = _stack([0.493, 2.62, 0.528], [0.0, 0.0, 0.0], [0.98, 2.32, 2.97], [-1.72, 0.71, 0.62],
                     [0.23, 0.81, 0.74])  # fmt: skip

#: Hops that become longer and shorter end with one that is too low to be noticed before any look at them.
UNNOTICED = _stack([3.8, 1.32], [0.389, 0.0], [1.63, 3.02], [-1.55, -0.14], [0.77, 0.62])

#: The upper one hits the lower one, which is to come to the floor next, less than a micrometre above it: that
#: was taken for a rest there.
APPROACHED = _stack([0.811, 0.403], [0.0, 0.0], [1.09, 1.31], [-0.75, 1.43], [0.68, 0.9])

#: The next but one hop is lost in errors at a loose tolerance; a try to rest there ended the run.
TRIED = _stack([1.16, 0.337], [0.0, 0.0], [1.03, 1.54], [1.45, 0.61], [0.57, 0.51])

#: The same, with an interval that is as short as the series tells by chance: but the impact is much stronger.
STRONGER = _stack([3.24, 0.967, 0.628], [0.0, 0.181, 0.0], [0.79, 1.04, 3.13], [-1.21, 1.99, 1.12],
                  [0.33, 0.26, 0.34])  # fmt: skip

#: Two impacts on the middle one follow each other within 73 ns by chance: the run ended, for want of a motion
#: after what it took for a series.
BY_CHANCE = _stack([0.946, 2.56, 0.516], [0.273, 0.0, 0.0], [0.51, 1.06, 2.6799999999999997],
                   [-0.84, -1.2, 1.73], [0.34, 0.47, 0.83])  # fmt: skip

STACKS = {
    "by chance": (BY_CHANCE, "continue"),
    "held": (HELD, "rest"),
    "at once": (AT_ONCE, "rest"),
    "moved": (MOVED, "rest"),
    "thrown": (THROWN, "rest"),
    "last hop": (LAST_HOP, "rest"),
    "hit between": (HIT_BETWEEN, "rest"),
    "in the air": (IN_THE_AIR, "continue"),
    "both hit": (BOTH_HIT, "continue"),
    "at the edge": (AT_THE_EDGE, "rest"),
    "unnoticed": (UNNOTICED, "rest"),
    "approached": (APPROACHED, "continue"),
    "tried": (TRIED, "rest"),
}

RUNS = (("bdf", 1e-7), ("bdf", 1e-9), ("ida", 1e-7), ("adams", 1e-9), ("rk45", 1e-8), ("rk45", 1e-9),
        ("auto", 1e-7))  # fmt: skip


@pytest.mark.parametrize(("bodies", "zeno"), STACKS.values(), ids=STACKS)
def test_stacks_come_to_rest(bodies: Bodies, zeno: str) -> None:
    case = bodies_case("stack", bodies, zeno, 4.0)
    truth, model = case.truth(True), saltus.load(case.text)
    assert not truth.unsure and truth.events > 20
    for method, tolerance in RUNS:
        found = judged(case, model, method, tolerance)
        if found.verdict == "tolerance":
            # A hundred impacts multiply errors by a million, but do not change where it comes to rest.
            options = {"stop_time": 4.0, "tolerance": tolerance, "method": method, **case.settings}
            result = model.simulate(**options)  # type: ignore[arg-type]
            assert all(abs(result[f"x[{k}]"][-1]) < 1e-6 for k in range(1, len(bodies.masses) + 1)), method
        else:
            assert found.verdict == "agree", (method, found)


@pytest.mark.parametrize("method", ["auto", "rk45", "bdf"])
def test_what_a_table_throws_up_leaves_it(method: str) -> None:
    """A ball leaves a table with no speed and no acceleration: its height grows by a cube, and is rounding
    for some microseconds, which was taken for a hop that had been seen. The run stood still."""
    contact, table = Contact(1, 0, 0.0, 1, 0.27), (0.158, 9.09)
    bodies = Bodies([2.02], [1.508], [-0.99], [0.0], [0.0], GRAVITY, [contact], table)
    case = bodies_case("table", bodies, "continue", 4.0)
    found = judged(case, saltus.load(case.text), method, 1e-8)
    assert found.verdict == "agree", found
    found = judged(case, saltus.load(case.text), method, 1e-7)
    assert found.verdict in ("agree", "tolerance"), found


def test_a_stronger_impact_does_not_end_a_series() -> None:
    """Compared until three bodies meet at one instant, of which no truth is known."""
    case = bodies_case("stack", STRONGER, "rest", 4.0)
    assert 0.8 < (case.truth(True).until or 0.0) < 0.9
    model = saltus.load(case.text)
    for method in METHODS:
        found = judged(case, model, method, 1e-9)
        assert found.verdict == "agree", (method, found)


#: The two lower ones have come to rest, and the upper one is on a hop that is 1e-8 high.
PARTING = _stack([0.931, 3.96, 0.801], [0.0, 0.0708, 0.0], [0.78, 1.96, 2.58], [-1.59, 0.88, 0.25],
                 [0.8, 0.9, 0.89])  # fmt: skip


@pytest.mark.parametrize("method", ["bdf", "ida"])
def test_what_parts_is_not_hit(method: str) -> None:
    """An impact closes a gap: the upper one was taken to touch, 150 bands above the others and on its way
    up, and was turned round when these were hit."""
    case = bodies_case("stack", PARTING, "continue", 4.0)
    model = saltus.load(case.text)
    options = {"stop_time": 4.0, "interval": 0.1, "tolerance": 1e-10, "method": method, **case.settings}
    result = model.simulate(**options)  # type: ignore[arg-type]
    x = [0.0 * result.time, *(result[f"x[{k}]"] for k in (1, 2, 3))]
    for k in (1, 2, 3):
        closes = (np.diff(result[f"hit[{k}]"]) > 0) & (np.diff(result.time) == 0)
        assert closes.sum() > 20
        assert np.abs(x[k] - x[k - 1])[1:][closes].max() < 5e-9  # a thousand events come before
    assert judged(case, model, method, 1e-10).verdict == "agree"


def test_margins_know_how_start_values_matter() -> None:
    """Bodies that bounce multiply a difference of 1e-9 m in one start value by a million. To scale all values
    alike changes nothing about their events, and says nothing of that."""
    places = [0.58, 1.85]
    values = []
    for off in (0.0, 1e-9):
        above = [places[0] + off, places[1]]
        bodies = _stack([1.87, 0.727], [0.166, 0.055], above, [-0.98, 0.58], [0.9, 0.71])
        case = bodies_case("stack", bodies, "rest", 4.0)
        values.append(case.truth(False).values["v[1]"])
    moved = np.abs(values[1] - values[0])
    assert 1e-4 < moved[-1] < 1e-2
    margins = case.truth(True).margins["v[1]"]
    late = moved > 1e-5
    assert (margins[late] > moved[late]).all()
