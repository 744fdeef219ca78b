"""What is known of a model that was written as a bond graph: its graph, its causality, and errors in terms of
elements and bonds instead of equations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from saltus.core.diagnostics import Diagnostic, ModelError, Note, RunError, SaltusError, UsageError
from saltus.core.nearest import known_hint
from saltus.core.source import Source, Span
from saltus.core.wording import number
from saltus.finding import BOND_GRAPH, language_of
from saltus.ir.bonds.causality import Causality, Conflict, Storage
from saltus.ir.bonds.graph import KINDS, Graph
from saltus.ir.instance import ClassEntry
from saltus.ir.native.contract import CONSISTENT
from saltus.read.bondgraph.causality import MOST_MODES, causality, initial_mode, modes
from saltus.read.bondgraph.checks import lone_warnings
from saltus.read.bondgraph.files import graphs
from saltus.read.bondgraph.lowering import to_class
from saltus.read.bondgraph.redundancy import deciding_verdict, is_of_sources
from saltus.read.bondgraph.starts import held_apart, start_of, with_starts
from saltus.read.bondgraph.writer import condition_text, transition_text
from saltus.read.lines.experiments import experiment_annotation
from saltus.read.modelica.printer import to_text
from saltus.read.modelica.printer_expressions import expression_text
from saltus.result.result import Result
from saltus.show.listings.causality import causality_text, conflict_words, mode_words
from saltus.show.pictures.bond_drawing import graph_svg

#: Refusals behind which there may be a conflict of causality: in any mode, or in the one that was there.
_IN_SOME_MODE = frozenset({"E301", "E302", "E410"})
#: The largest number of conflicts for which there are warnings.
_TOLD = 3
_NEVER = "a run that reaches this mode ends there; a run that never does is valid"
_IN_THIS_MODE = frozenset({"E401", "E402", "E404"})


@dataclass(frozen=True)
class Written:
    """A graph and the text in which it stands."""

    graph: Graph
    source: Source

    def at(self, name: str) -> Span:
        """The statement of an element."""
        element = self.graph.element(name)
        return Span(self.source, element.start, element.end)


def written(cls: ClassEntry) -> Written | None:
    """The graph of which a class was made, if it was made of one."""
    if language_of(cls.source.path) is not BOND_GRAPH or cls.parent is not None:
        return None
    found = next((g for g in graphs(cls.source) if g.name == cls.name), None)
    return None if found is None else Written(found, cls.source)


def modelica_text(graph: Graph, source: Source) -> str:
    """The model that a graph is, as Modelica text."""
    definition = to_class(graph, source)
    experiment = experiment_annotation(graph.experiment)
    # The printer copies annotations from the text; in that of the graph there is none.
    annotation = "" if experiment is None else f"annotation{to_text(experiment)}"
    place = (0, len(annotation)) if annotation else None
    text = to_text(replace(definition, annotation=place), Source(source.path, annotation))
    return text.replace(" .Saltus.", " Saltus.") + "\n"


def explained(cls: ClassEntry, *, all_modes: bool = False) -> str:
    """The causality of a bond graph in the mode in which it begins, or in all its modes."""
    model = written(cls)
    if model is None:
        hint = "causality is defined only for bond graphs, in files that end with .bg"
        raise UsageError(Diagnostic("E501", f"`{cls.full_name}` is not a bond graph", hint=hint))
    return causality_of(model.graph, all_modes=all_modes)


def causality_of(graph: Graph, *, all_modes: bool) -> str:
    """The causality of a graph."""
    wanted = list(modes(graph)) if all_modes else [initial_mode(graph)]
    total = 2 ** len(graph.machines)
    more = total - MOST_MODES if all_modes and len(wanted) == MOST_MODES and total > MOST_MODES else 0
    found = [causality(graph, mode) for mode in wanted]
    return causality_text(graph, found, [deciding_verdict(graph, each) for each in found], more)


def drawn(graph: Graph, *, all_modes: bool = False, mode: Mapping[str, bool] | None = None) -> str:
    """SVG of a graph in the mode in which it begins, in all its modes, or in that and another one."""
    first = initial_mode(graph)
    wanted = list(modes(graph)) if all_modes else [first]
    if mode:
        unknown = sorted(set(mode) - set(first))
        if unknown:
            hint = known_hint(unknown[0], first, f"the graph `{graph.name}`", "controlled junction")
            message = f"`{unknown[0]}` is not a controlled junction of the graph `{graph.name}`"
            raise UsageError(Diagnostic("E502", message, hint=hint))
        wanted = [first, {**first, **mode}]
    return graph_svg(graph, [causality(graph, each) for each in wanted], condition_text, expression_text)


def conflict_warnings(cls: ClassEntry) -> tuple[Diagnostic, ...]:
    """Warnings about modes of a bond graph in which sources contradict each other. A run that never reaches
    one is valid."""
    model = written(cls)
    if model is None:
        return ()
    found = [causality(model.graph, mode) for mode in modes(model.graph)]
    wrong = [c for c in found if is_of_sources(model.graph, c)]
    told = []
    for each in wrong[:_TOLD]:
        assert each.conflict is not None
        words = mode_words(each.mode)
        where = f"in the mode `{words}` " if words else ""
        message = where + conflict_words(model.graph, each.conflict)
        told.append(Diagnostic("W308", message, model.at(each.conflict.at), hint=_NEVER))
    if len(wrong) > _TOLD:
        note = Note(f"so it is in {number(len(wrong) - _TOLD, 'further mode')}")
        told[-1] = replace(told[-1], notes=(note,))
    return tuple(told)


def warnings_of(cls: ClassEntry) -> tuple[Diagnostic, ...]:
    """Warnings about elements of a bond graph without effect."""
    model = written(cls)
    return () if model is None else tuple(lone_warnings(model.graph, model.source))


def start_warnings(cls: ClassEntry, result: Result) -> tuple[Diagnostic, ...]:
    """Warnings about start values of storages of a bond graph that were lost, or shared, at the start."""
    model = written(cls)
    if model is None or not len(result.time):
        return ()
    told = []
    last = int((result.time == result.time[0]).sum()) - 1
    for name in sorted(held_apart(model.graph), key=[e.name for e in model.graph.elements].index):
        element = model.graph.element(name)
        quantity = "p" if element.kind == "I" else "q"
        values = result[f"{name}.{quantity}"]
        before, after = float(values[0]), float(values[last])
        given = start_of(element)
        if given is None or abs(after - before) <= CONSISTENT * max(abs(before), abs(after)):
            continue
        mode = {m.name: bool(result[f"{m.name}.on"][last]) for m in model.graph.machines}
        message = (
            f"`{name}` begins with {quantity} = {before:.6g}, which becomes {after:.6g} at the start: "
            + _no_state(model.graph, causality(model.graph, mode, with_starts(model.graph)), name)
        )
        hint = f"leave `{given.name}` of `{name}` away, or begin in a mode in which `{name}` is a state"
        told.append(Diagnostic("W408", message, Span(model.source, given.start, given.end), hint=hint))
    return tuple(told)


def _no_state(graph: Graph, found: Causality, name: str) -> str:
    """Why a storage cannot keep its value."""
    words = mode_words(found.mode)
    where = f" in the mode `{words}`" if words else ""
    if deciding_verdict(graph, found) is not None:
        return f"{where} it follows from others, by the numbers of the graph".lstrip()
    if name not in found.of_kind(Storage.DERIVATIVE):
        return f"others depend on it{where}"
    if name in found.forced:
        twice = conflict_words(graph, found.forced[name])
        return f"{where} it cannot be a state, since then {twice}".lstrip()
    bond = next(k for k, b in enumerate(graph.bonds) if name in (b.tail, b.head))
    path = " - ".join((*found.way(bond), name))
    return f"{where} it follows from `{found.way(bond)[0]}`, along {path}".lstrip()


def tell_in_bonds(cls: ClassEntry, error: SaltusError) -> None:
    """Adds to a refusal of a bond graph what contradicts what in its elements and bonds."""
    model = written(cls) if isinstance(error, ModelError | RunError) and error.diagnostics else None
    if model is None:
        return
    first, *others = error.diagnostics
    mode = _last_mode(model.graph, error)
    found = None
    if first.code in _IN_SOME_MODE:
        found = _conflict(model.graph, mode)
    elif first.code in _IN_THIS_MODE:
        found = causality(model.graph, mode)
        found = found if is_of_sources(model.graph, found) else None
    if found is not None and found.conflict is not None:
        error.diagnostics = (_conflict_diagnostic(model, found, found.conflict, first), *others)
    elif first.code == "E401":
        notes, hint = _starts(model, causality(model.graph, mode, with_starts(model.graph)))
        error.diagnostics = (replace(first, notes=(*notes, *first.notes), hint=hint or first.hint), *others)
    elif first.code == "E404":
        error.diagnostics = (replace(first, notes=(*first.notes, *_circles(model))), *others)


def _last_mode(graph: Graph, error: SaltusError) -> Mapping[str, bool]:
    """The mode before the run failed: that of its last row, or the initial one."""
    partial = error.partial if isinstance(error, RunError) else None
    if not isinstance(partial, Result) or not len(partial.time):
        return initial_mode(graph)
    return {m.name: bool(partial[f"{m.name}.on"][-1]) for m in graph.machines}


def _conflict(graph: Graph, mode: Mapping[str, bool]) -> Causality | None:
    """The conflict in this mode, or in one that is as near to it as possible."""
    able = islice(modes(graph), MOST_MODES)
    for near in sorted(able, key=lambda m: sum(m[name] != on for name, on in mode.items())):
        found = causality(graph, near)
        if is_of_sources(graph, found):
            return found
    return None


def _conflict_diagnostic(
    model: Written, found: Causality, conflict: Conflict, first: Diagnostic
) -> Diagnostic:
    words = mode_words(found.mode)
    where = f"in the mode `{words}` " if words else ""
    roots = list(dict.fromkeys(way[0] for way in conflict.ways))
    notes = tuple(Note(f"`{name}` is here", model.at(name)) for name in roots if name != conflict.at)
    when = Note(first.message)
    give_way = "let one of them give way: put a resistance or a storage between them"
    if any(name in found.mode for name in roots):
        give_way += ", or keep the machines from coming to this mode"
    message = where + conflict_words(model.graph, conflict)
    return Diagnostic("E308", message, model.at(conflict.at), (*notes, when), give_way)


def _starts(model: Written, found: Causality) -> tuple[tuple[Note, ...], str | None]:
    """Values at the start that are given to what is no state, and what to do about them."""
    notes: list[Note] = []
    hint = None
    decided = deciding_verdict(model.graph, found, with_starts(model.graph))
    for name in found.of_kind(Storage.DERIVATIVE) if decided is None else decided.dependent:
        element = model.graph.element(name)
        given = element.argument(*KINDS[element.kind].start)
        if given is not None:
            message = f"`{name}` is no state: {_no_state(model.graph, found, name)}"
            notes.append(Note(message, Span(model.source, given.start, given.end)))
            hint = f"leave `{given.name}` of `{name}` away, or make it agree with what determines `{name}`"
    return tuple(notes), hint


def _circles(model: Written) -> Iterator[Note]:
    """Machines whose transitions lead round: where conditions hold together, they have no end."""
    for machine in model.graph.machines:
        automaton = machine.automaton
        ways = [t for t in automaton.transitions if any(u.target == t.source for u in automaton.transitions)]
        if len(ways) > 1:
            said = ", ".join(f"`{transition_text(t)}`" for t in ways)
            span = Span(model.source, *machine.named)
            yield Note(f"machine `{machine.name}` switches forever while these hold together: {said}", span)
