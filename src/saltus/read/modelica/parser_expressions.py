"""Expressions: recursive descent, with precedence climbing for the binary operators.

The grammar of Modelica 3.6, A.2.7, as levels:

    or < and < not < relation < sign, + and - < * and / < ^

A sign belongs to the first term of a sum, so `-a*b` is `-(a*b)`, and `a*-b` and `a^-b` are not in the
language; `^` and the relations do not associate. Most expressions of a library are a lone name or number:
after the primary one table look-up decides that nothing follows.
"""

from __future__ import annotations

from saltus.core.diagnostics import Note
from saltus.core.source import Source
from saltus.ir import ast
from saltus.read.modelica.lexer import END_OF_TEXT, KEYWORDS, NAME, NUMBER, STRING, Tokens
from saltus.read.modelica.slips import instead_of_operand
from saltus.read.modelica.token_stream import TokenStream

_OR, _AND, _NOT, _RELATION, _SUM, _PRODUCT, _POWER = range(1, 8)
_LEVELS = {
    "or": _OR,
    "and": _AND,
    **dict.fromkeys(["<", "<=", ">", ">=", "==", "<>"], _RELATION),
    **dict.fromkeys(["+", "-", ".+", ".-"], _SUM),
    **dict.fromkeys(["*", "/", ".*", "./"], _PRODUCT),
    **dict.fromkeys(["^", ".^"], _POWER),
}
_SIGNS = frozenset(["+", "-", ".+", ".-"])
_FREQUENT = frozenset([NAME, NUMBER])
_NOT_ASSOCIATIVE = frozenset([_POWER, _RELATION])
_CALLED_WORDS = frozenset(["der", "initial", "pure"])


