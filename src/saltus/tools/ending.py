"""How a command ends: what is said to the person, and the exit status.

    0    all is well
    1    the model is refused
    2    wrong usage (an unwritable output counts as that, and is found before the run)
    3    the model was translated but its run failed; what was computed is still written
    130  cancelled with Ctrl-C; what was computed is still written

Nothing ends in a traceback, unless SALTUS_DEBUG=1 asks for it.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from saltus.core.diagnostics import Diagnostic, RunError, SaltusError
from saltus.core.render import SCREEN, render
from saltus.options import Arguments

if TYPE_CHECKING:
    from saltus.model import Model
    from saltus.result.result import Result

REFUSED, WRONG_USAGE, FAILED, CANCELLED = 1, 2, 3, 130


class RunCrash(Exception):
    """An unexpected exception in the run, as opposed to one in the translation."""


def guarded(work: Callable[[], int]) -> int:
    try:
        return work()
    except SaltusError as error:
        tell(render(error.diagnostics))
        return error.exit_status
    except KeyboardInterrupt:
        tell("cancelled")
        return CANCELLED
    except BrokenPipeError:
        # The reader (`| head`) has what it wanted. Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except RunCrash as crash:
        return _internal_error(crash.__cause__ or crash, FAILED)
    except Exception as error:
        return _internal_error(error, REFUSED)


def _internal_error(error: BaseException, status: int) -> int:
    """A short message in place of a traceback: what happened and where, in at most three lines."""
    if os.environ.get("SALTUS_DEBUG") == "1":
        traceback.print_exception(error)
    else:
        tell(internal_error_text(error))
    return status


def internal_error_text(error: BaseException) -> str:
    """The message in place of a traceback."""
    words = str(error).strip().splitlines()
    lines = [f"internal error: {type(error).__name__}" + (f": {words[0][:200]}" if words else "")]
    frames = traceback.extract_tb(error.__traceback__)
    if frames:
        last = frames[-1]
        lines.append(f"  in {last.name}, {Path(last.filename).name}:{last.lineno}")
    lines.append("This is a bug in Saltus, please report it; SALTUS_DEBUG=1 shows the traceback.")
    return "\n".join(lines)


def ending(result: Result | None, failure: RunError | None, files: Sequence[str]) -> int:
    """The last message about a run that was to write these files, and the exit status."""
    if failure is None and (result is None or not result.interrupted):
        return 0
    kept = _kept(result, files)
    if failure is not None:
        tell(render(failure.diagnostics, limit=SCREEN - 1))
        tell(kept)
        return FAILED
    tell("cancelled: " + kept)
    return CANCELLED


def _kept(result: Result | None, files: Sequence[str]) -> str:
    if result is None or len(result.time) == 0:
        return "the run did not start, nothing was computed"
    reached = f"the run ended at time {float(result.time[-1]):.9g}"
    if not files:
        return reached
    return f"{reached}; what was computed until then is in {', '.join(files)}"


# ---------------------------------------------------------------- messages


def tell(text: str) -> None:
    """Prints a text for the person, on standard error."""
    if text:
        print(text, file=sys.stderr, flush=True)


def warn(warnings: Iterable[Diagnostic], arguments: Arguments) -> None:
    if not arguments.quiet:
        tell(render(warnings))


def model_warnings(model: Model, arguments: Arguments) -> tuple[Diagnostic, ...]:
    """The warnings of the translation; those of extensions if that is asked for."""
    return (*model.warnings, *(model.extensions if arguments.pedantic else ()))


def run_warnings(model: Model, result: Result) -> list[Diagnostic]:
    """The warnings of the run itself. That it was cancelled is said at the end, with the place of the
    results."""
    return [
        w
        for w in result.warnings
        if w not in model.warnings and not (result.interrupted and w.code == "W402")
    ]
