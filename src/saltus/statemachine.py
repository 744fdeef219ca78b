"""State machines in Python: built, simulated, drawn, asked where they can come to.

    from saltus.statemachine import Machine

    light = Machine("Light", initial="Red")
    light.state("Red")
    light.state("Green")
    light.transition("Red", "Green", after=20)
    light.transition("Green", "Red", after=30)
    result = light.simulate(stop_time=100)

What is built is the text of a machine (`docs/statemachines.md`), so everything that the text can say can be
said here, with the same names and the same messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from saltus.building import Building, Value, described, given_text, rest_text, value_text
from saltus.ir.automata.machine import Machine as Tree
from saltus.read.statechart.files import SUFFIX, machines


class Machine(Building):
    """A machine that is being built."""

    word, suffix = "machine", SUFFIX

    def __init__(self, name: str, description: str = "", *, initial: str | None = None) -> None:
        super().__init__(name, description)
        if initial is not None:
            self.initial(initial)

    def initial(self, state: str) -> None:
        """Says which state is entered first in the state that is open."""
        self.statement(f"initial {state}")

    def history(self) -> None:
        """The state that is open enters the state in it that was active last."""
        self.statement("history")

    def state(
        self,
        name: str,
        description: str = "",
        *,
        entry: Mapping[str, Value] | None = None,
        during: Mapping[str, Value] | None = None,
        exit: Mapping[str, Value] | None = None,
    ) -> str:
        """Adds a simple state, and returns its name."""
        with self.inside(name, description, entry=entry, during=during, exit=exit):
            pass
        return name

    @contextmanager
    def inside(
        self,
        name: str,
        description: str = "",
        *,
        parallel: bool = False,
        entry: Mapping[str, Value] | None = None,
        during: Mapping[str, Value] | None = None,
        exit: Mapping[str, Value] | None = None,
    ) -> Iterator[str]:
        """Adds a state; what is added while it is open stands in it: `with machine.inside("Working"): ...`"""
        self.statement(f"{'parallel' if parallel else 'state'} {name}{described(description)}")
        for word, actions in (("entry", entry), ("during", during), ("exit", exit)):
            for target, value in (actions or {}).items():
                self.statement(f"{word} {target} = {value_text(value)}")
        yield name
        self.statement(f"end {name}")

    def transition(
        self,
        source: str,
        target: str,
        name: str | None = None,
        *,
        when: str | None = None,
        at: str | None = None,
        after: Value | None = None,
        then: Mapping[str, Value] | None = None,
        priority: int | None = None,
        description: str = "",
    ) -> None:
        """Adds a transition."""
        title = f"{name}: " if name is not None else ""
        if priority is not None:
            title = f"transition {name or f'{source}_to_{target}'}{given_text({'priority': priority})}: "
        wait = f" after {value_text(after)}" if after is not None else ""
        self.statement(f"{title}{source} -> {target}{wait}{rest_text(when, at, then, description)}")

    def tree(self) -> Tree:
        """What was read. Raises `ModelError` if it means nothing."""
        return machines(self.source())[-1]
