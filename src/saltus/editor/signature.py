"""The arguments of the function that is being called."""

from __future__ import annotations

from dataclasses import dataclass

from saltus.editor.cursor import cursor_at
from saltus.editor.document import Document
from saltus.editor.elements import elements_of, unit_of, value_of
from saltus.editor.meaning import Meaning, Named, Word, meaning_of
from saltus.editor.predefined import PREDEFINED_FUNCTIONS
from saltus.editor.workspace import Workspace
from saltus.ir.instance import ClassEntry, Element


@dataclass(frozen=True)
class Argument:
    """An argument as it is shown in the call."""

    label: str
    description: str = ""


@dataclass(frozen=True)
class Signature:
    """A function with its arguments; `active` is the number of the one that is being written."""

    name: str
    description: str
    arguments: tuple[Argument, ...]
    active: int

    @property
    def label(self) -> str:
        return f"{self.name}({', '.join(argument.label for argument in self.arguments)})"


def signature(workspace: Workspace, document: Document, offset: int) -> Signature | None:
    """The innermost call around a place."""
    cursor = cursor_at(document, offset) if document.is_modelica else None
    if cursor is None or not cursor.calls:
        return None
    names, active = cursor.calls[-1]
    scope = workspace.view(document).class_at(cursor.start)
    meaning = Word(names[0]) if names[0] in PREDEFINED_FUNCTIONS and len(names) == 1 else None
    if meaning is None and scope is not None:
        return _signature(meaning_of(names, scope), active)
    return _signature(meaning, active)


def _signature(meaning: Meaning | None, active: int) -> Signature | None:
    match meaning:
        case Word(name=name) if name in PREDEFINED_FUNCTIONS:
            function = PREDEFINED_FUNCTIONS[name]
            arguments = tuple(map(Argument, function.arguments))
            return Signature(name, function.description, arguments, active)
        case Named(cls=ClassEntry(kind="function" | "record") as cls):
            elements = [e for e in elements_of(cls).values() if not e.protected]
            inputs = [e for e in elements if e.clause.causality == "input" or cls.kind == "record"]
            shown = tuple(Argument(_label(e), _description(e)) for e in inputs)
            return Signature(cls.name, cls.definition.description, shown, active)
    return None


def _label(element: Element) -> str:
    size = "".join("[:]" for _ in (*element.declaration.subscripts, *element.clause.subscripts)[:1])
    value = value_of((element,))
    return element.name + size + (f" = {value.text}" if value is not None else "")


def _description(element: Element) -> str:
    unit = unit_of((element,))
    return " ".join(filter(None, (element.declaration.description, f"[{unit}]" if unit else "")))
