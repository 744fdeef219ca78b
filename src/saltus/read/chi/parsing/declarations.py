"""Declarations of processes: parameters, variables, channels, models of other languages."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from saltus.core.diagnostics import Diagnostic, Note
from saltus.core.nearest import did_you_mean
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.read.chi.names import (
    BOOLEAN,
    CHANNEL,
    CONSTANT,
    CONTINUOUS,
    DISCRETE,
    INTEGER,
    LITERAL,
    PARAMETER,
    PART,
    REAL,
    RECEIVE,
    SEND,
    VOID,
    Declared,
    plain,
    safe,
)
from saltus.read.chi.parsing.statements import StatementParser
from saltus.read.chi.parsing.tokens import CHANNEL_SIGNS, UNIT
from saltus.read.chi.syntax import Part, Variable
from saltus.read.modelica.lexer import NAME, Tokens
from saltus.read.modelica.token_stream import Fault

_TYPES = {"real": REAL, "int": INTEGER, "nat": INTEGER, "bool": BOOLEAN}
_OTHER_TYPES = {
    "string": "there are no strings",
    "char": "there are no strings",
    "float": "write `real`",
    "double": "write `real`",
    "Real": "write `real`, or a unit for a continuous variable: `x : [m]`",
    "Integer": "write `int`",
    "Boolean": "write `bool`",
    "boolean": "write `bool`",
    "integer": "write `int`",
    "natural": "write `nat`",
}


class DeclarationParser(StatementParser):
    """Reads declarations."""

    def __init__(self, source: Source, tokens: Tokens) -> None:
        super().__init__(source, tokens)
        #: Models of other languages in the process that is read.
        self.parts: list[Part] = []

    def parameters(self) -> list[Variable]:
        """`(a, b : real)`, or nothing."""
        found: list[Variable] = []
        opener = self.at
        if self.kinds[opener] == "(":
            self.at += 1
            if self.kinds[self.at] != ")":
                found = self.declarations(PARAMETER, "a parameter")
            self.closing(")", opener)
        return found

    def declarations(self, kind: str, what: str) -> list[Variable]:
        """`a, b : real, c : [m]`"""
        found = self.declaration(kind, what)
        while self.kinds[self.at] == ",":
            self.at += 1
            found += self.declaration(kind, what)
        return found

    def declaration(self, kind: str, what: str) -> list[Variable]:
        places = [self.at]
        self._name(what, self.at)
        while self.kinds[self.at] == ",":
            self.at += 1
            places.append(self.at)
            self._name(what, self.at)
        if self.kinds[self.at] != ":":
            names = ", ".join(self.texts[at] for at in places)
            self.unexpected("`:`", hint=f"write the type or the unit: `{names} : real`, `{names} : [m]`")
        self.at += 1
        if kind == CONTINUOUS and self._at_class():
            self._parts(places)
            return []
        meant = self._type(kind)
        if self.kinds[self.at] == "*":
            hint = "keep what is needed in variables, or send it on through a channel"
            self.fail_with("E204", "lists are not supported", self.at, hint)
        return [self._declared(at, meant) for at in places]

    def _at_class(self) -> bool:
        """Whether the name of a class stands here: it has dots in it, or begins with a capital letter."""
        at = self.at
        if self.kinds[at] != NAME or self.texts[at] in _OTHER_TYPES:
            return False
        return self.kinds[at + 1] == "." or self.texts[at][0].isupper()

    def _parts(self, places: list[int]) -> None:
        """`plant : Package.Tank(A = 2)`"""
        at = self.at
        names = [self._name("a class", at)]
        while self.kinds[self.at] == ".":
            self.at += 1
            names.append(self._name("a class", self.at))
        class_name = ast.Reference(self.starts[at], self.ends[self.at - 1], tuple((n, ()) for n in names))
        arguments = self.arguments()
        for name, _, place in arguments:
            if not name:
                span = Span(self.source, *place)
                hint = f"write `{'.'.join(names)}(name = value)`"
                raise Fault(Diagnostic("E212", "a class has parameters by name", span, hint=hint))
        for where in places:
            declared = self._declared(where, Declared("", PART)).declared
            self.parts.append(Part(*declared.place, declared.name, class_name, arguments))

    def _type(self, kind: str) -> Declared:
        """What a declared name is, without the name."""
        at = self.at
        if self.kinds[at] in CHANNEL_SIGNS:
            return self._channel_type(kind)
        if kind == CHANNEL:
            self.unexpected("`-`", hint="a channel is declared `c : -real`, `c : -void` or `c : -[m]`")
        if self.kinds[at] == UNIT:
            if kind == PARAMETER:
                self.fail(
                    "a parameter that is continuous comes from another process, or goes to one",
                    hint=f"write `?{self.texts[at]}` or `!{self.texts[at]}`; a constant is a `real`",
                )
            return Declared("", kind, REAL, self._unit())
        discrete = DISCRETE if kind == CONTINUOUS else kind
        if self.kinds[at] == "{":
            return self._enumeration(discrete)
        if self.kinds[at] == NAME and self.texts[at] in _TYPES:
            self.at += 1
            return Declared("", discrete, _TYPES[self.texts[at]])
        return self._no_type()

    def _unit(self) -> str:
        unit = self.texts[self.at][1:-1].strip()
        self.at += 1
        return "1" if unit in ("-", "") else unit

    def _channel_type(self, kind: str) -> Declared:
        """`!real`, `?[m]`, `-void`"""
        at = self.at
        sign = self.kinds[at]
        if (sign == "-") != (kind == CHANNEL) or kind not in (PARAMETER, CHANNEL):
            where = {"-": "in systems", "!": "among the parameters of processes"}
            message = f"`{sign}` stands {where.get(sign, where['!'])}"
            hint = "a system declares `c : -real`, its processes have parameters `a : !real` and `a : ?real`"
            self.fail(message, hint=hint)
        self.at += 1
        if self.kinds[self.at] == UNIT:
            if kind == CHANNEL:
                return Declared("", CHANNEL, REAL, self._unit(), causality="continuous")
            causality = "input" if sign == "?" else "output"
            return Declared("", CONTINUOUS, REAL, self._unit(), causality=causality)
        ends = {"!": SEND, "?": RECEIVE, "-": CHANNEL}
        if self.kinds[self.at] == NAME and self.texts[self.at] == VOID:
            self.at += 1
            return Declared("", ends[sign], VOID)
        if self.kinds[self.at] == "{":
            return replace(self._enumeration(DISCRETE), kind=ends[sign])
        if self.kinds[self.at] == NAME and self.texts[self.at] in _TYPES:
            self.at += 1
            return Declared("", ends[sign], _TYPES[self.texts[self.at - 1]])
        return self._no_type()

    def _no_type(self) -> NoReturn:
        word = self.texts[self.at] if self.kinds[self.at] == NAME else ""
        near = did_you_mean(word, _TYPES) if word else None
        hint = (
            "types are `real`, `int`, `nat`, `bool`, `{A, B}`; a unit in brackets makes a continuous variable"
        )
        self.unexpected("a type or a unit", hint=_OTHER_TYPES.get(word) or near or hint)

    def _enumeration(self, kind: str) -> Declared:
        opener = self.at
        self.at += 1
        places = [self.at]
        self._name("a value", self.at)
        while self.kinds[self.at] == ",":
            self.at += 1
            places.append(self.at)
            self._name("a value", self.at)
        self.closing("}", opener)
        names = tuple(safe(plain(self.texts[at])) for at in places)
        type_name = f"'{{{', '.join(names)}}}'"
        for at, name in zip(places, names, strict=True):
            before = self.known.get(plain(self.texts[at]))
            if before is not None and (before.kind != LITERAL or before.type != type_name):
                self._twice(at, before)
            place = (self.starts[at], self.ends[at])
            self.known[plain(self.texts[at])] = Declared(name, LITERAL, type_name, place=place)
        if len(set(names)) < len(names):
            self.fail("a value stands twice in this list", index=opener)
        return Declared("", kind, type_name, literals=names)

    def _declared(self, at: int, meant: Declared) -> Variable:
        word = self.texts[at]
        name = plain(word)
        before = self.known.get(name)
        if before is not None and before.place != (0, 0) and before.kind != CONSTANT:
            self._twice(at, before)
        place = (self.starts[at], self.ends[at])
        declared = replace(meant, name=safe(name), place=place)
        self.known[name] = declared
        return Variable(*place, declared)

    def _twice(self, at: int, before: Declared) -> None:
        note = Note("it is declared here", Span(self.source, *before.place))
        message = f"`{self.texts[at]}` is declared twice"
        hint = "Greek letters and their names are one: `μ` is `mu`"
        plain_text = self.texts[at] == plain(self.texts[at])
        other = self.source.text[slice(*before.place)]
        hint = hint if not plain_text or other != self.texts[at] else "rename one of the two"
        raise Fault(Diagnostic("E202", message, self.token_span(at), (note,), hint))

    def arguments(self) -> tuple[tuple[str, ast.Expression, ast.Offsets], ...]:
        """`(a, x = 2)`, or nothing."""
        found: list[tuple[str, ast.Expression, ast.Offsets]] = []
        opener = self.at
        if self.kinds[opener] == "(":
            self.at += 1
            while self.kinds[self.at] != ")":
                found.append(self._argument())
                if self.kinds[self.at] != ",":
                    break
                self.at += 1
            self.closing(")", opener)
        return tuple(found)

    def _argument(self) -> tuple[str, ast.Expression, ast.Offsets]:
        """`A = 1`, or a value in the place of its parameter."""
        at = self.at
        name = ""
        if self.kinds[at] == NAME and self.kinds[at + 1] == "=":
            name = plain(self.texts[at])
            self.at += 2
        self.channels_have_names = True
        try:
            value = self.condition()
        finally:
            self.channels_have_names = False
        return name, value, (self.starts[at], self.ends[at])
