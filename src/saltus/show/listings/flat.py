"""The flat model as Modelica text that can be read, and read again.

A name with dots or brackets is one variable here, no longer a path through components, so it is written
as a quoted identifier: `'r1.p.v'`. Enumerations have become Integers counted from 1; a comment keeps their
literals. User functions that the equations call are printed before the equations.

What Modelica cannot say in an expression is shown but cannot be read again: one output of several of a
function, printed as `f(x)[2]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from saltus.expr.nodes import Expr, Op, Symbol, Type, apply, der, pre, ref
from saltus.expr.show import literal, show
from saltus.expr.traversal import transform, walk
from saltus.ir import program as prog
from saltus.ir.flat import (
    Action,
    Assert,
    Causality,
    Clause,
    Equation,
    Experiment,
    FlatModel,
    Guarded,
    IfEquation,
    InitialState,
    Reinit,
    Terminate,
    Transition,
    Variability,
    Variable,
    When,
)

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*|'(?:[^'\\]|\\.)+'", re.ASCII)
_INDENT = "  "


def flat_text(flat: FlatModel) -> str:
    """The model as one Modelica class, ending in a newline."""
    return "\n".join(_Printer(flat).lines()) + "\n"


def identifier(name: str) -> str:
    """A flat name as one Modelica identifier: itself if it is one, else quoted."""
    if _IDENTIFIER.fullmatch(name):
        return name
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


@dataclass(frozen=True, eq=False)
class _Named:
    """Stands for a user function under the name it is printed with."""

    name: str


@dataclass
class _Printer:
    flat: FlatModel
    functions: dict[prog.Function, _Named] = field(default_factory=dict)
    memo: dict[Expr, Expr] = field(default_factory=dict)
    symbols: dict[Symbol, Symbol] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        flat = self.flat
        name = identifier(flat.name)
        for e in flat.expressions():
            self._collect((e,))
        yield f"model {name}{_description(flat.description)}"
        for function in tuple(self.functions):
            yield from _indented(self._function(function))
        for hidden in (False, True):
            shown = [v for v in flat.variables if v.protected is hidden]
            if hidden and shown:
                yield "protected"
            yield from _indented(self._declaration(v) for v in shown)
        for heading, clauses in (("initial equation", flat.initial_clauses), ("equation", flat.clauses)):
            if clauses:
                yield heading
                for clause in clauses:
                    yield from _indented(self._clause(clause))
        yield from _indented(map(self._machine, flat.machines))
        yield _INDENT + _experiment(flat.experiment)
        yield f"end {name};"

    def _machine(self, part: InitialState | Transition) -> str:
        if isinstance(part, InitialState):
            return f"initialState({identifier(part.state)});"
        options = {"immediate": part.immediate, "reset": part.reset, "synchronize": part.synchronize}
        words = [f"{name} = {str(value).lower()}" for name, value in options.items()]
        states = f"{identifier(part.source)}, {identifier(part.target)}"
        rest = ", ".join([*words, f"priority = {part.priority}"])
        return f"transition({states}, {self._show(part.condition)}, {rest});"

    # ------------------------------------------------------------ expressions

    def _show(self, e: Expr) -> str:
        return show(transform(e, self._renamed, self.memo))

    def _renamed(self, e: Expr) -> Expr | None:
        match e.op:
            case Op.REF:
                return ref(self._symbol(e.data))
            case Op.DER:
                return der(ref(self._symbol(e.args[0].data)))
            case Op.PRE:
                return pre(ref(self._symbol(e.args[0].data)))
            case Op.APPLY if e.data in self.functions:
                arguments = [transform(a, self._renamed, self.memo) for a in e.args]
                return apply(self.functions[e.data], arguments)
            case _:
                return None

    def _symbol(self, symbol: Symbol) -> Symbol:
        if symbol not in self.symbols:
            text = identifier(symbol.name)
            same = text == symbol.name
            self.symbols[symbol] = symbol if same else Symbol(text, symbol.type, symbol.shape)
        return self.symbols[symbol]

    # ------------------------------------------------------------ declarations

    def _declaration(self, v: Variable) -> str:
        words = [
            "final" if v.final else "",
            {Variability.CONSTANT: "constant", Variability.PARAMETER: "parameter"}.get(v.variability, ""),
            # Only of a Real it has to be said that it is discrete.
            "discrete" if v.variability is Variability.DISCRETE and v.symbol.type is Type.REAL else "",
            "" if v.causality is Causality.LOCAL else v.causality.value,
            v.symbol.type.value,
            identifier(v.name),
        ]
        text = " ".join(word for word in words if word)
        attributes = ", ".join(self._attributes(v))
        text += f"({attributes})" if attributes else ""
        if v.binding is not None:
            text += f" = {self._show(v.binding)}"
        text += f"{_description(v.description)};"
        if v.enumeration is not None:
            text += f" // enumeration({', '.join(v.enumeration)})"
        return text

    def _attributes(self, v: Variable) -> Iterator[str]:
        if v.unit:
            yield f"unit = {literal(v.unit)}"
        if v.display_unit:
            yield f"displayUnit = {literal(v.display_unit)}"
        for name, value in (
            ("start", v.start),
            ("min", v.minimum),
            ("max", v.maximum),
            ("nominal", v.nominal),
        ):
            if value is not None:
                yield f"{name} = {self._show(value)}"
        if v.fixed is not None:
            yield f"fixed = {literal(v.fixed)}"
        if v.state_select != "default":
            yield f"stateSelect = StateSelect.{v.state_select}"

    # ------------------------------------------------------------ clauses

    def _clause(self, clause: Clause | Action) -> Iterator[str]:
        match clause:
            case Equation():
                left = self._show(clause.lhs)
                if clause.rhs.op is Op.TRANSPORT and clause.rhs.data == 1:
                    left = f"(, {left})"  # of two results the second
                # The grammar wants a simple expression on the left.
                yield f"{f'({left})' if clause.lhs.op is Op.IF else left} = {self._show(clause.rhs)};"
            case Assert():
                level = ", AssertionLevel.warning" if clause.warning else ""
                yield f"assert({self._show(clause.condition)}, {self._show(clause.message)}{level});"
            case Terminate():
                yield f"terminate({self._show(clause.message)});"
            case Reinit():
                yield f"reinit({identifier(clause.state.name)}, {self._show(clause.value)});"
            case When():
                yield from self._branches("when", clause.branches)
            case IfEquation():
                yield from self._branches("if", clause.branches)

    def _branches(self, word: str, branches: tuple[Guarded, ...]) -> Iterator[str]:
        for index, branch in enumerate(branches):
            conditions = [self._show(c) for c in branch.conditions]
            if not conditions:
                yield "else"
            else:
                together = conditions[0] if len(conditions) == 1 else "{" + ", ".join(conditions) + "}"
                yield f"{'else' if index else ''}{word} {together} then"
            for action in branch.actions:
                yield from _indented(self._clause(action))
        yield f"end {word};"

    # ------------------------------------------------------------ user functions

    def _collect(self, expressions: Iterable[Expr]) -> None:
        """Finds the user functions, those that functions call included; each gets a name of its own."""
        for e in expressions:
            for node in walk(e):
                if node.op is Op.APPLY and isinstance(node.data, prog.Function):
                    self._add(node.data)

    def _add(self, function: prog.Function) -> None:
        if function in self.functions:
            return
        taken = {named.name for named in self.functions.values()}
        name, number = function.name, 1
        while identifier(name) in taken:  # the same function for arguments of another size
            number += 1
            name = f"{function.name}_{number}"
        self.functions[function] = _Named(identifier(name))
        for statement in _statements(function.body):
            if isinstance(statement, prog.CallFunction):
                self._add(statement.function)
            self._collect(_expressions(statement))

    def _function(self, function: prog.Function) -> Iterator[str]:
        name = self.functions[function].name
        yield f"function {name}"
        for prefix, symbols in (("input ", function.inputs), ("output ", function.outputs)):
            yield from _indented(prefix + _local(s) for s in symbols)
        if function.locals:
            yield "protected"
            yield from _indented(_local(s) for s in function.locals)
        yield "algorithm"
        yield from _indented(self._statements(function.body))
        yield f"end {name};"

    def _statements(self, body: tuple[prog.Statement, ...]) -> Iterator[str]:
        for statement in body:
            yield from self._statement(statement)

    def _statement(self, statement: prog.Statement) -> Iterator[str]:
        match statement:
            case prog.Assign(local, value, indices):
                place = f"[{', '.join(self._show(i) for i in indices)}]" if indices else ""
                yield f"{identifier(local.name)}{place} := {self._show(value)};"
            case prog.Fill(local, value):
                sizes = ", ".join(map(str, local.shape))
                yield f"{identifier(local.name)} := fill({self._show(value)}, {sizes});"
            case prog.If(branches, otherwise):
                for index, (condition, body) in enumerate(branches):
                    yield f"{'else' if index else ''}if {self._show(condition)} then"
                    yield from _indented(self._statements(body))
                if otherwise:
                    yield "else"
                    yield from _indented(self._statements(otherwise))
                yield "end if;"
            case prog.For(index_symbol, start, step, stop, body):
                steps = ":".join(self._show(e) for e in (start, step, stop))
                yield f"for {identifier(index_symbol.name)} in {steps} loop"
                yield from _indented(self._statements(body))
                yield "end for;"
            case prog.While(condition, body):
                yield f"while {self._show(condition)} loop"
                yield from _indented(self._statements(body))
                yield "end while;"
            case prog.Break():
                yield "break;"
            case prog.Return():
                yield "return;"
            case prog.CallFunction(targets, function, args):
                results = ", ".join("" if t is None else identifier(t.name) for t in targets)
                called = f"{self.functions[function].name}({', '.join(self._show(a) for a in args)})"
                yield f"({results}) := {called};"
            case prog.Fail(status):
                yield f'assert(false, "failure {status}");'
            case _:
                # Stores, linear systems and other routines exist only in routines, never in functions.
                raise TypeError(f"{type(statement).__name__} in a function")


def _statements(body: tuple[prog.Statement, ...]) -> Iterator[prog.Statement]:
    """All statements of a body, nested ones included."""
    for statement in body:
        yield statement
        match statement:
            case prog.If(branches, otherwise):
                for _, inner in branches:
                    yield from _statements(inner)
                yield from _statements(otherwise)
            case prog.For() | prog.While():
                yield from _statements(statement.body)


def _expressions(statement: prog.Statement) -> tuple[Expr, ...]:
    match statement:
        case prog.Assign(_, value, indices):
            return (value, *indices)
        case prog.Fill(_, value):
            return (value,)
        case prog.If(branches, _):
            return tuple(condition for condition, _ in branches)
        case prog.For(_, start, step, stop, _):
            return (start, step, stop)
        case prog.While(condition, _):
            return (condition,)
        case prog.CallFunction(_, _, args):
            return args
        case _:
            return ()


def _local(symbol: Symbol) -> str:
    sizes = f"[{', '.join(map(str, symbol.shape))}]" if symbol.shape else ""
    return f"{symbol.type.value}{sizes} {identifier(symbol.name)};"


def _description(text: str) -> str:
    return f" {literal(text)}" if text else ""


def _experiment(experiment: Experiment) -> str:
    values = {
        "StartTime": experiment.start_time,
        "StopTime": experiment.stop_time,
        "Tolerance": experiment.tolerance,
    }
    if experiment.interval is not None:
        values["Interval"] = experiment.interval
    given = ", ".join(f"{name} = {literal(value)}" for name, value in values.items())
    return f"annotation(experiment({given}));"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield _INDENT + line
