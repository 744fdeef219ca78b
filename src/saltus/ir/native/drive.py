"""The interface between Python and the native driver (`saltus.emit.driver`).

The driver works on a *context*: a row of fields of eight bytes each, filled in by `saltus.run.engine.driver`.
It returns a `Code`. Whatever the code, the fields hold its position, and the next call continues from
there."""

from __future__ import annotations

from enum import IntEnum


class Code(IntEnum):
    """Why the driver came back."""

    ON = 0  # never given to Python: all is well
    FINISHED = 1  # the stop time is reached, nothing is due
    SLICE = 2  # the allowed number of steps
    FULL = 3  # of rows, events or log entries; or no ticks are left in the table
    LOOK = 4  # the last rows hold a number that is not finite, or a check is active
    FAILED = 5  # the integrator, by its `flag`
    ROUTINE_FAILED = 6  # a routine, by its `status`
    CROSSING = 7  # an event left to Python: memory at its left limits, directions say what crossed
    SCHEDULED = 8  # the same for a scheduled event
    RESTART = 9  # Python must restart the integrator at `now`
    UNRESOLVED = 10  # a relation set out across zero and came back without leaving its zero band
    ROOM = 11  # histories need more of it
    BY_HAND = 12  # inside the driver only
    STIFF = 14  # the integrator is explicit, and the model is stiff here; the last step is not looked at yet
    DISOBEYED = 15  # inside the driver only: an output row contradicts a relation
    TURNED = 13  # inside the driver only: another engine takes over, with the context in `next`


_SLOTS = (
    "states", "derivatives", "relations", "signs", "residues", "bands", "directions", "crossing_times",
    "discretes", "clocks", "phases", "checks_first", "changed_slot", "scratch_slot", "continuation",
    "row_first", "status_slot",
)  # fmt: skip
_COUNTS = (
    "n_states", "n_relations", "n_discretes", "n_checks", "n_clocks", "row_length", "memory_size",
    "n_watched", "n_sloped", "n_timed", "n_mode", "n_phases", "n_steering",
)  # fmt: skip
_ROUTINES = (
    "outputs", "crossings", "derivatives_routine", "relations_routine", "depart", "approach", "presume",
    "fire", "settle", "commit", "checks",
)  # fmt: skip

#: Fields that belong to the run: they are passed on when another engine takes over.
SHARED: tuple[tuple[str, str], ...] = (
    ("steps_left", "i64"),
    # output points
    ("grid_start", "double"), ("grid_interval", "double"), ("grid_near", "double"),
    ("grid_k", "i64"), ("grid_last", "i64"),
    # ticks to come: when, and which clocks
    ("tick_times", "ptr"), ("tick_first", "ptr"), ("tick_clocks", "ptr"), ("tick", "i64"), ("n_ticks", "i64"),
    # the log of events
    ("log", "ptr"), ("log_length", "i64"), ("log_size", "i64"), ("traced", "ptr"),
    ("event_places", "ptr"), ("n_events", "i64"), ("max_events", "i64"),
    # whether hops that are low are looked at, and whether the latest one was; the times of the latest events
    ("seeks_rest", "i64"), ("low_hop", "i64"), ("event_1", "double"), ("event_2", "double"),
    # the event that is being written: where its entry begins, where its clocks and rounds are, how many
    ("entry", "i64"), ("entry_clocks", "i64"), ("entry_rounds", "i64"),
    ("ticks", "i64"), ("ticking", "i64"), ("n_rounds", "i64"),
    # rows of all engines together; which engine went on, by the number of its gate, after which row
    ("n_written", "i64"), ("turns", "ptr"), ("n_turns", "i64"),
)  # fmt: skip

