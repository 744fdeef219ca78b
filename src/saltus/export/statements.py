"""Statements of a program as C, one by one: lines, and what has to be done before each of them."""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from saltus.export.names import Names, distinct, mangled
from saltus.export.values import Values
from saltus.expr.nodes import ZERO, Expr, Op, Symbol
from saltus.expr.traversal import leaves
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
    Return,
    SolveLinear,
    Statement,
    Store,
    While,
)

#: The width of lines.
WIDTH = 112


#: Words of C and of what is included, which no local may be called.
_WORDS = frozenset(
    {
        "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
        "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return",
        "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void",
        "volatile", "while", "status", "done", "k", "y0", "y1", "yn", "j0", "j1", "jn", "gamma", "lgamma",
        "exp", "log", "sin", "cos", "tan", "pow", "sqrt", "floor", "ceil", "fabs", "round", "trunc",
        "time", "main", "abs", "div", "index", "signal", "remainder", "fmin", "fmax", "fmod", "ldexp",
        "frexp", "modf", "hypot", "erf", "NAN", "INFINITY", "linux", "unix", "least", "greatest",
        "sign_of", "quotient", "modulo", "remainder_of", "solve_linear",
    }
)  # fmt: skip


def routine_name(name: str) -> str:
    """The name of a routine in C."""
    return f"do_{mangled(name)}"


def all_statements(body: Iterable[Statement]) -> Iterator[Statement]:
    """All statements, those inside of others, too."""
    for s in body:
        yield s
        yield from all_statements(_inside(s))


def _inside(s: Statement) -> tuple[Statement, ...]:
    match s:
        case If(branches, otherwise):
            return (*(inner for _, body in branches for inner in body), *otherwise)
        case For(_, _, _, _, body) | While(_, body) | Each(_, _, body) | Attempt(body, _):
            return body
        case _:
            return ()


def expressions_in(s: Statement) -> tuple[Expr, ...]:
    match s:
        case Store(_, value) | Fill(_, value):
            return (value,)
        case Assign(_, value, indices):
            return (value, *indices)
        case If(branches):
            return tuple(condition for condition, _ in branches)
        case For(_, start, step, stop):
            return (start, step, stop)
        case While(condition):
            return (condition,)
        case CallFunction(_, _, args):
            return args
        case Invoke(_, unless) if unless is not None:
            return (unless,)
        case _:
            return ()


