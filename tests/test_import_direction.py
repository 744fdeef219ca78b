"""The import rule holds in this tree, and the checker finds what breaks it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "tools" / "import_direction.py"


def check(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True)


def make_tree(folder: Path, files: dict[str, str]) -> Path:
    root = folder / "saltus"
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


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
        ("show/a.py", "from saltus.pipeline import load", ["show imports pipeline"]),
        ("emit/a.py", "def f():\n    import saltus", ["emit imports saltus", "a.py:2"]),
        ("read/petri/a.py", "from saltus.read.modelica import lexer", ["independent"]),
        ("helpers/a.py", "x = 1", ["helpers has no row"]),
    ],
)
def test_a_violation_is_found_with_its_place(tmp_path: Path, path: str, line: str, names: list[str]) -> None:
    root = make_tree(
        tmp_path,
        {
            path: line + "\n",
            "emit/llvm.py": "",
            "read/modelica/lexer.py": "",
            "ir/flat.py": "",
        },
    )
    done = check(str(root))
    assert done.returncode == 1
    assert f"{Path(path).name}:" in done.stdout
    for name in names:
        assert name in done.stdout


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("run/a.py", "from saltus.emit.machine import Machine"),
        ("run/a.py", "from saltus.emit import machine"),
        ("result/a.py", "def f():\n    from saltus.show.plot import plot"),
        ("read/modelica/a.py", "from saltus.read.modelica import lexer"),
        ("read/modelica/a.py", "from .lexer import x"),
        ("tools/a.py", "import saltus.lower.flatten"),
        ("pipeline.py", "from saltus.run import simulate"),
        ("__init__.py", "from saltus.pipeline import load"),
        ("core/a.py", "import numpy, saltusish"),
    ],
)
def test_what_is_allowed_passes(tmp_path: Path, path: str, line: str) -> None:
    root = make_tree(tmp_path, {path: line + "\n", "emit/machine.py": ""})
    done = check(str(root))
    assert done.returncode == 0, done.stdout


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert check(str(tmp_path / "nothing")).returncode == 2
