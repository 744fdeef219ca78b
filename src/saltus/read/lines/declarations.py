"""Statements that languages of automata have in common: what they declare, and equations.

parameter Integer n = 3
signal u = if full >= 1 then 0 else 1
memory level = 0
continuous h = 0.5
variable f
input Real q
equation der(h) = q - u
part Saltus.Blocks.Gain gain(k = 2)
connect gain.y, tank.u
experiment stop = 10
"""

from __future__ import annotations

from collections.abc import Sequence

from saltus.core.diagnostics import Diagnostic
from saltus.core.nearest import did_you_mean
from saltus.core.source import Span
from saltus.ir import ast
from saltus.ir.automata.automaton import Action
from saltus.ir.automata.lines import (
    Connection,
    Continuous,
    Declared,
    Equation,
    Experiment,
    Input,
    Memory,
    Parameter,
    Part,
    Signal,
    Variable,
)
from saltus.read.lines.statement import Statement
from saltus.read.modelica.lexer import END_OF_TEXT, NAME
from saltus.read.modelica.token_stream import Fault

#: The words with which such statements begin.
DECLARING = (
    "parameter",
    "signal",
    "memory",
    "continuous",
    "variable",
    "input",
    "equation",
    "part",
    "connect",
    "experiment",
)
TYPES = ("Real", "Integer", "Boolean")


class DeclaringStatement(Statement):
    """A statement of a language that has these."""

    def declared(self) -> Declared | None:
        """What the statement declares; None if it is of another kind."""
        word, kind = self.texts[0], self.kinds[0]
        self.at = 1
        if kind == "parameter":
            return self._typed(Parameter, "the parameter")
        if kind == "equation":
            return self._equation()
        if kind == "input":
            return self._input()
        if kind == "connect":
            return self._connection()
        if kind == NAME and self.kinds[1] != "=":
            match word:
                case "signal":
                    return self._typed(Signal, "the signal")
                case "memory":
                    return self._typed(Memory, "the memory")
                case "continuous":
                    return self._continuous()
                case "variable":
                    return self._variable()
                case "part":
                    return self._part()
                case "experiment":
                    return Experiment(self.starts[0], self.ends[-1], self.arguments(END_OF_TEXT))
        self.at = 0
        return None

    def actions(self) -> tuple[Action, ...]:
        """`then x = 1, y = x + 2`, if it stands here."""
        found: list[Action] = []
        if self.kinds[self.at] == "then":
            while not found or self.kinds[self.at] == ",":
                self.at += 1
                found.append(self.action())
        return tuple(found)

    def action(self) -> Action:
        """`x = 1`"""
        begin = self.at
        target = self.reference("what is set")
        if self.kinds[self.at] != "=":
            self.unexpected("`=`", hint=f"write `{target.text} = VALUE`")
        self.at += 1
        value = self.expression()
        return Action(self.starts[begin], value.end, target, value)

    def condition(self) -> tuple[ast.Expression | None, bool]:
        """`when x > 1`, or `at x > 1`"""
        if self.kinds[self.at] == "when":
            self.at += 1
            return self.expression(), False
        if self.kinds[self.at] == NAME and self.texts[self.at] == "at":
            self.at += 1
            return self.expression(), True
        if self.kinds[self.at] == "if":
            self.unexpected("`when`", hint="a condition is written `when x > 1`")
        return None, False

    def values(self, names: Sequence[str], what: str) -> dict[str, ast.Expression]:
        """`(name = value, ...)`, if it stands here: arguments that are known, each given once."""
        found: dict[str, ast.Expression] = {}
        for argument in self.bracketed():
            place = Span(self.source, argument.start, argument.start + len(argument.name))
            if argument.name not in names:
                known = " and ".join(f"`{n}`" for n in names)
                hint = did_you_mean(argument.name, names) or f"{what} has {known}"
                raise Fault(Diagnostic("E207", f"{what} has no `{argument.name}`", place, hint=hint))
            if argument.name in found:
                message = f"`{argument.name}` is given twice"
                raise Fault(Diagnostic("E202", message, place, hint="leave one of them"))
            found[argument.name] = argument.value
        return found

    def priority(self) -> int:
        """`(priority = 2)`, if it stands here."""
        return self.priority_of(self.values(("priority",), "a transition").get("priority"))

    def priority_of(self, value: ast.Expression | None) -> int:
        """A priority as a number; 1, if nothing is said."""
        match value:
            case None:
                return 1
            case ast.Number(value=int() as number):
                return number
            case ast.Unary(operator="-", operand=ast.Number(value=int() as number)):
                return -number
        span = Span(self.source, value.start, value.end)
        hint = "the smaller number goes first: `priority = 1`"
        raise Fault(Diagnostic("E207", "a priority is a whole number", span, hint=hint))

    def _typed(self, node: type[Parameter | Signal | Memory], what: str) -> Parameter | Signal | Memory:
        type_name = ""
        if self.kinds[self.at] == NAME and self.kinds[self.at + 1] == NAME:
            if self.texts[self.at] not in TYPES:
                self.fail(
                    f"`{self.texts[self.at]}` is no type that {what} can have",
                    hint="write Real, Integer, Boolean, or nothing",
                )
            type_name = self.texts[self.at]
            self.at += 1
        name = self.name(what)
        if self.kinds[self.at] != "=":
            self.unexpected("`=`", hint=f"write `{self.texts[0]} {name} = VALUE`")
        self.at += 1
        value = self.expression()
        return node(self.starts[0], self.ends[-1], name, value, self.description_string(), type_name)

    def _continuous(self) -> Continuous:
        name = self.name("the variable")
        if self.kinds[self.at] != "=":
            self.unexpected("`=`", hint=f"write `continuous {name} = VALUE`, where it begins")
        self.at += 1
        value = self.expression()
        return Continuous(self.starts[0], self.ends[-1], name, value, self.description_string())

    def _variable(self) -> Variable:
        type_name = ""
        if self.kinds[2] == NAME and self.texts[1] in TYPES:
            type_name = self.texts[1]
            self.at = 2
        name = self.name("the variable")
        if self.kinds[self.at] == "=":
            self.unexpected("the end of the statement", hint=f"write `signal {name} = VALUE`")
        return Variable(self.starts[0], self.ends[-1], name, type_name, self.description_string())

    def _input(self) -> Input:
        if self.kinds[1] != NAME or self.texts[1] not in TYPES:
            hint = " or ".join(f"`input {name} NAME`" for name in TYPES)
            self.unexpected("a type", hint=f"write {hint}")
        self.at = 2
        name = self.name("the input")
        return Input(self.starts[0], self.ends[-1], name, self.texts[1], self.description_string())

    def _equation(self) -> Equation:
        left = self.simple_expression()
        if self.kinds[self.at] != "=":
            self.unexpected("`=`", hint="an equation is written `equation a = b`")
        self.at += 1
        right = self.expression()
        return Equation(self.starts[0], self.ends[-1], left, right, self.description_string())

    def _part(self) -> Part:
        type_name = self.type_name()
        name = self.name("the part")
        arguments = self.bracketed()
        return Part(self.starts[0], self.ends[-1], type_name, name, arguments, self.description_string())

    def _connection(self) -> Connection:
        opened = self.at if self.kinds[self.at] == "(" else None
        self.at += opened is not None
        left = self.reference("a connector")
        self.expect(",")
        right: ast.Reference = self.reference("a connector")
        if opened is not None:
            self.close(")", opened)
        return Connection(self.starts[0], self.ends[-1], left, right)
