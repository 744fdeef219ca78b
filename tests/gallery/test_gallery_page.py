"""The pages of docs/gallery say what the runs say, and the gallery is complete."""

from __future__ import annotations

import itertools
import math
import re
from functools import cache
from pathlib import Path

import pytest

import saltus
from saltus.catalogue import exhibit, gallery
from saltus.finding import SHIPPED
from saltus.ir.catalogue import Exhibit, Wing
from saltus.show.listings.catalogue import gallery_text
from saltus.tools.gallery_tour import Tour
from tools import gallery_page
from translated_models import translated

PAPERS = SHIPPED / "Saltus" / "Examples" / "Papers"

NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")

CUT = re.compile(r"\.\.\. \d+ more lines")

#: Numbers in logs have more digits than runs on different machines have in common.
RELATIVE, ABSOLUTE = 2e-3, 1e-6


@cache
def wings() -> dict[str, Wing]:
    """By the last word of their names."""
    return {wing.name.rpartition(".")[2]: wing for wing in gallery()}


@cache
def exhibits() -> dict[str, Exhibit]:
    return {e.name: e for wing in wings().values() for e in wing.exhibits}


@cache
def sections(paper: str) -> dict[str, str]:
    return gallery_page.sections_of(wings()[paper])


def papers() -> list[str]:
    """By the folders alone, as `names`."""
    return sorted(path.parent.name for path in PAPERS.glob("*/package.mo"))


def names() -> list[str]:
    """By the files alone: it is called while tests are collected."""
    files = [p for p in PAPERS.rglob("*.mo") if "Gallery(" in p.read_text(encoding="utf-8")]
    return sorted(".".join(p.relative_to(SHIPPED).with_suffix("").parts) for p in files)


def differences(told: str, shown: str) -> list[tuple[str, str]]:
    """Lines that differ in more than the last digits of numbers."""
    mine, page = told.splitlines(), shown.splitlines()
    if len(mine) != len(page):
        return [(f"{len(mine)} lines", f"{len(page)} lines")]
    return [(a, b) for a, b in zip(mine, page, strict=True) if not alike(a, b)]


def alike(a: str, b: str) -> bool:
    # How long the rest of a log is may depend on rounding, where something comes to rest.
    if CUT.fullmatch(a) and CUT.fullmatch(b):
        return True
    first, second = NUMBER.findall(a), NUMBER.findall(b)
    if re.sub(r"\s+", " ", NUMBER.sub("#", a)) != re.sub(r"\s+", " ", NUMBER.sub("#", b)):
        return False
    return all(
        math.isclose(float(x), float(y), rel_tol=RELATIVE, abs_tol=ABSOLUTE)
        for x, y in zip(first, second, strict=True)
    )


@pytest.mark.parametrize("name", names(), ids=lambda name: name.removeprefix("Saltus.Examples.Papers."))
def test_the_page_has_what_the_run_tells(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saltus, "load", translated)
    own = exhibits()[name]
    shown = sections(own.short.partition(".")[0])
    assert name in shown, f"{own.short} is not on its page: python tools/gallery_page.py"
    tour = Tour.of(own)
    assert tour.failure is None
    found = differences(gallery_page.section(tour), shown[name])
    assert not found, "the page is out of date (python tools/gallery_page.py): " + str(found[:3])


def test_all_exhibits_are_found_by_their_files() -> None:
    assert sorted(exhibits()) == names()
    assert sorted(wings()) == papers()


@pytest.mark.parametrize("paper", papers())
def test_a_page_is_whole(paper: str) -> None:
    """Every exhibit, every omission and every picture."""
    wing = wings()[paper]
    assert wing.exhibits, f"nothing is shown of {wing.name}"
    text = gallery_page.page_of(wing).read_text(encoding="utf-8")
    assert text == gallery_page.page(wing, sections(paper))
    assert all(item in text for item in wing.omitted)
    assert all(gallery_page.picture(e).is_file() for e in wing.exhibits)


def test_every_paper_has_its_page() -> None:
    """The index lists them all, `saltus gallery` names them, and there are no others."""
    text = gallery_page.INDEX.read_text(encoding="utf-8")
    assert text == gallery_page.index()
    listed = gallery_text(list(wings().values()))
    for wing in wings().values():
        assert f"({wing.page})" in text
        assert {e.paper for e in wing.exhibits} == {wing.exhibits[0].paper}
        assert not wing.omitted or f"docs/gallery/{wing.page}" in listed
    pages = {gallery_page.INDEX, *map(gallery_page.page_of, wings().values())}
    assert set(gallery_page.PAGES.iterdir()) == pages


def test_commands_on_the_pages_run_what_they_stand_beside() -> None:
    """Each exhibit has its command, and the tour through all papers names exhibits that there are."""
    shown = list(wings().values())
    for exhibit_ in exhibits().values():
        begin, word, name = gallery_page.command(exhibit_).split()
        assert (begin, word) == ("saltus", "gallery") and exhibit(name, shown).name == exhibit_.name
    assert set(gallery_page.FACES) == set(gallery_page.ABOUT) == set(wings())
    stops = [exhibit(short, shown).name for short, _ in gallery_page.STOPS]
    assert {name.split(".")[-2] for name in stops} == set(wings())


def test_the_papers_follow_each_other() -> None:
    """Each page leads to the next, and back."""
    pages = [gallery_page.page_of(wing) for wing in wings().values()]
    for before, after in itertools.pairwise(pages):
        assert f"next: [{title(after)}]({after.name})" in before.read_text(encoding="utf-8")
        assert f"before: [{title(before)}]({before.name})" in after.read_text(encoding="utf-8")


def title(page: Path) -> str:
    return next(gallery_page.title(wing) for wing in wings().values() if wing.page == page.name)


def test_every_paper_has_a_file_of_tests() -> None:
    """In which all of its exhibits are run."""
    files = Path(__file__).parent.glob("test_gallery_*.py")
    tests = [path.read_text(encoding="utf-8") for path in files]
    tested = [
        text for text in tests if "presentable(PAPER, name)" in text and "gallery_classes(PAPER)" in text
    ]
    for paper in papers():
        assert any(f'\nPAPER = "{paper}"\n' in text for text in tested), paper


def test_numbers_are_compared() -> None:
    assert alike("x became 1.00001 at 3", "x became 1.00002  at 3")
    assert not alike("x became 1.0", "x became 1.1")
    assert not alike("x became 1.0", "y became 1.0")
    assert differences("a\nb", "a\nb\nc")
