"""Classes and components as a tree, and what can be folded."""

from __future__ import annotations

from pathlib import Path

from marked_text import opened

from saltus.editor.outline import Symbol, folds, outline

TEXT = """package P "all of it"
  model M
    parameter Real a = 1, b = 2;
    Saltus.Electrical.Resistor r;
  equation
    when time > 1 then
      terminate("");
    end when;
    annotation(
      experiment(StopTime = 1));
  end M;
  type T = Real;
end P;
|"""


def test_the_tree() -> None:
    workspace, document, _ = opened(TEXT)
    (package,) = outline(workspace, document)
    assert (package.name, package.detail, package.symbol) == ("P", "all of it", Symbol.PACKAGE)
    model, type_ = package.inner
    assert [(e.name, e.symbol) for e in model.inner] == [
        ("a", Symbol.PARAMETER), ("b", Symbol.PARAMETER), ("r", Symbol.COMPONENT)
    ]  # fmt: skip
    assert (type_.name, type_.symbol) == ("T", Symbol.TYPE)
    assert model.name_span.text == "M" and model.span.text.startswith("model M")


def test_a_damaged_text_keeps_what_is_not_damaged() -> None:
    workspace, document, _ = opened(TEXT.replace("parameter Real a = 1, b = 2;", "parameter Real a = (1;"))
    (package,) = outline(workspace, document)
    assert [e.name for e in package.inner[0].inner] == ["r"]


def test_models_of_another_language() -> None:
    text = "graph G\n  Se source(e = 1)\n  R load(R = 2)\n  bond source -> load\nend G\n|"
    workspace, document, _ = opened(text, path=Path("/g.bg"))
    assert [entry.name for entry in outline(workspace, document)] == ["G"]


def test_folds() -> None:
    _, document, _ = opened(TEXT)
    assert folds(document) == [(0, 12), (1, 10), (4, 7), (5, 7), (8, 9)]
