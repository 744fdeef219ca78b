"""Impulses: names, signs and units, in the list, the event log and a checkpoint."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from changing_programs import switched_off

from saltus.core.diagnostics import UsageError
from saltus.result.events.impulses import Impulse, times_second
from saltus.result.files.eventlog import event_lines, write_events
from saltus.result.log.records import STATE, TIME, EventRecord, Records


def test_the_list_has_names_that_users_know() -> None:
    result = switched_off(weight=-4.0)
    assert list(result.impulses) == [Impulse(1.0, "i", -4.0, "A.s")]
    assert result.impulses.table() == [{"time": 1.0, "name": "i", "weight": -4.0, "unit": "A.s"}]
    assert repr(result.impulses).splitlines() == ["<1 impulse>", "  1             i: -4 A.s"]
    assert result.impulses.to_pandas()["weight"].tolist() == [-4.0]


def test_an_alias_has_the_impulse_with_its_sign() -> None:
    result = switched_off(weight=-4.0)
    assert result.impulses["load.j"] == [Impulse(1.0, "load.j", 4.0, "A.s")]
    assert result.impulses["i"] == list(result.impulses)
    assert result.impulses["u"] == []
    assert result.impulses.names == ["i", "load.j"]
    with pytest.raises(UsageError, match=r"load\.j"):
        result.impulses["load.i"]


@pytest.mark.parametrize(
    ("unit", "integral"),
    [("N.m", "N.m.s"), ("A", "A.s"), ("", ""), ("1", "s"), ("V/m", "V.s/m"), ("m/s", "m")],
)
def test_units(unit: str, integral: str) -> None:
    assert times_second(unit) == integral


def test_the_event_log_tells_impulses_and_changed_equations(tmp_path: Path) -> None:
    result = switched_off()
    lines = list(event_lines(result))
    assert "State i jumps from 2 to 0" in lines
    assert "Impulse of i: -4 A.s" in lines
    assert "Equations changed at time = 1: open is true; state i is given up" in lines
    assert "Equations changed at time = 3: open is false; state i is gained" in lines
    assert not any("$" in line for line in lines)
    write_events(result, tmp_path / "events.jsonl")
    start, off, on = map(json.loads, (tmp_path / "events.jsonl").read_text().splitlines())
    assert off["impulses"] == {"i": -4.0} and start["impulses"] == on["impulses"] == {}
    assert off["restructured"] == {"fixed": {"open": True}, "freed": [], "given_up": ["i"], "gained": []}
    assert on["restructured"]["gained"] == ["i"] and "restructured" not in start
    assert off["reinitialised"] == [{"name": "i", "old": 2.0, "new": 0.0}] and not on["reinitialised"]
    assert "impulse of i: -4; open is true; state i is given up" in str(result.events[1])
    row = result.events.table()[1]
    assert row["impulses"] == {"i": -4.0} and row["restructured"]["given_up"] == ["i"]


def test_a_projection_is_no_jump() -> None:
    """The state was at 2e-9 of a largest value of 2 when the new equations made it zero."""
    result = switched_off()
    closed = result.recording.parts[0]
    closed.rows.values[2, closed.columns["i"]] = 2e-9
    assert result.events[1].reinitialised == ()


def test_records_with_impulses_are_stored() -> None:
    rows = np.array([[0.0, 1.0, 0.0, 1.0]])
    impulses = (("clutch.tau", -6.0), ("größe", 0.25)), (), (("clutch.tau", 1e-3),)
    records = Records()
    for k, own in enumerate(impulses):
        records.append(EventRecord(float(k), STATE if k else TIME, (1,), (2, 3), k, k + 1, (rows, rows), own))
    again = Records()
    again.load(records.stored())
    assert [r.impulses for r in again] == list(impulses)
    assert [r[:6] for r in again] == [r[:6] for r in records]
    np.testing.assert_array_equal(again[2].rounds[1], rows)
