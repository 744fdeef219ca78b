"""The command `realtime`: a run by fixed steps that keeps pace with the wall clock, and its report."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from saltus.core.option import usage_error
from saltus.core.wording import number
from saltus.ir.inline import MIXED
from saltus.options import Arguments
from saltus.run.exchange.exchange import Exchange
from saltus.run.exchange.udp import UdpLink
from saltus.run.schedule.stepping import FIXED_STEP
from saltus.tools.ending import model_warnings, run_warnings, tell, warn
from saltus.tools.loading import loaded
from saltus.tools.outputs import check_outputs, names_in, write_modes


def realtime(arguments: Arguments) -> int:
    """Run a model by fixed steps, in pace with the wall clock.

    Each step starts at its time. The report shows how long steps take, including events, and how many were
    late. The default method is `mixed`. With --speed 0 the run is as fast as possible. With --udp a process
    on this machine provides inputs and receives outputs."""
    method = arguments.run.get("method", MIXED)
    if method not in FIXED_STEP:
        hint = "the methods with fixed steps are " + ", ".join(FIXED_STEP)
        raise usage_error(f"method {method} chooses its steps by itself", hint=hint)
    check_outputs(arguments)
    run = {**arguments.run, "method": method}
    with _link(arguments) as link:
        model = loaded(arguments)
        warn(model_warnings(model, arguments), arguments)
        speed = 1.0 if arguments.speed is None else arguments.speed
        result = model.simulate(**run, speed=speed, exchange=_exchange(link, arguments))
    if not arguments.quiet and result.step_times is not None:
        events = number(result.events.totals().events, "event")
        modes = number(len({stay.mode for stay in result.modes}), "mode")
        print(f"{model.name}: time {result.time[0]:g} to {result.time[-1]:g}, {events}, {modes}")
        print(result.step_times.text(), end="")
        if link is not None:
            print(link.text())
    warn(run_warnings(model, result), arguments)
    if arguments.record_modes is not None:
        write_modes(result, arguments.record_modes)
    return 0


def _link(arguments: Arguments) -> AbstractContextManager[UdpLink | None]:
    """Who listens to datagrams, if that is asked for."""
    if arguments.udp is None:
        given = {
            "--every": arguments.every, "--wait": arguments.wait, "--inputs": arguments.inputs,
            "--outputs": arguments.outputs,
        }  # fmt: skip
        for flag, value in given.items():
            if value:
                raise usage_error(f"{flag} makes sense only together with --udp")
        return nullcontext()
    link = UdpLink(arguments.udp, wait=arguments.wait)
    if not arguments.quiet:
        tell(f"listening on port {link.port} of this machine")
    return link


def _exchange(link: UdpLink | None, arguments: Arguments) -> Exchange | None:
    every = arguments.run.get("step") if arguments.every is None else arguments.every
    if link is None or every is None:  # the run says that there is no step
        return None
    inputs, outputs = (names_in(names) or () for names in (arguments.inputs, arguments.outputs))
    return Exchange(link, every=every, inputs=inputs, outputs=outputs)
