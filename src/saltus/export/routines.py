"""Routines and user functions of a program as C.

A routine is `static int NAME(double *m)`: it works on the memory and returns 0, or the status of what has
failed. A user function takes the depth of calls, scalars by value and arrays by their addresses, and gives
its outputs through pointers. Locals that are assigned once, outside of loops and branches, are constants.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from saltus.export.names import Names, distinct, mangled
from saltus.export.statements import Statements, all_statements, expressions_in, routine_name
from saltus.export.values import NotInC, number
from saltus.expr.nodes import Op, Symbol
from saltus.expr.traversal import leaves
from saltus.ir.program import (
    Assign,
    Attempt,
    CallFunction,
    Fail,
    Function,
    Invoke,
    Program,
    Routine,
    SolveLinear,
    Statement,
)

#: Local arrays of routines larger than this have their place behind the memory, not on the stack.
STACK_ARRAY = 1024

#: Calls of user functions inside each other.
MAX_CALLS = 1000


def reached(program: Program, roots: Iterable[str]) -> list[str]:
    """The routines that these call, and they themselves, in the order of the program."""
    found: set[str] = set()
    pending = [name for name in roots if name in program.routines]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += [
                s.routine for s in all_statements(program.routines[name].body) if isinstance(s, Invoke)
            ]
    return [name for name in program.routines if name in found]


def functions_of(program: Program, names: Iterable[str]) -> list[Function]:
    """The user functions that routines call, directly or not; refuses those that have no body."""
    found: dict[Function, None] = {}
    pending = [s for name in names for s in all_statements(program.routines[name].body)]
    while pending:
        s = pending.pop()
        if isinstance(s, CallFunction) and s.function not in found:
            if s.function.external is not None:
                raise NotInC(f"the external function `{s.function.external.name}`")
            found[s.function] = None
            pending += all_statements(s.function.body)
    return [f for f in program.functions if f in found]


def workspace(routine: Routine) -> tuple[dict[Symbol, int], int]:
    """Where large local arrays are behind the memory, and how long they are together."""
    places: dict[Symbol, int] = {}
    size = 0
    for symbol in routine.locals:
        length = math.prod(symbol.shape)
        if length > STACK_ARRAY:
            places[symbol] = size
            size += length
    return places, size


class Routines:
    """Prints what a program consists of."""

    def __init__(self, program: Program, names: Names) -> None:
        self._program, self._names = program, names
        taken: set[str] = set()
        self._functions = {f: distinct(f"f_{mangled(f.name)}", taken) for f in program.functions}

    def routine(self, name: str, said: str = "") -> str:
        """A routine, with what is said of it."""
        return self.printed(self._program.routines[name], said)

    def printed(self, routine: Routine, said: str = "") -> str:
        """One that the program need not have."""
        return _Printer(self._names, self._functions).routine(routine, said)

    def function(self, function: Function) -> str:
        """A user function."""
        return _Printer(self._names, self._functions, in_function=True).function(function)

    def declaration(self, function: Function) -> str:
        """What is said of a user function before it is called."""
        return f"{_head(self._functions[function], function)};"


def _head(name: str, function: Function) -> str:
    inputs = (
        f"const double *in{k}" if s.shape else f"double in{k}" for k, s in enumerate(function.inputs, 1)
    )
    outputs = (f"double *out{k}" for k, _ in enumerate(function.outputs, 1))
    return f"static int {name}({', '.join(['int depth', *inputs, *outputs])})"


class _Printer(Statements):
    """Prints one routine or function."""

    # ------------------------------------------------------------ whole routines

    def routine(self, routine: Routine, said: str) -> str:
        """A routine as text."""
        self._values.trusted = bool(routine.views)
        self._sort_locals(routine.locals, routine.body)
        places, _ = workspace(routine)
        head: list[str] = []
        for view in routine.views:
            head.append(f"double *const {self._named(view.symbol)} = m + {self._names[view.slot]};")
        for table in routine.tables:
            values = ", ".join(map(number, table.values)) or "0.0"
            extent = max(1, len(table.values))
            head.append(f"static const double {self._named(table.symbol)}[{extent}] = {{{values}}};")
        for symbol, offset in places.items():
            head.append(f"double *const {self._named(symbol)} = m + MEMORY + {offset};")
        head += self._declarations(s for s in routine.locals if s not in places)
        self._block(routine.body)
        lines = [*self._used(head), *self._lines]
        used = "\n".join(lines)
        unused = [] if re.search(r"\bm\b", used) else ["    (void)m;"]
        comment = [f"/* {said} */"] if said else []
        return "\n".join(
            [*comment, f"static int {routine_name(routine.name)}(double *m)", "{", *unused, *lines,
             *([] if self._ends_with_return() else ["    return 0;"]), "}", ""]
        )  # fmt: skip

    def _ends_with_return(self) -> bool:
        return bool(self._lines) and self._lines[-1].startswith("    return ")

    def function(self, function: Function) -> str:
        """A user function as text."""
        self._values.trusted = function.internal
        for k, symbol in enumerate(function.inputs, 1):
            self._values.local[symbol] = f"in{k}"
            self._taken.add(f"in{k}")
        self._sort_locals(function.locals, function.body)
        self._once = set()  # they begin at zero
        head = self._declarations((*function.outputs, *function.locals))
        self._block(function.body)
        ends = []
        for k, symbol in enumerate(function.outputs, 1):
            own = self._values.local[symbol]
            if symbol.shape:
                ends.append(f"    memcpy(out{k}, {own}, sizeof {own});")
            else:
                ends.append(f"    *out{k} = {own};")
        unread = [f"    (void)in{k};" for k, s in enumerate(function.inputs, 1)
                  if not any(re.search(rf"\bin{k}\b", line) for line in self._lines)]  # fmt: skip
        return "\n".join(
            [f"/* The function {function.name} of the model. */",
             _head(self._functions[function], function), "{", *self._used(head, *ends),
             *unread, f"    if (depth >= {MAX_CALLS}) return FUNCTION_FAILED;", *self._lines,
             *(["done:"] if self._returns else []), *ends, "    return 0;", "}", ""]
        )  # fmt: skip

    def _used(self, head: Iterable[str], *ends: str) -> list[str]:
        """The declarations of arrays and scalars that occur in the text."""
        known = set(re.findall(r"\w+", "\n".join((*self._lines, *ends))))
        found: list[str] = []
        for line in head:
            scalars = re.findall(r"(\w+) = 0\.0", line) if re.match(r"double \w+ = 0.0", line) else []
            if scalars:
                names = [f"{name} = 0.0" for name in scalars if name in known]
                line = f"double {', '.join(names)};" if names else ""
            elif not known.intersection(re.findall(r"\w+", line.split("=")[0].split("[")[0])[-1:]):
                line = ""
            found += [self._wrapped(line)] if line else []
        return found

    def _sort_locals(self, symbols: Iterable[Symbol], body: Sequence[Statement]) -> None:
        """Which locals are assigned only once; and which are never read."""
        written: Counter[Symbol] = Counter()
        read: set[Symbol] = set()
        for s in all_statements(body):
            for e in expressions_in(s):
                read.update(leaf.data for leaf in leaves(e) if leaf.op is Op.REF)
            match s:
                case Assign(local, _, ()) if not local.shape:
                    written[local] += 1
                case CallFunction(targets):
                    written.update(t for t in targets if t is not None for _ in (1, 2))
                case SolveLinear(_, _, status) if isinstance(status, Symbol):
                    written[status] += 2
                case Attempt(_, status):
                    written[status] += 2
                case Fail(status) if isinstance(status, Symbol):
                    read.add(status)
                case _:
                    pass
        top = {s.local for s in body if isinstance(s, Assign) and not s.local.shape}
        locals_ = {s for s in symbols if not s.shape}
        self._unread = {s for s in locals_ if s not in read and written[s] < 2}
        self._once = {s for s in top & locals_ if written[s] == 1 and s in read}
