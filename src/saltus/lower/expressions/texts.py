"""String variables of models: written out wherever they are used.

The memory of a run holds numbers only, so a String has no place there. But it has one equation, which says
what it is made of: texts that are known, and numbers, Booleans and literals turned into text. So it is
replaced by that, in messages and in comparisons, and a comparison of texts becomes one of what they are made
of: `String(i) == "3"` is `i == 3`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import Expr, Op, Type, const
from saltus.expr.traversal import leaves, substitute, transform
from saltus.ir.flat import (
    Action,
    Assert,
    Clause,
    Equation,
    Guarded,
    IfEquation,
    Reinit,
    Terminate,
    Variability,
    Variable,
    When,
)
from saltus.lower.scope.context import Context


def compared_texts(context: Context, op: Op, a: Expr, b: Expr, span: Span) -> Expr:
    """A comparison of Strings. One that depends on String variables is left as it is: what those are is known
    when all equations are."""
    found = _compared(op, a, b)
    if found is not None:
        return found
    if context.evaluation.is_constant(a) and context.evaluation.is_constant(b):
        values = [const(context.evaluation.constant(v, span, "a String that is compared")) for v in (a, b)]
        return x.relation(op, *values)
    if any(leaf.op is not Op.REF or leaf.data not in context.components.scalars for leaf in _leaves(a, b)):
        for v in (a, b):  # in a function, for example: this names what varies
            context.evaluation.constant(v, span, "a String that is compared")
    context.expressions.open_texts = True
    return x.relation(op, a, b)


def _leaves(*expressions: Expr) -> list[Expr]:
    return [leaf for e in expressions for leaf in leaves(e)]


def _compared(op: Op, a: Expr, b: Expr) -> Expr | None:
    """The comparison as one of what the texts are made of; None if that is not known."""
    if a.op is Op.IF:
        return _by_cases(a, lambda part: _compared(op, part, b))
    if b.op is Op.IF:
        return _by_cases(b, lambda part: _compared(op, a, part))
    left, right = _known(a), _known(b)
    if left is not None and right is not None:
        return x.relation(op, const(left), const(right))
    if op not in (Op.EQ, Op.NE):
        return None
    if left is not None:
        a, left, right = b, right, left
    if right is None or a.op is not Op.CALL or a.data not in ("String", "format"):
        return None
    same = _equals_text(a, right)
    if same is None:
        return None
    return same if op is Op.EQ else x.not_(same)


def _by_cases(e: Expr, compare: Callable[[Expr], Expr | None]) -> Expr | None:
    condition, *parts = e.args
    then, other = (compare(p) for p in parts)
    return None if then is None or other is None else x.if_(condition, then, other)


def _known(e: Expr) -> str | None:
    """The text, if it depends on nothing."""
    try:
        return None if leaves(e) else str(evaluate(e, lambda leaf: None))
    except (NotEvaluable, ValueError, TypeError, OverflowError):
        return None


def _equals_text(written: Expr, text: str) -> Expr | None:
    """When a Boolean or Integer is written as a text: it must be the one value that is written so."""
    value = written.args[0]
    if value.type is Type.BOOLEAN:
        candidates: list[Expr] = [x.TRUE, x.FALSE]
    elif value.type is Type.INTEGER:
        try:
            candidates = [const(int(text))]
        except ValueError:
            candidates = []
    else:
        return None
    for candidate in candidates:
        if _known(x.call(written.data, candidate, *written.args[1:])) == text:
            return x.relation(Op.EQ, value, candidate)
    return x.FALSE


# ---------------------------------------------------------------- the whole model


def without_texts(
    context: Context, variables: Sequence[Variable], clauses: Sequence[Clause]
) -> tuple[list[Variable], list[Clause]]:
    """The model with its String variables written out."""
    texts = {
        x.ref(v.symbol): v
        for v in variables
        if v.symbol.type is Type.STRING and v.variability > Variability.PARAMETER
    }
    if not texts and not context.expressions.open_texts:
        return list(variables), list(clauses)
    meanings: dict[Expr, Expr] = {}
    rest: list[Clause] = []
    for clause in clauses:
        if isinstance(clause, Equation) and clause.lhs.type is Type.STRING:
            _define(clause, texts, meanings)
        else:
            rest.append(clause)
    for leaf, variable in texts.items():
        if leaf not in meanings:
            raise model_error(
                "E301",
                f"no equation determines the String `{variable.symbol.name}`",
                variable.span,
                origin=variable.name,
            )
    written = _written_out(meanings, texts)
    kept = [v for v in variables if x.ref(v.symbol) not in texts]
    return kept, [_resolved(context, clause, written) for clause in rest]


def _define(equation: Equation, texts: dict[Expr, Variable], meanings: dict[Expr, Expr]) -> None:
    for text, meaning in ((equation.lhs, equation.rhs), (equation.rhs, equation.lhs)):
        if text in texts and text not in meanings:
            meanings[text] = meaning
            return
    name = equation.lhs.data.name if equation.lhs.op is Op.REF else "this"
    raise model_error(
        "E301", f"one equation too many for the String `{name}`", equation.span, origin=equation.origin
    )


def _written_out(meanings: dict[Expr, Expr], texts: dict[Expr, Variable]) -> dict[Expr, Expr]:
    """What each text is, without the others."""
    done: dict[Expr, Expr] = {}

    def finish(leaf: Expr, above: tuple[Expr, ...]) -> Expr:
        if leaf in above:
            variable = texts[leaf]
            raise model_error(
                "E304",
                f"the String `{variable.symbol.name}` depends on itself",
                variable.span,
                origin=variable.name,
            )
        if leaf not in done:
            inner = {e: finish(e, (*above, leaf)) for e in leaves(meanings[leaf]) if e in meanings}
            done[leaf] = substitute(meanings[leaf], inner)
        return done[leaf]

    for leaf in meanings:
        finish(leaf, ())
    return done


def _resolved(context: Context, clause: Clause, texts: dict[Expr, Expr]) -> Clause:
    memo: dict[Expr, Expr] = {}

    def visit(node: Expr) -> Expr | None:
        if node.op in x.RELATIONS and node.args[0].type is Type.STRING:
            a, b = (substitute(v, texts) for v in node.args)
            found = _compared(node.op, a, b)
            if found is None and context.evaluation.is_constant(a) and context.evaluation.is_constant(b):
                found = compared_texts(context, node.op, a, b, clause.span)
            if found is None:
                raise model_error(
                    "E204",
                    f"a comparison with a text that varies (`{node!r}`) is not supported yet",
                    clause.span,
                    origin=clause.origin,
                )
            return found
        return texts.get(node)

    return _mapped(clause, lambda e: transform(e, visit, memo))


def _mapped(clause: Clause, change: Callable[[Expr], Expr]) -> Clause:
    """A clause with all its expressions changed."""
    if isinstance(clause, When):
        return replace(clause, branches=_mapped_branches(clause.branches, change))
    return _mapped_action(clause, change)  # type: ignore[return-value]


def _mapped_branches(branches: tuple[Guarded, ...], change: Callable[[Expr], Expr]) -> tuple[Guarded, ...]:
    return tuple(
        Guarded(
            tuple(change(c) for c in branch.conditions),
            tuple(_mapped_action(action, change) for action in branch.actions),
        )
        for branch in branches
    )


def _mapped_action(action: Action | IfEquation, change: Callable[[Expr], Expr]) -> Action | IfEquation:
    match action:
        case Equation():
            if action.lhs.type is Type.STRING:
                raise model_error(
                    "E204",
                    "a String that changes at events is not supported yet",
                    action.span,
                    origin=action.origin,
                )
            return replace(action, lhs=change(action.lhs), rhs=change(action.rhs))
        case Assert():
            return replace(action, condition=change(action.condition), message=change(action.message))
        case Terminate():
            return replace(action, message=change(action.message))
        case Reinit():
            return replace(action, value=change(action.value))
        case IfEquation():
            return replace(action, branches=_mapped_branches(action.branches, change))
