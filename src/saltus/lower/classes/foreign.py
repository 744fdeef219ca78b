"""Words of other languages that newcomers write, and what Modelica has instead."""

from __future__ import annotations

#: Types.
_TYPES = {
    "bool": "Boolean",
    "boolean": "Boolean",
    "double": "Real",
    "float": "Real",
    "real": "Real",
    "int": "Integer",
    "integer": "Integer",
    "string": "String",
    "str": "String",
    "enum": "enumeration",
}

#: Values.
_VALUES = {
    "True": "true",
    "TRUE": "true",
    "False": "false",
    "FALSE": "false",
}

#: Functions.
_FUNCTIONS = {
    "fabs": "abs",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "ceiling": "ceil",
    "sgn": "sign",
}

#: Those that need a sentence.
_SENTENCES = {
    "ln": "the natural logarithm is `log`",
    "pow": "a power is written `a^b`",
}


def type_hint(name: str) -> str | None:
    """The predefined type meant by a type of another language."""
    return _written(_TYPES.get(name))


def value_hint(name: str) -> str | None:
    """The literal meant by one of another language."""
    return _written(_VALUES.get(name))


def function_hint(name: str) -> str | None:
    """The predefined function or operator meant by a function of another language."""
    return _SENTENCES.get(name) or _written(_FUNCTIONS.get(name))


def _written(word: str | None) -> str | None:
    return f"in Modelica this is `{word}`" if word is not None else None
