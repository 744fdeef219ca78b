"""Results in files: written here and read by others, written by others and read here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.io

import saltus
from saltus.result.exchange.curves import Curves
from saltus.result.exchange.formats import FORMATS

MODEL = """model M "A switch"
  type Gear = enumeration(low, high);
  parameter Real k(unit = "1/s") = 2 "rate";
  parameter Integer n = 3;
  Real x(start = 1, fixed = true, unit = "m") "position", y = -x, z[2] = {x, 2*x};
  Boolean on = x < 0.5 "is near", off = not on;
  Integer count = if on then n else 1;
  Gear gear = if on then Gear.high else Gear.low;
equation
  der(x) = -k*x;
end M;"""


@pytest.fixture(scope="module")
def result() -> saltus.Result:
    return saltus.load(MODEL).simulate(stop_time=1, interval=0.125)


def needed(suffix: str) -> None:
    for module in {".h5": ["h5py"], ".parquet": ["pyarrow"]}.get(suffix, []):
        pytest.importorskip(module)


@pytest.mark.parametrize("suffix", FORMATS)
def test_what_is_written_is_read_again(result: saltus.Result, tmp_path: Path, suffix: str) -> None:
    needed(suffix)
    path = tmp_path / f"run{suffix}"
    result.save(path)
    found = saltus.read_result(path)
    assert np.array_equal(found.time, result.time)
    for name in (*result.names, "k", "n"):
        assert np.array_equal(found[name], result[name]), name
    if suffix != ".csv":  # which has numbers only
        assert found.names == result.names and found.parameters == {"k": 2, "n": 3}
        assert (found.column("x").unit, found.column("x").description) == ("m", "position")
    if suffix in (".nc", ".h5", ".parquet"):
        assert found.model == "M" and found.at(1.0) == result.at(1.0)
        assert found.at(1.0)["gear"] == "high" and found.at(1.0)["on"] is True


@pytest.mark.parametrize("suffix", FORMATS)
def test_some_variables_are_chosen(result: saltus.Result, tmp_path: Path, suffix: str) -> None:
    needed(suffix)
    path = tmp_path / f"run{suffix}"
    result.save(path, ["z[*]", "k"])
    found = saltus.read_result(path)
    assert {*found.names, *found.parameters} == {"z[1]", "z[2]", "k"}
    with pytest.raises(saltus.UsageError, match="no variable `q"):
        result.save(path, ["q*"])


def test_scipy_reads_the_layout_of_modelica_tools(result: saltus.Result, tmp_path: Path) -> None:
    """As scripts do that were written for other tools: names, where the values are, and with which sign."""
    result.save(tmp_path / "run.mat")
    found = scipy.io.loadmat(tmp_path / "run.mat", chars_as_strings=False)
    assert ["".join(row).strip() for row in found["Aclass"]] == ["Atrajectory", "1.1", "", "binTrans"]
    names = ["".join(letters).strip() for letters in found["name"].T]
    described = ["".join(letters).strip() for letters in found["description"].T]
    assert names[0] == "time" and described[names.index("x")] == "position [m]"
    for name in (*result.names, "k"):
        table, place, *_ = found["dataInfo"][:, names.index(name)]
        row = found[f"data_{table}"][abs(place) - 1] * np.sign(place)
        assert np.array_equal(row, result[name] if table == 2 else result[name][[0, -1]])
    assert np.array_equal(found["data_2"][0], result.time)
    # -x and x share a row, and so does the first element; time, x, 2 x, three that switch
    assert len(found["data_2"]) <= 3 + 4


def test_a_file_of_another_tool_is_read(tmp_path: Path) -> None:
    """Not transposed, in single precision, with text in strings: as older versions of the layout."""
    times = np.linspace(0, 1, 5)
    scipy.io.savemat(
        tmp_path / "other.mat",
        {
            "Aclass": np.array(["Atrajectory", "1.1        ", "           ", "binNormal  "]),
            "name": np.array(["time  ", "a.x   ", "der(x)", "p[1,2]"]),
            "description": np.array(
                ["Time in [s]      ", "slope [m/s|km/h] ", "                 ", "a parameter      "]
            ),
            "dataInfo": np.array(
                [[0, 1, 0, -1], [2, 2, 0, -1], [2, -2, 0, -1], [1, 2, 0, 0]], dtype=np.int32
            ),
            "data_1": np.array([[0.0, 7.5], [1.0, 7.5]], dtype=np.float32),
            "data_2": np.column_stack([times, times**2]).astype(np.float32),
        },
        format="4",
    )
    found = saltus.read_result(tmp_path / "other.mat")
    assert np.allclose(found["a.x"], times**2) and np.allclose(found["der(x)"], -(times**2))
    assert found.parameters == {"p[1,2]": 7.5} and found.column("a.x").unit == "m/s"


def test_tables_of_other_tools_are_read(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text('"time","x[1,2]",y\n0,1,\n0.5,2,3e-3\n')
    found = saltus.read_result(tmp_path / "other.csv")
    assert found.names == ["x[1,2]", "y"] and found["x[1,2]"].tolist() == [1, 2]
    assert np.isnan(found["y"][0]) and found["y"][1] == 3e-3


def test_xarray_and_pandas_read_what_is_written(result: saltus.Result, tmp_path: Path) -> None:
    xarray, pandas = pytest.importorskip("xarray"), pytest.importorskip("pandas")
    result.save(tmp_path / "run.nc")
    with xarray.open_dataset(tmp_path / "run.nc") as found:
        assert np.array_equal(found["x"].values, result["x"]) and found["x"].attrs["units"] == "m"
        assert float(found["k"]) == 2
        assert float(found["x"].drop_duplicates("time").interp(time=0.3)) == pytest.approx(
            np.exp(-0.6), rel=1e-2
        )
    pytest.importorskip("pyarrow")
    result.save(tmp_path / "run.parquet")
    frame = pandas.read_parquet(tmp_path / "run.parquet")
    assert frame["on"].dtype == bool and np.array_equal(frame["x"], result["x"])


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.xyz", "", "the formats are .csv, .mat"),
        ("a", "", "without a suffix"),
        ("a.csv", "x,y\n1,2\n", "not a table over time"),
        ("a.csv", "", "not a table over time"),
        ("a.csv", "time,x\n0,1\n1,2,3\n", "not a table of numbers"),
        ("a.mat", "no such thing", "not a readable MATLAB file"),
        ("a.nc", "no such thing", "not a NetCDF file"),
        ("a.h5", "no such thing", "not a readable HDF5 file"),
        ("a.parquet", "no such thing", "not a readable Parquet file"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, text: str, words: str) -> None:
    needed(Path(name).suffix)
    (tmp_path / name).write_text(text)
    with pytest.raises(saltus.UsageError) as caught:
        saltus.read_result(tmp_path / name)
    assert words in str(caught.value)


def test_a_matlab_file_of_something_else(tmp_path: Path) -> None:
    scipy.io.savemat(tmp_path / "a.mat", {"x": np.eye(2)})
    with pytest.raises(saltus.UsageError, match="not one of results"):
        saltus.read_result(tmp_path / "a.mat")


def test_curves_by_themselves_are_written_too(tmp_path: Path) -> None:
    curves = Curves("measured", np.array([0.0, 1.0]), {"u": np.array([1.0, np.nan])})
    for suffix, found in FORMATS.items():
        needed(suffix)
        found.write(curves, tmp_path / f"a{suffix}")
        again = saltus.read_result(tmp_path / f"a{suffix}")
        assert np.array_equal(again["u"], curves["u"], equal_nan=True)
