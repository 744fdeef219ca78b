"""Inputs of the model itself that nothing gives a value: they are given to its runs from outside.

For each of them stands a small model in Modelica (`given_inputs.mo`), which is flattened beside the user's.
It asks a time table, so that jumps and corners are events at known times. Users do not see its variables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from saltus.core.source import Source
from saltus.expr.helpers import Helper
from saltus.expr.nodes import Type, ref
from saltus.ir.flat import Causality, Clause, Equation, FlatModel, Variability, Variable, When
from saltus.ir.hybrid import HybridModel, Relation
from saltus.ir.instance import ClassEntry, Library
from saltus.lower.flat.flatten import build_instances, flatten, new_context

_TEXT = Path(__file__).with_name("given_inputs.mo")

#: The model that stands for an input of a type, and its variable with the value.
_MODELS = {
    Type.REAL: ("Given", "y"),
    Type.INTEGER: ("GivenNumber", "number"),
    Type.BOOLEAN: ("GivenTruth", "truth"),
}


def open_inputs(flat: FlatModel) -> list[Variable]:
    """Inputs of the model itself to which no equation gives a value as such: without a curve they keep their
    start values."""
    assigned = {q.lhs for q in _equations(flat.clauses)}
    return [
        v
        for v in flat.variables
        if v.causality is Causality.INPUT
        and v.variability > Variability.PARAMETER
        and v.symbol.type in _MODELS
        and ref(v.symbol) not in assigned
    ]


def _equations(clauses: Iterable[Clause]) -> Iterator[Equation]:
    for clause in clauses:
        if isinstance(clause, Equation):
            yield clause
        elif isinstance(clause, When):
            for branch in clause.branches:
                yield from (action for action in branch.actions if isinstance(action, Equation))


def with_given(flat: FlatModel, inputs: Sequence[Variable], library: Library) -> FlatModel:
    """The flat model with equations for these inputs."""
    names = {f"u{k}": v for k, v in enumerate(inputs)}
    uses = (f'{_MODELS[v.symbol.type][0]} {part}(name = "{_quoted(v.name)}");' for part, v in names.items())
    text = f"{_TEXT.read_text(encoding='utf-8')}\nmodel Inputs {' '.join(uses)} end Inputs;\n"
    parsed, stored = library.reader.read_text(text)
    source = Source("<inputs>", parsed.text)
    around = Library(library.reader, library.folders)
    for definition in stored.classes:
        around.tops[definition.name] = ClassEntry(definition, source, None, around)
    entry = around.tops["Inputs"]
    assert entry is not None
    context = new_context(around, {})
    given = flatten(context, build_instances(context, entry))
    values = {}
    for v in given.variables:
        part, _, member = v.name.partition(".")
        wanted = names[part]
        if member == _MODELS[wanted.symbol.type][1]:
            values[wanted.symbol] = v.symbol
        v.symbol.name = f"{Helper.GIVEN.value}({wanted.name}).{member}"
        v.symbol.helper = Helper.GIVEN
    equations = tuple(Equation(ref(v.symbol), ref(values[v.symbol]), v.span) for v in inputs)
    return replace(
        flat,
        variables=(*flat.variables, *given.variables),
        clauses=(*flat.clauses, *equations, *given.clauses),
        initial_clauses=(*flat.initial_clauses, *given.initial_clauses),
    )


def _quoted(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')


_POINT = re.compile(rf"time >= pre\({re.escape(Helper.GIVEN.value)}\((.*)\)\.next\)")


def with_points_told(model: HybridModel) -> HybridModel:
    """The points of curves in words, where they make events."""

    def told(relation: Relation) -> Relation:
        found = _POINT.fullmatch(relation.text)
        if found is None:
            return relation
        says = f"The curve of {found[1]} has a point"
        return replace(relation, text=f"time >= next point of {found[1]}", says=says)

    return replace(model, relations=tuple(map(told, model.relations)))
