"""The steps of an event, written once: the native driver and Python follow the same tables.

The driver does the usual events, Python all others and those that the driver has given up, and both must come
to the same result, to the last bit. So the order of the steps is data. `saltus.emit.driver.following` makes
native code of it, with instructions for each name; `saltus.run.iteration.following` makes calls of it, of
methods that have these names. What a step does is said where it is defined; `docs/events.md` has them all in
the words of users.

An event within one program and one that may lead to another are one sequence, too. They differ in how a round
is decided (`Across`): by `settle` alone, or by the choice of a mode.

What is exceptional is no step. A step that does not go as usual ends the whole sequence: native code leaves
the event to Python, which begins anew at the left limits; Python searches for another mode, learns that a
block is singular, or raises the error. Nor is what only one of the two has to do: room in the log of the
driver, impulses and strokes, which only Python knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class When:
    """Steps that are executed if a condition holds, which is itself a step with a result."""

    condition: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Unless:
    """Steps that are done if a condition does not hold."""

    condition: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Across:
    """Steps of an event that may lead to another program, and those of one that cannot."""

    steps: tuple[Step, ...]
    otherwise: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Leave:
    """Leaves the loop whose step this is, unless a condition holds."""

    unless: str


@dataclass(frozen=True)
class Repeat:
    """Steps that are repeated `until` all conditions hold. Each condition is evaluated only if those before
    it hold, and may change something if it does not. Before a repetition, a check detects endless loops,
    which are abandoned."""

    steps: tuple[Step | Leave, ...]
    until: tuple[str, ...]
    give_up: str | None = None


@dataclass(frozen=True)
class Plan:
    """Steps in their order, under a name. As a step of another plan it is done by what has its name there, a
    function of its own; or step by step."""

    name: str
    steps: tuple[Step, ...]


Step: TypeAlias = "str | When | Unless | Across | Repeat | Plan"

#: What is presumed at the left limits.
BEGIN_EVENT = Plan(
    "begin_event",
    (
        "trace",  # what the log compares with
        "depart",  # states and all others have values before the event
        "approach",  # residues that rest at zero are compared as zero
        "presume",  # what has fired has the truth of the side it moves to
        "fire",  # relations of time whose crossing has come have the truth after it
        "log_causes",  # who fired
        "tick",  # clocks are true
    ),
)

#: Truths of an engine that has the left limits follow from its values.
SETTLE_TRUTHS = Plan(
    "settle_truths",
    (
        Repeat(
            (
                "demand",  # what does not jump must be where the mode demands it
                "compute",  # the entry, and all values
                Leave(unless="stays"),
                "judge",  # nothing may be wrong with the values, now or a moment later
                "follow",  # truths are what the values say
                Leave(unless="stays"),
            ),
            until=("agrees",),
            give_up="flips",
        ),
    ),
)

#: The mode that guards belong to is entered tentatively.
ENTERED = Plan(
    "entered",
    (
        Repeat(
            (
                "belonging",  # which program?
                "take_left",  # it gets the left limits, and the truths that are presumed
                SETTLE_TRUTHS,
            ),
            until=("is_entered",),
        ),
    ),
)

#: The choice of a mode: the one that reproduces itself.
SETTLED = Plan(
    "settled",
    (
        "freeze",  # left limits, while modes are tentative
        Repeat(
            (ENTERED,),
            # Guards belong to the program; what was held agrees with the states; nothing that is zero leans
            # to the side on which it has the other truth.
            until=("stays", "release", "leans_nowhere"),
            give_up="wanders",
        ),
        "accept",  # states exactly as the entry has them
    ),
)

#: Rounds until nothing changes.
ROUNDS = Plan(
    "rounds",
    (
        Repeat(
            (
                Across((Unless("stays_settled", (SETTLED,)),), otherwise=("settle",)),
                "log_round",  # what has changed
                "checks",  # assertions that hold for one round only
                "commit",  # new values become `pre` values, states are reinitialised
                Across(("carry",)),  # what follows from those states goes with them
                "fire",  # what was scheduled for now in this very round
            ),
            until=("nothing_changed",),
            give_up="endless",
        ),
    ),
)

#: An event, from the left limits to the right ones.
EVENT = Plan(
    "event",
    (
        Across(("leave_room",)),  # what is away from zero has its usual band
        BEGIN_EVENT,
        ROUNDS,
        When("clocks_tick", ("end_ticks", ROUNDS)),
        "end",
        Across(("make_room",)),  # what leaves zero without speed has a wider band
    ),
)

#: All of them, in the order in which one takes part in the other.
PLANS = (EVENT, BEGIN_EVENT, ROUNDS, SETTLED, ENTERED, SETTLE_TRUTHS)


def names(plan: Plan) -> Iterator[str]:
    """The names in a plan in their order, those of other plans and of conditions, too; what is inside of the
    other plans is theirs."""
    yield from _names(plan.steps)


def _names(steps: tuple[Step | Leave, ...]) -> Iterator[str]:
    for step in steps:
        match step:
            case str():
                yield step
            case Plan(name):
                yield name
            case When(condition, inner) | Unless(condition, inner):
                yield condition
                yield from _names(inner)
            case Across(inner, otherwise):
                yield from _names(inner)
                yield from _names(otherwise)
            case Leave(unless):
                yield unless
            case Repeat(inner, until, give_up):
                yield from _names(inner)
                yield from until
                if give_up is not None:
                    yield give_up
