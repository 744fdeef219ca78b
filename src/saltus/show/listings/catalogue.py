"""Parts of a library and models of the gallery as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from textwrap import fill, indent

from saltus.ir.catalogue import Exhibit, Member, Part, PartDescription, Wing

#: Lines are not longer, however wide the terminal is: longer ones are hard to read.
WIDTH = 110


def parts_text(parts: Sequence[Part]) -> str:
    """A list of parts, package by package."""
    width = max(len(part.short) for part in parts)
    lines: list[str] = []
    for package, group in groupby(sorted(parts, key=_package), key=_package):
        lines += [*([""] if lines else []), package]
        lines += [f"  {part.short:<{width}}  {part.description}".rstrip() for part in group]
    return "\n".join(lines)


def _package(part: Part) -> str:
    return part.package


def description_text(told: PartDescription, width: int = WIDTH) -> str:
    """All about one part."""
    part = told.part
    lines = [f"{part.name} ({part.kind}): {part.description}"]
    for paragraph in told.documentation:
        lines += ["", fill(paragraph, min(width, WIDTH))]
    for heading, entries in (
        ("parameters", told.parameters),
        ("connectors", told.connectors),
        ("variables", told.variables),
        ("components", told.components),
    ):
        if entries:
            lines += ["", heading, *_table(entries, types=heading in ("connectors", "components"))]
    if told.equations:
        lines += ["", "equations", *(indent(text, "  ") for text in told.equations)]
    if told.examples:
        lines += ["", "examples", *(f"  {name}" for name in told.examples)]
    if part.kind in ("model", "block"):
        lines += ["", "use", f"  {usage(told)}"]
    return "\n".join(lines)


def usage(told: PartDescription) -> str:
    """A line that declares such a part, with the first parameter that is more than a refinement."""
    name = told.part.short[0].lower() + told.part.short[1:]
    given = next((e for e in told.parameters if e.value not in ("", "0", "false")), None)
    values = f"({given.name.split('[')[0]} = {given.value})" if given is not None else ""
    return f"{told.part.name} {name}{values};"


def _table(entries: Iterable[Member], *, types: bool) -> list[str]:
    """A line for each: name and value, unit or type, description."""
    rows = [
        (
            f"{e.name} = {e.value}" if e.value else e.name,
            e.type if types or (not e.unit and "." not in e.type) else e.unit or e.type,
            e.description,
        )
        for e in entries
    ]
    first, second = (min(max(len(row[k]) for row in rows), 48) for k in (0, 1))
    return [f"  {a:<{first}}  {b:<{second}}  {c}".rstrip() for a, b, c in rows]


def gallery_text(wings: Sequence[Wing]) -> str:
    """The list of the gallery, paper by paper."""
    width = max(len(e.short) for wing in wings for e in wing.exhibits)
    lines: list[str] = []
    for wing in wings:
        lines += [*([""] if lines else []), wing.description]
        lines += [f"  {e.short:<{width}}  {e.description}" for e in wing.exhibits]
        if wing.omitted:
            lines.append(f"  not shown: {len(wing.omitted)}, with reasons in docs/gallery/{wing.page}")
    return "\n".join(lines)


def exhibit_text(exhibit: Exhibit, width: int = WIDTH) -> str:
    """What a model stands for, and what to look at."""
    width = min(width, WIDTH)
    return "\n".join(
        [
            f"{exhibit.short}: {exhibit.description}",
            f"{exhibit.paper}, {exhibit.place}",
            "",
            fill(f"In the paper: {exhibit.passage}", width),
            "",
            fill(f"Look at: {exhibit.look}", width),
        ]
    )
