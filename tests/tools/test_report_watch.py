"""`saltus report --watch`: the model is run again when it is saved, and the page follows."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from queue import Empty, Queue
from signal import SIGINT
from threading import Thread
from typing import IO, Any

import pytest
from interruption import interruptible
from typer.testing import CliRunner

import saltus
from saltus.tools.cli import app
from saltus.tools.watching import files_of_model, stamps, wait_for_change

sys.path.insert(0, str(Path(__file__).parents[1] / "show" / "report"))
from browser import browser, chromium

#: How long anything may take on a machine that has other work.
PATIENCE = 120.0


def model(rate: float) -> str:
    return f"""model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = {rate:g}*x;
  annotation(experiment(StopTime = 1));
end Decay;
"""


class Lines:
    """The lines that a process writes, as they come."""

    def __init__(self, stream: IO[str]) -> None:
        self._queue: Queue[str] = Queue()
        Thread(target=lambda: [self._queue.put(line) for line in stream], daemon=True).start()

    def until(self, pattern: str) -> re.Match[str]:
        """The first line in which this is."""
        end = time.monotonic() + PATIENCE
        seen: list[str] = []
        while time.monotonic() < end:
            try:
                seen.append(self._queue.get(timeout=1))
            except Empty:
                continue
            if found := re.search(pattern, seen[-1]):
                return found
        raise AssertionError(f"{pattern!r} is not in {seen}")


class Watched:
    """The command, and what it says."""

    def __init__(self, process: subprocess.Popen[str], path: Path) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self.process, self.path = process, path
        self.out, self.told = Lines(process.stdout), Lines(process.stderr)
        self.port = int(self.out.until(r"http://127\.0\.0\.1:(\d+)/ shows the report")[1])

    def save(self, text: str) -> None:
        """As some editors do: another file takes its place."""
        new = self.path.with_suffix(".new")
        new.write_text(text)
        new.replace(self.path)

    def get(self, path: str = "/", host: str | None = None) -> HTTPResponse:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", path, headers={} if host is None else {"Host": host})
        return connection.getresponse()

    def end(self) -> int:
        """By Ctrl-C."""
        self.process.send_signal(SIGINT)
        return self.process.wait(PATIENCE)


@contextmanager
def watched(folder: Path, *options: str) -> Iterator[Watched]:
    path = folder / "Decay.mo"
    path.write_text(model(-1))
    command = [sys.executable, "-m", "saltus", "report", str(path), "--watch", *options]
    with interruptible(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        yield Watched(process, path)


def news(stream: HTTPResponse) -> Iterator[dict[str, Any]]:
    """What the page is told."""
    for line in stream:
        if line.startswith(b"data: "):
            yield json.loads(line[len(b"data: ") :])


def test_saved_models_are_run_and_mistakes_told(tmp_path: Path) -> None:
    page = tmp_path / "decay.html"
    with watched(tmp_path, "-o", str(page)) as command:
        command.out.until(r"decay\.html: Decay, time 0 to 1")
        changes = news(command.get("/changes"))
        first = next(changes)
        assert first["problem"] == ""
        assert "der(x) = -1*x" in command.get().read().decode()
        assert "der(x) = -1*x" in page.read_text()

        command.save(model(-2).replace("der(x)", "der(x"))
        command.told.until(r"error\[E101\]")
        wrong = next(changes)
        assert wrong["version"] == first["version"]
        assert "E101" in wrong["problem"]
        assert "4 |   der(x = -2*x;" in wrong["problem"]
        assert "der(x) = -1*x" in command.get().read().decode(), "the last report stays"

        command.save(model(-3))
        right = next(changes)
        assert right == {"version": first["version"] + 1, "problem": ""}
        assert "der(x) = -3*x" in command.get().read().decode()

        assert command.get(host="example.org").status == 403
        assert command.get("/etc/passwd").status == 404
        assert command.end() == 0
        assert list(changes) == [], "the stream ends with the command"


def test_what_is_not_there_cannot_be_watched(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["report", str(tmp_path / "Nothing.mo"), "--watch"])
    assert told.exit_code == 2
    assert "Nothing.mo" in told.output


def test_files_of_a_model(tmp_path: Path) -> None:
    """Its own, those beside it, in which functions may be, and none of the library that comes with Saltus."""
    package = tmp_path / "P"
    package.mkdir()
    (package / "package.mo").write_text("package P end P;")
    (package / "f.mo").write_text(
        "within P; function f input Real x; output Real y; algorithm y := 2*x; end f;"
    )
    (package / "M.mo").write_text(
        "within P; model M Saltus.Electrical.Ground g; Real x(start = 1, fixed = true); "
        "equation der(x) = -f(x); end M;"
    )
    (package / "notes.txt").write_text("not a model")
    result = saltus.load("P.M", libraries=[tmp_path]).simulate()
    assert result.provenance is not None
    found = files_of_model(result.provenance)
    assert found == {package / name for name in ("package.mo", "f.mo", "M.mo")}


def test_a_change_is_over_when_nothing_changes_any_more(tmp_path: Path) -> None:
    """An editor may take the file away first."""
    path = tmp_path / "M.mo"
    path.write_text("old")
    before = stamps([path])
    steps = [path.unlink, lambda: path.write_text("half"), lambda: path.write_text("all of it")]

    def sleep(_: float) -> None:
        if steps:
            steps.pop(0)()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("saltus.tools.watching.time.sleep", sleep)
        wait_for_change(before)
    assert path.read_text() == "all of it"


def test_the_browser_follows(tmp_path: Path) -> None:
    if chromium() is None:
        pytest.skip("there is no Chromium to open the page in")
    (tmp_path / "profile").mkdir()
    with watched(tmp_path) as command, browser(tmp_path / "profile") as window:
        window.size(1200, 800)
        shown = "document.querySelector('#texts-lines')?.innerText.includes('der(x) = {}*x') === true"
        window.open(f"http://127.0.0.1:{command.port}/", ready=shown.format("-1"))
        window.wait("document.documentElement.dataset.ready !== undefined")
        window.key("ArrowRight")
        assert "initial" in window.text("#event h3")
        window.key("+")
        window.wait("document.getElementById('range').textContent.startsWith('0 to 0.5')")

        command.save(model(-2) + "end")
        window.wait("document.getElementById('watch').hidden === false")
        assert "E101" in window.text("#watch")

        command.save(model(-2))
        window.wait(shown.format("-2"))
        window.wait("document.documentElement.dataset.ready !== undefined")
        window.wait("document.getElementById('range').textContent.startsWith('0 to 0.5')")
        assert window.value("document.getElementById('watch').hidden")
        assert "initial" in window.text("#event h3"), "the chosen event is remembered"
        assert window.errors == []

        assert command.end() == 0
        window.wait("document.getElementById('watch').hidden === false")
        assert "has ended" in window.text("#watch")
