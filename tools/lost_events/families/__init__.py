"""Families of models, by name: each is a tuple of functions that draw one."""

from __future__ import annotations

from collections.abc import Callable

from tools.lost_events.cases import Case, Draw
from tools.lost_events.families import (
    balls,
    circuits,
    controllers,
    delays,
    encoders,
    oscillators,
    pulses,
    several,
    tables,
    waves,
)

FAMILIES: dict[str, tuple[Callable[[Draw], Case], ...]] = {
    "sines": waves.SINES,
    "chirps": waves.CHIRPS,
    "extrema": waves.EXTREMA,
    "drifts": waves.DRIFTS,
    "functions": waves.FUNCTIONS,
    "products": oscillators.PRODUCTS,
    "encoders": encoders.ENCODERS,
    "pulses": pulses.PULSES,
    "tables": tables.TABLES,
    "handmade": tables.HANDMADE,
    "delays": delays.DELAYS,
    "several": several.SEVERAL,
    "circuits": circuits.CIRCUITS,
    "controllers": controllers.CONTROLLERS,
    "balls": balls.BALLS,
}
