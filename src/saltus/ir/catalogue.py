"""What a library offers, as people read it: parts with their parameters, connectors and equations, and the
models of the gallery with the passages of the papers that they stand for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Member:
    """A parameter, a connector or a variable of a part."""

    name: str
    type: str
    value: str = ""  # as it is written
    unit: str = ""
    description: str = ""


@dataclass(frozen=True)
class Part:
    """A class of a library, in short: what a list needs."""

    name: str
    kind: str
    description: str

    @property
    def package(self) -> str:
        """The package that it is in."""
        return self.name.rpartition(".")[0]

    @property
    def short(self) -> str:
        """Its name without the package."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True)
class PartDescription:
    """The full description of a part."""

    part: Part
    documentation: tuple[str, ...]  # paragraphs
    parameters: tuple[Member, ...]
    connectors: tuple[Member, ...]
    variables: tuple[Member, ...]
    components: tuple[Member, ...]
    equations: tuple[str, ...]
    examples: tuple[str, ...]  # full names of examples in which it is used


@dataclass(frozen=True)
class Exhibit:
    """A model of the gallery."""

    name: str
    description: str
    paper: str
    place: str
    passage: str
    look: str
    plot: tuple[str, ...]
    modes: bool
    log: bool
    text: str  # the model, as it is written

    @property
    def short(self) -> str:
        """Paper and figure: the last two words of the name."""
        return ".".join(self.name.split(".")[-2:])


@dataclass(frozen=True)
class Wing:
    """What the gallery shows of one paper, and what it cannot show."""

    name: str
    description: str
    exhibits: tuple[Exhibit, ...]
    omitted: tuple[str, ...]

    @property
    def page(self) -> str:
        """The file in docs/gallery that is about it."""
        return self.name.rpartition(".")[2].lower() + ".md"
