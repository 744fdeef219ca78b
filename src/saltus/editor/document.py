"""A text that is open in an editor, with the best syntax tree that it has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from saltus.core.source import Source
from saltus.finding import MODELICA, Language, language_of
from saltus.ir import ast
from saltus.read.lines.texts import source_from
from saltus.read.modelica.lexer import Tokens
from saltus.read.modelica.recovery import Recovered, recovered


@dataclass(frozen=True)
class Syntax:
    """A tree, with the text that it is of."""

    source: Source
    tree: ast.StoredDefinition
    is_whole: bool


@dataclass(frozen=True)
class Document:
    """One version of an open text. `earlier` is the last tree that named a class, for a text that at the
    moment has none."""

    uri: str
    path: Path
    version: int
    text: str
    earlier: Syntax | None = None

    def changed(self, text: str, version: int) -> Document:
        """The next version."""
        known = self.__dict__.get("syntax", self.earlier)  # do not read what has not been requested
        return replace(self, text=text, version=version, earlier=known)

    @property
    def language(self) -> Language:
        """The language it is written in, by the suffix of its path."""
        return language_of(self.path)

    @property
    def is_modelica(self) -> bool:
        return self.language is MODELICA

    @cached_property
    def source(self) -> Source:
        """The text, with its lines ended as everywhere in Saltus."""
        return source_from(self.text, str(self.path))

    @cached_property
    def recovered(self) -> Recovered:
        """What a text in Modelica has."""
        return recovered(self.source)

    @property
    def tokens(self) -> Tokens:
        """The tokens of a text in Modelica, as far as it has any."""
        return self.recovered.tokens

    @cached_property
    def syntax(self) -> Syntax:
        """The tree of the text; of a damaged text what there is of it, or else what there was before."""
        if not self.is_modelica:
            return Syntax(self.source, ast.StoredDefinition(0, len(self.source.text), None, ()), False)
        found = Syntax(self.source, self.recovered.tree, self.recovered.is_whole)
        if not found.tree.classes and self.earlier is not None:
            return replace(self.earlier, is_whole=False)
        return found

    def in_tree(self, offset: int) -> int:
        """Where a place of the text is in the tree's text: another one only if the tree is earlier."""
        old, new = self.syntax.source.text, self.source.text
        if old == new:
            return offset
        same = 0
        most = min(len(old), len(new))
        while same < most and old[same] == new[same]:
            same += 1
        if offset <= same:
            return offset
        behind = 0
        while behind < most - same and old[-1 - behind] == new[-1 - behind]:
            behind += 1
        if len(new) - offset <= behind:
            return len(old) - (len(new) - offset)
        return same
