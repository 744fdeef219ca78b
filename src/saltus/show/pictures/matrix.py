"""The incidence matrix in block lower triangular form, drawn as SVG.

Row i is the i-th equation in order of evaluation, column i the unknown it is solved for; a dot says that the
unknown occurs in the equation. So the blocks lie on the diagonal, what they need from earlier blocks lies to
the left of them, and nothing lies to their right. Paper 000 draws such matrices for small circuits.

The text is written by hand: small matrices get names at both axes and a tooltip for every dot; large ones get
numbers, and one path for all dots of a colour, because thousands of elements make viewers slow. Neighbouring
dots of a row are then one stroke, and if even these are too many (a large dense loop), cells are joined to
coarser ones, so the size of the file is bounded.

Coordinates inside the group `matrix` are cells: the dot of row i and column j is at (j + 0.5, i + 0.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.expr.nodes import Expr, Symbol, leaf_symbol, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves, substitute
from saltus.ir.sorted.blocks import Explicit, Linear
from saltus.ir.structure import Structure

#: Up to this many rows, axes carry names and dots tooltips.
NAMED = 40

#: From this many rows on, neighbouring dots of a row become one stroke.
SEPARATE = 300

#: Strokes in a file; above that, cells are joined. About a megabyte.
STROKES = 60_000

#: Colours that the colour-blind can distinguish (Okabe and Ito).
COLOURS = {
    "explicit": "#0072B2",
    "linear": "#009E73",
    "nonlinear": "#D55E00",
    "discrete": "#CC79A7",
    "earlier": "#6b6b6b",
}
_WORDS = {
    "explicit": "explicit: one equation, solved symbolically",
    "linear": "linear loop",
    "nonlinear": "nonlinear loop",
    "discrete": "discrete, at events only",
    "earlier": "needs the unknown of an earlier block",
}

_FONT = 11  # size of the text
_LETTER = 0.64 * _FONT  # width of a letter: no monospaced font in use is wider
_LINE = 18
_LONGEST = 44  # letters of an axis label
_AREA = 900  # width of a large matrix
_DOT = 1.4  # the smallest dot that is still seen


@dataclass(frozen=True)
class DiagonalBlock:
    """A block on the diagonal: rows and columns `start` to `start + size - 1`."""

    start: int
    size: int
    kind: str


@dataclass(frozen=True)
class Incidence:
    """`rows[i]` are the columns of the unknowns in equation i, in ascending order."""

    rows: tuple[tuple[int, ...], ...]
    blocks: tuple[DiagonalBlock, ...]

    @property
    def dots(self) -> int:
        return sum(map(len, self.rows))


def incidence(structure: Structure) -> Incidence:
    """Which unknown occurs in which equation, both in order of evaluation."""
    unknowns = [u for b in structure.blocks for u in b.unknowns]
    column = {u: j for j, u in enumerate(unknowns)}
    discrete = {v.symbol for v in structure.discretes}
    rows: list[tuple[int, ...]] = []
    blocks: list[DiagonalBlock] = []
    for b in structure.blocks:
        kind = "explicit" if isinstance(b, Explicit) else "linear" if isinstance(b, Linear) else "nonlinear"
        if leaf_symbol(b.unknowns[0]) in discrete:
            kind = "discrete"
        blocks.append(DiagonalBlock(len(rows), len(b.unknowns), kind))
        # What is presumed is no unknown here, and echoes stand for what they are copies of.
        presumed = {p.variable for p in structure.presumed_in(b)}.difference(b.unknowns)
        echoes = {structure.echoes[u]: u for u in b.unknowns if u in structure.echoes}
        for q in b.equations:
            used = (leaf for side in (q.lhs, q.rhs) for leaf in leaves(side) if leaf not in presumed)
            found = {column[x] for leaf in used if (x := echoes.get(leaf, leaf)) in column}
            rows.append(tuple(sorted(found)))
    return Incidence(tuple(rows), tuple(blocks))


def labels(structure: Structure) -> tuple[list[str], list[str]]:
    """Equations and unknowns in order of evaluation. Relations are shown as they were written."""
    texts: dict[Expr, Expr] = {
        ref(r.symbol): ref(Symbol(r.text or r.symbol.name, r.symbol.type)) for r in structure.model.relations
    }
    equations = [
        _shortened(" = ".join(show(substitute(side, texts)) for side in (q.lhs, q.rhs)))
        for b in structure.blocks
        for q in b.equations
    ]
    return equations, [_shortened(show(u)) for b in structure.blocks for u in b.unknowns]


def write_matrix(structure: Structure, path: str | Path) -> None:
    """Draws the matrix into a file."""
    try:
        Path(path).write_text(matrix_svg(structure), encoding="utf-8")
    except OSError as error:
        raise UsageError(Diagnostic("E503", f"{path}: {error.strerror or error}")) from error


def matrix_svg(structure: Structure) -> str:
    """The drawing as SVG text."""
    return "\n".join(_Drawing(structure).elements()) + "\n"


class _Drawing:
    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self.found = incidence(structure)
        self.count = len(self.found.rows)
        self.named = self.count <= NAMED
        self.cell = 18.0 if self.named else max(_AREA / self.count, 0.45)
        self.side = self.cell * max(self.count, 1)
        self.equations, self.unknowns = labels(structure) if self.named else ([], [])
        ticks = len(str(self.count)) * _LETTER + 12
        self.left = 20 + max((len(t) * _LETTER + 8 for t in self.equations), default=ticks)
        self.top = 58 + max((len(t) * _LETTER + 8 for t in self.unknowns), default=26)

    def elements(self) -> Iterator[str]:
        legend = list(self._legend())
        title, subtitle = self._title(), self._subtitle()
        widest = max(len(title) * _LETTER * 14 / _FONT, len(subtitle) * _LETTER, 46 * _LETTER) + 40
        width = max(self.left + self.side + 20, widest)
        height = self.top + self.side + 16 + _LINE * len(legend) + 12
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="monospace" font-size="{_FONT}" '
            'fill="#222">'
        )
        yield f"<title>{_text(title)}</title>"
        yield '<rect width="100%" height="100%" fill="#fff"/>'
        yield f'<text x="20" y="24" font-size="14" font-weight="bold">{_text(title)}</text>'
        yield f'<text x="20" y="42">{_text(subtitle)}</text>'
        yield from self._axes()
        yield f'<g id="matrix" transform="translate({self.left:.2f} {self.top:.2f}) scale({self.cell:.5g})">'
        yield from self._frame()
        yield from self._blocks()
        yield from self._circles() if self.named else self._strokes()
        yield "</g>"
        yield '<g id="legend">'
        yield from legend
        yield "</g>"
        yield "</svg>"

    # ------------------------------------------------------------ words

    def _title(self) -> str:
        blocks, dots = len(self.found.blocks), self.found.dots
        return (
            f"{self.structure.model.name}: {self.count} equation{_s(self.count)}, "
            f"{blocks} block{_s(blocks)}, {dots} dot{_s(dots)}"
        )

    def _subtitle(self) -> str:
        largest = max((b.size for b in self.found.blocks), default=0)
        states = len(self.structure.states)
        return (
            f"rows: equations in order of evaluation; columns: their unknowns; "
            f"{states} state{_s(states)}, largest block {largest}"
        )

    def _legend(self) -> Iterator[str]:
        counts = {kind: sum(1 for b in self.found.blocks if b.kind == kind) for kind in COLOURS}
        y = self.top + self.side + 16
        for kind, colour in COLOURS.items():
            words = _WORDS[kind]
            if kind == "earlier":
                if not any(c < b.start for b in self.found.blocks for c in self._columns(b)):
                    continue
            elif not counts[kind]:
                continue
            else:
                words = f"{words} ({counts[kind]} block{_s(counts[kind])})"
            square = f'<rect x="20" y="{y:.1f}" width="11" height="11" fill="{colour}"/>'
            yield f'{square}<text x="38" y="{y + 10:.1f}">{_text(words)}</text>'
            y += _LINE

    # ------------------------------------------------------------ axes

    def _axes(self) -> Iterator[str]:
        x, y = self.left, self.top
        yield '<g id="rows" text-anchor="end">'
        for i, label in self._ticks(self.equations):
            yield f'<text x="{x - 6:.1f}" y="{y + (i + 0.5) * self.cell + 4:.1f}">{_text(label)}</text>'
        yield "</g>"
        yield '<g id="columns">'
        for j, label in self._ticks(self.unknowns):
            across = x + (j + 0.5) * self.cell
            if self.named:
                at = f"translate({across + 4:.1f} {y - 6:.1f}) rotate(-90)"
                yield f'<text transform="{at}">{_text(label)}</text>'
            else:
                yield f'<text x="{across:.1f}" y="{y - 6:.1f}" text-anchor="middle">{_text(label)}</text>'
        yield "</g>"

    def _ticks(self, labels: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Rows that are labelled: all of them with names, else round numbers, counted from one."""
        if self.named:
            yield from enumerate(labels)
            return
        step = next(k * 10**p for p in range(12) for k in (1, 2, 5) if self.count / (k * 10**p) <= 12)
        yield from ((n - 1, str(n)) for n in range(step, self.count + 1, step))

    # ------------------------------------------------------------ in cells

    def _pixels(self, size: float) -> str:
        """A length in pixels, measured in cells."""
        return f"{size / self.cell:.4g}"

    def _frame(self) -> Iterator[str]:
        n = self.count
        yield (
            f'<rect width="{n}" height="{n}" fill="#fcfcfc" stroke="#999" stroke-width="{self._pixels(1)}"/>'
        )
        lines = range(1, n) if self.named else [i + 1 for i, _ in self._ticks(()) if i + 1 < n]
        if lines:
            path = "".join(f"M0 {i}H{n}M{i} 0V{n}" for i in lines)
            yield f'<path d="{path}" fill="none" stroke="#e8e8e8" stroke-width="{self._pixels(0.6)}"/>'

    def _blocks(self) -> Iterator[str]:
        for kind, colour in COLOURS.items():
            path = "".join(
                f"M{b.start} {b.start}h{b.size}v{b.size}h-{b.size}z"
                for b in self.found.blocks
                if b.kind == kind
            )
            if path:
                # An outline wider than its block would cover its neighbours.
                width = self._pixels(1.2 if self.cell >= 4 or kind in ("linear", "nonlinear") else 0.2)
                yield (
                    f'<path class="block {kind}" d="{path}" fill="{colour}" fill-opacity="0.15" '
                    f'stroke="{colour}" stroke-width="{width}"/>'
                )

    def _columns(self, block: DiagonalBlock) -> Iterable[int]:
        for row in self.found.rows[block.start : block.start + block.size]:
            yield from row

    def _circles(self) -> Iterator[str]:
        for block in self.found.blocks:
            for i in range(block.start, block.start + block.size):
                for j in self.found.rows[i]:
                    kind = "earlier" if j < block.start else block.kind
                    radius = 0.34 if i == j else 0.22
                    words = _text(f"{self.unknowns[j]} in {self.equations[i]}")
                    yield (
                        f'<circle class="dot {kind}" cx="{j + 0.5}" cy="{i + 0.5}" r="{radius}" '
                        f'fill="{COLOURS[kind]}"><title>{words}</title></circle>'
                    )

    def _strokes(self) -> Iterator[str]:
        """All dots of a colour as one path of short strokes with round ends."""
        joined = 1
        merged = self.count > SEPARATE
        strokes = self._runs(joined, merged)
        while sum(map(len, strokes.values())) > STROKES:
            joined *= 2
            strokes = self._runs(joined, True)
        thick = max(0.7 * joined, _DOT / self.cell)
        shift = f"translate({joined / 2:g} {joined / 2:g}) scale({joined})"
        for kind, runs in strokes.items():
            if runs:
                # A stroke of no length is not drawn by every viewer.
                path = "".join(f"M{j} {i}h{length - 1 or '.01'}" for i, j, length in runs)
                yield (
                    f'<path class="dots {kind}" data-joined="{joined}" transform="{shift}" d="{path}" '
                    f'fill="none" stroke="{COLOURS[kind]}" stroke-width="{thick / joined:.4g}" '
                    'stroke-linecap="round"/>'
                )

    def _runs(self, joined: int, merged: bool) -> dict[str, list[tuple[int, int, int]]]:
        """(row, first column, length) of strokes by colour; `joined` cells make one, both ways."""
        cells: dict[str, dict[int, set[int]]] = {kind: {} for kind in reversed(COLOURS)}
        for block in self.found.blocks:
            for i in range(block.start, block.start + block.size):
                for j in self.found.rows[i]:
                    kind = "earlier" if j < block.start else block.kind
                    cells[kind].setdefault(i // joined, set()).add(j // joined)
        return {
            kind: [(i, j, length) for i, columns in rows.items() for j, length in _stretches(columns, merged)]
            for kind, rows in cells.items()
        }


def _stretches(columns: Iterable[int], merged: bool) -> list[tuple[int, int]]:
    """(first, length) of unbroken stretches, each of length 1 unless `merged`."""
    found: list[tuple[int, int]] = []
    for j in sorted(columns):
        if merged and found and sum(found[-1]) == j:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((j, 1))
    return found


def _text(text: str) -> str:
    """Text that may stand in XML: a quoted identifier of Modelica can contain anything."""
    return escape("".join(c if c.isprintable() else "?" for c in text))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _s(count: int) -> str:
    return "" if count == 1 else "s"
