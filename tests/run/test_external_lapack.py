"""LAPACK and BLAS as FORTRAN 77 functions, in runs and before them, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import SaltusError

PACKAGE = """
package L
  function solve
    input Real A[:, size(A, 1)];
    input Real B[size(A, 1), :];
    output Real X[size(A, 1), size(B, 2)] = B;
    output Integer info;
  protected
    Integer n = size(A, 1);
    Integer nrhs = size(B, 2);
    Real Awork[size(A, 1), size(A, 1)] = A;
    Integer lda = max(1, size(A, 1));
    Integer ldb = max(1, size(B, 1));
    Integer ipiv[size(A, 1)];
    external "FORTRAN 77" dgesv(n, nrhs, Awork, lda, ipiv, X, ldb, info);
  end solve;

  function eigen
    input Real A[:, size(A, 1)];
    output Real re[size(A, 1)];
    output Real im[size(A, 1)];
    output Real vectors[size(A, 1), size(A, 1)];
  protected
    Real dummy[1, 1];
    Integer n = size(A, 1);
    Integer lwork = 12*n;
    Integer ldvl = 1;
    Real Awork[size(A, 1), size(A, 1)] = A;
    Real work[12*size(A, 1)];
    Integer info;
    external "FORTRAN 77" dgeev("N", "V", n, Awork, n, re, im, dummy, ldvl, vectors, n, work, lwork, info);
  end eigen;

  function norm
    input Real A[:, :];
    input String kind;
    output Real y;
  protected
    Integer m = size(A, 1);
    Integer n = size(A, 2);
    Real work[m];
    external "FORTRAN 77" y = dlange(kind, m, n, A, m, work);
  end norm;

  function pivots
    input Real A[:, :];
    output Real LU[size(A, 1), size(A, 2)] = A;
    output Integer p[min(size(A, 1), size(A, 2))];
    output Integer info;
  protected
    Integer m = size(A, 1);
    Integer n = size(A, 2);
    external "FORTRAN 77" dgetrf(m, n, LU, m, p, info);
  end pivots;
"""


def test_solution_in_a_run_and_of_parameters() -> None:
    text = (
        PACKAGE
        + """
      model M
        parameter Real A[2, 2] = [1, 2; 3, 4];
        parameter Real P[2, 1] = solve(A, [5; 6]);
        Real X[3, 2] = solve([2 + time, 1, 0; 1, 3, 0; 0, time, 4], [1, 2; 3, 4; 5, time]);
        Real x(start = 1, fixed = true);
      equation
        der(x) = -X[2, 1]*x;
      end M;
    end L;
    """
    )
    model = saltus.load(text, model="L.M")
    result = model.simulate(stop_time=1.0)
    for k in (0, len(result.time) // 2, -1):
        t = float(result.time[k])
        truth = np.linalg.solve([[2 + t, 1, 0], [1, 3, 0], [0, t, 4]], [[1, 2], [3, 4], [5, t]])
        found = [[result[f"X[{i},{j}]"][k] for j in (1, 2)] for i in (1, 2, 3)]
        assert np.array(found) == pytest.approx(truth, rel=1e-12)
    p = [result.parameters[f"P[{i},1]"] for i in (1, 2)]
    assert p == pytest.approx(np.linalg.solve([[1, 2], [3, 4]], [5, 6]), rel=1e-12)
    again = model.simulate(stop_time=1.0, set={"A[1,1]": 7.0})
    p = [again.parameters[f"P[{i},1]"] for i in (1, 2)]
    assert p == pytest.approx(np.linalg.solve([[7, 2], [3, 4]], [5, 6]), rel=1e-12)


def test_eigenvalues_norms_and_pivots() -> None:
    text = (
        PACKAGE
        + """
      model M
        Real a = time, re[2], im[2], v[2, 2];
        Real f = norm([1, 2, 2; 3, 4, a], "F"), one = norm([1, 2, 2; 3, 4, a], "1");
        parameter Integer p[3] = pivoted([0, 1, 2; 3, 4, 5; 7, 8, 8]);
        function pivoted
          input Real A[3, 3];
          output Integer p[3];
        protected
          Real LU[3, 3];
        algorithm
          (LU, p) := pivots(A);
        end pivoted;
      equation
        (re, im, v) = eigen([1, 2; 3, 4 + a]);
      end M;
    end L;
    """
    )
    result = saltus.load(text, model="L.M").simulate(stop_time=1.0)
    matrix = np.array([[1.0, 2.0], [3.0, 5.0]])
    values = [result[f"re[{k}]"][-1] for k in (1, 2)]
    assert sorted(values) == pytest.approx(sorted(np.linalg.eigvals(matrix).real), rel=1e-12)
    for k in (1, 2):
        vector = np.array([result[f"v[{i},{k}]"][-1] for i in (1, 2)])
        assert matrix @ vector == pytest.approx(values[k - 1] * vector, rel=1e-12)
    assert result["f"][-1] == pytest.approx(np.linalg.norm([[1, 2, 2], [3, 4, 1]]), rel=1e-14)
    assert result["one"][-1] == pytest.approx(np.linalg.norm([[1, 2, 2], [3, 4, 1]], 1), rel=1e-14)
    # By hand, the largest entry of each column on and below the diagonal: 7; then 1, not 4 - 24/7.
    assert [result.parameters[f"p[{k}]"] for k in (1, 2, 3)] == [3, 3, 3]


def test_singular_matrix_has_its_information() -> None:
    text = (
        PACKAGE
        + """
      model M
        function info
          input Real A[2, 2];
          output Integer i;
        protected
          Real X[2, 1];
        algorithm
          (X, i) := solve(A, [1; 1]);
        end info;
        parameter Integer i = info([1, 2; 2, 4]);
      end M;
    end L;
    """
    )
    assert saltus.load(text, model="L.M").simulate(stop_time=0.1).parameters["i"] == 2


def test_no_such_routine() -> None:
    text = """
    model M
      function f
        input Real u;
        output Real y;
        external "FORTRAN 77" dnothing(u, y);
      end f;
      Real y = f(time);
    end M;
    """
    with pytest.raises(SaltusError, match="`dnothing`, which is not provided"):
        saltus.load(text)


def test_derivative_is_refused_not_wrong() -> None:
    """LAPACK has no derivatives that could be found automatically."""
    text = (
        PACKAGE
        + """
      model M
        Real X[1, 1] = solve([2 + time], [1]), d = der(X[1, 1]);
      end M;
    end L;
    """
    )
    with pytest.raises(SaltusError, match="differentiated"):
        saltus.load(text, model="L.M").simulate()


OPEN = """
function eigenvalues "Of a Hessenberg matrix; its Schur form has the size of what it begins with"
  input Real H[:, size(H, 1)];
  input Boolean only = true;
  output Real re[size(H, 1)];
  output Real im[size(H, 1)];
  output Integer info;
  output Real S[:, :] = H;
  output Real Z[:, :] = H;
  output Real work[3*size(H, 1)];
