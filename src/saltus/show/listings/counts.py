"""What the reductions of a model achieved, in numbers, as paper 003 reports them (212 unknowns, 55 after
trivial equations, 23 after tearing).

    COUNTS                     unknowns  equations
      flat model                      5          5   6 variables, 1 constant or parameter
      trivial equations gone          5          5   0 aliases
      index reduced                   9          9   3 equations differentiated, 4 derivatives in all; index 3
      in loops                        6          6   1 linear of size 5, 1 nonlinear of size 1
      after tearing                   2          2   2 loops with 1 tearing variable

A state counts as one unknown, its derivative. The counts of the flat model are made from its clauses, not
from later stages, so that a difference would show.

`saltus explain --modes --code-per-mode` covers the largest loop alone, as far as it can be reduced (paper
003: 212, 55, 23, 14, 9):

    LARGEST LOOP                            unknowns
      as it is written                           249
      without trivial equations                  133
      after tearing                               34
      with parameters as constants                19
      in the worst of 33 modes with own code       7

The first line has the trivial equations between its unknowns, and the last one the mode that has the most
tearing variables left in one loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from saltus.core.wording import number
from saltus.expr.nodes import Symbol, leaf_symbol
from saltus.expr.traversal import leaves
from saltus.ir.flat import Action, Clause, Equation, FlatModel, IfEquation, Variability, Variable, When
from saltus.ir.hybrid import HybridModel
from saltus.ir.sorted.blocks import Block, Explicit, Linear, Nonlinear
from saltus.ir.sorted.jacobian import Jacobian
from saltus.ir.structure import REINITIALISED, WANTED_AS_STATE, Structure

#: Names listed for one reason; the rest is counted.
LISTED = 8

_LABEL, _COLUMN, _WIDTH = 26, 9, 110

#: Where stateSelect does not decide, a start value does (the order of `analyse.index.reduction`).
_STARTED, _FIXED = 1, 2

_FREE = "nothing constrains them"
_PIVOT = "best pivot at the start values"


def counts_text(flat: FlatModel, hybrid: HybridModel, structure: Structure) -> str:
    """The block of counts that `saltus explain` begins with."""
    text = "\n".join(_lines(flat, hybrid, structure))
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def _lines(flat: FlatModel, hybrid: HybridModel, structure: Structure) -> Iterator[str]:
    yield "COUNTS".ljust(_LABEL) + "unknowns".rjust(_COLUMN) + "equations".rjust(_COLUMN + 2)
    known = sum(1 for v in flat.variables if v.variability <= Variability.PARAMETER)
    unknowns, equations = len(flat.variables) - known, flat_equations(flat.clauses)
    yield _row(
        "flat model",
        unknowns,
        equations,
        f"{number(len(flat.variables), 'variable')}, "
        f"{known} {'constant or parameter' if known == 1 else 'constants and parameters'}",
    )
    size = len(hybrid.states) + len(hybrid.algebraics) + len(hybrid.discretes)
    if size != unknowns or len(hybrid.equations) != equations:
        yield _row("events named", size, len(hybrid.equations), "conditions of when-clauses, step functions")
    aliases = len(structure.aliases)
    yield _row(
        "trivial equations gone", size - aliases, len(hybrid.equations) - aliases, number(aliases, "alias")
    )
    reduction = structure.reduction
    if reduction is not None:
        yield _row(
            "index reduced",
            len(structure.states) + len(structure.algebraics) + len(structure.discretes),
            len(structure.model.equations),
            f"{number(len(reduction.differentiated), 'equation')} differentiated, "
            f"{number(sum(d.times for d in reduction.differentiated), 'derivative')} in all; "
            f"index {reduction.index}",
        )
    loops = [b for b in structure.blocks if not isinstance(b, Explicit)]
    simultaneous = sum(len(b.unknowns) for b in loops)
    yield _row("in loops", simultaneous, simultaneous, _loops(loops))
    if loops:
        torn = [iterated(b) for b in loops]
        yield _row("after tearing", sum(torn), sum(torn), _tearing(torn))
    yield ""
    discrete = {v.symbol for v in structure.discretes}
    steps = sum(1 for b in structure.blocks if leaf_symbol(b.unknowns[0]) in discrete)
    yield _row("blocks", len(structure.blocks), None, _blocks(structure.blocks, steps))
    yield _row("largest loop", max((len(b.unknowns) for b in loops), default=0))
    started = len({x for b in structure.initial for x in b.unknowns})
    yield _row(
        "initial system",
        started,
        None,
        f"{number(len(structure.initial), 'block')}; "
        + _loops([b for b in structure.initial if not isinstance(b, Explicit)]),
    )
    relations, guards = len(hybrid.relations), len(structure.model.relations) - len(hybrid.relations)
    watched = f"and {guards} that watch{'es' if guards == 1 else ''} the choice of states" if guards else ""
    yield _row("relations", relations, None, watched)
    yield _row("clocks", len(structure.model.clocks))
    if structure.presumptions:
        presumed = [leaf_symbol(p.variable).name for p in structure.presumptions]
        remark = f"they depend on themselves: {_listed(presumed)}"
        yield _row("presumed at events", len(presumed), None, remark)
    yield ""
    yield _row("states", len(structure.states))
    for reason, names in state_reasons(hybrid, structure).items():
        yield _row("", len(names), None, f"{reason}: {_listed(names)}")
    if reduction is not None:
        names = [v.name for v in reduction.demoted]
        yield _row("states given up", len(names), None, f"they follow by constraints: {_listed(names)}")
    if structure.pivot_guards:
        yield _row("states watched", len(structure.states), None, _watched(structure))
    if structure.jacobian is not None:
        yield _row("entries of the Jacobian", structure.jacobian.entries, None, _jacobian(structure.jacobian))


# ---------------------------------------------------------------- counting


def flat_equations(clauses: Iterable[Clause]) -> int:
    """Scalar equations of a flat model. A when-clause has one for each variable it assigns, an if-equation
    as many as its longest branch."""
    return sum(_equations(clause) for clause in clauses)


def _equations(clause: Clause) -> int:
    match clause:
        case Equation():
            return 1
        case When():
            return len({s for branch in clause.branches for s in _assigned(branch.actions)})
        case IfEquation():
            return max(
                sum(_equations(a) for a in branch.actions if isinstance(a, Equation | IfEquation))
                for branch in clause.branches
            )
        case _:
            return 0


def _assigned(actions: Iterable[Action | IfEquation]) -> Iterator[Symbol]:
    """Variables assigned in a when-clause, also under a condition."""
    for action in actions:
        if isinstance(action, Equation):
            yield leaf_symbol(action.lhs)
        elif isinstance(action, IfEquation):
            for branch in action.branches:
                yield from _assigned(branch.actions)


def state_reasons(hybrid: HybridModel, structure: Structure) -> dict[str, list[str]]:
    """Why each state is one: reasons, and the names of the states for which they hold."""
    found: dict[str, list[str]] = {}
    rivals = _rivals(structure)
    jumping = {j.state for j in structure.model.jumps}
    original = {v.symbol for v in (*hybrid.states, *hybrid.algebraics)}
    for v in structure.states:
        reason = _FREE
        if v.state_select == "always":
            reason = "stateSelect = always"
        elif v.symbol in rivals:
            reason = _reason(v, rivals[v.symbol], jumping)
        elif v.symbol not in original:
            reason = _PIVOT  # a derivative without a name of its own
        found.setdefault(reason, []).append(v.name)
    return found


def _reason(v: Variable, rivals: Sequence[Variable], jumping: set[Symbol]) -> str:
    """A declaration decided if it puts the state before all those that were given up beside it."""
    group, start = _wanted(v, jumping)
    best, best_start = max((_wanted(r, jumping) for r in rivals), default=(group, start))
    if (group, start) <= (best, best_start):
        return _PIVOT
    if group == best:
        return "fixed = true" if start == _FIXED else "a start value is given"
    if v.symbol in jumping:
        return "reinitialised"
    if v.state_select == "default":
        return "the others have stateSelect = never or avoid"
    return f"stateSelect = {v.state_select}"


def _wanted(v: Variable, jumping: set[Symbol]) -> tuple[int, int]:
    """How much a variable is wanted as a state: by stateSelect first, then by its start value."""
    group = REINITIALISED if v.symbol in jumping else WANTED_AS_STATE[v.state_select]
    return group, 0 if v.start is None else _FIXED if v.fixed is True else _STARTED


def _rivals(structure: Structure) -> dict[Symbol, list[Variable]]:
    """For each variable in a differentiated equation: states that were given up in the equations that hang
    together with it."""
    if structure.reduction is None:
        return {}
    varying = {v.symbol for v in (*structure.states, *structure.algebraics)}
    group_of: dict[Symbol, list[Symbol]] = {}
    for item in structure.reduction.differentiated:
        q = item.equation
        own = {leaf_symbol(leaf) for leaf in (*leaves(q.lhs), *leaves(q.rhs))} & varying
        parts = {id(g): g for g in (group_of.setdefault(s, [s]) for s in own)}
        smaller = sorted(parts.values(), key=len)
        largest = smaller.pop() if smaller else []
        for group in smaller:  # into the largest, so that a long chain costs little
            largest += group
            group_of.update(dict.fromkeys(group, largest))
    given_up: dict[int, list[Variable]] = {}
    for v in structure.reduction.demoted:
        given_up.setdefault(id(group_of.get(v.symbol)), []).append(v)
    return {symbol: given_up.get(id(group), []) for symbol, group in group_of.items()}


# ---------------------------------------------------------------- wording


def _row(label: str, first: int, second: int | None = None, remark: str = "") -> str:
    shown = f"{'' if second is None else second:>{_COLUMN + 2}}"
    start = f"{'  ' + label:<{_LABEL}}{first:>{_COLUMN}}{shown}   "
    # Names are not broken, even where one is longer than the line.
    lines = wrap(remark, _WIDTH - len(start), break_long_words=False, break_on_hyphens=False) or [""]
    return start + f"\n{'':{len(start)}}".join(lines)


def _blocks(blocks: Sequence[Block], discrete: int) -> str:
    loops = [b for b in blocks if not isinstance(b, Explicit)]
    linear = sum(1 for b in loops if isinstance(b, Linear))
    text = f"{len(blocks) - len(loops)} explicit, {linear} linear, {len(loops) - linear} nonlinear"
    return text + (f"; {discrete} of them discrete" if discrete else "")


def _jacobian(jacobian: Jacobian) -> str:
    """How it is computed, and how systems with it are solved."""
    n, colours = jacobian.size, number(jacobian.colour_count, "colour")
    how = "symbolic" if jacobian.tangents is not None else "by differences"
    return f"of {n} x {n}; {how}, {colours}, {'sparse' if jacobian.sparse else 'dense'} linear algebra"


def _loops(loops: Sequence[Block]) -> str:
    parts = []
    for name, linear in (("linear", True), ("nonlinear", False)):
        sizes = Counter(len(b.unknowns) for b in loops if isinstance(b, Linear) is linear)
        shown = [f"{count} {name} of size {size}" for size, count in sorted(sizes.items(), reverse=True)]
        smaller = sum(count for _, count in sorted(sizes.items(), reverse=True)[LISTED:])
        parts += shown[:LISTED] + ([f"{smaller} smaller {name}"] if smaller else [])
    return ", ".join(parts) or "no loops"


def iterated(block: Block) -> int:
    """Unknowns of a loop that are left to be solved for simultaneously."""
    torn = block.tearing if isinstance(block, Linear | Nonlinear) else None
    return len(block.unknowns) if torn is None else len(torn.columns)


def _tearing(torn: Sequence[int]) -> str:
    sizes = sorted(Counter(torn).items(), reverse=True)
    parts = [
        f"{number(count, 'loop')} with {number(size, 'tearing variable')}" for size, count in sizes[:LISTED]
    ]
    smaller = sum(count for _, count in sizes[LISTED:])
    return ", ".join(parts + ([f"{smaller} with fewer"] if smaller else []))


def _watched(structure: Structure) -> str:
    determined = sorted({name for guard in structure.pivot_guards for name in guard.names})
    return f"others take their place where they no longer determine {_listed(determined)}"


def _listed(names: Sequence[str]) -> str:
    rest = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return (", ".join(names[:LISTED]) or "none") + rest


# ---------------------------------------------------------------- the largest loop


class LoopSize(NamedTuple):
    """A loop: its unknowns with those that trivial equations give, without these, and after tearing."""

    written: int
    unknowns: int
    torn: int


def loop_sizes(structure: Structure) -> list[LoopSize]:
    """The loops of continuous equations."""
    discretes = {v.symbol for v in structure.discretes}
    found = []
    for block in structure.blocks:
        symbols = {leaf_symbol(x) for x in block.unknowns}
        if isinstance(block, Explicit) or not discretes.isdisjoint(symbols):
            continue
        tearing = getattr(block, "tearing", None)
        count = len(block.unknowns)
        written = count + sum(alias.target in symbols for alias in structure.aliases)
        found.append(LoopSize(written, count, count if tearing is None else len(tearing.columns)))
    return found


def most_torn(structure: Structure) -> int:
    """The tearing variables of the loop that has the most of them; 0 where there is no loop."""
    return max((size.torn for size in loop_sizes(structure)), default=0)


def reductions(
    general: Structure, constant: Structure | None, modes: Sequence[Structure]
) -> Iterator[tuple[str, str]]:
    """What is counted, and how many unknowns there are: of the general program, of one with parameters as
    constants if there is one, and of the modes that have programs of their own."""
    largest = max(loop_sizes(general), key=lambda size: size.unknowns, default=LoopSize(0, 0, 0))
    yield "as it is written", str(largest.written)
    yield "without trivial equations", str(largest.unknowns)
    yield "after tearing", str(largest.torn)
    yield "with parameters as constants", "-" if constant is None else str(most_torn(constant))
    worst = max(map(most_torn, modes), default=0)
    yield f"in the worst of {number(len(modes), 'mode')} with own code", str(worst) if modes else "-"


def loops_text(general: Structure, constant: Structure | None, modes: Sequence[Structure]) -> str:
    """The listing."""
    rows = list(reductions(general, constant, modes))
    width = max(len(words) for words, _ in rows)
    lines = [f"  {words:<{width}}  {count:>8}" for words, count in rows]
    hint = ["  (--freeze '*' takes parameters as constants)"] if constant is None else []
    return "\n".join([f"{'LARGEST LOOP':<{width + 2}}  unknowns", *lines, *hint]) + "\n"
