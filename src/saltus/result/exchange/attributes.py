"""Named arrays with attributes, as files of several formats have them, and curves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.core.option import usage_error
from saltus.expr.nodes import Type
from saltus.result.exchange.curves import Column, Curves, named_after


def attributes(column: Column) -> Iterator[tuple[str, str]]:
    """What is known of a variable, as texts with names that are usual."""
    kept = (
        ("units", column.unit),
        ("long_name", column.description),
        ("type", column.type.value if column.is_discrete else ""),
        ("literals", " ".join(column.literals)),
        ("display_units", column.display),
    )
    return ((key, text) for key, text in kept if text)


def curves_with(
    path: Path, model: str | bytes, kept: Mapping[str, tuple[NDArray[Any], Mapping[str, Any]]]
) -> Curves:
    """The curves of a file with these arrays, each with its attributes."""
    if "time" not in kept:
        raise usage_error(f"{path} has no array `time`")
    time = np.asarray(kept["time"][0], dtype=float)
    values: dict[str, NDArray[np.float64]] = {}
    parameters: dict[str, float] = {}
    columns: dict[str, Column] = {}
    for name, (data, known) in kept.items():
        if name == "time":
            continue
        said = {key: _text(value) for key, value in known.items()}
        columns[name] = Column(
            said.get("units", ""),
            said.get("long_name", ""),
            Type(said.get("type", Type.REAL.value)),
            tuple(said.get("literals", "").split()),
            display=said.get("display_units", ""),
        )
        array = np.asarray(data, dtype=float)
        if array.shape == time.shape:
            values[name] = array
        elif array.shape == ():
            parameters[name] = float(array)
    return Curves(_text(model) or named_after(path), time, values, columns, parameters)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
