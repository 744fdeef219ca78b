"""LLVM text to object code, kept on disk.

Object code is a function of the text, of LLVM, of the processor and of the passes below, and of nothing else:
addresses of C functions are filled in when it is loaded. So it is kept under the hash of all these, and
translating the same model again, in this process or another, compiles nothing.

Compiled for the CPU it runs on. No fused multiply-add is formed: LLVM fuses only what is marked for it,
and nothing is. So results do not depend on the care that is taken, to the last bit.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from saltus.core.cache import DiskCache, default_folder, format_version

#: Bytes of object code that are kept; the oldest goes first.
KEPT = 256 << 20


class Care(Enum):
    """How much time the compiler takes for a module.

    Measured on 500 equations: the text is value-numbered already, so that the full pipeline finds little in
    it, but takes ten times as long as the short list of passes. Only loops and small functions to be inlined,
    that is, functions of the user, gain by it. The quick generator of machine code is five times as fast as
    the careful one; what it makes is a tenth to a third slower."""

    __hash__ = object.__hash__  # members are singletons, and Enum hashes their names

    FULL = "the full pipeline, good machine code"
    LEAN = "a short list of passes, good machine code"
    QUICK = "machine code at once"


def object_code(text: str, care: Care) -> bytes:
    """The object code of a module, from the disk if it is there."""
    kept = _cache()
    key = kept.key(f"{care.name}\n{text}".encode())
    found = kept.load(key)
    if isinstance(found, bytes):
        return found
    made = compiled(text, care)
    kept.store(key, made)
    return made


def is_kept(text: str, care: Care) -> bool:
    """Whether the object code of a module is on the disk."""
    kept = _cache()
    return isinstance(kept.load(kept.key(f"{care.name}\n{text}".encode())), bytes)


def compiled(text: str, care: Care) -> bytes:
    """Verified, optimised, object code."""
    machine = _machine_for(0 if care is Care.QUICK else 2)
    module = llvm.parse_assembly(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    builder = llvm.create_pass_builder(machine, llvm.PipelineTuningOptions(speed_level=2))
    _passes(builder, care).run(module, builder)
    code = machine.emit_object(module)
    assert isinstance(code, bytes)
    return code


def _passes(builder: Any, care: Care) -> Any:
    if care is Care.FULL:
        return builder.getModulePassManager()
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    if care is Care.LEAN:
        passes.add_simplify_cfg_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
    return passes


def target_machine(level: int = 2) -> Any:
    """The processor this runs on; with `level` 0 its instructions are selected quickly."""
    name, features = _processor()
    return llvm.Target.from_default_triple().create_target_machine(name, features, level, jit=True)


@cache
def _machine_for(level: int) -> Any:
    return target_machine(level)


@cache
def _processor() -> tuple[str, str]:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@cache
def _objects(folder: Path | None) -> DiskCache:
    made_by = (llvmlite.__version__, llvm.llvm_version_info, llvm.get_default_triple(), *_processor())
    version = f"{format_version([Path(__file__)])} {made_by}"
    folder = folder / "native" if folder is not None else None
    return DiskCache(folder, version=version, limit=KEPT, private=True)


def _cache() -> DiskCache:
    """The cache of the folder that the environment names now."""
    return _objects(default_folder())
