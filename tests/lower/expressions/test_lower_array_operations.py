"""Arrays in every operation (chapter 10): constructors, ranges, products, reductions, sizes of zero."""

from __future__ import annotations

import numpy as np
import pytest

from lowered_values import shown_values


def model(declarations: str) -> str:
    return f"model M {declarations} end M;"


@pytest.mark.parametrize("exponent", [0, 1, 2, 5, 8])
def test_powers_of_matrices_are_those_of_numpy(exponent: int) -> None:
    text = model(f"parameter Real A[2, 2] = [1, 2; 3, 4]; Real B[2, 2] = A^{exponent};")
    result = shown_values(text)
    truth = np.linalg.matrix_power(np.array([[1, 2], [3, 4]]), exponent)
    found = [[result[f"B[{i},{j}]"] for j in (1, 2)] for i in (1, 2)]
    assert found == pytest.approx(truth)


def test_products_are_those_of_numpy() -> None:
    rng = np.random.default_rng(1)
    a, b, v, w = rng.normal(size=(3, 4)), rng.normal(size=(4, 2)), rng.normal(size=4), rng.normal(size=3)

    def text(array: np.ndarray) -> str:
        rows = array if array.ndim == 2 else [array]
        written = ["{" + ", ".join(map(repr, map(float, row))) + "}" for row in rows]
        return "{" + ", ".join(written) + "}" if array.ndim == 2 else written[0]

    result = shown_values(
        model(
            f"""
            parameter Real a[3, 4] = {text(a)}, b[4, 2] = {text(b)}, v[4] = {text(v)}, w[3] = {text(w)};
            Real ab[3, 2] = a*b, av[3] = a*v, wa[4] = w*a, vv = v*v, o[3, 4] = outerProduct(w, v);
            Real c[3] = cross(w, av), k[3] = skew(w)*av;
            """
        )
    )
    assert result["ab[3,2]"] == pytest.approx((a @ b)[2, 1])
    assert [result[f"av[{i}]"] for i in (1, 2, 3)] == pytest.approx(a @ v)
    assert [result[f"wa[{i}]"] for i in (1, 2, 3, 4)] == pytest.approx(w @ a)
    assert result["vv"] == pytest.approx(v @ v)
    assert result["o[2,3]"] == pytest.approx(np.outer(w, v)[1, 2])
    for name in ("c", "k"):
        assert [result[f"{name}[{i}]"] for i in (1, 2, 3)] == pytest.approx(np.cross(w, a @ v))
