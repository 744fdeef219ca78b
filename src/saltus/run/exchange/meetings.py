"""The exchanges of one run: between two steps, each at its time."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from typing import Any

from saltus.core.nearest import did_you_mean
from saltus.core.option import usage_error
from saltus.ir.flat import Variable
from saltus.run.course.course import Course
from saltus.run.exchange.exchange import Exchange
from saltus.run.exchange.udp import UdpLink
from saltus.run.exchange.values import Inputs, Outputs, is_output, told_by
from saltus.run.integrators.fixed_step import FixedStep
from saltus.run.schedule.settings import Settings
from saltus.run.start.overrides import parameter_value

#: A time is one of an exchange if it is nearer to it than this part of the distance of two.
_SAME_STEP = 1e-9


def told_inputs(
    exchange: Exchange, inputs: Sequence[Variable], curves: Container[str], settings: Settings
) -> list[Variable]:
    """The inputs of the model that an exchange may give values: of those that are open, and have no curves.
    Refuses an exchange with a method that chooses its steps by itself."""
    if settings.formula is None:
        hint = "choose a method with fixed steps, such as mixed or inline:implicit-euler"
        raise usage_error(
            f"values are exchanged between fixed steps, and {settings.method} has none", hint=hint
        )
    known = {v.name: v for v in inputs}
    for name in exchange.inputs:
        if name not in known or name in curves:
            why = "has a curve" if name in curves else "is not an open input of the model"
            raise usage_error(
                f"`{name}` {why}, and cannot be exchanged", code="E502", hint=did_you_mean(name, list(known))
            )
    return [known[name] for name in exchange.inputs or known if name not in curves]


def begun_inputs(
    told: Sequence[Variable], given: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, float]]:
    """The given values without those of exchanged inputs, `u` or `u.start`; and the latter, by their
    parameters."""
    rest, begins = dict(given), dict[str, float]()
    for v in told:
        for name in (f"{v.name}.start", v.name):
            if name in rest:
                begins[told_by(v.name)] = parameter_value(v, rest.pop(name))
    return rest, begins


def meetings_of(
    exchange: Exchange, told: Sequence[Variable], shown: Sequence[str], variables: Sequence[Variable]
) -> Meetings:
    """The exchanges of a run, with all that is shown as possible outputs."""
    outputs = exchange.outputs or [v.name for v in variables if is_output(v)]
    return Meetings(exchange, Inputs(told), Outputs(outputs, shown))


class Meetings:
    """The meetings of an `exchange`, with its inputs and outputs."""

    def __init__(self, exchange: Exchange, inputs: Inputs, outputs: Outputs) -> None:
        self._exchange, self._inputs, self._outputs = exchange, inputs, outputs
        self._count = 0
        if isinstance(exchange.respond, UdpLink):
            exchange.respond.judged_by(inputs)

    def before_step(self, course: Course) -> float:
        """Exchanges values, if it is time. Returns the time until which steps may be taken."""
        settings, every = course.settings, self._exchange.every
        if self._is_due(course):
            if course.step_watch is not None:
                course.step_watch.begin(course.now)
            self._meet(course)
            self._count = 1 + math.floor((course.now - settings.start_time) / every + _SAME_STEP)
        return settings.start_time + self._count * every

    def at_end(self, course: Course) -> None:
        """Sends the outputs at the end to a process."""
        if isinstance(self._exchange.respond, UdpLink):
            self._exchange.respond.end(course.now, self._outputs.now(course.engine))

    def is_next(self, course: Course) -> bool:
        """Whether the run has stopped at the time of an exchange."""
        return self._is_due(course)

    def _is_due(self, course: Course) -> bool:
        every = self._exchange.every
        due = course.settings.start_time + self._count * every
        return course.now >= due - _SAME_STEP * every and course.now < course.settings.stop_time

    def _meet(self, course: Course) -> None:
        engine = course.engine
        given = self._exchange.respond(course.now, self._outputs.now(engine))
        if not given:
            return
        numbers = {name: self._inputs.number(name, value) for name, value in given.items()}
        if self._inputs.put(course.choices.engines, numbers):
            integrator = course.driver.integrator
            assert isinstance(integrator, FixedStep), "which exchanges are refused for"
            integrator.wake()
