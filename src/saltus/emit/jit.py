"""LLVM text to native code in memory.

Compiled for the CPU it runs on. No fused multiply-add is formed: LLVM fuses only what is marked for it,
and nothing is. The engine lives as long as a machine that uses it.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable, Mapping
from functools import cache, partial
from time import perf_counter
from typing import Any, Self

import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cython_lapack

from saltus.emit.callbacks import GET_DATA, callbacks_text
from saltus.emit.driver import DRIVER_FUNCTIONS, driver_text
from saltus.emit.implicit_callbacks import implicit_callbacks_text
from saltus.emit.jacobian import DENSE_DATA, jacobian_text
from saltus.emit.llvm import llvm_text, workspace_size
from saltus.emit.llvm_builtins import DGESV, LIBRARY_SYMBOLS
from saltus.emit.remember import HISTORY_FUNCTIONS, histories_text
from saltus.emit.sparse_lu import FACTORISE, SOLVE, sparse_lu_text
from saltus.ir.program import Program

#: PYFUNCTYPE keeps the interpreter lock where CFUNCTYPE releases and takes it again, which costs more than
#: most routines: 0.43 us a call against 0.16 us. Safe, since native code never calls back into Python and
#: routines are short; the long calls, those of the integrator, release the lock.
_ROUTINE = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
SPEED_LEVEL = 2

#: Modules with more text than this get a short list of passes. The text is value-numbered already, so the
#: full pipeline finds little in it, but takes ten seconds for 20,000 assignments where these take 0.3.
LEAN_FROM = 500_000


class _Code:
    """Compiled code, shared by a machine and its clones; addresses are looked up once."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self._addresses: dict[str, int] = {}

    def address(self, name: str) -> int:
        found = self._addresses.get(name, 0)
        if not found:
            engine = self.engine
            if name in (FACTORISE, SOLVE):
                engine = _sparse_lu()
            elif name in DRIVER_FUNCTIONS:
                engine = _driver()
            elif name in HISTORY_FUNCTIONS:
                engine = _histories()
            found = self._addresses[name] = int(engine.get_function_address(name))
        if not found:
            raise KeyError(f"the native code has no function {name}")
        return found


class _Routines(dict[str, Callable[[], int]]):
    """Routines that work on one memory, each made callable when it is first asked for: a run needs a dozen,
    and a large program has hundreds."""

    def __init__(self, code: _Code, program: Program, pointer: int) -> None:
        super().__init__()
        self._code, self._program, self._pointer = code, program, pointer

    def __missing__(self, name: str) -> Callable[[], int]:
        if name not in self._program.routines:
            raise KeyError(name)
        routine = self[name] = partial(_ROUTINE(self._code.address(name)), self._pointer)
        return routine


class NativeMachine:
    """A program as native code. `pointer` is the address of its memory."""

    def __init__(
        self, program: Program, code: _Code, workspace: int, compile_seconds: float, text: str = ""
    ) -> None:
        self.program = program
        self.compile_seconds = compile_seconds
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

    def add_implicit(self, program: Program, symbols: Mapping[str, int]) -> None:
        """Compiles the implicit form, a program for the same memory, and adds its call-backs. They work on
        the memories of clones made from now on."""
        assert program.layout.size == self.program.layout.size
        self._workspace = max(self._workspace, workspace_size(program))
        text = llvm_text(program) + implicit_callbacks_text(program)
        self._code.engine.add_module(_optimised(text, symbols)[0])
        self._code.engine.finalize_object()
        self.has_implicit = True

    def clone(self) -> Self:
        """A machine with the same code and a memory of its own."""
        made = type(self)(self.program, self._code, self._workspace, 0.0, self.text)
        made.has_implicit = self.has_implicit
        return made


def native_machine(program: Program, symbols: Mapping[str, int] | None = None) -> NativeMachine:
    """Compiles a program. `symbols` gives addresses of C functions; with N_VGetArrayPointer among them, the
    machine has the call-backs `saltus_rhs` and `saltus_roots`, with SUNDenseMatrix_Data also Jacobians."""
    began = perf_counter()
    symbols = symbols or {}
    text = llvm_text(program)
    if GET_DATA in symbols:
        text += callbacks_text(program)
        if DENSE_DATA in symbols:
            text += jacobian_text(program)
    if program.remembers:
        _histories()
    engine = compile_text(text, symbols)
    return NativeMachine(program, _Code(engine), workspace_size(program), perf_counter() - began, text)


def compile_text(text: str, symbols: Mapping[str, int], *, lean: bool = False) -> Any:
    """Verified, optimised (with the short list of passes, if `lean`), loaded: the execution engine."""
    engine = llvm.create_mcjit_compiler(*_optimised(text, symbols, lean=lean))
    engine.finalize_object()
    return engine


def _optimised(text: str, symbols: Mapping[str, int], *, lean: bool = False) -> tuple[Any, Any]:
    """The module, and the machine that it is for."""
    _initialise()
    for name, address in symbols.items():
        llvm.add_symbol(name, address)
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    machine = target.create_target_machine(llvm.get_host_cpu_name(), features, SPEED_LEVEL, jit=True)
    module = llvm.parse_assembly(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    options = llvm.PipelineTuningOptions(speed_level=SPEED_LEVEL)
    builder = llvm.create_pass_builder(machine, options)
    if len(text) < LEAN_FROM and not lean:
        passes = builder.getModulePassManager()
    else:
        passes = llvm.create_new_module_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
    passes.run(module, builder)
    return module, machine


@cache
def _driver() -> Any:
    """The driver is the same for all models, too."""
    return compile_text(driver_text(), {}, lean=True)


@cache
def _histories() -> Any:
    """And so is what histories need."""
    engine = compile_text(histories_text(), {}, lean=True)
    for name in HISTORY_FUNCTIONS:
        llvm.add_symbol(name, engine.get_function_address(name))
    return engine


@cache
def _sparse_lu() -> Any:
    """The sparse solver is the same for all models, and is compiled when the first one needs it."""
    return compile_text(sparse_lu_text(), {})


@cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.add_symbol(DGESV, _capsule_address(cython_lapack.__pyx_capi__["dgesv"]))
    library = None
    for name in LIBRARY_SYMBOLS:
        if llvm.address_of_symbol(name) is None:
            library = library or ctypes.CDLL(ctypes.util.find_library("m"))
            llvm.add_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)


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
