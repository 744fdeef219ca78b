"""Several programs in one model: what each tells of itself, and how the driver reads it.

What is the same in all of them is a constant of the driver. The rest is a field of a struct that each program
fills in, in a file of its own; under the names of constants the driver reads the fields of the program that
is at work. So the text of the driver is that of a single program.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from saltus.export.code import OF_MODES, ROUTINES, Code, comment, string
from saltus.export.items import Item, Real, Table, Whole, constants, table
from saltus.export.names import distinct, mangled
from saltus.export.numbers import place_of
from saltus.export.statements import routine_name
from saltus.export.values import number
from saltus.expr.nodes import Type
from saltus.ir.sorted.modes import GENERAL, Mode
from saltus.run.engine.transfer import Named

#: What the driver reads of programs that are not at work, too: always fields.
_ALWAYS = frozenset({"FIRST", "MEMORY", "BANDS", "RELATIONS", "STEP_PARAMETER", "NARROW_BANDS", "N_FAILURES"})

#: Tables of which it reads those of all programs: they have no names of their own.
_OF_ALL = frozenset(
    {
        "numbers_at_start", "bands_at_start", "failures", "failure_texts", "check_texts", "entry_places",
        "entry_negated", "entry_told", "entry_overridden", "places_by_number", "varying",
    }
)  # fmt: skip

_COMMON = "/* What all programs have in common. */"

#: What the names of files say of programs that take nothing for granted.
_PLAIN = ("begin", "general")


def file_names(name: str, codes: Sequence[Code]) -> list[str]:
    """The name of the file of each program, without suffix."""
    taken: set[str] = set()
    found: list[str] = []
    for code in codes:
        is_general = code.program.mode == GENERAL
        own = _PLAIN[code.program.is_home] if is_general else f"mode_{len(found)}"
        found.append(f"{name}_{distinct(mangled(own), taken)}")
    return found


def said_of(mode: Mode) -> str:
    """What a program takes for granted, in words."""
    shown = ", ".join(f"{name} = {_value(mode, k)}" for k, (name, _) in enumerate(mode.texts))
    return shown or "nothing"


def _value(mode: Mode, k: int) -> str:
    guard, value = mode.fixed[k]
    return ("false", "true")[value != 0.0] if guard.type is Type.BOOLEAN else number(value)


class Several:
    """The programs of a model, the first of which is the one to begin in; `keys` number what goes from one to
    another."""

    def __init__(self, name: str, codes: Sequence[Code], keys: dict[Named, int]) -> None:
        self._name, self.codes, self._keys = name, codes, keys
        self.files = file_names(name, codes)
        self._items = [self._of(k, code) for k, code in enumerate(codes)]
        first = {item.name: item for item in self._items[0]}
        differ = {item.name for own in self._items for item in own if item != first[item.name]}
        differ |= _ALWAYS | _OF_ALL
        self._fields = [item for item in self._items[0] if item.name in differ]
        #: What is the same in all programs.
        self.common = [item for item in self._items[0] if item.name not in differ]

    def _of(self, k: int, code: Code) -> list[Item]:
        """All that a program tells of itself."""
        program = code.program
        sections = program.engine.transfer.varying_sections
        by_name = {e.name: e for e in code.entries}
        entries = [by_name.get(e.name) for e in self.codes[0].entries]
        return [
            Whole("FIRST", sum(other.size for other in self.codes[:k])),
            *code.places,
            *code.items(self._keys),
            Table.of("int", "places_by_number", (place_of(program, what) for what in self._keys)),
            Whole("N_VARYING", len(sections)),
            Table.of("int", "varying", (program.engine.memory.first(name) for name, _ in sections)),
            Table.of("int", "varying_lengths", (length for _, length in sections)),
            Table.of("int", "entry_places", (-1 if e is None else e.place for e in entries)),
            Table.of("char", "entry_negated", (0 if e is None else e.negated for e in entries)),
            Table.of("int", "entry_told", (0 if e is None else e.told for e in entries)),
            Table.of("int", "entry_overridden", (0 if e is None else e.overridden for e in entries)),
        ]

    @property
    def size(self) -> int:
        """How many numbers all of them have."""
        return sum(code.size for code in self.codes)

    def largest(self, name: str) -> int:
        """The largest of a whole number."""
        every = (item for own in self._items for item in own)
        return max(item.value for item in every if isinstance(item, Whole) and item.name == name)

    @property
    def _routines(self) -> list[str]:
        return [*ROUTINES, *OF_MODES]

    def struct(self) -> str:
        """What a program tells of itself."""
        wholes = [_field(i) for i in self._fields if isinstance(i, Whole)]
        reals = [_field(i) for i in self._fields if isinstance(i, Real)]
        tables = [f"        const {i.kind} *{i.name};" for i in self._fields if isinstance(i, Table)]
        calls = [f"        int (*{name})(double *m);" for name in self._routines]
        return "\n".join(
            [
                "/* What a program tells of itself, as far as not all programs have the same. */",
                f"struct {self._name}_program {{",
                "    const char *mode; /* what it takes for granted */",
                "    /* Where things are in its memory, and how many there are. */",
                *_declared("int", wholes),
                *_declared("double", reals),
                "    struct {",
                *tables,
                "    } table;",
                "    /* Its equations, sorted and solved: what each is for is said where it is. */",
                "    struct {",
                *calls,
                "    } routine;",
                "};",
            ]
        )

    def definitions(self) -> str:
        """How the driver reads what programs differ in."""
        named = [item for item in self._fields if item.name not in _OF_ALL]
        lines = [f"#define {item.name} (s->program->{_field(item)})" for item in named]
        lines += [f"#define {routine_name(name)} s->program->routine.{name}" for name in self._routines]
        differ = "/* What programs differ in is read from the one that is at work, by the same names. */"
        return "\n".join([_COMMON, constants(self.common), differ, *lines])

    def list_of_programs(self) -> str:
        """All of them, by their numbers."""
        listed = "".join(f"    &{file}, /* {comment(said_of(c.program.mode), 80)} */\n"
                         for file, c in zip(self.files, self.codes, strict=True))  # fmt: skip
        head = f"static const struct {self._name}_program *const programs[{len(self.codes)}]"
        return f"/* What each takes for granted. */\n{head} = {{\n{listed}}};"

    def declarations(self) -> str:
        """What each file gives."""
        return "\n".join(f"extern const struct {self._name}_program {file};" for file in self.files)

    def file(self, k: int) -> str:
        """What a file tells of its program, behind the model."""
        kept = {item.name for item in self._fields}
        own = [item for item in self._items[k] if item.name in kept]
        numbers = [f"    .{_field(i)} = {_written(i)}," for i in own if not isinstance(i, Table)]
        tables = [f".{i.name} = {i.name}" for i in own if isinstance(i, Table)]
        routines = [f".{name} = {routine_name(name)}" for name in self._routines]
        return "\n".join(
            [
                *(table(i) for i in own if isinstance(i, Table)),
                "",
                f"const struct {self._name}_program {self.files[k]} = {{",
                f"    .mode = {string(said_of(self.codes[k].program.mode))},",
                *numbers,
                *_filled("table", tables),
                *_filled("routine", routines),
                "};",
                "",
            ]
        )


def _written(item: Whole | Real) -> str:
    return number(item.value) if isinstance(item, Real) else str(item.value)


def _field(item: Item) -> str:
    """Where it is in the struct."""
    return f"table.{item.name}" if isinstance(item, Table) else item.name.lower()


def _filled(name: str, entries: Sequence[str]) -> list[str]:
    """Fields that are filled in, as many to a line as there is room for."""
    lines = [f"    .{name} = {{"]
    for entry in entries:
        if len(lines) == 1 or len(lines[-1]) + len(entry) > 108:
            lines.append(" " * 7)
        lines[-1] += f" {entry},"
    return [*lines, "    },"]


def _declared(kind: str, names: Sequence[str]) -> list[str]:
    """Fields of one kind."""
    if not names:
        return []
    text = f"{kind} {', '.join(names)};"
    return textwrap.wrap(text, 112, initial_indent="    ", subsequent_indent="        ")
