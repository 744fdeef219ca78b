"""Class definitions and stored definitions (Modelica 3.6, A.2.1 and A.2.2)."""

from __future__ import annotations

from saltus.core.diagnostics import Diagnostic, Note
from saltus.core.source import Source
from saltus.ir import ast
from saltus.read.modelica.lexer import ANNOTATION, END_OF_TEXT, NAME, STRING, Tokens
from saltus.read.modelica.parser_elements import CLASS_WORDS, ElementParser
from saltus.read.modelica.slips import near_class_word
from saltus.read.modelica.token_stream import Fault

_SECTION_WORDS = frozenset(["equation", "algorithm", "initial"])
_KINDS = frozenset(
    ["class", "model", "record", "block", "connector", "type", "package", "function", "operator"]
)


class ClassParser(ElementParser):
    """The part of the parser that reads classes and whole files."""

    def __init__(self, source: Source, tokens: Tokens, *, lenient_escapes: bool = False) -> None:
        super().__init__(source, tokens, lenient_escapes=lenient_escapes)
        self._open_classes: list[str] = []

    def stored_definition(self) -> ast.StoredDefinition:
        """A whole file."""
        kinds = self.kinds
        within: tuple[str, ...] | None = None
        classes: list[ast.ClassDefinition] = []
        try:
            if kinds[self.at] == "within":
                self.at += 1
                within = () if kinds[self.at] == ";" else self.dotted_name("a package")
                self.semicolon()
        except Fault as fault:
            self.recover(fault)
        while kinds[self.at] != END_OF_TEXT:
            try:
                classes.append(self._stored_class())
                self.semicolon()
            except Fault as fault:
                self._recover_class(fault)
        return ast.StoredDefinition(0, len(self.source.text), within, tuple(classes))

    def _stored_class(self) -> ast.ClassDefinition:
        start = self.starts[self.at]
        final = self.kinds[self.at] == "final"
        if final:
            self.at += 1
        if self.kinds[self.at] not in CLASS_WORDS:
            hint = None
            if self.kinds[self.at] == "end":
                hint = "every class is closed already; is there one `end` too many?"
            elif self.kinds[self.at] == "within":
                hint = "`within` stands once, at the beginning of a file"
            else:
                near = near_class_word(self.texts[self.at])
                hint = near or "a file begins with a class, such as `model M`"
            found = self.show(self.at)
            self.fail(f"expected a class such as `model M ... end M;`, found {found}", hint=hint)
        prefixes = ast.ElementPrefixes(final=True) if final else ast.NO_PREFIXES
        return self.class_definition(start, prefixes)

    def _recover_class(self, fault: Fault) -> None:
        """Continues at the next `;` that a class definition follows; the text in between would only
        mislead."""
        self.complain(fault.diagnostic)
        kinds = self.kinds
        self.subscript_depth = 0
        self._open_classes.clear()
        if kinds[self.at] != END_OF_TEXT:
            self.at += 1
        while kinds[self.at] != END_OF_TEXT and not (
            kinds[self.at - 1] == ";" and (kinds[self.at] in CLASS_WORDS or kinds[self.at] == "final")
        ):
            self.at += 1

    # ------------------------------------------------------------ one class

    def class_definition(
        self, start: int, prefixes: ast.ElementPrefixes, *, short: bool = False
    ) -> ast.ClassDefinition:
        """class-definition; with `short` only the short forms, as in a modification."""
        kinds = self.kinds
        encapsulated = kinds[self.at] == "encapsulated" and not short
        if encapsulated:
            self.at += 1
        partial = kinds[self.at] == "partial"
        if partial:
            self.at += 1
        kind, operator, expandable, purity = self._class_kind()
        body: ast.LongBody | ast.ShortBody | ast.EnumerationBody | ast.DerBody
        if kinds[self.at] == "extends" and not short:
            self.at += 1
            name, description, annotation, body = self._long_class(kind, True)
        elif kinds[self.at] == NAME and kinds[self.at + 1] != "=" and not short:
            name, description, annotation, body = self._long_class(kind, False)
        else:
            name = self.name(f"a {kind}")
            self.expect("=")
            body = self._short_body(short)
            description, annotation = self.description()
        constraint = None
        if prefixes.replaceable and kinds[self.at] == "constrainedby":
            constraint = self.constraint(True)
        return ast.ClassDefinition(
            start, self.ends[self.at - 1], name, kind, body, partial, encapsulated, operator, expandable,
            purity, description, annotation, prefixes, constraint,
        )  # fmt: skip

    def _class_kind(self) -> tuple[str, bool, bool, str]:
        """Kind, `operator`, `expandable`, and `pure` or `impure`."""
        kinds = self.kinds
        purity = ""
        if kinds[self.at] in ("pure", "impure"):
            purity = kinds[self.at]
            self.at += 1
        expandable = kinds[self.at] == "expandable" and not purity
        if expandable:
            self.at += 1
        operator = (
            kinds[self.at] == "operator" and kinds[self.at + 1] in ("record", "function") and not expandable
        )
        if operator:
            self.at += 1
        kind = kinds[self.at]
        if purity and kind != "function":
            self.unexpected(f"`function` after `{purity}`")
        if expandable and kind != "connector":
            self.unexpected("`connector` after `expandable`")
        if kind not in _KINDS:
            self.unexpected(
                "a kind of class", hint="such as `model`, `block`, `record`, `connector`, `function`"
            )
        self.at += 1
        return kind, operator, expandable, purity

    def _short_body(self, short: bool) -> ast.ShortBody | ast.EnumerationBody | ast.DerBody:
        kinds = self.kinds
        first = self.at
        start = self.starts[first]
        kind = kinds[first]
        if kind == "enumeration":
            self.at += 1
            literals = self._enumeration_literals()
            return ast.EnumerationBody(start, self.ends[self.at - 1], literals)
        if kind == "der" and not short:
            self.at += 1
            opener = self.expect("(")
            function = self.type_name("a function")
            self.expect(",")
            variables = [self.name("a variable")]
            while kinds[self.at] == ",":
                self.at += 1
                variables.append(self.name("a variable"))
            end = self.close(")", opener)
            return ast.DerBody(start, end, function, tuple(variables))
        causality = ""
        if kind == "input" or kind == "output":
            causality = kind
            self.at += 1
        type_name = self.type_name()
        subscripts = self.subscripts() if kinds[self.at] == "[" else ()
        modification = self.class_modification() if kinds[self.at] == "(" else None
        return ast.ShortBody(start, self.ends[self.at - 1], causality, type_name, subscripts, modification)

    def _enumeration_literals(self) -> tuple[tuple[str, str, ast.Offsets | None], ...] | None:
        kinds = self.kinds
        opener = self.expect("(")
        if kinds[self.at] == ":":
            self.at += 1
            self.close(")", opener)
            return None
        literals: list[tuple[str, str, ast.Offsets | None]] = []
        while kinds[self.at] != ")":
            name = self.name("an enumeration literal")
            description, annotation = self.description()
            literals.append((name, description, annotation))
            if kinds[self.at] != ",":
                break
            self.at += 1
            if kinds[self.at] == ")":
                self.no_name("an enumeration literal")
        self.close(")", opener)
        return tuple(literals)

    # ------------------------------------------------------------ long classes

    def _long_class(self, kind: str, extends_base: bool) -> tuple[str, str, ast.Offsets | None, ast.LongBody]:
        """From the name on; returns name, description, annotation and body."""
        name_at = self.at
        name = self.name(f"a {kind}")
        modification = None
        if extends_base and self.kinds[self.at] == "(":
            modification = self.class_modification()
        description = self.description_string()
        self._open_classes.append(name)
        start = self.starts[self.at]
        elements, sections, external, annotation = self._composition()
        end = self.ends[self.at - 1]
        self._end_class(kind, name, name_at)
        self._open_classes.pop()
        body = ast.LongBody(start, max(start, end), elements, sections, external, extends_base, modification)
        return name, description, annotation, body

    def _composition(
        self,
    ) -> tuple[tuple[ast.Element, ...], tuple[ast.Section, ...], ast.External | None, ast.Offsets | None]:
        kinds = self.kinds
        elements: list[ast.Element] = []
        sections: list[ast.Section] = []
        external: ast.External | None = None
        annotation: ast.Offsets | None = None
        protected = False
        while True:
            kind = kinds[self.at]
            if kind == "end" or kind == END_OF_TEXT:
                if self.stray():
                    continue
                break
            try:
                if annotation is not None or (external is not None and kind != ANNOTATION):
                    self._complain_of_order("annotation" if annotation is not None else "external")
                if kind in _SECTION_WORDS:
                    sections.append(self.section())
                elif kind == "public" or kind == "protected":
                    protected = kind == "protected"
                    self.at += 1
                elif kind == "external":
                    external = self._external()
                elif kind == ANNOTATION:
                    annotation = self.annotation()
                    self.semicolon()
                else:
                    elements.append(self.element(protected))
                    if kinds[self.at] == ";":
                        self.at += 1
                    else:
                        self.semicolon()
            except Fault as fault:
                self.recover(fault)
        return tuple(elements), tuple(sections), external, annotation

    def _complain_of_order(self, last: str) -> None:
        """Something follows the end of a class; reported once, then read as usual."""
        message = f"nothing may stand behind the `{last}` of a class"
        if last == "external":
            message += " but its annotation"
        span = self.token_span(self.at)
        if not any(error.message == message for error in self.errors):
            hint = f"move the `{last}` to the end of the class"
            self.complain(Diagnostic("E101", message, span, hint=hint))

    def _external(self) -> ast.External:
        kinds = self.kinds
        start = self.starts[self.at]
        self.at += 1
        language = self.string() if kinds[self.at] == STRING else None
        result: ast.Reference | None = None
        function = ""
        args: tuple[ast.Expression, ...] = ()
        has_call = kinds[self.at] == NAME or kinds[self.at] == "."
        if has_call:
            name_at = self.at
            reference = self.reference("an external function")
            if kinds[self.at] == "=":
                self.at += 1
                result = reference
                function = self.name("an external function")
            elif self.at == name_at + 1:
                function = reference.text
            else:
                self.fail("an external function has a plain name", index=name_at)
            opener = self.expect("(")
            args = () if kinds[self.at] == ")" else self.expression_list()
            self.close(")", opener)
        annotation = self.annotation()
        node = ast.External(
            start, self.ends[self.at - 1], language, result, function, args, has_call, annotation
        )
        self.semicolon()
        return node

    def _end_class(self, kind: str, name: str, name_at: int) -> None:
        """Takes `end name`. A wrong name is reported; one of an outer class is left to that class."""
        opened = Note(f"{kind} `{name}` begins here", self.token_span(name_at))
        if self.kinds[self.at] != "end":
            self.complain(
                self.expected(f"`end {name};`", notes=(opened,), hint=f"{kind} `{name}` is not closed")
            )
            return
        found = self.texts[self.at + 1]
        if self.kinds[self.at + 1] == NAME and found == name:
            self.at += 2
            return
        if self.kinds[self.at + 1] != NAME:
            self.at += 1
            self.complain(
                self.expected(f"`{name}` after `end`", notes=(opened,), hint=f"write `end {name};`")
            )
            return
        self.complain(
            Diagnostic(
                "E101",
                f"`end {found}` does not close {kind} `{name}`",
                self.token_span(self.at + 1),
                (opened,),
                hint=f"write `end {name};`",
            )
        )
        if found in self._open_classes[:-1]:
            self.forgiven = self.at
        else:
            self.at += 2
