"""User functions made ready for the back ends: nested calls as statements, names unique."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from saltus.emit.straight.sharing import Locals, Section
from saltus.expr.nodes import TRUE, Expr, not_
from saltus.ir.program import (
    Assign,
    Break,
    CallFunction,
    Fail,
    Fill,
    For,
    Function,
    FunctionFault,
    If,
    Statement,
    While,
)


class FunctionTable:
    """The functions a program uses, each lowered once, in order of first use."""

    def __init__(self) -> None:
        self._lowered: dict[Function, Function] = {}
        self._names: set[str] = set()

    @property
    def functions(self) -> tuple[Function, ...]:
        return tuple(self._lowered.values())

    def lowered(self, function: Function) -> Function:
        """The function as it is printed. Functions may call each other in a circle, so it is entered in
        the table before its body is known."""
        found = self._lowered.get(function)
        if found is not None:
            return found
        name, number = function.name, 1
        while name in self._names:
            number += 1
            name = f"{function.name}_{number}"
        self._names.add(name)
        result = Function(
            name,
            function.inputs,
            function.outputs,
            (),
            (),
            internal=function.internal,
            external=function.external,
        )
        self._lowered[function] = result
        local = Locals()
        body = _Body(self, local).block(function.body)
        object.__setattr__(result, "body", body)
        object.__setattr__(result, "locals", (*function.locals, *local.symbols))
        return result


class _Body:
    """Lowers statements one by one: in an algorithm every assignment may change what the next one reads."""

    def __init__(self, table: FunctionTable, local: Locals) -> None:
        self._table = table
        self._locals = local

    def block(self, body: tuple[Statement, ...]) -> tuple[Statement, ...]:
        return tuple(s for statement in body for s in self._statement(statement))

    def _values(self, *expressions: Expr) -> tuple[list[Statement], tuple[Expr, ...]]:
        section = Section(expressions, self._locals, self._table.lowered)
        values = tuple(section.value(e) for e in expressions)
        return section.statements, values

    def _statement(self, s: Statement) -> list[Statement]:
        match s:
            case Assign(local, value, indices):
                code, (new, *places) = self._values(value, *indices)
                return [*code, Assign(local, new, tuple(places))]
            case Fill(local, value):
                code, (new,) = self._values(value)
                return [*code, Fill(local, new)]
            case If():
                return self._if(s)
            case For(index, start, step, stop, body):
                code, (first, by, last) = self._values(start, step, stop)
                return [*code, For(index, first, by, last, self.block(body))]
            case While(condition, body):
                code, (new,) = self._values(condition)
                if not code:
                    return [While(new, self.block(body))]
                # The condition needs statements of its own: they are run before each round.
                leave = If(((not_(new), (Break(),)),))
                return [While(TRUE, (*code, leave, *self.block(body)))]
            case CallFunction(targets, function, args):
                code, new_args = self._values(*args)
                return [*code, CallFunction(targets, self._table.lowered(function), new_args)]
            case _:
                return [s]

    def _if(self, s: If) -> list[Statement]:
        (condition, body), *rest = s.branches
        code, (first,) = self._values(condition)
        otherwise = self.block(s.otherwise)
        if not rest:
            return [*code, If(((first, self.block(body)),), otherwise)]
        branches = [(first, self.block(body))]
        for position, (later, inner) in enumerate(rest):
            before, (value,) = self._values(later)
            if before:
                # This condition must be computed only if the earlier ones fail: nest the rest.
                nested = self._if(replace(s, branches=tuple(rest[position:])))
                return [*code, If(tuple(branches), tuple(nested))]
            branches.append((value, self.block(inner)))
        return [*code, If(tuple(branches), otherwise)]


def faults(body: tuple[Statement, ...]) -> Iterator[tuple[int, FunctionFault]]:
    """The statuses with which a function may fail, and why."""
    for s in body:
        match s:
            case Fail(int(status), fault) if fault is not None:
                yield status, fault
            case If(branches, otherwise):
                for _, inner in branches:
                    yield from faults(inner)
                yield from faults(otherwise)
            case For(body=inner) | While(body=inner):
                yield from faults(inner)
