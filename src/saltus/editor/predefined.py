"""What is predefined in Modelica, in a line each: functions, variables, types, attributes, words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Function:
    """A predefined function: its arguments as they are written, and what it gives."""

    arguments: tuple[str, ...]
    description: str


def _f(arguments: str, description: str) -> Function:
    return Function(tuple(a.strip() for a in arguments.split(",")) if arguments else (), description)


PREDEFINED_FUNCTIONS: dict[str, Function] = {
    "abs": _f("v", "Absolute value"),
    "acos": _f("u", "Inverse cosine, u from -1 to 1"),
    "actualStream": _f("v", "The value of a stream variable that flows: from inside or from outside"),
    "array": _f("a, b, c", "The array {a, b, c}"),
    "asin": _f("u", "Inverse sine, u from -1 to 1"),
    "assert": _f("condition, message, level", "Ends the run with the message, or warns, where it is false"),
    "atan": _f("u", "Inverse tangent"),
    "atan2": _f("u1, u2", "Angle of the point (u2, u1)"),
    "backSample": _f("u, backCounter, resolution", "A clocked variable, a fraction of a tick earlier"),
    "cardinality": _f("c", "How many connections a connector has"),
    "cat": _f("dimension, a, b", "Arrays one behind the other along a dimension"),
    "ceil": _f("x", "The smallest Integer not less than x, as a Real; makes events"),
    "change": _f("v", "Whether v is another than just before: v <> pre(v)"),
    "Clock": _f("interval", "A clock: of a period, of a condition, or with a solver"),
    "cos": _f("u", "Cosine"),
    "cosh": _f("u", "Hyperbolic cosine"),
    "cross": _f("x, y", "Vector product of two vectors of size 3"),
    "delay": _f("expression, delayTime, delayMax", "What the expression was delayTime ago"),
    "der": _f("expression", "Derivative with respect to time"),
    "diagonal": _f("v", "Matrix with the vector on its diagonal"),
    "div": _f("x, y", "Quotient without its fraction; makes events"),
    "edge": _f("b", "Whether b has just become true: b and not pre(b)"),
    "exp": _f("u", "e to the power of u"),
    "fill": _f("s, n1, n2", "Array of these sizes with s everywhere"),
    "firstTick": _f("u", "Whether this is the first tick of the clock"),
    "floor": _f("x", "The greatest Integer not above x, as a Real; makes events"),
    "getInstanceName": _f("", "Path of the component, as a String"),
    "hold": _f("u", "A clocked variable between its ticks"),
    "homotopy": _f("actual, simplified", "The actual expression; the simplified one helps to start"),
    "identity": _f("n", "Matrix of size n by n with ones on its diagonal"),
    "inStream": _f("v", "What a stream variable brings when the medium flows in"),
    "initial": _f("", "Whether the run is being initialised"),
    "Integer": _f("e", "Number of a literal of an enumeration"),
    "integer": _f("x", "The greatest Integer not above x; makes events"),
    "interval": _f("u", "Time since the last tick of the clock"),
    "linspace": _f("x1, x2, n", "n numbers at equal distances from x1 to x2"),
    "log": _f("u", "Natural logarithm, u > 0"),
    "log10": _f("u", "Logarithm of base 10, u > 0"),
    "matrix": _f("a", "An array as a matrix"),
    "max": _f("a, b", "The greater one, or the greatest element of an array"),
    "min": _f("a, b", "The smaller one, or the smallest element of an array"),
    "mod": _f("x, y", "Remainder with the sign of y; makes events"),
    "ndims": _f("a", "Number of dimensions of an array"),
    "noClock": _f("u", "A clocked variable without its clock"),
    "noEvent": _f("expression", "The expression; its relations make no events"),
    "ones": _f("n1, n2", "Array of these sizes with ones"),
    "outerProduct": _f("v1, v2", "Matrix of the products of two vectors' elements"),
    "pre": _f("y", "Left limit of a discrete variable at an event"),
    "previous": _f("u", "A clocked variable at the tick before"),
    "product": _f("a", "Product of the elements"),
    "promote": _f("a, n", "An array with n dimensions; those that are added have size 1"),
    "reinit": _f("x, expression", "Gives a state another value, in a when-clause"),
    "rem": _f("x, y", "Remainder with the sign of x; makes events"),
    "sample": _f("start, interval", "Whether this is an instant of sampling; with a clock: sample(u, clock)"),
    "scalar": _f("a", "The only element of an array"),
    "semiLinear": _f("x, k1, k2", "k1*x where x >= 0, else k2*x"),
    "shiftSample": _f("u, shiftCounter, resolution", "A clocked variable, a fraction of a tick later"),
    "sign": _f("v", "-1, 0 or 1"),
    "sin": _f("u", "Sine"),
    "sinh": _f("u", "Hyperbolic sine"),
    "size": _f("a, i", "Size of an array along dimension i, or all sizes"),
    "skew": _f("x", "The matrix that gives the vector product with x"),
    "smooth": _f("p, expression", "An expression with p continuous derivatives; no events where p >= 1"),
    "spatialDistribution": _f(
        "in0, in1, x, positiveVelocity, initialPoints, initialValues",
        "What comes out of both ends of a transport",
    ),
    "sqrt": _f("v", "Square root, v >= 0"),
    "String": _f("v, minimumLength, leftJustified", "A value as text"),
    "subSample": _f("u, factor", "A clocked variable at every factor-th tick"),
    "sum": _f("a", "Sum of the elements"),
    "superSample": _f("u, factor", "A clocked variable with a clock that is faster by the factor"),
    "symmetric": _f("a", "Symmetric matrix with the upper triangle of a"),
    "tan": _f("u", "Tangent"),
    "tanh": _f("u", "Hyperbolic tangent"),
    "terminal": _f("", "Whether the run has come to its end"),
    "terminate": _f("message", "Ends the run: it has reached what it was for"),
    "transpose": _f("a", "A matrix with its first two dimensions exchanged"),
    "vector": _f("a", "An array of one dimension with these elements"),
    "zeros": _f("n1, n2", "Array of these sizes with zeros"),
}  # fmt: skip

PREDEFINED_VARIABLES: dict[str, str] = {"time": "Time of the simulation, in seconds"}

PREDEFINED_TYPES: dict[str, str] = {
    "Real": "A number with a fraction",
    "Integer": "A whole number",
    "Boolean": "true or false",
    "String": "A text",
    "Clock": "When clocked variables have values",
}

#: Attributes by predefined type (Modelica 3.6, section 4.9).
ATTRIBUTES: dict[str, dict[str, str]] = {
    "Real": {
        "quantity": "Name of the physical quantity",
        "unit": "Unit in which equations count it",
        "displayUnit": "Unit in which it is shown",
        "min": "Smallest possible value",
        "max": "Greatest possible value",
        "start": "Value at the start",
        "fixed": "Whether the start value is kept, or only a guess",
        "nominal": "Size that is usual for it",
        "stateSelect": "Whether it is to be a state",
    },
    "Integer": {
        "quantity": "Name of the quantity",
        "min": "Smallest possible value",
        "max": "Greatest possible value",
        "start": "Value at the start",
        "fixed": "Whether the start value is kept",
    },
    "Boolean": {
        "quantity": "Name of the quantity",
        "start": "Value at the start",
        "fixed": "Whether the start value is kept",
    },
    "String": {
        "quantity": "Name of the quantity",
        "start": "Value at the start",
        "fixed": "Whether the start value is kept",
    },
    "enumeration": {
        "min": "Smallest possible value",
        "max": "Greatest possible value",
        "start": "Value at the start",
        "fixed": "Whether the start value is kept",
    },
}

#: Words that may begin an element of a class, an equation or statement, or stand in an expression.
ELEMENT_WORDS = (
    "parameter", "constant", "discrete", "input", "output", "flow", "stream", "inner", "outer", "replaceable",
    "redeclare", "final", "extends", "import", "model", "block", "connector", "record", "type", "function",
    "package", "partial", "encapsulated", "public", "protected", "equation", "algorithm", "initial equation",
    "initial algorithm", "annotation", "end",
)  # fmt: skip
STATEMENT_WORDS = ("connect", "if", "for", "when", "while", "else", "elseif", "elsewhen", "end", "equation",
                   "algorithm", "public", "protected", "annotation")  # fmt: skip
EXPRESSION_WORDS = ("if", "then", "else", "not", "and", "or", "true", "false")
