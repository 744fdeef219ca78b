"""C code that comes with a model, compiled and called; the truth is the same in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import saltus
from saltus.functions.external.compiled import compiler

needs_compiler = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")

_SUMS = r"""
  function sums
    input Real u[:];
    input Integer k;
    input Boolean negative;
    output Real y;
    output Integer n[2];
    output Real z[2, 2];
    external "C" y = sums(u, size(u, 1), k, negative, n, z) annotation(Include = "
#include \"ModelicaUtilities.h\"
double sums(const double *u, size_t n, int k, int negative, int *m, double *z) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += u[i];
  if (k > 5) ModelicaFormatError(\"%d is more than %d\", k, 5);
  m[0] = k/2;
  m[1] = (int)n;
  for (int i = 0; i < 4; i++) z[i] = i*sum;
  return negative ? -sum : sum;
}");
  end sums;
"""


def model(body: str, *functions: str) -> saltus.Model:
    return saltus.load("model M" + "".join(functions) + body + "end M;")


def constant(body: str) -> str:
    """A function of C without arguments."""
    code = f'annotation(Include = "double f(void) {{ {body} }}")'
    return f'function f output Real y; external "C" y = f() {code}; end f;'


@needs_compiler
def test_numbers_and_arrays_go_both_ways_during_a_run() -> None:
    body = """
  Real x(start = 1, fixed = true), y, z[2, 2];
  Integer n[2];
equation
  der(x) = -y;
  (y, n, z) = sums({x, 2, time}, 7 - 2, time > 0.5);
"""
    result = model(body, _SUMS).simulate(stop_time=1)
    for t, x, y, last in zip(*(result[name] for name in ("time", "x", "y", "z[2,2]")), strict=True):
        total = x + 2 + t
        assert abs(y) == pytest.approx(total) and (t == 0.5 or (y < 0) == (t > 0.5))
        assert last == pytest.approx(3 * total)
    assert set(result["n[1]"]) == {2} and set(result["n[2]"]) == {3}
    assert result["y"][0] > 0 > result["y"][-1]


@needs_compiler
def test_errors_of_c_end_the_run_in_their_own_words() -> None:
    body = "Real y, z[2, 2]; Integer n[2]; equation (y, n, z) = sums({time}, 6, false);\n"
    with pytest.raises(saltus.RunError, match="`sums` reports an error: 6 is more than 5") as raised:
        model(body, _SUMS).simulate(stop_time=1)
    assert raised.value.diagnostics[0].code == "E406"


@needs_compiler
def test_external_objects_and_texts() -> None:
    functions = r"""
  class Line
    extends ExternalObject;
    function constructor
      input String name;
      input Real slope;
      output Line line;
      external "C" line = make(name, slope) annotation(Include = "
void *make(const char *name, double slope) {
  double *line = malloc(2*sizeof(double));
  line[0] = (double)strlen(name);
  line[1] = slope;
  return line;
}");
    end constructor;
    function destructor
      input Line line;
      external "C" unmake(line) annotation(Include = "void unmake(void *line) { free(line); }");
    end destructor;
  end Line;
  function at
    input Line line;
    input Real x;
    output Real y;
    external "C" y = at(line, x) annotation(Include = "
double at(void *line, double x) { return ((double *)line)[0] + ((double *)line)[1]*x; }");
  end at;
"""
    result = model('Line line = Line("hello", 3); Real y = at(line, time);\n', functions).simulate(
        stop_time=2
    )
    assert result["y"] == pytest.approx(5 + 3 * result["time"])


@needs_compiler
def test_tables_of_usertab(tmp_path: Path) -> None:
    """A header in a folder; a matrix column by column."""
    (tmp_path / "numbers.h").write_text("static double table[] = {0, 1, 3, 0, 2, 10};\n")
    functions = f"""
  function known
    output Real y;
    external "C" y = known() annotation(IncludeDirectory = "{tmp_path.as_uri()}", Include = "
#include \\"numbers.h\\"
int usertab(char *name, int kind, int size[], int *by_columns, double **numbers) {{
  if (kind != 1 || strcmp(name, \\"mine\\")) return 1;
  size[0] = 3; size[1] = 2; *by_columns = 1; *numbers = table;
  return 0;
}}
double known(void) {{ return 1; }}");
  end known;
  class Table
    extends ExternalObject;
    function constructor
      input String name;
      output Table table;
      external "C" table = ModelicaStandardTables_CombiTable1D_init2("NoName", name, {{{{0.0}}}}, 1, 1,
        {{2}}, 1, 1, 1, false);
    end constructor;
    function destructor
      input Table table;
      external "C" ModelicaStandardTables_CombiTable1D_close(table);
    end destructor;
  end Table;
  function value
    input Table table;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(table, 1, u);
  end value;
"""
    body = 'Table table = Table("{}"); Real one = known(); Real y = value(table, time);\n'
    result = model(body.format("mine"), functions).simulate(stop_time=3)
    for t, y in zip(result["time"], result["y"], strict=True):
        assert y == pytest.approx(2 * t if t < 1 else 2 + 4 * (t - 1))
    with pytest.raises(saltus.SaltusError, match="has no table `yours`"):
        model(body.format("yours"), functions).simulate(stop_time=3)


@needs_compiler
def test_what_the_compiler_refuses_is_told() -> None:
    function = constant("return q;")
    with pytest.raises(saltus.SaltusError, match=r"E204.*`f`: the C code is not accepted") as raised:
        model(" Real y = f();\n", " ", function)
    assert "q" in str(raised.value)


def test_without_a_compiler_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALTUS_CC", "")
    assert compiler() is None
    function = constant("return 123456.5; /* nobody compiles this */")
    with pytest.raises(saltus.SaltusError, match="there is no C compiler") as raised:
        model(" Real y = f();\n", " ", function)
    assert "SALTUS_CC" in str(raised.value)


@needs_compiler
def test_what_was_compiled_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SALTUS_CACHE", str(tmp_path / "kept"))
    function = constant("return 7;")
    model(" Real y = f();\n", " ", function)
    (made,) = (tmp_path / "kept" / "c").glob("*.so")
    assert made.stat().st_size > 0
