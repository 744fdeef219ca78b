"""Checks that imports follow the pipeline, and that every module has its place.

    stages  a stage uses the nouns and itself, never a later stage (`ALLOWED`)
    rooms   inside a stage a room uses those below it, never those above (`ROOMS`); a folder or file that is
            not in the table, or only there, is a violation
    cycles  no two files import each other, directly or through others
    size    a folder has at most `MOST` modules, and its docstring lists them; one with more says in its
            docstring why: "More than 15 modules, because ..."

`EXCEPTIONS` are the single imports that break a rule, each with its reason; one that is no longer needed is a
violation, too. Every import statement counts, those inside functions and under TYPE_CHECKING as well: a
hidden dependency is still one. Usage: `python tools/import_direction.py [PACKAGE_FOLDER]`; prints `file:line`
of every violation and ends with status 1 if there is one.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

PACKAGE = "saltus"

#: The name of a module below the package, `("run", "modes", "entering")`; a folder is its `__init__`.
Name: TypeAlias = tuple[str, ...]

#: What each part may import, as dotted names below the package; a name allows everything below it.
#: "*" is everything. A part that is not in this table may not exist: say first where it belongs.
ALLOWED: dict[str, frozenset[str]] = {
    "core": frozenset({"core"}),
    "expr": frozenset({"core", "expr"}),
    "ir": frozenset({"core", "expr", "ir"}),
    "functions": frozenset({"core", "expr", "ir", "functions"}),
    "read": frozenset({"core", "ir", "read"}),
    "transform": frozenset({"core", "ir", "transform", "read.lines", "read.modelica.printer_expressions"}),
    "lower": frozenset({"core", "expr", "ir", "functions", "lower"}),
    "analyse": frozenset({"core", "expr", "ir", "functions", "analyse"}),
    "emit": frozenset({"core", "expr", "ir", "functions", "emit"}),
    "run": frozenset({"core", "expr", "ir", "functions", "run", "emit.machine", "result"}),
    "result": frozenset({"core", "expr", "ir", "result"}),
    "export": frozenset({"core", "expr", "ir", "run", "export"}),
    "show": frozenset({"core", "expr", "ir", "analyse.passes", "result", "show"}),
    "options": frozenset(
        {
            "core",
            "analyse.passes",
            "result.exchange.where",
            "run.schedule.settings", "run.schedule.stepping",
            "run.schedule.value_files",
        }
    ),
    "known_classes": frozenset({"core", "ir", "lower", "read"}),
    "finding": frozenset({"core", "ir", "lower", "read", "known_classes"}),
    "automata": frozenset({"core", "expr", "ir", "read", "result", "show", "finding", "transform"}),
    "building": frozenset({"core", "ir", "read", "transform", "automata", "model", "result"}),
    "petrinet": frozenset({"ir", "read", "building"}),
    "statemachine": frozenset({"ir", "read", "building"}),
    "bonds": frozenset({"core", "ir", "read", "result", "show", "finding"}),
    "bondgraph": frozenset({"core", "ir", "read", "bonds", "model", "result"}),
    "converting": frozenset({"core", "ir", "known_classes", "read", "transform", "finding", "bonds"}),
    "catalogue": frozenset({"core", "ir", "lower", "finding"}),
    "drawing": frozenset({"core", "ir", "lower", "show", "finding", "bonds", "automata"}),
    "model": frozenset({"*"}),
    "notebook": frozenset({"*"}),
    "tools": frozenset({"*"}),
    "editor": frozenset({"*"}),
    "compiler": frozenset({"*"}),
    "programs": frozenset({"*"}),
    "__init__": frozenset({"*"}),
    "__main__": frozenset({"*"}),
}

#: The rooms of a part from bottom to top: folders, and files that stand beside them. A module may import from
#: its own room and from those before it. A part with folders must have a row here.
ROOMS: dict[str, tuple[str, ...]] = {
    "ir": (
        "ast", "automata", "bonds", "dymola", "inline", "flat", "instance", "balance", "hybrid",
        "signature", "sorted", "structure", "parts", "program", "unit", "picture", "catalogue", "declared",
        "native",
    ),
    "functions": ("external", "interpret", "tangent"),
    "lower": (
        "classes", "annotations", "scope", "instances", "names", "connections", "functions", "expressions",
        "sections", "flat", "clocks", "hybrid",
    ),
    "analyse": (
        "passes", "trivial", "sizes", "order", "index", "blocks", "start", "modes", "inline", "analysis",
    ),
    "emit": (
        "machine", "straight", "loops", "systems", "layout", "events", "support", "callbacks", "driver",
        "llvm", "python", "routines", "build",
    ),
    "run": (
        "schedule", "memory", "sizes", "integrators", "failures", "past", "iteration", "engine", "modes",
        "uniqueness", "start", "linear", "steps", "course", "exchange", "surfaces", "resume",
        "steady", "simulate",
    ),
    "show": ("listings", "plots", "arrangement", "pictures", "cards", "report"),
    "result": (
        "provenance", "log", "trajectories", "words", "modes", "events", "steps", "linear", "exchange",
        "result", "files",
    ),
}  # fmt: skip

#: (importing module, imported module) -> why it is right all the same.
EXCEPTIONS: dict[tuple[str, str], str] = {}

#: The readers of different languages must not know of each other.
INDEPENDENT = ("read",)

#: But for the language of expressions, of which there is one, and what languages of lines have in common.
SHARED = frozenset(
    f"read.modelica.{name}" for name in ("lexer", "token_stream", "parser_expressions", "printer_expressions")
) | {"read.lines"}

#: Modules of one folder, `__init__` and `__main__` not counted; and how a docstring says why there are more.
MOST = 15
REASON = f"More than {MOST} modules, because "


@dataclass(frozen=True)
class Rules:
    """What holds for a package."""

    allowed: Mapping[str, frozenset[str]] = field(default_factory=lambda: ALLOWED)
    rooms: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: ROOMS)
    exceptions: Mapping[tuple[str, str], str] = field(default_factory=lambda: EXCEPTIONS)
    independent: tuple[str, ...] = INDEPENDENT


@dataclass(frozen=True)
class Violation:
    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


@dataclass(frozen=True)
class Import:
    """An import of the package itself: `file` is the module that is imported, None if there is none."""

    line: int
    target: Name
    file: Name | None


class Tree:
    """All modules of a package with their imports."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.paths: dict[Name, Path] = {
            path.relative_to(root).with_suffix("").parts: path for path in sorted(root.rglob("*.py"))
        }
        self.imports = {module: list(self._imports(module)) for module in self.paths}

    def _imports(self, module: Name) -> Iterator[Import]:
        path = self.paths[module]
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        # A relative import counts from the folder of the module; __init__.py is its folder.
        folder = (PACKAGE, *module[:-1])
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    target = tuple(alias.name.split("."))
                    if target[0] == PACKAGE:
                        yield Import(node.lineno, target[1:], self._file(target[1:]))
            elif isinstance(node, ast.ImportFrom):
                start = tuple(node.module.split(".")) if node.module else ()
                base = (*folder[: len(folder) - node.level + 1], *start) if node.level else start
                if base[:1] != (PACKAGE,):
                    continue
                for alias in node.names:
                    # `from saltus.a import b` imports the module a.b, or the name b of the module a.
                    inner = (*base[1:], alias.name)
                    target = inner if self._is_module(inner) else base[1:]
                    yield Import(node.lineno, target, self._file(target))

    def _file(self, target: Name) -> Name | None:
        return next((name for name in (target, (*target, "__init__")) if name in self.paths), None)

    def _is_module(self, target: Name) -> bool:
        return self._file(target) is not None or self.root.joinpath(*target).is_dir()


