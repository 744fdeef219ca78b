"""Program to Python source: the slow, readable reference that the native back end is compared with.

Routines are functions of the memory `m` (a memoryview, whose elements are plain floats). Failures are
exceptions inside, statuses outside. Arrays are flat lists.
"""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from saltus.emit.python import ieee
from saltus.expr.nodes import RELATIONS, Expr, Op, Symbol, Type
from saltus.ir.program import (
    FUNCTION_FAILED,
    Assign,
    Attempt,
    Break,
    CallFunction,
    Each,
    Fail,
    Fill,
    For,
    Function,
    If,
    Invoke,
    Program,
    Return,
    Routine,
    SolveLinear,
    Statement,
    Store,
    While,
)

_RELATION = {Op.LT: "<", Op.LE: "<=", Op.GT: ">", Op.GE: ">=", Op.EQ: "==", Op.NE: "!="}
_JOINED = {Op.MUL: " * ", Op.AND: " and ", Op.OR: " or "}


class PythonMachine:
    """A program as Python functions; `source` is their text."""

    def __init__(self, program: Program, source: str, code: Mapping[str, Any]) -> None:
        self.program = program
        self.source = source
        self._code = code
        self.memory: NDArray[np.float64] = np.zeros(program.layout.size)
        view = self.memory.data
        self.routines: dict[str, Callable[[], int]] = {
            name: _bound(code[name], view) for name in program.routines
        }

    def clone(self) -> Self:
        """A machine with the same code and a memory of its own."""
        return type(self)(self.program, self.source, self._code)


def _bound(function: Callable[[memoryview], None], memory: memoryview) -> Callable[[], int]:
    def run() -> int:
        try:
            function(memory)
        except ieee.Failure as failure:
            return failure.status
        except RecursionError:
            return FUNCTION_FAILED
        return 0

    return run


def python_machine(program: Program) -> PythonMachine:
    """Prints a program as Python and loads it."""
    source = python_text(program)
    names = ieee.namespace()
    functions = _named(program)
    names["provided"] = {n: _provided(f) for f, n in functions.items() if f.external is not None}
    exec(compile(source, f"<{program.name}>", "exec"), names)
    return PythonMachine(program, source, names)


def python_text(program: Program) -> str:
    """The Python source of a program."""
    functions = _named(program)
    lines: list[str] = []
    for function in program.functions:
        lines += _Printer(program.layout.slots, functions).function(function)
    for routine in program.routines.values():
        lines += _Printer(program.layout.slots, functions).routine(routine)
    return "\n".join(lines) + "\n"


def _named(program: Program) -> dict[Function, str]:
    return {f: "f_" + _identifier(f.name) for f in program.functions}


def _provided(function: Function) -> Callable[..., Sequence[float | str]]:
    """An external function as printed source calls it: with flat arrays."""
    assert function.external is not None
    call = function.external.call

    def called(*args: Any) -> Sequence[float | str]:
        shaped = zip(function.inputs, args, strict=True)
        return call(*(np.reshape(a, s.shape).tolist() if s.shape else a for s, a in shaped))

    return called


def _identifier(name: str) -> str:
    text = re.sub(r"\W", "_", name)
    return text + "_" if keyword.iskeyword(text) or text[:1].isdigit() else text


