"""What the text of a process means, in both spellings."""

from __future__ import annotations

import pytest

import saltus
from saltus.core.diagnostics import ModelError
from saltus.read.chi.names import factors, plain
from saltus.show.listings.flat import flat_text

MATHEMATICAL = """
const ρ : real = 2
proc P(μ₀, b : real) = [[ x, ξ : [m], u : [-] ; x ::= 1
  | x' = -2ρx + b√ρx + sin 0.25πτ
  , ξ = |x - 3|x·ρ
  , [ x < 1 ∨ ¬(u ≥ 2) → u = μ₀x ‖ 0 ≤ u ≤ 1 ∧ x ≥ 1 → u = μ₀(x + 1) ]
  ]]
"""
ASCII = """
const rho : real = 2
proc P(mu0, b : real) = |[ x, xi : [m], u : [-] ; x ::= 1
  | x' = -(2*rho*x) + b*sqrt(rho*x) + sin(0.25*pi*tau)
  , xi = abs(x - 3)*x*rho
  , [ x < 1 or not (u >= 2) -> u = mu0*x [] 0 <= u and u <= 1 and x >= 1 -> u = mu0*(x + 1) ]
  ]|
"""


def equations(text: str) -> list[str]:
    listed = flat_text(saltus.load(text).flat).split("equation")[1].splitlines()
    # The message of the assertion quotes the text.
    return [line for line in listed if "assert" not in line]


def test_both_spellings_are_one_language() -> None:
    assert equations(MATHEMATICAL) == equations(ASCII)


@pytest.mark.parametrize(
    ("word", "ways"),
    [
        ("nQset", [("n", "Qset")]),
        ("ρgh", [("ρ", "g", "h")]),
        ("ghost", []),
        ("nn", [("n", "n")]),
        ("Qs", [("Q", "s"), ("Qs",)]),
    ],
)
def test_a_word_is_a_product_of_declared_names(word: str, ways: list[tuple[str, ...]]) -> None:
    known = dict.fromkeys(["n", "Qset", "rho", "g", "h", "Q", "s", "Qs"])
    assert sorted(factors(word, known)) == ways


def test_a_long_word_is_looked_at_in_time_proportional_to_its_length() -> None:
    """Pieces of it are no longer than the longest name."""
    tried = []

    class Known(dict[str, None]):
        def __contains__(self, name: object) -> bool:
            tried.append(name)
            return super().__contains__(name)

    assert factors("ab" * 1000, Known.fromkeys(["a", "b"])) == [("a", "b") * 1000]
    assert len(tried) <= 2000


def test_what_is_nested_too_deeply_is_refused() -> None:
    for inner in ("(" * 5000 + "x" + ")" * 5000, "x " * 5000, "sqrt " * 5000 + "x"):
        with pytest.raises(ModelError, match="nested too deeply"):
            saltus.load(f"proc P() = |[ x : [m] | x' = {inner} ]|")


def test_the_time_has_no_derivative() -> None:
    with pytest.raises(ModelError, match="has no derivative"):
        saltus.load("proc P() = |[ x : [m] | x' = tau' ]|")


def test_names_are_ascii() -> None:
    assert plain("μ₀") == plain("μ0") == plain("mu0") == "mu0"


def test_a_product_in_front_of_which_something_divides_is_refused() -> None:
    with pytest.raises(ModelError, match="two ways"):
        saltus.load("proc P(a, b : real) = |[ x : [m] | x = 1/ab ]|")


def test_no_guard_open_is_an_error_with_the_values() -> None:
    text = "proc P() = |[ x : [m]; x ::= 0 | [ x < 1 -> x' = 1 [] x > 2 -> x' = 2 ] ]|"
    with pytest.raises(saltus.RunError) as raised:
        saltus.load(text).simulate(stop_time=3)
    message = str(raised.value)
    assert "no guard is open: [ x < 1 [] x > 2 ], with x = 1" in message
