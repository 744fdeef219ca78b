"""What may be written at a place."""

from __future__ import annotations

from pathlib import Path

from marked_text import called, completed, declared, hovered, named, opened, proposals

from saltus.editor.completion import Kind, completion
from saltus.editor.predefined import PREDEFINED_FUNCTIONS
from saltus.editor.workspace import Workspace, library_parts
from saltus.lower.expressions.builtins import BUILTINS

LOCAL = """model Rig
  connector Pin Real v(unit = "V"); flow Real i(unit = "A"); end Pin;
  type Mode = enumeration(off "no current", on);
  model Load "What takes it"
    Pin p, n;
    parameter Real R(unit = "Ohm") = 1 "Resistance";
    final parameter Real G = 1/R;
    Mode mode;
  protected
    Real hidden;
  equation
    R*p.i = p.v - n.v;
  end Load;
  function f input Real a "first"; input Real b = 2; output Real y = a + b; end f;
  Load load;
  Real x;
{}
end Rig;
"""


def test_parameters_in_a_modification_come_first() -> None:
    found = proposals(LOCAL.format("  Load other(|"))
    assert found["R"].detail == "parameter Real = 1 [Ohm]" and found["R"].description == "Resistance"
    assert found["R"].rank < found["p"].rank
    assert "hidden" not in found and "x" not in found and "sin" not in found
    assert "R" not in proposals(LOCAL.format("  Load other(R = 2, |"))
    assert "\n  Load other(R = \n" in completed(LOCAL.format("  Load other(|"), "R")


def test_a_letter_that_is_typed_is_replaced() -> None:
    assert "  Load other(R = )" in completed(LOCAL.format("  Load other(R|)"), "R")


def test_attributes_of_a_variable() -> None:
    assert {"unit", "start", "fixed", "nominal"} <= proposals(LOCAL.format("  Real y(|")).keys()
    assert {"unit", "start"} <= proposals(LOCAL.format("  Load l(R(|")).keys()
    assert "unit" not in proposals(LOCAL.format("  Boolean y(|"))


def test_connectors_in_connect() -> None:
    found = proposals(LOCAL.format("equation\n  connect(|"))
    assert found.keys() == {"load"}
    assert proposals(LOCAL.format("equation\n  connect(load.|")).keys() == {"p", "n"}


def test_members_behind_a_dot_with_their_units() -> None:
    found = proposals(LOCAL.format("equation\n  x = load.p.|"))
    assert found.keys() == {"v", "i"} and "[V]" in found["v"].detail
    assert "hidden" not in proposals(LOCAL.format("equation\n  x = load.|"))
    assert proposals(LOCAL.format("  Mode m = Mode.|")).keys() == {"off", "on"}


def test_variables_functions_and_words_in_an_expression() -> None:
    found = proposals(LOCAL.format("equation\n  x = |"))
    assert {"x", "load", "time", "sin", "der", "f", "if", "Saltus"} <= found.keys()
    assert found["x"].rank < found["sin"].rank
    assert found["f"].kind is Kind.FUNCTION
    assert {"a =", "b ="} <= proposals(LOCAL.format("equation\n  x = f(|")).keys()


def test_types_of_a_component() -> None:
    found = proposals(LOCAL.format("  |"))
    assert {"Load", "Pin", "Mode", "Real", "parameter", "Saltus"} <= found.keys()
    assert "f" not in found and "x" not in found


def test_parts_by_the_path_of_their_package_and_by_their_name() -> None:
    assert "Electrical" in proposals("model M\n  Saltus.|\nend M;")
    assert {"Resistor", "Sources"} <= proposals("model M\n  Saltus.Electrical.|\nend M;").keys()
    assert "Electrical" in proposals("model M\n  import Saltus.|\nend M;")
    assert "Resistor" in proposals("model M\n  import Saltus.Electrical.*;\n  Res|\nend M;")
    workspace = Workspace()
    workspace.parts = library_parts()
    found = proposals("model M\n  Induc|\nend M;", workspace)
    assert found["Inductor"].inserted == "Saltus.Electrical.Inductor"


def test_what_follows_a_statement_without_an_end_is_still_known() -> None:
    """The parser takes the next declaration for a part of the unfinished one; completion does not."""
    text = "model M\n  Real a = b + |\n  Saltus.Electrical.Ground g;\nequation\n  connect(g.p, g.p);\nend M;"
    assert {"g"} <= proposals(text).keys()
    text = "model M\n  Real a = |\n  Real b;\nend M;"
    assert {"a", "b"} & proposals(text).keys() == {"b"}


def test_nothing_where_a_name_is_made_up() -> None:
    assert proposals(LOCAL.format("  Real |")) == {}
    assert proposals(LOCAL.format('  Real y "|"')) == {}


def test_other_languages_have_no_proposals() -> None:
    workspace, document, offset = opened("graph G\n  |", path=Path("/g.bg"))
    assert completion(workspace, document, offset).proposals == ()


def test_every_predefined_function_is_proposed() -> None:
    """The table of the lowering is the truth."""
    assert BUILTINS.keys() <= PREDEFINED_FUNCTIONS.keys()


# ---------------------------------------------------------------- what is known of a name


