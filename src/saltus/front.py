"""The front half of the compiler: what a class means, whether or not it can be simulated.

It is apart from `pipeline` because it needs no integrator and no native code: `saltus flat`, and
`saltus check` on a whole package, start without them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from saltus.core.collection import put_off
from saltus.core.diagnostics import Diagnostic, model_error
from saltus.finding import find_class
from saltus.ir.flat import FlatModel
from saltus.ir.instance import ClassEntry, Instance, verify
from saltus.lower.flat.flatten import build_instances, flatten, new_context
from saltus.lower.flat.units import check_units
from saltus.lower.scope.chain import chains_told
from saltus.lower.scope.context import Context


@dataclass
class Stopwatch:
    """Seconds by step, in order."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        began = perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - began


@put_off()
def flatten_class(context: Context, cls: ClassEntry, watch: Stopwatch) -> tuple[Instance, FlatModel]:
    """The instance tree and the flat model of a class. Raises `ModelError`."""
    try:
        with watch.step("instantiate"):
            root = build_instances(context, cls)
        with watch.step("flatten"), chains_told(root):
            flat = flatten(context, root)
    except RecursionError:
        hint = "give parts of long expressions names, and look for classes that are defined by themselves"
        message = f"something in `{cls.full_name}` is nested too deeply, or without end"
        raise model_error("E204", message, cls.span, hint=hint) from None
    verify(root)
    flat.verify()
    return root, flat


def unit_warnings(cls: ClassEntry) -> tuple[Diagnostic, ...]:
    """Where units of a class do not match. It is flattened for that with constants as symbols."""
    context = new_context(cls.library, {})
    context.functions.units = {}
    flat = flatten(context, build_instances(context, cls))
    return tuple(check_units(context, flat))


def load_flat(
    path_or_text: str | Path,
    model: str | None = None,
    libraries: Sequence[str | Path] | str | Path = (),
) -> FlatModel:
    """The flat model alone: also of a model that cannot be simulated, to see why."""
    cls = find_class(path_or_text, model, libraries)
    return flatten_class(new_context(cls.library, {}), cls, Stopwatch())[1]
