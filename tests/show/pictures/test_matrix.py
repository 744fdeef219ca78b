"""The drawing of the incidence matrix: read back as XML and compared with incidences counted in the test."""

from __future__ import annotations

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import saltus
from saltus.expr.nodes import Expr
from saltus.expr.traversal import walk
from saltus.ir.structure import Structure
from saltus.show.pictures import matrix
from saltus.show.pictures.matrix import NAMED, SEPARATE, matrix_svg
from saltus.tools.cli import main

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "examples").glob("*.mo"))
SVG = "{http://www.w3.org/2000/svg}"

LOOPS = """
model Loops
  Real x(start = 1, fixed = true), a, b, z(start = 1), y;
  Boolean on;
equation
  der(x) = y - x;
  a + b = x;
  a - b = z;
  z^5 + z = x;
  on = x > 0.5;
  y = if on then a else b;
end Loops;
"""


def random_model(explicit: int, loops: int, seed: int = 1) -> str:
    """Explicit equations that need two earlier ones, then linear loops of three."""
    rng = random.Random(seed)
    lines = []
    for i in range(explicit):
        needed = rng.sample(range(i), min(i, 2))
        lines.append(f"x{i} = " + " + ".join([*(f"0.3*sin(x{j})" for j in needed), "time"]) + ";")
    for k in range(loops):
        lines.append(f"a{k} + 2*b{k} + 0.1*c{k} = x{k}; b{k} - c{k} + a{k} = 1; a{k}*{k + 1}.0 + c{k} = 2;")
    names = [f"x{i}" for i in range(explicit)] + [f"{c}{k}" for k in range(loops) for c in "abc"]
    return f"model Random Real {', '.join(names)}; equation {' '.join(lines)} end Random;"


def incidences(structure: Structure) -> set[tuple[int, int]]:
    """(row, column), counted node by node in the equations as they stand."""
    order: list[Expr] = [u for b in structure.blocks for u in b.unknowns]
    found = set()
    for row, q in enumerate(q for b in structure.blocks for q in b.equations):
        found |= {(row, order.index(n)) for side in (q.lhs, q.rhs) for n in _free(side) if n in order}
    return found


def _free(e: Expr) -> list[Expr]:
    """Nodes outside der() and pre(): what is inside them is another leaf."""
    inside = {id(a) for n in walk(e) if n.op.name in ("DER", "PRE") for a in n.args}
    bare = {id(a) for n in walk(e) if n.op.name not in ("DER", "PRE") for a in n.args} | {id(e)}
    return [n for n in walk(e) if id(n) not in inside or id(n) in bare]


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def dots(root: ElementTree.Element) -> list[tuple[int, int, str]]:
    """(row, column, kind) of every dot, whichever way it was drawn."""
    found = []
    for circle in root.iter(f"{SVG}circle"):
        kind = circle.get("class", "").removeprefix("dot ")
        found.append((int(float(circle.get("cy", ""))), int(float(circle.get("cx", ""))), kind))
    for path in root.iter(f"{SVG}path"):
        name = path.get("class", "")
        if name.startswith("dots "):
            assert path.get("data-joined") == "1"
            assert path.get("transform") == "translate(0.5 0.5) scale(1)"
            for j, i, length in re.findall(r"M(\d+) (\d+)h([\d.]+)", path.get("d", "")):
                count = 1 + int(float(length))
                found += [(int(i), int(j) + k, name.removeprefix("dots ")) for k in range(count)]
    return found


def squares(root: ElementTree.Element) -> list[tuple[int, int, str]]:
    """(start, size, kind) of the diagonal blocks, in order."""
    found = []
    for path in root.iter(f"{SVG}path"):
        name = path.get("class", "")
        if name.startswith("block "):
            for x, y, w, h, back in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-(\d+)z", path.get("d", "")):
                assert x == y and w == h == back
                found.append((int(x), int(w), name.removeprefix("block ")))
    return sorted(found)


def check(structure: Structure) -> ElementTree.Element:
    """All that must hold of any drawing."""
    root = parsed(matrix_svg(structure))
    drawn = dots(root)
    places = {(i, j) for i, j, _ in drawn}
    assert len(drawn) == len(places)
    assert places == incidences(structure)
    blocks = squares(root)
    sizes = [len(b.unknowns) for b in structure.blocks]
    assert [(start, size) for start, size, _ in blocks] == [(sum(sizes[:k]), n) for k, n in enumerate(sizes)]
    block_of = {row: b for b in blocks for row in range(b[0], b[0] + b[1])}
    for i, j, kind in drawn:
        start, size, own = block_of[i]
        assert j < start + size, "a dot above the block diagonal"
        assert kind == (own if j >= start else "earlier")
    assert all((i, i) in places for i in range(sum(sizes)))
    return root


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_examples(path: Path) -> None:
    check(saltus.load(path).structure)


