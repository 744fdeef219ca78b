"""The command `export`: a model as source code of another language."""

from __future__ import annotations

from saltus.core.option import usage_error
from saltus.options import Arguments
from saltus.tools.ending import model_warnings, warn
from saltus.tools.loading import loaded

#: What models can be exported to.
LANGUAGES = ("c",)


def export(arguments: Arguments) -> int:
    """Export a model as C99 that runs without Saltus.

    It takes fixed steps and handles all events. The folder gets a header, a source, a program that writes
    CSV, a Makefile and a CMakeLists.txt. The default method is `mixed`. docs/export.md explains how to use
    the code."""
    if arguments.language.lower() not in LANGUAGES:
        hint = f"the languages are: {', '.join(LANGUAGES)}"
        raise usage_error(f"models cannot be exported to {arguments.language!r}", hint=hint)
    model = loaded(arguments)
    warn(model_warnings(model, arguments), arguments)
    folder = arguments.folder or model.name.rpartition(".")[2]
    files = model.export_c(folder, **arguments.run)
    if not arguments.quiet:
        names = ", ".join(file.name for file in files)
        print(f"{model.name}: {names} written to {folder}")
    return 0
