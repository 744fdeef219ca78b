"""Long runs give their rows away: the same curves and the same events as of a run that keeps all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.translated_models import translated

import saltus
from saltus.result.exchange import outlets
from saltus.result.exchange.formats import FORMATS
from saltus.result.exchange.outlets import FileOutlet
from saltus.result.files.eventlog import event_lines, json_lines
from saltus.result.files.stored import NotStored, StoredResult
from saltus.tools.cli import main

EXAMPLES = Path(__file__).parents[3] / "examples"

#: Impacts with reinitialised states, programs that take turns, a clock, and events that accumulate.
BALL = (EXAMPLES / "BouncingBall.mo").read_text()
TUMBLING = (EXAMPLES / "TumblingBody.mo").read_text()
SAMPLED = (EXAMPLES / "SampledSystem.mo").read_text()
FRICTION = (EXAMPLES / "DryFriction.mo").read_text()
AT_REST = """model Settles
  Real h(start = 1, fixed = true), v(fixed = true), other = 2*h;
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
  annotation(experiment(StopTime = 3));
end Settles;
"""
OPTIONS = {AT_REST: {"zeno": "rest"}}


def told(result: saltus.Result) -> list[object]:
    """All that is decoded from rows."""
    stays = [(stay.start, stay.stop, stay.mode.brief) for stay in result.modes]
    warnings = [str(w) for w in result.warnings]
    return [list(json_lines(result)), list(event_lines(result)), stays, list(result.impulses), warnings]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every run is a long one."""
    monkeypatch.setattr(outlets, "MANY_BYTES", 4000)
    yield


@settings(max_examples=8)
@given(st.integers(500, 60_000))
@pytest.mark.parametrize("text", [BALL, TUMBLING, SAMPLED, FRICTION, AT_REST])
def test_nothing_is_lost(text: str, tmp_path_factory: pytest.TempPathFactory, many_bytes: int) -> None:
    """However many rows are given at a time."""
    model, options = translated(text), OPTIONS.get(text, {})
    full = model.simulate(interval=0.001, **options)
    outlet = FileOutlet(tmp_path_factory.mktemp("run") / "run.nc", many_bytes=many_bytes)
    thin = model.simulate(interval=0.001, output=outlet, **options)
    assert outlet.has_begun
    found = saltus.read_result(outlet.path)
    assert np.array_equal(found.time, full.time) and found.names == full.names
    for name in full.names:
        assert np.array_equal(found[name], full[name], equal_nan=True), name
    assert told(thin.whole) == told(full)
    assert repr(thin.events) == repr(full.events) and thin.statistics["events"] == full.statistics["events"]
    # What stays are the limits of events, and few rows beside.
    assert len(thin.whole) <= 2 * len(full.events) + 2 < len(full)


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("patterns", [None, ["h*", "bounces"]])
def test_every_format_takes_rows_block_by_block(
    small: None, tmp_path: Path, suffix: str, patterns: list[str] | None
) -> None:
    for module in {".h5": ["h5py"], ".parquet": ["pyarrow"]}.get(suffix, []):
        pytest.importorskip(module, reason=f"{suffix} files need {module}")
    model = translated(BALL)
    full = model.simulate(interval=0.001)
    full.save(tmp_path / f"whole{suffix}", patterns)
    result = model.simulate(interval=0.001, store=patterns, output=tmp_path / f"blocks{suffix}")
    assert isinstance(result, StoredResult) and len(result.whole) < 100
    whole, blocks = (saltus.read_result(tmp_path / f"{name}{suffix}") for name in ("whole", "blocks"))
    assert blocks.names == whole.names and blocks.parameters == whole.parameters
    for name in ("time", *whole.names):
        assert np.array_equal(blocks[name], whole[name]), name
        assert blocks.column(name) == whole.column(name)
    for name in result.names:
        assert np.array_equal(result[name], full[name]), name


@pytest.mark.parametrize("is_long", [False, True])
def test_a_result_of_some_variables(monkeypatch: pytest.MonkeyPatch, is_long: bool) -> None:
    """Short runs, which keep all their rows, give the same as long ones, which do not."""
    monkeypatch.setattr(outlets, "MANY_BYTES", 1 if is_long else 2**40)
    model = translated(BALL)
    full = model.simulate(interval=0.001)
    result = model.simulate(interval=0.001, store=["height", "bounces"])
    assert (len(result.whole) < len(full)) is is_long
    assert result.names == ["height", "bounces"] and result.parameters == full.parameters
    assert np.array_equal(result["height"], full["height"]) and (result["g"] == 9.81).all()
    assert result.at(1.5) == {name: full.at(1.5)[name] for name in result.names}
    assert result.resample(0.5).names == result.names == list(result.to_pandas().columns)
    assert told(result) == told(full) and "height" in result and "velocity" not in result
    with pytest.raises(NotStored, match="`velocity` was not stored, only `height` and `bounces`"):
        result["velocity"]
    with pytest.raises(saltus.UsageError, match="`velocity` was not stored"):
        result.curves(["velocity"])
    with pytest.raises(KeyError, match="did you mean `height`"):
        result["hieght"]
    assert dict(result.state_at()) == dict(full.state_at())
    impact = full.events[1].time
    assert result.state_at(impact)["velocity"] == full.state_at(impact)["velocity"] > 0
    with pytest.raises(saltus.UsageError, match="only at events"):
        result.state_at(1.2345678)


