"""Places that are written into a file: they mean what is drawn, and change nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from drawn_geometry import Point, loose_ends, read
from unplaced_models import MODELS

import saltus
from saltus.finding import find_class
from saltus.lower.annotations.graphics import picture_of
from saltus.tools.cli import main


def draw(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["draw", *arguments])
    assert isinstance(caught.value.code, int)
    return caught.value.code


def relative(points: list[Point]) -> list[Point]:
    """A wire, seen from where it begins."""
    return [(round(x - points[0][0], 1), round(y - points[0][1], 1)) for x, y in points]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["circuit", "own", "loop"])
def test_what_is_written_is_what_is_drawn(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, model = MODELS[name]
    path = folder / "model.mo"
    path.write_text(text)
    before = saltus.diagram(path, model)
    count = len(picture_of(find_class(path, model)).unplaced)
    assert draw("model.mo", "--model", model, "--write") == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{model}.svg\nmodel.mo: written places for {count} parts and lines for ")
    picture = picture_of(find_class(path, model))
    assert picture.unplaced == () and all(c.line is not None for c in picture.connections)
    drawn, again = read(before), read(saltus.diagram(path, model))
    # Names of connectors, and symbols of classes that draw nothing, are not written.
    assert [relative(points) for *_, points in again.wires] == [
        relative(points) for *_, points in drawn.wires
    ]
    assert list(loose_ends(again)) == []
    if name == "circuit":
        assert again == drawn
    written = path.read_text()
    assert re.sub(r"\s*annotation\((Placement|Line)\(.*?\)\)(?=;|,)", "", written) == text
    assert draw("model.mo", "--model", model, "--write") == 0
    assert "everything has a place already" in capsys.readouterr().out
    assert path.read_text() == written


def test_annotations_that_are_there_are_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "m.mo"
    path.write_text(
        "model M\n"
        '  Saltus.Electrical.Resistor a "First" annotation(Dialog(tab = "x")), b(R = 2) annotation();\n'
        "equation\n"
        '  connect(a.n, b.p) "wire";\n'
        "end M;\n"
    )
    assert draw("m.mo", "--write", "--quiet") == 0
    text = path.read_text()
    assert "annotation(Placement(transformation(" in text and '), Dialog(tab = "x")), b(R = 2) annot' in text
    assert '"wire" annotation(Line(points = {{' in text
    assert picture_of(find_class(path)).unplaced == ()


def test_what_cannot_be_written_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "m.mo").write_text("model M Saltus.Electrical.Resistor a; end M;")
    assert draw("m.mo", "--icon", "--write") == 2
    assert "--write makes sense only for the diagram" in capsys.readouterr().err


def test_what_is_inherited_is_left_to_its_class(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "m.mo"
    base = "model Base Saltus.Electrical.Resistor a; end Base;\n"
    path.write_text(base + "model M extends Base; Saltus.Electrical.Resistor b; end M;\n")
    assert draw("m.mo", "--model", "M", "--write") == 0
    assert "written places for 1 part and lines for 0 connections" in capsys.readouterr().out
    assert path.read_text().startswith(base)
