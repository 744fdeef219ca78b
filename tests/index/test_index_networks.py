"""Linear networks with capacitor loops and inductor cutsets, against the descriptor system E x' + F x = q.

The truth is modified nodal analysis written here: unknowns are the node potentials and the currents of all
branches. The descriptor system is solved in closed form (sources are sines), without any index reduction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from integrators import Simulate
from numpy.typing import NDArray
from scipy.linalg import expm

import saltus
from linear_elements import LINEAR
from saltus.core.diagnostics import ModelError, RunError
from translated_models import translated

LIBRARY = f"""{LINEAR}
model Node
  Pin p;
equation
  p.i = 0;
end Node;
model Source
  extends TwoPin;
  parameter Real V = 1;
equation
  v = V*sin(1.37*time);
end Source;
"""


#: Of the sources; no product of the inductances and capacitances below resonates with it.
OMEGA = 1.37


@dataclass(frozen=True)
class Branch:
    kind: str  # R, C, L or V
    start: int
    end: int
    value: float


def modelica(branches: list[Branch], nodes: int) -> str:
    kinds = {"R": "Resistor", "C": "Capacitor", "L": "Inductor", "V": "Source"}
    lines = [LIBRARY, "model Net", "  Ground g;"]
    lines.append(f"  Node node[{nodes}];")
    for k, b in enumerate(branches):
        lines.append(f"  {kinds[b.kind]} b{k}({b.kind} = {b.value!r});")
    lines += ["equation", "  connect(g.p, node[1].p);"]
    for k, b in enumerate(branches):
        lines.append(f"  connect(b{k}.p, node[{b.start + 1}].p);")
        lines.append(f"  connect(b{k}.n, node[{b.end + 1}].p);")
    lines.append("end Net;")
    return "\n".join(lines)


def descriptor(branches: list[Branch], nodes: int) -> tuple[NDArray[np.float64], ...]:
    """E x' + F x = q sin(OMEGA t), x = potentials of nodes 1.. and all branch currents."""
    size = nodes - 1 + len(branches)
    e, f, q = np.zeros((size, size)), np.zeros((size, size)), np.zeros(size)
    for k, b in enumerate(branches):
        column = nodes - 1 + k
        for node, sign in ((b.start, 1.0), (b.end, -1.0)):
            if node:
                f[node - 1, column] += sign
                target = e if b.kind == "C" else f
                target[column, node - 1] += sign * (b.value if b.kind == "C" else 1.0)
        if b.kind == "R":
            f[column, column] -= b.value
        elif b.kind == "C":
            f[column, column] -= 1.0
        elif b.kind == "L":
            e[column, column] -= b.value
        else:
            q[column] = b.value
    return e, f, q


def regular(e: NDArray[np.float64], f: NDArray[np.float64]) -> bool:
    """det(s E + F) is not zero for all s: the network has one solution."""
    return min(np.linalg.cond(f + s * e) for s in (0.7, 1.9)) < 1e10


