"""Machines to text. Reading the printed text gives the same machine but for the places in it."""

from __future__ import annotations

from collections.abc import Iterator

from saltus.ir.automata.machine import Machine, State, Transition
from saltus.read.lines.printed import actions_text, declared_text, described
from saltus.read.modelica.printer_expressions import expression_text


def machine_text(machine: Machine) -> str:
    """A whole machine, one statement a line. All transitions stand behind the states."""
    lines = [f"machine {machine.name}{described(machine.description)}"]
    lines += (f"  {declared_text(item)}" for item in machine.items)
    lines += (f"  {line}" for line in _contents(machine.root))
    lines += (f"  {transition_text(t)}" for t in machine.transitions)
    return "\n".join([*lines, f"end {machine.name}", ""])


def _contents(state: State) -> Iterator[str]:
    if state.initial:
        yield f"initial {state.initial}"
    if state.history:
        yield "history"
    for word, actions in (("entry", state.entry), ("exit", state.exit)):
        if actions:
            yield f"{word} {actions_text(actions)}"
    for equation in state.during:
        left, right = expression_text(equation.left), expression_text(equation.right)
        yield f"during {left} = {right}{described(equation.description)}"
    for inner in state.states:
        yield f"{'parallel' if inner.parallel else 'state'} {inner.name}{described(inner.description)}"
        body = list(_contents(inner))
        if body:
            yield from (f"  {line}" for line in body)
            yield f"end {inner.name}"


def transition_text(transition: Transition) -> str:
    """`go(priority = 2): A -> B after 3 when x > 1 then y = 2`"""
    head = ""
    if transition.is_named or transition.priority != 1:
        given = f"(priority = {transition.priority})" if transition.priority != 1 else ""
        head = f"transition {transition.name}{given}: "
    words = words_text(transition)
    rest = f" {words}" if words else ""
    return f"{head}{transition.source} -> {transition.target}{rest}{described(transition.description)}"


def words_text(transition: Transition) -> str:
    """`after 3 when x > 1 then y = 2`"""
    parts = []
    if transition.after is not None:
        parts += ["after", expression_text(transition.after)]
    if transition.condition is not None:
        parts += ["at" if transition.edge else "when", expression_text(transition.condition)]
    if transition.actions:
        parts += ["then", actions_text(transition.actions)]
    return " ".join(parts)
