"""The native driver, for all models of a process: compiled quickly at first, with care where runs take long.

Good machine code of the driver takes a quarter of a second to make, as long as a small model takes for
everything else; quick code takes a sixth of that, and drives more slowly, by a tenth to two thirds. So the
first runs are driven by quick code, and when that has lost about as much time as good code takes, this is
made, and kept on disk: from then on, in other processes too, every run has it from the beginning. Results
are the same to the bit (`saltus.emit.llvm.object_code`). A run changes over between two calls of the
driver, which keeps all that it knows in its context.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any

from saltus.emit.driver.text import (
    DRIVER_FUNCTIONS,
    FIXED_STEP_FUNCTIONS,
    PASSAGE_FUNCTIONS,
    driver_text,
    fixed_step_text,
    passages_text,
)
from saltus.emit.llvm.object_code import Care, is_kept

#: Seconds of the processor that quick code may drive runs: with half of that lost, at most, it has lost what
#: good code takes to be made.
PATIENCE = 0.5


#: Modules beside that of the driver, loaded when one of their functions is asked for.
_BESIDE = {
    "passages": (PASSAGE_FUNCTIONS, passages_text),
    "fixed steps": (FIXED_STEP_FUNCTIONS, fixed_step_text),
}

#: All functions that `Drivers` has.
OF_DRIVERS = DRIVER_FUNCTIONS | PASSAGE_FUNCTIONS | FIXED_STEP_FUNCTIONS


class Drivers:
    """The driver's engines, by the care that was taken."""

    def __init__(self, compiled: Callable[[str, Care], Any], load: Callable[[Any, str, Care], None]) -> None:
        """`compiled` makes an engine of a text, and `load` adds the code of another to one."""
        self._compiled, self._load = compiled, load
        self._engines: dict[Care, Any] = {}  # never dropped: runs have addresses of what is in there
        self._with: set[tuple[Care, str]] = set()  # modules that were loaded beside the driver
        self._addresses: dict[tuple[Care, str], int] = {}  # to ask LLVM takes long, and runs may be short
        self._seconds = 0.0
        self._careful: bool | None = None
        self._lock = RLock()  # of two threads, one compiles

    @property
    def careful(self) -> bool:
        """Whether runs are driven by good machine code from now on."""
        if self._careful is None:
            self._careful = is_kept(driver_text(), Care.LEAN)
        return self._careful

    def drove(self, seconds: float) -> None:
        """Records how long quickly compiled code has driven a run, in seconds of processor time."""
        self._seconds += seconds
        if self._seconds > PATIENCE:
            self._careful = True

    def address(self, name: str) -> int:
        """The address of a function of the driver, which is another one when good code has been made."""
        with self._lock:
            key = self._care, name
            found = self._addresses.get(key)
            if found is None:
                found = self._addresses[key] = int(self.engine(name).get_function_address(name))
            return found

    @property
    def _care(self) -> Care:
        return Care.LEAN if self.careful else Care.QUICK

    def engine(self, name: str) -> Any:
        """The engine with a function of the driver."""
        assert name in OF_DRIVERS
        with self._lock:
            care = self._care
            engine = self._engines.get(care)
            if engine is None:
                engine = self._engines[care] = self._compiled(driver_text(), care)
            for module, (functions, text) in _BESIDE.items():
                if name in functions and (care, module) not in self._with:
                    self._load(engine, text(), care)
                    self._with.add((care, module))
            return engine
