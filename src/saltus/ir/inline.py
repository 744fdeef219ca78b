"""Methods of inline integration, as formulas for the value of a variable at the end of a step.

    x = c + weight*step*der(x)

c is what is known from before the step, and depends on the method: for the implicit Euler method it is the
value of x there. The formula becomes a part of the model (`saltus.analyse.inline`), and the native driver
brings c from step to step (`saltus.emit.driver.fixed_step`).
"""

from __future__ import annotations

from dataclasses import dataclass

from saltus.expr.helpers import Helper

#: How a formula writes what x was before the step.
_BEFORE = "pre({x})"


@dataclass(frozen=True)
class Formula:
    """A method of inline integration, of an `order`. An `explicit` one has the weight 0: x is known before
    the step, and stays the state that it is. With `two_steps`, c has two values of x. For people: `before` is
    what c is, with `pre` for what was before the step, and `weight_of_step` the weight times the step."""

    name: str
    order: int
    weight: float
    before: str
    weight_of_step: str
    two_steps: bool = False

    @property
    def explicit(self) -> bool:
        """Whether variables stay states."""
        return self.weight == 0.0

    @property
    def shows_before(self) -> bool:
        """Whether c is simply what x was before the step."""
        return self.before == _BEFORE


#: By the names that users give, behind `inline:`.
FORMULAS = {
    formula.name: formula
    for formula in (
        Formula("euler", 1, 0.0, "pre({x}) + {h}*pre({dx})", "0"),
        Formula("implicit-euler", 1, 1.0, "pre({x})", "{h}"),
        Formula("trapezoid", 2, 0.5, "pre({x}) + {h}/2*pre({dx})", "{h}/2"),
        Formula("bdf2", 2, 2.0 / 3.0, "4/3*pre({x}) - 1/3*pre(pre({x}))", "2/3*{h}", two_steps=True),
    )
}

#: At events steps are so much shorter: what is inlined stays where it is, unless something has to jump.
INSTANT = 1e-6

#: The parameter that is the length of a step, which a run sets.
STEP = Helper.LENGTH.value

#: What the name of an integration method begins with where it is one of these.
INLINE = "inline:"

#: Implicit Euler steps for the states that fix the causality of switches; explicit ones for the rest.
MIXED = "mixed"


@dataclass(frozen=True)
class Inlines:
    """Which states a formula is to determine: those with these names, or all where there are none; or
    `switched` ones only, that fix the causality of switches. With `ticks` what is known from before changes
    at the ticks of a clock, and another integrator has the rest. With `locates` events are where something
    crosses."""

    formula: Formula
    names: tuple[str, ...] = ()
    switched: bool = False
    ticks: bool = False
    locates: bool = False
