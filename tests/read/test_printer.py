"""Printing: reading the printed text gives the same tree, for a text with every construct and for trees
that hypothesis makes."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saltus.core.source import Source
from saltus.ir import ast
from saltus.read.modelica.parser import parse, parse_expression
from saltus.read.modelica.printer import to_text


def bare(node: object, source: Source | None = None) -> object:
    """A tree for comparison: no offsets, annotations as their text."""
    if is_dataclass(node):
        values: list[object] = []
        for field in fields(node):
            value = getattr(node, field.name)
            if field.name in ("start", "end"):
                continue
            if field.name == "annotation":
                values.append(None if value is None or source is None else source.text[slice(*value)])
            elif field.name == "literals" and value is not None:
                values.append(tuple((n, d, a and source and source.text[slice(*a)]) for n, d, a in value))
            else:
                values.append(bare(value, source))
        return (type(node).__name__, *values)
    if isinstance(node, tuple):
        return tuple(bare(part, source) for part in node)
    if isinstance(node, float):
        return repr(node)
    return node


EVERYTHING = r"""
within A.'b c';
final encapsulated partial package P "d\t\"q\" \\ é"
  import X = A.B "d" annotation(a);
  import A.*; import A.{B, C}; import A.B;
  extends .B.C(each final a.b(c = 1) = 2 "d", e = break, f := 3, redeclare each final replaceable
    flow R r[2] = 1 "s" annotation(z) constrainedby C(x), replaceable package Q = S(t = 1) "u",
    redeclare function f = g annotation(h), break connect(u, v[1]), break w, k()) annotation(a(b = ")"));
  inner outer replaceable flow discrete input .Real[2, :] x[3](start = 1) = 2 if c "d" annotation(x), y := 3
    constrainedby Z(a) "e" annotation(f);
  redeclare final parameter Real p;
  protected constant Integer n = 1;
  operator record Complex
    encapsulated operator '-'
      pure operator function f
        input Real x;
        external "C" y.z = g(x, 1) annotation(Library = "m"); annotation(k); end f;
    end '-';
  end Complex;
  expandable connector Bus end Bus;
  type T = output Real[3](unit = "V") "d" annotation(x);
  type E = enumeration(a "first" annotation(b), c); type E0 = enumeration(); type E1 = enumeration(:) "d";
  function F = der(.P.f, x, y) "d";
  impure function I external; end I;
  replaceable model N Real x; end N constrainedby M(x = 1) "d" annotation(c);
  redeclare model extends N(a = 1) "d" end N;
  public Real after;
initial equation
equation
  connect(a.p, b[1].n) "wire" annotation(Line(points = {{1, -2}}));
  if c then x = 1; elseif d then else y = 2; if e then z = 3; end if; end if "d" annotation(x);
  for i in 1:3, j loop x[i] = j; end for;
  when {c, d} then reinit(x, 1); elsewhen e then y = pre(y); end when;
  assert(x > 0, "m", level = AssertionLevel.warning);
  (a, , b) = f(x, function g(h = 1, i = 2), j = function k());
  (a) = 1; () = f();
  der(x) = if c then 1 elseif d then 2 else 3 "d" + "e";
  x = sum(i*j for i in 1:n, j in 1:2:m) + {i for i in 1:n}*[1, 2; 3, 4] .^ 2 - (-a)*b;
  b = not (c and d) or e < 1.5e-7 and .a.b[end, :].c[1:end - 1] >= 2 or initial();
  y = 1 .* x .+ 2 ./ z .- 3; z = pure(f(x)); s = "a\nb";
