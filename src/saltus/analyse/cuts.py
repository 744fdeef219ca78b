"""Which nodes of a graph to cut so that no breakable node lies on a loop (integers only).

A cut node is one whose value is presumed by those that need it: they no longer wait for it. To cut as few as
possible is the feedback vertex set problem, which is hard; a node on many loops is a good guess. So each
strongly connected component loses its breakable node with the most neighbours, and what is left of it falls
into smaller components, until none of them has a breakable node on a loop.
"""

from __future__ import annotations

from collections.abc import Sequence

from saltus.analyse.sort import sorted_components


def cut_loops(dependencies: Sequence[Sequence[int]], ranks: Sequence[int | None]) -> list[int]:
    """The nodes to cut, ascending. `dependencies[i]` are the nodes that node i needs, itself among them if it
    does. Nodes without a rank cannot be cut; of the others the lowest rank is cut first."""
    cut: set[int] = set()
    parts = [list(range(len(dependencies)))]
    while parts:
        nodes = parts.pop()
        place = {node: k for k, node in enumerate(nodes) if node not in cut}
        local = [[place[d] for d in dependencies[node] if d in place] for node in nodes]
        for component in sorted_components(local):
            if len(component) == 1 and component[0] not in local[component[0]]:
                continue
            found = _best(component, local, [ranks[node] for node in nodes])
            if found is not None:
                cut.add(nodes[found])
                parts.append([nodes[k] for k in component if k != found])
    return sorted(cut)


def _best(
    component: Sequence[int], local: Sequence[Sequence[int]], ranks: Sequence[int | None]
) -> int | None:
    """The node of a component to cut, None where there is none."""
    inside = set(component)
    needs = {k: sum(1 for d in set(local[k]) if d in inside) for k in component}
    users = dict.fromkeys(component, 0)
    for k in component:
        for d in set(local[k]) & inside:
            users[d] += 1
    choices = [(rank, -needs[k] * users[k], k) for k in component if (rank := ranks[k]) is not None]
    return min(choices)[2] if choices else None
