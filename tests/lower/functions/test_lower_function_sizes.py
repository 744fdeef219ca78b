"""Arrays in functions: sizes that inputs and the body decide (section 12.4.5), arrays of records."""

from __future__ import annotations

from lower_case import Case, check_values, named

VALUES = [
    Case(
        "growing array",
        """
        function doubled
          input Real x[:];
          output Real y[:];
        algorithm
          y := fill(0.0, 0);
          for i in 1:size(x, 1) loop
            y := cat(1, y, {2*x[i]});
          end for;
        end doubled;
        model M
          Real y[3] = doubled({time, 2, 3});
          Real none[0] = doubled(fill(0.0, 0));
        end M;
        """,
        {"y[1]": 2, "y[3]": 6},
    ),
    Case(
        "growing array, at translation",  # the example of section 12.4.5
        """
        function collectPositive
          input Real x[:];
          output Real xpos[:];
        algorithm
          for i in 1:size(x, 1) loop
            if x[i] > 0 then
              xpos := cat(1, xpos, x[i:i]);
            end if;
          end for;
        end collectPositive;
        model M
          parameter Real p[:] = collectPositive({-1, 2, 0, 4, 5});
          parameter Integer n = size(p, 1);
          Real x = time*p[3];
        end M;
        """,
        {"n": 3, "x": 5},
    ),
    Case(
        "local with the size of its value",
        """
        function f
          input Real A[:, :];
          output Real y;
        protected
          Real B[:, :] = transpose(A);
          Real c[size(B, 1)] = B[:, 1];
          Integer n = size(c, 1);
          Real d[n] = fill(1.0, n);
        algorithm
          y := c*d + 100*n;
        end f;
        model M
          Real y = f({{1, 2, 3*time}, {4, 5, 6}});
        end M;
        """,
        {"y": 306},
    ),
    Case(
        "declarations in any order",
        """
        function f
          input Real x[:];
          output Real y;
        protected
          Real z[m] = 2*w;
          Real w[m] = x[1:m];
          Integer m = size(x, 1) - 1;
        algorithm
          y := sum(z);
        end f;
        model M
          Real y = f({time, 2, 3});
        end M;
        """,
        {"y": 6},
    ),
    Case(
        "assigned size",
        """
        function f
          input Real x[:];
          output Real y = 0;
        protected
          Integer n;
          Boolean even;
        algorithm
          n := size(x, 1);
          even := mod(n, 2) == 0;
          if even then
            y := sum(zeros(n)) + 10*x[n];
          else
            n := n - 1;
            y := sum(fill(x[1], n));
          end if;
        end f;
        model M
          Real y = f({time, 2});
          Real z = f({time, 2, 3});
        end M;
        """,
        {"y": 20, "z": 2},
    ),
    Case(
        "slices with the index of a loop",
        """
        function triangle
          input Real A[:, size(A, 1)];
          output Real s = 0;
        algorithm
          for i in 1:size(A, 1) loop
            s := s + sum(A[i, 1:i]);
          end for;
        end triangle;
        model M
          Real s = triangle({{1, 9, 9}, {2*time, 3, 9}, {4, 5, 6}});
        end M;
        """,
        {"s": 21},
    ),
    Case(
        "break in a loop that is written out",
        """
        function f
          input Real x[:];
          output Real y = 0;
        algorithm
          for i in 1:size(x, 1) loop
            if x[i] > 2.5 then
              break;
            end if;
            y := y + sum(x[1:i]);
          end for;
          y := y + 100;
        end f;
        model M
          Real y = f({time, 2, 3, 4});
        end M;
        """,
        {"y": 104},
    ),
    Case(
        "return in a loop that is written out",
        """
        function f
          input Real x[:];
          output Integer k = 0;
        algorithm
          for i in 1:size(x, 1) loop
            if sum(x[1:i]) > 2.5 then
              k := i;
              return;
            end if;
          end for;
          k := -1;
        end f;
        model M
          parameter Integer k = f({1, 2, 3});
          parameter Integer none = f({1});
        end M;
        """,
        {"k": 2, "none": -1},
    ),
    Case(
        "while that is written out",
        """
        function f
          input Real x[:];
          output Real y = 0;
        protected
          Integer i = 1;
        algorithm
          while i <= size(x, 1) loop
            y := y + max(x[i:size(x, 1)]);
            i := i + 1;
          end while;
        end f;
        model M
          Real y = f({time, 3, 2});
        end M;
        """,
        {"y": 8},
    ),
    Case(
        "recursion on shrinking arrays",
        """
        function total
          input Real x[:];
          output Real y;
        algorithm
          if size(x, 1) == 0 then
            y := 0;
          else
            y := x[1] + total(x[2:size(x, 1)]);
          end if;
        end total;
        model M
          Real y = total({time, 2, 3, 4});
        end M;
        """,
        {"y": 10},
    ),
    Case(
        "arrays of records",
        """
        record R
          Real a;
          Real v[2];
        end R;
        function turned
          input R r[:];
          output R s[size(r, 1)];
        protected
          R t[size(r, 1)] = r;
        algorithm
          for i in 1:size(r, 1) loop
            s[i].a := 2*t[i].a;
            s[i].v := t[size(r, 1) + 1 - i].v;
          end for;
          s[1].v[2] := 7;
        end turned;
        function first
          input R r[:];
          output R s = r[1];
          output Real sums[2] = r[:].a + r.v[1];
        end first;
        model M
          R z[2] = turned({R(time, {1, 2}), R(2, {3, 4})});
          R one;
          Real u[2];
        equation
          (one, u) = first(z);
        end M;
        """,
        {
            "z[1].a": 2,
            "z[2].a": 4,
            "z[1].v[1]": 3,
            "z[1].v[2]": 7,
            "z[2].v[1]": 1,
            "z[2].v[2]": 2,
            "one.a": 2,
            "u[1]": 5,
            "u[2]": 5,
        },
    ),
    Case(
        "arrays of records, at translation",
        """
        record R
          String name;
          Real v[:];
        end R;
        function longest
          input R r[:];
          output R s;
        protected
          R best[1] = {R("none", fill(0.0, 0))};
        algorithm
          for i in 1:size(r, 1) loop
            if size(r[i].v, 1) > size(best[1].v, 1) then
              best[1] := r[i];
              best[1].name := r[i].name + "!";
            end if;
          end for;
          s := best[1];
        end longest;
        function count
          input String wanted;
          output Integer n;
        protected
          R found = longest({R("a", {1, 2}), R("b", {1, 2, 3}), R("c", {4})});
        algorithm
          n := if found.name == wanted then size(found.v, 1) else 0;
        end count;
        model M
          parameter Integer n = count("b!");
          Real x[n] = fill(time, n);
        end M;
        """,
        {"n": 3, "x[3]": 1},
    ),
    Case(
        "record field with a size that another field gives",
        """
        record R
          Integer n = 2;
          Real v[n] = fill(1.0, n);
        end R;
        function f
          input Real x;
          output Real y;
        protected
          R r(n = 3);
        algorithm
          y := x*sum(r.v) + size(r.v, 1);
        end f;
        model M
          Real y = f(time);
        end M;
        """,
        {"y": 6},
    ),
    Case(
        "no records",
        """
        record R
          Real a;
          Real v[2];
        end R;
        function f
          input R r[:];
          input Real x;
          output Real s = x + sum(r.a) + sum(r.v);
          output R t[size(r, 1)] = r;
          output Real n = size(r, 1);
        algorithm
          for i in 1:size(r, 1) loop
            s := s + r[i].a;
          end for;
        end f;
        model M
          R none[0];
          R t[0];
          Real s;
          Real n;
        equation
          (s, t, n) = f(none, time);
        end M;
        """,
        {"s": 1, "n": 0},
    ),
    Case(
        "zero-sized arrays",
        """
        function f
          input Real A[:, :];
          output Real B[size(A, 2), size(A, 1)] = transpose(A);
          output Integer n = size(A, 2);
        end f;
        model M
          parameter Real A[0, 3] = fill(0.0, 0, 3);
          Real B[3, 0];
          Integer n;
          Real s = sum(B);
        equation
          (B, n) = f(A);
        end M;
        """,
        {"n": 3, "s": 0},
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)
