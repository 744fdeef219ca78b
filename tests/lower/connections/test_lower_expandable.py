"""Expandable connectors (section 9.1.3): what connections leave out of them."""

from __future__ import annotations

from tools.language_cases import texts_before

from saltus.compiler import load_flat

SIGNALS = texts_before("09_connectors/expandable.toml")["signals"]


def test_what_nothing_is_connected_to_is_not_in_the_model() -> None:
    text = """
    expandable connector Declared
      Real x;
      Real y;
      Bus sub;
    end Declared;
    model M
      Declared bus;
      Give g(k = 3);
    equation
      connect(g.y, bus.y);
    end M;
    """
    names = [v.name for v in load_flat(SIGNALS + text).variables]
    assert "bus.y" in names
    assert "bus.x" not in names
