"""External functions of texts and files, which are called before a run; messages; functions never reached."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

import saltus
from lowered_values import lower, shown_values
from saltus.compiler import load_flat
from saltus.core.diagnostics import SaltusError

STRINGS = """
package S
  function length
    input String string;
    output Integer result;
    external "C" result = ModelicaStrings_length(string);
  end length;
  function substring
    input String string;
    input Integer first;
    input Integer last;
    output String result;
    external "C" result = ModelicaStrings_substring(string, first, last);
  end substring;
  function compare
    input String a;
    input String b;
    input Boolean caseSensitive = true;
    output Integer result;
    external "C" result = ModelicaStrings_compare(a, b, caseSensitive);
  end compare;
  function scanReal
    input String string;
    input Integer start = 1;
    input Boolean unsigned = false;
    output Integer next;
    output Real number;
    external "C" ModelicaStrings_scanReal(string, start, unsigned, next, number);
  end scanReal;
  function scanInteger
    input String string;
    input Integer start = 1;
    input Boolean unsigned = false;
    output Integer next;
    output Integer number;
    external "C" ModelicaStrings_scanInteger(string, start, unsigned, next, number);
  end scanInteger;
  function scanString
    input String string;
    output Integer next;
    output String text;
    external "C" ModelicaStrings_scanString(string, 1, next, text);
  end scanString;
  function scanIdentifier
    input String string;
    output Integer next;
    output String text;
    external "C" ModelicaStrings_scanIdentifier(string, 1, next, text);
  end scanIdentifier;
  function skip
    input String string;
    output Integer next;
    external "C" next = ModelicaStrings_skipWhiteSpace(string, 1);
  end skip;
  function hash
    input String string;
    output Integer h;
    external "C" h = ModelicaStrings_hashString(string);
  end hash;
  function number "The number behind an equals sign"
    input String line;
    output Real y;
  protected
    Integer at = 1;
    Integer next;
  algorithm
    while substring(line, at, at) <> "=" loop
      at := at + 1;
    end while;
    (next, y) := scanReal(line, at + 1);
    assert(next > at + 1, "no number in " + line);
  end number;
