"""Mistakes with the parts of `Saltus.PetriNets` and `Saltus.StateMachines`: each is told with its place, and
what to do about it."""

from __future__ import annotations

import pytest

import saltus
from saltus.core.diagnostics import SaltusError


def model(package: str, parts: str, equations: str, base: str = "") -> str:
    return f"model M\n  {base}\n  import {package}.*;\n  {parts}\nequation\n  {equations}\nend M;\n"


def _told(text: str) -> str:
    """The code, and all that is said."""
    with pytest.raises(SaltusError) as caught:
        saltus.load(text).simulate(stop_time=3)
    first = caught.value.diagnostics[0]
    assert first.span is not None
    return " ".join([first.code, first.message, *(n.message for n in first.notes), first.hint or ""])


STATES = {
    "no-machine": (
        "State a(start = true); State b; Transition t(condition = time > 1), u(condition = time > 2);",
        (
            "connect(a.leave[1], t.from); connect(t.to, b.enter[1]); connect(b.leave[1], u.from); "
            "connect(u.to, a.enter[1]);"
        ),
        "E201",
        "let the model around it extend Saltus.StateMachines.Machine",
    ),
    "no-start": (
        "State a; State b; Transition t(condition = time > 1), u(condition = time > 2);",
        (
            "connect(a.leave[1], t.from); connect(t.to, b.enter[1]); connect(b.leave[1], u.from); "
            "connect(u.to, a.enter[1]);"
        ),
        "E209",
        "write `a(start = true)`",
    ),
    "two-starts": (
        (
            "State a(start = true); State b(start = true); "
            "Transition t(condition = time > 1), u(condition = time > 2);"
        ),
        (
            "connect(a.leave[1], t.from); connect(t.to, b.enter[1]); connect(b.leave[1], u.from); "
            "connect(u.to, a.enter[1]);"
        ),
        "E209",
        "`M` begins in `a` and `b`",
    ),
    "unconnected-enter": (
        "State a(start = true); State b(nOut = 0); Transition t;",
        "connect(a.leave[1], t.from); connect(t.to, b.enter[1]);",
        "E210",
        "connect `a.enter[1]`, or let `a` have fewer of them",
    ),
    "unconnected-leave": (
        "State a(start = true, nIn = 0); State b; Transition t;",
        "connect(a.leave[1], t.from); connect(t.to, b.enter[1]);",
        "E210",
        "connect `b.leave[1]`, or let `b` have fewer of them",
    ),
    "transition-without-target": (
        "State a(start = true, nIn = 0); Transition t;",
        "connect(a.leave[1], t.from);",
        "E210",
        "connect `t.to`",
    ),
    "transition-without-source": (
        "State a(start = true, nOut = 0); Transition t;",
        "connect(t.to, a.enter[1]);",
        "E210",
        "connect `t.from`",
    ),
    "two-to-one-leave": (
        "State a(start = true, nIn=0); State b(nIn=2,nOut=0); Transition t, u;",
        (
            "connect(a.leave[1], t.from); connect(a.leave[1], u.from); connect(t.to, b.enter[1]); "
            "connect(u.to, b.enter[2]);"
        ),
        "E210",
        "two sources are connected: `t.from.taken` and `u.from.taken`",
    ),
    "two-to-one-enter": (
        "State a(start = true, nIn=0,nOut=2); State b(nOut=0); Transition t, u;",
        (
            "connect(a.leave[1], t.from); connect(a.leave[2], u.from); connect(t.to, b.enter[1]); "
            "connect(u.to, b.enter[1]);"
        ),
        "E210",
        "two sources are connected: `t.to.taken` and `u.to.taken`",
    ),
    "state-to-state": (
        "State a(start = true, nIn=0); State b(nOut=0);",
        "connect(a.leave[1], b.enter[1]);",
        "E210",
        "`b.enter[1]` (Saltus.StateMachines.Interfaces.Entering) has not",
    ),
    "wrong-end": (
        "State a(start = true, nIn=0); State b(nOut=0); Transition t;",
        "connect(a.leave[1], t.to); connect(t.from, b.enter[1]);",
        "E210",
        "`t.to` (Saltus.StateMachines.Interfaces.Target) has not",
    ),
    "no-index": (
        "State a(start = true, nIn=0); State b(nOut=0); Transition t;",
        "connect(a.leave, t.from); connect(t.to, b.enter);",
        "E210",
        "subscripts choose one: `a.leave[1]`",
    ),
    "index-too-large": (
        "State a(start = true, nIn=0); State b(nOut=0); Transition t;",
        "connect(a.leave[2], t.from); connect(t.to, b.enter[1]);",
        "E206",
        "the subscript 2 is outside 1:1",
    ),
    "condition-number": (
        (
            "Real x = time; State a(start = true); State b; "
            "Transition t(condition = x), u(condition = time > 2);"
        ),
        (
            "connect(a.leave[1], t.from); connect(t.to, b.enter[1]); connect(b.leave[1], u.from); "
            "connect(u.to, a.enter[1]);"
        ),
        "E205",
        "the value of `t.condition` is of type Boolean",
    ),
    "condition-unknown": (
        "State a(start = true); State b; Transition t(condition = tim > 1), u(condition = time > 2);",
        (
            "connect(a.leave[1], t.from); connect(t.to, b.enter[1]); connect(b.leave[1], u.from); "
            "connect(u.to, a.enter[1]);"
        ),
        "E201",
        "did you mean `time`",
    ),
    "after-missing": (
        "State a(start = true); State b; TimedTransition t, u(after = 1);",
        (
            "connect(a.leave[1], t.from); connect(t.to, b.enter[1]); connect(b.leave[1], u.from); "
            "connect(u.to, a.enter[1]);"
        ),
        "E210",
        "the input `t.after` has no value",
    ),
    "after-on-Transition": (
        "State a(start = true); State b; Transition t(after = 1), u(condition = time > 2);",
        (
            "connect(a.leave[1], t.from); connect(t.to, b.enter[1]); connect(b.leave[1], u.from); "
            "connect(u.to, a.enter[1]);"
        ),
        "E201",
        "`after` is not an element of `t`",
    ),
    "no-member": (
        (
            "State a(start = true); State b; "
            "Transition t(condition = time > 1), u(condition = time > 2); "
            "Real y = if a.isActive then 1 else 0;"
        ),
        (
            "connect(a.leave[1], t.from); connect(t.to, b.enter[1]); connect(b.leave[1], u.from); "
            "connect(u.to, a.enter[1]);"
        ),
        "E201",
        "did you mean `active`",
    ),
    "composite-instance": (
        "Composite a(start = true, nIn=0); State b(nOut=0); Transition t;",
        "connect(a.leave[1], t.from); connect(t.to, b.enter[1]);",
        "E209",
        "use a class that extends it",
    ),
    "history-on-state": (
        (
            "State a(start = true); State b(history = true); "
            "Transition t(condition = time > 1), u(condition = time > 2);"
        ),
        (
            "connect(a.leave[1], t.from); connect(t.to, b.enter[1]); connect(b.leave[1], u.from); "
            "connect(u.to, a.enter[1]);"
        ),
        "E201",
        "the parameters of `Saltus.StateMachines.State` are `nIn`, `nOut` and `start`",
    ),
    "assign-active": (
        "State a(start = true); State b; Transition t(condition = time > 1), u(condition = time > 2);",
        (
            "connect(a.leave[1], t.from); connect(t.to, b.enter[1]); connect(b.leave[1], u.from); "
            "connect(u.to, a.enter[1]); a.active = true;"
        ),
        "E301",
        "1 equation too many",
    ),
    "negative-nIn": (
        "State a(start = true, nIn=-1); State b(nOut=0); Transition t;",
        "connect(a.leave[1], t.from); connect(t.to, b.enter[1]);",
        "E206",
        "the size of `enter` is -1",
    ),
    "negative-wait": (
        "State a(start = true); State b; TimedTransition t(after = -1), u(after = 1);",
        (
            "connect(a.leave[1], t.from); connect(t.to, b.enter[1]); connect(b.leave[1], u.from); "
            "connect(u.to, a.enter[1]);"
        ),
        "E406",
        "cannot be negative",
    ),
    "endless": (
        "State a(start = true); State b; Transition t, u;",
        (
            "connect(a.leave[1], t.from); connect(t.to, b.enter[1]); connect(b.leave[1], u.from); "
            "connect(u.to, a.enter[1]);"
        ),
        "E404",
        "keep changing at time 0",
    ),
    "across-levels": (
        (
            "model C extends Composite(nIn=0,nOut=0); State x(start=true,nIn=0); end C; "
            "C c(start=true); State b(nOut=0); Transition t;"
        ),
        "connect(c.x.leave[1], t.from); connect(t.to, b.enter[1]);",
        "E210",
        "connect joins the connectors of components, not those of their parts",
    ),
}


