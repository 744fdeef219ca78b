"""The passes of the analysis: the model after each of them, and a table of all."""

from __future__ import annotations

from collections.abc import Sequence

from saltus.analyse.passes import PASSES, Rewritten
from saltus.ir.hybrid import HybridModel
from saltus.show.listings.dump import hybrid_text


def after_pass(name: str, before: HybridModel, rewritten: Sequence[Rewritten]) -> str:
    """The model as it is after a pass; where that has nothing to do, as the one before it has left it."""
    order = list(PASSES)
    earlier = [r for r in rewritten if order.index(r.name) <= order.index(name)]
    model, last = (earlier[-1].model, earlier[-1].name) if earlier else (before, "hybrid")
    heading = f"after pass `{name}`: {PASSES[name]}"
    if last != name:
        heading = f"pass `{name}` has nothing to do in this model, which is as it was after `{last}`"
    return f"{heading}\n\n{hybrid_text(model)}"


def table_of_passes(before: HybridModel, rewritten: Sequence[Rewritten]) -> str:
    """One row a pass, in order, with the size of the model after it; dashes where it has nothing to do."""
    models = {r.name: r.model for r in rewritten}
    rows = [("pass", "equations", "unknowns", "states", "what it does")]
    rows.append(("", *_sizes(before), "the hybrid DAE that the analysis begins with"))
    for name, job in PASSES.items():
        rows.append((name, *(_sizes(models[name]) if name in models else ("-", "-", "-")), job))
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    lines = []
    for row in rows:
        numbers = "  ".join(f"{row[k]:>{widths[k]}}" for k in (1, 2, 3))
        lines.append(f"{row[0]:<{widths[0]}}  {numbers}  {row[4]}")
    return "\n".join(lines)


def _sizes(model: HybridModel) -> tuple[str, str, str]:
    unknowns = len(model.states) + len(model.algebraics) + len(model.discretes)
    return str(len(model.equations)), str(unknowns), str(len(model.states))
