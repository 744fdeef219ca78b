"""Syntax trees as Modelica text, laid out for people: two spaces per level, one element or equation per line.

Reading the printed text gives the same tree but for the offsets. Annotations are copied from the source, and
left out where no source is given.
"""

from __future__ import annotations

from typing import TypeAlias

from saltus.core.source import Source
from saltus.ir import ast
from saltus.read.modelica.printer_expressions import (
    expression_text,
    iterators_text,
    places_text,
    simple_expression_text,
    string_text,
    subscripts_text,
)

Printable: TypeAlias = (
    ast.StoredDefinition
    | ast.ClassDefinition
    | ast.ComponentClause
    | ast.Import
    | ast.Extends
    | ast.Section
    | ast.Equation
    | ast.Statement
    | ast.Modification
    | ast.Expression
)
_STEP = "  "


def to_text(node: Printable, source: Source | None = None) -> str:
    """The text of a tree or a part of it, without a line end behind it but for a whole file."""
    printer = _Printer(source)
    match node:
        case ast.StoredDefinition():
            printer.stored_definition(node)
            return "\n".join([*printer.lines, ""])
        case ast.ClassDefinition() | ast.ComponentClause() | ast.Import() | ast.Extends():
            printer.element(node, "")
        case ast.Section():
            printer.section(node, "")
        case ast.Modification():
            return printer.modification(node).strip()
        case (
            ast.SimpleEquation() | ast.Connect() | ast.CallEquation() | ast.IfEquation() | ast.ForEquation()
            | ast.WhenEquation() | ast.Assignment() | ast.TupleAssignment() | ast.WhileStatement()
            | ast.BreakStatement() | ast.ReturnStatement()
        ):  # fmt: skip
            printer.item(node, "")
        case _:
            return expression_text(node)
    return "\n".join(printer.lines)


