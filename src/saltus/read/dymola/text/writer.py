"""Models to text. Reading the printed text gives the same models but for the places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from saltus.ir import ast
from saltus.ir.dymola import (
    Comment,
    Connection,
    Connections,
    Cut,
    CutVariable,
    Declaration,
    Equation,
    Item,
    Model,
    NodeNames,
    Parallel,
    Part,
    Path,
    Series,
    Submodel,
    Variable,
    Way,
    When,
)
from saltus.read.dymola.prior import rebuilt
from saltus.read.dymola.text.tokens import DYMOLA_WORDS
from saltus.read.modelica.printer_expressions import expression_text, simple_expression_text

_STEP = "  "


def dymola_text(models: Sequence[Model], experiments: Sequence[str] = ()) -> str:
    """A whole file. `experiments` say how the models are run, one for each."""
    told = [*experiments, *[""] * (len(models) - len(experiments))]
    return "\n".join(model_text(m, e) for m, e in zip(models, told, strict=True))


def model_text(model: Model, experiment: str = "") -> str:
    """One model, a statement a line."""
    kind = "model class" if model.is_class else "model"
    base = f" ({model.base.text.lstrip('.')})" if model.base is not None else ""
    lines = [f"{kind}{base} {model.name}{_note(model.note)}"]
    if experiment:
        lines.append(f"{_STEP}{{experiment {experiment}}}")
    elif not model.note and model.items and isinstance(model.items[0], Comment):
        lines.append("")  # a comment in the next line would be the description of the model
    for item in model.items:
        lines += (f"{_STEP}{line}" for line in _item(item))
    return "\n".join([*lines, "end", ""])


def _item(item: Item) -> Iterator[str]:
    match item:
        case Comment(text=text):
            yield _note(text).strip()
        case Declaration(kind=kind, variables=variables):
            yield from _listed(kind, [(_variable(v), v.note) for v in variables])
        case Cut():
            yield f"{'main ' if item.main else ''}cut {_cut(item)}{_note(item.note)}"
        case Path():
            way = f"<{item.first.text} - {item.last.text}>"
            yield f"{'main ' if item.main else ''}path {item.name} {way}{_note(item.note)}"
        case Submodel():
            yield from _submodel(item)
        case NodeNames(names=names):
            yield f"node {', '.join(_name(name) for name, _ in names)}"
        case Connections(items=items):
            texts = [_connection(each) for each in items]
            for k, text in enumerate(texts):
                head = "connect " if k == 0 else " " * len("connect ")
                yield head + text + ("," if k < len(texts) - 1 else "")
        case Equation():
            yield _equation(item)
        case When():
            yield f"when {expression(item.condition)} then{_note(item.note)}"
            for equation in item.items:
                yield _STEP + _equation(equation)
            yield "endwhen"


def _listed(word: str, entries: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A declaration: on one line, if nothing is said about any of its names."""
    if not any(note for _, note in entries):
        yield f"{word} {', '.join(text for text, _ in entries)}"
        return
    for text, note in entries:
        yield f"{word} {text}{_note(note)}"


def _variable(variable: Variable) -> str:
    value = "" if variable.value is None else f" = {expression(variable.value)}"
    return _name(variable.name) + value


def _cut(cut: Cut) -> str:
    if cut.parts:
        return f"{cut.name} [{' '.join(name for name, _ in cut.parts)}]"
    through = f" / {_cut_variables(cut.through)}" if cut.through else ""
    return f"{cut.name} ({_cut_variables(cut.across)}{through})"


def _cut_variables(variables: Sequence[CutVariable]) -> str:
    return " ".join(("-" if v.negative else "") + (_name(v.name) or ".") for v in variables)


def _submodel(item: Submodel) -> Iterator[str]:
    name = item.class_name.text.lstrip(".")
    if len(item.parts) == 1 and item.parts[0].name == name:
        yield f"submodel {_part(item.parts[0])}{_note(item.parts[0].note)}"
        return
    if len(item.parts) > 1 and any(part.note for part in item.parts):
        for part in item.parts:
            yield from _submodel(replace(item, parts=(part,)))
        return
    yield from _listed(f"submodel ({name})", [(_part(p), p.note) for p in item.parts])


def _part(part: Part) -> str:
    given = ", ".join(f"{name} = {expression(value)}" for name, value, _ in part.arguments)
    return _name(part.name) + (f"({given})" if given else "")


def _connection(item: Connection) -> str:
    text = _way(item.way)
    if item.at:
        return f"{text} at {_targets(item.at)}"
    if item.first:
        return f"{text} from {_targets(item.first)} to {_targets(item.last)}"
    return text


def _targets(targets: Sequence[ast.Reference]) -> str:
    names = [_reference(t) for t in targets]
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def _way(way: Way) -> str:
    match way:
        case Series(items=items):
            return " - ".join(f"({_way(i)})" if isinstance(i, Series) else _way(i) for i in items)
        case Parallel(items=items):
            return " // ".join(_way(i) if isinstance(i, ast.Reference) else f"({_way(i)})" for i in items)
        case _:
            return _reference(way)


def _equation(equation: Equation) -> str:
    left = simple_expression_text(_in_dymola(equation.left))
    return f"{left} = {expression(equation.right)}{_note(equation.note)}"


def expression(node: ast.Expression) -> str:
    """An expression on one line."""
    return expression_text(_in_dymola(node))


def _in_dymola(node: ast.Expression) -> ast.Expression:
    """Truths are written `True`, and an `elseif` is an `else` and an `if`."""

    def change(each: ast.Node) -> ast.Node | None:
        if isinstance(each, ast.Boolean):
            return ast.Reference(each.start, each.end, ((str(each.value), ()),))
        if isinstance(each, ast.Reference):
            return replace(each, parts=tuple((_name(name), s) for name, s in each.parts), absolute=False)
        if isinstance(each, ast.IfExpression) and len(each.branches) > 1:
            first, *others = each.branches
            inner = ast.IfExpression(each.start, each.end, tuple(others), each.otherwise)
            return rebuilt(ast.IfExpression(each.start, each.end, (first,), inner), change)  # type: ignore[no-any-return]
        return None

    return rebuilt(node, change)  # type: ignore[no-any-return]


def _reference(node: ast.Reference) -> str:
    return ".".join(_name(name) for name, _ in node.parts)


def _name(name: str) -> str:
    """A name that only Modelica has to quote."""
    plain = name[1:-1] if name.startswith("'") else name
    return plain if plain.isidentifier() and plain.isascii() and plain not in DYMOLA_WORDS else name


def _note(text: str) -> str:
    inside = text.replace("{", "(").replace("}", ")").strip()
    return f" {{{inside}}}" if inside else ""
