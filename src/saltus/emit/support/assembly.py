"""LLVM text for hand-written functions with loops and branches: an assembler with structured control flow.

The code of models is printed by `saltus.emit.llvm.llvm`. What drives it (`saltus.emit.driver`) is the same
for all models, and longer than one likes to read as assembly. Here it is written as Python that reads like
the algorithm:

    f = Function("gcd", "i64", a="i64", b="i64")
    x, y = f.variable(f.a), f.variable(f.b)
    with f.loop():
        f.leave_if(y.value == 0)
        rest = x.value % y.value
        ...
    f.give(x.value)

A `Value` is a register with its type; arithmetic and comparisons on it append instructions. A `Variable` is a
place on the stack, which LLVM's optimiser turns into registers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

#: Types: `double`, `i64`, `i32`, `i1` and `ptr`.
Operand: TypeAlias = "Value | float | int | bool"

_FLOAT = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_WHOLE = {"+": "add", "-": "sub", "*": "mul", "%": "srem"}
_FLOAT_TEST = {"==": "oeq", "!=": "une", "<": "olt", "<=": "ole", ">": "ogt", ">=": "oge"}
_WHOLE_TEST = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}


class Value:
    """A register or a constant of a function."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, function: Function, kind: str, text: str) -> None:
        self._function = self.function = function
        self.kind = kind
        self.text = text

    def _with(self, op: str, other: Operand, *, swapped: bool = False) -> Value:
        a, b = self, self._function.constant(other, self.kind)
        if swapped:
            a, b = b, a
        name = (_FLOAT if self.kind == "double" else _WHOLE)[op]
        return self._function.let(self.kind, f"{name} {self.kind} {a.text}, {b.text}")

    def _test(self, op: str, other: Operand) -> Value:
        b = self._function.constant(other, self.kind)
        if self.kind == "double":
            return self._function.let("i1", f"fcmp {_FLOAT_TEST[op]} double {self.text}, {b.text}")
        return self._function.let("i1", f"icmp {_WHOLE_TEST[op]} {self.kind} {self.text}, {b.text}")

    def __add__(self, other: Operand) -> Value:
        return self._with("+", other)

    def __sub__(self, other: Operand) -> Value:
        return self._with("-", other)

    def __mul__(self, other: Operand) -> Value:
        return self._with("*", other)

    def __truediv__(self, other: Operand) -> Value:
        return self._with("/", other)

    def __mod__(self, other: Operand) -> Value:
        return self._with("%", other)

    def __radd__(self, other: Operand) -> Value:
        return self._with("+", other, swapped=True)

    def __rsub__(self, other: Operand) -> Value:
        return self._with("-", other, swapped=True)

    def __rtruediv__(self, other: Operand) -> Value:
        return self._with("/", other, swapped=True)

    def __rmul__(self, other: Operand) -> Value:
        return self._with("*", other, swapped=True)

    def __neg__(self) -> Value:
        return 0.0 - self if self.kind == "double" else 0 - self

    def __lt__(self, other: Operand) -> Value:
        return self._test("<", other)

    def __le__(self, other: Operand) -> Value:
        return self._test("<=", other)

    def __gt__(self, other: Operand) -> Value:
        return self._test(">", other)

    def __ge__(self, other: Operand) -> Value:
        return self._test(">=", other)

    def __eq__(self, other: Operand) -> Value:  # type: ignore[override]
        return self._test("==", other)

    def __ne__(self, other: Operand) -> Value:  # type: ignore[override]
        return self._test("!=", other)

    def __and__(self, other: Operand) -> Value:
        b = self._function.constant(other, self.kind)
        return self._function.let("i1", f"and i1 {self.text}, {b.text}")

    def __or__(self, other: Operand) -> Value:
        b = self._function.constant(other, self.kind)
        return self._function.let("i1", f"or i1 {self.text}, {b.text}")

    def __invert__(self) -> Value:
        return self._function.let("i1", f"xor i1 {self.text}, true")

    def at(self, index: Operand, kind: str = "double") -> Value:
        """The element of an array that this pointer points to."""
        return self._function.let(kind, f"load {kind}, ptr {self.place(index, kind).text}")

    def put(self, index: Operand, value: Operand, kind: str = "double") -> None:
        """Writes an element of that array."""
        f = self._function
        f.append(f"store {kind} {f.constant(value, kind).text}, ptr {self.place(index, kind).text}")

    def place(self, index: Operand, kind: str = "double") -> Value:
        """The address of an element."""
        f = self._function
        return f.let("ptr", f"getelementptr {kind}, ptr {self.text}, i64 {f.constant(index, 'i64').text}")

    def as_double(self) -> Value:
        """An Integer as a Real; a truth as 0 or 1."""
        convert = "uitofp" if self.kind == "i1" else "sitofp"
        return self._function.let("double", f"{convert} {self.kind} {self.text} to double")

    def as_i64(self) -> Value:
        """A Real (of whole value) or a short Integer as an Integer."""
        if self.kind == "double":
            return self._function.let("i64", f"fptosi double {self.text} to i64")
        extend = "zext" if self.kind == "i1" else "sext"
        return self._function.let("i64", f"{extend} {self.kind} {self.text} to i64")

    def choose(self, then: Operand, otherwise: Operand, kind: str = "double") -> Value:
        """One of two values, by this truth."""
        a, b = (self._function.constant(x, kind).text for x in (then, otherwise))
        return self._function.let(kind, f"select i1 {self.text}, {kind} {a}, {kind} {b}")


class Variable:
    """A place on the stack."""

    def __init__(self, function: Function, kind: str, place: str) -> None:
        self._function, self._kind = function, kind
        self.address = Value(function, "ptr", place)

    @property
    def value(self) -> Value:
        """The value of the variable now."""
        return self.address.at(0, self._kind)

    def set(self, value: Operand) -> None:
        """Gives the variable another value."""
        self.address.put(0, value, self._kind)