#: Names and types of the fields of a context.
FIELDS: tuple[tuple[str, str], ...] = (
    # the integrator
    ("solver", "ptr"), ("y", "ptr"), ("y_data", "ptr"), ("yp", "ptr"),
    ("scratch", "ptr"), ("scratch_data", "ptr"), ("scratch_yp", "ptr"),
    ("step", "ptr"), ("arrive", "ptr"), ("begin", "ptr"), ("offer", "ptr"), ("has_loops", "i64"),
    ("relative", "double"), ("absolute", "ptr"),
    ("restart_by_hand", "i64"), ("flag", "i64"),
    # the model
    ("memory", "ptr"), ("backup", "ptr"),
    *((name, "ptr") for name in _ROUTINES),
    *((name, "i64") for name in _SLOTS),
    *((name, "i64") for name in _COUNTS),
    ("moves", "i64"),  # is there anything to integrate or to watch?
    ("by_hand", "i64"),  # are all events left to Python?
    ("witness", "ptr"),  # the callback for an event that begins, if there is one
    ("momentary", "i64"),  # are there checks that hold for single rounds?
    ("watched", "ptr"),  # relations with crossing functions, those whose slopes are looked at first
    ("truth_above", "ptr"), ("truth_of_zero", "ptr"),  # of each of them, on the positive side and at zero
    ("forgotten", "ptr"),  # 1 for those that nothing with a memory depends on
    ("narrow_bands", "ptr"),  # of all relations: the bands without the room that some have for a while
    # of each watched relation, its narrow band while it is false and while it is true, 0 where they are the
    # same; how many are not
    ("bands_by_truth", "ptr"), ("n_two_faced", "i64"),
    ("timed", "ptr"),  # relations of time
    ("mode", "ptr"),  # slots that only events change and the differential equations need
    # other programs: the gate of this engine (`saltus.ir.native.passage`), or nowhere; whether every event
    # may lead to another one; the context with which the run goes on, and the one with which this call has
    # ended; the functions that go there, if there is a gate
    ("gate", "ptr"), ("across", "i64"), ("next", "ptr"), ("last", "ptr"),
    ("march", "ptr"),  # the loop of fixed steps, if the run takes those
    ("pass_through", "ptr"), ("turn", "ptr"),
    # parts of the model that events keep apart: where that of each relation is (`saltus.ir.native.passage`),
    # if any are; the functions that do an event in one of them
    ("parts", "ptr"), ("which_part", "ptr"), ("event_in_part", "ptr"),
    ("n_in_parts", "i64"),  # events that were done so
    ("anew", "i64"),  # has the last event changed states, or the differential equations?
    # the panel that is being looked at: from `begun`, with residues z0 and slopes d0, to `to`; the integrator
    # has `reached` a later time, or the same
    ("begun", "double"), ("to", "double"), ("reached", "double"),
    ("step_begun", "double"),  # where the integrator's last step began
    # how long panels may be: as residues have shown, as phases demand, as the user wants
    ("panel", "double"), ("phase_panel", "double"), ("resolution", "double"),
    ("caution", "double"),  # how much larger third differences may be inside than those that are seen
    ("next_panel", "double"), ("next_phase_panel", "double"),  # for the one after this
    # a sample inside of it, if there is one, where nothing has crossed; where the panel should end; the
    # margins, in units of errors that would be too large
    ("middle", "double"), ("middle_is", "i64"), ("cut", "double"), ("calm", "double"),
    # the last sample before it, with the divided differences from there (g0, bend0); none after an event, or
    # where the run began, which is when residues were `probed`
    ("sampled", "double"), ("fresh", "i64"), ("probed", "double"),
    # how far phases have gone; how fast those go that steer; what the run allows as a step, what is in force
    ("advance", "double"), ("pace", "double"), ("longest", "double"), ("longest_set", "double"),
    ("earlier", "double"),  # where the last step began that is done with, or the run began anew
    # a crossing in it: the first time after it, the last one before it, and where it is between the two
    ("found", "double"), ("before", "double"), ("share", "double"),
    ("probe", "i64"), ("probe_step", "double"), ("heading", "ptr"), ("unresolved", "i64"),
    ("doubtful", "i64"), ("shorter", "double"),
    ("shortest", "double"),  # no step is begun anew that is shorter: beside a hop it would be short
    ("low", "double"),  # hops lower than this many bands may be errors of the integrator
    *((name, "ptr") for name in ("z0", "z1", "d0", "d1", "side", "allowance", "touch", "at_zero")),
    *((name, "ptr") for name in ("zm", "g0", "g1", "bend0", "bend1", "phase0", "phase1")),
    *((name, "ptr") for name in ("followed", "z_lo", "z_hi", "z_mid")),
    # histories: up to where all is remembered, and how long the last piece of a step was
    ("remembers", "i64"), ("book", "ptr"), ("remember", "ptr"), ("remember_event", "ptr"),
    ("set_max_step", "ptr"), ("remembered", "double"), ("piece", "double"),
    # where the run stands: up to where it goes on now, and up to where it goes at all
    ("now", "double"), ("stop", "double"), ("end", "double"), ("limit", "double"), ("ahead", "double"),
    ("stop_set", "double"), ("restart", "i64"), ("status", "i64"), ("max_rounds", "i64"),
    # rows of the result
    ("rows", "ptr"), ("row_times", "ptr"), ("n_rows", "i64"), ("max_rows", "i64"),
    *SHARED,
    # what the integrator had counted before it was started anew
    ("looks", "i64"),  # how often residues were computed
    ("restarts", "i64"), ("steps", "i64"), ("rhs_evaluations", "i64"),
    ("rhs_evaluations_for_jacobians", "i64"), ("jacobians", "i64"), ("counted", "i64"),
)  # fmt: skip

