"""Enumerations are types of their own: no numbers, and of one enumeration only (sections 4.9.5, 6.6, 6.7)."""

from __future__ import annotations

import pytest

import saltus
from lowered_values import lower
from saltus.core.diagnostics import SaltusError

E = "type E = enumeration(one, two, three);\n type F = enumeration(red, green);\n"


def model(text: str) -> str:
    return f"model M\n {E} {text}\nend M;"


def test_structural_parameter_set_by_literal() -> None:
    """A size that depends on an enumeration parameter, which is given as text or as a number."""
    m = saltus.load(
        model("parameter E e = E.one;\n Real x[Integer(e)] = ones(Integer(e));\n Real y = sum(x);")
    )
    assert float(m.simulate(set={"e": "three"})["y"][-1]) == pytest.approx(3)
    assert float(m.simulate(set={"e": 2})["y"][-1]) == pytest.approx(2)


def test_an_enumeration_has_its_own_name_in_messages() -> None:
    """Also where another model in use has one of the same literals."""
    other = lower("model A type G = enumeration(red, green); parameter G g = G.red; Real x = 1; end A;")
    text = (
        "model M type E = enumeration(one, two); type F = enumeration(red, green);"
        " parameter E e = F.red; end M;"
    )
    with pytest.raises(SaltusError) as caught:
        lower(text)
    assert "this is M.F" in caught.value.diagnostics[0].message
    assert other.flat.name == "A"
