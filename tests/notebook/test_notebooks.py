"""The notebooks of docs/notebooks run from the first cell to the last, in a kernel of their own.

A kernel talks through sockets of files, so that no network is needed.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))

#: A tag of cells that are to fail, of Jupyter.
FAILS = "raises-exception"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose path is short enough for the name of a socket."""
    with tempfile.TemporaryDirectory(prefix="nb") as folder:
        for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR"):
            monkeypatch.setenv(name, folder)
        yield Path(folder)


def executed(path: Path, folder: Path) -> Any:
    notebook = nbformat.read(path, as_version=4)
    manager = AsyncKernelManager(transport="ipc", connection_file=str(folder / "k.json"))
    assert manager.kernel_spec is not None
    manager.kernel_spec.argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    NotebookClient(notebook, km=manager, timeout=300, startup_timeout=300).execute(cwd=os.fspath(folder))
    return notebook


def text_of(cell: Any) -> str:
    """All that a cell shows."""
    found = []
    for output in cell.outputs:
        found += [output.get("text", ""), *output.get("data", {}).values(), *output.get("traceback", ())]
    return "\n".join(map(str, found))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, short: Path) -> None:
    cells = [cell for cell in executed(path, short).cells if cell.cell_type == "code"]
    for cell in cells:
        failed = any(output.output_type == "error" for output in cell.outputs)
        assert failed is (FAILS in cell.metadata.get("tags", [])), text_of(cell)
        assert "Traceback" not in text_of(cell)
    shown = "\n".join(map(text_of, cells))
    assert "Result of " in shown and "<svg" in shown  # results show themselves
    assert "warning[W301]" in shown and "error[E" in shown
    assert "application/vnd.jupyter.widget-view+json" in str([cell.outputs for cell in cells])


def test_notebooks_are_kept_without_outputs() -> None:
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        cells = nbformat.read(path, as_version=4).cells
        assert all(not cell.outputs and cell.execution_count is None for cell in cells if "outputs" in cell)
