"""Graphs built in Python: the same model as their text and as Modelica, composed of others, drawn."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from bond_texts import EXAMPLES, run

import saltus
from saltus.bondgraph import Graph
from saltus.core.source import Source
from saltus.read.bondgraph.files import graphs
from saltus.show.pictures.bond_places import cells
from saltus.show.pictures.bond_signals import box_cells, boxes, influences

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.bg"))


@pytest.mark.parametrize("name", NAMES)
def test_text_modelica_and_python_agree(name: str) -> None:
    """Read into Python and written again, and written as Modelica: the same run, to 1e-9."""
    graph = Graph.read(EXAMPLES / f"{name}.bg")
    first = run(name)
    for again in (saltus.load(graph.to_text()), saltus.load(graph.to_modelica())):
        result = again.simulate()
        assert result.time[-1] == first.time[-1]
        for element in graph._tree().elements:
            variable = {"I": "f", "C": "e", "R": "f"}.get(element.kind)
            if variable is not None:
                full = f"{element.name}.{variable}"
                assert result[full][-1] == pytest.approx(first[full][-1], rel=1e-9, abs=1e-12)


def test_a_graph_in_a_few_lines() -> None:
    """A mass on a spring: x = cos(t/sqrt(m*C))."""
    g = Graph("Oscillator", "a mass on a spring")
    mass, spring = g.I("mass", I=2), g.C("spring", "made of steel", C=0.5, q0=1)
    both = g.J1("both")
    both >> mass
    both >> spring
    g.signal("power", f"{spring.e}*{spring.f}")
    result = g.simulate(stop_time=3, tolerance=1e-9)
    np.testing.assert_allclose(result["spring.q"], np.cos(result.time), atol=1e-7)
    np.testing.assert_allclose(result["power"], -np.sin(2 * result.time), atol=1e-6)
    assert repr(g) == "<Graph Oscillator: 3 elements, 2 bonds>"


def test_a_machine_with_a_memory() -> None:
    """The collision of the paper, written in Python."""
    g = Graph("Collision")
    body, contact = g.I("body", I=2, f0="-0.5/0.6"), g.X0("contact")
    g.MSf("rule", f="kick") >> contact >> g.J1("shaft") >> body
    g.signal("phi", f"integral({body.f}, 0.5)")
    g.memory("kick", 0)
    g.machine(
        contact,
        "off",
        ("off", "on", "pre(phi) <= 0 and pre(body.f) < 0", {"kick": "-0.5*pre(body.f)"}),
        ("on", "off", "pre(body.f) > 0"),
    )
    g.experiment(stop=1.2, tolerance=1e-9)
    assert g.simulate()["body.f"][-1] == pytest.approx(0.5 * 0.5 / 0.6)


def test_locations_of_its_own() -> None:
    """A machine with three locations, two of which let the junction work."""
    g = Graph("Three")
    g.Se("drive", e=1) >> g.X1("gate") >> g.I("body", I=1, p0=0)
    g.machine(
        "gate", "closed",
        ("closed", "open", "time >= 1"), ("open", "off", "body.f >= 0.5"), ("off", "closed", "time >= 3"),
        locations={"closed": False, "open": True},
    )  # fmt: skip
    result = g.simulate(stop_time=3.25, tolerance=1e-9)
    on = result["gate.on"] == 1
    first = result.time[on & (result.time < 2)]
    assert (first.min(), first.max()) == pytest.approx((1, 1.5), abs=1e-7)
    assert result["body.f"][~on].max() == 0
    # At 3 s it comes to `closed` and at once to `open`, in one instant.
    assert result["gate_location"][-1] == 4 and result["body.f"][-1] == pytest.approx(0.25, abs=1e-7)


def test_graphs_are_composed() -> None:
    """Two circuits and what couples them; formulas follow the new names."""
    part = Graph("Part")
    part.parameter("L", 2)
    part.I("coil", I="L", p0="L")
    part.C("cap", C=1)
    part.J1("mesh") >> part["coil"]
    part["mesh"] >> part["cap"]
    part.signal("current", "coil.f/L")
    whole = Graph("Whole")
    whole.add(part, "a_")
    whole.add(part, "b_")
    whole["a_mesh"] >> whole.GY("tie", r=0.5) >> whole["b_mesh"]
    assert "a_current = a_coil.f/a_L" in whole.to_text()
    result = whole.simulate(stop_time=1, tolerance=1e-9)
    energy = sum(result[f"{p}_coil.f"] ** 2 + result[f"{p}_cap.e"] ** 2 / 2 for p in "ab")
    assert np.abs(energy - energy[0]).max() < 1e-7


def test_mistakes_are_told_where_they_are_made() -> None:
    g = Graph("G")
    with pytest.raises(saltus.ModelError, match="expected an expression"):
        g.signal("x", "2 +")
    with pytest.raises(AttributeError, match="kinds of elements"):
        g.Resistor("r")
    with pytest.raises(saltus.UsageError, match="no element"):
        g["r"]
    g.J1("r")
    with pytest.raises(saltus.ModelError, match="no bond leads to"):
        g.load()


# ---------------------------------------------------------------- drawings


def paths_of_bonds(root: ElementTree.Element) -> list[str]:
    inside = root.iterfind(".//{*}g[@class='bond']/{*}path")
    return [p.get("d") or "" for p in inside]


def test_a_drawing_shows_everything() -> None:
    """All names, the barbs and strokes of all bonds, both machines with their transitions."""
    g = Graph.read(EXAMPLES / "Boost.bg")
    root = ElementTree.fromstring(g.draw())
    texts = [t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}text")]
    for element in g._tree().elements:
        assert element.name in texts
    assert any("node.e > out.e" in text for text in texts)
    paths = paths_of_bonds(root)
    bonds = len(g._tree().bonds)
    assert sum(p.count("L") == 2 for p in paths) == bonds  # lines with a barb
    assert sum(p.count("L") == 1 for p in paths) == bonds  # strokes


def test_strokes_are_across_the_end_that_the_effort_comes_to() -> None:
    """One bond from left to right: a source of effort has it at its head, one of flow at its tail."""
    for kind, at_head in (("Se", True), ("Sf", False)):
        g = Graph("One")
        g.element(kind, "s", **{kind[1]: 1}) >> g.R("r", R=1)
        root = ElementTree.fromstring(g.draw())
        line, stroke = paths_of_bonds(root)
        numbers = [float(n) for n in line.split() if n not in "ML"]
        x = float(stroke.split()[1])
        assert x == (numbers[2] if at_head else numbers[0])


def test_another_mode_is_told_apart() -> None:
    g = Graph.read(EXAMPLES / "Motor.bg")
    text = g.draw(shaft=False)
    assert text.count("mode 1: shaft on") == text.count("mode 2: shaft off") == 1
    red = [line for line in text.splitlines() if "#c0281c" in line and "<path" in line]
    assert len(red) == 2  # the bond of the rotor and its stroke: it is no state any more
    with pytest.raises(saltus.UsageError, match="did you mean `shaft`"):
        g.draw(shat=False)


@pytest.mark.parametrize("name", NAMES)
def test_elements_have_places_of_their_own(name: str) -> None:
    (graph,) = graphs(Source("g.bg", (EXAMPLES / f"{name}.bg").read_text(encoding="utf-8")))
    numbers = {e.name: k for k, e in enumerate(graph.elements)}
    edges = [(numbers[b.tail], numbers[b.head]) for b in graph.bonds]
    found = cells(len(numbers), edges)
    assert len(set(found)) == len(found)
    assert found == cells(len(numbers), edges), "the same graph has the same picture"
    for a, b in edges:
        (x1, y1), (x2, y2) = found[a], found[b]
        assert max(abs(x1 - x2), abs(y1 - y2)) <= 3, "neighbours are near each other"
        for other, (x, y) in enumerate(found):
            if other not in (a, b) and (x2 - x1) * (y - y1) == (y2 - y1) * (x - x1):
                assert not (min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2))


def test_active_bonds_and_signals_are_full_arrows() -> None:
    """Who reads what: I_1 is integrated to phi, and asked for by the machine and where the memory is set; the
    memory, which the machine sets, modulates the source."""
    g = Graph.read(EXAMPLES / "Fig11.bg")
    found = influences(g._tree())
    assert set(found) == {
        ("I_1", "phi"), ("phi", "contact"), ("I_1", "contact"), ("I_1", "kick"), ("contact", "kick"),
        ("kick", "rule"),
    }  # fmt: skip
    root = ElementTree.fromstring(g.draw())
    arrows = list(root.iterfind(".//{*}g[@class='signal']"))
    assert [a.findtext("{*}title") for a in arrows] == [f"{i.source} to {i.target}" for i in found]
    for arrow in arrows:
        line, head = arrow.iterfind("{*}path")
        assert (line.get("d") or "").split()[-2:] == (head.get("d") or "").split()[1:3]
        assert (head.get("d") or "").endswith("Z") and head.get("fill") == line.get("stroke")
    titles = [b.findtext("{*}title") for b in root.iterfind(".//{*}g[@class='box']")]
    assert titles == ["phi: the angle", "kick: memory, at first 0"]


@pytest.mark.parametrize("name", NAMES)
def test_boxes_have_places_of_their_own(name: str) -> None:
    (graph,) = graphs(Source("g.bg", (EXAMPLES / f"{name}.bg").read_text(encoding="utf-8")))
    numbers = {e.name: k for k, e in enumerate(graph.elements)}
    taken = cells(len(numbers), [(numbers[b.tail], numbers[b.head]) for b in graph.bonds])
    where = dict(zip(numbers, taken, strict=True))
    found = box_cells(graph, taken, influences(graph), where)
    assert set(found) == {b.name for b in boxes(graph)}
    assert len({*taken, *found.values()}) == len(taken) + len(found)
    assert all(i.source != i.target for i in influences(graph))


def test_a_named_bond_is_a_source_of_signals() -> None:
    """What a machine asks of a bond comes from the middle of its line."""
    g = Graph("Named")
    g.Se("drive", e=1) >> g.J1("a")
    valve = g.X0("valve")
    g.bond("a", valve, name="inflow")
    valve >> g.R("load", R=1)
    g.machine(valve, "on", ("on", "off", "inflow.f > 2"))
    assert influences(g._tree()) == [("inflow", "valve")]
    root = ElementTree.fromstring(g.draw())
    (arrow,) = root.iterfind(".//{*}g[@class='signal']")
    begin = [float(n) for n in (arrow.find("{*}path").get("d") or "").split()[1:3]]  # type: ignore[union-attr]
    texts = {t.text: (float(t.get("x") or 0), float(t.get("y") or 0)) for t in root.iterfind(".//{*}text")}
    middle = [(texts["a"][k] + texts["valve"][k]) / 2 for k in (0, 1)]
    assert begin == pytest.approx([middle[0], middle[1] - 27], abs=0.2)


def test_the_command_draws_and_explains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from saltus.tools.cli import main

    out = tmp_path / "fig7.svg"
    with pytest.raises(SystemExit) as ended:
        main(["draw", str(EXAMPLES / "Fig7.bg"), "--modes", "--output", str(out)])
    assert ended.value.code == 0 and out.read_text().count(">mode ") == 4
    with pytest.raises(SystemExit) as ended:
        main(["explain", str(EXAMPLES / "Fig7.bg"), "--causality", "--modes"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert "m1" not in said and "I_1  I, derivative: its flow is determined by m_1" in said
    with pytest.raises(SystemExit) as ended:
        main(["draw", "Saltus.Rotational.Gear", "--modes", "--output", str(out)])
    assert ended.value.code == 2
