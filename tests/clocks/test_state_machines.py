"""State machines against the semantics model of section 17.3.6, carried out tick by tick in Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_clock_runs import at, run

import saltus
from saltus.tools.cli import main


@dataclass(frozen=True)
class T:
    source: int
    target: int
    immediate: bool = True
    reset: bool = True
    priority: int = 1


@dataclass
class Machine:
    """`StateMachineSemantics`: states are counted from 1, transitions are sorted by priority."""

    n: int
    transitions: Sequence[T]
    following: int = 0
    before: list[bool] = field(default_factory=list)  # conditions at the tick before
    waiting: list[bool] = field(default_factory=list)  # nextResetStates

    def __post_init__(self) -> None:
        self.transitions = sorted(self.transitions, key=lambda t: -t.priority)
        self.before = [False] * len(self.transitions)
        self.waiting = [False] * self.n

    def step(self, now: Sequence[bool], active: bool, reset: bool) -> tuple[int, list[bool]]:
        """The active state, and which states are to be reset, from the conditions of immediate "
        "transitions."""
        selected = 1 if reset else self.following
        fired = 0
        for i, t in enumerate(self.transitions, 1):
            if t.source == selected and (now[i - 1] if t.immediate else self.before[i - 1]):
                fired = i
        state = 1 if reset else self.transitions[fired - 1].target if fired else selected
        anew = reset or (fired > 0 and self.transitions[fired - 1].reset)
        resets = [reset or w for w in self.waiting]
        if active:
            self.following = state
            self.waiting = [state != i + 1 and r for i, r in enumerate(resets)]
        return state, [active and state == i + 1 and (anew or r) for i, r in enumerate(resets)]

    def end(self, conditions: Sequence[bool], active: bool) -> None:
        """What delayed transitions see at the next tick."""
        if active:
            self.before = list(conditions)


# ---------------------------------------------------------------- flat machines

PATTERN = 37


@st.composite
def machines(draw: st.DrawFn) -> list[T]:
    n = draw(st.integers(2, 4))
    found: list[T] = []
    for source in range(1, n + 1):
        for priority in range(1, draw(st.integers(0, 3)) + 1):
            target = draw(st.integers(1, n))
            found.append(T(source, target, draw(st.booleans()), draw(st.booleans()), priority))
    return [*found, *(T(k, k % n + 1, False, True, 9) for k in range(1, n + 1))]


@settings(max_examples=12, deadline=None)
@given(transitions=machines(), steps=st.lists(st.integers(2, PATTERN - 1), min_size=16, max_size=16))
def test_random_machines_are_in_the_states_of_the_semantics_model(
    transitions: list[T], steps: list[int]
) -> None:
    """Conditions are pseudo-random; "
    "each state counts up a variable of its own and one of the model around."""
    n = max(max(t.source, t.target) for t in transitions)

    def holds(k: int, tick: int) -> bool:
        return (steps[k] * (tick + 1) + k) % PATTERN < 13

    blocks = "".join(
        f"block B{i} outer output Integer v; Integer own(start = {10 * i}); equation v = previous(v) + {i};"
        f"own = previous(own) + 1; end B{i}; B{i} b{i};"
        for i in range(1, n + 1)
    )
    written = "".join(
        f"transition(b{t.source}, b{t.target}, mod({steps[k]}*k + {k}, {PATTERN}) < 13,"
        f"immediate = {str(t.immediate).lower()}, reset = {str(t.reset).lower()}, priority = {t.priority});"
        for k, t in enumerate(transitions)
    )
    result = run(
        f"inner Integer v(start = 0); Integer k(start = 0); {blocks} equation initialState(b1);"
        f"when Clock(1, 10) then k = previous(k) + 1; end when; {written}",
        4.0,
    )
    reference = Machine(n, transitions)
    numbers = [transitions.index(t) for t in reference.transitions]
    v, own = 0, [10 * i for i in range(1, n + 1)]
    for tick in range(41):
        now = [holds(k, tick) for k in numbers]
        state, resets = reference.step(now, True, tick == 0)
        reference.end(now, True)
        v += state
        own[state - 1] = (10 * state if resets[state - 1] else own[state - 1]) + 1
        assert at(result, "v", [tick / 10]) == [v], tick
        assert [at(result, f"b{i}.own", [tick / 10])[0] for i in range(1, n + 1)] == own, tick
        assert [at(result, f"b{i}.active", [tick / 10])[0] for i in range(1, n + 1)].index(1) == state - 1


def test_the_number_of_ticks_in_a_state() -> None:
    """Section 17.1: active at 10, 11, 12, 13 and 14 ms, and not at 15 ms."""
    result = run(
        "block State end State; State A0, A1, A2; Boolean on = activeState(A1); Integer n; Real t;"
        "block Counting Integer n; Real t; equation n = ticksInState(); t = timeInState(); end Counting; "
        "Counting A3;"
        "equation initialState(A0);"
        "transition(A0, A1, sample(time, Clock(1, 1000)) > 0.0095);"
        "transition(A1, A2, ticksInState() >= 5, immediate = false);"
        "transition(A2, A3, true, immediate = false); n = A3.n; t = A3.t;",
        0.02,
    )
    assert at(result, "on", [k / 1000 for k in range(8, 18)]) == [0, 0, 1, 1, 1, 1, 1, 0, 0, 0]
    assert at(result, "n", [0.016, 0.017, 0.018]) == [1, 2, 3]
    assert at(result, "t", [0.016, 0.018]) == pytest.approx([0, 0.002])


# ---------------------------------------------------------------- machines in states

