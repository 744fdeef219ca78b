"""`saltus check` on a package: every model of it, flattened and looked at, and a verdict on each.

A model is *checked*, not simulated: it is flattened, its numbers of equations and unknowns are compared, and,
if nothing has to be connected to it, its structure is analysed. What has connectors of its own is a part of
other models; taken alone it is singular more often than not, so the count is all that can be asked of it
(Modelica 3.6, section 4.7).

Models are those of the package and of the packages in it. A class inside a model belongs to that model, and
what is inside a partial package waits for what is to replace its parts.
"""

from __future__ import annotations

import json
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

from saltus.analyse.analysis import Analysis
from saltus.automata import check_parts
from saltus.compiler import flatten_class, with_suspects
from saltus.core.diagnostics import TITLES, Diagnostic, ModelError, model_error
from saltus.core.stopwatch import Stopwatch
from saltus.core.wording import number
from saltus.expr.nodes import ref
from saltus.ir import ast
from saltus.ir.flat import Causality, Variability
from saltus.ir.hybrid import HybridModel
from saltus.ir.instance import ArrayNode, ClassEntry, Instance, Node, scalars
from saltus.lower.classes.classes import MODEL_KINDS, own_class, own_class_names
from saltus.lower.clocks.clocks import default_clocks
from saltus.lower.flat.flatten import new_context
from saltus.lower.hybrid.clauses import to_hybrid
from saltus.lower.scope.chain import chains_told, with_chain

OK, REFUSED, FAILED = "ok", "refused", "failed"

#: A table on a terminal is as wide as that; elsewhere lines are this long.
WIDTH = 160


@dataclass(frozen=True)
class Verdict:
    """What is said about one model. `failed` is a fault of Saltus, and has no code."""

    model: str
    verdict: str
    code: str = ""
    reason: str = ""
    place: str = ""
    warnings: int = 0
    seconds: float = 0.0


def models_of(package: ClassEntry) -> Iterator[tuple[str, ClassEntry | Verdict]]:
    """The models of a package by full name, in the order of its text; a verdict in place of a class that
    cannot even be read."""
    for name in own_class_names(package):
        full_name = f"{package.full_name}.{name}"
        try:
            inner = own_class(package, name)
            names = own_class_names(inner) if inner is not None and inner.kind == "package" else []
        except ModelError as error:
            yield full_name, refusal(full_name, error)
            continue
        if inner is None or inner.definition.partial:
            continue
        if inner.kind in MODEL_KINDS and not is_external_object(inner):
            yield full_name, inner
        elif names:
            yield from models_of(inner)


def is_external_object(cls: ClassEntry) -> bool:
    """A class of external objects has no equations, and only functions know what to do with it."""
    return any(isinstance(e, ast.Extends) and e.type_name.text == "ExternalObject" for e in cls.elements)


def check_model(cls: ClassEntry) -> Verdict:
    """The verdict on one model. Never raises, but for Ctrl-C."""
    began = perf_counter()
    name = cls.full_name
    try:
        warnings = len(warnings_about(cls))
    except ModelError as error:
        return refusal(name, error, perf_counter() - began)
    except Exception as error:  # a fault of ours in one model must not hide the verdicts on all others
        return Verdict(name, FAILED, "", _fault(error), seconds=perf_counter() - began)
    return Verdict(name, OK, warnings=warnings, seconds=perf_counter() - began)


def warnings_about(cls: ClassEntry) -> tuple[Diagnostic, ...]:
    """What there is to warn of in a model. Raises what is wrong with it."""
    context = new_context(cls.library, {})
    root, flat = flatten_class(context, cls, Stopwatch())
    with chains_told(root):
        hybrid = to_hybrid(flat)
    hybrid.verify()
    check_parts(root, flat.variables)
    said = (*context.reporter.warnings, *default_clocks(hybrid.partitions))
    later = tuple(with_chain(warning, root) for warning in hybrid.warnings)
    if _has_connections_to_come(root) and _balance(hybrid) == 0:
        return (*said, *later)
    try:
        with chains_told(root), with_suspects(context.reporter.warnings):
            analysis = Analysis(hybrid)
    except ModelError:
        if _balance(hybrid) == 0 and any(v.causality is Causality.INPUT for v in hybrid.variables()):
            return (*said, *later)  # an equation that seems to determine an input in truth uses it: `u = 2*y`
        raise
    if _has_connections_to_come(root):
        _compare_counts(cls, hybrid)
    analysis.structure.verify()
    return (*said, *later, *(with_chain(warning, root) for warning in analysis.warnings))