def violations(root: Path, rules: Rules | None = None) -> list[Violation]:
    """All that is wrong in `root`, the folder of the package."""
    rules = rules or Rules()
    tree = Tree(root)
    return [
        *_between_stages(tree, rules),
        *_between_rooms(tree, rules),
        *_unknown_rooms(tree, rules),
        *_idle_exceptions(tree, rules),
        *_cycles(tree, rules),
        *crowded(root),
        *_unlisted(root),
    ]


# ---------------------------------------------------------------- stages


def _between_stages(tree: Tree, rules: Rules) -> Iterator[Violation]:
    for module, path in tree.paths.items():
        part = module[0]
        if part not in rules.allowed:
            yield Violation(path, 1, f"{part} has no row in the table of tools/import_direction.py")
            continue
        for found in tree.imports[module]:
            message = _judge(module, found.target, rules)
            if message is not None:
                yield Violation(path, found.line, message)


def _judge(module: Name, target: Name, rules: Rules) -> str | None:
    """Why `module` may not import `target` (both below the package), or None."""
    part, name = module[0], ".".join(target)
    if part in rules.independent and target[:1] == (part,) and len(module) > 2:
        # read/modelica/lexer.py may import read.modelica.anything, but not read.petri.
        shared = any(name == each or name.startswith(each + ".") for each in SHARED)
        if len(target) > 1 and target[1] != module[1] and not shared:
            return f"{part}.{module[1]} imports {name}: the parts of {part} are independent"
        return None
    if any(rule == "*" or name == rule or name.startswith(rule + ".") for rule in rules.allowed[part]):
        return None
    if (".".join(module), name) in rules.exceptions:
        return None
    allowed = ", ".join(sorted(rules.allowed[part]))
    return f"{part} imports {name or PACKAGE}, but may import only {allowed}"


# ---------------------------------------------------------------- rooms


def _between_rooms(tree: Tree, rules: Rules) -> Iterator[Violation]:
    for module, path in tree.paths.items():
        order = rules.rooms.get(module[0], ())
        own = _room(module, order)
        if own is None:
            continue
        for found in tree.imports[module]:
            other = _room(found.target, order) if found.target[:1] == module[:1] else None
            if other is None or other <= own or _is_excepted(module, found, rules):
                continue
            yield Violation(
                path,
                found.line,
                f"{module[0]}.{order[own]} imports {'.'.join(found.target)}, a room above it",
            )


def _room(module: Name, order: tuple[str, ...]) -> int | None:
    return order.index(module[1]) if len(module) > 1 and module[1] in order else None


