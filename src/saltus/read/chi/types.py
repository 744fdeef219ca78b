"""What expressions are: Real, Integer, Boolean, or one of an enumeration."""

from __future__ import annotations

from saltus.ir import ast
from saltus.read.chi.names import BOOLEAN, CONTINUOUS, INTEGER, PART, REAL, TIME, Declared

#: Functions of the language: what they are called in Modelica, how many arguments they have, and whether a
#: whole number comes of whole numbers.
FUNCTIONS: dict[str, tuple[str, int, bool]] = {
    "sqrt": ("sqrt", 1, False),
    "sin": ("sin", 1, False),
    "cos": ("cos", 1, False),
    "tan": ("tan", 1, False),
    "asin": ("asin", 1, False),
    "acos": ("acos", 1, False),
    "atan": ("atan", 1, False),
    "sinh": ("sinh", 1, False),
    "cosh": ("cosh", 1, False),
    "tanh": ("tanh", 1, False),
    "exp": ("exp", 1, False),
    "ln": ("log", 1, False),
    "log10": ("log10", 1, False),
    "abs": ("abs", 1, True),
    "sign": ("sign", 1, True),
    "floor": ("integer", 1, True),
    "min": ("min", 2, True),
    "max": ("max", 2, True),
    "div": ("div", 2, True),
    "mod": ("mod", 2, True),
}
#: Distributions that are sampled, with the names of their arguments.
DISTRIBUTIONS: dict[str, tuple[str, ...]] = {
    "exponential": ("mean",),
    "uniform": ("a", "b"),
    "normal": ("mean", "deviation"),
    "bernoulli": ("chance",),
}
SAMPLE = "sample"
_BY_MODELICA = {called: row for _, row in FUNCTIONS.items() for called in (row[0],)}
_RELATIONS = frozenset(["<", "<=", ">", ">=", "==", "<>", "and", "or", "not"])


def shown_type(name: str) -> str:
    """A type as messages name it."""
    known = {REAL: "a real", INTEGER: "an int", BOOLEAN: "a bool"}
    return known.get(name, f"one of {name.strip(chr(39))}")


def type_of(node: ast.Expression, known: dict[str, Declared]) -> str:
    """The type of an expression whose names are known."""
    match node:
        case ast.Number():
            return INTEGER if isinstance(node.value, int) else REAL
        case ast.Boolean():
            return BOOLEAN
        case ast.Parenthesis():
            return type_of(node.inner, known)
        case ast.Unary():
            return BOOLEAN if node.operator == "not" else type_of(node.operand, known)
        case ast.Binary():
            if node.operator in _RELATIONS:
                return BOOLEAN
            if node.operator in ("/", "^"):
                return REAL
            return _wider(type_of(node.left, known), type_of(node.right, known))
        case ast.Reference():
            declared = known.get(node.parts[0][0])
            if declared is not None and declared.kind == PART:
                return REAL
            if len(node.parts) == 2:  # a value of an enumeration
                return node.parts[0][0]
            return declared.type if declared is not None else REAL
        case ast.Call():
            name = node.function.text
            if name == SAMPLE:
                inner = node.args[0]
                assert isinstance(inner, ast.Call)
                return BOOLEAN if inner.function.text == "bernoulli" else REAL
            if name == "integer":
                return INTEGER
            row = _BY_MODELICA.get(name)
            if row is None or not row[2]:
                return REAL
            types = [type_of(argument, known) for argument in node.args]
            return types[0] if len(types) == 1 else _wider(types[0], types[1])
        case ast.IfExpression():
            return type_of(node.otherwise, known)
    return REAL


def _wider(left: str, right: str) -> str:
    return INTEGER if left == right == INTEGER else REAL


def is_continuous(reference: ast.Reference, known: dict[str, Declared]) -> bool:
    """Whether a name is that of a continuous variable, or of the time."""
    name = reference.parts[0][0]
    declared = known.get(TIME if name == "time" else name)
    return declared is not None and declared.kind in (CONTINUOUS, PART)