HIERARCHY = """
block Hierarchy
  inner Integer v(start = 0);
  State1 state1;
  State2 state2;
equation
  initialState(state1);
  transition(state1, state2, %s, immediate = false%s);
  transition(state2, state1, v >= 20, immediate = false, reset = %s);
public
  block State1
    inner Integer count(start = 0);
    inner outer output Integer v;
    block StateA
      outer output Integer v;
    equation
      v = previous(v) + 2;
    end StateA;
    StateA stateA;
    block StateB
      outer output Integer v;
    equation
      v = previous(v) - 1;
    end StateB;
    StateB stateB;
    block StateC
      outer output Integer count;
    equation
      count = previous(count) + 1;
    end StateC;
    StateC stateC;
    block StateD
    end StateD;
    StateD stateD;
  equation
    initialState(stateA);
    transition(stateA, stateB, v >= 6, immediate = false);
    transition(stateB, stateC, v == 0, immediate = false);
    transition(stateC, stateA, true, immediate = false, priority = 2);
    transition(stateC, stateD, count >= 2, immediate = false);
  public
    block StateX
      outer input Integer v;
      Integer i(start = 0);
      Integer w;
    equation
      i = previous(i) + 1;
      w = v;
    end StateX;
    StateX stateX;
    block StateY
      Integer j(start = 0);
    equation
      j = previous(j) + 1;
    end StateY;
    StateY stateY;
  equation
    initialState(stateX);
    transition(stateX, stateY, stateX.i > 20, immediate = false, reset = false);
  end State1;
  block State2
    outer output Integer v;
  equation
    v = previous(v) + 5;
  end State2;
end Hierarchy;
"""


@pytest.mark.parametrize("reset", [True, False])
@pytest.mark.parametrize("synchronize", [True, False])
def test_the_hierarchical_and_parallel_example(reset: bool, synchronize: bool) -> None:
    """The example of section 17.3.7, with a transition that resets and with one that does not."""
    condition = "true" if synchronize else "activeState(state1.stateD) and activeState(state1.stateY)"
    option = ", synchronize = true" if synchronize else ""
    model = saltus.load(HIERARCHY % (condition, option, str(reset).lower()))
    result = model.simulate(stop_time=150)
    top = Machine(2, [T(1, 2, False), T(2, 1, False, reset)])
    left = Machine(4, [T(1, 2, False), T(2, 3, False), T(3, 1, False, True, 2), T(3, 4, False)])
    right = Machine(2, [T(1, 2, False, False)])
    order = [(t.source, t.target) for t in left.transitions]
    v = count = i = j = w = 0
    for tick in range(151):
        state, resets = top.step((False, False), True, tick == 0)
        one, again = state == 1, resets[0]
        a, _ = left.step((False,) * 4, one, again)
        b, of_right = right.step((False,), one, again)
        if one:
            count = 0 if again else count
            v += {1: 2, 2: -1}.get(a, 0)
            count += a == 3
            if b == 1:
                i, w = (0 if of_right[0] else i) + 1, v
            else:
                j = (0 if of_right[1] else j) + 1
        else:
            v += 5
        top.end((one and a == 4 and b == 2, v >= 20), True)
        conditions = {(1, 2): v >= 6, (2, 3): v == 0, (3, 1): True, (3, 4): count >= 2}
        left.end([conditions[key] for key in order], one)
        right.end([i > 20], one)
        names = ("v", "state1.count", "state1.stateX.i", "state1.stateY.j", "state1.stateX.w")
        assert [at(result, name, [tick])[0] for name in names] == [v, count, i, j, w], tick
    assert j > 5  # it has been in all of them


# ---------------------------------------------------------------- what is refused

TWO = "block A end A; A a, b; Real t = sample(time, Clock(1));"


@pytest.mark.parametrize(
    ("body", "code", "word"),
    [
        (f"{TWO} equation transition(a, b, t > 1);", "E209", "no initial state"),
        (f"{TWO} equation initialState(a); initialState(b); transition(a, b, t > 1);", "E209", "2 initial"),
        (
            f"{TWO} equation initialState(a); transition(a, b, t > 1); transition(a, b, t > 2);",
            "E209",
            "priority 1",
        ),
        (f"{TWO} A c; Boolean on = activeState(c); equation initialState(a); "
        f"transition(a, b, t > 1);", "E209", "`c`"),
        (
            f"{TWO} equation initialState(a); transition(a, b, ticksInState() > 3);",
            "E204",
            "immediate",
        ),
        (
            "inner Integer v(start = 0); block A outer output Integer v; equation v = previous(v) + 1; end A;"
            "A a, b, c, d; Real t = sample(time, Clock(1)); equation initialState(a); initialState(c);"
            "transition(a, b, t > 1); transition(c, d, t > 1);",
            "E202",
            "active together",
        ),
    ],
)
def test_refusals(body: str, code: str, word: str) -> None:
    with pytest.raises(saltus.ModelError, match=word) as caught:
        saltus.load(f"model M {body} end M;")
    assert caught.value.diagnostics[0].code == code
    assert caught.value.diagnostics[0].span is not None


def test_active_states_can_be_stored_and_plotted(tmp_path: Path) -> None:
    """They were no variables where names are looked at before the run."""
    text = f"""
        model Two
          {TWO}
        equation
          initialState(a);
          transition(a, b, t > 3.5, immediate = false);
        end Two;
    """
    stored = saltus.load(text).simulate(stop_time=8.0, store=["b.active"])
    assert stored.names == ["b.active"]
    assert stored.time[np.flatnonzero(stored["b.active"])[0]] == pytest.approx(5)
    file, picture = tmp_path / "Two.mo", tmp_path / "b.svg"
    file.write_text(text)
    options = ["--stop-time", "8", "--plot", str(picture), "--plot-variables", "b.active", "--quiet"]
    with pytest.raises(SystemExit) as ending:
        main(["simulate", str(file), *options])
    assert ending.value.code == 0 and picture.stat().st_size > 1000
