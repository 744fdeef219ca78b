"""Every row of the table of constructs does what the table says; the page about the language is made from it.

A row that says "not supported" fails when its model is accepted with the right values: the table, and so the
page, is to be brought up to date then.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
from tools.language_table import PAGE, Row, page_with, read_table, table_text

import saltus
from saltus.compiler import load_flat
from saltus.core.diagnostics import SaltusError

CHAPTERS = read_table()
ROWS = [row for chapter in CHAPTERS for row in chapter.rows]


def last_values(row: Row) -> dict[str, float]:
    result = saltus.load(row.model).simulate(stop_time=row.stop)
    return {name: float(result[name][-1]) for name in row.values}


def expected(row: Row) -> object:
    return pytest.approx({name: float(v) for name, v in row.values.items()}, rel=1e-6, abs=1e-6)


def refusal(row: Row) -> list[str]:
    """The codes with which a row is refused, each with a place; none if it is not."""
    try:
        found = last_values(row)
    except SaltusError as error:
        assert all(d.span is not None for d in error.diagnostics), error
        return [d.code for d in error.diagnostics]
    if row.values and found != expected(row):
        return ["wrong values"]
    return []


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_row_is_as_the_table_says(row: Row) -> None:
    match row.status:
        case "yes" | "partly":
            assert last_values(row) == expected(row)
        case "extension":
            assert last_values(row) == expected(row)
            assert "W203" in [w.code for w in saltus.load(row.model).extensions]
        case "checked":
            assert row.error in refusal(row)
        case "unchecked":
            assert not refusal(row), "this rule is checked now: remove `unchecked` from the row"
        case "no" | "flat":
            codes = refusal(row)
            works = row.error in codes if row.error else not codes
            assert not works, "this works now: remove `refused` from the row"
            assert row.refused in codes
            if row.status == "flat":
                load_flat(row.model).verify()


def test_names_of_rows_are_unique_and_belong_to_their_chapter() -> None:
    assert max(Counter(row.id for row in ROWS).values()) == 1
    for chapter in CHAPTERS:
        for row in chapter.rows:
            assert re.fullmatch(r"\d+(\.\d+)*", row.section), row.id


def test_the_page_is_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == page_with(table_text(CHAPTERS), page), "run `python tools/language_table.py`"
