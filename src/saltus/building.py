"""What nets and machines have in common that are built in Python: they are text, which grows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from saltus.automata import as_net, drawn, drawn_at, strip
from saltus.core.source import Source
from saltus.ir.automata.machine import Machine
from saltus.ir.automata.net import Net
from saltus.ir.automata.reachable import Reachable
from saltus.read.modelica.printer_expressions import string_text
from saltus.transform.reachability import reachable

if TYPE_CHECKING:
    from saltus.model import Model
    from saltus.result.result import Result

#: A value as Python has it; text is a formula.
Value: TypeAlias = str | float | int | bool


class Building:
    """A text of statements. Each method adds one, named as in the text (`docs/formalisms.md`)."""

    #: The word with which the text begins, and the suffix of its files.
    word: str
    suffix: str

    def __init__(self, name: str, description: str = "", **arguments: Value) -> None:
        self.name = name
        given = given_text(arguments)
        self._head = f"{self.word} {name}{given}{described(description)}"
        self._lines: list[str] = []

    def statement(self, text: str) -> None:
        """Adds any statement as it would be written in a text. Errors in it are reported when the whole is
        read."""
        self._lines.append(text)

    def parameter(self, name: str, value: Value, type: str = "", description: str = "") -> str:
        """Adds a parameter, and returns its name."""
        return self._valued("parameter", name, value, type, description)

    def signal(self, name: str, value: Value, type: str = "", description: str = "") -> str:
        """Adds a variable with a formula, and returns its name."""
        return self._valued("signal", name, value, type, description)

    def memory(self, name: str, value: Value, type: str = "", description: str = "") -> str:
        """Adds a variable that transitions set, and returns its name."""
        return self._valued("memory", name, value, type, description)

    def continuous(self, name: str, start: Value, description: str = "") -> str:
        """Adds a continuous variable with its start value, and returns its name."""
        return self._valued("continuous", name, start, "", description)

    def equation(self, text: str) -> None:
        """Adds `left = right`."""
        self.statement(f"equation {text}")

    def experiment(self, **values: Value) -> None:
        """Says how it is run: `stop`, `start`, `tolerance`, `interval`."""
        self.statement("experiment " + ", ".join(f"{k} = {value_text(v)}" for k, v in values.items()))

    def _valued(self, word: str, name: str, value: Value, type_name: str, description: str) -> str:
        kind = f"{type_name} " if type_name else ""
        self.statement(f"{word} {kind}{name} = {value_text(value)}{described(description)}")
        return name

    # ------------------------------------------------------------ what it is used for

    def to_text(self) -> str:
        """The whole as text, as it stands in a file."""
        return "\n".join([self._head, *(f"  {line}" for line in self._lines), f"end {self.name}", ""])

    def source(self) -> Source:
        """The text with a name for messages."""
        return Source(f"<{self.name}>{self.suffix}", self.to_text())

    def tree(self) -> Net | Machine:
        """What was read. Raises `ModelError` if it means nothing."""
        raise NotImplementedError

    def load(self) -> Model:
        """The translated model. Raises `ModelError` if it means nothing."""
        from saltus.model import load

        return load(self.to_text())

    def simulate(self, **settings: Any) -> Result:
        """Runs it; the settings are those of `Model.simulate`."""
        return self.load().simulate(**settings)

    def reachable(self) -> Reachable:
        """Where it can come to: markings, or sets of states that are active together."""
        return reachable(as_net(self.tree()))

    def draw(
        self, path: str | Path | None = None, *, result: Result | None = None, time: float | None = None
    ) -> str:
        """SVG as text, written to a file if there is a `path`: as it is at the start, or at a `time` of a
        `result`."""
        picture = drawn(self.tree())
        if result is not None:
            picture = drawn_at(self.tree(), result, result.time[-1] if time is None else time)
        text = picture.document(self.name)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def strip(self, result: Result, path: str | Path | None = None) -> str:
        """SVG as text, with a picture for each instant of a run at which it has changed, the first twelve."""
        text = strip(self.tree(), result).document(self.name)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.draw()


def value_text(value: Value) -> str:
    """A value as Modelica writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def given_text(arguments: Mapping[str, Value | None]) -> str:
    """`(capacity = 1)`, of what is not None."""
    found = [f"{name} = {value_text(value)}" for name, value in arguments.items() if value is not None]
    return f"({', '.join(found)})" if found else ""


def described(text: str) -> str:
    """A description behind a statement."""
    return f" {string_text(text)}" if text else ""


def rest_text(when: str | None, at: str | None, then: Mapping[str, Value] | None, description: str) -> str:
    """Condition, actions and description of a transition."""
    parts = [f" {word} {condition}" for word, condition in (("when", when), ("at", at)) if condition]
    if then:
        parts.append(" then " + ", ".join(f"{name} = {value_text(value)}" for name, value in then.items()))
    return "".join(parts) + described(description)
