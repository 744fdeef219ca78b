"""Plots hold the data of the result, on axes of the right kind. The result is made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from saltus.core.diagnostics import UsageError
from saltus.core.source import Source, Span
from saltus.expr.nodes import Symbol, Type, der, ref
from saltus.ir.flat import Variability, Variable
from saltus.ir.hybrid import HybridModel
from saltus.ir.program import Layout
from saltus.ir.structure import Structure
from saltus.result.log.records import INITIAL, STATE, EventRecord
from saltus.result.result import Result
from saltus.result.trajectories.recording import Part, Recording
from saltus.result.trajectories.rows import Rows
from saltus.show.plots.axis import MARKED_EVENTS
from saltus.show.plots.choice import DEFAULT_COUNT, default_names, select_names
from saltus.show.plots.plot import plot

SPAN = Span(Source("A.mo", "model A end A;"), 0, 5)


PARAMETER = Variable(Symbol("p"), Variability.PARAMETER, SPAN)


def real(name: str, unit: str = "", variability: Variability = Variability.CONTINUOUS) -> Variable:
    return Variable(Symbol(name), variability, SPAN, unit=unit)


def discrete(name: str, kind: Type, literals: tuple[str, ...] | None = None) -> Variable:
    return Variable(Symbol(name, kind), Variability.DISCRETE, SPAN, enumeration=literals)


def make_result(
    states: Sequence[Variable],
    algebraics: Sequence[Variable],
    discretes: Sequence[Variable],
    rows: Sequence[tuple[float, Sequence[float]]],
    events: Sequence[tuple[float, str]] = (),
) -> Result:
    """Each row is a time and the values of states, algebraics and discretes in that order."""
    model = HybridModel(
        "Lib.A", SPAN, (), (PARAMETER,), tuple(states), tuple(algebraics), tuple(discretes), (), (),
        order=(*states, *algebraics, *discretes),
    )  # fmt: skip
    structure = Structure(model, (), (), tuple(states), tuple(algebraics), tuple(discretes), (), ())
    leaves = [ref(v.symbol) for v in states] + [der(ref(v.symbol)) for v in states]
    leaves += [ref(v.symbol) for v in (*algebraics, *discretes)]
    n = len(states)
    sections = {
        "states": (1, n),
        "derivatives": (1 + n, n),
        "algebraics": (1 + 2 * n, len(algebraics)),
        "discretes": (1 + 2 * n + len(algebraics), len(discretes)),
    }
    layout = Layout({leaf: i + 1 for i, leaf in enumerate(leaves)}, sections, 1 + len(leaves))
    memory = np.zeros(layout.size)
    recorded = Rows(memory, layout)
    for time, values in rows:
        memory[1 : 1 + n] = values[:n]
        memory[1 + 2 * n :] = values[n:]
        recorded.append(time)
    records = [EventRecord(t, kind, (), (), 0, 0, ()) for t, kind in events]
    recording = Recording(Part(structure, recorded))
    return Result(recording=recording, values={"p": 2.5}, records=records, warnings=[], statistics={})


def ball() -> Result:
    """Two states of different units, a count, a switch, and a jump of the velocity at time 1."""
    return make_result(
        [real("h", "m"), real("v", "m/s")],
        [real("a[1].h", "m")],
        [discrete("n", Type.INTEGER), discrete("up", Type.BOOLEAN)],
        [
            (0.0, (1.0, -1.0, 5.0, 0, 0)),
            (1.0, (0.0, -1.0, 6.0, 0, 0)),
            (1.0, (0.0, 0.8, 6.0, 1, 1)),
            (2.0, (0.8, 0.8, 7.0, 1, 1)),
        ],
        [(0.0, INITIAL), (1.0, STATE)],
    )


def labels(axes: Axes) -> list[str]:
    return [str(line.get_label()) for line in axes.get_lines()]


def test_one_axis_a_unit_and_one_a_discrete_variable() -> None:
    figure = plot(ball())
    assert [labels(axes) for axes in figure.axes] == [["h"], ["v"], ["n"], ["up"]]
    assert [axes.get_ylabel() for axes in figure.axes] == ["[m]", "[m/s]", "", ""]
    assert figure.axes[-1].get_xlabel() == "time [s]"
    assert figure.get_suptitle() == "Lib.A"
    tall, low = figure.axes[0].get_position().height, figure.axes[2].get_position().height
    assert tall > 2 * low


def test_same_unit_same_axis() -> None:
    figure = plot(ball(), ["h", "a[1].h", "v"])
    assert [labels(axes) for axes in figure.axes] == [["h", "a[1].h"], ["v"]]
    colours = [line.get_color() for axes in figure.axes for line in axes.get_lines()]
    assert len(set(colours)) == 3


def test_the_data_and_the_jump() -> None:
    figure = plot(ball(), ["v"])
    (line,) = figure.axes[0].get_lines()
    np.testing.assert_array_equal(line.get_xdata(), [0, 1, 1, 2])
    np.testing.assert_array_equal(line.get_ydata(), [-1, -1, 0.8, 0.8])
    assert figure.axes[0].get_xlim() == (0, 2)


def test_discrete_variables_are_steps() -> None:
    figure = plot(ball(), ["h", "n", "up"])
    styles = [axes.get_lines()[0].get_drawstyle() for axes in figure.axes]
    assert styles == ["default", "steps-post", "steps-post"]
    assert [t.get_text() for t in figure.axes[2].get_yticklabels()] == ["false", "true"]


def test_enumerations_show_their_literals() -> None:
    mode = discrete("mode", Type.INTEGER, ("off", "on", "broken"))
    figure = plot(make_result([], [], [mode], [(0.0, (1,)), (1.0, (3,))]))
    (axes,) = figure.axes
    assert [t.get_text() for t in axes.get_yticklabels()] == ["off", "on", "broken"]
    assert list(axes.get_yticks()) == [1, 2, 3]


def test_a_sampled_real_is_a_step_on_the_axis_of_its_unit() -> None:
    held = real("held", "m", Variability.DISCRETE)
    result = make_result([real("h", "m")], [], [held], [(0.0, (0, 1)), (1.0, (1, 1))])
    (axes,) = plot(result).axes
    assert [line.get_drawstyle() for line in axes.get_lines()] == ["default", "steps-post"]


def test_events_are_marked_once_and_the_start_is_not() -> None:
    for axes in plot(ball()).axes:
        (marks,) = [c for c in axes.collections if isinstance(c, LineCollection)]
        assert [segment[0][0] for segment in marks.get_segments()] == [1.0]


def test_very_many_events_are_not_marked() -> None:
    for number, marks in ((MARKED_EVENTS, 1), (MARKED_EVENTS + 1, 0)):
        events = [(i / number, STATE) for i in range(number)]
        result = make_result([real("x")], [], [], [(0.0, (0,)), (1.0, (1,))], events)
        assert len(plot(result).axes[0].collections) == marks


def test_without_a_unit_only_like_sizes_share_an_axis() -> None:
    variables = [real("x"), real("v"), real("y"), real("zero")]
    rows = [(0.0, (2.0, 1000.0, -1.0, 0.0)), (1.0, (-2.0, -900.0, 1.0, 0.0))]
    figure = plot(make_result(variables, [], [], rows))
    assert [labels(axes) for axes in figure.axes] == [["x", "y", "zero"], ["v"]]


def test_parameters_derivatives_and_time_can_be_named() -> None:
    figure = plot(ball(), ["p", "der(h)", "time"])
    lines = {str(line.get_label()): line for axes in figure.axes for line in axes.get_lines()}
    assert set(lines) == {"p", "der(h)", "time"}
    np.testing.assert_array_equal(lines["p"].get_ydata(), [2.5] * 4)


def test_wildcards() -> None:
    known = ["r1.v", "r2.v", "r1.i", "a[1].v", "a[2].v"]
    assert select_names(known, ["r*.v"]) == ["r1.v", "r2.v"]
    assert select_names(known, ["a[?].v"]) == ["a[1].v", "a[2].v"]
    assert select_names(known, ["r1.i", "r1.*"]) == ["r1.i", "r1.v"]
    assert select_names(known, ["p", "*.i"], ["p", "p.i"]) == ["p", "r1.i"]


@pytest.mark.parametrize("name", ["hh", "r*.v", "a[1]", "der(n)"])
def test_unknown_names(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        plot(ball(), ["h", name])
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E502"
    assert name in diagnostic.message


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(UsageError) as caught:
        select_names(["body.velocity", "body.height"], ["body.velocty"])
    assert "body.velocity" in str(caught.value.diagnostics[0].hint)


def test_the_default_choice() -> None:
    assert default_names(ball()) == ["h", "v", "n", "up"]
    many = make_result([real(f"x{i}") for i in range(20)], [], [], [(0.0, [0.0] * 20)])
    assert default_names(many) == [f"x{i}" for i in range(DEFAULT_COUNT)]
    neither = make_result([], [real("y"), real("z")], [], [(0.0, (0, 0))])
    assert default_names(neither) == ["y", "z"]


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_files(tmp_path: Path, suffix: str, start: bytes) -> None:
    path = tmp_path / f"plot.{suffix}"
    plot(ball(), path=path, title="a title")
    assert path.read_bytes().startswith(start)


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="xyz"):
        plot(ball(), path=tmp_path / "plot.xyz")
    with pytest.raises(UsageError) as caught:
        plot(ball(), path=tmp_path / "no" / "plot.png")
    assert caught.value.diagnostics[0].code == "E503"


def test_no_global_state() -> None:
    from matplotlib import pyplot

    before = pyplot.get_fignums()
    plot(ball())
    assert pyplot.get_fignums() == before


def test_show_opens_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib import pyplot

    shown: list[int] = []
    monkeypatch.setattr(pyplot, "show", lambda: shown.extend(pyplot.get_fignums()))
    monkeypatch.setattr(pyplot, "get_backend", lambda: "qtagg")
    with matplotlib.rc_context({"backend": "agg"}):
        pyplot.switch_backend("agg")
        figure = plot(ball(), show=True)
    assert shown == [figure.number]
    pyplot.close(figure)


def test_show_without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib import pyplot

    monkeypatch.setattr(pyplot, "get_backend", lambda: "agg")
    with pytest.raises(UsageError, match="no display"):
        plot(ball(), show=True)


def test_a_run_that_computed_one_point_or_none() -> None:
    plot(make_result([real("x")], [], [], [(0.0, (1.0,))]))
    plot(make_result([real("x")], [], [], []))
