"""The table of options in docs/options.md, which is made from the entries in the source.

Usage: `python tools/options_page.py` writes the table anew; a test says when that is due.
"""

from __future__ import annotations

import re
from pathlib import Path

from saltus.options import options_table
from saltus.run.schedule.settings import Settings

PAGE = Path(__file__).parents[1] / "docs" / "options.md"

#: The table is known by its head; the first line that is no row ends it.
_TABLE = re.compile(r"^\| option \| commands \|.*\n(?:\|.*\n)*", re.MULTILINE)


def page(text: str, settings: type[Settings] = Settings) -> str:
    """The page with its table replaced."""
    made, count = _TABLE.subn(lambda _: options_table(settings), text)
    assert count == 1, "there is one table of options"
    return made


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
