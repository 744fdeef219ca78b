"""What Python and native code have to agree on, each number and each name said once.

An event has two implementations: the native driver (`saltus.emit.driver`) does the usual ones, Python
(`saltus.run`) all others, and both must come to the same result, to the last bit. So what either of them
compares with, and where numbers are in the memory that they share, must not be said in both. It is said here,
and `saltus.emit` and `saltus.run` import it:

    memory     the places of time, flags and counters
    zero       bands, and what is clear, small or the same
    limits     rounds, entries into modes, turns of relations
    starts     the first step of an integrator
    plan       the fields of the sparse linear solver
    names      functions of native code that Python asks for by name, and those of SUNDIALS

The order of the steps of an event is in `saltus.ir.native.steps`. Rows of fields that are read and written on
both sides have modules of their own beside this one: `drive` (the driver, the log of events and the explicit
integrator), `passage` (from one program to another), `history` and `transport`.
Statuses of routines are in `saltus.ir.program`.

What only one side knows is not here: a step control of the driver, say, or how long Python searches.
`tools/obedience` and `tools/lost_events` have numbers of their own on purpose: they judge what a run does by
what is documented, and a judge that imported the number would agree with a wrong one.
"""

from __future__ import annotations

from enum import IntEnum

# ---------------------------------------------------------------- memory

#: The slot of the time: the first one, so that a call-back can write it without knowing the program.
TIME_SLOT = 0


class Flag(IntEnum):
    """Places in the section `flags` of the memory."""

    INITIAL = 0  # what initial() gives
    TERMINAL = 1  # what terminal() gives


class Counter(IntEnum):
    """Places in the section `counters` of the memory."""

    PASSES = 0  # of the last `settle`
    CHANGED = 1  # discrete variables and states that the last `commit` has changed
    STATUS = 2  # not 0 if the last call-back of the integrator failed
    REST = 3  # for how long a residue must have been in its band to rest at zero; the run writes it
    CONTINUATION = 4  # 1 where continuation may solve loops that Newton's method does not: at the start and
    # at events; the run and the driver write it


# ---------------------------------------------------------------- zero

#: Half width of the zero band of a residue, in units of its nominal value. It must lie well above the
#: rounding of a residue computed from quantities of nominal size (1e-16 times a few operations, times some
#: cancellation) and well below any tolerance at which an integrator is run (1e-6 to 1e-9 of the nominal
#: value), so that a relation inside the band is zero for every practical purpose.
BAND = 1e-10

#: The fraction of the run over which the motion of residues at zero is determined; and how far they have to
#: move for that to be clear, in widths of their zero bands.
DRIFT = 1e-6
CLEAR = 1e-2

#: Equations that say the same thing twice have to do so for at least this part of the run: long enough to see
#: where they part, however slowly they begin to.
PARTED = 1e-3

#: How far from zero a residue that leaves it without speed still counts as zero, in tolerances of its nominal
#: value.
ROOM = 10.0

#: What does not jump may be this far from what a mode demands, relative to its size: it is put right. What is
#: further away, and not by the errors of a rough integration, cannot be brought there by any impulse. A state
#: that changes by less is not reported as having jumped.
PROJECTED = 1e-6

#: How far the two sides of a redundant equation may be apart, relative to the size of their terms, or a value
#: from its fixed start value.
CONSISTENT = 1e-6

#: Times that differ by no more than this part of themselves are the same.
SAME_TIME = 8 * 2.0**-52

#: A crossing is bracketed to this part of its time, sixteen of its last digits; so is the end of the branch
#: of a loop that a run follows.
LOCATED = 16 * 2.0**-52

# ---------------------------------------------------------------- limits

#: Rounds at one instant before the driver leaves the event to Python, and before rounds are checked for
#: cycles; and rounds after which an event fails in any case, unless the model has so many discrete variables
#: that it may need more.
MAX_ROUNDS = 100
MOST_ROUNDS = 10_000

#: Entries into modes at one instant, tentative ones counted, before the iteration is taken for endless.
MOST_ENTRIES = 200

#: Modes at one instant, and passes in one mode, before the driver leaves the event to Python. Fewer than
#: Python allows: the driver knows the usual case only, and Python begins anew from the left limits.
NATIVE_MODES = 12
NATIVE_PASSES = 20

#: How often known ways out of modes that cannot be are taken at one instant.
MOST_WAYS_OUT = 4

