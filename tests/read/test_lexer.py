"""Tokens: each lexical rule of Modelica 3.6, and annotations as single tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saltus.core.diagnostics import ModelError
from saltus.core.source import Source
from saltus.read.modelica.lexer import (
    ANNOTATION,
    END_OF_TEXT,
    KEYWORDS,
    NAME,
    NUMBER,
    OPERATORS,
    STRING,
    string_value,
    tokenise,
    unknown_escape,
)


def pairs(text: str) -> list[tuple[str, str]]:
    tokens = tokenise(Source("t", text))
    assert tokens.kinds[-1] == END_OF_TEXT
    return list(zip(tokens.kinds, tokens.texts, strict=True))[:-1]


def test_words_and_keywords() -> None:
    assert pairs("model M_1 _x der End") == [
        ("model", "model"), (NAME, "M_1"), (NAME, "_x"), ("der", "der"), (NAME, "End"),
    ]  # fmt: skip


def test_there_are_59_keywords_and_each_is_its_own_kind() -> None:
    # Counted in the table of section 2.3.3 of the specification.
    assert len(KEYWORDS) == 59
    for word in KEYWORDS - {"annotation"}:
        assert pairs(word) == [(word, word)]


def test_every_operator_is_its_own_kind() -> None:
    for operator in OPERATORS:
        assert pairs(f"a {operator} b") == [(NAME, "a"), (operator, operator), (NAME, "b")]


@pytest.mark.parametrize("number", ["0", "33", "13.", "13E0", "1.3e1", "0.13E2", ".13E2", "1.2E-35", "1e+3"])
def test_numbers(number: str) -> None:
    assert pairs(number) == [(NUMBER, number)]


def test_longest_match() -> None:
    assert [text for _, text in pairs("a<=b<>c:=d==e.+f")] == [
        "a",
        "<=",
        "b",
        "<>",
        "c",
        ":=",
        "d",
        "==",
        "e",
        ".+",
        "f",
    ]
    assert [text for _, text in pairs("x[1].y")] == ["x", "[", "1", "]", ".", "y"]
    assert [text for _, text in pairs("1:2")] == ["1", ":", "2"]
    assert [text for _, text in pairs("1.*x")] == ["1.", "*", "x"]


def test_comments_and_white_space_are_skipped() -> None:
    text = 'a // "not a string" /* \n b /* // c \n " */ d // end'
    assert [word for _, word in pairs(text)] == ["a", "b", "d"]


def test_string_in_any_script_and_over_lines() -> None:
    literal = '"Größe Δ 力 \\"q\\" \n second"'
    assert pairs(literal) == [(STRING, literal)]
    assert string_value(literal) == 'Größe Δ 力 "q" \n second'


def test_escapes() -> None:
    assert string_value(r'"\'\"\?\\\a\b\f\n\r\t\v"') == "'\"?\\\a\b\f\n\r\t\v"
    assert unknown_escape(r'"ab\d"') == 3
    assert unknown_escape(r'"\\d"') is None


def test_quoted_identifiers_have_one_spelling() -> None:
    assert pairs("'12 H' '\\\"\\?' '\\''") == [(NAME, "'12 H'"), (NAME, "'\"?'"), (NAME, "'\\''")]


def test_offsets() -> None:
    text = "  ab /*c*/ 'd e'\n+ 1.5"
    tokens = tokenise(Source("t", text))
    stretches = [text[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)]
    assert stretches == ["ab", "'d e'", "+", "1.5", ""]


ANNOTATIONS = [
    "annotation()",
    "annotation (a(b=1), c={{1,2},{3,4}})",
    'annotation(Documentation(info="<html>) \\" ( </html>"))',
    "annotation(a = ')' /* ) */, // )\n b=1/2)",
    "annotation /* c */ (x)",
    "annotation" + "(a" * 40 + ")" * 40,
]


@pytest.mark.parametrize("text", ANNOTATIONS)
def test_an_annotation_is_one_token(text: str) -> None:
    whole = f"Real x {text}; y"
    tokens = tokenise(Source("t", whole))
    assert tokens.kinds == [NAME, NAME, ANNOTATION, ";", NAME, END_OF_TEXT]
    assert whole[tokens.starts[2] : tokens.ends[2]] == text


def nested() -> st.SearchStrategy[str]:
    leaf = st.sampled_from(["a", "1/2", '")"', "'('", "/* ( */", "// )\n", '"\\")"', " ", "=", "{,}"])
    return st.recursive(
        leaf, lambda inner: st.lists(inner).map(lambda parts: f"({' '.join(parts)})"), max_leaves=60
    )


@given(st.lists(nested()))
def test_annotations_end_at_their_own_parenthesis(parts: list[str]) -> None:
    text = f"annotation({' '.join(parts)})"
    tokens = tokenise(Source("t", text + " ) ( x"))
    assert tokens.kinds == [ANNOTATION, ")", "(", NAME, END_OF_TEXT]
    assert tokens.ends[0] == len(text)


@given(st.text(max_size=60))
def test_any_text_is_tokens_or_a_refusal(text: str) -> None:
    try:
        tokens = tokenise(Source("t", text))
    except ModelError as error:
        assert all(d.code == "E101" and d.span is not None for d in error.diagnostics)
        return
    # What lies between the tokens is only white space and comments.
    end = 0
    for start, stop in zip(tokens.starts, tokens.ends, strict=True):
        gap = text[end:start].strip(" \t\n\r\f\v")
        assert gap == "" or gap.startswith("/")
        assert start <= stop
        end = stop
    assert end == len(text)
