"""`saltus draw`: the diagram of a class, or its icon, into a file."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

from saltus.automata import strip
from saltus.automata import written as automaton_of
from saltus.bonds import written
from saltus.core.diagnostics import Diagnostic
from saltus.core.option import usage_error
from saltus.core.wording import number
from saltus.drawing import draw, saved, write_places
from saltus.finding import find_class
from saltus.ir.instance import ClassEntry
from saltus.ir.picture import Picture
from saltus.model import load
from saltus.options import Arguments


def draw_to_file(arguments: Arguments, source: str | Path) -> tuple[str, tuple[Diagnostic, ...], float]:
    """Draws what the arguments ask for. Returns what to print: the name of the file, or the drawing itself;
    what could not be understood; and the seconds it took."""
    began = perf_counter()
    cls = find_class(source, arguments.model, arguments.library)
    path = f"{cls.name}.svg" if arguments.drawing is None else arguments.drawing
    automaton = automaton_of(cls)
    if arguments.list_modes and (arguments.icon or (written(cls) is None and automaton is None)):
        raise usage_error("--modes makes sense only for the drawing of a bond graph, a net or a machine")
    if arguments.write_places and (arguments.icon or automaton is not None or written(cls) is not None):
        raise usage_error("--write makes sense only for the diagram of a class in Modelica")
    where = None if path == "-" else path
    if arguments.list_modes and automaton is not None:
        result = load(source, arguments.model, arguments.library).simulate()
        text = saved(strip(automaton.automaton, result).document(cls.name), where)
        return text.rstrip("\n") if path == "-" else path, (), perf_counter() - began
    text, picture = draw(cls, icon=arguments.icon, path=where, all_modes=arguments.list_modes)
    told = text.rstrip("\n") if path == "-" else path
    if arguments.write_places:
        told += "\n" + _written(cls)
    if picture is None:
        return told, (), perf_counter() - began
    return told, (*picture.all_problems(), *_nothing(picture, cls)), perf_counter() - began


def _nothing(picture: Picture, cls: ClassEntry) -> list[Diagnostic]:
    """A warning if the drawing is empty."""
    if picture.primitives or picture.components or picture.unplaced:
        return []
    return [Diagnostic("W206", f"there is nothing to draw in `{cls.full_name}`", cls.span)]


def _written(cls: ClassEntry) -> str:
    """Writes places into the file of a class, and says so."""
    components, connections = write_places(cls)
    if not components and not connections:
        return f"{cls.source.path}: everything has a place already"
    places = number(components, "part")
    return f"{cls.source.path}: written places for {places} and lines for {number(connections, 'connection')}"
