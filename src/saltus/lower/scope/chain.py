"""The chain of instantiation that led to an error: which component, in which, and where each is declared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from saltus.core.diagnostics import Diagnostic, ModelError, SaltusError
from saltus.core.source import Span
from saltus.ir.instance import Instance, instances

#: How many levels of a long chain are shown: of the outermost and of the innermost.
_OUTER, _INNER = 3, 2


def located(error: ModelError, instance: Instance | None) -> ModelError:
    """The error, with the chain to the instance in which it happened. A diagnostic that has a
    chain already was raised in another component, whose values this one needs; it keeps that chain."""
    if instance is None or all(d.within for d in error.diagnostics):
        return error
    chain = chain_of(instance)
    if not chain:
        return error
    places = declared_at(instance)
    return ModelError(
        d if d.within else replace(d, within=chain, declared=places) for d in error.diagnostics
    )


@contextmanager
def chains_told(root: Instance) -> Iterator[None]:
    """Later stages know of a component its path only: errors that come from them are given the chain."""
    try:
        yield
    except SaltusError as error:
        tell_chains(root, error)
        raise


def tell_chains(root: Instance, error: SaltusError) -> None:
    """Gives an error of a later stage the chain of each component that it is about."""
    error.diagnostics = tuple(with_chain(d, root) for d in error.diagnostics)


def with_chain(diagnostic: Diagnostic, root: Instance) -> Diagnostic:
    """The diagnostic, with the chain to the component it is about, or to that of the variable it is about."""
    if diagnostic.within or not diagnostic.origin:
        return diagnostic
    known = {instance.path: instance for instance in instances(root)}
    path = diagnostic.origin
    while path and path not in known:
        path = path.rpartition(".")[0]
    if not path:
        return diagnostic
    return replace(diagnostic, within=chain_of(known[path]), declared=declared_at(known[path]))


def chain_of(instance: Instance) -> tuple[str, ...]:
    """One line a level, the outermost first; nothing for the model itself."""
    lines: list[str] = []
    for place in _outwards(instance):
        if place.kind == "package":
            lines.append(f"in package `{place.path}`, declared at {place.span}")
        else:
            lines.append(
                f"in component `{place.path}` of class `{place.cls.full_name}`, declared at {place.span}"
            )
    lines.reverse()
    if len(lines) > _OUTER + _INNER + 1:
        left_out = len(lines) - _OUTER - _INNER
        lines[_OUTER : len(lines) - _INNER] = [f"... {left_out} levels in between"]
    return tuple(lines)


def declared_at(instance: Instance) -> tuple[Span, ...]:
    """The places of the declarations of a chain, the outermost first."""
    return tuple(place.span for place in _outwards(instance))[::-1]


def _outwards(instance: Instance) -> Iterator[Instance]:
    """A component, the one that it is in, and so on, but for the model itself."""
    place: Instance | None = instance
    while place is not None and place.path:
        yield place
        place = place.parent
