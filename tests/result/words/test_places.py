"""Where a relation is written, found by its text."""

from __future__ import annotations

import pytest

import saltus
from saltus.core.source import Source, Span
from saltus.result.files.eventlog import event_lines
from saltus.result.words.places import place, written_span

CLAUSE = """when level < low then
    open = true;
  elsewhen
    level   >  high  then
    open = false;
  end when"""


def clause(path: str = "lib/Tank.mo") -> Span:
    source = Source(path, "model Tank\n  " + CLAUSE + ";\nend Tank;\n")
    start = source.text.index("when")
    return Span(source, start, start + len(CLAUSE))


@pytest.mark.parametrize(
    ("text", "origin", "line"),
    [
        ("level < low", "", 2),
        ("level > high", "", 5),
        ("a.tank.level > a.tank.high", "a.tank", 5),
        ("pressure > high", "", 2),  # not written like that: the clause itself
    ],
)
def test_the_line_of_a_relation(text: str, origin: str, line: int) -> None:
    assert written_span(text, clause(), origin).line == line


def test_files_are_told_by_their_names() -> None:
    assert place(clause()) == "Tank.mo:2"
    assert place(clause("lib/Plant/package.mo")) == "Plant/package.mo:2"


def test_the_log_names_the_line_and_both_relations_of_one_expression() -> None:
    model = saltus.load(
        "model M\n  Real u = sin(time);\n  Real y = if u > 0.5 then 1 else 0;\n"
        "  Boolean low = u <= 0.5;\nend M;"
    )
    lines = list(event_lines(model.simulate(stop_time=1.0)))
    (became,) = [line for line in lines if " became " in line]
    assert "at time = 0.523599" in became  # asin(0.5)
    assert became.endswith(": u > 0.5 is true, u <= 0.5 is false  [<text>:3, <text>:4]")


def test_steps_are_told_without_the_names_of_helpers() -> None:
    result = saltus.load("model M\n  Real y = floor(2*time);\nend M;").simulate(stop_time=1.6)
    assert not any("$" in line for line in event_lines(result))
    assert result.events.counts()["2.0*time >= next whole number"] == 3
