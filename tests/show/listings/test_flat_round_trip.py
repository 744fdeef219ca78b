"""The flat text of every example is Modelica: read again, it gives the same trajectories."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import saltus
from saltus.show.listings.flat import flat_text, identifier

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.mo"))


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 10


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_flat_text_simulates_to_the_same(path: Path) -> None:
    model = saltus.load(path)
    again = saltus.load(flat_text(model.flat))
    first, second = model.simulate(), again.simulate()
    assert again.experiment == model.experiment
    np.testing.assert_allclose(second.time, first.time, rtol=1e-12)
    for name in first.names:
        size = np.max(np.abs(first[name])) + 1e-300
        np.testing.assert_allclose(second[identifier(name)], first[name], atol=1e-9 * size, err_msg=name)
    # A second printing differs only in the quotes around names, which are now part of them.
    assert len(flat_text(again.flat).splitlines()) == len(flat_text(model.flat).splitlines())