class _Printer:
    """Prints one routine or function."""

    def __init__(self, slots: Mapping[Expr, int], functions: Mapping[Function, str]) -> None:
        self._slots = slots
        self._functions = functions
        self._names: dict[Symbol, str] = {}
        self._turning: dict[Symbol, str] = {}  # places that are another slot in each turn of a loop
        self._taken = {"m", *ieee.namespace(), "range"}
        self._lines: list[str] = []
        self._indent = 1
        self._outputs: tuple[Symbol, ...] | None = None

    def routine(self, routine: Routine) -> list[str]:
        self._declare((*routine.locals, *routine.arrays))
        for view in routine.views:
            stop = view.slot + math.prod(view.symbol.shape)
            self._line(f"{self._names[view.symbol]} = m[{view.slot}:{stop}]")
        for table in routine.tables:
            self._line(f"{self._names[table.symbol]} = {list(table.values)!r}")
        for symbol in routine.locals:
            if symbol.shape:
                self._line(f"{self._names[symbol]} = [0.0] * {math.prod(symbol.shape)}")
        self._block(routine.body)
        return [f"def {routine.name}(m):", *(self._lines or ["    pass"]), "", ""]

    def function(self, function: Function) -> list[str]:
        if function.external is not None:
            return self._external(function, function.external.name)
        symbols = (*function.inputs, *function.outputs, *function.locals)
        self._declare(symbols)
        self._outputs = function.outputs
        for symbol in (*function.outputs, *function.locals):
            zero = "False" if symbol.type is Type.BOOLEAN else "0.0"
            value = f"[{zero}] * {math.prod(symbol.shape)}" if symbol.shape else zero
            self._line(f"{self._names[symbol]} = {value}")
        self._block(function.body)
        self._statement(Return())
        inputs = ", ".join(self._names[s] for s in function.inputs)
        return [f"def {self._functions[function]}({inputs}):", *self._lines, "", ""]

    def _external(self, function: Function, name: str) -> list[str]:
        """A call of an external function, whose results come as one flat list."""
        self._declare(function.inputs)
        inputs = ", ".join(self._names[s] for s in function.inputs)
        results, start = "", 0
        for output in function.outputs:
            stop = start + math.prod(output.shape)
            results += f"r[{start}:{stop}], " if output.shape else f"r[{start}], "
            start = stop
        return [
            f"def {self._functions[function]}({inputs}):",
            f"    r = provided[{self._functions[function]!r}]({inputs})  # {name}",
            f"    return ({results})",
            "",
            "",
        ]

    def _declare(self, symbols: Iterable[Symbol]) -> None:
        for symbol in symbols:
            base = _identifier(symbol.name)
            name, number = base, 1
            while name in self._taken:
                number += 1
                name = f"{base}_{number}"
            self._taken.add(name)
            self._names[symbol] = name

    # ------------------------------------------------------------ statements

    def _line(self, text: str) -> None:
        self._lines.append("    " * self._indent + text)

    def _block(self, body: Iterable[Statement]) -> None:
        for s in body:
            self._statement(s)

    def _suite(self, body: Iterable[Statement]) -> None:
        self._indent += 1
        before = len(self._lines)
        self._block(body)
        if len(self._lines) == before:
            self._line("pass")
        self._indent -= 1

    def _statement(self, s: Statement) -> None:
        match s:
            case Store(slot, value):
                text = self._expr(value)
                self._line(f"m[{slot}] = {f'float({text})' if value.type is Type.BOOLEAN else text}")
            case Assign(local, value, ()) if local in self._turning:
                text = self._expr(value)
                text = f"float({text})" if value.type is Type.BOOLEAN else text
                self._line(f"{self._turning[local]} = {text}")
            case Assign(local, value, indices):
                target = self._names[local]
                if indices:
                    target = f"{target}[{self._position(local, indices)}]"
                elif local.shape:
                    target += "[:]"
                self._line(f"{target} = {self._expr(value)}")
            case Fill(local, value):
                self._line(f"{self._names[local]}[:] = [{self._expr(value)}] * {math.prod(local.shape)}")
            case If(branches, otherwise):
                for word, (condition, body) in zip(("if", *["elif"] * len(branches)), branches, strict=False):
                    self._line(f"{word} {self._expr(condition)}:")
                    self._suite(body)
                if otherwise:
                    self._line("else:")
                    self._suite(otherwise)
            case For():
                self._for(s)
            case Each():
                self._each(s)
            case While(condition, body):
                self._line(f"while {self._expr(condition)}:")
                self._suite(body)
            case Break():
                self._line("break")
            case Return():
                assert self._outputs is not None, "a routine does not return values"
                self._line(f"return ({''.join(self._names[o] + ', ' for o in self._outputs)})")
            case CallFunction(targets, function, args):
                names = "".join((self._names[t] if t is not None else "_") + ", " for t in targets)
                call = f"{self._functions[function]}({', '.join(map(self._expr, args))})"
                self._line(f"{names}= {call}" if targets else call)
            case SolveLinear(matrix, right, status):
                solved = f"solve_linear({self._names[matrix]}, {self._names[right]})"
                if isinstance(status, int):
                    self._line(f"if not {solved}: raise Failure({status})")
                else:
                    self._line(f"{self._names[status]} = not {solved}")
            case Invoke(routine, None):
                self._line(f"{routine}(m)")
            case Invoke(routine, unless):
                assert unless is not None
                self._line("try:")
                self._line(f"    {routine}(m)")
                self._line("except Failure:")
                self._line(f"    if not ({self._expr(unless)}):")
                self._line("        raise")
            case Attempt(body, status):
                name = self._names[status]
                self._line("try:")
                self._suite(body)
                self._line(f"    {name} = 0.0")
                self._line("except (Failure, RecursionError) as failure:")
                self._line(f"    {name} = float(getattr(failure, 'status', {FUNCTION_FAILED}))")
            case Fail(status) if isinstance(status, Symbol):
                self._line(f"raise Failure(int({self._names[status]}))")
            case Fail(status):
                self._line(f"raise Failure({status})")

    def _for(self, s: For) -> None:
        self._declare((s.index,))
        name = self._names[s.index]
        # Two bounds of an outer loop must outlive those of an inner one.
        bound, step, counter = (f"{word}_{name}" for word in ("stop", "step", "next"))
        self._line(f"{counter}, {step}, {bound} = {', '.join(map(self._expr, (s.start, s.step, s.stop)))}")
        self._line(f"while {counter} <= {bound} if {step} > 0 else {counter} >= {bound}:")
        self._indent += 1
        self._line(f"{name} = {counter}")
        self._line(f"{counter} += {step}")
        self._indent -= 1
        self._suite(s.body)

    def _each(self, s: Each) -> None:
        symbols = [symbol for symbol, _ in s.places]
        self._declare(symbols)
        names = [self._names[symbol] for symbol in symbols]
        self._turning = {symbol: f"m[{name}]" for symbol, name in zip(symbols, names, strict=True)}
        slots = list(zip(*(own for _, own in s.places), strict=True))
        self._line(f"for {', '.join(names)}, in {slots!r}:")
        self._suite(s.body)

    def _position(self, array: Symbol, indices: tuple[Expr, ...]) -> str:
        if all(i.op is Op.CONST for i in indices):
            return str(ieee.position(array.shape, *(i.data for i in indices)))
        return f"position({array.shape!r}, {', '.join(map(self._expr, indices))})"

    # ------------------------------------------------------------ expressions

    def _expr(self, e: Expr) -> str:
        """Fully bracketed; recursion is bounded by the depth that sharing leaves."""
        slot = self._slots.get(e)
        if slot is not None and not (e.op is Op.REF and e.data in self._names):
            return f"(m[{slot}] != 0.0)" if e.type is Type.BOOLEAN else f"m[{slot}]"
        match e.op:
            case Op.CONST:
                return repr(e.data) if e.type is Type.BOOLEAN else _number(float(e.data))
            case Op.REF if e.data in self._turning:
                place = self._turning[e.data]
                return f"({place} != 0.0)" if e.type is Type.BOOLEAN else place
            case Op.REF:
                return self._names[e.data]
            case Op.ADD:
                return f"({self._sum(e)})"
            case Op.NEG:
                return f"(-{self._expr(e.args[0])})"
            case Op.NOT:
                return f"(not {self._expr(e.args[0])})"
            case Op.MUL | Op.AND | Op.OR:
                return f"({_JOINED[e.op].join(map(self._expr, e.args))})"
            case Op.DIV:
                a, b = map(self._expr, e.args)
                safe = e.args[1].op is Op.CONST and e.args[1].data != 0
                return f"({a} / {b})" if safe else f"divide({a}, {b})"
            case Op.POW:
                return f"power({', '.join(map(self._expr, e.args))})"
            case Op.IF:
                c, a, b = map(self._expr, e.args)
                return f"({a} if {c} else {b})"
            case Op.CALL:
                return f"{ieee.BUILTINS[e.data][0]}({', '.join(map(self._expr, e.args))})"
            case Op.RECALL:
                return f"recall_{e.data.replace('.', '_')}({', '.join(map(self._expr, e.args))})"
            case Op.ARRAY:
                return f"[{', '.join(map(self._expr, e.args))}]"
            case Op.INDEX:
                array = e.args[0].data
                return f"{self._names[array]}[{self._position(array, e.args[1:])}]"
            case Op.NOEVENT | Op.SMOOTH:
                return self._expr(e.args[0])
            case _:
                assert e.op in RELATIONS, f"{e.op} cannot be printed"
                a, b = map(self._expr, e.args)
                return f"({a} {_RELATION[e.op]} {b})"

    def _sum(self, e: Expr) -> str:
        text = self._expr(e.args[0])
        for a in e.args[1:]:
            text += f" - {self._expr(a.args[0])}" if a.op is Op.NEG else f" + {self._expr(a)}"
        return text


def _number(value: float) -> str:
    return repr(value) if value >= 0 or not math.isfinite(value) else f"({value!r})"
