"""The interface between Python and native code for passages from one program to another.

Every engine that takes part has a *gate*: the numbers and routines that entering its mode takes. A gate has a
*link* to each engine from which it was entered: which numbers go where. A *register*, one for the run, says
which values of mode guards belong to which gate. All of them are rows of fields of eight bytes each, like the
context of the driver (`saltus.ir.native.drive`); `saltus.run.modes.native_gates` fills them in,
`saltus.emit.driver` uses them."""

from __future__ import annotations

_ROUTINES = (
    "enter", "evaluate", "outputs", "entry", "relations_routine", "settle_update", "settle", "commit",
    "checks", "fire", "parameters", "forget", "crossings", "lower", "books",
)  # fmt: skip
_SLOTS = (
    "states", "derivatives", "relations", "signs", "residues", "bands", "directions", "zero_since",
    "discretes", "clocks", "jumped", "lefts", "relation_impulses", "lower_first", "books_first",
    "checks_first", "continuous", "scratch_slot", "changed_slot", "continuation", "status_slot", "exact",
    "rest",
)  # fmt: skip
_COUNTS = (
    "memory_size", "n_states", "n_relations", "n_discretes", "n_jumped", "n_lefts", "n_relation_impulses",
    "n_lower", "n_books", "n_continuous",
)  # fmt: skip
#: Slots or numbers of relations, each with how many there are.
GATE_LISTS = ("excess", "impulses", "nonlinear", "watched", "deciding", "held", "presumed", "presumed_of")

#: Of the gate of an engine.
GATE: tuple[tuple[str, str], ...] = (
    ("number", "i64"),
    ("context", "ptr"),  # of the driver; 0 while the engine has none
    ("register", "ptr"),
    ("links", "ptr"),  # by the number of the gate that they lead from; 0 where there is none
    ("memory", "ptr"),
    ("numbers", "ptr"),  # room for the left limits, frozen, while this engine has them
    ("before", "ptr"), ("elsewhere", "ptr"),  # room for the memory, while a look is taken elsewhere
    ("discretes_before", "ptr"), ("ahead", "ptr"), ("moves", "ptr"), ("turned", "ptr"), ("errors", "ptr"),
    *((name, "ptr") for name in _ROUTINES),
    *((name, "i64") for name in _SLOTS),
    *((name, "i64") for name in _COUNTS),
    *((name, "ptr") for name in GATE_LISTS),
    *((f"n_{name}", "i64") for name in GATE_LISTS),
    ("mode_guards", "ptr"),  # their slots, in the order of the register
    ("truth_above", "ptr"), ("narrow_bands", "ptr"),
    # the number of each state among those of its part of the model; how many are in one, at most
    ("numbers_in_parts", "ptr"), ("most_in_part", "i64"),
    ("inert", "ptr"),  # 1 for relations that ask for states alone
    ("unsolvable", "i64"),  # the status of a system that finds its structure by numbers, and has no solution
    # Ways out of that, one after the other: how many guards and how many relations it has, and their slots;
    # and at the same places their values. How many places there are.
    ("way_slots", "ptr"), ("way_values", "ptr"), ("n_ways", "i64"),
    ("has_entry", "i64"),
    ("carries", "i64"),  # does what follows from reinitialised states go with them?
    ("holds", "i64"),  # does it keep values for what its mode leaves open?
    ("timed", "i64"),  # are there relations of time?
    ("momentary", "i64"), ("n_checks", "i64"),  # checks that hold for single rounds; all of them
    ("drift", "double"),  # the small step over which the motion of relations at zero is determined
    ("parted", "double"),  # a longer one, along which equations in excess have to hold
)  # fmt: skip

#: Of a link: slots of another engine and slots of this one, for all that does not vary continuously, for left
#: limits, and for all that does; and slots that the other one has no left limits for.
LINK: tuple[tuple[str, str], ...] = (
    *((f"{name}_from", "ptr") for name in ("discrete", "left", "continuous")),
    *((f"{name}_to", "ptr") for name in ("discrete", "left", "continuous")),
    *((f"n_{name}", "i64") for name in ("discrete", "left", "continuous")),
    ("lacking", "ptr"),
    ("n_lacking", "i64"),
)

#: Of one part of the model, where an event concerns no other (`saltus.ir.parts`): its entries in lists and
#: sections of the gate, by number, and its slots; the moves of a link from the engine to itself that concern
#: it; and of each routine the turns to be carried out, as three numbers: a function, the first turn, and the
#: one after the last.
PART_LISTS = (
    "slots", "relations", "discretes", "states", "jumped", "lefts", "relation_impulses", "continuous",
    "impulses", "nonlinear", "excess", "watched", "deciding", "held", "mode", "lower", "books",
)  # fmt: skip
PART_MOVES = ("left", "continuous")
PART_TURNS = (
    "depart", "approach", "presume", "fire", "evaluate", "entry", "enter", "relations_routine",
    "settle_update", "commit", "checks", "forget", "crossings", "lower", "books",
)  # fmt: skip
PART: tuple[tuple[str, str], ...] = (
    *((f"each_{name}", "ptr") for name in PART_LISTS),
    *((f"n_each_{name}", "i64") for name in PART_LISTS),
    *((f"turns_{name}", "ptr") for name in PART_TURNS),
    *((f"n_turns_{name}", "i64") for name in PART_TURNS),
    # named as in a link
    *((f"{name}_{end}", "ptr") for name in PART_MOVES for end in ("from", "to")),
    *((f"n_{name}", "i64") for name in PART_MOVES),
    ("lacking", "ptr"),
    ("n_lacking", "i64"),
)

#: Of the register.
REGISTER: tuple[tuple[str, str], ...] = (
    ("n_mode_guards", "i64"), ("n_known", "i64"),
    ("values", "ptr"),  # of the guards, one row after the other
    ("gates", "ptr"),  # to which they belong
    ("latest", "i64"),  # the row that was found last
    ("projected", "double"),  # how far what does not jump may be from what a mode demands
    ("tolerance", "double"),
    ("room", "double"),  # of relations that leave zero without speed, in errors that the tolerance allows
    ("wide", "double"),  # the same in usual widths of bands, where states are small
    ("entries", "i64"), ("worst_books", "double"),  # what is counted
)  # fmt: skip
