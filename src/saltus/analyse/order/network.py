"""Faults of networks in terms of connected parts: a ground is missing, two sources are in parallel.

Connectors have potentials, which are equal where they are connected, and flows, whose sum is zero there. The
equations of connections show which variables are which. A fault is read off the equations that have nothing
left to determine, and the variables that have no equation:

    potentials open, balances of flows in excess    nothing says what the potential is anywhere
    potentials open, flows given in excess          sources in series, or one that leads nowhere
    flows open, potentials given in excess          sources side by side, or one that is shorted
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from saltus.analyse.trivial.alias import Reduced
from saltus.core.source import Span
from saltus.core.wording import listed
from saltus.expr.nodes import ZERO, Expr, Op, Symbol, is_leaf, leaf_symbol
from saltus.expr.traversal import leaves
from saltus.ir.flat import Equation
from saltus.ir.hybrid import HybridModel

#: A place in a `connect`, or just behind that word: no equation comes between.
_CONNECTED = re.compile(r"\bconnect\b[^=;]*\Z", re.DOTALL)
_NEAR = 2000

#: Parts of a network that are named.
_FEW = 4


@dataclass(frozen=True)
class Fault:
    """What is wrong, what to do about it, and the parts that it is about."""

    message: str
    hint: str
    parts: Sequence[str]


@dataclass(frozen=True)
class _Field:
    """How people call what flows, what is equal at a connection, and what gives that a value."""

    flow: str
    potential: str
    between: str
    reference: str
    in_between: str


#: By the unit of the flow.
_FIELDS = {
    "A": _Field("current", "potential", "voltage", "a ground", "a resistance"),
    "N.m": _Field("torque", "angle", "motion", "a fixed point", "a spring or a clutch"),
    "N": _Field("force", "position", "motion", "a fixed point", "a spring"),
    "W": _Field("heat flow", "temperature", "temperature", "a given temperature", "a thermal resistance"),
}


def fault(
    model: HybridModel, reduced: Reduced, excess: Sequence[Equation], lacking: Sequence[Expr]
) -> Fault | None:
    """The fault of a network, if it is one. Of the equations in `excess` some have nothing to determine, of
    the variables that are `lacking` some have no equation. `model` is the one before reduction."""
    network = _Network(model)
    excess = [reduced.written.get(q, q) for q in excess]
    open_ = {leaf_symbol(x) for x in lacking}
    open_ |= {alias.symbol for alias in reduced.aliases if alias.target in open_}
    if not network.flows or not open_ or not excess:
        return None
    if open_ & network.potentials:
        return _without_reference(network, excess, open_) or _flow_given_twice(network, excess)
    if open_ & (network.flows | network.beside_flows):
        return _potential_given_twice(network, excess)
    return None


class _Network:
    """Connectors and what connects them."""

    def __init__(self, model: HybridModel) -> None:
        self._variables = {v.symbol: v for v in model.variables()}
        self.flows: set[Symbol] = set()
        #: Flows of connectors to which nothing is connected.
        self.ends: set[Symbol] = set()
        equal: list[tuple[Symbol, Symbol]] = []
        for q in model.equations:
            if is_leaf(q.lhs) and q.rhs is ZERO and q.span is self._span(leaf_symbol(q.lhs)):
                self.flows.add(leaf_symbol(q.lhs))
                self.ends.add(leaf_symbol(q.lhs))
            elif is_of_connection(q.span):
                if q.lhs.op is Op.REF and q.rhs.op is Op.REF:
                    equal.append((leaf_symbol(q.lhs), leaf_symbol(q.rhs)))
                elif q.rhs is ZERO or q.lhs is ZERO:
                    self.flows.update(_symbols(q))
        declared = [s for s in self._variables if s in self.flows]
        connectors = dict.fromkeys(_owner(flow) for flow in declared)
        self.potentials = {s for s in self._variables if _owner(s) in connectors} - self.flows
        self._joined: dict[str, str] = {}
        for one, other in equal:
            if one in self.potentials and other in self.potentials:
                self._join(_owner(one), _owner(other))
        self.connectors = connectors
        #: What parts call the flow through them: as the flows of their connectors are called.
        names = {flow.name.rpartition(".")[2] for flow in self.flows}
        parts = {connector.rpartition(".")[0] for connector in connectors}
        self.beside_flows = {
            s for s in self._variables if s.name.rpartition(".")[2] in names and _owner(s) in parts
        }

    def end(self, q: Equation) -> str | None:
        """The connector to which nothing is connected, if that is what an equation says."""
        is_end = is_leaf(q.lhs) and q.rhs is ZERO and leaf_symbol(q.lhs) in self.ends
        return _owner(leaf_symbol(q.lhs)) if is_end else None

    def _span(self, symbol: Symbol) -> Span | None:
        variable = self._variables.get(symbol)
        return variable.span if variable is not None else None

    def _join(self, one: str, other: str) -> None:
        one, other = self.node(one), self.node(other)
        if one != other:
            self._joined[one] = other

    def node(self, connector: str) -> str:
        """A connector that stands for all that are connected to this one."""
        while connector in self._joined:
            connector = self._joined[connector]
        return connector

    def connectors_of(self, part: str) -> list[str]:
        """The connectors of a part, in the order of their declaration."""
        return [c for c in self.connectors if c.rpartition(".")[0] == part]

    def joined(self, connectors: Iterable[str]) -> list[str]:
        """The parts to which connections lead from these connectors, in the order of their declaration."""
        at: dict[str, list[str]] = {}
        for connector in self.connectors:
            at.setdefault(self.node(connector), []).append(connector.rpartition(".")[0])
        nodes, found = {self.node(c) for c in connectors}, set[str]()
        while new := {part for node in nodes for part in at.get(node, ())} - found:
            found |= new
            nodes = {self.node(c) for part in new for c in self.connectors_of(part)}
        return [
            part for part in dict.fromkeys(c.rpartition(".")[0] for c in self.connectors) if part in found
        ]

    def field(self, among: Iterable[Symbol]) -> _Field:
        """The words for the field of some variables."""
        owners = {_owner(s) for s in among}
        parts = owners | {owner.rpartition(".")[0] for owner in owners}
        for flow in sorted(self.flows):
            connector = _owner(flow)
            if connector in owners or connector.rpartition(".")[0] in parts:
                unit = self._variables[flow].unit
                return _FIELDS.get(unit) or self._field_of(flow)
        return _FIELDS["A"]

    def _field_of(self, flow: Symbol) -> _Field:
        """The words for a field of one's own: its names."""
        potentials = sorted(p.name for p in self.potentials if _owner(p) == _owner(flow))
        potential = f"`{potentials[0].rpartition('.')[2]}`" if potentials else "potential"
        return _Field(f"`{flow.name.rpartition('.')[2]}`", potential, potential, "a ground", "something")


