"""Saltus compiles hybrid, variable-structure physical models and simulates them.

    import saltus

    model = saltus.load("BouncingBall.mo")
    result = model.simulate(stop_time=3)
    result.plot("height")

The compiler, with all the libraries that it stands on, is imported when one of these names is first used:
commands that need none of it, such as `saltus flat`, start in half the time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from saltus.core.collection import put_off
from saltus.core.diagnostics import ModelError, RunError, SaltusError, UsageError

if TYPE_CHECKING:
    from saltus import bondgraph
    from saltus.converting import convert
    from saltus.drawing import diagram, icon
    from saltus.model import Model, load
    from saltus.notebook.sliders import explore
    from saltus.result.exchange.compare import compare
    from saltus.result.exchange.formats import read_result
    from saltus.result.result import Result
    from saltus.run.exchange.exchange import Exchange
    from saltus.run.exchange.udp import UdpLink
    from saltus.run.schedule.settings import Settings
    from saltus.show.plots.plot import plot

    __version__: str

__all__ = [
    "Exchange",
    "Model",
    "ModelError",
    "Result",
    "RunError",
    "SaltusError",
    "Settings",
    "UdpLink",
    "UsageError",
    "__version__",
    "bondgraph",
    "compare",
    "convert",
    "diagram",
    "explore",
    "icon",
    "load",
    "plot",
    "read_result",
]

_HOMES = {
    "Exchange": "saltus.run.exchange.exchange",
    "Model": "saltus.model",
    "Result": "saltus.result.result",
    "Settings": "saltus.run.schedule.settings",
    "UdpLink": "saltus.run.exchange.udp",
    "compare": "saltus.result.exchange.compare",
    "convert": "saltus.converting",
    "diagram": "saltus.drawing",
    "explore": "saltus.notebook.sliders",
    "icon": "saltus.drawing",
    "load": "saltus.model",
    "plot": "saltus.show.plots.plot",
    "read_result": "saltus.result.exchange.formats",
}


def __getattr__(name: str) -> Any:
    found: Any
    if name == "__version__":
        from importlib.metadata import version  # reads headers of mail, for which it imports a lot

        found = version("saltus")
    elif name == "bondgraph":
        with put_off():
            found = import_module("saltus.bondgraph")
    elif name in _HOMES:
        with put_off():  # hundreds of modules, and all that is made stays
            found = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'saltus' has no attribute {name!r}")
    globals()[name] = found
    return found


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext saltus`: `%%modelica`, and warnings below the cells in which they arise."""
    from saltus.notebook.extension import load as extend

    extend(shell)


def unload_ipython_extension(shell: Any) -> None:
    """`%unload_ext saltus`."""
    from saltus.notebook.extension import unload

    unload(shell)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
