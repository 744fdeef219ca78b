"""The one expression language: interned nodes and their constructors.

Every expression is an `Expr`, and equal expressions are the same object: the constructors below look up
an intern table. So `is` compares, identity hashes, memo tables work on whole models, and a shared
subexpression is stored (and later computed) once. Expressions are scalar; arrays exist only as arguments
of user functions (`ARRAY`) and inside function bodies (`INDEX`).

Constructors tidy up what costs nothing to tidy (constants folded, sums and products flattened, neutral
elements dropped), and never reorder operands. They do not know any rule that needs a proof that
something is non-zero: `x / x` stays.

Leaves, the things a value is stored for: `CONST`, `REF` (a symbol), `DER` and `PRE` of a reference.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from fractions import Fraction
from itertools import count
from typing import Any

from saltus.expr.helpers import Helper


class Type(Enum):
    """Type of a scalar. Enumeration values are integers counted from 1. An OBJECT, an external object of the
    language, is the address of numbers that a run owns; in the memory it is a number like any other."""

    __hash__ = object.__hash__  # as for `Op`

    REAL = "Real"
    INTEGER = "Integer"
    BOOLEAN = "Boolean"
    STRING = "String"
    OBJECT = "ExternalObject"
    CLOCK = "Clock"  # of flat models only


#: Types that one cannot reckon with.
NOT_NUMBERS = frozenset({Type.BOOLEAN, Type.STRING, Type.OBJECT, Type.CLOCK})


class Op(Enum):
    """Node kinds. `data` and `args` of each are given on its right."""

    # Members are singletons; hashing their names, as Enum does, is measurable in every traversal.
    __hash__ = object.__hash__

    CONST = "const"  #         data: float, int, bool or str
    REF = "ref"  #             data: Symbol
    DER = "der"  #             args: (REF,)
    PRE = "pre"  #             args: (REF,)
    ADD = "+"  #               args: two or more
    MUL = "*"  #               args: two or more
    NEG = "-"  #               args: one
    DIV = "/"  #               args: numerator, denominator; always Real
    POW = "^"  #               args: base, exponent; always Real
    LT = "<"  #                args: two, as all relations
    LE = "<="
    GT = ">"
    GE = ">="
    EQ = "=="
    NE = "<>"
    AND = "and"  #             args: two or more
    OR = "or"  #               args: two or more
    NOT = "not"  #             args: one
    IF = "if"  #               args: condition, then, else
    CALL = "call"  #           data: name of a built-in function (see BUILTINS); args: its arguments
    APPLY = "apply"  #         data: a function object; args: scalars and ARRAYs. Only inside ITEM
    ITEM = "item"  #           data: index into the flattened outputs of the APPLY in args[0]
    ARRAY = "array"  #         data: shape; args: elements in row-major order. Only inside APPLY
    INDEX = "index"  #         args: REF to an array local of a function body, Integer indices from 1
    NOEVENT = "noEvent"  #     args: one
    SMOOTH = "smooth"  #       data: order; args: one
    HOMOTOPY = "homotopy"  #   args: actual, simplified; the simplified one only at the start
    EDGE = "edge"  #           args: one Boolean REF
    CHANGE = "change"  #       args: one discrete REF
    SAMPLE = "sample"  #       args: start, interval
    DELAY = "delay"  #         args: expression, delay time, longest delay time
    TRANSPORT = "transport"  # data: 0 or 1, the end; args: in0, in1, x, positiveVelocity, points, values
    RECALL = "recall"  #       data: name of a question to a history (see QUESTIONS); args: its handle, ...
    CLOCKED = "clocked"  #     data: name of a clocked operator; args: its arguments. Only in flat models
    INITIAL = "initial"  #     no args
    TERMINAL = "terminal"  #   no args


RELATIONS = frozenset({Op.LT, Op.LE, Op.GT, Op.GE, Op.EQ, Op.NE})
LEAVES = frozenset({Op.CONST, Op.REF, Op.DER, Op.PRE})
_AT_START = frozenset({Op.INITIAL, Op.HOMOTOPY})

_serials = count()


class Enumeration(tuple[str, ...]):
    """The names of an enumeration's literals; `name` is that of the type. Two of them with the same literals
    are the same type (section 6.4 of the specification)."""

    name: str

    def __new__(cls, name: str, literals: Iterable[str]) -> Enumeration:
        made = super().__new__(cls, literals)
        made.name = name
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Enumeration, (self.name, tuple(self))


class Literal(int):
    """The number of an enumeration's literal. It is that number to everybody but the checks of types."""

    enumeration: Enumeration

    def __new__(cls, number: int, enumeration: Enumeration) -> Literal:
        made = super().__new__(cls, number)
        made.enumeration = enumeration
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Literal, (int(self), self.enumeration)


