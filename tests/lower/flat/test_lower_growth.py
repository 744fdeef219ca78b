"""What a component costs to flatten does not depend on how many there are.

Times are too noisy to say so within a few per cent. The calls that Python makes are not: they are the same
in every run.
"""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable

import pytest

from linear_elements import LINEAR
from lowered_values import lower
from saltus.compiler import load_flat

PARTS = f"""{LINEAR}
model Warm
  extends Resistor(final R = 2);
  Real loss = v*i;
end Warm;

model Cell
  Pin p, n, g;
  replaceable model Series = Resistor constrainedby TwoPin;
  Series along;
  Resistor across(R = 3);
equation
  connect(p, along.p);
  connect(along.n, n);
  connect(n, across.p);
  connect(across.n, g);
end Cell;
"""


def as_array(n: int) -> str:
    """A ladder of n cells, declared together and connected in a loop."""
    return f"""{PARTS}
model Ladder
  Cell cell[{n}](redeclare each model Series = Warm);
  Ground ground;
equation
  connect(ground.p, cell[1].p);
  for k in 2:{n} loop
    connect(cell[k - 1].n, cell[k].p);
  end for;
  for k in 1:{n} loop
    connect(cell[k].g, ground.p);
  end for;
end Ladder;
"""


def one_by_one(n: int) -> str:
    """The same ladder, each cell declared and connected by itself."""
    cells = "".join(f"  Cell c{k}(redeclare model Series = Warm);\n" for k in range(n))
    along = "".join(f"  connect(c{k}.n, c{k + 1}.p);\n" for k in range(n - 1))
    down = "".join(f"  connect(c{k}.g, ground.p);\n" for k in range(n))
    return f"""{PARTS}
model Ladder
  Ground ground;
{cells}equation
  connect(ground.p, c0.p);
{along}{down}end Ladder;
"""


def calls_per_equation(text: str) -> float:
    """How many calls a flat equation costs."""
    profile = cProfile.Profile()
    flat = profile.runcall(load_flat, text, "Ladder")
    return float(pstats.Stats(profile).total_calls) / len(flat.clauses)  # type: ignore[attr-defined]


@pytest.mark.parametrize("ladder", [as_array, one_by_one])
def test_four_times_as_many_components_cost_no_more_each(ladder: Callable[[int], str]) -> None:
    load_flat(ladder(3), "Ladder")  # what is imported and made once is not the components' price
    assert calls_per_equation(ladder(160)) <= 1.01 * calls_per_equation(ladder(40))


def fan(n: int) -> str:
    """A function of many numbers that gives as many, called at an event: each equation has the whole call."""
    return f"""
model Fan
  function scaled
    input Real u[:];
    output Real y[size(u, 1)];
  algorithm
    for k in 1:size(u, 1) loop
      y[k] := u[k]*u[1];
    end for;
  end scaled;
  block Scaling
    input Real u[{n}];
    discrete output Real y[{n}](each start = 0, each fixed = true);
  equation
    when time > 0.5 then
      y = scaled(u);
    end when;
  end Scaling;
  Scaling scaling;
  Real x[{n}] = {{k*time for k in 1:{n}}};
equation
  scaling.u = x;
end Fan;
"""


def test_results_of_one_call_are_not_each_gone_through_with_all_arguments() -> None:
    def calls(n: int) -> float:
        profile = cProfile.Profile()
        profile.runcall(lower, fan(n))
        return float(pstats.Stats(profile).total_calls) / n  # type: ignore[attr-defined]

    lower(fan(3))
    assert calls(320) <= 1.1 * calls(80)
