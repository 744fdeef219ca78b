"""Loops at the start that have several solutions, of which assertions allow one."""

from __future__ import annotations

import pytest

import saltus

#: A liquid flows through a volume that starts in steady state: what leaves it is what enters it. The enthalpy
#: is a polynomial of the third degree, so there are three temperatures for each.
_VOLUME = """model Volume
  parameter Real inlet = {inlet};
  Real T(start = 293.15), t(start = 25), h(start = {enthalpy}), d(start = 1);
  Real u, m, U, H, q(start = {flow}), dm, dU, entering;
equation
  entering = (inlet - 273.15)*(1770 + (inlet - 273.15)*(1.8 + (inlet - 273.15)*1.1e-5));
  t = T - 273.15;
  h = t*(1770 + t*(1.8 + t*1.1e-5));
  d = 909 - 0.63*t - 5e-5*t^2;
  u = h - 101300/d;
  m = 0.1*d;
  U = m*u;
  dm = der(m);
  dU = der(U);
  dm = 1 - q;
  dU = H;
  H = entering - q*h;
  assert(T > 273 and T < 600, "out of range");
initial equation
  der(T) = 0;
end Volume;"""


@pytest.mark.parametrize("flow", [0, 0.5])
@pytest.mark.parametrize("enthalpy", [0, 1e5, 4e5])
@pytest.mark.parametrize("inlet", [293.15, 300])
def test_start_is_the_root_that_is_allowed(inlet: float, enthalpy: float, flow: float) -> None:
    text = _VOLUME.format(inlet=inlet, enthalpy=enthalpy, flow=flow)
    result = saltus.load(text).simulate(stop_time=1)
    assert result["T"] == pytest.approx(inlet, rel=1e-9) and result["q"] == pytest.approx(1, rel=1e-9)


def test_nothing_is_allowed() -> None:
    text = _VOLUME.format(inlet=300, enthalpy=0, flow=0).replace("T < 600", "T < 280")
    with pytest.raises(saltus.RunError, match="out of range") as raised:
        saltus.load(text).simulate(stop_time=1)
    assert raised.value.diagnostics[0].code == "E406"
