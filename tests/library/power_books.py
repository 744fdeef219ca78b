"""Power balances of parts that are connected: what flows in is stored or leaves elsewhere.

Each part with physical connectors has a *book*, an entry of a table in `books/*.toml`:

    stored  the energy in the part, J
    lost    the power that leaves it other than through its connectors, W; what a source gives is negative

Both are expressions in the part's own names, written from the law of the part, not from its connectors. A run
of a model in which the part is used then has to agree with the book: between two events, the integral of the
power through all connectors is the change of what is stored, plus the integral of what is lost. `account`
does this for every part of a model; it also looks at every connection (potentials are equal, flows and powers
sum to zero), at the whole (nothing gets lost between the parts) and at events (no energy out of nothing).

Powers are taken from the rows of a run, not integrated with it: an integrator would make a memory depend on
quantities that ideal switches leave undetermined. Between events everything is smooth, so polynomials through
the rows are integrated; if they are too coarse for a part, the run is repeated with more rows.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

import saltus
from saltus.compiler import flatten_class
from saltus.core.stopwatch import Stopwatch
from saltus.finding import find_class
from saltus.ir import ast
from saltus.ir.flat import Experiment
from saltus.ir.instance import ArrayNode, ClassEntry, Instance, Node, Scalar, scalars
from saltus.lower.classes.lookup import bases
from saltus.lower.flat.flatten import new_context
from saltus.read.modelica.parser import parse_expression

Array: TypeAlias = NDArray[np.float64]

BOOKS = Path(__file__).parent / "books"

#: What a book may say.
ENTRIES = {"stored", "lost", "source"}

#: Flow variable -> potential variable -> how the power is made of them. A connector is physical if these are
#: all that it has.
RATE, PRODUCT, ITSELF = "rate", "product", "itself"
PHYSICAL = {
    ("v", "i"): PRODUCT,
    ("phi", "tau"): RATE,
    ("s", "f"): RATE,
    ("T", "Q_flow"): ITSELF,
    ("p", "q"): PRODUCT,
    ("w", "tau"): PRODUCT,
    ("v", "f"): PRODUCT,
    ("e", "f"): PRODUCT,
}

#: How well a balance has to hold, relative to the energy that goes through the part; with what tolerance runs
#: are made for that, with how many rows, and how many at most.
BALANCE = 1e-6
TOLERANCE = 1e-9
ROWS = 2_000
MOST_ROWS = 300_000
#: What sums to zero does so to this part of its largest term.
EXACT = 1e-8
#: Energies below this part of the largest turnover in the model are rounding errors.
NOTHING = 1e-9


class Books(dict[str, dict[str, Any]]):
    """Entries by the full name of the part."""

    @classmethod
    def read(cls, folder: Path = BOOKS) -> Books:
        found = cls()
        for path in sorted(folder.glob("*.toml")):
            for name, entry in tomllib.loads(path.read_text(encoding="utf-8")).items():
                assert name not in found, f"{name} has two entries, the second in {path.name}"
                assert set(entry) <= ENTRIES, f"{name} in {path.name}: {sorted(set(entry) - ENTRIES)}?"
                found[name] = entry
        return found

    def of(self, cls: ClassEntry) -> dict[str, Any] | None:
        """The entry of a class; a class that is only another name of a part has that of the part."""
        if cls.full_name in self:
            return self[cls.full_name]
        return self.of(bases(cls)[0]) if cls.is_short and bases(cls) else None


@cache
def library_books() -> Books:
    return Books.read()


# ---------------------------------------------------------------- parts and their ports


@dataclass(frozen=True)
class Port:
    """A physical connector of a part."""

    path: str
    potential: str
    flow: str
    kind: str


def port_of(instance: Instance) -> Port | None:
    if instance.kind != "connector" or not all(isinstance(c, Scalar) for c in instance.children.values()):
        return None
    members = [c for c in instance.children.values() if isinstance(c, Scalar)]
    flows = [s for s in members if s.flow]
    others = [s for s in members if not s.flow]
    if len(flows) != 1 or len(others) != 1:
        return None
    names = tuple(s.path.removeprefix(instance.path + ".") for s in (*others, *flows))
    kind = PHYSICAL.get((names[0], names[1]))
    return None if kind is None else Port(instance.path, others[0].path, flows[0].path, kind)


@dataclass(frozen=True)
class Part:
    """A component with physical connectors. What is `composite` has such components itself."""

    path: str
    cls: ClassEntry
    layout: Any
    ports: tuple[Port, ...]
    composite: bool


def _nodes(node: Node | None) -> Iterator[Instance]:
    """The instances that a child is, or that are its elements."""
    if isinstance(node, Instance):
        yield node
    elif isinstance(node, ArrayNode):
        for item in node.items:
            yield from _nodes(item)


def _ports(instance: Instance) -> Iterator[Port]:
    """Those of a component, and those of connectors that are made of connectors."""
    for child in instance.children.values():
        for node in _nodes(child):
            if node.kind == "connector":
                port = port_of(node)
                if port is not None:
                    yield port
                else:
                    yield from _ports(node)


def parts_of(root: Instance) -> Iterator[Part]:
    """All parts below an instance, at any depth."""
    for child in root.children.values():
        for node in _nodes(child):
            if node.kind in ("connector", "record"):
                continue
            inner = list(parts_of(node))
            ports = tuple(_ports(node))
            if ports:
                yield Part(node.path, node.cls, node.layout, ports, any(p.ports for p in inner))
            yield from inner


# ---------------------------------------------------------------- the model with its books


def in_names_of(part: Part, expression: str) -> str:
    """An expression in the names of a part, as the model around it would write it."""
    found: list[ast.Reference] = []

    def walk(node: Any) -> None:
        if isinstance(node, ast.Reference) and node.parts[0][0] in part.layout.elements:
            found.append(node)
        if dataclasses.is_dataclass(node):
            for entry in dataclasses.fields(node):
                walk(getattr(node, entry.name))
        elif isinstance(node, tuple):
            for item in node:
                walk(item)

    walk(parse_expression(expression))
    for reference in sorted(found, key=lambda r: -r.start):
        expression = f"{expression[: reference.start]}{part.path}.{expression[reference.start :]}"
    return expression


@dataclass(frozen=True)
class Connected:
    """Variables of one connection set, each with its sign; `flow` ones have to sum to zero."""

    flow: bool
    members: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Ledger:
    """A model, its parts, and the text of the model with all books in it."""

    name: str
    parts: tuple[Part, ...]
    entries: Mapping[str, Mapping[str, Any]]  # by path
    missing: tuple[Part, ...]
    connections: tuple[Connected, ...]
    experiment: Experiment
    text: str

    @cached_property
    def counted(self) -> list[Part]:
        """Parts that together are the whole: those with a book, and those that are not made of others. Where
        a part and one inside of it have books, it is the outer one."""
        found: list[Part] = []
        for part in self.parts:  # outer ones first
            inside = any(part.path.startswith(outer.path + ".") for outer in found)
            if not inside and (part.path in self.entries or not part.composite):
                found.append(part)
        return found


def ledger(name: str, books: Books | None = None, text: str = "", may_be_missing: str = "") -> Ledger:
    """Opens the books of a model, by its full name, or the name of a class of `text`. Parts whose class
    begins with `may_be_missing` need none."""
    books = library_books() if books is None else books
    cls = find_class(text, name) if text else find_class(name)
    context = new_context(cls.library, {})
    root, flat = flatten_class(context, cls, Stopwatch())
    parts = tuple(parts_of(root))
    entries: dict[str, Mapping[str, Any]] = {}
    missing: list[Part] = []
    lines = [text, "model Booked", f"  extends {name};"]
    for number, part in enumerate(parts):
        entry = books.of(part.cls)
        if entry is None:
            if not part.composite and not (may_be_missing and part.cls.full_name.startswith(may_be_missing)):
                missing.append(part)
            continue
        entries[part.path] = entry
        for what in ("stored", "lost"):
            if what in entry:
                lines.append(f"  Real {what}_{number} = {in_names_of(part, entry[what])};")
    lines += ["end Booked;", ""]
    connections = tuple(_connected(root, context.connections.facts))
    return Ledger(name, parts, entries, tuple(missing), connections, flat.experiment, "\n".join(lines))


def _connected(root: Instance, connections: Any) -> Iterator[Connected]:
    """All connection sets, and flows that are connected to nothing."""
    seen: set[tuple[Scalar, bool]] = set()
    for members in connections.sets:
        seen.update(members)
        if not members[0][0].stream:
            signed = tuple((s.path, -1 if outside else 1) for s, outside in members)
            yield Connected(members[0][0].flow, signed)
    for scalar in scalars(root):
        if scalar.flow and scalar.in_connector and (scalar, False) not in seen:
            yield Connected(True, ((scalar.path, 1),))


# ---------------------------------------------------------------- the run


class Rows:
    """A run, cut at its events."""

    def __init__(self, result: saltus.Result) -> None:
        self.result = result
        self.time = result.time
        self._rates: dict[str, Array] = {}

    @cached_property
    def spans(self) -> list[slice]:
        """Rows from one event to the next."""
        cuts = np.flatnonzero(np.diff(self.time) <= 0) + 1
        edges = [0, *cuts.tolist(), len(self.time)]
        return [slice(a, b) for a, b in pairwise(edges) if b - a > 1]

    @cached_property
    def events(self) -> list[tuple[int, int]]:
        """The last row before and the first one after each event; what happens in between is part of it."""
        return [(a.stop - 1, b.start) for a, b in pairwise(self.spans)]

    def __getitem__(self, name: str) -> Array:
        return self.result[name]

    def rate(self, name: str) -> Array:
        """The derivative of a variable: the model's own; where its equations do not have it, in this mode or
        at all, that of a spline through its rows."""
        if name not in self._rates:
            try:
                found = np.array(self.result[f"der({name})"], dtype=float)
            except KeyError:
                found = np.full(len(self.time), np.nan)
            for span in self.spans:
                if np.isnan(found[span]).any():
                    found[span] = _spline(self.time[span], self[name][span])(self.time[span], 1)
            self._rates[name] = np.nan_to_num(found, nan=0.0)  # single rows, between events at one time
        return self._rates[name]

    def integrals(self, values: Array) -> Array:
        """Of each column, one for each span: that of the cubic polynomials through four neighbouring rows."""
        rows, weights, owner = self._rule
        parts = np.einsum("kj,kj...->k...", weights, values[rows])
        found = np.zeros((len(self.spans), *values.shape[1:]))
        np.add.at(found, owner, parts)
        return found

    @cached_property
    def _rule(self) -> tuple[NDArray[np.intp], Array, NDArray[np.intp]]:
        """For each interval between two rows: the rows of its polynomial, their weights, and its span."""
        rows: list[NDArray[np.intp]] = []
        weights: list[Array] = []
        owner: list[NDArray[np.intp]] = []
        for number, span in enumerate(self.spans):
            kept = span.start + np.flatnonzero(_apart(self.time[span]))
            count = min(4, len(kept))
            intervals = np.arange(len(kept) - 1)
            first = np.clip(intervals - 1, 0, len(kept) - count)
            stencil = np.zeros((len(intervals), 4), dtype=np.intp)
            stencil[:, :count] = kept[first[:, None] + np.arange(count)]
            weight = np.zeros((len(intervals), 4))
            begin, end = self.time[kept[:-1]], self.time[kept[1:]]
            weight[:, :count] = _weights(self.time[stencil[:, :count]], begin, end)
            rows.append(stencil)
            weights.append(weight)
            owner.append(np.full(len(intervals), number, dtype=np.intp))
        return np.concatenate(rows), np.concatenate(weights), np.concatenate(owner)


def _weights(points: Array, begin: Array, end: Array) -> Array:
    """With which the values at the points count in the integral of the polynomial through them."""
    length = (end - begin)[:, None]
    x = (points - begin[:, None]) / length
    powers = np.arange(points.shape[1])
    system = x[:, None, :] ** powers[None, :, None]
    moments = np.broadcast_to(1.0 / (powers + 1.0), points.shape)
    return np.linalg.solve(system, moments[:, :, None])[:, :, 0] * length


def _apart(time: Array) -> NDArray[np.bool_]:
    """Rows next to an event may be so near to it that differences are only rounding errors: without them."""
    inside = np.ones(len(time), dtype=np.bool_)
    if len(time) > 2:
        near = 1e-3 * np.max(np.diff(time))
        inside = (time > time[0] + near) & (time < time[-1] - near)
        inside[0] = inside[-1] = True
    return inside


def _spline(time: Array, values: Array) -> CubicSpline:
    inside = _apart(time)
    return CubicSpline(time[inside], values[inside])


# ---------------------------------------------------------------- accounts


@dataclass(frozen=True)
class Mismatch:
    """Something that does not balance: where, when, and both numbers."""

    example: str
    part: str
    what: str
    begin: float
    end: float
    got: float
    expected: float
    allowed: float

    def __str__(self) -> str:
        when = (
            f"time {self.begin:.9g} to {self.end:.9g}" if self.end > self.begin else f"time {self.begin:.9g}"
        )
        return (
            f"{self.example}, {self.part}, {when}: {self.what}: {self.got:.9g} against {self.expected:.9g} "
            f"(allowed {self.allowed:.2g})"
        )


@dataclass
class Account:
    """What was found about one model; `turnover` is the energy through each part."""

    ledger: Ledger
    rows: Rows
    mismatches: list[Mismatch] = field(default_factory=list)
    turnover: dict[str, float] = field(default_factory=dict)
    worst: dict[str, float] = field(default_factory=dict)  # the largest mismatch relative to the turnover


def account(opened: Ledger, most_rows: int = MOST_ROWS) -> Account:
    """Runs the model and checks all balances. If they do not hold with few rows, there may be too few."""
    model = saltus.load(opened.text, model="Booked")
    experiment = opened.experiment
    length = experiment.stop_time - experiment.start_time
    rows = ROWS
    while True:
        result = model.simulate(
            start_time=experiment.start_time,
            stop_time=experiment.stop_time,
            interval=length / rows,
            tolerance=min(experiment.tolerance, TOLERANCE),
        )
        found = Account(opened, Rows(result))
        assert result.time[-1] == experiment.stop_time, f"{opened.name} ends at {result.time[-1]}"
        _check_parts(found)
        if not found.mismatches or rows * 8 > most_rows:
            break
        rows *= 8
    _check_connections(found)
    _check_whole(found)
    _check_events(found)
    return found


def power_into(rows: Rows, part: Part) -> Array:
    """Through all its connectors."""
    total = np.zeros(len(rows.time))
    for port in part.ports:
        flow = rows[port.flow]
        if port.kind == PRODUCT:
            total = total + rows[port.potential] * flow
        elif port.kind == RATE:
            total = total + rows.rate(port.potential) * flow
        else:
            total = total + flow
    return total


def _told(rows: Rows, what: str, number: int, entry: Mapping[str, Any]) -> Array:
    return rows[f"{what}_{number}"] if what in entry else np.zeros(len(rows.time))


def _check_parts(found: Account) -> None:
    """Between events: in through the connectors is what is stored and what is lost."""
    rows = found.rows
    booked = [(n, part) for n, part in enumerate(found.ledger.parts) if part.path in found.ledger.entries]
    if not booked or not rows.spans:
        return
    powers, losses, gains = [], [], []
    for number, part in booked:
        entry = found.ledger.entries[part.path]
        powers.append(power_into(rows, part))
        losses.append(_told(rows, "lost", number, entry))
        stored = _told(rows, "stored", number, entry)
        gains.append([stored[s.stop - 1] - stored[s.start] for s in rows.spans])
        through = [np.abs(flow) for flow in (*_powers(rows, part), powers[-1], losses[-1])]
        found.turnover[part.path] = float(np.trapezoid(sum(through), rows.time) + np.sum(np.abs(gains[-1])))
    largest = max(found.turnover.values())
    missing = rows.integrals(np.column_stack(powers) - np.column_stack(losses)) - np.column_stack(gains)
    for column, (_, part) in enumerate(booked):
        turnover, differences = found.turnover[part.path], np.abs(missing[:, column])
        allowed = BALANCE * turnover + NOTHING * largest
        found.worst[part.path] = float(np.max(differences)) / max(turnover, 1e-300)
        for k in np.flatnonzero(~(differences <= allowed))[:3]:
            span = rows.spans[k]
            into = rows.integrals(powers[column])[k]
            found.mismatches.append(
                Mismatch(
                    found.ledger.name,
                    f"{part.path} ({part.cls.full_name})",
                    "energy in through the connectors against stored and lost",
                    float(rows.time[span.start]),
                    float(rows.time[span.stop - 1]),
                    float(into),
                    float(into - missing[k, column]),
                    allowed,
                )
            )


def _powers(rows: Rows, part: Part) -> Iterator[Array]:
    """Through each connector. Of electrical potentials only differences count: they are measured from that of
    the first pin."""
    first: dict[str, str] = {}
    for port in part.ports:
        if port.kind == PRODUCT:
            zero = first.setdefault(port.flow.rpartition(".")[2], port.potential)
            yield (rows[port.potential] - rows[zero]) * rows[port.flow]
        else:
            yield (rows.rate(port.potential) if port.kind == RATE else 1.0) * rows[port.flow]


def _check_connections(found: Account) -> None:
    """At every row: potentials are equal, flows and powers sum to zero."""
    rows = found.rows
    ports = {port.flow: port for part in found.ledger.parts for port in part.ports}
    for one in found.ledger.connections:
        columns = [(sign, rows[path]) for path, sign in one.members if path in rows.result]
        if len(columns) < len(one.members):
            continue  # parameters and texts
        where = " = ".join(path for path, _ in one.members)
        values = np.array([column for _, column in columns])
        size = np.nanmax(np.abs(values), initial=0.0)
        if one.flow:
            total = np.abs(sum(sign * column for sign, column in columns))
            _zero(found, f"flows of {where}", "sum of flows", total, EXACT * size)
        else:
            _zero(found, f"potentials of {where}", "difference", np.ptp(values, axis=0), EXACT * size)
        joined = [(sign, ports.get(path)) for path, sign in one.members]
        if one.flow and all(port is not None and port.kind == PRODUCT for _, port in joined):
            powers = np.array(
                [sign * rows[p.potential] * rows[p.flow] for sign, p in joined if p is not None]
            )
            size = np.nanmax(np.abs(powers), initial=0.0)
            _zero(found, f"powers at {where}", "sum of powers", np.abs(powers.sum(axis=0)), EXACT * size)


def _zero(found: Account, where: str, what: str, values: Array, allowed: float) -> None:
    values = np.nan_to_num(values, nan=0.0)  # what does not exist in a mode is not connected in it
    if len(values) and np.max(values) > allowed:
        row = int(np.argmax(values))
        time = float(found.rows.time[row])
        found.mismatches.append(
            Mismatch(found.ledger.name, where, what, time, time, float(values[row]), 0.0, allowed)
        )


def _check_whole(found: Account) -> None:
    """Nothing gets lost between the parts: powers into all of them sum to zero."""
    rows = found.rows
    powers = [power_into(rows, part) for part in found.ledger.counted]
    if powers:
        size = max(float(np.nanmax(np.abs(power), initial=0.0)) for power in powers)
        total = np.abs(np.sum(powers, axis=0))
        _zero(found, "all parts", "sum of the powers into them", total, 10 * EXACT * size)


def _check_events(found: Account) -> None:
    """At events: what is stored in all parts together rises by no more than sources give. What a source gives
    in an instant is an impulse times the mean of its partner before and after."""
    rows, opened = found.rows, found.ledger
    if any(part.path not in opened.entries for part in opened.counted):
        return  # what is not known may store energy
    stored = np.zeros(len(rows.time))
    sources: list[Part] = []
    for number, part in enumerate(opened.parts):
        entry = opened.entries.get(part.path)
        if entry is not None and part in opened.counted:
            stored = stored + _told(rows, "stored", number, entry)
            if is_source(part, entry):
                sources.append(part)
    given = np.zeros(len(rows.events))
    times = np.array([rows.time[after] for _, after in rows.events])
    for part in sources:
        for port in part.ports:
            if port.kind != ITSELF:
                given -= _work_of_impulses(rows, port, times)
    largest = max(found.turnover.values(), default=0.0)
    for k, (before, after) in enumerate(rows.events):
        rise = stored[after] - stored[before]
        allowed = BALANCE * max(largest, float(np.max(np.abs(stored))))
        if rise > given[k] + allowed:
            time = float(rows.time[after])
            found.mismatches.append(
                Mismatch(
                    opened.name, "all parts", "energy that an event adds", time, time, rise, given[k], allowed
                )
            )


def is_source(part: Part, entry: Mapping[str, Any]) -> bool:
    return bool(entry.get("source", re.search(r"\bSources\b", part.cls.full_name) is not None))


def _work_of_impulses(rows: Rows, port: Port, times: Array) -> Array:
    """Into the part through a port, at each event."""
    work = np.zeros(len(times))
    effort = rows[port.potential] if port.kind == PRODUCT else rows.rate(port.potential)
    flow = rows[port.flow]
    for name, partner in ((port.flow, effort), (port.potential, flow)):
        if name == port.potential and port.kind != PRODUCT:
            continue  # positions have no impulses
        for one in rows.result.impulses[name]:
            k = int(np.argmin(np.abs(times - one.time))) if len(times) else -1
            if k >= 0:
                before, after = rows.events[k]
                work[k] += one.weight * (partner[before] + partner[after]) / 2
    return work


def told(mismatches: Sequence[Mismatch]) -> str:
    return "\n".join(str(m) for m in mismatches[:20])
