"""What it costs to look into every step: evaluations of residues a step.

The models are those of other benchmarks, and one without relations, which must cost nothing. Some evaluations
locate events, about ten each, whatever is done to find them; the rest verify panels: two a panel, or one
where all residues are far from zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import saltus
from benchmarks.measure import best_of, report
from benchmarks.running import bounces, buck, ideal, rectifier, thermostats

SMOOTH = """
model Smooth "no relation"
  Real x(start = 2, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = 100*(1 - x^2)*y - x;
end Smooth;
"""

Run = Callable[[], saltus.Result]


def _runs() -> Iterator[tuple[str, Run]]:
    def of(model: saltus.Model, stop: float, tolerance: float, method: str = "bdf", **values: float) -> Run:
        return lambda: model.simulate(
            stop_time=stop, interval=stop, tolerance=tolerance, method=method, set=values
        )

    rooms = saltus.load(thermostats.THERMOSTATS)
    yield "thermostats", of(rooms, thermostats.STOP, thermostats.TOLERANCE)
    bridge = saltus.load(rectifier.RECTIFIER)
    yield "six-pulse rectifier", of(bridge, rectifier.STOP, 1e-6)
    converter = saltus.load(buck.BUCK)
    yield "buck", of(converter, buck.PERIODS * buck.PERIOD, buck.TOLERANCE)
    ball = saltus.load(bounces.EXAMPLE)
    yield "bounces", of(ball, bounces.time_of(1000), bounces.TOLERANCE, c=bounces.C)
    ideal_buck = saltus.load(ideal.BUCK.format(leak="0"))
    yield "ideal buck", of(ideal_buck, 0.1, 1e-6, "auto")
    ideal_bridge = saltus.load(ideal.BRIDGE.format(leak="0"))
    yield "ideal bridge", of(ideal_bridge, 2.0, 1e-6, "auto")
    smooth = saltus.load(SMOOTH)
    yield "no relations", of(smooth, 1000.0, 1e-6)


def run() -> None:
    for name, simulate in _runs():
        result = simulate()
        counted = result.statistics
        looks, steps, events = counted.get("residue_evaluations", 0), counted["steps"], counted["events"]
        seconds = best_of(3, simulate)
        measured = (
            f"{looks / steps:.2f} evaluations of residues a step ({steps:,} steps, {events:,} events, "
            f"{seconds * 1e3:.1f} ms)"
        )
        if name == "no relations":
            report(f"verification, {name}", measured, "none", looks == 0)
        else:
            print(f"verification, {name}: {measured}", flush=True)
