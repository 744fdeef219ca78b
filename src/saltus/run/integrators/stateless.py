"""A right-hand side for models without states: one dummy state that never moves.

CVODE wants at least one state, and hands out vectors that hold whatever was in that memory before, so
the zero has to be written each time.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import llvmlite.binding as llvm

from saltus.run.integrators.sundials import symbols

_SOURCE = """
declare ptr @N_VGetArrayPointer(ptr)
define i32 @still(double %time, ptr %y, ptr %ydot, ptr %memory) {
  %data = call ptr @N_VGetArrayPointer(ptr %ydot)
  store double 0.0, ptr %data
  ret i32 0
}
"""


@cache
def _engine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name, address in symbols().items():
        llvm.add_symbol(name, address)
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(_SOURCE), machine)
    engine.finalize_object()
    return engine


def still_rhs() -> int:
    """Address of the function y' = 0."""
    return int(_engine().get_function_address("still"))
