"""Wrong text: the place, the words and the hint of each message, several of them in one run, no traceback."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saltus.core.diagnostics import Diagnostic, ModelError
from saltus.core.source import Source
from saltus.read.modelica.parser import parse, parse_expression


def errors(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(ModelError) as caught:
        parse(Source("m.mo", text))
    assert all(d.code == "E101" for d in caught.value.diagnostics)
    return caught.value.diagnostics


def place(diagnostic: Diagnostic) -> tuple[int, int]:
    assert diagnostic.span is not None
    return diagnostic.span.line, diagnostic.span.column


# `§` in the text marks where the one error is to be found.
ONE_ERROR = [
    ("model M\n  Real x§\n  Real y;\nend M;", "expected `;`, found `Real`", "write `;` after `x`"),
    ("model M Real x §y; end M;", "expected `;`, found `y`", None),
    ("model M Real x;\nend §N;", "`end N` does not close model `M`", "write `end M;`"),
    ("model M model A Real x;\nend §M;", "`end M` does not close model `A`", "write `end A;`"),
    ("model M Real x;\nend§;", "expected `M` after `end`", "end M;"),
    ("model M Real x;§\n", "expected `end M;`, found the end of the text", "not closed"),
    ("model M algorithm x §= 1; end M;", "expected `:=`, found `=`", "equation section"),
    ("model M algorithm (a, b) §= f(1); end M;", "expected `:=`, found `=`", "equation section"),
    ("model M equation x §:= 1; end M;", "expected `=`, found `:=`", "algorithm section"),
    ("model M equation x == 1§; end M;", "expected `=`, found `;`", "`==` compares"),
    ("model M equation x = 1 §= 2; end M;", "a second `=`", "`==`"),
    ('model M Real x §"abc; end M;', "string is never closed", None),
    ("model M §/* abc; end M;", "comment is never closed", "*/"),
    ("model M Real §'x; \nend M;", "quoted identifier is never closed", None),
    ("model M equation\n if a§\n x = 1; end if; y = 2; end M;", "expected `then`", "`if` needs `then`"),
    ("model M equation if a §x = 1; else y = 3; end if; y = 2; end M;", "expected `then`", None),
    ("model M equation\n for i in 1:3§\n x = 1; end for; end M;", "expected `loop`", "`loop`"),
    ("model M equation for i §= 1:3 loop end for; end M;", "expected `in`", "for i in"),
    ("model M equation when a then x = 1; §else y = 2; end when; end M;", "expected `end when`", "elsewhen"),
    ("model M equation x = f(1, (2 + 3)§; end M;", "expected `)`, found `;`", None),
    ("model M equation x = {1, 2§); end M;", "expected `}`, found `)`", None),
    ("model M equation x = a[1§; y = 2; end M;", "expected `]`", None),
    ("model M equation x = 1§); end M;", "expected `;`, found `)`", "no open `(`"),
    ("model M Real x §annotation; end M;", "expected `(` after `annotation`", None),
    ("model M Real x annotation§(a(b); end M;", "never closed", "missing `)`"),
    ("model M Real §end; Real y; end M;", "`end` is a reserved word", "'end'"),
    ("model M parameter Real §model = 1; end M;", "`model` is a reserved word", "'model'"),
    ("model §type end type;", "`type` is a reserved word", None),
    ("model M Real x = 2*§-3; end M;", "a sign cannot stand after the operator `*`", "`(-x)`"),
    ("model M Real x = a^b§^c; end M;", "need parentheses", "associate"),
    ("model M Boolean x = a < b §< c; end M;", "need parentheses", "and"),
    ("model M Boolean x = a §&& b; end M;", "unexpected character `&`", "`and`"),
    ("model M Boolean x = a §!= b; end M;", "unexpected character `!`", "<>"),
    ("model M Boolean x = a == §not b; end M;", "`not` cannot stand after", None),
    ("model M Real x = 1 + §if a then 1 else 2; end M;", "expected an expression", "parentheses"),
    ("model M Real x = if a then 1§; end M;", "expected `else`", "needs an `else`"),
    ("model M Real x = f(a = 1, §2); end M;", "positional argument", "name = value"),
    ("model M Real x = §{}; end M;", "no elements", "fill"),
    ("model M Real x = f(y)§[1]; end M;", "expected `;`", "indexed"),
    ("model M Real x = §end; Real y; end M;", "expected an expression", "reserved"),
    ('model M String s = "a§\\d"; end M;', "unknown escape `\\d`", "\\\\"),
    ("model M equation Real §x; end M;", "expected `=`", "declarations stand before `equation`"),
    ("model M equation §parameter Real x; end M;", "cannot stand in an equation section", "before"),
    ("model M equation §while a loop x = 1; end while; end M;", "only in an algorithm", None),
    ("model M algorithm §connect(a, b); end M;", "only in an equation section", None),
    ("model M algorithm §der(x) := 1; end M;", "derivative", "equation"),
    ("model M algorithm (a, §f(1)) := g(1); end M;", "only a variable can be assigned to", None),
    ("model M x §= 1; end M;", "expected the name of a component", "behind the word `equation`"),
    ("model M flow §stream Real x; end M;", "`stream` cannot stand after `flow`", "order"),
    ("model M parameter §inner Real x; end M;", "`inner` must stand before `parameter`", None),
    ("model M final §redeclare Real x; end M;", "wrong place", "order"),
    ("model M Real x §constrainedby Y; end M;", "without `replaceable`", None),
    ("model M annotation(a); §Real x; equation x = 1; end M;", "behind the `annotation`", "end of the class"),
    ("model M equation x = 1; §end if; y = 1; end M;", "`end if` without its `if`", None),
    ("model M equation x = 1; §else y = 1; end M;", "`else` without its `if`", None),
    ("§end M;", "expected a class", "one `end` too many"),
    ("model M end M; §within A;", "expected a class", "beginning of a file"),
    ("expandable §model M end M;", "expected `connector`", None),
    ("pure §model M end M;", "expected `function`", None),
    ("model §é end M;", "unexpected character `é`", "quotes"),
]


@pytest.mark.parametrize(("marked", "message", "hint"), ONE_ERROR)
def test_one_error(marked: str, message: str, hint: str | None) -> None:
    offset = marked.index("§")
    text = marked.replace("§", "")
    (found,) = errors(text)
    assert message in found.message
    assert found.span is not None
    assert found.span.start == offset
    if hint is not None:
        assert hint in (found.hint or "")


def test_notes_point_to_the_beginning() -> None:
    (found,) = errors("model M\n  Real x = f(1;\nend M;")
    (note,) = found.notes
    assert note.span is not None
    assert (note.span.line, note.span.column) == (2, 13)
    (found,) = errors("model M\nend N;")
    assert found.notes[0].span is not None
    assert found.notes[0].span.text == "M"
    (found,) = errors('model M\n  Real x "abc;\n  Real y "d";\nend M;')
    assert found.notes[0].span is not None
    assert found.notes[0].span.line == 2


def test_several_errors_in_one_run() -> None:
    text = """model M
  Real x = ;
  Real y = 1 +;
  Real z;
