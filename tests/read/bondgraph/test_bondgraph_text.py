"""Graphs written as text and read again; what a statement is, and where it ends."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saltus.core.source import Source
from saltus.ir.automata.automaton import Action, Automaton, Location, Transition
from saltus.ir.automata.lines import Argument, Experiment, Memory, Parameter, Signal
from saltus.ir.bonds.graph import CONTROLLED, KINDS, Bond, Element, Graph, Machine
from saltus.read.bondgraph.parser import parse
from saltus.read.bondgraph.writer import graph_text
from saltus.read.modelica.parser import parse_expression
from saltus.read.modelica.printer_expressions import expression_text

_PLACES = ("start", "end", "named", "begins", "tail_at", "head_at")


def meaning(node: Any) -> Any:
    """A tree without its places; expressions as their text."""
    if isinstance(node, tuple):
        return tuple(meaning(item) for item in node)
    if is_dataclass(node):
        if type(node).__module__.endswith("ast"):
            return expression_text(node)  # type: ignore[arg-type]
        values = tuple(
            (f.name, meaning(getattr(node, f.name))) for f in fields(node) if f.name not in _PLACES
        )
        return type(node).__name__, values
    return node


_names = st.from_regex(r"[a-z][a-z0-9_]{2,6}", fullmatch=True).filter(
    lambda n: n not in ("end", "and", "not", "der", "for", "when", "then", "else", "loop", "each", "pure",
                        "true", "false", "type", "model", "block", "class", "final", "flow", "input", "inner",
                        "outer", "output", "public", "record", "within", "while", "break", "import", "stream",
                        "extends", "external", "function", "initial", "package", "partial", "equation")
)  # fmt: skip
_texts = st.sampled_from(["", "a wheel", 'it says "no"', "back\\slash", "# no comment"])
_values = st.sampled_from(
    [
        "2",
        "1e-3",
        "a*sin(time)",
        "if x > 0 then 1 else -1",
        "max(u, v.e)",
        "(a + b)*c^2",
        "-3*q + q^3",
        "a.f/(1 - b)",
    ]
).map(parse_expression)
_conditions = st.sampled_from(
    ["x > 0", "time >= 0.2 and a.e < 0", "pre(a.f) > 0 or not b.on", "(x > 1 or y < 2) and z >= 3"]
).map(parse_expression)


@st.composite
def _machines(draw: st.DrawFn, name: str) -> Machine:
    locations = ["off", "on", *draw(st.lists(_names, max_size=2, unique=True))]
    own = {n: draw(st.booleans()) for n in locations[2:]}
    transitions = []
    for _ in range(draw(st.integers(0, 4))):
        source, target = draw(st.permutations(locations))[:2]
        actions = tuple(
            Action(0, 0, parse_expression(n), draw(_values))  # type: ignore[arg-type]
            for n in draw(st.lists(_names, max_size=2))
        )
        number = 1 + sum(t.source == source for t in transitions)
        transitions.append(Transition(0, 0, source, target, draw(_conditions), number, actions))
    places = tuple(Location(0, 0, n, draw(_texts) if n in own else "") for n in locations)
    automaton = Automaton(0, 0, name, places, draw(st.sampled_from(locations)), tuple(transitions))
    return Machine(0, 0, automaton, tuple(n for n in locations if own.get(n, n == "on")))


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Anything that can be written, whether it means something or not."""
    items: list[Any] = []
    for name in draw(st.lists(_names, max_size=5)):
        node = draw(st.sampled_from([Parameter, Signal, Memory]))
        items.append(node(0, 0, name, draw(_values), draw(_texts)))
    for name in draw(st.lists(_names, min_size=1, max_size=6)):
        kind = draw(st.sampled_from(sorted(KINDS)))
        given_ = tuple(Argument(0, 0, n, draw(_values)) for n in KINDS[kind].arguments if draw(st.booleans()))
        items.append(Element(0, 0, kind, name, given_, draw(_texts)))
        if kind in CONTROLLED:
            items.append(draw(_machines(name)))
    for tail in draw(st.lists(_names, max_size=5)):
        title = draw(st.one_of(st.just(""), _names))
        items.append(Bond(0, 0, tail, draw(_names), title, draw(_texts)))
    if draw(st.booleans()):
        items.append(Experiment(0, 0, (Argument(0, 0, "stop", draw(_values)),)))
    return Graph(0, 0, draw(_names), draw(_texts), tuple(draw(st.permutations(items))))


