"""What a plain run does not import: each of these would take a good part of the time of a small model."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("matplotlib", "pandas", "scipy", "saltus.emit.python")

#: What the command line may need, and a run from Python does not.
OF_COMMANDS = ("rich", "typer")

#: Index reduction, a loop, events and modes: what a model may have without anything that is large.
MODEL = """
model Pendulum
  Real x(start = 0.6), y(start = -0.8), u, v, tension;
  Real angle(start = 0, fixed = true), s, f;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -tension*x;
  der(v) = -tension*y - 9.81;
  x^2 + y^2 = 1;
  der(angle) = if s > 1 then s - 1 else 0;
  f = if s > 1 then 1 else s;
  f + s = 4*sin(3*time);
end Pendulum;
"""

AS_COMMAND = """
from saltus.tools.cli import main
try:
    main(["simulate", path, "--stop-time", "1", "--quiet"])
except SystemExit as ending:
    assert not ending.code
"""

IN_PYTHON = """
import saltus
saltus.load(path).simulate(stop_time=1)
"""


@pytest.mark.parametrize(
    ("work", "heavy"),
    [(AS_COMMAND, HEAVY), (IN_PYTHON, (*HEAVY, *OF_COMMANDS))],
    ids=["command", "python"],
)
def test_a_plain_run_imports_nothing_large(work: str, heavy: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "Pendulum.mo"
    path.write_text(MODEL)
    # What is there already is the environment's: files of paths may import whatever they like.
    program = "\n".join(
        [
            "import json, sys",
            "before = set(sys.modules)",
            f"path = {str(path)!r}",
            work,
            "print(json.dumps(sorted(set(sys.modules) - before)))",
        ]
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    imported = set(json.loads(done.stdout))
    assert "saltus.run.simulate" in imported
    assert not imported & set(heavy)
