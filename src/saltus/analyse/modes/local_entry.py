"""How the modes of a program that follows guards by itself are entered.

Every round of the join (`saltus.analyse.modes.local`) has an entry of its own, which is block triangular in
the blocks of its mode. So what belongs to a component follows from its guards alone, and becomes the cases of
a switched block; a component that nothing constrains in a case has no jumps there. What only passes on the
jumps and impulses of others is the same in all cases, as long as what does not jump has a jump of zero.

A state that follows from others in one case must be what it was before the instant in the next one that is
tried: the entry gives it its left limit, unless something else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from saltus.analyse.modes.local import Join, Round, Unfit, renamed
from saltus.analyse.order.sort import sorted_components
from saltus.expr.helpers import Helper
from saltus.expr.nodes import ONE, ZERO, Expr, Op, Symbol, if_, leaf_symbol, ref
from saltus.expr.traversal import leaves, substitute
from saltus.ir.flat import Equation
from saltus.ir.sorted.blocks import Block, Case, Explicit, Solving, Switched, block_expressions
from saltus.ir.sorted.modes import Entry

#: Of a conserved quantity, or of a constraint: the residual and its size, with the equation as written.
_Item: TypeAlias = tuple[Equation, Expr, Expr]

#: Which of the two it is, the row that it was made of, and which one of this row.
_Key: TypeAlias = tuple[str, int, int]


#: Gives what depends on the case of a group: from the group, the values by combination, and one for none.
_Chosen: TypeAlias = Callable[[int, Callable[[int], Expr], Expr], Expr]


@dataclass(eq=False)
class _Own:
    """The entry of one round in common words."""

    blocks: list[Solving]
    afters: dict[Symbol, Symbol]
    impulses: dict[Symbol, Symbol]
    decides: dict[int, Expr]
    items: dict[_Key, _Item] = field(default_factory=dict)


class Entries:
    """The entries of all rounds of a join, in common words: a left limit, a jump or an impulse has one symbol
    for all of them."""

    def __init__(self, join: Join) -> None:
        self._join = join
        self._symbols: dict[object, Symbol] = {}
        self._variable: dict[Symbol, Symbol] = {}  # of which something jumps
        self.lefts: dict[Symbol, Expr] = {}
        found = [one.structure.entry for one in join.rounds]
        self.exact = next((e.exact for e in found if e is not None), None)
        self._own = [self._taken(k, one) for k, one in enumerate(join.rounds)]
        self._blocks_of = [self._grouped(k) for k in range(len(join.rounds))]
        self._kept = self._left_alone() if self.exact is not None else [{} for _ in join.groups]
        self._group_of_row = {
            row: k
            for k, of_group in enumerate(join.by_combination)
            for pieces in of_group
            for piece in pieces
            for row in piece.rows
        }
        self._items_of: dict[int, list[_Key]] = {}  # by group
        for key in dict.fromkeys(key for own in self._own for key in own.items):
            self._items_of.setdefault(self._group_of_row.get(key[1], -1), []).append(key)
        self._decided_by: dict[int, list[int]] = {}
        self._versions: dict[int, list[Expr]] = {}
        for k in sorted({k for own in self._own for k in own.decides}):
            self._versions[k] = versions = [own.decides.get(k, ZERO) for own in self._own]
            groups = self._groups(*versions)
            self._decided_by.setdefault(next(iter(groups)) if len(groups) == 1 else -1, []).append(k)

    def signature(self, group: int, number: int) -> object:
        """What the entry into a combination of a group is, in a form that can be compared."""
        own = self._own[number].items
        blocks = tuple((b.unknowns, block_expressions(b)) for b in self._blocks_of[number].get(group, ()))
        items = tuple((key, own[key][1:]) for key in self._items_of.get(group, ()) if key in own)
        decides = tuple((k, self._versions[k][number]) for k in self._decided_by.get(group, ()))
        return blocks, items, decides

    def joined(self, cases: Sequence[Sequence[Sequence[int]]]) -> Entry | None:
        """The entry into all modes; None where nothing is ever constrained. `cases`: of each group, which
        combinations, by number, are one case."""
        if self.exact is None:
            return None
        conditions = [[g.condition(c) for c in own] for g, own in zip(self._join.groups, cases, strict=True)]

        def chosen(group: int, value: Callable[[int], Expr], otherwise: Expr) -> Expr:
            """What depends on the case of a group."""
            result = otherwise
            for condition, numbers in zip(conditions[group], cases[group], strict=True):
                result = if_(condition, value(numbers[0]), result)
            return result

        return Entry(
            lefts=self.lefts,
            exact=self.exact,
            blocks=self._blocks(cases, conditions),
            afters={s: a for own in (*self._kept, *(o.afters for o in self._own)) for s, a in own.items()},
            impulses={s: i for own in self._own for s, i in own.impulses.items()},
            decides=self._decides(chosen),
            lower=tuple(self._items("lower", chosen)),
            nonlinear=(),
            books=tuple(self._items("books", chosen)),
        )

    # ------------------------------------------------------------ common words

    def _taken(self, number: int, one: Round) -> _Own:
        """The entry of a round with the symbols that all rounds have in common."""
        entry, reduction = one.structure.entry, one.reduction
        if entry is None or reduction is None:
            return _Own([], {}, {}, {})
        variables = {}
        for leaf, level in reduction.levels.level_of.items():
            of = reduction.variables[level.variable].symbol
            for helper in (Helper.LEFT, Helper.JUMP, Helper.AFTER, Helper.IMPULSE):
                variables[helper.around(leaf.data.name)] = of
        names: dict[Expr, Expr] = dict(self._join.renamed[number])
        own = [*entry.lefts, entry.exact, *(x.data for b in entry.blocks for x in b.unknowns)]
        for symbol in own:
            names[ref(symbol)] = ref(self._common(symbol, number))
            if symbol.name in variables:
                self._variable[self._common(symbol, number)] = variables[symbol.name]
        memo: dict[Expr, Expr] = {}

        def new(e: Expr) -> Expr:
            return substitute(e, names, memo)

        def common(symbol: Symbol) -> Symbol:
            found = names[ref(symbol)].data
            assert isinstance(found, Symbol)
            return found

        for symbol, leaf in entry.lefts.items():
            self.lefts[common(symbol)] = new(leaf)
        taken = _Own(
            blocks=[renamed(b, names, memo) for b in entry.blocks if isinstance(b, Solving)],
            afters={state: common(after) for state, after in entry.afters.items()},
            impulses={of: common(impulse) for of, impulse in entry.impulses.items()},
            decides={k: new(e) for k, e in entry.decides.items()},
        )
        for what, items in (("lower", entry.lower), ("books", entry.books)):
            places: dict[int, int] = {}
            for q, residual, size in items:
                row = one.written[q]
                places[row] = places.get(row, -1) + 1
                taken.items[what, row, places[row]] = q, new(residual), new(size)
        return taken

    def _common(self, symbol: Symbol, number: int) -> Symbol:
        # Demands are numbered within an entry, and used there only.
        key = (number if symbol.helper is Helper.DEMAND else None, symbol.helper, symbol.name)
        if symbol.helper is Helper.EXACT and self.exact is not None:
            return self.exact
        return self._symbols.setdefault(key, symbol)

    # ------------------------------------------------------------ what belongs to which group

    def _groups(self, *expressions: Expr) -> set[int]:
        """The groups on which jumps and impulses in expressions depend."""
        group_of = self._join.group_of
        variables = (self._variable.get(leaf_symbol(leaf)) for e in expressions for leaf in leaves(e))
        return {group_of[v] for v in variables if v is not None and v in group_of}

    def _grouped(self, number: int) -> dict[int, list[Solving]]:
        """The blocks of a round by group, -1 for what only passes on; demands with what makes them."""
        found: list[tuple[int, Solving]] = []
        asked: dict[Expr, int] = {}
        for block in reversed(self._own[number].blocks):
            if all(x.data.helper is Helper.DEMAND for x in block.unknowns):
                group = asked.get(block.unknowns[0], -1)
            else:
                groups = self._groups(*block.unknowns)
                if len(groups) > 1:
                    raise Unfit(groups)
                group = next(iter(groups), -1)
            asked |= dict.fromkeys(_used(block), group)
            found.append((group, block))
        grouped: dict[int, list[Solving]] = {}
        for group, block in reversed(found):
            grouped.setdefault(group, []).append(block)
        return grouped

    # ------------------------------------------------------------ parts

    def _blocks(
        self, cases: Sequence[Sequence[Sequence[int]]], conditions: Sequence[Sequence[Expr]]
    ) -> tuple[Block, ...]:
        found: list[Block] = []
        for group, of_group in enumerate(cases):
            solved = [self._blocks_of[numbers[0]].get(group, []) for numbers in of_group]
            every = dict.fromkeys(x for own in solved for b in own for x in b.unknowns)
            unknowns = [x for x in every if leaf_symbol(x).helper is not Helper.DEMAND]
            if not unknowns:
                continue
            unknowns += [x for x in map(ref, self._kept[group].values()) if x not in every]
            equations = {x: q for own in solved for b in own for q in b.equations for x in b.unknowns}
            some = next(iter(equations.values()))
            made = []
            for condition, own in zip(conditions[group], solved, strict=True):
                determined = {x for b in own for x in b.unknowns}
                still = [
                    Explicit(x, self._at_rest(x), equations.get(x, some))
                    for x in unknowns
                    if x not in determined
                ]
                made.append(Case(condition, (*still, *own)))
            found.append(Switched(tuple(made)))
        passed: dict[tuple[Expr, ...], Solving] = {}
        for of_round in self._blocks_of:
            for block in of_round.get(-1, ()):
                known = passed.get(block.unknowns)
                if known is None or len(_used(known)) < len(_used(block)):
                    passed[block.unknowns] = block
        found += passed.values()
        places = {x: k for k, b in enumerate(found) for x in b.unknowns}
        if len(places) != sum(len(b.unknowns) for b in found):
            raise Unfit(range(len(self._join.groups)))
        needs = [[places[x] for x in _used(b) if x in places and places[x] != k] for k, b in enumerate(found)]
        order = sorted_components(needs)
        if any(len(members) > 1 for members in order):
            raise Unfit(range(len(self._join.groups)))
        return tuple(found[k] for (k,) in order)

    def _at_rest(self, x: Expr) -> Expr:
        """The value of an unknown in a case in which nothing jumps."""
        symbol = leaf_symbol(x)
        if symbol.helper is not Helper.AFTER:
            return ZERO
        return ref(self._symbols[None, Helper.LEFT, symbol.name.replace("after", "left", 1)])

    def _left_alone(self) -> list[dict[Symbol, Symbol]]:
        """The states of each group that follow from others in some of its cases, with the symbols of what
        they are after the instant."""
        found: list[dict[Symbol, Symbol]] = []
        for of_group in self._join.by_combination:
            pieces = (piece for pieces in of_group for piece in pieces)
            unknowns = dict.fromkeys(x.data for p in pieces for x in p.block.unknowns if x.op is Op.REF)
            own: dict[Symbol, Symbol] = {}
            for state in unknowns:
                if state in self._join.states:
                    left, after = (
                        self._common(Symbol(helper.around(state.name), helper=helper), 0)
                        for helper in (Helper.LEFT, Helper.AFTER)
                    )
                    self.lefts.setdefault(left, ref(state))
                    own[state] = after
            found.append(own)
        return found

    def _decides(self, chosen: _Chosen) -> Mapping[int, Expr]:
        found: dict[int, Expr] = {}
        for group, relations in self._decided_by.items():
            for k in relations:
                versions = self._versions[k]
                if group >= 0:
                    found[k] = chosen(group, versions.__getitem__, ZERO)
                else:
                    found[k] = max(versions, key=lambda e: len(leaves(e)))
        return found

    def _items(self, what: str, chosen: _Chosen) -> Sequence[_Item]:
        found: list[_Item] = []
        every = ((group, key) for group, keys in self._items_of.items() for key in keys)
        for group, key in every:
            if key[0] != what:
                continue
            items = [own.items.get(key) for own in self._own]
            known = [item for item in items if item is not None]
            if group < 0:
                found.append(max(known, key=lambda item: len(leaves(item[1]))))
                continue

            def residual(number: int, items: Sequence[_Item | None] = items) -> Expr:
                item = items[number]
                return ZERO if item is None else item[1]

            def size(number: int, items: Sequence[_Item | None] = items) -> Expr:
                item = items[number]
                return ONE if item is None else item[2]

            found.append((known[0][0], chosen(group, residual, ZERO), chosen(group, size, ONE)))
        return found


def _used(block: Block) -> set[Expr]:
    return {x for e in block_expressions(block) for x in leaves(e)}
