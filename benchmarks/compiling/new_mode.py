"""The program of one more mode: from the guards that have changed to native code.

A ladder of coils and capacitors with 20 ideal diodes across the first of them: 502 equations after alias
elimination. A diode that conducts takes a state away, so each of the 2^20 modes has equations of its own. One
program could follow them, since the diodes are components by themselves; here it must not, so each mode has
its program, as modes have that leave something undetermined. A run with a growing source lets one diode after
the other conduct; the time of every new program is that of analysis, emission and compilation, without the
disk cache.
"""

from __future__ import annotations

import os
from statistics import median
from time import process_time
from typing import Any

import saltus
from benchmarks.measure import report
from saltus.programs import Programs

CELLS, DIODES = 70, 20


def ladder(cells: int, diodes: int) -> str:
    """The model's text."""
    lines = ["model Ladder", "  parameter Real L = 1e-3, C = 1e-6, R = 10, V = 10;", "  Real source;"]
    for k in range(cells):
        lines.append(f"  Real i{k}(start = 0, fixed = true), v{k}(start = 0, fixed = true);")
        # Of the coil; into the capacitor; lost; power.
        lines.append(f"  Real u{k}, c{k}, r{k}, p{k};")
        if k < diodes:
            lines.append(f"  Real d{k}, s{k}; Boolean off{k};")
    lines += ["equation", "  source = V*sin(314*time);"]
    for k in range(cells):
        before, after = (f"v{k - 1}" if k else "source"), (f"i{k + 1}" if k + 1 < cells else "0")
        lines += [
            f"  u{k} = {before} - v{k} - R*i{k};",
            f"  L*der(i{k}) = u{k};",
            f"  C*der(v{k}) = c{k};",
            f"  r{k} = v{k}/R;",
            f"  p{k} = u{k}*i{k} + v{k}*r{k};",
            f"  c{k} = i{k} - {after} - r{k}{f' - d{k}' if k < diodes else ''};",
        ]
        if k < diodes:
            lines += [
                f"  off{k} = s{k} < 0;",
                f"  v{k} = if off{k} then s{k} else 0;",
                f"  d{k} = if off{k} then 0 else s{k};",
            ]
    return "\n".join([*lines, "end Ladder;", ""])


class _Timed(Programs):
    """Programs that are timed as they are made. Processor time: others may use the machine, too."""

    def __init__(self, other: Programs) -> None:
        self.__dict__.update(other.__dict__)
        self.seconds: list[float] = []

    def following(self, *_: object, **__: object) -> None:
        """Every mode has a program of its own, as those have that one program cannot follow."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        known, began = len(self), process_time()
        found = super().__call__(*args, **options)
        if len(self) > known:
            self.seconds.append(process_time() - began)
        return found


def run() -> None:
    before = os.environ.get("SALTUS_CACHE")
    os.environ["SALTUS_CACHE"] = "off"
    try:
        model = saltus.load(ladder(CELLS, DIODES))
        programs = _Timed(model._translation.programs)
        model._translation.programs = programs
        model.simulate(stop_time=0.02)
    finally:
        if before is None:
            del os.environ["SALTUS_CACHE"]
        else:
            os.environ["SALTUS_CACHE"] = before
    equations = len(model.structure.model.equations)
    made = [1e3 * seconds for seconds in programs.seconds]
    middle = median(made)
    measured = f"{middle:.0f} ({len(made)} modes, from {min(made):.0f} to {max(made):.0f})"
    report(f"one more mode of {equations} equations, milliseconds", measured, "below 200", middle < 200)
