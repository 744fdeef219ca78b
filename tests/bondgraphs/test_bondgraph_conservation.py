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


@st.composite
def switched_tree(draw: st.DrawFn) -> tuple[Graph, list[tuple[str, float]]]:
    """Bodies in a tree, each but the first joined to another by a clutch, a gear, and perhaps a spring or a
    loss between them; and by how much each momentum counts: along a gear `f_out = m*f_in` what is lost at one
    side comes at the other divided by `m`. Or the dual of it: capacitors, switches and charges."""
    dual = draw(st.booleans())
    storage, node, switch, between = ("C", "J0", "X1", "J1") if dual else ("I", "J1", "X0", "J0")
    compliance = "I" if dual else "C"
    graph, weights = Graph("Tree"), [1.0]
    count = draw(st.integers(3, 5))
    for k in range(count):
        value, amount = draw(st.sampled_from([0.5, 1, 2, 3])), draw(st.integers(-5, 5))
        start = {"q0" if dual else "p0": amount}
        graph.element(node, f"n{k}") >> graph.element(storage, f"b{k}", **{storage: value}, **start)
        if not k:
            continue
        other = draw(st.integers(0, k - 1))
        ratio = draw(st.sampled_from([0.5, 1, 2, -1]))
        # Of charges e_in = m*e_out: what flows in is multiplied, so that a charge behind counts divided.
        weights.append(weights[other] / ratio if dual else weights[other] * ratio)
        clutch = graph.element(switch, f"k{k}")
        graph[f"n{other}"] >> clutch >> graph.TF(f"t{k}", m=ratio)
        inside = draw(st.sampled_from(["", "R", compliance]))
        if inside:
            graph[f"t{k}"] >> graph.element(between, f"m{k}") >> graph[f"n{k}"]
            graph[f"m{k}"] >> graph.element(inside, f"x{k}", **{inside: 1})
        else:
            graph[f"t{k}"] >> graph[f"n{k}"]
        clock = f"sin({draw(st.integers(1, 4))}*time + {draw(st.integers(1, 9))})"
        begins = draw(st.sampled_from(["off", "on"]))
        graph.machine(clutch, begins, ("off", "on", f"{clock} > 0.3"), ("on", "off", f"{clock} < -0.2"))
    return graph, [(f"b{k}.{'q' if dual else 'p'}", weight) for k, weight in enumerate(weights)]


@given(switched_tree())
@settings(max_examples=6)
def test_switching_keeps_the_sum_of_momenta_and_charges(
    tree: tuple[Graph, list[tuple[str, float]]],
) -> None:
    """Whatever opens and closes, dissipates and swings between them, at the start as well."""
    graph, weights = tree
    result = graph.simulate(stop_time=4, tolerance=1e-8)
    terms = [weight * result[name] for name, weight in weights]
    total, size = sum(terms), max(1.0, *(np.abs(term).max() for term in terms))
    assert len(result.events) > 2, "something was switched"
    assert np.abs(total - total[0]).max() < 1e-10 * size
