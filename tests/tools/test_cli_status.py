"""Exit status, messages and files of the command line, with a stand-in for the compiler.

The stand-in lets each test say how the run ends. What the real compiler does behind the command line is
tested in tests/tools/test_cli_models.py.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import Diagnostic, RunError, UsageError, model_error
from saltus.ir.flat import Experiment, Variability
from saltus.tools.cli import main


class FakeResult:
    """A straight line from time 0 to 1."""

    def __init__(self, *, interrupted: bool = False, stop: float = 1.0) -> None:
        self.time = np.array([0.0, stop])
        self.names = ["time", "x"]
        self.events: list[Any] = []
        self.warnings: list[Diagnostic] = []
        self.interrupted = interrupted

    def save(self, target: str | Path, *_: Any, **__: Any) -> None:
        text = f"time,x\n0.0,0.0\n{self.time[-1]},{self.time[-1]}\n"
        Path(target).write_text(text)


class FakeModel:
    """Records how it was simulated and ends as it is told."""

    name = "Fake"
    experiment = Experiment(start_time=0.0, stop_time=1.0)
    shown = (SimpleNamespace(name="x", variability=Variability.CONTINUOUS),)

    def __init__(self, run: Callable[[], FakeResult]) -> None:
        self.warnings = [Diagnostic("W301", "x starts at 0")]
        self.timings = {"read": 0.25, "lower": 0.75}
        self.calls: list[dict[str, Any]] = []
        self._run = run

    def simulate(self, **options: Any) -> FakeResult:
        self.calls.append(options)
        return self._run()

    def causality_warnings(self) -> tuple[()]:
        return ()

    def check(self) -> dict[str, int]:
        return {"variables": 1, "equations": 2}

    def dump(self, stage: str) -> str:
        return f"the {stage} of Fake"


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Callable[..., FakeModel]:
    """Puts a stand-in behind `saltus.load`; its argument is what the run does."""

    def install(run: Callable[[], FakeResult] = FakeResult) -> FakeModel:
        model = FakeModel(run)
        monkeypatch.setattr(saltus, "load", lambda *args, **options: model, raising=False)
        return model

    return install


def ends(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as ending:
        main([str(a) for a in arguments])
    code = ending.value.code
    assert isinstance(code, int)
    return code


def raising(error: BaseException) -> Callable[[], FakeResult]:
    def run() -> FakeResult:
        raise error

    return run


def failed(partial: FakeResult | None) -> RunError:
    error = RunError(Diagnostic("E405", "the step became too small"))
    error.partial = partial
    return error


def test_fine(fake: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = fake()
    output = tmp_path / "out.csv"
    assert ends("simulate", "A.mo", "--output", output, "--stop-time", "2", "--set", "m=3") == 0
    assert output.read_text().startswith("time,x\n")
    out, err = capsys.readouterr()
    assert out == ""
    assert "warning[W301]" in err
    (call,) = model.calls
    assert call["stop_time"] == 2.0
    assert not call.keys() & {"start_time", "tolerance", "interval"}, "what is not given is left to the model"
    assert call["set"] == {"m": 3}


def test_quiet_says_nothing(fake: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake()
    assert ends("simulate", "A.mo", "--quiet") == 0
    assert capsys.readouterr() == ("", "")


def test_csv_on_standard_output(fake: Any, capsys: pytest.CaptureFixture[str]) -> None:
    fake()
    assert ends("simulate", "A.mo", "--output", "-") == 0
    out, err = capsys.readouterr()
    assert out == "time,x\n0.0,0.0\n1.0,1.0\n"
    assert "warning" in err


def test_a_refused_model(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def load(*arguments: Any, **options: Any) -> None:
        raise model_error("E201", "there is no y", hint="did you mean x?")

    monkeypatch.setattr(saltus, "load", load)
    monkeypatch.setattr("saltus.compiler.load_flat", load)
    for command in ("simulate", "check", "flat", "explain"):
        assert ends(command, "A.mo") == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err == "error[E201] unknown name: there is no y\n  hint: did you mean x?\n"


def test_a_failed_run_keeps_what_was_computed(
    fake: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake(raising(failed(FakeResult(stop=0.625))))
    output = tmp_path / "out.csv"
    assert ends("simulate", "A.mo", "--output", output) == 3
    assert output.read_text().splitlines()[-1] == "0.625,0.625"
    out, err = capsys.readouterr()
    assert out == ""
    assert "error[E405]" in err
    assert "ended at time 0.625" in err
    assert "out.csv" in err


def test_a_run_that_failed_at_once(fake: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake(raising(failed(None)))
    output = tmp_path / "out.csv"
    assert ends("simulate", "A.mo", "--output", output) == 3
    assert not output.exists()
    assert "nothing was computed" in capsys.readouterr().err


def test_cancelled(fake: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake(lambda: FakeResult(interrupted=True, stop=0.5))
    output = tmp_path / "out.csv"
    assert ends("simulate", "A.mo", "--output", output) == 130
    assert output.read_text().splitlines()[-1] == "0.5,0.5"
    err = capsys.readouterr().err
    assert "cancelled" in err and "time 0.5" in err and "out.csv" in err


def test_cancelled_during_translation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(*arguments: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(saltus, "load", load, raising=False)
    assert ends("simulate", "A.mo") == 130
    assert "cancelled" in capsys.readouterr().err


def test_an_internal_error_has_no_traceback(
    fake: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SALTUS_DEBUG", raising=False)
    fake(raising(ZeroDivisionError("float division")))
    assert ends("simulate", "A.mo") == 3
    err = capsys.readouterr().err
    assert "ZeroDivisionError: float division" in err
    assert "bug in Saltus" in err
    assert f"{Path(__file__).name}:" in err  # the last frame is the `raise` of this file
    assert "Traceback" not in err
    assert len(err.splitlines()) <= 6

    def load(*arguments: Any, **options: Any) -> None:
        raise RecursionError

    monkeypatch.setattr(saltus, "load", load, raising=False)
    assert ends("check", "A.mo") == 1
    assert "RecursionError" in capsys.readouterr().err


def test_the_traceback_can_be_asked_for(
    fake: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SALTUS_DEBUG", "1")
    fake(raising(KeyError("q")))
    assert ends("simulate", "A.mo") == 3
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate"],
        ["nonsense"],
        ["simulate", "A.mo", "--nonsense"],
        ["simulate", "A.mo", "--stop-time", "soon"],
        ["simulate", "A.mo", "--stop-time", "nan"],
        ["simulate", "A.mo", "--tolerance", "0"],
        ["simulate", "A.mo", "--interval", "-1"],
        ["simulate", "A.mo", "--start-time", "2"],  # after the stop time of the experiment
        ["simulate", "A.mo", "--set", "m"],
        ["simulate", "A.mo", "--set", "m=1", "--set", "m=2"],
        ["simulate", "A.mo", "--dump", "nonsense"],
        ["simulate", "A.mo", "--library", "no/such/folder"],
        ["simulate", "A.mo", "--plot", "picture.xyz"],
        ["simulate", "A.mo", "--plot", "picture"],
        ["simulate", "A.mo", "--output", "same.csv", "--events", "./same.csv"],
        ["simulate", "not a class"],
        ["check", "A.mo", "--output", "out.csv"],
    ],
)
def test_wrong_usage(
    fake: Any, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    model = fake()
    assert ends(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert 0 < len(err.splitlines()) <= 30
    assert not model.calls, "the run was started"
    assert not list(tmp_path.iterdir()), "a file was left behind"


@pytest.mark.parametrize("option", ["--output", "--events", "--plot"])
def test_an_unwritable_file_is_found_before_the_run(
    fake: Any, option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = fake()
    suffix = ".csv" if option == "--output" else ".png"
    missing = tmp_path / "no" / f"such{suffix}"
    assert ends("simulate", "A.mo", option, missing) == 2
    err = capsys.readouterr().err
    assert "error[E503]" in err and str(missing) in err
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    assert ends("simulate", "A.mo", option, folder) == 2
    assert not model.calls


def test_the_writing_test_leaves_files_as_they_were(
    fake: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "old.csv"
    old.write_text("precious")
    fake(raising(failed(None)))
    assert ends("simulate", "A.mo", "--output", old) == 3
    assert old.read_text() == "precious"


def test_one_unwritable_file_does_not_cost_the_others(
    fake: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of the trajectories disappears during the run."""
    folder = tmp_path / "gone"
    folder.mkdir()

    class Lost(FakeResult):
        def save(self, target: str | Path, *_: Any, **__: Any) -> None:
            raise UsageError(Diagnostic("E503", f"{target}: no such folder"))

    def run() -> FakeResult:
        folder.rmdir()
        return Lost()

    fake(run)
    events = tmp_path / "events.jsonl"
    assert ends("simulate", "A.mo", "--output", folder / "out.csv", "--events", events) == 2
    assert events.exists()
    assert "error[E503]" in capsys.readouterr().err


