"""Rows of fields, by names, and functions that have the context of the driver."""

from __future__ import annotations

from collections.abc import Sequence

from saltus.emit.support.assembly import Function, Operand, Value
from saltus.ir.drive import FIELDS, RUNGE_KUTTA
from saltus.ir.passage import GATE, LINK, REGISTER


class Fields:
    """Fields at an address, read and written by name."""

    def __init__(self, f: Function, pointer: Value, fields: Sequence[tuple[str, str]]) -> None:
        self._f = f
        self.pointer = pointer
        self._places = {name: (place, kind) for place, (name, kind) in enumerate(fields)}

    def __getitem__(self, name: str) -> Value:
        place, kind = self._places[name]
        return self.pointer.at(place, kind)

    def __setitem__(self, name: str, value: Operand) -> None:
        place, kind = self._places[name]
        self.pointer.put(place, value, kind)

    def address(self, name: str) -> Value:
        return self.pointer.place(self._places[name][0], "ptr")

    def add(self, name: str, amount: Operand) -> None:
        self[name] = self[name] + amount

    def memory(self, section: str, index: Operand = 0) -> Value:
        """A number of the memory, at an index in the section whose first slot is a field."""
        return self["memory"].at(self[section] + index)

    def remember(self, section: str, index: Operand, value: Operand) -> None:
        self["memory"].put(self[section] + index, value)

    def run(self, routine: str) -> Value:
        """Runs a routine of the model; its status."""
        return self._f.call(self[routine], "i32", self["memory"])


def context(f: Function, pointer: Value) -> Fields:
    """The context of a driver."""
    return Fields(f, pointer, FIELDS)


def gate(f: Function, pointer: Value) -> Fields:
    """The gate of an engine."""
    return Fields(f, pointer, GATE)


def link(f: Function, pointer: Value) -> Fields:
    """A link between two gates."""
    return Fields(f, pointer, LINK)


def register(f: Function, pointer: Value) -> Fields:
    """The register of all gates."""
    return Fields(f, pointer, REGISTER)


def runge_kutta(f: Function, pointer: Value) -> Fields:
    """What the explicit integrator keeps."""
    return Fields(f, pointer, RUNGE_KUTTA)


def function(
    name: str, result: str = "i64", *, internal: bool = True, **parameters: str
) -> tuple[Function, Fields]:
    """A function whose first parameter is the context of a driver, and its fields."""
    f = Function(name, result, internal=internal, c="ptr", **parameters)
    return f, context(f, f.c)


def gate_function(name: str, result: str = "i64", **parameters: str) -> tuple[Function, Fields]:
    """A function whose first parameter is a gate, and its fields."""
    f = Function(name, result, internal=True, g="ptr", **parameters)
    return f, gate(f, f.g)
