"""The passes of the analysis: each has a model in which it does its work, and leaves as many equations as
unknowns."""

from __future__ import annotations

import pytest

import saltus
from saltus.analyse.passes import PASSES
from saltus.core.diagnostics import UsageError
from saltus.ir.hybrid import HybridModel

PENDULUM = """
model Pendulum
  Real x(start = 1, fixed = true), y(start = 0), u(start = 0, fixed = true), v, F, z;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -F*x;
  der(v) = -F*y - 9.81;
  x^2 + y^2 = 1;
  z = x;
end Pendulum;
"""

#: A model, of which the pass has something to say, and a line that it must have in its text.
WORK = {
    "alias": (PENDULUM, "x^2 + y^2 = 1"),
    "mode": ("Saltus.Examples.Blocks.OverflowingTank", "hybrid DAE of"),
    "presence": ("Saltus.Examples.Papers.Cellier2013.Slide_MixedModeX_DynamicCausalization", "hybrid DAE of"),
    "hidden": ("Saltus.Examples.Electrical.ThreePhaseBridge", "hybrid DAE of"),
    "open": ("Saltus.Examples.Papers.Mattsson1999.Sec2_GTO", "hybrid DAE of"),
    "reduced": (PENDULUM, "der(x)"),
    "inlined": (
        """
model Homotopy
  Real x;
equation
  homotopy(x^3 + x, x) = 2 + time;
end Homotopy;
""",
        "x^3",
    ),
}


def sizes(model: HybridModel) -> tuple[int, int]:
    return len(model.equations), len(model.states) + len(model.algebraics) + len(model.discretes)


@pytest.mark.parametrize("name", WORK)
def test_each_pass_leaves_a_text(name: str) -> None:
    text, line = WORK[name]
    dumped = saltus.load(text).dump(name)
    assert dumped.startswith(f"after pass `{name}`")
    assert line in dumped


@pytest.mark.parametrize(
    "model",
    [
        *(text for text, _ in WORK.values()),
        "Saltus.Examples.Rotational.Rattle",
        "Saltus.Examples.Electrical.HalfWaveRectifier",
        "Saltus.Examples.Papers.Mosterman1998.Fig9_ElasticCollision",
    ],
)
def test_as_many_equations_as_unknowns_after_every_pass(model: str) -> None:
    loaded = saltus.load(model)
    equations, unknowns = sizes(loaded.hybrid)
    rows = loaded.passes().splitlines()
    assert rows[1].split()[:2] == [str(equations), str(unknowns)]
    named = {row.split()[0]: row.split()[1:3] for row in rows[2:]}
    assert list(named) == list(PASSES)
    done = {name: counts for name, counts in named.items() if counts != ["-", "-"]}
    if "presence" in done:
        del done["mode"]  # which takes equations out; variables are taken out after that
    assert done
    assert all(a == b for a, b in done.values()), named


def test_what_has_nothing_to_do_says_so() -> None:
    model = saltus.load("model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;")
    text = model.dump("reduced")
    assert text.startswith("pass `reduced` has nothing to do in this model")
    assert "der(x) = -x" in text


def test_an_unknown_pass_is_refused_by_name() -> None:
    model = saltus.load("model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;")
    with pytest.raises(UsageError, match="there is no stage `dalias`"):
        model.dump("dalias")
