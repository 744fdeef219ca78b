"""Histories: native code against the Python reference, both against polynomials; saving; forgetting."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.emit.llvm.jit import compile_text
from saltus.emit.python import recall
from saltus.emit.support.histories import question_name
from saltus.emit.support.remember import histories_text
from saltus.expr.nodes import QUESTIONS
from saltus.ir.native.history import HEADER, NEVER, PANEL, POSITIONS
from saltus.run.past.contents import FIRST_PANELS
from saltus.run.past.histories import History, SavedHistory, highest_order


@pytest.fixture(scope="module")
def native() -> dict[str, Callable[..., float]]:
    """The questions as functions of native code."""
    engine = compile_text(histories_text(), {})
    found: dict[str, Callable[..., float]] = {}
    for name, (arity, _) in QUESTIONS.items():
        kind = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * arity)
        found[name] = kind(engine.get_function_address(question_name(name)))
    found["engine"] = engine  # which must live as long as the functions
    return found


def history_of(saved: SavedHistory) -> tuple[History, float]:
    """A history that remembers this, and its handle."""
    history = History(np.zeros(HEADER, dtype=np.int64))
    history.restore(saved)
    (handle,) = struct.unpack("d", struct.pack("q", history.header.ctypes.data))
    return history, handle


def panel(begin: float, end: float, f: Callable[[float], float]) -> list[float]:
    return [begin, end, *(f(begin + (end - begin) * x) for x in POSITIONS)]


numbers = st.floats(-10, 10)


@st.composite
def histories(draw: st.DrawFn) -> SavedHistory:
    """Segments of no, one or more panels, some of them dropped."""
    time, panels, segments = 0.0, [], [[-NEVER, draw(numbers), 0.0, 0.0]]
    for _ in range(draw(st.integers(0, 4))):
        segments.append([time, draw(numbers), len(panels), draw(st.integers(0, 3))])
        for _ in range(draw(st.integers(0, 3))):
            length = draw(st.floats(0.01, 1.0))
            panels.append([time, time + length, *(draw(numbers) for _ in POSITIONS)])
            time += length
        time += draw(st.sampled_from([0.0, 0.5]))
    return SavedHistory(
        np.array(panels).reshape(-1, PANEL), np.array(segments), draw(st.sampled_from([0, 3]))
    )


@settings(max_examples=200, deadline=None)
@given(saved=histories(), segment=st.integers(-1, 9), time=st.floats(-1, 8), ahead=st.floats(0, 2), u=numbers)
def test_native_code_and_python_give_the_same_answers(
    native: dict[str, Callable[..., float]],
    saved: SavedHistory,
    segment: int,
    time: float,
    ahead: float,
    u: float,
) -> None:
    kept, handle = history_of(saved)
    n = float(segment)
    for name, arguments in (
        ("value", (n, time)),
        ("slope", (n, time)),
        ("recent", (n, time, time + ahead, u)),
        ("share", (n, time, time + ahead)),
        ("end", (n,)),
        ("passed", (0.25, time)),
    ):
        try:
            expected = recall.QUESTIONS[name](handle, *arguments)
        except ZeroDivisionError:
            continue  # hundreds of panels outside of one, where the formula's sums cancel: nobody asks there
        assert native[name](handle, *arguments) == pytest.approx(expected, rel=1e-9, abs=1e-9), name
    assert kept.save().dropped == saved.dropped


def test_a_memory_without_histories_has_a_past_of_zero(native: dict[str, Callable[..., float]]) -> None:
    for answer in (native, recall.QUESTIONS):
        assert answer["value"](0.0, 0.0, 1.0) == 0.0
        assert answer["end"](0.0, 0.0) == NEVER


def test_polynomials_of_degree_five_are_reproduced(native: dict[str, Callable[..., float]]) -> None:
    p = np.poly1d([0.3, -1.0, 0.7, 2.0, -0.4, 1.5])
    panels = np.array([panel(0.0, 0.5, p), panel(0.5, 1.7, p)])
    kept, handle = history_of(SavedHistory(panels, np.array([[-NEVER, 9.0, 0, 0], [0.0, p(0), 0, 1]]), 0))
    for t in np.linspace(0.0, 1.7, 35):
        assert native["value"](handle, 1.0, t) == pytest.approx(p(t), abs=1e-13)
        assert native["slope"](handle, 1.0, t) == pytest.approx(p.deriv()(t), abs=1e-11)
    assert native["value"](handle, 0.0, 1.0) == 9.0
    assert len(kept.save().panels) == 2


def test_up_to_the_present_a_polynomial_of_degree_six_is_reproduced(
    native: dict[str, Callable[..., float]],
) -> None:
    p = np.poly1d([0.1, 0.3, -1.0, 0.7, 2.0, -0.4, 1.5])
    # A panel of degree five that meets it at the nodes; the present value says what the sixth is.
    kept, handle = history_of(
        SavedHistory(np.array([panel(0.0, 1.0, p)]), np.array([[-NEVER, 0, 0, 0], [0.0, 0, 0, 1]]), 0)
    )
    for t in (1.1, 1.5, 1.9):
        assert native["recent"](handle, 1.0, t, 2.0, p(2.0)) == pytest.approx(p(t), abs=1e-12)
    assert native["recent"](handle, 1.0, 2.0, 2.0, 7.0) == 7.0
    assert kept.save().dropped == 0


def test_a_constant_is_the_same_to_the_last_bit(native: dict[str, Callable[..., float]]) -> None:
    segments = np.array([[-NEVER, 0, 0, 0], [0, 0.1, 0, 0]])
    kept, handle = history_of(SavedHistory(np.array([panel(0.0, 0.7, lambda t: 0.1)]), segments, 0))
    assert {native["value"](handle, 1.0, t) for t in np.linspace(-1, 2, 301)} == {0.1}
    assert len(kept.save().segments) == 2


def test_what_is_older_than_the_longest_delay_is_forgotten() -> None:
    history, handle = history_of(
        SavedHistory(
            np.array([panel(k / 10, (k + 1) / 10, lambda t: t) for k in range(200)]),
            np.array([[-NEVER, 0, 0, 0], *([k, k, 10 * k, 1] for k in range(20))]),
            0,
        )
    )
    history.longest = 2.5
    history.make_room(20.0)
    saved = history.save()
    assert len(saved.panels) < 45 and len(saved.segments) < 6
    assert recall.passed(handle, 0.0, 18.5) == 19.0  # counted from the start all the same
    for t in np.linspace(17.5, 20.0, 100):
        n = recall.passed(handle, 0.0, t)
        assert recall.value(handle, n, t) == pytest.approx(t, abs=1e-12)
    assert recall.end(handle, 18.0) == 18.0 and recall.end(handle, 2.0) == -NEVER


def test_a_long_segment_is_forgotten_panel_by_panel() -> None:
    panels = np.array([panel(k / 10, (k + 1) / 10, lambda t: t) for k in range(200)])
    history, handle = history_of(SavedHistory(panels, np.array([[-NEVER, 0, 0, 0], [0, 0, 0, 1]]), 0))
    history.longest = 1.0
    history.make_room(20.0)
    assert len(history.save().panels) < 15 and len(history.save().segments) == 2
    for t in np.linspace(19.0, 20.0, 50):
        assert recall.value(handle, 1.0, t) == pytest.approx(t, abs=1e-12)


def test_a_saved_history_is_restored_with_room_for_more() -> None:
    history, handle = history_of(SavedHistory(np.zeros((0, PANEL)), np.array([[-NEVER, 1.0, 0, 0]]), 0))
    panels = np.array([panel(k, k + 1.0, lambda t: t * t) for k in range(3 * FIRST_PANELS)])
    saved = SavedHistory(panels, np.array([[-NEVER, 1.0, 0, 0], [0.0, 0.0, 0, 1]]), 0)
    history.restore(saved)
    assert recall.value(handle, 1.0, 7.5) == pytest.approx(7.5**2)
    again = history.save()
    assert np.array_equal(again.panels, saved.panels) and np.array_equal(again.segments, saved.segments)


def test_a_long_run_with_a_short_delay_needs_little_room() -> None:
    """Ten thousand steps and more, of which a few dozen are remembered."""
    result = saltus.load(
        "model M Real y; equation y = delay(sin(time), 0.01); annotation(experiment(StopTime = 150)); end M;"
    ).simulate(interval=0.5)
    exact = np.where(result.time < 0.01, 0.0, np.sin(result.time - 0.01))
    assert np.abs(result["y"] - exact).max() < 1e-7


def test_the_more_accurate_a_run_the_more_breaks_it_heeds() -> None:
    assert [highest_order(10.0**-k) for k in (1, 2, 4, 6, 8, 10, 14)] == [1, 1, 2, 3, 4, 5, 6]