def test_a_variable_with_its_equations_and_units() -> None:
    text = hovered(LOCAL.format("equation\n  x = load.p.|i;"))
    assert "flow Real load.p.i" in text and "unit `A`" in text
    assert "x = load.p.i" in text and "R*p.i = p.v - n.v" in text
    assert "`R` in `Ohm`" in text and "`p.v` in `V`" in text


def test_a_parameter_with_the_value_that_holds() -> None:
    text = hovered(LOCAL.format("  Load other(R = 5);\n  Real y = other.|R;"))
    assert "parameter Real other.R = 5" in text and "Resistance" in text
    assert "its value is given in `Rig`" in text
    assert "parameter Real other.R = 5" in hovered(LOCAL.format("  Load other(|R = 5);"))
    assert "parameter Real R = 1" in hovered(LOCAL.format("  extends Load(|R = 5);"))


def test_a_class_a_function_and_a_literal() -> None:
    assert "What takes it" in hovered(LOCAL.format("  Lo|ad other;"))
    assert "Square root" in hovered(LOCAL.format("equation\n  x = sq|rt(2);"))
    assert "no current" in hovered(LOCAL.format("  Mode m = Mode.of|f;"))
    assert "Value at the start" in hovered(LOCAL.format("  Real y(st|art = 1);"))
    assert hovered(LOCAL.format("  Real y(nothing|ness = 1);")) == ""


def test_a_part_of_the_library() -> None:
    text = hovered("model M\n  Saltus.Electrical.Capa|citor c;\nend M;")
    assert "Stores charge" in text and "C*der(v) = i" in text and "[F]" in text


def test_the_arguments_of_a_call() -> None:
    assert called(LOCAL.format("equation\n  x = atan2(1, |")) == ("atan2(u1, u2)", 1)
    assert called(LOCAL.format("equation\n  x = f(2, sin(|")) == ("sin(u)", 0)
    assert called(LOCAL.format("equation\n  x = f(2, sin(1), |")) == ("f(a, b = 2)", 2)
    assert called(LOCAL.format("equation\n  x = |")) == ("", 0)


# ---------------------------------------------------------------- where it is declared


def test_declarations_here_and_in_the_library(tmp_path: Path) -> None:
    assert declared(LOCAL.format("  Load o(|R = 2);")) == ("Test.mo", 6, "R")
    assert declared(LOCAL.format("equation\n  x = load.p.|v;")) == ("Test.mo", 2, "v")
    assert declared(LOCAL.format("  Lo|ad o;")) == ("Test.mo", 4, "Load")
    assert declared(LOCAL.format("  Mode m = Mode.o|n;")) == ("Test.mo", 3, "on")
    rig = "model M\n  Saltus.Electrical.Resistor r;\n  Real y = r.|v;\nend M;"
    assert declared(rig)[::2] == ("Interfaces.mo", "v")


def test_where_else_a_name_stands() -> None:
    """Not where the same letters mean something else."""
    text = LOCAL.format("  Load other(R = 2);\nequation\n  x = load.R + other.|R + load.G;\n  load.p.v = 1;")
    assert named(text) == [6, 7, 12, 17, 19, 19]
    assert named(text.replace("other.|R", "other.R").replace("  x = ", "  |x = ")) == [16, 19]
    assert named(LOCAL.format("equation\n  x = si|n(1);")) == []


def test_a_base_a_redeclaration_and_a_name_of_an_import() -> None:
    text = """package P
  partial model Base replaceable model Inner Real old; end Inner; Inner inner_; end Base;
  model New Real new; end New;
  model D
    extends Base(redeclare model Inner = New);
    Real y = inner_.{};
  end D;
  model E import Q = P.New; Q q; Real y = q.ne|w; end E;
end P;
"""
    assert declared(text.format("new"))[1:] == (3, "new")
    text = text.replace("|", "")
    assert declared(text.format("ne|w"))[1:] == (3, "new")
    assert declared(text.replace("Base(redeclare", "Ba|se(redeclare").format("new"))[1:] == (2, "Base")


def test_a_file_that_is_open_counts_as_it_is_there(tmp_path: Path) -> None:
    package = tmp_path / "P"
    package.mkdir()
    (package / "package.mo").write_text("package P end P;")
    (package / "A.mo").write_text("within P; model A Real saved; end A;")
    workspace = Workspace([str(tmp_path)])
    workspace.open("file:///A", package / "A.mo", "within P;\nmodel A\n  Real edited;\nend A;", 1)
    text = "model M\n  P.A a;\n  Real y = a.|\nend M;"
    assert proposals(text, workspace).keys() == {"edited"}
    assert declared(text.replace("|", "edi|ted;"), workspace) == ("A.mo", 3, "edited")
    workspace.close("file:///A")
    assert proposals(text, workspace).keys() == {"saved"}


def test_a_file_of_a_package_sees_what_is_beside_it(tmp_path: Path) -> None:
    package = tmp_path / "P"
    package.mkdir()
    (package / "package.mo").write_text("package P constant Real c = 1; end P;")
    (package / "A.mo").write_text("within P; model A Real x; end A;")
    workspace, document, offset = opened(
        "within P;\nmodel B\n  A a;\n  Real y = c + a.|\nend B;", path=package / "B.mo"
    )
    (package / "B.mo").write_text(document.text)
    assert [p.label for p in completion(workspace, document, offset).proposals] == ["x"]
