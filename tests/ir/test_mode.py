"""Modes are told apart by symbols; texts are for people and files."""

from __future__ import annotations

import saltus
from saltus.expr.nodes import Symbol, Type, pre, ref
from saltus.expr.show import show
from saltus.ir.sorted.modes import GENERAL, Fixing, Mode
from saltus.run.engine.engine import Engine

ON, OTHER = (ref(Symbol("on", Type.BOOLEAN)) for _ in range(2))
COUNT = ref(Symbol("count", Type.INTEGER))


def test_modes_are_equal_where_they_fix_the_same_symbols() -> None:
    assert Mode.of({ON: 1.0, COUNT: 2.0}) == Mode.of({COUNT: 2.0, ON: 1.0})
    assert hash(Mode.of({ON: 1.0, COUNT: 2.0})) == hash(Mode.of({COUNT: 2.0, ON: 1.0}))
    assert Mode.of({ON: 1.0}) != Mode.of({ON: 0.0}) and Mode.of({}) == GENERAL


def test_a_name_makes_no_mode() -> None:
    """Two symbols of one name are two guards, and so is what a variable was before."""
    modes = {Mode.of({guard: 1.0}) for guard in (ON, OTHER, pre(ON))}
    assert len(modes) == 3
    assert [mode.texts for mode in map(Mode.of, ({ON: 1.0}, {OTHER: 1.0}))] == [(("on", 1.0),)] * 2


def test_guards_are_in_the_order_of_their_texts() -> None:
    mode = Mode.of({pre(ON): 0.0, ON: 1.0, COUNT: 2.0})
    assert mode.texts == (("count", 2.0), ("on", 1.0), ("pre(on)", 0.0))
    assert Fixing(frozenset({pre(ON), COUNT}), (Mode.of({ON: 1.0}),)).guards() == [COUNT, ON, pre(ON)]


def test_the_texts_of_a_file_are_read_again() -> None:
    """By the engine that has the symbols."""
    model = saltus.load(
        "model M\n  parameter Real R = 0;\n  Real i, v = 1 - time;\n  Boolean off = v < 0;\n"
        "equation\n  v = if off or pre(off) then R*i else i;\nend M;"
    )
    translation = model._translation
    engine = Engine(translation.structure, translation.machine.clone(), 1.0)
    guards = {show(leaf): leaf for leaf in engine.mode.guards.changing}
    parameter = next(iter(engine.mode.guards.parameters))
    mode = Mode.of({guards["off"]: 1.0, guards["pre(off)"]: 0.0, parameter: 0.0})
    assert mode.texts == (("R", 0.0), ("off", 1.0), ("pre(off)", 0.0))
    assert engine.mode.guards.mode_named([list(entry) for entry in mode.texts]) == mode
