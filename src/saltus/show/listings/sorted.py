"""The sorted equations as a listing, after the listings of paper 000 (sorted equations; sorted and solved
equations).

    SORTED EQUATIONS

      Circuit.  [Sw.i] + R1.i = i
    | R1.       [u] = Sw.Va - C.Vb
    |           R*[i] = u

The unknown of each equation stands in brackets, `|` marks the equations of an algebraic loop, and an
equation of a component is written as in the component: its own variables without the prefix, which is
given once at the left. `solved_equations` has small linear systems as formulas (`expr/closed_form.py`). The
second part has the assignments that are computed, and each system that must be
solved simultaneously: all of it, then how it is torn.

A discrete variable that is needed before it is computed, because it depends on itself, is shown as
`presumed(b)` there, and the last part says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from saltus.expr.closed_form import FIRST, ClosedForm, closed_form
from saltus.expr.linear import solve
from saltus.expr.nodes import Expr, Op, Symbol, der, leaf_symbol, pre, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves, substitute, transform
from saltus.ir.flat import Equation, Variable
from saltus.ir.sorted.blocks import Block, Explicit, Linear, Nonlinear, Tearing
from saltus.ir.structure import IndexReduction, Presumption, Structure
from saltus.show.listings.inlined import formulas, is_of_formulas, names_of_formulas

#: Prefixes longer than this push their equation to the right.
WIDEST_PREFIX = 24


def sorted_equations(structure: Structure) -> str:
    """Both listings, and what was eliminated."""
    return _Listing(structure).text()


def solved_equations(structure: Structure) -> str:
    """The second listing, with linear systems solved by formulas where they are small."""
    lines = _Listing(structure).solved(closed=True)
    return "\n".join([*formulas(structure), "SORTED AND SOLVED EQUATIONS", "", *lines, ""])


def closed_forms(structure: Structure) -> Iterator[tuple[Linear, ClosedForm]]:
    """The linear systems that are small enough, with their formulas as they are listed."""
    listing, number = _Listing(structure), FIRST
    for block in structure.blocks:
        form = listing.closed(block, number)
        if form is not None and isinstance(block, Linear):
            yield block, form
            number += len(form.names)


def sorted_only(structure: Structure) -> list[str]:
    """The lines of the first listing, and those of the equations that were differentiated. What is integrated
    for the sake of step control only is left out."""
    shown = [b for b in structure.blocks if not _is_hidden_rate(b.unknowns[0])]
    listing = _Listing(replace(structure, blocks=tuple(shown)))
    reduction = structure.reduction
    return [*listing.sorted(), *(listing.differentiated(reduction) if reduction is not None else ())]


class _Listing:
    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        #: Relations are shown as they were written, not as the names of their truth values.
        self.texts = {r.symbol: r.text or r.symbol.name for r in structure.model.relations}
        self.texts |= names_of_formulas(structure)
        #: Equations of the model itself go under its own name, unless there are no others.
        self.model_name = structure.model.name.rpartition(".")[2]
        origins = {q.origin for block in structure.blocks for q in block.equations}
        longest = max((len(o or self.model_name) + 1 for o in origins), default=0)
        self.width = min(longest, WIDEST_PREFIX) + 1 if any(origins) else 0
        self.previous: str | None = None  # the component that the line above belongs to

    def text(self) -> str:
        parts = [
            ["SORTED EQUATIONS", "", *self.sorted()],
            ["SORTED AND SOLVED EQUATIONS", "", *self.solved()],
        ]
        if self.structure.reduction is not None:
            parts.append(["DIFFERENTIATED EQUATIONS", "", *self.differentiated(self.structure.reduction)])
        presumed = {p for block in self.structure.blocks for p in self.structure.presumed_in(block)}
        if presumed:
            parts.append(["PRESUMED VALUES", "", *self.presumptions(presumed)])
        if self.structure.aliases:
            parts.append(["ELIMINATED VARIABLES", "", *self.eliminated()])
        return "\n\n".join("\n".join(lines) for lines in parts) + "\n"

    # ------------------------------------------------------------ the parts

    def sorted(self) -> Iterator[str]:
        self.previous = None
        for block in self.structure.blocks:
            margin = "  " if isinstance(block, Explicit) else "| "
            for q, unknown in zip(block.equations, block.unknowns, strict=True):
                yield margin + self.equation(q, unknown, block)

    def differentiated(self, reduction: IndexReduction) -> Iterator[str]:
        """Which equations constrain states, and what became of the states."""
        for item in reduction.differentiated:
            times = {1: "once", 2: "twice"}.get(item.times, f"{item.times} times")
            yield f"  {show(item.equation.lhs)} = {show(item.equation.rhs)}   differentiated {times}"
        yield f"  -- index {reduction.index}; states: {_names(self.structure.states)}"
        yield f"  -- no states, they follow by constraints: {_names(reduction.demoted)}"

    def solved(self, *, closed: bool = False) -> Iterator[str]:
        self.previous = None
        number = FIRST
        for block in self.structure.blocks:
            if is_of_formulas(block.unknowns[0]):
                continue
            if isinstance(block, Explicit):
                yield "  " + self.assignment(block)
                continue
            form = self.closed(block, number) if closed else None
            if form is None:
                yield from self.system(block)
            else:
                yield from self.formulas(block, form)
                number += len(form.names)

    def closed(self, block: Block, first: int) -> ClosedForm | None:
        """The formulas of a block, if it is a small linear system; names are numbered from the first."""
        if not isinstance(block, Linear):
            return None
        matrix = [(row, column, self.recalled(value)) for row, column, value in block.matrix]
        right = [self.recalled(value) for value in block.right]
        return closed_form(len(block.unknowns), matrix, right, first)

    def recalled(self, value: Expr) -> Expr:
        """An expression with discrete variables in place of their cases, which were inserted for them."""
        cases = {
            block.value: block.unknown
            for block in self.structure.blocks
            if isinstance(block, Explicit) and block.value.op is Op.IF and block.unknown.op is Op.REF
        }
        return transform(value, cases.get) if cases else value

    def formulas(self, block: Block, form: ClosedForm) -> Iterator[str]:
        """A system solved by formulas."""
        yield f"SYSTEM OF {len(block.unknowns)} SIMULTANEOUS EQUATIONS"
        yield "SOLVED SYSTEM OF EQUATIONS"
        for symbol, value in form.names:
            names = self.names("", block, value)
            yield f"  {symbol.name} = {show(substitute(value, names))}"
        for unknown, value in zip(block.unknowns, form.values, strict=True):
            names = self.names("", block, value)
            yield f"  {show(unknown)} = {show(substitute(value, names))}"
        yield "END OF SYSTEM OF SIMULTANEOUS EQUATIONS"
        self.previous = None

    def system(self, block: Block) -> Iterator[str]:
        count = len(block.unknowns)
        yield f"SYSTEM OF {count} SIMULTANEOUS EQUATION{'S' if count != 1 else ''}"
        yield "  UNKNOWN VARIABLES"
        for unknown in block.unknowns:
            yield f"    {show(unknown)}"
        yield "  EQUATIONS"
        self.previous = None
        for q, unknown in zip(block.equations, block.unknowns, strict=True):
            yield "    " + self.equation(q, unknown, block)
        kind = "linear" if isinstance(block, Linear) else "nonlinear"
        yield f"  -- The system of equations is {kind}."
        if isinstance(block, Linear | Nonlinear) and block.tearing is not None and block.tearing.inner:
            yield from self.torn(block, block.tearing)
        yield "END OF SYSTEM OF SIMULTANEOUS EQUATIONS"
        self.previous = None

    def torn(self, block: Block, tearing: Tearing) -> Iterator[str]:
        """What is solved for simultaneously in the end, and what follows from it."""
        yield "  TEARING VARIABLES"
        for column in tearing.columns:
            yield f"    {show(block.unknowns[column])}"
        yield "  FROM WHICH FOLLOW"
        self.previous = None
        for row, column in tearing.inner:
            yield "    " + self.equation(block.equations[row], block.unknowns[column], block)
        yield "  RESIDUAL EQUATIONS"
        self.previous = None
        for row in tearing.rows:
            q = block.equations[row]
            names = self.names(q.origin, block, q.lhs, q.rhs)
            lhs, rhs = (show(substitute(e, names)) for e in (q.lhs, q.rhs))
            yield "    " + self.prefix(q.origin) + f"{lhs} = {rhs}"

    def presumptions(self, found: Collection[Presumption]) -> Iterator[str]:
        """Which discrete variables depend on themselves, and through what."""
        for p in (p for p in self.structure.presumptions if p in found):
            others = ", ".join(show(x) for x in p.loop if x is not p.variable)
            yield f"  {show(p.variable)} depends on itself" + (f" through {others}" if others else "")
        yield "  -- At an event everything is computed until presumed and computed values agree."

    def eliminated(self) -> Iterator[str]:
        for alias in self.structure.aliases:
            yield f"  {alias.symbol.name} = {'-' if alias.negated else ''}{alias.target.name}"

    # ------------------------------------------------------------ one line

    def equation(self, q: Equation, unknown: Expr, block: Block) -> str:
        """An equation as in its component, its unknown in brackets."""
        names = self.names(q.origin, block, q.lhs, q.rhs)
        unknown = self.structure.echoes.get(unknown, unknown)
        names[unknown] = ref(Symbol(f"[{show(names.get(unknown, unknown))}]", unknown.type))
        lhs, rhs = (show(substitute(e, names)) for e in (q.lhs, q.rhs))
        return self.prefix(q.origin) + f"{lhs} = {rhs}"

    def assignment(self, block: Explicit) -> str:
        """The equation solved, as it is written: constants that were inserted are shown by their names."""
        origin, q = block.equation.origin, block.equation
        solution = solve(q.lhs, q.rhs, block.unknown)
        solved = block.value if solution is None else solution.value
        names = self.names(origin, block, block.unknown, solved)
        unknown, value = (show(substitute(e, names)) for e in (block.unknown, solved))
        return self.prefix(origin) + f"{unknown} = {value}"

    def prefix(self, origin: str) -> str:
        """The component, where it differs from that of the line above."""
        if not self.width:
            return ""
        shown = f"{origin or self.model_name}." if origin != self.previous else ""
        self.previous = origin
        return shown.ljust(self.width) + (" " if len(shown) >= self.width else "")

    def names(self, origin: str, block: Block, *expressions: Expr) -> dict[Expr, Expr]:
        """Leaves of an equation of a block under the names by which its component knows them. A short name
        that is also the full name of something else in the equation is not used."""
        found = dict.fromkeys(leaf for e in expressions for leaf in leaves(e))
        full = {leaf_symbol(leaf).name for leaf in found}
        start = f"{origin}."
        symbols: dict[Symbol, Symbol] = {}
        names: dict[Expr, Expr] = {}
        for leaf in found:
            symbol = leaf_symbol(leaf)
            name = self.texts.get(symbol, symbol.name)
            short = name.removeprefix(start)
            if origin and short not in full and symbol not in self.texts:
                name = short
            if name != symbol.name:
                local = ref(symbols.setdefault(symbol, Symbol(name, symbol.type)))
                names[leaf] = der(local) if leaf.op is Op.DER else pre(local) if leaf.op is Op.PRE else local
        for p in self.structure.presumed_in(block):
            if p.variable not in block.unknowns:
                name = f"presumed({show(names.get(p.variable, p.variable))})"
                names[p.variable] = ref(Symbol(name, p.variable.type))
        return names


def _names(variables: Sequence[Variable]) -> str:
    return ", ".join(v.name for v in variables if not v.symbol.is_hidden) or "none"


def _is_hidden_rate(leaf: Expr) -> bool:
    return leaf.op is Op.DER and leaf_symbol(leaf).is_hidden