class Symbol:
    """A named quantity. Identity is the object; `name` is for people. `helper` says what the compiler has
    made it for, if it is not the user's; `derivative_of`, of which variable it is a derivative, of any order,
    if it is a symbol that stands for one."""

    __slots__ = (
        "__weakref__",
        "_reference",
        "derivative_of",
        "enumeration",
        "helper",
        "name",
        "serial",
        "shape",
        "type",
    )

    def __init__(
        self,
        name: str,
        type: Type = Type.REAL,
        shape: tuple[int, ...] = (),
        enumeration: Enumeration | None = None,
        *,
        helper: Helper | None = None,
        derivative_of: Symbol | None = None,
    ) -> None:
        self.name = name
        self.type = type
        self.shape = shape  # other than () only for arrays local to functions
        self.enumeration = enumeration
        self.helper = helper
        self.derivative_of = derivative_of
        self.serial = next(_serials)
        self._reference: weakref.ref[Expr] | None = None  # what `ref` gave last

    @property
    def is_hidden(self) -> bool:
        """Whether users do not know it: it is a helper of the compiler, or the derivative of one."""
        derived = self.derivative_of is not None and self.derivative_of.is_hidden
        return self.helper is not None or derived

    def __reduce__(self) -> tuple[Any, ...]:
        if self in (TIME_SYMBOL, leaf_symbol(LAMBDA)):  # of which there is one in every process
            return _well_known, (self.name,)
        also = self.helper, self.derivative_of, self.serial  # by which symbols are put in order
        return Symbol, (self.name, self.type, self.shape, self.enumeration), also

    def __setstate__(self, state: tuple[Helper | None, Symbol | None, int]) -> None:
        self.helper, self.derivative_of, self.serial = state

    def __repr__(self) -> str:
        return self.name

    def __lt__(self, other: Symbol) -> bool:
        return self.serial < other.serial


#: What shows an expression to people in a debugger: `saltus.expr.show`, which needs this module, enters it.
printer: list[Callable[[Expr], str]] = []


class Expr:
    """An interned expression node. Make it with the functions of this module, never directly."""

    __slots__ = ("__weakref__", "_leaves", "args", "calls", "data", "op", "starts", "type")

    op: Op
    args: tuple[Expr, ...]
    data: Any
    type: Type
    starts: bool  # whether initial() or homotopy occur in it: it is another expression at the start
    calls: bool  # whether a function of the user is called in it
    _leaves: tuple[Expr, ...] | None  # once they have been asked for

    def __reduce__(self) -> tuple[Any, ...]:
        """In another process it is the node that is there already, if there is one."""
        if self.op is Op.CONST:
            return const, (self.data,)
        return _make, (self.op, self.type, self.args, self.data)

    def __repr__(self) -> str:
        return printer[0](self) if printer else object.__repr__(self)

    # Arithmetic on expressions reads like mathematics in the algorithms that use it.
    def __add__(self, other: Expr | float) -> Expr:
        return add(self, _lift(other))

    def __radd__(self, other: float) -> Expr:
        return add(_lift(other), self)

    def __sub__(self, other: Expr | float) -> Expr:
        return sub(self, _lift(other))

    def __rsub__(self, other: float) -> Expr:
        return sub(_lift(other), self)

    def __mul__(self, other: Expr | float) -> Expr:
        return mul(self, _lift(other))

    def __rmul__(self, other: float) -> Expr:
        return mul(_lift(other), self)

    def __truediv__(self, other: Expr | float) -> Expr:
        return div(self, _lift(other))

    def __rtruediv__(self, other: float) -> Expr:
        return div(_lift(other), self)

    def __pow__(self, other: Expr | float) -> Expr:
        return power(self, _lift(other))

    def __neg__(self) -> Expr:
        return neg(self)


