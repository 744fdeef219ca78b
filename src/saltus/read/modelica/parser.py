"""The entry points of the Modelica parser: text of a file, an annotation or an expression to its tree.

The parser is hand-written, one method per rule of the grammar, one class per chapter of it, each built on the
one before (`token_stream`, `parser_expressions`, `parser_sections`, `parser_elements`, `parser_classes`). A
generator would be slower in Python and could not say what went wrong.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TypeVar

from saltus.core.diagnostics import Diagnostic, ModelError, model_error
from saltus.core.source import Source
from saltus.ir import ast
from saltus.read.modelica.lexer import ANNOTATION, END_OF_TEXT, tokenise
from saltus.read.modelica.parser_classes import ClassParser
from saltus.read.modelica.token_stream import Fault

_Result = TypeVar("_Result")


def parse(source: Source) -> ast.StoredDefinition:
    """The tree of a whole file. Raises `ModelError` (E101) with up to ten syntax errors."""
    return _run(ClassParser(source, tokenise(source)), ClassParser.stored_definition)


def parse_annotation(source: Source, offsets: ast.Offsets) -> ast.Modification:
    """The arguments of an annotation that the tree keeps as a stretch of text."""
    start, end = offsets
    parser = ClassParser(source, tokenise(source, start + len(ANNOTATION), end), lenient_escapes=True)
    return _run(parser, ClassParser.class_modification)


def parse_expression(text: str | Source) -> ast.Expression:
    """The tree of one expression, which must be the whole text."""
    source = Source("expression", text) if isinstance(text, str) else text
    return _run(ClassParser(source, tokenise(source)), ClassParser.expression)


def _run(parser: ClassParser, rule: Callable[[ClassParser], _Result]) -> _Result:
    """Applies a rule to the whole text; raises all errors together."""
    # A tree has no cycles: the collector would only walk through all of it, again and again.
    collecting = gc.isenabled()
    gc.disable()
    try:
        result = rule(parser)
        if parser.kinds[parser.at] != END_OF_TEXT:
            parser.unexpected("the end of the text", hint=parser.operator_hint())
    except Fault as fault:
        raise ModelError([*parser.errors, fault.diagnostic]) from None
    except RecursionError:
        raise _too_deep(parser) from None
    finally:
        if collecting:
            gc.enable()
    if parser.errors:
        raise ModelError(parser.errors)
    return result


def _too_deep(parser: ClassParser) -> ModelError:
    span = parser.token_span(min(parser.at, len(parser.kinds) - 1))
    message = "nested too deeply"
    hint = "give parts of the expression a name, or split the class"
    if parser.errors:
        return ModelError([*parser.errors, Diagnostic("E101", message, span, hint=hint)])
    return model_error("E101", message, span, hint=hint)
