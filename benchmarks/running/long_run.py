"""The memory of a long run: ten million rows, of which ten variables of a thousand are stored.

A row of a thousand variables takes 8 kB, all of them 80 GB. A process of its own runs the model and writes
ten of them to a file while the run lasts; its largest resident size counts, with Python, the compiler and
all. Ten times fewer rows tell what the rows themselves take. What was written is looked at: the number of
rows, the times, and oscillations against the cosine that they are.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import saltus
from benchmarks.measure import report

ROWS = 10_000_000
OSCILLATORS, SENSORS = 10, 98
LIMIT = 500e6

#: A thousand variables: of each oscillator position, speed and what 98 sensors see of it; a counter of turns.
MODEL = f"""
model Watched "oscillators, each with many sensors"
  parameter Integer n = {OSCILLATORS}, m = {SENSORS};
  Real x[n](each start = 1, each fixed = true), v[n](each start = 0, each fixed = true), y[n, m];
  Integer turns(start = 0, fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = i*v[i];
    der(v[i]) = -i*x[i];
    for j in 1:m loop
      y[i, j] = x[i] + j*v[i];
    end for;
  end for;
  when x[1] > 0.5 then
    turns = pre(turns) + 1;
  end when;
end Watched;
"""

STORED = ["x[1]", "x[2]", "v[1]", "v[10]", "y[1,1]", "y[1,2]", "y[5,50]", "y[10,97]", "y[10,98]", "turns"]

RUN = """
import json, re, resource, sys, time
from pathlib import Path
import saltus

def memory():
    # Of this process alone: what `getrusage` tells on Linux is no less than its parent had.
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\\s*(\\d+) kB", status.read_text())[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

model = saltus.load(sys.argv[1])
rows, stored, path = int(sys.argv[2]), sys.argv[4].split(" "), sys.argv[3]
began = time.perf_counter()
result = model.simulate(stop_time=1000, interval=1000 / rows, tolerance=1e-7, store=stored, output=path)
found = {
    "seconds": time.perf_counter() - began,
    "variables": len(result.whole.names),
    "events": len(result.events),
    "memory": memory(),
}
print(json.dumps(found))
"""


def measured(rows: int, path: Path) -> dict[str, Any]:
    """A run with so many rows in a process of its own."""
    command = [sys.executable, "-c", RUN, MODEL, str(rows), str(path), " ".join(STORED)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def run(rows: int = ROWS) -> None:
    with TemporaryDirectory() as folder:
        few = measured(rows // 10, Path(folder) / "few.nc")
        for suffix in (".nc", ".csv"):
            path = Path(folder) / f"run{suffix}"
            many = measured(rows, path)
            written = path.stat().st_size
            if suffix == ".nc":
                check(path, rows)
            path.unlink()
            text = (
                f"{many['memory'] / 1e6:.0f} MB with {rows:,} rows "
                f"({few['memory'] / 1e6:.0f} MB with a tenth), "
                f"{many['variables']} variables, {many['events']} events; "
                f"{written / 1e6:.0f} MB written in {many['seconds']:.0f} s"
            )
            report(f"memory of a long run to {suffix}", text, "below 500 MB", many["memory"] < LIMIT)


def check(path: Path, rows: int) -> None:
    """What was written is right."""
    found = saltus.read_result(path)
    assert found.names == STORED and len(found.time) >= rows, found
    assert (np.diff(found.time) >= 0).all() and found.time[-1] == 1000
    error = np.abs(found["x[1]"] - np.cos(found.time)).max()
    assert error < 1e-2, error
    assert found["turns"][-1] == np.floor((1000 + np.pi / 3) / (2 * np.pi)), found["turns"][-1]
