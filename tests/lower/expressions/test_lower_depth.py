"""Long and deep expressions: none may end in a traceback of Python's recursion limit."""

from __future__ import annotations

import pytest

import saltus
from saltus.core.diagnostics import SaltusError


def last(text: str) -> float:
    return float(saltus.load(f"model M Real x = {text}; end M;").simulate(stop_time=1)["x"][-1])


def test_a_sum_of_thousands_of_terms() -> None:
    assert last(" + ".join(["time"] * 4000)) == pytest.approx(4000)


def test_hundreds_of_alternatives() -> None:
    cases = "".join(f"elseif time < {k} then {k} " for k in range(1, 800))
    assert last(f"if time < 0 then 0 {cases} else -1") == 2  # at time 1 the first true one is time < 2


def test_hundreds_of_nested_ifs() -> None:
    assert last("".join(f"if time < {k} then {k} else " for k in range(300)) + "-1") == 2


@pytest.mark.parametrize("depth", [50, 150, 1000, 5000])
def test_nested_calls_work_or_are_refused(depth: int) -> None:
    try:
        assert last("sqrt(" * depth + "1" + ")" * depth) == 1
    except SaltusError as refused:
        assert "too deeply" in str(refused)


@pytest.mark.parametrize("depth", [100, 1000])
def test_a_chain_of_functions_works_or_is_refused(depth: int) -> None:
    functions = ["function f0 input Real x; output Real y; algorithm y := x; end f0;"]
    for k in range(1, depth):
        body = f"y := f{k - 1}(x) + 1;"
        functions.append(f"function f{k} input Real x; output Real y; algorithm {body} end f{k};")
    text = "\n".join(functions) + f"\nmodel M Real x = f{depth - 1}(time); end M;"
    try:
        result = saltus.load(text).simulate(stop_time=1)
        assert result["x"][-1] == pytest.approx(depth)
    except SaltusError as refused:
        assert "too deeply" in str(refused)


@pytest.mark.parametrize("depth", [30, 2000])
def test_a_chain_of_base_classes_works_or_is_refused(depth: int) -> None:
    models = ["model M0 Real x = time; end M0;"]
    models += [f"model M{k} extends M{k - 1}; end M{k};" for k in range(1, depth)]
    try:
        result = saltus.load("\n".join(models)).simulate(stop_time=1)
        assert result["x"][-1] == pytest.approx(1)
    except SaltusError as refused:
        assert "too deep" in str(refused)


def test_a_chain_of_a_thousand_parameters() -> None:
    chain = "".join(f"parameter Integer p{k} = p{k - 1} + 1; " for k in range(1, 1000))
    text = f"model M parameter Integer p0 = 1; {chain} Real x[p999] = ones(p999); Real s = sum(x); end M;"
    try:
        assert saltus.load(text).simulate(stop_time=0)["s"][-1] == 1000
    except SaltusError as refused:
        assert "too deep" in str(refused)
