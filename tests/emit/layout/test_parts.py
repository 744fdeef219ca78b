"""Parts of a program that events keep apart: which numbers belong together."""

from __future__ import annotations

import pytest
from tests.modes.test_local_events import CHAIN, few_are_many
from tests.modes.test_local_modes import copies

import saltus
from saltus.emit import build
from saltus.emit.layout import parts
from saltus.expr.nodes import leaf_symbol
from saltus.ir.parts import ALL, Parts
from saltus.ir.program import Program

__all__ = ["few_are_many"]

#: Diodes that share a resistor: what one does changes the voltage of the others at once.
COMMON = """
model Common
  Real i[4](each start = 0, each fixed = true), u[4], s[4], v;
  Boolean off[4];
equation
  for k in 1:4 loop
    off[k] = s[k] < 0;
    0.02*der(i[k]) = 10*sin((300 + 10*k)*time) - u[k] - v;
    u[k] = if off[k] then s[k] else 0;
    i[k] = if off[k] then 0 else s[k];
  end for;
  v = 5*sum(i);
end Common;
"""


def found_in(text: str, stop: float, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Program, Parts | None]]:
    """What is found in the programs that a run enters."""
    seen: list[tuple[Program, Parts | None]] = []

    def look(program: Program) -> Parts | None:
        seen.append((program, parts.found_parts(program)))
        return seen[-1][1]

    monkeypatch.setattr(build, "found_parts", look)
    saltus.load(text).simulate(stop_time=stop)
    return seen


def names_of(program: Program, section: str) -> list[str]:
    first, count = program.layout.sections[section]
    by_slot = {slot: leaf for leaf, slot in program.layout.slots.items()}
    return [leaf_symbol(by_slot[first + k]).name for k in range(count)]


def test_masses_of_a_chain(few_are_many: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Speeds may jump, positions do not: each mass is a part, and reads the positions beside it."""
    program, found = found_in(CHAIN, 0.2, monkeypatch)[-1]
    assert found is not None
    assert len(found.parts) == 12
    states = names_of(program, "states")
    inner = 0
    for part in found.parts:
        assert len(part.relations) == 2  # slides forward, slides backward
        ((speed,), around) = [states[k] for k in part.states], {states[k] for k in part.around}
        number = int(speed.removeprefix("v[").removesuffix("]"))
        beside = {f"x[{k}]" for k in (number - 1, number, number + 1) if 1 <= k <= 12}
        # All of a piece of straight-line code is carried out, which may read more.
        if all(first != ALL for own in part.turns.values() for _, first, _ in own):
            inner += 1
            assert around == {speed, *beside}
        assert around >= {speed, *beside}
    assert inner >= 8


def test_copies_have_nothing_in_common(few_are_many: None, monkeypatch: pytest.MonkeyPatch) -> None:
    text = copies("Rectifier", [(50.0 + k, 0.02) for k in range(6)])
    program, found = found_in(text, 0.02, monkeypatch)[-1]
    assert found is not None
    assert [part.relations for part in found.parts] == [(k,) for k in range(6)]
    kept = [
        {s for s in part.slots if any(first <= s < first + n for first, n in of_the_model(program))}
        for part in found.parts
    ]
    for k, own in enumerate(kept):
        assert own
        assert own.isdisjoint(set().union(*kept[:k]))


def of_the_model(program: Program) -> list[tuple[int, int]]:
    names = ("states", "derivatives", "algebraics", "discretes", "relations", "residues")
    return [program.layout.sections[name] for name in names]


def test_what_shares_a_resistor_through_currents_that_jump(
    few_are_many: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Currents that may be made zero are no inputs of an instant: all diodes are one part, so that there is
    nothing to be kept apart."""
    assert all(found is None for _, found in found_in(COMMON, 0.05, monkeypatch))
