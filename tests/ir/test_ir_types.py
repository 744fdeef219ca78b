"""The intermediate representations are what the stages agree on, so their types say what they hold."""

from __future__ import annotations

import ast
from contextlib import suppress
from pathlib import Path

import pytest

import saltus.ir

MODULES = sorted(Path(saltus.ir.__file__).parent.rglob("*.py"))


def mentions(source: str) -> list[int]:
    """The lines on which `Any` of `typing` is named, quoted annotations included."""
    found: list[int] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id="Any") | ast.Attribute(attr="Any"):
                found.append(node.lineno)
            case ast.alias(name="Any"):
                found.append(node.lineno)
            case ast.Constant(value=str(text)) if text.isidentifier() or "[" in text:
                with suppress(SyntaxError):
                    found += [node.lineno] * bool(mentions(text))
    return found


@pytest.mark.parametrize("path", MODULES, ids=[path.stem for path in MODULES])
def test_no_module_mentions_any(path: Path) -> None:
    assert mentions(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    ["from typing import Any", "x: typing.Any", "def f(x: list[Any]): ...", "x: 'dict[str, Any]'"],
)
def test_all_ways_to_mention_any_are_found(source: str) -> None:
    assert mentions(source) == [1]
