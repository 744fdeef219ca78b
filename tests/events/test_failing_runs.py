"""Runs that fail, at the start, between events and at one: what was computed is kept, and can be read."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import RunError
from saltus.tools.cli import main

HEAD = "model M Integer n(start = 0, fixed = true); Real x(start = 1, fixed = true), y;"
COUNTED = "equation when sample(0.1, 0.1) then n = pre(n) + 1; end when; der(x) = -x;"

#: What is wrong, and when: the number of ticks that came to their end, and the last time.
FAILURES = {
    "a value right of a native event": ("y = sqrt(0.45 - 0.1*n);", 4, 0.5),
    "a value between events": ("y = sqrt(0.45 - time);", 4, 0.45),
    "an assertion at an event": ('y = 1; when n >= 5 then assert(false, "five"); end when;', 4, 0.5),
    "an assertion between events": ('y = 1; assert(time < 0.45, "late");', 4, 0.45),
    "a contradiction": ("y = if n < 5 or y > 0.5 then 0 else 1;", 4, 0.5),
}


def status(command: list[str]) -> object:
    """The exit status of a command."""
    with pytest.raises(SystemExit) as ended:
        main(command)
    return ended.value.code


@pytest.mark.parametrize("what", FAILURES)
def test_what_was_computed_before_a_failure_can_be_read(what: str, tmp_path: Path) -> None:
    equation, ticks, end = FAILURES[what]
    source = tmp_path / "M.mo"
    source.write_text(f"{HEAD} {COUNTED} {equation} end M;")
    rows, events = tmp_path / "rows.csv", tmp_path / "events.jsonl"
    command = ["simulate", str(source), "--tolerance", "1e-9", "--output", str(rows), "--events", str(events)]
    assert status([*command, "--plot-modes", str(tmp_path / "modes.png"), "--quiet"]) == 3
    told = [json.loads(line) for line in events.read_text().splitlines()]
    done = [event for event in told if any(c["name"] == "n" for c in event["changed"])]
    assert [event["changed"][0]["new"] for event in done[:ticks]] == list(range(1, ticks + 1))
    with rows.open() as file:
        table = list(csv.DictReader(file))
    times = np.array([float(row["time"]) for row in table])
    assert times[-1] == pytest.approx(end, abs=0.003)
    np.testing.assert_allclose([float(row["x"]) for row in table], np.exp(-times), rtol=1e-6)


def test_events_have_all_their_rows_in_a_partial_result() -> None:
    model = saltus.load(f"{HEAD} {COUNTED} y = sqrt(0.45 - 0.1*n); end M;")
    with pytest.raises(RunError) as error:
        model.simulate()
    partial = error.value.partial
    assert partial is not None
    assert len(partial.events) == 5  # the start, and four ticks that came to their end
    assert np.isfinite(partial["y"]).all()


@pytest.mark.parametrize(
    "fault",
    [
        "y = sqrt(-1 - time);",
        'y = 1; initial algorithm assert(false, "no");',
        "y = if y > 0.5 then 0 else 1;",
    ],
)
def test_a_run_that_does_not_start_has_no_rows_and_no_bars(fault: str, tmp_path: Path) -> None:
    source = tmp_path / "M.mo"
    source.write_text(f"{HEAD} {COUNTED} {fault} end M;")
    files = [
        *("--events", str(tmp_path / "e.jsonl")),
        *("--output", str(tmp_path / "o.csv")),
        *("--plot", str(tmp_path / "p.png")),
        *("--plot-modes", str(tmp_path / "m.png")),
    ]
    assert status(["simulate", str(source), "--quiet", "--log-events", *files]) == 3
    assert not (tmp_path / "e.jsonl").read_text()
