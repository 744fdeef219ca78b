"""The files of an export: the header, the source, a program that writes CSV, and how to build it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from saltus.core.option import usage_error
from saltus.export.beginning import Beginning, refused
from saltus.export.entries import Entry, entries_of
from saltus.export.names import Names, mangled
from saltus.export.numbers import (
    enumeration,
    formula_of,
    groups_text,
    modes_text,
    objects_text,
    places_text,
    restart_text,
    slots_text,
    steps_text,
    table,
)
from saltus.export.routines import Routines, functions_of, reached, workspace
from saltus.export.start import start_values
from saltus.export.statements import routine_name
from saltus.export.values import NotInC, number
from saltus.expr.nodes import Symbol, Type, leaf_symbol
from saltus.expr.show import show
from saltus.expr.traversal import leaves
from saltus.ir.flat import Variable
from saltus.ir.program import FunctionFault, Routine

#: The routines that steps and events call, with what they are for.
_ROUTINES = {
    "parameters": "What depends on parameters alone.",
    "outputs": "All continuous variables, from time, states and discrete variables.",
    "relations": "Residues of all relations, and when relations of time cross.",
    "depart": "Values before an event.",
    "approach": "Relations that rest at zero have the truth of zero.",
    "presume": "Relations that have crossed have the truth of the side they move to.",
    "fire": "Relations of time whose crossing has come have the truth after it.",
    "evaluate": "One pass of an event: all variables, discrete ones included.",
    "settle_update": "Truths and presumed values follow from the last pass.",
    "settle": "Passes until no truth changes.",
    "commit": "New values become old ones; states are reinitialised.",
    "checks": "Which assertions are violated.",
}
_OF_MODES = {
    "crossings": "Residues of relations of the state, from time and states.",
    "forget": "Nothing is known of signs any more.",
    "enter": "The mode is entered, and all is computed.",
    "entry": "How states jump as the mode is entered.",
    "lower": "What the mode demands of what does not jump.",
    "books": "What is conserved.",
}

_OF_RESTARTS = {
    "initial": "One pass of the initial system.",
    "settle_initial": "Passes of the initial system until no truth changes.",
    "settle_initial_update": "Truths and presumed values follow from the last pass.",
}

#: Unknowns of a system that a message names.
_SHOWN = 4


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
            f"the folder {str(folder)!r} cannot be written: {why}", code="E503", hint="name another one by -o"
        ) from None
    return [folder / name for name in texts]


class _Project:
    def __init__(self, begun: Beginning, shown: Iterable[Variable], name: str, description: str) -> None:
        self._begun, self._engine = begun, begun.engine
        self._program = program = begun.engine.machine.program
        self._structure = begun.engine.structure
        if program.remembers:
            raise NotInC("a delay or a transport, which remembers what has been")
        self._names = Names(program.layout)
        self._entries = entries_of(self._structure, program.layout, shown, self._fixed())
        self._model = name
        method = begun.settings.method
        self._words = {
            "MODEL": name,
            "NAME": identifier(name),
            "GUARD": f"{identifier(name).upper()}_H",
            "VERSION": version("saltus"),
            "METHOD": f"--method {method}{', some states inlined' if begun.settings.inline else ''}",
            "DESCRIPTION": f" * {_comment(description)}\n" if description else "",
            "STOP": number(begun.settings.stop_time),
        }

    def texts(self) -> dict[str, str]:
        """All files."""
        name = self._words["NAME"]
        source, workspace_size = self._source()
        return {
            f"{name}.h": self._header(workspace_size),
            f"{name}.c": source,
            "main.c": self._template("main.c"),
            "Makefile": self._template("Makefile"),
            "CMakeLists.txt": self._template("CMakeLists.txt"),
        }

    def _fixed(self) -> set[Symbol]:
        """Parameters that decide when clocks tick, and what external objects are: that is found at the
        export, once for all."""
        model = self._structure.model
        objects = [v for v in (*model.constants, *model.parameters) if v.symbol.type is Type.OBJECT]
        expressions = [e for c in model.clocks for e in (c.start, c.interval)]
        expressions += [v.binding for v in objects if v.binding is not None]
        used = {leaf_symbol(x) for e in expressions for x in leaves(e)}
        bindings = {v.symbol: v.binding for v in model.parameters if v.binding is not None}
        pending = list(used)
        while pending:
            binding = bindings.get(pending.pop())
            new = {leaf_symbol(x) for x in leaves(binding)} - used if binding is not None else set()
            used |= new
            pending += new
        return used

    def _template(self, name: str, **words: str) -> str:
        text = files("saltus.export").joinpath("templates").joinpath(name).read_text(encoding="utf-8")
        known = {**self._words, **words}
        return re.sub(r"@([A-Z]+)@", lambda found: known[found[1]], text)

    # ------------------------------------------------------------ header

    def _header(self, workspace_size: int) -> str:
        layout, engine = self._program.layout, self._engine
        relations = max(1, layout.sections["relations"][1])
        return self._template(
            "header.h",
            ENTRIES=self._entry_numbers(),
            SIZE=str(layout.size + workspace_size),
            MEMORY=str(layout.size),
            STATES=str(max(1, layout.sections["states"][1])),
            WATCHED=str(max(1, len(engine.relations.of_states))),
            RELATIONS=str(relations),
            CLOCKS=str(max(1, layout.sections["clocks"][1])),
            RESTARTS="." if self._begun.restarts else ", as this one.",
            EVENTS=self._event_fields(layout.size, relations),
        )

    def _event_fields(self, size: int, relations: int) -> str:
        sections = self._program.layout.sections
        switches = max(1, sections["relations"][1] + sections["presumed"][1])
        discretes = max(1, sections["discretes"][1])
        searching = [
            f"double before[{size}], failure[{size}], start[{size}], best[{size}];",
            f"double elsewhere[{size}], solutions[16][{switches}];",
            "int initial, searched, n_solutions, fewest_turned, trials, thorough, passed_over;",
        ]
        choosing = [
            f"double before[{size}], elsewhere[{size}], frozen[{size}], discretes_before[{discretes}];",
            f"double residues_ahead[{relations}], moves[{relations}], errors[{relations}];",
            f"int turned[{relations}], searched;",
        ]
        return "".join(f"    {line}\n" for line in (choosing if self._begun.across else searching))

    def _entry_numbers(self) -> str:
        name = self._words["NAME"]
        lines = ["enum {"]
        for k, e in enumerate(self._entries):
            said = " ".join(x for x in (e.name, f"[{e.unit}]" if e.unit else "", e.description) if x)
            lines.append(f"    {name}_{e.identifier} = {k}, /* {_comment(said)} */")
        return "\n".join([*lines, f"    {name}_N_ENTRIES = {len(self._entries)}", "};"])

    # ------------------------------------------------------------ source

    def _source(self) -> tuple[str, int]:
        program, begun = self._program, self._begun
        roots = {**_ROUTINES, **(_OF_MODES if begun.across else {})}
        if begun.restarts:
            roots |= _OF_RESTARTS
        if begun.across and self._structure.entry is None:
            roots = {k: v for k, v in roots.items() if k not in ("entry", "lower", "books", "enter")}
        names = reached(program, roots)
        workspace_size = max((workspace(program.routines[n])[1] for n in names), default=0)
        printer = Routines(program, self._names)
        functions = functions_of(program, names)
        parts = [
            self._template("head.c", PLACES=slots_text(self._names, self._said())),
            places_text(self._names, begun, workspace_size),
            _heading("2. The model."),
            self._template("arithmetic.c"),
            objects_text(begun) if begun.objects else "",
            *(printer.declaration(f) for f in functions),
            *(f"static int {routine_name(n)}(double *m);" for n in names),
            "",
            *(printer.function(f) for f in functions),
            *(printer.routine(n, roots.get(n, "")) for n in names),
            _heading("3. What steps go by."),
            steps_text(begun, formula_of(begun)),
            self._start_text(),
            self._entries_text(),
            _heading("4. Steps and events."),
            self._declarations(),
            self._template("steps.c"),
            self._template("begin.c"),
            self._across(names) if begun.across else self._within(),
            self._restart(printer),
        ]
        return "\n".join(parts), workspace_size

    def _restart(self, printer: Routines) -> str:
        """The start anew, if this program can do it."""
        if not self._begun.restarts:
            return self._template("norestart.c")
        stores = start_values(self._begun.engine.memory)
        values = printer.printed(Routine("start_values", stores), "Start values.")
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

    def _across(self, names: Iterable[str]) -> str:
        """The choice of modes; a routine that a program without an entry lacks does nothing."""
        lacking = [n for n in ("entry", "lower", "books", "enter") if n not in set(names)]
        does = {n: "do_evaluate(m)" if n == "enter" else "(void)m, 0" for n in lacking}
        stubs = [f"static int {routine_name(n)}(double *m) {{ return {does[n]}; }}" for n in lacking]
        return "\n".join([modes_text(self._begun), *stubs, "", self._template("across.c")])

    def _declarations(self) -> str:
        name = self._words["NAME"]
        return "\n".join(
            [
                f"static {name}_status decide({name} *s, int done);",
                f"static int carry({name} *s);",
                f"static void before_event({name} *s);",
                f"static void after_event({name} *s);",
                "",
            ]
        )

    def _said(self) -> dict[int, str]:
        """What is said of places: of relations, what they compare."""
        first = self._program.layout.sections["relations"][0]
        relations = enumerate(self._structure.model.relations)
        return {first + k: _comment(f"{show(r.residue)} {r.op.value} 0", 80) for k, r in relations}

    def _start_text(self) -> str:
        begun, engine = self._begun, self._engine
        by_truth = engine.at_zero.bands_by_truth(list(engine.relations.of_states)).tolist() or [0.0, 0.0]
        both = zip(map(number, by_truth[::2]), map(number, by_truth[1::2]), strict=True)
        pairs = ", ".join(f"{{{a}, {b}}}" for a, b in both)
        size = max(1, len(by_truth) // 2)
        memory = engine.memory
        checks = [memory.message(c.message) for c in self._structure.model.checks]
        failures = self._program.failures
        statuses = sorted(failures)
        return "\n".join(
            [
                table("double", "numbers_at_start", map(number, begun.numbers.tolist())),
                table("double", "bands_at_start", map(number, begun.bands.tolist())),
                f"static const double bands_by_truth[{size}][2] = {{{pairs}}};",
                table("long long", "ticks_at_start", begun.ticks),
                table("long long", "tick_intervals", begun.intervals),
                f"#define STEP_AT_START {number(begun.settings.step or 0.0)}",
                enumeration([("N_FAILURES", len(statuses))]),
                table("int", "failures", statuses),
                table("char *const", "check_texts", map(_string, checks)),
                table(
                    "char *const",
                    "failure_texts",
                    map(_string, map(self._failure_text, map(failures.get, statuses))),
                ),
            ]
        )

    def _failure_text(self, what: object) -> str:
        """What a status means: a block without a solution, or an assertion of a function."""
        if isinstance(what, FunctionFault):
            return f"function {what.function}: {what.message}"
        unknowns = getattr(what, "unknowns", ())
        shown = ", ".join(show(u) for u in unknowns[:_SHOWN]) + (", ..." if len(unknowns) > _SHOWN else "")
        return f"there is no solution for {shown}" if shown else "a system has no solution"

    def _entries_text(self) -> str:
        name = self._words["NAME"]
        rows = [_row(name, e) for e in self._entries] or ['{"", "", "", 0, 0, 0, 0, 0, 0}']
        order = sorted(range(len(self._entries)), key=lambda k: self._entries[k].name.encode())
        return "\n".join(
            [f"const {name}_entry {name}_entries[] = {{", *(f"    {row}," for row in rows), "};",
             table("int", "by_name", order)]
        )  # fmt: skip


def _row(name: str, e: Entry) -> str:
    texts = ", ".join(_string(text) for text in (e.name, e.unit, e.description))
    numbers = (e.place, e.negated, int(e.settable), e.overridden, e.told)
    return f"{{{texts}, {name}_{e.kind}, {', '.join(map(str, numbers))}}}"


def _heading(text: str) -> str:
    line = "-" * 106
    return f"\n/* {line}\n * {text}\n * {line} */\n"


def _comment(text: str, longest: int = 0) -> str:
    """Text for a comment of one line."""
    plain = " ".join(text.split()).replace("*/", "* /").replace("/*", "/ *")
    return plain if not longest or len(plain) <= longest else f"{plain[:longest]}..."


def _string(text: str) -> str:
    """A literal; trigraphs are none."""
    plain = " ".join(text.split())[:400].replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?")
    return f'"{plain}"'
