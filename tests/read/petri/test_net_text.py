"""Texts of nets: what is read, and that what is written is read again."""

from __future__ import annotations

import random
import re
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from tests.read.damage import assert_told, damaged

import saltus
from saltus.core.diagnostics import ModelError, RunError
from saltus.core.source import Source
from saltus.finding import find_class
from saltus.ir import ast
from saltus.ir.automata.net import Net
from saltus.read.petri.files import nets as nets_of
from saltus.read.petri.parser import parse
from saltus.read.petri.writer import net_text

sys.path.append(str(Path(__file__).parents[2] / "petri"))
from random_nets import RandomNet, nets

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "nets").glob("*.pn"))
EVERYTHING = """net Everything(capacity = 9) "All statements"
  parameter Integer n = 2 "a weight"
  parameter high = 0.5
  place a(tokens = n + 1) "first"
  place b(tokens = 1, capacity = 3)
  place c
  memory Integer count = 0
  memory last = -1
  continuous h = 0.25 "level"
  variable f "found by an equation"
  input Real q
  signal full = a >= 1 and h > high
  part Saltus.Blocks.Math.Gain gain(k = 2)
  equation gain.u = h
  equation 0 = f - h
  equation der(h) = if full then q else -gain.y
  transition move: n*a -> b + 2*c when full then count = count + 1, last = time "moves"
  transition back(priority = -1, delay = high): b -> a unless c + 2*a
  transition burst: -> c at h > high then h = 0
  transition lose: c ->
  experiment stop = 3, interval = 0.1
end Everything
"""


def placeless(node: Any) -> Any:
    """A tree without the places of its text."""
    if isinstance(node, tuple):
        return tuple(placeless(n) for n in node)
    if isinstance(node, ast.Node):
        given = {f.name: placeless(getattr(node, f.name)) for f in fields(node)}
        return replace(node, **given | dict.fromkeys(("start", "end"), 0) | _unnamed(node))
    return node


def _unnamed(node: ast.Node) -> dict[str, Any]:
    return {"named": (0, 0)} if any(f.name == "named" for f in fields(node)) else {}


def read(text: str) -> Net:
    return parse(Source("test.pn", text))[-1]


def test_every_statement_is_written_as_it_was_read() -> None:
    net = read(EVERYTHING)
    assert net_text(net) == EVERYTHING
    move = net.transitions[0]
    assert [(a.place, getattr(a.weight, "text", a.weight)) for a in move.inputs] == [("a", "n")]
    assert [t.name for t in net.in_turn] == ["back", "move", "burst", "lose"]


@settings(max_examples=60)
@given(nets())
def test_random_nets_survive_writing(net: RandomNet) -> None:
    found = read(net.text)
    assert placeless(read(net_text(found))) == placeless(found)


def test_a_statement_goes_on_where_it_cannot_end() -> None:
    long = "transition t: a +\n  b\n  -> a\n  unless b\n  when a >= 1\n  then x = 1"
    net = read(f"net N\nplace a\nplace b\n{long}\nend N")
    (t,) = net.transitions
    assert [len(s) for s in (t.inputs, t.outputs, t.inhibitors, t.actions)] == [2, 1, 1, 1]
    assert t.condition is not None


