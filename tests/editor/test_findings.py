"""What is said about a document, beside what the command says of the same text (`tests/bad_input`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from saltus.editor import findings as module
from saltus.editor.findings import INTERNAL, Finding, Job, findings
from saltus.editor.text import Position

ROOT = Path(__file__).parents[2]


def found(text: str, name: str = "/Test.mo", units: bool = False) -> list[tuple[str, int]]:
    """Codes and lines, from 1."""
    return [(f.code, f.range.start.line + 1) for f in all_of(text, name, units)]


def all_of(text: str, name: str = "/Test.mo", units: bool = False) -> tuple[Finding, ...]:
    path = Path(name)
    return findings(Job(path, {path.resolve(): text}, (), units))


def test_every_model_of_a_text_and_each_fault_once() -> None:
    text = """package P
  partial model Base
    Real x = unknown;
  end Base;
  model A extends Base; end A;
  model B extends Base; end B;
  model C Real y = 1 "fine"; end C;
  model D Real z; equation z = 1; z = 2; end D;
end P;
"""
    assert found(text) == [("E201", 3), ("E301", 8)]


def test_declarations_of_what_is_no_model() -> None:
    assert found("partial model M\n  Missing m;\nend M;") == [("E201", 2)]
    assert found("record R\n  Real x;\n  Missing m;\nend R;") == [("E201", 3)]
    assert found("function f\n  extends Missing;\nend f;") == [("E201", 2)]


def test_parts_are_not_blamed_for_what_they_are_connected_to() -> None:
    pin = "connector Pin Real v; flow Real i; end Pin;\n"
    assert found(pin + "model R Pin p, n; equation p.v - n.v = p.i; p.i + n.i = 0; end R;") == []
    assert found(pin + "model R Pin p, n; equation p.v - n.v = p.i; end R;") == [("E301", 2)]
    node = "parameter Integer n = 0; Pin p[n]; Real x; equation x = sum(p.v); 0 = sum(p.i);"
    assert found(f"package P {pin} model Node {node} end Node; end P;") == []
    part = "model Part\n  outer Real around;\n  Real x = around;\nend Part;"
    assert found(part) == [("E201", 2)] and found(f"package P {part} end P;") == []
    assert found("model class Part\n  cut A (v / i)\n  v = 2*i\nend", "/part.dym") == []


@pytest.mark.parametrize(
    "name",
    [
        "examples/SwitchCircuit.mo",
        "examples/papers/TwoBlock.dym",
        "examples/nets/BatchPlant.pn",
        "examples/machines/Elevator.sm",
        "examples/chi/BatchPlant.chi",
        "examples/bondgraphs/Motor.bg",
        "src/saltus/library/Saltus/BondGraphs/J0.mo",
        "src/saltus/library/Saltus/StateMachines/State.mo",
        "src/saltus/library/Saltus/Electrical/Interfaces.mo",
    ],
)
def test_nothing_is_wrong_with_what_is_shipped(name: str) -> None:
    path = ROOT / name
    assert [f for f in all_of(path.read_text(encoding="utf-8"), str(path)) if f.is_error] == []


def test_a_fault_in_another_file_is_shown_where_it_was_come_from(tmp_path: Path) -> None:
    (tmp_path / "P").mkdir()
    (tmp_path / "P" / "package.mo").write_text("package P end P;")
    broken = tmp_path / "P" / "Broken.mo"
    broken.write_text("within P;\nmodel Broken\n  Real x = unknown;\nend Broken;\n")
    path = tmp_path / "M.mo"
    text = "model M\n  Real y = 1;\n  P.Broken part;\nend M;\n"
    (finding,) = findings(Job(path, {path.resolve(): text}, (str(tmp_path),)))
    assert (finding.code, finding.range.start) == ("E201", Position(2, 11))
    ((words, place),) = [(w, p) for w, p in finding.related if p.path == str(broken)]
    assert "unknown" in words and place.range.start == Position(2, 11)


def test_units_where_that_is_asked_for() -> None:
    text = 'model M\n  Real x(unit = "m") = 1;\n  Real y(unit = "s") = x;\nend M;'
    assert found(text) == [] and found(text, units=True) == [("W210", 3)]


def test_warnings_are_no_errors() -> None:
    (warning, *_) = all_of("model M\n  Real x;\nequation\n  der(x) = -x;\nend M;")
    assert warning.code == "W301" and not warning.is_error and warning.range.start.line == 1


def test_a_fault_of_saltus_is_told_and_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(cls: object) -> None:
        raise ZeroDivisionError("by mistake")

    monkeypatch.setattr(module, "warnings_about", faulty)
    (finding,) = all_of("model M end M;")
    assert finding.code == INTERNAL and "ZeroDivisionError: by mistake" in finding.message