"""


def constants(declarations: str) -> dict[str, object]:
    """The values of parameters."""
    return shown_values(f"{STRINGS} model M {declarations} end M; end S;", model="S.M")


def test_texts() -> None:
    found = constants(
        """
        parameter Integer n = length("abc" + "de");
        parameter String s = substring("abcdef", 2, 4), none = substring("abc", 5, 9);
        parameter Integer c[4] = {compare("a", "b"), compare("b", "a"), compare("a", "a"),
          compare("A", "a", false)};
        parameter Integer white = skip("  \\t x");
        Real x[length("four")] = ones(length("four"));
        """
    )
    assert (found["n"], found["s"], found["none"], found["white"]) == (5, "bcd", "", 5)
    assert [found[f"c[{k}]"] for k in (1, 2, 3, 4)] == [1, 3, 2, 2]


def test_numbers_in_texts() -> None:
    found = constants(
        """
        function next
          input String s;
          input Boolean unsigned = false;
          output Integer k;
        protected
          Real y;
        algorithm
          (k, y) := scanReal(s, 1, unsigned);
        end next;
        function whole
          input String s;
          output Integer k;
        protected
          Integer n;
        algorithm
          (n, k) := scanInteger(s);
        end whole;
        parameter Real y = number("gain = -2.5e2 ;"), z = number("=.5");
        parameter Integer a = next("  12.75x"), b = next("x1"), c = next("-1", true);
        parameter Integer i = whole(" -42,"), j = whole("4.5");
        """
    )
    assert (found["y"], found["z"]) == (-250, 0.5)
    assert (found["a"], found["b"], found["c"]) == (8, 1, 1)
    assert (found["i"], found["j"]) == (-42, 0)  # 4.5 is no Integer


def test_tokens() -> None:
    found = constants(
        """
        function quoted
          input String s;
          output String t;
        protected
          Integer k;
        algorithm
          (k, t) := scanString(s);
        end quoted;
        function named
          input String s;
          output String t;
        protected
          Integer k;
        algorithm
          (k, t) := scanIdentifier(s);
        end named;
        parameter String a = quoted(" \\"two words\\" more"), b = quoted("none");
        parameter String c = named(" u_1 + 2"), d = named("1u");
        """
    )
    assert (found["a"], found["b"], found["c"], found["d"]) == ("two words", "", "u_1", "")


def test_hash_by_hand() -> None:
    """Of one letter: 0xAAAAAAAA ^ ((0xAAAAAAAA << 7) ^ 97*(0xAAAAAAAA >> 3)), in 32 bits."""
    start = 0xAAAAAAAA
    expected = (start ^ ((start << 7) ^ 97 * (start >> 3))) & 0xFFFFFFFF
    expected -= 2**32 if expected >= 2**31 else 0
    assert constants('parameter Integer h = hash("a"), empty = hash("");') == {
        "h": expected,
        "empty": start - 2**32,
    }


def test_text_of_a_run_is_refused() -> None:
    with pytest.raises(SaltusError, match="can be called before a run only"):
        constants('Real y = number("a = " + String(time));')


FILES = """
package P
  function fullName
    input String name;
    output String full;
    external "C" full = ModelicaInternal_fullPathName(name);
  end fullName;
  function kind
    input String name;
    output Integer k;
    external "C" k = ModelicaInternal_stat(name);
  end kind;
  function lines
    input String name;
    output Integer n;
    external "C" n = ModelicaInternal_countLines(name);
  end lines;
  function readLine
    input String name;
    input Integer number;
    output String line;
    output Boolean ended;
    external "C" line = ModelicaInternal_readLine(name, number, ended);
  end readLine;
  function sizes
    input String file;
    input String matrix;
    output Integer n[2];
    external "C" ModelicaIO_readMatrixSizes(file, matrix, n);
  end sizes;
  function matrix
    input String file;
    input String name;
    input Integer rows;
    input Integer columns;
    output Real M[rows, columns];
    external "C" ModelicaIO_readRealMatrix(file, name, M, size(M, 1), size(M, 2), true);
  end matrix;
  package Inner
  end Inner;
  model Reads
    parameter String file = fullName("modelica://P/Resources/data.txt");
    parameter String deeper = fullName("modelica://P.Inner/Resources/data.txt");
    parameter Integer n = lines(file), here = kind(file), folder = kind(fullName("modelica://P/Resources"));
    parameter Integer nowhere = kind(fullName("modelica://P/Resources/none.txt"));
    parameter String second = readLine(file, 2);
    parameter String mat = fullName("modelica://P/Resources/data.mat");
    parameter Integer size2[2] = sizes(mat, "M");
    parameter Real M[size2[1], size2[2]] = matrix(mat, "M", size2[1], size2[2]);
    parameter Real N[2, 3] = matrix(mat, "M", 2, 3);
  end Reads;
