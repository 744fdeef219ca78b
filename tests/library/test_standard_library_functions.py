"""Every function of `Modelica.Math` and every medium of `Modelica.Media`, with values whose truth is known.

The library is not part of this project. With `SALTUS_MSL=FOLDER`, a folder with the package Modelica, version
4.0.0, all are tried; the cases are those of `tools/library_functions`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from tools.library_functions.judge import Case
from tools.library_functions.math_cases import math_cases
from tools.library_functions.matrix_cases import matrix_cases
from tools.library_functions.media_cases import Medium, media, tried_medium
from tools.library_functions.models import VARIANTS, VARYING, model_text, tried

LIBRARY = os.environ.get("SALTUS_MSL", "")
_WITHOUT = pytest.mark.skip(reason="SALTUS_MSL names no folder with the Modelica Standard Library")

CASES: Sequence[Case] = (*math_cases(), *matrix_cases())

#: Slices whose length a computation decides have no size at translation; constants and parameters are tried.
OPEN_SLICES = (
    "Matrices.nullSpace",
    "Matrices.continuousLyapunov",
    "Matrices.discreteLyapunov",
    "Matrices.discreteSylvester",
    "Matrices.Utilities.continuousRiccatiIterative",
    "Matrices.Utilities.discreteRiccatiIterative",
)

#: The guess for their enthalpy is that of cold water, with which formulas of these regions cannot begin.
OPEN_MEDIA = ("Modelica.Media.Water.WaterIF97_R2ph", "Modelica.Media.Water.WaterIF97_R3ph")


def _with_library(found: Iterable[object]) -> list[object]:
    return list(found) if LIBRARY else [pytest.param(None, marks=_WITHOUT)]


def _name(found: Case | Medium | str | None) -> str:
    if isinstance(found, Case):
        return found.function.removeprefix("Modelica.Math.")
    return found.name if isinstance(found, Medium) else str(found)


@pytest.mark.parametrize("variant", VARIANTS if LIBRARY else VARIANTS[:1])
@pytest.mark.parametrize("case", _with_library(CASES), ids=_name)
def test_functions(case: Case, variant: str, request: pytest.FixtureRequest) -> None:
    if variant == VARYING and case.function.endswith(OPEN_SLICES):
        request.applymarker(pytest.mark.xfail(strict=True, reason="E208: a range that varies"))
    assert tried(case, [variant], [LIBRARY]) == {variant: ""}, model_text(case, variant)


@pytest.mark.parametrize("medium", _with_library(media(Path(LIBRARY))), ids=_name)
def test_media(medium: Medium, request: pytest.FixtureRequest) -> None:
    if medium.name in OPEN_MEDIA:
        request.applymarker(pytest.mark.xfail(strict=True, reason="E406 with the guess for the enthalpy"))
    assert tried_medium(medium, [LIBRARY]) == ""


def test_there_are_many() -> None:
    assert len(CASES) > 230 and len({case.function for case in CASES}) > 100
