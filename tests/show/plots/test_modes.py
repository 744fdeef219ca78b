"""The timeline of modes: stretches of time, and what is drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import QuadMesh

import saltus
from saltus.core.diagnostics import UsageError
from saltus.result.result import Result
from saltus.show.plots.modes import DEFAULT_COUNT, plot_modes, stretches
from saltus.tools.cli import main

MODEL = """model Cycle
  type Phase = enumeration(filling, full, emptying);
  Phase phase = if time < 1 then Phase.filling elseif time < 3 then Phase.full else Phase.emptying;
  Boolean open = time >= 3, never = time > 100;
  Integer n = if time < 2 then 0 else 5;
  Real x = time;
end Cycle;
"""


@pytest.fixture(scope="module")
def cycle() -> Result:
    return saltus.load(MODEL).simulate(stop_time=4.0)


def test_stretches_of_equal_values() -> None:
    times = np.array([0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 5.0])
    values = np.array([0.0, 0.0, 1.0, 1.0, 7.0, 0.0, 0.0])  # 7 has no length
    bounds, found = stretches(times, values)
    assert bounds.tolist() == [0.0, 1.0, 2.0, 5.0] and found.tolist() == [0.0, 1.0, 0.0]


def test_a_variable_that_a_mode_has_not_got_is_one_stretch() -> None:
    times = np.array([0.0, 1.0, 1.0, 2.0, 3.0, 3.0, 5.0])
    values = np.array([1.0, 1.0, np.nan, np.nan, np.nan, 2.0, 2.0])
    bounds, found = stretches(times, values)
    assert bounds.tolist() == [0.0, 1.0, 3.0, 5.0]
    np.testing.assert_array_equal(found, [1.0, np.nan, 2.0])


def test_bars_change_where_the_variables_do(cycle: Result) -> None:
    (axes,) = plot_modes(cycle).axes
    assert [t.get_text() for t in axes.get_yticklabels()] == ["phase", "open", "n"]  # `never` does not change
    bars = [c for c in axes.collections if isinstance(c, QuadMesh)]
    bounds = [np.unique(bar.get_coordinates()[..., 0]).tolist() for bar in bars]
    assert bounds == [[0, 1, 3, 4], [0, 3, 4], [0, 2, 4]]
    colours = [np.asarray(bar.get_array()).ravel().tolist() for bar in bars]
    assert colours == [[0, 1, 2], [0, 1], [0, 1]]
    assert {t.get_text() for t in axes.texts} == {"filling", "full", "emptying", "0", "5"}


def test_names_and_patterns(cycle: Result, tmp_path: Path) -> None:
    (axes,) = cycle.plot_modes("n*", path=tmp_path / "modes.svg").axes
    assert [t.get_text() for t in axes.get_yticklabels()] == ["never", "n"]
    assert (tmp_path / "modes.svg").stat().st_size > 1000
    with pytest.raises(UsageError):
        plot_modes(cycle, ["x"])  # a Real is no mode


def test_many_modes_are_cut_and_told() -> None:
    result = saltus.load("model M Boolean b[100] = {time > 0.005*k for k in 1:100}; end M;").simulate()
    figure = plot_modes(result)
    assert len(figure.axes[0].get_yticks()) == DEFAULT_COUNT
    assert figure.get_suptitle() == f"M ({DEFAULT_COUNT} of 100 variables)"


def test_what_never_changes_is_not_missed(cycle: Result) -> None:
    """The title says how many are left out for want of room; it is not about those that stay as they are."""
    assert plot_modes(cycle).get_suptitle() == cycle.model


def test_a_model_without_modes_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Decay.mo"
    path.write_text("model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;")
    with pytest.raises(SystemExit) as ending:
        main(["simulate", str(path), "--plot-modes", str(tmp_path / "x.png")])
    assert ending.value.code == 2 and "no Booleans" in capsys.readouterr().err


def test_the_option(tmp_path: Path) -> None:
    path, picture = tmp_path / "Cycle.mo", tmp_path / "modes.png"
    path.write_text(MODEL)
    with pytest.raises(SystemExit) as ending:
        main(["simulate", str(path), "--stop-time", "4", "--plot-modes", str(picture), "--quiet"])
    assert ending.value.code == 0 and picture.stat().st_size > 1000


EXAMPLES = Path(__file__).parents[3] / "examples"


def bars(source: str | Path) -> dict[str, tuple[list[float], list[str]]]:
    """Of each row: where its bar changes, and what is written into it, from left to right."""
    (axes,) = plot_modes(saltus.load(source).simulate()).axes
    names = [t.get_text() for t in axes.get_yticklabels()]
    meshes = [c for c in axes.collections if isinstance(c, QuadMesh)]
    bounds = [np.unique(mesh.get_coordinates()[..., 0]).tolist() for mesh in meshes]
    words: dict[int, list[tuple[float, str]]] = {}
    for t in axes.texts:
        words.setdefault(round(t.get_position()[1]), []).append((t.get_position()[0], t.get_text()))
    told = [[word for _, word in sorted(words.get(row, []))] for row in range(len(names))]
    return dict(zip(names, zip(bounds, told, strict=True), strict=True))


def test_states_of_which_one_is_active_share_a_bar() -> None:
    """Off until 3, then fast until 33 and slow until 63; the lamp blinks meanwhile."""
    found = bars(EXAMPLES / "machines" / "Kettle.sm")
    assert list(found) == ["modes", "Kettle", "Heater", "Lamp", "blinks"]
    assert found["Kettle"] == (pytest.approx([0, 3, 63, 80], abs=1e-6), ["Off", "Working", "Off"])
    assert found["Heater"] == (pytest.approx([0, 3, 33, 63, 80], abs=1e-6), ["Fast", "Slow"])


def test_machines_of_parts_have_the_same_bars() -> None:
    found = bars("Saltus.Examples.StateMachines.Kettle")
    assert found["Kettle"] == (pytest.approx([0, 3, 63, 80], abs=1e-6), ["off", "working", "off"])
    assert found["working.heater"] == (pytest.approx([0, 3, 33, 63, 80], abs=1e-6), ["fast", "slow"])
    # `working.heater` and `working.lamp` are active together, and so is `working`.
    assert set(found) == {"modes", "Kettle", "working.heater", "working.lamp", "working.lamp.blinks"}


CLOCKED = """model Sequence "Two clocked machines beside each other, and one in a state"
  block Counting
    Integer k(start = 0) = previous(k) + 1;
  end Counting;
  block Turns
    Counting left, right;
  equation
    initialState(left);
    transition(left, right, ticksInState() >= 2, immediate = false);
    transition(right, left, ticksInState() >= 3, immediate = false);
  end Turns;
  Counting up, on, off;
  Turns turns;
  Boolean both = activeState(up) and activeState(on) and sample(time, Clock(1, 10)) >= 0;
