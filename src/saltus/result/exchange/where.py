"""Where a table of results has its parameters."""

from __future__ import annotations

#: In every row, in the first one, or nowhere.
WHERE = IN_ROWS, ONCE, NOWHERE = ("rows", "once", "none")
