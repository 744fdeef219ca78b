"""`String(...)`: values as text (section 3.7.1.2). The options become a format as C has it."""

from __future__ import annotations

from saltus.core.diagnostics import model_error
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Type, const
from saltus.ir import ast
from saltus.lower.builtin_call import Place, scalar_argument, wrong
from saltus.lower.enumerations import enumeration_literal
from saltus.lower.lookup import resolve_class
from saltus.lower.values import Value


def string_of(args: list[Value], place: Place) -> Value:
    """The text of a value."""
    if not args:
        raise wrong(place, "String", "a value")
    e = scalar_argument(args[0], place, "String")
    literals = _literals(e, place)
    if e.type in (Type.STRING, Type.OBJECT):
        raise model_error("E205", f"`String` takes no {e.type.value}", place.span)
    options = _options(args, e.type is Type.REAL, place)
    if literals:
        text: Expr = const(literals[-1])
        for k in range(len(literals) - 2, -1, -1):
            text = x.if_(x.relation(Op.EQ, e, const(k + 1)), const(literals[k]), text)
        return x.call("format", text, _format(options, "s")) if options else text
    if not options:
        return x.call("String", e)
    if "format" in options:
        return x.call("format", e, options["format"])
    if e.type is Type.BOOLEAN:
        return x.call("format", x.call("String", e), _format(options, "s"))
    if e.type is Type.INTEGER:
        return x.call("format", e, _format(options, "d"))
    digits = _text(options.get("significantDigits", const(6)))
    return x.call("format", e, _joined(_format(options, "."), digits, const("g")))


def _options(args: list[Value], real: bool, place: Place) -> dict[str, Expr]:
    """The options by name. By position they are those of the type, or one format."""
    names = ["significantDigits"] if real else []
    names += ["minimumLength", "leftJustified"]
    call = place.call
    positional = args[1 : len(call.args)]
    if len(positional) == 1 and isinstance(positional[0], Expr) and positional[0].type is Type.STRING:
        names = ["format"]
    if len(positional) > len(names):
        raise wrong(place, "String", "a value and options")
    # The arguments by name come in the order of `NAMED_ARGUMENTS`.
    order = ("significantDigits", "minimumLength", "leftJustified", "format")
    given = dict(zip(names, positional, strict=False))
    named = [name for name in order if name in dict(call.named)]
    given |= dict(zip(named, args[len(call.args) :], strict=True))
    found = {name: scalar_argument(v, place, "String") for name, v in given.items()}
    if ("format" in found and len(found) > 1) or ("significantDigits" in found and not real):
        raise model_error("E212", "these options of `String` do not go together", place.span)
    types = {"format": Type.STRING, "leftJustified": Type.BOOLEAN}
    for name, e in found.items():
        if e.type is not types.get(name, Type.INTEGER):
            raise model_error("E205", f"the option `{name}` of `String` is of another type", place.span)
    return found


def _format(options: dict[str, Expr], conversion: str) -> Expr:
    left = options.get("leftJustified", const(True))
    length = options.get("minimumLength", const(0))
    return _joined(x.if_(left, const("-"), const("")), _text(length), const(conversion))


def _text(e: Expr) -> Expr:
    return const(str(e.data)) if e.op is Op.CONST else x.call("String", e)


def _joined(*texts: Expr) -> Expr:
    result = texts[0]
    for t in texts[1:]:
        both = result.op is Op.CONST and t.op is Op.CONST
        result = const(result.data + t.data) if both else x.call("concat", result, t)
    return result


def _literals(e: Expr, place: Place) -> tuple[str, ...] | None:
    """The names of an enumeration's literals, if the argument is a variable or literal of one."""
    if e.op is Op.REF:
        scalar = place.context.scalars.get(e.data)
        if scalar is not None:
            return scalar.enumeration
    given = place.call.args[0] if place.call.args else None
    if not isinstance(given, ast.Reference):
        return None
    if place.scope.in_function:
        element = place.context.layouts.of(place.scope.lexical).elements.get(given.parts[0][0])
        if element is not None and len(given.parts) == 1:
            type_ = resolve_class(element.clause.type_name, element.lexical)
            return place.context.layouts.of(type_).enumeration
    if e.op is not Op.CONST or enumeration_literal(place.context, given, place.scope) is None:
        return None
    return (*[""] * (e.data - 1), given.parts[-1][0])
