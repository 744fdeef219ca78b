"""Selective model extension: what `extends A(break c, break connect(a, b))` leaves out (section 7.4).

A component that is left out takes the connections to it with it; whatever else still names it is refused when
it is lowered, for there is no such component.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from saltus.core.diagnostics import model_error
from saltus.ir import ast
from saltus.ir.instance import ClassEntry


class Deselection:
    """The `break` arguments of one extends clause in the text of `cls`."""

    def __init__(self, modification: ast.Modification | None, cls: ClassEntry) -> None:
        arguments = (modification.arguments or ()) if modification is not None else ()
        self._cls = cls
        self._breaks = [a for a in arguments if isinstance(a, ast.InheritanceBreak)]
        self._names = {b.name: b for b in self._breaks if b.connect is None}

    def __bool__(self) -> bool:
        return bool(self._breaks)

    def keeps(self, name: str) -> bool:
        """Whether the component is inherited."""
        return name not in self._names

    def check(self, elements: Mapping[str, object], sections: list[tuple[ast.Section, ClassEntry]]) -> None:
        """Refuses to leave out what is not there."""
        for argument in self._breaks:
            if argument.connect is None:
                if argument.name not in elements:
                    raise model_error(
                        "E201", f"there is no inherited component `{argument.name}`", self._cls.at(argument)
                    )
                continue
            wanted = _ends(argument.connect)
            found = any(
                isinstance(item, ast.Connect) and _ends(item) == wanted
                for section, _ in sections
                for item in section.items
            )
            if not found:
                raise model_error("E201", "there is no such connection to leave out", self._cls.at(argument))

    def of(self, section: ast.Section) -> ast.Section:
        """A section without the connections that are left out."""
        broken = [_ends(b.connect) for b in self._breaks if b.connect is not None]
        items = tuple(
            item
            for item in section.items
            if not isinstance(item, ast.Connect) or (_ends(item) not in broken and self._connects(item))
        )
        return section if len(items) == len(section.items) else replace(section, items=items)

    def _connects(self, item: ast.Connect) -> bool:
        return all(self.keeps(end.parts[0][0]) for end in (item.left, item.right))


def _ends(connection: ast.Connect) -> frozenset[str]:
    """The two connectors, in any order."""
    return frozenset((connection.left.text, connection.right.text))
