"""Array operators against NumPy on random arrays: two independent implementations of chapter 10."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lowered_values import shown_values

NUMBERS = st.integers(min_value=-9, max_value=9)


def modelica(array: np.ndarray) -> str:
    """An array constructor; of an empty array, `fill` with its sizes."""
    if array.ndim == 0:
        return str(array)
    if 0 in array.shape:
        return f"fill(0, {', '.join(map(str, array.shape))})"
    return "{" + ", ".join(modelica(row) for row in array) + "}"


@st.composite
def matrices(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A (m, n), B (n, k) and C (m, n)."""
    m, n, k = (draw(st.integers(min_value=1, max_value=3)) for _ in range(3))
    shapes = ((m, n), (n, k), (m, n))
    return tuple(  # type: ignore[return-value]
        np.array(draw(st.lists(NUMBERS, min_size=a * b, max_size=a * b))).reshape(a, b) for a, b in shapes
    )


@settings(max_examples=15, deadline=None)
@given(matrices())
def test_array_operators(arrays: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    a, b, c = arrays
    expected = {
        "A*B": a @ b,
        "A + 2*C": a + 2 * c,
        "A .* C - C": a * c - c,
        "transpose(A)": a.T,
        "A*B[:, 1]": a @ b[:, 0],
        "A[1, :]*B": a[0] @ b,
        "A[:, end]*C[:, 1]": a[:, -1] @ c[:, 0],
        "cat(1, A, C)": np.concatenate((a, c), axis=0),
        "[A, C]": np.concatenate((a, c), axis=1),
        "[A; C]": np.concatenate((a, c), axis=0),
        "{sum(A), max(A), min(C)}": np.array([a.sum(), a.max(), c.min()]),
        "A[end:-1:1, :]": a[::-1],
        "{{A[i, j] for j in 1:size(A, 2)} for i in 1:size(A, 1)}": a,
        "(A*transpose(A))^2": (a @ a.T) @ (a @ a.T),
        "outerProduct(A[1, :], C[:, 1])": np.outer(a[0], c[:, 0]),
        "-A ./ 2": -a / 2,
        "A .^ 2": a**2,
    }
    lines = [f"parameter Real {n}[:, :] = {modelica(v)};" for n, v in zip("ABC", arrays, strict=True)]
    for k, (text, value) in enumerate(expected.items()):
        sizes = ", ".join(":" for _ in value.shape)
        lines.append(f"Real r{k}{f'[{sizes}]' if sizes else ''} = {text};")
    found = shown_values("model M\n" + "\n".join(lines) + "\nend M;")
    for k, (text, value) in enumerate(expected.items()):
        for index in np.ndindex(value.shape):
            subscript = f"[{','.join(str(i + 1) for i in index)}]" if value.shape else ""
            assert found[f"r{k}{subscript}"] == value[index], (text, index)
