"""What a class may contain, by its own text: names, and the restrictions of specialised classes.

Chapter 4 of the specification says what records, connectors, packages, types, operators and blocks may hold.
All of it that can be checked on the text of the class alone is checked here, once for each definition; what
needs the classes of the components is in `prefixes`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.ir import ast
from saltus.ir.instance import UNANSWERED, ClassEntry, Question

#: Names that are like keywords (section 4.9): no element can have them.
RESERVED = frozenset({"Real", "Integer", "Boolean", "String"})

#: Names of the attributes that every enumeration has (section 4.9.5.1).
_ENUMERATION_ATTRIBUTES = frozenset({"quantity", "min", "max", "start", "fixed"})

#: Kinds of class that only hold elements.
_WITHOUT_SECTIONS = frozenset({"record", "connector", "package", "type", "operator"})

_CHECKED: Question[bool] = Question("whether its text was checked")


def check_definition(cls: ClassEntry) -> None:
    """Refuses what the text of a class must not contain, whatever its names mean."""
    if _CHECKED.known(cls.origin) is not UNANSWERED:
        return
    definition = cls.definition
    if definition.name in RESERVED:
        raise _reserved(definition.name, cls, definition)
    match definition.body:
        case ast.LongBody() as body:
            _check_names(cls, body)
            _check_imports(cls, body)
            _check_sections(cls, body)
            for element in body.elements:
                if isinstance(element, ast.ComponentClause):
                    _check_clause(cls, element)
                elif isinstance(element, ast.ClassDefinition) and element.kind == "operator":
                    _check_operator(cls, element)
                elif isinstance(element, ast.Extends):
                    _check_modification(cls, element.modification)
        case ast.ShortBody() as body:
            _check_modification(cls, body.modification)
        case ast.EnumerationBody() as body:
            _check_literals(cls, body)
    _CHECKED.keep(cls.origin, True)


def _reserved(name: str, cls: ClassEntry, node: ast.Node) -> ModelError:
    return model_error(
        "E202",
        f"`{name}` is the name of a predefined type and cannot be declared again",
        cls.at(node),
        hint="choose another name",
    )


# ---------------------------------------------------------------- names


def _check_names(cls: ClassEntry, body: ast.LongBody) -> None:
    """Elements of a class have different names (section 5.6.1.4): classes, components and imports."""
    seen: dict[str, ast.Node] = {}
    for name, node in _declared(body):
        if name in RESERVED:
            raise _reserved(name, cls, node)
        if name in seen:
            raise model_error(
                "E202",
                f"`{name}` is declared twice in `{cls.full_name}`",
                cls.at(node),
                notes=(Note("first declared here", cls.at(seen[name])),),
                hint=_twice_hint(body, node),
            )
        seen[name] = node


def _twice_hint(body: ast.LongBody, node: ast.Node) -> str:
    """`Equation` before an equation makes a declaration of it, of what is declared already."""
    for clause in body.elements:
        if isinstance(clause, ast.ComponentClause) and node in clause.declarations:
            word = clause.type_name.text.lower()
            if word in ("equation", "algorithm"):
                return f"did you mean `{word}`? The words of the language have small letters"
    return "rename or remove one of them"


def _check_imports(cls: ClassEntry, body: ast.LongBody) -> None:
    """Named imports have different names (section 13.2.2)."""
    seen: dict[str, ast.Import] = {}
    for element in body.elements:
        if not isinstance(element, ast.Import) or element.wildcard:
            continue
        for name in element.names or (element.alias or element.name[-1],):
            if name in seen and seen[name].name != element.name:
                raise model_error(
                    "E202",
                    f"two imports bring the name `{name}` into `{cls.full_name}`",
                    cls.at(element),
                    notes=(Note("first here", cls.at(seen[name])),),
                    hint=f"give one another name: `import other = {'.'.join(element.name)};`",
                )
            seen[name] = element


def _declared(body: ast.LongBody) -> Iterator[tuple[str, ast.Node]]:
    for element in body.elements:
        match element:
            case ast.ComponentClause():
                for declaration in element.declarations:
                    yield declaration.name, declaration
            case ast.ClassDefinition():
                yield element.name, element


def _check_literals(cls: ClassEntry, body: ast.EnumerationBody) -> None:
    names = [name for name, _, _ in body.literals or ()]
    for name in names:
        if names.count(name) > 1:
            raise model_error(
                "E202", f"the literal `{name}` is given twice in `{cls.full_name}`", cls.at(body)
            )
        if name in _ENUMERATION_ATTRIBUTES:
            raise model_error(
                "E202",
                f"`{name}` is an attribute of every enumeration and cannot be a literal of `{cls.full_name}`",
                cls.at(body),
                hint="choose another name",
            )


# ---------------------------------------------------------------- sections and components


def _check_sections(cls: ClassEntry, body: ast.LongBody) -> None:
    """Records, connectors and packages only hold elements (section 4.7)."""
    if cls.kind not in _WITHOUT_SECTIONS:
        return
    for section in body.sections:
        what = "algorithms" if section.algorithm else "equations"
        raise model_error("E209", f"a {cls.kind} has no {what} of its own", cls.at(section))


def _check_clause(cls: ClassEntry, clause: ast.ComponentClause) -> None:
    """What a component may be, by the kind of its class (section 4.7)."""
    prefixes = clause.prefixes
    around = "inner" if prefixes.inner else "outer" if prefixes.outer else ""
    match cls.kind:
        case "package":
            if clause.variability != "constant":
                raise _refused(cls, clause, "only constants and classes", hint="declare it `constant`")
        case "operator":
            raise _refused(cls, clause, "only functions")
        case "record":
            for prefix in (clause.connection, clause.causality, around):
                if prefix:
                    raise _refused(cls, clause, f"no `{prefix}` elements", hint=f"remove `{prefix}`")
        case "connector":
            if around:
                raise _refused(cls, clause, f"no `{around}` elements", hint=f"remove `{around}`")
    if cls.kind in ("record", "connector"):
        if prefixes.protected:
            raise _refused(cls, clause, "public elements only", hint="move it to a public section")
        _refuse_time(cls, clause)


def _check_operator(cls: ClassEntry, operator: ast.ClassDefinition) -> None:
    """An operator has only functions, and is in an operator record."""
    if cls.kind != "record" or not cls.definition.operator:
        what = f"the operator `{operator.name}` must be in an operator record, not in a {cls.kind}"
        raise model_error("E209", what, cls.at(operator))
    body = operator.body
    for element in body.elements if isinstance(body, ast.LongBody) else ():
        kind = element.kind if isinstance(element, ast.ClassDefinition) else ""
        if kind != "function" and not isinstance(element, ast.Import | ast.Extends):
            raise model_error(
                "E209", f"an operator has only functions, but `{operator.name}` has more", cls.at(element)
            )


def _check_modification(cls: ClassEntry, modification: ast.Modification | None) -> None:
    """No two arguments give the same element a value (section 7.2.4)."""
    seen: dict[tuple[str, ...], ast.ElementModification] = {}
    for argument in (modification.arguments or ()) if modification is not None else ():
        if not isinstance(argument, ast.ElementModification) or argument.modification is None:
            continue
        if argument.modification.value is not None:
            if argument.name in seen:
                raise model_error(
                    "E207",
                    f"`{'.'.join(argument.name)}` is modified twice",
                    cls.at(argument),
                    notes=(Note("first here", cls.at(seen[argument.name])),),
                    hint="remove one of them",
                )
            seen[argument.name] = argument
        _check_modification(cls, argument.modification)


def _refused(cls: ClassEntry, clause: ast.ComponentClause, rule: str, hint: str | None = None) -> ModelError:
    names = ", ".join(f"`{d.name}`" for d in clause.declarations)
    article = "an" if cls.kind == "operator" else "a"
    kind = f"operator {cls.kind}" if cls.definition.operator else cls.kind
    return model_error("E209", f"{article} {kind} has {rule}, see {names}", cls.at(clause), hint=hint)


def _refuse_time(cls: ClassEntry, clause: ast.ComponentClause) -> None:
    """`time` is known in models and blocks (section 3.6.7); a record or connector that has an element of
    this name means that one."""
    if any(isinstance(e, ast.ComponentClause) and _declares(e, "time") for e in cls.elements):
        return
    for declaration in clause.declarations:
        for node in nodes(declaration.modification):
            if isinstance(node, ast.Reference) and node.parts == (("time", ()),) and not node.absolute:
                raise model_error(
                    "E209",
                    f"`time` is not known in a {cls.kind}",
                    cls.at(node),
                    hint="give the value where a component of it is declared",
                )


def _declares(clause: ast.ComponentClause, name: str) -> bool:
    return any(d.name == name for d in clause.declarations)


def nodes(root: object) -> Iterator[ast.Node]:
    """All nodes of a piece of syntax, itself included, in the order of the text."""
    stack = [root]
    while stack:
        current = stack.pop()
        if isinstance(current, tuple):
            stack += reversed(current)
        elif isinstance(current, ast.Node) and is_dataclass(current):
            yield current
            stack += [getattr(current, f.name) for f in reversed(fields(current))]
