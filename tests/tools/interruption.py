"""Processes that hear Ctrl-C, however the tests were started.

What a shell without job control starts in the background ignores Ctrl-C, and so does all that is started from
there: `nohup python -m pytest &` would wait for commands that never end. Saltus leaves it at that, as other
commands do; a test that presses Ctrl-C has to see to it that it is heard.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

#: Where the system tells about processes.
PROCESSES = Path("/proc")


def hear_ctrl_c() -> None:
    """For a new process, before its program begins (`preexec_fn`)."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def interruptible(command: list[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A process that hears Ctrl-C, and is not left behind where the test fails."""
    with subprocess.Popen(command, text=True, preexec_fn=hear_ctrl_c, **options) as process:
        try:
            yield process
        finally:
            process.kill()  # which does nothing where it has ended


def let_it_work(process: subprocess.Popen[str], seconds: float) -> None:
    """Waits until a process has used so much processor time, which may take long where others work, too."""
    began = time.monotonic()
    while time.monotonic() - began < 60 and process.poll() is None and _seconds_used(process.pid) < seconds:
        time.sleep(0.1)


def _seconds_used(pid: int) -> float:
    fields = (PROCESSES / str(pid) / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))
