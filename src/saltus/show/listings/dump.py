"""Intermediate representations as text, for `--dump` and for people who debug a stage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from saltus.expr.helpers import Helper
from saltus.expr.nodes import Expr, Op, Symbol
from saltus.expr.show import show
from saltus.ir.flat import Equation, Variability, Variable
from saltus.ir.hybrid import HybridModel, Relation
from saltus.ir.instance import ArrayNode, Instance, Node, Scalar
from saltus.ir.program import (
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
    SolveLinear,
    Statement,
    Store,
    While,
)

_VARIABILITY = {
    Variability.CONSTANT: "constant ",
    Variability.PARAMETER: "parameter ",
    Variability.DISCRETE: "discrete ",
    Variability.CONTINUOUS: "",
}


# ---------------------------------------------------------------- instances


def instance_text(root: Instance) -> str:
    """The tree of components with their classes and types."""
    return "\n".join(_node_lines(root.cls.full_name, root, 0)) + "\n"


def _node_lines(name: str, node: Node | None, depth: int) -> Iterator[str]:
    indent = "  " * depth
    match node:
        case None:
            yield f"{indent}{name}: removed by its condition"
        case Scalar():
            binding = node.attribute("value")
            value = "" if binding is None else f" = {show(binding)}"
            flow = "flow " if node.flow else ""
            kind = "" if node.symbol.type.value != "Real" else _VARIABILITY[node.variability]
            if node.symbol.type.value != "Real" and node.variability <= Variability.PARAMETER:
                kind = _VARIABILITY[node.variability]
            yield f"{indent}{name}: {kind}{flow}{node.symbol.type.value}{value}"
        case ArrayNode():
            yield f"{indent}{name}: array [{', '.join(map(str, node.shape))}]"
            for k, item in enumerate(node.items, 1):
                yield from _node_lines(f"[{k}]", item, depth + 1)
        case Instance():
            yield f"{indent}{name}: {node.kind} {node.cls.full_name}"
            for child, inner in node.children.items():
                yield from _node_lines(child, inner, depth + 1)


# ---------------------------------------------------------------- hybrid DAE


def hybrid_text(model: HybridModel) -> str:
    """Variables by role, equations, and the tables of events."""
    return "\n".join(_hybrid_lines(model)) + "\n"


def _hybrid_lines(model: HybridModel) -> Iterator[str]:
    yield f"hybrid DAE of {model.name}"
    roles: list[tuple[str, tuple[Variable, ...]]] = [
        ("constants", model.constants),
        ("parameters", model.parameters),
        ("states", model.states),
        ("algebraic variables", model.algebraics),
        ("discrete variables", model.discretes),
    ]
    for title, own in roles:
        # Sizes are shown by a listing of their own: there is one for nearly every variable.
        variables = [v for v in own if v.symbol.helper is not Helper.SIZE]
        if variables:
            yield f"{title}:"
            for v in variables:
                value = v.binding if v.binding is not None else v.start
                sign = "=" if v.binding is not None else "start"
                yield f"  {v.name}" + ("" if value is None else f" {sign} {show(value)}")
    yield from _titled("equations", map(_equation, model.equations))
    initial = (f"{show(e.lhs)} = {show(e.rhs)}" for e in model.initial_equations)
    yield from _titled("initial equations", initial)
    yield from _titled("relations", map(_relation, model.relations))
    clocks = (f"{c.symbol.name}: {c.in_words}" for c in model.clocks)
    yield from _titled("clocks", clocks)
    delays = (f"{d.history.name}: {show(d.input)}, {show(d.time)} ago" for d in model.delays)
    yield from _titled("delays", delays)
    carried = (
        f"{t.history.name}: {show(a)} from 0, {show(b)} from 1, moved by {show(t.position)}"
        for t in model.transports
        for a, b in (t.inflows,)
    )
    yield from _titled("transports", carried)
    jumps = (f"when {show(j.condition)}: {j.state.name} := {show(j.value)}" for j in model.jumps)
    yield from _titled("jumps", jumps)
    yield from _titled("assertions", (show(k.condition) for k in model.checks))
    yield from _titled("endings", (f"when {show(n.condition)}" for n in model.endings))


def _titled(title: str, lines: Iterable[str]) -> Iterator[str]:
    """A list under its title; nothing where it is empty."""
    for number, line in enumerate(lines):
        if number == 0:
            yield f"{title}:"
        yield f"  {line}"


def _equation(q: Equation) -> str:
    exists = f"   (while {show(q.presence)})" if q.presence is not None else ""
    return f"{show(q.lhs)} = {show(q.rhs)}{exists}"


def _relation(r: Relation) -> str:
    kind = "time event" if r.is_time_event else f"residue {show(r.residue)}"
    return f"{r.symbol.name}: {r.text}   ({kind})"


# ---------------------------------------------------------------- program


def program_text(program: Program) -> str:
    """Memory sections, then routines and functions as pseudo code."""
    return "\n".join(_program_lines(program)) + "\n"


def _program_lines(program: Program) -> Iterator[str]:
    yield f"program {program.name}: {program.layout.size} numbers"
    for name, (first, length) in program.layout.sections.items():
        if length:
            yield f"  {name}: {first} .. {first + length - 1}"
    names = {slot: show(leaf) for leaf, slot in program.layout.slots.items()}
    for function in program.functions:
        yield ""
        yield from _function_lines(function)
    for routine in program.routines.values():
        yield ""
        yield f"routine {routine.name}"
        yield from _statement_lines(routine.body, names, 1)


def _function_lines(function: Function) -> Iterator[str]:
    inputs = ", ".join(map(_declared, function.inputs))
    outputs = ", ".join(map(_declared, function.outputs))
    yield f"function {function.name}({inputs}) -> ({outputs})"
    yield from _statement_lines(function.body, {}, 1)


def _declared(symbol: Symbol) -> str:
    return symbol.name + (f"[{', '.join(map(str, symbol.shape))}]" if symbol.shape else "")


def _indexed(local: Symbol, indices: tuple[Expr, ...]) -> str:
    return local.name + (f"[{', '.join(map(show, indices))}]" if indices else "")


def _statement_lines(body: tuple[Statement, ...], names: dict[int, str], depth: int) -> Iterator[str]:
    indent = "  " * depth
    for s in body:
        match s:
            case Store(slot, value):
                yield f"{indent}{names.get(slot, f'memory[{slot}]')} := {show(value)}"
            case Assign(local, value, indices):
                yield f"{indent}{_indexed(local, indices)} := {show(value)}"
            case Fill(local, value):
                yield f"{indent}{local.name}[:] := {show(value)}"
            case If(branches, otherwise):
                word = "if"
                for condition, inner in branches:
                    yield f"{indent}{word} {show(condition)} then"
                    yield from _statement_lines(inner, names, depth + 1)
                    word = "elseif"
                if otherwise:
                    yield f"{indent}else"
                    yield from _statement_lines(otherwise, names, depth + 1)
                yield f"{indent}end if"
            case For(index, start, step, stop, inner):
                by = "" if step.op is Op.CONST and step.data == 1 else f"{show(step)}:"
                yield f"{indent}for {index.name} in {show(start)}:{by}{show(stop)} loop"
                yield from _statement_lines(inner, names, depth + 1)
                yield f"{indent}end for"
            case Each(count, places, inner):
                slots = ", ".join(f"{symbol.name} = {own[0]}, ..., {own[-1]}" for symbol, own in places)
                yield f"{indent}for each of {count}: {slots} loop"
                yield from _statement_lines(inner, names, depth + 1)
                yield f"{indent}end for"
            case While(condition, inner):
                yield f"{indent}while {show(condition)} loop"
                yield from _statement_lines(inner, names, depth + 1)
                yield f"{indent}end while"
            case Break():
                yield f"{indent}break"
            case Return():
                yield f"{indent}return"
            case CallFunction(targets, function, args):
                left = ", ".join("" if t is None else t.name for t in targets)
                yield f"{indent}({left}) := {function.name}({', '.join(map(show, args))})"
            case SolveLinear(matrix, right, status):
                a, b = matrix.name, right.name
                failure = f"fail with {status}" if isinstance(status, int) else f"set {status.name}"
                yield f"{indent}{b} := solution x of {a} * x = {b}, or {failure}"
            case Invoke(name):
                yield f"{indent}{name}()"
            case Attempt(inner, status):
                yield f"{indent}attempt"
                yield from _statement_lines(inner, names, depth + 1)
                yield f"{indent}end attempt, or set {status.name}"
            case Fail(status):
                yield f"{indent}fail with {status.name if isinstance(status, Symbol) else status}"