#: How often a relation whose residue is zero may be turned at one instant, because it clearly moves to the
#: side on which it has the other truth.
MOST_TURNS = 2

# ---------------------------------------------------------------- starts

#: Before the first step y'' is measured along an Euler step, which changes the states by this part of their
#: size; and how often a shorter one is taken, where that has gone past what was to be seen.
PROBE_PART = 0.01
MOST_PROBES = 6

# ---------------------------------------------------------------- plan

#: Fields of the plan of a sparse solver (`saltus.emit.callbacks.sparse_lu`), each eight bytes: n, gamma, then
#: pointers (to 32-bit integers and to doubles).
PLAN_FIELDS = (
    "n",
    "gamma",
    "entries",  # of J, columns in the order of elimination
    "entry_first",  # first entry of each column, n + 1
    "entry_row",  # position of the row of each entry
    "upper_first",
    "upper_row",  # ascending in each column
    "upper",
    "lower_first",
    "lower_row",
    "lower",
    "pivots",
    "order",  # the state at each position
    "column",  # n numbers, zero between calls
    "solution",  # n numbers
)

# ---------------------------------------------------------------- names

#: What SUNDIALS calls: derivatives, their Jacobian as a full matrix, the system of a step as a sparse one,
#: its factors and solutions; and, for IDA, residuals.
RHS, JACOBIAN = "saltus_rhs", "saltus_jacobian"
SYSTEM, FACTORISE, SOLVE = "saltus_system", "saltus_factorise", "saltus_solve"
RESIDUAL = "saltus_residual"

#: The entries of a Jacobian, for both kinds of matrices.
ENTRIES = "saltus_entries"

#: How what IDA has for states, rates and unknowns of loops comes into the memory.
OFFER = "saltus_offer"

#: The driver; how it brings the memory to an event; and how it brings histories up to date.
DRIVE, ARRIVE_EVENT, REMEMBER_TO = "saltus_drive", "saltus_arrive_event", "saltus_remember_to"

#: How it does an event that leads to another program, and how the engine there goes on.
PASS_THROUGH, TURN = "saltus_pass_through", "saltus_turn"
WHICH_PART, EVENT_IN_PART = "saltus_which_part", "saltus_event_in_part"

#: A step of an integrator; time and states by its interpolation; how it begins anew; its longest step.
STEP_CVODE, STEP_IDA, STEP_RK = "saltus_step_cvode", "saltus_step_ida", "saltus_step_rk"
ARRIVE_CVODE, ARRIVE_IDA, ARRIVE_RK = "saltus_arrive_cvode", "saltus_arrive_ida", "saltus_arrive_rk"
BEGIN_CVODE, BEGIN_RK = "saltus_begin_cvode", "saltus_begin_rk"
LONGEST_RK = "saltus_longest_rk"

#: The loop of fixed steps; time and states at the end of one of them, or between.
MARCH, ARRIVE_FIXED = "saltus_march", "saltus_arrive_fixed"

#: Times that differ by no more than this part of a fixed step are the same.
SAME_PART = 1e-9

#: Functions that write a step, and an event, into the histories of delays and transports.
REMEMBER, REMEMBER_EVENT = "saltus_remember", "saltus_remember_event"

#: Functions of SUNDIALS that give the numbers of a vector and of a full matrix: call-backs need the first,
#: Jacobians both.
GET_DATA, DENSE_DATA = "N_VGetArrayPointer", "SUNDenseMatrix_Data"

#: Functions of SUNDIALS that the driver calls, with the types of their arguments; each gives a flag.
SUNDIALS = (
    ("CVode", "ptr, double, ptr, ptr, i32"),
    ("CVodeGetDky", "ptr, double, i32, ptr"),
    ("CVodeReInit", "ptr, double, ptr"),
    ("CVodeSetInitStep", "ptr, double"),
    ("CVodeSetStopTime", "ptr, double"),
    ("CVodeGetNumSteps", "ptr, ptr"),
    ("CVodeGetNumRhsEvals", "ptr, ptr"),
    ("CVodeGetNumLinRhsEvals", "ptr, ptr"),
    ("CVodeGetNumJacEvals", "ptr, ptr"),
    ("IDASolve", "ptr, double, ptr, ptr, ptr, i32"),
    ("IDAGetDky", "ptr, double, i32, ptr"),
    ("IDASetStopTime", "ptr, double"),
)
