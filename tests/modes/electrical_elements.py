"""The plain elements of ideal circuits as Modelica text, and how the tests run circuits made of them.

Every switching element is declarative: a diode is its characteristic, parameterised by `s` as in papers 001
and 003; thyristor and GTO are those of paper 003; a switch is `0 = if closed then v else i`. Nothing leaks,
nothing is approximate, and no state machine says which mode follows which.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from linear_elements import LINEAR
from saltus.result.result import Result
from translated_models import translated

Vector = NDArray[np.float64]

ELEMENTS = f"""
package Ideal{LINEAR}
  model ConstantVoltage
    extends TwoPin;
    parameter Real V = 1;
  equation
    v = V;
  end ConstantVoltage;
  model SineVoltage
    extends TwoPin;
    parameter Real V = 1, f = 50, phase = 0;
  equation
    v = V*sin(2*3.14159265358979323846*f*time + phase);
  end SineVoltage;
  model SignalVoltage
    extends TwoPin;
    input Real signal;
  equation
    v = signal;
  end SignalVoltage;
  model ConstantCurrent "Drives the current I from p to n through itself"
    extends TwoPin;
    parameter Real I = 1;
  equation
    i = I;
  end ConstantCurrent;
  model IdealTransformer "n times as many turns on the first side"
    Pin p1, n1, p2, n2;
    parameter Real n = 1;
    Real v1 = p1.v - n1.v, v2 = p2.v - n2.v;
  equation
    v1 = n*v2;
    p2.i = -n*p1.i;
    p1.i + n1.i = 0;
    p2.i + n2.i = 0;
  end IdealTransformer;
  partial model Valve "What conducts where s is positive and blocks where it is negative"
    extends TwoPin;
    Real s;
    Boolean off;
  equation
    v = if off then s else 0;
    i = if off then 0 else s;
  end Valve;
  model IdealDiode
    extends Valve;
  equation
    off = s < 0;
  end IdealDiode;
  model IdealThyristor
    extends Valve(off(start = true, fixed = true));
    input Boolean fire;
  equation
    off = s < 0 or pre(off) and not fire;
  end IdealThyristor;
  model IdealGTO
    extends Valve;
    input Boolean fire;
  equation
    off = s < 0 or not fire;
  end IdealGTO;
  model IdealSwitch
    extends TwoPin;
    input Boolean closed;
  equation
    0 = if closed then v else i;
  end IdealSwitch;
end Ideal;
"""


def circuit(declarations: str, equations: str) -> str:
    """The model `M` in which `Ideal.` may be left out, with a ground called `ground`."""
    return (
        f"{ELEMENTS}model M\n  import Ideal.*;\n  Ground ground;\n{declarations}equation\n{equations}end M;\n"
    )


def nodes(*lines: str) -> str:
    """Connections: the pins of each line, separated by spaces, are one node."""
    pins = [line.split() for line in lines]
    return "".join(f"  connect({a}, {b});\n" for node in pins for a, b in pairwise(node))


def run(text: str, stop: float, points: int = 500, tolerance: float = 1e-9, **options: object) -> Result:
    """The result of a circuit from 0 to `stop`."""
    return translated(text).simulate(stop_time=stop, interval=stop / points, tolerance=tolerance, **options)  # type: ignore[arg-type]


def leaps(result: Result) -> list[tuple[int, int]]:
    """The rows of the left and of the right limits of all events during the run. Several events at one
    instant are one leap."""
    time = result.time
    at = np.unique(time[1:][np.diff(time) == 0])
    rows = [np.flatnonzero(time == t) for t in at]
    return [(int(r[0]), int(r[-1])) for r in rows]


def far_from(time: Vector, moments: list[float], margin: float) -> NDArray[np.bool_]:
    """Which of the times are not within `margin` of any of the moments: where what jumps may be compared."""
    far = np.ones(len(time), dtype=bool)
    for t in moments:
        far &= np.abs(time - t) > margin
    return far


def conserved(result: Result, **stores: float) -> None:
    """Where nothing forces a jump, charges and fluxes are the same after an event: `stores` has the capacity
    or inductance of the variable whose value it multiplies (`_` in its name stands for a dot). And the run's
    own books close."""
    assert result.statistics.get("conservation error", 0.0) <= 1e-10
    for key, size in stores.items():
        store = size * result[key.replace("_", ".")]
        scale = float(np.abs(store).max())
        for left, right in leaps(result):
            change = abs(store[right] - store[left])
            assert change <= 1e-10 * scale, f"{key} jumps by {change} of {scale} at {result.time[left]}"
