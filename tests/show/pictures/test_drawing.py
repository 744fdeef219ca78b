"""Icons and diagrams as SVG. Where something is drawn is computed by hand from the specification."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

import saltus
from saltus.core.diagnostics import ModelError, UsageError
from saltus.finding import find_class
from saltus.ir.picture import Affine, Connection, Line, Picture
from saltus.lower.annotations.graphics import picture_of
from saltus.show.pictures.drawing import branchings
from saltus.tools.cli import main

NAMESPACE = "{http://www.w3.org/2000/svg}"

PARTS = """
connector Pin
  Real v; flow Real i;
  annotation(Icon(graphics = {Rectangle(extent = {{-100, -100}, {100, 100}})}));
end Pin;
partial model Branch
  Pin p annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Pin n annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  annotation(Icon(graphics = {Text(extent = {{-100, 80}, {100, 40}}, textString = "%name")}));
end Branch;
model Part
  extends Branch;
  parameter Real R = 5;
  parameter Boolean hot = false;
  Pin heat if hot annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
equation
  p.i + n.i = 0; p.v - n.v = R*p.i;
  annotation(Icon(graphics = {Line(points = {{-90, 0}, {90, 0}, {90, 30}}, color = {255, 0, 0}),
    Text(extent = {{-100, -40}, {100, -80}}, textString = "%R Ohm, 5 %%")}));
