"""The disk cache: keys, folders, damage, what it refuses to load."""

from __future__ import annotations

import gc
import os
import pickle
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saltus.core.cache import DiskCache, default_folder, format_version


@dataclass(frozen=True)
class Leaf:
    value: object
    word: str = ""
    flag: bool = False


@dataclass(frozen=True)
class Branch:
    children: tuple[object, ...]
    extra: Leaf | None = None


def make(folder: Path | None, version: str = "1") -> DiskCache:
    return DiskCache(folder, version=version, modules=[__name__])


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.integers(-(2**33), 2**33),
        st.floats(allow_nan=False),
        st.text(),
    ).map(Leaf),
    lambda inner: st.one_of(
        st.builds(Branch, st.lists(inner, max_size=5).map(tuple)),
        st.builds(
            Branch,
            st.lists(st.text(max_size=2), max_size=5).map(tuple),
            inner.filter(lambda v: isinstance(v, Leaf)),
        ),
        st.builds(Leaf, inner, st.text(max_size=2), st.booleans()),
    ),
)


@given(value=VALUES)
def test_any_tree_comes_back(value: object, tmp_path_factory: pytest.TempPathFactory) -> None:
    cache = make(tmp_path_factory.mktemp("cache"))
    cache.store(cache.key(b"x"), value)
    assert cache.load(cache.key(b"x")) == value


def test_round_trip_and_content_keys(tmp_path: Path) -> None:
    cache = make(tmp_path / "deep" / "folder")
    key = cache.key(b"content")
    assert cache.load(key) is None
    value = Branch((Leaf(1), Leaf("x", "w", True)), Leaf(None))
    cache.store(key, value)
    assert cache.load(key) == value
    assert make(tmp_path / "deep" / "folder").load(key) == value
    assert cache.key(b"other") != key
    assert make(tmp_path, "2").key(b"content") != key
    # The border between version and content counts.
    assert make(tmp_path, "1c").key(b"ontent") != make(tmp_path, "1").key(b"content")


@given(data=st.data())
def test_damaged_entries_are_absent(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("cache")
    cache = make(folder)
    key = cache.key(b"x")
    cache.store(key, Branch((Leaf(1.5), Leaf("abc")), Leaf(7)))
    (file,) = (f for f in folder.rglob("*") if f.is_file())
    content = bytearray(file.read_bytes())
    position = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content = content[:position]
    else:
        content[position] = data.draw(st.integers(0, 255))
    damaged = content != file.read_bytes()
    file.write_bytes(content)
    assert (cache.load(key) is None) is damaged  # the checksum sees every damage
    assert gc.isenabled()
    cache.store(key, Leaf(2))
    assert cache.load(key) == Leaf(2)


class Planted:
    """Unpickled without care, this would run a command."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("exit 3",)


@pytest.mark.parametrize("planted", [Planted(), Path("x"), DiskCache(None)])
def test_foreign_classes_are_not_loaded(planted: object, tmp_path: Path) -> None:
    cache = make(tmp_path)
    key = cache.key(b"x")
    cache.store(key, Leaf(1))
    (file,) = (f for f in tmp_path.rglob("*") if f.is_file())
    data = pickle.dumps(planted)
    file.write_bytes(crc32(data).to_bytes(4, "little") + data)  # a checksum is no protection against intent
    assert cache.load(key) is None


def test_no_half_written_files_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = make(tmp_path)

    def full(_old: object, _new: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    cache.store(cache.key(b"x"), Leaf(1))
    assert [f for f in tmp_path.rglob("*") if f.is_file()] == []
    assert cache.folder is None


def test_a_folder_that_cannot_be_written_is_left_alone(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    cache = make(blocked / "cache")
    key = cache.key(b"x")
    cache.store(key, Leaf(1))
    assert cache.load(key) is None
    assert cache.folder is None


def test_no_folder_is_an_empty_cache() -> None:
    cache = make(None)
    cache.store(cache.key(b"x"), Leaf(1))
    assert cache.load(cache.key(b"x")) is None


def test_default_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SALTUS_CACHE", str(tmp_path / "a"))
    assert default_folder() == tmp_path / "a"
    monkeypatch.setenv("SALTUS_CACHE", "off")
    assert default_folder() is None
    monkeypatch.delenv("SALTUS_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "b"))
    assert default_folder() == tmp_path / "b" / "saltus"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert default_folder() == tmp_path / "home" / ".cache" / "saltus"


def test_version_changes_with_the_source(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("x = 1")
    first = format_version([file])
    assert format_version([file]) == first
    file.write_text("x = 2")
    assert format_version([file]) != first
    file.unlink()
    assert format_version([file]) != first


def test_a_limit_keeps_what_was_used_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("saltus.core.cache._LOOK_EVERY", 1)
    cache = DiskCache(tmp_path, limit=10_000)
    keys = [cache.key(bytes([k])) for k in range(12)]
    for k, key in enumerate(keys):
        cache.store(key, bytes([k]) * 1000)
        file = tmp_path / key[:2] / key[2:]
        os.utime(file, (k, k))
        if k >= 3:
            assert cache.load(keys[2]) is not None  # which makes it new
    assert cache.load(keys[2]) == bytes([2]) * 1000
    assert cache.load(keys[11]) == bytes([11]) * 1000
    assert cache.load(keys[0]) is None
    assert sum(file.stat().st_size for file in tmp_path.glob("*/*")) <= 10_000
