"""What a program takes for granted, where that has to be so, and how a mode is entered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from saltus.expr.nodes import Expr, Symbol, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves
from saltus.ir.flat import Equation
from saltus.ir.sorted.blocks import Block, Explicit, block_expressions


def in_order_of_texts(guards: Iterable[Expr]) -> list[Expr]:
    """Mode guards in the one order in which they are listed everywhere."""
    return sorted(guards, key=show)


@dataclass(frozen=True)
class Mode:
    """What a program takes for granted: values of mode guards, which are leaves (the symbol of a relation, of
    a discrete variable or of a parameter, or what a discrete variable was before), that its continuous
    equations have in place of the leaves. The general program has none. Two modes are the same where they fix
    the same symbols to the same values; `of` lists them in the order of their texts."""

    fixed: tuple[tuple[Expr, float], ...] = ()

    @staticmethod
    def of(values: Mapping[Expr, float]) -> Mode:
        """The mode in which guards have these values."""
        return Mode(tuple((guard, values[guard]) for guard in in_order_of_texts(values)))

    @property
    def texts(self) -> tuple[tuple[str, float], ...]:
        """The values by the texts of the guards, for people and for files."""
        return tuple((show(guard), value) for guard, value in self.fixed)


#: The mode of the general program.
GENERAL = Mode()


#: In a mode of its own, what is left of terms that cancel, relative to their sizes, is rounding up to here.
ROUNDED = 1e-14


#: The number of guards from which structure is found numerically where cases do not suffice. Fewer have few
#: combinations, and a program for each of these is faster in long runs: a bridge of four diodes takes a third
#: of the time.
MANY_GUARDS = 5


@dataclass(frozen=True)
class Fixing:
    """Which mode guards (leaves of relations and discrete variables) have to be fixed, where the general
    program would lose rank: `always` those, and `combinations` of values wherever they occur."""

    always: frozenset[Expr] = frozenset()
    combinations: tuple[Mode, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.always or self.combinations)

    def mode(self, value: Callable[[Expr], float]) -> Mode:
        """The mode in which guards have these values."""
        fixed = {guard: value(guard) for guard in self.always}
        for combination in self.combinations:
            if all(value(guard) == known for guard, known in combination.fixed):
                fixed.update(combination.fixed)
        return Mode.of(fixed)

    def guards(self) -> list[Expr]:
        """All mode guards that are fixed somewhere, in the order of their texts."""
        found = {*self.always, *(guard for mode in self.combinations for guard, _ in mode.fixed)}
        return in_order_of_texts(found)

    def within(self, mode: Mode) -> Fixing:
        """What has to be fixed, as found in a mode: combinations need the values of that mode, too."""
        if not mode.fixed:
            return self
        known = dict(mode.fixed)
        both = (Mode.of({**known, **dict(c.fixed)}) for c in self.combinations)
        return Fixing(self.always, tuple(both))

    def joined(self, other: Fixing) -> Fixing:
        """What either of the two has to fix."""
        more = (c for c in other.combinations if c not in self.combinations)
        return Fixing(self.always | other.always, (*self.combinations, *more)) if other else self

    def leading_out_of(self, mode: Mode) -> tuple[Mode, ...]:
        """The combinations that lead from a mode to another one."""
        known = dict(mode.fixed)
        return tuple(
            c
            for c in self.combinations
            if all(known.get(guard, value) == value for guard, value in c.fixed)
            and not all(guard in known for guard, _ in c.fixed)
        )

    def without(self, guards: frozenset[Expr]) -> Fixing:
        """What is left to fix where the program itself follows these guards."""
        rest = (c for c in self.combinations if guards.isdisjoint(guard for guard, _ in c.fixed))
        return Fixing(self.always - guards, tuple(rest)) if guards else self

    def with_combination(self, mode: Mode) -> Fixing:
        """One more combination."""
        return Fixing(self.always, (*self.combinations, mode))


@dataclass(frozen=True, eq=False)
class Open:
    """Quantities that a mode leaves open: those in `kept` have the values nearest to hidden parameters that
    keep what they were when the mode was entered, of all values that their equations allow. `excess`:
    equations that say in this mode what others say; they are checked, not solved."""

    kept: Mapping[Symbol, Symbol]  # the quantity, and its hidden parameter
    multipliers: tuple[Symbol, ...]  # hidden unknowns: one for each equation between them, or none
    equations: tuple[Equation, ...]  # those between them
    excess: tuple[Equation, ...] = ()


@dataclass(frozen=True, eq=False)
class Entry:
    """The jump system by which a mode is entered: states after an instant, from the left limits before it
    (section "Entering a mode" of the documentation). Its blocks are solved with the left limits, and with the
    truths that are presumed.

    `lefts`: hidden numbers that the run fills in, each with the leaf whose left limit it is.
    `exact`: a hidden number; unless it is 1, violations of constraints that are within the errors of event
    location, or within this part of their sizes, are tolerated, so that they make no impulses.
    `blocks`: what determines the unknowns.
    `afters`: unknowns that are the values after the instant, each for the state that gets it.
    `impulses`: unknowns that are the integrals of variables over the instant.
    `decides`: for relations, by index, the integral of the residue over the instant.
    `lower`: constraints on what does not jump, as residuals of left limits, each with its size.
    `nonlinear`: equations with a variable that must not have an impulse, since it is not linear in them.
    `books`: of the equations that say what is conserved, residuals after the instant, each with its size.
    """

    lefts: Mapping[Symbol, Expr]
    exact: Symbol
    blocks: tuple[Block, ...]
    afters: Mapping[Symbol, Symbol]  # state: unknown
    impulses: Mapping[Symbol, Symbol]  # variable: unknown
    decides: Mapping[int, Expr]
    lower: tuple[tuple[Equation, Expr, Expr], ...]
    nonlinear: tuple[tuple[Equation, Symbol], ...]
    books: tuple[tuple[Equation, Expr, Expr], ...]

    def moves_itself(self, state: Symbol) -> bool:
        """Whether the jump of a state depends on its own left limit: a constraint that ties it to others."""
        after = self.afters.get(state)
        if after is None:
            return False
        own = {ref(symbol) for symbol, leaf in self.lefts.items() if leaf is ref(state)}
        found = set(own)
        for block in self.blocks:
            used = {leaf for e in block_expressions(block) for leaf in leaves(e)}
            is_sum = isinstance(block, Explicit) and block.unknown is ref(after)  # left limit and jump
            if not found.isdisjoint(used - own if is_sum else used):
                if ref(after) in block.unknowns:
                    return True
                found.update(block.unknowns)
        return False
