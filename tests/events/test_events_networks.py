"""Random networks of gates, with loops: what a run finds satisfies every gate, and where a run finds nothing,
nothing does. Solutions are found by trying all values."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.core.diagnostics import ModelError, RunError

#: Two inputs, which take these values one after the other.
INPUTS = [(False, False), (True, False), (True, True), (False, True), (False, False)]

gates = st.tuples(
    st.sampled_from(["and", "or", "<>", "=="]),
    st.integers(0, 7),
    st.integers(0, 7),
    st.booleans(),
)


def value(kind: str, a: bool, b: bool, negated: bool) -> bool:
    result = {"and": a and b, "or": a or b, "<>": a != b, "==": a == b}[kind]
    return result != negated


def solutions(network: list[tuple[str, int, int, bool]], inputs: tuple[bool, bool]) -> set[tuple[bool, ...]]:
    """All values of the gates that satisfy all of them. Operands are gates, then inputs."""
    found = set()
    for values in product((False, True), repeat=len(network)):
        of = (*values, *inputs)
        if all(v == value(kind, of[a], of[b], n) for v, (kind, a, b, n) in zip(values, network, strict=True)):
            found.add(values)
    return found


def model(network: list[tuple[str, int, int, bool]], as_relations: bool) -> str:
    """The gates as Booleans, or as Reals that are 1 or -1 by relations with others."""
    count = len(network)
    names = [f"x{i}" for i in range(count)]
    operands = [f"{x} > 0" for x in names] if as_relations else names
    operands = [*(f"({o})" for o in operands), "p", "q"]
    equations = []
    for name, (kind, a, b, negated) in zip(names, network, strict=True):
        gate = f"({operands[a]} {kind} {operands[b]})"
        gate = f"not {gate}" if negated else gate
        equations.append(f"{name} = {f'if {gate} then 1 else -1' if as_relations else gate};")
    return f"""
    model Network
      {"Real" if as_relations else "Boolean"} {", ".join(names)};
      Boolean p = time >= 1 and time < 3, q = time >= 2 and time < 4;
    equation
      {" ".join(equations)}
    end Network;"""


@settings(deadline=None, max_examples=30)
@given(st.lists(gates, min_size=1, max_size=5), st.booleans())
def test_random_networks(drawn: list[tuple[str, int, int, bool]], as_relations: bool) -> None:
    count = len(drawn)
    network = []
    for kind, a, shift, negated in drawn:  # two different operands
        first = a % (count + 2)
        network.append((kind, first, (first + 1 + shift % (count + 1)) % (count + 2), negated))
    expected = [solutions(network, inputs) for inputs in INPUTS]
    try:
        translated = saltus.load(model(network, as_relations))
    except ModelError as error:
        assert error.diagnostics[0].code == "E305" and not any(expected)
        return
    translated.structure.verify()
    try:
        result = translated.simulate(stop_time=4.5, interval=0.5)
    except RunError as error:
        assert error.diagnostics[0].code == "E404"
        assert error.partial is not None
        result = error.partial
        failed_in = int(result.time[-1]) if len(result.time) else 0
        assert not expected[failed_in]
    for row, t in enumerate(result.time):
        if t % 1 == 0.5:
            values = tuple(bool(result[f"x{i}"][row] > 0) for i in range(count))
            assert values in expected[int(t)], t
