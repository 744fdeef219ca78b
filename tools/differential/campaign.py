"""Many models, in processes under a limit of time, with a record that can be gone on with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic

from tools.differential.families import FAMILIES
from tools.differential.trial import METHODS, Record, Trial, in_turn, late, recorded
from tools.long_runs.time_limited import TimeLimited

#: Models that share a process.
_GROUP = 200


@dataclass(frozen=True)
class Campaign:
    """Which models are tried, and how: the families take turns. Every model of `every` is run with all
    methods, the others with one each, by turns. What is in the record is not tried again, but for models that
    went wrong, where `again` says so. `limit` is the time that one model may take, `seconds` that
    of all together."""

    seed: int = 1
    models: int = 1000
    first: int = 0
    families: Sequence[str] = tuple(FAMILIES)
    methods: Sequence[str] = METHODS
    every: int = 1
    tolerance: float | None = None
    seconds: float | None = None
    limit: float = 120.0
    workers: int = 1
    record: Path | None = None
    again: bool = False

    def trials(self) -> list[Trial]:
        count = len(self.families)
        return [self._trial(self.families[i % count], self.first + i // count) for i in range(self.models)]

    def _trial(self, family: str, number: int) -> Trial:
        methods = in_turn(number, self.methods, self.every)
        return Trial(family, self.seed, number, methods, self.tolerance)


def run(campaign: Campaign) -> Iterator[Record]:
    """What is in the record already, then the others as they come."""
    known = read(campaign.record) if campaign.record else []
    if campaign.again and campaign.record:
        wrong = {record.key for record in known if not record.is_well}
        known = [record for record in known if record.key not in wrong]
        campaign.record.unlink(missing_ok=True)
        _append(campaign.record, known)
    done = {record.key for record in known}
    trials = [t for t in campaign.trials() if t.key not in done]
    asked = {t.key for t in campaign.trials()}
    yield from (record for record in known if record.key in asked)
    until = None if campaign.seconds is None else monotonic() + campaign.seconds
    jobs = TimeLimited(recorded, late, campaign.limit, campaign.workers)
    step = _GROUP * campaign.workers
    for begin in range(0, len(trials), step):
        if until is not None and monotonic() > until:
            return
        part = trials[begin : begin + step]
        for records in jobs.run([part[k :: campaign.workers] for k in range(campaign.workers)]):
            if campaign.record:
                _append(campaign.record, records)
            yield from records


def read(path: Path) -> list[Record]:
    """The records of a file; none if there is no file yet."""
    if not path.exists():
        return []
    return [Record(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line]


def _append(path: Path, records: Sequence[Record]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(record)) + "\n" for record in records)
