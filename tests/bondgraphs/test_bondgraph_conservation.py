"""Energy and momentum of random bond graphs."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_graphs import passive

from saltus.bondgraph import Graph
from saltus.core.source import Source
from saltus.ir.bonds.causality import Storage
from saltus.read.bondgraph.causality import causality
from saltus.read.bondgraph.files import graphs


@given(passive(), st.randoms(use_true_random=False))
@settings(max_examples=8)
def test_energy_minus_dissipation_stays(graph: Graph, random) -> None:  # type: ignore[no-untyped-def]
    """Independent storages begin charged; what is stored and what was lost stays the same."""
    (read,) = graphs(Source("g.bg", graph.to_text()))
    states = causality(read, {}).of_kind(Storage.INTEGRAL)
    assume(states)
    whole = Graph.read(graph.to_text())
    losses = [f"{e.name}.e*{e.name}.f" for e in read.elements if e.kind == "R"]
    whole.signal("lost", f"integral({' + '.join(losses) or '0'})")
    for k, item in enumerate(whole._items):
        if getattr(item, "name", "") in states:
            start = "p0" if item.kind == "I" else "q0"  # type: ignore[union-attr]
            text = f"{item.kind} {item.name}({item.kind} = "  # type: ignore[union-attr]
            value = item.arguments[0].value.value  # type: ignore[union-attr]
            new = Graph("one")
            new._add(f"{text}{value}, {start} = {random.choice([-1, 1, 2])})")
            whole._items[k] = new._items[0]
    result = whole.simulate(stop_time=2, tolerance=1e-10)
    stored = np.zeros(len(result.time))
    for element in read.elements:
        value = element.arguments[0].value.value if element.arguments else 0
        if element.kind == "I":
            stored += value * result[f"{element.name}.f"] ** 2 / 2
        elif element.kind == "C":
            stored += value * result[f"{element.name}.e"] ** 2 / 2
    total = stored + result["lost"]
    assert np.abs(total - total[0]).max() < 1e-7 * max(1, total[0])


@given(st.lists(st.tuples(st.sampled_from([0.5, 1, 2, 3]), st.integers(-5, 5)), min_size=3, max_size=5),
       st.lists(st.tuples(st.integers(1, 9), st.integers(1, 4)), min_size=4, max_size=4))  # fmt: skip
@settings(max_examples=3)
def test_switching_keeps_the_sum_of_momenta(
    bodies: list[tuple[float, int]], rhythms: list[tuple[int, int]]
) -> None:
    """Bodies in a row with a clutch between each two, opened and closed by clocks of their own."""
    graph = Graph("Row")
    for k, (inertia, momentum) in enumerate(bodies):
        graph.J1(f"s{k}") >> graph.I(f"b{k}", I=inertia, p0=momentum)
        if k:
            first, often = rhythms[k - 1]
            graph.X0(f"k{k}")
            graph.bond(f"s{k - 1}", f"k{k}", f"s{k}")
            phase = graph.signal(f"u{k}", f"sin({often}*time + {first})")
            graph.machine(f"k{k}", "off", ("off", "on", f"{phase} > 0.3"), ("on", "off", f"{phase} < -0.2"))
    result = graph.simulate(stop_time=4, tolerance=1e-8)
    total = sum(result[f"b{k}.p"] for k in range(len(bodies)))
    assert np.abs(total - sum(p for _, p in bodies)).max() < 1e-10
