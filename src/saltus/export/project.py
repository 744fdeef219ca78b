"""The files of an export: the header, the source, a program that writes CSV, and how to build it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from saltus.core.option import usage_error
from saltus.export.beginning import Beginning, refused
from saltus.export.code import Code, comment, string
from saltus.export.entries import Entry
from saltus.export.items import Table, Whole, constants, table
from saltus.export.names import mangled
from saltus.export.numbers import (
    PEEK,
    fixing,
    groups_text,
    keys_of,
    objects_text,
    restart_text,
)
from saltus.export.several import Several, said_of
from saltus.export.start import start_values
from saltus.export.values import NotInC, number
from saltus.ir.flat import Variable
from saltus.ir.program import Routine


def identifier(name: str) -> str:
    """The name of a class as a name in C."""
    text = mangled(name.rpartition(".")[2])
    return text if text[0].isalpha() else f"model_{text}"


def texts_of(
    begun: Beginning, shown: Iterable[Variable], *, name: str, description: str = ""
) -> dict[str, str]:
    """The texts of all files by their names. Raises `ModelError` where something has no counterpart in C."""
    try:
        return _Project(begun, shown, name, description).texts()
    except NotInC as error:
        hint = "replace it by equations, a table or a function written in Modelica"
        raise refused(begun.engine.structure.model, f"it has {error}", hint) from None


def write(texts: Mapping[str, str], folder: Path) -> list[Path]:
    """Writes the files. Raises `UsageError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise usage_error(
            f"the folder {str(folder)!r} cannot be written: {why}", code="E503", hint="choose another with -o"
        ) from None
    return [folder / name for name in texts]


class _Project:
    def __init__(self, begun: Beginning, shown: Iterable[Variable], name: str, description: str) -> None:
        self._begun = begun
        shown = list(shown)
        self._codes = [Code(begun, program, shown) for program in begun.programs]
        self._entries = self._codes[0].entries
        self._keys = keys_of(begun) if begun.has_modes else {}
        own = identifier(name)
        several = len(self._codes) > 1
        self._several = Several(own, self._codes, self._keys) if several else None
        method = begun.settings.method
        programs = [] if self._several is None else self._several.files
        self._words = {
            "MODEL": name,
            "NAME": own,
            "GUARD": f"{own.upper()}_H",
            "VERSION": version("saltus"),
            "METHOD": f"--method {method}{', some states inlined' if begun.settings.inline else ''}",
            "DESCRIPTION": f" * {comment(description)}\n" if description else "",
            "STOP": number(begun.settings.stop_time),
            "SOURCES": " ".join(f"{file}.c" for file in (own, *programs)),
            "HEADERS": f"{own}.h {own}_programs.h" if several else f"{own}.h",
        }

    def texts(self) -> dict[str, str]:
        """All files."""
        name = self._words["NAME"]
        return {
            f"{name}.h": self._header(),
            **(self._one() if self._several is None else self._all(self._several)),
            "main.c": self._template("main.c"),
            "Makefile": self._template("Makefile"),
            "CMakeLists.txt": self._template("CMakeLists.txt"),
        }

    def _template(self, name: str, **words: str) -> str:
        text = files("saltus.export").joinpath("templates").joinpath(name).read_text(encoding="utf-8")
        known = {**self._words, **words}
        return re.sub(r"@([A-Z]+)@", lambda found: known[found[1]], text)

    # ------------------------------------------------------------ header

    def _header(self) -> str:
        several, code = self._several, self._codes[0]
        numbers = {i.name: i.value for i in (*code.places, *code.items(self._keys)) if isinstance(i, Whole)}

        def room(name: str) -> int:
            return max(1, numbers[name] if several is None else several.largest(name))

        return self._template(
            "header.h",
            ENTRIES=self._entry_numbers(),
            SIZE=str(code.size if several is None else several.size),
            MEMORY=str(room("MEMORY")),
            STATES=str(room("N_STATES")),
            WATCHED=str(room("N_WATCHED")),
            CLOCKS=str(room("N_CLOCKS")),
            RESTARTS="." if self._begun.restarts else ", as this one.",
            NUMBERS="all numbers of the model; time is the first one"
            if several is None
            else "all numbers, those of one program after those of another; use `get`",
            PLACES="the memory, `m`" if several is None else "the memory of the first program; use `get`",
            PROGRAMS="" if several is None else self._template("header_several.h"),
            DECLARED="" if several is None else self._template("header_declared.h"),
            EVENTS=self._event_fields(room),
        )

    def _event_fields(self, room: Callable[[str], int]) -> str:
        size, relations = room("MEMORY"), room("N_RELATIONS")
        searching = [
            f"double before[{size}], failure[{size}], start[{size}], best[{size}];",
            f"double elsewhere[{size}], solutions[16][{room('N_SWITCHES')}];",
            "int initial, n_solutions, fewest_turned, trials, thorough, passed_over;",
        ]
        choosing_modes = [
            f"double before[{size}], elsewhere[{size}], frozen[{size}], presumed[{size}];",
            f"double discretes_before[{room('N_DISCRETES')}];",
            f"double residues_ahead[{relations}], moves[{relations}], errors[{relations}];",
            f"int turned[{relations}], across, ways_taken;",
        ]
        return "".join(f"    {line}\n" for line in (choosing_modes if self._begun.has_modes else searching))

    def _entry_numbers(self) -> str:
        name = self._words["NAME"]
        lines = ["enum {"]
        for k, e in enumerate(self._entries):
            said = " ".join(x for x in (e.name, f"[{e.unit}]" if e.unit else "", e.description) if x)
            lines.append(f"    {name}_{e.identifier} = {k}, /* {comment(said)} */")
        return "\n".join([*lines, f"    {name}_N_ENTRIES = {len(self._entries)}", "};"])

    # ------------------------------------------------------------ source

    def _one(self) -> dict[str, str]:
        """The source of a model of one program."""
        begun, (code,) = self._begun, self._codes
        parts = [
            self._template("head.c", PLACES=code.numbers_text),
            constants(code.places),
            _heading("2. The model."),
            self._template("arithmetic.c"),
            objects_text(begun) + "\n\n" + PEEK if begun.objects else "",
            code.model_text,
            _heading("3. What steps go by."),
            constants([*code.items(self._keys), *(fixing(begun) if begun.has_modes else [])]),
            *self._of_clocks(),
            self._entries_text(),
            _heading("4. Steps and events."),
            self._template("one.c"),
            self._driver(),
        ]
        return {f"{self._words['NAME']}.c": "\n".join(parts)}

    def _all(self, several: Several) -> dict[str, str]:
        """The sources of a model of several programs."""
        name = self._words["NAME"]
        objects = f"extern const double *const {name}_objects[];\n#define objects {name}_objects\n\n{PEEK}"
        shared = self._template(
            "programs.h",
            ARITHMETIC=self._template("arithmetic.c"),
            OBJECTS=objects if self._begun.objects else "",
            STRUCT=several.struct(),
            PROGRAMS=several.declarations(),
        )
        parts = [
            self._template("head_several.c"),
            objects_text(self._begun) if self._begun.objects else "",
            several.list_of_programs(),
            constants(fixing(self._begun)),
            several.definitions(),
            *self._of_clocks(),
            self._entries_text(),
            _heading("2. Steps and events."),
            self._template("several.c"),
            self._driver(),
        ]
        found = {f"{name}_programs.h": shared, f"{name}.c": "\n".join(parts)}
        for k, (file, code) in enumerate(zip(several.files, several.codes, strict=True)):
            granted = comment(said_of(code.program.mode))
            parts = [
                self._template("head_program.c", MODE=granted, PLACES=code.numbers_text),
                constants(code.places),
                _heading("2. The model."),
                code.model_text,
                _heading("3. What steps go by."),
                several.file(k),
            ]
            found[f"{file}.c"] = "\n".join(parts)
        return found

    def _driver(self) -> str:
        """Steps and events: the same for all models."""
        modal = self._begun.has_modes
        return "\n".join(
            [
                self._template("declared.c"),
                self._template("steps.c"),
                self._template("begin.c"),
                self._template("across.c") if modal else self._within(),
                self._restart(),
            ]
        )

    def _of_clocks(self) -> list[str]:
        begun = self._begun
        return [
            table(Table.of("long long", "ticks_at_start", begun.ticks)),
            table(Table.of("long long", "tick_intervals", begun.intervals)),
            f"#define STEP_AT_START {number(begun.settings.step or 0.0)}",
        ]

    def _restart(self) -> str:
        """The start anew, if this program can do it."""
        if not self._begun.restarts:
            return self._template("norestart.c")
        stores = start_values(self._begun.engine.memory)
        values = self._codes[0].printed(Routine("start_values", stores), "Start values.")
        return "\n".join([restart_text(self._begun), values, self._template("restart.c")])

    def _within(self) -> str:
        """The search for a mode, of an event and of the start."""
        restarts = self._begun.restarts

        def either(start: str, event: str) -> str:
            return f"s->initial ? do_{start}(s->m) : do_{event}(s->m)" if restarts else f"do_{event}(s->m)"

        return self._template(
            "within.c",
            GROUPS=groups_text(self._begun),
            PASS=either("initial", "evaluate"),
            UPDATE=either("settle_initial_update", "settle_update"),
            PASSES=either("settle_initial", "settle"),
        )

    def _entries_text(self) -> str:
        name = self._words["NAME"]
        rows = [_row(name, e) for e in self._entries] or ['{"", "", "", 0, 0, 0, 0, 0, 0}']
        order = sorted(range(len(self._entries)), key=lambda k: self._entries[k].name.encode())
        return "\n".join(
            [f"const {name}_entry {name}_entries[] = {{", *(f"    {row}," for row in rows), "};",
             table(Table.of("int", "by_name", order))]
        )  # fmt: skip


def _row(name: str, e: Entry) -> str:
    texts = ", ".join(string(text) for text in (e.name, e.unit, e.description))
    numbers = (e.place, e.negated, int(e.settable), e.overridden, e.told)
    return f"{{{texts}, {name}_{e.kind}, {', '.join(map(str, numbers))}}}"


def _heading(text: str) -> str:
    line = "-" * 106
    return f"\n/* {line}\n * {text}\n * {line} */\n"
