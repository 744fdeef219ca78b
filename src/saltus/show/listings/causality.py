"""The causality of bond graphs in words: which end of a bond gives what, which storages are states, and
why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from saltus.core.wording import listed, number
from saltus.ir.bonds.causality import Causality, Conflict, Storage, Verdict
from saltus.ir.bonds.graph import KINDS, Bond, Graph

_OTHER = {"effort": "flow", "flow": "effort"}
#: The variable that is imposed on a storage in derivative causality.
_TOLD = {"I": "flow", "C": "effort"}


def causality_text(
    graph: Graph, found: Sequence[Causality], verdicts: Sequence[Verdict | None], more: int = 0
) -> str:
    """All modes in full, or the first in full and what is different in the others. Where something is
    determined twice, but not by sources, there is a verdict of the numbers."""
    lines = [f"CAUSALITY OF {graph.name}"]
    known = [(c, v) for c, v in zip(found, verdicts, strict=True) if v is not None or c.conflict is None]
    states = [v.states if v is not None else len(c.of_kind(Storage.INTEGRAL)) for c, v in known]
    lines.append(f"  {number(len(found), 'mode')}" + (f", {_states(states)}" if states else ""))
    for count, (each, verdict) in enumerate(zip(found, verdicts, strict=True)):
        lines += ["", f"MODE {count + 1}{_colon(mode_words(each.mode))}"]
        told = _mode(graph, each, found[0] if count else None) if verdict is None else None
        lines += (f"  {line}" for line in told or _decided(graph, each, verdict))
    if more:
        lines += ["", f"... and {number(more, 'further mode')}"]
    return "\n".join([*lines, ""])


def _states(counts: Sequence[int]) -> str:
    if len(set(counts)) == 1:
        return number(counts[0], "state")
    return f"{min(counts)} to {max(counts)} states"


def _colon(words: str) -> str:
    return f": {words}" if words else ""


def mode_words(mode: Mapping[str, bool]) -> str:
    """`sw on, brake off`; empty where nothing is switched."""
    return ", ".join(f"{name} {'on' if on else 'off'}" for name, on in mode.items())


def _mode(graph: Graph, found: Causality, first: Causality | None) -> Iterator[str]:
    if found.conflict is not None:
        yield f"conflict: {conflict_words(graph, found.conflict)}"
        return
    names = [_title(bond) for bond in graph.bonds]
    width = max(map(len, names))
    if first is None or first.conflict is not None:
        yield "bonds"
        changed = list(range(len(names)))
    else:
        changed = [b for b in range(len(names)) if found.steps[b].effort_from != first.steps[b].effort_from]
        yield "bonds with other causality than in mode 1" if changed else "bonds as in mode 1"
    for bond in changed:
        effort = found.steps[bond].effort_from
        other = graph.bonds[bond].head if effort == graph.bonds[bond].tail else graph.bonds[bond].tail
        yield f"  {names[bond]:<{width}}  {effort} gives the effort, {other} the flow"
    yield from _storages(graph, found)
    if found.choices:
        yield f"algebraic loops through {listed(found.choices)}: its causality is arbitrary and was chosen"


def _decided(graph: Graph, found: Causality, verdict: Verdict | None) -> Iterator[str]:
    """A mode in which strokes decide nothing, and numbers do."""
    assert verdict is not None
    conflicts = [found.conflict] if found.conflict is not None else list(found.forced.values())
    loop = f"there is a loop through {listed(found.choices)} in which nothing dissipates"
    what = conflict_words(graph, conflicts[0]) if conflicts else loop
    yield f"{what}: this depends on the parameter values"
    if verdict.open_bonds:
        names = listed([_title(graph.bonds[k]) for k in verdict.open_bonds])
        yield f"  the paths agree, and the share of each is undetermined: {names}"
    if verdict.held:
        told = sorted({_TOLD[graph.element(name).kind] for name in verdict.held})
        sources = "is given by the sources, or zero without any"
        yield f"  the {' or '.join(told)} of {listed(verdict.held)} {sources}"
    yield f"  {number(verdict.states, 'state')}"


def _title(bond: Bond) -> str:
    return f"{bond.name}: {bond.text}" if bond.name else bond.text


def _storages(graph: Graph, found: Causality) -> Iterator[str]:
    if not found.storages:
        yield "no storages: no states"
        return
    yield "storages"
    width = max(map(len, found.storages))
    for name, storage in found.storages.items():
        kind = graph.element(name).kind
        if storage is Storage.INTEGRAL:
            yield f"  {name:<{width}}  {kind}, integral: a state"
            continue
        if name in found.forced:
            twice = conflict_words(graph, found.forced[name])
            yield f"  {name:<{width}}  {kind}, derivative: it cannot be a state, since then {twice}"
            continue
        bond = next(i for i, b in enumerate(graph.bonds) if name in (b.tail, b.head))
        way = found.way(bond)
        path = " - ".join((*way, name))
        told = f"its {_TOLD[kind]} is determined by {way[0]}, along {path}"
        yield f"  {name:<{width}}  {kind}, derivative: {told}"


def conflict_words(graph: Graph, conflict: Conflict) -> str:
    """What contradicts what, by which paths."""
    at = f"`{conflict.at}`, a {KINDS[graph.element(conflict.at).kind].what}"
    ways = [" - ".join(way) for way in conflict.ways]
    roots = listed(list(dict.fromkeys(way[0] for way in conflict.ways)))
    if conflict.missing:
        return (
            f"nothing determines the {conflict.what} of {at}: {roots} give the {_OTHER[conflict.what]} "
            f"on all its bonds, along {' and '.join(ways)}"
        )
    if len({way[0] for way in conflict.ways}) == 1:
        return f"the {conflict.what} at {at}, is determined twice, along {' and '.join(ways)}"
    return f"{roots} both determine the {conflict.what} at {at}, along {' and '.join(ways)}"
