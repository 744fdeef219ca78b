"""If-equations whose condition varies: equations with if-expressions, or equations that exist now and then.

Where all branches have the same number of equations, as Modelica demands, the k-th equations of the branches
become one, with an if-expression:

    if c then a = b; else a = 2*d; end if        ->   a = if c then b else 2*d

Where they have different numbers, which is an extension (Sol and Mosilab have it too), each equation is kept
as it is, with the condition of its branch as its *presence*. Variables that occur in such equations only do
not exist in the modes that have none of them (`saltus.analyse.modes.presence`). The same is done where the
numbers are equal but the model has too few equations, if variables occur in some branches and nowhere else
(`uneven`): a bead that is on a rail by one coordinate, and off it by another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from saltus.core.diagnostics import Diagnostic, model_error
from saltus.core.wording import listed
from saltus.expr import nodes as x
from saltus.expr.helpers import Helper
from saltus.expr.nodes import Expr, Op, Symbol, Type
from saltus.expr.show import show
from saltus.expr.traversal import leaves, walk
from saltus.ir.flat import Action, Clause, Equation, IfEquation
from saltus.lower.hybrid.events import EventTables
from saltus.lower.sections.branches import counts_differ


def extension(clause: IfEquation, branches: Sequence[Sequence[Equation]]) -> Diagnostic:
    """The warning W203, which `--pedantic` shows."""
    if len({len(b) for b in branches}) > 1:
        words = counts_differ(branches)
        hint = "Modelica requires the same number in every branch, including the else"
    else:
        words = "the branches of this if-equation have equations for different variables"
        hint = "Modelica requires as many equations as variables in every mode"
    return Diagnostic("W203", f"{words}; variables exist in some modes only", clause.span, hint=hint)


def without_else(clause: IfEquation, clauses: Iterable[Clause]) -> Diagnostic:
    """The warning W212: an else may have been forgotten. `clauses` are all those of the model."""
    lasting = [c for c in clauses if isinstance(c, Equation | IfEquation)]
    everywhere = _occurrences(lasting)
    inside = sum((_occurrences(branch.actions) for branch in clause.branches), Counter[Symbol]())
    own = [s.name for s, count in inside.items() if count == everywhere[s] and not s.is_hidden]
    do = "does" if len(own) == 1 else "do"
    missing = f", and {listed(own)} {do} not exist" if own else ""
    message = f"where no condition of this if-equation holds it has no equations{missing}"
    hint = "add an else; an empty one states that this is intended"
    return Diagnostic("W212", message, clause.span, hint=hint, origin=clause.origin)


def uneven(clauses: Iterable[Clause]) -> set[IfEquation]:
    """The if-equations with variables that occur in some of their branches, and nowhere else but in
    when-clauses, nested ones included."""
    lasting = [c for c in clauses if isinstance(c, Equation | IfEquation)]
    everywhere = _occurrences(lasting)
    pending: list[Clause | Action | IfEquation] = list(lasting)
    found: set[IfEquation] = set()
    while pending:
        clause = pending.pop()
        if isinstance(clause, IfEquation):
            counts = [_occurrences(branch.actions) for branch in clause.branches]
            if not clause.branches[-1].conditions:
                inside = sum(counts, Counter[Symbol]())
                own = (s for s, count in inside.items() if count == everywhere[s])
                if any(s not in branch for s in own for branch in counts):
                    found.add(clause)
            pending += [action for branch in clause.branches for action in branch.actions]
    return found


def _occurrences(clauses: Iterable[Clause | Action | IfEquation]) -> Counter[Symbol]:
    """In how many equations each variable occurs."""
    found: Counter[Symbol] = Counter()
    for clause in clauses:
        if isinstance(clause, Equation | IfEquation):
            if isinstance(clause, Equation):
                both = (*leaves(clause.lhs), *leaves(clause.rhs))
                found.update({x.leaf_symbol(leaf) for leaf in both if leaf.op in (Op.REF, Op.DER)})
            else:
                for branch in clause.branches:
                    found.update(_occurrences(branch.actions))
                    found.update(x.leaf_symbol(leaf) for c in branch.conditions for leaf in leaves(c))
    return found


# ---------------------------------------------------------------- branches that differ


class Presences:
    """The conditions under which equations exist, made of guards only: what changes at events, and has a
    value in every mode."""

    def __init__(self, tables: EventTables) -> None:
        self._tables = tables
        self._made: dict[Expr, Expr] = {}

    def split(
        self, branches: Sequence[Sequence[Equation]], truths: Sequence[Expr], clause: IfEquation
    ) -> list[Equation]:
        """The equations of all branches, each present where its branch is. A branch is where its condition
        holds (the one of an `else` is true) and those before do not."""
        found: list[Equation] = []
        closed: list[Expr] = []
        for truth, equations in zip(truths, branches, strict=True):
            here = x.and_(truth, *(x.not_(c) for c in closed))
            closed.append(truth)
            condition = self._of_guards(here, clause) if equations else x.FALSE
            for q in equations:
                self._refuse_discrete(q)
                presence = condition if q.presence is None else x.and_(condition, q.presence)
                if presence is not x.FALSE:
                    found.append(replace(q, presence=None if presence is x.TRUE else presence))
        return found

    def _of_guards(self, condition: Expr, clause: IfEquation) -> Expr:
        """The condition itself, or a Boolean variable in its place where it needs more than guards."""
        tables = self._tables
        if tables.varies(condition):
            raise model_error(
                "E211",
                f"`{show(condition)}` generates no event, so equations cannot appear or disappear with it",
                clause.span,
                hint="compare without noEvent, smooth or a function",
                origin=clause.origin,
            )
        guards = {r.symbol for r in tables.relations.values()} | tables.discrete
        atoms = [node for node in walk(condition) if not node.args and node.op is not Op.CONST]
        if all(atom.op is Op.REF and atom.data in guards for atom in atoms):
            return condition
        if condition not in self._made:
            name = Helper.EXISTENCE.numbered(len(self._made) + 1)
            made = tables.helper(Helper.EXISTENCE, name, Type.BOOLEAN, clause.span)
            self._made[condition] = made
            tables.equations.append(Equation(made, condition, clause.span, clause.origin))
        return self._made[condition]

    def _refuse_discrete(self, q: Equation) -> None:
        """What changes at events only keeps its value between them, so it needs one in all modes."""
        for side in (q.lhs, q.rhs):
            bare = side.args[0] if side.op in (Op.NOT, Op.NEG) else side
            discrete = bare.op is Op.REF and bare.data in self._tables.discrete
            if discrete or side.type is Type.BOOLEAN:
                words = f"`{bare.data.name}` is discrete and" if discrete else "a Boolean equation"
                raise model_error(
                    "E209",
                    f"{words} cannot exist in some modes only",
                    q.span,
                    hint="give it an equation in every branch, including the else",
                    origin=q.origin,
                )
