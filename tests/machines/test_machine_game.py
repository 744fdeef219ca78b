"""State machines of the engine against ones that are played in the test, round by round."""

from __future__ import annotations

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from random_machines import END, RandomMachine, machines

import saltus

#: Machines that are run side by side in one model, and models.
TOGETHER, MODELS = 10, 40


def rounds(result: saltus.Result, before: str, names: set[str]) -> list[tuple[float, frozenset[str]]]:
    """Time and active states after every round that has changed them."""
    table, found = result.events, []
    active = {name for name in names if result[before + name][0]}
    for record in table.records():
        for changed in table.rounds(record):
            new = {c.name.removeprefix(before): c.new for c in table.changes(changed)}
            on = {name for name, is_on in new.items() if name in names and is_on}
            off = {name for name, is_on in new.items() if name in names and not is_on}
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
        names = {n.name for n in machine.root.all()[1:]}
        wanted = expected(machine)
        found = rounds(result, f"m{k}.", names)
        # The first round of the play may leave things as they are at the start.
        assert found == wanted or found == wanted[1:], machine.text
        played = machine.played()
        if played:
            assert result[f"m{k}.n"][-1] == played[-1][2], machine.text
