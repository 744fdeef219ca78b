"""Drawings of nets and machines: tokens and active states of a time are in them, and nothing overlaps."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import saltus
from saltus.automata import drawn, drawn_at, strip, written
from saltus.core.diagnostics import UsageError
from saltus.core.source import Source
from saltus.finding import find_class
from saltus.ir.automata.machine import Machine
from saltus.ir.automata.net import Net
from saltus.read.petri.files import nets
from saltus.show.pictures.svg import LIGHT, RED, Drawing
from saltus.tools.cli import main

EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = sorted([*EXAMPLES.glob("nets/*.pn"), *EXAMPLES.glob("machines/*.sm")])


def automaton(path: Path) -> Net | Machine:
    found = written(find_class(path))
    assert found is not None
    return found.automaton


def parsed(drawing: Drawing) -> ET.Element:
    return ET.fromstring(drawing.document("test"))


def signs(drawing: Drawing, tag: str) -> list[ET.Element]:
    return [e for e in parsed(drawing).iter() if e.tag.endswith(tag)]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_every_name_is_in_the_drawing_and_inside_of_it(path: Path) -> None:
    found = automaton(path)
    drawing = drawn(found)
    words = [e.text or "" for e in signs(drawing, "text")]
    things = found.places if isinstance(found, Net) else found.states
    for name in (t.name for t in things):
        assert any(word.split(" (H)")[0] == name for word in words)
    for sign in signs(drawing, "rect") + signs(drawing, "circle"):
        x = float(sign.get("x") or sign.get("cx") or 0)
        y = float(sign.get("y") or sign.get("cy") or 0)
        assert 0 <= x <= drawing.width
        assert 0 <= y <= drawing.height


@pytest.mark.parametrize("path", [p for p in FILES if p.suffix == ".sm"], ids=lambda p: p.stem)
def test_states_stand_in_their_states_and_beside_each_other(path: Path) -> None:
    found = automaton(path)
    assert isinstance(found, Machine)
    boxes = [e for e in signs(drawn(found), "rect") if e.get("rx")]
    place = {}
    for state, box in zip(found.states, boxes, strict=True):
        x, y, w, h = (float(box.get(k) or 0) for k in ("x", "y", "width", "height"))
        place[state.name] = x, y, x + w, y + h
    for state in found.root.within():
        inner = [place[s.name] for s in state.states]
        for k, a in enumerate(inner):
            if state.name in place:
                around = place[state.name]
                assert around[0] < a[0]
                assert around[1] < a[1]
                assert a[2] < around[2]
                assert a[3] < around[3]
            assert all(a[2] < b[0] or b[2] < a[0] for b in inner[k + 1 :])


def dots(drawing: Drawing) -> int:
    return sum(e.get("r") == "3.4" for e in signs(drawing, "circle"))


def test_tokens_of_a_time_are_dots() -> None:
    path = EXAMPLES / "nets" / "Philosophers.pn"
    net = automaton(path)
    result = saltus.load(path).simulate()
    assert dots(drawn(net)) == 10
    assert dots(drawn_at(net, result, 0.5)) == 10
    assert dots(drawn_at(net, result, 2.0)) == 5  # all wait
    with pytest.raises(UsageError):
        drawn_at(net, result, -1.0)


def test_active_states_of_a_time_are_filled() -> None:
    path = EXAMPLES / "machines" / "Kettle.sm"
    machine = automaton(path)
    result = saltus.load(path).simulate()

    def filled(time: float) -> int:
        return sum(e.get("fill") == LIGHT for e in signs(drawn_at(machine, result, time), "rect"))

    assert filled(1.0) == 1  # off
    assert filled(10.0) == 2  # one in the heater, one in the lamp


def test_what_fires_is_red() -> None:
    net = automaton(EXAMPLES / "nets" / "TrafficLight.pn")
    red = [e for e in signs(drawn(net, acting=["nsGo"]), "rect") if e.get("stroke") == RED]
    assert len(red) == 1


def test_a_strip_has_a_picture_for_each_instant() -> None:
    path = EXAMPLES / "nets" / "BatchPlant.pn"
    result = saltus.load(path).simulate()
    told = [e.text or "" for e in signs(strip(automaton(path), result), "text")]
    times = [word for word in told if word.startswith("time ")]
    assert times[:4] == ["time 0", "time 10", "time 30", "time 35"]


def test_a_net_looks_the_same_at_all_times_and_bends_stay_inside() -> None:
    """Once places with tokens stood first, wherever the tokens were."""
    path = EXAMPLES / "nets" / "BatchPlant.pn"
    net, result = automaton(path), saltus.load(path).simulate()

    def places(drawing: Drawing) -> list[tuple[str | None, str | None]]:
        return [(e.get("cx"), e.get("cy")) for e in signs(drawing, "circle") if e.get("r") == "16"]

    times = (1.0, 20.0, 40.0, 106.0)
    assert all(places(drawn_at(net, result, t)) == places(drawn(net)) for t in times)
    ahead = "transition t: a -> b\ntransition u: b -> c\ntransition v: c -> d\ntransition far: a -> d"
    text = "net N\nplace a(tokens = 1)\nplace b\nplace c\nplace d\n" + ahead + "\nend N\n"
    (long,) = nets(Source("test.pn", text))
    heights = [
        (float(y0) + 2 * float(y1) + float(y2)) / 4
        for e in signs(drawn(long), "path")
        for y0, y1, y2 in re.findall(r"M \S+ (\S+) Q \S+ (\S+) \S+ (\S+)", e.get("d") or "")
    ]
    assert min(heights) > 20


def test_words_stand_in_front_of_lines() -> None:
    parts = drawn(automaton(EXAMPLES / "machines" / "Elevator.sm")).parts
    lines = [k for k, part in enumerate(parts) if part.startswith("<path")]
    words = [k for k, part in enumerate(parts) if "call: at time" in part]
    assert max(lines) < min(words)


def test_the_command_draws_a_strip(tmp_path: Path) -> None:
    file = tmp_path / "strip.svg"
    path = EXAMPLES / "machines" / "Elevator.sm"
    with pytest.raises(SystemExit) as ending:
        main(["draw", str(path), "--modes", "--output", str(file)])
    assert ending.value.code == 0
    told = [e.text for e in ET.fromstring(file.read_text()).iter() if e.tag.endswith("text")]
    assert [word for word in told if word and word.startswith("time ")][:3] == ["time 0", "time 2", "time 5"]
    with pytest.raises(SystemExit) as ending:
        main(["draw", "Saltus.Examples.PetriNets.Workshop", "--modes", "--output", str(file)])
    assert ending.value.code == 2