PLACES = {
    "unconnected-enter": (
        "Place a(start = 1); Place b(nOut = 0); Transition t;",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E210",
        "connect `a.enter[1]`, or let `a` have fewer of them",
    ),
    "unconnected-leave": (
        "Place a(start = 1, nIn = 0); Place b; Transition t;",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E210",
        "connect `b.leave[1]`, or let `b` have fewer of them",
    ),
    "transition-without-place-before": (
        "Place b(nOut = 0); Transition t;",
        "connect(t.to[1], b.enter[1]);",
        "E210",
        "connect `t.from[1]`, or let `t` have fewer of them",
    ),
    "transition-without-place-after": (
        "Place a(start=1,nIn=0); Transition t;",
        "connect(a.leave[1], t.from[1]);",
        "E210",
        "connect `t.to[1]`, or let `t` have fewer of them",
    ),
    "two-takers-one-connector": (
        "Place a(start=1,nIn=0); Place b(nIn=2,nOut=0); Transition t,u;",
        (
            "connect(a.leave[1], t.from[1]); "
            "connect(t.to[1], b.enter[1]);connect(a.leave[1], u.from[1]); "
            "connect(u.to[1], b.enter[2]);"
        ),
        "E210",
        "two sources are connected: `t.from[1].taken` and `u.from[1].taken`",
    ),
    "two-givers-one-connector": (
        "Place a(start=1,nIn=0,nOut=2); Place b(nOut=0); Transition t,u;",
        (
            "connect(a.leave[1], t.from[1]); "
            "connect(t.to[1], b.enter[1]);connect(a.leave[2], u.from[1]); "
            "connect(u.to[1], b.enter[1]);"
        ),
        "E210",
        "two sources are connected: `t.to[1].given` and `u.to[1].given`",
    ),
    "place-to-place": (
        "Place a(start=1,nIn=0); Place b(nOut=0);",
        "connect(a.leave[1], b.enter[1]);",
        "E210",
        "`b.enter[1]` (Saltus.PetriNets.Interfaces.Entering) has not",
    ),
    "transition-to-transition": (
        "Place a(start = 1, nIn = 0); Place b(nOut = 0); Transition t; Transition u;",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], u.from[1]); connect(u.to[1], b.enter[1]);",
        "E210",
        "`u.from[1]` (Saltus.PetriNets.Interfaces.Taking) has not",
    ),
    "wrong-direction": (
        "Place a(start = 1, nIn = 0); Place b(nOut = 0); Transition t;",
        "connect(a.leave[1], t.to[1]); connect(t.from[1], b.enter[1]);",
        "E210",
        "`t.to[1]` (Saltus.PetriNets.Interfaces.Putting) has not",
    ),
    "no-index": (
        "Place a(start = 1, nIn = 0); Place b(nOut = 0); Transition t;",
        "connect(a.leave, t.from[1]); connect(t.to, b.enter);",
        "E210",
        "subscripts choose one: `a.leave[1]`",
    ),
    "index-too-large": (
        "Place a(start = 1, nIn = 0); Place b(nOut = 0); Transition t;",
        "connect(a.leave[2], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E206",
        "the subscript 2 is outside 1:1",
    ),
    "weight-vector-too-long": (
        "Place a(start = 1, nIn = 0); Place b(nOut = 0); Transition t(weightIn = {2, 1});",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E206",
        "this value is an array [2], but it is for an array [1]",
    ),
    "weight-fraction": (
        "Place a(start = 1, nIn = 0); Place b(nOut = 0); Transition t(weightIn = {0.5});",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E205",
        "the value of `t.weightIn[1]` is of type Integer",
    ),
    "too-many-tokens": (
        "Place a(start = 4, capacity = 3, nIn = 0); Place b(nOut = 0); Transition t;",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E406",
        "a place begins with more tokens than its capacity is",
    ),
    "negative-tokens": (
        "Place a(start = -1, nIn = 0); Place b(nOut = 0); Transition t;",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E406",
        "cannot be fewer than none",
    ),
    "fraction-tokens": (
        "Place a(start = 1.5, nIn = 0); Place b(nOut = 0); Transition t;",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E205",
        "the value of `a.start` is of type Integer",
    ),
    "tokens-arg": (
        "Place a(tokens = 1, nIn = 0); Place b(nOut = 0); Transition t;",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E301",
        "1 equation too many",
    ),
    "condition-number": (
        "Place a(start = 1, nIn = 0); Place b(nOut = 0); Transition t(condition = a.before);",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E205",
        "the value of `t.condition` is of type Boolean",
    ),
    "delay-missing": (
        "Place a(start = 1, nIn = 0); Place b(nOut = 0); TimedTransition t;",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E210",
        "the input `t.delay` has no value",
    ),
    "delay-on-transition": (
        "Place a(start = 1, nIn = 0); Place b(nOut = 0); Transition t(delay = 1);",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E201",
        "`delay` is not an element of `t`",
    ),
    "delay-negative": (
        "Place a(start = 1, nIn = 0); Place b(nOut = 0); TimedTransition t(delay = -1);",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E406",
        "the delay of a transition cannot be negative",
    ),
    "inhibitor-without-number": (
        "Place a(start = 1, nIn = 0); Place b(nOut = 0); Transition t(inhibitors = {b.before});",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E206",
        "this value is an array [1], but it is for an array [0]",
    ),
    "inhibitor-place": (
        "Place a(start = 1, nIn = 0); Place b(nOut = 0); Transition t(nInhibitors = 1, inhibitors = {b});",
        "connect(a.leave[1], t.from[1]); connect(t.to[1], b.enter[1]);",
        "E209",
        "`b` is a model, but a value is needed here",
    ),
    "endless": (
        "Place a(start=1); Place b; Transition t, u;",
        (
            "connect(a.leave[1], t.from[1]); "
            "connect(t.to[1], b.enter[1]);connect(b.leave[1], u.from[1]); "
            "connect(u.to[1], a.enter[1]);"
        ),
        "E404",
        "keep changing at time 0",
    ),
}


@pytest.mark.parametrize("name", STATES)
def test_mistakes_with_states_are_told(name: str) -> None:
    parts, equations, code, words = STATES[name]
    base = "" if name == "no-machine" else "extends Saltus.StateMachines.Machine;"
    told = _told(model("Saltus.StateMachines", parts, equations, base))
    assert told.startswith(code), told
    assert words in told


@pytest.mark.parametrize("name", PLACES)
def test_mistakes_with_places_are_told(name: str) -> None:
    parts, equations, code, words = PLACES[name]
    told = _told(model("Saltus.PetriNets", parts, equations))
    assert told.startswith(code), told
    assert words in told


def test_one_of_an_array_of_components_is_named_as_before() -> None:
    text = "connector C Real v; flow Real i; end C; model R C p; equation p.v = p.i; end R; "
    whole = "model M R r[2]; R s; equation connect(r.p, s.p); end M;"
    assert "`r[1].p`" in _told(text + whole)
