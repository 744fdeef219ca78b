"""External objects: numbers that live as long as there is a reference to the object."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray


class ExternalError(Exception):
    """An external function cannot do what it is asked to; `code` is that of the message."""

    def __init__(self, message: str, code: str = "E407") -> None:
        super().__init__(message)
        self.code = code


class ExternalObject(int):
    """The address of numbers, as native code reads them, which are kept alive as long as this is. Addresses
    of a process are below 2^53, so that a double holds them exactly."""

    numbers: NDArray[np.float64]

    def __new__(cls, numbers: NDArray[np.float64]) -> Self:
        """The object that consists of these numbers."""
        made = super().__new__(cls, numbers.ctypes.data)
        made.numbers = numbers
        return made
