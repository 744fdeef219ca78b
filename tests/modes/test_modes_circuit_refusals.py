"""Switching that no ideal element can do is refused: exit status, one screen, the elements named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from electrical_elements import circuit, nodes, run
from event_by_event import Walk

SCREEN = 30  # lines
REFUSED, FAILED = 1, 3  # exit status: by the translation, by the run

EXPONENTIAL = """
model Exponential
  extends Ideal.TwoPin;
equation
  i = exp(v) - 1;
end Exponential;
model Voltmeter "Integrates the square"
  extends Ideal.TwoPin;
  Real square, sum(start = 0, fixed = true);
equation
  i = 0;
  square = v^2;
  der(sum) = square;
end Voltmeter;
"""


def shorted_source() -> str:
    return circuit(
        "  ConstantVoltage V(V = 5);\n  IdealSwitch S(closed = time >= 1);\n  Resistor R(R = 2);\n",
        nodes("V.p S.p R.p", "V.n S.n R.n ground.p"),
    )


def shorted_by_a_diode() -> str:
    """The source turns positive at time 1."""
    return circuit(
        "  SignalVoltage V(signal = time - 1);\n  IdealDiode D;\n",
        nodes("V.p D.p", "V.n D.n ground.p"),
    )


def opened_current_source() -> str:
    return circuit(
        "  ConstantCurrent I(I = 2);\n  IdealSwitch S(closed = time < 1);\n  Resistor R(R = 1);\n",
        nodes("I.p S.p", "S.n R.p", "R.n I.n ground.p"),
    )


def nonlinear_way_out(supply: float) -> str:
    """The inductor is charged to a current of 2 A in one second, then it has the nonlinear element only."""
    text = circuit(
        f"  SignalVoltage V(signal = {supply});\n  IdealSwitch S(closed = time < 1);\n  Exponential N;\n"
        "  Inductor L(L = 2, i(start = 0, fixed = true));\n",
        nodes("V.p S.p", "S.n L.p N.n", "V.n L.n N.p ground.p"),
    )
    return text.replace("model M\n", EXPONENTIAL + "model M\n")


def squared_impulse() -> str:
    """Two inductors with different currents are put in series: the voltage between them has an impulse."""
    text = circuit(
        "  ConstantVoltage V(V = 6);\n  Resistor R(R = 3);\n  Voltmeter U;\n"
        "  Inductor L1(L = 1, i(start = 0, fixed = true)), L2(L = 2, i(start = 0, fixed = true));\n"
        "  IdealSwitch S(closed = time < 1);\n",
        nodes("V.p L1.p", "L1.n S.p L2.p U.p", "L2.n R.p", "V.n S.n R.n U.n ground.p"),
    )
    return text.replace("model M\n", EXPONENTIAL + "model M\n")


def floating_potential_that_matters() -> str:
    """Both switches open at time 1; a state follows the potential between them."""
    return circuit(
        "  ConstantVoltage V(V = 1);\n  IdealSwitch S(closed = time < 1), T(closed = time < 1);\n"
        '  Resistor R(R = 1);\n  Real x(start = 0, fixed = true) "follows the node";\n',
        nodes("V.p S.p", "S.n T.p", "T.n R.p", "V.n R.n ground.p") + "  der(x) = S.n.v - x;\n",
    )


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (shorted_source(), ("S", "V")),
        (shorted_by_a_diode(), ("D", "V")),
        (opened_current_source(), ("S", "I")),
        (nonlinear_way_out(-4), ("N",)),
        (squared_impulse(), ("U",)),
        (floating_potential_that_matters(), ("S",)),
    ],
    ids=["short", "diode short", "current opened", "nonlinear", "squared impulse", "floating"],
)
def test_refused_by_name(
    text: str,
    named: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from saltus.tools.cli import main

    monkeypatch.chdir(tmp_path)
    Path("bad.mo").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as ending:
        main(["simulate", "bad.mo", "--stop-time", "2"])
    said = capsys.readouterr().err
    assert ending.value.code in (REFUSED, FAILED), said
    assert "Traceback" not in said and "internal error" not in said
    assert said.count("\n") <= SCREEN, said
    for element in named:
        of_it = (f"{element}.{variable}" in said for variable in ("v", "i", "s", "p", "n", "square"))
        assert f"`{element}`" in said or any(of_it), said
    assert "bad.mo:" in said


def test_nonlinear_way_out_in_the_right_direction() -> None:
    """The other way round the element can take any current: L i' = -v with i = exp(v) - 1."""
    result = run(nonlinear_way_out(4), 3)
    walk = Walk([0.0], 0.02)
    walk.follow(lambda t, y: [2.0], 1.0)
    walk.follow(lambda t, y: [-np.log1p(y[0]) / 2], 3.0)
    np.testing.assert_allclose(result["L.i"], walk.after(result.time)[0], atol=1e-7)