def _without_reference(network: _Network, excess: Sequence[Equation], open_: set[Symbol]) -> Fault | None:
    """Flows are balanced once too often, and potentials are open: only differences of them are given."""
    if not all(is_of_connection(q.span) and q.rhs is ZERO for q in excess):
        return None
    field = network.field(open_)
    parts = network.joined(_owner(p) for p in open_ & network.potentials)
    among = f"among {listed(parts, _FEW)} " if parts else ""
    message = f"{field.reference} is missing: {among}only differences of {field.potential} are given"
    hint = "only differences of potentials are given: connect a ground or a fixed point to one of them"
    if field is _FIELDS["A"]:
        hint = "connect a ground, such as Saltus.Electrical.Ground, to one of their pins"
    return Fault(message, hint, parts)


def _flow_given_twice(network: _Network, excess: Sequence[Equation]) -> Fault | None:
    """Potentials are open, and flows are given too often."""
    field = network.field(s for q in excess for s in _symbols(q))
    ends = [end for q in excess if (end := network.end(q)) is not None]
    parts = _parts(q for q in excess if network.end(q) is None and not is_of_connection(q.span))
    if ends and parts:
        message = f"the {field.flow} of {listed(parts)} has no path: nothing is connected to {listed(ends)}"
        return Fault(message, f"connect {listed(ends)}", parts)
    if ends and len(ends) == len(excess):
        alone = list(dict.fromkeys(end.rpartition(".")[0] for end in ends))
        message = f"nothing is connected to {listed(ends)}: no {field.potential} of {listed(alone)} is given"
        return Fault(message, f"connect {listed(alone)}, or remove it", alone)
    if len(parts) > 1:
        each = "each of them prescribes" if len(parts) > 2 else "both prescribe"
        message = f"{listed(parts)} are in series, and {each} the {field.flow}"
        return Fault(message, "remove one, or add a path in parallel for the difference", parts)
    return None


def _potential_given_twice(network: _Network, excess: Sequence[Equation]) -> Fault | None:
    """Flows are open, and potentials, or differences of them, are given too often."""
    field = network.field(s for q in excess for s in _symbols(q))
    own = [q for q in excess if q.origin and not is_of_connection(q.span)]
    # A ground has one connector, a source the two between which it stands.
    parts = _parts(own)
    between = [part for part in parts if len(network.connectors_of(part)) > 1]
    if len(between) == 1:
        part = between[0]
        nodes = [network.node(c) for c in network.connectors_of(part)]
        grounds = [p for p in parts if p != part]
        if len(set(nodes)) < len(nodes) or grounds:
            one, other = network.connectors_of(part)[:2]
            through = f" by way of {listed(grounds)}" if len(set(nodes)) == len(nodes) else ""
            message = f"`{part}` is shorted: `{one}` and `{other}` are connected to each other{through}"
            message += f", and it says what {field.between} is between them"
            hint = f"remove one of the connections, or put {field.in_between} in between"
            return Fault(message, hint, [part])
    several = between if len(between) > 1 else parts
    if len(several) < 2:
        return None
    ends = [frozenset(network.node(c) for c in network.connectors_of(part)) for part in several]
    where = "side by side" if len(set(ends)) == 1 else "in a loop"
    if not between:
        where = "at one point"
    each = "each of them prescribes" if len(several) > 2 else "both prescribe"
    message = f"{listed(several)} are {where}, and {each} the {field.between}"
    return Fault(message, f"remove one, or put {field.in_between} in between", several)


def _parts(equations: Iterable[Equation]) -> list[str]:
    """The components whose equations these are, in their order."""
    return list(dict.fromkeys(q.origin for q in equations if q.origin))


def _symbols(q: Equation) -> set[Symbol]:
    return {leaf_symbol(leaf) for e in (q.lhs, q.rhs) for leaf in leaves(e)}


def _owner(symbol: Symbol) -> str:
    return symbol.name.rpartition(".")[0]


def is_of_connection(span: Span) -> bool:
    """Whether a place is in a `connect`: in Dymola one has several connections, each with its own place."""
    before = span.source.text[max(0, span.start - _NEAR) : span.start]
    return _CONNECTED.search(before + span.text) is not None
