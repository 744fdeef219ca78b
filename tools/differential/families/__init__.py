"""The models, by family: each draws a case from random numbers.

circuits   networks of resistors, coils, capacitors, sources, ideal diodes and switches
friction   masses, springs and dampers with dry friction, written in several ways
impacts    bodies that bounce off floors, tables and each other, or hang on ropes
logic      timers, ramps with hysteresis, flip-flops, counters, chains of events at one instant
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tools.differential.case import Case
from tools.differential.draw import Draw
from tools.differential.families.circuits import circuit
from tools.differential.families.friction import friction
from tools.differential.families.impacts import impacts
from tools.differential.families.logic import logic

FAMILIES: Mapping[str, Callable[[Draw], Case]] = {
    "circuits": circuit,
    "friction": friction,
    "impacts": impacts,
    "logic": logic,
}