end Part;
"""


def drawing(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def diagram(body: str, equations: str = "") -> tuple[ElementTree.Element, Picture]:
    text = f"{PARTS} model Sheet {body} equation {equations} end Sheet;"
    picture = picture_of(find_class(text, "Sheet"))
    assert list(picture.all_problems()) == []
    return drawing(saltus.diagram(text, "Sheet")), picture


def component(root: ElementTree.Element, name: str) -> ElementTree.Element:
    (found,) = [g for g in root.iter(f"{NAMESPACE}g") if g.get("data-component") == name]
    return found


def points(path: str) -> list[tuple[float, float]]:
    numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def path_of(element: ElementTree.Element) -> list[tuple[float, float]]:
    (found,) = element.findall(f"{NAMESPACE}path")
    return points(str(found.get("d")))


def relative(path: list[tuple[float, float]], scale: float = 4.0) -> list[tuple[float, float]]:
    """In units of the sheet, y upwards, from the first point."""
    (x, y), *_ = path
    return [(round((u - x) / scale, 6), round((y - v) / scale, 6)) for u, v in path]


@pytest.mark.parametrize(
    "transformation, expected",
    [
        # 20 units for 200: a tenth. The line goes 180 to the right and 30 up.
        ("extent = {{0, 0}, {20, 20}}", [(0, 0), (18, 0), (18, 3)]),
        ("extent = {{0, 0}, {40, 20}}", [(0, 0), (36, 0), (36, 3)]),
        ("extent = {{20, 0}, {0, 20}}", [(0, 0), (-18, 0), (-18, 3)]),
        ("extent = {{0, 20}, {20, 0}}", [(0, 0), (18, 0), (18, -3)]),
        ("extent = {{0, 0}, {20, 20}}, rotation = 90", [(0, 0), (0, 18), (-3, 18)]),
        ("extent = {{0, 0}, {20, 20}}, rotation = 270", [(0, 0), (0, -18), (3, -18)]),
        ("extent = {{0, 0}, {20, 20}}, rotation = -180", [(0, 0), (-18, 0), (-18, -3)]),
        ("extent = {{20, 0}, {0, 20}}, rotation = 90", [(0, 0), (0, -18), (-3, -18)]),
        ("origin = {50, 50}, extent = {{-10, -10}, {10, 10}}, rotation = 90", [(0, 0), (0, 18), (-3, 18)]),
    ],
)
def test_transformation(transformation: str, expected: list[tuple[float, float]]) -> None:
    root, _ = diagram(f"Part r annotation(Placement(transformation({transformation})));")
    assert relative(path_of(component(root, "r"))) == expected


@pytest.mark.parametrize(
    "transformation, p, n",
    [
        ("extent = {{0, 0}, {20, 20}}", (0, 10), (20, 10)),
        # About the centre of the extent, if there is no origin.
        ("extent = {{0, 0}, {20, 20}}, rotation = 90", (10, 0), (10, 20)),
        (
            "extent = {{0, 0}, {20, 20}}, rotation = 45",
            (10 - 50**0.5, 10 - 50**0.5),
            (10 + 50**0.5, 10 + 50**0.5),
        ),
        ("origin = {0, 0}, extent = {{0, 0}, {20, 20}}, rotation = 90", (-10, 0), (-10, 20)),
        ("origin = {30, -40}, extent = {{-10, -10}, {10, 10}}, rotation = 270", (30, -30), (30, -50)),
        ("extent = {{20, 0}, {0, 20}}", (20, 10), (0, 10)),
    ],
)
def test_where_connectors_are(transformation: str, p: tuple[float, float], n: tuple[float, float]) -> None:
    _, picture = diagram(f"Part r annotation(Placement(transformation({transformation})));")
    assert picture.where("r.p") == pytest.approx(p) and picture.where("r.n") == pytest.approx(n)
    assert picture.where("r.p.v") == pytest.approx(p)
    assert picture.where("r.q") is None and picture.where("x.p") is None


def test_two_components_and_a_line() -> None:
    root, picture = diagram(
        "Part a annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));"
        "Part b annotation(Placement(transformation(extent = {{20, 30}, {40, 50}})));",
        "connect(a.n, b.p) annotation("
        "Line(points = {{-40, 0}, {0, 0}, {0, 40}, {20, 40}}, color = {0, 0, 255}));",
    )
    (line,) = [p for p in root.iter(f"{NAMESPACE}path") if p.get("stroke") == "#0000ff"]
    assert relative(points(str(line.get("d")))) == [(0, 0), (40, 0), (40, 40), (60, 40)]
    (connection,) = picture.connections
    assert connection.ends == ("a.n", "b.p") and connection.line is not None
    assert picture.where("a.n") == connection.line.points[0]
    assert picture.where("b.p") == connection.line.points[-1]
    # The line begins where the connector is drawn.
    (box,) = component(component(root, "a"), "n").findall(f"{NAMESPACE}rect")
    x, y, width, height = (float(str(box.get(k))) for k in ("x", "y", "width", "height"))
    assert (x + width / 2, y + height / 2) == pytest.approx(points(str(line.get("d")))[0])
    assert width == pytest.approx(2 * 4)  # 20 of 200 units of a component of 20 units, 4 pixels each


def texts(root: ElementTree.Element) -> list[str]:
    return [str(t.text) for t in root.iter(f"{NAMESPACE}text")]


def test_texts() -> None:
    root, _ = diagram(
        "Part a(R = 2*3) annotation(Placement(transformation(extent = {{0, 0}, {20, 20}})));"
        "Part b annotation(Placement(transformation(extent = {{30, 0}, {50, 20}})));"
    )
    assert texts(component(root, "a")) == ["a", "2*3 Ohm, 5 %"]
    assert texts(component(root, "b")) == ["b", "5 Ohm, 5 %"]
    assert texts(drawing(saltus.icon(PARTS, "Part"))) == ["Part", "5 Ohm, 5 %"]


@pytest.mark.parametrize(
    "rotation, turned", [(0, None), (90, -90), (180, None), (270, -90), (45, -45), (-45, 45), (135, 45)]
)
def test_texts_are_never_upside_down(rotation: float, turned: float | None) -> None:
    place = f"extent = {{{{0, 0}}, {{20, 20}}}}, rotation = {rotation}"
    root, _ = diagram(f"Part a annotation(Placement(transformation({place})));")
    (text, _) = component(root, "a").findall(f"{NAMESPACE}text")
    found = text.get("transform")
    assert found is None if turned is None else str(found).startswith(f"rotate({turned} ")


def test_long_texts_are_small() -> None:
    """A text fits into its extent."""
    sizes = []
    for name in ("a", "a_rather_long_name_of_a_component"):
        root, _ = diagram(
            f"Part {name} annotation(Placement(transformation(extent = {{{{0, 0}}, {{20, 20}}}})));"
        )
        text = component(root, name).find(f"{NAMESPACE}text")
        assert text is not None
        sizes.append(float(str(text.get("font-size"))))
    assert sizes[0] == pytest.approx(40 * 0.1 * 4)  # 40 units high, drawn at a tenth
    assert sizes[1] < sizes[0] / 2


def test_conditional_connectors() -> None:
    place = "annotation(Placement(transformation(extent = {{0, 0}, {20, 20}})))"
    names = [
        {g.get("data-component") for g in diagram(f"Part a{given} {place};")[0].iter(f"{NAMESPACE}g")}
        for given in ("", "(hot = true)")
    ]
    assert names == [{"a", "p", "n"}, {"a", "p", "n", "heat"}]


@pytest.mark.parametrize(
    "visible, seen", [("hot", [False, True]), ("not hot", [True, False]), ("n > 2", [True, True])]
)
def test_what_parameters_make_visible(visible: str, seen: list[bool]) -> None:
    text = f"""
    model Part parameter Boolean hot = false; parameter Integer n = 1;
      annotation(Icon(graphics = {{Line(points = {{{{0, 0}}, {{1, 1}}}}, visible = {visible})}}));
    end Part;
    model Sheet
      Part a annotation(Placement(transformation(extent = {{{{0, 0}}, {{20, 20}}}})));
      Part b(hot = true) annotation(Placement(transformation(extent = {{{{30, 0}}, {{50, 20}}}})));
    end Sheet;
    """
    picture = picture_of(find_class(text, "Sheet"))
    assert [bool(c.icon.primitives) for c in picture.components] == seen
    assert list(picture.all_problems()) == []


def test_bases_come_first() -> None:
    text = """
    model A annotation(Icon(coordinateSystem(extent = {{0, 0}, {50, 50}}),
      graphics = {Rectangle(extent = {{0, 0}, {50, 50}}, fillPattern = FillPattern.Solid)}));
    end A;
    model B extends A; annotation(Icon(graphics = {Ellipse(extent = {{10, 10}, {40, 40}})})); end B;
    model C extends A annotation(IconMap(primitivesVisible = false)); end C;
    """
    picture = picture_of(find_class(text, "B"), icon=True)
    assert [type(p).__name__ for p in picture.primitives] == ["Rectangle", "Ellipse"]
    assert picture.extent == ((0, 0), (50, 50))
    assert picture_of(find_class(text, "C"), icon=True).primitives == ()


def shapes(graphics: str) -> list[ElementTree.Element]:
    root = drawing(saltus.icon(f"model M annotation(Icon(graphics = {{{graphics}}})); end M;"))
    return [e for e in root if e.tag != f"{NAMESPACE}title"][1:]  # without the white sheet


def test_primitives() -> None:
    """An icon has 1.5 pixels for a unit, and a margin of 12."""
    (box,) = shapes("Rectangle(extent = {{-100, 100}, {0, 50}}, radius = 10, lineColor = {255, 128, 0})")
    assert [box.get(k) for k in ("x", "y", "width", "height", "rx", "stroke", "fill")] == [
        "12", "12", "150", "75", "15", "#ff8000", "none",
    ]  # fmt: skip
    (disc,) = shapes(
        "Ellipse(extent = {{-50, -20}, {50, 20}}, fillColor = {1, 2, 255}, fillPattern = FillPattern.Solid)"
    )
    assert [disc.get(k) for k in ("cx", "cy", "rx", "ry", "fill")] == ["162", "162", "75", "30", "#0102ff"]
    (turned,) = shapes(
        "Ellipse(origin = {100, 0}, rotation = 90, extent = {{-50, -20}, {50, 20}}, "
        "pattern = LinePattern.None)"
    )
    assert [turned.get(k) for k in ("cx", "cy", "rx", "ry", "stroke")] == ["312", "162", "30", "75", "none"]
    (polygon,) = shapes("Polygon(points = {{0, 0}, {20, 0}, {20, 20}, {0, 0}}, pattern = LinePattern.Dash)")
    assert polygon.get("d") == "M162,162 L192,162 L192,132 Z" and polygon.get("stroke-dasharray") == "6 4"
    assert shapes("Line(points = {{0, 0}, {1, 1}}, visible = false), Bitmap(extent = {{0, 0}, {1, 1}})") == []


def test_arc() -> None:
    """A quarter of a circle, from the right to the top, and back through the centre."""
    (arc,) = shapes("Ellipse(extent = {{-100, -100}, {100, 100}}, startAngle = 0, endAngle = 90)")
    found = points(str(arc.get("d")))
    assert found[0] == (312, 162) and found[-2] == (162, 12) and found[-1] == (162, 162)
    assert all(math.hypot(x - 162, y - 162) == pytest.approx(150, abs=0.02) for x, y in found[:-1])


def test_smooth_line() -> None:
    """Straight to the middle of the first side, arcs between middles with the corners as control points."""
    (line,) = shapes("Line(points = {{0, 0}, {20, 0}, {20, 20}, {40, 20}}, smooth = Smooth.Bezier)")
    assert line.get("d") == "M162,162 L177,162 Q192,162 192,147 Q192,132 207,132 L222,132"


def test_arrows() -> None:
    line, head = shapes(
        "Line(points = {{0, 0}, {50, 0}}, arrow = {Arrow.None, Arrow.Filled}, color = {9, 9, 9})"
    )
    tip = points(str(head.get("d")))
    assert (237, 162) in tip and head.get("fill") == "#090909" and line.get("fill") == "none"
    assert max(x for x, _ in tip) == 237 and len(tip) == 3


def branching(*lines: str) -> list[tuple[float, float]]:
    connections = []
    for line in lines:
        ends, _, corners = line.partition(": ")
        first, last = ends.split("-")
        numbers = [float(n) for n in corners.replace(",", " ").split()]
        made = Line(place=Affine(), points=tuple(zip(numbers[::2], numbers[1::2], strict=True)))
        connections.append(Connection((first, last), made, find_class("model M end M;").span))
    return [point for point, _ in branchings(connections)]


def test_dots() -> None:
    """Where lines of one set branch off; lines that cross each other have none."""
    assert branching("a-b: 0,0 10,0 20,0", "b-c: 20,0 10,0 10,5") == [(10, 0)]
    assert branching("a-b: 0,0 20,0", "c-d: 10,-5 10,5") == []
    assert branching("a-b: 0,0 20,0", "a-d: 0,0 10,0 10,5") == [(10, 0)]
    assert branching("a-b: 0,0 20,0", "b-d: 20,0 20,5") == []
    assert branching("a-b: 0,0 20,0", "b-c: 20,0 20,5", "b-d: 20,0 30,0") == [(20, 0)]
    assert branching("a-b: 0,0 20,0", "c-d: 10,0 10,5", "d-a: 10,5 0,5 0,0") == [(10, 0)]


@pytest.mark.parametrize(
    "graphics, message",
    [
        ("Rectangle(extent = {{0, 0}, {1, 1}}, colour = {0, 0, 0})", "`Rectangle` has no `colour`"),
        ("Line(points = {{0, 0}})", "two points or more"),
        ("Line(points = {{0, 0}, {1, 1}}, color = {300, 0, 0})", "a colour"),
        ("Line(points = {{0, 0}, {1, x.y[1]}})", "not a literal"),
        ("Circle(extent = {{0, 0}, {1, 1}})", "`Circle` is none of Line"),
        ("Ellipse(lineColor = {0, 0, 0})", "needs `extent`"),
        ("Rectangle(extent = {{0, 0}, {1, 1}}, fillPattern = FillPattern.Solide)", "`Solide` is none of"),
    ],
)
def test_what_is_not_understood_is_told(graphics: str, message: str) -> None:
    good = "Line(points = {{0, 0}, {1, 1}})"
    text = f"model M annotation(Icon(graphics = {{{graphics}, {good}}})); end M;"
    picture = picture_of(find_class(text), icon=True)
    (problem,) = picture.all_problems()
    assert message in problem.message and problem.code == "W206" and problem.span is not None
    assert len(picture.primitives) == 1, "the others are drawn"


def test_components_without_a_place() -> None:
    picture = picture_of(find_class(f"{PARTS} model Sheet Part a, b; Real x; end Sheet;"))
    assert [c.name for c in picture.unplaced] == ["a", "b"] and picture.components == ()


def test_empty_and_partial_classes_are_drawn() -> None:
    drawing(saltus.diagram("package P end P;", "P"))
    drawing(saltus.icon(PARTS, "Branch"))
    drawing(saltus.icon(PARTS, "Pin"))


def test_names_are_escaped() -> None:
    root, _ = diagram("Part 'a<b & \"c' annotation(Placement(transformation(extent = {{0, 0}, {20, 20}})));")
    assert "'a<b & \"c'" in texts(root)


# ---------------------------------------------------------------- files and the command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Parts.mo").write_text(PARTS)
    yield tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as caught:
        main(["draw", *arguments])
    out, err = capsys.readouterr()
    code = caught.value.code
    assert isinstance(code, int)
    return code, out, err


def test_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "Parts.mo", "--icon") == (0, "Part.svg\n", "")
    assert texts(drawing((folder / "Part.svg").read_text(encoding="utf-8"))) == ["Part", "5 Ohm, 5 %"]
    code, out, err = run(capsys, "Parts.mo", "--icon", "--output", "-")
    assert code == 0 and err == "" and out == (folder / "Part.svg").read_text(encoding="utf-8")
    assert run(capsys, "Saltus.Electrical", "--icon", "--output", "e.svg")[:2] == (0, "e.svg\n")
    assert run(capsys, "Parts.mo", "--icon", "--quiet")[:2] == (0, "")


def test_command_draws_what_has_no_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "Sheet.mo").write_text(f"{PARTS} model Sheet Part a, b; end Sheet;")
    assert run(capsys, "Sheet.mo") == (0, "Sheet.svg\n", "")
    root = drawing((folder / "Sheet.svg").read_text(encoding="utf-8"))
    assert texts(component(root, "a"))[0] == "a" and texts(component(root, "b"))[0] == "b"
    (folder / "Empty.mo").write_text("model Empty end Empty;")
    code, _, err = run(capsys, "Empty.mo")
    assert code == 0 and "W206" in err and "there is nothing to draw in `Empty`" in err


def test_command_refuses(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "Parts.mo", "--output", "part.png")[0] == 2
    assert run(capsys, "Parts.mo", "--model", "Nothing")[0] == 1
    code, _, err = run(capsys, "Parts.mo", "--output", "nowhere/part.svg")
    assert code == 2 and "E503" in err


def test_python_writes_and_refuses(folder: Path) -> None:
    text = saltus.diagram("Parts.mo", path=folder / "d.svg")
    assert (folder / "d.svg").read_text(encoding="utf-8") == text
    with pytest.raises(UsageError, match="E503"):
        saltus.icon("Parts.mo", path=folder / "nowhere" / "d.svg")
    with pytest.raises(ModelError):
        saltus.icon("Parts.mo", "Nothing")


def test_lines_of_a_set_that_lie_on_each_other_are_drawn_once() -> None:
    """Two connections leave `a.n` together and part at (0, 0)."""
    root, _ = diagram(
        "Part a annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));"
        "Part b annotation(Placement(transformation(extent = {{20, 30}, {40, 50}})));"
        "Part c annotation(Placement(transformation(extent = {{20, -50}, {40, -30}})));",
        "connect(a.n, b.p) annotation("
        "Line(points = {{-40, 0}, {0, 0}, {0, 40}, {20, 40}}, color = {0, 0, 255}));"
        "connect(a.n, c.p) annotation("
        "Line(points = {{-40, 0}, {0, 0}, {0, -40}, {20, -40}}, color = {0, 0, 255}));",
    )
    (seen,) = [p for p in root.iter(f"{NAMESPACE}path") if p.get("stroke") == "#0000ff"]
    pieces = [relative(points(piece)) for piece in str(seen.get("d")).split("M") if piece]
    lengths = sorted(abs(x) + abs(y) for _, (x, y) in pieces)
    assert lengths == [20, 20, 40, 80], (
        "to the right of each bend, up to it together, and all that is upright"
    )
    # Each connection has its own way all the same, and its ends are told where the pointer is.
    ways = {
        str(g.findtext(f"{NAMESPACE}title")): g.find(f"{NAMESPACE}path")
        for g in root.findall(f"{NAMESPACE}g")
    }
    for ends, way in (("a.n – b.p", [(0, 0), (40, 0), (40, 40), (60, 40)]),
                      ("a.n – c.p", [(0, 0), (40, 0), (40, -40), (60, -40)])):  # fmt: skip
        line = ways[ends]
        assert line is not None and line.get("stroke-opacity") == "0"
        assert relative(points(str(line.get("d")))) == way
