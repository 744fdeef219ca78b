"""C code that a model brings along: compiled by the C compiler of the machine, if there is one, and loaded.

Each call that a model makes of a C function becomes a function `int f(const double *in, double *out)`: all
arguments that are numbers in a row, arrays flattened, then all results. Native code and Python call it in the
same way. It comes after the model's own code in one file, so that the compiler converts what is passed to
what the C function takes. A call fails, with another value than 0, where C reports an error by itself.

`$SALTUS_CC` names the compiler, in place of `cc`; where it is empty, there is none.
"""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from saltus.core.cache import default_folder
from saltus.expr.evaluate import Nested, Value
from saltus.functions.external.objects import ExternalError

#: What C code may expect of a simulator (section 12.9.6 of the specification).
_SUPPORT = r"""
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf saltus_error;
static char saltus_said[1024];
const char *saltus_message(void) { return saltus_said; }
void ModelicaVFormatError(const char *format, va_list args) {
  vsnprintf(saltus_said, sizeof saltus_said, format, args);
  longjmp(saltus_error, 1);
}
void ModelicaError(const char *text) {
  snprintf(saltus_said, sizeof saltus_said, "%s", text);
  longjmp(saltus_error, 1);
}
void ModelicaFormatError(const char *format, ...) {
  va_list args;
  va_start(args, format);
  ModelicaVFormatError(format, args);
}
void ModelicaMessage(const char *text) { fputs(text, stdout); fflush(stdout); }
void ModelicaVFormatMessage(const char *format, va_list args) {
  vfprintf(stdout, format, args);
  fflush(stdout);
}
void ModelicaFormatMessage(const char *format, ...) {
  va_list args;
  va_start(args, format);
  ModelicaVFormatMessage(format, args);
  va_end(args);
}
void ModelicaWarning(const char *text) { fputs(text, stderr); fputc('\n', stderr); }
void ModelicaVFormatWarning(const char *format, va_list args) { vfprintf(stderr, format, args); }
void ModelicaFormatWarning(const char *format, ...) {
  va_list args;
  va_start(args, format);
  ModelicaVFormatWarning(format, args);
  va_end(args);
}
char *ModelicaAllocateStringWithErrorReturn(size_t n) { return (char *)calloc(n + 1, 1); }
char *ModelicaAllocateString(size_t n) {
  char *text = (char *)calloc(n + 1, 1);
  if (text == NULL) ModelicaError("out of memory");
  return text;
}
char *ModelicaDuplicateString(const char *text) {
  return strcpy(ModelicaAllocateString(strlen(text)), text);
}
char *ModelicaDuplicateStringWithErrorReturn(const char *text) {
  char *copy = ModelicaAllocateStringWithErrorReturn(strlen(text));
  return copy == NULL ? NULL : strcpy(copy, text);
}
"""


@dataclass(frozen=True)
class Code:
    """A call of a C function: the model's own text, the body of `int f(const double *in, double *out)`, the
    folders of headers, and the names and folders of libraries."""

    own: str
    body: str
    headers: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    library_folders: tuple[str, ...] = ()

    @property
    def symbol(self) -> str:
        """The name of the compiled function: the same for the same code."""
        parts = (self.own, self.body, *self.headers, *self.libraries, *self.library_folders)
        return "saltus_c_" + sha256("\0".join(parts).encode()).hexdigest()[:24]

    @property
    def text(self) -> str:
        """All of the file."""
        head = f"int {self.symbol}(const double *in, double *out) {{\n  if (setjmp(saltus_error)) return 1;\n"
        return f"{_SUPPORT}\n{self.own}\n{head}{self.body}  return 0;\n}}\n"


