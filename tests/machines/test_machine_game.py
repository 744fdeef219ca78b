"""State machines of the engine against ones that are played in the test, round by round."""

from __future__ import annotations

from collections import Counter

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from machine_of_parts import of_parts, paths
from random_machines import END, RandomMachine, machines
from reference_machine import play

import saltus

#: Machines that are run side by side in one model, and models.
TOGETHER, MODELS = 10, 40
#: Those of parts take ten times as long to translate.
PARTS_TOGETHER, MODELS_OF_PARTS = 10, 10


def rounds(result: saltus.Result, names: dict[str, str]) -> list[tuple[float, frozenset[str]]]:
    """Time and active states after every round that has changed them; the states by their variables."""
    table, found = result.events, []
    active = {state for name, state in names.items() if result[name][0]}
    for record in table.records():
        for changed in table.rounds(record):
            new = {names[c.name]: c.new for c in table.changes(changed) if c.name in names}
            on = {state for state, is_on in new.items() if is_on}
            off = {state for state, is_on in new.items() if not is_on}
            if (active | on) - off != active:
                active = (active | on) - off
                found.append((record.time, frozenset(active)))
    return found


def expected(machine: RandomMachine) -> list[tuple[float, frozenset[str]]]:
    found: list[tuple[float, frozenset[str]]] = []
    for time, active, _, _ in machine.played():
        now = frozenset(active - {"M"})
        if not found or found[-1][1] != now:
            found.append((time, now))
    return found


# A list of machines is not made smaller when one fails: that takes minutes, and the message has its text.
@settings(max_examples=MODELS, phases=[Phase.generate])
@given(st.lists(machines().filter(RandomMachine.ends), min_size=TOGETHER, max_size=TOGETHER))
def test_random_machines_go_by_the_rules(chosen: list[RandomMachine]) -> None:
    texts = [m.text.replace("machine M\n", f"machine M{k}\n") for k, m in enumerate(chosen)]
    texts = [text.removesuffix("end M") + f"end M{k}" for k, text in enumerate(texts)]
    parts = "\n".join(f"part M{k} m{k}" for k in range(len(chosen)))
    whole = "\n".join([*texts, f"machine All\n{parts}\nstate Only\nend All\n"])
    result = saltus.load(whole).simulate(stop_time=END)
    for k, machine in enumerate(chosen):
        wanted = expected(machine)
        found = rounds(result, {f"m{k}.{n.name}": n.name for n in machine.root.all()[1:]})
        # The first round of the play may leave things as they are at the start.
        assert found == wanted or found == wanted[1:], machine.text
        played = machine.played()
        if played:
            assert result[f"m{k}.n"][-1] == played[-1][2], machine.text


@settings(max_examples=MODELS_OF_PARTS, phases=[Phase.generate])
@given(
    st.lists(
        machines(level=True).filter(RandomMachine.ends), min_size=PARTS_TOGETHER, max_size=PARTS_TOGETHER
    )
)
def test_random_machines_of_parts_go_by_the_same_rules(chosen: list[RandomMachine]) -> None:
    texts = [of_parts(machine, f"M{k}") for k, machine in enumerate(chosen)]
    parts = " ".join(f"M{k} m{k};" for k in range(len(chosen)))
    result = saltus.load("\n".join([*texts, f"model All {parts} end All;\n"])).simulate(stop_time=END)
    for k, machine in enumerate(chosen):
        called = {f"m{k}.{path}": state for path, state in paths(machine).items()}
        wanted = expected(machine)
        found = rounds(result, {f"{path}.active": state for path, state in called.items()})
        assert found == wanted or found == wanted[1:], machine.text
        entries: Counter[str] = Counter()
        played = list(play(machine.root, machine.steps, machine.stops, END, entries))
        for path, state in called.items():
            count = path.removesuffix(state) + f"e_{state}"
            assert result[count][-1] == entries[state], (state, machine.text)
        taken = Counter(name for _, _, _, names in played for name in names)
        for step in machine.steps:
            (around,) = (path.removesuffix(s) for path, s in called.items() if s == step.source)
            assert result[f"{around}k_{step.name}"][-1] == taken[step.name], (step.name, machine.text)
