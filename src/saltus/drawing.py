"""Pictures of classes as users ask for them: found, evaluated, drawn, and written if there is a path."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from saltus.automata import drawn as automaton_drawn
from saltus.automata import written as automaton_of
from saltus.bonds import drawn, written
from saltus.core.diagnostics import Diagnostic, SaltusError, UsageError
from saltus.finding import find_class
from saltus.ir.instance import ClassEntry
from saltus.ir.picture import Picture
from saltus.lower.annotations.graphics import picture_of
from saltus.lower.annotations.placing import with_annotations
from saltus.show.arrangement.arrange import arranged
from saltus.show.pictures.drawing import diagram_svg, icon_svg

#: More parts than these are not placed where a drawing was not asked for.
_READABLE = 60


def diagram(
    path_or_text: str | Path,
    model: str | None = None,
    libraries: Sequence[str | Path] | str | Path = (),
    *,
    path: str | Path | None = None,
) -> str:
    """Draws the components of a class and their connections, as its annotations place them; what they do not
    place is placed automatically.

        saltus.diagram("Saltus.Examples.Electrical.BuckConverter", path="buck.svg")

    What is named is what `load` takes; it need not be a model that can be simulated. Returns SVG text, and
    writes it if there is a `path`. Raises `ModelError` if there is no such class.
    """
    return draw(find_class(path_or_text, model, libraries), path=path)[0]


def icon(
    path_or_text: str | Path,
    model: str | None = None,
    libraries: Sequence[str | Path] | str | Path = (),
    *,
    path: str | Path | None = None,
) -> str:
    """Draws what stands for a class where it is used. The rest is as for `diagram`."""
    return draw(find_class(path_or_text, model, libraries), icon=True, path=path)[0]


def draw(
    cls: ClassEntry, *, icon: bool = False, path: str | Path | None = None, all_modes: bool = False
) -> tuple[str, Picture | None]:
    """SVG text of a class, and the picture that its annotations make. A bond graph is drawn as one, with its
    causality in the mode in which it begins or in all modes; it has no picture of annotations. So are nets
    and machines, as they are at the start."""
    picture: Picture | None
    graph = None if icon else written(cls)
    automaton = None if icon else automaton_of(cls)
    if automaton is not None:
        picture = None
        text = automaton_drawn(automaton.automaton).document(cls.name)
    elif graph is None:
        picture = picture_of(cls, icon=icon)
        text = icon_svg(picture) if icon else diagram_svg(arranged(picture))
    else:
        picture, text = None, drawn(graph.graph, all_modes=all_modes)
    return saved(text, path), picture


def diagram_of(cls: ClassEntry) -> str:
    """SVG text for where a drawing is one part of what is shown: empty, if there is nothing in it to see, or
    it cannot be drawn, or too much would have to be placed for a picture that anybody reads."""
    try:
        told_otherwise = written(cls) is not None or automaton_of(cls) is not None
        if not told_otherwise and len(picture_of(cls).unplaced) > _READABLE:
            return ""
        text, picture = draw(cls)
    except SaltusError:
        return ""
    if picture is not None and not picture.components and not picture.unplaced:
        return ""
    return text[text.index("<svg ") :]


def write_places(cls: ClassEntry) -> tuple[int, int]:
    """Writes annotations for what has no place into the file of a class; says for how many components and
    connections. Raises `UsageError` (E503) if that cannot be."""
    path = Path(cls.source.path)
    before = picture_of(cls)
    text, components, connections = with_annotations(cls, before, arranged(before))
    if not path.is_file() or path.suffix != ".mo":
        raise UsageError(Diagnostic("E503", f"`{cls.full_name}` is not in a Modelica file"))
    if components or connections:
        saved(text, path)
    return components, connections


def saved(text: str, path: str | Path | None) -> str:
    """The text, written to a file if there is a path. Raises `UsageError` (E503) if that cannot be."""
    if path is not None:
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(Diagnostic("E503", f"{path}: {error.strerror or error}")) from error
    return text
