"""What `make demo` runs: every example, with its plot and CSV in demo-output/; the beginnings of two event
logs, and the modes of the models whose equations change; then models of the papers, from the gallery.

Ends with a non-zero status if an example fails. From the root of the checkout:
    python examples/demo.py [OUTPUT_FOLDER]
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Column, Table

import saltus
from saltus.catalogue import exhibit
from saltus.core.diagnostics import SaltusError
from saltus.core.render import render
from saltus.result.files.eventlog import event_lines
from saltus.result.log.records import INITIAL, TERMINAL
from saltus.result.result import Result
from saltus.tools.gallery_tour import Tour

HERE = Path(__file__).parent
#: Lines of an event log that are printed at most; the last event is whole.
LOG_LINES = 14

#: Tables are no wider: that of a terminal at first.
WIDTH = 80


@dataclass(frozen=True)
class Example:
    """A model, what it shows, and the variables that show it best (none: the default choice). With `modes`
    the timeline of its modes is printed, and shaded in its plot."""

    name: str
    shows: str
    variables: tuple[str, ...] = ()
    modes: bool = False


EXAMPLES = (
    Example("Limiter", "a signal cut off at two limits", ("x", "y", "area")),
    Example("Hysteresis", "a relay that remembers", ("u", "y")),
    Example("SampledSystem", "a difference equation", ("u", "x", "xs", "samples")),
    Example("BouncingBall", "impacts with reinit"),
    Example("SwitchCircuit", "an ideal switch in 0/1 form", ("C.u", "Sw.u", "Sw.i", "Sw.openSw")),
    Example("TankLevel", "a valve with hysteresis", ("h", "Qo", "n")),
    Example("TankProportional", "a controller that saturates", ("h", "Qi", "u")),
    Example("RCNetwork", "connectors and arrays", ("source.u", "stage[*].capacitor.u")),
    Example("VanDerPol", "a stiff oscillator", ("x",)),
    Example("PIControl", "a sampled controller", ("room.T?", "controller.reference", "controller.u")),
    Example("Pendulum", "states that change on the way", ("x", "y", "energy")),
    Example("TumblingBody", "a quaternion of length 1", ("axis[*]", "q[*]")),
    Example("DryFriction", "friction: sticks and slides", ("body.v", "friction.f"), modes=True),
    Example("InductorRectifier", "an ideal diode and a coil", ("inductor.i", "diode.u"), modes=True),
    Example("Functions", "functions, a record, literals", ("h", "Q", "valve")),
)
LOGGED = ("BouncingBall", "InductorRectifier")

#: Of the gallery; the log of the first one is printed, as in the paper.
PAPERS = (
    "Elmqvist1993.Fig5_Rectifier",
    "Elmqvist1993.Fig7_TwoBlocks",
    "Mosterman1998.Fig7_FreewheelingClutch",
    "Beek1998.Sec42_TOV",
    "Mattsson1999.Fig7_Gearbox",
    "Cellier2013.Slide_MechanicalFrictionXI_Declarative",
)


def main(arguments: list[str]) -> int:
    """Runs all examples; 0 if all went well."""
    output = Path(arguments[0]) if arguments else HERE.parent / "demo-output"
    output.mkdir(parents=True, exist_ok=True)
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    table = _table("model", "what it shows")
    failed: list[str] = []
    for example in EXAMPLES:
        try:
            table.add_row(example.name, example.shows, *_run(example, output, console))
        except SaltusError as error:
            print(f"{example.name} failed\n{render(error.diagnostics)}", file=sys.stderr)
            failed.append(example.name)
    papers = _table("of the gallery", "paper")
    for name in PAPERS:
        try:
            papers.add_row(*_exhibit(name, output, console))
        except SaltusError as error:
            print(f"{name} failed\n{render(error.diagnostics)}", file=sys.stderr)
            failed.append(name)
    console.print(table)
    console.print()
    console.print(papers)
    console.print()
    console.print(f"made, run: seconds; plots and CSV files are in {output.name}/")
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _run(example: Example, output: Path, console: Console) -> tuple[str, ...]:
    """Simulates one example, writes its files and gives its row of numbers."""
    began = perf_counter()
    model = saltus.load(HERE / f"{example.name}.mo")
    translated = perf_counter()
    result = model.simulate()
    simulated = perf_counter()
    result.to_csv(output / f"{example.name}.csv")
    result.plot(*example.variables, path=output / f"{example.name}.png", modes=example.modes)
    if example.modes:
        _print(console, f"Modes of {example.name}", [f"{result.modes}"])
    if example.name in LOGGED:
        lines = list(event_lines(result))
        whole = max(k for k, line in enumerate(lines[:LOG_LINES], 1) if line.startswith("Continuing"))
        more = [f"... {len(lines) - whole} more lines"] if len(lines) > whole else []
        _print(console, f"Events of {example.name}", lines[:whole] + more)
    return _numbers(result, translated - began, simulated - translated)


def _exhibit(name: str, output: Path, console: Console) -> tuple[str, ...]:
    """Runs a model of the gallery, writes its plot and gives its row."""
    shown = exhibit(name)
    began = perf_counter()
    model = saltus.load(shown.name)
    translated = perf_counter()
    result = model.simulate()
    simulated = perf_counter()
    result.to_csv(output / f"{shown.short}.csv")
    tour = Tour(shown, result)
    tour.plot(output / f"{shown.short}.png")
    if name == PAPERS[0]:
        _print(console, f"Events of {shown.short} ({shown.paper}, {shown.place})", tour.log(LOG_LINES))
    return (
        shown.short.partition(".")[2],
        shown.short.partition(".")[0],
        *_numbers(result, translated - began, simulated - translated),
    )


def _table(*headings: str) -> Table:
    """An empty table with two texts and some numbers in each row."""
    table = Table(*(Column(text, no_wrap=True) for text in headings), box=None, padding=(0, 1, 0, 0))
    for heading in ("states", "events", "made", "run"):
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _numbers(result: Result, translation: float, run: float) -> tuple[str, ...]:
    """The columns of the table after the first two."""
    counts = sorted({len(mode.states) for mode in result.modes.visited})
    return (
        " or ".join(map(str, counts)) if len(counts) < 3 else f"{counts[0]} to {counts[-1]}",
        str(sum(1 for record in result.records if record.kind not in (INITIAL, TERMINAL))),
        f"{translation:.2f}",
        f"{run:.2f}",
    )


def _print(console: Console, heading: str, lines: list[str]) -> None:
    """A part of the output; lines are as long as they are, so that they can be copied."""
    console.print(heading, style="bold")
    for line in [*lines, ""]:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
