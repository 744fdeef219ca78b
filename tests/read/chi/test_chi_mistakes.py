"""What people get wrong in chi, and what they are told: the place, the words, what to do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

import saltus
from saltus.core.diagnostics import Diagnostic, SaltusError

TEXT = """proc P(a : real, c : !int) =
  |[ h, y : [m], n : int, s : {OFF, ON}
   ; h ::= 1; n := 0
   | h' = -a h, y = 2h
   | *[ nabla h < 0.5; n := 1; h ::= 1; c!n ]
   ]|
proc Q(d : ?int) = |[ x : int | *[ d?x ] ]|
xper Run = |[ c : -int | P(1, c) || Q(c) ]|
"""


@dataclass(frozen=True)
class Mistake:
    """What stands in the text in place of what, the code, the place, and words of message, notes or hint."""

    right: str
    wrong: str
    code: str
    place: str
    words: tuple[str, ...]


MISTAKES = {
    # words of other languages
    "time": Mistake("-a h", "-a h + time", "E201", "time", ("the time is `tau`",)),
    "der": Mistake("h' =", "der(h) =", "E201", "der", ("a derivative is written `x'`",)),
    "log": Mistake("-a h", "log(h)", "E201", "log", ("`ln(x)`",)),
    "if": Mistake("*[ nabla", "if h < 1 then *[ nabla", "E201", "if", ("guarded command",)),
    "while": Mistake(
        "*[ nabla", "while n < 3 do *[ nabla", "E201", "while", ("a repetition is `*[ b -> S ]`",)
    ),
    "and": Mistake("h < 0.5", "h < 0.5 && n = 1", "E101", "&&", ("write `and`",)),
    "string": Mistake("n := 1", 'n := "x"', "E101", '"x"', ("no strings",)),
    "process": Mistake("proc P", "process P", "E101", "process", ("did you mean `proc`",)),
    "integer": Mistake("n : int", "n : integer", "E101", "integer", ("write `int`",)),
    "boolean": Mistake("n : int", "n : Boolean", "E101", "Boolean", ("write `bool`",)),
    "modelica": Mistake("proc Q", "model M end M; proc Q", "E101", "model", (".mo",)),
    # signs
    "equation-assigned": Mistake("h' = -a h", "h' := -a h", "E101", ":=", ("in an equation, write `=`",)),
    "statement-equated": Mistake("n := 1", "n = 1", "E101", "=", ("write `n := VALUE`",)),
    "two-equals": Mistake("h' = -a h", "h' == -a h", "E101", "=", ("one `=`",)),
    "two-equations": Mistake("-a h,", "-a h = 3,", "E101", "=", ("begins behind a `,`",)),
    "semicolon": Mistake("-a h, y", "-a h; y", "E101", ";", ("equations are separated by `,`",)),
    "comma": Mistake("n := 1; h", "n := 1, h", "E101", ",", ("statements are separated by `;`",)),
    "last-semicolon": Mistake("c!n ]", "c!n; ]", "E101", ";", ("leave it out",)),
    "no-bar-declarations": Mistake("   | h'", "   h'", "E101", "", ("expected `|`, found `h`",)),
    "no-bar-statements": Mistake(
        "2h\n   |", "2h\n   ", "E101", "*", ("`|` between equations and statements",)
    ),
    "parenthesis": Mistake("-a h", "-a(h + 1", "E101", ",", ("expected `)`", "`(` was opened in line 4")),
    "not-closed": Mistake("c!n ]\n   ]|", "c!n ]\n", "E101", "", ("expected `]|`", "the body begins here")),
    "two-signs": Mistake("-a h", "3*-h", "E101", "-", ("a sign cannot stand after", "`(-x)`")),
    "quotient": Mistake("-a h", "1/a h", "E101", "/", ("can be read in two ways",)),
    "no-arrow": Mistake("0.5; n := 1", "0.5 [] n := 1", "E101", "[]", ("an alternative is `guard -> S`",)),
    "second-derivative": Mistake("h' =", "h'' =", "E101", "'", ("give the first one a name",)),
    "nothing-behind-comment": Mistake("proc Q", "/* proc Q", "E101", "/*", ("never closed",)),
    # names
    "unknown": Mistake("h < 0.5", "k < 0.5", "E201", "k", ("not declared", "declare it")),
    "near": Mistake("n := 1", "m := 1", "E201", "m", ("not declared", "declare `m : int`")),
    "value": Mistake("n := 1", "s := On", "E201", "On", ("did you mean `ON`",)),
    "type": Mistake("proc Q", "type lot = int proc Q", "E204", "type", ("types have no names",)),
    "function": Mistake("proc Q", "func f proc Q", "E204", "func", ("functions are not supported",)),
    "list": Mistake("n : int", "n : int*", "E204", "*", ("lists are not supported",)),
    "twice": Mistake("n : int", "h : int", "E202", "h", ("declared twice",)),
    "twice-greek": Mistake("n : int", "mu, μ : int", "E202", "μ", ("`μ` is `mu`",)),
    "reserved": Mistake("n : int", "delta : int", "E101", "delta", ("reserved word",)),
    "no-such-process": Mistake("|| Q(c)", "|| R(c)", "E201", "R", ("there is no process `R`",)),
    "no-such-parameter": Mistake("P(1, c)", "P(b = 1, c = c)", "E207", "b", ("has no parameter `b`",)),
    "too-many-values": Mistake("Q(c)", "Q(c, 1)", "E212", "1", ("`Q` has 1 parameter",)),
    "no-channel": Mistake("P(1, c)", "P(1)", "E210", "P", ("is joined to no channel",)),
    "channel-as-value": Mistake("n := 1", "n := c", "E209", "c", ("is a channel, and has no value",)),
    "wrong-direction": Mistake("c!n", "c?n", "E209", "c", ("this process sends through `c`",)),
    # kinds and types
    "continuous-assigned": Mistake("h ::= 1; c", "h := 1; c", "E211", "h", ("`h` is a continuous variable",)),
    "discrete-assigned": Mistake("n := 1", "n ::= 1", "E211", "n", ("`n` is a discrete variable",)),
    "parameter-assigned": Mistake("n := 1", "a := 1", "E209", "a", ("is a parameter",)),
    "algebraic-assigned": Mistake("h ::= 1; c", "y ::= 1; c", "E209", "y ::= 1", ("follows from equations",)),
    "real-to-int": Mistake("n := 1", "n := 0.5", "E205", "0.5", ("`n` is an int", "`floor(x)`")),
    "bool-to-int": Mistake("n := 1", "n := h > 3", "E205", "h > 3", ("this is a bool",)),
    "int-to-value": Mistake("n := 1", "s := 1", "E205", "1", ("its values are `OFF`, `ON`",)),
    "int-as-guard": Mistake(
        "h' = -a h", "[ n -> h' = 1 [] not n -> h' = 2 ]", "E205", "n",
        ("a guard is true or false, and this is an int", "`n > 0`"),
    ),
    "int-as-event": Mistake("h < 0.5", "h", "E205", "h", ("waits for is true or false",)),
    "int-joined": Mistake("h < 0.5", "h < 0.5 and n", "E205", "n", ("what `and` joins",)),
    "truth-as-number": Mistake("-a h", "-a(h > 1)", "E205", "(h > 1)", ("where a number is needed",)),
    "value-compared": Mistake("h < 0.5", "h < 0.5 and s = 1", "E205", "s = 1", ("is compared with an int",)),
    "prime-of-discrete": Mistake("h' =", "n' =", "E101", "'", ("has no derivative",)),
    "unit-without-brackets": Mistake("y : [m]", "y : m", "E101", "m", ("a unit in brackets",)),
    "nothing-continuous": Mistake("y = 2h", "n = 2", "E209", "n = 2", ("without a continuous variable",)),
    "event-on-discrete": Mistake("h < 0.5", "n > 0", "E209", "n > 0", ("no continuous variable can change",)),
    "initial-variable": Mistake("n := 0", "n := floor(h)", "E211", "h", ("parameters and constants",)),
    "arguments": Mistake("-a h", "max(h)", "E101", "max", ("`max(x, y)`",)),
    "distribution": Mistake("n := 1", "n := sample unifrm(1)", "E101", "unifrm", ("`uniform`",)),
    "sample-in-sum": Mistake(
        "h ::= 1; c", "h ::= 2*sample uniform(1, 2); c", "E101", "sample", ("stands alone",)
    ),
    # what is done
    "for-ever": Mistake(
        "nabla h < 0.5; n := 1; h ::= 1; c!n", "n := 1", "E209", "*[ n := 1 ]", ("never waits",)
    ),
    "never-reached": Mistake("c!n ]", "c!n ]; n := 3", "E209", "n := 3", ("never reached",)),
    "two-senders": Mistake("|| Q(c)", "|| p : P(1, c) || Q(c)", "E210", "c", ("a second process sends",)),
    "no-receiver": Mistake(" || Q(c)", "", "E210", "c", ("no process receives",)),
}  # fmt: skip


def told(text: str, folder: Path) -> list[Diagnostic]:
    file = folder / "text.chi"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SaltusError) as caught:
        saltus.load(file)
    return caught.value.diagnostics


def test_the_text_itself_runs() -> None:
    result = saltus.load(TEXT).simulate(stop_time=2)
    assert result["P.n"][-1] == 1 and len([e for e in result.events if e.kind == "state"]) >= 2


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_where_it_is(name: str, tmp_path: Path) -> None:
    mistake = MISTAKES[name]
    assert mistake.right in TEXT
    diagnostics = told(TEXT.replace(mistake.right, mistake.wrong, 1), tmp_path)
    found = [d for d in diagnostics if d.code == mistake.code and d.span and d.span.text == mistake.place]
    assert found, [(str(d.span), d.span and d.span.text, d.code, d.message) for d in diagnostics]
    said = [" ".join([d.message, d.advice or "", *(n.message for n in d.notes)]) for d in found]
    assert any(all(word in s for word in mistake.words) for s in said), said


def test_mistakes_of_all_processes_are_told_at_once(tmp_path: Path) -> None:
    text = "proc P() = |[ x : m ]|\nproc Q() = |[ y : [m] | y' = z ]|\nproc R() = |[ n : int | n = 1 ]|\n"
    assert [d.span.line for d in told(text, tmp_path) if d.span] == [1, 2, 3]


def test_a_file_without_a_process(tmp_path: Path) -> None:
    (found,) = told("// nothing yet\n", tmp_path)
    assert "defines no process" in found.message


def test_what_goes_round_at_one_instant_is_told() -> None:
    """The relation holds from 0.69 s on, and nothing else is waited for."""
    text = TEXT.replace("h ::= 1; c!n ", "n := 2 ").replace(" || Q(c)", "").replace("c : -int | ", "")
    text = text.replace(", c : !int", "").replace("P(1, c)", "P(1)")
    with pytest.raises(saltus.RunError, match="E404"):
        saltus.load(text).simulate(stop_time=2)
