"""How fast Modelica text becomes a tree, and how much faster the cache gives it again.

Set SALTUS_MSL to the folder of the Modelica Standard Library to measure with that; otherwise the text is made
here. Times are processor times of one process: the machine may have other work.

    python -m benchmarks.compiling.parsing
"""

from __future__ import annotations

import gc
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from saltus.ir import ast
from saltus.read.modelica.files import read_file

_REPEATS = 3


@dataclass(frozen=True)
class Measurement:
    """Seconds for all files, best of some repeats, except for the first filling of the cache."""

    files: int
    characters: int
    parsing: float
    storing: float
    loading: float
    opening: float

    @property
    def rate(self) -> float:
        """Megabytes parsed in one second."""
        return self.characters / 1e6 / self.parsing

    @property
    def gain(self) -> float:
        """How many times faster loading is than parsing."""
        return self.parsing / self.loading


def run(library: Path | None) -> Measurement:
    """Measures with all `.mo` files under `library`, or with made text, and prints the result."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = library
        if folder is None:
            print("SALTUS_MSL is not set: measuring with text made for the purpose")
            folder = Path(scratch) / "made"
            _write_made_text(folder)
        files = sorted(folder.rglob("*.mo"))
        measured = _measure(files, Path(scratch) / "cache")
    print(f"{measured.files} files, {measured.characters / 1e6:.2f} MB")
    print(f"parsing            {measured.parsing:7.3f} s  {measured.rate:6.2f} MB/s")
    print(f"parsing, storing   {measured.storing:7.3f} s")
    print(f"loading from cache {measured.loading:7.3f} s  {measured.gain:6.2f} times faster than parsing")
    opened = measured.parsing / measured.opening
    print(f"and opening every class {measured.opening:.3f} s  {opened:6.2f} times (a run opens few)")
    return measured


def _measure(files: list[Path], cache: Path) -> Measurement:
    before = os.environ.get("SALTUS_CACHE")
    try:
        os.environ["SALTUS_CACHE"] = "off"
        parsing = min(_seconds(lambda: _read_all(files)) for _ in range(_REPEATS))
        os.environ["SALTUS_CACHE"] = str(cache)
        storing = _seconds(lambda: _read_all(files))
        loading = min(_seconds(lambda: _read_all(files)) for _ in range(_REPEATS))
        opening = min(_seconds(lambda: _open_all(files)) for _ in range(_REPEATS))
    finally:
        if before is None:
            del os.environ["SALTUS_CACHE"]
        else:
            os.environ["SALTUS_CACHE"] = before
    size = sum(file.stat().st_size for file in files)
    return Measurement(len(files), size, parsing, storing, loading, opening)


def _read_all(files: list[Path]) -> None:
    for file in files:
        read_file(file)


def _open_all(files: list[Path]) -> None:
    """Loads, and looks into every class: the cache keeps their bodies sealed until then."""
    for file in files:
        classes = list(read_file(file)[1].classes)
        while classes:
            body = classes.pop().body
            if isinstance(body, ast.LongBody):
                classes += [e for e in body.elements if isinstance(e, ast.ClassDefinition)]


def _seconds(work: Callable[[], None]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def _write_made_text(folder: Path, files: int = 60, components: int = 150) -> None:
    """Models of the usual mixture: declarations with modifications, equations, graphics, documentation."""
    folder.mkdir(parents=True)
    icon = ", ".join(f"Line(points={{{{{n},{-n}}},{{{n + 5},{n}}}}}, color={{0,0,255}})" for n in range(8))
    for number in range(files):
        lines = [f'model M{number} "Model {number} of the benchmark"']
        for n in range(components):
            lines.append(
                f"  parameter Modelica.Units.SI.Resistance R{n}(min = 0, start = 1.5e-{n % 9}) = {n}*alpha "
                f'"Resistance number {n}" annotation(Dialog(group = "Values"));'
            )
            lines.append(f"  Modelica.Electrical.Analog.Basic.Resistor r{n}(R = R{n}, T_ref = 300.15);")
        lines.append("equation")
        for n in range(components):
            lines.append(f"  connect(r{n}.p, bus.pin[{n + 1}]) annotation({icon});")
            lines.append(
                f"  v[{n + 1}] = if noEvent(u > {n}) then R{n}*i^2 + sin(w*time) else -k*der(x[{n + 1}]);"
            )
        text = "<p>" + "Documentation in HTML, (with parentheses). " * 100 + "</p>"
        lines.append(f'  annotation(Icon(graphics = {{{icon}}}), Documentation(info = "{text}"));')
        lines.append(f"end M{number};\n")
        (folder / f"M{number}.mo").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    named = os.environ.get("SALTUS_MSL")
    run(Path(named) if named else None)
