"""Histories of whole runs: the two back ends, saving, listings."""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.emit.python.python import python_machine
from saltus.run import simulate
from saltus.run.course.course import Course
from saltus.run.past.histories import Histories, SavedHistory
from saltus.show.listings.dump import hybrid_text
from saltus.show.listings.flat import flat_text

MODEL = """model M
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), a, b, c, out0, out1;
equation
  der(x) = -a;
  der(y) = 0.7;
  a = delay(x, 0.8);
  b = delay(if x > 0.2 then 1 else x, 0.3 + 0.1*x, 1);
  c = a + 0.5*delay(c, 0.4);
  (out0, out1) = spatialDistribution(x, 2, y, true, {0, 0.4, 0.4, 1}, {1, 2, 3, 4});
end M;"""


@pytest.fixture
def finished(monkeypatch: pytest.MonkeyPatch) -> Course:
    """A run that is over, with everything it held."""
    runs: list[simulate._Run] = []
    close = simulate._Run.close

    def keep(run: simulate._Run) -> None:
        runs.append(run)
        close(run)

    monkeypatch.setattr(simulate._Run, "close", keep)
    saltus.load(MODEL).simulate(stop_time=3.3)
    return runs[0].course


def test_both_back_ends_read_the_same_histories(finished: Course) -> None:
    """All values of a run's last moment, and of some moments before it, computed again in Python."""
    native = finished.engine.machine
    python = python_machine(native.program)
    for ago in (0.0, 0.013, 0.2):
        native.memory[0] = 3.3 - ago
        python.memory[:] = native.memory
        for routine in ("outputs", "remembered", "relations", "evaluate"):
            assert native.routines[routine]() == python.routines[routine]() == 0
            assert np.allclose(python.memory, native.memory, rtol=1e-9, atol=1e-9), routine


def test_what_is_saved_is_restored(finished: Course) -> None:
    histories = finished.histories
    saved = histories.save()
    assert len(saved) == 4 and isinstance(saved[0], SavedHistory)
    assert len(saved[0].panels) > 5
    engine = finished.engine
    other = Histories(engine.memory, finished.settings)
    other.attach(engine.memory, engine.machine)
    other.restore(saved)
    before = engine.memory.array.copy()
    engine.continuous.compute()
    assert np.array_equal(engine.memory.array, before)  # the handles lead to the others now
    for one, same in zip(saved, other.save(), strict=True):
        assert np.array_equal(one.panels, same.panels) and np.array_equal(one.segments, same.segments)


def test_listings_show_what_is_remembered() -> None:
    model = saltus.load(MODEL)
    text = hybrid_text(model.hybrid)
    assert "delays:\n  $delay1.history: $delay1.input, 0.8 ago\n" in text
    assert "transports:\n  $transport1.history: $transport1.in0 from 0, $transport1.in1 from 1" in text
    assert "a = $delay1" in text


def test_the_flat_model_can_be_read_again() -> None:
    flat = flat_text(saltus.load(MODEL).flat)
    assert "  a = delay(x, 0.8);" in flat
    assert "  (, out1) = spatialDistribution(x, 2, y, true, {0, 0.4, 0.4, 1}, {1, 2, 3, 4});" in flat
    once, again = (saltus.load(text).simulate(stop_time=2) for text in (MODEL, flat))
    for name in ("x", "a", "b", "c", "out0", "out1"):
        assert np.array_equal(once[name], again[name]), name
