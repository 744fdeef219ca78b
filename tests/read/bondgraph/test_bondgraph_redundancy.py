"""Where something is determined twice numbers decide: against runs, and against ratios by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from saltus.bondgraph import Graph
from saltus.core.source import Source
from saltus.read.bondgraph.causality import causality
from saltus.read.bondgraph.files import graphs
from saltus.read.bondgraph.redundancy import deciding_verdict, verdict


def geared(*ratios: float | str) -> Graph:
    """A drive at one shaft, a load at the other, and gears between them that are engaged at 0.5 s."""
    graph = Graph("Geared")
    graph.parameter("m", 2)
    a, b = graph.J1("a"), graph.J1("b")
    graph.Se("drive", e=1) >> a >> graph.I("engine", I=1, p0=0)
    b >> graph.I("load", I=2, p0=0)
    for k, ratio in enumerate(ratios):
        clutch = graph.X0(f"clutch_{k}")
        a >> clutch >> graph.TF(f"gear_{k}", m=ratio) >> b
        graph.machine(clutch, "off", ("off", "on", "time >= 0.5"))
    return graph


@pytest.mark.parametrize(
    ("ratios", "states"),
    [((2, 2), 1), ((2, 3), 0), (("m", "4/2"), 1), (("m", "m + 1"), 0), ((2, 2, 2), 1), ((2, 2, 1), 0)],
)
def test_gears_between_two_shafts(ratios: tuple[float | str, ...], states: int) -> None:
    """Equal ones are one gear; others let nothing turn. As the run has it, and told so."""
    graph = geared(*ratios)
    (tree,) = graphs(Source("g.bg", graph.to_text()))
    found = verdict(tree, dict.fromkeys((m.name for m in tree.machines), True))
    assert found.states == states
    assert found.held == (() if states else ("engine", "load"))
    result = graph.simulate(stop_time=1, tolerance=1e-9)
    assert len(result.modes[-1].mode.states) == states
    expected = 0.5 / 9 + 0.5 / 9 if states else 0  # 1 N for 0.5 s on 1 kg, then on 1 + 2^2*2 with what it had
    assert result["engine.f"][-1] == pytest.approx(expected, abs=1e-8)
    told = graph.causality(all_modes=True)
    if states:
        assert "the paths agree, and the share of each is undetermined: `a -> clutch_0`" in told
        assert any(w.code == "W406" for w in result.warnings)
    else:
        assert (
            "it cannot be a state, since then the flow at `b`, a junction of one flow, is determined" in told
        )


def test_two_brakes_hold_one_shaft() -> None:
    """Both say zero: how the torque is divided between them is open, and the listing says so."""
    graph = Graph("Held")
    first, second = graph.X1("first"), graph.X1("second")
    graph.Se("drive", e=1) >> first >> second >> graph.I("body", I=1)
    for brake in (first, second):
        graph.machine(brake, "on", ("on", "off", "time >= 1"))
    (tree,) = graphs(Source("g.bg", graph.to_text()))
    mode = {"first": False, "second": False}
    found = deciding_verdict(tree, causality(tree, mode))
    assert found is not None and found.states == 0 and found.held == ("body",)
    assert [tree.bonds[k].text for k in found.open_bonds] == ["first -> second"]
    assert "is undetermined: `first -> second`" in graph.causality(all_modes=True)


def test_without_storages() -> None:
    """A ring of bonds between resistances: no states, and how the flow goes round is open."""
    graph = Graph("Ring")
    one, other = graph.J1("one"), graph.J0("other")
    graph.Se("drive", e=1) >> one >> graph.R("r", R=1)
    one >> other >> one
    other >> graph.R("q", R=1)
    (tree,) = graphs(Source("g.bg", graph.to_text()))
    found = verdict(tree, {})
    assert (found.states, found.held) == (0, ())


@st.composite
def meshed(draw: st.DrawFn) -> Graph:
    """Three shafts, some of them dissipating, and gears between them, of which several may lead round."""
    graph = Graph("Meshed")
    for k in range(3):
        graph.J1(f"s{k}") >> graph.I(f"i{k}", I=draw(st.sampled_from([1, 2])), p0=0)
        if draw(st.booleans()):
            graph[f"s{k}"] >> graph.R(f"r{k}", R=1)
    graph.Se("drive", e=1) >> graph["s0"]
    for k in range(draw(st.integers(2, 4))):
        one, other = draw(st.sampled_from([(0, 1), (1, 2), (0, 2)]))
        clutch = graph.X0(f"k{k}")
        graph[f"s{one}"] >> clutch >> graph.TF(f"g{k}", m=draw(st.sampled_from([1, 2]))) >> graph[f"s{other}"]
        graph.machine(clutch, "off", ("off", "on", "time >= 0.5"))
    return graph


@given(meshed())
@settings(max_examples=8)
def test_numbers_say_what_runs_come_to(graph: Graph) -> None:
    """As many states as the run has, and what is held does not move."""
    (tree,) = graphs(Source("g.bg", graph.to_text()))
    mode = dict.fromkeys((m.name for m in tree.machines), True)
    found = verdict(tree, mode)
    assume(len(tree.machines) != found.states)  # something is determined twice, or nothing moves
    result = graph.simulate(stop_time=1, tolerance=1e-9)
    assert len(result.modes[-1].mode.states) == found.states
    for k in range(3):
        moves = np.abs(result[f"i{k}.f"][result.time > 0.5]).max() > 1e-9
        assert moves <= (f"i{k}" not in found.held)
    assert bool(found.open_bonds) == any(w.code == "W406" for w in result.warnings)