MISTAKES = {
    "not-a-net": ("network N\nend N", "E101", "network", "a net begins with `net NAME`"),
    "modelica": ("net A\nend A\nmodel M\nend M;", "E101", "model", "end with .mo"),
    "no-end": ("net N\nplace a\n", "E101", "", "`end N` is missing"),
    "other-end": ("net N\nplace a\nend M\n", "E101", "M", "write `end N`"),
    "no-such-place": (
        "net N\nplace fork\ntransition t: frok -> fork\nend N",
        "E201",
        "frok",
        "did you mean `fork`",
    ),
    "undeclared": (
        "net N\nplace a\ntransition t: a -> zzz\nend N",
        "E201",
        "zzz",
        "the only place of the net is `a`",
    ),
    "transition-as-place": (
        "net N\nplace a\ntransition t: a -> a\ntransition u: t -> a\nend N",
        "E210",
        "t",
        "is a transition, and arcs join transitions with places",
    ),
    "parameter-as-place": (
        "net N\nparameter k = 2\nplace a\ntransition t: a -> k\nend N",
        "E210",
        "k",
        "`k*a`",
    ),
    "arc-twice": ("net N\nplace a\nplace b\ntransition t: a + a -> b\nend N", "E202", "a", "`2*a`"),
    "arc-statement": (
        "net N\nplace a\narc a -> t\nend N",
        "E101",
        "arc",
        "in the statement of the transition",
    ),
    "commas": ("net N\nplace a\nplace b\ntransition t: a, b -> a\nend N", "E101", ",", "joined by `+`"),
    "weight-behind": ("net N\nplace a\ntransition t: 2 a -> a\nend N", "E101", "a", "`2*place`"),
    "half-a-token": ("net N\nplace a\ntransition t: 0.5*a -> a\nend N", "E101", "0.5", "whole number"),
    "weight-zero": ("net N\nplace a\ntransition t: 0*a -> a\nend N", "E207", "0*a", "1 or more"),
    "no-arrow": ("net N\nplace a\ntransition t: a\nend N", "E101", "", "an arrow"),
    "no-colon": ("net N\nplace a\ntransition t a -> a\nend N", "E101", "a", "`transition t: a -> b`"),
    "if": ("net N\nplace a\ntransition t: a -> if time > 1\nend N", "E101", "if", "`when x > 1`"),
    "name-twice": ("net N\nplace a\nplace a\nend N", "E202", "a", "there already, a place"),
    "reserved": ("net N\nplace deadlock\nend N", "E202", "deadlock", "choose another name"),
    "too-many-tokens": (
        "net N\nplace a(tokens = 4, capacity = 3)\nend N",
        "E207",
        "place a(tokens = 4, capacity = 3)",
        "begins with 4 tokens, and its capacity is 3",
    ),
    "negative": ("net N\nplace a(tokens = -1)\nend N", "E207", "-1", "cannot be -1"),
    "tokens-assigned": ("net N\nplace a = 3\nend N", "E101", "=", "`place a(tokens = ...)`"),
    "place-argument": ("net N\nplace a(token = 1)\nend N", "E207", "token", "did you mean `tokens`"),
    "never": (
        "net N(capacity = 1)\nplace a\ntransition t: 2*a ->\nend N",
        "E209",
        "2*a",
        "`t` can never fire",
    ),
    "endless": ("net N\nplace a\ntransition t: -> a\nend N", "E209", "t", "fires without end"),
    "no-arcs": ("net N\nplace a\ntransition t: -> when time > 1\nend N", "E210", "t", "no arc joins"),
    "edge-and-delay": (
        "net N\nplace a\ntransition t(delay = 1): a -> at time > 1\nend N",
        "E209",
        "1",
        "cannot wait",
    ),
    "no-memory": (
        "net N\nplace a\nmemory level = 0\ntransition t: a -> then levl = 1\nend N",
        "E201",
        "levl",
        "did you mean `level`",
    ),
    "priority": ("net N\nplace a\ntransition t(priority = 1.5): a ->\nend N", "E207", "1.5", "whole number"),
    "statement": ("net N\nplaec a\nend N", "E201", "plaec", "did you mean `place`"),
    "other-word": ("net N\nbuffer a\nend N", "E201", "buffer", "write `place`"),
    "experiment": (
        "net N\nplace a\nexperiment end_time = 3\nend N",
        "E207",
        "end_time",
        "an experiment has no",
    ),
    "unknown-name": (
        "net N\nplace a\ncontinuous level = 0\nequation der(level) = 1\n"
        "transition t: a -> when lvel > 1\nend N",
        "E201",
        "lvel",
        "did you mean `level`",
    ),
    "truth": ("net N\nplace a\ntransition t: a -> when a\nend N", "E205", "a", "`a >= 1`"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_with_their_place(name: str, tmp_path: Path) -> None:
    assert_told(tmp_path / "mistake.pn", *MISTAKES[name])


@pytest.mark.parametrize(
    "arcs", ["transition there: a -> b\ntransition back: b -> a", "transition grow: a -> 2*a"]
)
def test_a_net_that_fires_without_end_is_illegitimate(arcs: str) -> None:
    model = saltus.load(f"net N\nplace a(tokens = 1)\nplace b\n{arcs}\nend N\n")
    with pytest.raises(RunError) as caught:
        model.simulate(stop_time=1)
    first = caught.value.diagnostics[0]
    assert first.code == "E404"
    assert "illegitimate" in first.message
    for name in re.findall(r"transition (\w+)", arcs):
        assert f"`{name}`" in first.message


ODD = [
    "'",
    '"',
    "(",
    ")",
    "end",
    "->",
    "unless",
    "at",
    "when",
    "\n",
    "=",
    "net",
    "place",
    "*",
    "é",
    ".",
    "2",
    "-",
]


def judged(text: str, folder: Path) -> bool:
    """Whether a text is refused. What is told has a place; what is not refused can be written."""
    file = folder / "damaged.pn"
    file.write_text(text, encoding="utf-8")
    try:
        find_class(file)
    except ModelError as error:
        assert all(d.span is not None for d in error.diagnostics), str(error)
        return True
    for net in nets_of(Source("damaged.pn", text)):
        assert net_text(read(net_text(net))) == net_text(net)
    return False


@pytest.mark.parametrize("path", [None, *EXAMPLES], ids=lambda p: p.stem if p else "everything")
def test_damaged_nets(path: Path | None, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8") if path is not None else EVERYTHING
    chance = random.Random(len(text))
    refused = sum(judged(damaged(text, chance, ODD), tmp_path) for _ in range(60))
    assert 0 < refused < 60


def test_what_is_nested_too_deeply_is_told() -> None:
    long = " + ".join(["b"] * 20_000)
    with pytest.raises(ModelError) as caught:
        saltus.load(f"net N\nplace a\nplace b\ntransition t: a -> b when {long} > 0\nend N\n")
    assert "nested too deeply" in caught.value.diagnostics[0].message
    assert caught.value.diagnostics[0].span is not None
