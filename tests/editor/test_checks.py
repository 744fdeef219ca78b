"""Checks beside the server: of the last version of each document, whatever happens to the process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from time import monotonic, sleep

import pytest

from saltus.editor.checks import Checks
from saltus.editor.findings import Finding, Job

WRONG = "model M\n  Real x = y;\nend M;\n"
RIGHT = "model M\n  Real x = 1;\nend M;\n"
#: A hundred and sixty thousand states: nobody waits for the end of this.
LARGE = "model M\n  Real x[400, 400](each start = 1);\nequation\n  der(x) = -x*x*x;\nend M;\n"

#: Seconds after which a test gives up; that is no statement about speed.
LONG = 120.0


class Told:
    """What was found, in order."""

    def __init__(self) -> None:
        self.queue: Queue[tuple[str, int, tuple[Finding, ...]]] = Queue()
        self.checks = Checks(lambda *found: self.queue.put(found), patience=0.3)

    def ask(self, uri: str, version: int, text: str) -> None:
        path = Path(f"/{uri}.mo")
        self.checks.ask(uri, version, Job(path, {path: text}))

    def wait_for(self, uri: str, version: int) -> None:
        """Until this version is being checked."""
        until = monotonic() + LONG
        while self.checks.at != (uri, version):
            assert monotonic() < until
            sleep(0.01)

    def next(self) -> tuple[str, int, list[str]]:
        uri, version, found = self.queue.get(timeout=LONG)
        return uri, version, [finding.code for finding in found]


@pytest.fixture(scope="module")
def told() -> Iterator[Told]:
    made = Told()
    yield made
    made.checks.end()


def test_only_the_last_of_versions_that_follow_each_other(told: Told) -> None:
    for version in range(1, 6):
        told.ask("M", version, RIGHT)
    told.ask("M", 6, WRONG)
    assert told.next() == ("M", 6, ["E201"])
    told.ask("N", 1, RIGHT)
    told.ask("M", 7, RIGHT)
    assert sorted([told.next(), told.next()]) == [("M", 7, []), ("N", 1, [])]
    assert told.queue.empty()


def test_another_text_need_not_wait_for_one_that_takes_long(told: Told) -> None:
    told.ask("L", 1, LARGE)
    told.wait_for("L", 1)
    told.ask("N", 5, WRONG)
    assert told.next() == ("N", 5, ["E201"])
    told.wait_for("L", 1)  # it is begun again
    told.ask("L", 2, RIGHT)
    assert told.next() == ("L", 2, [])


def test_a_check_that_takes_long_is_ended_when_the_text_changes(told: Told) -> None:
    told.ask("M", 1, LARGE)
    told.wait_for("M", 1)
    told.ask("M", 2, WRONG)
    assert told.next() == ("M", 2, ["E201"])


def test_a_document_that_is_closed_is_not_checked(told: Told) -> None:
    told.ask("M", 1, WRONG)
    told.checks.forget("M")
    told.ask("N", 2, RIGHT)
    assert told.next() == ("N", 2, [])
    assert told.queue.empty()
