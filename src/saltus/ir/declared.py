"""What a model declares, as people ask for it: a row for each parameter or variable, in tables.

model.parameters["R"].value       model.variables.of("motor.*")       print(model.inputs)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from html import escape
from pathlib import Path
from typing import TypeAlias

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.nearest import did_you_mean
from saltus.core.source import Span

Value: TypeAlias = float | int | bool | str | None

#: Characters of a cell that a table of text shows, and rows.
_WIDEST, _SHOWN = 48, 60


@dataclass(frozen=True)
class Declared:
    """A parameter, a constant or a variable. `value` is that of a parameter, and of a variable the one that
    it starts with (None: nothing says it). `fixed` of a parameter: it cannot be set from outside."""

    name: str
    kind: str  # parameter, constant, state, variable, discrete, input, output
    type: str  # Real, Integer, Boolean, String, or the literals of an enumeration
    value: Value
    unit: str
    minimum: Value
    maximum: Value
    description: str
    place: Span
    display_unit: str = ""
    nominal: Value = None
    fixed: bool = False
    protected: bool = False

    def matches(self, word: str) -> bool:
        """Whether a word is in its name or its description, in any case; or a pattern fits the name."""
        if "*" in word or "?" in word:
            return fnmatchcase(self.name, word)
        return word.lower() in self.name.lower() or word.lower() in self.description.lower()


#: The columns of tables: headings, and the cells of a row.
_COLUMNS = ("name", "value", "unit", "min", "max", "description", "place")


class Declarations(Mapping[str, Declared]):
    """Rows by name, in the order of declaration."""

    def __init__(self, rows: Iterator[Declared], noun: str) -> None:
        self._rows = {row.name: row for row in rows}
        self._noun = noun

    def __getitem__(self, name: str) -> Declared:
        if name not in self._rows:
            hint = did_you_mean(name, list(self._rows))
            raise UsageError(Diagnostic("E502", f"there is no {self._noun} `{name}`", hint=hint))
        return self._rows[name]

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def of(self, word: str) -> Declarations:
        """The declarations whose name or description contains this word, or whose name matches a pattern with
        `*`."""
        return Declarations((row for row in self._rows.values() if row.matches(word)), self._noun)

    def to_pandas(self) -> object:
        """A pandas DataFrame with a row for each."""
        try:
            import pandas
        except ImportError as error:
            told = Diagnostic("E501", "pandas is not installed", hint="pip install saltus[pandas]")
            raise UsageError(told) from error
        columns = [f.name for f in fields(Declared)]
        rows = [[getattr(row, column) for column in columns] for row in self._rows.values()]
        frame = pandas.DataFrame(rows, columns=columns).set_index("name")
        frame["place"] = frame["place"].map(str)
        return frame

    def __repr__(self) -> str:
        return self.text(_SHOWN)

    def text(self, most: int | None = None) -> str:
        """The table; its first rows only, if there are more than `most`."""
        rows = [_cells(row) for row in list(self._rows.values())[:most]]
        if not rows:
            return f"no {self._noun}s"
        used = [k for k in range(len(_COLUMNS)) if k < 2 or any(row[k] for row in rows)]
        table = [_COLUMNS, *rows]
        widths = [min(max(len(row[k]) for row in table), _WIDEST) for k in used]
        lines = [
            "  ".join(_fitted(row[k], width) for k, width in zip(used, widths, strict=True)).rstrip()
            for row in table
        ]
        if most is not None and len(self) > most:
            lines.append(f"... and {len(self) - most} more")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [_cells(row) for row in self._rows.values()]
        head = "".join(f"<th>{name}</th>" for name in _COLUMNS)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def value_text(value: Value) -> str:
    """A value as Modelica writes it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _cells(row: Declared) -> tuple[str, ...]:
    place = f"{Path(row.place.source.path).name}:{row.place.line}"
    limits = (value_text(row.minimum), value_text(row.maximum))
    return row.name, value_text(row.value), row.unit, *limits, row.description, place


def _fitted(text: str, width: int) -> str:
    return f"{text:<{width}}" if len(text) <= width else text[: width - 3] + "..."
