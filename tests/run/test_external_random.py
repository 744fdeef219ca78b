"""Random numbers in models, against the published generators written with NumPy's unsigned integers."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import saltus
from saltus.emit.python.python import python_machine

MODEL = """
model M
  function draw64
    input Integer stateIn[2];
    output Real result;
    output Integer stateOut[2];
    external "C" ModelicaRandom_xorshift64star(stateIn, stateOut, result);
  end draw64;
  function draw128
    input Integer stateIn[4];
    output Real result;
    output Integer stateOut[4];
    external "C" ModelicaRandom_xorshift128plus(stateIn, stateOut, result);
  end draw128;
  function draw1024
    input Integer stateIn[33];
    output Real result;
    output Integer stateOut[33];
    external "C" ModelicaRandom_xorshift1024star(stateIn, stateOut, result);
  end draw1024;
  function begin
    input Integer seed;
    output Integer id;
  protected
    function set
      input Integer state[33];
      input Integer id;
      external "C" ModelicaRandom_setInternalState_xorshift1024star(state, size(state, 1), id);
    end set;
    Integer state[33] = {seed*i for i in 1:33};
  algorithm
    set(state, seed);
    id := seed;
  end begin;
  function drawn
    input Integer id;
    output Real y;
    external "C" y = ModelicaRandom_impureRandom_xorshift1024star(id);
  end drawn;
  discrete Integer a[2](start = {123456, -987654}, each fixed = true);
  discrete Integer b[4](start = {123456, -987654, 7, 1000000}, each fixed = true);
  discrete Integer c[33](start = {i*123457 for i in 1:33}, each fixed = true);
  discrete Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
  parameter Integer id(fixed = false);
  discrete Real w(start = 0, fixed = true);
initial equation
  id = begin(123457);
equation
  when sample(1, 1) then
    (x, a) = draw64(pre(a));
    (y, b) = draw128(pre(b));
    (z, c) = draw1024(pre(c));
    w = drawn(id);
  end when;
end M;
"""


def words(halves: list[int]) -> NDArray[np.uint64]:
    return np.array(halves, dtype=np.int32).view(np.uint64).copy()


def fraction(word: np.uint64) -> float:
    return float(np.int64(word.view(np.int64))) / 2.0**64 + 0.5


def expected(count: int) -> tuple[list[float], list[float], list[float]]:
    u = np.uint64
    a, b = words([123456, -987654]), words([123456, -987654, 7, 1000000])
    c, p = words([i * 123457 for i in range(1, 33)]), 33 * 123457 % 16
    found: tuple[list[float], list[float], list[float]] = ([], [], [])
    with np.errstate(over="ignore"):
        for _ in range(count):
            x = a[0]
            x ^= x >> u(12)
            x ^= x << u(25)
            x ^= x >> u(27)
            a[0] = x * u(2685821657736338717)
            found[0].append(fraction(a[0]))
            s1, s0 = b
            s1 ^= s1 << u(23)
            b[:] = s0, (s1 ^ s0 ^ (s1 >> u(17)) ^ (s0 >> u(26))) + s0
            found[1].append(fraction(b[1]))
            s0, p = c[p], (p + 1) % 16
            s1 = c[p]
            s1 ^= s1 << u(31)
            s1 ^= s1 >> u(11)
            s0 ^= s0 >> u(30)
            c[p] = s0 ^ s1
            found[2].append(fraction(c[p] * u(1181783497276652981)))
    return found


def test_generators() -> None:
    result = saltus.load(MODEL).simulate(stop_time=30.5, interval=1.0)
    values: dict[str, list[float]] = {name: [] for name in "xyz"}
    for k in range(1, 31):
        after = np.flatnonzero(result.time == k)[-1]
        for name in "xyz":
            values[name].append(float(result[name][after]))
    for name, truth in zip("xyz", expected(30), strict=True):
        assert values[name] == truth
        assert 0 < min(truth) < max(truth) < 1


def test_numbers_with_a_state_of_their_own() -> None:
    """They begin anew with each run, and are those of the generator with the same seeds."""
    model = saltus.load(MODEL)
    first, second = (model.simulate(stop_time=20.5)["w"] for _ in range(2))
    assert np.array_equal(first, second)
    drawn = {float(v) for v in first} - {0.0}
    assert len(drawn) == 20
    assert all(0 < v < 1 for v in drawn)


def test_both_back_ends_draw_the_same() -> None:
    """The routine that computes an event, in Python, from the state that the native one began with."""
    translation = saltus.load(MODEL)._translation
    machine = python_machine(translation.program)
    slots = {str(leaf): slot for leaf, slot in translation.program.layout.slots.items()}
    for k, half in enumerate([123456, -987654], start=1):
        machine.memory[slots[f"pre(a[{k}])"]] = half
    clock = translation.structure.model.clocks[0].symbol.name
    machine.memory[slots[clock]] = 1.0
    for routine in ("evaluate",):
        assert machine.routines[routine]() == 0
    assert machine.memory[slots["x"]] == expected(1)[0][0]


@pytest.mark.parametrize("name", ["xorshift64star", "xorshift128plus", "xorshift1024star"])
def test_python_and_native_agree_by_construction_of_the_truth(name: str) -> None:
    """`functions.external.random`, which evaluates calls before a run, is compared with the same truth."""
    from saltus.functions.external import random

    start = {
        "xorshift64star": [123456, -987654],
        "xorshift128plus": [123456, -987654, 7, 1000000],
        "xorshift1024star": [i * 123457 for i in range(1, 34)],
    }
    truth = dict(zip(start, expected(30), strict=True))[name]
    state, found = start[name], []
    for _ in range(30):
        *state, number = getattr(random, name)(state)
        found.append(number)
    assert found == truth
