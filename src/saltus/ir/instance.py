"""The tree of components: classes resolved, modifiers applied, arrays of components written out; and the
classes that they are of.

This is the one representation that grows while it is looked at: sizes and conditions of a component may
need the values of others, in any order, so children are made when first asked for
(`lower.instances.instantiate`) and `verify()` checks that the finished tree is complete. Classes are found in
their files when first asked for, too (`lower.classes.classes`).

    Library     what is known of the files: where classes are found
    ClassEntry  a class in an environment
    Change      what a modification says about one element of a class
    Layout      the elements of a class with all its bases
    Scalar      a variable of a predefined type
    ArrayNode   elements in row-major order, each a node
    Instance    a component of a model, block, connector or record class

Classes and components are in one file because they know each other: a component is of a class, and what is
said about a class may mean the components of an instance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Generic, Protocol, TypeAlias, TypeVar

from saltus.core.source import Source, Span
from saltus.expr.nodes import Enumeration, Expr, Symbol
from saltus.ir import ast
from saltus.ir.flat import Causality, Variability

Answer = TypeVar("Answer")

# ---------------------------------------------------------------- classes


class Reader(Protocol):
    """What lowering needs of the reading stage."""

    def read(self, path: Path) -> tuple[Source, ast.StoredDefinition]: ...

    def read_text(self, text: str) -> tuple[Source, ast.StoredDefinition]: ...

    def entries(self, folder: Path) -> dict[str, Path]: ...

    def elsewhere(self, folder: Path, name: str) -> Path | None: ...

    def annotation(self, source: Source, offsets: ast.Offsets) -> ast.Modification: ...

    def edited_text(self, path: Path) -> str | None: ...


@dataclass(eq=False)
class Library:
    """Top-level classes: those of the files given, then those found along the library folders.

    tops           top-level classes by name, as far as they were asked for
    own            classes of the file that was given, in order
    beside         the folder of a given file whose files in other languages than Modelica are known
    seeking_bases  how many classes are having their bases looked up (see `lookup.bases`)
    """

    reader: Reader
    folders: Sequence[Path]
    tops: dict[str, ClassEntry | None] = field(default_factory=dict)
    own: list[ClassEntry] = field(default_factory=list)
    beside: Path | None = None
    seeking_bases: int = 0


@dataclass(frozen=True, eq=False)
class Change:
    """What a modification says about one element of a class: the argument, the class whose text it stands
    in, and the instance whose components that text sees (None where it is a class that says it)."""

    argument: ast.ElementModification | ast.ElementRedeclaration
    lexical: ClassEntry
    site: Instance | None = None

    @property
    def name(self) -> str:
        """The element it is about."""
        return changed_name(self.argument)

    @property
    def key(self) -> tuple[int, ClassEntry, Instance | None]:
        return id(self.argument), self.lexical, self.site

    @property
    def span(self) -> Span:
        return self.lexical.at(self.argument)

    @property
    def new_class(self) -> ast.ClassDefinition | None:
        """The class that the element is redeclared to be, if this is what is said."""
        redeclared = isinstance(self.argument, ast.ElementRedeclaration)
        element = self.argument.element if redeclared else None  # type: ignore[union-attr]
        return element if isinstance(element, ast.ClassDefinition) else None


def changed_name(argument: ast.ElementModification | ast.ElementRedeclaration) -> str:
    """The element that an argument of a modification is about."""
    if isinstance(argument, ast.ElementModification):
        return argument.name[0]
    if isinstance(argument.element, ast.ClassDefinition):
        return argument.element.name
    return argument.element.declarations[0].name


#: There are seldom outer classes.
NO_CLASSES: Mapping[str, ClassEntry] = MappingProxyType({})


class ClassEntry:
    """One class in one environment. `folder` is set for a package that is a folder: its members are files
    there.

    origin       the entry of the text alone, which is in no other environment than that of its file
    changes      what is said about its elements from outside, innermost first
    derived      the class that this is a base of: what is redeclared there is redeclared here
    constraints  what the constraining clause of the element it replaces says about it
    site         the instance whose components the text of this short class sees
    inners       the classes that its outer classes mean at the place of an instance
    own          the classes declared in it, as far as they were asked for; None: none were yet
    files        the files of its folder by the class that is in each; None: it was not looked into yet
    answers      answers to questions about it, by question and what it is about (`Question` keeps them)
    """

    def __init__(
        self,
        definition: ast.ClassDefinition,
        source: Source,
        parent: ClassEntry | None,
        library: Library,
        folder: Path | None = None,
        *,
        origin: ClassEntry | None = None,
        changes: tuple[Change, ...] = (),
        derived: ClassEntry | None = None,
        constraints: tuple[Change, ...] = (),
        site: Instance | None = None,
        inners: Mapping[str, ClassEntry] = NO_CLASSES,
    ) -> None:
        self.inners = inners
        self.origin: ClassEntry = origin or self
        self.changes = changes
        self.derived = derived
        self.constraints = constraints
        self.site = site
        self.definition = definition
        self.source = source
        self.parent = parent
        self.library = library
        self.folder = folder
        self.name: str = definition.name
        self.full_name: str = f"{parent.full_name}.{definition.name}" if parent else definition.name
        self.own: dict[str, ClassEntry] | None = None
        self.files: dict[str, Path] | None = None
        self.answers: dict[tuple[object, object], object] = {}

    @property
    def kind(self) -> str:
        return self.definition.kind

    @property
    def span(self) -> Span:
        """The class's head line."""
        text = self.source.text
        end = text.find("\n", self.definition.start)
        return Span(
            self.source, self.definition.start, min(self.definition.end, end if end > 0 else len(text))
        )

    def at(self, node: ast.Node) -> Span:
        return Span(self.source, node.start, node.end)

    @property
    def elements(self) -> tuple[ast.Element, ...]:
        body = self.definition.body
        return body.elements if isinstance(body, ast.LongBody) else ()

    @property
    def is_short(self) -> bool:
        """A short class has no scope of its own: its text is that of the class around it."""
        return isinstance(self.definition.body, ast.ShortBody)

    def __repr__(self) -> str:
        return f"ClassEntry({self.full_name})"


