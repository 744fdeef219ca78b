"""Names changed wherever they mean the same, and nowhere else; what cannot be renamed says why. The models
themselves tell what is right: renamed, they compute what they did."""

from __future__ import annotations

from pathlib import Path

import pytest
from marked_text import opened
from protocol_client import Client

import saltus
from saltus.editor.definition import CannotRename, renaming
from saltus.editor.workspace import Workspace

RIG = """model Rig "x is not a word here"
  parameter Real x = 2 "x";
  Real extent(start = x, fixed = true), y;
  Part part(x = x) annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  model Part
    parameter Real x = 1;
    Real z = x;
  end Part;
  function f
    input Real x;
    output Real r;
  algorithm
    r := 3*x;
  end f;
equation
  der(extent) = -x*extent;
  y = f(x = x) + part.x + part.z;
  annotation(experiment(StopTime = 1));
end Rig;
"""


def renamed(marked: str, name: str) -> str:
    """The text after what is at the mark was renamed."""
    workspace, document, offset = opened(marked)
    text = document.source.text
    for span in sorted(renaming(workspace, document, offset, name), key=lambda s: -s.start):
        text = text[: span.start] + name + text[span.end :]
    return text


def at(text: str, place: str) -> str:
    """The text with a mark; `place` has it."""
    assert text.count(place.replace("|", "")) == 1
    return text.replace(place.replace("|", ""), place)


@pytest.mark.parametrize(
    ("place", "name", "lines"),
    [
        ("Real |x = 2", "rate", {2: 1, 3: 1, 4: 1, 16: 1, 17: 1}),
        ("der(e|xtent)", "level", {3: 1, 16: 2}),
        ("Real |x = 1", "width", {4: 1, 6: 1, 7: 1, 17: 1}),
        ("input Real |x", "argument", {10: 1, 13: 1, 17: 1}),
        ("Part |part(", "motor", {4: 1, 17: 2}),
        ("model |Part", "Motor", {4: 1, 5: 1, 8: 1}),
        ("function |f", "triple", {9: 1, 14: 1, 17: 1}),
        ("model |Rig", "Bench", {1: 1, 19: 1}),
    ],
)
def test_a_name_is_changed_where_it_means_the_same(place: str, name: str, lines: dict[int, int]) -> None:
    after = renamed(at(RIG, place), name)
    pairs = enumerate(zip(RIG.splitlines(), after.splitlines(), strict=True), start=1)
    assert {n: new.count(name) for n, (old, new) in pairs if old != new} == lines
    # The model computes what it did: y = 3*2 + 2 + 2.
    run = saltus.load(after).simulate()
    assert run["y"][-1] == 10


@pytest.mark.parametrize(
    ("place", "name", "why"),
    [
        ("Real |x = 2", "y", "would be confused with another `y` in line 3"),
        ("extent, |y", "part", "would be confused"),
        ("Real |x = 2", "3x", "is no name"),
        ("Real |x = 2", "model", "is no name"),
        ("Real |x = 2", "time", "is predefined"),
        ("|Real z", "Number", "is predefined"),
        ("|equation", "x", "no name here"),
    ],
)
def test_what_cannot_be_renamed_says_why(place: str, name: str, why: str) -> None:
    text = (
        RIG.replace("fixed = true), y;", "fixed = true); Real extent2; Real y;")
        if "extent," in place
        else RIG
    )
    place = place.replace("extent, |y", "Real |y;")
    with pytest.raises(CannotRename, match=why):
        renamed(at(text, place), name)


def test_a_name_of_another_class_is_no_obstacle() -> None:
    """The function has a result `r`, which nobody sees outside of it."""
    assert "parameter Real r = 2" in renamed(at(RIG, "Real |x = 2"), "r")


def test_files_of_a_package_and_libraries(tmp_path: Path) -> None:
    package = tmp_path / "Shop"
    package.mkdir()
    (package / "package.mo").write_text("package Shop end Shop;\n")
    tank = (
        "within Shop;\nmodel Tank\n  Real level(start = 1, fixed = true);\n"
        "equation\n  der(level) = -level;\nend Tank;\n"
    )
    (package / "Tank.mo").write_text(tank)
    (package / "Plant.mo").write_text(
        "within Shop;\nmodel Plant\n  Tank tank(level(start = 2));\n"
        "  Real level = 3*tank.level;\nend Plant;\n"
    )
    workspace = Workspace()
    document = workspace.open((package / "Tank.mo").as_uri(), package / "Tank.mo", tank, 1)
    places = renaming(workspace, document, tank.index("level"), "height")
    found = sorted((Path(span.source.path).name, span.line) for span in places)
    assert found == [("Plant.mo", 3), ("Plant.mo", 4), ("Tank.mo", 3), ("Tank.mo", 5), ("Tank.mo", 5)]
    with pytest.raises(CannotRename, match=r"the file is called `Tank\.mo`"):
        renaming(workspace, document, tank.index("Tank\n"), "Vessel")
    text = "model M\n  Saltus.Electrical.Resistor r(R = 3);\nend M;\n"
    document = workspace.open("file:///M.mo", Path("/M.mo"), text, 1)
    with pytest.raises(CannotRename, match=r"`R` is declared in Resistor\.mo"):
        renaming(workspace, document, text.index("R = 3"), "Q")


def test_a_client_renames(tmp_path: Path) -> None:
    uri = (tmp_path / "Rig.mo").as_uri()
    with Client(folder=tmp_path) as client:
        assert client.capabilities["renameProvider"]
        client.open(uri, RIG)
        place = client.at(uri, RIG, "Real |x = 2")
        found = client.request("textDocument/prepareRename", place)
        assert found["start"] == {"line": 1, "character": 17} and found["end"]["character"] == 18
        changes = client.request("textDocument/rename", {**place, "newName": "rate"})["changes"][uri]
        assert {edit["range"]["start"]["line"] + 1 for edit in changes} == {2, 3, 4, 16, 17}
        assert client.request("textDocument/rename", {**place, "newName": "time"}) is None
        told = client.heard("window/showMessage")
        assert told["message"] == "Saltus: `time` is predefined in Modelica"
    assert client.status == 0 and "Traceback" not in client.errors
