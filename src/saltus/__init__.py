"""Saltus compiles hybrid, variable-structure physical models and simulates them.

import saltus

model = saltus.load("BouncingBall.mo")
result = model.simulate(stop_time=3)
result.plot("height")
"""

from importlib.metadata import version

from saltus.core.diagnostics import ModelError, RunError, SaltusError, UsageError
from saltus.model import Model, load
from saltus.result.result import Result
from saltus.run.settings import Settings

__version__ = version("saltus")

__all__ = [
    "Model",
    "ModelError",
    "Result",
    "RunError",
    "SaltusError",
    "Settings",
    "UsageError",
    "__version__",
    "load",
]
