"""Any curves in any format: what others read is what was written, and what others write is read here."""

from __future__ import annotations

import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
import scipy.io
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.expr.nodes import Type
from saltus.result.exchange.curves import Column, Curves
from saltus.result.exchange.formats import FORMATS, opener_of
from saltus.result.exchange.stream import write_at_once

SPELT = ["x", "y2", "a.b.c", "m[1,2].v", "der(x)", "tank.'odd name'", "on", "Ωmega", "n_1", 'say"so"']
NAMES = st.lists(st.sampled_from(SPELT), min_size=1, max_size=5, unique=True)
NUMBERS = st.floats(allow_nan=True, allow_infinity=False, width=64)
LETTERS = st.characters(codec="utf-8", exclude_characters="\0[]|", exclude_categories=("C", "Z"))
TEXTS = st.text(LETTERS, max_size=8)
PARAMETERS = st.dictionaries(
    st.sampled_from(["k", "p.q", "n[3]"]), st.floats(-1e9, 1e9, allow_nan=False), max_size=3
)


@st.composite
def curves(draw: st.DrawFn) -> Curves:
    """Some rows, some of them at one time, of Reals with gaps, Booleans, Integers and enumerations."""
    count = draw(st.integers(0, 7))
    times = np.sort(np.array(draw(st.lists(st.floats(-1e6, 1e6), min_size=count, max_size=count))))
    arrays: dict[str, np.ndarray] = {}
    columns: dict[str, Column] = {}
    for name in draw(NAMES):
        kind = draw(st.sampled_from([Type.REAL, Type.REAL, Type.BOOLEAN, Type.INTEGER]))
        values = {
            Type.REAL: NUMBERS,
            Type.BOOLEAN: st.sampled_from([0.0, 1.0, np.nan]),
            Type.INTEGER: st.one_of(st.integers(-(2**53), 2**53).map(float), st.just(np.nan)),
        }[kind]
        arrays[name] = np.array(draw(st.lists(values, min_size=count, max_size=count)), dtype=float)
        columns[name] = Column(draw(st.sampled_from(["", "m/s", "K"])), draw(TEXTS), kind)
    return Curves("Any", times, arrays, columns, draw(PARAMETERS))


def needed(*modules: str) -> list[Any]:
    """Modules of others; without one of them a test says so."""
    return [pytest.importorskip(module, reason=f"{module} is not installed") for module in modules]


def written(found: Curves, suffix: str, folder: str, cuts: list[int]) -> Path:
    """A file, whose rows are written in blocks that end at the cuts."""
    path = Path(folder) / f"any{suffix}"
    stream = opener_of(path)(found.head, path)
    for first, past in zip([0, *sorted(cuts)], [*sorted(cuts), len(found.time)], strict=True):
        stream.write(found.rows(slice(first, past)))
    stream.close()
    return path


CUTS = st.lists(st.integers(0, 7), max_size=3)


@settings(max_examples=60)
@given(curves(), CUTS)
@pytest.mark.parametrize("suffix", FORMATS)
def test_what_is_written_in_blocks_is_read_again(suffix: str, found: Curves, cuts: list[int]) -> None:
    needed(*{".h5": ["h5py"], ".parquet": ["pyarrow"]}.get(suffix, []))
    with TemporaryDirectory() as folder:
        again = saltus.read_result(
            written(found, suffix, folder, [min(cut, len(found.time)) for cut in cuts])
        )
    assert np.array_equal(again.time, found.time)
    for name in found.names:
        if len(found.time):
            assert np.array_equal(again[name], found[name], equal_nan=True), name
    if suffix != ".csv":
        assert again.names == found.names and again.parameters == found.parameters
        assert [again.column(n).unit for n in found.names] == [found.column(n).unit for n in found.names]
        assert [again.column(n).description for n in found.names] == [
            found.column(n).description for n in found.names
        ]
    if suffix not in (".csv", ".mat"):  # which have no types
        assert [again.column(n).type for n in found.names] == [found.column(n).type for n in found.names]


@settings(max_examples=40)
@given(curves())
def test_scipy_reads_matlab(found: Curves) -> None:
    """By the layout of Modelica tools: name, dataInfo, data_1, data_2."""
    with TemporaryDirectory() as folder:
        write_at_once(opener_of("a.mat"), found, Path(folder) / "a.mat")
        read = scipy.io.loadmat(Path(folder) / "a.mat", chars_as_strings=False)
    names = ["".join(column).rstrip() for column in read["name"].T]
    assert len(names) == 1 + len(found.names) + len(found.parameters)
    assert read["data_2"].shape[1] == len(found.time) and np.array_equal(read["data_2"][0], found.time)
    for place, name in enumerate(found.names, start=1):
        table, row, *_ = read["dataInfo"][:, place]
        values = np.sign(row) * read[f"data_{table}"][abs(row) - 1]
        assert np.array_equal(values, found[name], equal_nan=True), name
    if len(found.time):
        assert read["data_1"][0].tolist() == [found.time[0], found.time[-1]]


@settings(max_examples=30)
@given(curves())
def test_xarray_reads_netcdf(found: Curves) -> None:
    (xarray,) = needed("xarray")
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        write_at_once(opener_of("a.nc"), found, Path(folder) / "a.nc")
        with xarray.open_dataset(Path(folder) / "a.nc", decode_times=False) as read:
            assert np.array_equal(read["time"].values, found.time)
            for name in filter(str.isascii, found.names):
                assert np.array_equal(read[name].values, found[name], equal_nan=True), name
                assert read[name].attrs.get("units", "") == found.column(name).unit
            for name, value in found.parameters.items():
                assert float(read[name]) == value


