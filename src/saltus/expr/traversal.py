"""Expressions gone through and rewritten: each node once, however often it occurs, and without recursion."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from saltus.expr.nodes import (
    LEAVES,
    Expr,
    Op,
    add,
    and_,
    apply,
    array,
    call,
    change,
    clocked,
    delay,
    der,
    div,
    edge,
    homotopy,
    if_,
    index,
    item,
    mul,
    neg,
    no_event,
    not_,
    or_,
    power,
    pre,
    recall,
    relation,
    sample,
    smooth,
    transport,
)


def rebuild(e: Expr, args: tuple[Expr, ...]) -> Expr:
    """A node with other arguments, through its constructor, so that it is tidied again."""
    if args == e.args:
        return e
    builder = _BUILDERS.get(e.op)
    if builder is not None:
        return builder(*args)
    match e.op:
        case Op.CALL:
            return call(e.data, *args)
        case Op.APPLY:
            return apply(e.data, args)
        case Op.ITEM:
            return item(args[0], e.data, e.type)
        case Op.ARRAY:
            return array(e.data, args)
        case Op.SMOOTH:
            return smooth(e.data, args[0])
        case Op.RECALL:
            return recall(e.data, *args)
        case Op.TRANSPORT:
            return transport(e.data, args)
        case Op.SAMPLE:
            return sample(args[0], args[1], e.data)
        case Op.CLOCKED:
            return clocked(e.data, e.type, *args)
        case _:
            return relation(e.op, *args)


_BUILDERS: dict[Op, Callable[..., Expr]] = {
    Op.DER: der,
    Op.PRE: pre,
    Op.ADD: add,
    Op.MUL: mul,
    Op.NEG: neg,
    Op.DIV: div,
    Op.POW: power,
    Op.AND: and_,
    Op.OR: or_,
    Op.NOT: not_,
    Op.IF: if_,
    Op.INDEX: index,
    Op.NOEVENT: no_event,
    Op.HOMOTOPY: homotopy,
    Op.EDGE: edge,
    Op.CHANGE: change,
    Op.DELAY: delay,
}


def walk(e: Expr, seen: set[Expr] | None = None) -> Iterator[Expr]:
    """Every distinct node once, children after parents, leaves included (not the REF under DER/PRE). What is
    in `seen` was visited before, and what is visited is added to it: expressions share their parts."""
    if seen is None:
        seen = set()
    elif e in seen:
        return
    seen.add(e)
    stack = [e]
    while stack:
        node = stack.pop()
        yield node
        if node.op in LEAVES:
            continue
        for a in node.args:
            if a not in seen:
                seen.add(a)
                stack.append(a)


def _children(e: Expr) -> tuple[Expr, ...]:
    return () if e.op in LEAVES else e.args


def postorder(
    e: Expr,
    done: Container[Expr] = (),
    children: Callable[[Expr], tuple[Expr, ...]] = _children,
) -> Iterator[Expr]:
    """Every distinct node once, children before parents, without recursion. Nodes in `done` (a memo that
    the caller fills as it goes) are neither visited nor entered; nor is the REF under DER and PRE.
    """
    if e in done:
        return
    seen: set[Expr] = set()
    stack = [(e, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
        elif node not in seen and node not in done:
            seen.add(node)
            stack.append((node, True))
            stack.extend([(a, False) for a in reversed(children(node)) if a not in seen])


def leaves(e: Expr) -> tuple[Expr, ...]:
    """The REF, DER and PRE leaves of an expression, each once, in order of first appearance."""
    if e.op in LEAVES:
        return () if e.op is Op.CONST else (e,)
    if e._leaves is None and e.op is Op.ITEM:
        e._leaves = leaves(e.args[0])  # a call may have thousands of results, each with the same leaves
    if e._leaves is None:
        seen: set[Expr] = set()
        found: list[Expr] = []
        stack = list(reversed(e.args))
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            if node.op in LEAVES:
                if node.op is not Op.CONST:
                    found.append(node)
            elif node.op is Op.ITEM:
                inside = [leaf for leaf in leaves(node) if leaf not in seen]
                seen.update(inside)
                found += inside
            else:
                stack.extend(reversed(node.args))
        e._leaves = tuple(found)
    return e._leaves


def transform(e: Expr, visit: Callable[[Expr], Expr | None], memo: dict[Expr, Expr] | None = None) -> Expr:
    """Rewrites top down: where `visit` returns an expression it replaces the node (and is not entered);
    where it returns None the node is rebuilt from its transformed arguments. Works without recursion
    limits on deep expressions; pass the same `memo` to share work between expressions.
    """
    if memo is None:
        memo = {}
    elif e in memo:
        return memo[e]
    stack = [e]
    while stack:
        node = stack[-1]
        if node in memo:
            stack.pop()
            continue
        replacement = visit(node)
        if replacement is not None:
            memo[node] = replacement
            stack.pop()
            continue
        if node.op in LEAVES or not node.args:
            memo[node] = node
            stack.pop()
            continue
        missing = [a for a in node.args if a not in memo]
        if missing:
            stack.extend(missing)
            continue
        memo[node] = rebuild(node, tuple(memo[a] for a in node.args))
        stack.pop()
    return memo[e]


def substitute(e: Expr, mapping: dict[Expr, Expr], memo: dict[Expr, Expr] | None = None) -> Expr:
    """Replaces whole nodes (usually leaves) by others, once, not recursively."""
    if not mapping:
        return e
    return transform(e, mapping.get, memo)
