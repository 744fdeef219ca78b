"""The tree of every construct of the grammar, against trees written by hand."""

from __future__ import annotations

import os
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from saltus.core.source import Source
from saltus.ir import ast
from saltus.read.modelica.parser import parse, parse_annotation, parse_expression
from saltus.read.modelica.printer import to_text


def shape(node: object) -> object:
    """An expression as nested text in prefix form: operators explicit, offsets and parentheses gone."""
    match node:
        case ast.Parenthesis(inner=inner):
            return shape(inner)
        case ast.Binary(operator=operator, left=left, right=right):
            return f"({operator} {shape(left)} {shape(right)})"
        case ast.Unary(operator=operator, operand=operand):
            return f"({operator} {shape(operand)})"
        case ast.Number(value=value) | ast.String(value=value) | ast.Boolean(value=value):
            return repr(value)
        case ast.Reference():
            return node.text
        case ast.Range(first=first, step=step, last=last):
            return f"(range {shape(first)} {'_' if step is None else shape(step)} {shape(last)})"
        case ast.IfExpression(branches=branches, otherwise=otherwise):
            inside = " ".join(f"{shape(c)}?{shape(v)}" for c, v in branches)
            return f"(if {inside} {shape(otherwise)})"
    raise AssertionError(node)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2*3", "(+ 1 (* 2 3))"),
        ("a - b - c", "(- (- a b) c)"),
        ("a/b*c", "(* (/ a b) c)"),
        ("-a*b", "(- (* a b))"),
        ("-a^2", "(- (^ a 2))"),
        ("-a + b", "(+ (- a) b)"),
        ("(-a)^b.c", "(^ (- a) b.c)"),
        ("a .+ b .* c .^ d", "(.+ a (.* b (.^ c d)))"),
        ("a or b and not c < d + 1", "(or a (and b (not (< c (+ d 1)))))"),
        ("not a and b", "(and (not a) b)"),
        ("a <> -b", "(<> a (- b))"),
        ("1:n", "(range 1 _ n)"),
        ("a + 1:2:n - 1", "(range (+ a 1) 2 (- n 1))"),
        ("if a then 1 elseif b then 2 else if c then 3 else 4", "(if a?1 b?2 (if c?3 4))"),
        ("1.5e3 + .5", "(+ 1500.0 0.5)"),
        ('"a" + "\\n"', "(+ 'a' '\\n')"),
        ("true", "True"),
        (".a.b", ".a.b"),
    ],
)
def test_precedence(text: str, expected: str) -> None:
    assert shape(parse_expression(text)) == expected


def test_integers_are_not_reals() -> None:
    assert type(parse_expression("13").value) is int  # type: ignore[union-attr]
    assert type(parse_expression("13.").value) is float  # type: ignore[union-attr]


def test_reference_with_subscripts_and_exact_offsets() -> None:
    node = parse_expression(" a[1, :].b[end] ")
    assert node == ast.Reference(
        1, 15,
        (
            ("a", (ast.Number(3, 4, 1), ast.Colon(6, 7))),
            ("b", (ast.End(11, 14),)),
        ),
    )  # fmt: skip


def test_calls() -> None:
    f = ast.Reference(0, 1, (("f", ()),))
    assert parse_expression("f()") == ast.Call(0, 3, f, ())
    assert parse_expression("f(1, x = 2)") == ast.Call(
        0, 11, f, (ast.Number(2, 3, 1),), (("x", ast.Number(9, 10, 2)),)
    )
    i = ast.Reference(2, 3, (("i", ()),))
    n = ast.Reference(13, 14, (("n", ()),))
    assert parse_expression("f(i for i in n, j)") == ast.Call(
        0, 18, f, (i,), (), (ast.Iterator(8, 14, "i", n), ast.Iterator(16, 17, "j", None))
    )
    g = ast.Reference(11, 12, (("g", ()),))
    assert parse_expression("f(function g(a = 1))") == ast.Call(
        0, 20, f,
        (ast.PartialApplication(2, 19, g, (("a", ast.Number(17, 18, 1)),)),),
    )  # fmt: skip


@pytest.mark.parametrize("word", ["der", "initial", "pure"])
def test_called_words_are_references(word: str) -> None:
    node = parse_expression(f"{word}(x)")
    assert isinstance(node, ast.Call)
    assert node.function.text == word


