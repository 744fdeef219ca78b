"""No class of a run knows too much: each has one job, which a reader sees from a handful of names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "src" / "saltus" / "run"

#: Public names of one class.
MOST_MEMBERS = 20


def classes(text: str) -> Iterator[ast.ClassDef]:
    """All classes of a module, those inside of others and of functions, too."""
    return (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))


def _own(body: ast.ClassDef) -> Iterator[ast.AST]:
    """Everything in a class but what belongs to a class inside of it."""
    pending: list[ast.AST] = list(ast.iter_child_nodes(body))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, ast.ClassDef):
            pending += ast.iter_child_nodes(node)


def members(body: ast.ClassDef) -> set[str]:
    """The public names of a class: methods and properties, what is annotated or assigned in its body, and
    what is assigned to attributes of `self`."""
    names: set[str] = set()
    for node in body.body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Assign():
                names |= {
                    x.id for target in node.targets for x in ast.walk(target) if isinstance(x, ast.Name)
                }
    for part in _own(body):
        match part:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                names.add(name)
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_classes_have_few_public_members(path: Path) -> None:
    found = {body.name: members(body) for body in classes(path.read_text(encoding="utf-8"))}
    large = {name: sorted(names) for name, names in found.items() if len(names) > MOST_MEMBERS}
    assert large == {}, f"more than {MOST_MEMBERS} public members: divide {', '.join(large)}"


def test_a_class_that_is_too_large_is_found() -> None:
    methods = "\n".join(f"    def m{k}(self): ..." for k in range(MOST_MEMBERS + 1))
    assert len(members(next(classes(f"class A:\n{methods}\n")))) > MOST_MEMBERS


def test_all_kinds_of_members_are_counted() -> None:
    text = """
class A:
    annotated: int
    assigned, _hidden = 1, 2
    class Inner:
        elsewhere = 0
    def __init__(self):
        self.first, self._second = self.third = 1, 2
        other.fourth = self.fifth
    @property
    def shown(self): ...
    @cached_property
    def kept(self): ...
    def _own(self):
        def inside():
            self.sixth = 1
"""
    a, inner = sorted(classes(text), key=lambda body: body.name)
    assert members(a) == {"annotated", "assigned", "Inner", "first", "third", "shown", "kept", "sixth"}
    assert members(inner) == {"elsewhere"}
