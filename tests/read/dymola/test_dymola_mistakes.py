"""What people get wrong in Dymola, and what they are told: the place, the words, what to do."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from saltus.core.diagnostics import Diagnostic, ModelError
from saltus.finding import find_class
from saltus.lower.flat.flatten import build_instances, flatten, new_context


@dataclass(frozen=True)
class Mistake:
    """A model, the code and the place (as text) of a fault in it, and words of message, notes or hint."""

    text: str
    code: str
    place: str
    words: tuple[str, ...]


PARTS = "submodel (Resistor) R1(R = 1), R2(R = 2)\nsubmodel (VSource) U0\nsubmodel Common\nnode n\n"

MISTAKES = {
    "word": Mistake(PARTS + "submodl (Resistor) R3", "E101", "R3", ("did you mean `submodel`",)),
    "class-without-brackets": Mistake(
        PARTS + "submodel Resistor R3", "E101", "R3", ("write `submodel (Resistor) R3`",)
    ),
    "class": Mistake(PARTS + "submodel (Resistr) R3", "E201", "Resistr", ("did you mean `Resistor`",)),
    "parameter": Mistake(
        "submodel (Resistor) R1(r = 1)", "E207", "r", ("has no parameter `r`", "did you mean `R`")
    ),
    "value-without-name": Mistake("submodel (Resistor) R1(1)", "E101", "1", ("`name = value`",)),
    "connected-name": Mistake(PARTS + "connect U0 - R3", "E201", "R3", ("no submodel, cut or node `R3`",)),
    "near-name": Mistake(
        "submodel (Resistor) load(R = 1)\nsubmodel Common\nconnect lod - Common",
        "E201", "lod", ("did you mean `load`",),
    ),
    "variable-connected": Mistake(
        PARTS + "connect U0.u - R1", "E201", "U0.u", ("a variable is not connected",)
    ),
    "connected-to-nothing": Mistake(
        PARTS + "connect R1", "E210", "R1", ("connected to nothing", "`R1 at n`")
    ),
    "to-alone": Mistake(PARTS + "connect R1 to n", "E101", "to", ("write `from A to B`",)),
    "from-alone": Mistake(PARTS + "connect R1 from n", "E101", "", ("found the end of the line",)),
    "connections-without-comma": Mistake(
        PARTS + "connect R1 from n to n R2 from n to n", "E101", "R2", ("commas between them",)
    ),
    "no-such-cut": Mistake(PARTS + "connect R1.X at n", "E201", "R1.X", ("its cuts are `A`, `B` and `C`",)),
    "two-ends-at-a-node": Mistake(PARTS + "connect R1.P at n", "E210", "R1.P", ("it has two ends",)),
    "parts-of-cuts": Mistake(
        PARTS + "node m, k\nconnect R1 at (n, m, k)", "E210", "R1 at (n, m, k)", ("different numbers",)
    ),
    "when-open": Mistake(
        "local h = 1\nder(h) = -1\nwhen h <= 0 then\nnew(h) = 1", "E101", "end", ("expected `endwhen`",)
    ),
    "end-when": Mistake(
        "local h = 1\nder(h) = -1\nwhen h <= 0 then\nnew(h) = 1\nend when", "E101", "end", ("`endwhen`",)
    ),
    "no-then": Mistake(
        "local h = 1\nder(h) = -1\nwhen h <= 0\nnew(h) = 1\nendwhen", "E101", "", ("`when CONDITION then",)
    ),
    "type": Mistake("Real x\nder(x) = 1", "E101", "Real", ("variables have no type", "`local x`")),
    "heading": Mistake("local x\nequation\nder(x) = 1", "E101", "equation", ("need no heading",)),
    "assignment": Mistake("local x\nx := 1", "E101", ":=", ("`a = b`",)),
    "open-comment": Mistake("local x {the state\nder(x) = 1", "E101", "{", ("never closed",)),
    "slashes": Mistake("local x // the state\nder(x) = 1", "E101", "//", ("a comment stands in braces",)),
    "two-signs": Mistake("local x\nx == 1", "E101", "", ("an equation has one `=`",)),
    "one-sign": Mistake("local x\nx = if Time = 0 then 1 else 2", "E101", "=", ("`==`",)),
    "truth-as-number": Mistake(
        "local x, b\nb = x > 0\nx = b + 1", "E205", "b", ("true or false", "where a number is needed")
    ),
    "number-as-truth": Mistake(
        "local x, y\nx = 1\ny = if x then 1 else 2", "E205", "x", ("a number", "where true or false")
    ),
    "name": Mistake("local speed\nder(sped) = 1", "E201", "sped", ("did you mean `speed`",)),
    "time": Mistake("local x\nx = time", "E201", "time", ("the time is called `Time`",)),
    "new-without-when": Mistake("local x\nnew(x) = x + 1", "E209", "new(x) = x + 1", ("nothing says when",)),
    "new-of-a-square": Mistake(
        "local x\nwhen Time > 1 then\nnew(x) * new(x) = 2\nendwhen",
        "E204", "new(x) * new(x) = 2", ("linear",),
    ),
    "old-and-new": Mistake(
        "local n\nwhen Time > 1 then\nn = n + 1\nendwhen", "E209", "n = n + 1", ("write `new(n) = ...`",)
    ),
    "new-name": Mistake(
        "local count\nwhen Time > 1 then\nnew(cont) = 1\nendwhen", "E201", "cont", ("did you mean `count`",)
    ),
    "new-of-a-submodel": Mistake(
        PARTS + "when Time > 1 then\nnew(R1.u) = 1\nendwhen", "E212", "new(R1.u)", ("of the model itself",)
    ),
    "two-main-cuts": Mistake(
        "main cut A (Va / i)\nmain cut B (Vb / -i)\nVa = Vb", "E202", "B (Vb / -i)", ("second main cut",)
    ),
    "path": Mistake("cut A (V / i)\nmain path P <A - B>\nV = 1", "E201", "B", ("no cut `B`", "is `A`")),
    "cut-without-variables": Mistake("cut A\nlocal x\nx = 1", "E101", "", ("(across / through)",)),
    "flow": Mistake("flow i\nlocal x\nx = 1", "E101", "flow", ("behind the `/` of a cut",)),
    "start-in-brackets": Mistake("local x(start = 1)\nder(x) = 1", "E101", "(", ("`local x = VALUE`",)),
    "elsif": Mistake(
        "local x\nx = if Time > 1 then 2 elsif Time > 2 then 3 else 4", "E101", "elsif", ("write `else if`",)
    ),
    "twice": Mistake("local x, x\nx = 1", "E202", "x", ("declared twice",)),
    "cut-twice": Mistake(
        "cut A (Va / i), B (Vb / -i)\nmain cut A [A B]\nVa = Vb", "E202", "A", ("`A` is declared twice",)
    ),
    "node-and-submodel": Mistake(
        PARTS + "node R1", "E202", "R1", ("`R1` is declared twice", "first declared here")
    ),
    "class-of-a-model": Mistake(
        PARTS + "submodel (M.Part) p", "E201", "M.Part", ("there is no class `M.Part`",)
    ),
    "elsewhen": Mistake(
        "local x = 1\nwhen Time > 1 then\nnew(x) = 2\nelsewhen Time > 2 then\nnew(x) = 3\nendwhen",
        "E101", "elsewhen", ("`elsewhen` is no part", "write a `when` for the other condition"),
    ),
    "array": Mistake("local x[3]\nx = 1", "E101", "[", ("arrays are no part", "`x1`, `x2`")),
    "element": Mistake("local x, y\nx = 1\ny = x[1]", "E101", "[", ("arrays are no part",)),
    "matrix": Mistake("local x\nx = [1, 2; 3, 4]", "E101", "[", ("arrays are no part",)),
    "range": Mistake("local x\nx = 1:3", "E101", "1", ("arrays are no part",)),
    "array-of-submodels": Mistake("submodel (Resistor) R[3]", "E101", "[", ("arrays are no part",)),
    "array-in-a-cut": Mistake("cut A (v[3] / i)", "E101", "[", ("arrays are no part",)),
    "list": Mistake("local x\nx = (1, 2)", "E101", "(", ("one equation per value",)),
    "loop": Mistake("local x\nfor i in 1:3 loop\nx = 1\nendfor", "E101", "for", ("there are no loops",)),
    "if-statement": Mistake(
        "local x\nif Time > 1 then\nx = 1\nelse\nx = 2\nendif", "E101", "if", ("`x = if CONDITION then",)
    ),
    "assert": Mistake("local x\nx = 1\nassert(x > 0)", "E101", "assert", ("`assert` is no part",)),
    "reinit": Mistake("local x\nder(x) = 1\nreinit(x, 2)", "E101", "reinit", ("write `new(x) = VALUE`",)),
    "experiment": Mistake("{experiment end = 3}\nlocal x\nx = 1", "E207", "end", ("start, stop, tol",)),
}  # fmt: skip


def told(text: str, tmp_path) -> list[Diagnostic]:
    file = tmp_path / "M.dym"
    file.write_text(text)
    with pytest.raises(ModelError) as refused:
        cls = find_class(file)
        flatten(new := new_context(cls.library, {}), build_instances(new, cls))
    assert all(d.span is None or str(file) in d.span.source.path for d in refused.value.diagnostics)
    assert "M.dym:" in str(refused.value)
    return list(refused.value.diagnostics)


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_mistake(mistake: Mistake, tmp_path) -> None:
    """One of what is told has code, place and words, and the text is quoted."""
    diagnostics = told(f"model M\n{mistake.text}\nend\n", tmp_path)
    found = [d for d in diagnostics if d.code == mistake.code and d.span and d.span.text == mistake.place]
    assert found, [(str(d.span), d.span and d.span.text, d.code, d.message) for d in diagnostics]
    said = [" ".join([d.message, d.advice or "", *(n.message for n in d.notes)]) for d in found]
    assert any(all(word in s for word in mistake.words) for s in said), said


def test_several_mistakes_are_told_at_once(tmp_path) -> None:
    text = "model M\n  local x(1)\n  connect A to B\n  when x then\n    y\n  endwhen\nend N\n"
    assert [d.span.line for d in told(text, tmp_path)] == [2, 3, 5, 7]


def test_what_is_inside_of_an_array_is_not_told(tmp_path) -> None:
    assert len(told("model M\n local x\n x = [1, 2; 3, 4]\nend\n", tmp_path)) == 1


def test_a_model_in_a_model(tmp_path) -> None:
    found = told("model M\nmodel class N\nend\nend\n", tmp_path)
    assert any("cannot stand in another" in (d.hint or "") for d in found)


def test_base_behind_the_name(tmp_path) -> None:
    found = told("model class T (TwoPort)\nend\n", tmp_path)
    assert "`(Base) T`" in (found[0].hint or "")


def test_a_class_that_extends_itself(tmp_path) -> None:
    assert told("model class (A) B\nend\nmodel class (B) A\nend\n", tmp_path)[0].code == "E203"


def test_two_models_of_one_name(tmp_path) -> None:
    (found,) = told("model class A\nlocal x\nx = 1\nend\nmodel class (A) A\nlocal y\ny = x\nend\n", tmp_path)
    assert (found.code, found.span.line, found.notes[0].span.line) == ("E202", 5, 1)


def test_a_path_may_be_called_like_a_variable(tmp_path) -> None:
    """As in the paper's `TransForce`."""
    file = tmp_path / "M.dym"
    file.write_text("model M\ncut a (x / f), b (y / -f)\nmain path p <a - b>\nlocal p\np = x - y\nend\n")
    assert find_class(file).name == "M"


def test_cuts_that_are_not_alike(tmp_path) -> None:
    text = (
        "model class A\nmain cut a (x y / f)\nf = x\nend\n"
        "model M\nsubmodel (A) a\nsubmodel Common\nconnect a at Common\nend\n"
    )
    (found,) = told(text, tmp_path)
    assert "`a.a` has 2 across and 1 through, `Common.A` has 1 across and 1 through" in found.message
