"""Subscripts that vary during the run: of arrays, of arrays of components and of records (section 10.5)."""

from __future__ import annotations

import pytest
from lower_case import Case, Refusal, check_refusal, check_values, named

import saltus
from saltus.compiler import load_flat
from saltus.core.diagnostics import SaltusError
from saltus.expr.nodes import Expr
from saltus.ir.flat import Equation

#: An index that is 1 first and 3 at the end.
INDEX = "Integer i = if time < 0.5 then 1 else 3;"

VALUES = [
    Case(
        "a variable of a component",
        f"""
        model C parameter Real k; Real x[2] = {{k, 10*k}}; end C;
        model M
          C c[3](k = {{1, 2, 3}});
          {INDEX}
          Real a = c[i].k, b[2] = c[i].x, d = c[i].x[2], e[3] = c.x[div(i, 2) + 1];
        end M;
        """,
        {"a": 3, "b[1]": 3, "b[2]": 30, "d": 30, "e[1]": 10, "e[3]": 30},
    ),
    Case(
        "a record, and a field of it",
        f"""
        record R Real x, v[2]; end R;
        model M
          R r[3](x = {{1, 2, 3}}, v = [1, 2; 3, 4; 5, 6]), q = r[i];
          {INDEX}
          Real a = r[i].v[1];
        end M;
        """,
        {"q.x": 3, "q.v[2]": 6, "a": 5},
    ),
    Case(
        "rows, columns and vectors of indices",
        f"""
        model M
          Real A[3, 3] = [1, 2, 3; 4, 5, 6; 7, 8, 9], x[3] = {{1, 2, 3}};
          {INDEX}
          Integer k[2] = {{i, 1}};
          Real row[3] = A[i, :], column[2] = A[2:3, i], y[2] = x[k], z = A[k[1], k[2]], B[2, 2] = A[k, k];
        end M;
        """,
        {"row[1]": 7, "column[2]": 9, "y[1]": 3, "y[2]": 1, "z": 7, "B[1,2]": 7, "B[1,1]": 9},
    ),
    Case(
        "assigned in an algorithm: elements, rows, records",
        f"""
        record R Real a, b; end R;
        model M
          {INDEX}
          Real x[3, 2], y[3];
          R r[2];
        algorithm
          x := zeros(3, 2);
          x[i, :] := {{7, 8}};
          y := zeros(3);
          y[{{i, 2}}] := {{1, 2}};
          for k in 1:2 loop
            r[k] := R(1, 0);
          end for;
          r[div(i, 2) + 1].b := 5;
        end M;
        """,
        {"x[3,2]": 8, "x[1,1]": 0, "y[3]": 1, "y[2]": 2, "r[2].b": 5, "r[1].b": 0},
    ),
    Case(
        "a Boolean index",
        """
        model M
          Real x[Boolean] = {1, 2}, y = x[time > 0.5];
        end M;
        """,
        {"y": 2},
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


REFUSALS = [
    Refusal(
        "a part that is not there",
        f"model C Real x = 1; end C; model M C c[3]; {INDEX} Real a = c[i].y; end M;",
        "E201",
        ("`y`",),
    ),
    Refusal(
        "nothing to choose from",
        f"model M Real x[0]; {INDEX} Real a = x[i]; end M;",
        "E206",
    ),
]


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)


def test_an_index_out_of_range_ends_the_run() -> None:
    text = """
    model C Real x = 1; end C;
    model M C c[3]; Integer i = if time < 0.5 then 1 else 4; Real a = c[i].x; end M;
    """
    with pytest.raises(SaltusError, match="outside 1:3"):
        saltus.load(text).simulate(stop_time=1)


def test_the_choice_is_as_deep_as_the_logarithm_of_the_size() -> None:
    """A chain of a thousand comparisons would be as deep as it is long."""
    text = "model M parameter Real x[1000] = 1:1000; Integer i = integer(time); Real y = x[i + 1]; end M;"
    clauses = load_flat(text).clauses
    (choice,) = [c.rhs for c in clauses if isinstance(c, Equation) and repr(c.lhs) == "y"]

    def depth(e: Expr) -> int:
        return 1 + max((depth(a) for a in e.args), default=0)

    assert depth(choice) < 20
    assert saltus.load(text).simulate(stop_time=0.5)["y"][-1] == 1