class Function:
    """A function in the making. Its parameters are attributes."""

    def __init__(self, name: str, result: str, *, internal: bool = False, **parameters: str) -> None:
        self.name = name
        self.result = result
        listed = ", ".join(f"{kind} %{p}" for p, kind in parameters.items())
        scope = "internal " if internal else ""
        #: For modules that call it, unless it is internal.
        self.declaration = f"declare {result} @{name}({', '.join(parameters.values())})"
        self._head = f"define {scope}{result} @{name}({listed}) nounwind optsize {{"
        self._lines: list[str] = []
        self._places: list[str] = []  # of variables, all at the entry, so that loops do not grow the stack
        self._count = 0
        self._ends: list[str] = []  # of the loops that are open
        self._parameters = {p: Value(self, kind, f"%{p}") for p, kind in parameters.items()}

    def __getattr__(self, name: str) -> Value:
        try:
            return self.__dict__["_parameters"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(name) from None

    def _fresh(self, what: str = "r") -> str:
        self._count += 1
        return f"{what}{self._count}"

    def append(self, line: str) -> None:
        """One instruction."""
        self._lines.append(f"  {line}")

    def let(self, kind: str, instruction: str) -> Value:
        """The result of an instruction."""
        name = f"%{self._fresh()}"
        self.append(f"{name} = {instruction}")
        return Value(self, kind, name)

    def constant(self, value: Operand, kind: str) -> Value:
        """A number of a type; what is a value already stays as it is."""
        if isinstance(value, Value):
            assert value.kind == kind, f"{value.text} is {value.kind}, not {kind}"
            return value
        if kind == "double":
            bits = struct.unpack("<Q", struct.pack("<d", float(value)))[0]
            return Value(self, kind, f"0x{bits:016X}")
        if kind == "ptr":
            assert not value, "the only address that is known is nowhere"
            return Value(self, kind, "null")
        text = str(value).lower() if isinstance(value, bool) else str(int(value))
        return Value(self, kind, text)

    def variable(self, value: Operand, kind: str = "double") -> Variable:
        """A new variable."""
        name = f"%{self._fresh('v')}"
        kind = value.kind if isinstance(value, Value) else kind
        self._places.append(f"  {name} = alloca {kind}")
        made = Variable(self, kind, name)
        made.set(value)
        return made

    def array(self, length: int, kind: str = "double") -> Value:
        """Allocates numbers on the stack; returns their address."""
        name = f"%{self._fresh('a')}"
        self._places.append(f"  {name} = alloca {kind}, i64 {length}")
        return Value(self, "ptr", name)

    def call(self, callee: str | Value, result: str, *arguments: Value) -> Value:
        """Calls a function, by name or by address."""
        target = f"@{callee}" if isinstance(callee, str) else callee.text
        listed = ", ".join(f"{a.kind} {a.text}" for a in arguments)
        if result == "void":
            self.append(f"call void {target}({listed})")
            return Value(self, "void", "")
        return self.let(result, f"call {result} {target}({listed})")

    def absolute(self, x: Value) -> Value:
        """|x|"""
        return self.call("llvm.fabs.f64", "double", x)

    def least(self, x: Value, y: Value) -> Value:
        """The smaller of two Reals."""
        return (x < y).choose(x, y)

    def greatest(self, x: Value, y: Value) -> Value:
        """The larger of two Reals."""
        return (x > y).choose(x, y)

    def copy(self, target: Value, source: Value, count: Operand) -> None:
        """Copies a number of doubles."""
        size = self.constant(count, "i64") * 8
        no = Value(self, "i1", "false")
        self.call("llvm.memmove.p0.p0.i64", "void", target, source, size, no)

    # ------------------------------------------------------------ control flow

    def _label(self, name: str) -> None:
        self._lines.append(f"{name}:")

    def _goto(self, label: str) -> None:
        self.append(f"br label %{label}")

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        """What is inside happens if the condition holds."""
        inside, after = self._fresh("then"), self._fresh("after")
        self.append(f"br i1 {condition.text}, label %{inside}, label %{after}")
        self._label(inside)
        yield
        self._goto(after)
        self._label(after)

    @contextmanager
    def loop(self) -> Iterator[None]:
        """What is inside happens again and again, until `leave_if`."""
        head, end = self._fresh("head"), self._fresh("end")
        self._goto(head)
        self._label(head)
        self._ends.append(end)
        yield
        self._ends.pop()
        self._goto(head)
        self._label(end)

    @contextmanager
    def count(self, past: Value) -> Iterator[Value]:
        """A loop for k = 0, 1, ... below `past`."""
        k = self.variable(0, "i64")
        with self.loop():
            now = k.value
            self.leave_if(now >= past)
            k.set(now + 1)
            yield now

    def leave_if(self, condition: Value) -> None:
        """Leaves the innermost loop."""
        stay = self._fresh("stay")
        self.append(f"br i1 {condition.text}, label %{self._ends[-1]}, label %{stay}")
        self._label(stay)

    def give(self, value: Operand | None = None) -> None:
        """Returns. What follows in the text is not reached from here."""
        if value is None:
            self.append("ret void")
        else:
            self.append(f"ret {self.result} {self.constant(value, self.result).text}")
        self._label(self._fresh("unreached"))

    def give_if(self, condition: Value, value: Operand) -> None:
        """Returns a value if a condition holds."""
        with self.when(condition):
            self.give(value)

    def text(self) -> str:
        """The finished function."""
        return "\n".join([self._head, "entry:", *self._places, *self._lines, "  unreachable", "}", ""])
