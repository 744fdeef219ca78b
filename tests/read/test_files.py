"""Reading files: decoding, refusals, the cache of trees, the order of packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from saltus.core.diagnostics import ModelError
from saltus.read.modelica import files
from saltus.read.modelica.files import package_entries, read_file, read_text
from saltus.read.modelica.parser import parse


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("SALTUS_CACHE", str(folder))
    return folder


def refusal(path: Path, code: str = "E102") -> str:
    with pytest.raises(ModelError) as caught:
        read_file(path)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == code
    return diagnostic.message


def entries(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


def test_text() -> None:
    source, tree = read_text('model M "é" end M;', "here")
    assert (source.path, tree.classes[0].description) == ("here", "é")


def test_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    file = tmp_path / "m.mo"
    file.write_bytes('\ufeffmodel M "é\r\nb"\r\nend M;\r\n'.encode())
    source, tree = read_file(file)
    assert tree.classes[0].description == "é\nb"
    assert source.text == 'model M "é\nb"\nend M;\n'
    assert read_text('\ufeffmodel M "é\r\nb"\r\nend M;\r\n')[1] == tree


def test_unreadable_files(tmp_path: Path) -> None:
    assert "does not exist" in refusal(tmp_path / "none.mo")
    assert "is a folder" in refusal(tmp_path)
    latin = tmp_path / "latin.mo"
    latin.write_bytes(b'model M\n  Real x "\xe9";\nend M;')
    assert "not UTF-8: byte 0xe9 at line 2" in refusal(latin)
    with pytest.raises(ModelError) as caught:
        read_file(latin)
    span = caught.value.diagnostics[0].span
    assert span is not None
    assert (span.line, span.column) == (2, 11)


def test_syntax_errors_are_not_cached(tmp_path: Path, cache_folder: Path) -> None:
    file = tmp_path / "m.mo"
    file.write_text("model M")
    refusal(file, "E101")
    refusal(file, "E101")
    assert entries(cache_folder) == []


def test_second_reading_does_not_parse(
    tmp_path: Path, cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "m.mo"
    file.write_text(
        'model M "d" Real x[2](start = {1, 2.5}) = y if true; equation x = f(1); annotation(a); end M;'
    )
    _, first = read_file(file)
    assert len(entries(cache_folder)) == 1

    def refuse(_source: object) -> None:
        raise AssertionError("parsed again")

    monkeypatch.setattr(files, "parse", refuse)
    source, second = read_file(file)
    assert second == first
    assert repr(second) == repr(first)
    assert source.path == str(file)


def test_changed_content_and_damaged_entries_are_parsed(tmp_path: Path, cache_folder: Path) -> None:
    file = tmp_path / "m.mo"
    file.write_text("model M end M;")
    read_file(file)
    file.write_text("model N end N;")
    assert read_file(file)[1].classes[0].name == "N"
    for entry in entries(cache_folder):
        entry.write_bytes(entry.read_bytes()[:-9])
    source, tree = read_file(file)
    assert tree == parse(source)


def test_without_a_cache(tmp_path: Path, cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALTUS_CACHE", "off")
    file = tmp_path / "m.mo"
    file.write_text("model M end M;")
    assert read_file(file)[1].classes[0].name == "M"
    assert not cache_folder.exists()


def test_trees_too_deep_for_the_cache_are_still_read(tmp_path: Path, cache_folder: Path) -> None:
    file = tmp_path / "m.mo"
    file.write_text(f"model M Real x = {' + '.join(['y'] * 3000)}; end M;")
    for _ in range(2):
        assert read_file(file)[1].classes[0].name == "M"
    assert entries(cache_folder) == []


def test_package_entries(tmp_path: Path) -> None:
    folder = tmp_path / "P"
    for sub in ["Sub", "Alone", "Resources"]:
        (folder / sub).mkdir(parents=True)
    for file in ["package.mo", "B.mo", "A.mo", "Z.mo", "notes.txt", "Sub/package.mo", "Alone/package.mo"]:
        (folder / file).write_text("")
    names = [entry.name for entry in package_entries(folder)]
    assert names == ["A.mo", "Alone", "B.mo", "Sub", "Z.mo"]
    (folder / "package.order").write_text("\ufeffZ\r\nSub\r\n\r\nconstant_of_package\r\nA\r\nZ\r\n")
    names = [entry.name for entry in package_entries(folder)]
    assert names == ["Z.mo", "Sub", "A.mo", "Alone", "B.mo"]
    with pytest.raises(ModelError):
        package_entries(tmp_path / "none")


def test_a_cached_class_is_opened_when_it_is_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SALTUS_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "P.mo"
    file.write_text("package P model A Real x; equation x = 1; end A; end P;")
    _, parsed = read_file(file)
    _, cached = read_file(file)
    (package,) = cached.classes
    assert "body" not in vars(package)
    (model,) = package.body.elements
    assert "body" not in vars(model)  # a class inside is sealed on its own
    assert cached == parsed
    assert "body" in vars(model)
    with pytest.raises(AttributeError):
        _ = model.nothing
