"""The counts of `saltus explain`, against models that were counted by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import saltus
from saltus.show.listings.counts import counts_text, flat_equations, state_reasons
from saltus.tools.cli import main

EXAMPLES = Path(__file__).parents[3] / "examples"

PENDULUM = """
model Pendulum
  parameter Real g = 9.81;
  Real x(start = 0.6), y(start = -0.8), u, v, L, height;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -L*x;
  der(v) = -L*y - g;
  x^2 + y^2 = 1;
  height = y;
end Pendulum;
"""

#: Two capacitors in parallel: one constraint, in which the declarations of u1 and u2 decide.
CAPACITORS = """
model Capacitors
  parameter Real R = 1, C1 = 1, C2 = 3;
  Real u1({first}), u2({second}), i, i1, i2, uR;
equation
  C1*der(u1) = i1;
  C2*der(u2) = i2;
  u1 = u2;
  i = i1 + i2;
  uR = R*i;
  1 = uR + u1;
end Capacitors;
"""


def counts(model: saltus.Model) -> dict[str, list[int]]:
    """The numbers of each labelled row."""
    text = counts_text(model.flat, model.hybrid, model.structure)
    rows = re.findall(r"^  (\S.*?)  +(\d+)(?: +(\d+))?(?= {3}|$)", text, re.MULTILINE)
    return {label: [int(n) for n in numbers if n] for label, *numbers in rows}


def remark(model: saltus.Model, label: str) -> str:
    text = counts_text(model.flat, model.hybrid, model.structure)
    (line,) = [part for part in text.splitlines() if part.startswith(f"  {label} ")]
    return line[49:].strip()  # behind both columns of numbers


def test_the_pendulum_counted_by_hand() -> None:
    model = saltus.load(PENDULUM)
    found = counts(model)
    assert found["flat model"] == [6, 6]
    assert remark(model, "flat model") == "7 variables, 1 constant or parameter"
    assert found["trivial equations gone"] == [5, 5]
    # x' = u and y' = v once, the constraint twice.
    assert found["index reduced"] == [9, 9]
    assert remark(model, "index reduced") == "3 equations differentiated, 4 derivatives in all; index 3"
    assert found["states"] == [2]
    assert found["states given up"] == [2]
    assert found["relations"] == [0]
    assert found["clocks"] == [0]


def test_a_model_with_events_and_a_loop_counted_by_hand() -> None:
    text = """
    model Mixed
      parameter Real p = 2;
      constant Real k = 3;
      Real x(start = 1, fixed = true), a, b, c, y;
      discrete Real s(start = 0, fixed = true);
      Integer n(start = 0, fixed = true);
    equation
      der(x) = -x;
      a + b = p*x;
      a - b = k;
      c = a;
      y = if x > 0.5 then 1 else 2;
      when sample(0, 0.1) then
        s = x;
        n = pre(n) + 1;
      end when;
    end Mixed;
    """
    model = saltus.load(text)
    found = counts(model)
    assert found["flat model"] == [7, 7]  # x, a, b, c, y, s, n
    assert remark(model, "flat model") == "9 variables, 2 constants and parameters"
    assert found["events named"] == [8, 8]  # the condition of the when-clause
    assert found["trivial equations gone"] == [7, 7]  # c = a
    assert found["in loops"] == [2, 2]
    assert remark(model, "in loops") == "1 linear of size 2"
    assert found["blocks"] == [6]  # x, {a, b}, y, s, n, the condition
    assert remark(model, "blocks") == "5 explicit, 1 linear, 0 nonlinear; 3 of them discrete"
    assert found["largest loop"] == [2]
    assert found["relations"] == [1]
    assert found["clocks"] == [1]
    assert found["states"] == [1]
    assert "index reduced" not in found
    assert "states given up" not in found


def test_many_loops_are_counted_by_size() -> None:
    pairs = "".join(f"a[{k}] + b[{k}] = {k}; a[{k}] - 2*b[{k}] = time;" for k in range(1, 6))
    text = f"model Pairs Real a[5], b[5], z(start = 1); equation {pairs} z^3 + z = time; end Pairs;"
    model = saltus.load(text)
    assert remark(model, "in loops") == "5 linear of size 2, 1 nonlinear of size 1"
    assert counts(model)["in loops"] == [11, 11]


def test_branches_of_an_if_equation_count_once() -> None:
    text = """
    model Branches
      Real x(start = 0, fixed = true), y;
    equation
      if time > 1 then
        der(x) = 1;
        y = x;
      else
        der(x) = 2;
        y = -x;
      end if;
    end Branches;
    """
    assert counts(saltus.load(text))["flat model"] == [2, 2]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.mo")), ids=lambda p: p.stem)
def test_the_flat_examples_have_as_many_equations_as_unknowns(path: Path) -> None:
    model = saltus.load(path)
    unknowns, equations = counts(model)["flat model"]
    assert unknowns == equations == flat_equations(model.flat.clauses)


@pytest.mark.parametrize(
    ("first", "second", "state", "reason"),
    [
        ("start = 0, fixed = true", "start = 0", "u1", "fixed = true"),
        ("start = 0", "start = 0, fixed = true", "u2", "fixed = true"),
        ("start = 0", "", "u1", "a start value is given"),
        ("stateSelect = StateSelect.prefer", "start = 0, fixed = true", "u1", "stateSelect = prefer"),
        ("", "stateSelect = StateSelect.always", "u2", "stateSelect = always"),
        ("stateSelect = StateSelect.avoid", "", "u2", "the others have stateSelect = never or avoid"),
    ],
)
def test_why_a_state_was_chosen(first: str, second: str, state: str, reason: str) -> None:
    model = saltus.load(CAPACITORS.format(first=first, second=second))
    assert state_reasons(model.hybrid, model.structure) == {reason: [state]}


def test_states_that_only_pivots_decide_and_states_that_are_free() -> None:
    model = saltus.load(CAPACITORS.format(first="", second=""))
    ((reason, names),) = state_reasons(model.hybrid, model.structure).items()
    assert reason == "best pivot at the start values"
    assert len(names) == 1
    free = saltus.load("model Free Real z(start = 1, fixed = true); equation der(z) = -z; end Free;")
    assert state_reasons(free.hybrid, free.structure) == {"nothing constrains them": ["z"]}


def test_only_constraints_that_hang_together_are_compared() -> None:
    # b is fixed, but that says nothing about c and d, which are coupled with each other only.
    text = """
    model Two
      Real a(start = 1), b(start = 1, fixed = true), c(start = 1), d(start = 1), f, g, free(start = 1);
    equation
      der(a) + der(b) = f;
      der(c) + der(d) = g;
      f = -a;
      g = -c;
      a = 2*b;
      c = d;
      der(free) = 1;
    end Two;
    """
    model = saltus.load(text)
    reasons = state_reasons(model.hybrid, model.structure)
    assert reasons["fixed = true"] == ["b"]
    assert reasons["nothing constrains them"] == ["free"]
    assert reasons["best pivot at the start values"] in (["c"], ["d"])


def test_long_lists_of_names_are_cut_and_lines_stay_short() -> None:
    model = saltus.load(
        "model Many Real variable[200](each start = 1, each fixed = true); equation "
        "der(variable) = -variable; end Many;"
    )
    text = counts_text(model.flat, model.hybrid, model.structure)
    assert "variable[8] and 192" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 110


def test_the_command_prints_the_counts_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Capacitors.mo"
    path.write_text(CAPACITORS.format(first="start = 0, fixed = true", second=""))
    with pytest.raises(SystemExit) as ending:
        main(["explain", str(path)])
    assert ending.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith("COUNTS ")
    assert out.index("fixed = true: u1") < out.index("SORTED EQUATIONS")
    with pytest.raises(SystemExit):
        main(["explain", str(path), "--quiet"])
    assert capsys.readouterr().out.startswith("SORTED EQUATIONS")
