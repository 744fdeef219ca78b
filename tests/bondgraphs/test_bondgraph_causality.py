"""Causal strokes: those of textbook graphs, and those of random graphs against the analysis of equations."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import pytest
from bond_texts import EXAMPLES
from hypothesis import assume, given, settings
from random_graphs import passive
from strokes_of_equations import Strokes, analysed, in_loops, traced

import saltus
from saltus.bondgraph import Graph
from saltus.core.source import Source
from saltus.ir.bonds.causality import Storage
from saltus.read.bondgraph.causality import causality, modes
from saltus.read.bondgraph.files import graphs
from saltus.read.bondgraph.redundancy import deciding_verdict


class Textbook(NamedTuple):
    """Statements, and for each bond the element that gives its effort (the stroke is at the other end);
    storages in derivative causality; elements whose causality is a choice."""

    text: str
    efforts: str
    derivative: str = ""
    choices: str = ""


#: Modes of a graph that are looked at.
MOST = 4

#: Graphs as Karnopp, Margolis and Rosenberg have them in the chapters on causality and on state equations.
TEXTBOOK = {
    "series circuit": Textbook(
        "Se s(e=1) I i(I=1) C c(C=1) R r(R=1) J1 a bond s -> a bond a -> i bond a -> c bond a -> r", "s a c r"
    ),
    "parallel circuit": Textbook(
        "Sf s(f=1) I i(I=1) C c(C=1) R r(R=1) J0 a bond s -> a bond a -> i bond a -> c bond a -> r", "a a c a"
    ),
    "capacitor across a source": Textbook(
        "Se s(e=1) C c(C=1) R r(R=1) J0 a bond s -> a bond a -> c bond a -> r", "s a a", "c"
    ),
    "coil in series with a source of flow": Textbook(
        "Sf s(f=1) I i(I=1) R r(R=1) J1 a bond s -> a bond a -> i bond a -> r", "a i r", "i"
    ),
    "two inertias and a gear": Textbook(
        "Se s(e=1) I i(I=1) I k(I=1) TF t(m=2) J1 a J1 b bond s -> a -> t -> b bond a -> i bond b -> k",
        "s t b a k", "k",
    ),
    "motor": Textbook(
        "Se s(e=1) I i(I=1) R r(R=1) GY g(r=2) J1 a J1 b I j(I=1) R d(R=1) "
        "bond s -> a -> g -> b -> j bond a -> i bond a -> r bond b -> d",
        "s g g b a r d",
    ),
    "ladder of resistors and capacitors": Textbook(
        "Se s(e=1) R r1(R=1) R r2(R=1) C c1(C=1) C c2(C=1) J1 a J0 b J1 c "
        "bond s -> a -> b -> c -> c2 bond a -> r1 bond b -> c1 bond c -> r2",
        "s b b c2 a c1 c",
    ),
    "voltage divider": Textbook(
        "Se s(e=1) R r1(R=1) R r2(R=1) J1 a bond s -> a bond a -> r1 bond a -> r2", "s r1 a", "", "r1"
    ),
    "two tanks side by side": Textbook(
        "Sf s(f=1) C c1(C=1) C c2(C=1) J0 a bond s -> a bond a -> c1 bond a -> c2", "a c1 a", "c2"
    ),
    "source, gyrator, mass": Textbook("Se s(e=1) GY g(r=1) I i(I=1) bond s -> g -> i", "s i", "i"),
    "mass, spring, damper between walls": Textbook(
        "Sf w(f=1) J0 a C k(C=1) J1 b I m(I=1) R d(R=1) bond w -> a -> b -> m bond a -> k bond b -> d",
        "a a b k d",
    ),
}  # fmt: skip


def tree(text: str):  # type: ignore[no-untyped-def]
    words = text.replace(" bond ", "\nbond ")
    for kind in ("Se", "Sf", "I", "C", "R", "TF", "GY", "J0", "J1"):
        words = words.replace(f" {kind} ", f"\n{kind} ")
    return graphs(Source("g.bg", f"graph G\n{words}\nend G"))[0]


@pytest.mark.parametrize("book", TEXTBOOK.values(), ids=TEXTBOOK)
def test_strokes_of_textbooks(book: Textbook) -> None:
    graph = tree(book.text)
    found = causality(graph, {})
    found.verify(len(graph.bonds))
    assert [found.steps[k].effort_from for k in range(len(graph.bonds))] == book.efforts.split()
    assert list(found.of_kind(Storage.DERIVATIVE)) == book.derivative.split()
    assert list(found.choices) == book.choices.split()


def assert_as_equations_have_it(text: str) -> int:
    """In the first modes: as many states, and for each bond the same end gives the effort and the same end
    the flow. Which of dependent storages is the state is a choice; it is that of the equations here. Unknowns
    of algebraic loops have no causality, nor have modes that numbers decide. Counts what was compared."""
    graph = analysed(text)
    compared = 0
    for mode in islice(modes(graph.tree), MOST):
        found = causality(graph.tree, mode)
        if found.conflict is not None or deciding_verdict(graph.tree, found) is not None:
            continue
        strokes = Strokes(graph.tree, graph.structure(mode))
        assert len(found.of_kind(Storage.INTEGRAL)) == strokes.count(), mode
        found = causality(graph.tree, mode, strokes.storages())
        found.verify(len(graph.tree.bonds))
        loops = {strokes.variable(bond, what) for bond, what in in_loops(graph.tree, found)}
        for bond in range(len(graph.tree.bonds)):
            for what in "ef":
                told = traced(graph.tree, found, strokes, bond, what)
                if strokes.variable(bond, what) not in loops and told is not None:
                    assert told in strokes.givers(bond, what), (mode, graph.tree.bonds[bond].text, what)
                    compared += 1
    return compared


@given(passive(switched=True, sources=True, rings=True))
@settings(max_examples=12)
def test_every_stroke_of_random_graphs_is_that_of_the_equations(graph: Graph) -> None:
    assume(assert_as_equations_have_it(graph.to_text()))


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.bg")))
def test_every_stroke_of_the_examples(name: str) -> None:
    assert assert_as_equations_have_it((EXAMPLES / f"{name}.bg").read_text(encoding="utf-8")) > 4


SOURCES = """
graph Sources
  Sf one(f = 1)
  Sf two(f = 2)
  R  r(R = 1)
  J1 a
  X0 sw
  J1 b
  bond one -> a -> r
  bond a -> sw -> b
  bond two -> b
  machine sw
    initial off
    off -> on when time >= 0.5
  end
