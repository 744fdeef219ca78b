"""Petri nets in Python: built, simulated, drawn, asked where they can come to.

    from saltus.petrinet import Net

    net = Net("Queue")
    net.place("waiting", tokens=3)
    net.place("served")
    net.transition("serve", "waiting -> served", delay=1.5)
    result = net.simulate(stop_time=10)

What is built is the text of a net (`docs/petrinets.md`), so everything that the text can say can be said
here, with the same names and the same messages.
"""

from __future__ import annotations

from collections.abc import Mapping

from saltus.building import Building, Value, described, given_text, rest_text
from saltus.ir.automata.net import Net as Tree
from saltus.read.petri.files import SUFFIX, nets


class Net(Building):
    """A net that is being built. `Net("N", capacity=1)` gives a capacity to all places."""

    word, suffix = "net", SUFFIX

    def place(
        self,
        name: str,
        tokens: Value | None = None,
        capacity: Value | None = None,
        description: str = "",
    ) -> str:
        """Adds a place, and returns its name."""
        given = given_text({"tokens": tokens, "capacity": capacity})
        self.statement(f"place {name}{given}{described(description)}")
        return name

    def transition(
        self,
        name: str,
        arcs: str,
        *,
        when: str | None = None,
        at: str | None = None,
        unless: str | None = None,
        then: Mapping[str, Value] | None = None,
        delay: Value | None = None,
        priority: int | None = None,
        description: str = "",
    ) -> str:
        """Adds a transition, and returns its name: `net.transition("t", "a + 2*b -> c", unless="d")`."""
        given = given_text({"priority": priority, "delay": delay})
        inhibitors = f" unless {unless}" if unless else ""
        rest = rest_text(when, at, then, description)
        self.statement(f"transition {name}{given}: {arcs}{inhibitors}{rest}")
        return name

    def tree(self) -> Tree:
        """What was read. Raises `ModelError` if it means nothing."""
        return nets(self.source())[-1]
