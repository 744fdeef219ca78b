"""Arrays in every operation (chapter 10): constructors, ranges, products, reductions, sizes of zero."""

from __future__ import annotations

import numpy as np
import pytest
from lower_case import Case, Refusal, check_refusal, check_values, named

import saltus


def model(declarations: str, equations: str = "", before: str = "") -> str:
    section = f"equation {equations}" if equations else ""
    return f"{before} model M {declarations} {section} end M;"


VALUES = [
    Case(
        "ranges (10.4.3)",
        model(
            """
            Real x[:] = 0:0.25:1;
            Integer k[:] = 5:-2:1;
            Real none[:] = 1:0, down[:] = 3.0:1;
            Integer n = size(none, 1) + size(down, 1);
            """
        ),
        {"x[5]": 1, "k[3]": 1, "n": 0},
    ),
    Case(
        "ranges of enumerations and Booleans",
        model(
            """
            type E = enumeration(a, b, c);
            parameter E r[:] = E.a:E.c;
            parameter Boolean b[:] = false:true;
            Integer n = 100*size(r, 1) + 10*size(b, 1) + Integer(r[3]);
            """
        ),
        {"n": 323},
    ),
    Case(
        "comprehensions: the first iterator is the innermost dimension (10.4.1)",
        model("Real a[:, :] = {10*i + j for i in 1:2, j in 1:3}, b[:] = array(i^2 for i in 1:3);"),
        {"a[3,2]": 23, "b[3]": 9},
    ),
    Case(
        "concatenation promotes its parts (10.4.2)",
        model(
            """
            Real v[2] = {1, 2};
            Real a[2, 3] = [v, [3, 4; 5, 6]], b[3, 2] = [1, 2; [3, 4; 5, 6]];
            Real c[1, 3] = [1, 2, 3], d[2, 1] = [v];
            Real p[2, 1, 1] = promote(v, 3), q[2, 2, 1] = [promote(v, 3), fill(7, 2, 1, 1)];
            """
        ),
        {
            "a[1,1]": 1,
            "a[2,1]": 2,
            "a[2,3]": 6,
            "b[3,1]": 5,
            "c[1,3]": 3,
            "d[2,1]": 2,
            "p[2,1,1]": 2,
            "q[2,2,1]": 7,
        },
    ),
    Case(
        "reductions, nested and over nothing (10.3.4)",
        model(
            """
            Real s = sum(i*j for i in 1:3, j in 1:2), nested = sum(sum(i + j for i in 1:j) for j in 1:3);
            Real none = sum(i for i in 1:0), one = product(i for i in 1:0);
            Integer least = min(i for i in {3, 1, 2});
            Real greatest = max([1, 2; 3, 4]);
            Real rows[2] = sum({i, 2*i} for i in 1:3);
            Boolean any = max({false, true}), all = min({false, true});
            """
        ),
        {
            "s": 18,
            "nested": 24,
            "none": 0,
            "one": 1,
            "least": 1,
            "greatest": 4,
            "rows[2]": 12,
            "any": 1,
            "all": 0,
        },
    ),
    Case(
        "sizes of zero (10.7)",
        model(
            """
            parameter Integer n = 0;
            Real x[n], A[n, 3], B[2, n];
            Real C[2, 3] = B*A, y[n] = A*{1, 2, 3}, z[3] = x*A, d = x*x, s = sum(x), e[n] = 2*x + x;
            Real t[3, n] = transpose(A), g[n + 2] = cat(1, x, {1, 2}), f[n] = sin(x), h[n] = x.^2;
            Real rows[3, 3] = [A; identity(3)], columns[2, 1] = [B, {1, 2}];
            Integer sizes = 10*size([A; A], 2) + size([A; A], 1);
            """,
            "for i in 1:n loop x[i] = i; end for;",
        ),
        {"C[1,1]": 0, "z[3]": 0, "d": 0, "s": 0, "g[2]": 2, "rows[3,3]": 1, "columns[2,1]": 2, "sizes": 30},
    ),
    Case(
        "element-wise operators (10.6)",
        model(
            """
            Real x[2] = {1, 2};
            Real a[2] = x.*x, b[2] = 2 ./x, c[2] = 2 .^x, d[2] = 1 .+ x, e[2] = x .- 1, f[2] = x/2;
            Boolean p[2] = {true, false}, q[2] = not p, r[2] = p or q;
            """
        ),
        {"a[2]": 4, "b[2]": 1, "c[2]": 4, "d[2]": 3, "e[1]": 0, "f[1]": 0.5, "q[2]": 1, "r[1]": 1},
    ),
    Case(
        "functions of Integers applied to arrays",
        model(
            """
            Integer a[3] = {-7, 7, 5};
            Integer d[3] = div(a, {2, 2, 2}), m[3] = mod(a, 3), r[3] = rem(a, {3, 3, 3});
            Real f[2] = floor({1.5, -1.5}), c[2] = ceil({1.5, -1.5}), b[2] = abs({-1, 2});
            Integer i[2] = integer({1.5, -1.5}), s[2] = sign({-2.0, 2});
            """
        ),
        {"d[1]": -3, "m[1]": 2, "r[1]": -1, "f[2]": -2, "c[1]": 2, "i[2]": -2, "s[1]": -1, "b[1]": 1},
    ),
    Case(
        "loops without a range run over the indices they are used as (11.2.2.1)",
        model(
            """
            type E = enumeration(a, b);
            Real x[3], y[2, 3], s = sum(x[i] for i), z[E], w[Boolean], c[3] = {2*x[k] for k};
            """,
            """
            for i loop x[i] = i^2; end for;
            for i, j loop y[i, j] = 10*i + j; end for;
            for e loop z[e] = Integer(e); end for;
            for b loop w[b] = if b then 1 else 0; end for;
            """,
        ),
        {"x[3]": 9, "y[2,3]": 23, "s": 14, "z[2]": 2, "w[2]": 1, "c[2]": 8},
    ),
    Case(
        "a deduced range in a loop over components",
        model(
            "C c[3]; Real k[3] = {1, 2, 3};",
            "for i loop c[i].x = 10*k[i]; end for; for i, j loop c[i].y[j] = i + j; end for;",
            "record C Real x, y[2]; end C;",
        ),
        {"c[3].x": 30, "c[3].y[2]": 5},
    ),
    Case(
        "`end` is that of the array it is a subscript of (10.5.2)",
        model(
            """
            Real x[3] = {1, 2, 3}, A[2, 3] = {x, 2*x};
            Integer k[2] = {2, 1};
            Real a = x[k[end]], b = A[end, end], c = sum(x[size(A, 1):end]), d = last(x[1:end - 1]);
            """,
            before="""
            function last input Real v[:]; output Real y; algorithm y := v[end]; end last;
            """,
        ),
        {"a": 1, "b": 6, "c": 5, "d": 2},
    ),
    Case(
        "the size of an array of components",
        model(
            "C c[3]; Integer n = 100*size(c, 1) + 10*ndims(c) + size(c[1].x, 1);",
            "for i in 1:size(c, 1) loop c[i].x = {i, i}; end for;",
            "record C Real x[2]; end C;",
        ),
        {"n": 312, "c[3].x[1]": 3},
    ),
    Case(
        "a size from start values",
        model(
            "Real x[:](start = {1, 2, 3}, each fixed = true); Integer n = size(x, 1);", "der(x) = ones(3);"
        ),
        {"n": 3, "x[3]": 4},
    ),
    Case(
        "arrays on the left side",
        model(
            "Real x[2], y[2, 2];",
            "{x[1], x[2]} = {1, 2}; [y[1, 1], y[1, 2]; y[2, 1], y[2, 2]] = [1, 2; 3, 4];",
        ),
        {"x[2]": 2, "y[2,1]": 3},
    ),
    Case(
        "array modifiers of arrays of components (7.2.5)",
        model(
            """
            A a[3](p = {1, 2, 3}, each q = 4), b[2, 2](p = [1, 2; 3, 4], each q = 1);
            A c[2](each v = {7, 8}, each p = 0, each q = 0), d[2](v = [1, 2; 3, 4], each p = 0, each q = 0);
            Real s = sum(a.p) + sum(a.q), w[2] = b[2, :].p, cv = c[2].v[1], dv = d[2].v[1];
            """,
            before="model A parameter Real p, q, v[2] = {1, 2}; end A;",
        ),
        {"s": 18, "w[2]": 4, "cv": 7, "dv": 3},
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


REFUSALS = [
    Refusal("a range without end", model("Real x = sum(0:1e400);", ""), "E206", ("no end",)),
    Refusal(
        "a deduced range that is not the same everywhere",
        model("Real x[3], y[2];", "for i loop x[i] = y[i]; end for;"),
        "E206",
        ("3 and 2",),
    ),
    Refusal("a deduced range of nothing", model("Real s = sum(i for i);"), "E206", ("no range",)),
    Refusal("sizes of zero differ too", model("Real a[3, 0], b[0, 0], c[3, 0] = a + b;"), "E206"),
    Refusal(
        "promoted to fewer dimensions",
        model("Real a[2] = promote([1, 2; 3, 4], 1);"),
        "E206",
        ("promote",),
    ),
    Refusal(
        "a dimension of Booleans is indexed by Booleans (10.5)",
        model("Real x[Boolean] = {1, 2}, y = x[1];"),
        "E205",
        ("Boolean",),
    ),
    Refusal(
        "a dimension of Integers is not indexed by Booleans",
        model("Real x[2] = {1, 2}, y = x[true];"),
        "E205",
        ("Integer",),
    ),
    Refusal("the derivative of an Integer", model("constant Integer n = 1; Real x = der(n);"), "E205"),
    Refusal(
        "greatest of records",
        model("R r[2](x = {1, 2}); Real m = max(r);", before="record R Real x; end R;"),
        "E205",
    ),
]


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)


@pytest.mark.parametrize("exponent", [0, 1, 2, 5, 8])
def test_powers_of_matrices_are_those_of_numpy(exponent: int) -> None:
    text = model(f"parameter Real A[2, 2] = [1, 2; 3, 4]; Real B[2, 2] = A^{exponent};")
    result = saltus.load(text).simulate()
    truth = np.linalg.matrix_power(np.array([[1, 2], [3, 4]]), exponent)
    found = [[result[f"B[{i},{j}]"][-1] for j in (1, 2)] for i in (1, 2)]
    assert found == pytest.approx(truth)


def test_products_are_those_of_numpy() -> None:
    rng = np.random.default_rng(1)
    a, b, v, w = rng.normal(size=(3, 4)), rng.normal(size=(4, 2)), rng.normal(size=4), rng.normal(size=3)

    def text(array: np.ndarray) -> str:
        rows = array if array.ndim == 2 else [array]
        written = ["{" + ", ".join(map(repr, map(float, row))) + "}" for row in rows]
        return "{" + ", ".join(written) + "}" if array.ndim == 2 else written[0]

    result = saltus.load(
        model(
            f"""
            parameter Real a[3, 4] = {text(a)}, b[4, 2] = {text(b)}, v[4] = {text(v)}, w[3] = {text(w)};
            Real ab[3, 2] = a*b, av[3] = a*v, wa[4] = w*a, vv = v*v, o[3, 4] = outerProduct(w, v);
            Real c[3] = cross(w, av), k[3] = skew(w)*av;
            """
        )
    ).simulate()
    assert result["ab[3,2]"][-1] == pytest.approx((a @ b)[2, 1])
    assert [result[f"av[{i}]"][-1] for i in (1, 2, 3)] == pytest.approx(a @ v)
    assert [result[f"wa[{i}]"][-1] for i in (1, 2, 3, 4)] == pytest.approx(w @ a)
    assert result["vv"][-1] == pytest.approx(v @ v)
    assert result["o[2,3]"][-1] == pytest.approx(np.outer(w, v)[1, 2])
    for name in ("c", "k"):
        assert [result[f"{name}[{i}]"][-1] for i in (1, 2, 3)] == pytest.approx(np.cross(w, a @ v))