class Unanswered(Enum):
    """What is said in place of an answer, where none was kept: None may be one."""

    UNANSWERED = 0


UNANSWERED = Unanswered.UNANSWERED


class Question(Generic[Answer]):
    """A question whose answer depends on a class only, and on what it is `about`: it is worked out once, and
    kept with the class.

    What is asked for every name of a model reads `answers` itself: a call here takes longer than that."""

    def __init__(self, name: str) -> None:
        self.name = name

    def known(self, cls: ClassEntry, about: object = None) -> Answer | Unanswered:
        """The answer that was kept, if one was."""
        # Only `keep` puts an answer there.
        return cls.answers.get((self, about), UNANSWERED)  # type: ignore[return-value]

    def keep(self, cls: ClassEntry, answer: Answer, about: object = None) -> Answer:
        cls.answers[self, about] = answer
        return answer

    def forget(self, cls: ClassEntry, about: object = None) -> None:
        del cls.answers[self, about]


@dataclass(frozen=True, eq=False)
class Predefined:
    """One of the predefined types, found like a class. An enumeration has its literals."""

    name: str
    literals: Enumeration | None = None
    kind: str = "type"

    @property
    def full_name(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False)
class Element:
    """A component declaration of a class with what extends clauses and other classes say about it, innermost
    first. `constraints` are what the constraining clauses of the declarations it takes the place of say."""

    name: str
    clause: ast.ComponentClause
    declaration: ast.Declaration
    lexical: ClassEntry
    protected: bool
    modifications: tuple[Change, ...] = ()
    constraints: tuple[tuple[ast.Modification, ClassEntry], ...] = ()
    replaced: Element | None = None  # the inherited one that it redeclares, if it says so itself

    @property
    def span(self) -> Span:
        return self.lexical.at(self.declaration)


