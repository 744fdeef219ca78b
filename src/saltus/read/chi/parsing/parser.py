"""Tokens to processes: recursive descent.

A process stands in `|[ ... ]|`, also written `[[ ... ]]` and `|| ... ||`. Its parts are separated by `|`,
which is also the sign of an absolute value: a `|` where an operand is expected is one of those.

A definition with a fault is left out, and the next one is read, so that one run tells the faults of all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn, TypeVar

from saltus.core.diagnostics import Diagnostic, ModelError, Note
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
from saltus.read.chi.parsing.statements import ALTERNATIVES, DEFINITIONS, StatementParser
from saltus.read.chi.parsing.tokens import CHANNEL_SIGNS, UNIT, tokens_of
from saltus.read.chi.syntax import (
    Assignment,
    Constant,
    ContinuousItem,
    Definition,
    Equation,
    GuardedEquations,
    Instance,
    Part,
    Process,
    Statement,
    System,
    Text,
    Variable,
)
from saltus.read.modelica.lexer import END_OF_TEXT, MAXIMUM_OF_ERRORS, NAME
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
Read = TypeVar("Read")


def parse(source: Source) -> Text:
    """What a text defines. Raises `ModelError` with all faults."""
    return _Parser(source).text()


class _Parser(StatementParser):
    def __init__(self, source: Source) -> None:
        super().__init__(source, tokens_of(source))
        self.parts: list[Part] = []

    # ------------------------------------------------------------ definitions

    def text(self) -> Text:
        """All of the text."""
        found: list[Definition] = []
        self._foresee_constants()
        while self.kinds[self.at] != END_OF_TEXT:
            definition = self._guarded(self._definition)
            if definition is not None:
                found.append(definition)
            while self.kinds[self.at] == ";":
                self.at += 1
        if self.errors:
            raise ModelError(self.errors[:MAXIMUM_OF_ERRORS])
        if not found:
            hint = "a process is `proc name(parameters) = |[ ... ]|`"
            place = Span(self.source, 0, 0)
            raise ModelError(Diagnostic("E209", "this file defines no process", place, hint=hint))
        return Text(tuple(found))

    def _foresee_constants(self) -> None:
        """Constants are known in all of the text, wherever they stand."""
        for at, kind in enumerate(self.kinds):
            if kind == "const":
                self.at = at + 1
                try:
                    self._declaration(CONSTANT, "a constant")
                except Fault:
                    continue  # it is told where it is read
        self.at = 0

    def _guarded(self, work: Callable[[], Read]) -> Read | None:
        """What is read; after a fault, nothing, and the next definition is what comes next."""
        at, known = self.at, dict(self.known)
        try:
            return work()
        except Fault as fault:
            self.complain(fault.diagnostic)
        self.known = known
        self.at = max(self.at, at + 1)
        while self.kinds[self.at] not in (*DEFINITIONS, END_OF_TEXT):
            self.at += 1
        return None

    def _definition(self) -> Definition:
        match self.kinds[self.at]:
            case "proc":
                with self.scope():
                    return self._process()
            case "xper" | "syst":
                with self.scope():
                    return self._system()
            case "const":
                return self._constant()
        return self._no_definition()

    def _no_definition(self) -> NoReturn:
        word = self.texts[self.at]
        hint = "a file holds processes: `proc name(parameters) = |[ ... ]|`"
        if word in ("model", "package", "class", "block", "function", "within"):
            hint = "this is Modelica: let the name of the file end with .mo"
        near = did_you_mean(word, sorted(DEFINITIONS)) if self.kinds[self.at] == NAME else None
        message = f"expected `proc`, `const`, `syst` or `xper`, found {self.show(self.at)}"
        self.fail(message, hint=near or hint)

    def _constant(self) -> Constant:
        start = self.at
        self.at += 1
        known = self.known.get(plain(self.texts[self.at]))
        if known is not None and known.kind == CONSTANT and known.place[0] > self.starts[self.at]:
            span = Span(self.source, *known.place)
            note = Note("it is defined here", self.token_span(self.at))
            raise Fault(Diagnostic("E202", f"`{known.name}` is defined twice", span, (note,)))
        variable = self._declaration(CONSTANT, "a constant")[0]
        self.expect("=")
        value = self.sum()
        return Constant(self.starts[start], value.end, variable, value)

    def _heading(self, what: str) -> tuple[int, str]:
        start = self.at
        self.at += 1
        at = self.at
        return start, safe(plain(self._name(what, at)))

    def _process(self) -> Process:
        start, name = self._heading("the process")
        self.parts = []
        parameters = self._parameters()
        self.expect("=")
        opener = self.open_body()
        variables: list[Variable] = []
        initial: list[Assignment] = []
        if self.kinds[self.at] == NAME and self.kinds[self.at + 1] in (":", ","):
            variables = self._declarations(CONTINUOUS, "a variable")
            while self.kinds[self.at] == ";" and not self.at_end():
                self.at += 1
                initial.append(self.assignment())
            if not self.at_end():
                self._bar("behind the declarations and the initialization")
        elif self.kinds[self.at] == "|":
            self.at += 1
        equations: list[ContinuousItem] = []
        statements: tuple[Statement, ...] = ()
        if not self.at_end() and not self.has_statements():
            equations = [] if self.kinds[self.at] == "|" else self._equations()
            if not self.at_end():
                self._bar("between equations and statements")
        if not self.at_end():
            statements = self.statements()
        end = self.close_body(opener)
        place = self.starts[start]
        return Process(
            place,
            end,
            name,
            tuple(parameters),
            tuple(variables),
            tuple(initial),
            tuple(equations),
            statements,
            tuple(self.parts),
        )

    def _parameters(self) -> list[Variable]:
        """`(a, b : real)`, or nothing."""
        found: list[Variable] = []
        opener = self.at
        if self.kinds[opener] == "(":
            self.at += 1
            if self.kinds[self.at] != ")":
                found = self._declarations(PARAMETER, "a parameter")
            self.closing(")", opener)
        return found

    def _bar(self, where: str) -> None:
        if self.kinds[self.at] != "|":
            self.unexpected("`|`", hint=self._instead_of_bar() or f"a `|` stands {where}")
        self.at += 1

    def open_body(self) -> int:
        """Takes `|[`, `[[` or `||`; returns the index."""
        at, kinds = self.at, self.kinds
        if kinds[at] in ("||", "[["):
            self.at += 1
        elif kinds[at] in ("|", "[") and kinds[at + 1] == "[":
            self.at += 2
        else:
            self.unexpected("`|[`", hint="a process stands between `|[` and `]|`")
        return at

    def at_end(self) -> bool:
        """Whether the body ends here."""
        kinds, at = self.kinds, self.at
        return kinds[at] in ("]]", END_OF_TEXT) or (kinds[at] == "]" and kinds[at + 1] in ("|", "]")) or (
            kinds[at] == "||" and kinds[at + 1] in (*DEFINITIONS, END_OF_TEXT, ";")
        )  # fmt: skip

    def close_body(self, opener: int) -> int:
        """Takes `]|`, `]]` or `||`; returns where it ends."""
        kinds = self.kinds
        if not self.at_end() or kinds[self.at] == END_OF_TEXT:
            note = Note("the body begins here", self.token_span(opener))
            self.unexpected("`]|`", notes=(note,), hint=self._instead_of_end())
        self.at += 1 if kinds[self.at] in ("]]", "||") else 2
        return self.ends[self.at - 1]

    def _instead_of_bar(self) -> str | None:
        kind = self.kinds[self.at]
        if kind == "=":
            return "an equation has one `=`; the next one begins behind a `,`"
        if kind == ";":
            return "equations are separated by `,`; statements stand behind a `|`"
        if kind in (":=", "::="):
            return "in an equation, write `=`; assignments are statements, behind a `|`"
        if kind == NAME:
            return f"write `,` or an operator in front of {self.show(self.at)}"
        return None

    def _instead_of_end(self) -> str:
        kind = self.kinds[self.at]
        if kind == ",":
            return (
                "statements are separated by `;`; equations stand in front of them, behind a `|` of their own"
            )
        if kind == NAME:
            return f"write `;` or an operator in front of {self.show(self.at)}"
        return "a process ends with `]|`"

    # ------------------------------------------------------------ declarations

    def _declarations(self, kind: str, what: str) -> list[Variable]:
        """`a, b : real, c : [m]`"""
        found = self._declaration(kind, what)
        while self.kinds[self.at] == ",":
            self.at += 1
            found += self._declaration(kind, what)
        return found

    def _declaration(self, kind: str, what: str) -> list[Variable]:
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
        arguments = self._arguments()
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

    # ------------------------------------------------------------ equations

    def _equations(self) -> list[ContinuousItem]:
        found = [self._continuous()]
        while self.kinds[self.at] == ",":
            self.at += 1
            found.append(self._continuous())
        return found

    def _continuous(self) -> ContinuousItem:
        if self.kinds[self.at] == "[":
            return self._guarded_equations()
        start = self.at
        left = self.sum()
        kind = self.kinds[self.at]
        if kind not in ("=", "<-"):
            hints = {":=": "in an equation, write `=`; assignments are statements, behind a second `|`"}
            hints["::="] = hints[":="]
            self.unexpected("`=`", hint=hints.get(kind, "an equation is `left = right`"))
        self.at += 1
        if self.kinds[self.at] == "=":
            self.fail("an equation has one `=`", hint="write `left = right`")
        if kind == "<-" and self.kinds[self.at] == "[":
            return self._substitution(start, left)
        right = self.sum()
        if not self.is_continuous((left, right)):
            span = Span(self.source, self.starts[start], right.end)
            hint = "the value of a discrete variable is assigned: `n := 1`, behind the equations and a `|`"
            message = "an equation without a continuous variable"
            raise Fault(Diagnostic("E209", message, span, hint=hint))
        return Equation(self.starts[start], right.end, left, right)

    def _branches(self, read: Callable[[], Read]) -> tuple[list[tuple[ast.Expression, Read]], int]:
        """`[ b1 -> ... [] b2 -> ... ]`, and where it ends."""
        opener = self.at
        found: list[tuple[ast.Expression, Read]] = []
        while not found or self.kinds[self.at] in ALTERNATIVES:
            self.at += 1
            guard = self.condition()
            if self.kinds[self.at] != "->":
                self.unexpected("`->`", hint="an alternative is `guard -> equations`")
            self.at += 1
            found.append((guard, read()))
        self.closing("]", opener)
        return found, self.ends[self.at - 1]

    def _guarded_equations(self) -> GuardedEquations:
        start = self.at
        branches, end = self._branches(self._equations)
        return GuardedEquations(self.starts[start], end, tuple((g, tuple(e)) for g, e in branches))

    def _substitution(self, start: int, left: ast.Expression) -> GuardedEquations:
        """`x <- [ b1 -> e1 [] b2 -> e2 ]`. Which variables are substituted is found by sorting."""
        branches, end = self._branches(self.sum)
        items = tuple((guard, (Equation(left.start, value.end, left, value),)) for guard, value in branches)
        return GuardedEquations(self.starts[start], end, items)

    # ------------------------------------------------------------ systems

    def _system(self) -> System:
        start, name = self._heading("the system" if self.kinds[self.at] == "syst" else "the experiment")
        parameters = self._parameters()
        for variable in parameters:
            if variable.declared.kind != PARAMETER:
                message = f"`{variable.declared.name}` is no parameter"
                hint = "processes are connected inside of one system: its own parameters are numbers"
                span = Span(self.source, variable.start, variable.end)
                raise Fault(Diagnostic("E204", message, span, hint=hint))
        self.expect("=")
        opener = self.open_body()
        channels: list[Variable] = []
        if self.kinds[self.at] == NAME and (
            self.kinds[self.at + 1] == ","
            or (self.kinds[self.at + 1] == ":" and self.kinds[self.at + 2] != NAME)
        ):
            channels = self._declarations(CHANNEL, "a channel")
            self._bar("behind the channels")
        elif self.kinds[self.at] == "|":
            self.at += 1
        instances = [self._instance()]
        while self.kinds[self.at] == "||" and not self.at_end():
            self.at += 1
            instances.append(self._instance())
        end = self.close_body(opener)
        return System(self.starts[start], end, name, tuple(parameters), tuple(channels), tuple(instances))

    def _instance(self) -> Instance:
        """`P(a, x = 2)` or `label : P(a)`"""
        start = self.at
        label = ""
        if self.kinds[start] == NAME and self.kinds[start + 1] == ":":
            label = safe(plain(self.texts[start]))
            self.at += 2
        at = self.at
        name = safe(plain(self._name("a process", at)))
        arguments = self._arguments()
        place = (self.starts[at], self.ends[at])
        return Instance(self.starts[start], self.ends[self.at - 1], label, name, place, arguments)

    def _arguments(self) -> tuple[tuple[str, ast.Expression, ast.Offsets], ...]:
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
