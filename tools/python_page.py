"""docs/python.md, the reference of the Python interface, which is made from signatures and docstrings.

Usage: `python tools/python_page.py` writes the page anew; a test says when that is due.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "python.md"

HEAD = """# The Python interface

Made from the source by `tools/python_page.py`. [The user guide](guide.md#python) shows how it is used.
What is not named here, or begins with an underscore, may change without being announced.
"""

#: Pages that docstrings name by their place in the repository.
_PAGES = re.compile(r"`?\bdocs/([\w/]+\.md(?:#[\w-]+)?)`?")

#: Signatures up to this length are one line.
WIDE = 100


@dataclass(frozen=True)
class Entry:
    """A function or a class by its place, `package.module:Name`, and what is shown of the class, in order."""

    place: str
    members: tuple[str, ...] = ()
    #: How users write it.
    called: str = ""

    @property
    def name(self) -> str:
        """As it is called."""
        return self.called or self.place.replace(":", ".")

    @property
    def value(self) -> Any:
        """The object."""
        module, _, name = self.place.partition(":")
        return getattr(import_module(module), name)


SECTIONS: dict[str, tuple[Entry, ...]] = {
    "Models": (
        Entry("saltus:load"),
        Entry(
            "saltus:Model",
            (
                "simulate", "steady", "linearise", "sliders", "parameters", "variables", "inputs", "describe",
                "warnings", "unit_warnings", "causality_warnings", "extensions", "experiment", "name",
                "check", "timings", "dump", "passes", "inlined", "flat", "hybrid", "structure", "program",
            ),
        ),
        Entry(
            "saltus.ir.declared:Declarations",
            ("of", "to_pandas", "text"),
            "model.parameters, model.variables",
        ),
        Entry("saltus.ir.declared:Declared", ("matches",), "model.parameters[name]"),
        Entry("saltus:Settings", ("of", "verify")),
        Entry("saltus:Exchange"),
        Entry("saltus:UdpLink", ("port", "text", "close")),
    ),
    "Results": (
        Entry(
            "saltus:Result",
            (
                "time", "names", "parameters", "events", "modes", "impulses", "steps", "undetermined", "at",
                "resample", "curves", "state_at", "plot", "plot_modes", "save", "to_csv", "to_pandas",
            ),
        ),
        Entry(
            "saltus.result.events.events:EventTable",
            ("between", "of", "counts", "times", "table", "to_pandas"),
            "result.events",
        ),
        Entry(
            "saltus.result.events.events:Event", ("kind", "why", "what", "sources", "row"), "result.events[0]"
        ),
        Entry("saltus.result.events.events:Cause", ("source",), "event.causes[0]"),
        Entry("saltus.result.events.events:Change", (), "event.changes[0]"),
        Entry(
            "saltus.result.modes.modes:Modes",
            ("visited", "components", "at", "duration", "table", "to_pandas"),
            "result.modes",
        ),
        Entry("saltus.result.modes.stays:Mode", ("fixed", "brief", "row"), "result.modes[0].mode"),
        Entry("saltus.result.events.impulses:Impulses", ("names",), "result.impulses"),
        Entry("saltus.result.events.impulses:Impulse", (), "result.impulses[0]"),
        Entry("saltus:read_result"),
        Entry("saltus:compare"),
    ),
    "Steady states and linear systems": (
        Entry("saltus.result.exchange.steady:SteadyState", (), "model.steady()"),
        Entry("saltus.result.linear.system:LinearSystem", (), "model.linearise()"),
    ),
    "Pictures": (
        Entry("saltus:plot"),
        Entry("saltus:explore"),
        Entry("saltus:diagram"),
        Entry("saltus:icon"),
    ),
    "Other languages": (
        Entry("saltus:convert"),
        Entry("saltus:bondgraph"),
        Entry("saltus.petrinet:Net"),
        Entry("saltus.statemachine:Machine"),
    ),
    "Errors": (
        Entry("saltus:SaltusError"),
        Entry("saltus:ModelError"),
        Entry("saltus:UsageError"),
        Entry("saltus:RunError"),
        Entry("saltus.core.message:Diagnostic", ("severity", "title", "advice"), "error.diagnostics[0]"),
    ),
}  # fmt: skip


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for title, entries in SECTIONS.items():
        parts += [f"## {title}\n", *(text for entry in entries for text in _entry(entry))]
    return "\n".join(parts)


def _entry(entry: Entry) -> Iterator[str]:
    value = entry.value
    yield f"### {_code(entry.name)}\n"
    if callable(value) and not entry.called and not isinstance(value, type):
        yield _signature(entry.name, value)
    yield _prose(value)
    yield from _fields(value)
    members = entry.members or (_own(value) if isinstance(value, type) else ())
    for name in members:
        member = inspect.getattr_static(value, name)
        if isinstance(member, property):
            yield f"**`{name}`**: {_prose(member, first=True)}"
        elif hasattr(member, "func") and not callable(member):  # a cached property
            yield f"**`{name}`**: {_prose(member.func, first=True)}"
        else:
            yield f"#### `{value.__name__}.{name}`\n"
            yield _signature(name, getattr(value, name))
            yield _prose(getattr(value, name))


def _code(names: str) -> str:
    return ", ".join(f"`{name}`" for name in names.split(", "))


def _own(cls: type) -> tuple[str, ...]:
    """What a class says itself, and its bases here, of methods and properties with a docstring."""
    found = [
        name for base in reversed(cls.__mro__) if base.__module__.startswith("saltus") for name in vars(base)
    ]
    return tuple(
        name
        for name in dict.fromkeys(found)
        if not name.startswith("_") and _described(inspect.getattr_static(cls, name))
    )


def _described(member: Any) -> bool:
    member = getattr(member, "func", member)
    return (callable(member) or isinstance(member, property)) and bool(member.__doc__)


def _signature(name: str, function: Any) -> str:
    signature = inspect.signature(function)
    given = [p for p in signature.parameters.values() if p.name != "self"]
    texts = [_parameter(p) for p in given]
    kinds = [p.kind for p in given]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        texts.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    returned = signature.return_annotation
    arrow = "" if returned is inspect.Signature.empty else f" -> {returned}"
    line = f"{name}({', '.join(texts)}){arrow}"
    if len(line) > WIDE:
        line = f"{name}(\n" + "".join(f"    {text},\n" for text in texts) + f"){arrow}"
    return f"```py\n{line}\n```\n"


def _parameter(p: inspect.Parameter) -> str:
    kinds = inspect.Parameter
    stars = "*" if p.kind is kinds.VAR_POSITIONAL else "**" if p.kind is kinds.VAR_KEYWORD else ""
    default = "" if p.default is kinds.empty else f" = {p.default!r}"
    return f"{stars}{p.name}: {p.annotation}{default}"


def _fields(value: Any) -> Iterator[str]:
    """Of a table of data, what is in a row."""
    names = getattr(value, "_fields", None) or tuple(getattr(value, "__dataclass_fields__", ()))
    if names:
        yield f"It has {', '.join(f'`{name}`' for name in names)}.\n"


def _prose(value: Any, *, first: bool = False) -> str:
    """A docstring as Markdown: what is indented is a block of code, and so are columns of words."""
    text = inspect.getdoc(value) or ""
    paragraphs = []
    for paragraph in re.split(r"\n\s*\n", text):
        lines = paragraph.splitlines()
        if all(line.startswith("    ") for line in lines):
            paragraphs.append(paragraph)
        elif len(lines) > 1 and all(re.search(r"\S {3,}\S", line) for line in lines):
            paragraphs.append("\n".join(f"    {line}" for line in lines))
        else:
            paragraphs.append(re.sub(r"<(?=[^`]*(?:`[^`]*`[^`]*)*$)", r"\\<", paragraph))
    return _PAGES.sub(r"[\1](\1)", "\n\n".join(paragraphs)) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