equation
  x := 1;
  if x > 1 then
    y = (2;
    z = 3 z;
  end if;
algorithm
  z = 2;
  y := 3
end M;
model N
  Real = 1;
end N;
"""
    assert [place(d)[0] for d in errors(text)] == [2, 3, 6, 8, 9, 12, 13, 16]


def test_at_most_ten_errors() -> None:
    assert len(errors("model M " + "Real x = ;" * 100 + "end M;")) == 10
    assert len(errors("model M " + "Real x = ? ;" * 100 + "end M;")) == 10


@pytest.mark.parametrize(
    "text",
    [
        "model M Real x = " + "(" * 20000 + "1" + ")" * 20000 + "; end M;",
        "model M equation " + "if a then " * 5000,
        "model M " * 5000,
        "model M Real x = " + "{" * 5000,
        "model M Real x = " + "if a then b else " * 5000 + "c; end M;",
        "model M A x" + "(a" * 5000,
    ],
)
def test_deep_nesting_is_an_error_like_others(text: str) -> None:
    found = errors(text)
    assert found[-1].message == "nested too deeply"
    assert found[-1].span is not None


def test_long_sums_are_not_nested() -> None:
    node = parse_expression(" + ".join(["x"] * 5000))
    depth = 0
    while hasattr(node, "left"):
        node = node.left
        depth += 1
    assert depth == 4999


@pytest.mark.parametrize("text", ["", "1 2", "a b", "1 +", "f(", "a; b"])
def test_expression_must_be_the_whole_text(text: str) -> None:
    with pytest.raises(ModelError):
        parse_expression(text)


WORDS = re.findall(
    r"\S+",
    """within A ; model M extends B ( x = 1 , redeclare replaceable type T = Real ) ;
    parameter Real x [ 3 ] = { 1 , 2 , end } "text" annotation ( a ) ; protected public
    equation x = y ; if a then x = 1 ; elseif b else end if ; when c elsewhen d end when ;
    for i in 1 : n loop end for ; connect ( a , b ) ;
    algorithm x := f ( 1 , z = 2 ) ; while a break return end while ; ( a , , b )
    external "C" f ( x ) ; initial der import A . * ; function operator end M ; end N ;
    + - * / ^ < not and or [ ] { } """,
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_any_words_are_a_tree_or_a_refusal(words: list[str]) -> None:
    try:
        parse(Source("m.mo", "model M\n" + " ".join(words)))
    except ModelError as error:
        assert 1 <= len(error.diagnostics) <= 10
        assert all(d.code == "E101" and d.span is not None for d in error.diagnostics)
