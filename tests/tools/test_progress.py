"""The progress bar appears on a terminal, after two seconds, and not otherwise."""

from __future__ import annotations

import io

from saltus.tools.progress import PATIENCE, Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """Seconds as the test says."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_patience_is_two_seconds() -> None:
    assert PATIENCE == 2.0


def test_a_short_run_shows_nothing() -> None:
    stream, clock = Terminal(), Clock()
    with Progress(0.0, 10.0, stream=stream, clock=clock) as progress:
        progress(0.1, 1)
        clock.now += 1.9
        progress(0.9, 5)
    assert progress.enabled
    assert stream.getvalue() == ""


def test_a_long_run_shows_time_percent_and_events() -> None:
    stream, clock = Terminal(), Clock()
    with Progress(2.0, 12.0, stream=stream, clock=clock) as progress:
        clock.now += 2.1
        progress(0.25, 7)
    text = stream.getvalue()
    assert "time 4.5" in text  # a quarter of the way from 2 to 12
    assert "25%" in text
    assert "7 events" in text


def test_a_fraction_outside_the_whole_is_bounded() -> None:
    stream, clock = Terminal(), Clock()
    with Progress(0.0, 1.0, stream=stream, clock=clock) as progress:
        clock.now += 3
        progress(1.0000001, 0)
    assert "100%" in stream.getvalue()


def test_no_terminal_no_bar() -> None:
    stream, clock = io.StringIO(), Clock()
    with Progress(0.0, 1.0, stream=stream, clock=clock) as progress:
        clock.now += 10
        progress(0.5, 3)
    assert not progress.enabled
    assert stream.getvalue() == ""
