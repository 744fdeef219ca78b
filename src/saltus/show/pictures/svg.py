"""What drawings are made of: lines, texts, colours, and stretches of SVG that know their size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

BLACK, RED, GREY, LIGHT = "#222", "#c0281c", "#999", "#e3ecf8"
#: Width of a letter as a part of the size of its font, on the average of a sans-serif.
LETTER = 0.56


@dataclass(frozen=True)
class Drawing:
    """Stretches of SVG between (0, 0) and (width, height)."""

    width: float
    height: float
    parts: tuple[str, ...]

    def at(self, x: float, y: float) -> str:
        """The drawing with its corner at a point."""
        return f'<g transform="translate({x:g}, {y:g})">' + "\n".join(self.parts) + "</g>"

    def document(self, title: str) -> str:
        """A file of its own."""
        size = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" height="{self.height:g}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} style="font-family: sans-serif">'
        paper = f'<rect width="{self.width:g}" height="{self.height:g}" fill="white"/>'
        return "\n".join([head, f"<title>{escape(title)}</title>", paper, *self.parts, "</svg>", ""])


def path(description: str, colour: str, width: float, *, fill: str = "none") -> str:
    """A line, described as in SVG."""
    line = f'stroke="{colour}" stroke-width="{width:g}" stroke-linejoin="round"'
    return f'<path d="{description}" fill="{fill}" {line}/>'


def text(
    x: float, y: float, words: str, colour: str, size: int, anchor: str = "middle", *, bold: bool = False
) -> str:
    """One line of text; `y` is where letters stand."""
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}"{weight}>{escape(words)}</text>'


def text_width(words: str, size: int) -> float:
    """About how wide a line of text is."""
    return LETTER * size * len(words)


def label(x: float, y: float, lines: Sequence[str], colours: Sequence[str], size: int, anchor: str) -> str:
    """Lines of text around the height `y`, on white, so that what is behind does not disturb them."""
    line = size + 3
    wide = max(text_width(words, size) for words in lines) + 4
    left = {"start": x - 2, "middle": x - wide / 2, "end": x - wide + 2}[anchor]
    top = y - len(lines) * line / 2
    box = f'x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{len(lines) * line:.1f}"'
    told = (
        text(x, top + line * (k + 1) - 4, words, colour, size, anchor)
        for k, (words, colour) in enumerate(zip(lines, colours, strict=True))
    )
    return f'<rect {box} fill="white"/>' + "".join(told)


def in_columns(drawings: Iterable[Drawing], height: float, gap: float) -> Drawing:
    """Drawings one below the other, in as many columns as are needed for a height."""
    parts: list[str] = []
    x = y = wide = high = 0.0
    for drawing in drawings:
        if y and y + drawing.height > height:
            x, y, wide = x + wide + gap, 0.0, 0.0
        parts.append(drawing.at(x, y))
        wide = max(wide, drawing.width)
        high = max(high, y + drawing.height)
        y += drawing.height + gap
    return Drawing(x + wide, high, tuple(parts))
