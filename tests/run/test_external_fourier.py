"""The Fourier transform that the Standard Library calls in C, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import saltus

TRANSFORM = """
function transform
  input Real u[:];
  output Integer info;
  output Real amplitudes[div(size(u, 1), 2) + 1];
  output Real phases[div(size(u, 1), 2) + 1];
protected
  Real work[3*size(u, 1) + 2*(div(size(u, 1), 2) + 1)];
  external "C" info = ModelicaFFT_kiss_fftr(u, size(u, 1), work, size(work, 1), amplitudes, phases);
end transform;
"""


@pytest.mark.parametrize("count", [6, 20])
def test_amplitudes_and_phases(count: int) -> None:
    rows = count // 2 + 1
    samples = [0.3 * k**2 - np.cos(1.7 * k) for k in range(count)]
    text = (
        TRANSFORM
        + f"""
    model M
      Real x(start = 1, fixed = true), a[{rows}], phi[{rows}];
      Integer info;
    equation
      der(x) = 0;
      when sample(0.5, 1) then
        (info, a, phi) = transform(x*{{{", ".join(map(repr, map(float, samples)))}}});
      end when;
    end M;
    """
    )
    result = saltus.load(text).simulate()
    exact = np.fft.rfft(samples)
    assert result["info"][-1] == 0
    for k in range(rows):
        assert result[f"a[{k + 1}]"][-1] == pytest.approx(abs(exact[k]) / rows, rel=1e-9)
        turned = result[f"phi[{k + 1}]"][-1] - np.angle(exact[k])
        assert np.cos(turned) == pytest.approx(1, abs=1e-9)


def test_an_odd_number_of_samples_is_told() -> None:
    text = (
        TRANSFORM
        + """
    model M
      Real a[2], phi[2];
      Integer info;
    equation
      (info, a, phi) = transform({1, 2, 4});
    end M;
    """
    )
    assert saltus.load(text).simulate(stop_time=0.1)["info"][-1] == 1
