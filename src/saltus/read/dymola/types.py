"""Types of variables, which the language does not write: true or false, or a number.

A variable is Boolean if it stands where a truth value must stand (a condition, beside `and`), or is equal to
something that does: a relation, `True`, another Boolean, also one of a submodel or a base. The sets of
variables with one type are merged (Tarjan's union-find); all that nothing says anything about is Real. The
models of one text are treated together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.ir import ast
from saltus.ir.dymola import BOOLEAN, REAL, Cut, Declaration, Equation, Model, Submodel, When
from saltus.read.dymola.scope import Text, declared

Key: TypeAlias = tuple[str, str]
_RELATIONS = frozenset(["<", "<=", ">", ">="])
_EQUALITIES = frozenset(["==", "<>"])
_LOGIC = frozenset(["and", "or"])
_ARITHMETIC = frozenset(["+", "-", "*", "/", "^"])
_TRUTHS = frozenset(["edge", "change", "initial", "terminal", "sample"])
#: Functions of a value that give one of its own type.
_SAME = frozenset(["new", "pre", "init"])


def types_of(text: Text) -> dict[Key, str]:
    """The types of all variables of a text, by model and name. E205 where uses contradict each other."""
    inference = _Inference(text)
    for model in text.models:
        inference.model(model)
    return inference.result()


@dataclass(eq=False)
class _Type:
    """A set of variables: where its first evidence stands, and what that says."""

    found: str | None = None
    place: Span | None = None
    same: _Type | None = None

    def root(self) -> _Type:
        node = self
        while node.same is not None:
            node = node.same
        return node


class _Inference:
    def __init__(self, text: Text) -> None:
        self.text = text
        self.variables: dict[Key, _Type] = {}
        self.current: Model | None = None

    def result(self) -> dict[Key, str]:
        return {key: each.root().found or REAL for key, each in self.variables.items()}

    def model(self, model: Model) -> None:
        self.current = model
        for variable in declared(model):
            own = self.variables.setdefault((model.name, variable.name), _Type())
            if variable.value is not None:
                self.unify(own, self.of(variable.value), variable.value)
        for item in model.items:
            match item:
                case Declaration() | Cut():
                    pass
                case Submodel():
                    self._arguments(item)
                case Equation():
                    self._equation(item)
                case When():
                    self.expect(item.condition, BOOLEAN)
                    for equation in item.items:
                        self._equation(equation)

    def _equation(self, equation: Equation) -> None:
        self.unify(self.of(equation.left), self.of(equation.right), equation)

    def _arguments(self, submodel: Submodel) -> None:
        for part in submodel.parts:
            for name, value, _ in part.arguments:
                target = self._in_class(submodel.class_name.text, (name,))
                found = self.of(value)
                if target is not None:
                    self.unify(target, found, value)

    # ------------------------------------------------------------ variables

    def _reference(self, reference: ast.Reference) -> _Type | None:
        assert self.current is not None
        if reference.text == "Time":
            return _Type(REAL)
        names = tuple(name for name, _ in reference.parts)
        return self._in_class(self.current.name, names)

    def _in_class(self, name: str, path: tuple[str, ...]) -> _Type | None:
        """The type of a variable of a class; None where nothing is known of it."""
        seen = self.text.interface(name)
        if seen is None:
            return None
        if len(path) > 1:
            part = seen.parts.get(path[0])
            return None if part is None else self._in_class(part, path[1:])
        variable = seen.variables.get(path[0])
        if variable is None:
            return None
        if self.text.model(variable.declared_in) is None:
            return _Type(variable.type)
        return self.variables.setdefault((variable.declared_in, path[0]), _Type())

    # ------------------------------------------------------------ expressions

    def of(self, node: ast.Expression) -> _Type:
        """The type of an expression; its parts are examined, too."""
        match node:
            case ast.Boolean():
                return self._given(node, BOOLEAN)
            case ast.Number():
                return self._given(node, REAL)
            case ast.Parenthesis(inner=inner):
                return self.of(inner)
            case ast.Reference():
                return self._reference(node) or _Type()
            case ast.Unary(operator=operator, operand=operand):
                kind = BOOLEAN if operator == "not" else REAL
                self.expect(operand, kind)
                return self._given(node, kind)
            case ast.Binary(operator=operator, left=left, right=right):
                return self._binary(node, operator, left, right)
            case ast.IfExpression(branches=branches, otherwise=otherwise):
                found = self.of(otherwise)
                for condition, value in branches:
                    self.expect(condition, BOOLEAN)
                    self.unify(found, self.of(value), value)
                return found
            case ast.Call(function=function, args=args):
                if function.text in _SAME and len(args) == 1:
                    return self.of(args[0])
                for argument in args:
                    self.of(argument) if function.text in _TRUTHS else self.expect(argument, REAL)
                return self._given(node, BOOLEAN if function.text in _TRUTHS else REAL)
        return _Type()

    def _binary(self, node: ast.Binary, operator: str, left: ast.Expression, right: ast.Expression) -> _Type:
        if operator in _EQUALITIES:
            self.unify(self.of(left), self.of(right), node)
            return self._given(node, BOOLEAN)
        inside = BOOLEAN if operator in _LOGIC else REAL
        # A chain `a + b - c` leans to the left and can be long.
        self.expect(right, inside)
        alike = _LOGIC if operator in _LOGIC else _ARITHMETIC
        while isinstance(left, ast.Binary) and left.operator in alike and operator in alike:
            self.expect(left.right, inside)
            left = left.left
        self.expect(left, inside)
        return self._given(node, BOOLEAN if operator in _RELATIONS | _LOGIC else REAL)

    def _given(self, node: ast.Node, kind: str) -> _Type:
        return _Type(kind, self.text.at(node))

    def expect(self, node: ast.Expression, kind: str) -> None:
        """An expression must have a type."""
        self.unify(self.of(node), self._given(node, kind), node)

    def unify(self, one: _Type, other: _Type, node: ast.Node) -> None:
        """Two types are the same."""
        a, b = one.root(), other.root()
        if a is b:
            return
        if a.found is not None and b.found is not None and (a.found == BOOLEAN) != (b.found == BOOLEAN):
            raise self._contradiction(a, b, node)
        if a.found is None:
            a, b = b, a
        b.same = a

    def _contradiction(self, a: _Type, b: _Type, node: ast.Node) -> Exception:
        truth, value = (a, b) if a.found == BOOLEAN else (b, a)
        shown = node
        if isinstance(node, Equation):
            message = "one side is true or false, the other a number"
        else:
            kinds = ("true or false", "a number") if self._is_truth(node) else ("a number", "true or false")
            name = f"`{node.text}`" if isinstance(node, ast.Reference) else "this"
            message = f"{name} is {kinds[0]} and stands where {kinds[1]} is needed"
        places = [(truth, "true or false here"), (value, "a number here")]
        notes = tuple(
            Note(words, each.place)
            for each, words in places
            if each.place is not None and each.place != self.text.at(shown)
        )
        hint = "a number is made of a truth by `if x then 1 else 0`, a truth of a number by `x > 0`"
        return model_error("E205", message, self.text.at(shown), hint=hint, notes=notes)

    def _is_truth(self, node: ast.Node) -> bool:
        """Whether an expression that contradicts its place is a truth by itself."""
        return self.of(node).root().found == BOOLEAN  # type: ignore[arg-type]  # an expression