def _unknown_rooms(tree: Tree, rules: Rules) -> Iterator[Violation]:
    for part in sorted({module[0] for module in tree.paths if len(module) > 1}):
        if part in rules.independent:
            continue
        folders = {module[1] for module in tree.paths if module[0] == part and len(module) > 2}
        files = {module[1] for module in tree.paths if module[0] == part and len(module) == 2}
        folder = tree.root / part
        if part not in rules.rooms:
            for name in sorted(folders):
                yield Violation(folder / name, 1, f"{part} has folders, but no row in the table of rooms")
            continue
        order = rules.rooms[part]
        for name in sorted((folders | files) - {*order, "__init__"}):
            yield Violation(folder / name, 1, f"{part}.{name} is not in the table of rooms")
        for name in order:
            if name not in folders | files:
                yield Violation(folder, 1, f"the table of rooms has {part}.{name}, which does not exist")


# ---------------------------------------------------------------- cycles


def _is_excepted(module: Name, found: Import, rules: Rules) -> bool:
    return (".".join(module), ".".join(found.target)) in rules.exceptions


def _idle_exceptions(tree: Tree, rules: Rules) -> Iterator[Violation]:
    made = {(".".join(m), ".".join(i.target)) for m, imports in tree.imports.items() for i in imports}
    for module, target in rules.exceptions:
        if (module, target) not in made:
            place = tree.root.joinpath(*module.split(".")).with_suffix(".py")
            yield Violation(place, 1, f"{module} does not import {target}: the exception is not needed")


def _cycles(tree: Tree, rules: Rules) -> Iterator[Violation]:
    """One for each cycle that is the shortest through its first file; no file is named twice."""
    edges: dict[Name, dict[Name, int]] = {}
    for module, imports in tree.imports.items():
        for found in imports:
            if found.file is not None and not _is_excepted(module, found, rules):
                edges.setdefault(module, {}).setdefault(found.file, found.line)
    told: set[Name] = set()
    for module in tree.paths:
        chain = _way_back(module, edges) if module not in told else None
        if chain is not None and not told & set(chain):
            told.update(chain)
            files = " -> ".join(str(tree.paths[m].relative_to(tree.root)) for m in (*chain, module))
            line = edges[module][chain[1] if len(chain) > 1 else module]
            yield Violation(tree.paths[module], line, f"files import each other: {files}")


def _way_back(start: Name, edges: Mapping[Name, Iterable[Name]]) -> list[Name] | None:
    """The shortest chain of imports from a module to itself, without its end."""
    before: dict[Name, Name] = {}
    queue = deque([start])
    while queue:
        module = queue.popleft()
        for target in edges.get(module, ()):
            if target == start:
                chain = [module]
                while chain[-1] != start:
                    chain.append(before[chain[-1]])
                return chain[::-1]
            if target not in before:
                before[target] = module
                queue.append(target)
    return None


# ---------------------------------------------------------------- size


def _modules(folder: Path) -> list[str]:
    return sorted(p.stem for p in folder.glob("*.py") if p.stem not in ("__init__", "__main__"))


def _docstring(folder: Path) -> str:
    """Of a package; empty where it has none."""
    path = folder / "__init__.py"
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "") if path.is_file() else ""


def _folders(root: Path) -> list[Path]:
    return sorted({path.parent for path in root.rglob("*.py")})


def crowded(root: Path) -> Iterator[Violation]:
    """Folders with more modules than one can look through, and no reason for it."""
    for folder in _folders(root):
        count = len(_modules(folder))
        if count > MOST and REASON not in " ".join(_docstring(folder).split()):
            message = f"{count} modules in one folder, {MOST} at most; else its docstring says: {REASON}..."
            yield Violation(folder / "__init__.py", 1, message)


def _unlisted(root: Path) -> Iterator[Violation]:
    """Modules and rooms that the docstring of their package does not list. At the top of all there are few,
    and its docstring is for users."""
    for folder in _folders(root):
        if folder == root:
            continue
        text = _docstring(folder)
        if not text:
            yield Violation(folder / "__init__.py", 1, "a package must have a docstring that says its job")
            continue
        rooms = [p.name for p in folder.iterdir() if (p / "__init__.py").is_file()]
        for name in sorted([*_modules(folder), *rooms]):
            if not re.search(rf"^\s*{name}\b", text, re.MULTILINE):
                yield Violation(folder / "__init__.py", 1, f"{name} is not listed in the docstring")


def main(arguments: list[str]) -> int:
    """Status 0 and one line if all is well, else the violations and status 1."""
    repository = Path(__file__).parents[1]
    root = Path(arguments[0]) if arguments else repository / "src" / PACKAGE
    if not root.is_dir():
        print(f"{root} is not a folder", file=sys.stderr)
        return 2
    found = violations(root)
    if not arguments:
        found += [v for other in ("tools", "benchmarks") for v in crowded(repository / other)]
    for violation in found:
        print(violation)
    if found:
        print(f"{len(found)} violations of import direction and rooms")
        return 1
    print(f"import direction: ok ({sum(1 for _ in root.rglob('*.py'))} files)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
