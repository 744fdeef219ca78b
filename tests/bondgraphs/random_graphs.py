"""Random bond graphs: trees of junctions, transformers and gyrators with storages, losses and a source."""

from __future__ import annotations

from hypothesis import strategies as st

from saltus.bondgraph import Graph


@st.composite
def passive(
    draw: st.DrawFn,
    *,
    switched: bool = False,
    losses: bool = True,
    sources: bool = False,
    rings: bool = False,
) -> Graph:
    """Junctions of one effort and of one flow take turns along the tree, since two equal ones side by side
    are one. Where they are `switched`, machines have clocks of their own; `rings` are circles of bonds."""
    graph = Graph("Passive")
    count = draw(st.integers(2, 5))
    kinds = ["J1"]
    graph.J1("j0")
    for k in range(1, count):
        parent = draw(st.integers(0, k - 1))
        between = draw(st.sampled_from(["", "TF", "GY"]))
        # Behind a gyrator the roles are exchanged.
        kind = kinds[parent] if between == "GY" else {"J0": "J1", "J1": "J0"}[kinds[parent]]
        kinds.append(kind)
        controlled = switched and draw(st.booleans())
        graph.element(kind.replace("J", "X") if controlled else kind, f"j{k}")
        if controlled:
            begins = draw(st.sampled_from(["on", "off"]))
            clock = f"sin({k}*time)"
            graph.machine(f"j{k}", begins, ("off", "on", f"{clock} > 0.1"), ("on", "off", f"{clock} < -0.1"))
        ratio = draw(st.sampled_from([0.5, 1, 2, 3]))
        ends = (f"j{parent}", f"j{k}") if draw(st.booleans()) else (f"j{k}", f"j{parent}")
        if between:
            graph.element(between, f"t{k}", **{"m" if between == "TF" else "r": ratio})
            graph.bond(ends[0], f"t{k}", ends[1])
        else:
            graph.bond(*ends)
    if rings and count > 2:
        one, other = draw(st.permutations(range(count)))[:2]
        if kinds[one] != kinds[other]:
            graph.bond(f"j{one}", f"j{other}")
        else:
            graph.TF("ring", m=draw(st.sampled_from([0.5, 2, 3])))
            graph.bond(f"j{one}", "ring", f"j{other}")
    if sources:
        kind = draw(st.sampled_from(["Se", "Sf"]))
        graph.element(kind, "source", **{kind[1]: "1 + sin(time)"})
        graph.bond("source", f"j{draw(st.integers(0, count - 1))}")
    for k in range(count):
        for number in range(draw(st.integers(1, 2))):
            kind = draw(st.sampled_from(["I", "C", "R"] if losses else ["I", "C"]))
            name = f"{kind.lower()}{k}_{number}"
            value = draw(st.sampled_from([0.5, 1, 2]))
            graph.element(kind, name, **{kind: value})
            graph.bond(f"j{k}", name)
    return graph
