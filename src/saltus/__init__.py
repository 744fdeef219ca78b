"""Saltus compiles hybrid, variable-structure physical models and simulates them.

    import saltus

    model = saltus.load("BouncingBall.mo")
    result = model.simulate(stop_time=3)
    result.plot("height")

The compiler, with all the libraries that it stands on, is imported when one of these names is first used:
commands that need none of it, such as `saltus flat`, start in half the time.
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from saltus.core.diagnostics import ModelError, RunError, SaltusError, UsageError

if TYPE_CHECKING:
    from saltus.drawing import diagram, icon
    from saltus.model import Model, load
    from saltus.result.result import Result
    from saltus.run.schedule.settings import Settings

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
    "diagram",
    "icon",
    "load",
]

_HOMES = {
    "Model": "saltus.model",
    "Result": "saltus.result.result",
    "Settings": "saltus.run.schedule.settings",
    "diagram": "saltus.drawing",
    "icon": "saltus.drawing",
    "load": "saltus.model",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'saltus' has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
