"""Files and folders as functions see them at translation, compared with those of a disk."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saltus.functions.external.objects import ExternalError
from saltus.functions.external.surroundings import Surroundings

_NAMES = st.sampled_from(["a", "b", "d", "d/a", "d/e", "d/e/a", "f", "f/a"])
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), _NAMES, st.sampled_from(["one", "two"])),
        st.tuples(st.just("remove"), _NAMES),
        st.tuples(st.just("make_folder"), _NAMES),
        st.tuples(st.just("rename"), _NAMES, _NAMES),
    ),
    max_size=12,
)


def tree(folder: Path) -> dict[str, str | None]:
    """All names in a folder, with what is in the files."""
    return {
        p.relative_to(folder).as_posix(): p.read_text() if p.is_file() else None for p in folder.rglob("*")
    }


def seen(around: Surroundings, name: str = ".") -> dict[str, str | None]:
    """The same, as the surroundings have it."""
    found: dict[str, str | None] = {}
    for inner in around.listed(name):
        path = inner if name == "." else f"{name}/{inner}"
        found[path] = None if around.is_folder(path) else around.content(path).decode()
        if around.is_folder(path):
            found |= seen(around, path)
    return found


def on_disk(folder: Path, step: tuple[str, ...]) -> None:
    """A step, done at once. Raises `OSError` where it cannot be done."""
    kind, name, *rest = step
    path = folder / name
    if kind == "write":
        path.write_text(rest[0])
    elif kind == "make_folder":
        path.mkdir()
    elif kind == "remove":
        if path.exists():
            path.rmdir() if path.is_dir() else path.unlink()
    else:
        if (folder / rest[0]).exists() or not (folder / rest[0]).parent.is_dir():
            raise FileExistsError
        path.rename(folder / rest[0])


@contextmanager
def folders() -> Iterator[tuple[Path, Path]]:
    place = Path(tempfile.mkdtemp())
    first, second = place / "first", place / "second"
    for folder in (first, second):
        (folder / "d").mkdir(parents=True)
        (folder / "d" / "a").write_text("old")
        (folder / "b").write_text("older")
    try:
        yield first, second
    finally:
        shutil.rmtree(place)


@given(_STEPS)
@settings(max_examples=150, deadline=None)
def test_the_same_as_on_a_disk(steps: list[tuple[str, ...]]) -> None:
    with folders() as (first, second):
        around = Surroundings()
        around.enter(str(second))
        before = tree(second)
        for kind, *rest in steps:
            try:
                on_disk(first, (kind, *rest))
                refused = False
            except OSError:
                refused = True
            arguments = [rest[0], rest[1].encode()] if kind == "write" else rest
            if refused:
                with pytest.raises(ExternalError):
                    getattr(around, kind)(*arguments)
            else:
                getattr(around, kind)(*arguments)
            assert seen(around) == tree(first)
        assert tree(second) == before
        for _ in range(2):
            around.carry_out()
            assert tree(second) == tree(first)


def test_the_environment_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALTUS_TEST", "outside")
    around = Surroundings()
    assert around.variable("SALTUS_TEST") == "outside" and around.variable("SALTUS_TEST_2") is None
    around.set_variable("SALTUS_TEST", "inside")
    around.carry_out()
    assert around.variable("SALTUS_TEST") == "inside" and os.environ["SALTUS_TEST"] == "outside"
