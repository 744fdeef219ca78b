"""How large variables were taken to be, and why: the listing of `saltus explain --sizes`.

SIZES OF Rectifier from time 0 to 2.3
  size: what was found; used: by what bands and tolerances are measured (1 for what is of ordinary size)

VARIABLES 3
  variable  size   used   largest   because
  i         1e-12  1e-12  9.2e-13   Rectifier.mo:4: ... = L*der(i) + u + R*i
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from saltus.expr.nodes import Op, leaf_symbol
from saltus.expr.show import show
from saltus.ir.balance import GROWN, STARTED, Bound, Found, Sizes
from saltus.ir.native.contract import BAND
from saltus.result.result import Result
from saltus.result.words.places import place

#: Characters of an equation that are shown.
WIDEST = 60


def sizes_text(result: Result) -> str:
    """The listing."""
    sizes, model = result.sizes, result.general.model
    head = [
        f"SIZES OF {model.name} from time {result.time[0]:g} to {result.time[-1]:g}",
        "  size: as inferred; used: the scale of bands and tolerances; largest: in this run",
    ]
    if sizes is None:
        return "\n".join([*head, "", "all variables have nominal values, or there are none"]) + "\n"
    variables = [("variable", "size", "used", "largest", "because"), *_variables(sizes, result)]
    relations = [("relation", "size", "used", "band", ""), *_relations(sizes, result)]
    sections = [head, ["VARIABLES " + str(len(variables) - 1), *_table(variables)]]
    if len(relations) > 1:
        sections.append(["RELATIONS " + str(len(relations) - 1), *_table(relations)])
    return "\n\n".join("\n".join(lines) for lines in sections) + "\n"


def _variables(sizes: Sizes, result: Result) -> Iterator[tuple[str, ...]]:
    balance = sizes.balance
    rates = set(balance.rates.values())
    first = {k for own in balance.variants.values() for k, _ in own}
    for k, leaf in enumerate(balance.leaves):
        if k in first or k in rates or leaf_symbol(leaf).is_hidden or leaf.op is not Op.REF:
            continue
        name = leaf_symbol(leaf).name
        if k in sizes.given:
            yield name, f"{10.0 ** sizes.given[k]:.1g}", "", _largest(result, name), "its nominal value"
        elif k in sizes.variables:
            found = sizes.variables[k]
            yield (
                name,
                _size(found),
                f"{found.used:.1g}",
                _largest(result, name),
                _because(sizes, found.bound),
            )


def _relations(sizes: Sizes, result: Result) -> Iterator[tuple[str, ...]]:
    relations = result.general.model.relations
    for k, found in sizes.relations.items():
        used = f"{found.used:.1g}"
        one, other = sizes.by_truth.get(k, (found.used, found.used))
        if one != other:
            used = f"{one:.1g} while false, {other:.1g} while true"
        yield relations[k].text, _size(found), used, f"{BAND * found.used:.1g}", ""


def _size(found: Found) -> str:
    return "not known" if found.size is None else f"{10.0**found.size:.1g}"


def _because(sizes: Sizes, bound: Bound | None) -> str:
    if bound is None:
        return "unknown; give it a nominal value"
    if bound.sum == STARTED:
        return "its start value, or the values that it is set to"
    if bound.sum == GROWN:
        return "the integral of its derivative over the run"
    q = sizes.balance.sums[bound.sum]
    text = f"0 = {show(q.text)}"
    return f"{place(q.span)}: {text if len(text) <= WIDEST else text[: WIDEST - 3] + '...'}"


def _largest(result: Result, name: str) -> str:
    if name not in result:
        return ""
    values = result[name]
    finite = np.abs(values[np.isfinite(values)])
    return f"{finite.max(initial=0.0):.2g}"


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    for row in rows:
        yield ("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))).rstrip()
