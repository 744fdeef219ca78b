"""Modes that say too much of some quantities and nothing of others: what is taken out, what is held, and the
values that follow. The truth is numpy's solution of least norm, or worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from analyse_models import Model, solve_blocks
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import structural_rank

from saltus.analyse.analysis import _running_system
from saltus.analyse.blocks.blocks import BlockMaker
from saltus.analyse.index.reduction import Reduction
from saltus.analyse.index.trial import TrialValues
from saltus.analyse.modes.undetermined import completed
from saltus.analyse.order.singular import constrains_states
from saltus.analyse.trivial.alias import Reduced, eliminate
from saltus.compiler import load_flat
from saltus.core.diagnostics import Diagnostic, ModelError
from saltus.core.nullspace import PRIME, dependent_rows, null_space, rational, residue
from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import TIME, Expr, add, apply, const, item, mul, ref
from saltus.expr.show import show
from saltus.expr.traversal import substitute
from saltus.ir.flat import Equation
from saltus.ir.hybrid import Check
from saltus.ir.sorted.modes import Open
from saltus.lower.hybrid.clauses import to_hybrid


def in_mode(text: str, **fixed: bool) -> Reduced:
    """The model with constants for Booleans in its continuous equations; dots in names are written `__`."""
    reduced = eliminate(to_hybrid(load_flat(text)))
    model = reduced.model
    names = {name.replace("__", "."): const(value) for name, value in fixed.items()}
    symbols = {v.symbol for v in model.discretes} | {r.symbol for r in model.relations}
    constants = {ref(s): names[s.name] for s in symbols if s.name in names}
    assert len(constants) == len(names)
    discrete = {ref(v.symbol) for v in model.discretes}
    written = dict(reduced.written)
    equations = []
    for q in model.equations:
        new = q
        if not discrete & {q.lhs, q.rhs}:
            new = Equation(substitute(q.lhs, constants), substitute(q.rhs, constants), q.span, q.origin)
            written[new] = written.get(q, q)
        equations.append(new)
    return Reduced(replace(model, equations=tuple(equations)), reduced.aliases, written)


def complete(reduced: Reduced, *, thorough: bool = False) -> tuple[Reduced, Open]:
    found = completed(reduced, _running_system(reduced.model), thorough=thorough)
    assert found is not None
    new, open_ = found
    new.model.verify()
    again = completed(new, _running_system(new.model), thorough=thorough)
    assert again is None, "nothing is left to complete"
    return new, open_


def refused(reduced: Reduced) -> Diagnostic:
    with pytest.raises(ModelError) as caught:
        complete(reduced)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def solved(reduced: Reduced, open_: Open, held: dict[str, float], **given: Any) -> dict[str, Any]:
    """Everything by name, block after block, where what is held had these values when the mode was entered
    and the states that are left have the given ones. Checks must hold."""
    system = _running_system(reduced.model)
    matched = system.match()
    if constrains_states(reduced, system, matched):
        reduction = Reduction(reduced, system)
        reduced, _ = reduction.rebuilt(reduction.choose(TrialValues(reduced.model)), first=False)
        system = _running_system(reduced.model)
        matched = system.match()
    assert min(matched) >= 0 and len(matched) == len(system.unknowns)
    values: dict[Expr, Any] = {TIME: 0.0}
    for v in (*reduced.model.constants, *reduced.model.parameters):
        if v.binding is not None:
            values[ref(v.symbol)] = evaluate(v.binding, values.__getitem__)
    names = {hidden: x.name for x, hidden in open_.kept.items()}
    values.update({ref(hidden): held[name] for hidden, name in names.items()})
    values.update({ref(v.symbol): given[v.name.replace(".", "__")] for v in reduced.model.states})
    values.update({ref(v.symbol): False for v in reduced.model.discretes})
    blocks = BlockMaker(reduced.model).sorted_blocks(system, matched)
    continuous = tuple(
        b for b in blocks if not any(system.column[x] >= system.continuous for x in b.unknowns)
    )
    values = solve_blocks(continuous, values)
    for check in reduced.model.checks:
        assert holds(check, values)
    return {show(leaf): value for leaf, value in values.items()}


def holds(check: Check, values: dict[Expr, Any]) -> bool:
    return bool(evaluate(check.condition, values.__getitem__))


def least_change(matrix: Any, right: Any, held: Any, nominals: Any = 1.0) -> Any:
    """The solution of A x = b that is nearest to `held`."""
    matrix, right, held = (np.asarray(a, dtype=float) for a in (matrix, right, held))
    n = np.ones(len(held)) * nominals
    return held + n * (np.linalg.pinv(matrix * n) @ (right - matrix @ held))


CIRCUIT = """
connector Pin Real v; flow Real i; end Pin;
partial model TwoPin Pin p, n; Real v, i; equation v = p.v - n.v; i = p.i; p.i + n.i = 0; end TwoPin;
model Ground Pin p; equation p.v = 0; end Ground;
model Source extends TwoPin; equation v = 5 + sin(time); end Source;
model Resistor extends TwoPin; parameter Real R = 2; equation v = R*i; end Resistor;
model Capacitor extends TwoPin; parameter Real C = 1e-12; equation C*der(v) = i; end Capacitor;
model Inductor extends TwoPin; parameter Real L = 0.1; equation L*der(i) = v; end Inductor;
model Switch extends TwoPin; Boolean closed = time > 1; equation 0 = if closed then v else i; end Switch;
"""


# ---------------------------------------------------------------- what is open


def test_two_floating_nodes_joined_by_a_resistor_meet_in_the_middle() -> None:
    reduced = in_mode("model M Real a, b, i; equation a - b = 2*i; i = 0; end M;")
    new, open_ = complete(reduced)
    assert {s.name for s in open_.kept} == {"a", "b"} and not open_.multipliers
    assert [v.name for v in new.model.parameters] == ["$held.a", "$held.b"]
    assert all(v.final for v in new.model.parameters)
    found = solved(new, open_, {"a": 3.0, "b": 1.0})
    assert found["a"] == pytest.approx(2.0) and found["b"] == pytest.approx(2.0) and found["i"] == 0.0


def test_what_no_equation_speaks_of_keeps_its_value() -> None:
    new, open_ = complete(in_mode("model M Real a, b; equation a = time; end M;"))
    assert [s.name for s in open_.kept] == ["b"] and not open_.multipliers and not new.model.checks
    assert solved(new, open_, {"b": 7.0})["b"] == 7.0


def test_nominal_values_say_what_changes_little() -> None:
    new, open_ = complete(
        in_mode("model M parameter Real k = 3; Real a(nominal = k), b; equation a + b = 1; end M;")
    )
    found = solved(new, open_, {"a": 10.0, "b": 0.0})
    assert found["a"] == pytest.approx(1.9) and found["b"] == pytest.approx(-0.9)  # 9 to 1


def test_parallel_closed_switches_share_the_change_of_their_current() -> None:
    text = f"""{CIRCUIT} model M Source s; Resistor r; Switch a, b; Ground g; equation connect(s.p, r.p);
      connect(r.n, a.p); connect(r.n, b.p); connect(a.n, s.n); connect(b.n, s.n); connect(g.p, s.n); end M;"""
    new, open_ = complete(in_mode(text, a__closed=True, b__closed=True), thorough=True)
    names = {s.name for s in open_.kept}
    assert len(names) == 2 and len(open_.equations) == 1
    first, second = sorted(names)
    found = solved(new, open_, {first: 1.5, second: 0.0})
    # 5/2 A in all: each gets half of the change.
    assert abs(found[first]) == pytest.approx(2.0) and abs(found[second]) == pytest.approx(0.5)


def test_an_island_of_three_resistors() -> None:
    """The balance of one node says what that of the other says, which only the coefficients show."""
    reduced = in_mode(
        """model M Real a, b, i, j, k; parameter Real R = 3; equation
          a - b = i; a - b = 2*j; a - b = R*k; i + j + k = 0; -i - j - k = 0; end M;"""
    )
    assert completed(reduced, _running_system(reduced.model)) is None, "structure alone sees nothing"
    new, open_ = complete(reduced, thorough=True)
    assert {s.name for s in open_.kept} == {"a", "b"} and not open_.multipliers
    assert [q.span.text for q in open_.excess] == ["-i - j - k = 0"]
    found = solved(new, open_, {"a": 1.0, "b": 6.0})
    assert [found[x] for x in "abijk"] == pytest.approx([3.5, 3.5, 0, 0, 0])


def test_a_charged_island_floats_and_keeps_its_charge() -> None:
    """A resistor and a capacitor between open switches: the voltage between them is no open quantity, however
    small the capacitance, and the state is none that the mode loses."""
    text = f"""{CIRCUIT} model M Source s; Switch a, b; Resistor r; Capacitor c; Ground g; equation
      connect(g.p, s.n); connect(s.p, a.p); connect(s.n, b.p); connect(a.n, r.p); connect(a.n, c.p);
      connect(b.n, r.n); connect(b.n, c.n); end M;"""
    reduced = in_mode(text, a__closed=False, b__closed=False)
    new, open_ = complete(reduced, thorough=True)
    assert {"a.n.v", "b.n.v"} <= {s.name for s in open_.kept} <= {"a.n.v", "b.n.v", "a.v", "b.v"}
    assert [v.name for v in new.model.states] == ["c.v"]
    found = solved(new, open_, {"a.n.v": 7.0, "b.n.v": 1.0, "a.v": -2.0, "b.v": -1.0}, c__v=4.0)
    assert found["der(c.v)"] == pytest.approx(-2e12)
    # a.v = 5 - p and b.v = 0 - n with p - n = 4: the sum of squares is least for p = 6, by symmetry.
    assert [found[x] for x in ("a.n.v", "b.n.v")] == pytest.approx([6.0, 2.0])
    # The same where the equation that says nothing new was taken out before: now structure sees it too.
    left = tuple(q for q in reduced.model.equations if q not in open_.excess)
    _, same = complete(Reduced(replace(reduced.model, equations=left), reduced.aliases, reduced.written))
    assert {s.name for s in same.kept} == {s.name for s in open_.kept} and not same.excess


def test_a_bridge_of_blocking_diodes() -> None:
    """Source and inductor on one side, a charged capacitor and a resistor on the other: nothing says how high
    the potentials p and n of that side are. The current of the inductor is forced to zero meanwhile."""
    text = f"""{CIRCUIT} model Diode extends TwoPin; Real s; Boolean off = s < 0;
      equation v = if off then s else 0; i = if off then 0 else s; end Diode;
      model M Source s; Ground g; Inductor l; Diode a, b, c, d; Resistor r; Capacitor k(C = 1e-6); equation
      connect(g.p, s.n); connect(s.p, l.p); connect(l.n, a.p); connect(b.n, l.n); connect(g.p, c.p);
      connect(d.n, g.p); connect(a.n, r.p); connect(c.n, r.p); connect(b.p, r.n); connect(d.p, r.n);
      connect(k.p, r.p); connect(k.n, r.n); end M;"""
    blocked = dict.fromkeys(("a__off", "b__off", "c__off", "d__off"), True)
    relations = {f"$relation{k}": True for k in range(1, 5)}
    new, open_ = complete(in_mode(text, **blocked, **relations), thorough=True)
    names = ["a.n.v", "b.p.v", *(f"{diode}.{x}" for x in "vs" for diode in "abcd")]
    assert {s.name for s in open_.kept} == set(names) and not open_.multipliers
    held = np.arange(1.0, 11.0)
    found = solved(new, open_, dict(zip(names, held.tolist(), strict=True)), k__v=8.0)
    assert found["l.i"] == 0.0 and found["der(k.v)"] == pytest.approx(-8.0 / (2.0 * 1e-6))
    # p - n = 8, and the voltages of the diodes, with 5 at the inductor: 5 - p, n - 5, -p, n.
    voltages = np.array([[1, -1], [-1, 0], [0, 1], [-1, 0], [0, 1]])
    matrix = np.zeros((9, 10))
    matrix[:5, :2], matrix[1:5, 2:6] = voltages, -np.eye(4)
    matrix[5:, 2:6], matrix[5:, 6:] = np.eye(4), -np.eye(4)
    right = [8, -5, 5, 0, 0, 0, 0, 0, 0]
    assert [found[x] for x in names] == pytest.approx(least_change(matrix, right, held))


def test_open_inductor_and_what_floats_beside_it() -> None:
    """The current is forced to zero, so its equation is differentiated; the potential beside it is open."""
    new, open_ = complete(
        in_mode("model M Real i, p, n, f; equation 0.1*der(i) = p - n; i = 0; n = 1; end M;")
    )
    assert [s.name for s in open_.kept] == ["f"]
    found = solved(new, open_, {"f": 2.0})
    assert found["p"] == pytest.approx(1.0) and found["f"] == 2.0


def test_two_locked_clutches_between_the_same_shafts() -> None:
    """The second says what the first says, but how they share the torque nobody says. They move as one."""
    text = """model M Real w(start = 1), v(start = 1), t, u; parameter Real J = 2, K = 3; equation
      J*der(w) = 10 - t - u; K*der(v) = t + u; w - v = 0*time; 2*w = 2*v + 0*time; end M;"""
    reduced = in_mode(text)
    new, open_ = complete(reduced, thorough=True)
    assert {s.name for s in open_.kept} == {"t", "u"} and len(open_.excess) == 1
    for state in ("v", "w"):
        found = solved(new, open_, {"t": 1.0, "u": 0.0}, **{state: 4.0, "vw".replace(state, ""): 4.0})
        assert found["w"] == found["v"] == 4.0
        # 10/(2 + 3) is the acceleration, 3 times that the torque: 5 more than before, half for each.
        assert [found["t"], found["u"]] == pytest.approx([3.5, 2.5])


def test_nonlinear_equations_between_open_quantities() -> None:
    """On the circle, the nearest point to (3, 4) lies on the ray to it."""
    new, open_ = complete(in_mode("model M Real x(start = 1), y; equation x^2 + y^2 = 1; end M;"))
    hidden = [v for v in new.model.algebraics if v.symbol in open_.multipliers]
    assert [v.name for v in hidden] == ["$multiplier1"] and hidden[0].protected
    found = solved(new, open_, {"x": 3.0, "y": 4.0})
    assert [found["x"], found["y"]] == pytest.approx([0.6, 0.8])


class _Opaque:
    """A function without a derivative."""

    name = "opaque"
    linear_inputs = 0


def test_without_a_derivative_enough_quantities_are_held() -> None:
    m = Model()
    x, y = m.algebraic("x"), m.algebraic("y")
    m.equation(y, item(apply(_Opaque(), (x,)), 0))
    new, open_ = complete(eliminate(m.build()))
    assert len(open_.kept) == 1 and not open_.multipliers
    (held,) = open_.kept.items()
    assert new.model.equations[-1].lhs is ref(held[0]) and new.model.equations[-1].rhs is ref(held[1])


@settings(max_examples=150, deadline=None)
@given(st.data(), st.integers(1, 5), st.integers(1, 5), st.booleans(), st.booleans())
def test_random_systems_have_the_solution_of_least_change(
    data: Any, m: int, n: int, thorough: bool, named: bool
) -> None:
    """Coefficients are numbers or, `named`, parameters: those give directions, these multipliers."""
    entries = st.sampled_from([0, 0, 0, 1, -1, 2, 3])
    matrix = np.array(data.draw(st.lists(entries, min_size=m * n, max_size=m * n))).reshape(m, n)
    numbers = st.integers(-4, 4).map(float)
    point, held = (np.array(data.draw(st.lists(numbers, min_size=n, max_size=n))) for _ in range(2))
    nominals = np.array(data.draw(st.lists(st.sampled_from([0.5, 1.0, 4.0]), min_size=n, max_size=n)))
    right = matrix @ point
    rank = int(np.linalg.matrix_rank(matrix))
    if not thorough:
        assume(rank == structural_rank(csr_matrix(matrix)))
    model = Model()
    xs = [model.algebraic(f"x{j}", nominal=const(float(s))) for j, s in enumerate(nominals)]
    known: dict[Expr, float] = {}

    def coefficient(value: float) -> Expr:
        if not named:
            return const(value)
        p = model.parameter(f"p{len(known)}", binding=const(value))
        known[p] = value
        return p

    for row, b in zip(matrix, right, strict=True):
        terms = (mul(coefficient(float(a)), x) for a, x in zip(row, xs, strict=True) if a)
        model.equation(add(*terms, const(0.0)), const(float(b)))
    reduced = Reduced(model.build(), (), {})
    found = completed(reduced, _running_system(reduced.model), thorough=thorough)
    if rank == m == n:
        assert found is None
        return
    assert found is not None
    new, open_ = found
    assert len(open_.excess) == m - rank
    unknowns = [ref(v.symbol) for v in new.model.algebraics]
    assert len(new.model.equations) == len(unknowns)
    known.update({ref(hidden): held[int(x.name[1:])] for x, hidden in open_.kept.items()})
    assert len(open_.multipliers) == (len(open_.equations) if named else 0)

    def residuals(x: Any) -> Any:
        values = known | dict(zip(unknowns, x, strict=True))
        sides = [
            (evaluate(q.lhs, values.__getitem__), evaluate(q.rhs, values.__getitem__))
            for q in new.model.equations
        ]
        return np.array([a - b for a, b in sides])

    at_zero = residuals(np.zeros(len(unknowns)))
    full = np.array([residuals(e) - at_zero for e in np.eye(len(unknowns))]).T
    solution = np.linalg.solve(full, -at_zero)
    assert solution[:n] == pytest.approx(least_change(matrix, right, held, nominals), abs=1e-9)
    values = known | dict(zip(unknowns, solution.tolist(), strict=True))
    assert all(holds(check, values) for check in new.model.checks)


@pytest.mark.parametrize("coefficient", ["m", "(if c then 1 else 0)"])
def test_what_may_change_within_the_mode_decides_nothing(coefficient: str) -> None:
    """At the start m is 0 and c is false: with these coefficients nothing would determine s."""
    reduced = in_mode(
        f"""model M Real s; Integer m(start = 0); Boolean c(start = false); equation
          m = if time > 1 then 1 else 0; c = time > 2; {coefficient}*s = 2; end M;"""
    )
    assert completed(reduced, _running_system(reduced.model), thorough=True) is None


@pytest.mark.parametrize(("p", "open_"), [("false", False), ("true", True)])
def test_what_parameters_decide_is_decided(p: str, open_: bool) -> None:
    text = f"model M parameter Boolean p = {p}; Real b; equation b = (if p then 1 else 0)*b + 0*time; end M;"
    reduced = in_mode(text)
    assert (completed(reduced, _running_system(reduced.model), thorough=True) is not None) is open_


# ---------------------------------------------------------------- what is in excess


def test_a_shorted_source_is_told_with_both_equations() -> None:
    text = f"""{CIRCUIT} model M Source s; Switch a; Ground g; equation connect(s.p, a.p); connect(a.n, s.n);
      connect(g.p, s.n); end M;"""
    new, open_ = complete(in_mode(text, a__closed=True))
    (check,) = new.model.checks
    assert check.code == "E410" and not check.warning
    assert str(check.message.data).startswith("the ideal parts `s` and `a` contradict each other")
    message = check.notes[0].message
    assert message.startswith("these equations cannot hold together in this mode: `s.v = ")
    assert "`s.v = sin(time) + 5.0`" in message and "`0 = if a.closed then a.v else a.i`" in message
    places = {check.span.text, *(note.span.text for note in check.notes if note.span is not None)}
    assert {"v = 5 + sin(time)", "0 = if closed then v else i"} <= places
    assert open_.excess and not any(open_.excess[0] is q for q in new.model.equations)
    with pytest.raises(AssertionError):
        solved(new, open_, dict.fromkeys((s.name for s in open_.kept), 0.0))


def test_what_is_said_twice_is_checked_once() -> None:
    new, open_ = complete(in_mode("model M Real i, v; equation i = 0; 2*i = 0; end M;"))
    assert len(open_.excess) == 1 and len(new.model.checks) == 1
    found = solved(new, open_, {"v": 1.0})
    assert found["i"] == 0.0 and found["v"] == 1.0


def test_an_equation_of_known_things_alone_is_a_check() -> None:
    reduced = in_mode("model M parameter Real p = 2; Real v; equation p = 3; v = v; end M;")
    new, _ = complete(reduced)
    (check,) = new.model.checks
    assert str(check.message.data) == "this equation does not hold in this mode: `p = 3`" and not check.notes
    (p,) = (ref(v.symbol) for v in new.model.parameters if v.name == "p")
    assert holds(check, {p: 3.0}) and holds(check, {p: 3.0 + 1e-6}) and not holds(check, {p: 3.0001})


@pytest.mark.parametrize(("branch", "checks"), [("0", 0), ("1", 1)])
def test_a_branch_without_unknowns(branch: str, checks: int) -> None:
    text = f"""model M Real p, n; Boolean o = time > 1; equation p - n = 3;
      0 = if o then {branch} else n - 1; end M;"""
    new, open_ = complete(in_mode(text, o=True))
    assert {s.name for s in open_.kept} == {"p", "n"} and len(new.model.checks) == checks
    assert not any(holds(check, {}) for check in new.model.checks)


def test_the_size_of_a_disagreement_is_that_of_its_terms() -> None:
    small = "model M Real i(nominal = 1e-9), v; equation i = 1e-9; i = {}; end M;"
    for other, agree in (("1.0000001e-9", True), ("2e-9", False)):
        new, _ = complete(in_mode(small.format(other)))
        (check,) = new.model.checks
        (i,) = (ref(v.symbol) for v in new.model.algebraics if v.name == "i")
        assert (holds(check, {i: 1e-9}) and holds(check, {i: float(other)})) is agree


def test_constraints_on_states_are_kept_and_so_are_their_motions() -> None:
    """i = 0 and u = 0 and 0.1*der(i) = u: u = 0 follows from the others, while i = 0 does not."""
    new, open_ = complete(in_mode("model M Real i, u, f; equation u = 0; 0.1*der(i) = u; i = 0; end M;"))
    (row,) = open_.excess
    assert row.span.text == "u = 0"
    found = solved(new, open_, {"f": 0.0})
    assert found["u"] == pytest.approx(0.0) and found["i"] == 0.0


# ---------------------------------------------------------------- what must not depend on it


def test_a_state_that_depends_on_an_open_quantity_is_refused() -> None:
    d = refused(in_mode("model M Real x, a, b; equation der(x) = a; a + b = 1; end M;"))
    assert d.code == "E306" and d.message == "`x` depends on `a`, which nothing determines in this mode"
    assert d.span is not None and d.span.text == "der(x) = a"
    assert [n.span.text for n in d.notes if n.span is not None] == ["a"]


def test_states_that_only_share_an_equation_are_refused() -> None:
    d = refused(in_mode("model M Real x, y; equation der(x) + der(y) = 1; end M;"))
    assert d.code == "E306" and "`x` depends on `y`" in d.message


@pytest.mark.parametrize(
    ("declared", "equation", "name"),
    [
        ("discrete Real d;", "when time > 1 then d = a; end when;", "d"),
        ("Real x;", "der(x) = 1; when time > 1 then reinit(x, a); end when;", "x"),
        ("Real y;", "y = delay(a, 1);", "delay(a, 1)"),
    ],
)
def test_what_remembers_an_open_quantity_is_refused(declared: str, equation: str, name: str) -> None:
    d = refused(in_mode(f"model M Real a, b; {declared} equation a + b = 1; {equation} end M;"))
    assert d.code == "E306" and d.message.startswith(f"`{name}` depends on `a`")


def test_conditions_of_events_may_depend_on_open_quantities() -> None:
    reduced = in_mode("model M Real a, b; Boolean c = a > 0; equation a + b = 1; end M;")
    _, open_ = complete(reduced)
    assert {s.name for s in open_.kept} == {"a", "b"}


# ---------------------------------------------------------------- nothing to do


@pytest.mark.parametrize(
    "text",
    [
        "model M Real a, b; equation a + b = 1; a - b = time; end M;",
        "model M Real x, y, f; equation der(x) = f; der(y) = -f; x = 2*y; end M;",  # constrained states
        "model M Real x, y; equation der(x) + x = y; y = 2*x; end M;",  # der(x) is not x
        "model M Real a; Boolean c = a > 0, d = not c; equation a = time; end M;",
    ],
)
def test_complete_models_are_left_alone(text: str) -> None:
    reduced = in_mode(text)
    for thorough in (False, True):
        assert completed(reduced, _running_system(reduced.model), thorough=thorough) is None


def test_discrete_equations_at_fault_are_left_to_the_usual_refusal() -> None:
    reduced = in_mode("model M Boolean c; Real a; equation a + 0*time = if c then 1 else a; end M;")
    assert completed(reduced, _running_system(reduced.model)) is None


# ---------------------------------------------------------------- numbers


MATRICES = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), min_size=n, max_size=n)
)


@given(MATRICES)
def test_null_spaces_and_dependent_rows_are_those_of_the_matrix(matrix: list[list[int]]) -> None:
    rows = [{j: residue(v) for j, v in enumerate(row)} for row in matrix]
    a = np.array(matrix, dtype=float)
    rank = int(np.linalg.matrix_rank(a))
    solutions = null_space(rows, range(4))
    assert len(solutions) == 4 - rank
    for free, solution in solutions.items():
        assert solution[free] == 1 and solution.keys() & solutions.keys() == {free}
        for row in rows:
            assert sum(v * solution.get(j, 0) for j, v in row.items()) % PRIME == 0
    _, _, vectors = np.linalg.svd(a)
    open_ = {j for j in range(4) if rank < 4 and np.abs(vectors[rank:, j]).max() > 1e-9}
    assert {j for solution in solutions.values() for j in solution} == open_
    # A row is dependent exactly where those up to it have no greater rank than those before it.
    ranks = [0, *(int(np.linalg.matrix_rank(a[: k + 1])) for k in range(len(a)))]
    dependent = dependent_rows(rows)
    assert list(dependent) == [k for k in range(len(a)) if ranks[k + 1] == ranks[k]]
    for k, others in dependent.items():
        assert k == max(others) and dependent.keys() & set(others) == {k}
        # Whichever of them is left out, the others are independent: one combination, and it takes all.
        for left_out in others:
            some = [i for i in others if i != left_out]
            assert not some or np.linalg.matrix_rank(a[some]) == len(some)


def test_small_numbers_are_not_zero() -> None:
    rows = [{0: residue(1e-12), 1: residue(-1.0)}, {1: residue(1.0)}]
    assert not dependent_rows(rows) and not null_space(rows, [0, 1])


@given(st.integers(-(10**8), 10**8), st.integers(1, 10**8))
def test_rationals_are_known_by_their_residues(n: int, d: int) -> None:
    assert rational(n * pow(d, -1, PRIME) % PRIME) == Fraction(n, d)
    assert residue(n / 1024) == n * pow(1024, -1, PRIME) % PRIME
