"""LLVM text to native code in memory.

Object code (`saltus.emit.llvm.object_code`) is loaded, and the addresses of C functions are filled in. The
engine lives as long as a machine that uses it.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Any, Self

import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

from saltus.emit.callbacks.callbacks import callbacks_text
from saltus.emit.callbacks.implicit_callbacks import implicit_callbacks_text
from saltus.emit.callbacks.jacobian import entries_text, jacobian_text
from saltus.emit.callbacks.sparse_lu import sparse_lu_text
from saltus.emit.driver.text import (
    PART_FUNCTIONS,
    RUNGE_KUTTA_FUNCTIONS,
    parts_text,
    runge_kutta_text,
)
from saltus.emit.llvm.drivers import OF_DRIVERS, Drivers
from saltus.emit.llvm.llvm import workspace_size
from saltus.emit.llvm.modules import Divided, Hurry, divided
from saltus.emit.llvm.object_code import Care, object_code, target_machine
from saltus.emit.support.external import RANDOM_STATE, routine_symbol
from saltus.emit.support.llvm_builtins import DGESV, LIBRARY_SYMBOLS
from saltus.emit.support.remember import HISTORY_FUNCTIONS, histories_text
from saltus.functions.external import lapack, random
from saltus.ir.native.contract import DENSE_DATA, ENTRIES, FACTORISE, GET_DATA, SOLVE
from saltus.ir.program import Program

#: PYFUNCTYPE keeps the interpreter lock where CFUNCTYPE releases and takes it again, which costs more than
#: most routines: 0.43 us a call against 0.16 us. Safe, since native code never calls back into Python and
#: routines are short; the long calls, those of the integrator, release the lock.
_ROUTINE = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


class _Code:
    """Compiled code, shared by a machine and its clones; addresses are looked up once."""

    def __init__(self, modules: Divided, symbols: Mapping[str, int]) -> None:
        self.engine = _engine(modules.first, symbols)
        self._symbols = symbols
        self._at_start = modules.names
        self._later = modules.rest  # compiled when something in there is first asked for
        self._addresses: dict[str, int] = {}
        self._together: dict[tuple[str, ...], Mapping[str, int]] = {}
        self.calls: dict[str, Callable[[int], int]] = {}  # of routines that have been called in some memory

    def addresses(self, names: tuple[str, ...]) -> Mapping[str, int]:
        """The addresses of several functions, none of which is the driver's."""
        found = self._together.get(names)
        if found is None:
            found = self._together[names] = {name: self.address(name) for name in names}
        return found

    def address(self, name: str) -> int:
        if name in OF_DRIVERS:  # there may be better ones later
            return DRIVERS.address(name)
        found = self._addresses.get(name, 0)
        if not found:
            engine = self.load(name)
            if name in (FACTORISE, SOLVE):
                engine = _sparse_lu()
            elif name in PART_FUNCTIONS:
                engine = _parts()
            elif name in RUNGE_KUTTA_FUNCTIONS:
                engine = _runge_kutta()
            elif name in HISTORY_FUNCTIONS:
                engine = _histories()
            found = self._addresses[name] = int(engine.get_function_address(name))
        if not found:
            raise KeyError(f"the native code has no function {name}")
        return found

    def load(self, name: str = "") -> Any:
        """The engine with all the code of the program, or with as much as a function needs."""
        if self._later and name not in self._at_start:
            later, self._later = self._later, ()
            _load(self.engine, later, self._symbols)
        return self.engine


class _Routines(dict[str, Callable[[], int]]):
    """Routines that work on one memory, each made callable when it is first asked for: a run needs a dozen,
    and a large program has hundreds."""

    def __init__(self, code: _Code, program: Program, pointer: int) -> None:
        super().__init__()
        self._code, self._program, self._pointer = code, program, pointer

    def __missing__(self, name: str) -> Callable[[], int]:
        if (known := self._code.calls.get(name)) is not None:
            again: Callable[[], int] = partial(known, self._pointer)
            self[name] = again
            return again
        if name not in self._program.routines:
            raise KeyError(name)
        call: Callable[[], int]

        def first() -> int:
            """Its code may still have to be compiled. From now on it is found here without a detour."""
            nonlocal call
            known = self._code.calls[name] = _ROUTINE(self._code.address(name))
            call = self[name] = partial(known, self._pointer)
            return int(call())

        call = first
        routine = self[name] = lambda: call()  # for those who keep it
        return routine


class NativeMachine:
    """A program as native code. `pointer` is the address of its memory."""

    def __init__(self, program: Program, code: _Code, workspace: int, text: str = "") -> None:
        self.program = program
        self.text = text
        self.has_implicit = False
        self._code = code
        self._workspace = workspace
        size = program.layout.size
        self._buffer: NDArray[np.float64] = np.zeros(size + workspace)
        self.memory: NDArray[np.float64] = self._buffer[:size]
        self.pointer = int(self._buffer.ctypes.data)
        self.routines: dict[str, Callable[[], int]] = _Routines(code, program, self.pointer)

    def address(self, name: str) -> int:
        """Address of a routine or call-back."""
        return self._code.address(name)

    def addresses(self, names: tuple[str, ...]) -> Mapping[str, int]:
        """Addresses of routines by name, cached for the sets that every run requests."""
        return self._code.addresses(names)

    @property
    def drives_carefully(self) -> bool:
        """Whether functions of the driver that are asked for now are of good machine code."""
        return DRIVERS.careful

    def drove(self, seconds: float) -> None:
        """Records how long a run was driven by functions that are not optimised."""
        DRIVERS.drove(seconds)

    def add_implicit(self, program: Program, symbols: Mapping[str, int]) -> None:
        """Compiles the implicit form, a program for the same memory, and adds its call-backs. They work on
        the memories of clones made from now on."""
        assert program.layout.size == self.program.layout.size
        self._workspace = max(self._workspace, workspace_size(program))
        _add_routines(program)
        modules = divided(program, implicit_callbacks_text(program))
        _load(self._code.load(), (*modules.first, *modules.rest), symbols)
        self.has_implicit = True

    def clone(self) -> Self:
        """A machine with the same code and a memory of its own."""
        made = type(self)(self.program, self._code, self._workspace, self.text)
        made.has_implicit = self.has_implicit
        return made