def test_constructors() -> None:
    one, two = ast.Number(1, 2, 1), ast.Number(4, 5, 2)
    assert parse_expression("{1, 2}") == ast.ArrayConstructor(0, 6, (one, two))
    assert parse_expression("[1; 2]") == ast.MatrixConstructor(0, 6, ((one,), (two,)))
    assert parse_expression("(1)") == ast.Parenthesis(0, 3, one)
    assert parse_expression("(1, )") == ast.Tuple(0, 5, (one, None))
    assert parse_expression("()") == ast.Tuple(0, 2, ())
    comprehension = parse_expression("{i for i in 1:2}")
    assert isinstance(comprehension, ast.ArrayConstructor)
    assert [iterator.name for iterator in comprehension.iterators] == ["i"]


def only_class(text: str) -> ast.ClassDefinition:
    (definition,) = parse(Source("t.mo", text)).classes
    return definition


def body(text: str) -> ast.LongBody:
    found = only_class(f"model M {text} end M;").body
    assert isinstance(found, ast.LongBody)
    return found


def element(text: str) -> ast.Element:
    (found,) = body(text).elements
    return found


def component(text: str) -> ast.ComponentClause:
    found = element(text)
    assert isinstance(found, ast.ComponentClause)
    return found


def test_stored_definition() -> None:
    assert parse(Source("t", "")) == ast.StoredDefinition(0, 0, None, ())
    assert parse(Source("t", "within;")).within == ()
    tree = parse(Source("t", "within A.B; final model X end X; block Y end Y;"))
    assert tree.within == ("A", "B")
    assert [(c.kind, c.name, c.prefixes.final) for c in tree.classes] == [
        ("model", "X", True),
        ("block", "Y", False),
    ]


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ("class", {"kind": "class"}),
        ("partial model", {"kind": "model", "partial": True}),
        ("encapsulated partial package", {"kind": "package", "partial": True, "encapsulated": True}),
        ("operator record", {"kind": "record", "operator": True}),
        ("operator function", {"kind": "function", "operator": True}),
        ("operator", {"kind": "operator"}),
        ("expandable connector", {"kind": "connector", "expandable": True}),
        ("pure function", {"kind": "function", "purity": "pure"}),
        ("impure operator function", {"kind": "function", "purity": "impure", "operator": True}),
        ("type", {"kind": "type"}),
    ],
)
def test_class_prefixes(prefix: str, expected: dict[str, object]) -> None:
    plain = {"partial": False, "encapsulated": False, "operator": False, "expandable": False, "purity": ""}
    found = only_class(f'{prefix} X "text" + " more" end X;')
    assert {name: getattr(found, name) for name in [*plain, "kind"]} == {**plain, **expected}
    assert found.description == "text more"


def test_short_classes() -> None:
    source = 'type T = input Real[3](unit = "V") "d" annotation(x);'
    found = only_class(source)
    assert isinstance(found.body, ast.ShortBody)
    assert (found.body.causality, found.body.type_name.text, len(found.body.subscripts)) == (
        "input",
        "Real",
        1,
    )
    assert found.annotation is not None
    assert source[slice(*found.annotation)] == "annotation(x)"
    assert only_class('type E = enumeration(a "first", b);').body == ast.EnumerationBody(
        9, 34, (("a", "first", None), ("b", "", None))
    )
    assert only_class("type E = enumeration();").body == ast.EnumerationBody(9, 22, ())
    assert only_class("type E = enumeration(:);").body == ast.EnumerationBody(9, 23, None)
    found = only_class("function F = der(.P.f, x, y);")
    assert isinstance(found.body, ast.DerBody)
    assert (found.body.function.text, found.body.variables) == (".P.f", ("x", "y"))


def test_class_extension() -> None:
    found = element('redeclare model extends N(a = 1) "d" Real x; end N;')
    assert isinstance(found, ast.ClassDefinition)
    assert isinstance(found.body, ast.LongBody)
    assert found.prefixes == ast.ElementPrefixes(redeclare=True)
    assert found.body.extends_base
    assert found.body.modification is not None
    assert (found.name, found.description) == ("N", "d")


