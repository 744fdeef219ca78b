"""The steps of an event: one table, which the page about events tells in words, and both sides follow."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from llvmlite import binding as llvm

from saltus.emit.driver.following import Steps, follow
from saltus.emit.driver.text import driver_text, passages_text
from saltus.emit.support.assembly import Function, Value
from saltus.ir.native.steps import EVENT, PLANS, Across, Leave, Plan, Repeat, Unless, When, names
from saltus.run.iteration.events import Happening
from saltus.run.iteration.following import followed

PAGE = Path(__file__).parents[3] / "docs" / "events.md"

#: A plan with everything that there is.
EVERYTHING = Plan(
    "everything",
    (
        "begin",
        Repeat(
            (
                "count",
                Leave(unless="few"),
                When("odd", ("note_odd",)),
                Unless("odd", ("note_even",)),
                Across(("go",), otherwise=("remain",)),
            ),
            until=("large", "even"),
            give_up="again",
        ),
        Plan("own", ("not_done",)),
        Plan("written_out", ("inner",)),
    ),
)


def told(page: str) -> dict[str, list[str]]:
    """The names of steps that the page has for each plan, in its order: those in backticks, among all."""
    known = {name for plan in PLANS for name in names(plan)}
    _, _, text = page.partition("\n### The steps by name\n")
    text, _, _ = text.partition("\n## ")
    parts = re.split(r"^\*\*([A-Z_]+)\*\*", text, flags=re.MULTILINE)
    # The list ends with the first line that is neither an item nor part of one.
    return {
        plan: [word for word in re.findall(r"`(\w+)`", _items(body)) if word in known]
        for plan, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def _items(body: str) -> str:
    _, _, listed = body.partition("\n\n")
    return listed.partition("\n\n")[0]


def test_the_page_has_all_steps_in_their_order() -> None:
    page = told(PAGE.read_text(encoding="utf-8"))
    assert list(page) == [plan.name.upper() for plan in PLANS]
    for plan in PLANS:
        assert page[plan.name.upper()] == list(names(plan))


def test_a_page_that_rots_is_noticed() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert told(text.replace("`tick`", "`tock`")) != told(text)
    swapped = text.replace("`depart`", "`x`").replace("`approach`", "`depart`").replace("`x`", "`approach`")
    assert told(swapped) != told(text)


def test_every_plan_is_part_of_the_event() -> None:
    parts = {name for plan in PLANS for name in names(plan)}
    assert {plan.name for plan in PLANS} - parts == {EVENT.name}


class Walk:
    """Follows `EVERYTHING`, and writes down what it does."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.n = 0

    def begin(self) -> None:
        self.done.append("begin")

    def count(self) -> None:
        self.n += 1

    def few(self) -> bool:
        return self.n < 7

    def odd(self) -> bool:
        return self.n % 2 == 1

    def note_odd(self) -> None:
        self.done.append(f"{self.n} odd")

    def note_even(self) -> None:
        self.done.append(f"{self.n} even")

    def go(self) -> None:
        self.done.append("go")

    def remain(self) -> None:
        self.done.append("remain")

    def large(self) -> bool:
        return self.n >= 3

    def even(self) -> bool:
        self.done.append("asked")
        return self.n % 2 == 0

    def again(self) -> None:
        self.done.append("again")

    def own(self) -> None:
        self.done.append("own")

    def inner(self) -> None:
        self.done.append("inner")


@pytest.mark.parametrize("across", [True, False])
def test_steps_are_called_in_their_order(across: bool) -> None:
    way, walk = "go" if across else "remain", Walk()
    followed(EVERYTHING, Walk, across=across)(walk)
    assert walk.done == [
        "begin",
        *("1 odd", way, "again"),
        *("2 even", way, "again"),
        *("3 odd", way, "asked", "again"),
        *("4 even", way, "asked"),
        "own",
        "inner",
    ]  # fmt: skip


def test_a_loop_is_left() -> None:
    walk = Walk()
    walk.n = 9
    followed(EVERYTHING, Walk)(walk)
    assert walk.done == ["begin", "own", "inner"]


def called(f: Function, n: int) -> int:
    """What a function of one number gives."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(f.text()), machine)
    engine.finalize_object()
    address = engine.get_function_address(f.name)
    return int(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(address)(n))


@pytest.mark.parametrize("across", [True, False])
def test_native_steps_do_the_same(across: bool) -> None:
    """What is done is written as the digits of a number."""
    f = Function("walk", "i64", n="i64")
    n, done = f.variable(f.n), f.variable(0, "i64")

    def note(digit: int) -> Callable[[], None]:
        return lambda: done.set(done.value * 10 + digit)

    def even() -> Value:
        note(6)()
        return n.value % 2 == 0

    steps: Steps = {
        "begin": note(1), "count": lambda: n.set(n.value + 1), "few": lambda: n.value < 7,
        "odd": lambda: n.value % 2 == 1, "note_odd": note(2), "note_even": note(3), "go": note(4),
        "remain": note(5), "large": lambda: n.value >= 3, "even": even, "again": note(7), "own": note(8),
        "inner": note(9),
    }  # fmt: skip
    follow(f, EVERYTHING, steps, across=across)
    f.give(done.value)
    expected = "1 2w7 3w7 2w67 3w6 89".replace(" ", "").replace("w", "4" if across else "5")
    assert called(f, 0) == int(expected)
    assert called(f, 9) == 189


def test_a_name_without_a_meaning_is_refused() -> None:
    with pytest.raises(AttributeError, match="trace"):
        followed(EVENT, Walk)
    followed(EVENT, Happening)
    with pytest.raises(KeyError, match="begin"):
        follow(Function("f", "i64"), EVERYTHING, {})


def test_native_functions_are_made_of_the_tables() -> None:
    assert "@event_within(" in driver_text() and "@rounds(" in driver_text()
    assert all(f"@{name}(" in passages_text() for name in ("event_across", "settled", "settle_truths"))