@dataclass(frozen=True)
class Compiled:
    """A function that was loaded."""

    symbol: str
    address: int
    message: int  # the address of the function that says what went wrong

    def call(self, results: int, *given: Nested) -> list[Value]:
        """The given number of results, for arguments that may be arrays as nested lists; and 0, since the
        call has not failed."""
        texts = {
            k: ctypes.create_string_buffer(g.encode()) for k, g in enumerate(given) if isinstance(g, str)
        }
        addresses = {k: float(ctypes.addressof(text)) for k, text in texts.items()}
        flat = [np.ravel(np.array(addresses.get(k, g), dtype=np.float64)) for k, g in enumerate(given)]
        numbers, found = np.concatenate([*flat, np.zeros(1)]), np.zeros(results + 1)
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        if kind(self.address)(numbers.ctypes.data, found.ctypes.data):
            raise ExternalError(self.said(), "E406")
        return [*found[:results].tolist(), 0]

    def said(self) -> str:
        """The message of the last error."""
        text = ctypes.CFUNCTYPE(ctypes.c_char_p)(self.message)()
        return (text or b"").decode(errors="replace")


def compiler() -> list[str] | None:
    """The command of the C compiler; None if there is none."""
    command = shlex.split(os.environ.get("SALTUS_CC", "cc"))
    return command if command and shutil.which(command[0]) else None


#: Libraries that were loaded, the last one at the end.
_LOADED: list[ctypes.CDLL] = []


@cache
def load(code: Code) -> Compiled:
    """Compiles and loads a call. It is kept on disk, if anything is."""
    folder = default_folder()
    kept = folder / "c" if folder is not None and _is_own(folder / "c") else None
    place = kept or Path(tempfile.mkdtemp(prefix="saltus_c_"))
    file = place / f"{code.symbol}.so"
    if not file.exists():
        _compile(code, file)
    library = ctypes.CDLL(str(file))
    if kept is None:
        shutil.rmtree(place, ignore_errors=True)  # it stays loaded
    _LOADED.append(library)
    names = (code.symbol, "saltus_message")
    function, message = (ctypes.cast(getattr(library, name), ctypes.c_void_p).value for name in names)
    assert function is not None and message is not None
    return Compiled(code.symbol, function, message)


def _is_own(folder: Path) -> bool:
    """Whether only this user may write to a folder of code, which is created if necessary."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return not folder.stat().st_mode & 0o022
    except OSError:
        return False


def _compile(code: Code, file: Path) -> None:
    command = compiler()
    if command is None:
        raise ExternalError("there is no C compiler", "E204")
    with tempfile.TemporaryDirectory(prefix="saltus_c_") as folder:
        source, made = Path(folder) / "model.c", Path(folder) / file.name
        source.write_text(code.text, encoding="utf-8")
        # What this header declares has been said before the model's own code.
        (Path(folder) / "ModelicaUtilities.h").write_text("#pragma once\n")
        options = [f"-I{f}" for f in (*code.headers, folder)]
        linked = [f"-L{f}" for f in code.library_folders] + [f"-Wl,-rpath,{f}" for f in code.library_folders]
        linked += [f"-l{name}" for name in code.libraries]
        done = subprocess.run(
            [
                *command,
                "-O2",
                "-w",
                "-fPIC",
                "-shared",
                *options,
                str(source),
                "-o",
                str(made),
                *linked,
                "-lm",
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if "error" in line or "undefined" in line]
            why = " ".join(errors[:3] or ["no reason given"])
            raise ExternalError(f"the C code is not accepted: {why}", "E204")
        Path(shutil.copy(made, file.with_suffix(f".{os.getpid()}"))).replace(file)


def user_table(name: str, kind: int) -> Sequence[Sequence[float]] | None:
    """The matrix of a table that comes from the C function `usertab`, if one was loaded; `kind` is 0 for a
    table over time, 1 and 2 for tables of so many inputs."""
    found = [f for f in (getattr(library, "usertab", None) for library in _LOADED) if f is not None]
    if not found:
        return None
    function = found[-1]
    size, by_columns = (ctypes.c_int * 2)(), ctypes.c_int(0)
    numbers = ctypes.POINTER(ctypes.c_double)()
    failed = function(
        ctypes.c_char_p(name.encode()), kind, size, ctypes.byref(by_columns), ctypes.byref(numbers)
    )
    if failed or not numbers:
        raise ExternalError(f"the C function `usertab` has no table `{name}`")
    rows, columns = size
    flat = np.array([numbers[k] for k in range(rows * columns)])
    matrix = flat.reshape(columns, rows).T if by_columns.value else flat.reshape(rows, columns)
    table: list[list[float]] = matrix.tolist()
    return table
