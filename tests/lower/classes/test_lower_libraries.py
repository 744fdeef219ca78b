"""Where classes are found on disk: folder packages, library folders, MODELICAPATH (section 13.4)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from lowered_values import shown_values
from saltus.compiler import load_flat
from saltus.core.diagnostics import SaltusError


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def value(what: str | Path, name: str, libraries: Sequence[Path] = ()) -> float:
    return float(shown_values(what, libraries=libraries)[name])


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A package of folders and files, two levels deep."""
    return write(
        tmp_path,
        {
            "Lib/package.mo": "within; package Lib constant Real k = 3; end Lib;",
            "Lib/package.order": "Parts\nTop\n",
            "Lib/Top.mo": "within Lib; model Top Parts.Gain g(u = time); Real y = g.y; end Top;",
            "Lib/Parts/package.mo": "within Lib; package Parts constant Real two = 2; end Parts;",
            "Lib/Parts/package.order": "Gain\n",
            "Lib/Parts/Gain.mo": (
                "within Lib.Parts; block Gain input Real u; output Real y; equation y = two*k*u; end Gain;"
            ),
        },
    )


def test_class_of_a_folder_package_by_its_name(library: Path) -> None:
    assert value("Lib.Top", "y", [library]) == pytest.approx(6)


def test_the_package_folder_itself_may_be_given(library: Path) -> None:
    assert value("Lib.Top", "y", [library / "Lib"]) == pytest.approx(6)


def test_a_text_may_use_a_library(library: Path) -> None:
    text = "model M import Lib.Parts.*; Gain g(u = 1); Real y = g.y + Lib.k; end M;"
    assert value(text, "y", [library]) == pytest.approx(9)


def test_modelicapath_is_searched(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODELICAPATH", f"/nowhere-at-all:{library}")
    assert value("Lib.Top", "y") == pytest.approx(6)


def test_given_folders_come_before_modelicapath(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = write(tmp_path / "other", {"Lib.mo": "package Lib model Top Real y = 11; end Top; end Lib;"})
    monkeypatch.setenv("MODELICAPATH", str(library))
    assert value("Lib.Top", "y", [other]) == 11


def test_a_file_inside_a_package_finds_its_package(library: Path) -> None:
    assert value(library / "Lib" / "Top.mo", "y") == pytest.approx(6)


def test_the_newest_version_in_a_folder_name_is_taken(tmp_path: Path) -> None:
    for version, number in (("1.9.0", 1), ("1.10.0", 2), ("0.1", 3)):
        write(
            tmp_path,
            {f"Lib {version}/package.mo": f"package Lib model M Real y = {number}; end M; end Lib;"},
        )
    assert value("Lib.M", "y", [tmp_path]) == 2


def test_a_folder_with_another_name_than_its_package(tmp_path: Path) -> None:
    write(tmp_path, {"src/package.mo": "package Lib model M Real y = 4; end M; end Lib;"})
    assert value("Lib.M", "y", [tmp_path / "src"]) == 4


def test_a_folder_that_merely_has_the_name_does_not_hide_the_package(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "Lib/package.mo": "package Other end Other;",
            "b/Lib.mo": "package Lib model M Real y = 5; end M; end Lib;",
        },
    )
    assert value("Lib.M", "y", [tmp_path / "Lib", tmp_path / "b"]) == 5


@pytest.mark.parametrize(
    ("name", "words"),
    [("Lib.Tpo", "Top"), ("Nothing.M", "--library"), ("Lib.Parts.Gain.x", "Lib.Parts.Gain.x")],
)
def test_what_is_not_there_is_named(library: Path, name: str, words: str) -> None:
    with pytest.raises(SaltusError) as caught:
        load_flat(name, libraries=[library])
    (told,) = caught.value.diagnostics
    assert told.code == "E201"
    assert words in told.message + (told.hint or "")


def test_a_member_file_that_defines_another_class_is_refused(library: Path) -> None:
    write(library, {"Lib/Wrong.mo": "within Lib; model Right Real x = 1; end Right;"})
    with pytest.raises(SaltusError) as caught:
        load_flat("Lib.Wrong", libraries=[library])
    assert caught.value.diagnostics[0].code in ("E103", "E201")
    assert "Wrong" in caught.value.diagnostics[0].message


def test_parts_of_a_package_given_by_its_own_folder_are_not_at_the_top_level(library: Path) -> None:
    """Section 13.4.1: what a package's folder contains belongs to the package."""
    text = "model M Real x = Lib.Parts.two; end M;"
    assert value(text, "x", [library / "Lib"]) == pytest.approx(2)
    with pytest.raises(SaltusError, match="E201"):
        load_flat("model M Real x = Parts.two; end M;", libraries=[library / "Lib"])