class _Reference(weakref.ref[Expr]):
    """A node that is kept as long as there is another reference to it. A `WeakValueDictionary` would do, but
    takes twice the time, and every node of a model is asked for many times."""

    __slots__ = ("key",)

    key: tuple[Any, ...]


_interned: dict[tuple[Any, ...], _Reference] = {}


def _forget(reference: _Reference, table: dict[tuple[Any, ...], _Reference] = _interned) -> None:
    if table.get(reference.key) is reference:  # and not a new one for an equal node
        del table[reference.key]


def _make(op: Op, type: Type, args: tuple[Expr, ...], data: Any = None, also: Any = None) -> Expr:
    """The node with these parts; `also` distinguishes nodes whose data are equal."""
    key = (op, type, data, args) if also is None else (op, type, data, args, also)
    reference = _interned.get(key)
    found = reference() if reference is not None else None
    if found is None:
        found = Expr.__new__(Expr)
        found.op = op
        found.type = type
        found.args = args
        found.data = data
        found.starts = op in _AT_START
        found.calls = op is Op.APPLY
        for a in args:
            if a.starts:
                found.starts = True
            if a.calls:
                found.calls = True
        found._leaves = None
        reference = _interned[key] = _Reference(found, _forget)
        reference.key = key
    return found


def _lift(value: Expr | float) -> Expr:
    return value if isinstance(value, Expr) else const(value)


# ---------------------------------------------------------------- leaves


def const(value: float | int | bool | str) -> Expr:
    """A literal; its Modelica type follows from its Python type."""
    if isinstance(value, bool):
        kind = Type.BOOLEAN
    elif isinstance(value, int):
        if isinstance(value, Literal):
            # Types of the same literals are equal, but messages name each by its own name.
            return _make(Op.CONST, Type.INTEGER, (), value, (value.enumeration.name, value.enumeration))
        kind = Type.INTEGER
    elif isinstance(value, float):
        kind = Type.REAL
        value = value + 0.0  # one zero: -0.0 and 0.0 share a hash and would be the same node anyway
    else:
        kind = Type.STRING
    return _make(Op.CONST, kind, (), value)


# These are kept alive for the life of the program, so that `e is ZERO` always works.
ZERO = const(0.0)
ONE = const(1.0)
MINUS_ONE = const(-1.0)
TRUE = const(True)
FALSE = const(False)

TIME_SYMBOL = Symbol("time")


def ref(symbol: Symbol) -> Expr:
    """The value of a symbol."""
    found = symbol._reference() if symbol._reference is not None else None
    if found is None:
        found = _make(Op.REF, symbol.type, (), symbol)
        symbol._reference = weakref.ref(found)
    return found


TIME = ref(TIME_SYMBOL)

#: How far the initial system is on the way from its simplified form (0) to the actual one (1).
LAMBDA = ref(Symbol("$lambda"))


def _well_known(name: str) -> Symbol:
    """Symbols that pickles of expressions know by their names."""
    return {symbol.name: symbol for symbol in (TIME_SYMBOL, leaf_symbol(LAMBDA))}[name]


def der(argument: Expr) -> Expr:
    """Time derivative of a reference."""
    assert argument.op is Op.REF, argument.op
    return _make(Op.DER, Type.REAL, (argument,))