class Statements:
    """Prints the statements of one routine or function."""

    def __init__(self, names: Names, functions: Mapping[Function, str], *, in_function: bool = False) -> None:
        self._values = Values(names, in_function=in_function)
        self._names, self._functions, self._in_function = names, functions, in_function
        self._taken = {"m", "depth"}
        self._lines: list[str] = []
        self._indent = 1
        self._once: set[Symbol] = set()  # locals that are declared where they get their value
        self._unread: set[Symbol] = set()
        self._attempts: list[tuple[str, Symbol]] = []
        self._returns = False

    def _named(self, symbol: Symbol) -> str:
        plain = mangled(symbol.name)
        name = distinct(f"{plain}_" if plain in _WORDS else plain, self._taken)
        self._values.local[symbol] = name
        return name

    def _declarations(self, symbols: Iterable[Symbol]) -> list[str]:
        lines: list[str] = []
        scalars: list[str] = []
        for symbol in symbols:
            name = self._named(symbol)
            if symbol.shape:
                lines.append(f"double {name}[{max(1, math.prod(symbol.shape))}] = {{0.0}};")
            elif symbol not in self._once and symbol not in self._unread:
                scalars.append(f"{name} = 0.0")
        return [*lines, *([f"double {', '.join(scalars)};"] if scalars else [])]

    # ------------------------------------------------------------ lines

    def _wrapped(self, text: str) -> str:
        start = "    " * self._indent
        return textwrap.fill(
            text, WIDTH, initial_indent=start, subsequent_indent=start + "    ", break_long_words=False,
            break_on_hyphens=False,
        )  # fmt: skip

    def _line(self, text: str) -> None:
        self._lines.append(self._wrapped(text))

    def _fail(self, status: str) -> str:
        """What leaves the routine, or the innermost attempt."""
        if not self._attempts:
            return f"return {status};"
        label, symbol = self._attempts[-1]
        return f"{{ {self._values.local[symbol]} = {status}; goto {label}; }}"

    def _checked(self) -> None:
        """The checks of the subscripts in what was printed last."""
        for check in self._values.take_checks():
            self._line(check + self._fail("FUNCTION_FAILED"))

    def _share(self, *expressions: Expr) -> None:
        """What several of the expressions of a statement need is computed before it."""

        def add(line: str) -> None:
            self._line(line if line.startswith("const ") else line + self._fail("FUNCTION_FAILED"))

        self._values.share(expressions, lambda: distinct("shared", self._taken), add)

    def _value(self, e: Expr) -> str:
        self._share(e)
        text = self._values.value(e)
        self._checked()
        return text

    def _truth(self, e: Expr) -> str:
        self._share(e)
        text = self._values.truth(e)
        self._checked()
        return text

    # ------------------------------------------------------------ statements

    def _block(self, body: Iterable[Statement]) -> None:
        for s in body:
            self._statement(s)

    def _suite(self, body: Iterable[Statement]) -> None:
        self._indent += 1
        self._block(body)
        self._indent -= 1

    def _statement(self, s: Statement) -> None:
        match s:
            case Store(slot, value):
                self._line(f"m[{self._names[slot]}] = {self._value(value)};")
            case Assign(local, value, indices):
                self._assign(local, value, indices)
            case Fill(local, value):
                text, name = self._value(value), self._values.local[local]
                extent = math.prod(local.shape)
                if text == "0.0":
                    self._line(f"memset({name}, 0, {extent} * sizeof *{name});")
                else:
                    self._line(f"for (int k = 0; k < {extent}; k++) {name}[k] = {text};")
            case If():
                self._if(s.branches, s.otherwise)
            case For():
                self._for(s)
            case While(condition, body):
                self._line("for (;;) {")
                self._indent += 1
                if condition.op is not Op.CONST:
                    self._line(f"if (!({self._truth(condition)})) break;")
                self._block(body)
                self._indent -= 1
                self._line("}")
            case Each():
                self._each(s)
            case Break():
                self._line("break;")
            case Return():
                self._returns = True
                self._line("goto done;")
            case CallFunction():
                self._call(s)
            case SolveLinear(matrix, right, status):
                a, b = self._values.local[matrix], self._values.local[right]
                solved = f"solve_linear({a}, {b}, {right.shape[0]})"
                if isinstance(status, int):
                    self._line(f"if (!{solved}) {self._fail(str(status))}")
                else:
                    self._line(f"{self._values.local[status]} = !{solved};")
            case Invoke(routine, unless):
                self._line("{")
                self._line(f"    const int status = {routine_name(routine)}(m);")
                failed = "status" if unless is None else f"status && !({self._truth(unless)})"
                self._line(f"    if ({failed}) {self._fail('status')}")
                self._line("}")
            case Attempt(body, status):
                label = distinct("attempted", self._taken)
                self._line(f"{self._values.local[status]} = 0.0;")
                self._attempts.append((label, status))
                before = len(self._lines)
                self._block(body)
                self._attempts.pop()
                if any(f"goto {label};" in line for line in self._lines[before:]):
                    self._lines.append(f"{label}:;")
            case Fail(status) if isinstance(status, Symbol):
                self._line(self._fail(f"(int){self._values.local[status]}"))
            case Fail(status):
                self._line(self._fail("FUNCTION_FAILED" if status == FUNCTION_FAILED else str(status)))

    def _assign(self, local: Symbol, value: Expr, indices: Sequence[Expr]) -> None:
        name = self._values.local[local]
        if indices:
            self._share(value, *indices)
            text = self._values.value(value)
            element = self._values.element(local, tuple(indices))
            self._checked()
            self._line(f"{element} = {text};")
        elif local.shape:
            extent = math.prod(local.shape)
            if value.op is Op.ARRAY and all(a is ZERO for a in value.args):
                self._line(f"memset({name}, 0, {extent} * sizeof *{name});")
            elif extent:
                self._share(value)
                text = self._values.array(value)
                self._checked()
                self._line(f"memmove({name}, {text}, {extent} * sizeof *{name});")
        elif local in self._unread:
            self._value(value)  # for its checks
        elif local in self._once:
            self._line(f"const double {name} = {self._value(value)};")
        else:
            self._line(f"{name} = {self._value(value)};")

    def _if(
        self, branches: Sequence[tuple[Expr, tuple[Statement, ...]]], otherwise: Sequence[Statement]
    ) -> None:
        """Branches. Where a condition has checks of its own, they come before the `if`, inside of the `else`
        of those before it."""
        (condition, body), *others = branches
        if not body and not others:  # only what is otherwise
            self._line(f"if (!({self._truth(condition)})) {{")
            self._suite(otherwise)
            self._line("}")
            return
        self._line(f"if ({self._truth(condition)}) {{")
        self._suite(body)
        nested = 0
        for condition, body in others:
            kept, self._lines = self._lines, []
            self._indent += 1
            text = self._truth(condition)
            kept, self._lines = self._lines, kept
            if kept:  # what has to be done before the next condition
                self._line_of_else()
                self._lines += kept
                nested += 1
                self._line(f"if ({text}) {{")
            else:
                self._indent -= 1
                self._line(f"}} else if ({text}) {{")
            self._suite(body)
        if otherwise:
            self._line("} else {")
            self._suite(otherwise)
        self._line("}")
        for _ in range(nested):
            self._indent -= 1
            self._line("}")

    def _line_of_else(self) -> None:
        self._indent -= 1
        self._line("} else {")
        self._indent += 1

    def _for(self, s: For) -> None:
        """A loop. Its bounds are computed once. Where subscripts are known to be right counters are small,
        and whole numbers of C."""
        start, stop, step = (self._value(e) for e in (s.start, s.stop, s.step))
        name = self._named(s.index) if s.index not in self._values.local else self._values.local[s.index]
        single = s.step.op is Op.CONST and abs(s.step.data) == 1
        kind = "int" if self._values.trusted and single else "double"
        if kind == "int":
            start, stop = (_whole(e, text) for e, text in ((s.start, start), (s.stop, stop)))
            self._values.counters[s.index] = name
        begin = f"{kind} {name} = {start}"
        if s.stop.op is not Op.CONST:  # it may change inside
            last = distinct(f"last_{name}", self._taken)
            begin, stop = f"{begin}, {last} = {stop}", last
        if s.step.op is Op.CONST:
            within = f"{name} {'<=' if s.step.data > 0 else '>='} {stop}"
        else:
            within = f"({step} > 0.0) ? {name} <= {stop} : {name} >= {stop}"
        if single:
            advance = f"{name}{'++' if s.step.data > 0 else '--'}"
        else:
            advance = f"{name} -= {step[1:]}" if step.startswith("-") else f"{name} += {step}"
        self._line(f"for ({begin}; {within}; {advance}) {{")
        self._suite(s.body)
        self._line("}")
        self._values.counters.pop(s.index, None)

    def _each(self, s: Each) -> None:
        turn = distinct("turn", self._taken)
        self._line(f"for (int {turn} = 0; {turn} < {s.count}; {turn}++) {{")
        self._indent += 1
        within = list(all_statements(s.body))
        read = (leaf for inner in within for e in expressions_in(inner) for leaf in leaves(e))
        used = {leaf.data for leaf in read if leaf.op is Op.REF}
        used |= {inner.local for inner in within if isinstance(inner, Assign)}
        for symbol, slots in s.places:
            name = self._named(symbol)
            if symbol not in used:
                continue
            first, stride = self._names[slots[0]], slots[1] - slots[0] if len(slots) > 1 else 0
            if all(b - a == stride for a, b in itertools.pairwise(slots)):
                self._line(f"double *const {name} = m + {first} + {stride}*{turn};")
            else:
                table = distinct(f"places_{name}", self._taken)
                places = ", ".join(self._names[slot] for slot in slots)
                self._line(f"static const int {table}[{s.count}] = {{{places}}};")
                self._line(f"double *const {name} = m + {table}[{turn}];")
            self._values.local[symbol] = f"*{name}"
        self._block(s.body)
        self._indent -= 1
        self._line("}")

    def _call(self, s: CallFunction) -> None:
        self._line("{")
        self._indent += 1
        self._share(*s.args)
        arguments = ["depth + 1" if self._in_function else "0"]
        for symbol, e in zip(s.function.inputs, s.args, strict=True):
            arguments.append(self._values.array(e) if symbol.shape else self._values.value(e))
        self._checked()
        for k, (target, output) in enumerate(zip(s.targets, s.function.outputs, strict=True), 1):
            if target is None:
                extent = max(1, math.prod(output.shape))
                self._line(f"double unused{k}[{extent}];")
                arguments.append(f"unused{k}")
            else:
                arguments.append(f"{'' if target.shape else '&'}{self._values.local[target]}")
        self._line(f"const int status = {self._functions[s.function]}({', '.join(arguments)});")
        self._line(f"if (status) {self._fail('status')}")
        self._indent -= 1
        self._line("}")


def _whole(e: Expr, text: str) -> str:
    """A number as an int."""
    if e.op is Op.CONST:
        return str(int(e.data))
    return f"(int)({text})" if " " in text else f"(int){text}"
