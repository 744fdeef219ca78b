"""`saltus components`, `saltus gallery` and `saltus new`, as a newcomer uses them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import saltus
from saltus.catalogue import components, exhibit, gallery
from saltus.core.diagnostics import UsageError
from saltus.ir.catalogue import PartDescription
from saltus.lower.annotations.catalogue import without_annotations
from saltus.tools.starting_model import starters


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "saltus", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


def test_a_search_finds_names_and_descriptions() -> None:
    found = components("diode")
    assert isinstance(found, PartDescription)  # there is one part of that name
    listed = components("flip")
    assert isinstance(listed, list)
    assert {part.short for part in listed} >= {"DFlipFlop", "RSFlipFlop"}
    assert all("flip" in (part.name + part.description).lower() for part in listed)


def test_everything_is_listed_without_a_word() -> None:
    listed = components()
    assert isinstance(listed, list)
    names = {part.name for part in listed}
    assert "Saltus.Electrical.Resistor" in names and len(names) > 150
    assert not any(".Examples." in name or ".Interfaces." in name for name in names)


def test_what_is_told_about_a_part() -> None:
    told = components("Saltus.Electrical.Resistor")
    assert isinstance(told, PartDescription)
    resistance = next(e for e in told.parameters if e.name == "R")
    assert resistance.unit == "Ohm" and resistance.description
    assert {e.name for e in told.connectors} >= {"p", "n"}
    assert "i = p.i" in told.equations  # inherited
    assert told.examples and all(name.startswith("Saltus.Examples.") for name in told.examples)


def test_parameters_that_are_final_are_no_parameters_of_a_part() -> None:
    """A backlash is a stop whose two limits follow from its play: only that can be given."""
    backlash = components("Saltus.Translational.Backlash")
    assert isinstance(backlash, PartDescription)
    assert {e.name for e in backlash.parameters}.isdisjoint({"s_min", "s_max"})
    assert "b" in {e.name for e in backlash.parameters}


def test_unknown_words_are_refused_with_near_ones(tmp_path: Path) -> None:
    done = run("components", "Resitor", folder=tmp_path)
    assert done.returncode == 2 and "Resistor" in done.stderr and "Traceback" not in done.stderr
    done = run("gallery", "Rectifer", folder=tmp_path)
    assert done.returncode == 2 and "did you mean" in done.stderr


def test_a_user_library_is_searched_too(tmp_path: Path) -> None:
    (tmp_path / "Mine.mo").write_text(
        'package Mine "Own parts" model Lamp "Glows" parameter Real R = 3 "Cold"; end Lamp; end Mine;'
    )
    done = run("components", "Lamp", "--package", "Mine", "--library", ".", folder=tmp_path)
    assert done.returncode == 0 and "Mine.Lamp (model): Glows" in done.stdout and "R = 3" in done.stdout


def test_exhibits_are_found_by_parts_of_their_names() -> None:
    first = gallery()[0].exhibits[0]
    assert exhibit(first.name) == exhibit(first.short) == first
    with pytest.raises(UsageError, match="may be"):
        exhibit("Fig")


def test_the_gallery_shows_passage_plot_and_log(tmp_path: Path) -> None:
    done = run("gallery", "Fig11_CollisionModel", "--output", "c.csv", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    for words in (
        "In the paper:",
        "Look at:",
        "Modes",
        "Events",
        "Impulse of tau",
        "Fig11_CollisionModel.png",
    ):
        assert words in done.stdout
    assert (tmp_path / "Fig11_CollisionModel.png").stat().st_size > 1000
    assert (tmp_path / "c.csv").read_text().startswith("time,")
    listed = run("gallery", folder=tmp_path)
    assert listed.returncode == 0
    assert all(e.short in listed.stdout for wing in gallery() for e in wing.exhibits)


def test_text_of_an_exhibit_is_a_model() -> None:
    """What is printed can be simulated as it is."""
    shown = exhibit("Fig11_CollisionModel")
    assert "Documentation" not in shown.text
    result = saltus.load(shown.text).simulate()
    assert result.time[-1] == pytest.approx(1.2)


def test_annotations_are_cut_out() -> None:
    text = """model M "annotation(x)" // annotation(y)
  Real x annotation(Placement(a = {{1, 2}}, text = ")"));
equation
  x = 1 annotation(Line(points = {{0, 0}}));
  annotation(experiment(StopTime = 1));
end M;"""
    kept = without_annotations(text)
    assert kept.splitlines() == [
        'model M "annotation(x)" // annotation(y)',
        "  Real x;",
        "equation",
        "  x = 1;",
        "end M;",
    ]


@pytest.mark.parametrize("kind", starters())
def test_a_new_model_runs_and_is_commented(kind: str, tmp_path: Path) -> None:
    done = run("new", f"my {kind}.mo", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / f"my {kind}.mo").read_text()
    name = "My" + kind.capitalize()
    assert f"model {name} " in text and f"end {name};" in text and text.count("//") >= 3
    model = saltus.load(tmp_path / f"my {kind}.mo")
    assert model.name == name
    result = model.simulate()
    assert not model.warnings and len(result.events) > 2
    said = [line for line in done.stdout.splitlines() if line.startswith("  saltus simulate")]
    assert len(said) == 1
    part = {"circuit": "Diode", "drive": "Clutch", "heating": "Hysteresis"}[kind]
    assert f"saltus components {part} " in done.stdout and f".{part} " in text


def test_a_file_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "circuit.mo").write_text("mine")
    done = run("new", "circuit.mo", folder=tmp_path)
    assert done.returncode == 2 and (tmp_path / "circuit.mo").read_text() == "mine"


@pytest.mark.parametrize("name", ["circuit.txt", "1.mo", "-.mo", "no/such/folder/circuit.mo"])
def test_names_that_are_none(name: str, tmp_path: Path) -> None:
    done = run("new", "--", name, folder=tmp_path)
    assert done.returncode == 2 and re.match(r"error\[E50\d\]", done.stderr), done.stderr


def test_an_unknown_kind(tmp_path: Path) -> None:
    done = run("new", "a.mo", "--kind", "rocket", folder=tmp_path)
    assert done.returncode == 2 and "circuit, drive, heating" in done.stderr
