"""What functions of the start print and write, by way of whole runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat

import saltus

_FILES = """
  impure function print
    input String text, file = "";
    external "C" ModelicaInternal_print(text, file);
  end print;
  impure function lines
    input String file;
    output Integer n;
    external "C" n = ModelicaInternal_countLines(file);
  end lines;
  impure function line
    input String file;
    input Integer k;
    output String text;
    output Boolean ended;
    external "C" text = ModelicaInternal_readLine(file, k, ended);
  end line;
  impure function numbered
    input String file;
    input Integer n;
    output Integer found;
  protected
    String text;
    Boolean ended;
  algorithm
    print("writing " + String(n));
    for k in 1:n loop
      print("line " + String(k), file);
    end for;
    found := lines(file);
    (text, ended) := line(file, found);
    assert(text == "line " + String(n) and not ended, "the last line is another one: " + text);
  end numbered;
"""


@pytest.mark.parametrize(
    "where", ["initial algorithm\n  n := {};", "algorithm\n  when initial() then n := {}; end when;"]
)
def test_a_file_is_written_when_the_run_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str
) -> None:
    file = tmp_path / "lines.txt"
    call = f'numbered("{file.as_posix()}", 3)'
    text = "model M" + _FILES + "Integer n(start = 0);\n" + where.format(call) + "\nend M;"
    if "initial algorithm" in where:
        text = text.replace("Integer n(start = 0);", "parameter Integer n(fixed = false);")
    model = saltus.load(text)
    assert not file.exists() and capsys.readouterr().out == ""
    for _ in range(2):
        result = model.simulate(stop_time=1)
        assert file.read_text() == "line 1\nline 2\nline 3\n"
        assert capsys.readouterr().out == "writing 3\n"
    assert result["n"][-1] == 3


def test_nothing_is_written_where_the_event_may_never_come(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lines.txt"
    call = f'print("late", "{file.as_posix()}")'
    text = f"model M {_FILES} equation when time > 0.5 then {call}; end when; end M;"
    result = saltus.load(text).simulate(stop_time=1)
    assert not file.exists() and [w.code for w in result.warnings] in ([], ["W205"])
    assert "late" not in capsys.readouterr().out


@pytest.mark.parametrize("version", ["4", "6", "7"])
def test_matrices(tmp_path: Path, version: str) -> None:
    file = tmp_path / "matrices.mat"
    text = f"""
    model M
      impure function write
        input String file, name;
        input Real matrix[:, :];
        input Boolean append;
        input String format;
        output Boolean success;
        external "C" success = ModelicaIO_writeRealMatrix(file, name, matrix, size(matrix, 1),
          size(matrix, 2), append, format);
      end write;
      parameter String file = "{file.as_posix()}";
      parameter Real A[3, 2] = [1, 2; 3, 4; 5, 6.5];
      Boolean first, second, third;
    algorithm
      when initial() then
        first := write(file, "A", A, false, "{version}");
        second := write(file, "B", 2*A, true, "{version}");
        third := write(file, "B", A, true, "{version}3");
      end when;
    end M;
    """
    result = saltus.load(text).simulate(stop_time=1)
    assert result["first"][-1] and result["second"][-1] and not result["third"][-1]
    found, a = loadmat(file), np.array([[1, 2], [3, 4], [5, 6.5]])
    assert np.array_equal(found["A"], a) and np.array_equal(found["B"], 2 * a)
    head = file.read_bytes()[:20]
    assert head.startswith(b"MATLAB 5.0") == (version != "4")


def test_what_cannot_be_done_is_told(tmp_path: Path) -> None:
    text = f"""
    model M
      impure function make
        input String folder;
        external "C" ModelicaInternal_mkdir(folder);
      end make;
    algorithm
      when initial() then
        make("{tmp_path.as_posix()}");
      end when;
    end M;
    """
    with pytest.raises(saltus.SaltusError, match="cannot be made: something of that name exists"):
        saltus.load(text).simulate(stop_time=1)
