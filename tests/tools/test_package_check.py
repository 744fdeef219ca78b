"""`saltus check` on a package: which models are checked, what is said about each, and how it ends."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from saltus.finding import find_package
from saltus.ir.instance import ClassEntry
from saltus.tools.check_jobs import Checks, Origin
from saltus.tools.checking import FAILED, OK, REFUSED, Verdict, as_json, check_model, models_of, table
from saltus.tools.cli import main

ONE_FILE = """
package P
  connector Pin Real v; flow Real i; end Pin;
  partial model TwoPins Pin p, n; Real v, i; equation v = p.v - n.v; i = p.i; 0 = p.i + n.i; end TwoPins;
  partial package Interfaces
    replaceable model Part end Part;
    model Whole Part part; Real x; end Whole;
  end Interfaces;
  package Basic
    model Resistor extends TwoPins; parameter Real R = 1; equation v = R*i; end Resistor;
    model Capacitor extends TwoPins; equation i = der(v); end Capacitor;
    model Ground Pin p; equation p.v = 0; end Ground;
    model Overdetermined extends TwoPins; equation v = 1; i = 2; end Overdetermined;
    block Gain input Real u; output Real y; equation y = 2*u; end Gain;
    model Signal extends TwoPins; input Real u; equation u = v; end Signal;
    block Divided input Real u; output Real y; equation u = 2*y; end Divided;
    class Handle
      extends ExternalObject;
      function constructor output Handle h; external "C" h = make_handle(); end constructor;
      function destructor input Handle h; external "C" free_handle(h); end destructor;
    end Handle;
  end Basic;
  model Unknown Real x; equation x = y; end Unknown;
  model Circuit
    model Inside Real lost; end Inside;
    Basic.Resistor r;
    Basic.Capacitor c(v(start = 1, fixed = true));
    Basic.Ground g;
  equation
    connect(r.p, c.p); connect(c.n, g.p); connect(r.n, g.p);
  end Circuit;
  model Floating
    Basic.Resistor r; Basic.Capacitor c;
  equation
    connect(r.p, c.p); connect(r.n, c.n);
  end Floating;
  function f input Real x; output Real y = 2*x; end f;
  type T = Real;
end P;
"""


@pytest.fixture
def one_file(tmp_path: Path) -> Path:
    path = tmp_path / "P.mo"
    path.write_text(ONE_FILE)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package in a folder, with a syntax error in one of its files."""
    place = tmp_path / "Lib"
    (place / "Sub").mkdir(parents=True)
    (place / "package.mo").write_text("package Lib model A Real x = 1; end A; end Lib;")
    (place / "B.mo").write_text("within Lib; model B Real x = 2 end B;")
    (place / "package.order").write_text("A\nB\nSub\n")
    (place / "Sub" / "package.mo").write_text("within Lib; package Sub end Sub;")
    (place / "Sub" / "C.mo").write_text("within Lib.Sub; model C A a; end C;")
    return place


