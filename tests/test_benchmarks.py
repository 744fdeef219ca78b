"""Benchmarks run: what they print is measured elsewhere, but nobody looks at one that has crashed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["right_hand_side", "bounces", "rectifier"])
def test_it_runs(name: str) -> None:
    """The quick ones, with all that they compare on the way."""
    command = [sys.executable, "-m", "benchmarks", name]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0 and run.stdout, run.stderr
    assert "crashed" not in run.stdout + run.stderr