def _has_connections_to_come(root: Instance) -> bool:
    """Whether the model has public connectors with potentials and flows. Inputs have values: those that
    they start with."""
    return any(
        s.variability > Variability.PARAMETER
        and not s.protected
        and s.in_connector
        and s.causality is Causality.LOCAL
        for node in root.children.values()
        if node is not None and not _is_component(node)
        for s in scalars(node)
    )


def _is_component(node: Node) -> bool:
    """A model, block or record, or an array of them: what it has inside is its own affair."""
    if isinstance(node, ArrayNode):
        return any(_is_component(item) for item in node.items[:1])
    return isinstance(node, Instance) and not node.in_connector


def _compare_counts(cls: ClassEntry, hybrid: HybridModel) -> None:
    """A flow that nothing is connected to is zero, and that equation is there."""
    excess = _balance(hybrid)
    if excess:
        word = "equation" if abs(excess) == 1 else "equations"
        unknowns = len(hybrid.states) + len(hybrid.algebraics) + len(hybrid.discretes)
        raise model_error(
            "E301",
            f"{abs(excess)} {word} too {'many' if excess > 0 else 'few'} "
            f"({unknowns + excess} equations for {unknowns} unknowns)",
            cls.span,
        )


def _balance(hybrid: HybridModel) -> int:
    """Equations less unknowns. Inputs and what gives them their values, a binding or the start value, count
    neither here nor there: they come from outside."""
    unknowns = (*hybrid.states, *hybrid.algebraics, *hybrid.discretes)
    inputs = {ref(v.symbol): v.span for v in unknowns if v.causality is Causality.INPUT}
    own = sum(q.lhs not in inputs or inputs[q.lhs] != q.span for q in hybrid.equations)
    return own - (len(unknowns) - len(inputs))


def refusal(model: str, error: ModelError, seconds: float = 0.0) -> Verdict:
    """The verdict that an error is; its first diagnostic stands for all."""
    first = error.diagnostics[0]
    place = str(first.span) if first.span is not None else ""
    return Verdict(model, REFUSED, first.code, " ".join(first.message.split()), place, seconds=seconds)


def _fault(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    words = str(error).strip().splitlines()
    where = f" in {frames[-1].name}, {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"internal error: {type(error).__name__}" + (f": {words[0][:100]}" if words else "") + where


# ---------------------------------------------------------------- texts


def table(verdicts: Sequence[Verdict], width: int = WIDTH) -> str:
    """One line a model, and the totals."""
    longest = max((len(v.model) for v in verdicts), default=0)
    longest = max(longest, len("model"))
    lines = [f"{'model':<{longest}}  {'verdict':<7}  code  reason"] if verdicts else []
    for v in verdicts:
        line = f"{v.model:<{longest}}  {v.verdict:<7}  {v.code:<4}  {v.reason}".rstrip()
        lines.append(line if len(line) <= width else line[: max(width, longest + 20) - 3] + "...")
    return "\n".join([*lines, *([""] if lines else []), *totals(verdicts)])


def totals(verdicts: Sequence[Verdict]) -> list[str]:
    """How many models there are of each kind, then the codes of refusals, the frequent first."""
    count = Counter(v.verdict for v in verdicts)
    parts = [f"{count[k]} {k}" for k in (OK, REFUSED, FAILED) if count[k]]
    models = number(len(verdicts), "model")
    codes = Counter(v.code for v in verdicts if v.verdict == REFUSED)
    return [
        models + (": " + ", ".join(parts) if parts else ""),
        *(f"  {code} {TITLES[code]}: {number}" for code, number in codes.most_common()),
    ]


def as_json(package: str, verdicts: Sequence[Verdict], total: int) -> str:
    """The verdicts and their counts as JSON. `total` counts the models that there are, checked or not."""
    count = Counter(v.verdict for v in verdicts)
    codes = Counter(v.code for v in verdicts if v.verdict == REFUSED)
    content = {
        "package": package,
        "total": total,
        "checked": len(verdicts),
        "ok": count[OK],
        "refused": count[REFUSED],
        "failed": count[FAILED],
        "codes": dict(codes.most_common()),
        "models": [{**asdict(v), "seconds": round(v.seconds, 4)} for v in verdicts],
    }
    return json.dumps(content, indent=1) + "\n"
