"""The command line: tries models, prints what does not agree, and counts verdicts."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tools.differential.campaign import Campaign, run
from tools.differential.families import FAMILIES
from tools.differential.report import keep, line, summary
from tools.differential.trial import METHODS


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.differential", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", type=int, default=400, help="how many, of all families together")
    parser.add_argument("--first", type=int, default=0, help="number of the first one within its family")
    parser.add_argument("--family", action="append", choices=list(FAMILIES), metavar="NAME",
                        help=f"only this one (may be repeated): {', '.join(FAMILIES)}")  # fmt: skip
    parser.add_argument("--method", action="append", choices=METHODS, help="only this one (may be repeated)")
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="all methods for one model of N, and one by turns for the others")  # fmt: skip
    parser.add_argument("--tolerance", type=float, help="instead of random ones")
    parser.add_argument("--seconds", type=float, help="begin no further models after this time")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds that one model may take")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--keep", type=Path, metavar="FOLDER",
                        help="writes each model that went wrong, and `record.jsonl`: what is in there is not"
                        " tried again")  # fmt: skip
    parser.add_argument("--again", action="store_true", help="tries what went wrong by the record once more")
    return parser.parse_args()


def main() -> int:
    given = _arguments()
    os.environ["SALTUS_CACHE"] = "off"  # random models never come again
    campaign = Campaign(
        seed=given.seed,
        models=given.models,
        first=given.first,
        families=tuple(given.family or FAMILIES),
        methods=tuple(given.method or METHODS),
        every=given.every,
        tolerance=given.tolerance,
        seconds=given.seconds,
        limit=given.limit,
        workers=given.workers,
        record=given.keep and given.keep / "record.jsonl",
        again=given.again,
    )
    records = []
    for record in run(campaign):
        records.append(record)
        if not record.is_well:
            print(line(record), flush=True)
            if given.keep:
                keep(record, given.keep)
    print(summary(records))
    return 0 if all(record.is_well for record in records) else 1


if __name__ == "__main__":
    sys.exit(main())
