"""Examples with tokens deleted, repeated and exchanged: each is translated or refused, nothing else."""

from __future__ import annotations

import re
import time
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import saltus
from saltus.core.diagnostics import SaltusError
from saltus.core.render import render

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mo"))
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*\n|\s+|\w+|[:<>=]=|<>|.', re.DOTALL)
SPARE = [
    "end", "model", "Real", "Integer", "if", "then", "for", "when", "equation", "algorithm", "connect", "der",
    "pre", "(", ")", "[", "]", "{", "}", ",", ";", "=", ":=", "+", "*", "/", "^", ".", "0", "-1", "1e400",
    "true", "x", "time", "size", "extends", "each", "flow", "parameter", '"text"', "'quoted name'",
]  # fmt: skip
LONGEST = 10.0  # seconds for one small model on a busy machine; a loop without end takes longer


def kind(token: str) -> str:
    """Name, number or other; keywords count as names, which breaks the grammar now and then."""
    return "name" if token[0].isalpha() else "number" if token[0].isdigit() else "other"


@st.composite
def broken(draw: st.DrawFn) -> str:
    """A few tokens deleted, repeated, exchanged or replaced at random: mostly no Modelica any more."""
    tokens, words = draw(example())
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.sampled_from(words))
        other = draw(st.sampled_from(words))
        match draw(st.integers(0, 4)):
            case 0:
                tokens[at] = ""
            case 1:
                tokens[at] = tokens[at] + " " + tokens[at]
            case 2:
                tokens[at] = draw(st.sampled_from(SPARE))
            case 3:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case _:
                tokens[at] = tokens[other]
    return "".join(tokens)


@st.composite
def confused(draw: st.DrawFn) -> str:
    """Names put in the place of names and numbers in the place of numbers: often still Modelica, but with
    wrong types, sizes, classes, loops or counts."""
    tokens, words = draw(example())
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.sampled_from([i for i in words if kind(tokens[i]) != "other"]))
        like = [i for i in words if kind(tokens[i]) == kind(tokens[at]) and tokens[i] not in SPARE]
        tokens[at] = tokens[draw(st.sampled_from(like or [at]))]
    return "".join(tokens)


@st.composite
def example(draw: st.DrawFn) -> tuple[list[str], list[int]]:
    """Tokens of an example, and which of them are words."""
    tokens = TOKEN.findall(draw(st.sampled_from(EXAMPLES)).read_text(encoding="utf-8"))
    return tokens, [i for i, t in enumerate(tokens) if t.strip() and not t.startswith(("//", '"'))]


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(broken() | confused())
def test_a_mutated_model_is_translated_or_refused(text: str) -> None:
    began = time.perf_counter()
    try:
        saltus.load(text)
    except SaltusError as error:
        assert error.diagnostics
        assert render(error.diagnostics).count("\n") <= 30
    assert time.perf_counter() - began < LONGEST
