"""The formulas that `saltus explain --solved` finds, against those that papers 000 and 001 print: as
expressions, by exact arithmetic with symbols, not as text and not by numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rational_functions import Rational, rational

import saltus
from saltus.expr.nodes import Op, leaf_symbol
from saltus.show.listings.sorted import closed_forms, solved_equations

EXAMPLES = Path(__file__).parents[2] / "examples" / "papers"
CELLIER = "Saltus.Examples.Papers.Cellier2013."


def solved(model: saltus.Model, known: dict[str, Rational]) -> dict[str, Rational]:
    """What the loop of a model is solved to, by the names of the unknowns."""
    ((block, form),) = closed_forms(model.structure)
    names = dict(known)
    for symbol, value in form.names:
        names[symbol.name] = rational(value, names)
    unknowns = (leaf_symbol(u).name for u in block.unknowns)
    return {n: rational(value, names) for n, value in zip(unknowns, form.values, strict=True)}


def symbols(*names: str) -> list[Rational]:
    return [Rational.named(name) for name in names]


@pytest.fixture
def bits(monkeypatch: pytest.MonkeyPatch):
    """Makes names stand for 0 or 1."""
    return lambda *names: monkeypatch.setattr(Rational, "bits", frozenset(names))


def test_rectifier(bits) -> None:
    """Q101 to Q104 of paper 000. Its Diode.Vb is RL.Vb here: one potential."""
    bits("Diode.OpenSwitch")
    found = solved(saltus.load(EXAMPLES / "Rectifier.dym"), {})
    is_open, r, before, behind = symbols("Diode.OpenSwitch", "Ri.R", "U0.Vb", "RL.Vb")
    q101 = is_open * 1 + (1 - is_open) * 0
    q102 = is_open * 0 + (1 - is_open) * 1
    q103 = r * q102 - q101
    q104 = r * q102
    assert found == {
        "Ri.u": (q104 * before - q104 * behind) / q103,
        "Ri.Vb": (q104 * behind - q101 * before) / q103,
        "Diode.u": (q101 * behind - q101 * before) / q103,
        "U0.i": (q102 * before - q102 * behind) / q103,
    }


def test_switch_circuit() -> None:
    """Q105 to Q108 of paper 000, with `OpenSw` as any number. The input is 0.1 here, and the potential of the
    ground has been inserted; C.Va and Sw.Va are called R2.Va and I0.Va."""
    found = solved(saltus.load(EXAMPLES / "SwitchCircuit.dym"), {})
    switch, r1, va = symbols("Sw.OpenSw", "R1.R", "R2.Va")
    vb, i = Rational.of(0), Rational.of(0.1)
    q105 = switch - 1
    q106 = r1 * q105
    q107 = q106 + switch
    q108 = r1 * switch
    assert found == {
        "R1.u": (q106 * va - q106 * vb + q108 * i) / q107,
        "R1.i": (q105 * va - q105 * vb + switch * i) / q107,
        "Sw.i": (q105 * vb + q106 * i - q105 * va) / q107,
        "Sw.u": (switch * vb + q108 * i - switch * va) / q107,
        "I0.Va": (switch * vb + q108 * i + q106 * va) / q107,
    }


@pytest.mark.parametrize(
    "model, names, known",
    [
        (EXAMPLES / "InlinedRectifier.dym", "Ri L h mo before u0 u1 uL ud i0 u2 s", {}),
        (
            f"{CELLIER}Slide_MixedModeII_Rectifier",
            "R_i L h m_o i_last u_0 u_1 u_L u_d i_0 u_2 s",
            {"volt": 1, "ampere": 1},
        ),
    ],
    ids=["Dymola", "Modelica"],
)
def test_inlined_rectifier(model: Path | str, names: str, known: dict[str, int], bits) -> None:
    """Slide "Mixed-mode Integration VI" of paper 001: the replacement of the residual equation, and what
    follows from it in the order of the slide."""
    ri, coil, h, mo, before, u0, u1, ul, ud, i0, u2, s = names.split()
    bits(mo)
    found = solved(saltus.load(model), {n: Rational.of(x) for n, x in known.items()})
    r, inductance, step, is_open, last, source, load = symbols(ri, coil, h, mo, before, u0, u2)
    curve = (inductance * last + step * (source - load)) / (
        step * is_open + (inductance + step * r) * (1 - is_open)
    )
    current = (1 - is_open) * curve
    assert found == {
        s: curve,
        ud: is_open * curve,
        i0: current,
        u1: r * current,
        ul: source - r * current - is_open * curve - load,
    }


@pytest.mark.parametrize("name", ["Rectifier", "SwitchCircuit"])
def test_a_run_computes_one_unknown_by_its_formula(name: str) -> None:
    """The others follow from it, each from one equation, so that there is one division by the determinant."""
    ((block, form),) = closed_forms(saltus.load(EXAMPLES / f"{name}.dym").structure)
    assert block.tearing is not None
    assert len(block.tearing.columns) == 1 and len(block.tearing.inner) == len(block.unknowns) - 1
    assert sum(value.op is Op.DIV for value in form.values) == len(block.unknowns)


def test_a_truth_by_its_own_name_needs_no_other() -> None:
    text = solved_equations(saltus.load(f"{CELLIER}Slide_MixedModeII_Rectifier").structure)
    assert "= m_o\n" not in text


# ---------------------------------------------------------------- the judge itself

numbers = st.fractions(min_value=-3, max_value=3, max_denominator=4)


@given(st.lists(numbers, min_size=3, max_size=3), numbers)
def test_expressions_are_compared_exactly(coefficients, other) -> None:
    """(a x + b)(x + c) is written out in another way, and differs from what has one more term."""
    a, b, c = coefficients
    x, y = symbols("x", "y")
    assert (a * x + b) * (x + c) / y == (a * x * x + (a * c + b) * x + b * c) / y
    assert ((a * x + b) / y == (a * x + b + other) / y) is (other == 0)


def test_bits_are_their_own_squares(bits) -> None:
    x, b = symbols("x", "b")
    assert b * b != b
    bits("b")
    assert b * b * x == b * x and b * (1 - b) == 0 and x * x != x
