"""What `%load_ext saltus` does: it adds `%%modelica`, and shows warnings below the cell that they arose in.

Errors need no extension: they show themselves in place of a traceback (`SaltusError._render_traceback_`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from saltus.core.audience import listen, listen_no_more
from saltus.core.diagnostics import Diagnostic
from saltus.core.render import render
from saltus.notebook.magic import Cells
from saltus.show.cards.told import box


class Warnings:
    """Warnings of the cell that is being run, each once."""

    def __init__(self) -> None:
        self._heard: dict[Diagnostic, None] = {}

    def hear(self, warnings: Sequence[Diagnostic]) -> None:
        """They wait for the end of the cell."""
        self._heard.update(dict.fromkeys(warnings))

    def show(self, done: Any) -> None:
        """Shows them below the cell, but for those of what the cell shows anyway."""
        from IPython.display import display

        shown = getattr(getattr(done, "result", None), "warnings", ())
        left = [w for w in self._heard if w not in shown]
        self._heard.clear()
        if left:
            display({"text/html": box(left), "text/plain": render(left)}, raw=True)  # type: ignore[no-untyped-call]


_warnings = Warnings()


def load(shell: Any) -> None:
    """Begins it all, in one IPython."""
    cells = Cells(shell)
    shell.register_magic_function(cells.modelica, magic_kind="cell", magic_name="modelica")
    listen(_warnings.hear)
    shell.events.register("post_run_cell", _warnings.show)


def unload(shell: Any) -> None:
    """Ends it."""
    listen_no_more(_warnings.hear)
    shell.events.unregister("post_run_cell", _warnings.show)
    shell.magics_manager.magics["cell"].pop("modelica", None)
