"""A name that does not exist: the refusal tells what there is in its place."""

from __future__ import annotations

import pytest

import saltus
from lowered_values import lower
from saltus.core.diagnostics import SaltusError


def test_of_many_parts_the_first_are_told() -> None:
    variables = "".join(f"Real quantity{k} = {k};" for k in range(20))
    text = f"model Many {variables} end Many; model M Many m; Real z = m.v; end M;"
    with pytest.raises(SaltusError) as caught:
        lower(text)
    hint = caught.value.diagnostics[0].hint
    assert hint is not None and hint.startswith("`m` has `quantity0`, `quantity1`")
    assert hint.endswith("`quantity7` and 12 more")


def test_of_many_parts_only_the_nearest_is_told_where_one_is_near() -> None:
    variables = "".join(f"Real quantity{k} = {k};" for k in range(20))
    text = f"model Many {variables} end Many; model M Many m; Real z = m.Quantity3; end M;"
    with pytest.raises(SaltusError) as caught:
        lower(text)
    assert caught.value.diagnostics[0].hint == "did you mean `quantity3`?"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("Resistor", "Saltus has `Saltus.Electrical.Resistor`"),
        ("Basic.Resistor", "Saltus has `Saltus.Electrical.Resistor`"),
        ("Saltus.Electrical.Basic.Resistor", "Saltus has `Saltus.Electrical.Resistor`"),
        ("Modelica.Mechanics.Rotational.Components.Fixed", "Saltus has `Saltus.Rotational.Fixed`"),
    ],
)
def test_a_part_looked_for_elsewhere_is_told_where_it_is(written: str, told: str) -> None:
    with pytest.raises(SaltusError) as caught:
        saltus.load(f"model M {written} part; end M;").check()
    assert told in (caught.value.diagnostics[0].hint or "")


def test_a_type_is_no_package() -> None:
    """`Ideal` is near `Real`, but nothing is in a predefined type."""
    with pytest.raises(SaltusError) as caught:
        lower("model M Ideal.Diode d; end M;")
    assert "Real" not in (caught.value.diagnostics[0].hint or "")