#: What the explicit integrator (`saltus.emit.driver.runge_kutta`) keeps from step to step; the `solver` of
#: its context points to it.
RUNGE_KUTTA: tuple[tuple[str, str], ...] = (
    ("step", "double"), ("longest", "double"), ("shortest", "double"),  # to be tried next; 0: to be found
    ("moving_step", "double"),  # what was to be tried after the last step in which a state has moved
    ("fresh", "i64"),  # does it begin anew?
    ("begun", "double"), ("width", "double"),  # of the last step
    ("slopes", "ptr"),  # at its seven stages, one after the other
    ("old", "ptr"), ("sixth", "ptr"),  # states at its beginning, and at the last stage but one
    ("polynomial", "ptr"),  # four coefficients for each state
    ("errors", "ptr"),  # of the last step, in units of what tolerances allow
    ("watches", "i64"), ("stiff", "i64"), ("not_stiff", "i64"),  # steps that looked so, lately
    ("steps", "i64"), ("rhs_evaluations", "i64"), ("rejected", "i64"),
)  # fmt: skip

#: What the integrator of fixed steps (`saltus.emit.driver.fixed_step`) keeps; the `solver` of its context
#: points to it.
FIXED_STEP: tuple[tuple[str, str], ...] = (
    ("origin", "double"), ("step", "double"),  # steps end at the origin plus multiples of the step
    ("weight", "double"),  # of the derivative at the end of a step, in the formula of the method
    ("two_steps", "i64"), ("carries", "ptr"),  # is it BDF2, and which states carry inlined variables?
    # inlined variables that are held at events: their carriers' places among the states, and their slots; the
    # slots of the weight that is zero then, and of the same before an event
    ("n_held", "i64"), ("held_states", "ptr"), ("held_slots", "ptr"),
    ("briefly", "ptr"), ("ahead", "i64"), ("pre_ahead", "i64"),
    ("instant", "double"),  # so much shorter steps are during events, where that is what holds something
    ("begins_anew", "i64"),  # is the step after an event an implicit Euler step?
    ("locates", "i64"),  # are events located inside of steps?
    ("old", "ptr"), ("last", "ptr"),  # states at the beginning of the step; inlined variables there
    ("begun", "double"),  # when that was
    ("row", "ptr"),  # what the row of the result was there
    ("pending", "i64"),  # is a step done whose rows and events are not written yet?
    ("fresh", "i64"), ("regular", "i64"),  # has an event just been? is the last step a whole one?
    ("steps", "i64"), ("rhs_evaluations", "i64"),
    ("woken", "i64"),  # have inputs got other values, so that an event has to happen now?
    ("watch", "ptr"),  # who looks at the clock, if anybody does
)  # fmt: skip

#: What the watch of fixed steps (`saltus.run.integrators.step_watch`) keeps: one for all engines of a run.
WATCH: tuple[tuple[str, str], ...] = (
    ("clock", "ptr"), ("sleep", "ptr"),  # functions of the C library: what time it is, and waiting
    ("times", "ptr"), ("n_times", "i64"), ("most_times", "i64"),  # nanoseconds of each step
    ("began", "i64"),  # when the present step did; 0 between steps
    ("ahead", "i64"),  # has Python begun the next step already, with an exchange?
    ("pace", "double"),  # nanoseconds for a second of the model; 0: as fast as it can
    ("wall", "i64"), ("paced_from", "double"),  # when the run was at a time of the model
    ("overruns", "i64"), ("latest", "i64"),  # steps that ended too late, and by how much at most
)  # fmt: skip

#: Stages of a step of the explicit integrator, and coefficients of the polynomial between its ends.
RK_STAGES, RK_COEFFICIENTS = 7, 4

#: What CVODE counts and forgets when it is started anew: the field of the context, and the function of CVODE.
CVODE_COUNTERS = (
    ("steps", "CVodeGetNumSteps"),
    ("rhs_evaluations", "CVodeGetNumRhsEvals"),
    ("rhs_evaluations_for_jacobians", "CVodeGetNumLinRhsEvals"),
    ("jacobians", "CVodeGetNumJacEvals"),
)

#: Where the point inside of a panel is: there is none, before all crossings, or beyond one.
NOWHERE, BEFORE, BEYOND = 0, 1, 2

#: Flags of the explicit integrator besides 0: errors, or failures of the right-hand side, at the shortest
#: step; and that the last step was done, but the model is stiff.
RK_ERRORS, RK_FAILURES, RK_STIFF = -3, -10, 99

#: Room for one entry of the log: so many numbers besides those of its rounds.
LOG_HEAD = 16

#: Numbers for each thing that a round has changed: what it is, its index, the old value and the new one.
LOG_GROUP = 4

#: Rounds of one event for which there is room in the log when it begins, unless the log is empty: where many
#: parts switch at the same instant, an event in the middle of which the log is full would be done twice, the
#: second time by Python.
LOG_ROUNDS = 8

#: What it is: the truth of a relation, its residue, a discrete variable, the sign of a residue.
TRUTH, RESIDUE, DISCRETE, SIGN = 0, 1, 2, 3