def exact(
    branches: list[Branch], nodes: int, times: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Voltages and currents of the branches, from rest: the periodic solution, and the homogeneous one that
    makes up for it, in the slow subspace of the pencil (Drazin inverse)."""
    e, f, q = descriptor(branches, nodes)
    periodic = np.linalg.solve(f + 1j * OMEGA * e, q)
    shift = np.linalg.inv(f + 0.7 * e)
    slow, rest = shift @ e, shift @ f
    cube = np.linalg.matrix_power(slow, 3)
    drazin = cube @ np.linalg.pinv(np.linalg.matrix_power(slow, 7), rcond=1e-11) @ cube
    start = -drazin @ slow @ periodic.imag
    x = np.array([(periodic * np.exp(1j * OMEGA * t)).imag + expm(-drazin @ rest * t) @ start for t in times])
    potentials = np.hstack([np.zeros((len(times), 1)), x[:, : nodes - 1]])
    voltages = np.array([potentials[:, b.start] - potentials[:, b.end] for b in branches])
    return voltages, x[:, nodes - 1 :].T


def compare(simulate: Simulate, branches: list[Branch], nodes: int) -> saltus.Model:
    model = translated(modelica(branches, nodes))
    result = simulate(model, stop_time=2, interval=0.1, tolerance=1e-9)
    voltages, currents = exact(branches, nodes, result.time)
    for k in range(len(branches)):
        np.testing.assert_allclose(result[f"b{k}.v"], voltages[k], atol=1e-5, err_msg=f"b{k}.v")
        np.testing.assert_allclose(result[f"b{k}.i"], currents[k], atol=1e-5, err_msg=f"b{k}.i")
    return model


def dynamic_order(branches: list[Branch], nodes: int) -> int:
    """The degree of det(s E + F): the number of states that any correct choice has."""
    e, f, _ = descriptor(branches, nodes)
    slow = np.linalg.inv(f + 0.7 * e) @ e
    return int(np.linalg.matrix_rank(np.linalg.matrix_power(slow, 3), tol=1e-9))


def test_capacitor_loop_with_connectors(simulate: Simulate) -> None:
    branches = [
        Branch("V", 1, 0, 2.0),
        Branch("R", 1, 2, 1.5),
        Branch("C", 2, 0, 1.0),
        Branch("C", 2, 3, 2.0),
        Branch("C", 3, 0, 0.5),
        Branch("R", 3, 0, 3.0),
    ]
    assert len(compare(simulate, branches, 4).structure.states) == 2


def test_source_in_parallel_with_a_capacitor(simulate: Simulate) -> None:
    driven = [Branch("V", 1, 0, 2.0), Branch("C", 1, 0, 3.0)]
    branches = [*driven, Branch("R", 1, 2, 1.0), Branch("C", 2, 0, 1.0)]
    model = compare(simulate, branches, 3)
    assert len(model.structure.states) == 1
    result = simulate(model, stop_time=1)
    np.testing.assert_allclose(result["b1.i"], 6 * OMEGA * np.cos(OMEGA * result.time), atol=1e-9)
    np.testing.assert_allclose(result["der(b1.v)"], 2 * OMEGA * np.cos(OMEGA * result.time), atol=1e-9)


def test_inductor_cutset_with_connectors(simulate: Simulate) -> None:
    branches = [
        Branch("V", 1, 0, 1.0),
        Branch("R", 1, 2, 0.7),
        Branch("L", 2, 3, 1.0),
        Branch("L", 3, 4, 0.5),
        Branch("L", 3, 5, 2.0),
        Branch("R", 4, 0, 1.0),
        Branch("R", 5, 0, 2.0),
    ]
    assert len(compare(simulate, branches, 6).structure.states) == 2


def test_parallel_capacitors_beside_a_loose_inductor(simulate: Simulate) -> None:
    """Potential differences of two parallel capacitors away from ground: the potentials cancel, which only
    the coefficients show; the loose inductor needs index reduction of its own."""
    parallel = [Branch("C", 3, 1, 0.5), Branch("C", 3, 1, 0.5)]
    loose = Branch("L", 2, 0, 0.5)
    branches = [Branch("R", 1, 0, 0.5), Branch("V", 4, 0, 1.0), Branch("R", 4, 3, 0.5), *parallel]
    assert len(compare(simulate, [*branches, loose], 5).structure.states) == 1
    apart = [Branch(b.kind, *({4: 2, 2: 4}.get(n, n) for n in (b.start, b.end)), b.value) for b in branches]
    assert len(compare(simulate, apart, 4).structure.states) == 1


def test_a_balance_that_only_the_sum_of_node_equations_shows(simulate: Simulate) -> None:
    """The inductor is the only way to ground, so its current is zero: the sum of all balances beyond it."""
    resistors = [Branch("R", 2, 1, 2.0), Branch("R", 3, 1, 1.0), Branch("R", 2, 3, 2.0)]
    branches = [Branch("L", 1, 0, 2.0), *resistors, Branch("C", 2, 3, 0.5), Branch("V", 4, 0, 1.0)]
    model = compare(simulate, [*branches, Branch("R", 4, 0, 1.0)], 5)
    assert {v.name for v in model.structure.states} == {"b4.v"}


VALUES = st.sampled_from([0.5, 1.0, 2.0])


@st.composite
def networks(draw: st.DrawFn) -> tuple[list[Branch], int]:
    nodes = draw(st.integers(2, 4))
    branches = []
    for node in range(1, nodes):  # a tree, so that the network is connected
        kind = draw(st.sampled_from("RCLV"))
        branches.append(Branch(kind, node, draw(st.integers(0, node - 1)), draw(VALUES)))
    for _ in range(draw(st.integers(1, 4))):
        start, end = draw(st.permutations(range(nodes)))[:2]
        branches.append(Branch(draw(st.sampled_from("RRCCLL")), start, end, draw(VALUES)))
    return branches, nodes


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(network=networks())
def test_random_networks_against_nodal_analysis(
    simulate: Simulate, network: tuple[list[Branch], int]
) -> None:
    branches, nodes = network
    e, f, _ = descriptor(branches, nodes)
    if not regular(e, f):
        with pytest.raises((ModelError, RunError)):
            compare(simulate, branches, nodes)
        return
    model = compare(simulate, branches, nodes)
    assert len(model.structure.states) == dynamic_order(branches, nodes)
