"""One walk through the statements of an algorithm, whatever they are to mean.

Four parts of lowering give statements a meaning: `statements` makes imperative statements of them,
`execution` carries them out with values, `inlining` and `sections.algorithms` carry them out with
expressions. What they share is here: which kinds of statements there are, in which order they are reached,
what belongs to an assignment of several results, which branches of an if there can be and what is known after
them, which calls are statements of the language. A semantics says the rest, in methods of its own; a kind of
statement that it does not know is refused. So a new kind is a case here, and a method where it has a meaning.

Loops are not shared beyond their dispatch, because they differ in what a turn is: `statements` lowers a body
once for an index that varies and follows what is known around it, `execution` makes one turn after the other
until an exception leaves the loop, and where turns are written out, in `inlining` and `algorithms`, whether a
turn is made at all may be a condition of the run.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from saltus.core.diagnostics import ModelError, model_error
from saltus.expr.nodes import FALSE, TRUE, Expr
from saltus.ir import ast
from saltus.lower.scope.context import Scope
from saltus.lower.scope.values import Value

#: An item of an algorithm; the grammar has if, for, when and calls in common with equations.
Item: TypeAlias = ast.Equation | ast.Statement

#: What walking through a statement gives: statements of the program, or nothing.
Result = TypeVar("Result")
#: What is known at a place.
State = TypeVar("State")


@dataclass(frozen=True)
class Way(Generic[Result, State]):
    """A way through an if that can be taken: its condition (where no earlier one holds), what its statements
    give, and what is known at its end."""

    test: Expr
    result: Result
    end: State


class StatementWalker(ABC, Generic[Result, State]):
    """Goes through statements; a subclass says what they mean."""

    # ------------------------------------------------------------ the walk

    def walk(self, items: Sequence[Item], scope: Scope) -> Result:
        """Statements one after the other."""
        results: list[Result] = []
        for k, item in enumerate(items):
            if not self.reaches(items, k, scope):
                break
            results.append(self._statement(item, scope))
        return self.sequence(results)

    def _statement(self, item: Item, scope: Scope) -> Result:
        match item:
            case ast.Assignment():
                return self.assign_value(item, self.here(scope))
            case ast.TupleAssignment():
                here = self.here(scope)
                results = self.results(item, here)
                if len(item.targets) > len(results):
                    what = f"{len(item.targets)} results are wanted, the function has {len(results)}"
                    raise self.refusal(model_error("E212", what, scope.at(item)))
                return self.assign_results(item, results, here)
            case ast.IfEquation():
                return self._if(item, scope)
            case ast.ForEquation():
                return self.for_loop(item, scope)
            case ast.WhileStatement():
                return self.while_loop(item, scope)
            case ast.WhenEquation():
                return self.when(item, scope)
            case ast.BreakStatement():
                return self.leave_loop(item, scope)
            case ast.ReturnStatement():
                return self.leave_function(item, scope)
            case ast.CallEquation():
                return self._call(item, self.here(scope))
            case _:
                return self.unknown(item, scope)

    def _if(self, item: ast.IfEquation, scope: Scope) -> Result:
        """Each branch begins with what is known before all; without `else` there is one that does nothing."""
        before, here = self.save(), self.here(scope)
        excluded: list[Expr] = []
        ways: list[Way[Result, State]] = []
        for condition, items in (*item.branches, (None, ())):
            test = TRUE if condition is None else self.condition(condition, items, here, excluded)
            if test is FALSE:
                continue
            self.enter(test, excluded)
            certain = test is TRUE and not excluded
            result = self.walk(items, scope) if certain else self.branch(items, scope)
            ways.append(Way(test, result, self.save()))
            self.restore(before)
            excluded.append(test)
            if test is TRUE:
                break
        return self.join(item, ways, scope)

    def branch(self, items: Sequence[Item], scope: Scope) -> Result:
        """Statements that a call may come to or not."""
        return self.walk(items, scope)

    def _call(self, item: ast.CallEquation, scope: Scope) -> Result:
        match item.call.function.text:
            case "assert":
                return self.assertion(item, scope)
            case "terminate":
                return self.terminate(item, scope)
            case "reinit":
                return self.reinit(item, scope)
            case _:
                return self.call(item, scope)

    # ------------------------------------------------------------ what every semantics says

    @abstractmethod
    def sequence(self, results: list[Result]) -> Result:
        """What statements give together."""

    @abstractmethod
    def reaches(self, items: Sequence[Item], k: int, scope: Scope) -> bool:
        """Whether the walk continues with the statement at k; called once before each."""

    @abstractmethod
    def assign_value(self, item: ast.Assignment, scope: Scope) -> Result: ...

    @abstractmethod
    def results(self, item: ast.TupleAssignment, scope: Scope) -> list[Value]:
        """The results of the call of `(a, b) := f(...)`."""

    @abstractmethod
    def assign_results(self, item: ast.TupleAssignment, results: list[Value], scope: Scope) -> Result:
        """Assigns to the targets; there are at least as many results."""

    @abstractmethod
    def condition(
        self, condition: ast.Expression, items: Sequence[Item], scope: Scope, excluded: Sequence[Expr]
    ) -> Expr:
        """The condition of a branch with these items, where none of those excluded holds; TRUE or FALSE if it
        is decided."""

    @abstractmethod
    def save(self) -> State:
        """What is known now."""

    @abstractmethod
    def restore(self, state: State) -> None:
        """Continues with earlier knowledge."""

    @abstractmethod
    def join(self, item: ast.IfEquation, ways: Sequence[Way[Result, State]], scope: Scope) -> Result:
        """Continues with what is known after an if. The last path is the one that is taken if no other is."""

    @abstractmethod
    def for_loop(self, item: ast.ForEquation, scope: Scope) -> Result: ...

    @abstractmethod
    def assertion(self, item: ast.CallEquation, scope: Scope) -> Result: ...

    # ------------------------------------------------------------ what some semantics have no meaning for

    def here(self, scope: Scope) -> Scope:
        """A scope with what is known at this place, if names stand for it. Loops get the scope without it,
        since what is known changes from turn to turn."""
        return scope

    def enter(self, test: Expr, excluded: Sequence[Expr]) -> None:
        """Begins a branch whose condition holds and those excluded do not."""

    def call(self, item: ast.CallEquation, scope: Scope) -> Result:
        """A call of a function for its own sake."""
        return self.unknown(item, scope)

    def while_loop(self, item: ast.WhileStatement, scope: Scope) -> Result:
        return self.unknown(item, scope)

    def leave_loop(self, item: ast.BreakStatement, scope: Scope) -> Result:
        return self.unknown(item, scope)

    def leave_function(self, item: ast.ReturnStatement, scope: Scope) -> Result:
        return self.unknown(item, scope)

    def when(self, item: ast.WhenEquation, scope: Scope) -> Result:
        return self.unknown(item, scope)

    def terminate(self, item: ast.CallEquation, scope: Scope) -> Result:
        what = "`terminate` is not allowed in a function"
        raise self.refusal(model_error("E209", what, scope.at(item.call)))

    def reinit(self, item: ast.CallEquation, scope: Scope) -> Result:
        what = "`reinit` is not allowed in a function"
        raise self.refusal(model_error("E209", what, scope.at(item.call)))

    def unknown(self, item: Item, scope: Scope) -> Result:
        """A kind of statement that has no effect here."""
        what = "this statement is not allowed in a function"
        raise self.refusal(model_error("E209", what, scope.at(item)))

    def refusal(self, error: ModelError) -> Exception:
        """How a statement is refused."""
        return error


def blocks(item: Item) -> Iterator[Sequence[Item]]:
    """The statements inside of a statement: one sequence for each branch, or for the body of a loop."""
    match item:
        case ast.IfEquation() | ast.WhenEquation():
            for _, inner in item.branches:
                yield inner
        case ast.ForEquation() | ast.WhileStatement():
            yield item.items
