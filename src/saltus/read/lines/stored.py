"""What a text defines: each thing checked by itself, with all that is wrong with any of them; and the classes
that are made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from saltus.core.diagnostics import Diagnostic, ModelError
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.automata.lines import Experiment
from saltus.read.lines.experiments import experiment_annotation


class Told(Protocol):
    """A graph, a net or a machine: what becomes one class."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def experiment(self) -> Experiment | None: ...


T = TypeVar("T", bound=Told)


def checked(found: tuple[T, ...], check: Callable[[T, Source], None], source: Source) -> tuple[T, ...]:
    """All of them. Raises `ModelError` with what `check` finds wrong with any."""
    errors: list[Diagnostic] = []
    for told in found:
        try:
            check(told, source)
        except ModelError as error:
            errors += error.diagnostics
        except RecursionError:
            errors.append(_too_deep(told, source))
    if errors:
        raise ModelError(errors)
    return found


def stored(
    source: Source, found: Iterable[T], to_class: Callable[[T], ast.ClassDefinition]
) -> tuple[Source, ast.StoredDefinition]:
    """A text, and the classes that are made of what it defines. Raises `ModelError` (E101) for expressions
    that are nested too deeply."""
    classes = []
    for told in found:
        try:
            classes.append(to_class(told))
        except RecursionError:
            raise ModelError(_too_deep(told, source)) from None
    return source, ast.StoredDefinition(0, len(source.text), None, tuple(classes))


def _too_deep(told: Told, source: Source) -> Diagnostic:
    hint = "give parts of long expressions names: `signal NAME = ...`"
    heading = source.text.find("\n", told.start, told.end)
    place = Span(source, told.start, heading if heading > 0 else told.end)
    return Diagnostic("E101", f"something in `{told.name}` is nested too deeply", place, hint=hint)


def model_class(
    told: Told, elements: Sequence[ast.Element], items: Sequence[ast.Item]
) -> ast.ClassDefinition:
    """The model of these elements and equations; how it is run is found at the place of the experiment."""
    section = ast.Section(told.start, told.end, False, False, tuple(items))
    experiment = told.experiment
    return ast.ClassDefinition(
        told.start,
        told.end,
        told.name,
        "model",
        ast.LongBody(told.start, told.end, tuple(elements), (section,)),
        description=told.description,
        annotation=None if experiment is None else (experiment.start, experiment.end),
    )


def experiments(found: Iterable[Told]) -> dict[ast.Offsets, ast.Modification]:
    """How each is run that says so, by the places at which `model_class` looks for it."""
    given = ((told.experiment, experiment_annotation(told.experiment)) for told in found)
    return {(said.start, said.end): run for said, run in given if said is not None and run is not None}
