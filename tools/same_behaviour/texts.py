"""Texts of models that stand in Python files, found without importing them: tests belong to their version.

A text is a string, or a sum or f-string of what the module's own constants, or those of its neighbours, make
known. What a function makes of its arguments is not known here. Templates are found as they are written: what
is said about them should be the same, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from textwrap import dedent

_END = re.compile(r"\bend\s+(\w+|'[^']+')\s*;")
_CLASS = re.compile(r"\b(model|class|package|block|connector|record|function|type|operator)\s+\w")

#: What may stand in a model, and begins as declarations and equations do.
_BODY = re.compile(
    r"\s*(?:(?:parameter|discrete|constant|input|output|final|inner|outer|replaceable)\s+)*"
    r"(?:Real|Integer|Boolean|String|Clock|type|record|function|connector|connect|for|if|when|der)\b.*;\s*",
    re.DOTALL,
)

Constants = Mapping[str, str]


def models_in(path: Path) -> Iterator[str]:
    """Texts of whole classes."""
    for text in _strings(path):
        if _END.search(text) and _CLASS.search(text):
            yield dedent(text).lstrip("\n")


def bodies_in(path: Path) -> Iterator[str]:
    """What tests put into a model, as a model."""
    for text in _strings(path):
        if not _END.search(text) and _BODY.fullmatch(text):
            section = "equation\n" if re.match(r"\s*(connect|for|if|when|der)\b", text) else ""
            yield f"model M\n{section}{dedent(text).strip()}\nend M;\n"


@cache
def _strings(path: Path) -> Sequence[str]:
    """The largest expressions that are known to be strings."""
    constants = _constants(path)
    strings: list[str] = []
    left: list[ast.AST] = [_tree(path)]
    while left:
        node = left.pop()
        found = _value(node, constants)
        if found is not None and not isinstance(node, ast.Name):
            strings.append(found)
        else:
            left += reversed(list(ast.iter_child_nodes(node)))
    return strings


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _constants(path: Path) -> Constants:
    """The strings and numbers that a module gives names to, also those that it imports from a neighbour."""
    known: dict[str, str] = {}
    for statement in _tree(path).body:
        match statement:
            case ast.ImportFrom(module=str(module), names=names, level=0):
                neighbour = path.parent / f"{module}.py"
                theirs = _constants(neighbour) if neighbour.exists() else {}
                known |= {n.asname or n.name: theirs[n.name] for n in names if n.name in theirs}
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                _note(known, name, value)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                for target, value in zip(names, values, strict=False):
                    if isinstance(target, ast.Name):
                        _note(known, target.id, value)
            case _:
                pass
    return known


def _note(known: dict[str, str], name: str, value: ast.expr) -> None:
    found = _value(value, known)
    if found is None and isinstance(value, ast.Constant) and isinstance(value.value, int | float):
        found = str(value.value)
    if found is not None:
        known[name] = found


def _value(node: ast.AST, known: Constants) -> str | None:
    """The string that an expression means, if that can be told."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return known.get(name)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _sum([_value(left, known), _value(right, known)])
        case ast.JoinedStr(values=parts):
            return _sum([_value(part, known) for part in parts])
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return _value(value, known)
        case _:
            return None


def _sum(parts: list[str | None]) -> str | None:
    known = [part for part in parts if part is not None]
    return "".join(known) if len(known) == len(parts) else None
