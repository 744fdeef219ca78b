"""The model as users hold it: loaded once, simulated many times."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from saltus.analyse.passes import PASSES
from saltus.automata import check_parts, regions_of, tell_in_automata
from saltus.bonds import (
    conflict_warnings,
    modelica_text,
    start_warnings,
    tell_in_bonds,
    warnings_of,
    written,
)
from saltus.compiler import Translation, translate, unit_warnings
from saltus.converting import dymola_as_modelica
from saltus.core.audience import announce
from saltus.core.diagnostics import Diagnostic, RunError, SaltusError, UsageError
from saltus.core.exclusive import exclusive
from saltus.core.option import options as all_options
from saltus.core.option import usage_error
from saltus.core.stopwatch import Stopwatch
from saltus.drawing import diagram_of
from saltus.emit.llvm.llvm import llvm_text
from saltus.finding import DYMOLA, find_class, is_source_file, language_of
from saltus.functions.external.given import Curve, given_curves
from saltus.ir.declared import Declarations, Declared
from saltus.ir.flat import Experiment, FlatModel, Variable
from saltus.ir.hybrid import HybridModel
from saltus.ir.inline import MIXED, STEP, Inlines
from saltus.ir.instance import ClassEntry, Instance
from saltus.ir.program import Program
from saltus.ir.structure import Structure
from saltus.lower.flat.given_inputs import open_inputs
from saltus.lower.scope.chain import tell_chains, with_chain
from saltus.options import STAGES
from saltus.programs import prepared
from saltus.read.modelica.printer import to_text
from saltus.result.exchange.curves import chosen_names
from saltus.result.exchange.outlets import FileOutlet, Outlet, outlet_of
from saltus.result.exchange.state import Beginning, State, state_at, state_from
from saltus.result.exchange.steady import SteadyState
from saltus.result.files.stored import stored_result
from saltus.result.linear.system import LinearSystem
from saltus.result.provenance import Provenance
from saltus.result.result import Result
from saltus.run.course.course import Course
from saltus.run.engine.progress import Progress
from saltus.run.exchange.exchange import Exchange
from saltus.run.exchange.meetings import begun_inputs, meetings_of, told_inputs
from saltus.run.linear.near import near
from saltus.run.memory.dependence import moves_with_time
from saltus.run.resume.checkpoint import Checkpoint
from saltus.run.schedule.settings import Override, Settings
from saltus.run.schedule.signals import curves_for, without_curves
from saltus.run.schedule.stepping import FIXED_STEP
from saltus.run.schedule.value_files import values_from
from saltus.run.simulate import simulate
from saltus.run.start.constants import constants
from saltus.run.start.declared import declared
from saltus.run.start.overrides import (
    elements,
    held_inputs,
    refuse_partial,
    started_by,
    structural_value,
    unkept_starts,
    with_starts_named,
)
from saltus.run.steady.search import NoSteadyState, Rest, search
from saltus.show.listings.declared import declared_text
from saltus.show.listings.dump import hybrid_text, instance_text, program_text
from saltus.show.listings.flat import flat_text
from saltus.show.listings.passes import after_pass, table_of_passes
from saltus.show.listings.sorted import sorted_equations


def _plot(result: Result, names: Sequence[str] | None, **options: Any) -> Any:
    from saltus.show.plots.plot import plot  # matplotlib takes its time

    return plot(result, names, **options)


def _plot_modes(result: Result, names: Sequence[str] | None, **options: Any) -> Any:
    from saltus.show.plots.modes import plot_modes

    return plot_modes(result, names, **options)


def _report(result: Result, path: str | Path, names: Sequence[str] | None) -> None:
    from saltus.show.report.page import write_report

    write_report(result, path, names)


def _syntax_text(cls: ClassEntry) -> str:
    """A class as Modelica, in whatever language it was written."""
    graph = written(cls)
    if language_of(cls.source.path) is DYMOLA:
        return dymola_as_modelica(cls.source, [cls.definition])
    if graph is None:
        return to_text(cls.definition, cls.source)
    return modelica_text(graph.graph, graph.source)


def _python_text(program: Program) -> str:
    from saltus.emit.python.python import python_text  # the slow back end stands on scipy

    return python_text(program)


def _card(result: Result) -> str:
    from saltus.show.cards.results import result_card

    return result_card(result)


Result.drawers.update(plot=_plot, plot_modes=_plot_modes, card=_card, report=_report)

#: Translations that a model keeps for values of structural parameters; each holds native code.
_KEPT_TRANSLATIONS = 16

#: Seconds: longer than any run.
NEVER = 1e300

#: How long a run continues if no steady state is found from its start, in lengths of the experiment.
_RELAXED = (1.0, 5.0)

#: What a translation was made for: values of structural parameters, whose start values are given, the inputs
#: that have curves, the states that it goes on from, what is inlined, parameters that are constants, and
#: inputs that get their values during runs.
_Given: TypeAlias = tuple[
    frozenset[tuple[str, Override]],
    frozenset[str],
    frozenset[str],
    frozenset[str] | None,
    Inlines | None,
    frozenset[tuple[str, float]],
    frozenset[str],
]


@exclusive
def load(
    path_or_text: str | Path,
    model: str | None = None,
    libraries: Sequence[str | Path] | str | Path = (),
) -> Model:
    """Reads and translates a model.

    `path_or_text` is the path of a `.mo`, `.bg` or `.dym` file, text in Modelica, in Dymola or of a bond
    graph, or the full name of a class found in `libraries` (folders of packages, or a package's own folder)
    or along MODELICAPATH.
    `model` chooses a class of the file; without it the last model is taken.

        model = saltus.load("Ball.mo")
        model = saltus.load("model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;")
        model = saltus.load("Plant.Rig", libraries=["models"])

    Raises `ModelError` if the model is refused, `UsageError` if there is no such file or folder.
    """
    watch = Stopwatch()
    with watch.step("read"):
        cls = find_class(path_or_text, model, libraries)
    with _told(cls):
        made = Model(cls, translate(cls, {}, watch))
        check_parts(made._translation.instance, made._translation.flat.variables)
    made._named = _as_named(path_or_text, model, libraries)
    announce(made.warnings)
    return made


@contextmanager
def _told(cls: ClassEntry, root: Instance | None = None) -> Iterator[None]:
    """Reports errors in terms of the language that the model is written in, with the chains of the components
    involved."""
    try:
        yield
    except SaltusError as error:
        tell_in_automata(cls, error)
        tell_in_bonds(cls, error)
        if root is not None:
            tell_chains(root, error)
        raise


def _refuse_options_of_runs(options: Mapping[str, Any]) -> None:
    """What is sought near a position is sought in the equations as they are written."""
    if options.get("method") in FIXED_STEP:
        raise usage_error(f"method {options['method']} takes fixed steps, which is possible in runs only; "
        f"choose another method here")
    for keyword in ("freeze", "modes"):
        if options.get(keyword):
            raise usage_error(f"{keyword} makes runs faster, and has no effect here")


def _refuse_unknown_options(given: Mapping[str, Any]) -> None:
    unknown = given.keys() - {entry.keyword for entry in all_options(Settings)}
    if unknown:
        raise TypeError(f"there is no option {sorted(unknown)[0]!r}")


def _last_mode(result: Result) -> str:
    """In words, the mode in which a run has ended; nothing where there is only one."""
    mode = result.modes[-1].mode if result.modes else None
    return mode.brief if mode is not None and mode.guards else ""


def _vary(signals: Any) -> bool:
    """Whether signals that are given may be others at other times."""
    values = signals.values() if isinstance(signals, Mapping) else [signals]
    return signals is not None and not all(isinstance(value, int | float) for value in values)


def _steady_state(result: Result, found: Rest, *, moves_with_time: bool) -> SteadyState:
    """What the last row of a run is, which a search has led to rest."""
    state, whole = state_at(result), result.curves()
    last = {name: values[-1:] for name, values in whole.arrays.items()}
    return SteadyState(
        state.time,
        state.values_by_name,
        state.determined,
        state.tied,
        curves=replace(whole, time=whole.time[-1:], arrays=last),
        linear=replace(found.linear, mode=_last_mode(result)),
        free=found.free,
        drifts=found.drifts,
        moves_with_time=moves_with_time,
    )


def _as_named(
    path_or_text: str | Path, model: str | None, libraries: Sequence[str | Path] | str | Path
) -> tuple[str | Path, str | None, tuple[str, ...]]:
    """What `load` was given, so that it means the same in another folder."""
    folders = [libraries] if isinstance(libraries, str | Path) else libraries
    is_file = isinstance(path_or_text, Path) or (is_source_file(path_or_text) and "\n" not in path_or_text)
    source = Path(path_or_text).absolute() if is_file else path_or_text
    return source, model, tuple(str(Path(folder).absolute()) for folder in folders)


class Model:
    """A translated model. Changing a parameter does not translate it again, unless its value decided the
    structure (an array size, a condition that removed equations): then it does, by itself."""

    def __init__(self, cls: ClassEntry, translation: Translation) -> None:
        self._cls = cls
        self._translations: OrderedDict[_Given, Translation] = OrderedDict()
        self._translation = translation
        self._regions: WeakKeyDictionary[FlatModel, Mapping[str, Mapping[str, str]]] = WeakKeyDictionary()
        self._named: tuple[str | Path, str | None, tuple[str, ...]] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """A model is pickled as what it was loaded from; the other process reads it again, and finds its
        native code in the cache."""
        if self._named is None:
            told = Diagnostic("E501", "only a model that `saltus.load` has made can be pickled")
            raise UsageError(told)
        return load, self._named

    @property
    def name(self) -> str:
        """The full name of the class."""
        return self._translation.flat.name

    @property
    def experiment(self) -> Experiment:
        """What the annotation says: start and stop time, tolerance, interval, as far as they are given."""
        return self._translation.flat.experiment

    @property
    def flat(self) -> FlatModel:
        """The variables and equations of all components, before anything is sorted."""
        return self._translation.flat

    @property
    def shown(self) -> list[Variable]:
        """The variables that results can have: those of the flat model, and indicators of the active states
        of clocked machines."""
        flat, hybrid = self.flat.variables, self.hybrid
        states = {name for states in hybrid.regions for name in states}
        return [*flat, *(v for v in hybrid.discretes if v.name in states and not v.symbol.is_hidden)]

    @property
    def hybrid(self) -> HybridModel:
        """The equations with relations, clocks and jumps."""
        return self._translation.hybrid

    @property
    def structure(self) -> Structure:
        """The equations sorted into blocks, with the states."""
        return self._translation.structure

    @property
    def program(self) -> Program:
        """What is computed, statement by statement; native code is made of it."""
        return self._translation.program

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What is doubtful about the model; a run has `warnings` of its own."""
        return (*warnings_of(self._cls), *self._translation.warnings)

    @property
    def extensions(self) -> tuple[Diagnostic, ...]:
        """What goes beyond Modelica; `--pedantic` warns of it."""
        return self._translation.hybrid.extensions

    @property
    def timings(self) -> dict[str, float]:
        """Seconds spent in each step of the translation, and during runs so far: `modes` are those of more
        programs, and values that decide the structure have had all steps taken again."""
        return self._translation.timings

    @exclusive
    def unit_warnings(self) -> tuple[Diagnostic, ...]:
        """Where units do not match, once for each place in the text; `--units` warns of it."""
        return unit_warnings(self._cls)

    @exclusive
    def causality_warnings(self) -> tuple[Diagnostic, ...]:
        """Warnings about modes of a bond graph in which sources contradict each other; `saltus check` shows
        them."""
        return conflict_warnings(self._cls)

    @exclusive
    def check(self) -> dict[str, int]:
        """Counts that describe the size of the model."""
        structure = self.structure
        return {
            "variables": len(self.flat.variables),
            "equations": len(self.hybrid.equations),
            "states": len(structure.states),
            "aliases": len(structure.aliases),
            "blocks": len(structure.blocks),
            "relations": len(structure.model.relations),
            "clocks": len(structure.model.clocks),
        }

    @property
    def parameters(self) -> Declarations:
        """Parameters by name, with value, unit, limits, description and place; not those that are final."""
        rows = (row for row in self._declared if row.kind == "parameter" and not row.fixed)
        return Declarations(rows, "parameter")

    @property
    def variables(self) -> Declarations:
        """Variables by name, with start value, unit, limits, description and place."""
        rows = (row for row in self._declared if row.kind not in ("parameter", "constant"))
        return Declarations(rows, "variable")

    @property
    def inputs(self) -> Declarations:
        """The inputs of the model itself, by name."""
        return Declarations(
            (row for row in self._declared if row.kind == "input" and "." not in row.name), "input"
        )

    def describe(self, word: str | None = None) -> str:
        """The tables as text: all, or the rows that have a word in name or description; of the full name of
        one, all about it."""
        return declared_text(self.name, self.flat.description, self._declared, word)

    @cached_property
    @exclusive
    def _declared(self) -> list[Declared]:
        t = self._translation
        return declared(t.flat, t.structure, t.machine.clone())

    @exclusive
    def simulate(
        self,
        *,
        start_time: float | None = None,
        stop_time: float | None = None,
        tolerance: float | None = None,
        interval: float | None = None,
        method: str | None = None,
        step: float | None = None,
        inline: tuple[str, ...] | None = None,
        locate: bool | None = None,
        max_step: float | None = None,
        event_resolution: float | None = None,
        linear_solver: str | None = None,
        zeno: str | None = None,
        sliding: str | None = None,
        scale: str | None = None,
        steps: bool | None = None,
        freeze: tuple[str, ...] | None = None,
        modes: Any = None,
        speed: float | None = None,
        start_from: Beginning | None = None,
        signals: Any = None,
        set: Mapping[str, Any] | str | Path | None = None,
        progress: Progress | None = None,
        checkpoint: str | Path | Checkpoint | None = None,
        store: str | Sequence[str] | None = None,
        output: str | Path | FileOutlet | None = None,
        exchange: Exchange | None = None,
    ) -> Result:
        """Runs the model from `start_time` to `stop_time` with the relative `tolerance`, and has an output
        point every `interval`. What is not given is as the model's experiment annotation says.

        `method` is "bdf" (the default) or "adams", both of CVODE on the explicit equations, "ida" on the
        implicit ones, "rk45", an explicit one-step method, or "auto", which is that until the model turns out
        to be stiff; `max_step` is the largest step that it may take. "inline:euler" and others of
        that kind take steps of the length `step`, "mixed" too; `inline` names states that a
        formula of such steps determines, while the integrator has the rest (docs/realtime.md);
        with `locate` events are located inside of such steps. No relation
        is looked at less often than every `event_resolution`.

        `set` gives parameters other values, by name: numbers, also with arithmetic and units as text
        ("5 mH", "1/512"), True or False, enumeration literals as text, lists or arrays for arrays;
        and start values, {"x.start": 2}. Or it names a file of them (.toml, .json, .csv).
        `linear_solver` is "dense" or "sparse", where the choice by size and fill ("auto") is to be
        compared with another. `zeno` says what to do where infinitely many events accumulate: "stop"
        there (the default), go on in a state of "rest", or "continue" with every event that can be
        told apart and rest after that. `sliding` says what a model does between two sides that push
        towards each other, where it is not linear in what switches: "filippov" (the default) has the
        means of both sides, "equivalent" the formulas at the mean of the switched quantity. `scale`
        says how large variables without a nominal value are taken to be: as the equations tell
        ("found", the default: docs/scale.md), or "one". With `steps` a row is kept for every mode that
        events pass through (`result.steps`).
        `freeze` takes parameters as constants, by name or pattern: equations are simplified with them.
        For the `modes` of a file (`--record-modes`), of several, or of another run (`result.modes`) code is
        made before the run starts (docs/realtime.md).
        `speed` has fixed steps measured (`result.step_times`) and paced: 1 is as fast as the wall clock, 0
        as fast as the run can be.
        `start_from` is where to begin: the state that `result.state_at(t)` gives, or the end of a run, of
        curves or of a file of results; then the model's own start values and initial equations do not count.
        `signals` are the curves of the model's inputs: by name numbers, (times, values), functions of time;
        or a table with columns of their names, a file of results or a DataFrame (docs/values.md).
        `progress(fraction, events)` is called now and then.
        Ctrl-C ends the run and keeps what was computed (`result.interrupted`). Raises `RunError` if the run
        fails; what was computed until then is its `partial`.

        `checkpoint` is a file that is written now and then. If it is there already, the run goes on from it,
        to the same end as if it had never been disturbed. When the run has ended well the file is removed;
        a `Checkpoint` is left to the caller.

        `store` are names or patterns of the variables that the result shall have; of all others a long run
        keeps what events are decoded from. `output` is a file in the format of its suffix, to which a long
        run writes while it lasts, so that it takes no more memory than a short one; the result has its
        curves from there (docs/results.md#long-runs). A `FileOutlet` of a short run is left to the caller.

        `exchange` is a `saltus.Exchange`: who gets outputs of fixed steps and gives inputs while they are
        taken (docs/realtime.md#inputs-and-outputs).
        """
        given = locals()  # each keyword with its value: nothing else is a local variable yet
        asked = {e.keyword: given[e.keyword] for e in all_options(Settings)}
        patterns = [store] if isinstance(store, str) else store
        outlet = outlet_of(output, patterns)
        if outlet is None:
            return self._simulated(asked, progress, checkpoint, exchange=exchange)
        if checkpoint is not None or steps:
            what = "checkpoint" if checkpoint is not None else "steps"
            raise usage_error(
                f"a run with `{what}` needs all of its rows", hint="omit `store` and `output`"
            )
        if outlet.patterns is not None:
            chosen_names([v.name for v in self.shown], outlet.patterns)  # refuses what fits nothing
        owned = outlet is not output
        try:
            whole = self._simulated(asked, progress, outlet=outlet, exchange=exchange)
            return stored_result(whole, outlet, owned=owned)
        except RunError as error:
            if isinstance(error.partial, Result):
                error.partial = stored_result(error.partial, outlet, owned=owned)
            raise

    def _simulated(
        self,
        asked: Mapping[str, Any],
        progress: Progress | None = None,
        checkpoint: str | Path | Checkpoint | None = None,
        at_end: Callable[[Course, Settings], None] | None = None,
        heard: Sequence[str] = (),
        outlet: Outlet | None = None,
        exchange: Exchange | None = None,
        at_start: Callable[[Course], None] | None = None,
    ) -> Result:
        """A run with the options that are asked for, by keyword. Inputs of the model that are `heard` have
        curves in any case."""
        values = values_from(asked.get("set") or {})
        states: frozenset[str] | None = None
        guesses: AbstractSet[str] = frozenset()
        if (beginning := asked.get("start_from")) is not None:
            if self.hybrid.partitions:
                raise usage_error(
                    "a model with clocks cannot start from another run",
                    hint="clocks begin with the run: run it from the beginning, or resume from a checkpoint",
                )
            state = state_from(beginning, self.structure)
            states = frozenset(state)
            asked = {
                **asked,
                "start_time": state.time if asked.get("start_time") is None else asked["start_time"],
            }
            tied = {v.name: state.tied[v.name] for v in self.hybrid.states if v.name in state.tied}
            guesses = {f"{name}.start" for name in tied} - values.keys()
            begins = {f"{name}.start": value for name, value in {**tied, **state}.items()}
            values = begins | dict(state.determined) | values
        settings = Settings.of(self.experiment, **asked)
        settings.verify()
        span = settings.start_time, settings.stop_time
        curves: Mapping[str, Curve] = {}
        if (signals := asked.get("signals")) is not None:
            curves = curves_for(self._open_inputs, signals, *span)
        told = told_inputs(exchange, self._open_inputs, curves, settings) if exchange is not None else []
        silent = [v for v in self._open_inputs if v.name not in curves and v not in told]
        named = with_starts_named(values, self.flat.variables)
        named, begins_with = begun_inputs(told, named)
        held, set = held_inputs(self._open_inputs, named, curves)
        held = {v.name: float(self.variables[v.name].value or 0) for v in silent if v.name in heard} | held
        if held:
            curves = {**curves, **curves_for(silent, held, *span)}
        if curves or signals is not None:
            settings = replace(settings, signals=curves)
        overrides = elements(set)
        asked_for = overrides, frozenset(curves), states, settings.inlines, frozenset(v.name for v in told)
        translation = self._for(*asked_for)
        if values:
            refuse_partial(set, translation.flat.variables)
            structural = {v.name for v in translation.flat.variables if v.structural and not v.final}
            plain = {k: v for k, v in overrides.items() if k not in structural}
            settings = replace(settings, overrides=plain)
        if settings.frozen_names:
            translation = self._for(*asked_for, self._constants(translation, settings))
        if translation.structure.model.inlining is not None and settings.step is not None:
            settings = replace(settings, overrides={**settings.overrides, STEP: settings.step})
        if begins_with:
            settings = replace(settings, overrides={**settings.overrides, **begins_with})
        meetings = None
        if exchange is not None:
            meetings = meetings_of(exchange, told, [v.name for v in self.shown], self.flat.variables)
        structure, program = translation.structure, translation.program
        machine = prepared(translation.machine, structure, settings.method).clone()
        programs = translation.programs.prepared(settings.method)

        file = Checkpoint(checkpoint) if isinstance(checkpoint, str | Path) else checkpoint
        with _told(self._cls, translation.instance):
            look = None if at_end is None else lambda course: at_end(course, settings)
            with given_curves(curves):
                try:
                    result = simulate(
                        structure, program, machine, settings, progress, programs, file, look, outlet,
                        meetings, at_start,
                    )
                except RunError as error:
                    if isinstance(error.partial, Result):
                        self._tell_origin(error.partial, translation)
                    raise
        self._tell_origin(result, translation)
        result.warnings = [with_chain(w, translation.instance) for w in result.warnings]
        result.warnings += start_warnings(self._cls, result)
        if len(result):
            variables = translation.flat.variables
            kept = {name: value for name, value in overrides.items() if name not in guesses}
            result.warnings += unkept_starts(kept, variables, lambda name: float(result[name][0]))
            result.warnings += without_curves(self._open_inputs, [*curves, *(v.name for v in told)])
        if file is not None and file is not checkpoint and not result.interrupted:
            file.remove()
        announce([w for w in result.warnings if w not in self.warnings])
        return result

    def _tell_origin(self, result: Result, translation: Translation) -> None:
        """Attaches the model to a result."""
        t = translation
        result.regions = self._regions_of(t)
        result.provenance = Provenance(
            self._cls.span, t.flat, t.hybrid, t.structure, self.timings, self.warnings
        )

    @exclusive
    def linearise(
        self,
        time: float | None = None,
        *,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] | None = None,
        state: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | str | Path | None = None,
        **options: Any,
    ) -> LinearSystem:
        """What the model is near one position, in the mode that it is in there: matrices with names,
        eigenvalues with the states that take part.

        The position is where a run is at `time` (None: at the stop time), or where it begins with the values
        of `state`, which may be what `steady` has found, or `result.state_at(t)`. `inputs` are parameters
        or inputs of the model, `outputs` variables (None: those that the model declares as outputs). `set`
        and `options` are those of `simulate`.

            model.linearise(0.2, inputs=["source.V"], outputs=["load.v"]).eigenvalues
        """
        values = values_from(set or {})
        if state is not None and time is not None:
            raise usage_error("linearise at a time or at a state, not at both")
        if isinstance(state, State):
            time, options["start_from"] = state.time, state
        elif state is not None:
            time = options.get("start_time", self.experiment.start_time)
            values |= {f"{name}.start": value for name, value in state.items()}
        found: list[LinearSystem] = []

        def look(course: Course, settings: Settings) -> None:
            found.append(near(course.engine, settings.overrides, inputs, outputs))

        _refuse_unknown_options(options)
        _refuse_options_of_runs(options)
        asked = {**options, "stop_time": time, "set": values}
        result = self._simulated(asked, at_end=look, heard=inputs)
        if not found:
            raise usage_error("the run was interrupted before the time at which to linearise")
        return replace(found[0], mode=_last_mode(result))

    @exclusive
    def steady(
        self,
        time: float | None = None,
        *,
        free: Sequence[str] = (),
        state: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | str | Path | None = None,
        **options: Any,
    ) -> SteadyState:
        """A position at which all derivatives are zero, in the mode that belongs to it.

        It is sought from where a run begins, also with the values of `state`, or from where it is at `time`;
        if there is no way from there, from where the run comes to later. What depends on time is as it is
        at that time. `free` are states, by name or pattern, that may go on changing at a constant rate, as
        the angle of a shaft. `set` and `options` are those of `simulate`. Raises `RunError` (E414) if none
        is found.

            point = model.steady(set={"source.V": 24})
            model.linearise(state=point, set={"source.V": 24}).eigenvalues
            model.simulate(start_from=point, set={"source.V": 30})
        """
        _refuse_unknown_options(options)
        _refuse_options_of_runs(options)
        values = values_from(set or {})
        if isinstance(state, State):
            options["start_from"] = state
        else:
            values |= {f"{name}.start": value for name, value in (state or {}).items()}
        start = Settings.of(self.experiment, **options).start_time
        if (beginning := options.get("start_from")) is not None and options.get("start_time") is None:
            start = state_from(beginning, self.structure).time
        first = start if time is None else time
        span = self.experiment.stop_time - self.experiment.start_time or 1.0
        failure: RunError | None = None
        for stop in (first, *(first + n * span for n in _RELAXED)):
            found: list[Rest] = []

            def look(course: Course, settings: Settings, found: list[Rest] = found) -> None:
                found.append(search(course, free))

            try:
                result = self._simulated({**options, "stop_time": stop, "set": values}, at_end=look)
            except NoSteadyState as error:
                failure = error
                if error.hopeless:
                    break
            except RunError as error:
                failure = failure or error
                break
            else:
                if not found:
                    raise usage_error("the run was interrupted before a steady state was found")
                moves = moves_with_time(self.structure) or _vary(options.get("signals"))
                return _steady_state(result, found[0], moves_with_time=moves)
        assert failure is not None
        raise failure

    @exclusive
    def export_c(self, directory: str | Path, **options: Any) -> list[Path]:
        """Writes the model as C99 that runs without Saltus (docs/export.md), and gives the files. `options`
        are those of `simulate`; the method has fixed steps and is "mixed" where none is named, `step` is
        their length. The model is run once, to see where it begins and which programs it needs.

            model.export_c("gearbox", step=1e-3)
        """
        from saltus.export.beginning import Rehearsal
        from saltus.export.project import texts_of, write

        _refuse_unknown_options(options)
        asked = {**options, "method": options.get("method") or MIXED}
        if asked["method"] not in FIXED_STEP:
            hint = "the methods with fixed steps are " + ", ".join(FIXED_STEP)
            raise usage_error(f"method {asked['method']} chooses its steps by itself", hint=hint)
        rehearsal = Rehearsal()
        # The caller of the code sets inputs; here they keep their start values.
        silent = Exchange(lambda time, outputs: None, every=NEVER) if self._open_inputs else None
        result = self._simulated(
            asked,
            at_start=rehearsal.begins,
            at_end=lambda course, _: rehearsal.ends(course),
            exchange=silent,
        )
        if result.interrupted or rehearsal.beginning is None:
            raise usage_error("the run that an export needs was interrupted")
        texts = texts_of(rehearsal.beginning, self.shown, name=self.name, description=self.flat.description)
        return write(texts, Path(directory))

    @cached_property
    def _open_inputs(self) -> list[Variable]:
        return open_inputs(self.flat)

    def _regions_of(self, translation: Translation) -> Mapping[str, Mapping[str, str]]:
        """The states of machines; found once, since this goes through all variables."""
        found = self._regions.get(translation.flat)
        if found is None:
            clocked = translation.structure.model.regions
            found = regions_of(self._cls, translation.flat.variables, clocked)
            self._regions[translation.flat] = found
        return found

    def _constants(self, translation: Translation, settings: Settings) -> dict[str, float]:
        """The values of the parameters that a run is to take as constants."""
        machine = translation.machine.clone()
        overrides = {k: v for k, v in settings.overrides.items() if k != STEP}
        return constants(translation.structure, machine, settings.frozen_names, overrides)

    def _for(
        self,
        overrides: Mapping[str, Override],
        given_curves: frozenset[str],
        states: frozenset[str] | None,
        inlines: Inlines | None,
        told: frozenset[str] = frozenset(),
        frozen: Mapping[str, float] | None = None,
    ) -> Translation:
        """The translation for these values of structural parameters, in which the start values among them can
        be set, and inputs have curves; if there are `states`, one that continues from them. `frozen`
        parameters never change, `told` inputs get their values during a run."""
        if not (overrides or given_curves or frozen or told) and states is None and inlines is None:
            return self._translation
        structural = {v.name: v for v in self.flat.variables if v.structural and not v.final}
        given = {k: structural_value(structural[k], v) for k, v in overrides.items() if k in structural}
        started = frozenset(started_by(overrides, self.flat.variables))
        if not (given or started or given_curves or frozen or told) and states is None and inlines is None:
            return self._translation
        kept = frozenset((frozen or {}).items())
        key = frozenset(given.items()), started, given_curves, states, inlines, kept, told
        if key not in self._translations:
            watch = Stopwatch(self.timings)
            self._translations[key] = translate(
                self._cls, given, watch, started, given_curves, states, inlines, frozen, told
            )
            if len(self._translations) > _KEPT_TRANSLATIONS:
                self._translations.popitem(last=False)
        self._translations.move_to_end(key)
        return self._translations[key]

    @exclusive
    def inlined(
        self, inline: Sequence[str] | str = (), *, method: str = "inline:implicit-euler"
    ) -> Structure:
        """The sorted equations with the formula of a method with fixed steps for these states; for all where
        none is named."""
        settings = Settings.of(self.experiment, method=method, inline=inline, step=1.0)
        settings.verify()
        return self._for({}, frozenset(), None, settings.inlines).structure

    @exclusive
    def dump(self, stage: str) -> str:
        """One intermediate representation in readable form; `stage` is one of `saltus.options.STAGES`."""
        t = self._translation
        printers: dict[str, Callable[[], str]] = {
            "ast": lambda: _syntax_text(t.cls),
            "instance": lambda: instance_text(t.instance),
            "flat": lambda: flat_text(t.flat),
            "hybrid": lambda: hybrid_text(t.hybrid),
            **{name: partial(after_pass, name, t.hybrid, t.rewritten) for name in PASSES},
            "structure": lambda: sorted_equations(t.structure),
            "program": lambda: program_text(t.program),
            "python": lambda: _python_text(t.program),
            "llvm": lambda: llvm_text(t.program),
        }
        if stage not in printers:
            choice = ", ".join(STAGES)
            raise UsageError(Diagnostic("E501", f"there is no stage `{stage}`; choose one of {choice}"))
        return printers[stage]().strip("\n")

    @exclusive
    def passes(self) -> str:
        """The passes of the analysis, in order, and what each of them has made of the model."""
        return table_of_passes(self._translation.hybrid, self._translation.rewritten)

    def sliders(
        self,
        *parameters: str,
        ranges: Mapping[str, tuple[float, float]] | None = None,
        plot: Sequence[str] | str | None = None,
        **options: Any,
    ) -> Any:
        """In a notebook: parameters as sliders, and curves that move with them; see `saltus.explore`."""
        from saltus.notebook.sliders import explore  # ipywidgets takes its time, and need not be there

        return explore(self, *parameters, ranges=ranges, plot=plot, **options)

    def __repr__(self) -> str:
        return f"Model({self.name!r})"

    @exclusive
    def _repr_html_(self) -> str:
        """What a notebook shows: what it consists of, its drawing, its parameters, warnings."""
        from saltus.show.cards.models import model_card

        drawing = diagram_of(self._cls)
        flat = self.flat
        return model_card(flat.name, flat.description, self.check(), drawing, self.parameters, self.warnings)
