"""Settings of an exchange during a run: the function that provides inputs, how often, and the outputs it
receives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from saltus.core.option import positive, usage_error

#: Takes the time and the outputs by name; gives the inputs that have new values, or None.
Respond: TypeAlias = Callable[[float, Mapping[str, Any]], Mapping[str, Any] | None]


@dataclass(frozen=True)
class Exchange:
    """An exchange of values at the start of a run, and at intervals of `every` seconds of model time.

    `respond(time, outputs)` is called between two steps with the time and the values of the `outputs` by name
    (without names: of the outputs that the model declares). What it returns are new values of inputs by name,
    or None. They apply from this time on, and hold until others come; before, an input has its start value.
    `inputs` are those that may be set, by default all open inputs of the model.

        saltus.Exchange(lambda time, outputs: {"throttle": 0.5}, every=0.01, outputs=["v"])

    A `saltus.UdpLink` in place of the function exchanges values with another process.
    """

    respond: Respond
    every: float
    inputs: Sequence[str] = ()
    outputs: Sequence[str] = ()

    def __post_init__(self) -> None:
        positive("every", self.every)
        if not callable(self.respond):
            raise usage_error("respond must be a function of time and outputs")
