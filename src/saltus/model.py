"""The model as users hold it: loaded once, simulated many times."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from saltus.core.diagnostics import Diagnostic, ModelError, SaltusError, UsageError, model_error
from saltus.core.nearest import nearest
from saltus.core.source import Source, Span
from saltus.emit.llvm import llvm_text
from saltus.emit.python import python_text
from saltus.expr.nodes import Type
from saltus.ir import ast
from saltus.ir.flat import Experiment, FlatModel
from saltus.ir.hybrid import HybridModel
from saltus.ir.program import Program
from saltus.ir.structure import Structure
from saltus.lower.classes import ClassEntry, Library
from saltus.lower.flatten import find_model, new_context
from saltus.options import STAGES
from saltus.pipeline import Stopwatch, Translation, flatten_class, prepared, translate
from saltus.read.modelica.files import package_entries, read_file, read_text
from saltus.read.modelica.parser import parse_annotation
from saltus.read.modelica.printer import to_text
from saltus.result.result import Result
from saltus.run.checkpoint import Checkpoint
from saltus.run.overrides import elements, number, refuse_partial
from saltus.run.settings import Override, Settings
from saltus.run.simulate import Progress, simulate
from saltus.show.dump import hybrid_text, instance_text, program_text
from saltus.show.flat import flat_text
from saltus.show.sorted import sorted_equations

#: Translations that a model keeps for values of structural parameters; each holds native code.
_KEPT_TRANSLATIONS = 16


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
    libraries: Sequence[str | Path] | str | Path = (),
) -> Model:
    """Reads and translates a model.

    `path_or_text` is the path of a `.mo` file, Modelica text, or the full name of a class found in
    `libraries` (folders of packages, or a package's own folder) or along MODELICAPATH. `model` chooses a
    class of the file; without it the last model is taken.

        model = saltus.load("Ball.mo")
        model = saltus.load("model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;")
        model = saltus.load("Plant.Rig", libraries=["models"])

    Raises `ModelError` if the model is refused, `UsageError` if there is no such file or folder.
    """
    watch = Stopwatch()
    with watch.step("read"):
        cls = _find(Library(_ModelicaReader(), _folders(libraries)), path_or_text, model)
    return Model(cls, translate(cls, {}, watch))


def load_flat(
    path_or_text: str | Path,
    model: str | None = None,
    libraries: Sequence[str | Path] | str | Path = (),
) -> FlatModel:
    """The flat model alone: also of a model that cannot be simulated, to see why."""
    cls = _find(Library(_ModelicaReader(), _folders(libraries)), path_or_text, model)
    return flatten_class(new_context(cls.library, {}), cls, Stopwatch())[1]


def _folders(libraries: Sequence[str | Path] | str | Path) -> list[Path]:
    given = [Path(f) for f in ([libraries] if isinstance(libraries, str | Path) else libraries)]
    for folder in given:
        if not folder.is_dir():
            raise UsageError(
                Diagnostic("E501", f"the library folder `{folder}` does not exist or is not a folder")
            )
    inherited = os.environ.get("MODELICAPATH", "").split(os.pathsep)
    return given + [Path(folder) for folder in inherited if folder and Path(folder).is_dir()]


def _find(library: Library, path_or_text: str | Path, model: str | None) -> ClassEntry:
    if not isinstance(path_or_text, str | Path) or not str(path_or_text).strip():
        raise UsageError(
            Diagnostic("E501", f"a file, Modelica text or a class name is needed, not {path_or_text!r}")
        )
    text = str(path_or_text)
    if isinstance(path_or_text, Path) or (text.endswith(".mo") and "\n" not in text):
        return _from_file(library, Path(path_or_text), model)
    if any(c in text for c in "\n; ="):
        source, stored = read_text(text, "<text>")
        library.add(source, stored)
        return find_model(library, model, Span(source, 0, 0))
    if model is not None:
        raise UsageError(Diagnostic("E501", f"`{text}` is a class name; the model is chosen by it already"))
    try:
        return find_model(library, text, None)
    except ModelError as error:
        raise _or_file(error, text) from None


def _or_file(error: ModelError, name: str) -> SaltusError:
    """A class that cannot be found may be meant as a folder or as a file."""
    if Path(name).is_dir():
        return _is_folder(Path(name))
    if "/" in name or os.sep in name:
        return UsageError(Diagnostic("E102", f"there is no file `{name}`", hint="its name ends with .mo"))
    first = error.diagnostics[0]
    if first.code == "E201" and Path(f"{name}.mo").is_file():
        return ModelError(replace(first, hint=f"did you mean the file `{name}.mo`?"))
    return error


def _is_folder(path: Path) -> UsageError:
    if (path / "package.mo").is_file():
        name = path.resolve().name
        hint = f"name a class of the package: `{name}.Model` with the library folder `{path.parent}`"
    else:
        hint = "name a file in it"
    return UsageError(Diagnostic("E102", f"`{path}` is a folder", hint=hint))


def _from_file(library: Library, path: Path, model: str | None) -> ClassEntry:
    if path.is_dir():
        raise _is_folder(path)
    if not path.is_file():
        near = nearest(path.stem, [p.stem for p in path.parent.glob("*.mo")], count=1)
        hint = f"did you mean `{path.parent / near[0]}.mo`?" if near else None
        raise UsageError(Diagnostic("E102", f"there is no file `{path}`", hint=hint))
    source, stored = read_file(path)
    if not stored.classes:
        raise model_error("E209", "this file defines no class", Span(source, 0, 0))
    is_package = path.name == "package.mo"
    place = Span(source, 0, 0)
    if not stored.within and not (is_package and model is not None):
        library.add(source, stored)
        try:
            return find_model(library, model, place)
        except ModelError as error:
            raise _or_member(error, path, stored.classes[-1].name) if is_package else error from None
    # The file is part of a package: the class is found through the package's folder.
    folder = path.resolve().parents[len(stored.within or ()) + is_package]
    inside = Library(library.reader, [folder, *library.folders])
    return find_model(inside, _full_name(stored, model, is_package=is_package), place)


def _full_name(stored: ast.StoredDefinition, model: str | None, *, is_package: bool) -> str:
    """The class that `model` means in a file of a package: its name from the top, or from the file on."""
    last, within = stored.classes[-1].name, stored.within or ()
    if model is None:
        return ".".join((*within, last))
    around = (*within, last) if is_package else within
    return model if model.split(".")[0] == around[0] else ".".join((*around, model))


def _or_member(error: ModelError, path: Path, package: str) -> ModelError:
    """A package file without a model in it: the models may be in files beside it."""
    first = error.diagnostics[0]
    beside = sorted(p.stem for p in path.parent.glob("*.mo") if p.name != path.name)
    if first.hint is not None or not beside:
        return error
    return ModelError(replace(first, hint=f"choose one with --model, such as `{package}.{beside[0]}`"))


class Model:
    """A translated model. Changing a parameter does not translate it again, unless its value decided the
    structure (an array size, a condition that removed equations): then it does, by itself."""

    def __init__(self, cls: ClassEntry, translation: Translation) -> None:
        self._cls = cls
        self._translations: OrderedDict[frozenset[tuple[str, Override]], Translation] = OrderedDict()
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
    def extensions(self) -> tuple[Diagnostic, ...]:
        """What goes beyond Modelica; `--pedantic` warns of it."""
        return self._translation.hybrid.extensions

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
        *,
        start_time: float | None = None,
        stop_time: float | None = None,
        tolerance: float | None = None,
        method: str | None = None,
        max_step: float | None = None,
        interval: float | None = None,
        set: Mapping[str, Any] | None = None,
        linear_solver: str | None = None,
        zeno: str | None = None,
        progress: Progress | None = None,
        checkpoint: str | Path | Checkpoint | None = None,
    ) -> Result:
        """Runs the model. What is not given is as the model's experiment annotation says.

        `method` is "bdf" (the default) or "adams", both of CVODE on the explicit equations, "ida" on the
        implicit ones, "rk45", an explicit one-step method, or "auto", which is that until the model turns out
        to be stiff; `max_step` is the largest step that it may take.

        `set` gives parameters other values, by name: numbers, True or False, enumeration literals as text,
        lists or arrays for arrays. `linear_solver` is "dense" or "sparse", where the choice by size and
        fill ("auto") is to be compared with another. `zeno` says what to do where infinitely many events
        accumulate: "stop" there (the default), go on in a state of "rest", or "continue" with every event
        that can be told apart and rest after that. `progress(fraction, events)` is called now and then.
        Ctrl-C ends the run and keeps what was computed (`result.interrupted`). Raises `RunError` if the run
        fails; what was computed until then is its `partial`.

        `checkpoint` is a file that is written now and then. If it is there already, the run goes on from it,
        to the same end as if it had never been disturbed. When the run has ended well the file is removed;
        a `Checkpoint` is left to the caller.
        """
        overrides = elements(set or {})
        translation = self._for(overrides)
        refuse_partial(set or {}, translation.flat.variables)
        structural = self._structural(translation)
        settings = Settings.of(
            self.experiment,
            start_time=start_time,
            stop_time=stop_time,
            tolerance=tolerance,
            method=method,
            max_step=max_step,
            interval=interval,
            overrides={k: v for k, v in overrides.items() if k not in structural},
            linear_solver=linear_solver,
            zeno=zeno,
        )
        structure, program, method = translation.structure, translation.program, settings.method
        machine = prepared(translation.machine, structure, method).clone()
        programs = translation.programs.prepared(method)

        file = Checkpoint(checkpoint) if isinstance(checkpoint, str | Path) else checkpoint
        result = simulate(structure, program, machine, settings, progress, programs, file)
        if file is not None and file is not checkpoint and not result.interrupted:
            file.remove()
        return result

    def _structural(self, translation: Translation) -> frozenset[str]:
        return frozenset(v.name for v in translation.flat.variables if v.structural and not v.final)

    def _for(self, overrides: Mapping[str, Override]) -> Translation:
        """The translation for these values of structural parameters."""
        structural = {v.name: v for v in self.flat.variables if v.structural and not v.final}
        given = {k: v for k, v in overrides.items() if k in structural}
        for name, value in given.items():
            if structural[name].symbol.type is not Type.STRING:
                number(structural[name], value)  # a wrong value is not the model's fault
        if not given:
            return self._translation
        key = frozenset(given.items())
        if key not in self._translations:
            self._translations[key] = translate(self._cls, given, Stopwatch())
            if len(self._translations) > _KEPT_TRANSLATIONS:
                self._translations.popitem(last=False)
        self._translations.move_to_end(key)
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