def test_component_clause() -> None:
    found = component(
        'inner replaceable flow parameter input Real[2] x[3](start = 1) = 2 if c "d", y '
        'constrainedby Z(a) "e";'
    )
    assert found.prefixes == ast.ElementPrefixes(inner=True, replaceable=True)
    assert (found.connection, found.variability, found.causality) == ("flow", "parameter", "input")
    assert [d.name for d in found.declarations] == ["x", "y"]
    x = found.declarations[0]
    assert x.modification is not None
    assert x.modification.arguments is not None
    assert (x.description, len(x.subscripts), len(x.modification.arguments)) == ("d", 1, 1)
    assert shape(x.modification.value) == "2"
    assert x.condition is not None
    assert found.constraint is not None
    assert (found.constraint.type_name.text, found.constraint.description) == ("Z", "e")


def test_sections_of_visibility() -> None:
    found = body("Real a; protected Real b; import C; public Real c; equation a = b; protected extends D;")
    protected = [
        e.protected if isinstance(e, ast.Import | ast.Extends) else e.prefixes.protected
        for e in found.elements
    ]
    assert protected == [False, True, True, False, True]
    assert len(found.sections) == 1


@pytest.mark.parametrize(
    ("text", "name", "alias", "wildcard", "names"),
    [
        ("import A.B;", ("A", "B"), "", False, ()),
        ("import X = A.B;", ("A", "B"), "X", False, ()),
        ("import A.*;", ("A",), "", True, ()),
        ("import A. *;", ("A",), "", True, ()),
        ("import A.B.{C, D};", ("A", "B"), "", False, ("C", "D")),
    ],
)
def test_imports(
    text: str, name: tuple[str, ...], alias: str, wildcard: bool, names: tuple[str, ...]
) -> None:
    found = element(text)
    assert isinstance(found, ast.Import)
    assert (found.name, found.alias, found.wildcard, found.names) == (name, alias, wildcard, names)


def test_arguments_of_a_modification() -> None:
    found = element(
        'extends B(each final a.b(c = 1) = 2 "d", e = break, redeclare each final replaceable R r "s" '
        "constrainedby "
        "C(x), replaceable package P = Q, redeclare function f = g, break connect(u, v[1]), break w);"
    )
    assert isinstance(found, ast.Extends)
    assert found.modification is not None
    arguments = found.modification.arguments
    assert arguments is not None
    a, e, r, p, f, joined, w = arguments
    assert isinstance(a, ast.ElementModification)
    assert (a.name, a.each, a.final, a.description) == (("a", "b"), True, True, "d")
    assert isinstance(e, ast.ElementModification)
    assert e.modification is not None
    assert e.modification.is_break
    assert isinstance(r, ast.ElementRedeclaration)
    assert (r.redeclare, r.each, r.final, r.replaceable) == (True, True, True, True)
    assert r.constraint is not None
    assert isinstance(p, ast.ElementRedeclaration)
    assert (p.redeclare, p.replaceable) == (False, True)
    assert isinstance(f, ast.ElementRedeclaration)
    assert isinstance(f.element, ast.ClassDefinition)
    assert (f.element.kind, f.element.name) == ("function", "f")
    assert isinstance(joined, ast.InheritanceBreak)
    assert joined.connect is not None
    assert (joined.connect.left.text, joined.connect.right.text) == ("u", "v")
    assert isinstance(w, ast.InheritanceBreak)
    assert w.name == "w"


def test_equations() -> None:
    text = """
    initial equation
      x = 0;
    equation
      connect(a.p, b[1].n) "wire" annotation(Line());
      if c then x = 1; elseif d then else y = 2; z = 3; end if;
      for i in 1:3, j loop x[i] = j; end for;
      when {c, d} then reinit(x, 1); elsewhen e then y = pre(y); end when;
      assert(x > 0, "m");
      (a, b) = f(x);
      der(x) = if c then 1 else 2 "d";
    """
    first, second = body(text).sections
    assert (first.initial, first.algorithm, second.initial, second.algorithm) == (True, False, False, False)
    kinds = [type(item).__name__ for item in second.items]
    assert kinds == [
        "Connect", "IfEquation", "ForEquation", "WhenEquation", "CallEquation", "SimpleEquation",
        "SimpleEquation",
    ]  # fmt: skip
    choice = second.items[1]
    assert isinstance(choice, ast.IfEquation)
    assert [(condition is None, len(items)) for condition, items in choice.branches] == [
        (False, 1), (False, 0), (True, 2),
    ]  # fmt: skip
    assert second.items[0].annotation is not None
    assert second.items[-1].description == "d"


