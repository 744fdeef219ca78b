"""The context of the driver, by names, and functions that have one."""

from __future__ import annotations

from saltus.emit.assembly import Function, Operand, Value
from saltus.ir.drive import FIELDS

#: Times that differ by no more than this part of themselves are the same.
SAME_TIME = 8 * 2.0**-52

_PLACES = {name: (place, kind) for place, (name, kind) in enumerate(FIELDS)}


class Context:
    """The fields of a context, read and written by name."""

    def __init__(self, f: Function) -> None:
        self._f = f

    def __getitem__(self, name: str) -> Value:
        place, kind = _PLACES[name]
        return self._f.c.at(place, kind)

    def __setitem__(self, name: str, value: Operand) -> None:
        place, kind = _PLACES[name]
        self._f.c.put(place, value, kind)

    def address(self, name: str) -> Value:
        return self._f.c.place(_PLACES[name][0], "ptr")

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


def function(
    name: str, result: str = "i64", *, internal: bool = True, **parameters: str
) -> tuple[Function, Context]:
    """A function whose first parameter is the context, and its fields."""
    f = Function(name, result, internal=internal, c="ptr", **parameters)
    return f, Context(f)
