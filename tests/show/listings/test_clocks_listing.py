"""`saltus explain --clocks`."""

from __future__ import annotations

from pathlib import Path

import pytest

from saltus.tools.cli import main

MODEL = """
model Rates
  Clock c = Clock(Clock(1, 10), "ExplicitEuler");
  Real x(start = 0, fixed = true), y, n(start = 0);
  parameter Real T = 0.5;
  Real a = sample(time, Clock(T)), b = superSample(a, 3);
equation
  when c then
    der(x) = 1;
  end when;
  y = shiftSample(x, 1, 3);
  when Clock(time > 0.5) then
    n = previous(n) + 1;
  end when;
end Rates;
"""


def explained(path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, list[str]]:
    with pytest.raises(SystemExit) as ended:
        main(["explain", str(path), *options])
    return int(ended.value.code or 0), capsys.readouterr().out.splitlines()


def test_partitions_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "Rates.mo"
    file.write_text(MODEL)
    status, lines = explained(file, capsys, "--clocks")
    assert status == 0
    assert lines[0] == "CLOCKS OF Rates"
    heads = [line.partition("  ")[2] for line in lines if line.startswith("BASE")]
    assert sorted(heads) == [
        "Clock(1, 10), rational interval, Rates.mo:3",
        "Clock(T), Real interval, Rates.mo:6",
        "Clock(time > 0.5), event, Rates.mo:12",
    ]
    text = "\n".join(lines)
    assert "every 1/10 s" in text and "2 equations, ExplicitEuler: x" in text
    assert "every 1/10 s, first at 1/30 s" in text
    assert "every 1/3 intervals" in text


def test_two_listings_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "Rates.mo"
    file.write_text(MODEL)
    assert explained(file, capsys, "--clocks", "--solved")[0] == 2


def test_a_model_without_clocks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "M.mo"
    file.write_text("model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;")
    status, lines = explained(file, capsys, "--clocks")
    assert status == 0 and "no clock partitions" in lines[2]
