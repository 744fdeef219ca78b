"""Integers that leave the range in which doubles are exact end a run or a translation."""

from __future__ import annotations

from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.core.diagnostics import ModelError, RunError
from saltus.emit.llvm.jit import native_machine
from saltus.emit.machine import Machine
from saltus.emit.python.python import python_machine
from saltus.expr.nodes import pre, ref
from saltus.ir.program import INTEGER_OVERFLOW
from saltus.run.integrators.sundials import symbols
from saltus.run.memory.memory import Memory

LIMIT = 2**53 - 1

FUNCTION = """
function f
  input Integer k;
  output Integer y;
protected
  Integer s;
algorithm
  s := 1;
  for i in 1:k loop
    s := 3*s + 1;
  end for;
  y := mod(s, 10);
end f;
"""

COUNTED = (
    "Integer n(start = 1, fixed = true); equation when sample(0.01, 0.01) then n = 3*pre(n) + 1; end when;"
)


def ticks_until(limit: int) -> tuple[int, int]:
    """How often 3*n + 1 can be taken from 1 without passing the limit, and what comes of it."""
    n = steps = 0
    after = 1
    while after <= limit:
        n, after, steps = after, 3 * after + 1, steps + 1
    return steps - 1, n


def test_a_counter_is_exact_up_to_the_last_tick_before_the_limit() -> None:
    steps, last = ticks_until(LIMIT)
    model = saltus.load(f"model M Integer last = mod(n, 10); {COUNTED} end M;")
    with pytest.raises(RunError, match=r"E413.*`n`.*time 0.34") as error:
        model.simulate()
    partial = error.value.partial
    assert partial is not None and error.value.diagnostics[0].span is not None
    assert int(partial["n"][-1]) == last and int(partial["last"][-1]) == last % 10
    assert steps == 33 and partial.time[-1] == pytest.approx(0.01 * (steps + 1))


@pytest.mark.parametrize("step", [1, 2, -1])
def test_a_counter_does_not_stick_where_doubles_have_no_next_number(step: int) -> None:
    """2^53 + 1 is 2^53 as a double: a counter by ones stayed there."""
    first = (2**53 - 4) * (1 if step > 0 else -1)
    model = saltus.load(f"""model M
      Integer n(start = {first}, fixed = true), k(start = 0, fixed = true);
    equation
      when sample(0.1, 0.1) then
        n = pre(n) + ({step});
        k = pre(k) + 1;
      end when;
    end M;""")
    with pytest.raises(RunError, match=r"E413.*`n`") as error:
        model.simulate(stop_time=2)
    partial = error.value.partial
    assert partial is not None
    for n, k in zip(partial["n"].tolist(), partial["k"].tolist(), strict=True):
        assert int(n) == first + int(k) * step
    assert partial["k"][-1] == (LIMIT - abs(first)) // abs(step)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Integer k(start = 1, fixed = true); Boolean b = k*k > 5; equation when sample(0.1, 0.1) then "
         "k = 1000*pre(k); end when;", "`b`"),
        ("Integer k(start = 1, fixed = true); Real x = k*k; equation when sample(0.1, 0.1) then "
         "k = 1000*pre(k); end when;", "`x`"),
        ("Integer y = f(integer(100*time));", "`s` in the function"),
        ("parameter Integer p = 3000000; parameter Integer q = p*p*p; Real x = q*time;", "`q`"),
        ("Integer n; algorithm n := 1; for i in 1:40 loop n := 3*n + 1; end for;", "`n`"),
        ("Real x = 1e20*time; Integer n; equation when time > 0.5 then n = integer(x); end when;", "`n`"),
    ],
)  # fmt: skip
def test_runs_that_need_larger_integers_end_with_a_name(text: str, named: str) -> None:
    model = saltus.load(f"model M {FUNCTION} {text} end M;")
    with pytest.raises(RunError, match="E413") as error:
        model.simulate()
    (told, *_) = error.value.diagnostics
    assert named in told.message and told.span is not None


@pytest.mark.parametrize(
    "text",
    [
        "constant Integer n = f(40); Real x[n + 1] = ones(n + 1);",
        "parameter Integer n = 3000000000; Real x[mod(n*n, 3)] = ones(mod(n*n, 3));",
        "Integer n = 9007199254740993;",
        "Integer n = 9007199254740992;",
    ],
)
def test_translations_that_need_larger_integers_are_refused(text: str) -> None:
    with pytest.raises(ModelError, match="E413"):
        saltus.load(f"model M {FUNCTION} {text} end M;")


def test_what_stands_in_a_branch_that_is_not_taken_is_not_computed() -> None:
    result = saltus.load("""model M
      Integer k(start = 1, fixed = true), s;
    equation
      when sample(0.01, 0.01) then k = if pre(k) > 1000000000 then 1 else pre(k)*10; end when;
      s = if k < 1000 then k*k*k*k*k else -1;
    end M;""").simulate()
    for k, s in zip(result["k"].astype(int).tolist(), result["s"].astype(int).tolist(), strict=True):
        assert s == (k**5 if k < 1000 else -1)


@lru_cache
def machines() -> tuple[saltus.Model, tuple[Machine, ...]]:
    """A product and a sum of Integers, compiled twice."""
    model = saltus.load("""model M
      discrete Integer a(start = 1, fixed = true), b(start = 1, fixed = true), c(start = 1, fixed = true), y;
    equation
      when time > 0.5 then a = 2; b = 2; c = 2; end when;
      y = pre(a)*pre(b) + pre(c);
    end M;""")
    return model, (native_machine(model.program, symbols()), python_machine(model.program))


@settings(max_examples=100, deadline=None)
@given(a=st.integers(-(2**30), 2**30), b=st.integers(-(2**30), 2**30), c=st.integers(-LIMIT, LIMIT))
def test_both_back_ends_agree_on_what_is_too_large(a: int, b: int, c: int) -> None:
    too_large = abs(a * b) > LIMIT or abs(a * b + c) > LIMIT
    model, both = machines()
    for machine in both:
        memory = Memory(model.structure, machine)
        for name, value in (("a", a), ("b", b), ("c", c)):
            (variable,) = (v for v in model.structure.discretes if v.name == name)
            memory.array[memory.layout.slots[pre(ref(variable.symbol))]] = value
        assert machine.routines["evaluate"]() == (INTEGER_OVERFLOW if too_large else 0)
        (y,) = (v for v in model.structure.discretes if v.name == "y")
        assert too_large or int(memory.array[memory.layout.slots[ref(y.symbol)]]) == a * b + c
