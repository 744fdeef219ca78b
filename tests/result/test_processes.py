"""Models and results go from process to process, and threads do not disturb each other."""

from __future__ import annotations

import math
import multiprocessing
import pickle
import threading
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import saltus

# A capacitor charged through an ideal diode: it follows the source, and keeps the voltage of the peak.
PEAK = """model Peak
  parameter Real V = 1, R = 0.01;
  Real source = V*sin(time), u(start = 0, fixed = true), i, s;
  Boolean off = s < 0;
equation
  source - u = R*i + (if off then s else 0);
  i = if off then 0 else s;
  der(u) = i;
  annotation(experiment(StopTime = 6));
end Peak;"""


def last(model: saltus.Model, value: float) -> float:
    return float(model.simulate(set={"V": value})["u"][-1])


def test_a_pool_gives_what_one_process_gives() -> None:
    model = saltus.load(PEAK)
    values = [0.02 * k for k in range(1, 101)]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(last, [model] * len(values), values, chunksize=25))
    assert found == [last(model, value) for value in values]
    assert found == pytest.approx(values, rel=1e-2)  # the peak of each source


def test_a_model_from_a_file_means_that_file_in_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "Peak.mo").write_text(PEAK)
    monkeypatch.chdir(tmp_path)
    packed = pickle.dumps(saltus.load("Peak.mo"))
    monkeypatch.chdir(tmp_path / "there")
    assert pickle.loads(packed).name == "Peak"


def test_a_result_survives_with_all_that_is_known_of_it() -> None:
    """Events and modes are decoded from records, for which the equations are needed."""
    result = saltus.load(PEAK).simulate(steps=True)
    again: saltus.Result = pickle.loads(pickle.dumps(result))
    for name in (*result.names, "time", "der(u)", "V"):
        assert np.array_equal(again[name], result[name], equal_nan=True)
    assert repr(again) == repr(result) and repr(again.events) == repr(result.events)
    assert repr(again.modes) == repr(result.modes) and repr(again.steps) == repr(result.steps)
    assert again.statistics == result.statistics and again.parameters == result.parameters


def test_expressions_are_those_that_are_there() -> None:
    structure = saltus.load(PEAK).structure
    again = pickle.loads(pickle.dumps(structure))
    symbols = [v.symbol for v in again.model.variables()]
    assert [s.name for s in sorted(symbols)] == [
        s.name for s in sorted(v.symbol for v in structure.model.variables())
    ]
    assert not {id(s) for s in symbols} & {id(v.symbol) for v in structure.model.variables()}


def test_threads_that_share_a_model() -> None:
    """Each has another source: the time constant of the charge is 10 ms, so that the peak is kept."""
    model, found = saltus.load(PEAK), {}

    def work(value: float) -> None:
        found[value] = last(model, value), last(saltus.load(PEAK), value)

    threads = [threading.Thread(target=work, args=(value,)) for value in (1.0, 2.0, 3.0, 4.0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for value, (shared, own) in found.items():
        assert shared == own == last(model, value)
        assert math.isclose(own, value, rel_tol=1e-2)
    assert len(found) == 4
