"""How long a run is, and how it takes its steps: the first entries of its options.

Two tables, of which `Settings` (`saltus.run.schedule.settings`) is made with all others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from saltus.core.option import finite, not_negative, one_of, option, positive, relative_error, usage_error
from saltus.ir.flat import Experiment
from saltus.ir.inline import FORMULAS, INLINE, MIXED, Formula, Inlines

#: Integration methods: CVODE's two, IDA on the implicit form, an explicit one-step method, and that one as
#: long as nothing is stiff.
METHODS = ("bdf", "adams", "ida", "rk45", "auto")

#: Those that take steps of a fixed length: formulas that become a part of the equations.
FIXED_STEP = (*(INLINE + name for name in FORMULAS), MIXED)

#: Methods of other tools, in small letters, by the one that is nearest to them here.
FOREIGN_METHODS = {
    "ida": "dassl daspk dasrt daskr dae ode15i",
    "bdf": "cvode lsoda lsodar lsode vode radau radau5 radauiia rodas rodas5 ode15s ode23s ode23t ode23tb "
    "esdirk esdirk23a esdirk34a esdirk45a sdirk34hw gear bdf2 trapezoid impeuler gbode fbdf qndf rosenbrock",
    "adams": "ode113 deabm abm vcabm adams-moulton adams-bashforth",
    "rk45": "dopri dopri5 dopri45 dop853 rk2 rk3 rk4 rk23 rkf45 rkfix2 rkfix3 rkfix4 ode1 ode2 ode3 ode4 "
    "ode5 ode8 ode23 ode45 euler heun rungekutta runge-kutta cerk23 cerk34 cerk45 tsit5 bs3 vern7",
}

#: Those that begin with the explicit one-step method.
EXPLICIT = ("rk45", "auto")

#: The choices of linear algebra for the integrator.
LINEAR_SOLVERS = ("auto", "dense", "sparse")

#: Output points of a run for which no interval was chosen.
DEFAULT_POINTS = 500


def _method(name: str, value: Any) -> None:
    """Refuses what is no method; for one of another tool the hint is what is nearest to it here."""
    said = str(value).lower()
    near = [own for own in METHODS if said == own or said in FOREIGN_METHODS.get(own, "").split()]
    one_of((*METHODS, *FIXED_STEP), "method", f"nearest to it is `{near[0]}`; " if near else "")(name, value)


@dataclass(frozen=True, kw_only=True)
class Span:
    """What the `experiment` annotation of a model may say. The absolute tolerance of each state is the
    tolerance times its nominal value (1 if it has none). `interval` None means 500 intervals."""

    # fmt: off
    start_time: float = option(
        "Time at which the simulation starts.", metavar="T",
        default=Experiment.start_time, annotated=True, check=finite,
    )
    stop_time: float = option(
        "Time at which the simulation ends.", metavar="T",
        default=Experiment.stop_time, annotated=True, check=finite,
    )
    tolerance: float = option(
        "Relative tolerance of the integration.", metavar="R",
        default=Experiment.tolerance, annotated=True, check=relative_error,
    )
    interval: float | None = option(
        "Distance between output points.", metavar="H",
        default=Experiment.interval, otherwise=f"a {DEFAULT_POINTS}th of the whole", annotated=True,
        # Zero is left to `check_times`: a run that ends where it starts has no use for a distance.
        check=not_negative,
        label="output interval", in_force=lambda settings: settings.output_interval,
    )
    # fmt: on

    @property
    def output_interval(self) -> float:
        """The interval, chosen or by default; 0 if start and stop are the same."""
        if self.interval is not None:
            return self.interval
        return (self.stop_time - self.start_time) / DEFAULT_POINTS


@dataclass(frozen=True, kw_only=True)
class Stepping(Span):
    """How the integrator gets from instant to instant. `max_step` None leaves the step to it. With an
    `event_resolution`, residues are sampled at least that often."""

    # fmt: off
    method: str = option(
        "Integration method: " + ", ".join((*METHODS, *FIXED_STEP)) + ".", metavar="NAME",
        default="bdf", check=_method,
    )
    step: float | None = option(
        "Length of fixed steps: those of inline:..., of mixed and of --inline.",
        metavar="H", default=None, otherwise="the integrator decides", check=positive,
        label="length of steps", unit="s",
    )
    inline: tuple[str, ...] = option(
        "States to inline (a formula of fixed steps determines them), separated by commas; others are "
        "integrated.",
        metavar="A,B", default=(), otherwise="none, or all with --method inline:...", label="inlined states",
        in_force=lambda settings: list(settings.inlined_names),
    )
    locate: bool = option(
        "With fixed steps: locate events inside the steps.", default=False,
        label="place of events in steps",
    )
    max_step: float | None = option(
        "Largest step of the integration.", metavar="H",
        default=None, otherwise="the integrator decides", check=positive, label="largest step",
    )
    event_resolution: float | None = option(
        "Miss no excursion of a residue that is longer than this.", metavar="H",
        default=None, otherwise="as guaranteed in docs/events.md", check=positive,
    )
    linear_solver: str = option(
        "Linear algebra of the integrator: " + ", ".join(LINEAR_SOLVERS) + ".", metavar="NAME",
        default="auto", otherwise="auto: the faster one", check=one_of(LINEAR_SOLVERS),
    )
    # fmt: on

    @property
    def formula(self) -> Formula | None:
        """The formula of fixed steps; None where the integrator chooses its steps."""
        if self.method not in FIXED_STEP:
            return None
        return FORMULAS["implicit-euler" if self.method == MIXED else self.method.removeprefix(INLINE)]

    @property
    def inlined_names(self) -> tuple[str, ...]:
        """The names of states that are to be inlined, one by one."""
        return separated(self.inline)

    @property
    def inlines(self) -> Inlines | None:
        """What becomes of the equations; None where they stay as they are."""
        names = self.inlined_names
        if self.formula is None:
            return Inlines(FORMULAS["implicit-euler"], names, ticks=True) if names else None
        if self.formula.explicit:
            return None
        return Inlines(self.formula, names, switched=self.method == MIXED, locates=self.locate)


def check_times(start_time: float, stop_time: float, interval: float | None = None) -> None:
    """The conditions between options: time does not run backwards, and a run that takes time needs a distance
    between its output points."""
    if stop_time < start_time:
        raise usage_error(f"stop time {stop_time:g} is before start time {start_time:g}")
    if interval is not None and stop_time > start_time:
        positive("interval", interval)


def separated(given: str | Sequence[str]) -> tuple[str, ...]:
    """Names one by one, of texts that have several, separated by commas."""
    texts = (given,) if isinstance(given, str) else given
    return tuple(name.strip() for text in texts for name in split_names(text) if name.strip())


def split_names(text: str) -> list[str]:
    """Names separated by commas; those inside of brackets are subscripts."""
    return re.split(r",(?![^\[]*\])", text)


def check_step(method: str, step: float | None, inlined: Sequence[str] = ()) -> None:
    """A method with fixed steps, and what is inlined, needs their length; nothing else has one."""
    if step is None and (method in FIXED_STEP or inlined):
        hint = "give the step length: --step 1e-3 on the command line, step=1e-3 in Python"
        told = f"method {method}" if method in FIXED_STEP else "what is inlined"
        raise usage_error(f"{told} takes fixed steps, and no step length is given", hint=hint)
    if step is not None and method not in FIXED_STEP and not inlined:
        hint = "choose a method with fixed steps (" + ", ".join(FIXED_STEP) + "), or say --max-step"
        raise usage_error(f"method {method} chooses its steps by itself", hint=hint)
    if inlined and method in (MIXED, INLINE + "euler"):
        why = "determines by itself what to inline" if method == MIXED else "leaves all states as they are"
        raise usage_error(f"method {method} {why}", hint="choose another method, or omit --inline")
