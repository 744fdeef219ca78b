"""Which files a command depends on, and when one of them is saved."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import saltus
from saltus.core.diagnostics import Diagnostic
from saltus.finding import is_source_file
from saltus.options import Arguments
from saltus.result.provenance import Provenance

#: Time and length of each file; None where there is none.
Stamps: TypeAlias = Mapping[Path, tuple[int, int] | None]

#: Seconds between two looks; a file is taken as saved when it has not changed from one to the next.
PERIOD = 0.1

#: Files of one folder that are watched.
_MOST = 500

_LIBRARY = Path(saltus.__file__).parent


def given_files(arguments: Arguments) -> set[Path]:
    """The files that the command itself names."""
    signals = arguments.run.get("signals")
    named = [arguments.source, *arguments.values, *([signals] if isinstance(signals, str) else [])]
    return {Path(name).absolute() for name in named if Path(name).is_file()}


def files_of_model(provenance: Provenance) -> set[Path]:
    """The files in which a model is written, and those beside them: in one of these its functions may be."""
    flat = provenance.flat
    spans = [provenance.place, *(v.span for v in flat.variables), *(c.span for c in flat.clauses)]
    return _with_neighbours({span.source.path for span in spans})


def files_of_problems(diagnostics: Iterable[Diagnostic]) -> set[Path]:
    """The files in which something is wrong."""
    spans = [d.span for d in diagnostics if d.span is not None]
    return _with_neighbours({span.source.path for span in spans})


def _with_neighbours(paths: Iterable[str]) -> set[Path]:
    """The files of these paths that are the user's own, and other models in their folders."""
    own = {Path(p).absolute() for p in paths if is_source_file(p) and Path(p).is_file()}
    own = {path for path in own if _LIBRARY not in path.parents}
    return own | {path for folder in {p.parent for p in own} for path in islice(_models(folder), _MOST)}


def _models(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if is_source_file(path.name))


def stamps(files: Iterable[Path]) -> Stamps:
    """When each file was written."""
    return {file: _stamp(file) for file in files}


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def wait_for_change(before: Stamps) -> None:
    """Returns when one of the files has been saved: it has changed, and does so no more. An editor may take a
    file away before it writes it anew."""
    while (now := stamps(before)) == before:
        time.sleep(PERIOD)
    while True:
        time.sleep(PERIOD)
        before, now = now, stamps(before)
        if now == before:
            return
