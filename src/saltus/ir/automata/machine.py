"""State machines with hierarchy: states in states, side by side or one at a time.

    State       has states in it, of which one is active while it is, or all of them if it is parallel; does
                something when it is entered, while it is active, and when it is left
    Transition  leads from one state to another, wherever they stand
    Machine     all of them; it is itself the outermost state

A machine goes in rounds, as nets do (`net`). In a round the transitions whose states are active and whose
conditions hold are asked one after the other: first those that leave more (whose outermost state that is left
stands further out), then those of outer states, then by priority, the smaller number first, then in the order
of the text. One is taken unless it would leave something that another one of the round leaves.
Whatever stands in the outermost state that a transition leaves is left; the states around the target are
entered, and in it the initial ones, or where a state keeps its history those that were active last.

Actions use the values before the round. Exits come before what the transition does, and that before entries;
inner states are left before outer ones and entered after them. The last one that sets a variable counts; of
several that stand equally deep, the first in the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from saltus.ir import ast
from saltus.ir.automata.automaton import Action
from saltus.ir.automata.lines import (
    Continuous,
    Declared,
    Equation,
    Experiment,
    Memory,
    Parameter,
    Signal,
    named,
)


@dataclass(frozen=True)
class State(ast.Node):
    """`initial` is the name of the state in it that is entered first; a parallel one has none."""

    name: str
    states: tuple[State, ...] = ()
    initial: str = ""
    parallel: bool = False
    history: bool = False
    entry: tuple[Action, ...] = ()
    during: tuple[Equation, ...] = ()
    exit: tuple[Action, ...] = ()
    description: str = ""
    named: ast.Offsets = (0, 0)

    def within(self) -> Iterator[State]:
        """The state and all that stand in it, outer ones first."""
        yield self
        for state in self.states:
            yield from state.within()


@dataclass(frozen=True)
class Transition(ast.Node):
    """`condition` has to be true; where `edge` is said it has to become true at that instant. With `after`
    the source has to be active for so long. Each has a name, also where the text gives it none."""

    name: str
    source: str
    target: str
    condition: ast.Expression | None = None
    edge: bool = False
    after: ast.Expression | None = None
    priority: int = 1
    actions: tuple[Action, ...] = ()
    description: str = ""
    is_named: bool = True


@dataclass(frozen=True)
class Machine(ast.Node):
    """`root` has the name of the machine and is active all the time."""

    name: str
    description: str
    root: State
    transitions: tuple[Transition, ...]
    items: tuple[Declared, ...] = ()

    # ------------------------------------------------------------ the tree

    @cached_property
    def states(self) -> tuple[State, ...]:
        """All but the root, outer ones first."""
        return tuple(self.root.within())[1:]

    @cached_property
    def _known(self) -> dict[str, State]:
        return {s.name: s for s in reversed(tuple(self.root.within()))}

    @cached_property
    def _parents(self) -> dict[str, str]:
        return {inner.name: s.name for s in self.root.within() for inner in s.states}

    def state(self, name: str) -> State:
        """The state of this name; there must be one."""
        return self._known[name]

    def chain(self, name: str) -> tuple[str, ...]:
        """A state and those around it, from the root to it."""
        found = [name]
        while found[-1] in self._parents:
            found.append(self._parents[found[-1]])
        return tuple(reversed(found))

    def contains(self, outer: str, inner: str) -> bool:
        """Whether a state is another one or stands in it."""
        return outer in self.chain(inner)

    def depth(self, name: str) -> int:
        return len(self.chain(name))

    def together(self, a: str, b: str) -> bool:
        """Whether two states of which none stands in the other can be active at once."""
        return self.state(self._around(a, b)).parallel

    def _around(self, a: str, b: str) -> str:
        """The innermost state in which both stand, and that is neither of them."""
        return next(
            x for x, y in reversed(list(zip(self.chain(a)[:-1], self.chain(b)[:-1], strict=False))) if x == y
        )

    # ------------------------------------------------------------ what a transition does

    def domain(self, transition: Transition) -> str:
        """The outermost state that a transition leaves."""
        chain = self.chain(transition.source)
        return chain[chain.index(self._around(transition.source, transition.target)) + 1]

    def conflict(self, a: Transition, b: Transition) -> bool:
        """Whether two transitions cannot be taken in one round."""
        one, other = self.domain(a), self.domain(b)
        return self.contains(one, other) or self.contains(other, one)

    @cached_property
    def in_turn(self) -> tuple[Transition, ...]:
        """The transitions in the order in which they are asked."""
        order = {
            t.name: (self.depth(self.domain(t)), self.depth(t.source), t.priority) for t in self.transitions
        }
        return tuple(sorted(self.transitions, key=lambda t: order[t.name]))

    def entered(self, transition: Transition) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
        """The states that a transition enters, each with what has to have been active last for that: pairs of
        a state with a history, and of one in it."""
        chain = self.chain(transition.target)
        inside = chain[chain.index(self._around(transition.source, transition.target)) + 1 :]
        yield from self._entered(inside, ())

    def entered_first(self) -> tuple[str, ...]:
        """The states that are active at the start."""
        found, waiting = list[str](), [self.root]
        while waiting:
            state = waiting.pop(0)
            inner = [s for s in state.states if state.parallel or s.name == state.initial]
            found += [s.name for s in inner]
            waiting += inner
        return tuple(found)

    def _entered(
        self, way: tuple[str, ...], needed: tuple[tuple[str, str], ...]
    ) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
        first, *rest = way
        state = self.state(first)
        yield first, needed
        if not rest:
            yield from self._inside(state, needed)
            return
        yield from self._entered(tuple(rest), needed)
        if state.parallel:
            for other in state.states:
                if other.name != rest[0]:
                    yield from self._entered((other.name,), needed)

    def _inside(
        self, state: State, needed: tuple[tuple[str, str], ...]
    ) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
        """What is entered in a state if nothing says which."""
        if state.parallel:
            for inner in state.states:
                yield from self._entered((inner.name,), needed)
        elif state.history:
            for inner in state.states:
                yield from self._entered((inner.name,), (*needed, (state.name, inner.name)))
        elif state.states:
            yield from self._entered((state.initial,), needed)

    # ------------------------------------------------------------ declarations

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return tuple(i for i in self.items if isinstance(i, Parameter))

    @property
    def settable(self) -> tuple[Memory | Continuous, ...]:
        """What actions may set."""
        return tuple(i for i in self.items if isinstance(i, Memory | Continuous))

    @property
    def signals(self) -> tuple[Signal, ...]:
        return tuple(i for i in self.items if isinstance(i, Signal))

    @property
    def experiment(self) -> Experiment | None:
        return next((i for i in self.items if isinstance(i, Experiment)), None)

    def named(self) -> Iterator[tuple[str, ast.Offsets, str]]:
        """What has a name, with its place and what it is."""
        for item in self.items:
            found = named(item)
            if found is not None:
                yield found
        for state in self.states:
            yield state.name, state.named, "state"
        for transition in self.transitions:
            if transition.is_named:
                yield transition.name, (transition.start, transition.end), "transition"

    def verify(self) -> None:
        """Names are unique, transitions lead from state to state, and one state is initial where one of
        several is active."""
        names = [name for name, _, _ in self.named()]
        assert len(set(names)) == len(names), f"{self.name}: two things have one name"
        states = {s.name for s in self.states}
        for state in self.root.within():
            inner = [s.name for s in state.states]
            assert not inner or state.parallel or state.initial in inner, f"{state.name}: where it begins"
        for transition in self.transitions:
            assert {transition.source, transition.target} <= states, transition.name
