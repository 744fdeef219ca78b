"""Units of a flat model: those that are declared, those that follow from equations, and where they disagree.

What has no unit fits everything, so that a model without units has no warnings. A variable without a unit
gets one where an equation of its own component, that always holds, leaves only one. Units do not come from
outside, by connections or modifiers, because blocks of libraries stand for quantities of any kind; for the
same reason a parameter of unit "1" may be given any value from outside. Literal numbers have no unit: in a
sum they take that of the others; in a product those of formulas (2, 0.5, 4/3, 2*pi) are factors, while any
other (9.81, 3600, 0.3) may hide a unit, and nothing is said about the product. So may the 2 of `2*time` and
the 1 of `time`: a ramp of anything; time is in seconds only where it is multiplied by a variable.

Constants are symbols here, not values (`Context.units`): their units are wanted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from saltus.core.diagnostics import Diagnostic, Note
from saltus.core.source import Span
from saltus.expr.nodes import RELATIONS, TIME, TIME_SYMBOL, Expr, Op, Symbol, Type, leaf_symbol, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves, postorder
from saltus.ir.flat import (
    Assert,
    Clause,
    Equation,
    FlatModel,
    Guarded,
    IfEquation,
    Reinit,
    Terminate,
    When,
)
from saltus.ir.instance import Scalar
from saltus.ir.unit import LEVELS, ONE, SECOND, Unit, UnitError, parse_unit
from saltus.lower.scope.context import Context
from saltus.lower.scope.parts import Components, Evaluation

#: Functions of pure numbers that give pure numbers.
_OF_NUMBERS = frozenset(
    {"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "log10"}
)
_OF_EQUALS = frozenset({"min", "max", "mod", "rem"})
_KEEPING = frozenset({Op.NEG, Op.NOEVENT, Op.SMOOTH})

#: Literals that are factors of formulas: whole numbers, parts that are powers of two, and fractions that are
#: no decimal numbers. What people write with decimals (0.3, 1.5) is more often a quantity.
_WHOLE, _PARTS, _LARGEST_DENOMINATOR = 8, (2, 4, 8), 12

#: Rounds of inference: each goes one step along a chain of variables without units.
_MOST_ROUNDS = 20

_LENGTH_SHOWN = 60


def check_units(context: Context, flat: FlatModel) -> list[Diagnostic]:
    """Where units of the model disagree, once for each place in the text."""
    check = _Check(context)
    statements = list(_statements(context.components, flat))
    for _ in range(_MOST_ROUNDS):
        known = len(check.inferred)
        for statement in statements:
            check.infer(statement)
        if len(check.inferred) == known:
            break
    check.telling = True
    for statement in statements:
        check.tell(statement)
    return list(check.found.values())


def unit_text(evaluation: Evaluation, scalar: Scalar) -> str:
    """The declared unit of a variable, '' if there is none."""
    if scalar.symbol.type is not Type.REAL:
        return ""
    value = scalar.attribute("unit")
    return "" if value is None else str(evaluation.constant(value, scalar.span, f"`unit` of `{scalar.path}`"))


# ---------------------------------------------------------------- what a flat model states


@dataclass(frozen=True, eq=False)
class _Statement:
    """`left` and `right` have the same unit (`right` is None for an expression that stands alone). `always`:
    in every mode; a start value and the branch of an if-equation say less."""

    left: Expr
    right: Expr | None
    span: Span
    origin: str
    always: bool = True

    @property
    def is_inner(self) -> bool:
        """Whether it is about variables of its own component and of those within."""
        inside = (self.origin + ".", self.origin + "[") if self.origin else ("",)
        sides = (self.left,) if self.right is None else (self.left, self.right)
        names = (leaf_symbol(leaf).name for side in sides for leaf in leaves(side))
        return all(name.startswith(inside) or name == "time" for name in names)


def _statements(components: Components, flat: FlatModel) -> Iterator[_Statement]:
    for v in flat.variables:
        owner = v.name.rpartition(".")[0]
        given = {"value": v.binding, "start": v.start, "min": v.minimum, "max": v.maximum}
        for name, value in {**given, "nominal": v.nominal}.items():
            if value is None or value.op is Op.CONST:
                continue
            span = _place(components, v.symbol, name) or v.span
            statement = _Statement(ref(v.symbol), value, span, owner, name == "value")
            if v.unit != "1" or statement.is_inner:
                yield statement
    for clause in (*flat.clauses, *flat.initial_clauses):
        for statement in _of_clause(clause):
            yield _at_binding(components, statement)


def _place(components: Components, symbol: Symbol, name: str) -> Span | None:
    scalar = components.scalars.get(symbol)
    return scalar.attribute.place(name) if scalar is not None else None


def _at_binding(components: Components, statement: _Statement) -> _Statement:
    """The equation that a binding means stands at the declaration; its fault is where the value is given."""
    scalar = components.scalars.get(statement.left.data) if statement.left.op is Op.REF else None
    if scalar is None or statement.span != scalar.span:
        return statement
    return replace(statement, span=scalar.attribute.place("value") or statement.span)


def _of_clause(clause: Clause | Reinit, always: bool = True) -> Iterator[_Statement]:
    match clause:
        case Equation():
            sides = (clause.lhs, clause.rhs)
            if any(side.op is Op.IF for side in sides) and any(_is_zero(side) for side in sides):
                for part in _of_choice(sides[0] if _is_zero(sides[1]) else sides[1]):
                    yield _Statement(part, None, clause.span, clause.origin, always)
            else:
                yield _Statement(clause.lhs, clause.rhs, clause.span, clause.origin, always)
        case Reinit():
            yield _Statement(ref(clause.state), clause.value, clause.span, clause.origin)
        case Assert():
            yield _Statement(clause.condition, None, clause.span, clause.origin)
        case IfEquation() | When():
            for branch in clause.branches:
                yield from _of_branch(branch, clause.span, clause.origin)
        case Terminate():
            pass


def _is_zero(e: Expr) -> bool:
    return e.op is Op.CONST and e.data == 0


def _of_choice(e: Expr) -> Iterator[Expr]:
    """Conditions and branches of `0 = if closed then v else i`: zero has every unit, so each branch is an
    equation of its own."""
    while e.op is Op.IF:
        condition, chosen, e = e.args
        yield condition
        yield from _of_choice(chosen)
    yield e


def _of_branch(branch: Guarded, span: Span, origin: str) -> Iterator[_Statement]:
    for condition in branch.conditions:
        yield _Statement(condition, None, span, origin)
    for action in branch.actions:
        yield from _of_clause(action, always=False)


# ---------------------------------------------------------------- units of expressions


@dataclass(eq=False)
class _Check:
    """`inferred` has units of variables that declare none, each with the place it follows from."""

    context: Context
    inferred: dict[Symbol, tuple[Unit, Span]] = field(default_factory=dict)
    found: dict[tuple[str, Span], Diagnostic] = field(default_factory=dict)
    telling: bool = False
    _declared: dict[Symbol, Unit | None] = field(default_factory=dict)
    _texts: dict[str, Unit | None] = field(default_factory=dict)
    _units: dict[Expr, Unit | None] = field(default_factory=dict)
    _span: Span | None = None

    def infer(self, statement: _Statement) -> None:
        """Learns units of variables of the statement's own component."""
        if statement.right is None or not statement.always or not statement.is_inner:
            return
        self._units = {}
        left, right = self.unit(statement.left), self.unit(statement.right)
        if left is None and right is not None:
            self._learn(statement.left, right, statement)
        elif left is not None and right is None:
            self._learn(statement.right, left, statement)

    def tell(self, statement: _Statement) -> None:
        """Reports what disagrees."""
        self._span = statement.span
        self._units = {}
        left = self.unit(statement.left)
        if statement.right is not None:
            right = self.unit(statement.right)
            if left is not None and right is not None and not left.same(right):
                self._report_different(statement.left, left, statement.right, right)

    def unit(self, e: Expr) -> Unit | None:
        """The unit of an expression, None if it is not known."""
        for node in postorder(e, self._units):
            self._units[node] = self._of_node(node)
        return self._units[e]

    def _of_node(self, e: Expr) -> Unit | None:
        match e.op:
            case Op.CONST:
                return None
            case Op.REF:
                return self._of_symbol(e.data)
            case Op.PRE:
                return self._of_symbol(e.args[0].data)
            case Op.DER:
                unit = self._of_symbol(e.args[0].data)
                return None if unit is None else unit / SECOND
            case Op.ADD:
                return self._sum(e)
            case Op.MUL:
                return self._product(e.args)
            case Op.DIV:
                return self._quotient(*e.args)
            case Op.POW:
                return self._power(e)
            case Op.IF:
                return self._equal(e.args[1:])
            case Op.HOMOTOPY:
                return self._equal(e.args)
            case Op.CALL:
                return self._call(e)
            case Op.ITEM:
                return self._result(e)
            case Op.APPLY:
                self._check_arguments(e)
                return None
            case Op.DELAY:
                for time in e.args[1:]:
                    self._wants(time, SECOND, "a time")
                return self._units[e.args[0]]
            case Op.SAMPLE:
                for time in e.args:
                    self._wants(time, SECOND, "a time")
                return None
            case op if op in RELATIONS:
                self._equal(e.args)
                return None
            case op if op in _KEEPING:
                return self._units[e.args[0]]
            case _:
                return None

    def _of_symbol(self, symbol: Symbol) -> Unit | None:
        if symbol is TIME_SYMBOL:
            return None
        if symbol not in self._declared:
            self._declared[symbol] = self._parsed(symbol)
        unit = self._declared[symbol]
        if unit is None and symbol in self.inferred:
            return self.inferred[symbol][0]
        return unit

    def _parsed(self, symbol: Symbol) -> Unit | None:
        assert self.context.functions.units is not None
        scalar = self.context.components.scalars.get(symbol)
        text = (
            self.context.functions.units.get(symbol, "")
            if scalar is None
            else unit_text(self.context.evaluation, scalar)
        )
        if text not in self._texts:
            self._texts[text] = None
            try:
                self._texts[text] = parse_unit(text) if text else None
            except UnitError as error:
                if error.symbol not in LEVELS and scalar is not None:
                    self._put(Diagnostic("W211", str(error), scalar.span, hint=_spelling(text)))
        return self._texts[text]

    def _sum(self, e: Expr) -> Unit | None:
        unit = self._equal(e.args)
        temperature = unit is not None and unit.same_dimension(_KELVIN)
        if temperature and any(a.op is Op.CONST and a.data != 0 for a in e.args):
            return None  # `T - 273.15` may be in another unit than T
        return unit

    def _equal(self, args: tuple[Expr, ...]) -> Unit | None:
        """The one unit that all of these have as far as it is known."""
        first: Expr | None = None
        for a in args:
            unit = self._units[a]
            if unit is None:
                continue
            if first is None:
                first = a
                continue
            other = self._units[first]
            assert other is not None
            if not unit.same(other):
                if not (unit.same_dimension(other) and (unit.offset or other.offset)):
                    self._report_different(first, other, a, unit)
                return None  # a difference of temperatures, or a fault: enough has been said
        return None if first is None else self._units[first]

    def _factor(self, e: Expr) -> Unit | None:
        """The unit of a factor: small numbers and Integers have 1."""
        if e.op is Op.CALL and e.data == "real":
            e = e.args[0]
        if e.type is Type.INTEGER and e.op is not Op.CONST:
            return ONE
        if e.op is Op.CONST:
            return ONE if _is_factor(e.data) else None
        if e is TIME:
            return SECOND
        return self._units[e]

    def _product(self, args: tuple[Expr, ...]) -> Unit | None:
        if TIME in args and any(a.op is Op.CONST for a in args):
            return None
        product = ONE
        for a in args:
            unit = self._factor(a)
            if unit is None:
                return None
            product = product * unit
        return product

    def _quotient(self, a: Expr, b: Expr) -> Unit | None:
        above, below = self._factor(a), self._factor(b)
        if above is None or below is None or (a is TIME and b.op is Op.CONST):
            return None
        return above / below

    def _power(self, e: Expr) -> Unit | None:
        base, exponent = e.args
        self._wants(exponent, ONE, "an exponent")
        unit = self._units[base]
        if unit is None:
            return None
        if exponent.op is Op.CONST:
            power = Fraction(exponent.data).limit_denominator(100)
            return unit.power(power) if math.isclose(float(power), exponent.data) else None
        return ONE if unit.same(ONE) else None

    def _call(self, e: Expr) -> Unit | None:
        name = e.data
        if name in _OF_NUMBERS:
            self._wants(e.args[0], ONE, f"the argument of `{name}`")
            return ONE
        if name == "sqrt":
            unit = self._units[e.args[0]]
            return None if unit is None else unit.power(Fraction(1, 2))
        if name == "abs":
            return self._units[e.args[0]]
        if name == "atan2":
            self._equal(e.args)
            return ONE
        if name in _OF_EQUALS:
            return self._equal(e.args)
        return None

    # ------------------------------------------------------------ functions

    def _check_arguments(self, e: Expr) -> None:
        for symbol, argument in zip(e.data.inputs, e.args, strict=True):
            wanted = self._of_symbol(symbol)
            if wanted is not None:
                for item in argument.args if argument.op is Op.ARRAY else (argument,):
                    self._wants(item, wanted, f"the input `{symbol.name}` of `{e.data.name}`")

    def _result(self, e: Expr) -> Unit | None:
        position = 0
        for symbol in e.args[0].data.outputs:
            position += math.prod(symbol.shape)
            if e.data < position:
                return self._of_symbol(symbol)
        return None

    # ------------------------------------------------------------ inference

    def _learn(self, e: Expr, unit: Unit, statement: _Statement) -> None:
        """`e` has this unit: what does that say about its variables?"""
        stack = [(e, unit)]
        while stack:
            e, unit = stack.pop()
            if self._units.get(e) is not None or unit.offset:
                continue
            match e.op:
                case Op.REF | Op.PRE | Op.DER:
                    symbol = e.data if e.op is Op.REF else e.args[0].data
                    if self._may_learn(symbol, statement):
                        learnt = unit * SECOND if e.op is Op.DER else unit
                        self.inferred[symbol] = (learnt, statement.span)
                case Op.ADD | Op.HOMOTOPY:
                    stack += [(a, unit) for a in e.args]
                case Op.MUL:
                    open_ = [a for a in e.args if self._factor(a) is None]
                    if len(open_) == 1:
                        known = self._product(tuple(a for a in e.args if a is not open_[0]))
                        if known is not None:
                            stack.append((open_[0], unit / known))
                case Op.DIV:
                    above, below = (self._factor(a) for a in e.args)
                    if above is None and below is not None:
                        stack.append((e.args[0], unit * below))
                    elif below is None and above is not None:
                        stack.append((e.args[1], above / unit))
                case op if op in _KEEPING:
                    stack.append((e.args[0], unit))
                case _:
                    pass

    def _may_learn(self, symbol: Symbol, statement: _Statement) -> bool:
        if symbol in self.inferred or symbol is TIME_SYMBOL or symbol.type is not Type.REAL:
            return False
        scalar = self.context.components.scalars.get(symbol)
        return (
            scalar is not None
            and unit_text(self.context.evaluation, scalar) == ""
            and scalar.path.rpartition(".")[0] == statement.origin
        )

    # ------------------------------------------------------------ reports

    def _wants(self, e: Expr, wanted: Unit, what: str) -> None:
        unit = self._units[e]
        if unit is not None and not unit.same(wanted):
            shown = show(e, _LENGTH_SHOWN)
            self._report(f"{what} is in `{wanted}`, but `{shown}` is in `{self._text(e, unit)}`", (e,))

    def _report_different(self, a: Expr, first: Unit, b: Expr, second: Unit) -> None:
        left, right = show(a, _LENGTH_SHOWN), show(b, _LENGTH_SHOWN)
        one, other = self._text(a, first), self._text(b, second)
        self._report(f"`{left}` is in `{one}`, but `{right}` is in `{other}`", (a, b))

    def _text(self, e: Expr, unit: Unit) -> str:
        """A unit as it was declared; that of a product in base units."""
        scalar = self.context.components.scalars.get(e.data) if e.op is Op.REF else None
        return (unit_text(self.context.evaluation, scalar) if scalar is not None else "") or str(unit)

    def _report(self, message: str, sides: tuple[Expr, ...]) -> None:
        if not self.telling:
            return
        assert self._span is not None
        symbols = {leaf.data if leaf.op is Op.REF else leaf.args[0].data for s in sides for leaf in leaves(s)}
        notes = tuple(
            Note(f"`{s.name}` is in `{self.inferred[s][0]}` because of this", self.inferred[s][1])
            for s in sorted(symbols & self.inferred.keys())
        )
        self._put(Diagnostic("W210", message, self._span, notes))

    def _put(self, diagnostic: Diagnostic) -> None:
        """Once for each place: components of one class and elements of an array say the same."""
        assert diagnostic.span is not None
        self.found.setdefault((diagnostic.code, diagnostic.span), diagnostic)


_KELVIN = parse_unit("K")


def _is_factor(number: float) -> bool:
    """Whether a literal is a factor as formulas have them."""
    for value in (abs(number), abs(number) / math.pi):
        near = Fraction(value).limit_denominator(_LARGEST_DENOMINATOR)
        if near.numerator > _WHOLE or not math.isclose(float(near), value, rel_tol=1e-12):
            continue
        if near.denominator % 3 == 0 or near.denominator == 1 or near in [Fraction(1, n) for n in _PARTS]:
            return True
    return False


def _spelling(text: str) -> str | None:
    """What may have been meant by `Nm`, `m^2`, `m/s/s` or `kg*m`."""
    plain = text.replace("^", "").replace("*", ".").replace(" ", ".")
    if plain.count("/") > 1 and "(" not in plain:
        above, *below = plain.split("/")
        plain = f"{above}/({'.'.join(below)})"
    candidates = [plain, *(f"{plain[:k]}.{plain[k:]}" for k in range(1, len(plain)))]
    for candidate in candidates:
        try:
            parse_unit(candidate)
        except UnitError:
            continue
        return f"did you mean `{candidate}`?"
    return None
