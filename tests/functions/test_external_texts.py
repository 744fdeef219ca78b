"""Functions of Strings that C declares."""

from __future__ import annotations

from pathlib import Path

import pytest

from saltus.functions.external.objects import ExternalError
from saltus.functions.external.provided import PROVIDED, SEEING
from saltus.functions.external.surroundings import Surroundings


@pytest.mark.parametrize(
    ("name", "args", "wanted"),
    [
        ("length", ("",), [0]),
        ("length", ("äb",), [2]),
        ("substring", ("abcdef", 2, 4), ["bcd"]),
        ("substring", ("abc", 3, 9), ["c"]),
        ("substring", ("abc", 3, 2), [""]),
        ("compare", ("a", "b", True), [1]),
        ("compare", ("A", "a", False), [2]),
        ("compare", ("b", "a", True), [3]),
        ("skipWhiteSpace", (" \t x", 1), [4]),
        ("scanIdentifier", (" a_1+2", 1), [5, "a_1"]),
        ("scanIdentifier", ("1a", 1), [1, ""]),
        ("scanInteger", (" -12 ", 1, False), [5, -12]),
        ("scanInteger", (" -12 ", 1, True), [1, 0]),
        ("scanInteger", ("12.5", 1, False), [1, 0]),
        ("scanReal", ("x=1.5e-3;", 3, False), [9, 0.0015]),
        ("scanReal", ("none", 1, False), [1, 0.0]),
        ("scanString", (' "a b" c', 1), [7, "a b"]),
    ],
)
def test_functions(name: str, args: tuple[object, ...], wanted: list[object]) -> None:
    assert PROVIDED[f"ModelicaStrings_{name}"](*args) == wanted


def test_lines_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("one\ntwo\n")
    around = Surroundings()
    assert SEEING["ModelicaInternal_countLines"](around, str(file)) == [2]
    assert SEEING["ModelicaInternal_readLine"](around, str(file), 2) == ["two", False]
    assert SEEING["ModelicaInternal_readLine"](around, str(file), 3) == ["", True]
    with pytest.raises(ExternalError, match="cannot be read"):
        SEEING["ModelicaInternal_countLines"](around, str(tmp_path / "none"))
