"""Strings in functions, and functions that are executed at translation because of them (sections 12.4 and
3.7.1.2)."""

from __future__ import annotations

import pytest
from lower_case import Case, check_values, named

import saltus
from saltus.core.diagnostics import SaltusError

VALUES = [
    Case(
        "option",
        """
        function f
          input Real x;
          input String option = "square";
          output Real y;
        algorithm
          if option == "square" then
            y := x^2;
          elseif option == "cube" then
            y := x^3;
          else
            assert(false, "unknown option " + option);
          end if;
        end f;
        model M
          parameter String o = "cube";
          Real a = f(2*time);
          Real b = f(2*time, o);
        end M;
        """,
        {"a": 4, "b": 8},
    ),
    Case(
        "texts made and compared",
        """
        function repeat
          input String s;
          input Integer n;
          output String r = "";
        algorithm
          for i in 1:n loop
            r := r + s;
          end for;
        end repeat;
        function length
          input String s;
          output Integer n = 0;
        algorithm
          while repeat("a", n) <> s loop
            n := n + 1;
          end while;
        end length;
        model M
          parameter String o = repeat("a", 5);
          parameter Integer n = length(o);
          Real x[n] = fill(time, n);
        end M;
        """,
        {"n": 5, "x[5]": 1},
    ),
    Case(
        "several outputs, one a text",
        """
        function f
          input Real x;
          output Real y = 2*x;
          output String unit = "m";
          output Real z = 3*x;
        end f;
        model M
          Real y, z;
        equation
          (y, , z) = f(time);
        end M;
        """,
        {"y": 2, "z": 3},
    ),
    Case(
        "record with a text",
        """
        record Fluid
          String name;
          Real rho;
        end Fluid;
        function mass
          input Fluid f;
          input Real v;
          output Real m;
        algorithm
          assert(f.name <> "", "no name");
          m := if f.name == "water" then f.rho*v else 0;
        end mass;
        model M
          parameter Fluid water = Fluid("water", 1000);
          Real m = mass(water, 2*time);
          Real n = mass(Fluid("air", 1.2), time);
        end M;
        """,
        {"m": 2000, "n": 0},
    ),
    Case(
        "vector of texts",
        """
        function index
          input String names[:];
          input String wanted;
          output Integer k = 0;
        algorithm
          for i in 1:size(names, 1) loop
            if names[i] == wanted then
              k := i;
              break;
            end if;
          end for;
          assert(k > 0, wanted + " is not there");
        end index;
        model M
          Real y = time*index({"H2O", "N2", "O2"}, "O2");
          parameter String names[2] = {"a", "b"};
          parameter Integer k = index(names, "b");
        end M;
        """,
        {"y": 3, "k": 2},
    ),
    Case(
        "a function of texts at the start of a chain",
        """
        function digits
          input Integer n;
          output String s = String(n);
        end digits;
        function same
          input String a;
          input String b;
          output Boolean y = a == b;
        end same;
        model M
          parameter Integer n = if same(digits(42), "4" + "2") then 1 else 2;
        end M;
        """,
        {"n": 1},
    ),
    Case(
        "formats",
        """
        type Colour = enumeration(red, green);
        function same
          input String a;
          input String b;
          output Integer y;
        algorithm
          y := if a == b then 1 else 0;
        end same;
        function named
          input Colour c;
          output String s = String(c) + "!";
        end named;
        model M
          parameter Integer a = same(String(12.3456789), "12.3457");
          parameter Integer b = same(String(12.3456789, significantDigits = 3), "12.3");
          parameter Integer c = same(String(7, minimumLength = 3), "7  ");
          parameter Integer d = same(String(7, minimumLength = 3, leftJustified = false), "  7");
          parameter Integer e = same(String(2.5, format = "6.2f"), "  2.50");
          parameter Integer f = same(String(true, minimumLength = 5), "true ");
          parameter Integer g = same(String(Colour.green), "green");
          parameter Integer h = same(String(2.5, "4.1f"), " 2.5");
          parameter Integer i = same(named(Colour.red), "red!");
          parameter Integer j = same(String(0.00001), "1e-05");
        end M;
        """,
        dict.fromkeys("abcdefghij", 1),
    ),
    Case(
        "functions of Strings in C",
        """
        function length
          input String s;
          output Integer n;
          external "C" n = ModelicaStrings_length(s);
        end length;
        function part
          input String s;
          input Integer first;
          input Integer last;
          output String r;
          external "C" r = ModelicaStrings_substring(s, first, last);
        end part;
        function scanned
          input String s;
          input Integer start = 1;
          output Integer next;
          output Real value;
          external "C" ModelicaStrings_scanReal(s, start, 0, next, value);
        end scanned;
        function sumOf "Numbers between blanks"
          input String s;
          output Real y = 0;
        protected
          Integer next = 1;
          Integer old = 0;
          Real value;
        algorithm
          while next <= length(s) and next <> old loop
            old := next;
            (next, value) := scanned(s, next);
            y := y + value;
          end while;
        end sumOf;
        model M
          parameter Integer n = length("four");
          parameter Integer k = if part("abcdef", 2, 3) == "bc" then 1 else 0;
          Real s = time*sumOf("1 2.5 -3e1");
        end M;
        """,
        {"n": 4, "k": 1, "s": -26.5},
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


def test_the_message_of_an_error_function() -> None:
    text = """
    model M
      function error
        input String s;
        external "C" ModelicaError(s);
      end error;
      function f
        input Real x;
        output Real y = x;
      algorithm
        if x > 0.5 then
          error("too large in f");
        end if;
      end f;
      Real y = f(time);
    end M;
    """
    model = saltus.load(text)
    assert float(model.simulate(stop_time=0.4)["y"][-1]) == pytest.approx(0.4)
    with pytest.raises(SaltusError) as caught:
        model.simulate(stop_time=1.0)
    assert "too large in f" in caught.value.diagnostics[0].message


def test_a_parameter_that_was_a_text_of_an_execution_translates_again() -> None:
    text = """
    function count
      input String s;
      input Integer n;
      output Integer k = 0;
    protected
      String t = "";
    algorithm
      while t <> s loop
        t := t + "a";
        k := k + n;
      end while;
    end count;
    model M
      parameter Integer n = 1;
      parameter Integer k = count("aaa", n);
      Real x = k*time;
    end M;
    """
    model = saltus.load(text)
    assert float(model.simulate()["x"][-1]) == pytest.approx(3)
    assert float(model.simulate(set={"n": 2})["x"][-1]) == pytest.approx(6)