def pre(argument: Expr) -> Expr:
    """Left limit of a reference (of a constant: itself)."""
    if argument.op is Op.CONST:
        return argument
    assert argument.op is Op.REF, argument.op
    return _make(Op.PRE, argument.type, (argument,))


def enumeration_of(e: Expr) -> Enumeration | None:
    """The enumeration that the value of an expression belongs to."""
    while True:
        if e.type is not Type.INTEGER:
            return None
        match e.op:
            case Op.CONST:
                return e.data.enumeration if isinstance(e.data, Literal) else None
            case Op.REF:
                found: Enumeration | None = e.data.enumeration
                return found
            case Op.PRE | Op.INDEX | Op.NOEVENT:
                e = e.args[0]
            case Op.CLOCKED if e.args:
                e = e.args[0]
            case Op.IF:
                e = e.args[1]
            case Op.CALL if e.data in ("min", "max"):
                e = e.args[0]
            case Op.ITEM:
                return _enumeration_of_item(e.args[0].data, e.data)
            case _:
                return None


def _enumeration_of_item(function: Any, index: int) -> Enumeration | None:
    """The enumeration type of one scalar of the outputs of a user function."""
    for symbol in function.outputs:
        size = math.prod(symbol.shape)
        if index < size:
            found: Enumeration | None = symbol.enumeration
            return found
        index -= size
    return None


def is_const(e: Expr) -> bool:
    return e.op is Op.CONST


def is_leaf(e: Expr) -> bool:
    return e.op in LEAVES


def leaf_symbol(e: Expr) -> Symbol:
    """The symbol of a REF, DER or PRE leaf."""
    symbol = e.data if e.op is Op.REF else e.args[0].data
    assert isinstance(symbol, Symbol)
    return symbol


# ---------------------------------------------------------------- arithmetic


def _numeric(args: Sequence[Expr]) -> Type:
    for a in args:
        if a.type is not Type.INTEGER:
            return Type.REAL
    return Type.INTEGER


def _zero(kind: Type) -> Expr:
    return ZERO if kind is Type.REAL else const(0)


def _as(kind: Type, e: Expr) -> Expr:
    """What is left of an operation when the other operands dropped out keeps the operation's type."""
    return call("real", e) if kind is Type.REAL and e.type is Type.INTEGER else e


def has_sign(e: Expr) -> bool:
    """Whether an expression starts with a sign that can be moved to the front of what contains it."""
    if e.op is Op.NEG:
        return True
    head = e.args[0] if e.op is Op.MUL else e
    return head.op is Op.CONST and bool(head.data < 0)


#: Longer sums and products are not merged into those that contain them, nor signs into longer sums. A sum
#: of ten thousand terms is often built term by term, and the chain rule makes a product of a product of a
#: product: writing out every one of them in full would be quadratic.
_LONGEST_MERGED = 64


#: Integers are exact up to here: they are computed as doubles, as in native code. 2^53 could be 2^53 + 1,
#: rounded.
LARGEST_INTEGER = 2**53 - 1


def _merges(op: Op, e: Expr) -> bool:
    return e.op is op and len(e.args) <= _LONGEST_MERGED


def add(*terms: Expr) -> Expr:
    kind = _numeric(terms)
    flat: list[Expr] = []
    total: float = 0
    for t in terms:
        for a in t.args if _merges(Op.ADD, t) else (t,):
            if a.op is Op.CONST:
                total += a.data
            else:
                flat.append(a)
    if not flat and kind is Type.INTEGER and abs(total) > LARGEST_INTEGER:
        return _make(Op.ADD, kind, terms)  # to be refused where it is computed, if it ever is
    if total != 0 or not flat:
        flat.append(const(float(total) if kind is Type.REAL else total))
    if len(flat) == 1:
        return _as(kind, flat[0])
    return _make(Op.ADD, kind, tuple(flat))


def neg(e: Expr) -> Expr:
    if e.op is Op.CONST:
        return const(-e.data)
    if e.op is Op.NEG:
        return e.args[0]
    if e.op is Op.MUL and e.args[0].op is Op.CONST:
        return mul(const(-e.args[0].data), *e.args[1:])
    if _merges(Op.ADD, e):
        return add(*(neg(a) for a in e.args))
    return _make(Op.NEG, e.type, (e,))


