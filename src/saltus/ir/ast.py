"""Syntax as the text has it: the complete grammar of Modelica 3.6.

Every node has its half-open stretch of the text in `start` and `end`; the file is that of the enclosing
`StoredDefinition`. Annotations are kept as spans and parsed when they are needed
(`read.modelica.parser.parse_annotation`). Nodes are frozen dataclasses without `__slots__`: pickle then
restores them in C. In a pickle the body of a class is sealed, a pickle of its own, and is opened when
it is first needed: of a library, few classes are ever used.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import TypeAlias

from saltus.core.cache import unpickle

Offsets: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Node:
    start: int
    end: int


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True)
class Number(Node):
    """An int is an Integer literal, a float a Real one."""

    value: int | float


@dataclass(frozen=True)
class String(Node):
    value: str  # escapes resolved


@dataclass(frozen=True)
class Boolean(Node):
    value: bool


@dataclass(frozen=True)
class End(Node):
    """`end` inside a subscript."""


@dataclass(frozen=True)
class Colon(Node):
    """`:` as a whole subscript."""


@dataclass(frozen=True)
class Reference(Node):
    """`.a.b[1].c`: parts are (name, subscripts); quoted names keep their quotes. The words `der`,
    `initial` and `pure` are references when they stand before an argument list."""

    parts: tuple[tuple[str, tuple[Expression, ...]], ...]
    absolute: bool = False

    @property
    def text(self) -> str:
        """The names alone, without subscripts."""
        return ("." if self.absolute else "") + ".".join(name for name, _ in self.parts)


@dataclass(frozen=True)
class Unary(Node):
    operator: str  # + - .+ .- not
    operand: Expression


@dataclass(frozen=True)
class Binary(Node):
    operator: str  # + - * / ^ and their dotted forms; < <= > >= == <>; and or
    left: Expression
    right: Expression


@dataclass(frozen=True)
class IfExpression(Node):
    branches: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression


@dataclass(frozen=True)
class Range(Node):
    first: Expression
    step: Expression | None
    last: Expression


@dataclass(frozen=True)
class Iterator(Node):
    """`i in range` of a for, a reduction or a comprehension; without a range the size decides."""

    name: str
    range: Expression | None


@dataclass(frozen=True)
class Call(Node):
    """`f(args, name = value)`; with iterators it is a reduction `f(e for i in r)`."""

    function: Reference
    args: tuple[Expression, ...]
    named: tuple[tuple[str, Expression], ...] = ()
    iterators: tuple[Iterator, ...] = ()


@dataclass(frozen=True)
class PartialApplication(Node):
    """`function f(name = value)` as an argument."""

    function: Reference
    named: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True)
class ArrayConstructor(Node):
    """`{a, b}`, or with iterators the comprehension `{e for i in r}`."""

    elements: tuple[Expression, ...]
    iterators: tuple[Iterator, ...] = ()


@dataclass(frozen=True)
class MatrixConstructor(Node):
    """`[a, b; c, d]`"""

    rows: tuple[tuple[Expression, ...], ...]


@dataclass(frozen=True)
class Tuple(Node):
    """`(a, , b)`: two or more places, or none; one in parentheses is that expression itself, with
    `Parenthesis` around it."""

    elements: tuple[Expression | None, ...]


@dataclass(frozen=True)
class Parenthesis(Node):
    """`(e)`, kept so that the text can be printed again as it was."""

    inner: Expression


Expression: TypeAlias = (
    Number
    | String
    | Boolean
    | End
    | Colon
    | Reference
    | Unary
    | Binary
    | IfExpression
    | Range
    | Call
    | PartialApplication
    | ArrayConstructor
    | MatrixConstructor
    | Tuple
    | Parenthesis
)


# ---------------------------------------------------------------- modification


@dataclass(frozen=True)
class Modification(Node):
    """`(arguments) = value`. `arguments` is None where there are no parentheses."""

    arguments: tuple[Argument, ...] | None = None
    value: Expression | None = None
    is_break: bool = False  # `= break`
    is_assignment: bool = False  # `:=`, an old form of `=`


@dataclass(frozen=True)
class ElementModification(Node):
    name: tuple[str, ...]
    modification: Modification | None
    each: bool = False
    final: bool = False
    description: str = ""


@dataclass(frozen=True)
class ElementRedeclaration(Node):
    """`redeclare` and/or `replaceable` inside a modification."""

    element: ClassDefinition | ComponentClause
    redeclare: bool
    replaceable: bool
    each: bool = False
    final: bool = False
    constraint: ConstrainingClause | None = None


@dataclass(frozen=True)
class InheritanceBreak(Node):
    """`break connect(a, b)` or `break name` in an extends clause."""

    connect: Connect | None
    name: str = ""


Argument: TypeAlias = ElementModification | ElementRedeclaration | InheritanceBreak


@dataclass(frozen=True)
class ConstrainingClause(Node):
    type_name: Reference
    modification: Modification | None
    description: str = ""
    annotation: Offsets | None = None


# ---------------------------------------------------------------- elements


@dataclass(frozen=True)
class Declaration(Node):
    """One component of a component clause."""

    name: str
    subscripts: tuple[Expression, ...] = ()
    modification: Modification | None = None
    condition: Expression | None = None
    description: str = ""
    annotation: Offsets | None = None


@dataclass(frozen=True)
class ElementPrefixes:
    """What may stand before an element of a class."""

    redeclare: bool = False
    final: bool = False
    inner: bool = False
    outer: bool = False
    replaceable: bool = False
    protected: bool = False


#: The usual case, one object for all.
NO_PREFIXES = ElementPrefixes()


@dataclass(frozen=True)
class ComponentClause(Node):
    type_name: Reference
    subscripts: tuple[Expression, ...]
    declarations: tuple[Declaration, ...]
    connection: str = ""  # flow or stream
    variability: str = ""  # discrete, parameter or constant
    causality: str = ""  # input or output
    prefixes: ElementPrefixes = NO_PREFIXES
    constraint: ConstrainingClause | None = None


@dataclass(frozen=True)
class Import(Node):
    """`import a = b.c`, `import b.c`, `import b.*`, `import b.{c, d}`"""

    name: tuple[str, ...]
    alias: str = ""
    wildcard: bool = False
    names: tuple[str, ...] = ()
    description: str = ""
    annotation: Offsets | None = None
    protected: bool = False


@dataclass(frozen=True)
class Extends(Node):
    type_name: Reference
    modification: Modification | None
    annotation: Offsets | None = None
    protected: bool = False


@dataclass(frozen=True)
class External(Node):
    language: str | None
    result: Reference | None
    function: str
    args: tuple[Expression, ...]
    has_call: bool
    annotation: Offsets | None = None


# ---------------------------------------------------------------- classes


@dataclass(frozen=True)
class LongBody(Node):
    """Elements in order, then sections in order. For `class extends` the class's own `extends_base` is set
    and `modification` belongs to it."""

    elements: tuple[Element, ...]
    sections: tuple[Section, ...]
    external: External | None = None
    extends_base: bool = False
    modification: Modification | None = None


@dataclass(frozen=True)
class ShortBody(Node):
    """`= input Base[n](modification)`"""

    causality: str
    type_name: Reference
    subscripts: tuple[Expression, ...]
    modification: Modification | None


@dataclass(frozen=True)
class EnumerationBody(Node):
    """`= enumeration(a, b)`; literals are (name, description, annotation); None for `enumeration(:)`"""

    literals: tuple[tuple[str, str, Offsets | None], ...] | None


@dataclass(frozen=True)
class DerBody(Node):
    """`= der(f, x, y)`"""

    function: Reference
    variables: tuple[str, ...]


@dataclass(frozen=True)
class ClassDefinition(Node):
    name: str
    kind: str  # class model record block connector type package function operator
    body: LongBody | ShortBody | EnumerationBody | DerBody
    partial: bool = False
    encapsulated: bool = False
    operator: bool = False  # operator record, operator function
    expandable: bool = False
    purity: str = ""  # pure or impure
    description: str = ""
    annotation: Offsets | None = None
    prefixes: ElementPrefixes = NO_PREFIXES
    constraint: ConstrainingClause | None = None

    def __getstate__(self) -> dict[str, object]:
        state = dict(self.__dict__)
        if "body" in state:
            state["_sealed"] = pickle.dumps(state.pop("body"), pickle.HIGHEST_PROTOCOL)
        return state

    def __getattr__(self, name: str) -> object:
        # Called only for what is missing: the body of a class fresh from the cache.
        sealed = self.__dict__.pop("_sealed", None) if name == "body" else None
        if sealed is None:
            raise AttributeError(name)
        body = unpickle(sealed, (__name__,))
        self.__dict__["body"] = body
        return body


Element: TypeAlias = ClassDefinition | ComponentClause | Import | Extends


@dataclass(frozen=True)
class StoredDefinition(Node):
    """One file. `within` is None without a within clause, () for `within;`."""

    within: tuple[str, ...] | None
    classes: tuple[ClassDefinition, ...]


# ---------------------------------------------------------------- sections


@dataclass(frozen=True)
class Section(Node):
    algorithm: bool
    initial: bool
    items: tuple[Item, ...]


@dataclass(frozen=True)
class SimpleEquation(Node):
    left: Expression
    right: Expression
    description: str = ""
    annotation: Offsets | None = None


@dataclass(frozen=True)
class Connect(Node):
    left: Reference
    right: Reference
    description: str = ""
    annotation: Offsets | None = None


@dataclass(frozen=True)
class CallEquation(Node):
    """`assert(...)`, `reinit(...)`, `terminate(...)`, `Connections.branch(...)`, ...; also as a statement."""

    call: Call
    description: str = ""
    annotation: Offsets | None = None


@dataclass(frozen=True)
class IfEquation(Node):
    """Branches are (condition, items); the last has condition None if it is an `else`. Items are
    equations or statements, according to the section."""

    branches: tuple[tuple[Expression | None, tuple[Item, ...]], ...]
    description: str = ""
    annotation: Offsets | None = None


@dataclass(frozen=True)
class ForEquation(Node):
    iterators: tuple[Iterator, ...]
    items: tuple[Item, ...]
    description: str = ""
    annotation: Offsets | None = None


@dataclass(frozen=True)
class WhenEquation(Node):
    """First branch is the `when`, the others `elsewhen`."""

    branches: tuple[tuple[Expression, tuple[Item, ...]], ...]
    description: str = ""
    annotation: Offsets | None = None


@dataclass(frozen=True)
class Assignment(Node):
    """`target := value`"""

    target: Reference
    value: Expression
    description: str = ""
    annotation: Offsets | None = None


@dataclass(frozen=True)
class TupleAssignment(Node):
    """`(a, , b) := f(...)`"""

    targets: tuple[Reference | None, ...]
    call: Call
    description: str = ""
    annotation: Offsets | None = None


@dataclass(frozen=True)
class WhileStatement(Node):
    condition: Expression
    items: tuple[Item, ...]
    description: str = ""
    annotation: Offsets | None = None


@dataclass(frozen=True)
class BreakStatement(Node):
    description: str = ""
    annotation: Offsets | None = None


@dataclass(frozen=True)
class ReturnStatement(Node):
    description: str = ""
    annotation: Offsets | None = None


Equation: TypeAlias = SimpleEquation | Connect | CallEquation | IfEquation | ForEquation | WhenEquation
#: If, for and when have the same shape in equations and in algorithms.
Statement: TypeAlias = (
    Assignment
    | TupleAssignment
    | CallEquation
    | IfEquation
    | ForEquation
    | WhenEquation
    | WhileStatement
    | BreakStatement
    | ReturnStatement
)
#: What a section holds: equations in an equation section, statements in an algorithm section. The parser
#: keeps them apart; if, for and when hold the kind of the section they stand in.
Item: TypeAlias = Equation | Statement
