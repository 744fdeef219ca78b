"""How a model is run, as a statement `experiment stop = 10, interval = 0.1` says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from saltus.core.diagnostics import Diagnostic, Note
from saltus.core.nearest import known_hint
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.automata.lines import Experiment
from saltus.read.lines.pieces import modifier

#: What may be said, and what an annotation of Modelica calls it.
EXPERIMENT = {"start": "StartTime", "stop": "StopTime", "tolerance": "Tolerance", "interval": "Interval"}


def experiment_faults(experiments: Sequence[Experiment], source: Source) -> Iterator[Diagnostic]:
    """Arguments that are not known, and a second statement."""
    for experiment in experiments:
        for argument in experiment.arguments:
            if argument.name not in EXPERIMENT:
                place = Span(source, argument.start, argument.start + len(argument.name))
                hint = known_hint(argument.name, EXPERIMENT, "an experiment")
                yield Diagnostic("E207", f"an experiment has no `{argument.name}`", place, hint=hint)
    for other in experiments[1:]:
        note = Note("the first one", Span(source, experiments[0].start, experiments[0].end))
        place = Span(source, other.start, other.end)
        hint = "write all of it in one statement"
        yield Diagnostic("E202", "there are two experiments", place, (note,), hint)


def experiment_annotation(experiment: Experiment | None) -> ast.Modification | None:
    """The experiment as the arguments of an annotation."""
    if experiment is None:
        return None
    arguments = tuple(modifier(a, (EXPERIMENT[a.name],), a.value) for a in experiment.arguments)
    outer = ast.Modification(experiment.start, experiment.end, arguments)
    inner = ast.ElementModification(experiment.start, experiment.end, ("experiment",), outer)
    return ast.Modification(experiment.start, experiment.end, (inner,))