def sub(a: Expr, b: Expr) -> Expr:
    if a is b and _is_total(a):
        return _zero(_numeric((a, b)))
    return add(a, neg(b))


def _is_total(e: Expr) -> bool:
    """True for leaves, whose value is taken to be finite."""
    return e.op in LEAVES


def mul(*factors: Expr) -> Expr:
    kind = _numeric(factors)
    flat: list[Expr] = []
    total: float = 1
    for f in factors:
        for a in f.args if _merges(Op.MUL, f) else (f,):
            if a.op is Op.NEG:
                total = -total
                a = a.args[0]
                if _merges(Op.MUL, a):
                    flat.extend(a.args)
                    continue
            if a.op is Op.CONST:
                total *= a.data
            else:
                flat.append(a)
    if total == 0:
        return _zero(kind)
    if not flat:
        if kind is Type.INTEGER and abs(total) > LARGEST_INTEGER:
            return _make(Op.MUL, kind, factors)
        return const(float(total) if kind is Type.REAL else total)
    if total == -1:
        return neg(_make(Op.MUL, kind, tuple(flat)) if len(flat) > 1 else _as(kind, flat[0]))
    if total != 1:
        flat.insert(0, const(float(total) if kind is Type.REAL else total))
    if len(flat) == 1:
        return _as(kind, flat[0])
    return _make(Op.MUL, kind, tuple(flat))


def div(a: Expr, b: Expr) -> Expr:
    if b.op is Op.CONST and b.data != 0:
        if a.op is Op.CONST:
            return const(a.data / b.data)
        if b.data == 1:
            return _as(Type.REAL, a)
    if a.op is Op.CONST and a.data == 0 and not (b.op is Op.CONST and b.data == 0):
        return ZERO
    if has_sign(a):
        return neg(div(neg(a), b))
    if has_sign(b):
        return neg(div(a, neg(b)))
    return _make(Op.DIV, Type.REAL, (a, b))


def power(a: Expr, b: Expr) -> Expr:
    if b.op is Op.CONST:
        if b.data == 0:
            return ONE
        if b.data == 1:
            return _as(Type.REAL, a)
        if a.op is Op.CONST:
            try:
                folded = float(a.data) ** float(b.data)
            except (ZeroDivisionError, OverflowError):
                folded = math.nan
            if isinstance(folded, float) and math.isfinite(folded):
                return const(folded)
    return _make(Op.POW, Type.REAL, (a, b))


# ---------------------------------------------------------------- built-in functions

_REAL, _INT = Type.REAL, Type.INTEGER

#: Built-in functions of Reals and Integers by name: how many arguments, and the type of the result
#: (None: that of the arguments). `sqrt` and the like have no case distinctions; `abs`, `sign`, `div`,
#: `mod`, `rem`, `floor`, `ceil`, `integer`, `min` and `max` do, and lowering decides whether they make
#: events. `real` is the conversion of an Integer.
BUILTINS: dict[str, tuple[int, Type | None]] = {
    "sin": (1, _REAL),
    "cos": (1, _REAL),
    "tan": (1, _REAL),
    "asin": (1, _REAL),
    "acos": (1, _REAL),
    "atan": (1, _REAL),
    "atan2": (2, _REAL),
    "sinh": (1, _REAL),
    "cosh": (1, _REAL),
    "tanh": (1, _REAL),
    "exp": (1, _REAL),
    "log": (1, _REAL),
    "log10": (1, _REAL),
    "sqrt": (1, _REAL),
    "abs": (1, None),
    "sign": (1, _INT),
    "min": (2, None),
    "max": (2, None),
    "div": (2, None),
    "mod": (2, None),
    "rem": (2, None),
    "floor": (1, _REAL),
    "ceil": (1, _REAL),
    "integer": (1, _INT),
    "real": (1, _REAL),
    # The number at a place (counted from 0) of an external object.
    "peek": (2, _REAL),
    # Text, for messages only: never in the equations of a run.
    "String": (1, Type.STRING),
    "format": (2, Type.STRING),  # a value, and how it is written: `6.3f`, as in C but for the percent sign
    "concat": (2, Type.STRING),
}


