"""Strongly connected components of a directed graph on integers.

Tarjan's algorithm ("Depth-first search and linear graph algorithms", SIAM J. Comput. 1, 1972), with a stack
of its own in place of recursion. It is written here since a library for graphs takes longer to import than
a small model takes to translate, and `sort` goes through all edges in Python anyhow.
"""

from __future__ import annotations

from collections.abc import Sequence


def component_numbers(needs: Sequence[Sequence[int]]) -> list[int]:
    """The number of the component of each node, from 0 without gaps. `needs[i]` are the nodes to which edges
    lead from node i (i itself may be among them, and nodes may repeat). A component has a higher number than
    those that its nodes need."""
    visited = [-1] * len(needs)  # in which order nodes are come to
    lowest = [0] * len(needs)  # the first of those still open that can be reached, as far as is known
    component = [-1] * len(needs)
    opened: list[int] = []  # nodes whose component is not known yet
    visits = found = 0
    for root in range(len(needs)):
        if visited[root] >= 0:
            continue
        for needed in needs[root]:
            if component[needed] < 0:
                break
        else:  # most nodes need nothing that is open, and are components by themselves
            visited[root] = component[root] = found
            found += 1
            continue
        entered = root
        way = []  # from the root to the node that is looked at, each with what it needs besides
        while True:
            if entered >= 0:
                visited[entered] = lowest[entered] = visits
                visits += 1
                opened.append(entered)
                way.append((entered, iter(needs[entered])))
            node, others = way[-1]
            entered = -1
            for other in others:
                if visited[other] < 0:
                    for needed in needs[other]:
                        if component[needed] < 0:
                            break
                    else:
                        visited[other] = component[other] = found
                        found += 1
                        continue
                    entered = other
                    break
                if component[other] < 0 and visited[other] < lowest[node]:
                    lowest[node] = visited[other]
            if entered >= 0:
                continue
            way.pop()
            if lowest[node] == visited[node]:
                while component[node] < 0:
                    component[opened.pop()] = found
                found += 1
                if not way:
                    break
            else:  # it belongs to one before it on the way
                before = way[-1][0]
                if lowest[node] < lowest[before]:
                    lowest[before] = lowest[node]
    return component
