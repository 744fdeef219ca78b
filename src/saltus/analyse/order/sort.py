"""Block lower triangular order on integers: strongly connected components, each after those it depends on.

Components are found by Tarjan's algorithm (`core/components.py`). Their order is made by Kahn's method
with a heap: of the components that are ready, the one whose first member comes first in the source goes
first. So the listing of a model that was already in order is the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from saltus.core.components import component_numbers


def sorted_components(dependencies: Sequence[Sequence[int]]) -> list[list[int]]:
    """Nodes grouped into components, in an order in which they can be evaluated.

    `dependencies[i]` are the nodes that node i needs (i itself may be among them, and nodes may repeat).
    Members of a component are in increasing order.
    """
    label = component_numbers(dependencies)
    number = max(label, default=-1) + 1

    members: list[list[int]] = [[] for _ in range(number)]
    for node, component in enumerate(label):
        members[component].append(node)
    users: list[list[int]] = [[] for _ in range(number)]
    waiting = [0] * number
    for node, needs in enumerate(dependencies):
        for other in needs:
            if label[other] != label[node]:
                users[label[other]].append(label[node])
                waiting[label[node]] += 1

    ready = [(members[c][0], c) for c in range(number) if not waiting[c]]
    heapify(ready)
    order: list[list[int]] = []
    while ready:
        _, component = heappop(ready)
        order.append(members[component])
        for user in users[component]:
            waiting[user] -= 1
            if not waiting[user]:
                heappush(ready, (members[user][0], user))
    assert len(order) == number
    return order
