"""What is gathered for a report, and the file that it becomes."""

from __future__ import annotations

import base64
import json
import math
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from typer.testing import CliRunner

import saltus
from saltus.core.diagnostics import UsageError
from saltus.result.result import Result
from saltus.show.report import happenings, library
from saltus.show.report.curves import chosen_rows, curves
from saltus.show.report.page import report_data, report_html
from saltus.tools.cli import app

G = 9.81


def numbers(packed: dict[str, str]) -> NDArray[Any]:
    """The array that a browser reads."""
    return np.frombuffer(base64.b64decode(packed["data"]), dtype=f"<{packed['type']}")


def of_page(text: str) -> dict[str, Any]:
    """The data in a page, as its script finds them: the text of an element ends where a tag ends it."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script', text, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


# ---------------------------------------------------------------- rows


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.integers(200, 400), st.integers(20, 100))
def test_a_picture_of_fewer_rows_is_the_same(seed: int, count: int, most: int) -> None:
    """In each stretch of the rows that are left, the curve has the limits and the ends that it had."""
    curve, time = np.random.default_rng(seed).standard_normal(count), np.arange(count, dtype=float)
    rows = chosen_rows(time, [curve], most)
    assert len(rows) <= most + 4
    assert list(rows) == sorted(set(rows.tolist()))
    bounds = np.unique(np.linspace(0, len(curve), max(1, most // 4) + 1).astype(int))
    for first, last in pairwise(bounds):
        kept = curve[rows[(rows >= first) & (rows < last)]]
        whole = curve[first:last]
        assert (kept.min(), kept.max(), kept[0], kept[-1]) == (whole.min(), whole.max(), whole[0], whole[-1])


def test_rows_of_events_are_kept() -> None:
    time = np.sort(np.concatenate([np.linspace(0, 1, 10_001), [0.12345, 0.12345, 0.77777, 0.77777]]))
    rows = chosen_rows(time, [np.sin(time)], 500)
    assert np.count_nonzero(np.isin(time[rows], [0.12345, 0.77777])) == 4
    assert len(rows) <= 500


def test_all_rows_where_they_fit() -> None:
    time = np.linspace(0, 1, 100)
    assert chosen_rows(time, [time], 100).tolist() == list(range(100))


# ---------------------------------------------------------------- curves


def test_what_switches_is_told_by_its_times() -> None:
    text = """model M
      Boolean b = sin(x) > 0;
      Real x(start = 1, fixed = true);
      Integer n(start = 0, fixed = true);
    equation
      der(x) = 10;
      when b then n = pre(n) + 1; end when;
    end M;"""
    told = curves(saltus.load(text).simulate(stop_time=2, interval=1e-3))
    by_name = {c["name"]: c for c in told["list"]}
    zeros = [(k * math.pi - 1) / 10 for k in range(1, 7)]
    np.testing.assert_allclose(numbers(by_name["b"]["at"])[1:], zeros, atol=1e-7)
    assert numbers(by_name["b"]["values"]).tolist() == [1, 0, 1, 0, 1, 0, 1]
    assert numbers(by_name["n"]["values"]).tolist() == [0, 1, 2, 3]
    np.testing.assert_allclose(numbers(by_name["x"]["values"]), 1 + 10 * numbers(told["time"]), atol=1e-5)


def test_names_of_one_curve_are_there_once(inverter: Result) -> None:
    names = [c["name"] for c in curves(inverter, ["Lb.i"])["list"]]
    sources = [inverter.source(name) for name in names]
    assert len(set(sources)) == len(sources)
    assert "Lb.i" in names


def test_curves_that_are_asked_for(ball: Result) -> None:
    told = curves(ball, ["up", "h"])
    assert [told["list"][k]["name"] for k in told["shown"]] == ["up", "h"]
    with pytest.raises(UsageError, match="hh"):
        curves(ball, ["hh"])


# ---------------------------------------------------------------- events


def test_impacts_with_their_causes(ball: Result) -> None:
    data = report_data(ball)
    told = data["events"]
    fall = math.sqrt(2 / G)
    impacts = [fall, fall + 2 * 0.7 * fall]
    found = [
        (time, event)
        for time, event in zip(numbers(told["times"]), told["list"], strict=True)
        if any(told["causes"][cause]["text"] == "h <= 0" and truth for cause, truth in event.get("why", ()))
    ]
    np.testing.assert_allclose([time for time, _ in found[:2]], impacts, rtol=1e-6)
    _, first = found[0]
    ((name, before, after),) = first["jumped"]
    assert told["names"][name] == "v"
    assert (before, after) == pytest.approx((-G * fall, 0.7 * G * fall), rel=1e-6)
    text, line, column, length = told["causes"][first["why"][0][0]]["place"]
    source = data["texts"][text]
    assert source["name"] == "Ball.mo"
    assert source["parts"][0]["lines"][line - 1][column - 1 : column - 1 + length] == "h <= 0"


def test_every_crossing_of_the_carrier_is_there(inverter_page: str) -> None:
    """Sines are flatter than the sides of the triangle: each phase crosses it twice in each period."""
    told = of_page(inverter_page)["events"]
    counts = dict.fromkeys(("depth*sin(phase)", "depth*sin(phase - 2", "depth*sin(phase + 2"), 0)
    for event in told["list"]:
        for cause, _ in event["why"]:
            for text in counts:
                counts[text] += told["causes"][cause]["text"].startswith(text)
    assert all(999 <= count <= 1000 for count in counts.values()), counts


def test_a_page_does_not_grow_with_the_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many the first are told in full; of the others there are times, as far as they can be seen."""
    monkeypatch.setattr(happenings, "DETAILED", 100)
    monkeypatch.setattr(happenings, "STRETCHES", 1000)
    text = """model M
      Integer n(start = 0, fixed = true);
      Boolean b = mod(n, 2) == 1;
      Real x = if b then time else -time;
    equation
      when sample(1e-4, 1e-4) then n = pre(n) + 1; end when;
    end M;"""
    result = saltus.load(text).simulate(stop_time=2)
    data = report_data(result, ["b", "x"])
    told = data["events"]
    assert told["all"] == pytest.approx(20_001, abs=2)
    assert len(told["list"]) == 100
    times = numbers(told["times"])
    assert len(times) < 1200
    np.testing.assert_allclose(times[1:100], np.arange(1, 100) * 1e-4)
    assert np.diff(times[100:]).max() < 2 * 2 / 1000, "no stretch with events is empty"
    assert len(json.dumps(data)) < 5e6