def test_a_slip_in_a_pattern_is_found_before_the_run() -> None:
    with pytest.raises(saltus.UsageError, match="did you mean `height`"):
        translated(BALL).simulate(store=["hieght"])


@pytest.mark.parametrize("more", [{"checkpoint": "run.checkpoint"}, {"steps": True}])
def test_what_needs_all_rows_is_refused(more: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(saltus.UsageError, match="needs all of its rows"):
        translated(BALL).simulate(store=["height"], **more)  # type: ignore[arg-type]


def test_a_run_that_fails_leaves_what_it_has_come_to(small: None, tmp_path: Path) -> None:
    text = """model Fails Real x(start = 1, fixed = true), y;
      equation der(x) = -1; assert(x > -1, "x is too small"); y = sqrt(x + 1); end Fails;"""
    with pytest.raises(saltus.RunError) as error:
        translated(text).simulate(stop_time=3, interval=5e-5)
    full = error.value.partial
    with pytest.raises(saltus.RunError) as error:
        translated(text).simulate(stop_time=3, interval=5e-5, output=tmp_path / "run.mat")
    partial = error.value.partial
    assert isinstance(partial, StoredResult) and len(partial) == len(full) > 1000
    assert np.array_equal(saltus.read_result(tmp_path / "run.mat")["x"], full["x"])


def test_a_variable_stays_as_large_as_it_has_been(small: None, tmp_path: Path) -> None:
    """That a run has seen no more than a small part of a size is told (W407): of all its rows, given away or
    not. Here the state is large only at first."""
    text = """model Fades Real x(start = 1, fixed = true), y(start = 1e-5, fixed = true);
      equation der(x) = -100*x; der(y) = -y + 1e-9*x; end Fades;"""
    full = translated(text).simulate(stop_time=2, interval=1e-4)
    thin = translated(text).simulate(stop_time=2, interval=1e-4, output=tmp_path / "run.nc")
    assert isinstance(thin, StoredResult) and len(thin.whole) < 10
    assert [str(w) for w in thin.warnings] == [str(w) for w in full.warnings]


@pytest.mark.parametrize("where", ["rows", "once", "none"])
def test_the_command_writes_while_the_run_lasts(
    small: None, tmp_path: Path, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Events, too; and parameters where they are wanted."""
    table, events = tmp_path / "ball.csv", tmp_path / "ball.jsonl"
    command = ["simulate", str(EXAMPLES / "BouncingBall.mo"), "--interval", "0.001", "--parameters", where]
    with pytest.raises(SystemExit) as ended:
        main([*command, "--output", str(table), "--events", str(events), "--store", "height,c,g"])
    assert ended.value.code == 0, capsys.readouterr().err
    full = saltus.load(EXAMPLES / "BouncingBall.mo").simulate(interval=0.001)
    assert events.read_text() == "".join(json_lines(full))
    header, *rows = (line.split(",") for line in table.read_text().splitlines())
    assert header == ["time", "height", *(["c", "g"] if where != "none" else [])]
    assert [float(row[1]) for row in rows] == full["height"].tolist()
    others = {tuple(row[2:]) for row in rows[1:]}
    assert others == {"rows": {("0.8", "9.81")}, "once": {("", "")}, "none": {()}}[where]
    found = saltus.read_result(table)
    assert found["height"].tolist() == full["height"].tolist()
    if where == "once":
        assert rows[0][2:] == ["0.8", "9.81"] and found.parameters == {"c": 0.8, "g": 9.81}


def test_a_plot_needs_all_rows(small: None, tmp_path: Path) -> None:
    """Then they are kept, and the file is written at the end."""
    command = ["simulate", str(EXAMPLES / "BouncingBall.mo"), "--output", str(tmp_path / "ball.csv")]
    with pytest.raises(SystemExit) as ended:
        main([*command, "--plot", str(tmp_path / "ball.svg"), "--plot-variables", "velocity"])
    assert ended.value.code == 0 and (tmp_path / "ball.svg").exists()
    assert len(saltus.read_result(tmp_path / "ball.csv").time) > 300
