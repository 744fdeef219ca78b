"""`connect` and its ways."""

from __future__ import annotations

from saltus.ir import ast
from saltus.ir.dymola import Connection, Connections, Parallel, Series, Way
from saltus.read.dymola.text.parser_words import WordsParser
from saltus.read.dymola.text.tokens import PARALLEL
from saltus.read.modelica.lexer import NAME


class ConnectionParser(WordsParser):
    """The part of the parser that reads connections."""

    def connections(self) -> Connections:
        """`connect`, at its word."""
        start = self.at
        self.at += 1
        items = [self._connection()]
        while self.kinds[self.at] == ",":
            self.at += 1
            items.append(self._connection())
        if self.kinds[self.at] == NAME:
            hint = "connections have commas between them, and end with their line"
            self.unexpected("`,`, `-`, `//`, `at` or `from`", hint=hint)
        return Connections(self.starts[start], self.ends[self.at - 1], tuple(items))

    def _connection(self) -> Connection:
        way = self._series()
        at = first = last = ()  # type: tuple[ast.Reference, ...]
        if self.kinds[self.at] == "at":
            self.at += 1
            at = self._targets()
        elif self.kinds[self.at] == "from":
            self.at += 1
            first = self._targets()
            if self.kinds[self.at] != "to":
                self.unexpected("`to`", hint="write `connect R from A to B`")
            self.at += 1
            last = self._targets()
        elif self.kinds[self.at] == "to":
            self.unexpected("`from` or `at`", hint="write `from A to B`, or `at B`")
        return Connection(way.start, self.ends[self.at - 1], way, at, first, last)

    def _targets(self) -> tuple[ast.Reference, ...]:
        if self.kinds[self.at] != "(":
            return (self.reference("a node or a cut"),)
        opener = self.at
        self.at += 1
        found = [self.reference("a node or a cut")]
        while self.kinds[self.at] in (",", NAME):
            self.at += self.kinds[self.at] == ","
            found.append(self.reference("a node or a cut"))
        self.close(")", opener)
        return tuple(found)

    def _series(self) -> Way:
        items = [self._parallel()]
        while self.kinds[self.at] == "-":
            self.at += 1
            items.append(self._parallel())
        return items[0] if len(items) == 1 else Series(items[0].start, items[-1].end, tuple(items))

    def _parallel(self) -> Way:
        items = [self._way()]
        while self.kinds[self.at] == PARALLEL:
            self.at += 1
            items.append(self._way())
        return items[0] if len(items) == 1 else Parallel(items[0].start, items[-1].end, tuple(items))

    def _way(self) -> Way:
        if self.kinds[self.at] != "(":
            return self.reference("a submodel, a cut or a node")
        opener = self.at
        self.at += 1
        way = self._series()
        self.close(")", opener)
        return way
