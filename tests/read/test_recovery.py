"""What is left of a damaged text."""

from __future__ import annotations

import pytest

from saltus.core.diagnostics import ModelError
from saltus.core.source import Source
from saltus.ir import ast
from saltus.read.modelica.parser import parse
from saltus.read.modelica.recovery import recovered

WHOLE = """within P;
model M "a model"
  Real a;
  Real b(start = 1);
equation
  a = 2*b;
  annotation(experiment(StopTime = 1));
end M;
"""


def declared(text: str) -> list[str]:
    """The names of components of the first class."""
    body = recovered(Source("t", text)).tree.classes[0].body
    assert isinstance(body, ast.LongBody)
    return [d.name for e in body.elements if isinstance(e, ast.ComponentClause) for d in e.declarations]


def test_a_whole_text_has_its_tree() -> None:
    found = recovered(Source("t", WHOLE))
    assert found.tree == parse(Source("t", WHOLE)) and found.is_whole


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("Real a;", "Real ;", ["b"]),
        ("Real a;", "Real a(;", ["b"]),
        ("end M;", "", ["a", "b"]),
        ("end M;", "end N", ["a", "b"]),
        ("equation", "equation\n  a = ;", ["a", "b"]),
        ("Real a;", "# Real a;", ["a", "b"]),
        ('"a model"', '"a model', ["a", "b"]),
        ("Real a;", "Real a; /* ", ["a", "b"]),
        ("StopTime = 1));", "StopTime = 1", ["a", "b"]),
        ("Real a;", "Real a 'x;", ["a", "b"]),
    ],
)
def test_what_is_not_damaged_is_left_at_its_place(old: str, new: str, left: list[str]) -> None:
    text = WHOLE.replace(old, new)
    with pytest.raises(ModelError):
        parse(Source("t", text))
    assert declared(text) == left
    found = recovered(Source("t", text))
    tree = found.tree
    assert not found.is_whole and tree.within == ("P",)
    assert text[tree.classes[0].start :].startswith("model M")


def test_more_mistakes_than_are_told() -> None:
    assert declared("model M\n" + "  Real (;\n" * 50 + "  Real x;\nend M;") == ["x"]


def test_tokens_of_a_text_without_any() -> None:
    assert recovered(Source("t", "\u00a7" * 200)).tokens.kinds == ["end of text"]


def test_an_argument_that_the_text_ends_before() -> None:
    """This ended with a traceback."""
    with pytest.raises(ModelError) as caught:
        parse(Source("t", "model M equation f(a = 1,"))
    assert "the name of an argument" in caught.value.diagnostics[0].message
