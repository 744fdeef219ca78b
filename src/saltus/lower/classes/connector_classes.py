"""What lowering has to know of a class before there are connections: is it a bus, is it overdetermined?"""

from __future__ import annotations

from saltus.ir import ast
from saltus.ir.instance import UNANSWERED, ClassEntry, Element, Question, Unanswered
from saltus.lower.classes.lookup import bases, member_class

#: The function that makes a type or record overdetermined.
EQUALITY = "equalityConstraint"

_EXPANDABLE: Question[bool] = Question("whether it is an expandable connector")
_OVERDETERMINED: Question[bool] = Question("whether it has an equalityConstraint")


def is_expandable(cls: object) -> bool:
    """Whether a class is an expandable connector, maybe by a short definition."""
    if not isinstance(cls, ClassEntry):
        return False
    known: bool | Unanswered = cls.answers.get((_EXPANDABLE, None), UNANSWERED)  # type: ignore[assignment]
    if known is UNANSWERED:
        stands_for = bases(cls) if isinstance(cls.definition.body, ast.ShortBody) else ()
        known = _EXPANDABLE.keep(cls, cls.definition.expandable or any(map(is_expandable, stands_for)))
    return known


def is_sizeless(element: Element) -> bool:
    """Declared with `:` as a size, which in a bus the connections decide."""
    sizes = (*element.declaration.subscripts, *element.clause.subscripts)
    return any(isinstance(size, ast.Colon) for size in sizes)


def has_equality_constraint(cls: ClassEntry) -> bool:
    """Whether a type or record is overdetermined."""
    known = _OVERDETERMINED.known(cls)
    if known is UNANSWERED:
        has_function = cls.kind in ("type", "record") and member_class(cls, EQUALITY) is not None
        known = _OVERDETERMINED.keep(cls, has_function)
    return known
