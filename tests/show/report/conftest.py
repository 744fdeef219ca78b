"""Reports of two runs, and a browser to look at them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import saltus
from saltus.result.result import Result
from saltus.show.report.page import report_html

sys.path.insert(0, str(Path(__file__).parent))

from browser import Page, browser, chromium

BALL = """\
model Ball "A ball that bounces"
  parameter Real c = 0.7 "speed after an impact over speed before it";
  Real h(start = 1, fixed = true, unit = "m") "height </script><b>bold</b>";
  Real v(start = 0, fixed = true, unit = "m/s") "velocity";
  Boolean up = v > 0 "whether it rises";
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -c*pre(v));
  end when;
  annotation(experiment(StopTime = 1.5, Interval = 0.01, Tolerance = 1e-9));
end Ball;
"""


@pytest.fixture(scope="session")
def ball(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """A run of a ball."""
    path = tmp_path_factory.mktemp("ball") / "Ball.mo"
    path.write_text(BALL)
    return saltus.load(path).simulate()


@pytest.fixture(scope="session")
def inverter() -> Result:
    """Three phases of pulses, with thousands of events."""
    return saltus.load(Path(__file__).parent / "Inverter.mo").simulate()


@pytest.fixture(scope="session")
def inverter_page(inverter: Result) -> str:
    """Its report."""
    return report_html(inverter)


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A browser; without one there is nothing to be seen."""
    if chromium() is None:
        pytest.skip("there is no Chromium to open the page in")
    with browser(tmp_path_factory.mktemp("browser")) as page:
        page.size(1440, 900)
        yield page
