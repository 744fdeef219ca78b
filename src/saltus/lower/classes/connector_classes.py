"""What lowering has to know of a class before there are connections: is it a bus, is it overdetermined?"""

from __future__ import annotations

from saltus.ir import ast
from saltus.lower.classes.classes import ClassEntry
from saltus.lower.classes.layout import Element
from saltus.lower.classes.lookup import bases, member_class

#: The function that makes a type or record overdetermined.
EQUALITY = "equalityConstraint"


def is_expandable(cls: object) -> bool:
    """Whether a class is an expandable connector, maybe by a short definition."""
    if not isinstance(cls, ClassEntry):
        return False
    if "expandable" not in cls.memo:
        short = isinstance(cls.definition.body, ast.ShortBody)
        cls.memo["expandable"] = cls.definition.expandable or (short and any(map(is_expandable, bases(cls))))
    known: bool = cls.memo["expandable"]
    return known


def is_sizeless(element: Element) -> bool:
    """Declared with `:` as a size, which in a bus the connections decide."""
    sizes = (*element.declaration.subscripts, *element.clause.subscripts)
    return any(isinstance(size, ast.Colon) for size in sizes)


def has_equality_constraint(cls: ClassEntry) -> bool:
    """Whether a type or record is overdetermined."""
    if EQUALITY not in cls.memo:
        cls.memo[EQUALITY] = cls.kind in ("type", "record") and member_class(cls, EQUALITY) is not None
    known: bool = cls.memo[EQUALITY]
    return known
