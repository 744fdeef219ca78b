"""`%%modelica`: a cell that is a model.

    %%modelica circuit --stop-time 2 --set load.R=10
    model Circuit
      ...
    end Circuit;

The model is there by its name, or by that which is given. With an option of a run it is simulated, and the
result is there as `result`. What a cell defines later cells can use: connectors, functions, parts.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

from saltus.core.diagnostics import RunError
from saltus.core.option import Option, options, usage_error
from saltus.finding import MODELICA, language_of_text
from saltus.ir import ast
from saltus.lower.classes.classes import MODEL_KINDS
from saltus.model import Model, load
from saltus.options import Arguments, arguments_from, options_of
from saltus.read.modelica.files import read_text
from saltus.result.result import Result
from saltus.run.schedule.quantities import QuantityError, quantity
from saltus.run.schedule.settings import Settings

#: Options of the command line that a cell takes beside those of a run.
_OTHERS = ("model", "library", "values")


class _Parser(argparse.ArgumentParser):
    """One that raises, as everything in a notebook does, in place of ending the process."""

    def error(self, message: str) -> NoReturn:
        raise usage_error(f"%%modelica: {message}", hint="`%%modelica --help` lists the options")


def _taken() -> list[Option]:
    of_run = {entry.name for entry in options(Settings)}
    return [e for e in options_of("simulate") if e.name in of_run or e.name in _OTHERS]


def _counted(entry: Option, text: str) -> float:
    try:
        return quantity(text).counted_in(entry.unit)
    except QuantityError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _parser() -> _Parser:
    parser = _Parser(
        prog="%%modelica",
        description="The text of the cell is a model. An option of a run simulates it.",
        add_help=False,
        allow_abbrev=False,
    )
    parser.add_argument("name", nargs="?", help="name of the model in Python; by default its own name")
    parser.add_argument("--help", action="store_true", help="print this")
    parser.add_argument("--simulate", action="store_true", help="simulate it, without further options")
    parser.add_argument("--result", default="result", metavar="NAME", help="name of the result")
    for entry in _taken():
        named: dict[str, Any] = {"dest": entry.name, "help": entry.help.replace("%", "%%")}
        if entry.type is bool:
            parser.add_argument(entry.flag, action="store_true", **named)
            continue
        action = "append" if entry.repeatable else "store"
        kind = partial(_counted, entry) if entry.unit else entry.type
        parser.add_argument(entry.flag, action=action, type=kind, metavar=entry.metavar, **named)
    return parser


class Cells:
    """The cells of one notebook. Each class that one of them defines is a file of a folder in which the
    others look for it."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._folder = TemporaryDirectory(prefix="saltus-cells-")

    def modelica(self, line: str, cell: str) -> Model | Result | None:
        """%%modelica [NAME] [--simulate] [--stop-time T] [--set NAME=VALUE] ...: the cell is a model;
        `%%modelica --help` lists all options."""
        parser = _parser()
        given = vars(parser.parse_args(shlex.split(line)))
        name, result_name = given.pop("name"), given.pop("result")
        simulated = given.pop("simulate")
        if given.pop("help"):
            print(parser.format_help())
            return None
        asked = {key: value for key, value in given.items() if value is not False}
        arguments = arguments_from({**asked, "source": cell})
        cell = f"\n{cell}"  # lines are counted as in the notebook, the one with the magic included
        # Other languages define nothing but models.
        defined = read_text(cell)[1].classes if language_of_text(cell) is MODELICA else ()
        if defined and not any(c.kind in MODEL_KINDS and not c.partial for c in defined):
            self._keep(cell, defined)
            print("defined: " + ", ".join(f"{c.kind} {c.name}" for c in defined))
            return None
        libraries = [*arguments.library, self._folder.name]
        model = load(cell, arguments.model, libraries)
        self._keep(cell, defined)
        self._shell.user_ns[name or model.name.rpartition(".")[2]] = model
        if not simulated and not arguments.run:
            return model
        return self._run(model, arguments, result_name)

    def _keep(self, cell: str, defined: Sequence[ast.ClassDefinition]) -> None:
        for cls in defined:
            text = cell[cls.start : cls.end].rstrip().removesuffix(";")
            Path(self._folder.name, f"{cls.name}.mo").write_text(f"{text};\n", encoding="utf-8")

    def _run(self, model: Model, arguments: Arguments, name: str) -> Result:
        """A run that fails leaves what it has computed."""
        try:
            result = model.simulate(**arguments.run)
        except RunError as error:
            self._shell.user_ns[name] = error.partial
            raise
        self._shell.user_ns[name] = result
        return result
