"""State machines drawn as graphs: everything is there, nothing lies on anything else."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from saltus.ir.automata.automaton import Automaton, Location, Transition
from saltus.read.bondgraph.writer import condition_text
from saltus.read.modelica.parser import parse_expression
from saltus.show.pictures.machine_drawing import machine_drawing

SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def automata(draw: st.DrawFn) -> Automaton:
    names = [f"place{k}" for k in range(draw(st.integers(1, 7)))]
    ends = [(a, b) for a in names for b in names if a != b]
    chosen = draw(st.lists(st.sampled_from(ends), max_size=10)) if ends else []
    guards = st.sampled_from(["x > 0", "time >= 0.25 and shaft.f < 12.5 or not (sw.on and level.q > 0.001)"])
    transitions = tuple(Transition(0, 0, a, b, parse_expression(draw(guards))) for a, b in chosen)
    return Automaton(0, 0, "m", tuple(Location(0, 0, n) for n in names), names[0], transitions)


def boxes(root: ElementTree.Element, round_: bool) -> list[tuple[float, float, float, float]]:
    """Of locations (rounded), or of labels, in a drawing whose parts may be shifted."""
    found = []

    def walk(node: ElementTree.Element, x: float, y: float) -> None:
        shift = re.match(r"translate\(([-\d.e]+), ([-\d.e]+)\)", node.get("transform") or "")
        if shift:
            x, y = x + float(shift[1]), y + float(shift[2])
        if node.tag == f"{SVG}rect" and node.get("x") and (node.get("rx") is not None) is round_:
            left, top = x + float(node.get("x") or 0), y + float(node.get("y") or 0)
            found.append(
                (left, top, left + float(node.get("width") or 0), top + float(node.get("height") or 0))
            )
        for child in node:
            walk(child, x, y)

    walk(root, 0, 0)
    return found


def apart(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    within = 0.2  # numbers are rounded
    return (one[2] <= other[0] + within or other[2] <= one[0] + within
            or one[3] <= other[1] + within or other[3] <= one[1] + within)  # fmt: skip


@given(automata())
@settings(max_examples=60)
def test_labels_and_locations_do_not_overlap(automaton: Automaton) -> None:
    drawn = machine_drawing(automaton, condition_text, active=[automaton.initial])
    root = ElementTree.fromstring(drawn.document("m"))
    locations, labels = boxes(root, True), boxes(root, False)
    used = {e for t in automaton.transitions for e in (t.source, t.target)} | {automaton.initial}
    assert len(locations) == len(used)
    assert len(labels) == len({(t.source, t.target) for t in automaton.transitions})
    for one, other in combinations([*locations, *labels], 2):
        assert apart(one, other), (one, other)
    for left, top, right, bottom in [*locations, *labels]:
        assert left >= 0 and top >= 0 and right <= drawn.width and bottom <= drawn.height


def test_transitions_that_are_tried_one_after_the_other_are_numbered() -> None:
    def to(name: str, guard: str, priority: int) -> Transition:
        return Transition(0, 0, "a", name, parse_expression(guard), priority)

    places = tuple(Location(0, 0, n) for n in "abc")
    automaton = Automaton(0, 0, "m", places, "a", (to("b", "x > 2", 2), to("c", "x > 1", 1)))
    text = "".join(machine_drawing(automaton, condition_text, active=["a"]).parts)
    assert "1: x &gt; 1" in text and "2: x &gt; 2" in text
    assert text.count('font-weight="bold">a<') == 1 and 'font-weight="bold">b<' not in text
