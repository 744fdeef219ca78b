"""The sorted equations of the switch circuit: paper 000 marks the algebraic loop around the switch."""

from __future__ import annotations

from pathlib import Path

import saltus
from saltus.ir.sorted.blocks import Explicit, Linear, Nonlinear

CIRCUIT = Path(__file__).parents[2] / "examples" / "SwitchCircuit.mo"


def test_switch_equation_is_in_the_only_loop() -> None:
    """Paper: "the switch equation, when used correctly, must always end up in an algebraic loop"; the loop
    is linear, since the position of the switch is known beforehand."""
    structure = saltus.load(CIRCUIT).structure
    loops = [block for block in structure.blocks if not isinstance(block, Explicit)]
    assert len(loops) == 1
    (loop,) = loops
    assert isinstance(loop, Linear) and not isinstance(loop, Nonlinear)
    assert any(equation.origin == "Sw" for equation in loop.equations)
    # What the capacitor determines is known before the loop, what it needs comes after it.
    unknowns = {str(u) for u in loop.unknowns}
    assert "der(C.u)" not in unknowns
