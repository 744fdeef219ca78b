"""The checkpoint file: what a run needs to resume after it was killed. A multistep integrator keeps a history
that cannot be saved. So a run with a checkpoint discards it at intervals and restarts from its memory, after
an amount of work that does not depend on the wall clock; only there a checkpoint may be written
(`saltus.run.simulate`). Whether one is written is a question of time, but it makes no difference to the run:
one that resumes from a checkpoint repeats the other, to the last bit.

The file is an archive of NumPy arrays, with a checksum for each, and a text in JSON, `header`. It is replaced
in one step, so it is either the old one or the new one, and it holds no code. What a run must have in common
with the one that has written it, its *identity*, is a part of the header.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, SaltusError, UsageError
from saltus.result.files.growing import replace_file

if TYPE_CHECKING:
    from saltus.result.result import Result

#: Changes with everything that is stored differently.
FORMAT = 4

#: Seconds between two checkpoints, at least. The variable of the environment is for tests: with 0, one is
#: written at every opportunity.
SECONDS = 1.0
ENVIRONMENT = "SALTUS_CHECKPOINT_SECONDS"

#: The part of the time that may go into writing.
SHARE = 0.05

_HINT = "delete the file to start from the beginning, or name another one"


@dataclass
class Saved:
    """A run between two stretches, as plain data: `values` fit into JSON, `arrays` are numbers."""

    values: dict[str, Any]
    arrays: dict[str, NDArray[np.float64]]


class Follower(Protocol):
    """A file of results that is brought up to date with each checkpoint."""

    def update(self, result: Result) -> None:
        """Writes what the result has got since the last call."""


class Checkpoint:
    """The file at `path`. `on_resume` is called with the time of the run at which it is taken up. `problem`
    says why a checkpoint could not be written; the run continues without."""

    def __init__(
        self,
        path: str | Path,
        followers: Sequence[Follower] = (),
        *,
        on_resume: Callable[[float], None] | None = None,
        seconds: float | None = None,
    ) -> None:
        self.path = Path(path).resolve()
        self._on_resume = on_resume
        self.problem: Diagnostic | None = None
        self.written = 0
        self._followers = followers
        chosen = os.environ.get(ENVIRONMENT)
        self._seconds = seconds if seconds is not None else float(chosen) if chosen else SECONDS
        self._pause = self._seconds
        self._last = perf_counter()

    # ------------------------------------------------------------ reading

    def read(self, identity: Mapping[str, Any]) -> Saved | None:
        """What was saved by a run of this identity; None if there is no file. Raises `UsageError` if it is
        of another run, or no checkpoint at all."""
        if not self.path.exists():
            return None
        try:
            with np.load(self.path, allow_pickle=False) as archive:
                header = json.loads(archive["header"].tobytes())
                known = header["format"]
                if known != FORMAT:
                    raise self._refusal(f"is of another version of the format ({known}, not {FORMAT})")
                self._compare(header["identity"], json.loads(json.dumps(identity)))
                arrays = {name: archive[name] for name in header["arrays"]}
                values = header["values"]
        except SaltusError:
            raise
        except PermissionError as error:
            raise self._refusal(f"cannot be read: {error.strerror}") from error
        except Exception as error:  # whatever a reader of archives may stumble over
            raise self._refusal("is not a checkpoint, or is damaged") from error
        if self._on_resume is not None:
            self._on_resume(float(values["now"]))
        return Saved(values, arrays)

    def _compare(self, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
        names = [*found, *(name for name in wanted if name not in found)]
        differing = [name for name in names if found.get(name) != wanted.get(name)]
        if not differing:
            return
        told = [
            f"its {name} is {_said(found.get(name))}, not {_said(wanted.get(name))}"
            for name in differing
            if name != TRANSLATION
        ]
        raise self._refusal(
            "is of another run: " + "; ".join(told or ["the model has been changed since, or what it uses"])
        )

    def _refusal(self, what: str) -> UsageError:
        return UsageError(Diagnostic("E504", f"the checkpoint {self.path} {what}", hint=_HINT))

    # ------------------------------------------------------------ writing

    def is_due(self) -> bool:
        """Whether it is time to write."""
        return perf_counter() - self._last >= self._pause

    def write(self, identity: Mapping[str, Any], saved: Saved, result: Result) -> None:
        """Brings the files of results up to date, then replaces the checkpoint."""
        began = perf_counter()
        header = {
            "format": FORMAT,
            "identity": dict(identity),
            "arrays": list(saved.arrays),
            "values": saved.values,
        }
        text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
        contents: dict[str, Any] = {"header": text, **saved.arrays}
        try:
            for follower in self._followers:
                follower.update(result)
            replace_file(self.path, lambda file: np.savez(file, **contents))
            self.written += 1
        except SaltusError as error:
            self._fails(error.diagnostics[0].message)
        except OSError as error:
            self._fails(f"{self.path}: {error.strerror or error}")
        self._last = perf_counter()
        spent = self._last - began
        self._pause = self._seconds and max(self._seconds, spent / SHARE)

    def _fails(self, why: str) -> None:
        if self.problem is None:
            self.problem = Diagnostic("W405", f"a checkpoint could not be written: {why}")

    def remove(self) -> None:
        """Removes the file, when the run has ended well and its results are safe."""
        for path in (self.path, self.path.with_name(self.path.name + ".new")):
            with suppress(OSError):
                path.unlink()


#: The entry of an identity that is no use to a reader.
TRANSLATION = "translation"


def _said(value: Any) -> str:
    if value is None:
        return "not given"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {x}" for name, x in value.items()) or "as the model has it"
    return str(value)
