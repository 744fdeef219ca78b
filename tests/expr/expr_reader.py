"""A tiny reader of Modelica expression text that computes as it reads: a recursive descent over the grammar
of Modelica 3.6, written without looking at the printer it checks. Unary signs are accepted only where that
grammar has them, `^` only between primaries."""

from __future__ import annotations

import math
import re
from typing import Any

TOKEN = re.compile(r"\s*(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|<=|>=|==|<>|[-+*/^()<>,])")
FUNCTIONS = {
    **{name: getattr(math, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2")},
    **{name: getattr(math, name) for name in ("sinh", "cosh", "tanh", "exp", "log", "log10", "sqrt")},
    "abs": abs,
    "min": min,
    "max": max,
    "noEvent": lambda v: v,
    "smooth": lambda _, v: v,
}
COMPARE = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
}


class Reader:
    """Reads one text. Errors of arithmetic become NaN: the branch may not be taken."""

    def __init__(self, text: str, values: dict[str, Any]) -> None:
        self.tokens = TOKEN.findall(text)
        assert "".join(self.tokens) == re.sub(r"\s", "", text), text
        self.at = 0
        self.values = values

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        token = self.peek()
        if wanted:
            assert token in wanted, (token, wanted)
        self.at += 1
        return token

    def read(self) -> Any:
        value = self.expression()
        assert self.peek() == "", self.tokens[self.at :]
        return value

    def expression(self) -> Any:
        if self.peek() != "if":
            return self.disjunction()
        self.take("if")
        chosen, found = None, False
        while True:
            condition = self.expression()
            self.take("then")
            value = self.expression()
            if condition and not found:
                chosen, found = value, True
            if self.take("elseif", "else") == "else":
                break
        value = self.expression()
        return chosen if found else value

    def disjunction(self) -> Any:
        value = self.conjunction()
        while self.peek() == "or":
            self.take()
            other = self.conjunction()
            value = value or other
        return value

    def conjunction(self) -> Any:
        value = self.negation()
        while self.peek() == "and":
            self.take()
            other = self.negation()
            value = value and other
        return value

    def negation(self) -> Any:
        if self.peek() == "not":
            self.take()
            return not self.relation()
        return self.relation()

    def relation(self) -> Any:
        value = self.sum()
        if self.peek() in COMPARE:
            return COMPARE[self.take()](value, self.sum())
        return value

    def sum(self) -> Any:
        sign = self.take() if self.peek() in ("+", "-") else "+"
        value = self.term()
        if sign == "-":
            value = -value
        while self.peek() in ("+", "-"):
            operator = self.take()
            other = self.term()
            value = value + other if operator == "+" else value - other
        return value

    def term(self) -> Any:
        value = self.factor()
        while self.peek() in ("*", "/"):
            operator = self.take()
            other = self.factor()
            if operator == "*":
                value = value * other
            else:
                value = value / other if other else math.nan
        return value

    def factor(self) -> Any:
        value = self.primary()
        if self.peek() == "^":
            self.take()
            value = guarded(math.pow, value, self.primary())
        return value

    def primary(self) -> Any:
        token = self.take()
        if token == "(":
            value = self.expression()
            self.take(")")
            return value
        if token[0].isdigit():
            return float(token) if re.search("[.eE]", token) else int(token)
        if token in ("true", "false"):
            return token == "true"
        if self.peek() != "(":
            return self.values[token]
        self.take("(")
        args = [self.expression()]
        while self.take(",", ")") == ",":
            args.append(self.expression())
        return guarded(FUNCTIONS[token], *args)


def guarded(function: Any, *args: Any) -> Any:
    try:
        return function(*args)
    except (ArithmeticError, ValueError):
        return math.nan


def read_value(text: str, values: dict[str, Any]) -> Any:
    """The value of Modelica text where names have the given values."""
    return Reader(text, values).read()
