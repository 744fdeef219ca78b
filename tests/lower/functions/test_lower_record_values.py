"""Records as values: constructors, modification, sizes that depend on fields, arrays of records."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

R = "record R Real a = 1; Real b; parameter Integer n = 2; Real v[n] = ones(n); end R;"

VALUES = [
    Case(
        "constructors with defaults, positions and names (12.6)",
        R + "model M R p = R(b = 3), q = R(1, 2, 2, {5, 6}), r(a = 4, b = 5); end M;",
        {"p.a": 1, "p.b": 3, "p.v[2]": 1, "q.v[2]": 6, "r.a": 4},
    ),
    Case(
        "records in records, modified on top of a value",
        R
        + """
        record S R r; Real k; end S;
        model M
          parameter R p = R(b = 5);
          S s(r(b = 3), k = 2), t = S(k = 1, r = R(b = 7)), u(r = R(b = 8, a = 9), k = 3);
          S w(r = p, r(a = 3), k = 1);
        end M;
        """,
        {"s.r.b": 3, "s.r.a": 1, "t.r.b": 7, "u.r.a": 9, "w.r.b": 5, "w.r.a": 3},
    ),
    Case(
        "sizes that depend on other fields",
        """
        record T parameter Integer n = 2; Real x[n] = zeros(n); end T;
        model M
          T t = T(n = 3, x = {1, 2, 3}), u(n = 2, x = {4, 5});
          parameter T w(n = 1);
          Real s = sum(t.x);
        end M;
        """,
        {"s": 6, "u.x[2]": 5, "w.x[1]": 0},
    ),
    Case(
        "constants and final fields are no inputs of the constructor",
        """
        record F final parameter Real a = 1; Real b; constant Real c = 5; end F;
        model M F f = F(2); end M;
        """,
        {"f.a": 1, "f.b": 2, "f.c": 5},
    ),
    Case(
        "slices of arrays of records (10.6.9)",
        R
        + """
        model M
          R r[3](b = {1, 2, 3}), q = r[2];
          Real x[3] = r.b, y = sum(r[2:3].b), z[3, 2] = r.v, w[3] = r[:].v[1];
        end M;
        """,
        {"x[3]": 3, "y": 5, "z[3,1]": 1, "w[3]": 1, "q.b": 2},
    ),
    Case(
        "parameters of a record are not part of an equation",
        """
        record R parameter Integer n = 2; Real x, v[n]; end R;
        function f input R r; output R q; algorithm q := r; q.x := r.x + 1; end f;
        model M
          R r, q, s[2];
        equation
          r = if time >= 0 then R(2, 7, {1, 2}) else R(2, 0, {0, 0});
          q = f(r);
          s = {R(2, 10*i, {i, i}) for i in 1:2};
        end M;
        """,
        {"r.x": 7, "q.x": 8, "q.v[2]": 2, "s[2].x": 20},
    ),
    Case(
        "records of Integers for records of Reals (10.6.13)",
        """
        record I Integer a, b; end I;
        record D Real a, b; end D;
        model M D d = D(1, 2), e; I i = I(3, 4); equation e = D(i.a, i.b); end M;
        """,
        {"d.a": 1, "e.b": 4},
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


REFUSALS = [
    Refusal("a field that is not there", R + "model M R r = R(b = 1, c = 2); end M;", "E212", ("`c`",)),
    Refusal("a field without a value", R + "model M R r = R(a = 1); end M;", "E212", ("`b`",)),
    Refusal(
        "a final field",
        "record F final parameter Real a = 1; Real b; end F; model M F f = F(2, 3); end M;",
        "E212",
        ("1 argument",),
    ),
    Refusal(
        "records with other fields",
        "record A Real x = 1; end A; record B Real y; end B; model M A a; B b; equation b = a; end M;",
        "E206",
    ),
]


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
