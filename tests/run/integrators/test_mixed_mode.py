"""Some states inlined, the rest integrated: the circuit of paper 001, which states, what is refused."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import saltus
from saltus.core.diagnostics import ModelError, UsageError
from saltus.tools.cli import main

SLIDE = "Saltus.Examples.Papers.Cellier2013.Slide_VariableStructureI_IdealDiode"
CIRCUIT = saltus.load(SLIDE)
BY_HAND = "Saltus.Examples.Papers.Cellier2013.Slide_MixedModeII_Rectifier"

CLUTCH = saltus.load("""
model Clutch
  parameter Real J1 = 2, J2 = 3;
  Real w1(start = 6, fixed = true), w2(start = 0, fixed = true), w3(start = 1, fixed = true), torque;
  Boolean locked = time > 0.5;
equation
  J1*der(w1) = -torque;
  J2*der(w2) = torque;
  der(w3) = w1 - w3;
  0 = if locked then w1 - w2 else torque;
end Clutch;
""")


def inlined_names(model: saltus.Model, **options: object) -> list[str]:
    inlining = model.inlined(**options).model.inlining
    return [] if inlining is None else [i.symbol.name for i in inlining.variables]


# ---------------------------------------------------------------- the formula of the slide


def formulas(text: str) -> dict[str, str]:
    """What a listing assigns, by name; `pre(i_0)` and `der(i_0)` with names that Python takes."""
    plain = re.sub(r"\b(pre|der)\((\w+)\)", r"\1_\2", text)
    return dict(re.findall(r"^  (\w+) = (.*)$", plain, re.MULTILINE))


def value(name: str, found: dict[str, str], known: dict[str, Fraction]) -> Fraction:
    """A number by the formulas of a listing, exactly."""
    if name not in known:
        parts = {part: value(part, found, known) for part in set(re.findall(r"[A-Za-z_]\w*", found[name]))}
        known[name] = eval(found[name], {"__builtins__": {}}, parts)
    return known[name]


positive = st.fractions(min_value=Fraction(1, 100), max_value=100, max_denominator=1000)
any_number = st.fractions(min_value=-100, max_value=100, max_denominator=1000)


@pytest.fixture(scope="module")
def listing() -> dict[str, str]:
    from saltus.show.listings.sorted import solved_equations

    return formulas(solved_equations(CIRCUIT.inlined("i_0")))


NUMBERS = dict.fromkeys(("L", "R_i", "h"), positive) | dict.fromkeys(("u_0", "u_2", "pre_i_0"), any_number)


@settings(max_examples=100, deadline=None)
@given(
    known=st.fixed_dictionaries({**NUMBERS, "m_o": st.sampled_from([Fraction(0), Fraction(1)]) | any_number})
)
def test_the_formula_of_the_slide(listing: dict[str, str], known: dict[str, Fraction]) -> None:
    """In exact arithmetic, at arbitrary points: rational functions that agree there are the same."""
    length, h, open_ = known["L"], known["h"], known["m_o"]
    divisor = h * open_ + (length + h * known["R_i"]) * (1 - open_)
    assume(divisor != 0)
    expected = (length * known["pre_i_0"] + h * (known["u_0"] - known["u_2"])) / divisor
    assert value("s", listing, dict(known)) == expected


def test_explain_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["explain", SLIDE, "--inline", "i_0"])
    assert not ending.value.code
    text = capsys.readouterr().out
    assert "  i_0 = pre(i_0) + h*der(i_0)\n" in text
    assert "-- integrated: u_2" in text
    assert "s" in formulas(text)
    assert "$" not in text  # what the compiler has made for itself has no names there


def test_explain_of_two_step_formulas(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["explain", SLIDE, "--method", "inline:bdf2"])
    assert not ending.value.code
    text = capsys.readouterr().out
    assert "  u_2 = before(u_2) + 2/3*h*der(u_2)\n" in text
    assert "  before(u_2) = 4/3*pre(u_2) - 1/3*pre(pre(u_2))\n" in text


# ---------------------------------------------------------------- which states


def test_mixed_takes_the_inductor_and_leaves_the_capacitor() -> None:
    assert inlined_names(CIRCUIT, method="mixed") == ["i_0"]
    run = CIRCUIT.simulate(method="mixed", step=1e-5)
    truth = CIRCUIT.simulate(tolerance=1e-10)
    assert run.statistics["programs"] == 1 < truth.statistics["programs"]
    for name, size in (("i_0", 2.0), ("u_2", 8.0)):
        assert np.abs(np.interp(truth.time, run.time, run[name]) - truth[name]).max() < 5e-3 * size


def test_mixed_takes_what_jumps_together() -> None:
    assert inlined_names(CLUTCH, method="mixed") == ["w1", "w2"]
    run = CLUTCH.simulate(method="mixed", step=1e-3)
    assert run["w1"][-1] == pytest.approx(2.4, rel=1e-12) == run["w2"][-1]


def test_mixed_takes_nothing_where_no_switch_needs_it() -> None:
    model = saltus.load("model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;")
    assert inlined_names(model, method="mixed") == []
    run = model.simulate(stop_time=1, method="mixed", step=0.1, interval=0.1)
    assert np.allclose(run["x"], 0.9 ** np.arange(11), rtol=1e-12)  # explicit Euler steps


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 4), st.lists(st.booleans(), min_size=4, max_size=4))
def test_mixed_takes_the_inductors_behind_diodes(count: int, diodes: list[bool]) -> None:
    """Branches side by side behind one source: an inductor with an ideal diode, or without."""
    own = diodes[:count]
    declared = " ".join(
        f"Real i{k}(start = 0, fixed = true), u{k}, s{k}; Boolean b{k} = s{k} < 0;" for k in range(count)
    )
    equations = " ".join(
        f"sin(time) = 0.1*der(i{k}) + i{k} + u{k}; "
        + (
            f"u{k} = if b{k} then s{k} else 0; i{k} = if b{k} then 0 else s{k};"
            if diode
            else f"u{k} = 2*i{k}; s{k} = 1;"
        )
        for k, diode in enumerate(own)
    )
    model = saltus.load(f"model M {declared} equation {equations} end M;")
    assert inlined_names(model, method="mixed") == [f"i{k}" for k, diode in enumerate(own) if diode]


def test_names_of_components_and_aliases() -> None:
    model = saltus.load("""
    model M
      model Coil
        Real i(start = 0, fixed = true), u;
      equation
        u = 0.1*der(i);
      end Coil;
      Coil coil;
      Real current = coil.i;
    equation
      1 = coil.u + coil.i;
    end M;
    """)
    # Of names for the same thing it is one, whichever is asked for.
    assert len({tuple(inlined_names(model, inline=name)) for name in ("coil.i", "current")}) == 1
    run = model.simulate(stop_time=0.1, method="inline:trapezoid", inline=("current",), step=1e-3)
    assert run["coil.i"][-1] == pytest.approx(1 - np.exp(-1), abs=1e-5)


# ---------------------------------------------------------------- beside an integrator


def test_the_rest_is_left_to_the_integrator() -> None:
    """That is the model of the gallery in which the inductor brings its own formula."""
    by_hand = saltus.load(BY_HAND).simulate(interval=1e-3)
    run = CIRCUIT.simulate(inline=("i_0",), step=1e-4, interval=1e-3)
    at = np.arange(1, 100) * 1e-3 + 5e-5  # between ticks
    for name in ("i_0", "u_2"):
        assert np.allclose(
            np.interp(at, run.time, run[name]), np.interp(at, by_hand.time, by_hand[name]), atol=1e-5
        )
    assert run.statistics["programs"] == 1


def test_beside_an_integrator_it_is_of_first_order() -> None:
    truth = CIRCUIT.simulate(tolerance=1e-10, interval=1e-3)
    at = np.arange(1, 100) * 1e-3 + 1e-6
    errors = []
    for step in (2e-4, 1e-4, 5e-5):
        run = CIRCUIT.simulate(inline=("i_0",), step=step, interval=1e-3, tolerance=1e-9)
        errors.append(
            np.mean(np.abs(np.interp(at, run.time, run["u_2"]) - np.interp(at, truth.time, truth["u_2"])))
        )
    assert errors[1] < 0.6 * errors[0] and errors[2] < 0.6 * errors[1]


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"inline": ("i_0",)}, "--step"),
        ({"inline": ("i0",), "step": 1e-4}, "did you mean `i_0`"),
        ({"inline": ("u_0",), "step": 1e-4}, "not a state"),
        ({"inline": ("i_0",), "method": "mixed", "step": 1e-4}, "by itself"),
        ({"inline": ("i_0",), "method": "inline:euler", "step": 1e-4}, "as they are"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        CIRCUIT.simulate(**options)
    assert words in "\n".join(str(d) + str(d.hint) for d in caught.value.diagnostics)


def test_half_of_what_jumps_together_is_refused() -> None:
    """With one speed only the other would stay where it is when the clutch closes."""
    with pytest.raises(UsageError) as caught:
        CLUTCH.simulate(method="inline:implicit-euler", inline=("w1,w3",), step=1e-3)
    assert "`w1` jumps together with `w2`" in str(caught.value)


def test_what_is_reinitialised_is_refused_beside_an_integrator() -> None:
    model = saltus.load("""
    model Ball
      Real h(start = 1, fixed = true), v(start = 0, fixed = true);
    equation
      der(h) = v; der(v) = -9.81;
      when h < 0 then reinit(v, -0.8*pre(v)); end when;
    end Ball;
    """)
    with pytest.raises(ModelError, match="reinitialised"):
        model.simulate(inline=("v",), step=1e-3)


# ---------------------------------------------------------------- friction at the start

STUCK = """
model Stuck "A body that friction holds until the force exceeds it"
  Real v(start = 0, fixed = true), f, s;
  Boolean forward = s > 1, backward = s < -1;
