"""Which truths depend on each other: the groups within which a consistent mode has to be searched for.

The *switches* of a model are its relations and its presumptions, numbered in this order. A switch depends on
those whose truth takes part in what it is computed from; one walk along the sorted blocks finds that, with
sets of switches as the bits of whole numbers. Switches that depend on each other, directly or not, are a
*group*. Switches outside the groups just follow from others. Groups come in an order in which each depends
on earlier ones only, so they can be decided one after the other.

Relations of a group that compare one quantity with several thresholds (a friction its force with two) are
places along one *axis*: their residues differ by what does not depend on the group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from saltus.core.components import component_numbers
from saltus.expr.nodes import Expr, Op, Type, neg, ref
from saltus.expr.traversal import leaves
from saltus.ir.sorted.blocks import Switched, block_expressions
from saltus.ir.structure import Structure

#: The largest group of switches of which all modes are tried.
ENUMERATED = 12


@dataclass(frozen=True, eq=False)
class Group:
    """`members`: Boolean switches that depend on each other, ascending. `upstream`: all switches that they
    depend on, themselves and the Integers among them included. `axes`: for each member a number that those
    along the same axis share."""

    members: tuple[int, ...]
    upstream: tuple[int, ...]
    axes: tuple[int, ...]


@lru_cache(maxsize=16)
def groups(structure: Structure, *, initial: bool) -> tuple[Group, ...]:
    """The groups of the running or the initial system, in order."""
    needs, bits = _dependences(structure, initial)
    if not needs:
        return ()
    labels = component_numbers([list(_places(bits)) for bits in needs])
    components: list[list[int]] = [[] for _ in range(max(labels) + 1)]
    for i, label in enumerate(labels):
        components[label].append(i)
    relations = len(structure.model.relations)
    found: list[Group] = []
    for component in components:
        if len(component) == 1 and not needs[component[0]] >> component[0] & 1:
            continue
        members = [
            i
            for i in component
            if i < relations or structure.presumptions[i - relations].variable.type is Type.BOOLEAN
        ]
        if members:
            axes = _axes(structure, members, bits, sum(1 << i for i in component))
            found.append(Group(tuple(members), tuple(_closure(component, needs)), axes))
    # What a group depends on has less upstream than the group itself.
    return tuple(sorted(found, key=lambda g: (len(g.upstream), g.members)))


def _axes(
    structure: Structure, members: Sequence[int], bits: Mapping[Expr, int], group: int
) -> tuple[int, ...]:
    """A number for each member: of relations, that of the first one whose residue has the same terms that
    depend on the group, or the opposite ones."""
    numbers: dict[frozenset[Expr], int] = {}
    found: list[int] = []
    for i in members:
        if i >= len(structure.model.relations):
            found.append(i)
            continue
        residue = structure.model.relations[i].residue
        terms = residue.args if residue.op is Op.ADD else (residue,)
        own = frozenset(e for e in terms if any(bits.get(leaf, 0) & group for leaf in leaves(e)))
        found.append(numbers.setdefault(own, numbers.get(frozenset(map(neg, own)), i)))
    return tuple(found)


def _dependences(structure: Structure, initial: bool) -> tuple[list[int], dict[Expr, int]]:
    """The switches that each switch depends on, as bits, and those that values depend on."""
    relations, presumptions = structure.model.relations, structure.presumptions
    bits: dict[Expr, int] = {ref(r.symbol): 1 << k for k, r in enumerate(relations)}
    bits.update((p.presumed, 1 << k) for k, p in enumerate(presumptions, len(relations)))

    def used(*expressions: Expr) -> int:
        found = 0
        for e in expressions:
            for leaf in leaves(e):
                found |= bits.get(leaf, 0)
        return found

    for block in structure.initial if initial else structure.blocks:
        found = used(*block_expressions(block))
        if found:
            switched = isinstance(block, Switched)  # of which another may have other cases
            bits.update((x, found | bits.get(x, 0) if switched else found) for x in block.unknowns)
    needs = [*(used(r.residue) for r in relations), *(bits.get(p.variable, 0) for p in presumptions)]
    return needs, bits


def _closure(start: list[int], needs: list[int]) -> list[int]:
    """Everything that is needed, directly or not."""
    reached, pending = 0, list(start)
    while pending:
        k = pending.pop()
        if not reached >> k & 1:
            reached |= 1 << k
            pending += _places(needs[k] & ~reached)
    return list(_places(reached))


def _places(bits: int) -> Iterator[int]:
    """The places of the bits that are set, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
