"""In this tree imports follow the pipeline and modules have rooms; the checker finds what breaks that."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
from tools.import_direction import MOST, Rules, violations

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "tools" / "import_direction.py"

#: The stages of this tree, without its rooms: made-up trees have none, or some of their own.
STAGES = replace(Rules(), rooms={}, exceptions={})

#: A stage of three rooms, the last one a file.
ROOMS = replace(STAGES, rooms={"lower": ("ground", "middle", "top")})
THREE = {"lower/ground/a.py": "", "lower/middle/b.py": "", "lower/top.py": ""}


def check(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True)


def make_tree(folder: Path, files: dict[str, str]) -> Path:
    """Every folder is a package whose docstring lists what is in it, unless it is given."""
    root = folder / "saltus"
    listed: dict[Path, set[str]] = defaultdict(set)
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
        for inner in (path, *path.relative_to(root).parents):
            inner = root / inner
            listed[inner.parent].add(inner.stem)
    for package, names in listed.items():
        init = package / "__init__.py"
        if package.is_relative_to(root) and not init.exists():
            init.write_text('"""A package.\n\n' + "\n".join(sorted(names)) + '\n"""\n', encoding="utf-8")
    return root


def told(root: Path, rules: Rules) -> list[str]:
    """Places below the root and messages."""
    return [f"{v.path.relative_to(root)}:{v.line}: {v.message}" for v in violations(root, rules)]


def test_readers_share_the_language_of_expressions(tmp_path: Path) -> None:
    """Of another language a reader may use what reads and writes expressions, and nothing else."""
    files = {"read/petri/a.py": "from saltus.read.modelica import lexer", "read/modelica/lexer.py": ""}
    assert [m for m in told(make_tree(tmp_path, files), STAGES) if "__init__" not in m] == []


def test_this_tree_follows_the_direction() -> None:
    done = check()
    assert done.returncode == 0, done.stdout
    assert "ok" in done.stdout


@pytest.mark.parametrize(
    ("path", "line", "names"),
    [
        ("core/a.py", "import saltus.expr.nodes", ["core imports expr.nodes"]),
        ("expr/a.py", "from saltus.ir import flat", ["expr imports ir.flat"]),
        ("read/modelica/a.py", "from saltus.lower.flatten import x", ["read imports lower.flatten"]),
        ("lower/a.py", "from saltus.read.modelica.files import x", ["lower imports read.modelica.files"]),
        ("analyse/a.py", "from saltus import emit", ["analyse imports emit"]),
        ("analyse/a.py", "from ..emit import llvm", ["analyse imports emit"]),
        ("run/a.py", "from saltus.emit.llvm import x", ["run imports emit.llvm"]),
        ("result/a.py", "from saltus.show.flat import x", ["result imports show.flat"]),
        ("show/a.py", "from saltus.compiler import load", ["show imports compiler"]),
        ("emit/a.py", "def f():\n    import saltus", ["emit imports saltus", "a.py:2"]),
        ("read/petri/a.py", "from saltus.read.modelica import files", ["independent"]),
        ("helpers/a.py", "x = 1", ["helpers has no row"]),
    ],
)
def test_a_violation_is_found_with_its_place(tmp_path: Path, path: str, line: str, names: list[str]) -> None:
    files = {path: line, "emit/llvm.py": "", "read/modelica/lexer.py": "", "ir/flat.py": ""}
    messages = told(make_tree(tmp_path, files), STAGES)
    (message,) = (m for m in messages if "__init__" not in m)
    assert message.startswith(f"{path}:")
    for name in names:
        assert name in message


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("run/a.py", "from saltus.emit.machine import Machine"),
        ("run/a.py", "from saltus.emit import machine"),
        ("read/modelica/a.py", "from saltus.read.modelica import lexer"),
        ("read/modelica/a.py", "from .lexer import x"),
        ("tools/a.py", "import saltus.lower.flatten"),
        ("compiler.py", "from saltus.run import simulate"),
        ("__init__.py", "from saltus.compiler import load"),
        ("core/a.py", "import numpy, saltusish"),
    ],
)
def test_what_is_allowed_passes(tmp_path: Path, path: str, line: str) -> None:
    assert told(make_tree(tmp_path, {path: line, "emit/machine.py": ""}), STAGES) == []


def test_an_exception_holds_for_one_import_and_must_be_needed(tmp_path: Path) -> None:
    late = "def f():\n    from saltus.show.plot import plot"
    root = make_tree(tmp_path, {"result/a.py": late, "result/b.py": late, "show/plot.py": ""})
    rules = replace(STAGES, exceptions={("result.a", "show.plot"): "", ("result.c", "show.plot"): ""})
    first, second = told(root, rules)
    assert first.startswith("result/b.py:2: result imports show.plot")
    assert "result.c does not import show.plot" in second


@pytest.mark.parametrize(
    ("path", "line", "says"),
    [
        ("lower/ground/a.py", "from saltus.lower.middle.b import x", "lower.ground imports lower.middle.b"),
        ("lower/ground/a.py", "from saltus.lower import top", "lower.ground imports lower.top"),
        ("lower/ground/a.py", "from ..middle import b", "lower.ground imports lower.middle.b"),
        ("lower/middle/b.py", "def f():\n    import saltus.lower.top", "lower.middle imports lower.top"),
    ],
)
def test_a_room_does_not_use_those_above_it(tmp_path: Path, path: str, line: str, says: str) -> None:
    (message,) = told(make_tree(tmp_path, THREE | {path: line}), ROOMS)
    assert message.startswith(f"{path}:{1 + line.count(chr(10))}: {says}")


def test_a_room_uses_itself_and_those_below_it(tmp_path: Path) -> None:
    downwards = {
        "lower/middle/b.py": "from saltus.lower.ground import a\nfrom saltus.lower.middle.c import x",
        "lower/middle/c.py": "",
        "lower/top.py": "import saltus.lower.ground.a, saltus.lower.middle.b",
    }
    assert told(make_tree(tmp_path, THREE | downwards), ROOMS) == []


@pytest.mark.parametrize(
    ("more", "without", "says"),
    [
        ("lower/attic/x.py", None, "lower.attic is not in the table of rooms"),
        ("lower/roof.py", None, "lower.roof is not in the table of rooms"),
        ("expr/attic/x.py", None, "expr has folders, but no row in the table of rooms"),
        (None, "lower/middle/b.py", "the table of rooms has lower.middle, which does not exist"),
        (None, "lower/top.py", "the table of rooms has lower.top, which does not exist"),
    ],
)
def test_the_table_of_rooms_is_that_of_the_tree(
    tmp_path: Path, more: str | None, without: str | None, says: str
) -> None:
    files = {name: text for name, text in THREE.items() if name != without}
    (message,) = told(make_tree(tmp_path, files | ({more: ""} if more else {})), ROOMS)
    assert says in message


@pytest.mark.parametrize(
    "back",
    [
        "import saltus.expr.a",
        "from .a import x",
        "def f():\n    from saltus.expr.a import x",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from saltus.expr.a import x",
    ],
)
def test_files_that_import_each_other_are_told_as_a_chain(tmp_path: Path, back: str) -> None:
    files = {
        "expr/a.py": "\nfrom saltus.expr.b import x",
        "expr/b.py": "from saltus.expr import c, d",
        "expr/c.py": back,
        "expr/d.py": "from saltus.expr.b import y",  # a longer way round does not hide a shorter one
    }
    root = make_tree(tmp_path, files)
    assert told(root, STAGES) == [
        "expr/a.py:2: files import each other: expr/a.py -> expr/b.py -> expr/c.py -> expr/a.py"
    ]
    (root / "expr" / "c.py").write_text("")
    assert told(root, STAGES) == ["expr/b.py:1: files import each other: expr/b.py -> expr/d.py -> expr/b.py"]
    excepted = replace(STAGES, exceptions={("expr.d", "expr.b"): "a reason"})
    assert told(root, excepted) == []


def test_a_folder_has_few_modules_or_a_reason(tmp_path: Path) -> None:
    names = [f"m{k:02}" for k in range(MOST + 1)]
    root = make_tree(tmp_path, {f"expr/{name}.py": "" for name in names})
    (message,) = told(root, STAGES)
    assert f"{MOST + 1} modules in one folder" in message
    reason = f"More than {MOST} modules,\nbecause each is one operator.\n"
    init = root / "expr" / "__init__.py"
    init.write_text(f'"""Expressions. {reason}\n' + "\n".join(names) + '\n"""\n')
    assert told(root, STAGES) == []
    (root / "expr" / "m00.py").rename(root / "expr" / "__main__.py")  # is not counted
    init.write_text('"""Expressions.\n\n' + "\n".join(names) + '\n"""\n')
    assert told(root, STAGES) == []


def test_a_package_says_its_job_and_lists_its_modules(tmp_path: Path) -> None:
    root = make_tree(tmp_path, THREE | {"lower/ground/c.py": ""})
    init = root / "lower" / "ground" / "__init__.py"
    init.write_text('"""Below all; the cellar.\n\na  something\n"""\n')
    assert told(root, ROOMS) == ["lower/ground/__init__.py:1: c is not listed in the docstring"]
    init.write_text("")
    (message,) = told(root, ROOMS)
    assert "must have a docstring" in message


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert check(str(tmp_path / "nothing")).returncode == 2
