"""The model as users hold it: loaded once, simulated many times."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from saltus.core.diagnostics import Diagnostic, UsageError, model_error
from saltus.core.source import Source, Span
from saltus.emit.llvm import llvm_text
from saltus.emit.python import python_text
from saltus.ir import ast
from saltus.ir.flat import Experiment, FlatModel
from saltus.ir.hybrid import HybridModel
from saltus.ir.program import Program
from saltus.ir.structure import Structure
from saltus.lower.classes import ClassEntry, Library
from saltus.lower.flatten import find_model, new_context
from saltus.options import STAGES
from saltus.pipeline import Stopwatch, Translation, flatten_class, translate
from saltus.read.modelica.files import package_entries, read_file, read_text
from saltus.read.modelica.parser import parse_annotation
from saltus.read.modelica.printer import to_text
from saltus.result.result import Result
from saltus.run.settings import Override, Settings
from saltus.run.simulate import Progress, simulate
from saltus.show.dump import hybrid_text, instance_text, program_text
from saltus.show.flat import flat_text
from saltus.show.sorted import sorted_equations


class _ModelicaReader:
    """What lowering needs of the reading stage."""

    def read(self, path: Path) -> tuple[Source, ast.StoredDefinition]:
        return read_file(path)

    def entries(self, folder: Path) -> list[Path]:
        return package_entries(folder)

    def annotation(self, source: Source, offsets: ast.Offsets) -> ast.Modification:
        return parse_annotation(source, offsets)


def load(
    path_or_text: str | Path,
    model: str | None = None,
    libraries: Sequence[str | Path] = (),
) -> Model:
    """Reads and translates a model.

    `path_or_text` is the path of a `.mo` file, Modelica text, or the full name of a class found in
    `libraries` (folders of packages, or a package's own folder) or along MODELICAPATH. `model` chooses a
    class of the file; without it the last model is taken.
    """
    watch = Stopwatch()
    with watch.step("read"):
        cls = _find(Library(_ModelicaReader(), _folders(libraries)), path_or_text, model)
    return Model(cls, translate(cls, {}, watch))


def load_flat(
    path_or_text: str | Path, model: str | None = None, libraries: Sequence[str | Path] = ()
) -> FlatModel:
    """The flat model alone: also of a model that cannot be simulated, to see why."""
    cls = _find(Library(_ModelicaReader(), _folders(libraries)), path_or_text, model)
    return flatten_class(new_context(cls.library, {}), cls, Stopwatch())[1]


def _folders(libraries: Sequence[str | Path]) -> list[Path]:
    given = [Path(folder) for folder in libraries]
    for folder in given:
        if not folder.is_dir():
            raise UsageError(
                Diagnostic("E501", f"the library folder `{folder}` does not exist or is not a folder")
            )
    inherited = os.environ.get("MODELICAPATH", "").split(os.pathsep)
    return given + [Path(folder) for folder in inherited if folder and Path(folder).is_dir()]


def _find(library: Library, path_or_text: str | Path, model: str | None) -> ClassEntry:
    text = str(path_or_text)
    if isinstance(path_or_text, Path) or (text.endswith(".mo") and "\n" not in text):
        return _from_file(library, Path(path_or_text), model)
    if any(c in text for c in "\n; ="):
        source, stored = read_text(text, "<text>")
        library.add(source, stored)
        return find_model(library, model, Span(source, 0, 0))
    if model is not None:
        raise UsageError(Diagnostic("E501", f"`{text}` is a class name; the model is chosen by it already"))
    return find_model(library, text, None)


def _from_file(library: Library, path: Path, model: str | None) -> ClassEntry:
    if not path.is_file():
        near = get_close_matches(path.name, [p.name for p in path.parent.glob("*.mo")], n=1)
        hint = f"did you mean `{path.parent / near[0]}`?" if near else None
        raise UsageError(Diagnostic("E102", f"there is no file `{path}`", hint=hint))
    source, stored = read_file(path)
    if not stored.classes:
        raise model_error("E209", "this file defines no class", Span(source, 0, 0))
    if not stored.within:
        library.add(source, stored)
        return find_model(library, model, Span(source, 0, 0))
    # The file is a member of a package: the class is found through the package's folder.
    top = path.resolve().parent
    for _ in stored.within[1:]:
        top = top.parent
    member = path.name == "package.mo"
    folder = (top.parent if member else top).parent
    inside = Library(library.reader, [folder, *library.folders])
    name = ".".join((*stored.within, model or stored.classes[-1].name))
    return find_model(inside, name, Span(source, 0, 0))


class Model:
    """A translated model. Changing a parameter does not translate it again, unless its value decided the
    structure (an array size, a condition that removed equations): then it does, by itself."""

    def __init__(self, cls: ClassEntry, translation: Translation) -> None:
        self._cls = cls
        self._translations: dict[frozenset[tuple[str, Override]], Translation] = {frozenset(): translation}
        self._translation = translation

    @property
    def name(self) -> str:
        return self._translation.flat.name

    @property
    def experiment(self) -> Experiment:
        return self._translation.flat.experiment

    @property
    def flat(self) -> FlatModel:
        return self._translation.flat

    @property
    def hybrid(self) -> HybridModel:
        return self._translation.hybrid

    @property
    def structure(self) -> Structure:
        return self._translation.structure

    @property
    def program(self) -> Program:
        return self._translation.program

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return self._translation.warnings

    @property
    def timings(self) -> dict[str, float]:
        """Seconds spent in each step of the translation."""
        return self._translation.timings

    def check(self) -> dict[str, int]:
        """Counts that tell how large the model is."""
        structure = self.structure
        return {
            "variables": len(self.flat.variables),
            "equations": len(self.hybrid.equations),
            "states": len(structure.states),
            "aliases": len(structure.aliases),
            "blocks": len(structure.blocks),
            "relations": len(structure.model.relations),
            "clocks": len(structure.model.clocks),
        }

    def simulate(
        self,
        start_time: float | None = None,
        stop_time: float | None = None,
        tolerance: float | None = None,
        interval: float | None = None,
        set: Mapping[str, Override] | None = None,
        progress: Progress | None = None,
    ) -> Result:
        """Runs the model. What is not given is as the model's experiment annotation says."""
        overrides = dict(set or {})
        translation = self._for(overrides)
        structural = self._structural(translation)
        settings = Settings.of(
            self.experiment,
            start_time=start_time,
            stop_time=stop_time,
            tolerance=tolerance,
            interval=interval,
            overrides={k: v for k, v in overrides.items() if k not in structural},
        )
        machine = translation.machine.clone()
        return simulate(translation.structure, translation.program, machine, settings, progress)

    def _structural(self, translation: Translation) -> frozenset[str]:
        return frozenset(v.name for v in translation.flat.variables if v.structural and not v.final)

    def _for(self, overrides: Mapping[str, Override]) -> Translation:
        """The translation for these values of structural parameters."""
        structural = self._structural(self._translation)
        key = frozenset((k, v) for k, v in overrides.items() if k in structural)
        if key not in self._translations:
            self._translations[key] = translate(self._cls, dict(key), Stopwatch())
        return self._translations[key]

    def dump(self, stage: str) -> str:
        """One intermediate representation in readable form; `stage` is one of `saltus.options.STAGES`."""
        t = self._translation
        printers: dict[str, Callable[[], str]] = {
            "ast": lambda: to_text(t.cls.definition, t.cls.source),
            "instance": lambda: instance_text(t.instance),
            "flat": lambda: flat_text(t.flat),
            "hybrid": lambda: hybrid_text(t.hybrid),
            "structure": lambda: sorted_equations(t.structure),
            "program": lambda: program_text(t.program),
            "python": lambda: python_text(t.program),
            "llvm": lambda: llvm_text(t.program),
        }
        if stage not in printers:
            choice = ", ".join(STAGES)
            raise UsageError(Diagnostic("E501", f"there is no stage `{stage}`; choose one of {choice}"))
        return printers[stage]().strip("\n")

    def __repr__(self) -> str:
        return f"Model({self.name!r})"
