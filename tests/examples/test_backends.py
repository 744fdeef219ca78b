"""The native and the Python back end give the same numbers on every example, routine by routine.

Both machines get the same memory, run the same routine once, and are compared slot by slot to 1e-12: what
may differ is the last place of a library function such as sin, and what becomes of it in one evaluation.
States of the comparison: after a real initialisation, and random ones around it with random times, pre
values, ticks of clocks and truths of relations, so that every branch of every conditional is met. Machine
code that is made at once, as most tests have it, is compared with that made with care: bit by bit.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import saltus
from saltus.emit.llvm.jit import NativeMachine, native_machine
from saltus.emit.llvm.modules import Hurry, divided
from saltus.emit.llvm.object_code import Care
from saltus.emit.python.python import PythonMachine, python_machine
from saltus.ir.structure import Structure
from saltus.run.integrators.sundials import symbols
from saltus.run.memory.memory import Memory
from saltus.run.start.initialise import set_parameters, set_starts, solve_initial

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mo"))
AGREEMENT = 1e-12
RANDOM_STATES = 25


class Pair(NamedTuple):
    """One example, compiled twice, and once more without care."""

    structure: Structure
    native: NativeMachine
    hurried: NativeMachine
    python: PythonMachine
    start: float
    stop: float


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda path: path.stem)
def pair(request: pytest.FixtureRequest) -> Pair:
    model = saltus.load(request.param)
    program = model.program
    experiment = model.experiment
    return Pair(
        model.structure,
        native_machine(program, symbols()),
        native_machine(program, symbols(), Hurry.GREAT),
        python_machine(program),
        experiment.start_time,
        experiment.stop_time,
    )


def initialise(pair: Pair, machine: NativeMachine | PythonMachine) -> None:
    memory = Memory(pair.structure, machine)
    set_parameters(memory, {})
    set_starts(memory, pair.start)
    solve_initial(memory)


def agree(pair: Pair, where: str) -> None:
    ours, reference = pair.native.memory, pair.python.memory
    leaves = {slot: leaf for leaf, slot in pair.native.program.layout.slots.items()}
    both_infinite = np.isinf(ours) & (ours == reference)
    close = np.isclose(ours, reference, rtol=AGREEMENT, atol=AGREEMENT, equal_nan=True) | both_infinite
    wrong = [f"{leaves.get(i, i)}: {ours[i]!r} and {reference[i]!r}" for i in np.flatnonzero(~close)]
    assert not wrong, f"{where}: {'; '.join(wrong)}"


def random_memory(pair: Pair, base: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """States near the initial ones, and everything discrete at random."""
    memory = base.copy()
    layout = pair.native.program.layout
    memory[0] = random.uniform(pair.start, pair.stop)

    def part(name: str) -> slice:
        return layout.section(name)

    for name in ("states", "pre_states", "algebraics", "pre_algebraics"):
        size = layout.sections[name][1]
        memory[part(name)] += random.normal(0.0, 0.3, size) * np.maximum(1e-3, np.abs(memory[part(name)]))
    for name in ("discretes", "pre_discretes"):
        for i, variable in enumerate(pair.structure.discretes):
            kind = variable.symbol.type.name
            slot = part(name).start + i
            if kind == "BOOLEAN":
                memory[slot] = random.integers(0, 2)
            elif kind == "INTEGER":
                largest = len(variable.enumeration) if variable.enumeration else 3
                memory[slot] = random.integers(1, largest + 1)
            else:
                memory[slot] += random.normal()
    for name in ("relations", "clocks", "flags"):
        memory[part(name)] = random.integers(0, 2, layout.sections[name][1])
    memory[part("signs")] = random.integers(-1, 2, layout.sections["signs"][1])
    return memory


def test_initialisation_agrees(pair: Pair) -> None:
    initialise(pair, pair.native)
    initialise(pair, pair.python)
    agree(pair, "initialisation")


def test_every_routine_agrees_at_the_start(pair: Pair) -> None:
    initialise(pair, pair.python)
    base = pair.python.memory.copy()
    for name in pair.native.program.routines:
        compare_routine(pair, name, base)


def test_every_routine_agrees_at_random_states(pair: Pair) -> None:
    initialise(pair, pair.python)
    base = pair.python.memory.copy()
    random = np.random.default_rng(20)
    for _ in range(RANDOM_STATES):
        memory = random_memory(pair, base, random)
        for name in pair.native.program.routines:
            compare_routine(pair, name, memory)


def test_care_changes_no_bit_of_any_routine(pair: Pair) -> None:
    """Machine code that is made at once does the same as that which is made with care, only more slowly."""
    initialise(pair, pair.native)
    base, careful, hurried = pair.native.memory.copy(), pair.native, pair.hurried
    random = np.random.default_rng(21)
    for _ in range(RANDOM_STATES):
        memory = random_memory(pair, base, random)
        for name in careful.program.routines:
            careful.memory[:] = hurried.memory[:] = memory
            assert careful.routines[name]() == hurried.routines[name](), f"{name}: different status"
            same = careful.memory.view(np.uint64) == hurried.memory.view(np.uint64)
            assert np.all(same | np.isnan(careful.memory) & np.isnan(hurried.memory)), name


def test_machine_code_that_is_made_at_once_is_other_code(pair: Pair) -> None:
    program = pair.native.program
    ways = [{care for _, care in divided(program, "", hurry).rest} for hurry in (Hurry.NONE, Hurry.GREAT)]
    assert ways[0] != {Care.QUICK} and Care.QUICK in ways[1]


def compare_routine(pair: Pair, name: str, memory: np.ndarray) -> None:
    pair.native.memory[:] = memory
    pair.python.memory[:] = memory
    status = pair.native.routines[name]()
    assert status == pair.python.routines[name](), f"{name}: different status"
    if status == 0:
        agree(pair, name)


def test_the_comparison_notices_a_difference(pair: Pair) -> None:
    """A test that cannot fail is none: one slot off by 1e-11 of its value must be seen."""
    pair.native.memory[:] = pair.python.memory[:] = 1.0
    pair.native.memory[pair.native.program.layout.size // 2] += 1e-11
    with pytest.raises(AssertionError):
        agree(pair, "changed")
