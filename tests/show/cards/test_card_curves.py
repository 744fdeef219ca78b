"""The small plots of notebooks: a path leads through the points of the curve, whose closed form is known."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import saltus
from saltus.show.cards import curves
from saltus.show.cards.curves import LEFT, RIGHT, curves_svg

SVG = "{http://www.w3.org/2000/svg}"

DECAY = """
model Decay
  Real x(start = 1, fixed = true, unit = "m");
  Boolean low(start = false, fixed = true);
equation
  der(x) = -x;
  low = x < 0.5;
end Decay;
"""


@pytest.fixture(scope="module")
def result() -> saltus.Result:
    return saltus.load(DECAY).simulate(stop_time=2, interval=0.01, tolerance=1e-9)


def paths(svg: str) -> list[np.ndarray]:
    """The points of the curves."""
    found = [p for p in ET.fromstring(svg).iter(f"{SVG}path") if p.get("fill") == "none"]
    return [np.array(re.findall(r"[ML](\S+) (\S+?)(?=[ML]|$)", p.get("d") or ""), dtype=float) for p in found]


def texts(svg: str) -> list[tuple[str, float, float]]:
    """What is written, with its place."""
    found = ET.fromstring(svg).iter(f"{SVG}text")
    return [(t.text or "", float(t.get("x", 0)), float(t.get("y", 0))) for t in found]


def words(svg: str) -> set[str]:
    """What is written."""
    return {text for text, _, _ in texts(svg)}


def test_the_curve_is_where_the_axes_say(result: saltus.Result) -> None:
    svg = curves_svg(result, ["x"])
    (points,), told = paths(svg), texts(svg)
    # Two ticks are enough to know the axis; a text stands 3.7 below its tick.
    ticks = [(float(text), y - 3.7) for text, x, y in told if x == LEFT - 6]
    (first, low), (last, high) = ticks[0], ticks[-1]
    t = 2 * (points[:, 0] - LEFT) / (RIGHT - LEFT)
    x = first + (last - first) * (points[:, 1] - low) / (high - low)
    assert t[0] == 0 and t[-1] == 2
    np.testing.assert_allclose(x, np.exp(-t), atol=2e-3)  # a tenth of a pixel of 120


def test_what_switches_has_a_panel_below_with_steps(result: saltus.Result) -> None:
    svg = curves_svg(result, ["low", "x"])
    x, low = paths(svg)
    assert {"false", "true"} <= words(svg)
    assert x[:, 1].max() < low[:, 1].min()
    assert len(np.unique(low[:, 1])) == 2
    turned = low[:-1][np.diff(low[:, 1]) < 0]  # upwards: y counts down
    assert len(turned) == 1
    assert turned[0, 0] == pytest.approx(LEFT + (RIGHT - LEFT) * np.log(2) / 2, abs=0.1)


def test_the_event_is_marked(result: saltus.Result) -> None:
    place = LEFT + (RIGHT - LEFT) * np.log(2) / 2
    assert f"M{place:.1f} {curves.TOP:g}V" in curves_svg(result, ["x"])


def test_of_many_points_the_extreme_ones_are_kept() -> None:
    result = saltus.load("model S Real x = sin(1000*time); end S;").simulate(stop_time=1, interval=2e-5)
    (points,) = paths(curves_svg(result, ["x"]))
    assert len(result) > 50_000 and len(points) < 4 * (RIGHT - LEFT + 2)
    # A period is 3.3 pixels wide: the curve fills its panel nearly everywhere.
    columns = points[:-4, 1].reshape(-1, 4)
    assert np.median(np.ptp(columns, axis=1)) > 50


def test_names_cannot_break_the_page() -> None:
    model = saltus.load("model Q Real 'a<b&c'(start = 1, fixed = true); equation der('a<b&c') = 1; end Q;")
    svg = curves_svg(model.simulate(stop_time=1), ["'a<b&c'"])
    assert "'a<b&c'" in words(svg)


def test_a_constant_and_a_single_instant_are_drawn() -> None:
    model = saltus.load("model C Real x = 3; end C;")
    for stop in (1, 0):
        ((_, y), *_) = paths(curves_svg(model.simulate(stop_time=stop), ["x"]))[0]
        assert np.isfinite(y)


def test_the_picture_shrinks_with_a_narrow_cell(result: saltus.Result) -> None:
    """As wide as its cell at most, with the height that belongs to that: in JupyterLab cells are narrower
    than pictures as soon as there is a list of files beside them."""
    style = ET.fromstring(curves_svg(result, ["x"])).get("style") or ""
    parts = dict(part.strip().split(": ") for part in style.split(";"))
    assert parts["max-width"] == "100%" and parts["height"] == "auto"
