"""Rows of fields, by names, and functions that have the context of the driver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from saltus.emit.support.assembly import Function, Operand, Value
from saltus.ir.native.contract import TIME_SLOT
from saltus.ir.native.drive import FIELDS, FIXED_STEP, RUNGE_KUTTA, WATCH
from saltus.ir.native.passage import GATE, GATE_LISTS, LINK, PART, PART_TURNS, REGISTER

#: What is a list of numbers: of all else there are entries from 0 on.
_LISTS = frozenset({*GATE_LISTS, "mode"})

#: What the names of functions end with that work on one part of the model.
IN_PART = ".part"


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

    def call(self, name: str, result: str, *arguments: Value) -> Value:
        """Calls a function of the driver whose first parameter is where these fields are."""
        return self._f.call(name, result, self.pointer, *arguments)

    @contextmanager
    def each(self, what: str) -> Iterator[Value]:
        """A loop over the numbers in a list, or over all entries of a section."""
        with self._f.count(self[f"n_{what}"]) as k:
            yield self[what].at(k, "i64") if what in _LISTS else k

    def gate(self, pointer: Value) -> Fields:
        """The fields of a gate, with as much of the model as these have."""
        return Fields(self._f, pointer, GATE)

    def freeze(self) -> None:
        """Left limits are kept in the gate that has them."""
        self._f.copy(self["numbers"], self["memory"], self["memory_size"])

    def copy(self, target: Value, source: Value, what: str) -> None:
        """Copies numbers of all entries of a section."""
        self._f.copy(target, source, self[f"n_{what}"])

    def moves(self, link: Fields) -> Fields:
        """The moves of a link."""
        return link

    def keep(self, target: Value, source: Value) -> None:
        """Copies all of a memory that may change at an event (`saltus.emit.layout.layout`)."""
        first = self["states"]
        target.put(TIME_SLOT, source.at(TIME_SLOT))
        self._f.copy(target.place(first), source.place(first), self["memory_size"] - first)


class PartFields(Fields):
    """The fields of a context or a gate where an event concerns one part of the model only
    (`saltus.ir.parts`): loops go over the entries of that, and routines are carried out for it."""

    def __init__(self, f: Function, pointer: Value, fields: Sequence[tuple[str, str]], part: Value) -> None:
        super().__init__(f, pointer, fields)
        self.part = Fields(f, part, PART)

    def run(self, routine: str) -> Value:
        if routine == "settle":
            return self.call("settle", "i32")
        if routine not in PART_TURNS:
            return super().run(routine)
        if routine == "commit":
            self.remember("changed_slot", 0, 0.0)
        turns, count = self.part[f"turns_{routine}"], self.part[f"n_turns_{routine}"]
        return self._f.call("take_turns", "i32", self["memory"], turns, count)

    def call(self, name: str, result: str, *arguments: Value) -> Value:
        return super().call(f"{name}{IN_PART}", result, self.part.pointer, *arguments)

    @contextmanager
    def each(self, what: str) -> Iterator[Value]:
        with self._f.count(self.part[f"n_each_{what}"]) as k:
            yield self.part[f"each_{what}"].at(k, "i64")

    def gate(self, pointer: Value) -> Fields:
        return PartFields(self._f, pointer, GATE, self.part.pointer)

    def freeze(self) -> None:
        self.keep(self["numbers"], self["memory"])

    def copy(self, target: Value, source: Value, what: str) -> None:
        with self.each(what) as k:
            target.put(k, source.at(k))

    def moves(self, link: Fields) -> Fields:
        return self.part

    def keep(self, target: Value, source: Value) -> None:
        target.put(TIME_SLOT, source.at(TIME_SLOT))
        with self.each("slots") as slot:
            target.put(slot, source.at(slot))


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


def fixed_step(f: Function, pointer: Value) -> Fields:
    """What the integrator of fixed steps keeps."""
    return Fields(f, pointer, FIXED_STEP)


def watch(f: Function, pointer: Value) -> Fields:
    """What the watch of fixed steps keeps."""
    return Fields(f, pointer, WATCH)


def function(
    name: str, result: str = "i64", *, internal: bool = True, in_part: bool = False, **parameters: str
) -> tuple[Function, Fields]:
    """A function whose first parameter is the context of a driver, and its fields; if it works on one part of
    the model, that is the second parameter."""
    if not in_part:
        f = Function(name, result, internal=internal, c="ptr", **parameters)
        return f, context(f, f.c)
    f = Function(f"{name}{IN_PART}", result, internal=internal, c="ptr", part="ptr", **parameters)
    return f, PartFields(f, f.c, FIELDS, f.part)


def gate_function(
    name: str, result: str = "i64", *, in_part: bool = False, **parameters: str
) -> tuple[Function, Fields]:
    """A function whose first parameter is a gate, and its fields; if it works on one part of the model, that
    is the second parameter."""
    if not in_part:
        f = Function(name, result, internal=True, g="ptr", **parameters)
        return f, gate(f, f.g)
    f = Function(f"{name}{IN_PART}", result, internal=True, g="ptr", part="ptr", **parameters)
    return f, PartFields(f, f.g, GATE, f.part)
