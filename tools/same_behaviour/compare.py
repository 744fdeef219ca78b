"""Two recordings, compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from tools.same_behaviour.case import ENDING, chosen
from tools.same_behaviour.perform import LATE, unpacked

#: What may be said of a case. Only the first proves anything.
VERDICTS = ("same", "different", "missing", "late")

#: Characters of a line that are shown.
_SHOWN = 150


@dataclass(frozen=True)
class Verdict:
    """What is said of a case, and why it is not the same."""

    path: str
    verdict: str
    why: str = ""

    @property
    def kind(self) -> str:
        return self.path.partition("/")[0]

    def __str__(self) -> str:
        return f"{self.verdict}: {self.path.removesuffix(ENDING)}{self.why}"


def compared(old: Path, new: Path, words: Iterable[str] = ()) -> list[Verdict]:
    """A verdict for each case of the two recordings."""
    found = {str(p.relative_to(f)) for f in (old, new) for p in f.glob(f"*/*{ENDING}")}
    return [_verdict(path, old, new) for path in chosen(sorted(found), words)]


def _verdict(path: str, old: Path, new: Path) -> Verdict:
    for folder in (old, new):
        if not (folder / path).exists():
            return Verdict(path, "missing", f", not in {folder}")
    before, after = ((folder / path).read_bytes() for folder in (old, new))
    texts = unpacked(before), unpacked(after)
    for text, folder in zip(texts, (old, new), strict=True):
        if text.startswith(LATE):
            return Verdict(path, "late", f", in {folder}: {text.removeprefix(LATE).rstrip()}")
    if before == after:
        return Verdict(path, "same")
    return Verdict(path, "different", first_difference(*texts))


def first_difference(old: str, new: str) -> str:
    """The first line that differs, and in which part of which command it is."""
    command = part = ""
    place = 0
    for before, after in zip_longest(old.split("\n"), new.split("\n")):
        if before != after:
            return f"\n  {command}\n  {part}line {place}\n" + "\n".join(_shown(before, after))
        place += 1
        if before.startswith("$ "):
            command, part, place = before, "", 1
        elif before.startswith("=== "):
            part, place = f"{before.removeprefix('=== ')}, ", 1
    return "\n  the texts are the same, packed in another way"


def _shown(before: str | None, after: str | None) -> Iterator[str]:
    """Long lines are shown around the first letter that differs."""
    letters = zip(before or "", after or "", strict=False)
    first = next((k for k, (a, b) in enumerate(letters) if a != b), 0)
    start = max(0, first - _SHOWN // 3)
    for name, line in (("old", before), ("new", after)):
        cut = None if line is None else ("... " if start else "") + line[start : start + _SHOWN]
        yield f"  {name}: {'(nothing)' if cut is None else cut}"


def table(verdicts: Iterable[Verdict]) -> str:
    """How many cases of each kind are the same."""
    counts: dict[str, Counter[str]] = {}
    for v in verdicts:
        counts.setdefault(v.kind, Counter())[v.verdict] += 1
    rows = [*counts.items(), ("all", sum(counts.values(), Counter[str]()))]
    lines = [f"{'kind':<14} {'cases':>7}" + "".join(f" {word:>10}" for word in VERDICTS)]
    for kind, count in rows:
        lines.append(f"{kind:<14} {count.total():>7}" + "".join(f" {count[word]:>10}" for word in VERDICTS))
    return "\n".join(lines)