def test_an_unknown_plot_variable_is_found_before_the_run(
    fake: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = fake()
    assert ends("simulate", "A.mo", "--plot", tmp_path / "p.png", "--plot-variables", "x,xx") == 2
    err = capsys.readouterr().err
    assert "error[E502]" in err and "xx" in err and "did you mean `x`?" in err
    assert not model.calls


def test_a_usage_error_of_the_run(fake: Any, capsys: pytest.CaptureFixture[str]) -> None:
    fake(raising(UsageError(Diagnostic("E502", "there is no parameter mas", hint="did you mean mass?"))))
    assert ends("simulate", "A.mo", "--set", "mas=1") == 2
    assert "did you mean mass?" in capsys.readouterr().err


def test_dump_and_timings(fake: Any, capsys: pytest.CaptureFixture[str]) -> None:
    fake()
    assert ends("simulate", "A.mo", "--dump", "flat", "--timings", "--quiet") == 0
    out, err = capsys.readouterr()
    assert out == "the flat of Fake\n"
    lines = {line.split()[0]: line.split()[1:] for line in err.splitlines()}
    assert list(lines) == ["imports", "read", "lower", "run", "files", "total"]
    assert float(lines["read"][0]) == 0.25
    assert float(lines["total"][0]) >= 1.0


def test_check_counts(fake: Any, capsys: pytest.CaptureFixture[str]) -> None:
    fake()
    assert ends("check", "A.mo") == 0
    out, err = capsys.readouterr()
    assert out == "Fake: 1 variable, 2 equations\nok\n"
    assert "W301" in err


def test_a_file_and_a_class_are_told_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[tuple[Any, Any, Any]] = []

    def load(source: Any, model: Any = None, libraries: Any = ()) -> FakeModel:
        seen.append((source, model, tuple(libraries)))
        return FakeModel(FakeResult)

    monkeypatch.setattr(saltus, "load", load, raising=False)
    assert ends("check", "Lib.Sub.A", "--library", tmp_path, "--quiet") == 0
    assert ends("check", "no/A.mo", "--model", "A.B", "--quiet") == 0
    assert seen == [("Lib.Sub.A", None, (str(tmp_path),)), (Path("no/A.mo"), "A.B", ())]


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert ends("--version") == 0
    assert capsys.readouterr().out.startswith("saltus ")
    assert ends("simulate", "--help") == 0
    out = capsys.readouterr().out
    assert "--start-time" in out and "--plot-variables" in out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("simulate x.mo --watch", "No such option: --watch; `saltus report` has it\n"),
        ("report x.mo --shade-modes", "No such option: --shade-modes; `saltus simulate` has it\n"),
        ("draw x.mo --stop-time 3", "--stop-time; `saltus simulate`, `saltus report` and others have it\n"),
        ("simulate x.mo --stoptime 3", "No such option: --stoptime (Possible options: "),
    ],
)
def test_an_option_of_another_command_is_told_with_its_command(
    line: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line.split())
    assert ended.value.code == 2
    assert told in capsys.readouterr().err