class ExpressionParser(TokenStream):
    """The part of the parser that reads expressions, references and names."""

    def __init__(self, source: Source, tokens: Tokens, *, lenient_escapes: bool = False) -> None:
        super().__init__(source, tokens, lenient_escapes=lenient_escapes)
        # Names without subscripts are shared: less memory, and pickle writes each of them once.
        self._plain_parts: dict[str, tuple[str, tuple[ast.Expression, ...]]] = {}
        self._plain_names: dict[str, tuple[tuple[str, tuple[ast.Expression, ...]], ...]] = {}

    # ------------------------------------------------------------ expressions

    def expression(self) -> ast.Expression:
        """expression: a conditional or a simple expression."""
        if self.kinds[self.at] == "if":
            return self._if_expression()
        return self.simple_expression()

    def simple_expression(self) -> ast.Expression:
        """A logical expression, or a range of two or three of them."""
        first = self._binary(_OR)
        kinds = self.kinds
        if kinds[self.at] != ":":
            return first
        self.at += 1
        second = self._binary(_OR)
        if kinds[self.at] != ":":
            return ast.Range(first.start, second.end, first, None, second)
        self.at += 1
        third = self._binary(_OR)
        return ast.Range(first.start, third.end, first, second, third)

    def _if_expression(self) -> ast.IfExpression:
        kinds = self.kinds
        start = self.starts[self.at]
        branches: list[tuple[ast.Expression, ast.Expression]] = []
        while True:
            word = kinds[self.at]
            self.at += 1
            condition = self.expression()
            self.word("then", word)
            branches.append((condition, self.expression()))
            if kinds[self.at] != "elseif":
                break
        if kinds[self.at] != "else":
            hint = None
            if kinds[self.at] == NAME and self.texts[self.at] in ("elsif", "elif"):
                hint = "write `elseif`"
            self.unexpected("`else`", hint=hint or "an if-expression needs an `else` branch")
        self.at += 1
        otherwise = self.expression()
        return ast.IfExpression(start, otherwise.end, tuple(branches), otherwise)

    def _binary(self, minimum: int) -> ast.Expression:
        """An expression of operators that bind at least as strongly as `minimum`."""
        kinds = self.kinds
        at = self.at
        kind = kinds[at]
        left: ast.Expression
        if kind in _FREQUENT:
            left = self._primary()
        elif kind in _SIGNS:
            if minimum > _SUM:
                self.fail(
                    f"a sign cannot stand after the operator {self.show(at - 1)}",
                    hint=f"put it in parentheses: `({kind}x)`",
                )
            self.at = at + 1
            left = self._binary(_PRODUCT)
            left = ast.Unary(self.starts[at], left.end, kind, left)
        elif kind == "not":
            if minimum > _NOT:
                self.fail(f"`not` cannot stand after {self.show(at - 1)}", hint="write `(not x)`")
            self.at = at + 1
            left = self._binary(_RELATION)
            left = ast.Unary(self.starts[at], left.end, kind, left)
        else:
            left = self._primary()
        while True:
            kind = kinds[self.at]
            level = _LEVELS.get(kind)
            if level is None or level < minimum:
                return left
            self.at += 1
            right = self._binary(level + 1)
            left = ast.Binary(left.start, right.end, kind, left, right)
            if level in _NOT_ASSOCIATIVE and _LEVELS.get(kinds[self.at]) == level:
                self.fail(f"`{kind}` and `{kinds[self.at]}` need parentheses", hint=self.operator_hint())

    def _primary(self) -> ast.Expression:
        at = self.at
        kind = self.kinds[at]
        if kind == NAME or kind == ".":
            reference = self.reference()
            if self.kinds[self.at] == "(":
                return self.call(reference)
            return reference
        if kind == NUMBER:
            self.at = at + 1
            text = self.texts[at]
            value: int | float = int(text) if text.isdigit() else float(text)
            return ast.Number(self.starts[at], self.ends[at], value)
        if kind == STRING:
            return ast.String(self.starts[at], self.ends[at], self.string())
        if kind == "(":
            return self._parenthesis()
        if kind == "{":
            return self._array()
        if kind == "[":
            return self._matrix()
        if kind == "true" or kind == "false":
            self.at = at + 1
            return ast.Boolean(self.starts[at], self.ends[at], kind == "true")
        if kind in _CALLED_WORDS:
            self.at = at + 1
            if self.kinds[at + 1] != "(":
                self.unexpected(f"`(` after `{kind}`", hint=f"`{kind}` is a reserved word")
            word = ast.Reference(self.starts[at], self.ends[at], ((kind, ()),))
            return self.call(word)
        if kind == "end" and self.subscript_depth:
            self.at = at + 1
            return ast.End(self.starts[at], self.ends[at])
        return self._no_expression()

    def _no_expression(self) -> ast.Expression:
        kind = self.kinds[self.at]
        hint = None
        if kind == "if":
            hint = "an if-expression inside an operation needs parentheses: `(if c then a else b)`"
        elif kind == "function":
            hint = "`function f(...)` may stand only as an argument of a function"
        elif kind == ":":
            hint = "`:` alone may stand only as a whole subscript"
        elif kind in KEYWORDS:
            hint = f"`{kind}` is a reserved word"
        elif kind in ("=", ">", "<") and self.kinds[self.at - 1] in ("=", ">", "<"):
            hint = "comparisons are written `<`, `<=`, `>`, `>=`, `==`, `<>`, without spaces"
        self.unexpected("an expression", hint=hint or instead_of_operand(self.kinds, self.at))

    def _parenthesis(self) -> ast.Expression:
        """`(e)` or an output expression list `(a, , b)`."""
        opener = self.at
        elements, end = self.places()
        start = self.starts[opener]
        if len(elements) == 1 and elements[0] is not None:
            return ast.Parenthesis(start, end, elements[0])
        return ast.Tuple(start, end, elements)

    def places(self) -> tuple[tuple[ast.Expression | None, ...], int]:
        """The elements of `(a, , b)`, None where nothing stands, and the offset behind it. `()` has none."""
        kinds = self.kinds
        opener = self.at
        self.at += 1
        if kinds[self.at] == ")":
            self.at += 1
            return (), self.ends[self.at - 1]
        elements: list[ast.Expression | None] = []
        while True:
            kind = kinds[self.at]
            elements.append(None if kind == "," or kind == ")" else self.expression())
            if kinds[self.at] != ",":
                break
            self.at += 1
        end = self.close(")", opener)
        return tuple(elements), end

    def _array(self) -> ast.ArrayConstructor:
        kinds = self.kinds
        opener = self.at
        self.at = opener + 1
        if kinds[opener + 1] == "}":
            self.fail("`{}` has no elements", index=opener, hint="an empty array is `fill(0.0, 0)`")
        elements = [self.expression()]
        iterators: tuple[ast.Iterator, ...] = ()
        if kinds[self.at] == "for":
            self.at += 1
            iterators = self.iterators()
        else:
            while kinds[self.at] == ",":
                self.at += 1
                elements.append(self.expression())
        end = self.close("}", opener)
        return ast.ArrayConstructor(self.starts[opener], end, tuple(elements), iterators)

    def _matrix(self) -> ast.MatrixConstructor:
        opener = self.at
        rows: list[tuple[ast.Expression, ...]] = []
        while True:
            self.at += 1
            rows.append(self.expression_list())
            if self.kinds[self.at] != ";":
                break
        end = self.close("]", opener)
        return ast.MatrixConstructor(self.starts[opener], end, tuple(rows))

    def expression_list(self) -> tuple[ast.Expression, ...]:
        """One or more expressions with commas between them."""
        elements = [self.expression()]
        while self.kinds[self.at] == ",":
            self.at += 1
            elements.append(self.expression())
        return tuple(elements)

    # ------------------------------------------------------------ calls

    def call(self, function: ast.Reference) -> ast.Call:
        """The argument list that stands at `(` and the call it makes."""
        kinds = self.kinds
        opener = self.at
        at = opener + 1
        if kinds[at] == ")":
            self.at = at + 1
            return ast.Call(function.start, self.ends[at], function, ())
        self.at = at
        args: list[ast.Expression] = []
        named: tuple[tuple[str, ast.Expression], ...] = ()
        iterators: tuple[ast.Iterator, ...] = ()
        while True:
            at = self.at
            kind = kinds[at]
            if kind == NAME and kinds[at + 1] == "=":
                named = self._named_arguments()
                break
            args.append(self._partial_application() if kind == "function" else self.expression())
            kind = kinds[self.at]
            if kind == ",":
                self.at += 1
                continue
            if kind == "for" and len(args) == 1:
                self.at += 1
                iterators = self.iterators()
            break
        end = self.close(")", opener)
        return ast.Call(function.start, end, function, tuple(args), named, iterators)

    def _named_arguments(self) -> tuple[tuple[str, ast.Expression], ...]:
        kinds = self.kinds
        named: list[tuple[str, ast.Expression]] = []
        while True:
            if kinds[self.at] != END_OF_TEXT and kinds[self.at + 1] != "=":
                self.fail(
                    "a positional argument cannot follow a named one",
                    hint="write `name = value`, or move it before the named arguments",
                )
            name = self.name("an argument")
            self.expect("=")
            value = self._partial_application() if kinds[self.at] == "function" else self.expression()
            named.append((name, value))
            if kinds[self.at] != ",":
                return tuple(named)
            self.at += 1

    def _partial_application(self) -> ast.PartialApplication:
        start = self.starts[self.at]
        self.at += 1
        function = self.type_name()
        opener = self.expect("(")
        named = () if self.kinds[self.at] == ")" else self._named_arguments()
        end = self.close(")", opener)
        return ast.PartialApplication(start, end, function, named)

    def iterators(self) -> tuple[ast.Iterator, ...]:
        """for-indices: `i in range, j`, behind the word `for`."""
        found: list[ast.Iterator] = []
        while True:
            at = self.at
            name = self.name("an iterator")
            if self.kinds[at + 1] == "in":
                self.at = at + 2
                values = self.expression()
                found.append(ast.Iterator(self.starts[at], values.end, name, values))
            else:
                if self.kinds[at + 1] == "=":
                    self.unexpected("`in`", hint=f"write `for {name} in 1:n`")
                found.append(ast.Iterator(self.starts[at], self.ends[at], name, None))
            if self.kinds[self.at] != ",":
                return tuple(found)
            self.at += 1

    # ------------------------------------------------------------ names

    def reference(self, what: str = "a variable") -> ast.Reference:
        """component-reference: `.a.b[1].c`."""
        kinds, texts = self.kinds, self.texts
        at = first = self.at
        absolute = kinds[at] == "."
        if absolute:
            at += 1
        if kinds[at] != NAME:
            self.at = at
            self.no_name(what)
        name = texts[at]
        at += 1
        kind = kinds[at]
        if kind != "." and kind != "[":
            self.at = at
            return ast.Reference(self.starts[first], self.ends[at - 1], self._plain_name(name), absolute)
        parts: list[tuple[str, tuple[ast.Expression, ...]]] = []
        plain_parts = self._plain_parts
        while True:
            if kind == "[":
                self.at = at
                parts.append((name, self.subscripts()))
                at = self.at
                kind = kinds[at]
            else:
                part = plain_parts.get(name)
                if part is None:
                    part = plain_parts[name] = (name, ())
                parts.append(part)
            if kind != ".":
                break
            at += 1
            if kinds[at] != NAME:
                self.at = at
                self.no_name(f"an element of `{name}`")
            name = texts[at]
            at += 1
            kind = kinds[at]
        self.at = at
        return ast.Reference(self.starts[first], self.ends[at - 1], tuple(parts), absolute)

    def _plain_name(self, name: str) -> tuple[tuple[str, tuple[ast.Expression, ...]], ...]:
        parts = self._plain_names.get(name)
        if parts is None:
            part = self._plain_parts.setdefault(name, (name, ()))
            parts = self._plain_names[name] = (part,)
        return parts

    def type_name(self, what: str = "a class") -> ast.Reference:
        """type-specifier: a reference without subscripts (those that follow belong to the declaration)."""
        kinds, texts = self.kinds, self.texts
        at = first = self.at
        absolute = kinds[at] == "."
        if absolute:
            at += 1
        if kinds[at] != NAME:
            self.at = at
            self.no_name(what)
        at += 1
        if kinds[at] != ".":
            self.at = at
            parts = self._plain_name(texts[at - 1])
            return ast.Reference(self.starts[first], self.ends[at - 1], parts, absolute)
        name_at = at - 1
        while kinds[at] == ".":
            at += 1
            if kinds[at] != NAME:
                self.at = at
                self.no_name(f"an element of `{texts[at - 2]}`")
            at += 1
        self.at = at
        key = ".".join(texts[name_at:at:2])
        known = self._plain_names.get(key)
        if known is None:
            known = tuple((text, ()) for text in texts[name_at:at:2])
            self._plain_names[key] = known
        return ast.Reference(self.starts[first], self.ends[at - 1], known, absolute)

    def dotted_name(self, what: str) -> tuple[str, ...]:
        """name: identifiers with dots between them."""
        kinds = self.kinds
        name = [self.name(what)]
        while kinds[self.at] == ".":
            self.at += 1
            name.append(self.name(f"an element of `{name[-1]}`"))
        return tuple(name)

    def subscripts(self) -> tuple[ast.Expression, ...]:
        """array-subscripts: `[1, :, end]`, at `[`."""
        kinds = self.kinds
        opener = self.at
        found: list[ast.Expression] = []
        self.subscript_depth += 1
        while True:
            at = self.at = self.at + 1
            if kinds[at] == ":" and kinds[at + 1] in (",", "]"):
                self.at = at + 1
                found.append(ast.Colon(self.starts[at], self.ends[at]))
            else:
                found.append(self.expression())
            if kinds[self.at] != ",":
                break
        self.subscript_depth -= 1
        if kinds[self.at] == ";":
            note = Note("`[` was opened here", self.token_span(opener))
            self.unexpected("`]`", notes=(note,), hint="subscripts are separated by `,`")
        self.close("]", opener)
        return tuple(found)
