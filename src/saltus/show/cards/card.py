"""The frame of what a notebook shows, tables and folded parts. Colours are those of the page: no rule of the
style sheet names one for text, so that light and dark themes both can be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

#: Lines and shades are see-through greys, which suit any background.
STYLE = """<style>
.saltus-card {border: 1px solid rgba(128,128,128,.35); border-radius: 6px; padding: .6em .9em; margin: .2em 0;
  max-width: 60em; line-height: 1.4; overflow-x: auto}
.saltus-card .saltus-title {font-weight: 600; font-size: 1.08em}
.saltus-card .saltus-faint {opacity: .72; font-weight: 400}
.saltus-card details {margin: .35em 0}
.saltus-card summary {cursor: pointer}
.saltus-card table {border-collapse: collapse; margin: .3em 0; font-size: .92em}
.saltus-card th, .saltus-card td {text-align: left !important; padding: .15em .9em .15em 0;
  border-bottom: 1px solid rgba(128,128,128,.22); vertical-align: top; white-space: pre-wrap}
.saltus-card svg {max-width: 100%; height: auto}
.saltus-card .saltus-drawing {background: #fff; border-radius: 4px; display: inline-block; padding: 4px}
.saltus-card .saltus-drawing svg {max-height: 26em; display: block}
.saltus-told {border-left: 4px solid; padding: .4em .8em; margin: .3em 0; border-radius: 3px;
  max-width: 60em; overflow-x: auto}
.saltus-told pre {margin: 0 !important; background: none !important; font-size: .9em;
  color: inherit !important}
.saltus-told.saltus-warning {border-color: #d9a300; background: rgba(217,163,0,.13)}
.saltus-told.saltus-error {border-color: #d33c3c; background: rgba(211,60,60,.12)}
</style>"""


def card(title: str, remark: str, parts: Iterable[str]) -> str:
    """A frame with a heading; the parts are HTML already."""
    faint = f' <span class="saltus-faint">{escape(remark)}</span>' if remark else ""
    heading = f'<div class="saltus-title">{escape(title)}{faint}</div>'
    return f'{STYLE}<div class="saltus-card">{heading}{"".join(parts)}</div>'


def line(text: str) -> str:
    """A line of text."""
    return f'<div class="saltus-faint">{escape(text)}</div>'


def folded(summary: str, content: str, *, is_open: bool = False) -> str:
    """The content that a click on the summary shows."""
    return f"<details{' open' if is_open else ''}><summary>{escape(summary)}</summary>{content}</details>"


def table(heading: Sequence[str], rows: Iterable[Sequence[str]], more: int = 0) -> str:
    """A table of texts; `more` rows are not shown. Columns without any text are left out."""
    shown = [list(row) for row in rows]
    used = [k for k in range(len(heading)) if any(row[k] for row in shown)]
    head = "".join(f"<th>{escape(heading[k])}</th>" for k in used)
    body = "".join("<tr>" + "".join(f"<td>{escape(row[k])}</td>" for k in used) + "</tr>" for row in shown)
    rest = line(f"... and {more} more") if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"
