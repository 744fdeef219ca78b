"""The command line: tries every function and every medium, and prints what went wrong."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.library_functions.math_cases import math_cases
from tools.library_functions.matrix_cases import matrix_cases
from tools.library_functions.media_cases import media, tried_medium
from tools.library_functions.models import VARIANTS, tried
from tools.library_functions.outline import classes

#: What is not tried: wrappers of LAPACK, which others call, what belongs to examples and icons, what is in
#: other functions, and impure functions, which have no truth.
_LEFT_OUT = (
    ".LAPACK",
    ".Examples",
    ".Icons",
    ".Interfaces",
    ".columnNorm",
    ".quadStep",
    ".sort.",
    "mpureRandom",
)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.library_functions", description=__doc__)
    parser.add_argument("library", type=Path, help="folder that contains the package Modelica")
    parser.add_argument("--only", default="", help="names that contain this")
    parser.add_argument("--variant", action="append", choices=VARIANTS)
    parser.add_argument("--media", action="store_true", help="media only")
    parser.add_argument("--functions", action="store_true", help="functions only")
    return parser.parse_args()


def _functions(given: argparse.Namespace) -> Iterator[str]:
    cases = [c for c in (*math_cases(), *matrix_cases()) if given.only in c.function]
    for number, case in enumerate(cases, start=1):
        for variant, problem in tried(case, given.variant or VARIANTS, [str(given.library)]).items():
            if problem:
                yield f"{case.function} ({variant}, case {number}): {problem}"
    covered = {case.function for case in cases}
    for found in classes(given.library, "Modelica.Math"):
        definition = found.definition
        is_tried = definition.kind == "function" and not definition.partial
        is_left_out = any(part in found.name for part in _LEFT_OUT) or found.name in covered
        if is_tried and given.only in found.name and not is_left_out:
            print(f"no case: {found.name}", flush=True)


def _media(given: argparse.Namespace) -> Iterator[str]:
    for medium in media(given.library):
        if given.only in medium.name:
            problem = tried_medium(medium, [str(given.library)])
            if problem:
                yield f"{medium.name}: {problem}"


def main() -> int:
    given = _arguments()
    wrong = 0
    parts = [_functions] * (not given.media) + [_media] * (not given.functions)
    for part in parts:
        for line in part(given):
            wrong += 1
            print(line, flush=True)
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
