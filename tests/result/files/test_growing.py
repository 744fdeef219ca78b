"""Files that grow with a run: the same bytes as if they had been written at once."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from changing_programs import switched_off

import saltus
from saltus.core.diagnostics import UsageError
from saltus.result.files.eventlog import write_events
from saltus.result.files.growing import growing_csv, growing_events
from saltus.result.result import Result

#: The same run, longer and longer: rows and events at the front are always the same.
STEPS = """
model Steps
  Integer n(start = 0, fixed = true);
equation
  when sample(0, 1) then
    n = pre(n) + 1;
  end when;
end Steps;
"""


@pytest.fixture(scope="module")
def results() -> list[Result]:
    model = saltus.load(STEPS)
    return [model.simulate(stop_time=stop, interval=0.5) for stop in (3, 7, 7, 20)]


def test_bytes_are_those_of_the_whole(results: list[Result], tmp_path: Path) -> None:
    table, events, whole = tmp_path / "out.csv", tmp_path / "events.jsonl", tmp_path / "whole"
    growing = growing_csv(table), growing_events(events)
    for result in results:
        for file in growing:
            file.update(result)
        result.to_csv(whole)
        assert table.read_bytes() == whole.read_bytes()
        write_events(result, whole)
        assert events.read_bytes() == whole.read_bytes()


def test_a_new_mode_may_bring_new_columns(tmp_path: Path) -> None:
    """The variable `w` exists only after the switch has opened: the whole file gets a column more."""
    path, whole = tmp_path / "out.csv", tmp_path / "whole"
    growing = growing_csv(path)
    growing.update(switched_off(half=True))
    assert path.read_text().splitlines()[0] == "time,i,u,load.j,open"
    growing.update(switched_off())
    switched_off().to_csv(whole)
    assert path.read_bytes() == whole.read_bytes()
    assert path.read_text().splitlines()[0] == "time,i,u,load.j,w,open"


def test_what_others_have_done_to_the_file_does_not_matter(results: list[Result], tmp_path: Path) -> None:
    path, whole = tmp_path / "events.jsonl", tmp_path / "whole"
    path.write_text("old")
    growing = growing_events(path)
    growing.update(results[0])
    assert path.read_text().count("\n") == len(results[0].records)
    path.write_text("something else")
    growing.update(results[1])
    path.unlink()
    growing.update(results[-1])
    write_events(results[-1], whole)
    assert path.read_bytes() == whole.read_bytes()


def test_a_link_stays_a_link(results: list[Result], tmp_path: Path) -> None:
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    link.symlink_to(target)
    growing_csv(link).update(results[0])
    assert link.is_symlink() and target.read_text().startswith("time,n\n")


def test_a_failure_leaves_the_file_as_it_was(results: list[Result], tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    growing = growing_events(path)
    growing.update(results[0])
    before = path.read_bytes()
    full = patch("os.fsync", side_effect=OSError(28, "No space left on device"))
    with full, pytest.raises(UsageError, match="No space left"):
        growing.update(results[-1])
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["events.jsonl"]
    growing.update(results[-1])
    assert path.read_text().count("\n") == len(results[-1].records)
