"""`saltus explain --modes`: the visited modes, what was fixed, and their equations."""

from __future__ import annotations

from pathlib import Path

import pytest
from changing_programs import switched_off

import saltus
from saltus.show.listings.visited import LISTED, modes_text
from saltus.tools.cli import main

LIMITER = """model Limiter
  parameter Real high = 1;
  Real x = 2*sin(time), area(start = 0, fixed = true);
  Real y;
equation
  y = if x > high then high else x;
  der(area) = y;
  annotation(experiment(StopTime = 3));
end Limiter;
"""


def command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


@pytest.fixture
def limiter(tmp_path: Path) -> str:
    path = tmp_path / "Limiter.mo"
    path.write_text(LIMITER)
    return str(path)


def test_the_listing_of_a_limiter(limiter: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("explain", limiter, "--modes") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["MODES OF Limiter from time 0 to 3", "  2 modes, 3 stays"]
    timeline = [line.split() for line in lines[5:8]]
    assert [row[2] for row in timeline] == ["1", "2", "1"]
    assert float(timeline[1][0]) == pytest.approx(0.5235987756, abs=1e-5)  # asin(1/2)
    first, second = lines.index("MODE 1"), lines.index("MODE 2")
    assert [line.split(maxsplit=1)[1] for line in lines[first + 2 : first + 5]] == [
        "not x > high  Limiter.mo:6",
        "none: the equations keep all branches",
        "1: area",
    ]
    assert "    [der(area)] = y" in lines[first:second]
    assert lines[second + 2].split() == ["guards", "x", ">", "high", "Limiter.mo:6"]
    assert lines[-1] == "  equations as in mode 1"


def test_options_of_the_run_are_taken(limiter: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("explain", limiter, "--modes", "--set", "high=3", "--stop-time", "1") == 0
    out = capsys.readouterr().out
    assert "from time 0 to 1\n  1 mode, 1 stay\n" in out and "TIMELINE" not in out


def test_a_run_that_fails_is_listed_as_far_as_it_came(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "Ends.mo"
    path.write_text(
        "model Ends Real x(start = 0, fixed = true); equation der(x) = if time > 0.25 then 2 else 1;"
        ' assert(x < 1, "too far"); end Ends;'
    )
    assert command("explain", str(path), "--modes", "--quiet") == 3
    streams = capsys.readouterr()
    assert "2 modes, 2 stays" in streams.out and "too far" in streams.err


@pytest.mark.parametrize("others", [["--events"], ["--no-run"]])
def test_what_goes_not_together(others: list[str], limiter: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("explain", limiter, "--modes", *others) == 2
    assert "error[E501]" in capsys.readouterr().err


def test_what_was_fixed_and_what_is_open() -> None:
    text = modes_text(switched_off())
    closed, opened = text.split("MODE 1\n")[1].split("\n\nMODE 2\n")
    assert "states          1: i" in closed and "open            nothing" in closed
    assert "fixed           open: " in opened and "states          none" in opened
    assert "index           2" in opened and "open            1: u" in opened
    assert "[i] = 0.0" in opened and "equations as in mode" not in opened
    assert "visited twice, 2 s in all" in closed and "visited once, 2 s in all" in opened


def test_many_modes_are_cut_and_told() -> None:
    result = saltus.load(
        "model M Integer n(start = 0, fixed = true); Real x(start = 0, fixed = true); equation"
        " when sample(0.01, 0.01) then n = pre(n) + 1; end when; der(x) = if n == 7 then 1 else 0; end M;"
    ).simulate(stop_time=0.555)
    text = modes_text(result)
    assert text.startswith("MODES OF M from time 0 to 0.555\n  56 modes, 56 stays\n")
    assert text.count("\nMODE ") == LISTED and text.endswith("... and 16 modes more\n")
