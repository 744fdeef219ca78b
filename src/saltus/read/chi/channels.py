"""Channels: what a process shows of its ends, and what a system says to them.

Sender and receiver pass a channel at the same instant. Of each end there is

    'c ready'    the process waits for the channel; it says so itself
    'c passes'   both are ready, and none takes part in something else; the system says so
    'c value'    what is sent; the sender says so, through the system

A process that is ready in one iteration of an event passes in the next one, if the other one is, too. Of
several channels that could pass at one instant and have a process in common, the one that is declared first
does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from saltus.ir import ast
from saltus.read.chi.names import BOOLEAN, INTEGER, REAL, SEND, VOID, Declared
from saltus.read.chi.pieces import called, joined, literal, modifier, negated, path, truth


def ready(channel: str) -> str:
    """Whether a process waits for a channel."""
    return f"'{_bare(channel)} ready'"


def passes(channel: str) -> str:
    """Whether a channel is passed."""
    return f"'{_bare(channel)} passes'"


def value(channel: str) -> str:
    """What is sent."""
    return f"'{_bare(channel)} value'"


def _bare(name: str) -> str:
    return name.strip("'")


def declared(
    node: ast.Node, name: str, type_name: str, causality: str = "", fixed: bool = False
) -> ast.ComponentClause:
    """A variable that no text declares."""
    given = None
    if fixed:
        arguments = (modifier(node, "start", truth(node, False)), modifier(node, "fixed", truth(node, True)))
        given = ast.Modification(node.start, node.end, arguments)
    declaration = ast.Declaration(node.start, node.end, name, modification=given)
    return ast.ComponentClause(
        node.start, node.end, path(node, type_name), (), (declaration,), causality=causality
    )


def ends(channels: list[Declared]) -> Iterator[ast.ComponentClause]:
    """The variables of the ends of a process."""
    for channel in channels:
        node = ast.Node(*channel.place)
        yield declared(node, ready(channel.name), BOOLEAN, fixed=True)
        yield declared(node, passes(channel.name), BOOLEAN, causality="input")
        if channel.type != VOID:
            causality = "" if channel.kind == SEND else "input"
            yield declared(node, value(channel.name), channel.type, causality=causality)


@dataclass(frozen=True)
class Offer:
    """A place at which a process waits for a channel."""

    node: ast.Node
    waits: ast.Expression  # whether it does
    at: ast.Expression  # whether it is there
    value: ast.Expression | None  # what it sends


def equations(channels: list[Declared], offers: dict[str, list[Offer]]) -> Iterator[ast.SimpleEquation]:
    """What a process says about its ends."""
    for channel in channels:
        node = ast.Node(*channel.place)
        given = offers.get(channel.name, [])
        waits = joined("or", [offer.waits for offer in given]) if given else truth(node, False)
        yield ast.SimpleEquation(node.start, node.end, path(node, ready(channel.name)), waits)
        if channel.kind == SEND and channel.type != VOID:
            sent = _sent(channel, given)
            yield ast.SimpleEquation(node.start, node.end, path(node, value(channel.name)), sent)


def _sent(channel: Declared, offers: list[Offer]) -> ast.Expression:
    node = ast.Node(*channel.place)
    values = [(offer.at, offer.value) for offer in offers if offer.value is not None]
    if not values:
        return neutral(node, channel)
    branches = tuple(values[:-1])
    return ast.IfExpression(node.start, node.end, branches, values[-1][1]) if branches else values[-1][1]


def neutral(node: ast.Node, variable: Declared) -> ast.Expression:
    """A value of the type, where nothing was assigned or sent."""
    if variable.type == BOOLEAN:
        return truth(node, False)
    if variable.type in (REAL, INTEGER):
        return literal(node, 0)
    return path(node, variable.type, variable.literals[0])


@dataclass(frozen=True)
class Link:
    """A channel of a system, and the ends that it joins: instances, and names of their parameters."""

    channel: Declared
    sender: tuple[str, str]
    receiver: tuple[str, str]


def joined_by(links: list[Link]) -> Iterator[ast.Element | ast.SimpleEquation]:
    """What a system declares and says."""
    for number, link in enumerate(links):
        node = ast.Node(*link.channel.place)
        name = passes(link.channel.name)
        both = [
            called(node, "pre", path(node, instance, ready(end)))
            for instance, end in (link.sender, link.receiver)
        ]
        involved = {link.sender[0], link.receiver[0]}
        others = [
            negated(path(node, passes(other.channel.name)))
            for other in links[:number]
            if involved & {other.sender[0], other.receiver[0]}
        ]
        yield declared(node, name, BOOLEAN, fixed=True)
        yield ast.SimpleEquation(node.start, node.end, path(node, name), joined("and", [*both, *others]))
        for instance, end in (link.sender, link.receiver):
            told = path(node, instance, passes(end))
            yield ast.SimpleEquation(node.start, node.end, told, path(node, name))
        if link.channel.type != VOID:
            got = path(node, link.receiver[0], value(link.receiver[1]))
            sent = path(node, link.sender[0], value(link.sender[1]))
            yield ast.SimpleEquation(node.start, node.end, got, sent)
