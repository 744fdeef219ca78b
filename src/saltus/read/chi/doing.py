"""What is done on an edge, as statements of Modelica.

All edges stand in one algorithm, one after the other, and one of them is taken. What an edge reads is
therefore `pre(n)`, unless it has assigned `n` itself: then the value of a variable never goes through the
edges before. For the same reason a variable that only some branches of a choice assign gets its value before
the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from saltus.core.diagnostics import model_error
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.read.chi.automaton import Choice, Edge, Preparation, Reception, Step
from saltus.read.chi.channels import value as sent_value
from saltus.read.chi.names import BOOLEAN, DISCRETE, INTEGER, REAL, Declared, ascii_text, quoted
from saltus.read.chi.pieces import binary, called, joined, literal, negated, path, rebuilt, references
from saltus.read.chi.sampling import FIRST, STATE, drawn, is_sample, samples
from saltus.read.chi.syntax import Alternative, Assignment, StateEvent, TimeOut
from saltus.read.chi.types import is_continuous


class Doing:
    """Knows the names of what a process keeps; `declare` declares it where it is not declared yet."""

    def __init__(
        self,
        known: dict[str, Declared],
        source: Source,
        names: dict[int, str],
        declare: Callable[[ast.Node, str, str], None],
    ) -> None:
        self.known = known
        self.source = source
        self.names = names
        self.declare = declare
        #: What this edge has assigned so far.
        self.fresh: set[str] = set()

    def steps(self, edge: Edge) -> Iterator[ast.Item]:
        """All that is done on an edge."""
        self.fresh = set()
        alternative = edge.alternative
        if alternative is not None and isinstance(alternative.event, StateEvent):
            yield from self._found(alternative.event)
        for step in edge.steps:
            yield from self._step(step)

    # ------------------------------------------------------------ values

    def before(self, node: ast.Expression) -> ast.Expression:
        """With the values from before the edge, but for what it has assigned."""

        def change(part: object) -> ast.Expression | None:
            if isinstance(part, ast.Call) and part.function.text == "der":
                span = Span(self.source, part.start, part.end)
                hint = "give it a name by an equation: `a = x'`, and use `a`"
                raise model_error("E204", "a derivative in an assignment", span, hint=hint)
            if isinstance(part, ast.Reference) and part.text != "time":
                declared = self.known.get(part.parts[0][0])
                discrete = declared is not None and declared.kind == DISCRETE and len(part.parts) == 1
                if is_continuous(part, self.known) or (discrete and part.text not in self.fresh):
                    return called(part, "pre", part)
            return None

        found: ast.Expression = rebuilt(node, change)
        return found

    def _kept(self, node: ast.Node, name: str) -> ast.Expression:
        """A variable that no text declares, before the edge or as it has assigned it."""
        return path(node, name) if name in self.fresh else called(node, "pre", path(node, name))

    def _value(self, node: ast.Expression) -> tuple[list[ast.Item], ast.Expression]:
        """A value, and what has to be done for it: a sample takes the next random number."""
        if not isinstance(node, ast.Call) or not is_sample(node):
            return [], self.before(node)
        (inner,) = node.args
        assert isinstance(inner, ast.Call)
        if inner.function.text == "normal":
            self.declare(node, FIRST, REAL)
        found = drawn(node, tuple(self.before(a) for a in inner.args), self._kept(node, STATE))
        self.fresh.add(STATE)
        return found

    def _set(self, node: ast.Node, name: str, value: ast.Expression) -> ast.Assignment:
        self.fresh.add(name)
        return ast.Assignment(node.start, node.end, path(node, name), value)

    # ------------------------------------------------------------ steps

    def _step(self, step: Step) -> Iterator[ast.Item]:
        match step:
            case Assignment():
                done, value = self._value(step.value)
                yield from done
                if step.continuous:
                    yield self._set(step, new_value(step.name), value)
                    given = negated(called(step, "pre", path(step, gets(step.name))))
                    yield self._set(step, gets(step.name), given)
                else:
                    yield self._set(step, step.name, value)
            case Choice():
                yield from self._choice(step)
            case Reception():
                got = called(step, "pre", path(step, sent_value(step.channel)))
                yield self._set(step, step.target, got)
            case Preparation():
                yield from self._prepared(step.alternative)

    def _choice(self, choice: Choice) -> Iterator[ast.Item]:
        for name in _assigned(choice):
            if name not in self.fresh:
                yield self._set(choice, name, called(choice, "pre", path(choice, name)))
        branches: list[tuple[ast.Expression | None, tuple[ast.Item, ...]]] = []
        for number, (guard, steps) in enumerate(choice.branches):
            last = number + 1 == len(choice.branches)
            inner = tuple(item for step in steps for item in self._step(step))
            branches.append((None if last else self.before(guard), inner))
        if len(branches) == 1:
            yield from branches[0][1]
        else:
            yield ast.IfEquation(choice.start, choice.end, tuple(branches))

    # ------------------------------------------------------------ what is kept for a wait

    def _prepared(self, alternative: Alternative) -> Iterator[ast.Item]:
        name = self.names[id(alternative)]
        guard, event = alternative.guard, alternative.event
        if guard is not None and keeps_guard(alternative, self.known):
            yield self._set(alternative, of("open", name), self.before(guard))
        if isinstance(event, TimeOut):
            self.declare(event, of("until", name), REAL)
            done, duration = self._value(event.duration)
            yield from done
            yield self._set(event, of("until", name), binary("+", path(event, "time"), duration))
            self.declare(event, of("negative", name), BOOLEAN)
            past = binary("<", path(event, of("until", name)), path(event, "time"))
            yield self._set(event, of("negative", name), past)
        elif isinstance(event, StateEvent) and event.equality is not None:
            yield from self._sides(event, name)

    def _sides(self, event: StateEvent, name: str) -> Iterator[ast.Item]:
        side, zero = of("side", name), self._zero(event)
        self.declare(event, side, INTEGER)
        self.declare(event, zero, REAL)
        difference, known = self._difference(event), self._kept(event, zero)

        def compared(operator: str, right: ast.Expression) -> ast.Binary:
            return ast.Binary(event.start, event.end, operator, difference, right)

        equal = joined("and", [compared("<=", known), compared(">=", known)])
        nought = literal(event, 0)
        branches = (
            (equal, nought),
            (compared(">", nought), literal(event, 1)),
            (compared("<", nought), literal(event, -1)),
        )
        yield self._set(event, side, ast.IfExpression(event.start, event.end, branches, nought))

    def _found(self, event: StateEvent) -> Iterator[ast.Item]:
        """Keeps what has just been found equal."""
        if event.equality is not None:
            yield self._set(event, self._zero(event), self._difference(event))

    def _zero(self, event: StateEvent) -> str:
        """The variable that keeps what was found equal: all waits for one equality share it."""
        return quoted(f"zero of {ascii_text(self.source.text[event.start : event.end])}")

    def _difference(self, event: StateEvent) -> ast.Expression:
        assert event.equality is not None
        left, right = (self.before(side) for side in event.equality)
        return ast.Binary(event.start, event.end, "-", left, ast.Parenthesis(right.start, right.end, right))


def new_value(name: str) -> str:
    """The value that a continuous variable gets."""
    return f"'new {name.strip(chr(39))}'"


def gets(name: str) -> str:
    """What changes its truth when a continuous variable gets a value."""
    return f"'gets {name.strip(chr(39))}'"


def of(what: str, name: str) -> str:
    """A variable that belongs to an alternative."""
    return f"'{what} {name[1:]}"


def keeps_guard(alternative: Alternative, known: dict[str, Declared]) -> bool:
    """Whether the guard is asked when a wait begins, and may change while it lasts."""
    guard = alternative.guard
    if guard is None or alternative.event is None:
        return False
    return any(is_continuous(reference, known) for reference in references(guard))


def _assigned(choice: Choice) -> Iterator[str]:
    """What the branches of a choice assign."""
    for _, steps in choice.branches:
        for step in steps:
            if isinstance(step, Choice):
                yield from _assigned(step)
            elif isinstance(step, Assignment):
                if samples(step.value):
                    yield STATE
                if step.continuous:
                    yield new_value(step.name)
                    yield gets(step.name)
                else:
                    yield step.name
