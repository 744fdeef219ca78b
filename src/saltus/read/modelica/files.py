"""Modelica text from disk, through the cache of syntax trees.

Line ends become `\\n` (the language says that tools do so); all offsets count characters after that.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import saltus.ir.ast
from saltus.core.cache import DiskCache, default_folder, format_version
from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.read.modelica.parser import parse

PACKAGE_FILE = "package.mo"
ORDER_FILE = "package.order"
_BOM = b"\xef\xbb\xbf"

#: Of parsed files on disk. Each change of a file makes a new entry: those not used for long must go one day.
_MOST_BYTES = 512 * 1024**2


def read_file(path: Path) -> tuple[Source, ast.StoredDefinition]:
    """The text and tree of a file. E102 if it cannot be read or is not UTF-8, E101 for its syntax."""
    data = _bytes(path)
    source = Source(str(path), _decoded(path, data))
    trees = _cache()
    key = trees.key(data)
    tree = trees.load(key)
    if not isinstance(tree, ast.StoredDefinition):
        tree = parse(source)
        trees.store(key, tree)
    return source, tree


def read_text(text: str, name: str = "text") -> tuple[Source, ast.StoredDefinition]:
    """The tree of a text that is in no file; `name` stands for the file in messages."""
    source = Source(name, text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    return source, parse(source)


def package_entries(folder: Path) -> list[Path]:
    """The members of a package folder: `.mo` files and sub-packages, in the order that `package.order`
    gives them, then the others by name. Names in `package.order` that are no files (classes and constants
    of `package.mo`) are passed over."""
    found: dict[str, Path] = {}
    try:
        children = sorted(folder.iterdir())
    except OSError as error:
        raise model_error("E102", f"folder {folder} cannot be read: {error.strerror}") from None
    for child in children:
        if child.suffix == ".mo" and child.name != PACKAGE_FILE and child.is_file():
            found[child.stem] = child
        elif (child / PACKAGE_FILE).is_file():
            found[child.name] = child
    ordered = [found.pop(name) for name in _order(folder) if name in found]
    return [*ordered, *(found[name] for name in sorted(found))]


def _order(folder: Path) -> list[str]:
    """The names of `package.order`, each once; none without that file."""
    file = folder / ORDER_FILE
    if not file.is_file():
        return []
    lines = (line.strip() for line in _decoded(file, _bytes(file)).split("\n"))
    return list(dict.fromkeys(line for line in lines if line))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise model_error("E102", f"{path} does not exist") from None
    except IsADirectoryError:
        hint = f"a package folder is read through its {PACKAGE_FILE}"
        raise model_error("E102", f"{path} is a folder", hint=hint) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise model_error("E102", f"{path} cannot be read: {reason}") from None


def _decoded(path: Path, data: bytes) -> str:
    data = data.removeprefix(_BOM)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _undecodable(path, data, error) from None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _undecodable(path: Path, data: bytes, error: UnicodeDecodeError) -> ModelError:
    """Says at which line the text stops being UTF-8, and quotes it as far as it can be shown."""
    before = data[: error.start].decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    rest = data[error.start :].split(b"\n", 1)[0].decode("utf-8", "replace").rstrip("\r")
    shown = Source(str(path), before + rest)
    message = f"{path} is not UTF-8: byte {data[error.start]:#04x} at line {before.count(chr(10)) + 1}"
    hint = "save the file as UTF-8 (other tools may have written it as Latin-1)"
    return model_error("E102", message, Span(shown, len(before), len(before) + 1), hint=hint)


@cache
def _trees(folder: Path | None) -> DiskCache:
    here = Path(__file__).parent
    parser = sorted([*here.glob("lexer.py"), *here.glob("token_stream.py"), *here.glob("parser*.py")])
    version = format_version([Path(saltus.ir.ast.__file__), *parser])
    return DiskCache(folder, version=version, modules=[ast.__name__], limit=_MOST_BYTES)


def _cache() -> DiskCache:
    """The cache of the folder that the environment names now."""
    return _trees(default_folder())
