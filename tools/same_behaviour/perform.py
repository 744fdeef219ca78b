"""One case, carried out in this process by the Saltus of any checkout; what came of it, as a text.

The process stays warm: commands are called by way of `saltus.__main__`, as by `python -m saltus`. What they
print is caught where the operating system sees it, so that libraries in C are heard, too.

Nothing in here, nor in what it imports, may import `saltus`: which one that is, is said with the job.
"""

from __future__ import annotations

import ctypes
import gzip
import hashlib
import io
import json
import os
import re
import runpy
import sys
import traceback
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory, TemporaryFile
from time import perf_counter
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from tools.same_behaviour.case import Case

#: The environment of every command. Checkpoints are written whenever that is possible, not by the clock.
ENVIRONMENT = {
    "COLUMNS": "80",
    "LINES": "24",
    "TERM": "dumb",
    "MPLBACKEND": "agg",
    "SALTUS_CHECKPOINT_SECONDS": "0",
}
_UNSET = ("MODELICAPATH", "SALTUS_DEBUG", "FORCE_COLOR", "NO_COLOR", "PYTHONWARNINGS")

#: What a transcript begins with if nothing came of the case.
LATE = "late: "


@dataclass(frozen=True)
class Job:
    """A case, the folder of the sources that are to carry it out, and that of their cache."""

    case: Case
    source: Path
    cache: Path


@dataclass(frozen=True)
class Told:
    """What came of a case. Equal transcripts are equal when they are compressed."""

    path: str
    packed: bytes
    seconds: float
    is_late: bool = False


def perform(job: Job) -> Told:
    """Carries out a case."""
    began = perf_counter()
    _use(job.source, job.cache)
    with TemporaryDirectory(prefix="same-") as name:
        folder = Path(name).resolve()
        os.chdir(folder)
        try:
            text = _transcript(job.case, folder)
        finally:
            os.chdir(Path(__file__).parent)
    packed = _packed(normalised(text, folder, job.source))
    return Told(job.case.path, packed, perf_counter() - began)


def late(job: Job, why: str) -> Told:
    """The record of a case that did not end in time."""
    return Told(job.case.path, _packed(f"{LATE}{why}\n"), 0.0, is_late=True)


def unpacked(packed: bytes) -> str:
    """The text of a transcript."""
    return gzip.decompress(packed).decode("utf-8")


@cache
def library_of(source: Path) -> Path:
    """The folder of the library that is shipped with a version, wherever it is."""
    return min(source.rglob("Saltus/package.mo")).parents[1]


def normalised(text: str, folder: Path, source: Path) -> str:
    """A transcript without what may differ between two runs of the same version, and nothing else:

    - the names of the folder that the case had, of that of the library, and of that of the sources
    - how long it took: in the summary and in the statistics of a run, and in the header of a checkpoint
    - the version of Saltus in the header of a checkpoint, which comes from the installation, not the sources
    - where in the sources an internal error happened: that it happens is kept, with its message

    Arrays in a checkpoint come here as digests; what is left out of them is said in `_without_addresses`.
    """
    for path, name in ((folder, "<folder>"), (library_of(source), "<library>"), (source, "<source>")):
        text = text.replace(str(path), name)
    for pattern, replacement in _LEFT_OUT:
        text = pattern.sub(replacement, text)
    return text


_LEFT_OUT = [
    (re.compile(pattern, re.MULTILINE), replacement)
    for pattern, replacement in (
        (r"^translated in \S+ s, simulated in \S+ s$", "translated in <> s, simulated in <> s"),
        (r'^(seconds |  *"seconds": )[-+.e\d]+', r"\1<>"),
        (r'^( *"version of Saltus": )".*"', r"\1<>"),
        (r"^  in \S+, \w+\.py:\d+$", "  in <>"),
    )
]


# ---------------------------------------------------------------- the process


