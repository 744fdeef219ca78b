"""The options of a run: what it can be asked for, and the values in force.

`Settings` is the table of these options (`saltus.core.option`); its first entries are in
`saltus.run.schedule.stepping`. The flags of `saltus simulate` and `saltus
explain` follow from its entries, and so do the checks of values, what a checkpoint must agree with, and the
documentation. `Model.simulate` spells the keywords out, for editors; a test compares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Self, TypeAlias

from saltus.core.option import (
    Check,
    not_negative,
    one_of,
    option,
    options,
    usage_error,
)
from saltus.ir.flat import Experiment
from saltus.run.schedule.assignments import parse_assignments
from saltus.run.schedule.signals import digest, merged_signals
from saltus.run.schedule.stepping import Stepping, check_step, check_times, separated

Override: TypeAlias = float | int | bool | str

#: What may be done at the accumulation point of infinitely many events (`saltus.run.surfaces.zeno`).
ZENO = ("stop", "rest", "continue")

#: What a model does along a surface where it is not linear in what switches (`analyse/modes/weighting.py`).
SLIDING = ("filippov", "equivalent")

#: The size of a variable without a nominal value: 1, or inferred from the equations (`saltus.run.sizes`).
SCALES = ("one", "found")


@dataclass(frozen=True, kw_only=True)
class Settings(Stepping):
    """The table of the options of a run, with those before it; an instance holds the values in force.
    `overrides` are the values of parameters that differ from the model's, one for each scalar."""

    # fmt: off
    zeno: str = option(
        "At an accumulation point of infinitely many events: " + ", ".join(ZENO) + ".", metavar="WHAT",
        default="stop", check=one_of(ZENO), label="way at accumulation points",
    )
    sliding: str = option(
        "Convention for sliding where both sides of a surface push towards it: " + ", ".join(SLIDING) + ".",
        metavar="WHAT",
        default="filippov", check=one_of(SLIDING), label="convention of sliding",
    )
    scale: str = option(
        "Size of variables without a nominal value: " + ", ".join(SCALES) + ".", metavar="WHAT",
        default="found", check=one_of(SCALES), label="sizes of variables",
    )
    steps: bool = option(
        "Keep a row for every mode that events pass through.", default=False, implied=True,
        label="record of steps",
    )
    freeze: tuple[str, ...] = option(
        "Treat these parameters as constants, for faster code: names separated by commas; '*' and '?' "
        "allowed; repeatable.", commands=("simulate", "explain", "realtime", "export"),
        metavar="A,B", default=(), otherwise="none", label="frozen parameters",
        in_force=lambda settings: list(settings.frozen_names),
    )
    # In Python also the modes of a result.
    modes: tuple[Any, ...] = option(
        "Compile code for each mode in this file before the run; --record-modes writes it; repeatable.",
        commands=("simulate", "realtime", "export"), metavar="FILE", default=(),
        otherwise="none", parse=tuple, label="modes with code of their own",
        in_force=lambda settings: [dict(mode) for mode in settings.listed],
    )
    # How fast, for `saltus realtime`: 1 for the wall clock, 0 for as fast as it can.
    speed: float | None = option(
        "Measure fixed steps, and pace them at this multiple of real time.", default=None, implied=True,
        metavar="FACTOR", check=not_negative, in_identity=False,
    )
    # In Python also a state or a result. The values are among those that are set.
    start_from: str | None = option(
        "Start where another run ended: its result file.", metavar="FILE",
        default=None, otherwise="as the model says", in_identity=False,
    )
    signals: Mapping[str, Any] = option(
        "Curves of the inputs, from a result file with columns of their names; repeatable.",
        metavar="FILE", default={}, otherwise="none", parse=merged_signals, label="curves of inputs",
        in_force=lambda settings: digest(settings.signals),
    )
    overrides: Mapping[str, Override] = option(
        "Value of a parameter, or of x.start; repeatable.", metavar="NAME=VALUE", written="set",
        default={}, otherwise="as the model has it", parse=parse_assignments,
        label="choice of parameters", in_force=lambda settings: dict(sorted(settings.overrides.items())),
    )
    # fmt: on

    @property
    def frozen_names(self) -> tuple[str, ...]:
        """Names and patterns of parameters that are treated as constants, one by one."""
        return separated(self.freeze)

    @cached_property
    def listed(self) -> tuple[Mapping[str, Any], ...]:
        """The modes for which there is to be code before the run starts, by the texts of their guards."""
        from saltus.result.modes.recorded import modes_from

        return modes_from(self.modes)

    @classmethod
    def of(cls, experiment: Experiment, **given: Any) -> Self:
        """The values in force: what is given by keyword and is not None, then the model's experiment
        annotation, then the defaults."""
        annotated, names = _names(cls)  # type: ignore[arg-type]  # mypy takes the hash of instances
        values = {name: getattr(experiment, name) for name in annotated}
        values |= {names[keyword]: value for keyword, value in given.items() if value is not None}
        return cls(**values)

    def verify(self) -> None:
        """Refuses what cannot be run."""
        for name, words, check, default in _checks(type(self)):  # type: ignore[arg-type]
            value = getattr(self, name)
            if value is not default:
                check(words, value)
        if self.modes:
            _ = self.listed  # refuses what is no list
        check_times(self.start_time, self.stop_time, self.interval)
        check_step(self.method, self.step, self.inlined_names)
        for name, value in (("locate", self.locate or None), ("speed", self.speed)):
            if value is not None and self.formula is None:
                raise usage_error(f"{name} makes sense only with steps of a fixed length")

    def identity(self) -> dict[str, Any]:
        """What two runs of a model must have in common for one to resume the other."""
        return {
            entry.label or entry.words: entry.in_force(self) if entry.in_force else getattr(self, entry.name)
            for entry in options(type(self))
            if entry.in_identity
        }


@cache
def _names(table: type[Any]) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """What the annotation of a model may say; and the names of all entries, by keyword."""
    entries = options(table)
    return tuple(e.name for e in entries if e.annotated), {e.keyword: e.name for e in entries}


@cache
def _checks(table: type[Any]) -> tuple[tuple[str, str, Check, Any], ...]:
    """Names and words of what is checked, how, and what needs no check: the default."""
    return tuple((e.name, e.words, e.check, e.default) for e in options(table) if e.check is not None)
