"""What a command names: a file or a class, loaded."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from saltus.core.option import usage_error
from saltus.options import Arguments
from saltus.tools.timings import importing

if TYPE_CHECKING:
    from saltus.model import Model

_CLASS_NAME = re.compile(r"\.?(?:[A-Za-z_]\w*|'[^']*')(?:\.(?:[A-Za-z_]\w*|'[^']*'))*")


def loaded(arguments: Arguments) -> Model:
    import saltus

    with importing():
        load = saltus.load  # which imports the compiler
    return load(source_of(arguments), model=arguments.model, libraries=arguments.library)


def source_of(arguments: Arguments) -> str | Path:
    """A file or a class name. `load` also takes Modelica text; an argument of the command is never that."""
    from saltus.finding import LANGUAGES, is_source_file

    source = arguments.source
    named = _CLASS_NAME.fullmatch(source) is not None
    # `load` says what is wrong with a folder; one that could be a class is first looked for as that.
    if is_source_file(source) or Path(source).is_file() or (Path(source).is_dir() and not named):
        return Path(source)
    if not named:
        hint = f"a file's name ends with {' or '.join(LANGUAGES)}"
        raise usage_error(f"{source!r} is neither a file nor the name of a class", hint=hint)
    return source
