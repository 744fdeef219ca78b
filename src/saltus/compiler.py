"""The compiler on one screen: every stage is a function of what the one before it made.

    find_class     what a user names  ->  ClassEntry       finding.py, read/
    instantiate    ClassEntry         ->  Instance         lower/instances
    flatten        Instance           ->  FlatModel        lower/flat
    to_hybrid      FlatModel          ->  HybridModel      lower/hybrid
    Analysis       HybridModel        ->  Structure        analyse/ (rewrites by name: analyse/passes.py)
    build          Structure          ->  Program          emit/build.py
    native_machine Program            ->  NativeMachine    emit/llvm

`translate` calls them in this order and keeps what each of them made. The last three are taken again while a
model runs (`saltus.programs`). They are imported when they are first needed: `saltus flat`, and
`saltus check` on a whole package, start without integrator and native code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from saltus.core.collection import put_off
from saltus.core.diagnostics import Diagnostic, ModelError, model_error
from saltus.core.stopwatch import Stopwatch
from saltus.finding import find_class
from saltus.ir.flat import FlatModel
from saltus.ir.hybrid import HybridModel
from saltus.ir.inline import Inlines
from saltus.ir.instance import ClassEntry, Instance, verify
from saltus.lower.clocks.clocks import default_clocks
from saltus.lower.clocks.constants import with_structural_clocks
from saltus.lower.flat.flatten import build_instances, flatten, new_context
from saltus.lower.flat.units import check_units
from saltus.lower.scope.chain import chains_told, with_chain
from saltus.lower.scope.context import Context

if TYPE_CHECKING:
    from saltus.analyse.passes import Rewritten
    from saltus.emit.llvm.jit import NativeMachine
    from saltus.ir.program import Program
    from saltus.ir.structure import Structure
    from saltus.programs import Programs
    from saltus.run.schedule.settings import Override


@dataclass(eq=False)
class Translation:
    """Everything the compiler made of one class, stage by stage."""

    cls: ClassEntry
    instance: Instance
    flat: FlatModel
    hybrid: HybridModel
    rewritten: tuple[Rewritten, ...]
    structure: Structure
    program: Program
    machine: NativeMachine
    programs: Programs
    warnings: tuple[Diagnostic, ...]
    timings: dict[str, float]


@put_off()
def translate(
    cls: ClassEntry,
    overrides: Mapping[str, Override],
    watch: Stopwatch,
    started: Collection[str] = (),
    given: Collection[str] = (),
    states: Collection[str] | None = None,
    inlines: Inlines | None = None,
    constants: Mapping[str, float] | None = None,
    exchanged: Collection[str] = (),
) -> Translation:
    """From a class to native code. `overrides` are values of structural parameters, `started` the names of
    variables whose start values are parameters, to be set, `given` those of inputs that have curves. With
    `states` the model continues from their values instead of its own start. `inlines` says which states a
    formula of inline integration determines, `constants` are the values of parameters that never change.
    Inputs that are `exchanged` get their values during a run."""
    with watch.step("imports"):
        from saltus.analyse.analysis import Analysis
        from saltus.analyse.trivial.frozen import frozen
        from saltus.emit.build import build
        from saltus.emit.llvm.jit import native_machine
        from saltus.lower.flat.exchanged_inputs import with_exchanged
        from saltus.lower.flat.given_inputs import open_inputs, with_given, with_points_told
        from saltus.lower.hybrid.clauses import to_hybrid
        from saltus.lower.hybrid.start_values import going_on, with_start_parameters
        from saltus.programs import Programs
        from saltus.run.integrators.sundials import symbols

    context = new_context(cls.library, overrides)
    root, flat = flatten_class(context, cls, watch)
    if given:
        flat = with_given(flat, [v for v in open_inputs(flat) if v.name in given], cls.library)
    if exchanged:
        flat = with_exchanged(flat, [v for v in open_inputs(flat) if v.name in exchanged])
    with watch.step("events"), chains_told(root):
        hybrid = with_start_parameters(to_hybrid(flat), started)
        if given:
            hybrid = with_points_told(hybrid)
        if states is not None:
            hybrid = going_on(hybrid, states)
        hybrid.verify()
    with watch.step("analyse"), chains_told(root), with_suspects(context.reporter.warnings):
        analysis = Analysis(frozen(hybrid, constants or {}))
        if inlines is not None:
            analysis = analysis.with_inlined(inlines)
        structure = analysis.structure
        structure.verify()
    with watch.step("emit"):
        program = build(structure)
        program.verify()
    with watch.step("compile"):
        machine = native_machine(program, symbols())
    return Translation(
        cls,
        root,
        flat,
        hybrid,
        analysis.rewritten,
        structure,
        program,
        machine,
        programs=Programs(analysis, machine, watch),
        warnings=(
            *context.reporter.warnings,
            *default_clocks(hybrid.partitions),
            *(with_chain(w, root) for w in (*hybrid.warnings, *analysis.warnings)),
        ),
        timings=watch.seconds,
    )


@put_off()
def flatten_class(context: Context, cls: ClassEntry, watch: Stopwatch) -> tuple[Instance, FlatModel]:
    """The instance tree and the flat model of a class. Raises `ModelError`."""
    try:
        with watch.step("instantiate"):
            root = build_instances(context, cls)
        with watch.step("flatten"), chains_told(root):
            flat = flatten(context, root)
    except RecursionError:
        hint = "give parts of long expressions names, and look for classes that contain themselves"
        message = f"something in `{cls.full_name}` is nested too deeply, or without end"
        raise model_error("E204", message, cls.span, hint=hint) from None
    verify(root)
    flat.verify()
    return root, with_structural_clocks(flat)


def load_flat(
    path_or_text: str | Path,
    model: str | None = None,
    libraries: Sequence[str | Path] | str | Path = (),
) -> FlatModel:
    """The flat model alone: also of a model that cannot be simulated, to see why."""
    cls = find_class(path_or_text, model, libraries)
    return flatten_class(new_context(cls.library, {}), cls, Stopwatch())[1]


def unit_warnings(cls: ClassEntry) -> tuple[Diagnostic, ...]:
    """Where units of a class do not match. It is flattened for that with constants as symbols."""
    context = new_context(cls.library, {})
    context.functions.units = {}
    flat = flatten(context, build_instances(context, cls))
    return tuple(check_units(context, flat))


@contextmanager
def with_suspects(warnings: Sequence[Diagnostic]) -> Iterator[None]:
    """Adds to a refusal the warnings about components that were added since no `inner` one is declared: they
    have nothing but their defaults, and that may be the reason."""
    try:
        yield
    except ModelError as error:
        error.diagnostics += tuple(w for w in warnings if w.code == "W204")
        raise
