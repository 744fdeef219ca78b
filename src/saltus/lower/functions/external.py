"""External functions (section 12.9): what their C functions mean here.

Functions of the C library's mathematics, and those that `external "builtin"` names,
are the built-in functions of expressions: with derivatives, and known to every stage. Functions that a run
needs are provided in Modelica (`external.mo`), those that are called before it in Python
(`functions.external`), both by their C names. C code that comes with a function is compiled (`c_code`). Any
other function is refused by its name, where it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import signature
from pathlib import Path

from saltus.core.diagnostics import Diagnostic, ModelError, Note, model_error
from saltus.core.source import Span
from saltus.core.wording import number
from saltus.expr import nodes as x
from saltus.expr.nodes import FALSE, Expr, Op, Symbol, Type, const, ref
from saltus.expr.show import show
from saltus.functions.external import lapack
from saltus.functions.external.provided import CHANGING, OF_FILES, PROVIDED, SEEING
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Layout, Library
from saltus.ir.program import (
    FUNCTION_FAILED,
    Assign,
    CallFunction,
    Fail,
    Fortran,
    Function,
    FunctionFault,
    If,
    Provided,
    Statement,
)
from saltus.lower.classes.classes import own_class, read_member
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.resources import located
from saltus.lower.functions.bodies import FunctionBuilder
from saltus.lower.functions.c_code import compiled_call, has_code
from saltus.lower.functions.defaults import causality_of
from saltus.lower.functions.function_locals import variables_of, whole_of
from saltus.lower.scope.context import Context, Scope, Table
from saltus.lower.scope.parts import Functions
from saltus.lower.scope.values import ArrayValue, Value, index_tuples, scalar_item, scalars_of, shape_of


@dataclass(frozen=True)
class ExternalCall:
    """What an external clause calls. Where it says nothing, a function of the class's own name is called
    with all inputs in order, and its value is the only output (section 12.9)."""

    language: str
    name: str
    result: ast.Reference | None
    args: tuple[ast.Expression, ...]
    lexical: ClassEntry  # the class whose text it is in

    @property
    def is_builtin(self) -> bool:
        return self.language == "builtin"


def external_call(layouts: Layouts, cls: ClassEntry, layout: Layout) -> ExternalCall:
    """The call of an external function, completed where the clause leaves it to the defaults."""
    clause = layout.external
    assert clause is not None
    lexical = next((c for c in layout.lexicals if _external_of(c) is clause), cls)
    language = clause.language or "C"
    if clause.has_call:
        return ExternalCall(language, clause.function, clause.result, clause.args, lexical)
    inputs: list[ast.Expression] = []
    outputs: list[ast.Reference] = []
    for element in layout.elements.values():
        reference = ast.Reference(clause.start, clause.end, ((element.name, ()),))
        match causality_of(layouts, element):
            case "input":
                inputs.append(reference)
            case "output":
                outputs.append(reference)
    result = outputs[0] if len(outputs) == 1 else None
    return ExternalCall(language, lexical.name, result, tuple(inputs), lexical)


def _external_of(cls: ClassEntry) -> ast.External | None:
    body = cls.definition.body
    return body.external if isinstance(body, ast.LongBody) else None


# ---------------------------------------------------------------- mathematics of the C library


def _builtin(name: str) -> Callable[..., Expr]:
    return lambda *args: x.call(name, *args)


def _without_events(name: str) -> Callable[..., Expr]:
    """In C nothing makes events."""
    return lambda *args: x.no_event(x.call(name, *args))


def _truncated(u: Expr) -> Expr:
    return x.no_event(x.call("div", u, const(1.0)))


def _square_sum_root(a: Expr, b: Expr) -> Expr:
    return x.call("sqrt", x.add(x.mul(a, a), x.mul(b, b)))


#: Functions of Reals, with a Real as the result: how many arguments, and what they mean.
_MATHEMATICS: dict[str, tuple[int, Callable[..., Expr]]] = {
    **{
        name: (1, _builtin(name))
        for name in (
            *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
            *("exp", "log", "log10", "sqrt"),
        )
    },
    "atan2": (2, _builtin("atan2")),
    "pow": (2, x.power),
    "fabs": (1, _without_events("abs")),
    "floor": (1, _without_events("floor")),
    "ceil": (1, _without_events("ceil")),
    "trunc": (1, _truncated),
    "fmod": (2, _without_events("rem")),
    "fmin": (2, _without_events("min")),
    "fmax": (2, _without_events("max")),
    "hypot": (2, _square_sum_root),
}


def mathematics(context: Context, cls: ClassEntry, layout: Layout, values: dict[str, Value]) -> Expr | None:
    """The value of a call, if the C function is one of mathematics: the same expression as that of the
    built-in function. `external "builtin"` names these too."""
    call = external_call(context.layouts, cls, layout)
    outputs = [e for e in layout.elements.values() if causality_of(context.layouts, e) == "output"]
    known = _MATHEMATICS.get("fabs" if call.is_builtin and call.name == "abs" else call.name)
    if (
        call.name == "peek"
        and context.functions.provided is not None
        and call.lexical.source is context.functions.provided.source
    ):
        known = (2, _builtin("peek"))
    if known is None or call.result is None or len(outputs) != 1 or len(call.args) != known[0]:
        return None
    if call.result.text != outputs[0].name:
        return None
    scope = Scope(None, call.lexical, dict(values), in_function=True)
    args: list[Expr] = []
    for argument in call.args:
        value = context.lower(context, argument, scope)
        if not isinstance(value, Expr) or value.type not in (Type.REAL, Type.INTEGER, Type.OBJECT):
            return None
        args.append(value if call.name == "peek" else x.call("real", value))
    return known[1](*args)


# ---------------------------------------------------------------- messages

#: Functions by which C code reports a failure. The rest of a format is of no interest.
_ERRORS = ("ModelicaError", "ModelicaFormatError", "ModelicaVFormatError")


def error_call(
    context: Context, cls: ClassEntry, layout: Layout, values: dict[str, Value], span: Span
) -> Expr | None:
    """The call of a function that fails with a message, if the C function is one of those that do: as an
    assertion would. The message is part of the function, since Strings are not in the program."""
    call = external_call(context.layouts, cls, layout)
    if call.name not in _ERRORS or not call.args:
        return None
    message = context.lower(context, call.args[0], Scope(None, call.lexical, dict(values), in_function=True))
    if not isinstance(message, Expr):
        return None
    text = str(message.data) if message.op is Op.CONST else show(message)
    if context.functions.work.depth:
        raise model_error("E208", f"`{cls.full_name}` is called at translation: {text}", span)
    failing = (_failure(context.functions, cls, text, span),)
    return x.item(x.apply(Function(cls.full_name, (), (Symbol("$done"),), (), failing), ()), 0)


#: Functions that print messages.
_SAY = frozenset(
    {"ModelicaInternal_print", "ModelicaMessage", "ModelicaWarning", "ModelicaStreams_closeFile"}
)
#: Functions that would write a file. They say that they have not.
_WRITE = frozenset({"ModelicaIO_writeRealMatrix"})
#: What does nothing.
_SILENCE = Function("silence", (), (Symbol("$done"),), (), ())
DONE = x.item(x.apply(_SILENCE, ()), 0)


class Changing(Exception):
    """A function that is called at the start changes files or says something: it is executed, with Strings
    and all, in place of being translated."""


def refuse_to_change(layouts: Layouts, cls: ClassEntry, layout: Layout) -> None:
    """Raises `Changing` for an external function that changes something."""
    if external_call(layouts, cls, layout).name in CHANGING:
        raise Changing


_SILENT: Table[ClassEntry, bool] = Table("functions whose silence was told")


def only_prints(layouts: Layouts, cls: ClassEntry, layout: Layout) -> bool:
    """Whether a C function only prints or writes to a file."""
    return layout.external is not None and external_call(layouts, cls, layout).name in _SAY | _WRITE


def message(context: Context, cls: ClassEntry, layout: Layout, span: Span) -> Expr | None:
    """The call of a function that only prints or writes a file: one that does nothing. There are no texts in
    native code, so nothing is printed or written; there is a warning about it, and a function that returns
    whether it has written something returns false."""
    if not only_prints(context.layouts, cls, layout):
        return None
    writes = external_call(context.layouts, cls, layout).name in _WRITE
    silent = _SILENT.of(context)
    if cls not in silent:
        silent[cls] = True
        text = f"what `{cls.full_name}` says is not shown: a run has no texts"
        if writes:
            text = f"what `{cls.full_name}` would write is not written: a run has no files, and it is told so"
        context.reporter.report(Diagnostic("W205", text, span))
    return FALSE if writes else DONE


def _failure(
    functions: Functions, cls: ClassEntry, text: str, span: Span, detail: Callable[[], str] | None = None
) -> Fail:
    functions.faults += 1
    return Fail(FUNCTION_FAILED + functions.faults, FunctionFault(cls.full_name, text, span, detail))


# ---------------------------------------------------------------- bodies

#: Makes a function of a class for the given inputs.
Specialise = Callable[[ClassEntry, Sequence[Value]], Function]


def external_body(
    builder: FunctionBuilder, specialise: Specialise, span: Span
) -> tuple[tuple[Statement, ...], tuple[Symbol, ...]]:
    """The statements of an external function; it needs no variables but its inputs and outputs."""
    context, cls, layout = builder.context, builder.cls, builder.layout
    known = mathematics(context, cls, layout, {n: whole_of(v) for n, v in builder.locals.items()})
    if known is not None:
        return (Assign(builder.output_symbols[0], known),), ()
    call = external_call(context.layouts, cls, layout)
    defaults, others = builder.lower()
    if call.language.upper().startswith("FORTRAN"):
        linear_algebra = _fortran(builder, call)
        if linear_algebra is not None:
            return (*defaults, linear_algebra), others
    own = own_class(_in_modelica(context), call.name)
    provided = _in_python(context, call.name)
    if own is None and provided is None and has_code(context, call.lexical, layout):
        failed = Symbol("$failed", Type.INTEGER)
        return (*defaults, *_compiled(builder, call, failed, span)), (*others, failed)
    if own is None and provided is None:
        if len(context.functions.lowering) > 1 and context.functions.work.depth == 0:
            # Perhaps the function around it never comes here.
            text = f"the external {call.language} function `{call.name}` is not provided"
            return (*defaults, _failure(context.functions, cls, text, span)), others
        raise _not_provided(cls, call, span)
    targets, args = _arguments(builder, call)
    if own is not None:
        function = specialise(own, args)
    else:
        assert provided is not None
        if not _takes(provided.call, len(args)):
            given = f"`{cls.full_name}` gives {number(len(args), 'argument')} to the external function"
            what = f"{given} `{call.name}`, which takes another number"
            raise model_error("E212", what, call.lexical.at(layout.external or cls.definition))
        inputs = tuple(_like(f"argument{k + 1}", value) for k, value in enumerate(args))
        function = Function(call.name, inputs, targets, (), (), external=provided)
    if [(s.type, s.shape) for s in targets] != [(s.type, s.shape) for s in function.outputs]:
        what = f"`{cls.full_name}` has other results than the external function `{call.name}`"
        raise model_error("E212", what, call.lexical.at(layout.external or cls.definition))
    return (*defaults, CallFunction(targets, function, tuple(map(_argument, args)))), others


def _takes(function: Callable[..., object], count: int) -> bool:
    """Whether a Python function can be called with this number of arguments."""
    try:
        signature(function).bind(*range(count))
    except TypeError:
        return False
    return True


def _fortran(builder: FunctionBuilder, call: ExternalCall) -> Statement | None:
    """A call of LAPACK or BLAS: all arguments are given, and those that are outputs of the class are results.
    None if there is no routine of that name."""
    routine = lapack.routine(call.name)
    if routine is None or len(routine.arguments) != len(call.args):
        return None
    outputs = _outputs(builder)
    scope = builder.scope(call.lexical)
    targets: list[Symbol] = []
    results: list[int | None] = []
    if call.result is not None:
        targets.append(_result(builder, call, call.result, outputs))
        results.append(None)
    texts: dict[int, str] = {}
    args: list[Value] = []
    for k, argument in enumerate(call.args):
        value = builder.context.lower(builder.context, argument, scope)
        if isinstance(value, Expr) and value.type is Type.STRING:
            what = f"what `{call.name}` is told"
            texts[k] = str(builder.context.evaluation.constant(value, call.lexical.at(argument), what))
            continue
        args.append(value)
        if isinstance(argument, ast.Reference) and argument.text in outputs:
            targets.append(outputs[argument.text])
            results.append(k)
    inputs = tuple(_like(f"argument{k + 1}", value) for k, value in enumerate(args))
    provided = Provided(
        f"lapack.{routine.name}",
        partial(lapack.call_routine, routine, texts, results),
        Fortran(routine.name, routine.arguments, routine.has_value, texts, tuple(results)),
    )
    function = Function(call.name, inputs, tuple(targets), (), (), external=provided)
    return CallFunction(tuple(targets), function, tuple(map(_argument, args)))


def _compiled(
    builder: FunctionBuilder, call: ExternalCall, failed: Symbol, span: Span
) -> tuple[Statement, ...]:
    """A call of C code that comes with the model; `failed` says whether C has reported an error."""
    context, outputs = builder.context, _outputs(builder)
    scope = builder.scope(call.lexical)
    arguments: list[Value | Symbol] = []
    for argument in call.args:
        target = outputs.get(argument.text) if isinstance(argument, ast.Reference) else None
        arguments.append(target if target is not None else context.lower(context, argument, scope))
    result = _result(builder, call, call.result, outputs) if call.result is not None else None
    provided, targets = compiled_call(
        context, call.name, call.lexical, builder.layout, arguments, result, span
    )
    given = [a for a in arguments if not isinstance(a, Symbol)]
    inputs = tuple(_like(f"argument{k + 1}", value) for k, value in enumerate(given))
    function = Function(call.name, inputs, (*targets, failed), (), (), external=provided)
    text = f"the C function `{call.name}` reports an error"
    failure = _failure(context.functions, builder.cls, text, span, provided.said)
    return (
        CallFunction((*targets, failed), function, tuple(map(_argument, given))),
        If(((x.relation(Op.NE, ref(failed), x.ZERO), (failure,)),)),
    )


def _outputs(builder: FunctionBuilder) -> dict[str, Symbol]:
    return {v.symbol.name: v.symbol for local in builder.outputs for v in variables_of(local)}


def _arguments(builder: FunctionBuilder, call: ExternalCall) -> tuple[tuple[Symbol, ...], list[Value]]:
    """Where the results go, and the values that the function is given: an argument that is an output of the
    class is a result."""
    targets: list[Symbol] = []
    args: list[Value] = []
    outputs = _outputs(builder)
    scope = builder.scope(call.lexical)
    if call.result is not None:
        targets.append(_result(builder, call, call.result, outputs))
    for argument in call.args:
        if isinstance(argument, ast.Reference) and argument.text in outputs:
            targets.append(outputs[argument.text])
        else:
            args.append(builder.context.lower(builder.context, argument, scope))
    return tuple(targets), args


def _result(
    builder: FunctionBuilder, call: ExternalCall, result: ast.Reference, outputs: dict[str, Symbol]
) -> Symbol:
    """Where the value of an external function goes."""
    if result.text not in outputs:
        what = f"`{result.text}` should have the value of `{call.name}`, but is not an output of the function"
        raise model_error("E212", what, call.lexical.at(builder.layout.external or builder.cls.definition))
    return outputs[result.text]


def _argument(value: Value) -> Expr:
    """A scalar, or an array as functions take it."""
    if isinstance(value, Expr):
        return value
    items = [scalar_item(v) for v in value.items] if isinstance(value, ArrayValue) else []
    base = items[0].args[0] if items and items[0].op is Op.INDEX else None
    if base is not None and items == [x.index(base, *map(const, i)) for i in index_tuples(base.data.shape)]:
        return base  # the whole of an array
    return x.array(shape_of(value), items)


def _like(name: str, value: Value) -> Symbol:
    """A variable for a value."""
    kinds = {item.type for item in scalars_of(value)}
    return Symbol(name, next(iter(kinds)) if len(kinds) == 1 else Type.REAL, shape_of(value))


def _not_provided(cls: ClassEntry, call: ExternalCall, span: Span) -> ModelError:
    return model_error(
        "E204",
        f"`{cls.full_name}` calls the external {call.language} function `{call.name}`, which is not provided",
        span,
        notes=(Note("declared here", cls.span),),
        hint="give its C code by the annotation `Include` or `Library`, or write the function in Modelica",
    )


# ---------------------------------------------------------------- what is provided


def _in_python(context: Context, name: str) -> Provided | None:
    if name in OF_FILES:
        return Provided(name, partial(OF_FILES[name], partial(located, context.library)))
    if name in SEEING or (name in CHANGING and context.functions.at_start):
        return Provided(name, partial((SEEING | CHANGING)[name], context.functions.surroundings))
    return Provided(name, PROVIDED[name]) if name in PROVIDED else None


_TEXT = Path(__file__).with_name("external.mo")


def _in_modelica(context: Context) -> ClassEntry:
    """The package with the functions that are provided, a library of its own."""
    if context.functions.provided is None:
        library = Library(context.library.reader, (_TEXT.parent,))
        context.functions.provided = read_member(library, _TEXT, "External", None)
    return context.functions.provided
