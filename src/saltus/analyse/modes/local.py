"""Modes are local: one program that follows the guards of several parts of a model by itself.

A guard that turns changes the structure of few equations: of a diode and its inductor, of a mass and its
friction. Take the blocks of a model in two modes and join those that share an equation or a variable. A
component of the join that has no changed equation is the same small problem in both modes, so it has the
same blocks. What a component is solved by depends on the guards in its own equations and on no others.

So the modes of a model need not be looked at in all combinations. Guards that occur together, in an equation
or in a combination that has to be fixed, are a *group*. In each of some *rounds* the model is analysed as a
whole, with every group in one of its combinations, all groups at a time: there are as many rounds as the
largest group has combinations, however many groups there are. Blocks that are the same in all rounds are
solved in all modes. The others belong to components, each of which has the guards of one group; where it has
those of several, these are one group, and the rounds are done again. What a component is solved by in each
combination of its group becomes the cases of `Switched` blocks, in one order that suits all of them.

States are those of the general program, in all cases. Where a case determines one from others, it is
computed wherever it is needed; the integrator carries its old value along, with the derivative that the case
has for it.

Whatever does not fit (a mode that leaves something open, states that have to be chosen again, a case that
needs another order) makes its group *unfit*: its combinations have programs of their own, as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush
from itertools import product
from typing import TypeAlias

from saltus.analyse.index.reduction import Reduction
from saltus.expr.nodes import Expr, Symbol, Type, and_, der, leaf_symbol, not_, or_, ref
from saltus.expr.traversal import leaves, substitute
from saltus.ir.flat import Equation, Variable
from saltus.ir.sorted.blocks import (
    Block,
    Case,
    Explicit,
    Linear,
    Nonlinear,
    Solving,
    Switched,
    block_expressions,
)
from saltus.ir.sorted.modes import in_order_of_texts
from saltus.ir.structure import Structure

#: Guards of one group whose combinations are written out as cases.
MOST_GUARDS = 4

#: Values of the guards of a group, in its order.
Combination: TypeAlias = tuple[float, ...]


class Unfit(Exception):
    """Some groups, by number, cannot be followed by a program."""

    def __init__(self, groups: Iterable[int]) -> None:
        super().__init__()
        self.groups = frozenset(groups)


class Changed(Exception):
    """A group has been changed: to be tried again."""


class Together(Exception):
    """Some groups, by number, are one."""

    def __init__(self, groups: Iterable[int]) -> None:
        super().__init__()
        self.groups = frozenset(groups)


@dataclass(frozen=True, eq=False)
class Group:
    """Guards that occur together, and those of their combinations that exist."""

    guards: tuple[Expr, ...]
    combinations: tuple[Combination, ...]

    @staticmethod
    def of(guards: Iterable[Expr]) -> Group | None:
        """A group with all combinations; None where these are too many, or no truths."""
        own = tuple(in_order_of_texts(guards))
        if len(own) > MOST_GUARDS or any(guard.type is not Type.BOOLEAN for guard in own):
            return None
        return Group(own, tuple(product((0.0, 1.0), repeat=len(own))))

    def without(self, combination: Combination) -> Group:
        """With a combination less."""
        return replace(self, combinations=tuple(c for c in self.combinations if c != combination))

    def at(self, number: int) -> Combination:
        """The combination that a round takes: if there are fewer, they are taken again."""
        return self.combinations[number % len(self.combinations)]

    def condition(self, numbers: Iterable[int]) -> Expr:
        """The condition that one of some combinations holds."""
        return or_(*(self._holds(self.combinations[k]) for k in numbers))

    def _holds(self, combination: Combination) -> Expr:
        values = zip(self.guards, combination, strict=True)
        return and_(*(guard if value else not_(guard) for guard, value in values))


def guards_together(guards: Sequence[Expr], together: Iterable[Iterable[Expr]]) -> list[set[Expr]]:
    """Guards in sets of those that belong together, because some of the sets that are given have both."""
    known = set(guards)
    joined = _Sets()
    for members in together:
        own = [guard for guard in members if guard in known]
        for guard in own[1:]:
            joined.unite(own[0], guard)
    found: dict[object, set[Expr]] = {}
    for guard in guards:
        found.setdefault(joined.find(guard), set()).add(guard)
    return list(found.values())


@dataclass(frozen=True, eq=False)
class Round:
    """The model in one mode: its blocks, which row of the model each of their equations was made of, and how
    the index was reduced, if it was, with the rows of the equations as they were before."""

    structure: Structure
    rows: Mapping[Equation, int]
    written: Mapping[Equation, int]
    reduction: Reduction | None

    @cached_property
    def times(self) -> dict[int, int]:
        """How often rows were differentiated."""
        if self.reduction is None:
            return {}
        rows = zip(self.reduction.rows, self.reduction.c, strict=True)
        return {self.written[q]: times for q, times in rows}


class _Sets:
    """Disjoint sets of anything, which are united."""

    def __init__(self) -> None:
        self._parent: dict[object, object] = {}

    def find(self, x: object) -> object:
        """What stands for the set of x."""
        self._parent.setdefault(x, x)
        root = x
        while self._parent[root] != root:
            root = self._parent[root]
        while self._parent[x] != root:
            self._parent[x], x = root, self._parent[x]
        return root

    def unite(self, a: object, b: object) -> None:
        """Makes one set of two."""
        self._parent[self.find(a)] = self.find(b)


@dataclass(frozen=True, eq=False)
class Piece:
    """A block that some rounds have in common, and the rows that its equations were made of."""

    block: Solving
    rows: frozenset[int]

    @cached_property
    def variables(self) -> frozenset[Symbol]:
        """The variables of which it determines a derivative or the value."""
        return frozenset(map(variable, self.block.unknowns))

    @cached_property
    def used(self) -> frozenset[Expr]:
        """What its expressions ask for."""
        return frozenset(x for e in block_expressions(self.block) for x in leaves(e))


def variable(x: Expr) -> Symbol:
    """The variable that a leaf is, or is a derivative of."""
    symbol = leaf_symbol(x)
    return symbol.derivative_of or symbol


@dataclass(frozen=True, eq=False)
class Node:
    """A block in the order of evaluation, and the case of which group it belongs to."""

    piece: Piece
    group: int = -1
    case: int = -1


class Join:
    """The join of some rounds: pieces that are in all of them, and components with the groups they follow."""

    def __init__(
        self,
        general: Structure,
        rounds: Sequence[Round],
        groups: Sequence[Group],
        guards_of: Callable[[int], Iterable[Expr]],
    ) -> None:
        """`guards_of` says which guards are in a row of the model."""
        self.general, self.rounds, self.groups = general, rounds, groups
        self.states = {v.symbol for v in general.states}
        self._guards_of = guards_of
        self._group_of = {guard: k for k, g in enumerate(groups) for guard in g.guards}
        self._known: dict[object, Piece] = {}
        self.renamed = [self._names(one) for one in rounds]
        self.pieces = [
            [self._piece(one, block, names) for block in one.structure.blocks]
            for one, names in zip(rounds, self.renamed, strict=True)
        ]
        self._check_unknowns()
        self._find_components()

    # ------------------------------------------------------------ pieces

    def _names(self, one: Round) -> dict[Expr, Expr]:
        """der(x) for the symbols of derivatives of what is a state in general."""
        if one.reduction is None:
            return {}
        levels = one.reduction.levels
        found: dict[Expr, Expr] = {}
        for leaf, level in list(levels.level_of.items()):
            if level.order and leaf.data not in self.states:
                below = levels.leaf(replace(level, order=level.order - 1))
                if below.data in self.states:
                    found[leaf] = der(below)
        return found

    def _piece(self, one: Round, block: Block, names: dict[Expr, Expr]) -> Piece:
        assert isinstance(block, Solving), "a mode in which all guards are fixed has nothing to follow"
        new = renamed(block, names)
        key = type(new), new.unknowns, block_expressions(new)
        rows = frozenset(one.rows[q] for q in block.equations)
        found = self._known.get(key)
        if found is None or not rows <= found.rows:
            before = found.rows if found is not None else frozenset()
            found = self._known[key] = Piece(found.block if found is not None else new, rows | before)
        return found

    def _check_unknowns(self) -> None:
        """Every round determines what the general program has to determine."""
        self.pieces = [[self._known[_key(p.block)] for p in own] for own in self.pieces]
        general = self.general
        wanted = {ref(v.symbol) for v in (*general.algebraics, *general.discretes)}
        wanted |= {der(ref(v.symbol)) for v in general.states}
        for own in self.pieces:
            if not wanted <= {x for p in own for x in p.block.unknowns}:
                raise Unfit(())

    # ------------------------------------------------------------ components

    def _find_components(self) -> None:
        everywhere = set(self.pieces[0]).intersection(*self.pieces[1:])
        self.lasting = [p for p in self.pieces[0] if p in everywhere]
        changed = dict.fromkeys(p for own in self.pieces for p in own if p not in everywhere)
        sets = _Sets()
        for piece in changed:
            members = [*piece.rows, *piece.variables]
            for other in members[1:]:
                sets.unite(members[0], other)
        # What asks for something that is computed in some cases only is computed in these, too.
        always = set.intersection(*({x for p in own for x in p.block.unknowns} for own in self.pieces))
        sometimes = {x for p in changed for x in p.block.unknowns} - always
        sometimes -= {ref(symbol) for symbol in self.states}
        for piece in changed:
            for x in piece.used & sometimes:
                sets.unite(next(iter(piece.variables)), variable(x))
        followed: dict[object, set[int]] = {}
        for piece in changed:
            own = followed.setdefault(sets.find(next(iter(piece.variables))), set())
            for row in piece.rows:
                own.update(self._group_of[g] for g in self._guards_of(row) if g in self._group_of)
        for members_of in followed.values():
            if len(members_of) > 1:
                raise Together(members_of)
        #: The group of each variable that is solved for in several ways.
        self.group_of: dict[Symbol, int] = {}
        #: The changed pieces of each group, by the combination; and those that follow from no guard.
        self.by_combination: list[list[list[Piece]]] = [[[] for _ in g.combinations] for g in self.groups]
        free: dict[Piece, None] = {}
        for number, own_pieces in enumerate(self.pieces):
            found: dict[int, list[Piece]] = {}
            for piece in own_pieces:
                if piece in everywhere:
                    continue
                groups = followed[sets.find(next(iter(piece.variables)))]
                if not groups:
                    free[piece] = None
                    continue
                (k,) = groups
                self.group_of |= dict.fromkeys(piece.variables, k)
                found.setdefault(k, []).append(piece)
            for k, group in enumerate(self.groups):
                place = number % len(group.combinations)
                pieces = found.get(k, [])
                if number < len(group.combinations):
                    self.by_combination[k][place] = pieces
                elif set(self.by_combination[k][place]) != set(pieces):
                    raise Unfit((k,))
        determined: set[Expr] = set()
        for piece in free:
            if not determined.isdisjoint(piece.block.unknowns):
                raise Unfit(range(len(self.groups)))
            determined.update(piece.block.unknowns)
        self.lasting += free

    # ------------------------------------------------------------ the order

    def sorted(self, cases: Sequence[Sequence[Sequence[int]]]) -> tuple[Block, ...]:
        """Blocks in an order that suits all cases. `cases`: of each group, which combinations, by number, are
        one case."""
        nodes = [Node(piece) for piece in self.lasting]
        for k, of_group in enumerate(cases):
            for c, numbers in enumerate(of_group):
                nodes += [Node(piece, k, c) for piece in self.by_combination[k][numbers[0]]]
        empty = [
            [Case(g.condition(c), (), self._times(k, c[0])) for c in own]
            for k, (g, own) in enumerate(zip(self.groups, cases, strict=True))
        ]
        blocks: list[Block] = []
        run: list[Node] = []
        for node in (*_ordered(nodes, self.groups), None):
            if run and (node is None or node.group != run[0].group):
                blocks.append(_switched(run, empty[run[0].group]))
                run = []
            if node is not None and node.group < 0:
                blocks.append(node.piece.block)
            elif node is not None:
                run.append(node)
        return tuple(blocks)

    def _times(self, group: int, number: int) -> int:
        """How often equations of a group are differentiated in one of its combinations."""
        times = self.rounds[number].times
        rows = (row for piece in self.by_combination[group][number] for row in piece.rows)
        return max((times.get(row, 0) for row in rows), default=0)

    @cached_property
    def further(self) -> tuple[Variable, ...]:
        """Variables that some cases have besides those of the general program."""
        general = self.general
        known = {v.symbol for v in (*general.states, *general.algebraics, *general.discretes)}
        known |= {leaf.data for names in self.renamed for leaf in names}
        found = {v.symbol: v for one in self.rounds for v in one.structure.algebraics}
        return tuple(v for symbol, v in found.items() if symbol not in known)


def is_fit(structure: Structure, general: Structure) -> bool:
    """Whether a program can have a mode with this structure as a case, where the general one is this."""
    entry = structure.entry
    special = structure.open or structure.pivot_guards or structure.presumptions or structure.echoes
    others = {v.symbol for v in structure.states} - {v.symbol for v in general.states}
    return not (special or others or structure.model.absent or (entry is not None and entry.nonlinear))


def _key(block: Solving) -> object:
    return type(block), block.unknowns, block_expressions(block)


def renamed(block: Solving, names: dict[Expr, Expr], memo: dict[Expr, Expr] | None = None) -> Solving:
    """A block that speaks of other leaves in place of some."""
    if not names:
        return block
    known: dict[Expr, Expr] = {} if memo is None else memo

    def new(e: Expr) -> Expr:
        return substitute(e, names, known)

    def entries(matrix: Iterable[tuple[int, int, Expr]]) -> tuple[tuple[int, int, Expr], ...]:
        return tuple((i, j, new(e)) for i, j, e in matrix)

    unknowns = tuple(map(new, block.unknowns))
    match block:
        case Explicit():
            return Explicit(unknowns[0], new(block.value), block.equation)
        case Linear():
            right = tuple(map(new, block.right))
            return replace(block, unknowns=unknowns, matrix=entries(block.matrix), right=right)
        case Nonlinear():
            return replace(
                block,
                unknowns=unknowns,
                residuals=tuple(map(new, block.residuals)),
                jacobian=None if block.jacobian is None else entries(block.jacobian),
                nominals=tuple(map(new, block.nominals)),
                inner=tuple(map(new, block.inner)),
            )


def _ordered(nodes: Sequence[Node], groups: Sequence[Group]) -> list[Node]:
    """Nodes after those that they need, those of one group side by side as far as possible."""
    definers: dict[Expr, list[int]] = {}
    for k, node in enumerate(nodes):
        for x in node.piece.block.unknowns:
            definers.setdefault(x, []).append(k)
    users: list[list[int]] = [[] for _ in nodes]
    waiting = [0] * len(nodes)
    for k, node in enumerate(nodes):
        asked = set(node.piece.used)
        if node.group >= 0:
            asked.update(groups[node.group].guards)
        needs = {j for x in asked for j in definers.get(x, ()) if not _excluded(nodes[j], node)} - {k}
        waiting[k] = len(needs)
        for j in needs:
            users[j].append(k)
    ready: dict[int, list[int]] = {}
    for k, node in enumerate(nodes):
        if not waiting[k]:
            heappush(ready.setdefault(node.group, []), k)
    order: list[Node] = []
    group = -1
    while ready:
        # What belongs to no group first: then more of one group is ready at a time.
        group = group if group in ready else -1 if -1 in ready else min(ready)
        k = heappop(ready[group])
        if not ready[group]:
            del ready[group]
        order.append(nodes[k])
        for user in users[k]:
            waiting[user] -= 1
            if not waiting[user]:
                heappush(ready.setdefault(nodes[user].group, []), user)
    if len(order) < len(nodes):
        stuck = {node.group for k, node in enumerate(nodes) if waiting[k] and node.group >= 0}
        raise Unfit(stuck)
    return order


def _excluded(a: Node, b: Node) -> bool:
    """Whether two nodes are never solved together."""
    return a.group == b.group >= 0 and a.case != b.case


def _switched(run: Sequence[Node], empty: Sequence[Case]) -> Switched:
    cases = (
        replace(case, blocks=tuple(node.piece.block for node in run if node.case == c))
        for c, case in enumerate(empty)
    )
    return Switched(tuple(case for case in cases if case.blocks))