def native_machine(
    program: Program, symbols: Mapping[str, int] | None = None, hurry: Hurry = Hurry.NONE
) -> NativeMachine:
    """Compiles a program. `symbols` gives addresses of C functions; with N_VGetArrayPointer among them, the
    machine has the call-back `saltus_rhs`, with SUNDenseMatrix_Data also Jacobians. The more `hurry`, the
    less time is spent on good machine code."""
    symbols = symbols or {}
    callbacks = ""
    if GET_DATA in symbols:
        callbacks = callbacks_text(program)
        if DENSE_DATA in symbols:
            callbacks += jacobian_text(program)
            _entries(symbols[GET_DATA])
    if program.remembers:
        _histories()
    _add_routines(program)
    modules = divided(program, callbacks, hurry)
    text = "\n".join(module for module, _ in (*modules.first, *modules.rest))
    return NativeMachine(program, _Code(modules, symbols), workspace_size(program), text)


def compile_text(text: str, symbols: Mapping[str, int], care: Care = Care.LEAN) -> Any:
    """Verified, optimised, loaded: the execution engine."""
    return _engine([(text, care)], symbols)


def _engine(modules: Iterable[tuple[str, Care]], symbols: Mapping[str, int]) -> Any:
    _initialise()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine())
    _load(engine, modules, symbols)
    return engine


def _load(engine: Any, modules: Iterable[tuple[str, Care]], symbols: Mapping[str, int]) -> None:
    for name, address in symbols.items():
        llvm.add_symbol(name, address)
    for text, care in modules:
        if f"call void @{DGESV}(" in text:
            _add_dgesv()
        engine.add_object_file(llvm.ObjectFileRef.from_data(object_code(text, care)))
    engine.finalize_object()


def _add_routines(program: Program) -> None:
    """The routines of LAPACK, and C code of the model, that functions of the program call."""
    for f in program.functions:
        if f.external is not None and f.external.compiled is not None:
            llvm.add_symbol(f.external.compiled.symbol, f.external.compiled.address)
        if f.external is not None and f.external.fortran is not None:
            found = lapack.routine(f.external.fortran.name)
            assert found is not None
            llvm.add_symbol(routine_symbol(found.name), found.address)


#: The native driver: it is the same for all models.
DRIVERS = Drivers(
    lambda text, care: compile_text(text, {}, care),
    lambda engine, text, care: _load(engine, [(text, care)], {}),
)


@cache
def _parts() -> Any:
    """Events in one part of a model, compiled once."""
    return compile_text(parts_text(), {})


@cache
def _runge_kutta() -> Any:
    """The explicit method, compiled once."""
    return compile_text(runge_kutta_text(), {})


@cache
def _histories() -> Any:
    """The functions of histories, compiled once: they are the same for all models."""
    engine = compile_text(histories_text(), {})
    for name in HISTORY_FUNCTIONS:
        llvm.add_symbol(name, engine.get_function_address(name))
    return engine


@cache
def _sparse_lu() -> Any:
    """The sparse solver is the same for all models, and is compiled when the first one needs it."""
    return compile_text(sparse_lu_text(), {}, Care.FULL)


@cache
def _entries(get_data: int) -> Any:
    """What computes the entries of Jacobians, compiled once: it is the same for all models."""
    engine = compile_text(entries_text(), {GET_DATA: get_data})
    llvm.add_symbol(ENTRIES, engine.get_function_address(ENTRIES))
    return engine


@cache
def _initialise() -> None:
    llvm.add_symbol(RANDOM_STATE, random.STATE.ctypes.data)
    missing = [name for name in LIBRARY_SYMBOLS if llvm.address_of_symbol(name) is None]
    library = _mathematics(missing) if missing else None
    for name in missing:
        llvm.add_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)


def _mathematics(names: list[str]) -> ctypes.CDLL:
    """A library with these functions. Python itself stands on the right one, nearly everywhere: it need not
    be searched for, which would start a process."""
    if os.name != "nt":
        own = ctypes.CDLL(None)
        if all(hasattr(own, name) for name in names):
            return own
    from ctypes.util import find_library

    return ctypes.CDLL(find_library("m"))


@cache
def _add_dgesv() -> None:
    from scipy.linalg import cython_lapack  # as much to import as all the rest, and few models need it

    llvm.add_symbol(DGESV, _capsule_address(cython_lapack.__pyx_capi__["dgesv"]))


def _capsule_address(capsule: object) -> int:
    """The C pointer inside a capsule, whose name is the C signature."""
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    api.PyCapsule_GetName.argtypes = [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    address = api.PyCapsule_GetPointer(capsule, api.PyCapsule_GetName(capsule))
    assert isinstance(address, int)
    return address
