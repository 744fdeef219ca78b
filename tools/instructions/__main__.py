"""The command line: counts in two versions, and prints a table of both."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.instructions.cases import CASES, Case

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

#: Callgrind is told by requests that are nothing but odd instructions; its header has them.
SWITCH = """
#include <valgrind/callgrind.h>
void start_counting(void) { CALLGRIND_START_INSTRUMENTATION; }
void stop_counting(void) { CALLGRIND_STOP_INSTRUMENTATION; }
"""


def switch_in(folder: Path) -> Path:
    """The library that switches counting on and off."""
    source, library = folder / "switch.c", folder / "switch.so"
    source.write_text(SWITCH, encoding="ascii")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


class Counter:
    """Counts in one version: a folder that has `src`."""

    def __init__(self, version: Path, scratch: Path, switch: Path) -> None:
        self._scratch, self._switch = scratch, switch
        # What hashes decide, and threads, would make a difference.
        fixed = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(version / "src")}
        self._environment = {**os.environ, **fixed, "XDG_CACHE_HOME": str(scratch / "cache")}

    def __call__(self, case: Case) -> tuple[int, dict[str, object]]:
        """Instructions of one run, and what else there is to tell. The first process fills the cache."""
        told = [json.dumps(asdict(case))]
        plain = self._process([], told)
        if "refused" in plain:
            return 0, plain
        out = self._scratch / "callgrind.out"
        valgrind = [
            "valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={out}",
        ]  # fmt: skip
        self._process(valgrind, [*told, str(self._switch)])
        found = re.search(r"^totals: (\d+)$", out.read_text(encoding="utf-8"), re.MULTILINE)
        assert found is not None, "callgrind has counted nothing"
        return int(found[1]) // case.repeats, plain

    def _process(self, before: list[str], arguments: list[str]) -> dict[str, object]:
        command = [*before, sys.executable, str(HERE / "counted.py"), *arguments]
        done = subprocess.run(
            command, env=self._environment, cwd=self._scratch, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(command[:3])} ...: {done.stderr[-2000:]}")
        told: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
        return told


def main() -> int:
    """Prints a row for each run."""
    arguments = argparse.ArgumentParser(prog="python -m tools.instructions")
    arguments.add_argument("before", type=Path, help="a checkout of the other version")
    arguments.add_argument("--now", type=Path, default=ROOT, help="a checkout; this one if none is given")
    arguments.add_argument("--runs", nargs="*", choices=[*CASES], default=[*CASES], metavar="NAME")
    given = arguments.parse_args()
    for tool in ("valgrind", "cc"):
        if shutil.which(tool) is None:
            print(f"this needs {tool}", file=sys.stderr)
            return 2
    versions = [given.before.resolve(), given.now.resolve()]
    for version in versions:
        if not (version / "src" / "saltus").is_dir():
            print(f"there is no src/saltus in {version}", file=sys.stderr)
            return 2
    with TemporaryDirectory(prefix="instructions-") as name:
        counters = []
        switch = switch_in(Path(name))
        for k, version in enumerate(versions):
            scratch = Path(name, str(k))
            scratch.mkdir()
            counters.append(Counter(version, scratch, switch))
        print("| run | millions before | now | ratio | steps, events |")
        print("| --- | --- | --- | --- | --- |")
        for run in given.runs:
            (before, old), (now, new) = (count(CASES[run]) for count in counters)
            print(f"| {run} | {row(before, old, now, new)} |", flush=True)
    return 0


def row(before: int, old: dict[str, object], now: int, new: dict[str, object]) -> str:
    """The cells of a row: both counts or why there is none, their ratio, and steps and events."""
    ratio = f"{now / before:.3f}" if before and now else ""
    counts = ["; ".join(f"{v}" for v in told.values()) for told in (old, new) if "refused" not in told]
    same = " | ".join(dict.fromkeys(counts)).replace(" | ", " and now ")
    figures = (
        str(told["refused"]) if "refused" in told else f"{n / 1e6:.2f}"
        for n, told in ((before, old), (now, new))
    )
    return " | ".join([*figures, ratio, same])


if __name__ == "__main__":
    raise SystemExit(main())
