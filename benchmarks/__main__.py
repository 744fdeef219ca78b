"""Prints every number that Saltus promises, measured here and now, and whether it holds.

    python -m benchmarks [NAME...] [--library DIR]

Names choose among the benchmarks. DIR (or SALTUS_MSL) holds the Modelica Standard Library 4.0.0, for
the parsing numbers. Several are measured in a process each, so that none has to live with what another has
left in memory. The exit status is 0 unless a benchmark crashes: a slow machine is no error.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from benchmarks.compiling import flattening, growth, new_mode, parsing, translation
from benchmarks.measure import report
from benchmarks.running import (
    bounces,
    buck,
    chain,
    clocks,
    double_pendulum,
    fixed_steps,
    ideal,
    long_run,
    rectifier,
    right_hand_side,
    sparse_chain,
    switches,
    thermostats,
    van_der_pol,
    verification,
)


def parse(library: Path | None) -> None:
    measured = parsing.run(library)
    of = f"{measured.characters / 1e6:.1f} MB {'of the library' if library else 'made here'}"
    rate, gain = f"{measured.rate:.2f} ({of})", f"{measured.gain:.1f}"
    report("parsing, MB/s", rate, "at least 0.5", measured.rate >= 0.5)
    report("loading parsed files from the cache, times faster", gain, "at least 5", measured.gain >= 5)


def main() -> int:
    arguments = argparse.ArgumentParser(prog="python -m benchmarks")
    library = os.environ.get("SALTUS_MSL")
    all_of_them: dict[str, Callable[[], None]] = {
        "right_hand_side": right_hand_side.run,
        "van_der_pol": van_der_pol.run,
        "bounces": bounces.run,
        "thermostats": thermostats.run,
        "clocks": clocks.run,
        "rectifier": rectifier.run,
        "buck": buck.run,
        "verification": verification.run,
        "chain": chain.run,
        "double_pendulum": double_pendulum.run,
        "flattening": flattening.run,
        "translation": translation.run,
        "growth": growth.run,
        "new_mode": new_mode.run,
        "ideal": ideal.run,
        "switches": switches.run,
        "fixed_steps": fixed_steps.run,
        "sparse_chain": sparse_chain.run,
        "long_run": long_run.run,
    }
    arguments.add_argument("names", nargs="*", help=f"from {', '.join(all_of_them)}, parsing; all if none")
    arguments.add_argument("--library", type=Path, default=Path(library) if library else None)
    given = arguments.parse_args()
    all_of_them["parsing"] = lambda: parse(given.library)
    unknown = set(given.names) - set(all_of_them)
    if unknown:
        arguments.error(f"unknown: {', '.join(sorted(unknown))}")

    chosen = [name for name in all_of_them if not given.names or name in given.names]
    if len(chosen) > 1:
        folder = ["--library", str(given.library)] if given.library else []
        return max(subprocess.call([sys.executable, "-m", "benchmarks", name, *folder]) for name in chosen)
    for name in chosen:
        try:
            all_of_them[name]()
        except Exception:
            traceback.print_exc()
            print(f"{name}: crashed", file=sys.stderr, flush=True)
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
