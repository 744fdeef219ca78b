"""inner and outer: section 5.4 of the specification."""

from __future__ import annotations

import pytest

import saltus
from lowered_values import lower
from saltus.core.diagnostics import SaltusError


def test_a_missing_inner_is_told_once() -> None:
    text = """
    model World parameter Real g = 9; end World;
    model Leaf outer World world; Real y = world.g; end Leaf;
    model M Leaf a; Leaf b; end M;
    """
    told = [d for d in lower(text).warnings if d.code == "W204"]
    assert len(told) == 1
    assert "inner World world" in (told[0].hint or "")


def test_a_missing_inner_component_is_told_beside_the_refusal_that_it_leads_to() -> None:
    text = "model A outer Real g; Real x = g; end A; model M A a; end M;"
    with pytest.raises(SaltusError) as caught:
        saltus.load(text)
    assert [d.code for d in caught.value.diagnostics] == ["E301", "W204"]