@given(graphs())
@settings(max_examples=60)
def test_what_is_written_is_read_again(graph: Graph) -> None:
    text = graph_text(graph)
    (again,) = parse(Source("g.bg", text))
    assert meaning(again) == meaning(graph)
    assert graph_text(again) == text


def only(text: str) -> Graph:
    (graph,) = parse(Source("g.bg", text))
    return graph


def test_the_core_of_the_language() -> None:
    """The text with which the language was agreed upon."""
    graph = only("""
graph Clutch "two inertias and a switched junction"
  parameter R1 = 2 "Ohm"
  Se drive(e = 10*sin(time))
  I  motor(I = 1, p0 = 4.9)        # p0: momentum at the start, or f0
  C  shaft(C = 0.5, q0 = 0)        # q0: displacement at the start, or e0
  R  loss(R = R1)
  TF gear(m = 2)                   # f_out = m*f_in, e_in = m*e_out, along the arrows
  GY coil(r = 0.1)                 # e_out = r*f_in, e_in = r*f_out
  J1 a                             # J0, J1; X0, X1 are controlled junctions
  X1 sw
  bond drive -> a -> motor         # the half arrow points to the right; each arrow is one bond
  bond b1: a -> sw                 # a bond with a name: b1.e, b1.f
  signal slip = motor.f - 1        # NAME.e and NAME.f of one-ports, NAME.p of I, NAME.q of C, time
  machine sw                       # of a controlled junction
    initial off
    off -> on when slip > 0 and time >= 0.2
    on -> off when b1.e < 0
  end
  experiment stop = 1, tolerance = 1e-8
end Clutch
""")
    assert (graph.name, graph.description) == ("Clutch", "two inertias and a switched junction")
    assert [e.kind for e in graph.elements] == ["Se", "I", "C", "R", "TF", "GY", "J1", "X1"]
    assert [(b.name, b.text) for b in graph.bonds] == [
        ("", "drive -> a"), ("", "a -> motor"), ("b1", "a -> sw")
    ]  # fmt: skip
    (machine,) = graph.machines
    assert machine.automaton.initial == "off"
    assert [expression_text(t.guard) for t in machine.automaton.transitions] == [
        "slip > 0 and time >= 0.2", "b1.e < 0"
    ]  # fmt: skip
    assert graph.experiment is not None and len(graph.experiment.arguments) == 2


def test_places_are_those_of_the_text() -> None:
    text = 'graph G # a -> b\n  // b\n  Se s(e = 1) "it # is"\n  R r(R = /* 1 */ 2)\n bond s -> r\nend G'
    graph = only(text)
    said = [text[item.start : item.end] for item in graph.items]
    assert said == ['Se s(e = 1) "it # is"', "R r(R = /* 1 */ 2)", "s -> r"]
    assert graph.elements[0].description == "it # is"
    value = graph.elements[1].arguments[0].value
    assert text[value.start : value.end] == "2"


@pytest.mark.parametrize(
    "text",
    [
        "signal x = a.f +\n    b.f",
        "signal x = a.f\n    + b.f",
        "signal x = max(a.f,\n  b.f\n  )",
        "signal x = if a.f > 0 then 1\n  else\n 2",
        'signal x = a.f\n "in words"',
        "bond s ->\n a -> r",
        "R r(\n R = 1)",
    ],
)
def test_statements_go_on(text: str) -> None:
    assert len(only(f"graph G\n{text}\nR last(R = 1)\nend G").items) >= 2
    assert only(f"graph G\n{text}\nR last(R = 1)\nend G").elements[-1].name == "last"


def test_several_graphs_in_a_text() -> None:
    found = parse(Source("g.bg", "graph A\nJ1 x\nend A\ngraph B\nJ0 y\nend B\n"))
    assert [g.name for g in found] == ["A", "B"]
