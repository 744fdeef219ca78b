"""Parameters as sliders, and curves that move with them: one translation, a run for each position.

A run of a small model takes milliseconds, and nothing is compiled for it (`Model.simulate`), so the curves
follow a slider while it is dragged. The browser sends the next position when the last one has been drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from saltus.core.audience import unheard
from saltus.core.diagnostics import RunError, SaltusError
from saltus.core.option import usage_error
from saltus.core.wording import number
from saltus.ir.declared import Declarations
from saltus.ir.flat import FlatModel
from saltus.notebook.knobs import Knob, Range, knobs_for
from saltus.result.result import Result
from saltus.run.schedule.value_files import values_from
from saltus.show.cards.curves import curves_svg
from saltus.show.cards.told import box
from saltus.show.plots.choice import default_names, select_names

if TYPE_CHECKING:
    from ipywidgets import Widget

#: Curves that are drawn where none is named.
CURVES = 4


class Simulated(Protocol):
    """What is needed of a model."""

    @property
    def flat(self) -> FlatModel:
        """With its structural parameters."""

    @property
    def parameters(self) -> Declarations:
        """By name."""

    @property
    def simulate(self) -> Callable[..., Result]:
        """Makes a run."""


def explore(
    model: Simulated,
    *parameters: str,
    ranges: Mapping[str, Range] | None = None,
    plot: Sequence[str] | str | None = None,
    **options: Any,
) -> Explorer:
    """In a notebook: parameters as sliders, and curves that move with them. Nothing is compiled again.

        saltus.explore(model, "load.R", ranges={"coil.L": (0.005, 0.05)}, plot=["coil.i", "load.v"])

    A parameter that has no range moves from a quarter of its value to four times as much, within its `min`
    and `max`. Without any name the first parameters of the model are there. `plot` are names or patterns of
    variables, `options` those of `simulate`. What is returned shows itself; its `result` is the last run, and
    its `values` are where the sliders are. It needs the extra `saltus[notebook]`.
    """
    structural = frozenset(v.name for v in model.flat.variables if v.structural and not v.final)
    knobs = knobs_for(model.parameters, parameters, ranges or {}, structural)
    return Explorer(model, knobs, [plot] if isinstance(plot, str) else plot, options)


class Explorer:
    """Sliders, the curves, and a line about the run."""

    def __init__(
        self, model: Simulated, knobs: Sequence[Knob], plot: Sequence[str] | None, options: dict[str, Any]
    ) -> None:
        widgets = _widgets()
        self._model, self._plot, self._options = model, plot, dict(options)
        self._given = dict(values_from(self._options.pop("set", None) or {}))
        self._controls = {knob.name: _control(widgets, knob, self._given) for knob in knobs}
        self._picture, self._told = widgets.HTML(), widgets.HTML()
        #: The last run, also one that failed on the way; None before the first that began.
        self.result: Result | None = None
        self.update()
        for control in self._controls.values():
            control.observe(lambda change: self.update(), names="value")
        self._all = widgets.VBox([widgets.VBox([*self._controls.values()]), self._picture, self._told])

    @property
    def values(self) -> dict[str, Any]:
        """Where the sliders are, by the names of the parameters: for `simulate(set=...)`."""
        return {name: control.value for name, control in self._controls.items()}

    @property
    def widget(self) -> Widget:
        """All of it, to be put beside others."""
        return self._all

    def control(self, name: str) -> Any:
        """The slider of a parameter."""
        return self._controls[name]

    def update(self) -> None:
        """Runs the model where the sliders are, and shows it. A run that fails is shown as far as it came."""
        began = perf_counter()
        told = ""
        try:
            with unheard():
                self.result = self._model.simulate(set={**self._given, **self.values}, **self._options)
            told = box(self.result.warnings)
        except RunError as error:
            told = box(error.diagnostics)
            partial = error.partial
            self.result = partial if isinstance(partial, Result) and len(partial) else None
        except SaltusError as error:
            told, self.result = box(error.diagnostics), None
        run = perf_counter() - began
        self._picture.value = self._curves()
        drawn = perf_counter() - began - run
        self._told.value = self._line(run, drawn) + told

    def _curves(self) -> str:
        result = self.result
        if result is None:
            return ""
        names = default_names(result)[:CURVES] if self._plot is None else self._chosen(result, self._plot)
        return curves_svg(result, names)

    def _chosen(self, result: Result, plot: Sequence[str]) -> list[str]:
        return select_names(result.names, plot, [name for name in plot if name in result])

    def _line(self, run: float, drawn: float) -> str:
        if self.result is None:
            return ""
        events = number(self.result.events.totals().events, "event")
        text = f"{events}; simulated in {1e3 * run:.0f} ms, drawn in {1e3 * drawn:.0f} ms"
        return f'<span style="opacity: .6; font-size: .85em">{text}</span>'

    def _repr_mimebundle_(self, **others: Any) -> Any:
        return self._all._repr_mimebundle_(**others)


def _widgets() -> Any:
    try:
        import ipywidgets
    except ImportError as error:
        message = "sliders need ipywidgets, which is not installed"
        raise usage_error(message, hint="pip install saltus[notebook]") from error
    return ipywidgets


def _control(widgets: Any, knob: Knob, given: Mapping[str, Any]) -> Any:
    value = given.get(knob.name, knob.parameter.value)
    wide: dict[str, Any] = {
        "description": knob.label,
        "tooltip": knob.parameter.description,
        "style": {"description_width": "11em"},
        "layout": {"width": "34em"},
    }
    if knob.parameter.type == "Boolean":
        return widgets.Checkbox(value=bool(value), **wide)
    if knob.choices:
        return widgets.Dropdown(options=knob.choices, value=value or knob.choices[0], **wide)
    if value is None:
        value = 0.5 * (knob.low + knob.high)
    value = min(max(value, knob.low), knob.high)
    if knob.parameter.type == "Integer":
        low, high = round(knob.low), round(knob.high)
        return widgets.IntSlider(value=round(value), min=low, max=high, **wide)
    form = {"min": knob.low, "max": knob.high, "step": knob.step, "readout_format": ".4g"}
    return widgets.FloatSlider(value=value, **form, **wide)
