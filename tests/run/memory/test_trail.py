"""What a trail keeps of an event: modes that were tried and left, and rounds."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from saltus.result.steps.passed import MYTHICAL, PINNACLE
from saltus.run.memory.trail import Trail


@dataclass
class Numbers:
    """A memory of one number, which says who it is."""

    array: NDArray[np.float64] = field(default_factory=lambda: np.zeros(1))

    def at(self, number: float) -> Numbers:
        self.array[0] = number
        return self


def told(trail: Trail) -> list[tuple[str, float]]:
    return [(one.kind, float(one.numbers[0])) for one in trail.end()]


def test_a_mode_that_stays_is_a_round_only() -> None:
    trail, memory = Trail(), Numbers()
    trail.begin()
    for number in (1, 2):
        trail.tries(memory.at(number))
    trail.stays()
    trail.ends_round(memory.at(2))
    assert told(trail) == [(MYTHICAL, 1.0), (PINNACLE, 2.0)]


def test_a_choice_that_is_begun_anew_forgets_what_it_tried_and_no_more() -> None:
    trail, memory = Trail(), Numbers()
    trail.begin()
    trail.tries(memory.at(1))
    trail.ends_round(memory.at(2))
    trail.tries(memory.at(3))
    trail.begin_choice()
    trail.tries(memory.at(4))
    trail.ends_round(memory.at(5))
    assert told(trail) == [(MYTHICAL, 1.0), (PINNACLE, 2.0), (MYTHICAL, 4.0), (PINNACLE, 5.0)]


def test_a_round_is_not_taken_back_by_what_stays() -> None:
    """In a round that confirms the one before nothing may have been tried."""
    trail, memory = Trail(), Numbers()
    trail.begin()
    trail.ends_round(memory.at(1))
    trail.stays()
    trail.ends_round(memory.at(2))
    assert told(trail) == [(PINNACLE, 1.0), (PINNACLE, 2.0)]


def test_between_events_nothing_is_kept() -> None:
    trail, memory = Trail(), Numbers()
    trail.tries(memory.at(1))
    trail.begin()
    trail.tries(memory.at(2))
    trail.begin()  # the event is done once more, in another way
    trail.ends_round(memory.at(3))
    assert told(trail) == [(PINNACLE, 3.0)]
    trail.tries(memory.at(4))
    trail.ends_round(memory.at(5))
    assert told(trail) == []
