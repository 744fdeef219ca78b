"""Random machines once more, made of the parts of `Saltus.StateMachines`, with connections for transitions,
which join states that stand beside each other. Each state with states in it is a class of its own."""

from __future__ import annotations

from collections.abc import Iterator

from random_machines import RandomMachine
from reference_machine import Node, Step

MACHINES = "Saltus.StateMachines"


def of_parts(machine: RandomMachine, name: str) -> str:
    """The classes; the last is the machine. `e_STATE` and `k_TRANSITION` count entries and transitions."""
    return "\n".join(_Writer(machine, name).classes())


def paths(machine: RandomMachine) -> dict[str, str]:
    """The names of states by what they are called in the model."""
    found: dict[str, str] = {}

    def add(node: Node, around: str) -> None:
        for inner in node.inside:
            found[f"{around}{inner.name}"] = inner.name
            add(inner, f"{around}{inner.name}.")

    add(machine.root, "")
    return found


class _Writer:
    def __init__(self, machine: RandomMachine, name: str) -> None:
        self.machine = machine
        self.name = name
        self.called = {state: path for path, state in paths(machine).items()}
        self.asked = sorted(machine.steps, key=lambda s: s.priority)

    def classes(self) -> Iterator[str]:
        for node in reversed(self.machine.root.all()):
            if node.inside:
                yield from self._class(node)

    def _class(self, node: Node) -> Iterator[str]:
        is_root = node is self.machine.root
        base = "Machine" if is_root else "Parallel" if node.parallel else "Composite"
        yield f"model {self.name}{'' if is_root else node.name}"
        yield f"  extends {MACHINES}.{base};"
        steps = [s for s in self.asked if s.source in {n.name for n in node.inside}]
        for k, inner in enumerate(node.inside):
            given = ", ".join(self._given(inner, k == node.initial and not node.parallel, whole=is_root))
            kind = f"{self.name}{inner.name}" if inner.inside else f"{MACHINES}.State"
            yield f"  {kind} {inner.name}({given});"
        for step in steps:
            kind = "Transition" if step.after is None else "TimedTransition"
            given = [f"after = {step.after}"] if step.after is not None else []
            given += ["atEdge = true"] if step.edge else []
            if is_root and self._condition(step):
                given.append(self._condition(step))
            yield f"  {MACHINES}.{kind} {step.name}({', '.join(given)});"
        counted = {f"e_{n.name}": f"{n.name}.entered" for n in node.inside}
        counted |= {f"k_{s.name}": f"{s.name}.taken" for s in steps}
        for counter in counted:
            yield f"  Integer {counter}(start = 0, fixed = true);"
        yield "equation"
        for counter, what in counted.items():
            yield f"  {counter} = if {what} then pre({counter}) + 1 else pre({counter});"
        for step in steps:
            leave = self._leaving(step.source).index(step) + 1
            enter = self._entering(step.target).index(step) + 1
            yield f"  connect({step.source}.leave[{leave}], {step.name}.from);"
            yield f"  connect({step.name}.to, {step.target}.enter[{enter}]);"
        yield f"end {self.name}{'' if is_root else node.name};"

    def _given(self, node: Node, starts: bool, whole: bool) -> Iterator[str]:
        """What is said of a state where it is declared; with `whole` also the conditions of all transitions
        in it, which may ask for any state of the machine."""
        yield f"nIn = {len(self._entering(node.name))}"
        yield f"nOut = {len(self._leaving(node.name))}"
        if starts:
            yield "start = true"
        if node.history:
            yield "history = true"
        if whole:
            yield from self._conditions(node)

    def _conditions(self, node: Node) -> Iterator[str]:
        for inner in node.inside:
            found = ", ".join(self._conditions(inner))
            if found:
                yield f"{inner.name}({found})"
            for step in self._leaving(inner.name):
                if self._condition(step):
                    yield f"{step.name}({self._condition(step)})"

    def _condition(self, step: Step) -> str:
        words = self.machine.conditions[step.name]
        if words in self.called:
            words = f"{self.called[words]}.before"
        return f"condition = {words}" if words else ""

    def _leaving(self, state: str) -> list[Step]:
        return [s for s in self.asked if s.source == state]

    def _entering(self, state: str) -> list[Step]:
        return [s for s in self.asked if s.target == state]
