"""What is wrong with clocks is told with the place, and with the way that led there."""

from __future__ import annotations

import pytest

import saltus


def refusal(body: str) -> saltus.Diagnostic:
    with pytest.raises(saltus.ModelError) as caught:
        saltus.load(f"model M {body} end M;")
    (found,) = caught.value.diagnostics
    assert found.span is not None
    return found


def said(found: saltus.Diagnostic) -> str:
    return " ".join((found.message, found.hint or "", *(n.message for n in found.notes)))


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        # Something with a clock, where there is none.
        (
            "Real x = sample(time, Clock(1)), y = 2*x, z(start = 0); equation der(z) = hold(x) + y;",
            "E309",
            ["hold"],
        ),
        (
            "Real x = sample(time, Clock(1)), y(start = 0), z; equation z = hold(y); y = sample(z) + z;",
            "E309",
            ["`z`"],
        ),
        ("Real x = sample(u), u = hold(v), v(start = 0) = previous(v) + u;", "E309", ["`u`", "previous"]),
        ("Real x = previous(y), y = sample(time) + hold(x);", "E309", ["hold"]),
        # Two clocks.
        (
            "Real x = sample(time, Clock(1)), y = sample(time, Clock(2)), z = x, w = z + y;",
            "E310",
            ["`x` -> `z` -> `y`", "Clock(1)", "Clock(2)"],
        ),
        (
            "Real x = sample(time, Clock(1.5)), y = sample(time, Clock(1.5)) + x;",
            "E310",
            ["two different clocks"],
        ),
        (
            "Clock c = Clock(1), d = subSample(c, 2), e = Clock(3); equation d = e;",
            "E310",
            ["Clock(1)", "Clock(3)"],
        ),
        (
            "Real x = sample(time, Clock(time > 1)), y = sample(x0, Clock(1)) + x, x0 = time;",
            "E310",
            ["Clock(1)"],
        ),
        # Conversions that do not fit.
        (
            "Real x = sample(time, Clock(1)), y = subSample(x, 2), z = y + subSample(x, 3);",
            "E310",
            ["contradicts"],
        ),
        (
            "Real x = sample(time, Clock(2, 10)), y; equation when Clock(5, 10) then y = subSample(x); "
            "end when;",
            "E310",
            ["factor"],
        ),
        (
            "Clock u = Clock(3, 10), a = shiftSample(u, 3), b = backSample(a, 4); Real t = sample(time, b);",
            "E310",
            ["before"],
        ),
        (
            "Clock u = Clock(time > 0.5), a = superSample(u, 2); Real t = sample(time, a);",
            "E310",
            ["event clock"],
        ),
        (
            "Clock u = Clock(time > 0.5), a = shiftSample(u, 2, 3); Real t = sample(time, a);",
            "E310",
            ["event clock"],
        ),
        (
            "Clock u = Clock(time > 0.5), a = superSample(subSample(u, 4), 5); Real t = sample(time, a);",
            "E310",
            ["event clock"],
        ),
        ("Real x = sample(time, Clock(1)), y = noClock(x);", "E310", ["no clock can be inferred"]),
        (
            "Real a, y = superSample(a + z, 2), z; equation a + z = sample(time, Clock(1, 100));"
            "0 = subSample(y, 2) + a;",
            "E310",
            ["different rates"],
        ),
        # Equations and unknowns.
        (
            "Real x, y, z; equation when Clock(1) then x = sample(time); y = x; y = 2*x; end when;",
            "E301",
            ["3 equations for 2"],
        ),
        (
            "Real x, y; equation when Clock(1) then x = 1; x = 2 + interval(); end when; y = hold(x);",
            "E301",
            ["equations for"],
        ),
        ("Real x(start = 0) = sample(time, Clock(1)); initial equation x = 3;", "E209", ["initial"]),
        ("parameter Real p = sample(1, Clock(1));", "E211", ["ticks of a clock"]),
        # An expression has no start value for the ticks before it has a value.
        (
            "Real x = sample(time, Clock(1)), y = backSample(shiftSample(x, 2), 1);",
            "E209",
            ["`backSample` needs a variable, not an expression", "give the expression a name"],
        ),
        # A factor that only the run knows.
        (
            "parameter Integer n(fixed = false); Real x = sample(time, Clock(1)), y = subSample(x, n); "
            "initial equation n = 2;",
            "E208",
            ["factor", "`n`"],
        ),
    ],
)
def test_refusals(body: str, code: str, words: list[str]) -> None:
    found = refusal(body)
    assert found.code == code, str(found)
    for word in words:
        assert word in said(found), said(found)


def test_a_clock_that_nobody_gives_is_a_second_with_a_warning() -> None:
    model = saltus.load(
        "model M Integer n(start = 0); equation when Clock() then n = previous(n) + 1; end when; end M;"
    )
    assert [w.code for w in model.warnings] == ["W208"]
    assert model.simulate(stop_time=3.5)["n"][-1] == 4


def test_chains_that_end_where_they_began_are_fine() -> None:
    body = "Clock u = Clock(3, 10), y1 = shiftSample(u, 3), y2 = backSample(y1, 2);"
    body += "Clock v = subSample(superSample(u, 5), 5);"
    body += "Real a = sample(time, u), b = sample(time, v) + a, c = sample(time, y2);"
    result = saltus.load(f"model M {body} end M;").simulate(stop_time=1.0)
    assert result["b"][-1] == pytest.approx(1.8)
    assert sorted(set(result["c"].tolist())) == pytest.approx([0, 0.3, 0.6, 0.9])


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("parameter Real T = -1; Real x = sample(time, Clock(T));", "interval of Clock"),
        ("Real T(start = 1); equation when Clock(T) then T = 0.25 - sample(time); "
        "end when;", "must be positive"),
        ("Integer k(start = 1); equation when Clock(k, 10) then k = 3 - integer(sample(10*time)); "
        "end when;", "positive"),
    ],
)
def test_intervals_of_a_run_are_positive(body: str, word: str) -> None:
    with pytest.raises(saltus.RunError, match=word):
        saltus.load(f"model M {body} end M;").simulate(stop_time=2.0)
