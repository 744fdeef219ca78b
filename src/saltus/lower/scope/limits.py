"""How large a model may be. Arrays and loops are written out, so a typo in a size could fill any memory;
anything beyond these limits is refused instead. They are looked up when needed, so that a test can lower
them.
"""

from __future__ import annotations

from saltus.core.diagnostics import model_error
from saltus.core.source import Span

#: Elements of one array.
MOST_ELEMENTS = 1_000_000

#: Scalar variables of a model.
MOST_VARIABLES = 1_000_000

#: Components of a model that are no scalar variables.
MOST_COMPONENTS = 200_000

#: Passes through all loops over equations and all array constructors and reductions with iterators.
MOST_ITERATIONS = 1_000_000


def refuse_elements(count: int, what: str, span: Span) -> None:
    """Refuses an array (`what` it is) that is too large."""
    if count > MOST_ELEMENTS:
        shown = str(count) if count < 10**15 else "far too many"
        raise model_error("E206", f"{what} would have {shown} elements; {MOST_ELEMENTS} is the most", span)


def refuse_variables(count: int, span: Span) -> None:
    """Refuses a model with too many variables."""
    if count > MOST_VARIABLES:
        raise model_error("E206", f"the model has more than {MOST_VARIABLES} scalar variables", span)


def refuse_components(count: int, span: Span) -> None:
    """Refuses a model with too many components: each of a few may have a few, and so on."""
    if count > MOST_COMPONENTS:
        raise model_error("E206", f"the model has more than {MOST_COMPONENTS} components", span)


def refuse_iterations(count: int, span: Span) -> None:
    """Refuses loops with too many passes."""
    if count > MOST_ITERATIONS:
        raise model_error(
            "E206",
            f"the loops of the model take more than {MOST_ITERATIONS} passes",
            span,
            hint="a loop in a function is not written out",
        )
