"""Which guards have to be fixed, found from structure alone."""

from __future__ import annotations

import pytest

import saltus
from saltus.ir.sorted.modes import Fixing


def fixing(declarations: str, equations: str) -> Fixing:
    text = f"model M\n{declarations}\nequation\n{equations}\nend M;"
    return saltus.load(text)._translation.programs.fixing


def combinations(declarations: str, equations: str) -> set[frozenset[tuple[str, float]]]:
    found = fixing(declarations, equations)
    assert not found.always
    return {frozenset(mode.texts) for mode in found.combinations}


def test_an_ordinary_relay_needs_nothing() -> None:
    assert not fixing("Real x(start = 0, fixed = true); Boolean on = x < 1;", "der(x) = if on then 1 else 0;")


def test_many_relays_in_one_sum_need_nothing() -> None:
    """More ways through the branches than anybody looks at, none of which matters."""
    found = fixing(
        "Real x[12](each start = 0, each fixed = true), sum(start = 0, fixed = true); Boolean on[12];",
        "for k in 1:12 loop\n  on[k] = x[k] < k; der(x[k]) = if on[k] then 1 else 0;\nend for;\n"
        "der(sum) = " + " + ".join(f"(if on[{k}] then 1 else 0)" for k in range(1, 13)) + ";",
    )
    assert not found


def test_a_diode_before_an_inductor() -> None:
    found = combinations(
        "Real i(start = 0, fixed = true), v, s; Boolean off = s < 0;",
        "v = if off then s else 0; i = if off then 0 else s; der(i) = sin(time) - v;",
    )
    assert found == {frozenset({("off", 1.0)})}


def test_switch_and_diode_of_a_converter() -> None:
    """One of them must conduct, and not both: only together they leave nothing for an equation."""
    found = combinations(
        "Real i(start = 1, fixed = true), x, sw, d, iD; Boolean closed = time < 1, off = d < 0;",
        "5 - x = if closed then 0 else sw; -x = if off then d else 0; iD = if off then 0 else d;\n"
        "i = (if closed then sw else 0) + iD; der(i) = x - i;",
    )
    assert found == {frozenset({("closed", 0.0), ("off", 1.0)}), frozenset({("closed", 1.0), ("off", 0.0)})}


@pytest.mark.parametrize("factor", ["m", "1 - m"])
def test_a_number_that_multiplies(factor: str) -> None:
    found = combinations(
        "Real x(start = 1, fixed = true), s; Integer m(start = 1, fixed = true);",
        f"der(x) = -s; x = ({factor})*s; when time > 0.5 then m = 2; end when;",
    )
    assert found == {frozenset({("m", 0.0 if factor == "m" else 1.0)})}


def test_a_sampled_factor_is_fixed_only_where_it_vanishes() -> None:
    """It has a new value with every sample, and all but one are regular."""
    found = combinations(
        "Real x(start = 1, fixed = true), s; discrete Real m(start = 1, fixed = true);",
        "der(x) = -s; x = m*s; when sample(0, 0.1) then m = 1 + time; end when;",
    )
    assert {value for mode in found for _, value in mode} <= {0.0}
    run = saltus.load(
        "model M\nReal x(start = 1, fixed = true), s; discrete Real m(start = 1, fixed = true);\n"
        "equation\nder(x) = -s; x = m*s; when sample(0, 0.1) then m = 1 + time; end when;\nend M;"
    ).simulate()
    assert run.statistics["programs"] == 1
