"""Which blocks a routine needs, and how they are cut into pieces.

LLVM's optimiser is more than linear in the length of a function: bodies are cut after about a hundred
statements. A block needed by several routines is compiled once where the model is large: with A the
blocks that the derivatives need and K those that the crossing functions need (both closed under
dependency), the sorted pieces A & K, A - K, K - A and the rest give all routines by concatenation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from saltus.expr.nodes import Expr, Op, ref
from saltus.expr.traversal import leaves
from saltus.ir.sorted.blocks import (
    Block,
    Explicit,
    Leading,
    Leap,
    Linear,
    Nonlinear,
    Switched,
    block_expressions,
)
from saltus.ir.structure import Structure

PIECE = 100  # statements, about
#: Up to so many in all, each routine gets code of its own: better shared, still quick. Where there are loops,
#: of which one routine needs less than another, it is worth more.
SEPARATE = 200
SEPARATE_LOOPS = 600

#: A linear loop of at most this many statements is solved again as quickly as its inputs are compared.
QUICKLY_SOLVED = 60


def continuous_blocks(structure: Structure) -> list[Block]:
    """Blocks whose unknowns are derivatives of states or algebraics, in order."""
    discrete = {v.symbol for v in structure.discretes}
    return [b for b in structure.blocks if not any(x.op is Op.REF and x.data in discrete for x in b.unknowns)]


def needed(blocks: Sequence[Block], wanted: Iterable[Expr]) -> list[Block]:
    """The blocks that determine the wanted leaves, directly or not, in order. Leaves that no block
    determines are known."""
    home: dict[Expr, list[int]] = {}  # several where cases of a switched block come one after the other
    for k, b in enumerate(blocks):
        for x in b.unknowns:
            home.setdefault(x, []).append(k)
    stack = [k for x in wanted for k in home.get(x, ())]
    reached: set[int] = set()
    while stack:
        k = stack.pop()
        if k in reached:
            continue
        reached.add(k)
        for e in block_expressions(blocks[k]):
            stack.extend(k for x in leaves(e) for k in home.get(x, ()))
    return [blocks[k] for k in sorted(reached)]


def is_quickly_solved(block: Block) -> bool:
    """Whether a block may as well be solved again where nothing has changed that it depends on."""
    if isinstance(block, Switched):
        return all(map(is_quickly_solved, block.inner))
    return isinstance(block, Explicit) or (isinstance(block, Linear) and cost(block) <= QUICKLY_SOLVED)


def around_outputs(structure: Structure) -> tuple[list[Block], list[Block]] | None:
    """The blocks of discrete unknowns that come before all others in a pass, and those that come after them;
    None where there is no such order, or where loops are better left alone while nothing changes."""
    if structure.presumptions or structure.echoes:
        return None
    before: list[Block] = []
    after: list[Block] = []
    discrete = {ref(v.symbol) for v in structure.discretes}
    computed: set[Expr] = set()  # continuous unknowns, and discrete ones that need such
    late: set[Expr] = set()
    for block in structure.blocks:
        own = discrete.intersection(block.unknowns)
        used = {x for e in block_expressions(block) for x in leaves(e)}
        if not own:
            if not used.isdisjoint(late) or (structure.model.relations and not is_quickly_solved(block)):
                return None
            computed.update(block.unknowns)
        elif len(own) < len(block.unknowns):
            return None
        elif used.isdisjoint(computed):
            before.append(block)
        else:
            after.append(block)
            computed |= own
            late |= own
    return before, after


def used_leaves(blocks: Sequence[Block], wanted: Iterable[Expr]) -> frozenset[Expr]:
    """The leaves that are wanted, or used by the blocks."""
    return frozenset(wanted).union(*(leaves(e) for b in blocks for e in block_expressions(b)))


def cost(block: Block) -> int:
    """Number of statements, roughly."""
    n = len(block.unknowns)
    match block:
        case Explicit():
            return 1
        case Linear():
            return 2 * n + len(block.matrix)
        case Nonlinear():
            entries = n * n if block.jacobian is None else len(block.jacobian)
            return 20 * n + 3 * entries
        case Switched():
            return len(block.cases)  # calls of routines
        case Leading() | Leap():
            return 1  # a call


def overlaps(
    blocks: Sequence[Block], first: Sequence[Block], second: Sequence[Block]
) -> tuple[list[Block], list[Block], list[Block], list[Block]]:
    """In both, only in the first, only in the second, in neither; each in order."""
    a, k = set(map(id, first)), set(map(id, second))
    parts: tuple[list[Block], list[Block], list[Block], list[Block]] = ([], [], [], [])
    for block in blocks:
        in_first, in_second = id(block) in a, id(block) in k
        parts[0 if in_first and in_second else 1 if in_first else 2 if in_second else 3].append(block)
    return parts
