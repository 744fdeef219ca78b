"""LAPACK and BLAS, as FORTRAN 77 functions of the language: all of them, by the function pointers of SciPy.

FORTRAN takes addresses of everything: of characters, of Integers of 32 bits, of Reals; matrices are column by
column. Arguments that are results are given with the values that they have before the call.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from saltus.expr.evaluate import Nested, Value

_SIGNATURE = re.compile(r"^(.*?) ?\((.*)\)$")


@dataclass(frozen=True)
class Routine:
    """One of them: where it is, whether it has a Real as its value, and whether each argument is a `char`, an
    `int` or a `double`."""

    name: str
    address: int
    has_value: bool
    arguments: tuple[str, ...]


@cache
def routine(name: str) -> Routine | None:
    """The routine of a name; None if there is none, or one of other numbers than Reals of 64 bits."""
    from scipy.linalg import cython_blas, cython_lapack  # large, and few models need them

    for module in (cython_lapack, cython_blas):
        capsule = module.__pyx_capi__.get(name.lower())
        if capsule is not None:
            return _described(name.lower(), capsule)
    return None


def _described(name: str, capsule: object) -> Routine | None:
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    api.PyCapsule_GetName.argtypes = [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    text = api.PyCapsule_GetName(capsule)
    signature = _SIGNATURE.match(text.decode())
    if signature is None:
        return None
    kinds = [_kind(argument) for argument in signature[2].split(",")]
    value = signature[1].strip()
    if None in kinds or not (value == "void" or value.endswith("_d")):
        return None
    address = int(api.PyCapsule_GetPointer(capsule, text))
    return Routine(name, address, value != "void", tuple(k for k in kinds if k is not None))


def _kind(argument: str) -> str | None:
    """The kind of an argument, from its C type. A function that chooses (`dselect2`) is never called with the
    arguments that the standard library gives, so any number stands for it."""
    name = argument.replace("*", "").strip()
    if name in ("char", "int"):
        return name
    if name.endswith("_d"):
        return "double"
    return "int" if "select" in name else None


def call_routine(
    found: Routine, texts: Mapping[int, str], results: Sequence[int | None], *given: Nested
) -> list[Value]:
    """The results of a call: those at positions of arguments, None for the routine's own value. `texts` are
    characters by position, `given` all other arguments."""
    rest = iter(given)
    values: list[ctypes.Array[ctypes.c_char] | NDArray[np.int32] | NDArray[np.float64]] = []
    for k, kind in enumerate(found.arguments):
        if kind == "char" or k in texts:
            text = texts[k] if k in texts else next(rest)
            assert isinstance(text, str)
            values.append(ctypes.create_string_buffer(text.encode()))
        elif kind == "int":
            values.append(np.array(next(rest), dtype=np.int32, order="F"))
        else:
            values.append(np.array(next(rest), dtype=np.float64, order="F"))
    function = ctypes.CFUNCTYPE(
        ctypes.c_double if found.has_value else None, *[ctypes.c_void_p] * len(values)
    )(found.address)
    addresses = [ctypes.addressof(v) if isinstance(v, ctypes.Array) else v.ctypes.data for v in values]
    own = function(*addresses)
    flat: list[Value] = []
    for place in results:
        if place is None:
            flat.append(own)
        else:
            array = values[place]
            assert isinstance(array, np.ndarray)
            flat += array.ravel(order="C").tolist()
    return flat