end P;
"""


def test_files_of_a_package(tmp_path: Path) -> None:
    """`modelica://P/...` is a file in the folder of P, or of the package around it (section 13.5)."""
    folder = tmp_path / "P"
    (folder / "Resources").mkdir(parents=True)
    (folder / "package.mo").write_text(FILES)
    (folder / "Resources" / "data.txt").write_text("one\ntwo\nthree\n")
    savemat(folder / "Resources" / "data.mat", {"M": np.arange(6.0).reshape(2, 3)}, format="4")
    found = shown_values("P.Reads", libraries=[tmp_path])
    assert Path(str(found["file"])) == folder / "Resources" / "data.txt"
    assert found["deeper"] == found["file"]
    assert (found["n"], found["here"], found["folder"], found["nowhere"]) == (3, 2, 3, 1)
    assert found["second"] == "two"
    assert [found[f"M[{i},{j}]"] for i in (1, 2) for j in (1, 2, 3)] == [0, 1, 2, 3, 4, 5]
    assert found["N[2,3]"] == 5


def test_uri_without_a_package() -> None:
    text = FILES.replace("modelica://P", "modelica://Nobody")
    with pytest.raises(SaltusError, match="no package `Nobody"):
        load_flat(text, model="P.Reads")


def test_result_of_an_enumeration(tmp_path: Path) -> None:
    text = f"""
    model M
      type Kind = enumeration(none, file, folder, special);
      function kind
        input String name;
        output Kind k;
        external "C" k = ModelicaInternal_stat(name);
      end kind;
      function isFolder
        input String name;
        output Boolean b;
      algorithm
        b := kind(name) == Kind.folder;
      end isFolder;
      parameter Kind k = kind("{tmp_path.as_posix()}/none");
      parameter Boolean b = isFolder("{tmp_path.as_posix()}");
    end M;
    """
    found = shown_values(text)
    assert (found["k"], found["b"]) == (1, True)


def test_what_is_printed_is_told_once_not_to_be_shown() -> None:
    text = """
    model M
      function print
        input String s;
        external "C" ModelicaInternal_print(s, "");
      end print;
      function f
        input Real u;
        output Real y;
      algorithm
        print("u is " + String(u));
        y := 2*u;
      end f;
      Real y = f(time);
    equation
      when time > 0.5 then
        print("half");
      end when;
    end M;
    """
    result = saltus.load(text).simulate(stop_time=1.0)
    assert result["y"][-1] == 2
    assert [w.code for w in lower(text).warnings] == ["W205"]


def test_what_would_be_written_to_a_file_at_the_end_is_told_once_not_to_be_written(tmp_path: Path) -> None:
    """The function says that it has failed; everything else of the run is as ever."""
    text = f"""
    model M
      impure function write
        input String file, name;
        input Real matrix[:, :];
        input Boolean append = false;
        input String format = "4";
        output Boolean success;
        external "C" success = ModelicaIO_writeRealMatrix(file, name, matrix, size(matrix, 1),
          size(matrix, 2), append, format);
      end write;
      function keep
        input String file;
        input Real x[:];
        output Boolean success;
      protected
        Real m[size(x, 1), 2];
      algorithm
        for i in 1:size(x, 1) loop
          m[i, :] := {{i, x[i]}};
        end for;
        success := write(file, "x", m);
      end keep;
      parameter String file = "{(tmp_path / "x.mat").as_posix()}";
      Real x(start = 1, fixed = true);
      Boolean kept(start = true, fixed = true);
    equation
      der(x) = -x;
      when terminal() then
        kept = keep(file, {{x, 2*x}});
      end when;
    end M;
    """
    result = saltus.load(text).simulate(stop_time=1.0, tolerance=1e-8)
    assert abs(result["x"][-1] - math.exp(-1)) < 1e-6
    assert result["kept"][-1] == 0 and not any(tmp_path.iterdir())
    assert [w.code for w in lower(text).warnings] == ["W205"]


def test_external_function_that_is_never_reached() -> None:
    """One that is not provided, in a branch of a function, is refused when the run comes there."""
    text = """
    model M
      function special
        input Real u;
        output Real y;
        external "C" y = my_special(u);
      end special;
      function f
        input Real u;
        output Real y;
      algorithm
        y := if u < 2 then u else special(u);
      end f;
      Real y = f(time);
    end M;
    """
    model = saltus.load(text)
    assert model.simulate(stop_time=1.5)["y"][-1] == 1.5
    with pytest.raises(SaltusError, match="`my_special` is not provided"):
        model.simulate(stop_time=3.0)


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ('external "C" n = ModelicaStrings_length()', "gives 0 arguments"),
        ('external "C" n = ModelicaStrings_length(s, s)', "gives 2 arguments"),
        ('external "C" ModelicaError()', "gives 0 arguments"),
    ],
)
def test_other_arguments_than_the_c_function_takes(clause: str, told: str) -> None:
    """They came to Python as they were, which knows no diagnostics."""
    function = f"function f input String s; output Integer n; {clause}; end f;"
    with pytest.raises(SaltusError) as caught:
        saltus.load(f'model M {function} parameter Integer k = f("a"); end M;')
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E212" and told in diagnostic.message


def test_printing_in_the_equations_of_a_run() -> None:
    """It is impure, and was refused; but nothing is shown, with a warning, so it does no harm there."""
    text = """
    model M
      impure function say
        input String text;
        external "C" ModelicaInternal_print(text, "");
      end say;
      Real x(start = 1, fixed = true);
    equation
      der(x) = -x;
      say("x is " + String(x));
    end M;
    """
    model = saltus.load(text)
    result = model.simulate(tolerance=1e-9)
    assert result["x"] == pytest.approx(np.exp(-result.time), abs=1e-7)
    counting = text.replace('ModelicaInternal_print(text, "")', "my_counter(text)")
    with pytest.raises(SaltusError, match="impure"):
        saltus.load(counting)
