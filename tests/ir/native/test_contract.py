"""`saltus.ir.native.contract`: what Python and native code agree on is said once, whoever adds to it.

The sources are read as syntax trees. A number that gets a second definition, a slot that is written as a
number, or a native function that is asked for by a text of its own makes these tests fail: then it belongs
into the contract, or, if it is another number that happens to have the same name, into `OTHERS`.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import saltus

SOURCES = Path(saltus.__file__).parent

#: Modules that hold the contract, and the stages that are bound by it.
CONTRACT = tuple(f"ir/native/{name}.py" for name in ("contract", "drive", "passage", "history", "transport"))
BOUND = ("emit", "run")

#: Names that have several definitions all the same: what each is, in its module, shows that they are
#: different numbers, which need not change together.
OTHERS = {
    "AHEAD": {
        "run/engine/loop_branches.py": "how far a failure may be ahead, as a part of the run",
        "run/failures/given_up.py": "how far it is looked for one, as a part of the time",
    },
    "BESIDE": {
        "run/schedule/signals.py": "between two times, as a part of a run",
        "run/surfaces/limits.py": "how far a residue is moved, as a part of what all that jump move it",
    },
    "CALM": {
        "emit/driver/panels.py": "an error, as a part of a margin",
        "run/surfaces/event_notes.py": "a number of events",
    },
    "COMPARED": {
        "run/iteration/search.py": "switches of one program",
        "run/modes/mode_search.py": "relations, each choice of which may need a program of its own",
    },
    "END": {
        "ir/native/history.py": "a place in a panel",
        "emit/loops/continuation.py": "a phase of the method",
    },
    "ENUMERATED": {
        "run/failures/coupling.py": "switches of one program",
        "run/modes/mode_search.py": "relations, each choice of which may need a program of its own",
    },
    "FIRST_NUDGE": {
        "emit/loops/continuation.py": "by which the origin of a curve is moved",
        "emit/loops/newton.py": "by which start values are moved",
    },
    "FIRST_PANEL": {
        "ir/native/history.py": "a place in a segment",
        "run/engine/driver.py": "the length of a panel of the driver, which has nothing to do with histories",
    },
    "FIRST_STEP": {
        "emit/driver/integrators.py": "of an integrator",
        "run/start/homotopy.py": "of lambda",
    },
    "FURTHER": {
        "emit/driver/crossings.py": "of a residue that sets out",
        "run/engine/loop_branches.py": "of a step that failed",
    },
    "GOLDEN": {
        "emit/driver/panels.py": "the golden section: nobody can change it",
        "emit/loops/newton.py": "the golden section",
    },
    "KEPT": {
        "emit/llvm/object_code.py": "bytes of object code on the disk",
        "run/memory/dependence.py": "programs",
    },
    "MOST_PASSES": {
        "run/iteration/search.py": "in one program, where a pass costs little",
        "run/modes/mode_search.py": "across programs",
    },
    "MOST_ROWS": {
        "run/engine/driver.py": "of one call of the driver",
        "run/engine/loop_branches.py": "that are looked at",
    },
    "MOST_STEPS": {
        "run/engine/driver.py": "of one call of the driver",
        "run/start/homotopy.py": "of lambda",
    },
    "MOST_TRIALS": {
        "run/iteration/search.py": "in one program, where a trial costs little",
        "run/modes/mode_search.py": "across programs",
    },
    "ORDER": {
        "ir/native/history.py": "a place in a segment",
        "emit/driver/runge_kutta.py": "of the method",
    },
    "PIECE": {
        "emit/layout/schedule.py": "statements of a routine",
        "emit/layout/table_phases.py": "the phase of a piece of a table",
    },
    "ROUNDING": {
        "emit/loops/newton.py": "of a scaled residual",
        "emit/loops/quadratic.py": "of an unknown",
        "emit/support/contents.py": "of a label",
    },
    "SAME": {
        "emit/support/contents.py": "of values before and after an event, where loops are solved again",
        "run/surfaces/wearing.py": "of values that one clause, or one series of impacts, has made",
    },
    "SHORTER": {
        "emit/driver/doubtful.py": "a step that is begun anew",
        "run/surfaces/event_notes.py": "an interval between events",
    },
    "SHOWN": {
        "run/engine/open_warnings.py": "guards in a warning",
        "run/failures/phrases.py": "names in a message",
    },
    "STRAIGHT": {
        "run/past/contents.py": "two slopes of a content",
        "run/start/guesses.py": "three values of a guess",
        "run/surfaces/zeno.py": "logarithms of intervals",
    },
    "TRIED": {
        "emit/driver/runge_kutta.py": "the length of an Euler step",
        "run/modes/vanishing.py": "a number of guards",
    },
}

#: Texts that look like names of native functions which Python asks for, and why they are not.
NOT_ASKED_FOR = {
    "saltus_dgesv": "an address that the JIT gives to native code; `run` has nothing to do with it",
    "saltus_random_state": "likewise",
    "saltus_lapack_": "the beginning of names under which the JIT gives addresses of LAPACK to native code",
}


def is_number(value: ast.expr) -> bool:
    """Whether an expression is made of numbers alone: `16 * 2.0**-52`."""
    match value:
        case ast.Constant(value=bool()):
            return False
        case ast.Constant(value=int() | float()):
            return True
        case ast.UnaryOp(operand=operand):
            return is_number(operand)
        case ast.BinOp(left=left, right=right):
            return is_number(left) and is_number(right)
        case _:
            return False


def definitions(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """What a module defines at its top, with the value; `A, B = 1, 2` are two."""
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[*targets], value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                targets = [target]
            case _:
                continue
        for target in targets:
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=True))
            else:
                pairs = [(target, value)]
            yield from ((name.id, given) for name, given in pairs if isinstance(name, ast.Name))


def trees(root: Path, *places: str) -> Iterator[tuple[str, ast.Module]]:
    """Modules below a folder, by their paths: those that are named, and those in folders that are."""
    for place in places:
        found = [root / place] if place.endswith(".py") else sorted((root / place).rglob("*.py"))
        for path in found:
            yield path.relative_to(root).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def numbers_by_name(root: Path) -> dict[str, list[str]]:
    """Modules that define a number, by its name; a leading underscore makes no other name of it."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, tree in trees(root, *CONTRACT, *BOUND):
        for name in sorted({name.lstrip("_") for name, value in definitions(tree) if is_number(value)}):
            found[name].append(path)
    return found


