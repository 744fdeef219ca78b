"""Large and random networks of resistors and sources, against modified nodal analysis in NumPy."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from circuit_models import Branch, branch, modelica, operating_point
from hypothesis import given, settings
from hypothesis import strategies as st
from integrators import Simulate
from numpy.typing import NDArray
from scipy.linalg import expm
from scipy.optimize import least_squares

import saltus
from saltus.ir.sorted.blocks import Nonlinear
from translated_models import translated

Matrix = NDArray[np.float64]


def compare(result: saltus.Result, branches: list[Branch], relative: float = 1e-9) -> None:
    """Voltages and currents against the operating point, each in units of the largest of its kind."""
    voltages, currents, _ = operating_point(branches)
    found_v = np.array([result[f"b{k}.v"][-1] for k in range(len(branches))])
    found_i = np.array([result[f"b{k}.i"][-1] for k in range(len(branches))])
    np.testing.assert_allclose(found_v, voltages, rtol=0, atol=relative * np.abs(voltages).max())
    np.testing.assert_allclose(found_i, currents, rtol=0, atol=relative * np.abs(currents).max())
    power = np.abs(found_v * found_i)
    assert abs(np.sum(found_v * found_i)) <= 1e-9 * power.sum()


def grid(rows: int, columns: int) -> list[Branch]:
    """`rows * columns` meshes: resistors along all edges, a battery across it, a current into the middle.

    The resistances differ from edge to edge, so that no symmetry hides a mistake."""

    def node(i: int, j: int) -> int:
        return i * (columns + 1) + j

    branches = [
        branch("Battery", node(rows, columns), 0, V=24.0),
        branch("Current", node(rows // 2, columns // 2), 0, I=0.5),
    ]
    for i in range(rows + 1):
        for j in range(columns + 1):
            if j < columns:
                branches.append(branch("Resistor", node(i, j), node(i, j + 1), R=1.0 + (7 * i + 3 * j) % 11))
            if i < rows:
                branches.append(branch("Resistor", node(i, j), node(i + 1, j), R=2.0 + (5 * i + 2 * j) % 13))
    return branches


@pytest.mark.parametrize("shape", [(10, 10), (1, 100)])
def test_network_of_a_hundred_loops(simulate: Simulate, shape: tuple[int, int]) -> None:
    branches = grid(*shape)
    loops = len(branches) - 2 - (shape[0] + 1) * (shape[1] + 1) + 1
    assert loops == 100
    model = translated(modelica(branches))
    compare(simulate(model, stop_time=1.0, interval=1.0), branches)
    assert not any(isinstance(block, Nonlinear) for block in model.structure.blocks)


def test_network_of_a_hundred_loops_with_capacitors(simulate: Simulate) -> None:
    """A capacitor from every fifth node to ground: C v' = -G v + q, solved with the matrix exponential."""
    branches = grid(10, 10)
    inside = range(1, 120)  # not ground, not the battery's
    places = list(inside)[::5]
    capacity = {n: 0.1 + 0.02 * (n % 7) for n in places}
    everything = [*branches, *(branch("Capacitor", n, 0, C=c) for n, c in capacity.items())]
    start = {len(branches) + k: "v(start = 0, fixed = true)" for k in range(len(places))}
    model = translated(modelica(everything, start))
    assert len(model.structure.states) == len(places)
    result = simulate(model, stop_time=3.0, interval=0.25, tolerance=1e-9)

    g, q = conductances(branches, battery=(120, 24.0), current=(60, 0.5))
    stored = np.array(places) - 1
    rest = np.setdiff1d(np.arange(len(q)), stored)
    # The other potentials follow the stored ones (Schur complement).
    follow = -np.linalg.solve(g[np.ix_(rest, rest)], g[np.ix_(rest, stored)])
    offset = np.linalg.solve(g[np.ix_(rest, rest)], q[rest])
    c = np.array([capacity[n] for n in places])
    a = -(g[np.ix_(stored, stored)] + g[np.ix_(stored, rest)] @ follow) / c[:, None]
    b = (q[stored] - g[np.ix_(stored, rest)] @ offset) / c
    steady = -np.linalg.solve(a, b)
    for row, t in enumerate(result.time):
        v = steady - expm(a * t) @ steady
        found = [result[f"b{len(branches) + k}.v"][row] for k in range(len(places))]
        np.testing.assert_allclose(found, v, atol=2e-7)


