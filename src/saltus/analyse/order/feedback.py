"""Which nodes of a graph to cut so that no breakable node lies on a loop (integers only).

A cut node is one whose value is presumed by those that need it: they no longer wait for it. To cut as few as
possible is the feedback vertex set problem, which is hard; a node on many loops is a good guess. So each
strongly connected component loses its breakable node with the most neighbours, and what is left of it falls
into smaller components, until none of them has a breakable node on a loop. A large component loses several
at once, but only such as branch both ways: a ring is cut once, however long it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from saltus.analyse.order.sort import sorted_components

#: One node in this many is cut at a time.
AT_ONCE = 50


def cut_loops(dependencies: Sequence[Sequence[int]], ranks: Sequence[int | None]) -> list[int]:
    """The nodes to cut, ascending. `dependencies[i]` are the nodes that node i needs, itself among them if it
    does. Nodes without a rank cannot be cut; of the others the lowest rank is cut first."""
    cut: set[int] = set()
    parts = [list(range(len(dependencies)))]
    while parts:
        nodes = parts.pop()
        place = {node: k for k, node in enumerate(nodes)}
        local = [[place[d] for d in dependencies[node] if d in place] for node in nodes]
        for component in sorted_components(local):
            if len(component) == 1 and component[0] not in local[component[0]]:
                continue
            found = _best(component, local, [ranks[node] for node in nodes])
            if found:
                cut.update(nodes[k] for k in found)
                parts.append([nodes[k] for k in component if k not in found])
    return sorted(cut)


def _best(component: Sequence[int], local: Sequence[Sequence[int]], ranks: Sequence[int | None]) -> set[int]:
    """The nodes of a component to cut next, none where there are none."""
    inside = set(component)
    needs = {k: inside.intersection(local[k]) for k in component}
    users: dict[int, set[int]] = {k: set() for k in component}
    for k in component:
        for d in needs[k]:
            users[d].add(k)
    # Of equals the one in the middle: it leaves two halves of a long chain, not one that is hardly shorter.
    last = len(component) - 1
    choices = sorted(
        (rank, -len(needs[k]) * len(users[k]), abs(2 * i - last), k)
        for i, k in enumerate(component)
        if (rank := ranks[k]) is not None
    )
    found: set[int] = set()
    for _, product, _, k in choices[: 1 + len(choices) // AT_ONCE]:
        branches = product <= -4
        if not found or (branches and found.isdisjoint(needs[k] | users[k])):
            found.add(k)
    return found
