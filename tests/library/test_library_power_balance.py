"""Energy is conserved in every example: in each part, at each connection, in the whole, and at events.

`power_books` says how. Books are in `books/`; a part with physical connectors that has none fails here. The
models of the papers may have parts of their own, which need no book; what is connected to them is checked.
"""

from __future__ import annotations

import pytest
from library_classes import example_names, parts, short
from power_books import account, ledger, library_books, parts_of, told

from saltus.finding import find_class
from saltus.lower.flat.flatten import build_instances, new_context


@pytest.mark.parametrize("name", example_names(), ids=short)
def test_example_balances(name: str) -> None:
    papers = "Saltus.Examples.Papers."
    opened = ledger(name, may_be_missing=papers if name.startswith(papers) else "")
    without = sorted({part.cls.full_name for part in opened.missing})
    assert not without, f"{name}: no book in tests/library/books for {', '.join(without)}"
    found = account(opened)
    assert not found.mismatches, told(found.mismatches)


def test_every_book_is_of_a_part() -> None:
    unknown = sorted(set(library_books()) - set(parts()))
    assert not unknown, f"books of what is no part: {', '.join(unknown)}"


def test_every_part_has_a_book() -> None:
    """Also those of which no example tells: a part is put into a model of its own."""
    missing = []
    for name in parts():
        around = "extends Saltus.StateMachines.Machine;" if name.startswith("Saltus.StateMachines.") else ""
        cls = find_class(f"model Alone {around} {name} part; end Alone;")
        root = build_instances(new_context(cls.library, {}), cls)
        missing += [
            part.cls.full_name
            for part in parts_of(root)
            if not part.composite and library_books().of(part.cls) is None
        ]
    assert not missing, f"no book for {', '.join(sorted(set(missing)))}"
