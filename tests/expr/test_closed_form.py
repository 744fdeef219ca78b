"""Linear systems solved by formulas, against numpy, and against the formulas that paper 000 prints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.expr.closed_form import ClosedForm, closed_form
from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import Expr, Op, Symbol, Type, const, leaf_symbol, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves
from saltus.ir.sorted.blocks import Explicit, Linear

EXAMPLES = Path(__file__).parents[2] / "examples" / "papers"
numbers = st.integers(-4, 4).map(float)


def values_of(form: ClosedForm, given: dict[Expr, float]) -> list[float]:
    known = dict(given)
    for symbol, value in form.names:
        known[ref(symbol)] = float(evaluate(value, known.__getitem__))
    return [float(evaluate(value, known.__getitem__)) for value in form.values]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4), st.data())
def test_solution_of_a_system_with_symbols(size: int, data: st.DataObject) -> None:
    """Entries are symbols, zeros and ones; their numbers are inserted afterwards."""
    matrix, right, known = [], [], {}
    a, b = np.zeros((size, size)), np.zeros(size)
    for i in range(size):
        for j in range(size):
            kind = data.draw(st.sampled_from(["zero", "one", "symbol"]))
            if kind != "zero":
                a[i, j] = 1.0 if kind == "one" else data.draw(numbers)
                entry = const(1.0) if kind == "one" else ref(Symbol(f"a{i}{j}", Type.REAL))
                known[entry] = a[i, j]
                matrix.append((i, j, entry))
        b[i] = data.draw(numbers)
        right.append(ref(Symbol(f"b{i}", Type.REAL)))
        known[right[i]] = b[i]
    form = closed_form(size, matrix, right)
    if abs(np.linalg.det(a)) < 0.5:  # of integers: singular
        return
    assert form is not None
    np.testing.assert_allclose(values_of(form, known), np.linalg.solve(a, b), atol=1e-9)


def loop(name: str) -> tuple[Linear, ClosedForm, dict[str, Expr]]:
    """The loop of an example, its formulas, and all that they contain, by name."""
    structure = saltus.load(EXAMPLES / f"{name}.dym").structure
    (block,) = (b for b in structure.blocks if isinstance(b, Linear))
    switch = {b.value: b.unknown for b in structure.blocks if isinstance(b, Explicit) and b.value.op is Op.IF}
    assert len(switch) <= 1
    form = closed_form(len(block.unknowns), block.matrix, block.right)
    assert form is not None
    inside = {leaf for _, value in form.names for leaf in leaves(value)}
    inside |= {leaf for value in form.values for leaf in leaves(value)}
    return block, form, {leaf_symbol(leaf).name: leaf for leaf in inside}


@pytest.mark.parametrize("is_open", [False, True])
def test_formulas_of_the_rectifier(is_open: bool) -> None:
    """Q101 to Q104 of the paper. Its Diode.Vb is RL.Vb here: they are one potential."""
    block, form, names = loop("Rectifier")
    chance = np.random.default_rng(1)
    r, before, behind = chance.uniform(1, 5, 3)
    known = {
        names["Diode.OpenSwitch"]: is_open,
        names["Ri.R"]: r,
        names["U0.Vb"]: before,
        names["RL.Vb"]: behind,
    }
    q101, q102 = (1, 0) if is_open else (0, 1)
    q103 = r * q102 - q101
    q104 = r * q102
    paper = {
        "Ri.u": (q104 * before - q104 * behind) / q103,
        "Ri.Vb": (q104 * behind - q101 * before) / q103,
        "Diode.u": (q101 * behind - q101 * before) / q103,
        "U0.i": (q102 * before - q102 * behind) / q103,
    }
    found = dict(zip(map(show, block.unknowns), values_of(form, known), strict=True))
    assert found.keys() == paper.keys()
    for name, value in paper.items():
        assert found[name] == pytest.approx(value, abs=1e-12), name


def test_listing_names_what_the_paper_names() -> None:
    from saltus.show.listings.sorted import solved_equations

    text = solved_equations(saltus.load(EXAMPLES / "Rectifier.dym").structure)
    assert "Q101 = if pre(Diode.OpenSwitch) then 1.0 else 0.0" in text
    assert "U0.i = (Q102*U0.Vb - Q102*RL.Vb)/Q104" in text
    text = solved_equations(saltus.load(EXAMPLES / "SwitchCircuit.dym").structure)
    assert "Q101 = Sw.OpenSw - 1.0" in text and "Q102 = R1.R*Q101" in text
    assert "Q104 = Q102 + Sw.OpenSw" in text


def test_what_is_too_large_has_no_formulas() -> None:
    size = 8
    full = [(i, j, ref(Symbol(f"a{i}{j}", Type.REAL))) for i in range(size) for j in range(size)]
    right = [const(1.0)] * size
    assert closed_form(size, full, right) is None
    assert closed_form(40, [(i, i, const(2.0)) for i in range(40)], [const(1.0)] * 40) is None
    assert closed_form(1, [], [const(1.0)]) is None
