"""Random edits of shipped models never make a feature raise (`editor_fuzz` tries more)."""

from __future__ import annotations

import random

import editor_fuzz

from saltus.editor.workspace import Workspace


def test_edited_texts() -> None:
    editor_fuzz.cases(250, 1, Workspace())


def test_every_place_of_a_text_that_is_being_typed() -> None:
    """Every beginning of a model, asked at its end."""
    path = editor_fuzz.ROOT / "examples" / "SwitchCircuit.mo"
    text = path.read_text()
    workspace = Workspace()
    workspace.open("file:///x", path, "", 0)
    for k in range(0, len(text), 11):
        workspace.change("file:///x", text[:k], k)
        editor_fuzz.try_all(workspace, "file:///x", random.Random(k), places=1)
