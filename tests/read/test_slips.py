"""Slips of people who think in another language: each gets a hint that says what to write here."""

from __future__ import annotations

import pytest

from saltus.core.diagnostics import ModelError
from saltus.core.source import Source
from saltus.read.modelica.parser import parse

# `§` marks the place of the first error; the last entry is part of its hint.
SLIPS = [
    ("model M paramter Real §k = 1; end M;", "did you mean `parameter`?"),
    ("model M Flow Real §i; end M;", "did you mean `flow`?"),
    ("§modle M Real x; end M;", "did you mean `model`?"),
    ("model M Real x; equations§\n  der(x) = 1; end M;", "did you mean `equation`?"),
    ("model M\n  Real x;\n  §der(x) = 1;\nend M;", "behind the word `equation`"),
    ("model M equation x = 1 §end M;", "write `;` before `end`"),
    ("model M parameter Real k = 1 §equation x = k; end M;", "write `;` before `equation`"),
    ("model M equation x = 2 §k; end M;", "a product is written with `*`"),
    ("model M A a(C = 10e-6 §F); end M;", "no unit or scale letter"),
    ("model M A a(R = 1§k); end M;", "no unit or scale letter"),
    ("model M Real x(start = 0 §fixed = true); end M;", "separated by `,`"),
    ("model M A a(k = 2§; t = 3); end M;", "separated by `,`"),
    ("model M A a§{k = 2}; end M;", "stand in `( )`"),
    ("model M A a(§2, 3); end M;", "`name = value`"),
    ("model M equation x = a*§*2; end M;", "a power is written"),
    ("model M equation x +§= 2; end M;", "there is no `+=`"),
    ("model M equation x§' = 2; end M;", "`der(x)`"),
    ("model M equation x = a §? 1 : 2; end M;", "if condition then"),
    ("model M equation x = 1 §if a else 2; end M;", "if condition then"),
    ("model M equation x = if a §= b then 1 else 2; end M;", "tested with `==`"),
    ("model M equation for i in 1.§.n loop x = 1; end for; end M;", "first:last"),
    ("model M equation for i in 1:3 §x[i] = 1; end for; end M;", "`for` needs `loop` after it"),
    ("model M equation when a §x = 1; end when; end M;", "`when` needs `then` after it"),
    ("model M equation if a then x = 1; else x = 2; §end; end M;", "write `end if;`"),
    ("model M equation for i in 1:3 loop x[i] = 1; §end; end M;", "write `end for;`"),
    ("model M equation if a then x = 1; else x = 2; §end M;", "write `end if;` before"),
    ("model M equation if a then x = 1; else if b then x = 2; end if; §end M;", "perhaps `elseif`"),
    ("model M equation for i in 1:3 loop x[i] = 1; §end M;", "write `end for;` before"),
    ("model M equation when a then x = 1; §end M;", "write `end when;` before"),
    ("model M equation if a then x = 1; elif §b then x = 2; end if; end M;", "`elseif`"),
    ("model M algorithm if a then x := 1; elif §b then x := 2; end if; end M;", "`elseif`"),
    ("model M equation connect(a.p, b.p§, c.p); end M;", "joins two connectors"),
    ("model M Real y = sin(time§; end M;", "write `)` before"),
    ("model M Real y[2] = {1, 2§; end M;", "write `}` before"),
    ("model M equation x§; end M;", "two sides"),
    ("function f output Real y; algorithm return §y; end f;", "`return` stands alone"),
    ("model M equation x = 1; §} end M;", "not with a brace"),
    ("class M §{ Real x; }", "no braces"),
    ("model§\n  model A end A;\nend M;", "write a name after `model`"),
    ("model M equation x = a§\u00b7b; end M;", "written with `*`"),
    ("model M equation x = a§\u2212b; end M;", "write `-`"),
]


@pytest.mark.parametrize(("marked", "hint"), SLIPS)
def test_a_slip_is_pointed_out_where_it_is_with_what_to_write(marked: str, hint: str) -> None:
    at = marked.index("§")
    with pytest.raises(ModelError) as caught:
        parse(Source("m.mo", marked.replace("§", "")))
    first = caught.value.diagnostics[0]
    assert first.span is not None and first.span.start == at
    assert first.hint is not None and hint in first.hint


def test_a_forgotten_loop_or_then_is_the_only_error() -> None:
    text = "model M equation when a then for i in 1:3 x[i] = 1; end for; end when; end M;"
    with pytest.raises(ModelError) as caught:
        parse(Source("m.mo", text))
    assert [d.message for d in caught.value.diagnostics] == ["expected `loop`, found `x`"]
