"""Places in editors and in texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from saltus.core.source import Source
from saltus.editor.text import Position, offset_of, position_of

LETTERS = st.text(st.sampled_from("ab \n\u00e4\u20ac\U0001f600\x0c\u2028"), max_size=30)


@given(LETTERS, st.integers(0, 30))
def test_columns_are_units_of_the_encoding(text: str, at: int) -> None:
    """The truth: what is before the place on its line, encoded."""
    at = min(at, len(text))
    line = text[:at].rsplit("\n", 1)[-1]
    for encoding, units in (
        ("utf-8", len(line.encode())),
        ("utf-16", len(line.encode("utf-16-le")) // 2),
        ("utf-32", len(line)),
    ):
        position = position_of(Source("t", text), at, encoding)  # type: ignore[arg-type]
        assert position == Position(text.count("\n", 0, at), units)
        assert offset_of(Source("t", text), position, encoding) == at  # type: ignore[arg-type]


def test_places_outside_of_the_text() -> None:
    source = Source("t", "ab\nc")
    assert offset_of(source, Position(0, 99)) == 2
    assert offset_of(source, Position(9, 0)) == 4
    assert offset_of(source, Position(-1, 5)) == 0
    # In the middle of a pair of UTF-16: behind the character.
    assert offset_of(Source("t", "\U0001f600x"), Position(0, 1)) == 1
