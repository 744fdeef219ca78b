"""Random logic against an interpreter of a dozen lines: latches, gates, edges, counters, at one instant.

Inputs are bits of a counter that a clock drives. Gates are Boolean equations of inputs, of gates before them
and of `pre` of any gate. Counters are when-clauses on edges of gates. An event goes on in rounds: all
equations are evaluated with the `pre` values of the round before, until these agree with the values. The
interpreter here does just that with Python's Booleans; the model is printed with its equations in random
order.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from event_runs import after, message, run
from hypothesis import given, settings
from hypothesis import strategies as st

from saltus.core.diagnostics import RunError

TICKS, ROUNDS = 16, 100

Values = dict[str, bool]


@dataclass(frozen=True)
class Term:
    """A Boolean expression: as Modelica text, and as a function of the values and the pre values."""

    text: str
    value: Callable[[Values, Values], bool]


def leaf(name: str) -> Term:
    return Term(name, lambda now, _: now[name])


def previous(name: str) -> Term:
    return Term(f"pre({name})", lambda _, pre: pre[name])


def edge(name: str) -> Term:
    return Term(f"edge({name})", lambda now, pre: now[name] and not pre[name])


def change(name: str) -> Term:
    return Term(f"change({name})", lambda now, pre: now[name] != pre[name])


def combined(op: str, a: Term, b: Term) -> Term:
    if op == "and":
        return Term(f"({a.text} and {b.text})", lambda n, p: a.value(n, p) and b.value(n, p))
    if op == "or":
        return Term(f"({a.text} or {b.text})", lambda n, p: a.value(n, p) or b.value(n, p))
    return Term(f"({a.text} <> {b.text})", lambda n, p: a.value(n, p) != b.value(n, p))


def negated(a: Term) -> Term:
    return Term(f"(not {a.text})", lambda n, p: not a.value(n, p))


class Circuit:
    """Three inputs, some gates, a counter for each gate."""

    def __init__(self, seed: int, gates: int) -> None:
        self._random = random.Random(seed)
        self.inputs = ["u1", "u2", "u3"]
        self.gates: dict[str, Term] = {}
        names = [f"g{k}" for k in range(1, gates + 1)]
        for name in names:
            self.gates[name] = self._term([*self.inputs, *self.gates], names, 3)

    def _term(self, known: list[str], delayed: list[str], depth: int) -> Term:
        choice = self._random.random()
        if depth == 0 or choice < 0.2:
            kind = self._random.random()
            if kind < 0.6:
                return leaf(self._random.choice(known))
            if kind < 0.9:
                return previous(self._random.choice(delayed))
            return self._random.choice([edge, change])(self._random.choice(known))
        if choice < 0.35:
            return negated(self._term(known, delayed, depth - 1))
        op = self._random.choice(["and", "or", "<>"])
        return combined(op, self._term(known, delayed, depth - 1), self._term(known, delayed, depth - 1))

    def text(self) -> str:
        equations = [f"u{k} = mod(div(n, {2 ** (k - 1)}), 2) == 1;" for k in (1, 2, 3)]
        equations += [f"{name} = {term.text};" for name, term in self.gates.items()]
        equations += [
            f"when {name} then rises_{name} = pre(rises_{name}) + 1; end when;" for name in self.gates
        ]
        equations += [
            f"when not {name} then falls_{name} = pre(falls_{name}) + 1; end when;" for name in self.gates
        ]
        equations.append("when sample(1, 1) then n = pre(n) + 1; end when;")
        self._random.shuffle(equations)
        counters = " ".join(
            f"Integer {way}_{name}(start = 0, fixed = true);"
            for name in self.gates
            for way in ("rises", "falls")
        )
        gates = " ".join(f"Boolean {name}(start = false, fixed = true);" for name in self.gates)
        inputs = " ".join(f"Boolean {name}(start = false, fixed = true);" for name in self.inputs)
        body = "\n".join(equations)
        declarations = f"Integer n(start = 0, fixed = true);\n{inputs}\n{gates}\n{counters}"
        return f"model M\n{declarations}\nequation\n{body}\nend M;"

    def history(self) -> list[dict[str, int]] | None:
        """Values after each tick, the start first; None if rounds never end."""
        now = dict.fromkeys([*self.inputs, *self.gates], False)
        counts = {f"{way}_{name}": 0 for name in self.gates for way in ("rises", "falls")}
        rows = []
        for tick in range(TICKS + 1):
            for round_ in range(ROUNDS):
                pre = dict(now)
                for k, name in enumerate(self.inputs):
                    now[name] = (tick >> k) % 2 == 1
                for name, term in self.gates.items():
                    now[name] = term.value(now, pre)
                for name in self.gates:
                    if tick > 0 or round_ > 0:  # when-clauses are not active during initialisation
                        counts[f"rises_{name}"] += now[name] and not pre[name]
                        counts[f"falls_{name}"] += pre[name] and not now[name]
                if now == pre:
                    break
            else:
                return None
            rows.append({**{name: int(now[name]) for name in self.gates}, **counts})
        return rows


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.integers(1, 7))
def test_random_circuits(seed: int, gates: int) -> None:
    circuit = Circuit(seed, gates)
    expected = circuit.history()
    if expected is None:
        with pytest.raises(RunError) as caught:
            run(circuit.text(), stop_time=TICKS)
        assert message(caught.value).startswith("E4")
        return
    result = run(circuit.text(), stop_time=TICKS)
    for tick, row in enumerate(expected):
        for name, value in row.items():
            assert after(result, name, float(tick)) == value, (tick, name)
