"""The site is built from the pages of the repository, without a warning; it needs no network."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / f"{name}.md" for name in ("README", "CHANGELOG", "CONTRIBUTING")),
]


def built(folder: Path) -> Path:
    """The site as `make site` makes it."""
    warnings = io.StringIO()
    with patch_docutils(str(ROOT / "docs")), docutils_namespace():
        app = Sphinx(ROOT, ROOT / "docs", folder, folder / ".doctrees", "html", status=None, warning=warnings)
        app.build()
    assert warnings.getvalue() == ""
    return folder


@pytest.mark.filterwarnings("ignore:.*MystReferenceResolver")  # of a Sphinx that is yet to come
def test_the_site(tmp_path: Path) -> None:
    """All in one, for it is built but once: tests of a file may run in several processes."""
    site = built(tmp_path)
    every_page_is_there_and_can_be_reached(site)
    nothing_is_loaded_from_elsewhere(site)
    links_lead_to_a_place(site)
    the_search_knows_the_pages(site)
    whoever_opens_the_folder_finds_the_first_page(site)


class _Places(HTMLParser):
    """What a page loads, where it leads, and what can be led to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if (place := given.get("id")) is not None:
            self.ids.add(place)
        if tag in ("script", "img", "iframe") and given.get("src"):
            self.loaded.append(given["src"] or "")
        if tag == "link" and given.get("rel") == "stylesheet":
            self.loaded.append(given.get("href") or "")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")


def every_page_is_there_and_can_be_reached(site: Path) -> None:
    made = {page.relative_to(ROOT).with_suffix(".html").as_posix() for page in PAGES}
    assert {page for page in made if not (site / page).exists()} == set()
    side = _Places((site / "docs" / "index.html").read_text()).links
    reached = {(site / "docs" / link.partition("#")[0]).resolve() for link in side if "://" not in link}
    assert {
        page for page in made if (site / page).resolve() not in reached and page != "docs/index.html"
    } == set()


def nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = _Places(page.read_text()).loaded
        assert [
            place for place in loaded if re.match(r"\w+:|//", place) and not place.startswith("data:")
        ] == []
        missing = [p for p in loaded if p and not (page.parent / unquote(p).partition("?")[0]).exists()]
        assert missing == [], page.name
    for sheet in (site / "_static").rglob("*.css"):
        assert not re.search(r"url\(['\"]?https?:|@import", sheet.read_text()), sheet.name


def links_lead_to_a_place(site: Path) -> None:
    pages = {page.resolve(): _Places(page.read_text()) for page in site.rglob("*.html")}
    assert len(pages) > len(PAGES)
    for page, places in pages.items():
        for link in places.links:
            if re.match(r"\w+:", link):
                continue
            target, _, anchor = link.partition("#")
            there = (page.parent / unquote(target)).resolve() if target else page
            assert there.exists(), f"{page.name} links to {link}"
            if anchor and there in pages:
                assert unquote(anchor) in pages[there].ids, f"{page.name} links to {link}"


def the_search_knows_the_pages(site: Path) -> None:
    # A script, not data that a page would have to fetch: that works from a folder, too.
    assert "searchindex.js" in (site / "search.html").read_text()
    index = (site / "searchindex.js").read_text()
    assert index.startswith("Search.setIndex(") and all(
        word in index for word in ("chatter", "impuls", "docs/modes")
    )


def whoever_opens_the_folder_finds_the_first_page(site: Path) -> None:
    text = (site / "index.html").read_text()
    found = re.search(r"url=([\w/.]+)", text)
    assert found is not None and (site / found[1]).exists()
