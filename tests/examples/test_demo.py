"""`make demo`: what it prints of modes and events, and the files that it writes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import matplotlib
import pytest

import saltus
from translated_models import translated

DEMO = Path(__file__).parents[2] / "examples" / "demo.py"


@pytest.fixture
def demo() -> ModuleType:
    matplotlib.use("Agg")
    spec = importlib.util.spec_from_file_location("demo", DEMO)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look it up
    spec.loader.exec_module(module)
    return module


def test_every_example_is_in_the_demo(demo: ModuleType) -> None:
    assert sorted(e.name for e in demo.EXAMPLES) == sorted(path.stem for path in DEMO.parent.glob("*.mo"))


def test_modes_are_shown(
    demo: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Friction and the inductor rectifier: timelines, states that come and go, complete events, plots."""
    shown = tuple(e for e in demo.EXAMPLES if e.modes)
    assert {e.name for e in shown} >= {"DryFriction", "InductorRectifier"}
    monkeypatch.setattr(demo, "EXAMPLES", shown)
    monkeypatch.setattr(demo, "PAPERS", ())
    assert demo.main([str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    table = lines[lines.index("Modes of DryFriction") :]
    assert [row.split()[:3] for row in table[3:6]] == [["1", "1", "2"], ["2", "2", "0"], ["3", "2", "0"]]
    assert table[7].split() == ["0", "0.523598776", "1"]  # asin(1/2)
    log = lines[lines.index("Events of InductorRectifier") + 1 :]
    assert any(line.endswith("diode.blocks is true; state inductor.i is given up") for line in log)
    end = next(k for k, line in enumerate(log) if line.startswith("... "))
    assert log[end - 1] == "Continuing after event." and end <= demo.LOG_LINES
    assert any(line.split()[:1] == ["DryFriction"] and "1 or 2" in line for line in lines)
    assert any(line.split()[:1] == ["InductorRectifier"] and "0 or 1" in line for line in lines)
    for example in shown:
        assert (tmp_path / f"{example.name}.png").stat().st_size > 10_000
        assert (tmp_path / f"{example.name}.csv").exists()


def test_a_failed_example_is_told(
    demo: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "EXAMPLES", (demo.Example("Missing", "nothing"),))
    monkeypatch.setattr(demo, "PAPERS", ())
    assert demo.main([str(tmp_path)]) == 1
    assert "failed: Missing" in capsys.readouterr().err


def test_papers_are_shown(
    demo: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The log of the rectifier is that of the paper: the diode's current crosses zero at 8.708e-3 s."""
    monkeypatch.setattr(demo, "EXAMPLES", ())
    monkeypatch.setattr(saltus, "load", translated)
    assert demo.main([str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert "Events of Elmqvist1993.Fig5_Rectifier" in text and "0.00870814" in text
    rows = text[text.index("of the gallery ") :].splitlines()
    assert all(len(row) <= 80 and "…" not in row for row in rows)
    for name in demo.PAPERS:
        paper, _, short = name.partition(".")
        assert any(row.split()[:2] == [short, paper] for row in rows)
    for name in demo.PAPERS:
        assert name.partition(".")[2] in text and (tmp_path / f"{name}.png").stat().st_size > 5_000
