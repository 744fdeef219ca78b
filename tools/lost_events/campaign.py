"""Many models, in several processes."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from time import monotonic

from tools.lost_events.families import FAMILIES
from tools.lost_events.trial import METHODS, Record, Trial, recorded


@dataclass(frozen=True)
class Campaign:
    """Which models are tried, and how: the families take turns."""

    seed: int = 1
    models: int = 1000
    first: int = 0
    families: Sequence[str] = tuple(FAMILIES)
    methods: Sequence[str] = METHODS
    tolerance: float | None = None
    steps: float | None = None
    seconds: float | None = None
    workers: int = 1

    def trials(self) -> list[Trial]:
        count = len(self.families)
        return [
            Trial(self.families[i % count], self.seed, self.first + i // count, self.methods,
                  self.tolerance, self.steps)
            for i in range(self.models)
        ]  # fmt: skip


def run(campaign: Campaign) -> list[Record]:
    """Tries all models, or as many as there is time for, in the order of their numbers."""
    if campaign.workers == 1:
        return _share(campaign, 0)
    with ProcessPoolExecutor(campaign.workers) as pool:
        shares = list(pool.map(_share, [campaign] * campaign.workers, range(campaign.workers)))
    records = [record for share in shares for record in share]
    return sorted(records, key=lambda r: (r.trial.number, campaign.families.index(r.trial.family)))


def _share(campaign: Campaign, worker: int) -> list[Record]:
    until = None if campaign.seconds is None else monotonic() + campaign.seconds
    records = []
    for trial in islice(campaign.trials(), worker, None, campaign.workers):
        if until is not None and monotonic() > until:
            break
        records.append(recorded(trial))
    return records