@pytest.mark.parametrize("text", ["model M Real x = 1; end M;", "model M parameter Real p = 1; end M;"])
def test_little_to_tell(text: str) -> None:
    """A model may have no states, no events, or no variables at all; a run may have no length."""
    for stop in (0, 1):
        data = report_data(saltus.load(text).simulate(stop_time=stop))
        assert data["span"] == [0, stop]


# ---------------------------------------------------------------- the file


def test_the_page_is_one_file_below_five_megabytes(inverter_page: str) -> None:
    text = inverter_page
    assert len(text.encode()) < 5e6
    assert of_page(text)["model"] == "Inverter"
    head = text[: text.index("<body>")]
    assert "default-src 'none'" in head
    assert not re.search(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=\"(?!data:)", text)


def test_what_a_model_says_does_not_end_a_script(ball: Result) -> None:
    data = of_page(report_html(ball))
    assert any(c.get("about") == "height </script><b>bold</b>" for c in data["curves"]["list"])


def test_from_python_and_by_the_command(ball: Result, tmp_path: Path) -> None:
    ball.report(tmp_path / "a.html", "v")
    data = of_page((tmp_path / "a.html").read_text())
    assert [data["curves"]["list"][k]["name"] for k in data["curves"]["shown"]] == ["v"]
    assert ["c", 0.7, "", "speed after an impact over speed before it"] in [
        p[:4] for p in data["parameters"]["list"]
    ]
    assert "der(h)" in data["making"]["equations"]
    assert {"read", "run"} <= {step for step, _ in data["seconds"]}

    model = tmp_path / "M.mo"
    model.write_text("model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;")
    out = tmp_path / "run.html"
    told = CliRunner().invoke(
        app, ["report", str(model), "-o", str(out), "--stop-time", "2", "--set", "x.start=3"]
    )
    assert told.exit_code == 0, told.output
    data = of_page(out.read_text())
    assert data["span"] == [0, 2]
    (x,) = data["curves"]["list"]
    np.testing.assert_allclose(numbers(x["values"]), 3 * np.exp(-numbers(data["curves"]["time"])), atol=1e-4)


def test_a_run_that_fails_is_told_as_far_as_it_came(tmp_path: Path) -> None:
    model, out = tmp_path / "M.mo", tmp_path / "m.html"
    model.write_text("""model M
      Real x(start = 0, fixed = true);
    equation
      der(x) = 1;
      assert(x < 0.5, "too far");
    end M;""")
    told = CliRunner().invoke(app, ["report", str(model), "-o", str(out), "--stop-time", "1"])
    assert told.exit_code == 3
    data = of_page(out.read_text())
    assert data["span"][1] == pytest.approx(0.5, abs=1e-3)
    (error,) = (p for p in data["problems"] if p["severity"] == "error")
    assert "too far" in error["text"]
    assert error["place"][1] == 5
    assert "der(x)" in data["making"]["equations"]


def test_without_the_plotting_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is said before a long run, with what to do."""
    monkeypatch.setattr(library, "PACKAGE", "there-is-no-such-package")
    told = CliRunner().invoke(app, ["report", str(tmp_path / "not even read.mo")])
    assert told.exit_code == 2
    assert "pip install saltus[report]" in told.output


@pytest.mark.parametrize("name", ["run.pdf", "run"])
def test_a_report_is_a_page(name: str) -> None:
    told = CliRunner().invoke(app, ["report", "M.mo", "-o", name])
    assert told.exit_code == 2
    assert ".html" in told.output
