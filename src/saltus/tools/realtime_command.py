"""The command `realtime`: a run by fixed steps that keeps pace with the wall clock, and its report."""

from __future__ import annotations

from saltus.core.option import usage_error
from saltus.core.wording import number
from saltus.ir.inline import MIXED
from saltus.options import Arguments
from saltus.run.schedule.stepping import FIXED_STEP
from saltus.tools.ending import model_warnings, run_warnings, warn
from saltus.tools.loading import loaded
from saltus.tools.outputs import check_outputs, write_modes


def realtime(arguments: Arguments) -> int:
    """Run a model by fixed steps, in pace with the wall clock.

    Each step is begun at its time. The report tells how long steps take, events included, and how many were
    too late. Without --method it is `mixed`. With --speed 0 the run goes as fast as it can."""
    method = arguments.run.get("method", MIXED)
    if method not in FIXED_STEP:
        hint = "the methods with fixed steps are " + ", ".join(FIXED_STEP)
        raise usage_error(f"method {method} chooses its steps by itself", hint=hint)
    model = loaded(arguments)
    warn(model_warnings(model, arguments), arguments)
    check_outputs(arguments)
    run = {**arguments.run, "method": method}
    result = model.simulate(**run, speed=1.0 if arguments.speed is None else arguments.speed)
    if not arguments.quiet and result.step_times is not None:
        events = number(result.events.totals().events, "event")
        modes = number(len({stay.mode for stay in result.modes}), "mode")
        print(f"{model.name}: time {result.time[0]:g} to {result.time[-1]:g}, {events}, {modes}")
        print(result.step_times.text(), end="")
    warn(run_warnings(model, result), arguments)
    if arguments.record_modes is not None:
        write_modes(result, arguments.record_modes)
    return 0
