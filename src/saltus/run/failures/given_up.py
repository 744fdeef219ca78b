"""Why a run gets no further: an assertion, states that no longer determine the rest, the integrator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from saltus.core.diagnostics import Diagnostic, ModelError, Note, RunError
from saltus.expr.show import show
from saltus.ir.hybrid import Check
from saltus.ir.native.contract import TIME_SLOT, Counter
from saltus.ir.program import NOT_FINITE
from saltus.ir.structure import PivotGuard
from saltus.run.failures.invalid_numbers import first_not_finite
from saltus.run.failures.phrases import SHOWN, at_time, leaf_values, names
from saltus.run.failures.unsolved import failure, pole
from saltus.run.integrators.integrator import Integrator
from saltus.run.integrators.sundials import CONV_FAILURE
from saltus.run.memory.memory import Memory

#: The step, relative to the time, after which functions are tested for leaving their domain.
AHEAD = 1e-6

_UNBOUNDED = (
    "the solution may grow without bound here, or a discontinuity may be hidden by noEvent; "
    "try a smaller tolerance"
)

_OUTSIDE = (
    "a function is called outside its domain as time advances: look for sqrt, log, asin, acos or a power "
    "whose argument reaches its limit here, and guard it as in sqrt(max(x, 0))"
)


def singular_position(
    memory: Memory, guards: Sequence[PivotGuard], reason: ModelError | None = None
) -> RunError:
    """E408: no states are left that determine the others."""
    found = list(dict.fromkeys(name for guard in guards for name in guard.names))
    notes = [Note(d.message, d.span) for d in reason.diagnostics] if reason is not None else []
    forced = [v for v in memory.structure.states if v.state_select == "always"]
    notes += [Note(f"`{v.name}` is kept: it has stateSelect = always", v.span) for v in forced[:SHOWN]]
    equations = list(dict.fromkeys(guard.equation for guard in guards))
    notes += [Note("and this one", q.span) for q in equations[1:SHOWN]]
    values = (text for q in equations for side in (q.lhs, q.rhs) for text in leaf_values(memory, side))
    notes += [Note(text) for text in list(dict.fromkeys(values))[:SHOWN]]
    return RunError(
        Diagnostic(
            "E408",
            f"{at_time(memory)} this constraint no longer determines {names(found)}, "
            "whichever states are chosen",
            equations[0].span if equations else None,
            tuple(notes),
            "from here the model may continue in more than one way, or in none; start elsewhere, or use "
            "other coordinates",
            origin=equations[0].origin if equations else "",
        )
    )


def violated(memory: Memory, check: Check) -> RunError:
    """E406, or what the assertion has in its place."""
    message = f"{memory.message(check.message)} ({at_time(memory)})"
    return RunError(Diagnostic(check.code, message, check.span, check.notes, origin=check.origin))


def integration_failure(memory: Memory, integrator: Integrator) -> RunError:
    """E405, or the reason why the equations could not be evaluated."""
    status = int(memory.array[memory.first("counters") + Counter.STATUS])
    if status not in (0, NOT_FINITE):
        return failure(memory, status)
    # States that are infinite themselves are a solution that escapes, not a wrong equation.
    if np.all(np.isfinite(memory.section("states"))):
        culprit = first_not_finite(memory, memory.blocks)
        if culprit is not None:
            hint = _OUTSIDE if np.any(np.isnan(memory.section("derivatives"))) else None
            return RunError(replace(culprit, hint=culprit.hint or hint))
        found = pole(memory)
        if found is not None:
            return RunError(found)
    notes: list[Note] = []
    states = memory.structure.states
    span, origin = None, ""
    if states:
        derivatives = memory.section("derivatives")
        errors = np.nan_to_num(integrator.error_ratios()[: len(states)], nan=0.0)
        # Without an error estimate (no step was ever completed) the steepest state is the suspect.
        by_error = bool(np.any(errors))
        suspects = errors if by_error else np.nan_to_num(np.abs(derivatives), nan=np.inf)
        worst = int(np.argmax(suspects))
        what = "has the largest error" if by_error else "changes fastest"
        value, slope = integrator.y[worst], derivatives[worst]
        span, origin = states[worst].span, states[worst].name
        notes.append(Note(f"`{states[worst].name}` {what}: value {value:.6g}, derivative {slope:.6g}"))
    loops = memory.program.components[len(states) :]
    if loops and integrator.flag == CONV_FAILURE:
        places = {slot: leaf for leaf, slot in memory.layout.slots.items()}
        solved = names([show(places[slot]) for slot in loops])
        notes.append(Note(f"steps also solve the loops for {solved}: beyond here they may have no solution"))
    return RunError(
        Diagnostic(
            "E405",
            f"the integrator gave up at time {integrator.time:.9g} with step size {integrator.step_size:.3g} "
            f"({integrator.flag_name})",
            span,
            tuple(notes),
            _OUTSIDE if _leaves_the_domain(memory) else _UNBOUNDED,
            origin=origin,
        )
    )


def _leaves_the_domain(memory: Memory) -> bool:
    """Whether a derivative is not a number, here or after a small step."""
    derivatives = memory.section("derivatives")
    if np.any(np.isnan(derivatives)):
        return True
    before = memory.array.copy()
    step = AHEAD * (abs(memory.time) or 1.0)
    memory.array[TIME_SLOT] += step
    memory.section("states")[:] += step * derivatives
    memory.routines["derivatives"]()
    found = bool(np.any(np.isnan(derivatives)))
    memory.array[:] = before
    return found