@pytest.mark.parametrize(("explicit", "loops"), [(10, 10), (11, 10), (100, 5), (SEPARATE, 20)])
def test_random_models_small_and_large(explicit: int, loops: int) -> None:
    structure = saltus.load(random_model(explicit, loops)).structure
    root = check(structure)
    named = explicit + 3 * loops <= NAMED
    assert (next(root.iter(f"{SVG}circle"), None) is not None) is named
    labels = [t.text for t in root.find(f".//{SVG}g[@id='columns']") or ()]
    if named:
        assert labels[:2] == ["x0", "x1"] and len(labels) == explicit + 3 * loops
    else:
        assert len(labels) <= 12 and all(t is not None and t.isdigit() for t in labels)


def test_kinds_of_blocks() -> None:
    root = check(saltus.load(LOOPS).structure)
    kinds = [kind for _, _, kind in squares(root)]
    assert sorted(kinds) == ["discrete", "explicit", "explicit", "linear", "nonlinear"]
    legend = "".join((root.find(f".//{SVG}g[@id='legend']") or root).itertext())
    for words in ("explicit", "linear loop (1 block)", "nonlinear loop (1 block)", "discrete", "earlier"):
        assert words in legend
    # der(x) and y; a and b; a, b and z; z; on; y, on, a and b.
    assert "6 equations, 5 blocks, 13 dots" in (root.findtext(f"{SVG}title") or "")


def test_everything_lies_inside_the_page() -> None:
    for text in (LOOPS, random_model(100, 5)):
        root = parsed(matrix_svg(saltus.load(text).structure))
        width, height = float(root.get("width", "")), float(root.get("height", ""))
        group = root.find(f".//{SVG}g[@id='matrix']")
        assert group is not None
        numbers = re.findall(r"[\d.]+", group.get("transform", ""))
        left, top, cell = map(float, numbers)
        count = sum(size for _, size, _ in squares(root))
        assert left + cell * count < width and top + cell * count < height
        for t in root.iter(f"{SVG}text"):
            if t.get("x") is not None:
                assert 0 <= float(t.get("x", "")) <= width and 0 <= float(t.get("y", "")) <= height


def test_a_large_matrix_has_few_elements_and_a_small_file() -> None:
    text = matrix_svg(saltus.load(random_model(1700, 100)).structure)
    assert len(list(parsed(text).iter())) < 100
    assert len(text) < 300_000


def test_cells_are_joined_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    structure = saltus.load(random_model(100, 5)).structure
    monkeypatch.setattr(matrix, "STROKES", 60)
    root = parsed(matrix_svg(structure))
    paths = [p for p in root.iter(f"{SVG}path") if p.get("class", "").startswith("dots ")]
    (joined,) = {int(p.get("data-joined", "")) for p in paths}
    assert joined > 1
    drawn = set()
    for p in paths:
        for j, i, length in re.findall(r"M(\d+) (\d+)h([\d.]+)", p.get("d", "")):
            drawn |= {(int(i), int(j) + k) for k in range(1 + int(float(length)))}
    assert drawn == {(i // joined, j // joined) for i, j in incidences(structure)}
    assert sum(p.get("d", "").count("M") for p in paths) <= 60


def test_names_are_escaped() -> None:
    text = "model Odd Real 'a<b & \"c\"'; equation 'a<b & \"c\"' = time; end Odd;"
    root = parsed(matrix_svg(saltus.load(text).structure))
    assert "'a<b & \"c\"'" in [t.text for t in root.iter(f"{SVG}text")]


def test_a_model_without_unknowns_can_be_drawn() -> None:
    root = check(saltus.load("model Empty parameter Real p = 1; end Empty;").structure)
    assert "0 equations" in (root.findtext(f"{SVG}title") or "")


def test_the_picture_in_the_documentation_is_what_is_drawn() -> None:
    page = (ROOT / "docs" / "structure.md").read_text()
    block = re.search(r"```modelica Pendulum.mo\n(.*?)```", page, re.DOTALL)
    assert block is not None
    drawn = matrix_svg(saltus.load(block[1]).structure)
    assert drawn == (ROOT / "docs" / "images" / "pendulum-matrix.svg").read_text(encoding="utf-8")


# ---------------------------------------------------------------- the command


def ends(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as ending:
        main([str(a) for a in arguments])
    assert isinstance(ending.value.code, int)
    return ending.value.code


def test_the_command_draws(tmp_path: Path) -> None:
    model, drawing = tmp_path / "Loops.mo", tmp_path / "loops.svg"
    model.write_text(LOOPS)
    assert ends("explain", model, "--matrix", drawing) == 0
    assert drawing.read_text(encoding="utf-8") == matrix_svg(saltus.load(model).structure)


def test_an_unwritable_file_is_told_before_the_model_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "nowhere" / "loops.svg"
    assert ends("explain", tmp_path / "NoSuchModel.mo", "--matrix", missing) == 2
    err = capsys.readouterr().err
    assert "error[E503]" in err and str(missing) in err


def test_other_formats_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "Loops.mo"
    model.write_text(LOOPS)
    assert ends("explain", model, "--matrix", tmp_path / "loops.png") == 2
    assert "does not end with .svg" in capsys.readouterr().err
    assert not (tmp_path / "loops.png").exists()
