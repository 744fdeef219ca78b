"""How the library is written: everything is described, has a unit, and lies where its name says."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from library_classes import annotation, classes, has_experiment, is_model, library, words

from saltus.finding import SHIPPED
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Predefined
from saltus.lower.classes.classes import own_class
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import resolve_class

#: Packages whose variables are signals: what they mean is said by what is connected to them.
SIGNALS = ("Saltus.Blocks", "Saltus.Logic", "Saltus.Examples.Blocks", "Saltus.Examples.Logic")


@pytest.fixture(scope="module")
def everything() -> list[ClassEntry]:
    return list(classes(library()))


def none(faults: list[str]) -> None:
    """Fails with the whole list."""
    assert not faults, f"{len(faults)}:\n" + "\n".join(faults)


def is_local(cls: ClassEntry) -> bool:
    """A class inside a model: it is told of there."""
    return cls.parent is not None and cls.parent.kind != "package"


def declarations(cls: ClassEntry) -> Iterator[tuple[ast.ComponentClause, ast.Declaration]]:
    """The components that the text of a class declares."""
    for element in cls.elements:
        if isinstance(element, ast.ComponentClause):
            for declaration in element.declarations:
                yield element, declaration


def test_every_class_is_described(everything: list[ClassEntry]) -> None:
    none([c.full_name for c in everything if not c.definition.description])


def documentation(cls: ClassEntry) -> str:
    entry = annotation(cls, cls.definition.annotation).get("Documentation")
    for argument in (entry.arguments or ()) if entry is not None else ():
        if isinstance(argument, ast.ElementModification) and argument.name == ("info",):
            value = argument.modification.value if argument.modification is not None else None
            return value.value if isinstance(value, ast.String) else ""
    return ""


def test_every_class_is_documented(everything: list[ClassEntry]) -> None:
    """In a paragraph of HTML or more; types are described by their names."""
    lacking = [
        c.full_name
        for c in everything
        if c.kind != "type"
        and not is_local(c)
        and not re.search(r"<html>\s*<p>.{20,}</html>", documentation(c), re.DOTALL)
    ]
    none(lacking)


def test_documentation_is_html(everything: list[ClassEntry]) -> None:
    """Tags are closed in the order in which they were opened."""
    faults: list[str] = []
    for cls in everything:
        text, open_ = documentation(cls), []
        for slash, tag, empty in re.findall(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)[^<>]*?(/?)>", text):
            if empty or tag in ("br", "hr", "img"):
                continue
            if not slash:
                open_.append(tag)
            elif not open_ or open_.pop() != tag:
                faults.append(f"{cls.full_name}: </{tag}>")
                break
        else:
            faults += [f"{cls.full_name}: <{tag}> is not closed" for tag in open_]
    none(faults)


def test_every_variable_is_described_and_has_a_unit(everything: list[ClassEntry]) -> None:
    undescribed, without_unit = [], []
    layouts = Layouts()
    for cls in everything:
        for clause, declaration in declarations(cls):
            type_ = resolve_class(clause.type_name, cls)
            name = f"{cls.full_name}.{declaration.name}"
            scalar = isinstance(type_, Predefined) or layouts.of(type_).predefined is not None
            described = declaration.description or not scalar
            if not described and not (cls.is_short or clause.prefixes.redeclare):
                undescribed.append(name)
            if type_.full_name == "Real" and not cls.full_name.startswith(SIGNALS):
                given = declaration.modification
                said = (
                    {a.name[0] for a in (given.arguments or ()) if isinstance(a, ast.ElementModification)}
                    if (given is not None)
                    else set()
                )
                if not said & {"unit", "quantity"}:
                    without_unit.append(name)
    none(undescribed)
    none(without_unit)


def test_every_type_has_a_unit_or_a_quantity() -> None:
    units = own_class(library(), "Units")
    assert units is not None
    layouts = Layouts()
    lacking = []
    for cls in classes(units):
        if cls.kind == "type" and layouts.of(cls).predefined == "Real":
            said = {change.name for change in layouts.of(cls).type_modifications}
            if not said & {"unit", "quantity"}:
                lacking.append(cls.full_name)
    none(lacking)


def test_every_connector_has_a_place(everything: list[ClassEntry]) -> None:
    lacking = []
    for cls in everything:
        if cls.kind not in ("model", "block"):
            continue
        for clause, declaration in declarations(cls):
            type_ = resolve_class(clause.type_name, cls)
            if type_.kind == "connector" and "Placement" not in annotation(cls, declaration.annotation):
                lacking.append(f"{cls.full_name}.{declaration.name}")
    none(lacking)


def test_every_example_says_how_long_it_runs(everything: list[ClassEntry]) -> None:
    """What is in a package of examples and can be simulated; parts of their own apart, which have open
    connectors, and packages of parts."""
    examples = [c for c in everything if words(c)[1:2] == ["Examples"] and is_model(c)]
    direct = [c for c in examples if c.parent is not None and (SHIPPED / "/".join(words(c.parent))).is_dir()]
    open_ = [
        c
        for c in direct
        if any(resolve_class(x.type_name, c).kind == "connector" for x, _ in declarations(c))
    ]
    none([c.full_name for c in direct if c not in open_ and not has_experiment(c)])


def test_every_class_is_in_its_file(everything: list[ClassEntry]) -> None:
    """`A.B.C` is in A/B/C.mo, A/B/C/package.mo, or in the file of A.B."""
    faults = []
    for cls in everything:
        path = SHIPPED.joinpath(*words(cls))
        allowed = {path.with_suffix(".mo"), path / "package.mo"}
        if cls.parent is not None:
            allowed.add(cls.parent.source.path)
        if cls.source.path not in {str(p) for p in allowed} and cls.source.path not in allowed:
            faults.append(f"{cls.full_name} is in {cls.source.path}")
    none(faults)


def test_lines_are_not_too_long() -> None:
    faults = [
        f"{path.relative_to(SHIPPED)}:{number}"
        for path in sorted(SHIPPED.rglob("*.mo"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 120 or line != line.rstrip() or "\t" in line
    ]
    none(faults)


def test_files_are_models_only() -> None:
    kinds = {path.suffix for path in SHIPPED.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert kinds <= {".mo", ".dym", ".order"}


def test_rotations_have_an_origin() -> None:
    """Without one, the specification rotates about the middle of the sheet, and editors do not."""
    faults = [
        f"{path.relative_to(SHIPPED)}: {found}"
        for path in sorted(SHIPPED.rglob("*.mo"))
        for found in re.findall(r"[tT]ransformation\([^()]*\)", path.read_text(encoding="utf-8"))
        if "rotation" in found and "origin" not in found
    ]
    none(faults)
