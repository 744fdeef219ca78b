"""Boolean equations that nothing satisfies, against truth tables."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

import saltus
from saltus.core.diagnostics import ModelError

#: Equations for a and b with an input c, in Modelica; and whether they hold.
CASES: list[tuple[str, str, Callable[[bool, bool, bool], bool]]] = [
    ("not b", "a and c", lambda a, b, c: a == (not b) and b == (a and c)),
    ("not b", "a or c", lambda a, b, c: a == (not b) and b == (a or c)),
    ("b == c", "a <> c", lambda a, b, c: a == (b == c) and b == (a != c)),
    ("b == c", "a == c", lambda a, b, c: a == (b == c) and b == (a == c)),
    ("b and b == c", "a and not c", lambda a, b, c: a == (b and b == c) and b == (a and not c)),
]


@pytest.mark.parametrize(("first", "second", "hold"), CASES)
def test_two_equations_with_an_input(
    first: str, second: str, hold: Callable[[bool, bool, bool], bool]
) -> None:
    """Refused exactly if no row of the truth table satisfies both equations."""
    text = f"model M Boolean a, b, c = time > 1; equation a = {first}; b = {second}; end M;"
    if any(hold(*row) for row in product((False, True), repeat=3)):
        saltus.load(text)
    else:
        with pytest.raises(ModelError, match="E305"):
            saltus.load(text)


def test_some_of_these_are_refused_and_some_are_not() -> None:
    found = {any(hold(*row) for row in product((False, True), repeat=3)) for _, _, hold in CASES}
    assert found == {False, True}
