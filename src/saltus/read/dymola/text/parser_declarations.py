"""Declarations: variables, cuts, paths, submodels and nodes, with the comments behind them."""

from __future__ import annotations

from saltus.core.source import Source
from saltus.ir import ast
from saltus.ir.dymola import (
    Cut,
    CutVariable,
    Declaration,
    Item,
    NodeNames,
    Part,
    Path,
    Submodel,
    Variable,
)
from saltus.read.dymola.text.parser_connections import ConnectionParser
from saltus.read.dymola.text.tokens import tokens_of
from saltus.read.modelica.lexer import NAME


class DeclarationParser(ConnectionParser):
    """The part of the parser that reads declarations."""

    def __init__(self, source: Source) -> None:
        tokens, comments = tokens_of(source)
        super().__init__(source, tokens)
        self.comments = comments

    def note(self, end: int) -> str:
        """The comment behind a stretch that ends here, on the same line."""
        for comment in self.comments:
            if comment.start >= end:
                between = self.source.text[end : comment.start]
                return "" if between.strip(" \t,") else one_line(comment.text)
        return ""

    def more(self) -> bool:
        """Whether a declaration continues with a name. Takes the comma."""
        if self.kinds[self.at] == ",":
            self.at += 1
            return True
        return self.kinds[self.at] == NAME and not self._on_new_line(self.at)

    def declaration(self) -> Declaration:
        start = self.at
        self.at += 1
        found: list[Variable] = []
        while not found or self.more():
            at = self.at
            name = self.name(f"a {self.kinds[start]}")
            value = None
            if self.kinds[self.at] == "=":
                self.at += 1
                value = self.expression()
            if self.kinds[self.at] == "[":
                self.no_array(self.at)
            if self.kinds[self.at] == "(":
                hint = f"write `{self.kinds[start]} {name} = VALUE`"
                self.unexpected("`=`", hint=hint)
            end = self.ends[self.at - 1]
            found.append(Variable(self.starts[at], end, name, value, self.note(end)))
        return Declaration(self.starts[start], self.ends[self.at - 1], self.kinds[start], tuple(found))

    def cuts_or_paths(self) -> list[Item]:
        main = self.kinds[self.at] == "main"
        self.at += main
        kind = self.kinds[self.at]
        if kind not in ("cut", "path"):
            self.unexpected("`cut` or `path`", hint="write `main cut A (Va / i)` or `main path P <A - B>`")
        self.at += 1
        found: list[Item] = []
        while not found or self.more():
            found.append(self._path(main) if kind == "path" else self._cut(main))
        return found

    def _cut(self, main: bool) -> Cut:
        at = self.at
        name = self.name("a cut")
        across: tuple[CutVariable, ...] = ()
        through: tuple[CutVariable, ...] = ()
        parts: list[tuple[str, ast.Offsets]] = []
        opener = self.at
        if self.kinds[opener] == "(":
            self.at += 1
            across = self._cut_variables()
            if self.kinds[self.at] == "/":
                self.at += 1
                through = self._cut_variables()
            self.close(")", opener)
            if not across and not through:
                self.fail(
                    f"the cut `{name}` has no variables", index=at, hint="write `.` for what is not used"
                )
        elif self.kinds[opener] == "[":
            self.at += 1
            while self.kinds[self.at] != "]" or not parts:
                if parts and self.kinds[self.at] == ",":
                    self.at += 1
                where = self.at
                parts.append((self.name("a cut"), (self.starts[where], self.ends[where])))
                if self.kinds[self.at] not in (",", "]", NAME):
                    break
            self.close("]", opener)
        else:
            hint = f"write `cut {name} (across / through)`, with `.` for what is not used"
            self.unexpected("`(`", hint=hint)
        end = self.ends[self.at - 1]
        return Cut(self.starts[at], end, name, across, through, tuple(parts), main, self.note(end))

    def _cut_variables(self) -> tuple[CutVariable, ...]:
        """Names with blanks or commas between them, up to `/` or `)`."""
        found: list[CutVariable] = []
        while True:
            start = self.at
            negative = self.kinds[self.at] == "-"
            self.at += negative
            if self.kinds[self.at] == "." and not negative:
                self.at += 1
                found.append(CutVariable(self.starts[start], self.ends[start], ""))
            elif self.kinds[self.at] == NAME or negative:
                name = self.name("a variable of the cut")
                if self.kinds[self.at] == "[":
                    self.no_array(self.at)
                found.append(CutVariable(self.starts[start], self.ends[self.at - 1], name, negative))
            if self.kinds[self.at] == ",":
                self.at += 1
            elif self.kinds[self.at] not in (NAME, ".", "-"):
                return tuple(found)

    def _path(self, main: bool) -> Path:
        at = self.at
        name = self.name("a path")
        self.expect("<")
        first = self.reference("a cut")
        self.expect("-")
        last = self.reference("a cut")
        self.expect(">")
        end = self.ends[self.at - 1]
        return Path(self.starts[at], end, name, first, last, main, self.note(end))

    def submodels(self) -> list[Item]:
        start = self.at
        self.at += 1
        if self.kinds[self.at] == "(":
            return [self._of_class(start)]
        found: list[Item] = []
        while not found or self.more():
            # `submodel Common`: named like its class.
            class_name = self.type_name("a class")
            part = self._part(class_name.start, class_name.parts[-1][0])
            if self.kinds[self.at] == NAME and not self._on_new_line(self.at):
                name = self.texts[self.at]
                self.unexpected("`,`", hint=f"write `submodel ({class_name.text}) {name}`")
            found.append(Submodel(self.starts[start], part.end, class_name, (part,)))
        return found

    def _of_class(self, start: int) -> Submodel:
        opener = self.at
        self.at += 1
        class_name = self.type_name("a class")
        self.close(")", opener)
        parts: list[Part] = []
        while not parts or self.more():
            at = self.at
            parts.append(self._part(self.starts[at], self.name("a submodel")))
        return Submodel(self.starts[start], self.ends[self.at - 1], class_name, tuple(parts))

    def _part(self, start: int, name: str) -> Part:
        if self.kinds[self.at] == "[":
            self.no_array(self.at)
        arguments: list[tuple[str, ast.Expression, ast.Offsets]] = []
        if self.kinds[self.at] == "(":
            opener = self.at
            self.at += 1
            while self.kinds[self.at] != ")" or not arguments:
                at = self.at
                argument = self.name("a parameter")
                if self.kinds[self.at] != "=":
                    self.unexpected("`=`", hint=f"write `{name}({argument} = VALUE)`")
                self.at += 1
                value = self.expression()
                arguments.append((argument, value, (self.starts[at], self.ends[at])))
                if self.kinds[self.at] == ",":
                    self.at += 1
                elif self.kinds[self.at] != NAME:
                    break
            self.close(")", opener)
        end = self.ends[self.at - 1]
        return Part(start, end, name, tuple(arguments), self.note(end))

    def nodes(self) -> NodeNames:
        start = self.at
        self.at += 1
        names: list[tuple[str, ast.Offsets]] = []
        while not names or self.more():
            at = self.at
            names.append((self.name("a node"), (self.starts[at], self.ends[at])))
        return NodeNames(self.starts[start], self.ends[self.at - 1], tuple(names))


def one_line(text: str) -> str:
    """A comment as one line."""
    return " ".join(text.split())
