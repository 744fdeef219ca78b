"""Shipped models at several times their length: as many events as with short steps, and every row obeys.

A few of those that `python -m tools.long_runs shipped` runs, with all methods and lengths, in an hour."""

from __future__ import annotations

import pytest
from tools.long_runs.runs import Job, do
from tools.long_runs.shipped_models import EXAMPLES, shipped_models

#: Something fast beside something slow, modes that change, events that time does not tell; and how many times
#: their length.
MODELS = {
    "InductorRectifier": 20,
    "Blocks.RelayOscillation": 20,
    "Blocks.SixPulse": 20,
    "Electrical.Comparator": 20,
    "Electrical.HalfWaveRectifier": 20,
    "Electrical.SchmittTrigger": 5,
    "Fluid.HouseholdWater": 20,
    "Fluid.LevelControl": 20,
    "Fluid.TidalPond": 20,
    "Logic.Thermostat": 20,
    "Papers.Cellier2013.Slide_VariableStructureI_IdealDiode": 20,
    "Papers.Elmqvist1993.Fig5_Rectifier": 20,
    "Rotational.DryPendulum": 5,
    "Translational.JerkyBelt": 5,
}


#: Where a method fails, however short its steps are.
NOT_BY = {("Fluid.TidalPond", "ida")}


def full_name(name: str) -> str:
    (found,) = [m for m in shipped_models() if m in (str(EXAMPLES / f"{name}.mo"), f"Saltus.Examples.{name}")]
    return found


@pytest.mark.parametrize("method", ["bdf", "ida", "rk45"])
@pytest.mark.parametrize("name", MODELS)
def test_as_many_events_as_with_short_steps(name: str, method: str) -> None:
    if (name, method) in NOT_BY:
        pytest.skip("the integrator gives up, with short steps as well")
    row = do(Job("shipped", full_name(name), MODELS[name], method))
    assert row.is_well, str(row)
    assert row.expected > 0
