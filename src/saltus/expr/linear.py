"""Linear parts of expressions, and solving an equation for an unknown.

One pass from the leaves up computes for every node its *affine form* in a set of unknowns,

    e  =  sum over unknowns x of  c_x x  +  rest          (c_x and rest free of the unknowns)

as a sparse dictionary {x: c_x} and a rest, or finds that there is none. So the coefficients of a whole
system come from one walk over its expressions, however many unknowns there are; differentiating by each
unknown in turn would cost the product of the two.

Linear means linear as written: `x*x/x` is not, nor is `(x + 1)^2 - x^2`. Nothing here assumes that a
coefficient is not zero; `solve` returns what it divided by.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from saltus.expr.nodes import (
    FALSE,
    LEAVES,
    ONE,
    TRUE,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    add,
    apply,
    array,
    call,
    const,
    div,
    has_sign,
    if_,
    item,
    mul,
    neg,
    no_event,
    power,
    ref,
    sub,
)
from saltus.expr.simplify import collect_terms
from saltus.expr.traversal import leaves, postorder, substitute


@dataclass(frozen=True, slots=True)
class _Form:
    """Coefficients (none of them the constant zero) and rest. A node without unknowns is its own rest."""

    coefficients: dict[Expr, Expr]
    rest: Expr


# Integers stay Integers. Of a Boolean unknown only the unknown itself has a form, so that an equation
# `b = ...` is recognised as solved already.
_ONES = {Type.REAL: ONE, Type.INTEGER: const(1), Type.BOOLEAN: TRUE, Type.STRING: const("")}
_ZEROS = {Type.REAL: ZERO, Type.INTEGER: const(0), Type.BOOLEAN: FALSE, Type.STRING: const("")}

#: The affine form of a node, None where it has none.
_Memo: TypeAlias = dict[Expr, _Form | None]


def linear(e: Expr, leaf: Expr) -> tuple[Expr, Expr] | None:
    """(a, b) with e = a*leaf + b, both free of the leaf; None if `e` is not written linearly in it."""
    form = _form(e, (leaf,), {})
    return None if form is None else (form.coefficients.get(leaf, ZERO), form.rest)


def linear_system(
    residuals: Sequence[Expr], leaves: Sequence[Expr]
) -> tuple[list[tuple[int, int, Expr]], list[Expr]] | None:
    """The system A x = b that makes all residuals zero: the entries (row, column, coefficient) of A that
    are not the constant zero, row by row, and b. None if a residual is not linear in all leaves jointly.
    """
    columns = {leaf: j for j, leaf in enumerate(leaves)}
    memo: _Memo = {}
    entries: list[tuple[int, int, Expr]] = []
    right: list[Expr] = []
    for row, residual in enumerate(residuals):
        form = _form(residual, columns, memo)
        if form is None:
            return None
        entries += sorted(
            ((row, columns[leaf], c) for leaf, c in form.coefficients.items()), key=lambda entry: entry[1]
        )
        right.append(neg(form.rest))
    return entries, right


# ---------------------------------------------------------------- affine forms


def _form(e: Expr, unknowns: Collection[Expr], memo: _Memo) -> _Form | None:
    if e.op in LEAVES:
        return _form_of(e, unknowns, memo)
    for node in postorder(e, memo):
        memo[node] = _form_of(node, unknowns, memo)
    return memo[e]


def _form_of(node: Expr, unknowns: Collection[Expr], memo: _Memo) -> _Form | None:
    """The form of one node from those of its arguments. PRE and DER of an unknown are other leaves."""
    if node in unknowns:
        return _Form({node: _ONES[node.type]}, _ZEROS[node.type])
    if node.op in (Op.REF, Op.DER, Op.PRE) or not node.args:
        return _Form({}, node)
    forms: list[_Form] = []
    free = True
    for a in node.args:
        form = memo[a]
        if form is None:
            return None
        forms.append(form)
        free = free and form.rest is a
    if free:
        return _Form({}, node)
    if node.type not in (Type.REAL, Type.INTEGER):
        return None
    match node.op:
        case Op.ADD:
            return _sum(forms)
        case Op.MUL:
            return _product(forms)
        case Op.NEG:
            (form,) = forms
            return _Form({x: neg(c) for x, c in form.coefficients.items()}, neg(form.rest))
        case Op.DIV:
            numerator, denominator = forms
            if denominator.coefficients:
                return None
            below = denominator.rest
            return _Form(
                {x: div(c, below) for x, c in numerator.coefficients.items()}, div(numerator.rest, below)
            )
        case Op.IF:
            return _conditional(forms)
        case Op.NOEVENT:
            (form,) = forms
            return _Form({x: no_event(c) for x, c in form.coefficients.items()}, no_event(form.rest))
        case Op.SMOOTH:
            # That the sum is smooth says nothing of its parts.
            return forms[0]
        case Op.CALL if node.data == "real":
            (form,) = forms
            return _Form(form.coefficients, call("real", form.rest))
        case Op.ARRAY:
            return _array(node, forms)
        case Op.APPLY:
            return _application(node, forms)
        case Op.ITEM:
            (form,) = forms
            parts = {x: item(c, node.data) for x, c in form.coefficients.items()}
            return _Form(parts, _item(form.rest, node))
        case _:
            return None


def _sum(forms: list[_Form]) -> _Form:
    collected: dict[Expr, list[Expr]] = {}
    for form in forms:
        for x, c in form.coefficients.items():
            collected.setdefault(x, []).append(c)
    coefficients: dict[Expr, Expr] = {}
    for x, cs in collected.items():
        c = cs[0] if len(cs) == 1 else _collected(add(*cs))
        if not _is_zero(c):
            coefficients[x] = c
    return _Form(coefficients, add(*(form.rest for form in forms)))


def _product(forms: list[_Form]) -> _Form | None:
    dependent = [i for i, form in enumerate(forms) if form.coefficients]
    if len(dependent) > 1:
        return None
    rest = mul(*(form.rest for form in forms))
    if not dependent:
        return _Form({}, rest)
    at = dependent[0]
    before = [form.rest for form in forms[:at]]
    after = [form.rest for form in forms[at + 1 :]]
    return _Form({x: mul(*before, c, *after) for x, c in forms[at].coefficients.items()}, rest)


def _conditional(forms: list[_Form]) -> _Form | None:
    condition, then, other = forms
    if condition.coefficients:
        return None
    c = condition.rest
    # Both parts stay guarded: a branch may be undefined where it is not taken.
    coefficients = {
        x: if_(c, then.coefficients.get(x, _ZEROS[x.type]), other.coefficients.get(x, _ZEROS[x.type]))
        for x in {**then.coefficients, **other.coefficients}
    }
    return _Form(coefficients, if_(c, then.rest, other.rest))


def _array(node: Expr, forms: list[_Form]) -> _Form:
    """Element by element: the coefficients and the rest are arrays."""
    coefficients = {
        x: array(node.data, (form.coefficients.get(x, ZERO) for form in forms))
        for x in {x: None for form in forms for x in form.coefficients}
    }
    return _Form(coefficients, array(node.data, (form.rest for form in forms)))


def _application(node: Expr, forms: list[_Form]) -> _Form | None:
    """A derivative of a user function is linear in its last arguments (see `ir.program.Function`). What it
    gives for the coefficients in their place are its coefficients."""
    fixed = len(forms) - getattr(node.data, "linear_inputs", 0)
    if any(form.coefficients for form in forms[:fixed]):
        return None
    first, last = node.args[:fixed], forms[fixed:]
    coefficients = {
        x: apply(node.data, (*first, *(form.coefficients.get(x) or _no_part(form.rest) for form in last)))
        for x in {x: None for form in last for x in form.coefficients}
    }
    return _Form(coefficients, apply(node.data, (*first, *(form.rest for form in last))))


def _item(application: Expr, node: Expr) -> Expr:
    """A result of the rest of a derivative; with zeros in its last arguments it is zero."""
    last = application.args[-application.data.linear_inputs :]
    zero = all(part is ZERO for a in last for part in (a.args if a.op is Op.ARRAY else (a,)))
    return ZERO if zero else item(application, node.data)


def _no_part(rest: Expr) -> Expr:
    """Zero in the shape of an argument."""
    return array(rest.data, [ZERO] * len(rest.args)) if rest.op is Op.ARRAY else ZERO


def _collected(e: Expr) -> Expr:
    """Where an unknown appears twice its coefficients may cancel, which shows only when collected. One
    level is enough, since every sum of coefficients passes here; simplifying in depth at each level of a
    deep expression would be quadratic."""
    return (collect_terms(e) or e) if e.op is Op.ADD else e


def _is_zero(e: Expr) -> bool:
    return e.op is Op.CONST and e.data == 0


# ---------------------------------------------------------------- one equation


@dataclass(frozen=True, slots=True)
class Solution:
    """What an unknown equals. The solution holds where `divisor` is not zero (ONE: everywhere)."""

    value: Expr
    divisor: Expr


#: Functions that are one-to-one on their whole domain, with inverses defined on their whole range.
_INVERSES = {
    "exp": lambda y: call("log", y),
    "log": lambda y: call("exp", y),
    "log10": lambda y: power(const(10.0), y),
}


def solve(lhs: Expr, rhs: Expr, leaf: Expr) -> Solution | None:
    """Solves lhs = rhs for a leaf. None where that needs more than collecting linear terms or undoing a
    one-to-one function, one of the user's with an inverse included, or where the leaf cancels."""
    if lhs is leaf and leaf not in leaves(rhs):
        return Solution(rhs, ONE)
    memo: _Memo = {}
    left, right = _form(lhs, (leaf,), memo), _form(rhs, (leaf,), memo)
    if left is None or right is None:
        return _invert(lhs, right, leaf) or _invert(rhs, left, leaf) or _undo(lhs, rhs, leaf)
    if lhs is leaf and not right.coefficients:
        return Solution(right.rest, ONE)
    if rhs is leaf and not left.coefficients:
        return Solution(left.rest, ONE)
    if leaf.type not in (Type.REAL, Type.INTEGER):
        return None
    a, c = left.coefficients.get(leaf, ZERO), right.coefficients.get(leaf, ZERO)
    slope = a if _is_zero(c) else neg(c) if _is_zero(a) else _collected(sub(a, c))
    if _is_zero(slope):
        return None
    value = sub(right.rest, left.rest)
    if has_sign(slope):
        slope, value = neg(slope), sub(left.rest, right.rest)
    if slope.op is Op.CONST and slope.data == 1:
        return Solution(value, ONE)
    # An Integer is not computed by a division, whose result is a Real.
    return Solution(div(value, slope), slope) if leaf.type is Type.REAL else None