protected
  Integer n = size(H, 1);
  String job = if only then "E" else "S";
  Integer one = 1;
  Integer lwork = 3*n;
  external "FORTRAN 77" dhseqr(job, "N", n, one, n, S, n, re, im, Z, n, work, lwork, info);
end eigenvalues;
function schur
  input Real H[:, size(H, 1)];
  input Boolean only;
  output Real S[size(H, 1), size(H, 1)];
  output Real re[size(H, 1)];
protected
  Real im[size(H, 1)];
  Integer info;
algorithm
  (re, im, info, S) := eigenvalues(H, only);
end schur;
"""


@pytest.mark.parametrize("factor", ["", "*x"])
def test_outputs_whose_sizes_are_those_of_their_defaults(factor: str) -> None:
    # They were lowered without the call: everything but the defaults was zero, and nothing was said.
    text = (
        OPEN
        + f"""
    model M
      Real x(start = 1, fixed = true), S[3, 3], re[3];
    equation
      der(x) = 0;
      (S, re) = schur([4, 1, 2; 1, 3, 0.5; 0, -1, 5]{factor}, false);
    end M;
    """
    )
    result = saltus.load(text).simulate(stop_time=0.1)
    matrix = np.array([[4, 1, 2], [1, 3, 0.5], [0, -1, 5]])
    exact = np.sort(np.linalg.eigvals(matrix).real)
    assert np.sort([result[f"re[{k}]"][-1] for k in (1, 2, 3)]) == pytest.approx(exact)
    form = np.array([[result[f"S[{i},{j}]"][-1] for j in (1, 2, 3)] for i in (1, 2, 3)])
    # A Schur form is similar to the matrix: it has the same trace and determinant, and zeros below.
    assert np.trace(form) == pytest.approx(12)
    assert np.linalg.det(form) == pytest.approx(np.linalg.det(matrix))
    assert form[2, 0] == pytest.approx(0, abs=1e-12)


def test_a_letter_that_a_truth_chooses() -> None:
    text = """
    function factor "Cholesky's, of one triangle"
      input Real A[:, size(A, 1)];
      input Boolean upper = true;
      output Real C[size(A, 1), size(A, 1)] = A;
      output Integer info;
    protected
      String uplo = if upper then "U" else "L";
      Integer n = size(A, 1);
      external "FORTRAN 77" dpotrf(uplo, n, C, n, info);
    end factor;
    function around
      input Real A[:, size(A, 1)];
      input Boolean upper;
      output Real C[size(A, 1), size(A, 1)];
    algorithm
      C := factor(A, upper);
    end around;
    model M
      parameter Real A[2, 2] = [4, 2; 2, 3];
      Real U[2, 2] = around(A, true), L[2, 2] = around(A, false);
    end M;
    """
    result = saltus.load(text).simulate(stop_time=0.1)
    assert (result["U[1,2]"][0], result["L[2,1]"][0]) == pytest.approx((1.0, 1.0))
    assert (result["U[2,1]"][0], result["L[1,2]"][0]) == pytest.approx((2.0, 2.0))  # not touched
    assert (result["U[2,2]"][0], result["L[2,2]"][0]) == pytest.approx((2**0.5, 2**0.5))
