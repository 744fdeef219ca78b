"""Attributes of variables: which there are, and their values."""

from __future__ import annotations

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.expr.nodes import Enumeration, Expr, Literal, Symbol, Type, const
from saltus.ir.instance import Layout
from saltus.lower.classes.lookup import CLOCK, EXTERNAL_OBJECT, PREDEFINED_ENUMERATIONS
from saltus.lower.instances.modifiers import Binding, Modifier
from saltus.lower.scope.context import Context
from saltus.lower.scope.hints import quotes_hint, with_hint
from saltus.lower.scope.types import check_assignable

#: Predefined types by name.
TYPES = {
    "Real": Type.REAL,
    "Integer": Type.INTEGER,
    "Boolean": Type.BOOLEAN,
    "String": Type.STRING,
    EXTERNAL_OBJECT: Type.OBJECT,
    CLOCK: Type.CLOCK,
}

#: Attributes of predefined types and the type of their values (None: that of the variable).
ATTRIBUTES: dict[str, Type | None] = {
    "start": None,
    "min": None,
    "max": None,
    "nominal": None,
    "fixed": Type.BOOLEAN,
    "unit": Type.STRING,
    "displayUnit": Type.STRING,
    "quantity": Type.STRING,
    "stateSelect": Type.INTEGER,
    "unbounded": Type.BOOLEAN,
}

#: Attributes of Reals only, and those of types with an order.
_OF_REALS = frozenset({"nominal", "unit", "displayUnit", "stateSelect", "unbounded"})
_BOUNDS = frozenset({"min", "max"})


def check_attributes(layout: Layout, modifier: Modifier) -> None:
    """Some attributes are those of Reals only, and texts and Booleans have no bounds (section 4.9)."""
    kind = layout.predefined
    for name, part in modifier.parts.items():
        if (kind != "Real" and name in _OF_REALS) or (kind in ("Boolean", "String") and name in _BOUNDS):
            what = layout.enumeration.name if layout.enumeration is not None else kind
            raise model_error("E207", f"a variable of type {what} has no attribute `{name}`", part.span)


class Attributes:
    """Attributes of a scalar, lowered when asked for and kept."""

    def __init__(
        self,
        context: Context,
        symbol: Symbol,
        modifier: Modifier,
        override: float | int | bool | str | None,
        span: Span,
    ) -> None:
        self._context = context
        self._symbol = symbol
        self._modifier = modifier
        self._known: dict[str, Expr | None] = {}
        if override is not None:
            enumeration = symbol.enumeration
            if enumeration is not None and override in enumeration:
                override = enumeration.index(str(override)) + 1
            if enumeration is not None and type(override) is int:
                override = Literal(override, enumeration)
            value = const(override)
            check_assignable(symbol.type, value, f"the value of `{symbol.name}`", span, enumeration)
            self._known["value"] = value

    def place(self, name: str) -> Span | None:
        """Where an attribute, or the value, is given."""
        part = self._modifier if name == "value" else self._modifier.parts.get(name)
        return part.value.span if part is not None and part.value is not None else None

    def __call__(self, name: str) -> Expr | None:
        if name not in self._known:
            self._known[name] = self._lower(name)
        return self._known[name]

    def _lower(self, name: str) -> Expr | None:
        if name == "value":
            binding = self._modifier.value
            wanted: Type | None = self._symbol.type
        else:
            part = self._modifier.parts.get(name)
            binding = part.value if part is not None else None
            wanted = ATTRIBUTES[name] or self._symbol.type
        if binding is None:
            return None
        try:
            return self._checked(name, binding, wanted)
        except ModelError as error:
            expression, scope = binding.shared.expression, binding.shared.scope
            hint = quotes_hint(name, expression, scope) if ATTRIBUTES.get(name) is Type.STRING else None
            raise (with_hint(error, hint, ("E201", "E205", "E209")) if hint is not None else error) from None

    def _checked(self, name: str, binding: Binding, wanted: Type | None) -> Expr:
        value = binding.value(self._context)
        what = f"the value of `{self._symbol.name}`" if name == "value" else f"`{name}`"
        if not isinstance(value, Expr):
            raise model_error("E206", f"{what} must be a scalar", binding.span)
        check_assignable(wanted, value, what, binding.span, self._enumeration_of(name))
        return value

    def _enumeration_of(self, name: str) -> Enumeration | None:
        """The enumeration that an attribute is of, if it is."""
        if name == "stateSelect":
            return PREDEFINED_ENUMERATIONS["StateSelect"]
        return self._symbol.enumeration if ATTRIBUTES.get(name) is None else None