equation
  initialState(up);
  transition(up, turns, ticksInState() >= 3, immediate = false);
  transition(turns, up, ticksInState() >= 7, immediate = false);
  initialState(on);
  transition(on, off, ticksInState() >= 5, immediate = false);
  transition(off, on, ticksInState() >= 2, immediate = false);
  annotation(experiment(StopTime = 1.25));
end Sequence;
"""


def test_clocked_machines_have_bars() -> None:
    """A tick each tenth of a second: `up` has three, `turns` seven, and so on. Two machines of one model are
    told apart by where they begin."""
    found = bars(CLOCKED)
    assert found["Sequence, up"] == (pytest.approx([0, 0.3, 1.0, 1.25]), ["up", "turns", "up"])
    assert found["turns"] == (pytest.approx([0, 0.3, 0.5, 0.8, 1.0, 1.25]), ["left", "right", "left"])
    assert found["Sequence, on"] == (pytest.approx([0, 0.5, 0.7, 1.2, 1.25]), ["on", "off", "on", "off"])
    assert not any(name.endswith(".active") for name in found)


def test_machines_of_which_some_states_are_stored() -> None:
    """These states have bars of their own; there was a traceback."""
    (axes,) = saltus.load(CLOCKED).simulate(store=["up.*", "on.active", "off.active"]).plot_modes().axes
    names = [t.get_text() for t in axes.get_yticklabels()]
    assert names == ["Sequence, on", "up.k", "up.active"]


def test_states_with_a_variable_of_the_same_name_have_a_bar() -> None:
    found = bars("""
        model Own
          block A
            Boolean active = sample(time, Clock(1, 10)) >= 0.2;
          end A;
          A a, b;
        equation
          initialState(a);
          transition(a, b, ticksInState() >= 3, immediate = false);
          annotation(experiment(StopTime = 1));
        end Own;
    """)
    assert found["Own"] == (pytest.approx([0, 0.3, 1]), ["a", "b"])


@pytest.mark.parametrize(
    ("source", "ending"),
    [(EXAMPLES / "nets" / "TrafficLight.pn", ""), ("Saltus.Examples.PetriNets.Workshop", ".tokens")],
)
def test_places_have_bars_with_their_tokens(source: str | Path, ending: str) -> None:
    """What nobody wrote, or what stands in connectors, is not among them."""
    found = bars(source)
    assert found
    assert all(name.endswith(ending) and "." not in name.removesuffix(ending) for name in found)
    if not ending:
        assert found["nsGreen"] == (
            pytest.approx([0, 2, 22, 52, 72, 102, 120]),
            ["0", "1", "0", "1", "0", "1"][1:],
        )
