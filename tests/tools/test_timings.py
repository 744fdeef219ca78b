"""`--timings`: all that takes time is told, imports and the programs of modes by themselves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import perf_counter

import pytest

import saltus
from saltus.tools.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
TUMBLING = EXAMPLES / "TumblingBody.mo"


def told(text: str) -> dict[str, float]:
    """Seconds by step."""
    return {line.split()[0]: float(line.split()[1]) for line in text.splitlines()}


def test_a_command_tells_nearly_all_of_its_time() -> None:
    """Against a clock around the whole process: what is not told, such as the end of Python, is the least."""
    code = "from saltus.tools.cli import main; main()"
    command = [sys.executable, "-c", code, "simulate", str(TUMBLING), "--timings", "--quiet"]
    began = perf_counter()
    text = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    whole = perf_counter() - began
    seconds = told(text)
    assert next(iter(seconds)) == "imports" and list(seconds)[-2:] == ["files", "total"]
    assert seconds["imports"] > 0.05  # NumPy alone takes more
    total = seconds.pop("total")
    assert total == pytest.approx(sum(seconds.values()), abs=1e-3)
    assert total < whole


def test_programs_of_modes_are_no_part_of_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", str(TUMBLING), "--timings", "--quiet"])
    assert told(capsys.readouterr().err)["modes"] > 0.0


def test_modes_are_counted_once() -> None:
    """A model keeps the programs of its modes, so a second run makes none."""
    model = saltus.load(TUMBLING)
    assert "modes" not in model.timings
    began = perf_counter()
    first = model.simulate()
    took = perf_counter() - began
    assert first.statistics["programs"] > 1
    made = model.timings["modes"]
    assert 0.0 < made < took
    model.simulate()
    assert model.timings["modes"] - made < made


def test_translating_anew_is_no_part_of_the_run() -> None:
    """A parameter that decided the structure has the model translated again, in the same steps."""
    text = "model M parameter Integer n = 2; Real x[n](each start = 1); equation der(x) = -x; end M;"
    model = saltus.load(text)
    before = dict(model.timings)
    model.simulate(set={"n": 30})
    assert model.timings["flatten"] > before["flatten"]
    assert model.timings["compile"] > before["compile"]


def test_linearising_tells_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["linearise", str(EXAMPLES / "VanDerPol.mo"), "--timings", "--quiet"])
    assert "run" in told(capsys.readouterr().err)
