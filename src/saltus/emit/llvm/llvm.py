"""Program to LLVM assembly text.

Routines are `i32 NAME(ptr memory)`. User functions take the depth of calls, scalars by value and arrays by
pointer, give their outputs through pointers and return a status. All numbers are doubles, also Integers and
(in memory) Booleans; Booleans are i1 in registers. Nothing is marked fast: results are those of IEEE
arithmetic in the order written, as in the Python back end.

The text is written directly, in functions of about a hundred statements: measured on 20,000 assignments
that is several times quicker than LLVM's builder interface or one large function.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from saltus.emit.llvm.values import NOWHERE, ValuePrinter
from saltus.emit.support.external import declarations, native_text
from saltus.emit.support.histories import question_declarations
from saltus.emit.support.llvm_builtins import PREAMBLE, numbers_text, support_text
from saltus.emit.support.small_solve import SMALL, small_solve
from saltus.expr.nodes import Expr, Symbol, Type
from saltus.ir.parts import turns_name
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

#: Local arrays of routines larger than this are kept behind the memory, not on the stack.
STACK_ARRAY = 1024


#: Calls of user functions inside each other; more would overflow the stack and end the process.
MAX_CALLS = 1000


@dataclass(frozen=True)
class Printed:
    """A routine or a user function as LLVM text, with the names of what it calls. `loops`: see `Routine`."""

    text: str
    routines: frozenset[str]
    functions: frozenset[str]
    loops: bool = False


def llvm_text(program: Program) -> str:
    """The LLVM module of a program."""
    functions, routines = printed(program)
    return module_text(program, functions, routines)


def printed(program: Program) -> tuple[dict[str, Printed], dict[str, Printed]]:
    """The user functions (by their names in the text) and the routines of a program."""
    names = {f: f'@"function.{_quoted(f.name)}"' for f in program.functions}
    layout = program.layout
    functions = {n: _Printer(layout.slots, layout.size, names).function(f) for f, n in names.items()}
    in_turns = program.parts.loops if program.parts is not None else frozenset()
    routines = {
        name: _Printer(layout.slots, layout.size, names).routine(routine, in_turns=name in in_turns)
        for name, routine in program.routines.items()
    }
    return functions, routines


def module_text(program: Program, functions: Mapping[str, Printed], routines: Mapping[str, Printed]) -> str:
    """A module with these routines of a program; the others are declared."""
    parts = [f.text for f in (*functions.values(), *routines.values())]
    head = [PREAMBLE, support_text(parts)]
    if program.remembers:
        head.append(question_declarations())
    head += declarations(program.functions)
    head += [f"declare i32 @{name}(ptr)" for name in program.routines if name not in routines]
    return "\n".join([*head, *parts])


def workspace_size(program: Program) -> int:
    """How many doubles the routines need behind the memory for their large local arrays. Routines do not
    overlap in time with those that use the same place: an `Invoke` comes before or after, never between
    filling an array and solving."""
    return max((_workspace(r)[1] for r in program.routines.values()), default=0)


def _workspace(routine: Routine) -> tuple[dict[Symbol, int], int]:
    places: dict[Symbol, int] = {}
    size = 0
    for symbol in routine.locals:
        length = math.prod(symbol.shape)
        if length > STACK_ARRAY:
            places[symbol] = size
            size += length
    return places, size


def _quoted(name: str) -> str:
    plain = b"._abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    return "".join(chr(b) if b in plain else f"\\{b:02x}" for b in name.encode())


def _is_array(s: Store | Assign) -> bool:
    """Whether an array is assigned to, or an element of one."""
    return isinstance(s, Assign) and bool(s.local.shape)


def _stride(slots: Sequence[int]) -> int | None:
    """How far each slot is from the one before, if that is the same for all."""
    strides = {b - a for a, b in itertools.pairwise(slots)}
    return strides.pop() if len(strides) == 1 else None


class _Printer(ValuePrinter):
    """Prints one routine or function."""

    # ------------------------------------------------------------ whole functions

    def _printed(self, head: str) -> Printed:
        text = "\n".join([*self._tables, head, *self._entry, *self._lines, "}\n"])
        return Printed(text, frozenset(self._routines_called), frozenset(self._functions_called))

    def routine(self, routine: Routine, *, in_turns: bool = False) -> Printed:
        """The text of a routine. If it is to be done `in_turns`, it is a loop, and there is a function for
        some turns of it as well."""
        self._name = routine.name
        if in_turns:
            self._first, self._past = "%first", "%past"
        places, _ = _workspace(routine)
        for symbol, offset in places.items():
            pointer = self._new()
            self._entry.append(f"  {pointer} = getelementptr double, ptr %m, i64 {self._size + offset}")
            self._arrays[symbol] = pointer
        self._straight = all(isinstance(s, Store | Assign) and not _is_array(s) for s in routine.body)
        for symbol in routine.locals:
            if symbol not in places:
                self._declare(symbol)
        for view in routine.views:
            self._views[view.symbol] = view.slot
            self._arrays[view.symbol] = pointer = self._new()
            self._entry.append(f"  {pointer} = getelementptr double, ptr %m, i64 {view.slot}")
        for table in routine.tables:
            self._arrays[table.symbol] = name = f"@saltus.{routine.name}.{table.symbol.name}"
            self._tables.append(f"{name} = internal constant {numbers_text(table.values)}")
        self._trusted = bool(routine.views)
        self._block(routine.body)
        self._terminate("ret i32 0")
        # Pieces of long routines must stay functions of their own.
        attributes = "noinline optnone nounwind" if routine.rare else "noinline nounwind"
        if not in_turns:
            found = self._printed(f"define i32 @{routine.name}(ptr noalias %m) {attributes} {{\nentry:")
            return replace(found, loops=routine.loops)
        name = turns_name(routine.name)
        head = f"define i32 @{name}(ptr noalias %m, i64 %first, i64 %past) {attributes} {{\nentry:"
        found = self._printed(head)
        whole = (
            f"define i32 @{routine.name}(ptr noalias %m) {attributes} {{\n"
            f"  %status = call i32 @{name}(ptr %m, i64 0, i64 {routine.turns})\n  ret i32 %status\n}}\n"
        )
        return replace(found, text=f"{found.text}\n{whole}", loops=routine.loops)

    def function(self, function: Function) -> Printed:
        if function.external is not None:
            name = self._functions[function].removeprefix("@")
            return Printed(native_text(function, name), frozenset(), frozenset())
        self._in_function, self._trusted = True, function.internal
        parameters: list[str] = ["i32 %depth"]
        shallow = self._let(f"icmp slt i32 %depth, {MAX_CALLS}")
        self._fail_unless(shallow, str(FUNCTION_FAILED))
        for k, symbol in enumerate(function.inputs):
            if symbol.shape:
                parameters.append(f"ptr %in{k}")
                self._arrays[symbol] = f"%in{k}"
            else:
                parameters.append(f"double %in{k}")
                self._declare(symbol)
                self._line(f"store double %in{k}, ptr {self._places[symbol]}")
        for symbol in (*function.outputs, *function.locals):
            self._declare(symbol)
            self._zero(symbol)
        parameters += [f"ptr %out{k}" for k in range(len(function.outputs))]
        self._block(function.body)
        self._terminate("br label %exit")
        self._label("exit")
        # Outputs are copied at the end: a caller may pass the same array in and out.
        for k, symbol in enumerate(function.outputs):
            if symbol.shape:
                self._copy(f"%out{k}", self._arrays[symbol], math.prod(symbol.shape))
            else:
                self._line(f"store double {self._local(symbol)}, ptr %out{k}")
        self._terminate("ret i32 0")
        attributes = "nounwind noinline optnone" if function.internal else "nounwind"
        name = self._functions[function]
        return self._printed(f"define internal i32 {name}({', '.join(parameters)}) {attributes} {{\nentry:")

    def _zero(self, symbol: Symbol) -> None:
        if symbol.shape:
            self._fill(self._arrays[symbol], math.prod(symbol.shape), "0.0")
        else:
            self._line(f"store double 0.0, ptr {self._places[symbol]}")
            self._stored[symbol] = "0.0"

    # ------------------------------------------------------------ statements

    def _block(self, body: Iterable[Statement]) -> None:
        for s in body:
            self._statement(s)

    def _statement(self, s: Statement) -> None:
        match s:
            case Store(slot, value):
                self._write(slot, self._slot(slot), value)
            case Assign(local, value, ()):
                if local.shape:
                    self._copy(self._arrays[local], self._array(value), math.prod(local.shape))
                else:
                    self._write(local, self._places[local], value)
            case Assign(local, value, indices):
                number = self._value(value)
                self._line(f"store double {number}, ptr {self._element(local, indices)}")
                if local in self._views:
                    self._forget_slots(self._views[local], math.prod(local.shape))
            case Fill(local, value):
                self._fill(self._arrays[local], math.prod(local.shape), self._value(value))
            case If():
                self._if(s)
            case For():
                self._for(s)
            case While():
                self._while(s)
            case Each():
                self._each(s)
            case Break():
                self._terminate(f"br label %{self._loops[-1]}")
            case Return():
                self._terminate("br label %exit")
            case CallFunction():
                self._call(s)
            case SolveLinear(matrix, right, status):
                a, b = self._arrays[matrix], self._arrays[right]
                n = right.shape[0]
                call = f"@saltus.solve(ptr {a}, ptr {b}, i32 {n})"
                if n <= SMALL:
                    call = f"@{small_solve(n)}(ptr {a}, ptr {b})"
                info = self._let(f"call i32 {call}")
                if isinstance(status, int):
                    self._fail_unless(self._let(f"icmp eq i32 {info}, 0"), str(status))
                else:
                    singular = self._let(f"icmp ne i32 {info}, 0")
                    number = self._let(f"uitofp i1 {singular} to double")
                    self._line(f"store double {number}, ptr {self._places[status]}")
                    self._stored[status] = number
                    self._stored_bits[status] = singular
            case Invoke(routine, unless):
                result = self._let(f"call i32 @{routine}(ptr %m)")
                self._routines_called.add(routine)
                self._forget()
                well = self._let(f"icmp eq i32 {result}, 0")
                if unless is not None:
                    well = self._let(f"or i1 {well}, {self._evaluate(unless, {})}")
                self._fail_unless(well, result)
            case Attempt():
                self._attempt(s)
            case Fail(status) if isinstance(status, Symbol):
                self._fail(self._let(f"fptosi double {self._local(status)} to i32"))
            case Fail(status):
                self._fail(str(status))

    def _write(self, key: int | Symbol, pointer: str, value: Expr) -> None:
        memo: dict[Expr, str] = {}
        if value.type is Type.BOOLEAN:
            bit = self._evaluate(value, memo)
            number = self._number_of(value, memo)
            self._stored_bits[key] = bit
        else:
            number = self._evaluate(value, memo)
            self._stored_bits.pop(key, None)
        if pointer is not NOWHERE:
            self._line(f"store double {number}, ptr {pointer}")
        self._stored[key] = number

    def _attempt(self, s: Attempt) -> None:
        end, place = self._fresh_label("end"), self._places[s.status]
        self._line(f"store double 0.0, ptr {place}")
        self._stored.pop(s.status, None)
        self._attempts.append((end, place))
        self._block(s.body)
        self._attempts.pop()
        self._label(end)

    def _if(self, s: If) -> None:
        end = self._fresh_label("end")
        ends: list[dict[int | Symbol | str, str]] = []  # what is known where a branch joins the others
        before: dict[int | Symbol | str, str] | None = None
        for condition, body in s.branches:
            then, other = self._fresh_label("then"), self._fresh_label("else")
            bit = self._bit(condition)
            self._terminate(f"br i1 {bit}, label %{then}, label %{other}")
            kept = dict(self._stored), dict(self._stored_bits)
            before = kept[0] if before is None else before
            self._label(then, same_region=True)
            self._block(body)
            if self._open:
                ends.append(self._stored)
            self._terminate(f"br label %{end}")
            self._stored, self._stored_bits = dict(kept[0]), kept[1]
            self._label(other, same_region=True)
        self._block(s.otherwise)
        if self._open:
            ends.append(self._stored)
        unchanged = before or {}
        for known in ends:
            unchanged = {key: value for key, value in unchanged.items() if known.get(key) == value}
        self._label(end)
        self._stored = unchanged

    def _while(self, s: While) -> None:
        head, body, end = (self._fresh_label(w) for w in ("while", "body", "end"))
        self._label(head)
        bit = self._bit(s.condition)
        self._terminate(f"br i1 {bit}, label %{body}, label %{end}")
        self._label(body, same_region=True)
        self._loops.append(end)
        self._block(s.body)
        self._loops.pop()
        self._terminate(f"br label %{head}")
        self._label(end)

    def _for(self, s: For) -> None:
        start, step, stop = (self._value(e) for e in (s.start, s.step, s.stop))
        if self._past:  # entries of a section count from 1
            number = self._let(f"sitofp i64 {self._first} to double")
            start = self._let(f"fadd double {number}, 1.0")
            stop = self._let(f"sitofp i64 {self._past} to double")
        if s.index not in self._places:
            self._declare(s.index)
        counter = self._new()
        self._entry.append(f"  {counter} = alloca double")
        upward = self._let(f"fcmp ogt double {step}, 0.0")
        self._line(f"store double {start}, ptr {counter}")
        head, body, end = (self._fresh_label(w) for w in ("for", "body", "end"))
        self._label(head)
        now = self._let(f"load double, ptr {counter}")
        below = self._let(f"fcmp ole double {now}, {stop}")
        above = self._let(f"fcmp oge double {now}, {stop}")
        inside = self._let(f"select i1 {upward}, i1 {below}, i1 {above}")
        self._terminate(f"br i1 {inside}, label %{body}, label %{end}")
        self._label(body)
        self._line(f"store double {now}, ptr {self._places[s.index]}")
        following = self._let(f"fadd double {now}, {step}")
        self._line(f"store double {following}, ptr {counter}")
        self._loops.append(end)
        self._block(s.body)
        self._loops.pop()
        self._terminate(f"br label %{head}")
        self._label(end)

    def _each(self, s: Each) -> None:
        counter = self._new()
        self._entry.append(f"  {counter} = alloca i64")
        self._line(f"store i64 {self._first}, ptr {counter}")
        head, body, end = (self._fresh_label(w) for w in ("each", "body", "end"))
        self._label(head)
        turn = self._let(f"load i64, ptr {counter}")
        inside = self._let(f"icmp slt i64 {turn}, {self._past or s.count}")
        self._terminate(f"br i1 {inside}, label %{body}, label %{end}")
        self._label(body)
        following = self._let(f"add nsw i64 {turn}, 1")
        self._line(f"store i64 {following}, ptr {counter}")
        moved: dict[int, str] = {}  # the memory as a turn sees it, by the stride of places
        for symbol, slots in s.places:
            stride = _stride(slots)
            if stride is not None:
                if stride not in moved:
                    moved[stride] = self._at("%m", self._let(f"mul nsw i64 {turn}, {stride}"))
                self._places[symbol] = self._at(moved[stride], slots[0])
            else:
                table = f"@saltus.{self._name}.slots{len(self._tables)}"
                entries = ", ".join(f"i64 {slot}" for slot in slots)
                self._tables.append(f"{table} = internal constant [{s.count} x i64] [{entries}]")
                entry = self._let(f"getelementptr i64, ptr {table}, i64 {turn}")
                self._places[symbol] = self._at("%m", self._let(f"load i64, ptr {entry}"))
        self._block(s.body)
        self._terminate(f"br label %{head}")
        self._label(end)

    def _call(self, s: CallFunction) -> None:
        arguments: list[str] = ["i32 0"]
        if self._in_function:
            arguments = [f"i32 {self._let('add nsw i32 %depth, 1')}"]
        for symbol, e in zip(s.function.inputs, s.args, strict=True):
            arguments.append(f"ptr {self._array(e)}" if symbol.shape else f"double {self._value(e)}")
        for target, output in zip(s.targets, s.function.outputs, strict=True):
            if target is None:
                target = Symbol(output.name, output.type, output.shape)
                self._declare(target)
            pointer = self._arrays[target] if target.shape else self._places[target]
            arguments.append(f"ptr {pointer}")
            self._stored.pop(target, None)
            self._stored_bits.pop(target, None)
        name = self._functions[s.function]
        self._functions_called.add(name)
        status = self._let(f"call i32 {name}({', '.join(arguments)})")
        self._fail_unless(self._let(f"icmp eq i32 {status}, 0"), status)
