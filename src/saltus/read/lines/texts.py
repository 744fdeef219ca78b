"""Texts from disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from saltus.core.diagnostics import model_error
from saltus.core.source import Source


def source_of(path: Path) -> Source:
    """The text of a file. Raises `ModelError` (E102) if it cannot be read."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise model_error("E102", f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        hint = "save it as UTF-8"
        raise model_error("E102", f"{path} is not UTF-8 text (byte {error.start})", hint=hint) from None
    return source_from(text, str(path))


def source_from(text: str, name: str) -> Source:
    """A text; `name` stands for the file in messages, and ends with the suffix of the language."""
    return Source(name, text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))


def defined_in(folder: Path, suffix: str, headings: Callable[[str], Iterable[str]]) -> dict[str, Path]:
    """The files of a folder by the names that their headings define; a file of the name comes first."""
    found: dict[str, Path] = {}
    try:
        paths = sorted(p for p in folder.iterdir() if p.suffix.lower() == suffix)
        texts = [p.read_bytes().decode("utf-8", "replace") for p in paths]
    except OSError:
        return {}
    for path, text in zip(paths, texts, strict=True):
        for name in headings(text):
            if name not in found or path.stem == name:
                found[name] = path
    return found