def ends(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as ending:
        main([str(a) for a in arguments])
    code = ending.value.code
    assert isinstance(code, int)
    return code


def verdicts(path: Path) -> dict[str, Verdict]:
    package = find_package(path)
    assert package is not None
    return {n: m if isinstance(m, Verdict) else check_model(m) for n, m in models_of(package)}


def test_every_model_that_is_not_partial_is_checked(one_file: Path) -> None:
    assert list(verdicts(one_file)) == [
        "P.Basic.Resistor", "P.Basic.Capacitor", "P.Basic.Ground", "P.Basic.Overdetermined", "P.Basic.Gain",
        "P.Basic.Signal", "P.Basic.Divided", "P.Unknown", "P.Circuit", "P.Floating",
    ]  # fmt: skip


def test_a_part_with_open_connectors_is_counted_and_a_whole_model_analysed(one_file: Path) -> None:
    found = verdicts(one_file)
    # Alone, a resistor or an ungrounded circuit is singular; only the circuit is a model of its own.
    accepted = {name.removeprefix("P.") for name, v in found.items() if v.verdict == OK}
    assert accepted == {
        "Basic.Resistor", "Basic.Capacitor", "Basic.Ground", "Basic.Gain", "Basic.Signal", "Basic.Divided",
        "Circuit",
    }  # fmt: skip
    refused = {name.removeprefix("P."): v.code for name, v in found.items() if v.verdict == REFUSED}
    assert refused == {"Basic.Overdetermined": "E301", "Unknown": "E201", "Floating": "E301"}
    assert found["P.Basic.Overdetermined"].reason.startswith("1 equation too many (7 equations for 6")
    assert found["P.Unknown"].place == f"{one_file}:23:38"


def test_a_file_that_cannot_be_read_is_a_line_of_the_table(folder: Path) -> None:
    for named in (folder, folder / "package.mo"):
        found = verdicts(named)
        assert {n: v.verdict for n, v in found.items()} == {"Lib.A": OK, "Lib.B": REFUSED, "Lib.Sub.C": OK}
        assert found["Lib.B"].code == "E101"


def test_status_and_totals_of_the_command(
    one_file: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ends("check", one_file) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0].split() == ["model", "verdict", "code", "reason"]
    assert out[1].split() == ["P.Basic.Resistor", "ok"]
    assert out[-3:] == [
        "10 models: 7 ok, 3 refused", "  E301 structurally singular model: 2", "  E201 unknown name: 1",
    ]  # fmt: skip
    assert ends("check", one_file, "--quiet") == 1
    assert capsys.readouterr().out.splitlines() == out[-3:]
    assert ends("check", "Lib.Sub", "--library", folder.parent) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 model: 1 ok"
    assert ends("check", one_file, "--model", "P.Basic") == 1
    assert capsys.readouterr().out.splitlines()[-2] == "7 models: 6 ok, 1 refused"


def test_one_model_of_a_package_is_checked_as_ever(
    one_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ends("check", one_file, "--model", "P.Circuit") == 0
    assert capsys.readouterr().out.endswith("\nok\n")
    assert ends("check", one_file, "--model", "P.Circuit", "--jobs", "2") == 2
    assert ends("check", one_file, "--dump", "flat") == 2
    assert ends("check", one_file, "--jobs", "0") == 2


def test_json_and_processes(one_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ends("check", one_file, "--json", "-") == 1
    here = json.loads(capsys.readouterr().out)
    assert ends("check", one_file, "--jobs", "2", "--json", tmp_path / "out.json") == 1
    there = json.loads((tmp_path / "out.json").read_text())
    for content in (here, there):
        for model in content["models"]:
            del model["seconds"]
    assert here == there
    assert (here["package"], here["total"], here["ok"], here["refused"]) == ("P", 10, 7, 3)
    assert here["codes"] == {"E301": 2, "E201": 1}
    assert here["models"][7]["reason"] == "the name `y` cannot be found"


class Deadly(Origin):
    """A package whose worker ends before it has done anything."""

    def package(self) -> None:
        os._exit(9)


def test_a_worker_that_dies_costs_its_model_only(one_file: Path) -> None:
    package = find_package(one_file)
    assert package is not None
    models = list(models_of(package))[:3]
    checks = Checks(models, lambda done, refused: None)
    checks.run_in(2, Deadly(one_file, None, ()))
    assert [v.model for v in checks.verdicts] == [name for name, _ in models]
    assert {v.verdict for v in checks.verdicts} == {FAILED}
    assert "status 9" in checks.verdicts[0].reason


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_done_survives_ctrl_c(one_file: Path, jobs: int) -> None:
    package = find_package(one_file)
    assert package is not None

    def press(done: int, refused: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    checks = Checks(list(models_of(package)), press)
    with pytest.raises(KeyboardInterrupt):
        checks.run_here() if jobs == 1 else checks.run_in(jobs, Origin(one_file, None, ()))
    assert len(checks.verdicts) == 3


def test_ctrl_c_ends_the_command_with_a_table(
    one_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("saltus.tools.check_jobs.check_model", interrupted_at("P.Basic.Ground"))
    assert ends("check", one_file, "--json", "-") == 130
    out, err = capsys.readouterr()
    assert json.loads(out)["checked"] == 2
    assert err == "cancelled: 2 of 10 models were checked\n"


def interrupted_at(name: str) -> Callable[[ClassEntry], Verdict]:
    def check(cls: ClassEntry) -> Verdict:
        if cls.full_name == name:
            raise KeyboardInterrupt
        return check_model(cls)

    return check


def test_a_fault_of_saltus_is_a_verdict(one_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise ZeroDivisionError("by design")

    monkeypatch.setattr("saltus.tools.checking.flatten_class", broken)
    found = verdicts(one_file)
    assert {v.verdict for v in found.values()} == {FAILED}
    assert found["P.Circuit"].reason.startswith("internal error: ZeroDivisionError: by design in broken")


def test_lines_of_the_table_are_cut_to_the_width() -> None:
    long = Verdict("M", REFUSED, "E204", "x" * 500)
    lines = table([long, Verdict("N", OK)], width=80).splitlines()
    assert len(lines[1]) == 80
    assert lines[1].endswith("x...")
    assert json.loads(as_json("P", [long], 2))["models"][0]["reason"] == "x" * 500
