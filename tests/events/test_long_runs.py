"""Shipped models at several times their length: as many events as with short steps, and every row obeys.

A few of those that `python tools/long_runs.py shipped` runs, with all methods and lengths, in an hour."""

from __future__ import annotations

import pytest

from long_runs import Job, do

#: Something fast beside something slow, modes that change, events that time does not tell.
MODELS = {
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


@pytest.mark.parametrize("method", ["bdf", "rk45"])
@pytest.mark.parametrize("name", MODELS)
def test_as_many_events_as_with_short_steps(name: str, method: str) -> None:
    row = do(Job("shipped", f"Saltus.Examples.{name}", MODELS[name], method))
    assert row.is_well, str(row)
    assert row.expected > 0
