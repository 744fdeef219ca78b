"""The command as a shell runs it, in a process of its own: files, rows at events, event log, plot."""

from __future__ import annotations

import csv
import json
import math
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
FALL = math.sqrt(2 / 9.81)
IMPACTS = [FALL, FALL * 2.6, FALL * 3.88]  # 1 + 2*0.8, then + 2*0.64


def saltus(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "saltus.tools.cli", *arguments],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_simulate_writes_rows_and_events(tmp_path: Path) -> None:
    done = saltus(
        "simulate", str(EXAMPLES / "BouncingBall.mo"), "--stop-time", "2", "--interval", "0.1",
        "--output", "ball.csv", "--events", "ball.jsonl", "--plot", "ball.png", folder=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr

    with (tmp_path / "ball.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    times = [float(row["time"]) for row in rows]
    assert times == sorted(times)
    # 21 output points, and two rows at each event: every impact, and the ball's leaving the floor after it.
    events = [json.loads(line) for line in (tmp_path / "ball.jsonl").read_text().splitlines()]
    later = [event["time"] for event in events if event["time"] > 0]
    assert len(rows) == 21 + 2 * len(later)
    assert [t for t, before in zip(times[1:], times, strict=False) if t == before] == later
    impact_rows = [i for i in range(1, len(rows)) if rows[i]["bounces"] != rows[i - 1]["bounces"]]
    for i, impact in zip(impact_rows, IMPACTS, strict=True):
        assert times[i] == times[i - 1]
        assert abs(times[i] - impact) < 1e-6  # see test_bouncing_ball.py
        assert float(rows[i - 1]["velocity"]) < 0 < float(rows[i]["velocity"])
    assert [rows[i]["bounces"] for i in impact_rows] == ["1", "2", "3"]

    impacts = [event for event in events if event["reinitialised"]]
    assert [event["time"] for event in impacts] == [times[i] for i in impact_rows]
    for event, i in zip(impacts, impact_rows, strict=True):
        (change,) = event["reinitialised"]
        assert change["name"] == "velocity"
        assert change["new"] == float(rows[i]["velocity"])

    assert (tmp_path / "ball.png").read_bytes().startswith(b"\x89PNG")


def test_log_events_speaks_as_the_paper_does(tmp_path: Path) -> None:
    model = str(EXAMPLES / "Hysteresis.mo")
    done = saltus("simulate", model, "--stop-time", "1", "--log-events", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    log = done.stdout.splitlines()
    assert any(line.startswith("Expression") and "is initially" in line for line in log)
    # asin(0.5)/2 = 0.2618: u passes 0.5 there.
    became = [line for line in log if "became" in line]
    assert became and "0.2617" in became[0] and "(> 0)" in became[0]
    assert any(line.startswith("Variable y changed to 1") for line in log)
    assert "Iterating to find consistent restart conditions." in log
    assert "Continuing after event." in log


def test_a_class_of_a_library_by_its_name(tmp_path: Path) -> None:
    """`saltus simulate CLASS --library DIR`, with a package that is a folder."""
    package = tmp_path / "libraries" / "Lib"
    package.mkdir(parents=True)
    (package / "package.mo").write_text("package Lib\nend Lib;\n")
    (package / "Decay.mo").write_text(
        "within Lib;\nmodel Decay\n  parameter Real k = 1;\n  Real x(start = 1, fixed = true);\n"
        "equation\n  der(x) = -k*x;\nend Decay;\n"
    )
    done = saltus(
        "simulate", "Lib.Decay", "--library", "libraries", "--set", "k=2", "--tolerance", "1e-8",
        "--output", "decay.csv", folder=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    last = (tmp_path / "decay.csv").read_text().splitlines()[-1].split(",")
    assert float(last[0]) == 1
    assert abs(float(last[1]) - math.exp(-2)) < 1e-6  # a hundred steps at 1e-8