equation
  2*der(v) = time - f;
  v = if forward then s - 1 elseif backward then s + 1 else 0;
  f = if forward then 1 elseif backward then -1 else s;
end Stuck;
"""


@pytest.mark.parametrize("locate", [False, True])
@pytest.mark.parametrize("method", ["mixed", "inline:implicit-euler", "inline:trapezoid", "inline:bdf2"])
def test_a_body_may_stick_at_the_start(method: str, locate: bool) -> None:
    """It begins to move at 1 s; from there on 2 v' = t - 1, so that v is (t - 1)^2/4."""
    run = saltus.load(STUCK).simulate(method=method, step=1e-3, locate=locate, stop_time=3)
    t = np.asarray(run.time)
    assert not np.any(np.asarray(run["v"])[t < 1 - 1e-9])
    np.testing.assert_allclose(run["v"], np.maximum(t - 1, 0) ** 2 / 4, atol=2.5e-3)
    np.testing.assert_allclose(run["s"][0], 0.0, atol=1e-6)


@pytest.mark.parametrize("method", ["mixed", "inline:implicit-euler"])
def test_a_body_may_slide_at_the_start(method: str) -> None:
    """Fixed values are kept at the start, wherever they belong: with 5 m/s it slides forwards."""
    model = saltus.load(STUCK.replace("start = 0", "start = 5"))
    run = model.simulate(method=method, step=1e-3, stop_time=1)
    assert run["v"][0] == pytest.approx(5.0, abs=1e-8) and not run.warnings
    # 2 v' = t - 1
    assert run["v"][-1] == pytest.approx(5 - 0.25, abs=1e-3)


@pytest.mark.parametrize("name", ["DryPendulum", "SplitFriction", "PlanetaryShift", "Starter"])
@pytest.mark.parametrize("method", ["mixed", "inline:implicit-euler"])
def test_drives_with_friction_start(name: str, method: str) -> None:
    """As CVODE has them, by steps that are short."""
    model = saltus.load(f"Saltus.Examples.Rotational.{name}")
    stop = min(model.experiment.stop_time, 1.0)
    truth, run = model.simulate(stop_time=stop), model.simulate(stop_time=stop, method=method, step=2e-4)
    for v in model.structure.states:
        if not v.symbol.is_hidden:
            size = max(1.0, np.abs(truth[v.name]).max())
            assert abs(run[v.name][-1] - truth[v.name][-1]) < 0.01 * size, v.name