def call(name: str, *args: Expr) -> Expr:
    """A built-in function. Constant arguments are folded by `simplify`, not here."""
    arity, kind = BUILTINS[name]
    assert len(args) == arity, (name, len(args))
    if name == "real":
        (a,) = args
        if a.type is Type.REAL:
            return a
        if a.op is Op.CONST:
            return const(float(a.data))
    if name == "integer" and args[0].op is Op.CONST and args[0].type is Type.INTEGER:
        return const(int(args[0].data))  # the number of an enumeration literal
    return _make(Op.CALL, kind if kind is not None else _numeric(args), args, name)


def apply(function: Any, args: Iterable[Expr]) -> Expr:
    """A call of a user function (any hashable object with a `name`); take its results with `item`."""
    return _make(Op.APPLY, Type.REAL, tuple(args), function)


def item(application: Expr, index: int, type: Type = Type.REAL) -> Expr:
    """One scalar of the flattened outputs of a user function call."""
    assert application.op is Op.APPLY
    return _make(Op.ITEM, type, (application,), index)


def array(shape: tuple[int, ...], elements: Iterable[Expr]) -> Expr:
    elements = tuple(elements)
    return _make(Op.ARRAY, _numeric(elements) if elements else Type.REAL, elements, shape)


def index(array: Expr, *indices: Expr) -> Expr:
    return _make(Op.INDEX, array.type, (array, *indices))


# ---------------------------------------------------------------- logic

_COMPARE: dict[Op, Callable[[Any, Any], bool]] = {
    Op.LT: lambda a, b: a < b,
    Op.LE: lambda a, b: a <= b,
    Op.GT: lambda a, b: a > b,
    Op.GE: lambda a, b: a >= b,
    Op.EQ: lambda a, b: a == b,
    Op.NE: lambda a, b: a != b,
}

NEGATED: dict[Op, Op] = {
    Op.LT: Op.GE,
    Op.GE: Op.LT,
    Op.GT: Op.LE,
    Op.LE: Op.GT,
    Op.EQ: Op.NE,
    Op.NE: Op.EQ,
}


def compare(op: Op, a: Any, b: Any) -> bool:
    """The relation on Python values."""
    return _COMPARE[op](a, b)


def relation(op: Op, a: Expr, b: Expr) -> Expr:
    assert op in RELATIONS
    if a.op is Op.CONST and b.op is Op.CONST:
        return const(bool(compare(op, a.data, b.data)))
    return _make(op, Type.BOOLEAN, (a, b))


def not_(e: Expr) -> Expr:
    if e.op is Op.CONST:
        return const(not e.data)
    if e.op is Op.NOT:
        return e.args[0]
    return _make(Op.NOT, Type.BOOLEAN, (e,))


def _logic(op: Op, args: Iterable[Expr], neutral: Expr, absorbing: Expr) -> Expr:
    flat: dict[Expr, None] = {}  # in order, each once: there may be thousands
    for arg in args:
        for a in arg.args if arg.op is op else (arg,):
            if a is absorbing:
                return absorbing
            if a is not neutral:
                flat[a] = None
    if not flat:
        return neutral
    return next(iter(flat)) if len(flat) == 1 else _make(op, Type.BOOLEAN, tuple(flat))


def and_(*args: Expr) -> Expr:
    return _logic(Op.AND, args, TRUE, FALSE)


def or_(*args: Expr) -> Expr:
    return _logic(Op.OR, args, FALSE, TRUE)


