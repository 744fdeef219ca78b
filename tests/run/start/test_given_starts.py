"""Start values that are given from outside."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import saltus
from saltus.tools.cli import main

DECAY = """model Decay
  parameter Real x0 = 1;
  Real x(start = x0, fixed = true, unit = "m"), y[2](start = {1, 2}, each fixed = true), z = x;
  Real root(start = 3);
  Boolean on(start = true, fixed = true);
equation
  der(x) = -x;
  der(y) = {1, 0};
  root^2 = 8 + x;
  on = if pre(on) then x > 0.5 else x > 2;
end Decay;"""


@pytest.fixture(scope="module")
def decay() -> saltus.Model:
    return saltus.load(DECAY)


def test_a_state_begins_where_one_says(decay: saltus.Model) -> None:
    for start in (2.0, -1.0):
        result = decay.simulate(set={"x.start": start}, tolerance=1e-9)
        assert result["x"][0] == result["z"][0] == start
        assert result["x"][-1] == pytest.approx(start * math.exp(-1), rel=1e-7)
        assert result.parameters["x.start"] == start and result["x0"][0] == 1
        assert not result.warnings
    assert decay.simulate()["x"][0] == 1


def test_arrays_units_and_text(decay: saltus.Model) -> None:
    for given in (
        {"y.start": [5, 6]},
        {"y[1].start": 5, "y[2].start": 6},
        {"y.start[1]": 5, "y.start[2]": 6},
    ):
        result = decay.simulate(set=given)
        assert (result["y[1]"][0], result["y[2]"][0]) == (5, 6)
    assert decay.simulate(set={"x.start": "20 mm"})["x"][0] == pytest.approx(0.02)
    assert decay.simulate(set={"y": {"start[2]": 7}})["y[2]"][0] == 7


def test_a_boolean_begins_where_one_says(decay: saltus.Model) -> None:
    """With hysteresis: above 0.5 it stays on, but it does not go on below 2."""
    assert decay.simulate(set={"on.start": True}, stop_time=0.1)["on"][-1] == 1
    assert decay.simulate(set={"on.start": False}, stop_time=0.1)["on"][-1] == 0


def test_a_guess_chooses_the_root(decay: saltus.Model) -> None:
    assert decay.simulate(set={"root.start": -3})["root"][-1] == pytest.approx(
        -math.sqrt(8 + math.exp(-1)), rel=1e-5
    )


def test_a_start_value_that_is_not_kept_is_told() -> None:
    model = saltus.load(
        "model M Real x(start = 1); initial equation der(x) = 0; equation der(x) = 3 - x; end M;"
    )
    (warning,) = model.simulate(set={"x.start": 2}).warnings
    assert warning.code == "W408" and "`x` begins with 3, not with the start value 2" in warning.message
    assert not model.simulate(set={"x.start": 3}).warnings


def test_a_member_called_start_comes_first() -> None:
    model = saltus.load(
        """model M
          record Pulse parameter Real start = 1; Real level = 2; end Pulse;
          Pulse p; Real x = p.start;
        end M;"""
    )
    assert model.simulate(set={"p.start": 4})["x"][-1] == 4


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"y.start": [1]}, "do not fit its 2 elements"),
        ({"x.start": "3 s"}, "`s` is not a compatible unit of a value in `m`"),
        ({"on.start": 3}, "true or false"),
        ({"x.stat": 1}, "there is no parameter `x.stat`"),
        ({"w.start": 1}, "there is no parameter `w.start`"),
    ],
)
def test_start_values_that_cannot_be_given(decay: saltus.Model, given: dict[str, object], words: str) -> None:
    with pytest.raises(saltus.UsageError) as caught:
        decay.simulate(set=given)
    assert words in str(caught.value)


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("Decay.mo").write_text(DECAY)
    Path("v.toml").write_text('x.start = "200 mm"\nx0 = 7\n')
    for arguments, first in ((["--set", "x.start=1/8"], "0.125"), (["--values", "v.toml"], "0.2")):
        with pytest.raises(SystemExit) as ended:
            main(["simulate", "Decay.mo", *arguments, "--output", "-", "--quiet"])
        lines = capsys.readouterr().out.splitlines()
        assert ended.value.code == 0
        assert dict(zip(lines[0].split(","), lines[1].split(","), strict=True))["x"] == first