def conductances(
    branches: list[Branch], battery: tuple[int, float], current: tuple[int, float]
) -> tuple[Matrix, Matrix]:
    """G v = q for the nodes without ground and without the battery's, which is the last one."""
    last, height = battery
    g, q = np.zeros((last + 1, last + 1)), np.zeros(last + 1)
    for b in branches:
        if b.kind == "Resistor":
            ends = (b.start, b.end)
            g[ends, ends] += 1 / b.values["R"]
            g[ends, ends[::-1]] -= 1 / b.values["R"]
    q[current[0]] += current[1]
    inner = slice(1, last)
    return g[inner, inner], q[inner] - g[inner, last] * height


# ------------------------------------------------------------ random networks


@st.composite
def topologies(draw: st.DrawFn) -> tuple[list[tuple[int, int]], int]:
    """Edges of a connected graph with loops; the first edges are a tree, whose edge k ends at node k + 1."""
    nodes = draw(st.integers(3, 7))
    edges = [(k, draw(st.integers(0, k - 1))) for k in range(1, nodes)]
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, nodes - 1))
        edges.append((start, (start + draw(st.integers(1, nodes - 1))) % nodes))
    return edges, nodes - 1


DECADES = st.floats(-6, 6).map(lambda e: float(f"{10**e:.6g}"))
VOLTS = st.floats(-100, 100).map(lambda v: round(v, 3))


