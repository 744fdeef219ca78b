"""Comma-separated values: read back with the standard csv module, bit for bit."""

import csv

import numpy as np
import pytest
from changing_programs import switched_off
from hand_models import Model, bouncing_ball
from hypothesis import given
from hypothesis import strategies as st

import saltus
from saltus.core.diagnostics import UsageError
from saltus.expr.nodes import TIME, Type, call, der
from saltus.result.trajectories.csv import csv_lines, quoted


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_numbers_read_back_exactly(tmp_path):
    result = bouncing_ball().run(stop_time=1.0)
    path = tmp_path / "ball.csv"
    result.to_csv(path)
    header, *rows = read(path)
    assert header == ["time", "h", "v", "n", "g", "e"]
    assert len(rows) == len(result)
    for k, name in enumerate(header):
        np.testing.assert_array_equal([float(row[k]) for row in rows], result[name])
    assert {row[3] for row in rows} == {"0", "1"}


def test_names_with_commas_are_quoted(tmp_path):
    m = Model("Matrix")
    x = m.state("m[1,2].v")
    on = m.discrete("on")
    m.equation(der(x), call("sin", TIME))
    m.equation(on, m.after(0.5))
    result = m.run(stop_time=1.0, interval=0.5)
    path = tmp_path / "matrix.csv"
    result.to_csv(path)
    header, *rows = read(path)
    assert header == ["time", "m[1,2].v", "on"]
    assert path.read_text().startswith('time,"m[1,2].v",on\n')
    assert [row[2] for row in rows] == ["0", "0", "1", "1"]


def test_chosen_columns_only(tmp_path):
    result = bouncing_ball().run(stop_time=0.2)
    path = tmp_path / "some.csv"
    result.to_csv(path, ["v", "g"])
    header, *rows = read(path)
    assert header == ["time", "v", "g"] and {row[2] for row in rows} == {"9.81"}
    with pytest.raises(KeyError):
        result.to_csv(path, ["nothing"])


def test_quotes_inside_names_are_doubled():
    assert quoted("a") == "a"
    assert next(csv.reader([quoted("'x,\"y\"'")])) == ["'x,\"y\"'"]


def test_an_unwritable_file_is_told(tmp_path):
    result = bouncing_ball().run(stop_time=0.1)
    with pytest.raises(UsageError) as error:
        result.to_csv(tmp_path / "missing" / "x.csv")
    assert error.value.diagnostics[0].code == "E503"


def test_integers_beyond_small_ones_have_no_point(tmp_path):
    m = Model("Large")
    n = m.discrete("n", Type.INTEGER, start=123456789012, fixed=True)
    from saltus.expr.nodes import pre

    m.when(m.edge(m.clock(0.5, 1.0)), n, pre(n) + 1)
    result = m.run(stop_time=1.0, interval=1.0)
    result.to_csv(tmp_path / "n.csv")
    assert [row[1] for row in read(tmp_path / "n.csv")[1:]] == [
        "123456789012",
        "123456789012",
        "123456789013",
        "123456789013",
    ]


def test_a_variable_that_a_mode_has_not_got_has_empty_cells(tmp_path):
    result = switched_off()
    assert result.names == ["i", "u", "load.j", "w", "open"]
    path = tmp_path / "modes.csv"
    result.to_csv(path)
    header, *rows = read(path)
    assert header == ["time", "i", "u", "load.j", "w", "open"]
    assert [row[4] for row in rows] == ["", "", "", "8.0", "9.0", "10.0", "", ""]
    assert [row[5] for row in rows] == ["0", "0", "0", "1", "1", "1", "0", "0"]
    assert [row[3] for row in rows[:4]] == ["-0.0", "-1.0", "-2.0", "-0.0"]
    result.unvarying["n"] = 3  # a parameter does not move into a gap
    result.to_csv(path)
    assert [row[4:] for row in read(path)[3:5]] == [["", "0", "3"], ["8.0", "1", "3"]]
    frame = result.to_pandas()
    assert np.isnan(frame["w"]).tolist() == [True] * 3 + [False] * 3 + [True] * 2
    assert np.isnan(result["w"][:3]).all() and result["w"][3] == 8.0


