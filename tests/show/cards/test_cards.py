"""What notebooks show of models, results and errors."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pytest

import saltus
from saltus.core.message import Diagnostic
from saltus.show.cards.card import table
from saltus.show.cards.told import box

BALL = """
model Ball "A ball that bounces"
  parameter Real c(unit = "1", min = 0) = 0.7 "restitution, < 1";
  Real h(start = 1, fixed = true, unit = "m");
  Real v(start = 0, fixed = true, unit = "m/s");
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -c*pre(v));
  end when;
end Ball;
"""


class _Balanced(HTMLParser):
    """Refuses elements that are not closed, in the order in which they are."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag


def text_of(html: str) -> str:
    parser = _Balanced()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", html, flags=re.DOTALL))


def test_a_model_tells_its_size_and_parameters() -> None:
    text = text_of(saltus.load(BALL)._repr_html_())
    assert "Model Ball" in text and "A ball that bounces" in text
    assert "2 states" in text and "restitution, < 1" in text and "0.7" in text


def test_a_model_of_placed_parts_shows_its_drawing() -> None:
    html = saltus.load("Saltus.Examples.Electrical.BuckConverter")._repr_html_()
    assert "<svg" in html and "Buck" in text_of(html)


def test_warnings_of_a_model_are_shown() -> None:
    model = saltus.load("model W Real x; equation der(x) = -x; end W;")
    assert [w.code for w in model.warnings] == ["W301"]
    html = model._repr_html_()
    assert "saltus-warning" in html and "warning[W301]" in text_of(html)


def test_a_result_shows_a_plot_and_what_happened() -> None:
    result = saltus.load(BALL).simulate(stop_time=1, tolerance=1e-11)
    html = result._repr_html_()
    text = text_of(html)
    assert "<svg" in html and 'aria-label="h, v over time"' in html
    # It falls for sqrt(2/9.81) s.
    assert "0.451523641" in text and "h <= 0 became true" in text
    assert f"v: {-((2 * 9.81) ** 0.5):.6g} -> {0.7 * (2 * 9.81) ** 0.5:.6g}" in text


def test_modes_and_impulses_are_tables() -> None:
    model = saltus.load("Saltus.Examples.Papers.Mosterman1998.Fig6_ConservationOfMomentum")
    result = model.simulate()
    assert len(result.impulses) > 0
    text = text_of(result._repr_html_())
    assert "time spent" in text and "impulse" in text


def test_of_many_events_the_first_are_shown() -> None:
    model = saltus.load(
        "model T discrete Integer n(start = 0, fixed = true); equation "
        "when sample(0, 0.01) then n = pre(n) + 1; end when; end T;"
    )
    result = model.simulate(stop_time=1)
    assert "more" in text_of(result._repr_html_())
    assert len(result._repr_html_()) < 40_000


def test_a_box_is_what_the_command_prints() -> None:
    told = Diagnostic("W402", "a <b> & c")
    assert "warning[W402] run ended early: a <b> & c" in text_of(box([told]))
    assert box([]) == ""


def test_columns_without_text_are_left_out() -> None:
    assert text_of(table(("a", "b"), [("1", ""), ("2", "")])).split() == ["a", "1", "2"]


def test_an_error_shows_itself_in_place_of_a_traceback() -> None:
    with pytest.raises(saltus.ModelError) as caught:
        saltus.load("model M\n  Real x = y;\nend M;")
    lines = caught.value._render_traceback_()
    plain = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in lines]
    assert plain == str(caught.value).splitlines()
    assert lines[0].startswith("\x1b[31;1merror[E201]") and any("\x1b[31;1m^" in line for line in lines)


def test_an_error_of_a_run_says_where_the_rest_is() -> None:
    model = saltus.load("model M Real x = 1/(0.5 - time); end M;")
    with pytest.raises(saltus.RunError) as caught:
        model.simulate(stop_time=1)
    assert "sys.last_value.partial" in caught.value._render_traceback_()[-1]
