"""What somebody meets who tries things out: slips in calls and commands, and what is said about them."""

from __future__ import annotations

import csv
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from interruption import PROCESSES, interruptible, let_it_work

import saltus
from saltus.core.nearest import nearest
from saltus.tools.cli import main

FILTER = """model Filter
  parameter Integer n = 3;
  parameter Real b[n] = fill(1, n);
  parameter Real A[2, 2] = {{1, 2}, {3, 4}};
  Real y = b*ones(n) + A[1, 2] + 10*A[2, 1];
end Filter;
"""
DECAY = """model Decay
  parameter Real Tau = 2;
  Real x(start = 1, fixed = true);
equation
  Tau*der(x) = -x;
end Decay;
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Decay.mo").write_text(DECAY)
    (tmp_path / "Filter.mo").write_text(FILTER)
    return tmp_path


def refused(call: Callable[[], object], kind: type[saltus.SaltusError]) -> str:
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


# ---------------------------------------------------------------- Python


def test_the_text_of_an_error_shows_the_place_and_what_to_do() -> None:
    text = refused(lambda: saltus.load("model M\n  Real x\nequation\n  x = 1;\nend M;"), saltus.ModelError)
    assert text.splitlines() == [
        "error[E101] syntax error: expected `;`, found `equation`",
        " --> <text>:2:9",
        "2 |   Real x",
        "  |         ^",
        "  hint: write `;` after `x`",
    ]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "not ''"),
        (3, "not 3"),
        ("Decai.mo", "did you mean `Decay.mo`?"),
        ("sub/Decay", "there is no file `sub/Decay`"),
        ("some", "`some` is a folder"),
        (Path("some"), "`some` is a folder"),
        ("Package", "name a class of the package: `Package.Model`"),
    ],
)
def test_what_cannot_be_loaded(folder: Path, source: str | Path, words: str) -> None:
    (folder / "some").mkdir()
    (folder / "Package").mkdir()
    (folder / "Package" / "package.mo").write_text("package Package end Package;")
    assert words in refused(lambda: saltus.load(source), saltus.UsageError)


def test_a_class_that_is_a_file(folder: Path) -> None:
    assert "did you mean the file `Decay.mo`?" in refused(lambda: saltus.load("Decay"), saltus.ModelError)


def test_one_library_needs_no_list(folder: Path) -> None:
    (folder / "P").mkdir()
    (folder / "P" / "package.mo").write_text("package P model M Real x = 2; end M; end P;")
    assert saltus.load("P.M", libraries=folder).name == "P.M"
    assert saltus.load("P.M", libraries=str(folder)).name == "P.M"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"tau": 1}, "did you mean `Tau`?"),
        ({"k": 1}, "its only parameter is `Tau`"),
        ({"x": 1}, "use `x.start`"),
        ({"x.nominal": 1}, "the attribute `nominal` of `x` cannot be set"),
        ({"Tau.start": 1}, "set `Tau` itself"),
        ({"Tau": None}, "must be a finite number, not None"),
        ({"Tau": True}, "must be a finite number, not true"),
        ({"Tau": "fast"}, "not 'fast'"),
        ({"Tau": [1]}, "there is no parameter `Tau[1]`"),
    ],
)
def test_values_that_cannot_be_set(folder: Path, given: dict[str, object], words: str) -> None:
    model = saltus.load("Decay.mo")
    assert words in refused(lambda: model.simulate(set=given), saltus.UsageError)


def test_arrays_are_set_whole(folder: Path) -> None:
    model = saltus.load("Filter.mo")

    def y(**given: object) -> float:
        return float(model.simulate(set=given)["y"][-1])

    assert y() == 3 + 2 + 30
    assert y(b=[1, 2, 3]) == y(b=np.array([1.0, 2.0, 3.0])) == 6 + 2 + 30
    assert y(A=((1, 5), (7, 1))) == 3 + 5 + 70
    assert y(n=2, b=[4, 4]) == y(n=np.int64(2), b=[4, 4]) == 8 + 2 + 30
    for wrong in ([1, 2], [[1, 2, 3]]):
        text = refused(lambda wrong=wrong: model.simulate(set={"b": wrong}), saltus.UsageError)  # type: ignore[misc]
        assert "do not fit its 3 elements" in text
    assert "array of 3 elements" in refused(lambda: model.simulate(set={"b": 1}), saltus.UsageError)
    # A structural parameter too: the value is wrong, not the model.
    assert "must be an Integer, not 2.5" in refused(lambda: model.simulate(set={"n": 2.5}), saltus.UsageError)


def test_few_translations_are_kept_for_structural_values(folder: Path) -> None:
    model = saltus.load("Filter.mo")
    for n in range(1, 20):
        assert model.simulate(set={"n": n})["y"][-1] == n + 32
    assert len(model._translations) == 16
    assert model.simulate(set={"n": 1})["y"][-1] == 33


def test_numbers_of_numpy_are_numbers_and_text_is_not(folder: Path) -> None:
    model = saltus.load("Decay.mo")
    assert model.simulate(stop_time=np.float32(2.0)).time[-1] == 2.0  # type: ignore[arg-type]
    assert model.simulate(stop_time=np.int64(2)).time[-1] == 2.0  # type: ignore[arg-type]
    assert "stop time must be" in refused(lambda: model.simulate(stop_time="2"), saltus.UsageError)  # type: ignore[arg-type]
    assert "interval must be" in refused(lambda: model.simulate(interval="2"), saltus.UsageError)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        model.simulate(10)  # type: ignore[call-arg]  # the start or the stop time?


def test_results_are_looked_up_by_name(folder: Path) -> None:
    result = saltus.load("Decay.mo").simulate()
    with pytest.raises(KeyError, match="did you mean `x`"):
        result["X"]
    with pytest.raises(TypeError, match="by the name"):
        result[3]  # type: ignore[index]


def test_near_names() -> None:
    known = ["body.v", "body.w", "Tau", "tank.level"]
    assert nearest("tau", known) == ["Tau"]
    assert nearest("v", known) == ["body.v"]
    assert nearest("tank.levle", known)[0] == "tank.level"
    assert nearest("zzz", known) == []


# ---------------------------------------------------------------- command line


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


def test_arrays_on_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = command(
        capsys, "simulate", "Filter.mo", "--set", "b={1, 2, 3}", "--set", "A={{1,5},{7,1}}", "--output", "-"
    )
    *_, last = csv.DictReader(out.splitlines())
    assert status == 0 and float(last["y"]) == 6 + 5 + 70
    status, _, err = command(capsys, "simulate", "Filter.mo", "--set", "b={1,,2}")
    assert status == 2 and "is not a value" in err
    status, _, err = command(capsys, "simulate", "Filter.mo", "--set", "n=2.5")
    assert status == 2 and "must be an Integer" in err


def test_a_folder_is_no_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "my models").mkdir()
    status, _, err = command(capsys, "simulate", "my models")
    assert status == 2 and "`my models` is a folder" in err


def test_the_commands_are_described_in_whole_sentences(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = command(capsys, "--help")
    assert status == 0 and "..." not in out.split("Commands:")[1]


def test_a_file_of_bytes_does_not_reach_the_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "Wild.mo").write_bytes(b"model Wild \x1b[31m\x07 Real x; end Wild;")
    status, _, err = command(capsys, "simulate", "Wild.mo")
    assert status == 1 and re.search(r"[\x00-\x09\x0b-\x1f]", err) is None


def test_a_function_that_leaves_its_domain(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "Root.mo").write_text(
        "model Root Real x(start = 1, fixed = true); equation der(x) = -1 - sqrt(x); end Root;"
    )
    status, _, err = command(capsys, "simulate", "Root.mo", "--stop-time", "3")
    assert status == 3 and "outside its domain" in err


def test_a_division_by_zero_says_so_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = command(capsys, "simulate", "Decay.mo", "--set", "Tau=0")
    assert status == 3 and "division by zero: the divisor `Tau` is 0 at time 0" in err


def test_a_loop_through_a_when_names_no_made_variable(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "Loop.mo").write_text(
        "model Loop Boolean on(start = true, fixed = true); equation\n"
        "  when on and time > 1 then on = false; end when; end Loop;"
    )
    status, _, err = command(capsys, "simulate", "Loop.mo", "--stop-time", "2")
    assert status == 3 and "no consistent values were found for `on` at time 1" in err and "$" not in err


@pytest.mark.skipif(not PROCESSES.exists(), reason="asks how long a process has worked")
def test_a_real_ctrl_c_keeps_what_was_computed(folder: Path) -> None:
    (folder / "Long.mo").write_text(
        "model Long Real x(start = 1, fixed = true); Integer n(start = 0, fixed = true); equation\n"
        "  der(x) = -x; when sample(0, 0.01) then n = pre(n) + 1; end when; end Long;"
    )
    run = [sys.executable, "-m", "saltus.tools.cli", "simulate", "Long.mo", "--stop-time", "1e7"]
    with interruptible([*run, "--output", "long.csv"], stderr=subprocess.PIPE) as job:
        let_it_work(job, 4)  # a run shows no sign of life where there is no terminal
        job.send_signal(signal.SIGINT)
        _, err = job.communicate(timeout=60)
    assert job.returncode == 130
    assert "what was computed until then is in long.csv" in err and "Traceback" not in err
    last = (folder / "long.csv").read_text().splitlines()[-1]
    assert float(last.split(",")[0]) > 0.0


def test_a_parameter_without_a_value_is_warned_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "Open.mo").write_text(
        "model Open parameter Real k; parameter Real k0(start = 2); parameter Real k1(fixed = false);\n"
        "  Real x(start = 1, fixed = true);\n"
        "initial equation k1 = 3; equation der(x) = k + 0*(k0 + k1); end Open;"
    )
    status, _, err = command(capsys, "simulate", "Open.mo")
    assert status == 0 and "warning[W403]" in err and "the parameter `k` has no value" in err
    status, _, err = command(capsys, "simulate", "Open.mo", "--set", "k=1")
    assert status == 0 and err == ""


def test_models_of_a_package_folder_from_any_of_its_files(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = folder / "Plant" / "Parts"
    parts.mkdir(parents=True)
    (folder / "Plant" / "package.mo").write_text("package Plant end Plant;")
    (folder / "Plant" / "Rig.mo").write_text("within Plant; model Rig Parts.Mass a; end Rig;")
    (parts / "package.mo").write_text("within Plant; package Parts end Parts;")
    (parts / "Mass.mo").write_text("within Plant.Parts; model Mass Real m = 2; end Mass;")
    for file, model, name in (
        ("Plant/Rig.mo", None, "Plant.Rig"),
        ("Plant/Rig.mo", "Rig", "Plant.Rig"),
        ("Plant/Rig.mo", "Plant.Parts.Mass", "Plant.Parts.Mass"),
        ("Plant/package.mo", "Rig", "Plant.Rig"),
        ("Plant/package.mo", "Plant.Rig", "Plant.Rig"),
        ("Plant/package.mo", "Parts.Mass", "Plant.Parts.Mass"),
        ("Plant/Parts/package.mo", "Mass", "Plant.Parts.Mass"),
        ("Plant/Parts/Mass.mo", None, "Plant.Parts.Mass"),
    ):
        assert saltus.load(file, model=model).name == name
    status, _, err = command(capsys, "simulate", "Plant/package.mo")
    assert status == 1 and "--model, such as `Plant.Rig`" in err
    status, out, _ = command(capsys, "check", "Plant/package.mo")
    assert status == 0 and out.endswith("2 models: 2 ok\n")
