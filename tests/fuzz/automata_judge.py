"""What is done with a net or a machine that may be damaged: it is translated, and what is accepted is
written, drawn and rewritten. A rewrite may be refused, but what comes of it must be accepted."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from saltus.analyse.analysis import Analysis
from saltus.automata import as_net, drawn
from saltus.compiler import load_flat
from saltus.converting import convert
from saltus.core.diagnostics import ModelError, UsageError
from saltus.core.source import Source
from saltus.lower.hybrid.clauses import to_hybrid
from saltus.read.petri.files import nets
from saltus.read.petri.writer import net_text
from saltus.read.statechart.files import machines
from saltus.read.statechart.writer import machine_text
from saltus.transform.reachability import reachable

_FOLDER = tempfile.TemporaryDirectory()


class Dishonest(Exception):
    """A text that was accepted becomes one that is not, or another one."""


def net(text: str) -> None:
    """A text of nets. Raises `SaltusError` if it is refused, and `Dishonest`."""
    _translated(text, ".pn")
    for found in nets(Source("damaged.pn", text)):
        once = net_text(found)
        if net_text(nets(Source("again.pn", once))[-1]) != once:
            raise Dishonest(f"written again it is another one: {found.name}")
        drawn(found).document(found.name)
        _may_be_refused(lambda found=found: reachable(found))  # type: ignore[misc]
    _rewritten(text, ".pn", ("split",))


def machine(text: str) -> None:
    """A text of machines, likewise."""
    _translated(text, ".sm")
    for found in machines(Source("damaged.sm", text)):
        once = machine_text(found)
        if machine_text(machines(Source("again.sm", once))[-1]) != once:
            raise Dishonest(f"written again it is another one: {found.name}")
        drawn(found).document(found.name)
        _may_be_refused(lambda found=found: reachable(as_net(found)))  # type: ignore[misc]
    _rewritten(text, ".sm", ("flat", "net", "split", "equations"))


def _translated(text: str, suffix: str) -> None:
    """What `saltus check` does, without native code."""
    file = Path(_FOLDER.name) / f"Damaged{suffix}"
    file.write_text(text, encoding="utf-8", newline="")
    Analysis(to_hybrid(load_flat(file))).structure.verify()


def _may_be_refused(work: Callable[[], object]) -> None:
    try:
        work()
    except UsageError as error:
        if not error.diagnostics[0].message.strip():
            raise Dishonest("refused without a word") from None


def _rewritten(text: str, suffix: str, forms: tuple[str, ...]) -> None:
    for form in forms:
        try:
            made = convert(Path(_FOLDER.name) / f"Damaged{suffix}", form)
        except UsageError:
            continue
        try:
            load_flat(made)
        except ModelError as error:
            raise Dishonest(f"as {form} it is refused: {error.diagnostics[0].message}") from None
