"""What people get wrong, and what they are told: the place, the words, what to do."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from saltus.core.diagnostics import Diagnostic, ModelError
from saltus.core.source import Source
from saltus.finding import find_class
from saltus.read.bondgraph.files import classes


@dataclass(frozen=True)
class Mistake:
    """A graph, the code and the place (as text) of a fault in it, and words of message, notes or hint."""

    text: str
    code: str
    place: str
    words: tuple[str, ...]


FINE = """
  Se source(e = 1)
  R loss(R = 1)
  J1 a
  bond source -> a -> loss
"""
MACHINE = """
  Se source(e = 1)
  I mass(I = 1)
  X1 a
  bond source -> a -> mass
"""

MISTAKES = {
    "kind": Mistake(FINE + "Rr other(R = 2)", "E201", "Rr", ("no kind of element `Rr`", "did you mean `R`")),
    "word-for-kind": Mistake(FINE + "Resistor other(R = 2)", "E201", "Resistor", ("write `R`",)),
    "bond-to-nothing": Mistake(FINE + "bond a -> los", "E201", "los", ("did you mean `loss`",)),
    "bond-backwards": Mistake(FINE + "bond a <- loss", "E101", "<", ("`bond loss -> a`",)),
    "bond-without-word": Mistake(FINE + "a -> loss", "E101", "a", ("write `bond a -> loss`",)),
    "bond-to-itself": Mistake(FINE + "bond a -> a", "E210", "a -> a", ("from `a` to itself",)),
    "bond-to-signal": Mistake(FINE + "signal x = 1\nbond a -> x", "E210", "x", ("`x` is a signal",)),
    "bond-name-of-two": Mistake(
        FINE + "bond b: source -> a -> loss", "E101", "b", ("names one bond", "2")
    ),
    "second-bond": Mistake(
        FINE + "J1 b\nbond b -> loss", "E210", "loss", ("has 2 bonds and takes one", "junction")
    ),
    "no-bond": Mistake(FINE + "J0 alone", "E210", "alone", ("no bond leads to `alone`",)),
    "half-arrow": Mistake(
        FINE + "C c(C = 1)\nbond c -> a", "E210", "c -> a", ("points away from `c`", "`bond a -> c`")
    ),
    "transformer": Mistake(
        FINE + "TF t(m = 2)\nbond a -> t\nJ1 b\nbond b -> t", "E210", "t", ("2 in, none out",)
    ),
    "transformer-of-three": Mistake(
        FINE + "TF t(m = 2)\nbond a -> t\nJ1 b\nJ1 c\nbond t -> b\nbond t -> c", "E210", "t",
        ("takes one bond that comes in and one that goes out; one in, 2 out", "`bond a -> t -> b`"),
    ),
    "three-bonds": Mistake(
        FINE + "J1 b\nJ1 c\nbond b -> loss\nbond c -> loss", "E210", "loss", ("has 3 bonds and takes one",)
    ),
    "unclosed": Mistake(FINE + "signal x = (1 + 2", "E101", "", ("expected `)`", "end of the statement")),
    "opened-twice": Mistake(FINE + "signal x = 1 + 2)", "E101", ")", ("expected the end of the statement",)),
    "square": Mistake(FINE + "signal x = max(1, 2]", "E101", "]", ("expected `)`",)),
    "unknown-argument": Mistake(
        FINE + "C c(C = 1, q00 = 2)\nbond a -> c", "E207", "q00", ("has no `q00`", "did you mean `q0`")
    ),
    "another-start": Mistake(
        FINE + "C c(C = 1, p0 = 2)\nbond a -> c", "E207", "p0", ("storage of displacement (C) has no `p0`",)
    ),
    "two-machines": Mistake(
        MACHINE + "machine a\ninitial on\nend\nmachine a\ninitial off\nend", "E202", "a", ("two machines",)
    ),
    "truth-for-number": Mistake(
        FINE + "I m(I = 2, p0 = true)\nbond a -> m", "E205", "true", ("`m.p0` is of type Real", "Boolean")
    ),
    "number-for-truth": Mistake(
        MACHINE + "machine a\ninitial on\non -> off when mass.f\nend", "E205", "mass.f", ("Boolean",)
    ),
    "truth-as-signal": Mistake(
        FINE + "signal on = loss.f > 1\nsignal x = 2*on", "E205", "2*on", ("Boolean",)
    ),
    "text-for-number": Mistake(
        FINE + 'R r(R = "2 Ohm")\nbond a -> r', "E205", '"2 Ohm"', ("`r.R` is of type Real", "String")
    ),
    "duplicate": Mistake(FINE + "J0 a", "E202", "a", ("`a` is there already", "junction of one flow")),
    "reserved": Mistake(FINE + "signal time = 2", "E202", "signal time = 2", ("meaning of its own",)),
    "argument": Mistake(
        FINE + "C c(c = 1)\nbond a -> c", "E207", "c", ("has no `c`", "did you mean `C`")
    ),
    "no-argument": Mistake(FINE + "I m\nbond a -> m", "E207", "m", ("needs its `I`", "`I m(I = ...)`")),
    "argument-without-name": Mistake(FINE + "I m(2)", "E101", "2", ("name of an argument",)),
    "two-starts": Mistake(
        FINE + "I m(I = 1, p0 = 1, f0 = 1)\nbond a -> m", "E207", "f0 = 1", ("`p0` and `f0`", "leave one")
    ),
    "bracket": Mistake(
        FINE + "I m(I = max(1, 2)\nbond a -> m", "E101", "", ("expected `)`", "end of the statement")
    ),
    "operator": Mistake(FINE + "signal x = 1 +\nsignal y = 2", "E101", "", ("expected an expression",)),
    "semicolon": Mistake(FINE + "J1 b;", "E101", ";", ("no `;` is needed",)),
    "name-in-formula": Mistake(FINE + "signal x = los.f", "E201", "los.f", ("did you mean `loss`",)),
    "no-machine": Mistake(MACHINE, "E209", "a", ("no machine says when `a`", "machine a")),
    "machine-of-nothing": Mistake(
        MACHINE + "machine b\ninitial on\nend", "E201", "b", ("no controlled junction `b`", "`a`")
    ),
    "machine-of-junction": Mistake(
        FINE + "machine a\ninitial on\nend", "E209", "a", ("not a controlled junction", "write `X1 a`")
    ),
    "no-initial": Mistake(
        MACHINE + "machine a\non -> off when time > 1\nend", "E209", "a", ("where it begins", "`initial off`")
    ),
    "initial": Mistake(MACHINE + "machine a\ninitial onn\nend", "E201", "onn", ("did you mean `on`",)),
    "location": Mistake(
        MACHINE + "machine a\ninitial on\non -> closed when time > 1\nend",
        "E201", "on -> closed when time > 1", ("no location `closed`", "`location closed = on`"),
    ),
    "never": Mistake(
        MACHINE + "machine a\ninitial on\noff -> on when time > 1\nend",
        "E209", "off -> on when time > 1", ("never comes to `off`",),
    ),
    "if-for-when": Mistake(
        MACHINE + "machine a\ninitial on\non -> off if time > 1\nend", "E101", "if", ("`on -> off when COND",)
    ),
    "equality": Mistake(
        MACHINE + "machine a\ninitial on\non -> off when time = 1\nend", "E101", "=", ("compare with `==`",)
    ),
    "machine-open": Mistake(
        MACHINE + "machine a\ninitial on", "E101", "", ("machine `a` is not closed", "write `end`")
    ),
    "mixed-instants": Mistake(
        MACHINE + "machine a\ninitial on\non -> off when pre(mass.f) > mass.p\nend",
        "E211", "mass.p", ("before and after the instant", "`pre(mass.p)`"),
    ),
    "prior-signal": Mistake(
        FINE + "signal x = pre(loss.f)", "E211", "pre(loss.f)", ("before an instant", "memory m = 0")
    ),
    "memory": Mistake(
        MACHINE + "machine a\ninitial on\non -> off when time > 1 then kick = 2\nend",
        "E201", "kick", ("no memory `kick`", "memory kick = 0"),
    ),
    "integral-inside": Mistake(
        FINE + "signal x = 1 + integral(loss.f)", "E209", "integral(loss.f)", ("stands alone",)
    ),
    "experiment": Mistake(FINE + "experiment stopp = 1", "E207", "stopp", ("did you mean `stop`",)),
}  # fmt: skip


def told(text: str) -> list[Diagnostic]:
    from saltus.lower.flat.flatten import build_instances, flatten, new_context

    with pytest.raises(ModelError) as refused:
        classes(Source("g.bg", text))
        cls = find_class(text)
        context = new_context(cls.library, {})
        flatten(context, build_instances(context, cls))
    return list(refused.value.diagnostics)


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_mistake(mistake: Mistake) -> None:
    """One of what is told has code, place and words."""
    text = f"graph G{mistake.text if mistake.text.startswith(chr(10)) else chr(10) + mistake.text}\nend G\n"
    found = [
        d
        for d in told(text)
        if d.code == mistake.code and d.span is not None and d.span.text == mistake.place
    ]
    assert found, [str(d) for d in told(text)]
    said = [" ".join([d.message, d.advice or "", *(n.message for n in d.notes)]) for d in found]
    assert any(all(word in s for word in mistake.words) for s in said), said


def test_several_mistakes_are_told_at_once() -> None:
    text = "graph G\nSe s(e = 1\nR r(R = 2\nbond s > r\nend H\n"
    assert len(told(text)) == 4


def test_the_end_is_missing() -> None:
    (fault,) = told("graph G\nJ1 a\n")
    assert "`end G` is missing" in fault.message and fault.notes[0].span is not None


def test_modelica_in_the_wrong_file() -> None:
    (fault,) = told("model M\n  Real x = 1;\nend M;\n")
    assert fault.advice is not None and ".mo" in fault.advice
