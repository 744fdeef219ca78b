"""Cuts: connectors that are marked so that their variables meet by position."""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.compiler import load_flat
from saltus.core.diagnostics import ModelError

CUT = """
connector {name}
  Real {across};
  flow Real {through};
  {mark}
end {name};
"""
MARK = "annotation(__Saltus(Cut = true));"
BODY = """
model Body
  Motion c;
  parameter Real m = 2;
equation
  m*c.a = c.f;
end Body;
model Rail
  Motion c;
equation
  c.p = sin(time);
  c.v = der(c.p);
  c.a = der(c.v);
end Rail;
model M
  Body body;
  Rail rail;
equation
  connect(body.c, rail.c);
end M;
"""


def motion(mark: str) -> str:
    return CUT.format(name="Motion", across="p, v, a", through="f", mark=mark) + BODY


def test_a_cut_may_have_more_of_one_kind() -> None:
    """Position, velocity and acceleration for one force: the rail pulls with m a = -2 sin(t)."""
    result = saltus.load(motion(MARK)).simulate(stop_time=2)
    np.testing.assert_allclose(result["rail.c.f"], 2 * np.sin(result.time), atol=1e-9)


def test_other_connectors_are_balanced() -> None:
    with pytest.raises(ModelError, match="3 potential and 1 flow"):
        load_flat(motion(""))
    with pytest.raises(ModelError, match="3 potential and 1 flow"):
        load_flat(motion("annotation(__Saltus(Cut = false));"))


MIXED = """
model Source
  Cut a;
equation
  a.across = 3;
end Source;
model Load
  Pin b;
equation
  b.i = 2*b.v;
end Load;
model M
  Source source;
  Load load;
equation
  connect(source.a, load.b);
end M;
"""


def test_variables_of_a_cut_meet_by_position() -> None:
    pin = CUT.format(name="Pin", across="v", through="i", mark="")
    cut = CUT.format(name="Cut", across="across", through="through", mark=MARK)
    result = saltus.load(pin + cut + MIXED).simulate(stop_time=1)
    assert (result["load.b.v"][0], result["source.a.through"][0]) == (3, -6)
    with pytest.raises(ModelError, match="no variable in common"):
        load_flat(pin + cut.replace(MARK, "") + MIXED)


def test_a_cut_meets_what_has_as_many_variables() -> None:
    pin = CUT.format(name="Pin", across="v, w", through="i, j", mark="")
    cut = CUT.format(name="Cut", across="across", through="through", mark=MARK)
    with pytest.raises(ModelError, match="differ in their numbers"):
        load_flat(pin + cut + MIXED)
