"""Algorithms of functions: statements of the language to statements of the imperative program."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import prod

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Enumeration, Expr, Op, Symbol, Type, const, enumeration_of
from saltus.expr.show import show
from saltus.expr.traversal import leaves, postorder, substitute
from saltus.ir import ast
from saltus.ir.program import (
    FUNCTION_FAILED,
    Assign,
    Break,
    CallFunction,
    Fail,
    Fill,
    For,
    Function,
    FunctionFault,
    If,
    Return,
    Statement,
    While,
)
from saltus.lower.functions.function_locals import (
    Local,
    LocalRecord,
    LocalVariable,
    no_target,
    variables_of,
    whole_of,
)
from saltus.lower.functions.knowledge import Knowledge, State, assigned, folded, note
from saltus.lower.functions.walker import Item, StatementWalker, Way
from saltus.lower.instances.enumerations import type_values
from saltus.lower.scope.calls import assertion, condition_of
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.types import check_assignable, typed
from saltus.lower.scope.values import (
    ArrayValue,
    RecordValue,
    Value,
    ValuesDiffer,
    describe,
    index_tuples,
    member,
    scalar_pairs,
    scalars_of,
    shape_of,
)

#: How many rounds of loops may be written out in a function.
LONGEST_WRITTEN_OUT = 2000


def varies(error: ModelError) -> bool:
    """Whether something was refused because it is not known before the run."""
    return all(d.code in ("E204", "E208") for d in error.diagnostics)


class StatementLowering(StatementWalker[list[Statement], State | None]):
    """Lowers the statements of one function; collects the temporaries it invents.

    A loop is lowered once, for an index that varies. Where that has no meaning (the size of an array depends
    on the index), and the indices are known, it is written out."""

    def __init__(self, context: Context, function: str, inputs: Collection[str] = ()) -> None:
        self.context = context
        self.function = function
        self.inputs = inputs
        self.knowledge = Knowledge()
        self.temporaries: list[Symbol] = []
        self.reachable = True  # whether the program can come to the statement that is lowered next
        self.returns: list[State] = []  # what was known where the function is left
        self._breaks: list[list[State]] = []  # what was known where each of the loops around is left
        self._written_out: set[ast.Node] = set()  # loops that had to be
        self._rounds = 0  # of loops that are written out

    def sequence(self, results: list[list[Statement]]) -> list[Statement]:
        """One list of all statements."""
        return [statement for result in results for statement in result]

    def reaches(self, items: Sequence[Item], k: int, scope: Scope) -> bool:
        """Not what comes after a break or a return."""
        return self.reachable

    # ------------------------------------------------------------ assignments

    def assign_value(self, item: ast.Assignment, scope: Scope) -> list[Statement]:
        """`target := value`"""
        self._check_target(item.target, scope)
        lowered = self.context.lower(self.context, item.value, scope)
        return self._write(item.target, lowered, scope)

    def _check_target(self, target: ast.Reference, scope: Scope) -> Local:
        name = target.parts[0][0]
        if name in self.inputs:
            raise model_error(
                "E211",
                f"`{name}` is an input of `{self.function}` and cannot be assigned",
                scope.at(target),
                hint="use a protected variable",
            )
        local = scope.locals.get(name)
        if not isinstance(local, LocalVariable | LocalRecord):
            known = [n for n, v in scope.locals.items() if isinstance(v, LocalVariable | LocalRecord)]
            assignable = [n for n in known if n not in self.inputs]
            raise no_target(target.text, self.function, assignable, scope.at(target))
        return local

    def _write(self, target: ast.Reference, value: Value, scope: Scope) -> list[Statement]:
        """Assigns a value to what a reference means."""
        local = self._check_target(target, scope)
        part: Local | None = local
        for name, _ in target.parts[1:]:
            part = part.fields.get(name) if isinstance(part, LocalRecord) else None
        span = scope.at(target)
        if part is not None and not any(subscripts for _, subscripts in target.parts):
            self._fit(part, value)
        place = local.place(self.context, target, scope)
        if part is None:
            raise model_error("E201", f"`{target.text}` is not a variable", span)
        return self.store(part, place, value, span)

    def _fit(self, local: Local, value: Value) -> None:
        """Arrays of a size that the body decides take that of the value."""
        if isinstance(local, LocalVariable):
            local.resize(shape_of(value))
            return
        records = value.items if isinstance(value, ArrayValue) else (value,)
        if all(isinstance(r, RecordValue) and r.fields.keys() == local.fields.keys() for r in records):
            for name, field in local.fields.items():
                self._fit(field, member(value, name))

    def store_whole(self, local: Local, value: Value, span: Span) -> list[Statement]:
        """Assigns to all of a variable."""
        self._fit(local, value)
        return self.store(local, whole_of(local), value, span)

    def store(self, local: Local, place: Value, value: Value, span: Span) -> list[Statement]:
        """Writes a value to a place of a variable, which is what would be read there."""
        is_open = any(v.is_open for v in variables_of(local))
        statements = self._stored(place, value, span, "E204" if is_open else "E206")
        self._note(local, place, value, span)
        return statements

    def _note(self, local: Local, place: Value, value: Value, span: Span) -> None:
        if isinstance(local, LocalVariable):
            note(self.context.evaluation, local, value, place, span)
        elif isinstance(place, RecordValue) or (isinstance(place, ArrayValue) and place.items):
            for name, field in local.fields.items():
                self._note(field, member(place, name), member(value, name), span)

    def _stored(self, place: Value, value: Value, span: Span, mismatch: str) -> list[Statement]:
        try:
            pairs = list(scalar_pairs(place, value))
        except ValuesDiffer:
            raise model_error(mismatch, f"{describe(value)} is assigned to {describe(place)}", span) from None
        for target, v in pairs:
            check_assignable(target.type, v, "this variable", span, enumeration_of(target))
        pairs = [(target, v) for target, v in pairs if target.type is not Type.STRING]
        if isinstance(place, ArrayValue) and len(pairs) > 1 and len({v for _, v in pairs}) == 1:
            symbol = _symbol(pairs[0][0])
            whole = len(pairs) == prod(symbol.shape) and len({t for t, _ in pairs}) == len(pairs)
            if pairs[0][1].op is Op.CONST and place.shape == symbol.shape and whole:
                return [Fill(symbol, pairs[0][1])]
        targets, values = [t for t, _ in pairs], [v for _, v in pairs]
        before: list[Statement] = []
        if len(values) > 1:
            before, values = self._call_once(values)
        if _reads_what_it_writes(targets, values):
            # x := {x[2], x[1]}: the values go through temporaries.
            kept, values = self._keep(values)
            before += kept
        return before + [_write(t, v) for t, v in zip(targets, values, strict=True)]

    def _keep(self, values: list[Expr]) -> tuple[list[Statement], list[Expr]]:
        """Values put into temporaries, one array of them for each type."""
        kinds = [(v.type, enumeration_of(v)) for v in values]
        arrays = {
            kind: self._temporary(kind[0], (kinds.count(kind),), kind[1]) for kind in dict.fromkeys(kinds)
        }
        position = dict.fromkeys(kinds, 0)
        statements: list[Statement] = []
        kept: list[Expr] = []
        for kind, v in zip(kinds, values, strict=True):
            position[kind] += 1
            index = const(position[kind])
            statements.append(Assign(arrays[kind], v, (index,)))
            kept.append(x.index(x.ref(arrays[kind]), index))
        return statements, kept

    def _call_once(self, values: list[Expr]) -> tuple[list[Statement], list[Expr]]:
        """Functions whose results several values use are called once, into temporaries. A call that only one
        branch of an if reaches stays where it is: it may be what ends a recursion."""
        statements: list[Statement] = []
        known: dict[Expr, Expr] = {}
        for v in values:
            for node in postorder(v, known, _unconditional):
                if node.op is Op.APPLY:
                    call = substitute(node, known)
                    copies = self._called(call, statements)
                    for k, copy in enumerate(copies):
                        for kind in Type:
                            known[x.item(node, k, kind)] = copy
        if not statements:
            return [], values
        return statements, [substitute(v, known) for v in values]

    def _called(self, call: Expr, statements: list[Statement]) -> list[Expr]:
        """Adds a call; gives the scalars of its outputs, in order."""
        function: Function = call.data
        copies = tuple(self._temporary(o.type, o.shape, o.enumeration) for o in function.outputs)
        statements.append(CallFunction(copies, function, call.args))
        found: list[Expr] = []
        for copy in copies:
            base = x.ref(copy)
            if copy.shape:
                found += [x.index(base, *map(const, i)) for i in index_tuples(copy.shape)]
            else:
                found.append(base)
        return found

    def _temporary(
        self, kind: Type, shape: tuple[int, ...] = (), enumeration: Enumeration | None = None
    ) -> Symbol:
        symbol = Symbol(f"$t{len(self.temporaries) + 1}", kind, shape, enumeration)
        self.temporaries.append(symbol)
        return symbol

    def results(self, item: ast.TupleAssignment, scope: Scope) -> list[Value]:
        """What is called gives."""
        return self.context.lower_call(self.context, item.call, scope)

    def assign_results(
        self, item: ast.TupleAssignment, results: list[Value], scope: Scope
    ) -> list[Statement]:
        """`(a, b) := f(...)`: all results are computed before the first is assigned."""
        wanted = [(t, r) for t, r in zip(item.targets, results, strict=False) if t is not None]
        values = [v for _, result in wanted for v in scalars_of(result) if v.type is not Type.STRING]
        statements, once = self._call_once(values)
        kept, final = self._keep(once)
        renamed = dict(zip(values, final, strict=True))
        statements += kept
        for target, result in wanted:
            # What is known of a result follows from the result itself, not from the temporary.
            local = self._check_target(target, scope)
            statements += self._write(target, _renamed(result, renamed), scope)
            if len(target.parts) == 1 and not target.parts[0][1]:
                self._note(local, whole_of(local), result, scope.at(target))
        return statements

    # ------------------------------------------------------------ control

    def save(self) -> State | None:
        """What is known; None where the program does not come to."""
        return self.knowledge.save() if self.reachable else None

    def restore(self, state: State | None) -> None:
        """Continues at a place that is reached."""
        assert state is not None
        self.knowledge.restore(state)
        self.reachable = True

    def join(
        self, item: ast.IfEquation, ways: Sequence[Way[list[Statement], State | None]], scope: Scope
    ) -> list[Statement]:
        """What all ways to the end of an if agree on is known there."""
        ends = [way.end for way in ways if way.end is not None]
        self.reachable = bool(ends)
        if ends:
            self.knowledge.join(ends, scope.at(item))
        *branches, otherwise = ways
        if not branches:
            return otherwise.result
        return [If(tuple((way.test, tuple(way.result)) for way in branches), tuple(otherwise.result))]

    def branch(self, items: Sequence[Item], scope: Scope) -> list[Statement]:
        """Statements that a call may come to or not."""
        functions = self.context.functions
        functions.branches += 1
        try:
            return self.walk(items, scope)
        finally:
            functions.branches -= 1

    def condition(
        self, condition: ast.Expression, items: Sequence[Item], scope: Scope, excluded: Sequence[Expr]
    ) -> Expr:
        """A condition, decided if it is the same for every call."""
        return self._condition(condition, scope)

    def _condition(self, condition: ast.Expression, scope: Scope) -> Expr:
        test = condition_of(self.context, condition, scope)
        known = folded(self.context.evaluation, test, scope.at(condition))
        return known if isinstance(known, Expr) else test

    def leave_loop(self, item: ast.BreakStatement, scope: Scope) -> list[Statement]:
        """`break`"""
        if not self._breaks:
            raise model_error("E209", "`break` stands outside of a loop", scope.at(item))
        self._breaks[-1].append(self.knowledge.save())
        self.reachable = False
        return [Break()]

    def leave_function(self, item: ast.ReturnStatement, scope: Scope) -> list[Statement]:
        """`return`"""
        self.returns.append(self.knowledge.save())
        self.reachable = False
        return [Return()]

    def for_loop(self, item: ast.ForEquation, scope: Scope) -> list[Statement]:
        """A loop within a loop for each iterator."""
        return self._for(item, item.iterators, scope)

    def _for(
        self, item: ast.ForEquation, iterators: tuple[ast.Iterator, ...], scope: Scope
    ) -> list[Statement]:
        if not iterators:
            return self.walk(item.items, scope)
        iterator, rest = iterators[0], iterators[1:]
        span = scope.at(iterator)

        def body(value: Expr) -> list[Statement]:
            return self._for(item, rest, scope.with_locals({iterator.name: value}))

        bounds = self._bounds(iterator, scope)
        if bounds is not None:
            first, step, last = bounds
            enumeration = enumeration_of(first)
            index = Symbol(iterator.name, Type.INTEGER, (), enumeration)
            known = all(b.op is Op.CONST for b in bounds) and step.data != 0
            numbers = (
                range(first.data, last.data + (1 if step.data > 0 else -1), step.data) if known else None
            )
            if numbers is not None and not numbers:
                return []  # its statements need not have a meaning, where there is nothing to index

            def loop() -> list[Statement]:
                return [For(index, first, step, last, tuple(body(x.ref(index))))]

            written = None
            if numbers is not None:
                written = [typed(k, enumeration) for k in numbers[: LONGEST_WRITTEN_OUT + 1]]
            return self._loop(item, iterator, loop, written, body, span, scope)
        values = self._vector(iterator, scope)
        if not values:
            return []
        vector = self._temporary(values[0].type, (len(values),), enumeration_of(values[0]))
        vector.enumeration = enumeration_of(values[0])
        position = Symbol(f"$i{len(self.temporaries)}", Type.INTEGER)
        kept: list[Statement] = [Assign(vector, v, (const(k + 1),)) for k, v in enumerate(values)]

        def over_vector() -> list[Statement]:
            inner = tuple(body(x.index(x.ref(vector), x.ref(position))))
            return [*kept, For(position, const(1), const(1), const(len(values)), inner)]

        return self._loop(item, iterator, over_vector, values, body, span, scope)

    def _bounds(self, iterator: ast.Iterator, scope: Scope) -> tuple[Expr, Expr, Expr] | None:
        """First, step and last of a range of Integers, which may be known during the run only."""
        if not isinstance(iterator.range, ast.Range):
            return None
        written = (iterator.range.first, iterator.range.step, iterator.range.last)
        bounds: list[Expr] = []
        for e in written:
            value = const(1) if e is None else self.context.lower(self.context, e, scope)
            if not isinstance(value, Expr) or value.type is not Type.INTEGER:
                return None
            known = folded(self.context.evaluation, value, scope.at(iterator))
            bounds.append(known if isinstance(known, Expr) else value)
        first, step, last = bounds
        return first, step, last

    def _vector(self, iterator: ast.Iterator, scope: Scope) -> list[Expr]:
        """The elements that a loop runs over."""
        if iterator.range is None:
            what = "a loop variable without a range is not supported yet"
            raise model_error("E204", what, scope.at(iterator))
        types = type_values(self.context.layouts, iterator.range, scope)
        if types is not None:
            return types
        vector = self.context.lower(self.context, iterator.range, scope)
        if len(shape_of(vector)) != 1:
            raise model_error("E206", "a loop needs a vector to run over", scope.at(iterator.range))
        return list(scalars_of(vector))

    def _loop(
        self,
        item: ast.ForEquation,
        iterator: ast.Iterator,
        loop: Callable[[], list[Statement]],
        values: list[Expr] | None,
        body: Callable[[Expr], list[Statement]],
        span: Span,
        scope: Scope,
    ) -> list[Statement]:
        """A loop, or if it cannot be one, its rounds one after the other."""
        texts = values is not None and any(v.type is Type.STRING for v in values)
        if iterator not in self._written_out and not texts:
            entry, count = self.knowledge.save(), len(self.temporaries)
            try:
                return self._once(item.items, loop, span, scope)
            except ModelError as error:
                if values is None or not varies(error):
                    raise
                self.knowledge.restore(entry)
                del self.temporaries[count:]
                self.reachable = True
                self._written_out.add(iterator)
        assert values is not None
        return self._rounds_of(values, body, span)

    def _once(
        self,
        items: Sequence[Item],
        loop: Callable[[], list[Statement]],
        span: Span,
        scope: Scope,
    ) -> list[Statement]:
        """A loop whose body is lowered once: what it assigns is not known in it, nor after it."""
        changed = [scope.locals.get(name) for name in assigned(items)]
        variables = [
            v for c in changed if isinstance(c, LocalVariable | LocalRecord) for v in variables_of(c)
        ]
        self.knowledge.forget(variables)
        entry = self.knowledge.save()
        self._breaks.append([])
        try:
            statements = loop()
        finally:
            left = self._breaks.pop()
        self.knowledge.forget(variables)
        ends = [self.knowledge.save()] if self.reachable else []
        self.reachable = True
        self.knowledge.join([entry, *ends, *left], span)
        self.knowledge.forget(variables)
        return statements

    def _rounds_of(
        self, values: list[Expr], body: Callable[[Expr], list[Statement]], span: Span
    ) -> list[Statement]:
        """The rounds of a loop over known values."""
        statements: list[Statement] = []
        self._breaks.append([])
        try:
            for value in values:
                self._another_round(span)
                statements += body(value)
                if not self.reachable:
                    break
        finally:
            left = self._breaks.pop()
        return self._left(statements, left, span)

    def _left(self, statements: list[Statement], left: list[State], span: Span) -> list[Statement]:
        """Statements of a loop that is written out, with a loop of one round around them for `break`."""
        if not left:
            return statements
        ends = [self.knowledge.save()] if self.reachable else []
        self.knowledge.join([*ends, *left], span)
        self.reachable = True
        return [For(Symbol("$once", Type.INTEGER), const(1), const(1), const(1), tuple(statements))]

    def _another_round(self, span: Span) -> None:
        self._rounds += 1
        if self._rounds > LONGEST_WRITTEN_OUT:
            what = f"a loop of `{self.function}` that has to be written out has too many rounds"
            raise model_error("E204", what, span)

    def while_loop(self, item: ast.WhileStatement, scope: Scope) -> list[Statement]:
        """A loop that is lowered once, or written out as long as its condition is known."""

        def loop() -> list[Statement]:
            condition = condition_of(self.context, item.condition, scope)
            return [While(condition, tuple(self.walk(item.items, scope)))]

        span = scope.at(item.condition)
        entry, count = self.knowledge.save(), len(self.temporaries)
        try:
            return self._once(item.items, loop, span, scope)
        except ModelError as error:
            if not varies(error):
                raise
            self.knowledge.restore(entry)
            del self.temporaries[count:]
            self.reachable = True
            refusal = error
        statements: list[Statement] = []
        self._breaks.append([])
        try:
            while self.reachable:
                test = self._condition(item.condition, scope)
                if test is x.FALSE:
                    break
                if test is not x.TRUE:
                    raise refusal
                self._another_round(span)
                statements += self.walk(item.items, scope)
        finally:
            left = self._breaks.pop()
        return self._left(statements, left, span)

    def assertion(self, item: ast.CallEquation, scope: Scope) -> list[Statement]:
        """Ends the function if it is violated; warnings are left out."""
        condition, message, warning = assertion(self.context, item.call, scope)
        if warning:
            return []
        text = str(message.data) if message.op is Op.CONST else show(message)
        self.context.functions.faults += 1
        status = FUNCTION_FAILED + self.context.functions.faults
        fault = FunctionFault(self.function, text, scope.at(item.call))
        return [If(((x.not_(condition), (Fail(status, fault),)),))]

    def call(self, item: ast.CallEquation, scope: Scope) -> list[Statement]:
        """A function is called for its assertions."""
        results = self.context.lower_call(self.context, item.call, scope)
        return self._call_once([v for result in results for v in scalars_of(result)])[0]


def _symbol(place: Expr) -> Symbol:
    symbol = place.args[0].data if place.op is Op.INDEX else place.data
    assert isinstance(symbol, Symbol)
    return symbol


def _write(place: Expr, value: Expr) -> Statement:
    return Assign(_symbol(place), value, place.args[1:] if place.op is Op.INDEX else ())


def _reads_what_it_writes(targets: list[Expr], values: list[Expr]) -> bool:
    """Whether a value uses a variable that an assignment before it changes."""
    written: set[Symbol] = set()
    for target, value in zip(targets, values, strict=True):
        if written and any(x.leaf_symbol(leaf) in written for leaf in leaves(value)):
            return True
        written.add(_symbol(target))
    return False


def _unconditional(e: Expr) -> tuple[Expr, ...]:
    """The parts of an expression that are computed in any case."""
    if e.op in x.LEAVES:
        return ()
    return e.args[:1] if e.op in (Op.IF, Op.AND, Op.OR) else e.args


def _renamed(value: Value, names: dict[Expr, Expr]) -> Value:
    """A value with some of its scalars replaced by others."""
    if isinstance(value, Expr):
        return names.get(value, value)
    if isinstance(value, ArrayValue):
        items = [_renamed(v, names) for v in value.items]
        return ArrayValue(value.shape, tuple(i for i in items if not isinstance(i, ArrayValue)))
    return RecordValue(value.type_name, {name: _renamed(v, names) for name, v in value.fields.items()})
