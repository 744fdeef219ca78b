"""Algorithms of functions: statements of the language to statements of the imperative program."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Symbol, Type, const, enumeration_of
from saltus.expr.show import show
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
from saltus.lower.calls import assertion, condition_of
from saltus.lower.context import Context, Scope
from saltus.lower.enumerations import type_values
from saltus.lower.types import check_assignable
from saltus.lower.values import (
    ArrayValue,
    RecordValue,
    Value,
    ValuesDiffer,
    describe,
    index_tuples,
    scalar_pairs,
    scalars_of,
    shape_of,
)


class StatementLowering:
    """Lowers the statements of one function; collects the temporaries it invents."""

    def __init__(self, context: Context, function: str, inputs: Collection[str] = ()) -> None:
        self.context = context
        self.function = function
        self.inputs = inputs
        self.temporaries: list[Symbol] = []

    def statements(self, items: Sequence[ast.Equation | ast.Statement], scope: Scope) -> list[Statement]:
        return [s for item in items for s in self._statement(item, scope)]

    def _statement(self, item: ast.Equation | ast.Statement, scope: Scope) -> list[Statement]:
        match item:
            case ast.Assignment():
                return self.assign(item.target, item.value, scope)
            case ast.TupleAssignment():
                return self._tuple(item, scope)
            case ast.IfEquation():
                return self._if(item, scope)
            case ast.ForEquation():
                return self._for(item.iterators, item.items, scope)
            case ast.WhileStatement():
                condition = condition_of(self.context, item.condition, scope)
                return [While(condition, tuple(self.statements(item.items, scope)))]
            case ast.BreakStatement():
                return [Break()]
            case ast.ReturnStatement():
                return [Return()]
            case ast.CallEquation():
                return self._call(item.call, scope)
            case _:
                raise model_error("E209", "this statement is not allowed in a function", scope.at(item))

    # ------------------------------------------------------------ assignments

    def assign(self, target: ast.Reference, value: ast.Expression, scope: Scope) -> list[Statement]:
        place = self._place(target, scope)
        lowered = self.context.lower(self.context, value, scope)
        return self.store(place, lowered, scope.at(target))

    def _place(self, target: ast.Reference, scope: Scope) -> Value:
        """What an assignment writes to, as the value that would be read there."""
        if target.parts[0][0] in self.inputs:
            raise model_error(
                "E211",
                f"`{target.parts[0][0]}` is an input of `{self.function}` and cannot be assigned",
                scope.at(target),
                hint="use a protected variable",
            )
        local = scope.locals.get(target.parts[0][0])
        if local is None or isinstance(local, (Expr, ArrayValue, RecordValue)):
            raise model_error(
                "E201",
                f"`{target.text}` is not an output or local variable of `{self.function}`",
                scope.at(target),
            )
        return local.value(self.context, target, scope)

    def store(self, place: Value, value: Value, span: Span) -> list[Statement]:
        """Writes a value to what `place` reads."""
        try:
            pairs = list(scalar_pairs(place, value))
        except ValuesDiffer:
            raise model_error("E206", f"{describe(value)} is assigned to {describe(place)}", span) from None
        for target, v in pairs:
            check_assignable(target.type, v, "this variable", span, enumeration_of(target))
            if target.op is Op.CONST:
                raise model_error("E211", "a constant cannot be assigned", span)
        if isinstance(place, ArrayValue) and len(pairs) > 1 and len({v for _, v in pairs}) == 1:
            symbol = _symbol(pairs[0][0])
            if pairs[0][1].op is Op.CONST and place.shape == symbol.shape:
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
        kinds = {v.type: 0 for v in values}
        for v in values:
            kinds[v.type] += 1
        arrays = {kind: self._temporary(kind, (count,)) for kind, count in kinds.items()}
        position = dict.fromkeys(kinds, 0)
        statements: list[Statement] = []
        kept: list[Expr] = []
        for v in values:
            position[v.type] += 1
            index = const(position[v.type])
            statements.append(Assign(arrays[v.type], v, (index,)))
            kept.append(x.index(x.ref(arrays[v.type]), index))
        return statements, kept

    def _call_once(self, values: list[Expr]) -> tuple[list[Statement], list[Expr]]:
        """Functions whose results several values use are called once, into temporaries. A call that only one
        branch of an if reaches stays where it is: it may be what ends a recursion."""
        statements: list[Statement] = []
        known: dict[Expr, Expr] = {}
        for v in values:
            for node in x.postorder(v, known, _unconditional):
                if node.op is Op.APPLY:
                    call = x.substitute(node, known)
                    copies = self._called(call, statements)
                    for k, copy in enumerate(copies):
                        for kind in Type:
                            known[x.item(node, k, kind)] = copy
        if not statements:
            return [], values
        return statements, [x.substitute(v, known) for v in values]

    def _called(self, call: Expr, statements: list[Statement]) -> list[Expr]:
        """Adds a call; gives the scalars of its outputs, in order."""
        function: Function = call.data
        copies = tuple(self._temporary(o.type, o.shape) for o in function.outputs)
        statements.append(CallFunction(copies, function, call.args))
        found: list[Expr] = []
        for copy in copies:
            base = x.ref(copy)
            if copy.shape:
                found += [x.index(base, *map(const, i)) for i in index_tuples(copy.shape)]
            else:
                found.append(base)
        return found

    def _temporary(self, kind: Type, shape: tuple[int, ...] = ()) -> Symbol:
        symbol = Symbol(f"$t{len(self.temporaries) + 1}", kind, shape)
        self.temporaries.append(symbol)
        return symbol

    def _tuple(self, item: ast.TupleAssignment, scope: Scope) -> list[Statement]:
        """`(a, b) := f(...)`: all results are computed before the first is assigned."""
        results = self.context.lower_call(self.context, item.call, scope)
        if len(item.targets) > len(results):
            raise model_error(
                "E212",
                f"{len(item.targets)} results are wanted, the function has {len(results)}",
                scope.at(item),
            )
        wanted = [(t, r) for t, r in zip(item.targets, results, strict=False) if t is not None]
        values = [v for _, result in wanted for v in scalars_of(result)]
        statements, once = self._call_once(values)
        kept, final = self._keep(once)
        renamed = dict(zip(values, final, strict=True))
        statements += kept
        for target, result in wanted:
            place = self._place(target, scope)
            statements += self.store(place, _renamed(result, renamed), scope.at(target))
        return statements

    # ------------------------------------------------------------ control

    def _if(self, item: ast.IfEquation, scope: Scope) -> list[Statement]:
        branches: list[tuple[Expr, tuple[Statement, ...]]] = []
        for condition, items in item.branches:
            test = x.TRUE if condition is None else condition_of(self.context, condition, scope)
            if test is x.FALSE:
                continue
            body = tuple(self.statements(items, scope))
            if test is x.TRUE:
                return [If(tuple(branches), body)] if branches else list(body)
            branches.append((test, body))
        return [If(tuple(branches))] if branches else []

    def _for(
        self, iterators: tuple[ast.Iterator, ...], items: Sequence[ast.Equation | ast.Statement], scope: Scope
    ) -> list[Statement]:
        if not iterators:
            return self.statements(items, scope)
        iterator, rest = iterators[0], iterators[1:]
        index = Symbol(iterator.name, Type.INTEGER)
        if isinstance(iterator.range, ast.Range):
            # The bounds may be known during the run only.
            bounds = [
                const(1) if e is None else self.context.lower(self.context, e, scope)
                for e in (iterator.range.first, iterator.range.step, iterator.range.last)
            ]
            scalars = [b for b in bounds if isinstance(b, Expr)]
            if len(scalars) == 3 and all(b.type is Type.INTEGER for b in scalars):
                index.enumeration = enumeration_of(scalars[0])
                inner = scope.with_locals({iterator.name: x.ref(index)})
                body = tuple(self._for(rest, items, inner))
                first, step, last = scalars
                return [For(index, first, step, last, body)]
        return self._for_vector(iterator, rest, items, scope)

    def _for_vector(
        self,
        iterator: ast.Iterator,
        rest: tuple[ast.Iterator, ...],
        items: Sequence[ast.Equation | ast.Statement],
        scope: Scope,
    ) -> list[Statement]:
        """A loop over the elements of a vector: over its indices, the vector kept in a temporary."""
        if iterator.range is None:
            raise model_error(
                "E204", "a loop variable without a range is not supported yet", scope.at(iterator)
            )
        types = type_values(self.context, iterator.range, scope)
        if types is not None:
            values = types
        else:
            vector_value = self.context.lower(self.context, iterator.range, scope)
            if len(shape_of(vector_value)) != 1:
                raise model_error("E206", "a loop needs a vector to run over", scope.at(iterator.range))
            values = list(scalars_of(vector_value))
        if not values:
            return []
        vector = self._temporary(values[0].type, (len(values),))
        vector.enumeration = enumeration_of(values[0])
        statements: list[Statement] = [Assign(vector, v, (const(k + 1),)) for k, v in enumerate(values)]
        position = Symbol(f"$i{len(self.temporaries)}", Type.INTEGER)
        inner = scope.with_locals({iterator.name: x.index(x.ref(vector), x.ref(position))})
        body = tuple(self._for(rest, items, inner))
        return [*statements, For(position, const(1), const(1), const(len(values)), body)]

    def _call(self, call: ast.Call, scope: Scope) -> list[Statement]:
        name = call.function.text
        if name == "assert":
            condition, message, warning = assertion(self.context, call, scope)
            if warning:
                return []
            text = str(message.data) if message.op is Op.CONST else show(message)
            self.context.function_faults += 1
            status = FUNCTION_FAILED + self.context.function_faults
            fault = FunctionFault(self.function, text, scope.at(call))
            return [If(((x.not_(condition), (Fail(status, fault),)),))]
        if name in ("terminate", "reinit"):
            raise model_error("E209", f"`{name}` is not allowed in a function", scope.at(call))
        # Called for its assertions.
        results = self.context.lower_call(self.context, call, scope)
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
        if written and any(x.leaf_symbol(leaf) in written for leaf in x.leaves(value)):
            return True
        written.add(_symbol(target))
    return False


def _unconditional(e: Expr) -> tuple[Expr, ...]:
    """The parts of an expression that are computed in any case."""
    if e.op in x.LEAVES:
        return ()
    return e.args[:1] if e.op in (Op.IF, Op.AND, Op.OR) else e.args


def _renamed(value: Value, names: dict[Expr, Expr]) -> Value:
    """The same value with other scalars."""
    if isinstance(value, Expr):
        return names[value]
    if isinstance(value, ArrayValue):
        items = [_renamed(v, names) for v in value.items]
        return ArrayValue(value.shape, tuple(i for i in items if not isinstance(i, ArrayValue)))
    return RecordValue(value.type_name, {name: _renamed(v, names) for name, v in value.fields.items()})
