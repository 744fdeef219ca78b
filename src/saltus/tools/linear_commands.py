"""Commands about one position of a model: `steady` finds a steady state, `linearise` the linear system near a
position. Each returns the exit status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from saltus.core.option import usage_error
from saltus.options import Arguments
from saltus.tools.ending import model_warnings, tell, warn
from saltus.tools.loading import loaded
from saltus.tools.outputs import check_writable, names_in
from saltus.tools.timings import RUN, RunWatch, timings_text


def steady(arguments: Arguments) -> int:
    """Find a position at which the model stays.

    All derivatives are zero there, in the mode that belongs to it. The search begins where a run begins, or
    with --stop-time where it is then; what depends on time is as it is at that time.
    """
    from saltus.result.exchange.formats import format_of

    target = Path(arguments.steady_state) if arguments.steady_state is not None else None
    if target is not None:
        if target.suffix != ".json":
            format_of(target)
        check_writable(target)
    model = loaded(arguments)
    warn(model_warnings(model, arguments), arguments)
    watch = RunWatch(model)
    with watch.step(RUN):
        found = model.steady(**_run_to(arguments, "time"), free=names_in(arguments.free) or ())
    if not arguments.quiet:
        print(found.text())
    if target is not None and target.suffix == ".json":
        target.write_text(json.dumps(found.as_data(), indent=1), encoding="utf-8")
    elif target is not None:
        found.save(target)
    if arguments.timings:
        tell(timings_text(watch.timings))
    return 0


def linearise(arguments: Arguments) -> int:
    """Print the linear system that a model is near a position.

    The run goes to --stop-time; the matrices are those of the mode in which the model is there. With --steady
    it is a position at which the model stays, as `saltus steady` finds it. Inputs are parameters, outputs
    variables.
    """
    target = Path(arguments.linear_system) if arguments.linear_system is not None else None
    if target is not None and target.suffix not in (".json", ".npz"):
        raise usage_error(f"--output of `linearise` is .json or .npz, not {target.name!r}")
    if target is not None:
        check_writable(target)
    if arguments.free and not arguments.at_rest:
        raise usage_error("--free makes sense only together with --steady")
    model = loaded(arguments)
    watch = RunWatch(model)
    options = _run_to(arguments, "time")
    with watch.step(RUN):
        if arguments.at_rest:
            options["state"] = model.steady(**options, free=names_in(arguments.free) or ())
            options.pop("time")
        found = model.linearise(
            **options, inputs=names_in(arguments.inputs) or (), outputs=names_in(arguments.outputs)
        )
    if not arguments.quiet:
        print(found.text())
    warn(model_warnings(model, arguments), arguments)
    if target is not None and target.suffix == ".json":
        target.write_text(json.dumps(found.as_data(), indent=1), encoding="utf-8")
    elif target is not None:
        import numpy as np

        data = {key: value for key, value in found.as_data().items() if key not in ("at", "eigenvalues")}
        np.savez(target, **data)
    if arguments.timings:
        tell(timings_text(watch.timings))
    return 0


def _run_to(arguments: Arguments, name: str) -> dict[str, Any]:
    """The options of the run, with the stop time under another name."""
    options = dict(arguments.run)
    return {**options, name: options.pop("stop_time", None)}