def _invert(side: Expr, other: _Form | None, leaf: Expr) -> Solution | None:
    """Solves f(u) = other, where u is linear in the leaf and `other` is free of it."""
    if other is None or other.coefficients or side.op is not Op.CALL or side.data not in _INVERSES:
        return None
    return solve(side.args[0], _INVERSES[side.data](other.rest), leaf)


def _undo(lhs: Expr, rhs: Expr, leaf: Expr) -> Solution | None:
    """Solves where all there is of the leaf is in one argument of one call of a user function: for the result
    of the call, and then by the inverse that the user wrote for that argument."""
    if not (lhs.calls or rhs.calls):
        return None
    calls = {node for side in (lhs, rhs) for node in _calls_with(side, leaf)}
    if len(calls) != 1:
        return None
    (found,) = calls
    place = ref(Symbol("$result"))
    left, right = (substitute(side, {found: place}) for side in (lhs, rhs))
    if leaf in leaves(left) or leaf in leaves(right):
        return None
    (application,) = found.args
    within = [i for i, argument in enumerate(application.args) if leaf in leaves(argument)]
    outer = solve(left, right, place)
    if outer is None or len(within) != 1:
        return None
    inverse = application.data.inverse_call(application.args, within[0], outer.value)
    if inverse is None:
        return None
    inner = solve(application.args[within[0]], item(apply(*inverse), 0), leaf)
    if inner is None or ONE not in (inner.divisor, outer.divisor):
        return None
    return Solution(inner.value, inner.divisor if outer.divisor is ONE else outer.divisor)


def _calls_with(e: Expr, leaf: Expr) -> list[Expr]:
    """The outermost results of user functions with inverses that have the leaf in their arguments."""
    found: list[Expr] = []
    stack = [e]
    while stack:
        node = stack.pop()
        if not node.calls or leaf not in leaves(node):
            continue
        if node.op is Op.ITEM and getattr(node.args[0].data, "inverses", None):
            found.append(node)
        else:
            stack += node.args
    return found
