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


@st.composite
def mutated(draw: st.DrawFn) -> str:
    tokens = TOKEN.findall(draw(st.sampled_from(EXAMPLES)).read_text(encoding="utf-8"))
    words = [i for i, token in enumerate(tokens) if token.strip() and not token.startswith("//")]
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


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(mutated())
def test_a_mutated_model_is_translated_or_refused(text: str) -> None:
    began = time.perf_counter()
    try:
        saltus.load(text)
    except SaltusError as error:
        assert error.diagnostics
        assert render(error.diagnostics).count("\n") <= 30
    assert time.perf_counter() - began < LONGEST
