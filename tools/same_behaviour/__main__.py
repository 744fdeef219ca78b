"""The command line: records what a version of Saltus does, or compares two recordings."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import tools.same_behaviour
from tools.long_runs.time_limited import TimeLimited
from tools.same_behaviour.case import Case, chosen
from tools.same_behaviour.compare import compared, table
from tools.same_behaviour.perform import Job, late, perform

#: Cases for which a process is used, and between two lines of progress.
TOGETHER = 100


def record(
    cases: Sequence[Case], folder: Path, source: Path, *, workers: int = 1, seconds: float = 120.0
) -> int:
    """Keeps what comes of the cases; how many took too long."""
    groups = [cases[k : k + TOGETHER] for k in range(0, len(cases), TOGETHER)]
    began, missed = perf_counter(), 0
    os.environ["PYTHONUTF8"] = "1"  # of the processes that carry out the cases
    with TemporaryDirectory(prefix="same-cache-") as cache:
        jobs = [[Job(case, source.resolve(), Path(cache)) for case in group] for group in groups]
        for k, told in enumerate(TimeLimited(perform, late, seconds, workers).run(jobs), 1):
            path = folder / told.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(told.packed)
            if told.is_late:
                missed += 1
                print(f"late: {told.path}", flush=True)
            if k % TOGETHER == 0 or k == len(cases):
                print(f"{k} of {len(cases)} cases, {perf_counter() - began:.0f} s: {told.path}", flush=True)
    return missed


def _record(given: argparse.Namespace) -> int:
    from tools.same_behaviour.cases import SOURCE, all_cases, chosen_cases

    source = SOURCE if given.source is None else given.source
    if not (source / "saltus" / "__init__.py").is_file():
        print(f"there is no saltus in {source}", file=sys.stderr)
        return 2
    if given.folder.exists() and any(given.folder.iterdir()):
        print(f"{given.folder} is not empty", file=sys.stderr)
        return 2
    cases = all_cases()
    cases = chosen_cases(cases, chosen([case.path for case in cases], given.words))
    return 1 if record(cases, given.folder, source, workers=given.workers, seconds=given.seconds) else 0


def _compare(given: argparse.Namespace) -> int:
    verdicts = compared(given.old, given.new, given.words)
    if not verdicts:
        print("there is nothing to compare", file=sys.stderr)
        return 2
    print(table(verdicts))
    others = [v for v in verdicts if v.verdict != "same"]
    for verdict in others:
        print(verdict)
    return 1 if others else 0


def main(arguments: list[str]) -> int:
    """Does what is asked for; 1 if something is not the same, or not known."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.same_behaviour",
        description=tools.same_behaviour.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True)
    recording = commands.add_parser("record", help="keeps what comes of every case")
    recording.add_argument("folder", type=Path, help="empty, or not there yet")
    recording.add_argument("words", nargs="*", help="parts of the kinds or names of cases")
    recording.add_argument("--source", type=Path, help="a folder with a package saltus in it")
    recording.add_argument("--workers", type=int, default=1, help="processes")
    recording.add_argument("--seconds", type=float, default=120.0, help="for one case")
    recording.set_defaults(work=_record)
    comparing = commands.add_parser("compare", help="says what differs between two recordings")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("words", nargs="*", help="parts of the kinds or names of cases")
    comparing.set_defaults(work=_compare)
    given = parser.parse_args(arguments)
    status: int = given.work(given)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