@settings(max_examples=30)
@given(curves())
def test_pandas_reads_tables(found: Curves) -> None:
    (pandas,) = needed("pandas")
    with TemporaryDirectory() as folder:
        write_at_once(opener_of("a.csv"), found, Path(folder) / "a.csv")
        read = pandas.read_csv(Path(folder) / "a.csv", float_precision="round_trip")
    assert list(read.columns) == ["time", *found.names, *found.parameters]
    for name in ("time", *found.names, *found.parameters):
        assert np.array_equal(read[name].to_numpy(dtype=float), found[name], equal_nan=True), name


@settings(max_examples=30)
@given(curves())
def test_pandas_reads_parquet(found: Curves) -> None:
    pandas, _ = needed("pandas", "pyarrow")
    with TemporaryDirectory() as folder:
        write_at_once(opener_of("a.parquet"), found, Path(folder) / "a.parquet")
        read = pandas.read_parquet(Path(folder) / "a.parquet")
    assert list(read.columns) == ["time", *found.names]
    for name in found.names:
        values = read[name].to_numpy(dtype=float, na_value=np.nan)
        assert np.array_equal(values, found[name], equal_nan=True), name


@settings(max_examples=30)
@given(curves())
def test_h5py_reads_hdf5(found: Curves) -> None:
    (h5py,) = needed("h5py")
    with TemporaryDirectory() as folder:
        write_at_once(opener_of("a.h5"), found, Path(folder) / "a.h5")
        with h5py.File(Path(folder) / "a.h5") as read:
            assert set(read) == {"time", *found.names, *found.parameters}
            for name in found.names:
                assert np.array_equal(read[name][()], found[name], equal_nan=True), name


# ---------------------------------------------------------------- files of others


@st.composite
def of_others(draw: st.DrawFn) -> dict[str, Any]:
    """A result as OpenModelica or Dymola write it, with the values that each name has in it: aliases, some of
    them negated, share rows; in single or double precision; names by columns, or, in the older form, by
    rows."""
    count = draw(st.integers(2, 6))
    kept = draw(st.integers(1, 3))
    kind = draw(st.sampled_from([np.float32, np.float64]))
    numbers = st.integers(-1000, 1000).map(lambda n: n / 8)
    times = np.linspace(0.0, 1.0, count).astype(kind)
    rows = [
        np.array(draw(st.lists(numbers, min_size=count, max_size=count)), dtype=kind) for _ in range(kept)
    ]
    fixed = np.array(draw(st.lists(numbers, min_size=1, max_size=3)), dtype=kind)
    names = draw(
        st.lists(st.sampled_from(["a", "b.v", "der(b.v)", "c[2]", "R.T_ref", "z9"]), min_size=1, unique=True)
    )
    info, values, constants = [(0, 1, 0, -1)], {}, {}
    for name in names:
        sign = draw(st.sampled_from([1, -1]))
        if draw(st.booleans()):
            place = draw(st.integers(1, kept))
            info.append((2, sign * (place + 1), 0, -1))
            values[name] = sign * rows[place - 1]
        else:
            place = draw(st.integers(1, len(fixed)))
            info.append((1, sign * (place + 1), 0, 0))
            constants[name] = sign * fixed[place - 1]
    return {
        "names": ["time", *names],
        "info": np.array(info, dtype=np.int32),
        "data_1": np.column_stack([np.array([times[0], *fixed]), np.array([times[-1], *fixed])]),
        "data_2": np.vstack([times, *rows]),
        "transposed": draw(st.booleans()),
        "times": times,
        "values": values,
        "constants": constants,
    }


def letters(texts: list[str], transposed: bool) -> np.ndarray:
    """Texts as a matrix of letters, in rows or in columns."""
    width = max(map(len, texts))
    rows = [text.ljust(width) for text in texts]
    return np.array(["".join(column) for column in zip(*rows, strict=True)] if transposed else rows)


@settings(max_examples=60)
@given(of_others())
def test_results_of_other_tools_are_read(given_: dict[str, Any]) -> None:
    turned = given_["transposed"]
    contents = {
        "Aclass": letters(["Atrajectory", "1.1", "", "binTrans" if turned else "binNormal"], False),
        "name": letters(given_["names"], turned),
        "description": letters(["Time in [s]", *("what it is [V|mV]" for _ in given_["names"][1:])], turned),
        "dataInfo": given_["info"].T if turned else given_["info"],
        "data_1": given_["data_1"] if turned else given_["data_1"].T,
        "data_2": given_["data_2"] if turned else given_["data_2"].T,
    }
    with TemporaryDirectory() as folder:
        scipy.io.savemat(Path(folder) / "other.mat", contents, format="4")
        found = saltus.read_result(Path(folder) / "other.mat")
    assert np.array_equal(found.time, given_["times"])
    assert found.parameters == given_["constants"] and found.names == list(given_["values"])
    for name, values in given_["values"].items():
        assert np.array_equal(found[name], values)
        assert (found.column(name).unit, found.column(name).display) == ("V", "mV")
        assert found.column(name).description == "what it is"


@pytest.mark.parametrize("quoted", [False, True])
def test_tables_of_openmodelica_are_read(tmp_path: Path, quoted: bool) -> None:
    """Names in quotes, events as two rows, and a last comma or none."""
    names = ["time", "ball.h", "der(ball.h)", "x[1,2]"]
    head = ",".join(f'"{name}"' if quoted or "," in name else name for name in names)
    (tmp_path / "M_res.csv").write_text(f"{head}\n0,1,0,1\n0.5,0.25,-4.9,1\n0.5,0.25,3.5,2\n1,0,1e-3,2\n")
    found = saltus.read_result(tmp_path / "M_res.csv")
    assert found.names == names[1:] and found.at(0.5, left=True)["der(ball.h)"] == -4.9
    assert found.at(0.5)["der(ball.h)"] == 3.5