class _Printer:
    """Collects lines; `margin` is the white space before them."""

    def __init__(self, source: Source | None) -> None:
        self.source = source
        self.lines: list[str] = []

    # ------------------------------------------------------------ classes

    def stored_definition(self, node: ast.StoredDefinition) -> None:
        if node.within is not None:
            self.lines.append(f"within {'.'.join(node.within)};" if node.within else "within;")
        for each in node.classes:
            self.element(each, "")

    def element(self, node: ast.Element, margin: str) -> None:
        """One element with its `;`."""
        match node:
            case ast.ClassDefinition():
                self._class(node, margin, _prefixes(node.prefixes))
                if node.constraint is not None:
                    self.lines[-1] += self._constraint(node.constraint)
                self.lines[-1] += ";"
            case ast.ComponentClause():
                self.lines.append(margin + _prefixes(node.prefixes) + self._component_clause(node) + ";")
            case ast.Extends():
                text = f"extends {expression_text(node.type_name)}{self.modification(node.modification)}"
                self.lines.append(margin + text + self._annotation(node.annotation) + ";")
            case ast.Import():
                text = _import(node) + self._description(node.description, node.annotation)
                self.lines.append(f"{margin}{text};")

    def _class(self, node: ast.ClassDefinition, margin: str, prefixes: str) -> None:
        """A class without its `;`; the last line is left open."""
        head = margin + prefixes + _class_prefixes(node)
        body = node.body
        if isinstance(body, ast.LongBody):
            if body.extends_base:
                head += f" extends {node.name}{self.modification(body.modification)}"
            else:
                head += f" {node.name}"
            self.lines.append(head + self._description(node.description, None))
            self._composition(body, margin)
            if node.annotation is not None and self.source is not None:
                self.lines.append(f"{margin + _STEP}{self._annotation(node.annotation).strip()};")
            self.lines.append(f"{margin}end {node.name}")
        else:
            description = self._description(node.description, node.annotation)
            self.lines.append(f"{head} {node.name} = {self._short_body(body)}{description}")

    def _short_body(self, body: ast.ShortBody | ast.EnumerationBody | ast.DerBody) -> str:
        match body:
            case ast.ShortBody():
                causality = f"{body.causality} " if body.causality else ""
                base = expression_text(body.type_name) + subscripts_text(body.subscripts)
                return f"{causality}{base}{self.modification(body.modification)}"
            case ast.EnumerationBody(literals=None):
                return "enumeration(:)"
            case ast.EnumerationBody(literals=literals):
                words = [name + self._description(text, place) for name, text, place in literals or ()]
                return f"enumeration({', '.join(words)})"
            case ast.DerBody():
                return f"der({', '.join([expression_text(body.function), *body.variables])})"

    def _composition(self, body: ast.LongBody, margin: str) -> None:
        protected = False
        for element in body.elements:
            if _is_protected(element) != protected:
                protected = not protected
                self.lines.append(margin + ("protected" if protected else "public"))
            self.element(element, margin + _STEP)
        for section in body.sections:
            self.section(section, margin)
        external = body.external
        if external is not None:
            words = ["external"]
            if external.language is not None:
                words.append(string_text(external.language))
            if external.has_call:
                if external.result is not None:
                    words.append(f"{expression_text(external.result)} =")
                words.append(f"{external.function}({', '.join(map(expression_text, external.args))})")
            self.lines.append(margin + " ".join(words) + self._annotation(external.annotation) + ";")

    # ------------------------------------------------------------ components and modification

    def _component_clause(self, node: ast.ComponentClause) -> str:
        words = [word for word in (node.connection, node.variability, node.causality) if word]
        words.append(expression_text(node.type_name) + subscripts_text(node.subscripts))
        text = " ".join(words) + " " + ", ".join(map(self._declaration, node.declarations))
        return text + (self._constraint(node.constraint) if node.constraint is not None else "")

    def _declaration(self, node: ast.Declaration) -> str:
        text = node.name + subscripts_text(node.subscripts) + self.modification(node.modification)
        if node.condition is not None:
            text += f" if {expression_text(node.condition)}"
        return text + self._description(node.description, node.annotation)

    def _constraint(self, node: ast.ConstrainingClause) -> str:
        text = f" constrainedby {expression_text(node.type_name)}{self.modification(node.modification)}"
        return text + self._description(node.description, node.annotation)

    def modification(self, node: ast.Modification | None) -> str:
        """`(arguments) = value`, to be put behind a name."""
        if node is None:
            return ""
        text = "" if node.arguments is None else f"({', '.join(map(self._argument, node.arguments))})"
        sign = ":=" if node.is_assignment else "="
        if node.is_break:
            return f"{text} {sign} break"
        return text if node.value is None else f"{text} {sign} {expression_text(node.value)}"

    def _argument(self, node: ast.Argument) -> str:
        match node:
            case ast.ElementModification():
                words = ("each " if node.each else "") + ("final " if node.final else "")
                text = words + ".".join(node.name) + self.modification(node.modification)
                return text + self._description(node.description, None)
            case ast.InheritanceBreak(connect=None, name=name):
                return f"break {name}"
            case ast.InheritanceBreak(connect=connect):
                assert connect is not None
                return f"break {_connect(connect)}"
            case ast.ElementRedeclaration():
                flags = [
                    ("redeclare", node.redeclare),
                    ("each", node.each),
                    ("final", node.final),
                    ("replaceable", node.replaceable),
                ]
                words = "".join(f"{word} " for word, holds in flags if holds)
                text = words + self._redeclared(node.element)
                return text + (self._constraint(node.constraint) if node.constraint is not None else "")

    def _redeclared(self, element: ast.ClassDefinition | ast.ComponentClause) -> str:
        if isinstance(element, ast.ComponentClause):
            return self._component_clause(element)
        inner = _Printer(self.source)
        inner._class(element, "", "")
        return "\n".join(inner.lines)

    def _description(self, text: str, annotation: ast.Offsets | None) -> str:
        return (f" {string_text(text)}" if text else "") + self._annotation(annotation)

    def _annotation(self, offsets: ast.Offsets | None) -> str:
        if offsets is None or self.source is None:
            return ""
        return " " + self.source.text[offsets[0] : offsets[1]]

    # ------------------------------------------------------------ sections

    def section(self, node: ast.Section, margin: str) -> None:
        """A section, its word on the margin."""
        word = "algorithm" if node.algorithm else "equation"
        self.lines.append(f"{margin}initial {word}" if node.initial else margin + word)
        for each in node.items:
            self.item(each, margin + _STEP)

    def item(self, node: ast.Item, margin: str) -> None:
        """One equation or statement with its `;`."""
        match node:
            case ast.IfEquation(branches=branches):
                for index, (condition, items) in enumerate(branches):
                    word = "elseif" if index else "if"
                    head = "else" if condition is None else f"{word} {expression_text(condition)} then"
                    self._block(head, items, margin)
                text = "end if"
            case ast.WhenEquation(branches=branches):
                for index, (condition, items) in enumerate(branches):
                    word = "elsewhen" if index else "when"
                    self._block(f"{word} {expression_text(condition)} then", items, margin)
                text = "end when"
            case ast.ForEquation(iterators=iterators, items=items):
                self._block(f"for {iterators_text(iterators)} loop", items, margin)
                text = "end for"
            case ast.WhileStatement(condition=condition, items=items):
                self._block(f"while {expression_text(condition)} loop", items, margin)
                text = "end while"
            case ast.SimpleEquation(left=left, right=right):
                text = f"{simple_expression_text(left)} = {expression_text(right)}"
            case ast.Assignment(target=target, value=value):
                text = f"{expression_text(target)} := {expression_text(value)}"
            case ast.TupleAssignment(targets=targets, call=call):
                text = f"{places_text(targets)} := {expression_text(call)}"
            case ast.CallEquation(call=call):
                text = expression_text(call)
            case ast.Connect():
                text = _connect(node)
            case ast.BreakStatement():
                text = "break"
            case ast.ReturnStatement():
                text = "return"
        self.lines.append(f"{margin}{text}{self._description(node.description, node.annotation)};")

    def _block(self, head: str, items: tuple[ast.Item, ...], margin: str) -> None:
        self.lines.append(margin + head)
        for each in items:
            self.item(each, margin + _STEP)


def _prefixes(node: ast.ElementPrefixes) -> str:
    flags = [
        ("redeclare", node.redeclare),
        ("final", node.final),
        ("inner", node.inner),
        ("outer", node.outer),
        ("replaceable", node.replaceable),
    ]
    return "".join(f"{word} " for word, holds in flags if holds)


def _class_prefixes(node: ast.ClassDefinition) -> str:
    flags = [
        ("encapsulated", node.encapsulated),
        ("partial", node.partial),
        (node.purity, bool(node.purity)),
        ("expandable", node.expandable),
        ("operator", node.operator),
        (node.kind, True),
    ]
    return " ".join(word for word, holds in flags if holds)


def _import(node: ast.Import) -> str:
    name = ".".join(node.name)
    if node.alias:
        return f"import {node.alias} = {name}"
    if node.wildcard:
        return f"import {name}.*"
    if node.names:
        return f"import {name}.{{{', '.join(node.names)}}}"
    return f"import {name}"


def _connect(node: ast.Connect) -> str:
    return f"connect({expression_text(node.left)}, {expression_text(node.right)})"


def _is_protected(element: ast.Element) -> bool:
    if isinstance(element, ast.Import | ast.Extends):
        return element.protected
    return element.prefixes.protected
