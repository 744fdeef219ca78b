"""What people forget in models of Dymola, and what they are told when the model is translated or run: in the
words of the language, not of another."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from saltus.tools.cli import app

PARTS = "submodel (VSource) U\nsubmodel (Resistor) R(R = 2)\nsubmodel Common\n"

#: Statements of a model, its exit status, and what is told.
FORGOTTEN = {
    "ground": (
        "submodel (VSource) U\nsubmodel (Resistor) R(R = 2)\nconnect U - R - U\nU.u0 = 3",
        1, ("E301", "connect U - R - U", "only differences of potentials are given: connect a ground"),
    ),
    "source": (PARTS + "connect Common - U - R - Common", 1, ("1 equation too few", "`U.u0`")),
    "value": (
        PARTS.replace("(R = 2)", "") + "connect Common - U - R - Common\nU.u0 = 3",
        3, ("the parameter `R.R` has no value", "R.R = ..."),
    ),
    "equation": ("local x, y\nder(x) = -y", 1, ("1 equation too few (1 equation for 2 unknowns)", "`y`")),
    "excess": ("local x\nder(x) = -x\nx = 3", 1, ("too many (2 equations for 1 unknown)", "`x = 3`")),
    "starts": (
        "submodel (Capacitor) A(C = 1, u = 1), B(C = 1, u = 2)\nsubmodel Common\nconnect Common - (A // B)",
        1, ("`A.u = 1` contradicts `B.u = 2`", "remove one of the start values"),
    ),
    "declaration": ("local x\nx = 3 * zeta", 1, ("`zeta` cannot be found", "declared as `local x`")),
    "domain": ("local x\nx = sqrt(Time - 0.5)", 3, ("`x` is not a number at time 0", "m.dym:3:1")),
    "function": ("local x\nx = sinus(Time)", 1, ("the function `sinus` cannot be found",)),
    "moment": (
        "local n\nwhen Time > 1 then\nnew(n) = n + 1\nendwhen\nn = 3", 1, ("too many", "`pre(n) = 3`")
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGOTTEN)
def test_what_is_forgotten(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    statements, status, words = FORGOTTEN[name]
    monkeypatch.chdir(tmp_path)
    Path("m.dym").write_text(f"model M\n{statements}\nend\n")
    done = CliRunner().invoke(app, ["simulate", "m.dym", "--stop-time", "1"])
    assert done.exit_code == status, done.output
    for each in words:
        assert each in done.output, done.output
    assert "fixed = true" not in done.output and "extends" not in done.output
