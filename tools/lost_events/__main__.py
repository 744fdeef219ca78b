"""The command line: tries models, prints what was lost, and keeps it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.lost_events.campaign import Campaign, run
from tools.lost_events.families import FAMILIES
from tools.lost_events.report import keep, summary
from tools.lost_events.trial import METHODS


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.lost_events", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", type=int, default=1000, help="how many, of all families together")
    parser.add_argument("--first", type=int, default=0, help="number of the first one within its family")
    parser.add_argument("--class", dest="family", action="append", choices=list(FAMILIES), metavar="NAME",
                        help=f"only this family (may be repeated): {', '.join(FAMILIES)}")  # fmt: skip
    parser.add_argument("--method", action="append", choices=METHODS, help="only this one (may be repeated)")
    parser.add_argument("--tolerance", type=float, help="instead of random ones")
    parser.add_argument("--max-step", type=float, metavar="PART", help="in shortest time scales of the model")
    parser.add_argument("--seconds", type=float, help="begin no further model after this time")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="writes each model that went wrong, and a list"
    )
    parser.add_argument("--show", type=int, default=20, help="how many faults are printed")
    return parser.parse_args()


def main() -> int:
    given = _arguments()
    campaign = Campaign(
        seed=given.seed,
        models=given.models,
        first=given.first,
        families=tuple(given.family or FAMILIES),
        methods=tuple(given.method or METHODS),
        tolerance=given.tolerance,
        steps=given.max_step,
        seconds=given.seconds,
        workers=given.workers,
    )
    verdicts = run(campaign)
    print(summary(verdicts, given.show))
    if given.keep is not None:
        keep(verdicts, given.keep)
    return 1 if any(v.faults for v in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
