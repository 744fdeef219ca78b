"""The page in a browser: what is seen and what people do with mouse and keys."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from browser import Page

import saltus
from saltus.result.result import Result

G = 9.81
FALL = math.sqrt(2 / G)
STOP = 1.5


@pytest.fixture
def page(window: Page, ball: Result, tmp_path: Path) -> Page:
    """The report of the ball, as it is when it is opened."""
    ball.report(tmp_path / "run.html", "h", "v", "up")
    window.prefer("light")
    window.open((tmp_path / "run.html").as_uri())
    window.value("localStorage.clear()")
    return window


def seen(page: Page) -> tuple[float, float]:
    """The stretch of time that is seen, as the page writes it."""
    page.value("new Promise(requestAnimationFrame)")
    found = re.fullmatch(r"(\S+) to (\S+) s", page.text("#range"))
    assert found is not None
    return float(found[1]), float(found[2])


def chosen(page: Page) -> float:
    """The time of the chosen event."""
    return float(page.text("#event h3").split()[0])


def place_of(page: Page, time: float) -> float:
    """Where a time of the whole run is on the first plot; the time line is below it."""
    left, _, width, _ = page.box(".u-over")
    return left + width * time / STOP


# ---------------------------------------------------------------- curves


def test_drag_to_zoom_and_double_click_for_all(page: Page) -> None:
    assert seen(page) == (0, STOP)
    left, top, width, height = page.box(".u-over")
    page.drag(left + 0.25 * width, top + height / 2, left + 0.5 * width, top + height / 2)
    assert seen(page) == pytest.approx((0.25 * STOP, 0.5 * STOP), abs=2 * STOP / width)
    page.click(left + width / 2, top + height / 2)
    page.click(left + width / 2, top + height / 2, count=2)
    assert seen(page) == (0, STOP)


def test_the_cursor_tells_values(page: Page) -> None:
    _, top, width, height = page.box(".u-over")
    time = 0.3
    page.mouse("mouseMoved", place_of(page, time), top + height / 2)
    height_told, speed = (float(page.text(f".plot:nth-child({k}) b")) for k in (1, 2))
    pixel = STOP / width
    assert height_told == pytest.approx(1 - G * time**2 / 2, abs=G * time * pixel + 1e-3)
    assert speed == pytest.approx(-G * time, abs=G * pixel + 1e-3)
    assert page.text(".plot:nth-child(3) b") == "false"


def test_the_wheel_zooms_on_the_time_line_around_the_place(page: Page) -> None:
    _, top, *_ = page.box("#timeline-canvas")
    at = 0.9
    page.mouse("mouseWheel", place_of(page, at), top + 10, deltaX=0, deltaY=-100)
    page.wait("!document.getElementById('range').textContent.startsWith('0 to')")
    first, last = seen(page)
    assert last - first == pytest.approx(0.8 * STOP, rel=1e-3)
    assert (at - first) / (last - first) == pytest.approx(at / STOP, abs=0.01)


def test_variables_are_chosen(page: Page) -> None:
    page.key("v")
    page.type("rises")
    page.wait("document.querySelectorAll('#choice-list input').length === 1")
    page.click_on("#choice-list input")
    assert page.value("document.querySelectorAll('.plot').length") == 2
    page.key("Escape")
    assert page.value("document.getElementById('choice').hidden")


# ---------------------------------------------------------------- events


def test_a_click_on_an_event_tells_its_cause(page: Page) -> None:
    _, top, *_ = page.box("#timeline-canvas")
    page.click(place_of(page, FALL), top + 12)
    assert chosen(page) == pytest.approx(FALL, rel=1e-6)
    told = page.text("#event")
    assert "h <= 0 became true" in told
    assert "Ball.mo:9" in told
    before, after = map(float, re.search(r"v: (\S+) → (\S+)", told).groups())  # type: ignore[union-attr]
    assert (before, after) == pytest.approx((-G * FALL, 0.7 * G * FALL), rel=1e-5)
    assert "when h <= 0 then" in page.text(".code-line.here")
    # The plots are there, too, with the values of both limits.
    assert page.text(".plot:nth-child(2) b").count("→") == 1


def test_an_event_out_of_sight_is_brought_into_it(page: Page) -> None:
    left, top, width, height = page.box(".u-over")
    page.drag(left + 0.9 * width, top + height / 2, left + 0.95 * width, top + height / 2)
    page.click_on("#event-1")
    first, last = seen(page)
    assert first <= chosen(page) <= last
    assert last - first == pytest.approx(0.05 * STOP, abs=2 * STOP / width)


def test_events_are_found_by_words_and_lines(page: Page) -> None:
    whole = int(page.text("#events-count"))
    page.key("/")
    page.type("h <= 0")
    page.wait("document.getElementById('events-count').innerText.includes(' of ')")
    fewer = int(page.text("#events-count").split()[0])
    assert 0 < fewer < whole
    page.value("document.querySelector('#line-9 button').click()")
    by_line = int(page.text("#events-count").split()[0])
    assert f"{by_line} event" in page.text("#line-9 button")


# ---------------------------------------------------------------- keys


def test_keys_go_from_event_to_event(page: Page) -> None:
    times = []
    for _ in range(4):
        page.key("ArrowRight")
        times.append(chosen(page))
    assert times == sorted(times)
    assert times[0] == 0
    assert any(t == pytest.approx(FALL, rel=1e-6) for t in times)
    page.key("ArrowLeft")
    assert chosen(page) == times[-2]
    page.key("Escape")
    assert "Choose an event" in page.text("#event")


def test_keys_zoom_and_move(page: Page) -> None:
    page.key("+")
    assert seen(page) == pytest.approx((0.25 * STOP, 0.75 * STOP), rel=1e-3)
    page.key("ArrowRight", shift=True)
    assert seen(page) == pytest.approx((0.35 * STOP, 0.85 * STOP), rel=1e-3)
    page.key("-")
    page.key("0")
    assert seen(page) == (0, STOP)
    page.key("ArrowRight")
    page.key("ArrowRight")
    page.key("z")
    first, last = seen(page)
    assert last - first < STOP
    assert first <= chosen(page) <= last


def test_help_is_a_dialog(page: Page) -> None:
    page.key("?")
    assert page.value("document.getElementById('help').open")
    page.key("ArrowRight")
    assert "Choose an event" in page.text("#event"), "keys are the dialog's while it is open"
    page.click_on("#help button")
    assert not page.value("document.getElementById('help').open")


# ---------------------------------------------------------------- looks


def luminance(colour: str) -> float:
    """As the guidelines for accessible pages have it (WCAG 2.2)."""
    parts = [int(c) / 255 for c in re.findall(r"\d+", colour)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(("scheme", "is_dark"), [("light", False), ("dark", True)])
def test_light_and_dark(page: Page, scheme: str, is_dark: bool) -> None:
    page.prefer(scheme)
    page.wait(f"document.documentElement.dataset.theme === '{scheme}'")
    for _ in range(2):  # as the system has it, then the other one by the key
        paper, ink, faint = (
            luminance(page.value(f"getComputedStyle(document.querySelector('{where}')).{what}"))
            for where, what in (("body", "backgroundColor"), ("body", "color"), ("header p", "color"))
        )
        assert (paper < 0.1) is is_dark
        for text in (ink, faint):
            light, dark = max(paper, text), min(paper, text)
            assert (light + 0.05) / (dark + 0.05) >= 4.5
        page.key("t")
        is_dark = not is_dark


def test_nothing_is_asked_of_the_network(page: Page) -> None:
    assert {r.partition(":")[0] for r in page.requests} <= {"file", "data"}
    assert page.errors == []


@pytest.mark.parametrize("stop", [0, 1])
@pytest.mark.parametrize("text", ["model M Real x = 1; end M;", "model M parameter Real p = 1; end M;"])
def test_little_to_show(window: Page, tmp_path: Path, text: str, stop: int) -> None:
    saltus.load(text).simulate(stop_time=stop).report(tmp_path / "run.html")
    window.open((tmp_path / "run.html").as_uri())
    for key in ("ArrowRight", "+", "z", "0", "v", "Escape"):
        window.key(key)
    assert window.errors == []


# ---------------------------------------------------------------- thousands of events


def test_an_inverter_with_thousands_of_events(window: Page, inverter_page: str, tmp_path: Path) -> None:
    (tmp_path / "run.html").write_text(inverter_page)
    window.open((tmp_path / "run.html").as_uri())
    assert int(window.text("#events-count")) > 3000
    assert window.value("document.querySelectorAll('.row').length") < 100, "only those that are in sight"
    assert window.errors == []
    window.click_on("#events-list")
    time = chosen(window)
    window.key("z")
    first, last = seen(window)
    assert first <= time <= last < 0.01
    assert "Inverter.mo:" in window.text("#event")


def test_what_became_of_a_relation_is_never_cut_off(window: Page, inverter_page: str, tmp_path: Path) -> None:
    (tmp_path / "run.html").write_text(inverter_page)
    window.open((tmp_path / "run.html").as_uri())
    edge = window.value("(b => b.left + document.querySelector('#events-list').clientWidth)"
                        "(document.querySelector('#events-list').getBoundingClientRect())")  # fmt: skip
    ends = window.value(
        "[...document.querySelectorAll('.row b')].map(b => [b.textContent, b.getBoundingClientRect().right])"
    )
    told = [(text, right) for text, right in ends if text]
    assert len(told) > 5 and {text for text, _ in told} == {" became true", " became false"}
    assert max(right for _, right in told) <= edge
    cut = "[...document.querySelectorAll('.row span')].some(s => s.scrollWidth > s.clientWidth)"
    assert window.value(cut), "the relations are longer than there is room"


def test_counts_of_lines_stay_in_sight(window: Page, inverter_page: str, tmp_path: Path) -> None:
    (tmp_path / "run.html").write_text(inverter_page)
    window.open((tmp_path / "run.html").as_uri())
    left, _, width, _ = window.box("#texts-lines")
    rights = window.value(
        "[...document.querySelectorAll('.code-line button')].map(b => b.getBoundingClientRect().right)"
    )
    assert rights and max(rights) <= left + width
    assert window.value("(t => t.scrollWidth > t.clientWidth)(document.querySelector('#texts-lines'))")