@dataclass(eq=False)
class Layout:
    """`predefined` names the predefined type a type class stands for, with the attributes given on the
    way (`type_modifications`, innermost first) and dimensions (`type Vector = Real[3]`)."""

    cls: ClassEntry | Predefined
    predefined: str | None = None
    enumeration: Enumeration | None = None
    type_modifications: list[Change] = field(default_factory=list)
    dimensions: list[tuple[tuple[ast.Expression, ...], ClassEntry]] = field(default_factory=list)
    causality: str = ""
    elements: dict[str, Element] = field(default_factory=dict)
    sections: list[tuple[ast.Section, ClassEntry]] = field(default_factory=list)
    external: ast.External | None = None
    lexicals: set[ClassEntry] = field(default_factory=set)
    partial: bool = False  # by its own text, or as another name of a partial class


# ---------------------------------------------------------------- components


class Attributes(Protocol):
    """The attributes of a scalar by name; its binding has the name `value`."""

    def __call__(self, name: str) -> Expr | None: ...

    def place(self, name: str) -> Span | None:
        """Where it is given, if it is."""
        ...


@dataclass(eq=False)
class Scalar:
    """A scalar variable. `attribute(name)` gives a declared attribute or the binding (name `value`)."""

    symbol: Symbol
    variability: Variability
    span: Span
    attribute: Attributes
    causality: Causality = Causality.LOCAL
    flow: bool = False
    stream: bool = False
    protected: bool = False
    final: bool = False
    in_connector: bool = False
    enumeration: tuple[str, ...] | None = None
    description: str = ""
    structural: bool = False  # set when its value is used at translation
    log: tuple[str, ...] | None = None  # what the log says when it has changed, if its declaration says so

    @property
    def path(self) -> str:
        return self.symbol.name


@dataclass(eq=False)
class ArrayNode:
    """`record` is the name of the record class that the elements are of, where there are none to tell it;
    `index_types` has a value of the type that each dimension is indexed by, where that is known."""

    path: str
    shape: tuple[int, ...]
    items: tuple[Node, ...]
    span: Span
    record: str = ""
    index_types: tuple[Expr, ...] = ()


@dataclass(eq=False)
class Instance:
    """A component of `cls`, whose elements with those of all bases are its `layout`. A child is None if its
    condition removed it."""

    path: str
    cls: ClassEntry
    layout: Layout
    span: Span
    parent: Instance | None
    variability: Variability
    protected: bool = False
    causality: Causality = Causality.LOCAL
    flow: bool = False
    stream: bool = False
    in_connector: bool = False  # it is a connector or part of one
    children: dict[str, Node | None] = field(default_factory=dict)
    #: `outer` components: other names for the `inner` ones of instances around this one.
    outers: dict[str, Node] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """model, block, connector, record, ..."""
        return self.cls.kind

    def member_path(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name


Node: TypeAlias = Scalar | ArrayNode | Instance


def scalars(node: Node) -> Iterator[Scalar]:
    """All scalars below a node, in declaration order."""
    match node:
        case Scalar():
            yield node
        case ArrayNode():
            for item in node.items:
                yield from scalars(item)
        case Instance():
            for child in node.children.values():
                if child is not None:
                    yield from scalars(child)


def instances(node: Node) -> Iterator[Instance]:
    """All instances at and below a node, parents first."""
    match node:
        case ArrayNode():
            for item in node.items:
                yield from instances(item)
        case Instance():
            yield node
            for child in node.children.values():
                if child is not None:
                    yield from instances(child)


def verify(root: Instance) -> None:
    """Every declared component was made, and no name occurs twice."""
    names: set[str] = set()
    for instance in instances(root):
        missing = set(instance.layout.elements) - set(instance.children) - set(instance.outers)
        assert not missing, f"{instance.path}: {missing}"
    for scalar in scalars(root):
        assert scalar.path not in names, f"{scalar.path} exists twice"
        names.add(scalar.path)
