"""What an event itself costs: the driver with a clock in it.

A clock is wrapped around what happens at the instant of an event, from the left limits to the right ones
(`instant`): the choice of the mode and its entry. Told apart is what the integration of the whole model needs
because there was an event: all values at the left limits, with a look at every relation (the rest of
`event`); the restart of the integrator with the search for a first step (`restart`); the look where residues
set out to (`sides`, `probe`). Rows (`record`), which are as long as the model is large, are left out, and so
are steps, panels and the location of crossings.

The clock is the processor's, so that two readings take some nanoseconds. It is put into the driver's text
here: the driver that users run has none.
"""

from __future__ import annotations

import ctypes
import json
import platform
import re
import sys
from time import perf_counter

import saltus
from saltus.emit.driver.text import driver_text
from saltus.emit.llvm import drivers, jit
from saltus.ir.native.contract import DRIVE

#: What is clocked, and the counter of each.
_CLOCKED = {"instant": 0, "event": 1, "restart": 1, "sides": 1, "probe": 1, "record": 2}
_CYCLES, _CLOCK = "benchmark.cycles", "benchmark.clock"


def has_clock() -> bool:
    """Whether programs may read the processor's clock: elsewhere that may be an illegal instruction."""
    return platform.machine().lower() in ("x86_64", "amd64")


def clocked_text() -> str:
    """The driver, with cycles counted in three numbers: of instants, of all that events make the driver do
    (with instants, without rows), and of rows."""
    text = driver_text()
    added = [
        f"@{_CYCLES} = global [3 x i64] zeroinitializer",
        "declare i64 @llvm.readcyclecounter()",
        f"define i64 @{_CLOCK}() {{\n  %t = call i64 @llvm.readcyclecounter()\n  ret i64 %t\n}}",
    ]
    for name, counter in _CLOCKED.items():
        head = re.search(rf"define (internal )?(\w+) @{name}\(([^)]*)\) nounwind \{{", text)
        assert head is not None, name
        linkage, kind, parameters = head[1] or "", head[2], head[3]
        text = text.replace(head[0], f"define internal {kind} @inner.{name}({parameters}) nounwind {{")
        result, given = ("", "ret void") if kind == "void" else ("%r = ", f"ret {kind} %r")
        added.append(f"""
define {linkage}{kind} @{name}({parameters}) nounwind {{
  %rows = getelementptr i64, ptr @{_CYCLES}, i64 2
  %before = load i64, ptr %rows
  %began = call i64 @llvm.readcyclecounter()
  {result}call {kind} @inner.{name}({parameters})
  %ended = call i64 @llvm.readcyclecounter()
  %after = load i64, ptr %rows
  %written = sub i64 %after, %before
  %whole = sub i64 %ended, %began
  %took = sub i64 %whole, %written
  %place = getelementptr i64, ptr @{_CYCLES}, i64 {counter}
  %old = load i64, ptr %place
  %new = add i64 %old, %took
  store i64 %new, ptr %place
  {given}
}}""")
    return "\n".join([*added, text])


def per_event(path: str, first: float, last: float, repeats: int) -> tuple[float, float]:
    """Seconds for each event between two times, by the difference of runs up to there: at the instant itself,
    and for all else that it makes the driver do, rows apart. The least of some repeats."""
    vars(drivers)["driver_text"] = clocked_text
    jit.DRIVERS.drove(2 * drivers.PATIENCE)  # as a long run has it
    model = saltus.load(path)
    model.simulate(stop_time=first)  # whatever has to be compiled is compiled
    driver = jit.DRIVERS.engine(DRIVE)
    cycles = (ctypes.c_int64 * 3).from_address(driver.get_global_value_address(_CYCLES))
    clock = ctypes.CFUNCTYPE(ctypes.c_int64)(driver.get_function_address(_CLOCK))
    found: list[tuple[float, float]] = []
    for _ in range(repeats):
        counted: list[tuple[int, float, float]] = []
        for stop in (first, last):
            cycles[:] = [0, 0, 0]
            ticks, began = clock(), perf_counter()
            events = model.simulate(stop_time=stop).statistics["events"]
            second = (clock() - ticks) / (perf_counter() - began)
            instants, all_of_them, _ = cycles
            counted.append((int(events), instants / second, (all_of_them - instants) / second))
        (few, *short), (many, *long) = counted
        own, others = ((b - a) / (many - few) for a, b in zip(short, long, strict=True))
        found.append((own, others))
    return min(found)


if __name__ == "__main__":
    file, begin, end, times = sys.argv[1:]
    print(json.dumps(per_event(file, float(begin), float(end), int(times))))
