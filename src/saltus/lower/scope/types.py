"""Types of scalars, as the author of a model knows them: Real, Integer, Boolean, String and enumerations.

After lowering an enumeration is an Integer. Until then its type is remembered by its literals and variables
(`expr.nodes.enumeration_of`), for the rules of sections 6.6 and 6.7 of the specification: a value of an
enumeration is of that type only, it is no number, and nothing is converted to it by itself.
"""

from __future__ import annotations

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr.nodes import Enumeration, Expr, Literal, Type, const, enumeration_of, is_const

NUMERIC = frozenset({Type.REAL, Type.INTEGER})


def typed(number: int, enumeration: Enumeration | None) -> Expr:
    """A number, or the literal of an enumeration with this number."""
    return const(number if enumeration is None else Literal(number, enumeration))


def type_name(e: Expr) -> str:
    """The type of an expression as its author knows it."""
    enumeration = enumeration_of(e)
    return enumeration.name if enumeration is not None else e.type.value


def is_number(e: Expr) -> bool:
    """Real or Integer: something to calculate with."""
    return e.type in NUMERIC and enumeration_of(e) is None


def same_type(a: Expr, b: Expr) -> bool:
    """Whether two expressions may stand on the two sides of an equation or a relation, or in the branches of
    a condition: of one type, or both numbers."""
    if a.type in NUMERIC and b.type in NUMERIC:
        return enumeration_of(a) == enumeration_of(b)
    return a.type is b.type


def check_assignable(
    wanted: Type | None, value: Expr, what: str, span: Span, enumeration: Enumeration | None = None
) -> None:
    """Refuses a value for something of a type. Integers may stand for Reals; nothing else is converted."""
    assert wanted is not None
    given = enumeration_of(value)
    converted = wanted is Type.REAL and value.type is Type.INTEGER
    if enumeration == given and (converted or value.type is wanted):
        return
    hint = None
    if given is not None and enumeration is None and wanted in NUMERIC:
        hint = "use Integer(...) for the number of a literal"
    elif wanted is Type.INTEGER and value.type is Type.REAL and enumeration is None:
        hint = "use integer(...) to round down"
    elif enumeration is not None and value.type is Type.INTEGER and given is None:
        hint = f"use {enumeration.name}(...) for the literal of a number"
    elif enumeration is not None:
        hint = _quoted_hint(enumeration, value)
    name = enumeration.name if enumeration is not None else wanted.value
    raise model_error("E205", f"{what} is of type {name}, but this is {type_name(value)}", span, hint=hint)


def quoted_literal_hint(a: Expr, b: Expr) -> str | None:
    """`phase == "Fill"`, where the type of the one has a literal the other quotes."""
    for value, text in ((a, b), (b, a)):
        enumeration = enumeration_of(value)
        if enumeration is not None:
            return _quoted_hint(enumeration, text)
    return None


def _quoted_hint(enumeration: Enumeration, text: Expr) -> str | None:
    if text.type is Type.STRING and is_const(text) and text.data in enumeration:
        return f"did you mean `{enumeration.name}.{text.data}`?"
    return None
