"""Models in which `tools/differential` has found something, with its solvers for truth."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tools.differential.case import Case, Truth
from tools.differential.families.circuits import Signal
from tools.differential.families.friction import Joint, Mechanism, mechanism_case
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


MECHANISMS = {"belt": (BELT, "sign"), "shaft": (SHAFT, "curve")}


@cache
def _prepared(name: str) -> tuple[Case, Truth, saltus.Model]:
    case = mechanism_case(*MECHANISMS[name], 4.0)
    return case, case.truth(True), saltus.load(case.text)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("tolerance", [1e-6, 1e-9])
@pytest.mark.parametrize("name", MECHANISMS)
def test_mechanisms(name: str, tolerance: float, method: str) -> None:
    case, truth, model = _prepared(name)
    assert not truth.unsure and truth.events > 30
    found = judged(case, model, method, tolerance)
    assert found.verdict == "agree", found
