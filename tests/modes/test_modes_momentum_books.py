"""Impulses are complete: over a whole run, what they and the forces add up to is the change of momentum."""

from __future__ import annotations

import pytest

import saltus

METHODS = ("bdf", "adams", "ida", "rk45", "auto")
PARTS = "Saltus.Translational."


@pytest.mark.parametrize("method", METHODS)
def test_a_mass_that_bounces_and_comes_to_rest(method: str) -> None:
    model = saltus.load(f"""model M
      {PARTS}Mass m(m = 2, s(start = 1, fixed = true), v(start = 0, fixed = true));
      {PARTS}Contact c(e = 0.8, v_rest = 0.05);
      {PARTS}Fixed floor(s0 = 0);
      {PARTS}Sources.ConstantForce w(f = -2*9.81);
      Real pushed(start = 0, fixed = true) "by the floor, while it touches";
    equation
      connect(floor.flange, c.flange_a);
      connect(c.flange_b, m.flange_a);
      connect(w.flange, m.flange_b);
      der(pushed) = if c.touching and not c.hit then m.flange_a.f else 0;
    end M;""")
    result = model.simulate(stop_time=6, tolerance=1e-9, method=method)
    handed = sum(one.weight for one in result.impulses["m.flange_a.f"])
    assert len(result.impulses["m.flange_a.f"]) > 20 and result["m.v"][-1] == pytest.approx(0, abs=1e-9)
    assert handed + result["pushed"][-1] == pytest.approx(2 * 9.81 * 6, rel=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_a_constraint_that_is_written_for_one_instant(method: str) -> None:
    model = saltus.load("""model M
      Real h(start = 1, fixed = true), v(start = 0, fixed = true), f;
      Boolean low = h <= 0, hit(start = false, fixed = true);
      discrete Real out(start = 0, fixed = true);
    equation
      der(h) = v;
      3*der(v) = -3*9.81 + f;
      hit = edge(low);
      when low then out = -0.7*pre(v); end when;
      if hit then v = out; else f = 0; end if;
    end M;""")
    result = model.simulate(stop_time=2, tolerance=1e-9, method=method)
    handed = sum(one.weight for one in result.impulses["f"])
    assert len(result.impulses["f"]) >= 2
    assert handed == pytest.approx(3 * result["v"][-1] + 3 * 9.81 * 2, rel=1e-9)


@pytest.mark.parametrize("place", [1, 1.000001, 1.5])
@pytest.mark.parametrize("e", [0, 0.5, 1])
def test_three_masses_in_a_row(place: float, e: float) -> None:
    model = saltus.load(f"""model M
      {PARTS}Mass a(m = 1, s(start = 0, fixed = true), v(start = 1, fixed = true));
      {PARTS}Mass b(m = 2, s(start = 1, fixed = true), v(start = 0, fixed = true));
      {PARTS}Mass d(m = 3, s(start = {place}, fixed = true), v(start = 0, fixed = true));
      {PARTS}Contact c(e = {e}, v_rest = 1e-6), k(e = {e}, v_rest = 1e-6);
    equation
      connect(a.flange_b, c.flange_a);
      connect(c.flange_b, b.flange_a);
      connect(b.flange_b, k.flange_a);
      connect(k.flange_b, d.flange_a);
    end M;""")
    result = model.simulate(stop_time=4, tolerance=1e-9)
    first = sum(one.weight for one in result.impulses["a.flange_b.f"])
    second = sum(one.weight for one in result.impulses["d.flange_a.f"])
    assert first == pytest.approx(result["a.v"][-1] - 1, abs=1e-9)
    assert second == pytest.approx(3 * result["d.v"][-1], abs=1e-9)
    assert -first - second == pytest.approx(2 * result["b.v"][-1], abs=1e-9)
