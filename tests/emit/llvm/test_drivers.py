"""The driver at two levels of care: which one runs get, and that they make no difference to results."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import saltus
from saltus.emit.driver.text import driver_text
from saltus.emit.llvm import drivers, jit
from saltus.emit.llvm.drivers import PATIENCE, Drivers
from saltus.emit.llvm.object_code import Care, object_code
from saltus.ir.native.contract import DRIVE, PASS_THROUGH

BALL = """
model Ball
  parameter Real c = 0.999;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -c*pre(v));
  end when;
end Ball;
"""

#: Two programs, between which the run goes on in native code.
RECTIFIER = """
model Rectifier
  Saltus.Electrical.Sources.SineVoltage source(V = 10, f = 50);
  Saltus.Electrical.Diode diode;
  Saltus.Electrical.Inductor coil(L = 0.02);
  Saltus.Electrical.Resistor load(R = 5);
  Saltus.Electrical.Ground ground;
equation
  connect(source.p, coil.p);
  connect(coil.n, diode.p);
  connect(diode.n, load.p);
  connect(load.n, source.n);
  connect(source.n, ground.p);
end Rectifier;
"""


class Compiler:
    """Notes what would be compiled."""

    def __init__(self) -> None:
        self.engines: list[tuple[Care, list[Care]]] = []

    def compiled(self, text: str, care: Care) -> Any:
        assert text == driver_text()
        self.engines.append((care, []))
        return self.engines[-1]

    def load(self, engine: Any, _: str, care: Care) -> None:
        engine[1].append(care)


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALTUS_CACHE", str(tmp_path / "cache"))


def made() -> tuple[Compiler, Drivers]:
    compiler = Compiler()
    return compiler, Drivers(compiler.compiled, compiler.load)


def test_short_runs_are_driven_by_quick_code_and_long_ones_by_good_code() -> None:
    compiler, found = made()
    assert not found.careful
    quick = found.engine(DRIVE)
    assert found.engine(DRIVE) is quick
    found.drove(0.5 * PATIENCE)
    assert found.engine(DRIVE) is quick
    found.drove(0.6 * PATIENCE)
    assert found.careful
    assert found.engine(DRIVE) is not quick
    assert [care for care, _ in compiler.engines] == [Care.QUICK, Care.LEAN]


def test_passages_are_loaded_once_beside_the_driver_that_they_call() -> None:
    compiler, found = made()
    found.engine(DRIVE)
    assert compiler.engines == [(Care.QUICK, [])]
    for _ in range(2):
        found.engine(PASS_THROUGH)
    found.drove(2 * PATIENCE)
    found.engine(PASS_THROUGH)
    assert compiler.engines == [(Care.QUICK, [Care.QUICK]), (Care.LEAN, [Care.LEAN])]


def test_good_code_that_is_on_the_disk_is_taken_at_once() -> None:
    object_code(driver_text(), Care.LEAN)
    compiler, found = made()
    found.engine(DRIVE)
    assert found.careful
    assert [care for care, _ in compiler.engines] == [Care.LEAN]


@pytest.mark.parametrize(("text", "stop"), [(BALL, 200.0), (RECTIFIER, 0.5)], ids=["ball", "rectifier"])
def test_results_are_the_same_to_the_bit(text: str, stop: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """With quick code, with good code, and where a run changes over after its first call."""
    monkeypatch.setenv("SALTUS_CACHE", "off")
    model = saltus.load(text)
    kept = jit.DRIVERS
    found = []
    for patience in (math.inf, -1.0, 0.0):
        monkeypatch.setattr(drivers, "PATIENCE", patience)
        monkeypatch.setattr(jit, "DRIVERS", Drivers(kept._compiled, kept._load))
        if patience < 0:
            jit.DRIVERS.drove(0.0)
        assert jit.DRIVERS.careful is (patience < 0)
        result = model.simulate(stop_time=stop, interval=stop / 5000)
        assert jit.DRIVERS.careful is (patience < math.inf)
        assert len(jit.DRIVERS._engines) == (2 if patience == 0 else 1)
        found.append((result.time, [result[name] for name in result.names], len(result.events)))
    for time, values, events in found[1:]:
        assert np.array_equal(time, found[0][0])
        assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(values, found[0][1], strict=True))
        assert events == found[0][2] > 40
