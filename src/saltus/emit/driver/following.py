"""The steps of an event (`saltus.ir.native.steps`) as native code.

A function follows a plan: for each name it has what appends the instructions of that step. Those of
conditions give a truth. A step that does not go as usual returns from the function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import TypeAlias

from saltus.emit.support.assembly import Function, Value
from saltus.ir.native.steps import Across, Leave, Plan, Repeat, Step, Unless, When

#: What a step is made of, by its name.
Steps: TypeAlias = Mapping[str, Callable[[], Value | None]]


def follow(f: Function, plan: Plan, made: Steps, *, across: bool = False) -> None:
    """Appends the steps of a plan: those of an event which may lead `across` to another program, or not."""
    _Following(f, made, across).all_of(plan.steps)


class _Following:
    def __init__(self, f: Function, made: Steps, across: bool) -> None:
        self._f, self._made, self._across = f, made, across

    def all_of(self, steps: tuple[Step | Leave, ...]) -> None:
        for step in steps:
            self._one(step)

    def _one(self, step: Step | Leave) -> None:
        match step:
            case str():
                self._made[step]()
            case Plan(name, inner):
                if name in self._made:
                    self._made[name]()
                else:
                    self.all_of(inner)
            case When(condition, inner):
                with self._f.when(self._truth(condition)):
                    self.all_of(inner)
            case Unless(condition, inner):
                with self._f.when(~self._truth(condition)):
                    self.all_of(inner)
            case Across(inner, otherwise):
                self.all_of(inner if self._across else otherwise)
            case Leave(unless):
                self._f.leave_if(~self._truth(unless))
            case Repeat(inner, until, give_up):
                with self._f.loop():
                    self.all_of(inner)
                    with ExitStack() as those_before:
                        for name in until[:-1]:
                            those_before.enter_context(self._f.when(self._truth(name)))
                        self._f.leave_if(self._truth(until[-1]))
                    if give_up is not None:
                        self._made[give_up]()

    def _truth(self, condition: str) -> Value:
        found = self._made[condition]()
        assert found is not None, f"`{condition}` tells nothing"
        return found
