"""What the event loop writes down about an event, raw and cheap, to be decoded when somebody asks."""

from __future__ import annotations

from typing import NamedTuple

#: Sections of one entry of `EventRecord.rounds`, in this order.
TRACE_SECTIONS = ("relations", "signs", "residues", "discretes")

INITIAL = "initial"
STATE = "state"
TIME = "time"
TERMINAL = "terminal"
STATES = "states"  # chosen again: the equations go on as they were
SLIDES = "sliding"  # along the surfaces of the relations that fired, from here on
RESTS = "resting"  # on them, held by a reaction
LEAVES = "leaving"  # them
ZENO = "zeno"  # the point where events accumulate

#: Entries that have no rounds: the run goes on with another program, or elsewhere.
TURNS = frozenset({STATES, SLIDES, RESTS, LEAVES, ZENO})

#: Entries of the log that are no leaps of the model.
BOOKKEEPING = frozenset({INITIAL, TERMINAL}) | TURNS


class EventRecord(NamedTuple):
    """One event. `rounds[0]` is the memory before it, each further entry the memory after a round;
    `left` and `right` are the row numbers of its two limits. Where states are chosen again there are no
    rounds; the limits are rows of two different choices."""

    time: float
    kind: str
    fired: tuple[int, ...]  # relations whose crossing started it
    clocks: tuple[int, ...]  # clocks that ticked
    left: int
    right: int
    rounds: tuple[bytes, ...]
