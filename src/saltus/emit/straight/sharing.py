"""Expressions to straight-line statements: shared subexpressions, user function calls, lazy branches.

A back end evaluates an expression as a tree and both arms of a conditional. So before printing

- a subexpression used more than once in a section of straight-line code becomes a local, computed where
  it is first needed (value numbering is free here: equal expressions are the same object);
- a user function call becomes one `CallFunction` whose outputs are used by all its ITEMs;
- a conditional with a call (or an array access that could be out of bounds) in an arm becomes an `If`
  statement, so that the call happens only if the arm is taken; arithmetic may be computed in vain, for
  floats do not trap;
- small integer powers become products and `x^0.5` a square root, so that all back ends agree;
- an Integer that may leave the range in which doubles are exact is compared with its limits, and that is a
  failure of the routine; what stands in an arm that is not taken is not computed at all;
- very deep and very wide expressions are cut into pieces, for the parsers of the back ends.

The leaves read in a section must not change between its uses: sorted blocks have that property. For
loops (Newton) there are nested sections with `varying` leaves; what does not depend on them is computed
once, in the enclosing section before the loop.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Protocol

from saltus.core.diagnostics import model_error
from saltus.expr.evaluate import LARGE_OPERATIONS
from saltus.expr.nodes import (
    FALSE,
    LARGEST_INTEGER,
    LEAVES,
    ONE,
    TRUE,
    Expr,
    Op,
    Symbol,
    Type,
    call,
    const,
    div,
    if_,
    index,
    mul,
    ref,
    relation,
)
from saltus.expr.traversal import rebuild
from saltus.ir.program import INTEGER_OVERFLOW, Assign, CallFunction, Fail, Function, If, Statement

MAX_DEPTH = 30  # of an expression inside one statement (Python's parser gives up at 200 parentheses)
MAX_WIDTH = 50  # terms of one sum or product
MAX_POWER = 8  # x^n up to here is a product

_ATOMS = LEAVES | {Op.INITIAL, Op.TERMINAL}
_WRAPPERS = frozenset({Op.NOEVENT, Op.SMOOTH, Op.HOMOTOPY})  # HOMOTOPY: outside equations it is `actual`
_NEVER_LOCAL = frozenset({Op.APPLY, Op.ITEM, Op.ARRAY})


#: The number of operands examined for the bound of an Integer.
_FEW = 4


class Locals:
    """The locals of one routine or function, as they are made."""

    def __init__(self) -> None:
        self.symbols: list[Symbol] = []
        self._number = count(1)
        self._own: set[Symbol] = set()

    def __contains__(self, leaf: Expr) -> bool:
        """Whether a leaf is one of them."""
        return leaf.op is Op.REF and leaf.data in self._own

    def new(self, prefix: str = "t", type: Type = Type.REAL, shape: tuple[int, ...] = ()) -> Symbol:
        """A fresh local."""
        symbol = Symbol(f"{prefix}{next(self._number)}", type, shape)
        self.symbols.append(symbol)
        self._own.add(symbol)
        return symbol


class Contains:
    """`contains(e)`: does a node of `e` pass the test? Memorised, without recursion."""

    def __init__(self, test: Callable[[Expr], bool]) -> None:
        self._test = test
        self._memo: dict[Expr, bool] = {}

    def __call__(self, e: Expr) -> bool:
        memo = self._memo
        if e in memo:
            return memo[e]
        stack = [e]
        while stack:
            node = stack[-1]
            if node in memo:
                stack.pop()
                continue
            if self._test(node):
                memo[node] = True
            elif node.op in LEAVES:
                memo[node] = False
            else:
                missing = [a for a in node.args if a not in memo]
                if missing:
                    stack.extend(missing)
                    continue
                memo[node] = any(memo[a] for a in node.args)
            stack.pop()
        return memo[e]


def is_guarded(node: Expr) -> bool:
    """Nodes that are computed only where their values are wanted."""
    return may_fail(node) or may_overflow(node)


def may_fail(node: Expr) -> bool:
    """Nodes whose evaluation can loop or fail: calls of user functions, array access by a computed index."""
    if node.op is Op.INDEX:
        return any(a.op is not Op.CONST for a in node.args[1:])
    return node.op is Op.APPLY


def may_overflow(node: Expr) -> bool:
    """Integer arithmetic whose result may be beyond what a double holds exactly."""
    if node.type is not Type.INTEGER or node.op not in LARGE_OPERATIONS:
        return False
    return largest(node) > LARGEST_INTEGER


def largest(node: Expr, depth: int = 4) -> float:
    """A bound of the size of an Integer, from the operations on top: a variable may be as large as any."""
    match node.op:
        case Op.CONST:
            return float(abs(node.data))
        case Op.CALL if node.data == "sign":
            return 1.0
        case Op.CALL if node.data in ("mod", "rem") and node.args[1].op is Op.CONST:
            return float(abs(node.args[1].data))
        case Op.CALL if node.data != "integer":
            return float(LARGEST_INTEGER)  # abs, div, min, max: not beyond their arguments
        case Op.NEG | Op.IF | Op.ADD | Op.MUL if depth > 0 and len(node.args) <= _FEW:
            operands = node.args[1:] if node.op is Op.IF else node.args
            bounds = [largest(a, depth - 1) for a in operands]
            return (
                math.prod(bounds) if node.op is Op.MUL else sum(bounds) if node.op is Op.ADD else max(bounds)
            )
        case Op.ADD | Op.MUL | Op.CALL:
            return math.inf
    return float(LARGEST_INTEGER)


class Hoisting(Protocol):
    """Values that are computed before the run (`saltus.emit.layout.invariants`)."""

    def leaf(self, e: Expr) -> Expr | None:
        """Where the value of an expression will be, None if it is not computed before the run."""

    def covers(self, e: Expr) -> bool:
        """Whether an expression depends on nothing but constants and parameters."""


class _Scope:
    """What is known in a part of the code: everywhere in a section, or in an arm of a conditional."""

    def __init__(self) -> None:
        self.values: dict[Expr, Expr] = {}
        self.targets: dict[Expr, tuple[Symbol, ...]] = {}  # of each call made
        # The scopes of arms in there, by the condition and its truth. Another conditional with that condition
        # goes the same way, so what an arm of the first one has computed is known in that of the second: a
        # function with a thousand results, each wanted in a case of its own, is called once.
        self.arms: dict[tuple[Expr, bool], _Scope] = {}


class Section:
    """Straight-line code in the making: `value(e)` appends to `statements` what must happen before, and
    returns the expression to use in the next statement."""

    def __init__(
        self,
        expressions: Iterable[Expr],
        local: Locals,
        lowered: Callable[[Function], Function],
        *,
        parent: Section | None = None,
        varying: frozenset[Expr] = frozenset(),
        invariants: Hoisting | None = None,
    ) -> None:
        self.statements: list[Statement] = []
        self.locals = local
        self.lowered = lowered
        self._parent = parent
        self._invariants = invariants
        # What was made of locals of the loop belongs into the loop.
        self._varies = Contains(lambda node: node in varying or node in local)
        self._guarded: Contains = parent._guarded if parent is not None else Contains(is_guarded)
        self._scopes = [_Scope()]  # from the outermost to that of the code that is being made
        self._depths: dict[Expr, int] = {}
        self._uses: dict[Expr, int] = {}
        self._count(expressions)

    def _count(self, expressions: Iterable[Expr]) -> None:
        uses = self._uses
        seen: set[Expr] = set()
        for root in expressions:
            uses[root] = uses.get(root, 0) + 1
            stack = [root]
            while stack:
                node = stack.pop()
                if node in seen or node.op in LEAVES:
                    continue
                seen.add(node)
                for a in node.args:
                    uses[a] = uses.get(a, 0) + 1
                    stack.append(a)

    # ------------------------------------------------------------ values

    def value(self, e: Expr) -> Expr:
        """An expression without user calls that has the value of `e`."""
        stack = [e]
        while stack:
            node = stack[-1]
            if self._known(node) is None and not self._lower(node, stack):
                continue
            stack.pop()
        found = self._known(e)
        assert found is not None
        return found

    def local(self, e: Expr) -> Expr:
        """A leaf or a local that has the value of `e`, whatever its cost."""
        found = self.value(e)
        return found if found.op in _ATOMS else self._keep_local(e, found)

    def atom(self, e: Expr) -> Expr:
        """A leaf, a local, or the negative of one, that has the value of `e`."""
        found = self.value(e)
        return found if _is_cheap(found) else self._keep_local(e, found)

    def is_invariant(self, e: Expr) -> bool:
        """Whether a value depends on constants and parameters only, and is computed before the run."""
        if e.op is Op.CONST:
            return True
        root: Section | None = self
        while root is not None and root._invariants is None:
            root = root._parent
        return root is not None and root._invariants is not None and root._invariants.covers(e)

    @contextmanager
    def branch(self) -> Iterator[list[Statement]]:
        """Statements that are carried out in one case only: what they compute is not known afterwards."""
        with self._within((_Scope(),)) as statements:
            yield statements

    @contextmanager
    def _within(self, scopes: Sequence[_Scope]) -> Iterator[list[Statement]]:
        outer, self.statements = self.statements, []
        self._scopes += scopes
        try:
            yield self.statements
        finally:
            del self._scopes[-len(scopes) :]
            self.statements = outer

    def _known(self, node: Expr) -> Expr | None:
        if node.op in _ATOMS:
            if node.type is Type.STRING:
                raise model_error("E204", "a String takes part in the computation of a run")
            return node
        for scope in reversed(self._scopes):
            found = scope.values.get(node)
            if found is not None:
                return found
        return None

    def _keep(self, node: Expr, result: Expr) -> None:
        self._scopes[-1].values[node] = result

    def _keep_local(self, node: Expr, result: Expr) -> Expr:
        symbol = self.locals.new("t", node.type)
        self.statements.append(Assign(symbol, result))
        self._keep(node, ref(symbol))
        return ref(symbol)

    def _lower(self, node: Expr, stack: list[Expr]) -> bool:
        """Finds the value of a node, or pushes what is needed first and returns False."""
        if self._hoistable(node):
            assert self._parent is not None
            self._keep(node, self._parent.local(node))
            return True
        place = self._invariants.leaf(node) if self._invariants is not None else None
        if place is not None:
            self._keep(node, place)
            return True
        if node.op is Op.IF and any(map(self._guarded, node.args[1:])):
            if self._known(node.args[0]) is None:
                stack.append(node.args[0])
                return False
            self._branch(node)
            return True
        if node.op in (Op.AND, Op.OR) and any(map(self._guarded, node.args[1:])):
            self._keep(node, self.value(_short_circuit(node)))
            return True
        missing = [a for a in node.args if self._known(a) is None]
        if missing:
            stack.extend(reversed(missing))
            return False
        self._combine(node)
        return True

    def _hoistable(self, node: Expr) -> bool:
        if self._parent is None or node.op in (Op.APPLY, Op.ARRAY) or self._varies(node):
            return False
        return len(self._scopes) == 1 or not self._guarded(node)

    def _branch(self, node: Expr) -> None:
        condition = self._known(node.args[0])
        assert condition is not None
        target = self.locals.new("t", node.type)
        arms: list[tuple[Statement, ...]] = []
        for arm, truth in zip(node.args[1:], (True, False), strict=True):
            case = node.args[0], truth
            own = self._scopes[-1].arms.setdefault(case, _Scope())
            before = [scope.arms[case] for scope in self._scopes[:-1] if case in scope.arms]
            with self._within((*before, own)) as statements:
                result = self.value(arm)
                statements.append(Assign(target, result))
            arms.append(tuple(statements))
        self.statements.append(If(((condition, arms[0]),), arms[1]))
        self._keep(node, ref(target))

    def _combine(self, node: Expr) -> None:
        args: list[Expr] = []
        for a in node.args:
            known = self._known(a)
            assert known is not None
            args.append(known)
        if node.op in _WRAPPERS:
            self._keep(node, args[0])
            return
        if node.op is Op.APPLY:
            self._call(node, tuple(args))
            return
        if node.op is Op.ITEM:
            self._keep(node, _output(self._targets(node.args[0]), node.data))
            return
        if node.op is Op.POW:
            result = self._power(node, args)
        elif node.op in (Op.ADD, Op.MUL) and len(args) > MAX_WIDTH:
            result = self._wide(node, args)
        else:
            result = rebuild(node, tuple(args))
        if may_overflow(node):
            kept = self._keep_local(node, result)
            beyond = relation(Op.GT, call("abs", kept), const(LARGEST_INTEGER))
            self.statements.append(If(((beyond, (Fail(INTEGER_OVERFLOW),)),)))
            return
        depths = self._depths
        depth = 1 + max([depths.get(a, 0) for a in args], default=0)
        if node.op not in _NEVER_LOCAL and (
            depth > MAX_DEPTH or (self._uses.get(node, 0) > 1 and not _is_cheap(result))
        ):
            self._keep_local(node, result)
        else:
            self._depths[result] = depth
            self._keep(node, result)

    def _call(self, node: Expr, args: tuple[Expr, ...]) -> None:
        function = node.data
        assert isinstance(function, Function), function
        targets = tuple(self.locals.new("r", o.type, o.shape) for o in function.outputs)
        self.statements.append(CallFunction(targets, self.lowered(function), args))
        self._scopes[-1].targets[node] = targets
        self._keep(node, node)

    def _targets(self, node: Expr) -> tuple[Symbol, ...]:
        """Where the results of a call are that was made."""
        return next(scope.targets[node] for scope in reversed(self._scopes) if node in scope.targets)

    def _power(self, node: Expr, args: list[Expr]) -> Expr:
        base, exponent = args
        if exponent.op is not Op.CONST:
            return rebuild(node, (base, exponent))
        n = float(exponent.data)
        if abs(n) == 0.5:
            root = call("sqrt", base)
            return root if n > 0 else div(ONE, root)
        if not 1 <= abs(n) <= MAX_POWER or n != int(n):
            return rebuild(node, (base, exponent))
        if base.op not in _ATOMS:
            base = self._keep_local(node.args[0], base)
        product = mul(*[base] * abs(int(n)))
        return product if n > 0 else div(ONE, product)

    def _wide(self, node: Expr, args: list[Expr]) -> Expr:
        """A long sum in pieces, in the same order of operations."""
        while len(args) > MAX_WIDTH:
            piece = rebuild(node, tuple(args[:MAX_WIDTH]))
            symbol = self.locals.new("t", node.type)
            self.statements.append(Assign(symbol, piece))
            args = [ref(symbol), *args[MAX_WIDTH:]]
        return rebuild(node, tuple(args))


def _is_cheap(e: Expr) -> bool:
    return e.op in _ATOMS or (e.op in (Op.NEG, Op.NOT) and e.args[0].op in _ATOMS)


def _short_circuit(node: Expr) -> Expr:
    """`a and f(x)` must not call f when a is false: programmers rely on it."""
    result = node.args[-1]
    for a in reversed(node.args[:-1]):
        result = if_(a, result, FALSE) if node.op is Op.AND else if_(a, TRUE, result)
    return result


def _output(targets: tuple[Symbol, ...], position: int) -> Expr:
    """The scalar at a position of the flattened outputs."""
    for target in targets:
        size = math.prod(target.shape)
        if position < size:
            if not target.shape:
                return ref(target)
            indices: list[Expr] = []
            for extent in reversed(target.shape):
                position, at = divmod(position, extent)
                indices.append(const(at + 1))
            return index(ref(target), *reversed(indices))
        position -= size
    raise IndexError("a function has fewer outputs than are used")
