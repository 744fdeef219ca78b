"""Two runs side by side."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import saltus
from saltus.result.exchange.compare import _extremes
from saltus.result.exchange.curves import Curves
from saltus.tools.cli import main

TIMES = np.linspace(0, 10, 1001)


def curves(**values: np.ndarray) -> Curves:
    return Curves("c", TIMES, values)


def test_a_known_difference() -> None:
    """A bump of 0.03 on a sine of amplitude 1, half of whose range is 1."""
    bump = 0.03 * np.exp(-((TIMES - 4) ** 2))
    found = saltus.compare(curves(x=np.sin(TIMES)), curves(x=np.sin(TIMES) + bump))
    assert not found and len(found.different) == 1
    worst = found.differences[0]
    assert worst.largest == pytest.approx(0.03) and worst.time == pytest.approx(4)
    assert worst.relative == pytest.approx(0.03, rel=1e-3)
    assert saltus.compare(found.first, found.second, tolerance=0.031)
    assert "0 of 1 variables agree" in found.text()


def test_other_rows_make_no_difference() -> None:
    """Straight lines are the same, however often they are sampled."""
    fine = curves(x=np.where(TIMES < 5, TIMES, 10 - TIMES))
    coarse = Curves("c", np.array([0.0, 5.0, 10.0]), {"x": np.array([0.0, 5.0, 0.0])})
    assert saltus.compare(fine, coarse) and saltus.compare(coarse, fine)
    assert saltus.compare(fine, coarse).differences[0].largest < 1e-12


def step(at: float) -> Curves:
    return Curves("step", np.array([0.0, at, at, 10.0]), {"x": np.array([0.0, 0.0, 1.0, 1.0])})


def test_a_tube_allows_for_events_that_are_earlier() -> None:
    assert not saltus.compare(step(5.0), step(5.01))
    assert saltus.compare(step(5.0), step(5.01), tube=True)  # 0.02 are allowed
    assert not saltus.compare(step(5.0), step(5.03), tube=True)
    assert saltus.compare(step(5.0), step(5.03), tube=0.004)
    higher = Curves("step", step(5.0).time, {"x": 1.1 * step(5.0)["x"]})
    assert saltus.compare(step(5.0), higher, tube=True).differences[0].largest == pytest.approx(0.1)


@given(
    st.lists(st.floats(-5, 5), min_size=1, max_size=40),
    st.lists(st.tuples(st.integers(0, 39), st.integers(0, 40)), min_size=1, max_size=10),
)
def test_extremes_of_stretches(values: list[float], stretches: list[tuple[int, int]]) -> None:
    count = len(values)
    cut = [(min(a, count), min(max(a, b), count)) for a, b in stretches]
    first, past = (np.array([s[k] for s in cut]) for k in (0, 1))
    highest, lowest = _extremes(np.array(values), first, past)
    for k, (a, b) in enumerate(cut):
        if a == b:
            assert np.isnan(highest[k]) and np.isnan(lowest[k])
        else:
            assert highest[k] == max(values[a:b]) and lowest[k] == min(values[a:b])


def test_what_only_one_has_and_values_that_are_missing() -> None:
    gap = np.where(TIMES > 5, np.nan, TIMES)
    found = saltus.compare(curves(a=TIMES, b=gap, c=TIMES), curves(a=TIMES, b=TIMES, d=TIMES))
    assert found.only_first == ("c",) and found.only_second == ("d",)
    assert [d.name for d in found.different] == ["b"]
    assert saltus.compare(curves(b=gap), curves(b=gap))
    with pytest.raises(saltus.UsageError, match="no variable in common"):
        saltus.compare(curves(a=TIMES), curves(b=TIMES))
    with pytest.raises(saltus.UsageError, match="no time in common"):
        saltus.compare(step(5.0), Curves("late", np.array([20.0, 21.0]), {"x": np.zeros(2)}))


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    model = saltus.load(
        "model M parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end M;"
    )
    model.simulate().save("a.mat")
    model.simulate(tolerance=1e-9).save("b.csv")
    model.simulate(set={"k": 1.1}).save("c.nc")

    def status(*arguments: str) -> int:
        with pytest.raises(SystemExit) as ended:
            main(["compare", *arguments])
        return int(ended.value.code or 0)

    assert status("a.mat", "b.csv") == 0
    assert "2 of 2 variables agree" in capsys.readouterr().out
    assert status("a.mat", "c.nc", "--plot", "d.png") == 1
    assert Path("d.png").stat().st_size > 5000
    assert status("a.mat", "c.nc", "--variables", "x", "--tolerance", "0.2") == 0
    assert status("a.mat", "missing.csv") == 2
    assert status("a.mat", "c.nc", "--variables", "y*") == 2
    assert "there is no variable `y*`" in capsys.readouterr().err