@st.composite
def linear_networks(draw: st.DrawFn) -> list[Branch]:
    """Batteries only in the tree (a loop of them would be a contradiction), currents only beside it (a node
    must not be fed by them alone), resistances over twelve decades."""
    edges, tree = draw(topologies())
    batteries = draw(st.sets(st.integers(0, tree - 1), min_size=1, max_size=max(1, tree // 2)))
    branches = []
    for k, (start, end) in enumerate(edges):
        if k in batteries:
            branches.append(branch("Battery", start, end, V=draw(VOLTS)))
        elif k >= tree and draw(st.integers(0, 4)) == 0:
            branches.append(branch("Current", start, end, I=draw(VOLTS) * 1e-3))
        elif draw(st.booleans()):
            branches.append(branch("Resistor", start, end, R=draw(DECADES)))
        else:
            branches.append(branch("Conductor", start, end, G=draw(DECADES)))
    return branches


def exact_voltages(branches: list[Branch]) -> list[float]:
    """Modified nodal analysis with rational numbers: no conditioning to think of."""
    nodes = max(max(b.start, b.end) for b in branches)
    batteries = [b for b in branches if b.kind == "Battery"]
    size = nodes + len(batteries)
    rows = [[Fraction(0)] * (size + 1) for _ in range(size)]  # the last column is the right-hand side
    for b in branches:
        ends = [(n - 1, sign) for n, sign in ((b.start, 1), (b.end, -1)) if n]
        given = {name: Fraction(value) for name, value in b.values.items()}
        for n, sign in ends:
            match b.kind:
                case "Battery":
                    law = nodes + batteries.index(b)
                    rows[n][law] += sign
                    rows[law][n] += sign
                    rows[law][size] = given["V"]
                case "Current":
                    rows[n][size] += sign * given["I"]
                case _:
                    for m, other in ends:
                        rows[n][m] += sign * other * (given["G"] if "G" in given else 1 / given["R"])
    for k in range(size):
        pivot = next(row for row in range(k, size) if rows[row][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [entry / rows[k][k] for entry in rows[k]]
        for row in range(size):
            if row != k and rows[row][k]:
                factor = rows[row][k]
                rows[row] = [a - factor * c for a, c in zip(rows[row], rows[k], strict=True)]
    potentials = [Fraction(0), *(row[size] for row in rows)]
    return [float(potentials[b.start] - potentials[b.end]) for b in branches]


@settings(max_examples=10)
@given(branches=linear_networks())
def test_random_linear_networks_over_many_decades(simulate: Simulate, branches: list[Branch]) -> None:
    """Each law and each balance must hold relative to the largest term in it, however badly conditioned the
    network is; and the voltages are those of exact arithmetic."""
    result = simulate(translated(modelica(branches)), stop_time=1.0, interval=1.0)
    v = np.array([result[f"b{k}.v"][-1] for k in range(len(branches))])
    i = np.array([result[f"b{k}.i"][-1] for k in range(len(branches))])
    largest = np.abs(v).max()
    for k, b in enumerate(branches):
        match b.kind:
            case "Battery":
                assert v[k] == pytest.approx(b.values["V"], abs=1e-11 * largest)
            case "Current":
                assert i[k] == pytest.approx(-b.values["I"], abs=1e-11 * np.abs(i).max())
            case _:
                g = b.values.get("G") or 1 / b.values["R"]
                assert i[k] == pytest.approx(g * v[k], abs=1e-11 * g * largest)
    for node in range(1, max(max(b.start, b.end) for b in branches) + 1):
        balance = [
            i[k] * ((b.start == node) - (b.end == node)) for k, b in enumerate(branches) if b.start != b.end
        ]
        assert abs(sum(balance)) <= 1e-9 * max(map(abs, balance))
    np.testing.assert_allclose(v, exact_voltages(branches), rtol=0, atol=1e-7 * largest)


@st.composite
def nonlinear_networks(draw: st.DrawFn) -> list[Branch]:
    """One battery, one current at most, and resistors with i = G v + H v^3."""
    edges, tree = draw(topologies())
    battery = draw(st.integers(0, tree - 1))
    values = st.sampled_from([0.01, 0.1, 0.5, 1.0, 3.0])
    branches = []
    for k, (start, end) in enumerate(edges):
        if k == battery:
            branches.append(branch("Battery", start, end, V=draw(st.sampled_from([-5.0, 0.5, 20.0]))))
        elif k == len(edges) - 1 and draw(st.booleans()):
            branches.append(branch("Current", start, end, I=draw(values)))
        else:
            branches.append(branch("Cubic", start, end, G=draw(values), H=draw(values)))
    return branches


@settings(max_examples=10)
@given(branches=nonlinear_networks())
def test_random_nonlinear_networks(simulate: Simulate, branches: list[Branch]) -> None:
    result = simulate(translated(modelica(branches)), stop_time=1.0, interval=1.0)
    nodes = max(max(b.start, b.end) for b in branches)

    def balances(x: Matrix) -> Matrix:
        """Potentials of the nodes and the battery's current: the sum of currents at each node, its law."""
        potentials = np.concatenate([[0.0], x[:-1]])
        sums = np.zeros(nodes + 2)
        for b in branches:
            v = potentials[b.start] - potentials[b.end]
            match b.kind:
                case "Battery":
                    i, sums[-1] = x[-1], v - b.values["V"]
                case "Current":
                    i = -b.values["I"]
                case _:
                    i = b.values["G"] * v + b.values["H"] * v**3
            sums[b.start] += i
            sums[b.end] -= i
        return sums[1:]

    found = least_squares(balances, np.zeros(nodes + 1), xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=5000)
    assert np.abs(found.fun).max() < 1e-7
    potentials = np.concatenate([[0.0], found.x[:-1]])
    for k, b in enumerate(branches):
        expected = potentials[b.start] - potentials[b.end]
        assert result[f"b{k}.v"][-1] == pytest.approx(expected, abs=1e-5), f"b{k}.v"
