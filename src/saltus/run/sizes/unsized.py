"""W407: what turns out to be far smaller in a run than its size. Without a nominal value and without a size
from the balance of equations, the size is 1; and the balance gives a bound, which may be far too high. If a
run shows that a state is far smaller than what its errors were measured by, they were hardly looked at; and a
residue that stays near its zero band may have passed zero without an event. What is large is no matter: its
relative tolerance counts. A state with a bound that has moved by no more than a hundred tolerances cannot be
told from one that stays at zero, as the bound allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from saltus.core.diagnostics import Diagnostic
from saltus.core.wording import listed
from saltus.expr.nodes import Op, ref
from saltus.expr.traversal import leaves
from saltus.ir.balance import Balance, Found
from saltus.ir.flat import Variable
from saltus.ir.hybrid import HybridModel
from saltus.ir.native.contract import BAND
from saltus.result.result import Result

#: A state below this part of what its errors are measured by is far smaller, and a residue whose variables
#: are no larger than so many bands is near zero. A bound of which a run shows no more than this part is too
#: high; so many tolerances may be errors of the integrator.
SMALLER = 1e-3
NEAR_BANDS = 100.0
TOO_HIGH, ERRORS = 0.1, 100.0

#: The largest number of states in a warning.
MOST_TOLD = 3


@lru_cache(maxsize=16)
def _states(model: HybridModel, balance: Balance) -> tuple[tuple[int, Variable], ...]:
    """The states that users know, each with its number in the balance."""
    states = {ref(v.symbol): v for v in model.states if not v.symbol.is_hidden}
    return tuple((k, states[leaf]) for k, leaf in enumerate(balance.leaves) if leaf in states)


def without_size(result: Result, tolerance: float) -> Iterator[Diagnostic]:
    """The warnings, if there is anything to warn about, of a run with this tolerance."""
    sizes, model = result.sizes, result.general.model
    if sizes is None:
        return
    tiny: list[tuple[Variable, float]] = []
    loose: list[tuple[Variable, float, Found]] = []
    for k, v in _states(model, sizes.balance):
        found, leaf = sizes.variables.get(k), sizes.balance.leaves[k]
        if found is None:
            continue
        if found.size is None:
            largest = result.largest(leaf, SMALLER)
            if 0.0 < largest < SMALLER:
                tiny.append((v, largest))
        else:
            errors = ERRORS * tolerance * found.used
            high = min(SMALLER * found.used, TOO_HIGH * 10.0**found.size)
            largest = result.largest(leaf, high)
            if errors < largest < high:
                loose.append((v, largest, found))
    near = []
    for index, found in sizes.relations.items():
        if found.size is None:
            variables = [x for x in leaves(model.relations[index].residue) if x.op in (Op.REF, Op.DER)]
            largest, high = 0.0, NEAR_BANDS * BAND
            for x in variables:
                if largest < high:
                    largest = max(largest, result.largest(x, high))
            if 0.0 < largest < high:
                near.append((model.relations[index], largest))
    if tiny:
        names = listed([v.name for v, _ in tiny])
        most = max(largest for _, largest in tiny)
        are = "is" if len(tiny) == 1 else "are"
        yield Diagnostic(
            "W407",
            f"the model does not determine how large {names} {are}, so errors were measured relative "
            f"to 1; but the run has seen no more than {most:.3g}",
            tiny[0][0].span,
            hint=f"give {'it' if len(tiny) == 1 else 'them'} a `nominal`, here `nominal = {most:.1g}`",
            origin=tiny[0][0].name,
        )
    for v, largest, found in loose[:MOST_TOLD]:
        bound = f"{10.0 ** (found.size or 0.0):.1g}"
        yield Diagnostic(
            "W407",
            f"the equations only bound `{v.name}` by about {bound}, so its errors were measured relative to "
            f"{found.used:.1g}; but the run has seen no more than {largest:.3g}",
            v.span,
            hint=f"give it a `nominal`, here `nominal = {largest:.1g}`",
            origin=v.name,
        )
    if near:
        yield Diagnostic(
            "W407",
            f"the model does not determine how large the two sides of {listed([r.text for r, _ in near])} "
            f"are, so anything below {BAND:g} counts as zero; but the run has seen no more than "
            f"{max(largest for _, largest in near):.3g}",
            near[0][0].span,
            hint="give the variables in it a `nominal`",
            origin=near[0][0].origin,
        )