def if_(condition: Expr, then: Expr, other: Expr) -> Expr:
    if condition.op is Op.CONST:
        return then if condition.data else other
    if then is other:
        return then
    if then.type is Type.BOOLEAN:
        if then is TRUE and other is FALSE:
            return condition
        if then is FALSE and other is TRUE:
            return not_(condition)
        kind = Type.BOOLEAN
    elif then.type in NOT_NUMBERS:
        kind = then.type
    else:
        kind = _numeric((then, other))
    return _make(Op.IF, kind, (condition, then, other))


# ---------------------------------------------------------------- events


def no_event(e: Expr) -> Expr:
    return e if e.op in LEAVES or e.op is Op.NOEVENT else _make(Op.NOEVENT, e.type, (e,))


def smooth(order: int, e: Expr) -> Expr:
    return e if e.op in LEAVES else _make(Op.SMOOTH, e.type, (e,), order)


def homotopy(actual: Expr, simplified: Expr) -> Expr:
    """`actual`; at the start perhaps something between `simplified` and it."""
    if actual is simplified:
        return actual
    return _make(Op.HOMOTOPY, _numeric((actual, simplified)), (actual, simplified))


def edge(e: Expr) -> Expr:
    return FALSE if e.op is Op.CONST else _make(Op.EDGE, Type.BOOLEAN, (e,))


def change(e: Expr) -> Expr:
    return FALSE if e.op is Op.CONST else _make(Op.CHANGE, Type.BOOLEAN, (e,))


def sample(start: Expr, interval: Expr, ticks: tuple[Fraction, Fraction] | None = None) -> Expr:
    """True at start + k * interval. With `ticks`, a shift and a factor, it is a clock that begins with the
    run: at the start of the run + (shift + k * factor) * interval, exactly."""
    return _make(Op.SAMPLE, Type.BOOLEAN, (start, interval), ticks)


def delay(e: Expr, time: Expr, longest: Expr) -> Expr:
    """`e`, the time `time` ago. Where `longest` is the same node, no other was given."""
    return e if e.op is Op.CONST else _make(Op.DELAY, Type.REAL, (e, time, longest))


def transport(end: int, args: Sequence[Expr]) -> Expr:
    """What comes out of `spatialDistribution` at an end."""
    return _make(Op.TRANSPORT, Type.REAL, tuple(args), end)


#: What a history, the remembered past of an expression, is asked during a run: how many arguments, and the
#: type of the answer. The first is the history's handle (`ir.history` says more); its past is in segments,
#: which end where the expression jumps.
#:     value   (history, segment, time)               the value in a segment at a time
#:     recent  (history, segment, time, now, present) the same, perhaps after the last step: up to the present
#:     slope   (history, segment, time)               the derivative of `value`
#:     share   (history, segment, time, now)          that of `recent` by the present value: 0 in the past
#:     end     (history, segment)                     when a segment ended, NEVER if it has not
#:     passed  (history, time, now)                   the last segment that began `time` or more before `now`
#: The content of a `spatialDistribution` is a history too, with labels (`ir.transport`) in place of times.
#: Only the polynomials are others:
#:     content, content.gradient                      as `value` and `slope`
QUESTIONS: dict[str, tuple[int, Type]] = {
    "value": (3, Type.REAL),
    "recent": (5, Type.REAL),
    "slope": (3, Type.REAL),
    "share": (4, Type.REAL),
    "end": (2, Type.REAL),
    "passed": (3, Type.INTEGER),
    "content": (3, Type.REAL),
    "content.gradient": (3, Type.REAL),
}


def recall(question: str, *args: Expr) -> Expr:
    """The answer of a history."""
    arity, kind = QUESTIONS[question]
    assert len(args) == arity, (question, len(args))
    return _make(Op.RECALL, kind, args, question)


def clocked(name: str, kind: Type, *args: Expr) -> Expr:
    """A clocked operator: what it gives is known at the ticks of a clock."""
    return _make(Op.CLOCKED, kind, args, name)


INITIAL = _make(Op.INITIAL, Type.BOOLEAN, ())
TERMINAL = _make(Op.TERMINAL, Type.BOOLEAN, ())
