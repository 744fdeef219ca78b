"""What a mode leaves open is told: a warning for each quantity, the mode table, the rows."""

from __future__ import annotations

import numpy as np

from saltus.result.result import Result
from translated_models import translated

#: Two switches in series: while both are open, nothing determines the potential between them.
SERIES = """model Series
  Real v = 10*cos(time), i, middle, ua, ub, load;
  Boolean a = time < 0.5 or time > 1.5, b = time < 0.25 or time > 0.75 and time < 1 or time > 1.75;
equation
  ua = v - middle;
  ub = middle - load;
  load = 5*i;
  0 = if a then ua else i;
  0 = if b then ub else i;
end Series;
"""


def run(**options: float) -> Result:
    return translated(SERIES).simulate(stop_time=2.0, **options)


def test_the_rows_in_which_nothing_determines_a_potential() -> None:
    result = run()
    both = (result["a"] == 0.0) & (result["b"] == 0.0)
    assert both.any() and not both.all()
    for name in ("middle", "ua", "ub"):
        np.testing.assert_array_equal(result.undetermined(name), both)
    assert not result.undetermined("load").any() and not result.undetermined("i").any()
    # Whatever the open values are, the equations between them hold.
    np.testing.assert_allclose(result["ua"] + result["ub"] + result["load"], result["v"], atol=1e-9)


def test_the_mode_table_names_them() -> None:
    result = run()
    (blocked,) = [m for m in result.modes.visited if m.open]
    assert set(blocked.open) == {"middle", "ua", "ub"}
    assert [(s.start, s.stop) for s in result.modes if s.mode is blocked] == [(0.5, 0.75), (1.0, 1.5)]


def test_one_warning_however_often_the_mode_comes_back() -> None:
    (warning,) = run().warnings
    assert warning.code == "W406"
    assert "at time 0.5 do not determine `middle`, `ua` and `ub`" in warning.message
    assert warning.span is not None and warning.span.text.strip().startswith("middle")
    assert [n.message for n in warning.notes] == ["`a` is false there", "`b` is false there"]


def test_nothing_is_told_of_a_mode_that_is_not_entered() -> None:
    assert translated(SERIES).simulate(stop_time=0.4).warnings == []


def test_the_warning_names_the_component() -> None:
    (warning,) = translated(f"{SERIES}model M Series pair; end M;").simulate(stop_time=2.0).warnings
    assert warning.code == "W406"
    assert warning.within == ("in component `pair` of class `Series`, declared at <text>:11:16",)
