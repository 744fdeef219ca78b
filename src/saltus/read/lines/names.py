"""Names in texts: each is used once, and what is set may be set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from saltus.core.diagnostics import Diagnostic, Note
from saltus.core.nearest import known_hint
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.automata.automaton import Action
from saltus.ir.automata.lines import Continuous, Memory

#: Names that mean something in every expression.
_RESERVED = {"time": "is the time"}


def name_faults(
    named: Iterable[tuple[str, ast.Offsets, str]], source: Source, reserved: Mapping[str, str]
) -> Iterator[Diagnostic]:
    """Names that are used twice, or that mean something else: `reserved` ones, with what they do."""
    first: dict[str, tuple[ast.Offsets, str]] = {}
    for name, place, what in named:
        meaning = (_RESERVED | dict(reserved)).get(name)
        if meaning is not None:
            message = f"`{name}` {meaning}"
            yield Diagnostic("E202", message, Span(source, *place), hint="choose another name")
        elif name in first:
            other, is_ = first[name]
            note = Note(f"{_article(is_)} `{name}` is here", Span(source, *other))
            message = f"`{name}` is there already, {_article(is_)}"
            yield Diagnostic("E202", message, Span(source, *place), (note,), "choose another name")
        else:
            first[name] = place, what


def target_faults(
    actions: Iterable[Action], settable: Iterable[Memory | Continuous], owner: str, source: Source
) -> Iterator[Diagnostic]:
    """Actions that set what is no memory and no continuous variable."""
    names = [m.name for m in settable]
    for action in actions:
        name = action.target.text
        if name not in names:
            place = Span(source, action.target.start, action.target.end)
            hint = known_hint(name, names, owner, "memory") or f"declare it: `memory {name} = 0`"
            yield Diagnostic("E201", f"there is no memory `{name}` to be set", place, hint=hint)


def truth_faults(
    condition: ast.Expression | None, types: Mapping[str, str], source: Source
) -> Iterator[Diagnostic]:
    """A condition that is a number: the name of something that has one, and is not compared."""
    if isinstance(condition, ast.Reference) and types.get(condition.text, "Boolean") != "Boolean":
        place = Span(source, condition.start, condition.end)
        name = condition.text
        message = f"a condition is true or false, but `{name}` is a number"
        yield Diagnostic("E205", message, place, hint=f"compare it: `{name} >= 1`")


def _article(what: str) -> str:
    return f"{'an' if what[0] in 'aeiou' else 'a'} {what}"
