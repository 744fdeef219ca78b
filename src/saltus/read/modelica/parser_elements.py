"""Modifications and the elements of a class other than classes: components, imports, extends clauses
(Modelica 3.6, A.2.3 to A.2.5)."""

from __future__ import annotations

from abc import abstractmethod

from saltus.ir import ast
from saltus.read.modelica.lexer import KEYWORDS, NAME
from saltus.read.modelica.parser_sections import SectionParser
from saltus.read.modelica.slips import instead_of_declaration, near_section_word

CLASS_WORDS = frozenset(
    ["encapsulated", "partial", "class", "model", "operator", "record", "block", "expandable", "connector",
     "type", "package", "pure", "impure", "function"]
)  # fmt: skip
_CONNECTIONS = frozenset(["flow", "stream"])
_VARIABILITIES = frozenset(["discrete", "parameter", "constant"])
_CAUSALITIES = frozenset(["input", "output"])
_TYPE_PREFIXES = _CONNECTIONS | _VARIABILITIES | _CAUSALITIES
_ELEMENT_WORDS = ("redeclare", "final", "inner", "outer", "replaceable")
_PROTECTED = ast.ElementPrefixes(protected=True)


class ElementParser(SectionParser):
    """The part of the parser that reads modifications and elements."""

    @abstractmethod
    def class_definition(
        self, start: int, prefixes: ast.ElementPrefixes, *, short: bool = False
    ) -> ast.ClassDefinition:
        """A class, from `encapsulated` or its prefixes on; `short` inside a modification."""

    # ------------------------------------------------------------ elements

    def element(self, protected: bool) -> ast.Element:
        """One element of a class, without its `;`."""
        kind = self.kinds[self.at]
        start = self.starts[self.at]
        nothing = _PROTECTED if protected else ast.NO_PREFIXES
        if kind == NAME or kind in _TYPE_PREFIXES:
            return self._component_clause(start, nothing)
        if kind == "extends":
            return self._extends(protected)
        if kind in CLASS_WORDS:
            return self.class_definition(start, nothing)
        if kind == "import":
            return self._import(protected)
        if kind == ".":
            return self._component_clause(start, nothing)
        prefixes = self._element_prefixes(protected)
        if self.kinds[self.at] in CLASS_WORDS:
            return self.class_definition(start, prefixes)
        if self.kinds[self.at] in ("extends", "import"):
            self.fail(f"`{self.kinds[self.at]}` takes no prefixes")
        return self._component_clause(start, prefixes)

    def _element_prefixes(self, protected: bool) -> ast.ElementPrefixes:
        kinds = self.kinds
        found: set[str] = set()
        for word in _ELEMENT_WORDS:
            if kinds[self.at] == word:
                found.add(word)
                self.at += 1
        if kinds[self.at] in _ELEMENT_WORDS:
            word = kinds[self.at]
            if word in found:
                self.fail(f"`{word}` stands here twice")
            order = " ".join(f"`{each}`" for each in _ELEMENT_WORDS)
            self.fail(f"`{word}` stands in the wrong place", hint=f"the order is {order}")
        if not found and self.kinds[self.at] in KEYWORDS:
            hint = instead_of_declaration(self.kinds[self.at])
            self.unexpected("a declaration, an equation section or `end`", hint=hint)
        return ast.ElementPrefixes(**dict.fromkeys(found, True), protected=protected)

    def _component_clause(self, start: int, prefixes: ast.ElementPrefixes) -> ast.ComponentClause:
        kinds = self.kinds
        connection, variability, causality = self._type_prefix()
        type_name = self.type_name("a type")
        subscripts = self.subscripts() if kinds[self.at] == "[" else ()
        if kinds[self.at] != NAME:
            self._no_component(type_name)
        declarations = [self._declaration(True)]
        while kinds[self.at] == ",":
            self.at += 1
            declarations.append(self._declaration(True))
        constraint = None
        if kinds[self.at] == "constrainedby":
            if not prefixes.replaceable:
                self.fail("`constrainedby` without `replaceable`")
            constraint = self.constraint(True)
        return ast.ComponentClause(
            start, self.ends[self.at - 1], type_name, subscripts, tuple(declarations), connection,
            variability, causality, prefixes, constraint,
        )  # fmt: skip

    def _no_component(self, type_name: ast.Reference) -> None:
        kind = self.kinds[self.at]
        hint = near_section_word(type_name.text)
        if hint is None and (kind == "=" or kind == "("):
            hint = "a declaration is `Type name`; an equation stands behind the word `equation`"
        elif hint is None and kind == ":=":
            hint = "an assignment stands behind the word `algorithm`"
        if hint is not None:
            self.unexpected(f"the name of a component of type `{type_name.text}`", hint=hint)
        self.no_name(f"a component of type `{type_name.text}`")

    def _type_prefix(self) -> tuple[str, str, str]:
        kinds = self.kinds
        kind = kinds[self.at]
        if kind == NAME:
            return "", "", ""
        connection = variability = causality = ""
        if kind in _CONNECTIONS:
            connection = kind
            self.at += 1
            kind = kinds[self.at]
        if kind in _VARIABILITIES:
            variability = kind
            self.at += 1
            kind = kinds[self.at]
        if kind in _CAUSALITIES:
            causality = kind
            self.at += 1
            kind = kinds[self.at]
        if kind in _TYPE_PREFIXES:
            self.fail(
                f"`{kind}` cannot stand after {self.show(self.at - 1)}",
                hint="the order is `flow` or `stream`, then `discrete`, `parameter` or `constant`, then "
                "`input` or `output`, one of each",
            )
        if kind in _ELEMENT_WORDS:
            self.fail(f"`{kind}` must stand before {self.show(self.at - 1)}")
        return connection, variability, causality

    def _declaration(self, may_be_conditional: bool) -> ast.Declaration:
        kinds = self.kinds
        first = self.at
        name = self.name("a component")
        kind = kinds[self.at]
        subscripts: tuple[ast.Expression, ...] = ()
        if kind == "[":
            subscripts = self.subscripts()
            kind = kinds[self.at]
        modification = None
        if kind == "(" or kind == "=" or kind == ":=":
            modification = self._modification(kind)
            kind = kinds[self.at]
        condition = None
        if may_be_conditional and kind == "if":
            self.at += 1
            condition = self.expression()
        description, annotation = self.description()
        return ast.Declaration(
            self.starts[first], self.ends[self.at - 1], name, subscripts, modification, condition,
            description, annotation,
        )  # fmt: skip

    def _extends(self, protected: bool) -> ast.Extends:
        start = self.starts[self.at]
        self.at += 1
        type_name = self.type_name()
        modification = self.class_modification(True) if self.kinds[self.at] == "(" else None
        annotation = self.annotation()
        return ast.Extends(start, self.ends[self.at - 1], type_name, modification, annotation, protected)

    def _import(self, protected: bool) -> ast.Import:
        kinds = self.kinds
        start = self.starts[self.at]
        self.at += 1
        alias = ""
        wildcard = False
        names: tuple[str, ...] = ()
        if kinds[self.at] == NAME and kinds[self.at + 1] == "=":
            alias = self.texts[self.at]
            self.at += 2
            name = self.dotted_name("a class")
        else:
            name, wildcard, names = self._imported()
        description, annotation = self.description()
        return ast.Import(
            start, self.ends[self.at - 1], name, alias, wildcard, names, description, annotation, protected
        )

    def _imported(self) -> tuple[tuple[str, ...], bool, tuple[str, ...]]:
        """`a.b`, `a.*` (one token or two) or `a.{b, c}`."""
        kinds = self.kinds
        name = [self.name("a package or class")]
        while True:
            if kinds[self.at] == ".*":
                self.at += 1
                return tuple(name), True, ()
            if kinds[self.at] != ".":
                return tuple(name), False, ()
            self.at += 1
            if kinds[self.at] == "*":
                self.at += 1
                return tuple(name), True, ()
            if kinds[self.at] == "{":
                opener = self.at
                self.at += 1
                names = [self.name("a class")]
                while kinds[self.at] == ",":
                    self.at += 1
                    names.append(self.name("a class"))
                self.close("}", opener)
                return tuple(name), False, tuple(names)
            name.append(self.name(f"an element of `{name[-1]}`"))

    def constraint(self, described: bool) -> ast.ConstrainingClause:
        """`constrainedby Type(modification)`, with a description where the grammar has one."""
        start = self.starts[self.at]
        self.at += 1
        type_name = self.type_name()
        modification = self.class_modification() if self.kinds[self.at] == "(" else None
        description, annotation = self.description() if described else ("", None)
        return ast.ConstrainingClause(
            start, self.ends[self.at - 1], type_name, modification, description, annotation
        )

    # ------------------------------------------------------------ modification

    def _modification(self, kind: str) -> ast.Modification:
        """modification: at `(`, `=` or `:=`."""
        at = self.at
        start = self.starts[at]
        arguments = None
        if kind == "(":
            arguments, end = self._arguments(False)
            if self.kinds[self.at] != "=":
                return ast.Modification(start, end, arguments)
        self.at += 1
        if self.kinds[self.at] == "break":
            self.at += 1
            return ast.Modification(start, self.ends[self.at - 1], arguments, None, True, kind == ":=")
        value = self.expression()
        return ast.Modification(start, value.end, arguments, value, False, kind == ":=")

    def class_modification(self, may_break: bool = False) -> ast.Modification:
        """class-modification, at `(`; in an extends clause it may hold inheritance breaks."""
        start = self.starts[self.at]
        arguments, end = self._arguments(may_break)
        return ast.Modification(start, end, arguments)

    def _arguments(self, may_break: bool) -> tuple[tuple[ast.Argument, ...], int]:
        kinds = self.kinds
        opener = self.at
        self.at = opener + 1
        found: list[ast.Argument] = []
        if kinds[opener + 1] != ")":
            while True:
                if kinds[self.at] == "break" and may_break:
                    found.append(self._inheritance_break())
                else:
                    found.append(self._argument())
                if kinds[self.at] != ",":
                    break
                self.at += 1
        end = self.close(")", opener)
        return tuple(found), end

    def _argument(self) -> ast.Argument:
        kinds = self.kinds
        at = self.at
        start = self.starts[at]
        each = final = redeclare = False
        kind = kinds[at]
        if kind != NAME:
            if kind == "redeclare":
                redeclare = True
                self.at = at = at + 1
                kind = kinds[at]
            if kind == "each":
                each = True
                self.at = at = at + 1
                kind = kinds[at]
            if kind == "final":
                final = True
                self.at = at = at + 1
                kind = kinds[at]
            if redeclare or kind == "replaceable":
                return self._redeclaration(start, redeclare, each, final)
            if kind in ("redeclare", "each"):
                self.fail(
                    f"`{kind}` stands in the wrong place", hint="the order is `redeclare` `each` `final`"
                )
        name = self.dotted_name("a modified element")
        kind = kinds[self.at]
        modification = None
        if kind == "=" or kind == "(" or kind == ":=":
            modification = self._modification(kind)
        description = self.description_string()
        return ast.ElementModification(
            start, self.ends[self.at - 1], name, modification, each, final, description
        )

    def _redeclaration(
        self, start: int, redeclare: bool, each: bool, final: bool
    ) -> ast.ElementRedeclaration:
        replaceable = self.kinds[self.at] == "replaceable"
        if replaceable:
            self.at += 1
        here = self.starts[self.at]
        element: ast.ClassDefinition | ast.ComponentClause
        if self.kinds[self.at] in CLASS_WORDS:
            element = self.class_definition(here, ast.NO_PREFIXES, short=True)
        else:
            element = self._component_clause1(here)
        constraint = None
        if self.kinds[self.at] == "constrainedby":
            if not replaceable:
                self.fail("`constrainedby` without `replaceable`")
            constraint = self.constraint(False)
        return ast.ElementRedeclaration(
            start, self.ends[self.at - 1], element, redeclare, replaceable, each, final, constraint
        )

    def _component_clause1(self, start: int) -> ast.ComponentClause:
        connection, variability, causality = self._type_prefix()
        type_name = self.type_name("a type")
        if self.kinds[self.at] != NAME:
            self._no_component(type_name)
        declaration = self._declaration(False)
        return ast.ComponentClause(
            start, self.ends[self.at - 1], type_name, (), (declaration,), connection, variability, causality
        )

    def _inheritance_break(self) -> ast.InheritanceBreak:
        start = self.starts[self.at]
        self.at += 1
        if self.kinds[self.at] == "connect":
            connect = self.connect()
            return ast.InheritanceBreak(start, connect.end, connect)
        name = self.name("an inherited component")
        return ast.InheritanceBreak(start, self.ends[self.at - 1], None, name)
