"""Expressions of processes: tokens to expressions of Modelica.

    or < and < not < relation < sum < product with a sign < product by juxtaposition < power

Factors that stand side by side are a product of their own, which binds more strongly than `*` and `/`, and so
does the argument of a function without parentheses: `k√ρgh` is `k*sqrt(rho*g*h)`, `sin 0.25πτ` is
`sin(0.25*pi*tau)`. Since `a/bc` is read in two ways by people, it is refused. Relations may be chained:
`0 ≤ u ≤ 1`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from saltus.core.diagnostics import Diagnostic
from saltus.core.nearest import did_you_mean
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.read.chi.names import (
    BOOLEAN,
    CHANNEL,
    CONTINUOUS,
    INTEGER,
    LITERAL,
    PART,
    PREDEFINED,
    REAL,
    RECEIVE,
    SEND,
    TIME,
    Declared,
    factors,
    plain,
)
from saltus.read.chi.pieces import called, joined
from saltus.read.chi.types import FUNCTIONS, shown_type, type_of
from saltus.read.modelica.lexer import NAME, NUMBER, Tokens
from saltus.read.modelica.token_stream import Fault, TokenStream

_PI = ("Saltus", "Units", "pi")
_RELATIONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "==", "/=": "<>"}
#: Words of other languages, and what they are here.
MEANT = {
    "der": "a derivative is written `x'`",
    "time": "the time is `tau` or `τ`",
    "pre": "what was assigned last is the value of a discrete variable; there is no `pre`",
    "if": "a choice is a guarded command: `[ b -> S1 [] not b -> S2 ]`",
    "when": "wait with `nabla r`: `*[ nabla r; S ]`",
    "while": "a repetition is `*[ b -> S ]`",
    "log": "write `ln(x)`, or `log10(x)`",
}


class ExpressionParser(TokenStream):
    """Reads expressions of declared names."""

    def __init__(self, source: Source, tokens: Tokens) -> None:
        super().__init__(source, tokens)
        self.known: dict[str, Declared] = dict(PREDEFINED)
        self.channels_have_names = False  # where processes are given their channels

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is declared inside is forgotten behind it."""
        before = dict(self.known)
        try:
            yield
        finally:
            self.known = before

    # ------------------------------------------------------------ logic

    def condition(self) -> ast.Expression:
        """A Boolean expression, or any other."""
        terms = [self._conjunction()]
        while self.kinds[self.at] == "or":
            self.at += 1
            terms.append(self._conjunction())
        return self._terms("or", terms)

    def _conjunction(self) -> ast.Expression:
        terms = [self._negation()]
        while self.kinds[self.at] == "and":
            self.at += 1
            terms.append(self._negation())
        return self._terms("and", terms)

    def _terms(self, operator: str, terms: list[ast.Expression]) -> ast.Expression:
        if len(terms) == 1:
            return terms[0]
        return joined(operator, [self.truth(term, f"what `{operator}` joins") for term in terms])

    def _negation(self) -> ast.Expression:
        if self.kinds[self.at] == "not":
            at = self.at
            self.at += 1
            inner = self.truth(self._negation(), "what `not` stands before")
            if isinstance(inner, ast.Binary):
                inner = ast.Parenthesis(inner.start, inner.end, inner)
            return ast.Unary(self.starts[at], inner.end, "not", inner)
        return self._relation()

    def _relation(self) -> ast.Expression:
        operands = [self.sum()]
        relations: list[ast.Expression] = []
        while self.kinds[self.at] in _RELATIONS or self.kinds[self.at] == ":=":
            if self.kinds[self.at] == ":=":
                self.fail("an assignment cannot stand here", hint="values are compared with `=`")
            operator = _RELATIONS[self.kinds[self.at]]
            self.at += 1
            operands.append(self.sum())
            relations.append(self._compared(operator, *operands[-2:]))
        if not relations:
            return operands[0]
        return joined("and", relations) if len(relations) > 1 else relations[0]

    def _compared(self, operator: str, left: ast.Expression, right: ast.Expression) -> ast.Expression:
        """A comparison; two real numbers are equal where none is the larger one."""

        def relation(sign: str) -> ast.Binary:
            return ast.Binary(left.start, right.end, sign, left, right)

        types = {type_of(left, self.known), type_of(right, self.known)}
        if len(types) > 1 and types != {REAL, INTEGER} and not (self._is_open(left) or self._is_open(right)):
            one, other = (shown_type(type_of(side, self.known)) for side in (left, right))
            message = f"{one} is compared with {other}"
            hint = "values that are compared are of one kind"
            raise Fault(Diagnostic("E205", message, Span(self.source, left.start, right.end), hint=hint))
        if REAL not in types or operator not in ("==", "<>"):
            return relation(operator)
        if operator == "==":
            return joined("and", [relation("<="), relation(">=")])
        return ast.Parenthesis(left.start, right.end, joined("or", [relation("<"), relation(">")]))

    # ------------------------------------------------------------ kinds of values

    def truth(self, node: ast.Expression, what: str) -> ast.Expression:
        """The expression, which must be true or false."""
        found = type_of(node, self.known)
        if found == BOOLEAN or self._is_open(node):
            return node
        text = self._text(node)
        hint = f"compare it: `{text} > 0`" if found in (REAL, INTEGER) else f"compare it: `{text} = ...`"
        message = f"{what} is true or false, and this is {shown_type(found)}"
        raise Fault(Diagnostic("E205", message, Span(self.source, node.start, node.end), hint=hint))

    def _number(self, node: ast.Expression) -> ast.Expression:
        found = type_of(node, self.known)
        if found in (REAL, INTEGER):
            return node
        message = f"this is {shown_type(found)}, where a number is needed"
        hint = "a choice between numbers is a guarded equation or a selection"
        raise Fault(Diagnostic("E205", message, Span(self.source, node.start, node.end), hint=hint))

    def _is_open(self, node: ast.Expression) -> bool:
        """Whether it is a variable of a model of another language, of which nothing is known here."""
        while isinstance(node, ast.Parenthesis):
            node = node.inner
        declared = self.known.get(node.parts[0][0]) if isinstance(node, ast.Reference) else None
        return declared is not None and declared.kind == PART

    # ------------------------------------------------------------ arithmetic

    def sum(self) -> ast.Expression:
        """A value."""
        at = self.at
        if self.kinds[at] in ("+", "-"):
            self.at += 1
            left = self._number(self._product())
            left = ast.Unary(self.starts[at], left.end, self.kinds[at], left)
        else:
            left = self._product()
        while self.kinds[self.at] in ("+", "-"):
            operator = self.kinds[self.at]
            self.at += 1
            right = self._number(self._product())
            left = ast.Binary(left.start, right.end, operator, self._number(left), right)
        return left

    def _product(self) -> ast.Expression:
        left = self._factors()
        while self.kinds[self.at] in ("*", "/"):
            operator, at = self.kinds[self.at], self.at
            if self.kinds[at + 1] == "[":
                hint = "write `;` in front of `*[`, or `|` between equations and statements"
                self.fail("a repetition cannot stand in an expression", hint=hint)
            self.at += 1
            right = self._factors()
            if operator == "/" and isinstance(right, ast.Binary) and right.operator == "*":
                first, text = self.source.text[right.left.start : right.left.end], self._text(right)
                self.at = at
                self.fail(
                    f"`/` in front of the product `{text}` can be read in two ways",
                    hint=f"write `/({text})`, or `/{first}*...` if only `{first}` divides",
                )
            left = ast.Binary(left.start, right.end, operator, self._number(left), self._number(right))
        return left

    def _text(self, node: ast.Expression) -> str:
        return " ".join(self.source.text[node.start : node.end].split())

    def _factors(self) -> ast.Expression:
        """Factors side by side."""
        left = self._power()
        while self._begins_factor():
            right = self._number(self._power())
            left = ast.Binary(left.start, right.end, "*", self._number(left), right)
        return left

    def _begins_factor(self) -> bool:
        """Whether a factor stands beside the last one, on the same line."""
        return self.kinds[self.at] in (NAME, "(", "sqrt") and not self._on_new_line(self.at)

    def _power(self) -> ast.Expression:
        base = self._primary()
        if self.kinds[self.at] != "^":
            return base
        self.at += 1
        at = self.at
        negative = self.kinds[at] == "-"
        self.at += negative
        exponent = self._primary()
        if negative:
            inner = ast.Unary(self.starts[at], exponent.end, "-", exponent)
            exponent = ast.Parenthesis(inner.start, inner.end, inner)
        if self.kinds[self.at] == "^":
            self.fail("powers do not associate", hint="write `(a^b)^c` or `a^(b^c)`")
        if isinstance(base, ast.Binary):  # of a word, the last factor has the power
            right = ast.Binary(base.right.start, exponent.end, "^", base.right, exponent)
            return ast.Binary(base.start, exponent.end, "*", base.left, right)
        return ast.Binary(base.start, exponent.end, "^", base, exponent)

    def _primary(self) -> ast.Expression:
        at, kind = self.at, self.kinds[self.at]
        if kind == NUMBER:
            self.at += 1
            text = self.texts[at]
            value: int | float = int(text) if text.isdigit() else float(text)
            return ast.Number(self.starts[at], self.ends[at], value)
        if kind in ("true", "false"):
            self.at += 1
            return ast.Boolean(self.starts[at], self.ends[at], kind == "true")
        if kind == "(":
            self.at += 1
            inner = self.condition()
            self.closing(")", at)
            return ast.Parenthesis(self.starts[at], self.ends[self.at - 1], inner)
        if kind == "|":
            self.at += 1
            inner = self.sum()
            self.closing("|", at)
            return ast.Call(self.starts[at], self.ends[self.at - 1], self._function(at, "abs"), (inner,))
        if kind == "sqrt" or (kind == NAME and self._is_function(at)):
            return self._call()
        if kind == NAME:
            return self._word()
        return self._no_operand()

    def _no_operand(self) -> NoReturn:
        at, kind = self.at, self.kinds[self.at]
        if kind in ("+", "-"):
            self.fail(
                f"a sign cannot stand after the operator {self.show(at - 1)}",
                hint=f"put it in parentheses: `({kind}x)`",
            )
        self.unexpected("an expression", hint=_EXPRESSION_HINTS.get(kind))

    def closing(self, kind: str, opener: int) -> None:
        """Takes the partner of a bracket."""
        if self.kinds[self.at] != kind:
            where = self.source.position(self.starts[opener])[0]
            hint = f"`{self.texts[opener]}` was opened in line {where}"
            self.unexpected(f"`{kind}`", hint=hint)
        self.at += 1

    # ------------------------------------------------------------ names

    def _is_function(self, at: int) -> bool:
        return plain(self.texts[at]) in FUNCTIONS and plain(self.texts[at]) not in self.known

    def _function(self, at: int, name: str) -> ast.Reference:
        return ast.Reference(self.starts[at], self.ends[at], ((name, ()),))

    def _call(self) -> ast.Call:
        """`f(a, b)`, or `f` with the product behind it."""
        at = self.at
        name = "sqrt" if self.kinds[at] == "sqrt" else plain(self.texts[at])
        modelica, count, _ = FUNCTIONS[name]
        self.at += 1
        opener = self.at
        arguments: list[ast.Expression] = []
        if self.kinds[opener] == "(":
            self.at += 1
            arguments.append(self.condition())
            while self.kinds[self.at] == ",":
                self.at += 1
                arguments.append(self.condition())
            self.closing(")", opener)
        else:
            arguments.append(self._factors())
        if len(arguments) != count:
            message = f"`{name}` has {count} argument{'s' if count > 1 else ''}, not {len(arguments)}"
            self.fail(message, index=at, hint=f"write `{name}({', '.join('xyz'[:count])})`")
        return ast.Call(
            self.starts[at], self.ends[self.at - 1], self._function(at, modelica), tuple(arguments)
        )

    def _word(self) -> ast.Expression:
        """A name, or a product of names, with the prime of a derivative behind it."""
        at = self.at
        word = self.texts[at]
        self.at += 1
        name = plain(word)
        if self.kinds[self.at] == "." and name in self.known and self.known[name].kind == PART:
            return self._primed(self._inside(at))
        if name in self.known:
            result = self._named(word, self.starts[at])
        else:
            ways = factors(word, self.known)
            if not ways:
                self._unknown(at)
            if len(ways) > 1:
                first, second = (" * ".join(way) for way in ways)
                message = f"`{word}` can be read as `{first}` and as `{second}`"
                self.fail(message, index=at, hint="write the product with `*`")
            parts = []
            start = self.starts[at]
            for piece in ways[0]:
                parts.append(self._named(piece, start))
                start += len(piece)
            result = parts[0]
            for part in parts[1:-1]:
                result = ast.Binary(result.start, part.end, "*", result, part)
            last = self._primed(parts[-1])
            return ast.Binary(result.start, last.end, "*", result, last)
        return self._primed(result)

    def _inside(self, at: int) -> ast.Reference:
        """`plant.h`"""
        names = [self.known[plain(self.texts[at])].name]
        while self.kinds[self.at] == ".":
            self.at += 1
            names.append(self.texts[self.at])
            if self.kinds[self.at] != NAME:
                self.unexpected(f"a variable of `{self.texts[at]}`")
            self.at += 1
        return ast.Reference(self.starts[at], self.ends[self.at - 1], tuple((n, ()) for n in names))

    def _primed(self, node: ast.Expression) -> ast.Expression:
        if self.kinds[self.at] != "'":
            return node
        at = self.at
        self.at += 1
        if self.kinds[self.at] == "'":
            self.fail("a second derivative", hint="give the first one a name: `v = x'`, and then `v'`")
        declared = self.known.get(node.parts[0][0].strip("'")) if isinstance(node, ast.Reference) else None
        continuous = declared is not None and declared.kind in (CONTINUOUS, PART)
        if declared is None or not continuous or declared.name == TIME:
            text = self._text(node)
            self.fail(f"`{text}` is not a continuous variable and has no derivative", index=at,
                      hint=f"a continuous variable is declared with its unit: `{text} : [m]`")  # fmt: skip
        return called(ast.Node(node.start, self.ends[at]), "der", node)

    def _named(self, word: str, start: int) -> ast.Expression:
        end = start + len(word)
        declared = self.known[plain(word)]
        if declared.kind in (SEND, RECEIVE, CHANNEL) and not self.channels_have_names:
            message = f"`{word}` is a channel, and has no value"
            hint = f"receive from it: `{word}?x`" if declared.kind == RECEIVE else None
            raise Fault(Diagnostic("E209", message, Span(self.source, start, end), hint=hint))
        if declared.kind == PART:
            message, hint = f"`{word}` is a model, and has no value", f"name one of its variables: `{word}.x`"
            raise Fault(Diagnostic("E209", message, Span(self.source, start, end), hint=hint))
        if declared.place == (0, 0):  # not declared in the text
            if declared.name == TIME:
                return ast.Reference(start, end, (("time", ()),))
            return ast.Reference(start, end, tuple((part, ()) for part in _PI), absolute=True)
        if declared.kind == LITERAL:
            return ast.Reference(start, end, ((declared.type, ()), (declared.name, ())))
        return ast.Reference(start, end, ((declared.name, ()),))

    def _unknown(self, at: int) -> NoReturn:
        word = self.texts[at]
        near = did_you_mean(plain(word), [*self.known, *FUNCTIONS])
        hint = MEANT.get(word) or near or "declare it as a variable, a parameter or a `const`"
        self.fail_with("E201", f"`{word}` is not declared, and no product of declared names", at, hint)

    def fail_with(self, code: str, message: str, index: int, hint: str | None) -> NoReturn:
        """A fault of another kind than form."""
        raise Fault(
            Diagnostic(code, message, Span(self.source, self.starts[index], self.ends[index]), hint=hint)
        )


_EXPRESSION_HINTS = {
    "=": "values are compared with one `=`, and an equation has one, too",
    ")": "something is missing in front of the `)`",
    "[": "a choice between equations is an equation of its own: `[ b1 -> x = 1 [] b2 -> x = 2 ]`",
    "]": "something is missing in front of the `]`",
    "'": "a derivative is a prime behind a name: `x'`",
    "sample": "a sample stands alone: `x := sample exponential(2)`, then `x`",
    "nabla": "`nabla r` is a statement, behind a `;` or a `[`",
    "delta": "`delta t` is a statement, behind a `;` or a `[`",
}