def test_statements() -> None:
    text = """
    initial algorithm
    algorithm
      x[1].y := 2;
      (a, , b[2]) := f(x);
      f(1);
      while x < 1 loop break; end while;
      for i loop return; end for;
      if a then x := 1; else y := 2; end if;
      when a then x := 1; elsewhen b then x := 2; end when;
    """
    first, second = body(text).sections
    assert (first.initial, first.items) == (True, ())
    kinds = [type(item).__name__ for item in second.items]
    assert kinds == [
        "Assignment", "TupleAssignment", "CallEquation", "WhileStatement", "ForEquation", "IfEquation",
        "WhenEquation",
    ]  # fmt: skip
    several = second.items[1]
    assert isinstance(several, ast.TupleAssignment)
    assert [None if t is None else t.text for t in several.targets] == ["a", None, "b"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("external;", (None, None, "", 0, False)),
        ('external "builtin";', ("builtin", None, "", 0, False)),
        ('external "C" f();', ("C", None, "f", 0, True)),
        (
            'external "FORTRAN 77" y.z = g(x, 1) annotation(Library = "m");',
            ("FORTRAN 77", "y.z", "g", 2, True),
        ),
    ],
)
def test_external(text: str, expected: tuple[object, ...]) -> None:
    found = body(text + " annotation(a);").external
    assert found is not None
    result = None if found.result is None else found.result.text
    assert (found.language, result, found.function, len(found.args), found.has_call) == expected
    assert (found.annotation is not None) == ("Library" in text)


def test_annotations_are_parsed_on_demand() -> None:
    text = 'model M annotation(Evaluate = true, Icon(x = {1, -2}), Documentation(info = "a \\d b")); end M;'
    source = Source("t", text)
    (model,) = parse(source).classes
    assert model.annotation is not None
    arguments = parse_annotation(source, model.annotation).arguments
    assert arguments is not None
    assert [a.name for a in arguments if isinstance(a, ast.ElementModification)] == [
        ("Evaluate",), ("Icon",), ("Documentation",),
    ]  # fmt: skip
    assert text[arguments[1].start : arguments[1].end] == "Icon(x = {1, -2})"


def test_offsets_cover_the_text_of_each_node() -> None:
    text = 'model M "d"\n  parameter Real x = 1 + y "e";\nequation\n  x = f(y) "g";\nend M;\n'
    (model,) = parse(Source("t", text)).classes
    assert text[model.start : model.end] == text.strip().rstrip(";")
    assert isinstance(model.body, ast.LongBody)
    clause = model.body.elements[0]
    assert text[clause.start : clause.end] == 'parameter Real x = 1 + y "e"'
    equation = model.body.sections[0].items[0]
    assert text[equation.start : equation.end] == 'x = f(y) "g"'


def without_offsets(node: object, source: Source) -> object:
    """A tree for comparison: no offsets, annotations as their text."""
    if is_dataclass(node):
        values = [
            source.text[slice(*value)] if f.name == "annotation" and value else without_offsets(value, source)
            for f in fields(node)
            if f.name not in ("start", "end")
            for value in [getattr(node, f.name)]
        ]
        return (type(node).__name__, *values)
    if isinstance(node, tuple):
        if len(node) == 2 and all(type(part) is int for part in node):
            return source.text[slice(*node)]  # the annotation of an enumeration literal
        return tuple(without_offsets(part, source) for part in node)
    return node


@pytest.mark.skipif("SALTUS_MSL" not in os.environ, reason="SALTUS_MSL does not name a library")
def test_standard_library_parses_and_prints() -> None:
    files = sorted(Path(os.environ["SALTUS_MSL"]).rglob("*.mo"))
    assert files
    for number, file in enumerate(files):
        source = Source(str(file), file.read_text(encoding="utf-8"))
        tree = parse(source)
        if number % 8 == 0:
            printed = Source("printed", to_text(tree, source))
            assert without_offsets(parse(printed), printed) == without_offsets(tree, source), file