def test_parameters_and_constants_are_the_last_columns(tmp_path):
    text = """
    model Filter
      type Kind = enumeration(low, high);
      parameter Integer n = 2;
      parameter Real T[n] = {0.5, 2};
      final parameter Real k[n] = {1/T[i] for i in 1:n};
      parameter Boolean on = true;
      parameter String label = "not a number";
      parameter Kind kind = Kind.high;
      constant Real c = 4;
      Real x(start = 1, fixed = true);
    protected
      parameter Real hidden = c*T[1];
    equation
      der(x) = -k[1]*x;
    end Filter;
    """
    result = saltus.load(text).simulate(stop_time=1.0, interval=0.5, set={"T[1]": 0.25})
    result.to_csv(tmp_path / "filter.csv")
    header, *rows = read(tmp_path / "filter.csv")
    assert header == ["time", "x", "n", "T[1]", "T[2]", "k[1]", "k[2]", "on", "kind", "c", "hidden"]
    assert len(rows) == 3
    assert {tuple(row[2:]) for row in rows} == {("2", "0.25", "2.0", "4.0", "0.5", "1", "2", "4.0", "1.0")}
    assert result.names == ["x"]


class Table:
    """What a CSV file is made of, without a run."""

    class _Variable:
        def __init__(self, kind):
            self.symbol = type("Symbol", (), {"type": kind})

    def __init__(self, kinds, rows, unvarying):
        self.time = np.arange(len(rows), dtype=float)
        self.names = [f"v{k}" for k in range(len(kinds))]
        self.variables = {name: self._Variable(kind) for name, kind in zip(self.names, kinds, strict=True)}
        self.unvarying = unvarying
        self._columns = {name: np.array([row[k] for row in rows]) for k, name in enumerate(self.names)}

    def __getitem__(self, name):
        return self._columns[name]


@given(st.data())
def test_any_table_reads_back_exactly(data):
    """Reals with all their digits, signs of zero and infinities; whole numbers without a point; gaps as empty
    cells: in any mixture of columns, and in whichever rows."""
    kinds = data.draw(st.lists(st.sampled_from([Type.REAL, Type.INTEGER, Type.BOOLEAN]), max_size=6))
    gap = st.just(float("nan"))
    cell = {
        Type.REAL: st.floats() | gap,
        Type.INTEGER: st.integers(-(2**53), 2**53).map(float) | gap,
        Type.BOOLEAN: st.sampled_from([0.0, 1.0]),
    }
    row = st.tuples(*(cell[kind] for kind in kinds))
    rows = data.draw(st.lists(row, min_size=1, max_size=5))
    table = Table(kinds, rows, {"p": 2.5, "n": 3})
    # Constants may stand anywhere among the columns that a user has chosen.
    names = data.draw(st.permutations([*table.names, "p", "n"]))
    found = list(csv.reader("".join(csv_lines(table, names)).splitlines()))
    assert [float(cells[0]) for cells in found] == table.time.tolist()
    for cells, values in zip(found, rows, strict=True):
        assert len(cells) == 1 + len(names)
        shown = dict(zip(names, cells[1:], strict=True))
        assert (shown["p"], shown["n"]) == ("2.5", "3")
        for name, kind, value in zip(table.names, kinds, values, strict=True):
            if value != value:
                assert shown[name] == ""
            elif kind is Type.REAL:
                assert float(shown[name]).hex() == float(value).hex()
                assert shown[name].strip("-").isdigit() is False
            else:
                assert shown[name] == str(int(value))


def test_a_table_longer_than_what_becomes_text_at_a_time(monkeypatch):
    monkeypatch.setattr("saltus.result.trajectories.csv._BATCH", 10)
    rows = [(k / 3, float(k)) for k in range(23)]
    table = Table([Type.REAL, Type.INTEGER], rows, {"p": 0.1})
    lines = "".join(csv_lines(table, since=4)).splitlines()
    assert [line.split(",") for line in lines] == [
        [repr(float(k)), repr(k / 3), str(k), "0.1"] for k in range(4, 23)
    ]
