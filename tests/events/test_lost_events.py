"""No event is stepped over: random models whose residues are known in closed form, see `tools/lost_events`.

Models, methods and tolerances are those of a seed. `python -m tools.lost_events --seed 7 --models 10000`
tries others.
"""

from __future__ import annotations

import pytest
from tools.lost_events.campaign import Campaign, run
from tools.lost_events.families import FAMILIES
from tools.lost_events.report import summary

#: Models of each family; of some fewer, since their truth takes long to compute.
MODELS = 200
FEWER = {"balls": 100, "circuits": 60, "extrema": 120}


@pytest.mark.parametrize("family", FAMILIES)
def test_no_event_is_lost(family: str) -> None:
    models = FEWER.get(family, MODELS)
    records = run(Campaign(seed=1, models=models, families=(family,)))
    assert sum(r.excursions for r in records) > models
    assert not [r for r in records if r.faults], "\n" + summary(records, 20)
