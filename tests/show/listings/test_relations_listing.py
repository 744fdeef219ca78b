"""`saltus explain --events --relations`: QRel, QM, Qp, Qn, QZp, QZn and QL of paper 000, by definition."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import saltus
from saltus.show.listings.relations import LISTED, relations_text
from saltus.tools.cli import main

EXAMPLES = Path(__file__).parents[3] / "examples" / "papers"
NAMES = ["time", "i", "QRel", "QM", "Qp", "Qn", "QZp", "QZn", "QL"]


def parts(text: str) -> tuple[list[str], list[dict[str, float]]]:
    """What relations compare, and the table of numbers; a truth as 0 or 1."""
    first, second = text.split("\n\n")
    definitions = [line for line in first.splitlines()[1:] if "QRel(" in line]
    lines = [line.split() for line in second.splitlines()[1:] if "more" not in line]
    assert lines[0] == NAMES
    truths = {"true": "1", "false": "0"}
    return definitions, [
        {name: float(truths.get(cell, cell)) for name, cell in zip(NAMES, line, strict=True)}
        for line in lines[1:]
    ]


def listing(model: saltus.Model, **settings) -> tuple[list[str], list[dict[str, float]]]:
    return parts(relations_text(model.structure, model.simulate(**settings)))


def test_relations_of_the_rectifier_are_those_of_the_paper() -> None:
    """`QRel(1) = Diode.u`, `QL(1) = QM(1) .LE. 0`, `QRel(2) = U0.i`, `QL(2) = QM(2) .GT. 0`; the current of
    the source is called by its name in the relation. At the start both are zero."""
    definitions, rows = listing(saltus.load(EXAMPLES / "Rectifier.dym"), stop_time=0.01)
    assert [line.split("  ")[1:3] for line in definitions] == [
        ["QRel(1) = Diode.u", "QL(1) = QM(1) <= 0"],
        ["QRel(2) = Diode.i", "QL(2) = QM(2) > 0"],
    ]
    initially = [[r[name] for name in ("time", "i", "QRel", "QM", "QL")] for r in rows[:2]]
    assert initially == [[0, 1, 0, 0, 1], [0, 2, 0, 0, 0]]
    assert {f"{r['time']:.3E}" for r in rows[-2:]} == {"8.708E-03"}


@pytest.mark.parametrize("name", [p.stem for p in sorted(EXAMPLES.glob("*.dym"))])
def test_definitions(name: str) -> None:
    """QZp = QRel - Qp, QZn = QRel - Qn; Qp and Qn are zero, but around a residue that is zero."""
    text = relations_text((model := saltus.load(EXAMPLES / f"{name}.dym")).structure, model.simulate())
    if text.startswith("RELATIONS 0"):
        return
    for r in parts(text)[1]:
        assert r["QZp"] == pytest.approx(r["QRel"] - r["Qp"], abs=1e-15, rel=1e-5)
        assert r["QZn"] == pytest.approx(r["QRel"] - r["Qn"], abs=1e-15, rel=1e-5)
        if r["QM"] == 0:
            assert r["Qp"] <= r["QRel"] <= r["Qn"]
            assert r["QZn"] <= 0 <= r["QZp"]
        else:
            assert r["Qp"] == r["Qn"] == 0 and math.copysign(1, r["QRel"]) == r["QM"]


SHIFTED = """model Shifted
  Real x(start = 0, fixed = true, nominal = 1000);
  parameter Real limit = 250;
  Boolean high = x > limit;
  Boolean late = time >= 0.5;
equation
  der(x) = 1000;
end Shifted;
"""


def test_values_after_a_crossing() -> None:
    """x = 1000 t passes 250 at 0.25, and 1e-7 later it has left the band of 1e-10 of its nominal value. A
    scheduled relation has no band."""
    model = saltus.load(SHIFTED)
    definitions, rows = listing(model, tolerance=1e-9)
    assert definitions[0].split("  ")[1] == "QRel(1) = x - limit" and "QL(1) = QM(1) > 0" in definitions[0]
    assert "scheduled, not searched for" in definitions[1]
    start, _, crossing, scheduled = rows
    assert (start["QRel"], start["QM"], start["QL"]) == (-250, -1, 0)
    assert crossing["time"] == pytest.approx(0.25) and crossing["QL"] == 1
    assert (crossing["Qp"], crossing["Qn"]) == (-1e-7, 1e-7)
    assert (scheduled["i"], scheduled["QRel"], scheduled["Qp"], scheduled["QL"]) == (2, 0, 0, 1)


def test_long_runs_are_cut() -> None:
    text = "model M\n  Boolean b = sin(100*time) > 0;\nend M;\n"
    model = saltus.load(text)
    listed = relations_text(model.structure, result := model.simulate(stop_time=10))
    assert len(result.events) > LISTED + 1
    assert listed.endswith(f"  ... and {len(result.events) - LISTED} events more\n")


def status(arguments: list[str]) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return int(ended.value.code or 0)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "Shifted.mo"
    file.write_text(SHIFTED)
    assert status(["explain", str(file), "--events", "--relations"]) == 0
    assert "QZp" in capsys.readouterr().out.split("AFTER EACH EVENT")[1]
    assert status(["explain", str(file), "--events", "--relations", "--no-run"]) == 0
    assert "AFTER EACH EVENT" not in capsys.readouterr().out
    assert status(["explain", str(file), "--relations"]) == 2
    assert "only together with --events" in capsys.readouterr().err


def test_without_relations() -> None:
    model = saltus.load("model M\n  Real x(start = 1, fixed = true) = -der(x);\nend M;\n")
    assert relations_text(model.structure, model.simulate()) == "RELATIONS 0\n"