initial algorithm
algorithm
  x[1].y := 2 "d"; (a, , b[2]) := f(x); f(1); () := h();
  while x < 1 loop break; end while;
  for i loop return "d"; end for;
  if a then x := 1; else y := 2; end if;
  when a then x := 1; elsewhen b then x := 2; end when;
  annotation(Documentation(info = "<html>
    raw  text</html>"));
end P;
block B end B;
"""


def test_every_construct_comes_back() -> None:
    source = Source("m.mo", EVERYTHING)
    tree = parse(source)
    printed = Source("printed.mo", to_text(tree, source))
    again = parse(printed)
    assert bare(again, printed) == bare(tree, source)
    # Printing is idempotent: the layout does not depend on the layout before.
    assert to_text(again, printed) == printed.text


def test_layout() -> None:
    text = """\
within P;
model M "d"
  parameter Real x(min = 0) = 1 + 2*y "e";
protected
  Real z[3];
equation
  if x > 0 then
    z = {1, 2, 3};
  else
    connect(a, b);
  end if;
  annotation(Icon());
end M;
"""
    source = Source("m.mo", text)
    assert to_text(parse(source), source) == text
    squeezed = Source("m.mo", " ".join(text.split()))
    assert to_text(parse(squeezed), squeezed) == text


def test_annotations_need_the_source() -> None:
    source = Source("m.mo", 'model M Real x "d" annotation(a); annotation(b); end M;')
    assert to_text(parse(source)) == 'model M\n  Real x "d";\nend M;\n'


def test_parts_can_be_printed() -> None:
    source = Source("m.mo", "model M Real x(a = 1) = 2; algorithm while b loop x := 1; end while; end M;")
    (model,) = parse(source).classes
    assert isinstance(model.body, ast.LongBody)
    (clause,) = model.body.elements
    assert isinstance(clause, ast.ComponentClause)
    assert to_text(clause) == "Real x(a = 1) = 2;"
    modification = clause.declarations[0].modification
    assert modification is not None
    assert to_text(modification) == "(a = 1) = 2"
    (section,) = model.body.sections
    assert to_text(section) == "algorithm\n  while b loop\n    x := 1;\n  end while;"
    assert to_text(section.items[0]) == "while b loop\n  x := 1;\nend while;"


def test_long_sums_are_printed_without_recursion() -> None:
    text = " + ".join(["x"] * 5000)
    assert to_text(parse_expression(text)) == text


# ---------------------------------------------------------------- trees made by hypothesis


NAMES = st.sampled_from(["a", "b1", "_c", "'q \\' d'", "Real"])
STRINGS = st.text(st.characters(codec="utf-8"), max_size=6)


def node(kind: type, *parts: st.SearchStrategy[object]) -> st.SearchStrategy[ast.Expression]:
    return st.builds(lambda *values: kind(0, 0, *values), *parts)


def tuples(
    of: st.SearchStrategy[object], least: int = 0, most: int = 3
) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(of, min_size=least, max_size=most).map(tuple)


REFERENCES = node(ast.Reference, tuples(st.tuples(NAMES, st.just(())), 1), st.booleans())
LEAVES = st.one_of(
    node(ast.Number, st.one_of(st.integers(0, 10**20), st.floats(0, allow_nan=False))),
    node(ast.String, STRINGS),
    node(ast.Boolean, st.booleans()),
    REFERENCES,
)


def larger(inner: st.SearchStrategy[ast.Expression]) -> st.SearchStrategy[ast.Expression]:
    iterators = tuples(node(ast.Iterator, NAMES, st.none() | inner), 1, 2)
    named = tuples(st.tuples(NAMES, inner), 0, 2)
    binary = [
        "+",
        "-",
        "*",
        "/",
        "^",
        ".+",
        ".-",
        ".*",
        "./",
        ".^",
        "<",
        "<=",
        ">",
        ">=",
        "==",
        "<>",
        "and",
        "or",
    ]
    subscripts = tuples(st.one_of(inner, node(ast.Colon), node(ast.End)), 0, 2)
    return st.one_of(
        node(ast.Unary, st.sampled_from(["+", "-", ".+", ".-", "not"]), inner),
        node(ast.Binary, st.sampled_from(binary), inner, inner),
        node(ast.IfExpression, tuples(st.tuples(inner, inner), 1, 2), inner),
        node(ast.Range, inner, st.none() | inner, inner),
        node(ast.Call, REFERENCES, tuples(inner), named),
        node(ast.Call, REFERENCES, tuples(inner, 1, 1), st.just(()), iterators),
        node(ast.Call, REFERENCES, tuples(node(ast.PartialApplication, REFERENCES, named), 1, 2)),
        node(ast.ArrayConstructor, tuples(inner, 1)),
        node(ast.ArrayConstructor, tuples(inner, 1, 1), iterators),
        node(ast.MatrixConstructor, tuples(tuples(inner, 1), 1, 2)),
        node(ast.Tuple, tuples(st.none() | inner, 2)),
        node(ast.Reference, tuples(st.tuples(NAMES, subscripts), 1), st.booleans()),
    )


EXPRESSIONS = st.recursive(LEAVES, larger, max_leaves=12)


def without_parentheses(tree: object) -> object:
    if isinstance(tree, tuple):
        if tree and tree[0] == "Parenthesis":
            return without_parentheses(tree[1])
        return tuple(without_parentheses(part) for part in tree)
    return tree


@settings(max_examples=200, deadline=None)
@given(EXPRESSIONS)
def test_any_expression_comes_back(tree: ast.Expression) -> None:
    """The generated trees have no parentheses; those the printer must add do not change the rest."""
    text = to_text(tree)
    again = parse_expression(text)
    assert without_parentheses(bare(again)) == bare(tree)
    # What was read is printed without further parentheses.
    assert to_text(again) == text


@settings(max_examples=50, deadline=None)
@given(EXPRESSIONS, EXPRESSIONS, STRINGS)
def test_any_equation_comes_back(left: ast.Expression, right: ast.Expression, description: str) -> None:
    equation = ast.SimpleEquation(0, 0, left, right, description)
    section = ast.Section(0, 0, False, False, (equation,))
    model = ast.ClassDefinition(
        0, 0, "M", "model", ast.LongBody(0, 0, (), (section,)), description=description
    )
    tree = ast.StoredDefinition(0, 0, None, (model,))
    assert without_parentheses(bare(parse(Source("m.mo", to_text(tree))))) == without_parentheses(bare(tree))


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (ast.Binary(0, 0, "*", ast.Number(0, 0, -1), ast.Number(0, 0, 2)), "(-1)*2"),
        (ast.Unary(0, 0, "-", ast.Unary(0, 0, "-", ast.Number(0, 0, 2))), "-(-2)"),
        (ast.Number(0, 0, 2.0), "2.0"),
    ],
)
def test_parentheses_are_added_where_needed(tree: ast.Expression, text: str) -> None:
    assert to_text(tree) == text