def slots(tree: ast.Module) -> Iterator[str]:
    """Places in the memory that are written as numbers: `cells[0]`, `memory.put(0, ...)`,
    `first("counters") + 4`; and numbers that are named as if they were places."""
    for name, value in definitions(tree):
        if is_number(value) and re.search(r"(^|_)(SLOT|FLAG|COUNTER)S?$", name):
            yield name
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=ast.Name() | ast.Attribute() as of, slice=place) if is_number(place):
                if re.search(r"\b(cells|memory|memory\.array)$", ast.unparse(of)):
                    yield ast.unparse(node)
            case ast.Call(func=ast.Attribute(value=of, attr="at" | "put"), args=[place, *_]):
                if is_number(place) and re.search(r"\bmemory$|'(memory|before|backup)'\]$", ast.unparse(of)):
                    yield ast.unparse(node)
            case ast.BinOp(left=section, op=ast.Add(), right=place):
                if is_number(place) and re.search(r"['\"](counters|flags)['\"]", ast.unparse(section)):
                    yield ast.unparse(node)


def asked_for(tree: ast.Module) -> Iterator[str]:
    """Texts that are the name of a native function, or the beginning of one."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if re.fullmatch(r"saltus_[a-z0-9_]+", text):
                yield text


def test_no_number_has_two_definitions():
    twice = {name: set(paths) for name, paths in numbers_by_name(SOURCES).items() if len(paths) > 1}
    assert twice == {name: set(paths) for name, paths in OTHERS.items()}


def test_every_text_that_is_excepted_is_there():
    texts = {text for _, tree in trees(SOURCES, *BOUND) for text in asked_for(tree)}
    assert set(NOT_ASKED_FOR) <= texts


@pytest.mark.parametrize("stage", BOUND)
def test_slots_are_named(stage):
    found = {path: list(slots(tree)) for path, tree in trees(SOURCES, stage)}
    assert {path: places for path, places in found.items() if places} == {}


@pytest.mark.parametrize("stage", BOUND)
def test_native_functions_are_named(stage):
    found = {path: set(asked_for(tree)) - set(NOT_ASKED_FOR) for path, tree in trees(SOURCES, stage)}
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_what_is_looked_for_is_found(tmp_path):
    for path in CONTRACT:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    (tmp_path / CONTRACT[0]).write_text("BAND = 1e-10\n")
    made = {"emit/a.py": "_BAND: float = 10.0**-10\nA, B = 1, 2\n", "run/b.py": "B = 'text'\n"}
    for path, text in made.items():
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text(text)
    found = numbers_by_name(tmp_path)
    assert found == {"BAND": [CONTRACT[0], "emit/a.py"], "A": ["emit/a.py"], "B": ["emit/a.py"]}
    wrong = """
TIME_SLOT = 0
engine.memory.cells[0] = 1.0
memory.array[0] += 1
memory[0]
c["memory"].put(0, t)
g["before"].at(0)
memory.first("counters") + 4
layout.sections["flags"][0] + 1
"""
    assert len(list(slots(ast.parse(wrong)))) == 8
    right = 'memory.cells[TIME_SLOT]; memory.first("counters") + Counter.REST; values.put(0, x); memory[k]'
    assert list(slots(ast.parse(right))) == []
    asked = asked_for(ast.parse('address("saltus_rhs"); f"saltus_step_{name}"'))
    assert list(asked) == ["saltus_rhs", "saltus_step_"]
