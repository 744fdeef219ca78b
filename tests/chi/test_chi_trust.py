"""The examples in chi by all methods: no row contradicts a relation, and all methods see the same events."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from chi_examples import EXAMPLES
from tools.obedience.judge import violations

import saltus
from saltus.tools.cli import main

METHODS = ("bdf", "rk45", "ida")


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.chi")), ids=lambda path: path.stem)
def test_all_methods_see_the_same_events(path: Path) -> None:
    model = saltus.load(path)
    found = [model.simulate(method=method) for method in METHODS]
    for result in found:
        assert violations(result, 1e-8) == []
        assert not result.interrupted and list(result.warnings) == []
    times = [[event.time for event in result.events] for result in found]
    for other in times[1:]:
        # The valve of the batch plant closes where the level falls with less than 0.1 mm/s.
        np.testing.assert_allclose(other, times[0], atol=2e-4 if path.stem == "BatchPlant" else 2e-5)


def test_parameters_come_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A process that no experiment gives values."""
    values = {"A": 0.1, "h0": 0.3, "hset": 0.8, "hhys": 0.2, "k": 1e-4, "Qset": 0.02}
    given = [part for name, value in values.items() for part in ("--set", f"{name}={value}")]
    path = EXAMPLES / "papers" / "TCD1.chi"
    with pytest.raises(SystemExit) as ended:
        main(["simulate", str(path), "--model", "TCD1", *given])
    assert not ended.value.code
    level = saltus.load(path, model="Low").simulate()["h"][-1]
    line = next(line for line in capsys.readouterr().out.splitlines() if line.split("=")[0].strip() == "h")
    assert float(line.split("=")[1]) == pytest.approx(level, rel=1e-8)
