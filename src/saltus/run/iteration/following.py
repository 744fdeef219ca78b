"""The steps of an event (`saltus.ir.native.steps`) as calls.

A plan is followed by an object: its methods have the names of the steps. A table is gone through once, when
the module of that class is loaded, so that an event costs no more than the calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar

from saltus.ir.native.steps import Across, Leave, Plan, Repeat, Step, Unless, When

S = TypeVar("S")

#: A step of an object; conditions return a value.
_Call: TypeAlias = Callable[[S], object]


def followed(plan: Plan, by: type[S], *, across: bool = False) -> Callable[[S], None]:
    """A function that takes an object of a class through a plan: that of an event which may lead `across` to
    another program, or not."""
    return _Following(by, across).all_of(plan.steps)


class _Following(Generic[S]):
    def __init__(self, by: type[S], across: bool) -> None:
        self._by, self._across = by, across

    def all_of(self, steps: tuple[Step | Leave, ...]) -> Callable[[S], None]:
        """Steps one after the other."""
        calls = self._calls_of(steps)

        def run(subject: S) -> None:
            for call in calls:
                call(subject)

        return run

    def _calls_of(self, steps: tuple[Step | Leave, ...]) -> tuple[_Call[S], ...]:
        return tuple(call for step in steps for call in self._calls(step))

    def _calls(self, step: Step | Leave) -> tuple[_Call[S], ...]:
        match step:
            case str():
                return (getattr(self._by, step),)
            case Plan(name, inner):
                own = getattr(self._by, name, None)
                return (own,) if own is not None else self._calls_of(inner)
            case When(condition, inner):
                return (self._only_if(condition, inner, wanted=True),)
            case Unless(condition, inner):
                return (self._only_if(condition, inner, wanted=False),)
            case Across(inner, otherwise):
                return self._calls_of(inner if self._across else otherwise)
            case Repeat():
                return (self._repeated(step),)
            case Leave():
                raise ValueError("only a loop can be left")

    def _only_if(self, condition: str, steps: tuple[Step, ...], *, wanted: bool) -> _Call[S]:
        ask, inner = getattr(self._by, condition), self.all_of(steps)

        def run(subject: S) -> None:
            if bool(ask(subject)) is wanted:
                inner(subject)

        return run

    def _repeated(self, loop: Repeat) -> _Call[S]:
        calls: list[tuple[_Call[S], bool]] = []  # and whether the loop ends if that returns true
        for step in loop.steps:
            if isinstance(step, Leave):
                calls.append((getattr(self._by, step.unless), True))
            else:
                calls += [(call, False) for call in self._calls(step)]
        conditions = [getattr(self._by, name) for name in loop.until]
        give_up: _Call[S] | None = getattr(self._by, loop.give_up) if loop.give_up is not None else None

        def run(subject: S) -> None:
            while True:
                for call, leaves in calls:
                    if not call(subject) and leaves:
                        return
                for holds in conditions:
                    if not holds(subject):
                        break
                else:
                    return
                if give_up is not None:
                    give_up(subject)

        return run
