"""The cases of the language: small models, and what the specification says about each of them.

`tests/language/CHAPTER.toml` has the cases that stand for a construct; docs/language.md lists them.
`tests/language/CHAPTER/TOPIC.toml` has those that go into the corners of the chapter. All have one form, that
of `Case`, and `tests/language/test_language.py` runs them all.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "language"

#: What a file may have besides its cases: of a chapter, and of a topic of one.
_HEADS = ({"chapter", "title"}, {"about"})


@dataclass(frozen=True)
class Case:
    """A model (of several classes, `main` is the one that is meant; without it, the last) and what is wanted:

    - `values`: they hold at the end of a run, up to `stop` (None: as the experiment of the model says).
    - `lowered`: they can be read off the lowered model, at that time; nothing is compiled and nothing is run.
    - `error`: the model is refused with that code, at a place, with all `words` in what is said.

    A value is a number, or a formula as a text, as "2*acos(0.6)", with the functions of Python's `math`.
    `set` gives parameters other values. `before` names texts of the table of that name in the file, which
    stand before the model.

    Where Saltus does something else: `refused` is the code with which the model is refused for another
    reason, since something in it is not supported; `flattens`: the flat model is made all the same.
    `unchecked` marks an error that Saltus does not see, `extension` what Modelica does not have. `limits`
    says, for the page, what of the construct does not work. A case with a `construct` and a `section` of the
    specification is a row of the page."""

    id: str
    model: str
    file: str  # relative to the folder of the cases
    construct: str = ""
    section: str = ""
    main: str | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    lowered: Mapping[str, float] = field(default_factory=dict)
    error: str = ""
    words: tuple[str, ...] = ()
    set: Mapping[str, float | int | bool] = field(default_factory=dict)
    refused: str = ""
    unchecked: bool = False
    flattens: bool = False
    limits: str = ""
    extension: bool = False
    stop: float | None = 1.0

    @property
    def status(self) -> str:
        """A word of `STATUSES` of tools/language_table.py."""
        if self.error and not self.refused:
            return "unchecked" if self.unchecked else "checked"
        if self.refused:
            return "flat" if self.flattens else "no"
        if self.extension:
            return "extension"
        return "partly" if self.limits else "yes"

    @property
    def test(self) -> str:
        """The name of its test: that of its topic comes first, if it is of one."""
        path = Path(self.file)
        return self.id if path.parent == Path() else f"{path.stem}/{self.id}"

    def verify(self) -> None:
        """A case says what it expects, once, and nothing that would not be looked at."""
        wanted = [bool(self.values), bool(self.lowered), bool(self.error)]
        assert sum(wanted) == 1, f"{self.id}: one of values, lowered and error is wanted"
        assert bool(self.construct) == bool(self.section), f"{self.id}: construct and section go together"
        assert not (self.words and self.status != "checked"), f"{self.id}: words of which refusal?"
        assert not (self.unchecked and not self.error), f"{self.id}: unchecked errors only"
        assert not (self.flattens and not self.refused), f"{self.id}: refused with which code?"
        assert not (self.lowered and (self.refused or self.extension)), f"{self.id}: this is seen in a run"


@dataclass(frozen=True)
class Chapter:
    """One chapter of the specification: the constructs that the page lists, and the cases of its topics."""

    number: int
    title: str
    rows: tuple[Case, ...]
    topics: Mapping[str, tuple[Case, ...]]

    @property
    def cases(self) -> Iterator[Case]:
        yield from self.rows
        for cases in self.topics.values():
            yield from cases


def read_chapters(folder: Path = FOLDER) -> list[Chapter]:
    """All chapters, in order."""
    chapters: list[Chapter] = []
    for path in sorted(folder.glob("*.toml")):
        head, rows = _read(path, folder)
        assert all(row.construct for row in rows), f"{path.name}: a row of the page names a construct"
        topics = {p.stem: _read(p, folder)[1] for p in sorted((folder / path.stem).glob("*.toml"))}
        chapters.append(Chapter(head["chapter"], head["title"], rows, topics))
    read = {case.file for chapter in chapters for case in chapter.cases}
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.toml")}
    assert read == found, f"of no chapter, or without cases: {found - read}"
    return chapters


def read_cases(folder: Path = FOLDER) -> list[Case]:
    """All cases, in order."""
    return [case for chapter in read_chapters(folder) for case in chapter.cases]


def texts_before(file: str, folder: Path = FOLDER) -> dict[str, str]:
    """The texts that the cases of a file share, by name: for tests that need them as well."""
    found: dict[str, str] = tomllib.loads((folder / file).read_text(encoding="utf-8"))["before"]
    return found


def _read(path: Path, folder: Path) -> tuple[dict[str, Any], tuple[Case, ...]]:
    """What a file says about itself, and its cases."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    file = path.relative_to(folder).as_posix()
    entries = content.pop("case")
    before = content.pop("before", {})
    assert content.keys() == _HEADS["/" in file], f"{file}: {sorted(content)}"
    return content, tuple(_case(file, entry, before) for entry in entries)


def _case(file: str, entry: dict[str, Any], before: Mapping[str, str]) -> Case:
    known = {f.name for f in fields(Case)} - {"file"} | {"before"}
    assert entry.keys() <= known, f"{file}: {entry['id']}: {sorted(entry.keys() - known)}"
    parts = [before[name] for name in entry.pop("before", ())]
    entry["model"] = "".join([*parts, entry.get("model", "")])
    for wanted in ("values", "lowered"):
        entry[wanted] = {name: _number(value) for name, value in entry.get(wanted, {}).items()}
    entry["words"] = tuple(entry.get("words", ()))
    if entry.get("stop") == "experiment":
        entry["stop"] = None
    case = Case(file=file, **entry)
    case.verify()
    return case


def _number(value: float | str) -> float:
    return float(eval(value, {"__builtins__": {}}, vars(math)) if isinstance(value, str) else value)