def _use(source: Path, cache: Path) -> None:
    """From now on this process has the Saltus in this folder, and an environment that is always the same."""
    if sys.path[0] != str(source):
        sys.path.insert(0, str(source))
    os.environ.update(ENVIRONMENT, SALTUS_CACHE=str(cache), PYTHONPATH=str(source))
    for name in _UNSET:
        os.environ.pop(name, None)
    used = import_module("saltus").__file__
    assert used is not None and Path(used).is_relative_to(source), f"{used} is not in {source}"


def _packed(text: str) -> bytes:
    return gzip.compress(text.encode("utf-8"), compresslevel=6, mtime=0)


# ---------------------------------------------------------------- one case


def _transcript(case: Case, folder: Path) -> str:
    for name, text in case.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    known = _contents(folder)
    lines: list[str] = []
    for command in case.commands:
        status, out, err = _carried_out(command)
        lines += [f"$ {' '.join(map(quote, command))}", f"status {status}"]
        lines += [*_section("standard output", out), *_section("standard error", err)]
        found = _contents(folder)
        for name, content in found.items():
            if known.get(name) != content:
                lines += _section(name, content)
        lines += [f"=== {name} is gone" for name in known if name not in found]
        known = found
    for name, text in case.files.items():
        lines += _section(f"given: {name}", text.encode("utf-8"))
    return "\n".join(lines) + "\n"


def _contents(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def _section(name: str, content: bytes) -> list[str]:
    return [f"=== {name}", *_text_of(content).splitlines()] if content else []


def _text_of(content: bytes) -> str:
    """A text as it is, an archive of arrays in words, and the digest of anything else."""
    if zipfile.is_zipfile(io.BytesIO(content)):
        return "\n".join(_archive(content))
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return _digest(content)


def _archive(content: bytes) -> Iterator[str]:
    """The header of a checkpoint, and for each of its arrays enough to see whether it is the same."""
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        for name in archive.files:
            array = _without_addresses(archive[name])
            if name == "header":
                yield json.dumps(json.loads(array.tobytes()), indent=1)
                continue
            numbers = " ".join(map(repr, array.ravel()[:8].tolist()))
            yield f"{name}: {array.dtype} {list(array.shape)} {_digest(array.tobytes())}: {numbers}"


def _without_addresses(array: NDArray[Any]) -> NDArray[Any]:
    """Memories hold addresses of what a delay remembers, as the bits of doubles: numbers below all normal
    ones, which a run that goes on replaces by its own."""
    if array.dtype != np.float64:
        return array
    return np.where(np.abs(array) < np.finfo(np.float64).tiny, np.copysign(0.0, array), array)


def _digest(content: bytes) -> str:
    return f"{len(content)} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}"


def _carried_out(command: tuple[str, ...]) -> tuple[str, bytes, bytes]:
    """Status, standard output and standard error of a command."""
    program, *arguments = command
    sys.argv = [program, *arguments] if program == "saltus" else list(arguments)
    run: Callable[[], object] = (
        (lambda: runpy.run_module("saltus", run_name="__main__"))
        if program == "saltus"
        else (lambda: runpy.run_path(arguments[0], run_name="__main__"))
    )
    with TemporaryFile() as out, TemporaryFile() as err:
        with _caught(1, out), _caught(2, err):
            status = _status(run)
        return status, _read(out), _read(err)


def _status(run: Callable[[], object]) -> str:
    try:
        run()
    except SystemExit as ending:
        return str(ending.code or 0)
    except Exception as error:  # as Python would tell it, but for places in the sources
        print("".join(traceback.format_exception_only(error)), file=sys.stderr, end="")
        return "exception"
    return "0"


@contextmanager
def _caught(number: int, file: BinaryIO) -> Iterator[None]:
    """What goes to a stream of the process goes to a file."""
    before = os.dup(number)
    _flush()
    os.dup2(file.fileno(), number)
    try:
        yield
    finally:
        _flush()
        os.dup2(before, number)
        os.close(before)


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    ctypes.CDLL(None).fflush(None)


def _read(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read()
