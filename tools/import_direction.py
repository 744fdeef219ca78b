"""Checks that imports follow the pipeline: a stage uses the nouns and itself, never a later stage.

`ALLOWED` is the rule, `EXCEPTIONS` are the single imports that break it, each with its reason. Every
import statement counts, those inside functions and under TYPE_CHECKING too: a hidden dependency is still
one. Usage: `python tools/import_direction.py [PACKAGE_FOLDER]`; prints `file:line` of every violation and
ends with status 1 if there is one.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "saltus"

#: What each part may import, as dotted names below the package; a name allows everything below it.
#: "*" is everything. A part that is not in this table may not exist: say first where it belongs.
ALLOWED: dict[str, frozenset[str]] = {
    "core": frozenset({"core"}),
    "expr": frozenset({"core", "expr"}),
    "ir": frozenset({"core", "expr", "ir"}),
    "read": frozenset({"core", "ir", "read"}),
    "lower": frozenset({"core", "expr", "ir", "lower"}),
    "analyse": frozenset({"core", "expr", "ir", "analyse"}),
    "emit": frozenset({"core", "expr", "ir", "emit"}),
    "run": frozenset({"core", "expr", "ir", "run", "emit.machine", "result"}),
    "result": frozenset({"core", "expr", "ir", "result"}),
    "show": frozenset({"core", "expr", "ir", "result", "show"}),
    "options": frozenset({"core", "run.schedule.settings"}),
    "finding": frozenset({"core", "ir", "lower", "read"}),
    "front": frozenset({"core", "ir", "lower", "finding"}),
    "catalogue": frozenset({"core", "ir", "lower", "finding"}),
    "drawing": frozenset({"core", "ir", "lower", "show", "finding"}),
    "model": frozenset({"*"}),
    "tools": frozenset({"*"}),
    "pipeline": frozenset({"*"}),
    "__init__": frozenset({"*"}),
    "__main__": frozenset({"*"}),
}

#: (part, imported name) -> why it is right all the same.
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("result", "show.plot"): "`Result.plot` is a convenience for the user; it is imported when called",
    ("result", "show.modes"): "`Result.plot_modes` likewise",
}

#: The readers of different languages must not know of each other.
INDEPENDENT = ("read",)


@dataclass(frozen=True)
class Violation:
    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


def violations(root: Path) -> list[Violation]:
    """All imports below `root`, the folder of the package, that go against the direction."""
    found: list[Violation] = []
    for path in sorted(root.rglob("*.py")):
        module = path.relative_to(root).with_suffix("").parts
        part = module[0]
        if part not in ALLOWED:
            found.append(Violation(path, 1, f"{part} has no row in the table of tools/import_direction.py"))
            continue
        for line, target in _imports(path, module, root):
            message = _judge(module, target)
            if message is not None:
                found.append(Violation(path, line, message))
    return found


def _judge(module: tuple[str, ...], target: tuple[str, ...]) -> str | None:
    """Why `module` may not import `target` (both below the package), or None."""
    part, name = module[0], ".".join(target)
    if part in INDEPENDENT and target[:1] == (part,) and len(module) > 2:
        # read/modelica/lexer.py may import read.modelica.anything, but not read.petri.
        if len(target) > 1 and target[1] != module[1]:
            return f"{part}.{module[1]} imports {name}: the parts of {part} are independent"
        return None
    if any(rule == "*" or _is_below(name, rule) for rule in ALLOWED[part]):
        return None
    if any(part == owner and _is_below(name, rule) for owner, rule in EXCEPTIONS):
        return None
    allowed = ", ".join(sorted(ALLOWED[part]))
    return f"{part} imports {name or PACKAGE}, but may import only {allowed}"


def _is_below(name: str, rule: str) -> bool:
    return name == rule or name.startswith(rule + ".")


def _imports(path: Path, module: tuple[str, ...], root: Path) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Line and target (below the package) of every import of the package itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    # A relative import counts from the folder of the module; __init__.py is its folder.
    folder = (PACKAGE, *module[:-1])
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                target = tuple(alias.name.split("."))
                if target[0] == PACKAGE:
                    yield node.lineno, target[1:]
        elif isinstance(node, ast.ImportFrom):
            start = tuple(node.module.split(".")) if node.module else ()
            base = (*folder[: len(folder) - node.level + 1], *start) if node.level else start
            if base[:1] != (PACKAGE,):
                continue
            for alias in node.names:
                # `from saltus.a import b` imports the module a.b, or the name b of the module a.
                target = (*base[1:], alias.name) if _is_module(root, (*base[1:], alias.name)) else base[1:]
                yield node.lineno, target


def _is_module(root: Path, parts: tuple[str, ...]) -> bool:
    place = root.joinpath(*parts)
    return place.is_dir() or place.with_suffix(".py").is_file()


def main(arguments: list[str]) -> int:
    """Status 0 and one line if all is well, else the violations and status 1."""
    root = Path(arguments[0]) if arguments else Path(__file__).parents[1] / "src" / PACKAGE
    if not root.is_dir():
        print(f"{root} is not a folder", file=sys.stderr)
        return 2
    found = violations(root)
    for violation in found:
        print(violation)
    if found:
        print(f"{len(found)} imports go against the direction of the pipeline")
        return 1
    print(f"import direction: ok ({sum(1 for _ in root.rglob('*.py'))} files)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
