"""Runs whose instructions are counted (`tools.instructions`): here they are only run, without callgrind."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from tools.instructions.__main__ import HERE, row
from tools.instructions.cases import CASES, Case


def told_of(case: Case, folder: Path) -> dict[str, object]:
    """What the process of a case prints."""
    command = [sys.executable, HERE / "counted.py", json.dumps(asdict(case))]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    told: dict[str, object] = json.loads(done.stdout)
    return told


def test_a_run_tells_its_steps_and_events(tmp_path: Path) -> None:
    told = told_of(replace(CASES["begin"], repeats=1, before=1), tmp_path)
    assert set(told) == {"steps", "events"}


def test_a_model_that_a_version_refuses_is_told(tmp_path: Path) -> None:
    told = told_of(Case("model M\n  Real x = y;\nend M;\n", {}), tmp_path)
    assert str(told["refused"]).startswith("E201")


@pytest.mark.parametrize(
    "before, old, now, new, cells",
    [
        (2_000_000, {"steps": 3}, 1_000_000, {"steps": 3}, "2.00 | 1.00 | 0.500 | 3"),
        (2_000_000, {"steps": 3}, 3_000_000, {"steps": 9}, "2.00 | 3.00 | 1.500 | 3 and now 9"),
        (0, {"refused": "E410: no"}, 1_000_000, {"steps": 3}, "E410: no | 1.00 |  | 3"),
    ],
)
def test_a_row_compares_both(before, old, now, new, cells) -> None:
    assert row(before, old, now, new) == cells
