"""Code that is cut into pieces does what it did in one piece: examples, cut after every few statements."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import saltus
from saltus.emit.layout import splitting

EXAMPLES = Path(__file__).parents[3] / "examples"

LOOP = """
model Loop "Functions, arrays and loops of both kinds in one long routine"
  function sums
    input Real x[4];
    output Real y[4];
    output Real s;
  algorithm
    s := 0;
    for k in 1:4 loop
      s := s + x[k]*k;
      y[k] := s + sin(s);
    end for;
  end sums;
  parameter Real R[4] = {1, 2, 3, 4};
  Real a[4], b[4], s, i[4], u[4], z(start = 1, fixed = true), e;
equation
  (b, s) = sums(a);
  for k in 1:4 loop
    a[k] = z*k + time;
    u[k] = R[k]*i[k];
    u[k] = b[k] + (if k == 1 then i[4] else i[k - 1])*z;
  end for;
  exp(e) + e*s = 5 + i[2];
  der(z) = -z + 0.1*cos(e) + 0.01*sum(u)*cos(s)/(1 + s^2);
end Loop;
"""


MODELS = [LOOP, *sorted(EXAMPLES.glob("[BPRST]*.mo"))]


@pytest.mark.parametrize("text", MODELS, ids=lambda text: Path(text).stem[:12])
def test_cut_everywhere(text, monkeypatch):
    whole = saltus.load(text)
    monkeypatch.setattr(splitting, "LENGTH", 3)
    monkeypatch.setattr(splitting, "CUT_FROM", 4)
    pieces = saltus.load(text)
    assert any("_part" in name for name in pieces.program.routines)
    assert not any("_part" in name for name in whole.program.routines)
    stop = min(whole.experiment.stop_time, 5.0)
    expected, found = whole.simulate(stop_time=stop), pieces.simulate(stop_time=stop)
    assert len(found) == len(expected)
    for name in expected.names:
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-9, atol=1e-11, err_msg=name)
