"""Runs the fuzz test: each damaged source is read, lowered and analysed, under limits, and must end in a
diagnostic or in a model, never in anything else.

    python tests/fuzz/fuzzing.py [--language modelica|dymola|chi|net|machine] [--cases 10000] [--first 0]
        [--seed 1] [--keep FOLDER] [--run]

prints a report and ends with status 1 if a case failed; `--keep` writes the texts of those that did. A text
in the Dymola language is written and read again, too, and compared with itself in Modelica
(`dymola_judge`); with `--run` it is run in all these forms. Nets and machines are written, drawn and
rewritten (`automata_judge`).
"""

from __future__ import annotations

import argparse
import resource
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from types import FrameType

import automata_judge
import automata_mutations
import chi_mutations
import dymola_judge
import dymola_mutations
import modelica_mutations

from saltus.analyse.analysis import Analysis
from saltus.compiler import load_flat
from saltus.core.diagnostics import SaltusError
from saltus.core.render import SCREEN, render
from saltus.functions import interpret
from saltus.lower.functions import execution
from saltus.lower.hybrid.clauses import to_hybrid
from saltus.lower.scope import limits

#: Processor seconds that one small model may take. On a quiet machine the slowest takes a tenth of it.
SECONDS = 10.0
#: Bytes of data of the whole process. What fills that with a model of a hundred lines has no bound.
MEMORY = 2 * 1024**3


@dataclass(frozen=True)
class Language:
    """What is tried: the texts, what is done with one, and how a file of it is called."""

    case: Callable[[int, int], tuple[str, str]]
    work: Callable[[str], None]
    suffix: str
    comment: str


class TooLong(BaseException):
    """Not an Exception, so that no handler of the compiler takes it for its own."""


@dataclass
class Report:
    """What came of the cases so far."""

    accepted: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, str, str]] = field(default_factory=list)  # number, what was done, what happened
    slowest: tuple[float, int] = (0.0, -1)
    cases: int = 0

    def text(self) -> str:
        """For people."""
        failed = len(self.failures)
        lines = [f"{self.cases} cases: {self.accepted} accepted, {failed} failed, the rest refused"]
        lines += [f"  {code}: {n}" for code, n in sorted(self.codes.items())]
        unit = 1024**2 if sys.platform == "darwin" else 1024
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
        lines.append(f"slowest: case {self.slowest[1]}, {self.slowest[0]:.2f} s; peak memory {peak:.0f} MB")
        kinds = Counter(what.splitlines()[0] for _, _, what in self.failures)
        lines += [f"FAILED {n} times: {what}" for what, n in kinds.most_common()]
        lines += [f"  case {number} ({done}): {what}" for number, done, what in self.failures[:20]]
        return "\n".join(lines)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises `TooLong` after so many seconds of processor time: other work on the machine does not count."""

    def over(signum: int, frame: FrameType | None) -> None:
        raise TooLong(f"{frame.f_code.co_name}, {Path(frame.f_code.co_filename).name}" if frame else "")

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def translate(text: str) -> None:
    """What `saltus check` does, without native code."""
    Analysis(to_hybrid(load_flat(text + "\n"))).structure.verify()


def verdict(text: str, report: Report, work: Callable[[str], None] = translate) -> str | None:
    """What is wrong with what Saltus does about a text; None if nothing."""
    try:
        with limited(SECONDS):
            work(text)
        report.accepted += 1
    except SaltusError as error:
        if not error.diagnostics:
            return "refused without a diagnostic"
        first = error.diagnostics[0]
        report.codes[first.code] += 1
        if len(render(error.diagnostics).splitlines()) > SCREEN:
            return f"the message fills more than a screen: {first.code} {first.message}"
        if not first.message.strip():
            return f"no message: {first.code}"
        if first.span is None and first.code[:2] in ("E1", "E2", "E3"):
            return f"refused without a place: {first.code} {first.message}"
    except TooLong as error:
        return f"hangs in {error}"
    except MemoryError as error:
        return f"needs more than {MEMORY >> 20} MB, {_place(error)}"
    except Exception as error:
        return f"{type(error).__name__} {_place(error)}: {str(error)[:80]!r}"
    return None


def _place(error: BaseException) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "saltus" in f.filename]
    return f"in {frames[-1].name}, {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


LANGUAGES = {
    "modelica": Language(modelica_mutations.case, translate, ".mo", "// {}"),
    "chi": Language(chi_mutations.case, chi_mutations.translate, ".chi", "// {}"),
    "net": Language(automata_mutations.net_case, automata_judge.net, ".pn", "# {}"),
    "machine": Language(automata_mutations.machine_case, automata_judge.machine, ".sm", "# {}"),
    "dymola": Language(dymola_mutations.case, dymola_judge.translate, ".dym", "{{ {} }}"),
    "dymola, run": Language(dymola_mutations.case, dymola_judge.run, ".dym", "{{ {} }}"),
}


def run(cases: range, seed: int, keep: Path | None = None, language: str = "modelica") -> Report:
    """Tries all cases."""
    report = Report()
    tried = LANGUAGES[language]
    for number in cases:
        done, text = tried.case(seed, number)
        began = process_time()
        wrong = verdict(text, report, tried.work)
        report.slowest = max(report.slowest, (process_time() - began, number))
        report.cases += 1
        if wrong is not None:
            report.failures.append((number, done, wrong))
            if keep is not None:
                keep.mkdir(exist_ok=True)
                told = tried.comment.format(f"{done}: {wrong}")
                (keep / f"case{number}{tried.suffix}").write_text(f"{told}\n{text}", encoding="utf-8")
    return report


def lower_limits() -> None:
    """Models of a hundred lines need no more; a million variables take a minute, not seconds."""
    interpret.STEP_LIMIT = execution.WORK_LIMIT = 20_000
    limits.MOST_COMPONENTS = 5_000
    limits.MOST_ELEMENTS = limits.MOST_VARIABLES = limits.MOST_ITERATIONS = 20_000


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--cases", type=int, default=10_000)
    arguments.add_argument("--first", type=int, default=0)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--keep", type=Path)
    arguments.add_argument(
        "--language", choices=("modelica", "dymola", "chi", "net", "machine"), default="modelica"
    )
    arguments.add_argument("--run", action="store_true")
    given = arguments.parse_args()
    if given.run and given.language != "dymola":
        arguments.error("--run makes sense only with --language dymola")
    lower_limits()
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    cases = range(given.first, given.first + given.cases)
    report = run(cases, given.seed, given.keep, given.language + ", run" * given.run)
    print(report.text())
    return 1 if report.failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