end Sources
"""


def test_a_conflict_in_one_mode_is_told_when_it_is_entered() -> None:
    """With the mode, the elements and the path between them."""
    with pytest.raises(saltus.RunError) as refused:
        saltus.load(SOURCES).simulate()
    first = refused.value.diagnostics[0]
    assert first.code == "E308"
    for words in ("in the mode `sw on`", "`one` and `two` both determine the flow", "one - a - sw - b"):
        assert words in first.message
    assert {note.span.text for note in first.notes if note.span} == {"Sf one(f = 1)", "Sf two(f = 2)"}
    assert refused.value.partial is not None and refused.value.partial.time[-1] == 0.5


def test_a_conflict_in_all_modes_is_told_at_once() -> None:
    text = SOURCES.replace("X0 sw", "J0 sw").replace("machine sw\n", "").replace("    initial off\n", "")
    text = text.replace("    off -> on when time >= 0.5\n  end\n", "")
    with pytest.raises(saltus.ModelError) as refused:
        saltus.load(text)
    assert "both determine the flow" in refused.value.diagnostics[0].message


def test_other_refusals_are_told_as_ever() -> None:
    """A conflict in a mode that has nothing to do with it is not blamed."""
    text = SOURCES.replace("time >= 0.5", "time >= 5").replace("R = 1", "R = 1/(time - 0.25)")
    with pytest.raises(saltus.SaltusError) as refused:
        saltus.load(text).simulate()
    assert refused.value.diagnostics[0].code != "E308"


def test_a_machine_that_goes_round_is_told_with_its_transitions() -> None:
    with pytest.raises(saltus.RunError) as refused:
        saltus.load("""
        graph Round
          Se drive(e = 1)
          I  mass(I = 1)
          X1 gate
          bond drive -> gate -> mass
          machine gate
            initial on
            on -> off when time >= 1
            off -> on when time >= 0.5
          end
        end Round
        """).simulate(stop_time=2)
    (first,) = refused.value.diagnostics
    assert first.code == "E404" and "no mode is consistent at time 1" in first.message
    assert "`" not in first.message, "there is no relation to be chosen"
    told = [note.message for note in first.notes if "machine `gate` switches forever" in note.message]
    assert told and "`on -> off when time >= 1`, `off -> on when time >= 0.5`" in told[0]


def test_checking_warns_of_modes_that_a_run_may_come_to() -> None:
    model = saltus.load(SOURCES)
    (warning,) = model.causality_warnings()
    assert warning.code == "W308" and "in the mode `sw on` `one` and `two` both determine" in warning.message
    assert saltus.load(EXAMPLES / "Motor.bg").causality_warnings() == ()
    assert saltus.load("model M Real x = time; end M;").causality_warnings() == ()


def test_what_is_only_determined_twice_is_no_contradiction() -> None:
    """Two brakes hold one shaft: both say zero. Three gears between two shafts say it in their numbers."""
    text = """
    graph Held
      Se drive(e = 1)
      I  body(I = 1)
      X1 first
      X1 second
      bond drive -> first -> second -> body
      machine first
        initial on
        on -> off when time >= 1
      end
      machine second
        initial on
        on -> off when time >= 1
      end
    end Held
    """
    model = saltus.load(text)
    assert model.causality_warnings() == ()
    assert saltus.load(EXAMPLES / "Gearbox.bg").causality_warnings() == ()
    result = model.simulate(stop_time=2)
    assert result["body.f"][-1] == 0
