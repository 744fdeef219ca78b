"""`saltus new`: a commented model to begin with, written to a file."""

from __future__ import annotations

import re
from pathlib import Path

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.option import usage_error

_FOLDER = Path(__file__).parent / "starters"

#: A starter names one of its parts, to be looked at.
_PART = re.compile(r"`saltus components (\w+)`")


def starters() -> list[str]:
    """The models that there are to begin with."""
    return sorted(path.stem for path in _FOLDER.glob("*.mo"))


def write_starter(path: str, kind: str | None) -> tuple[str, str, str]:
    """Writes a model; without a `kind`, the one that the name of the file contains, else a circuit. What the
    model is called, its kind, and one of its parts. Nothing is overwritten. Raises `UsageError`."""
    file = Path(path)
    if file.suffix != ".mo":
        raise usage_error(
            f"{path!r} is not a valid name for a model", hint="it ends with .mo, as in circuit.mo"
        )
    if kind is None:
        kind = next((k for k in starters() if k in file.stem.lower()), "circuit")
    elif kind not in starters():
        raise usage_error(f"there is no {kind!r} to begin with", hint="choose " + ", ".join(starters()))
    words = re.findall(r"[A-Za-z0-9]+", file.stem)
    name = "".join(word[0].upper() + word[1:] for word in words)
    if not name or name[0].isdigit():
        raise usage_error(f"{path!r} is not a valid name of a model", hint="let it begin with a letter")
    text = (_FOLDER / f"{kind}.mo").read_text(encoding="utf-8")
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(re.sub(r"\bNAME\b", name, text))
    except FileExistsError:
        raise usage_error(f"{path} is there already", code="E503", hint="choose another name") from None
    except OSError as error:
        raise UsageError(Diagnostic("E503", f"{path}: {error.strerror or error}")) from error
    return name, kind, _PART.findall(text)[0]
