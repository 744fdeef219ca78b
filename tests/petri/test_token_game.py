"""The token game of the engine against one that is played in the test, round by round."""

from __future__ import annotations

from cProfile import Profile
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from net_of_parts import of_parts
from random_nets import END, RandomNet, nets
from reference_game import Marking

import saltus
from saltus.compiler import load_flat

#: Nets that are run side by side in one model, and models: a thousand nets in all.
TOGETHER, MODELS = 20, 50
#: Of parts, a hundred: they take ten times as long to translate.
PARTS_TOGETHER, MODELS_OF_PARTS = 10, 10


def rounds(
    result: saltus.Result, before: str, marking: Marking, ending: str = ""
) -> list[tuple[float, Marking]]:
    """Time and marking after every round that has changed the marking of a net. The tokens of `p` are called
    `before` `p` `ending`."""
    table, found = result.events, []
    now = dict(marking)
    for record in table.records():
        for changed in table.rounds(record):
            new = {c.name.removeprefix(before).removesuffix(ending): c.new for c in table.changes(changed)}
            moved = {p: n for p, n in new.items() if p in now and now[p] != n}
            if moved:
                now |= moved
                found.append((record.time, dict(now)))
    return found


def expected(net: RandomNet) -> list[tuple[float, Marking]]:
    found, now = [], net.marking
    for time, marking, _ in net.played():
        if marking != now:
            found.append((time, marking))
        now = marking
    return found


# A list of nets is not made smaller when one of them fails: that takes minutes, and the message has its text.
@settings(max_examples=MODELS, phases=[Phase.generate])
@given(st.lists(nets().filter(RandomNet.ends), min_size=TOGETHER, max_size=TOGETHER))
def test_random_nets_are_played_by_the_rules(chosen: list[RandomNet]) -> None:
    texts = [
        net.text.replace("net N\n", f"net N{k}\n").replace("end N", f"end N{k}")
        for k, net in enumerate(chosen)
    ]
    parts = "\n".join(f"part N{k} n{k}" for k in range(len(chosen)))
    result = saltus.load("\n".join([*texts, f"net All\n{parts}\nend All\n"])).simulate(stop_time=END)
    for k, net in enumerate(chosen):
        assert rounds(result, f"n{k}.", net.marking) == expected(net), net.text
        played = net.played()
        for rule in net.rules:
            count = sum(rule.name in fired for _, _, fired in played)
            assert result[f"n{k}.{rule.name.replace('t', 'm')}"][-1] == count, (rule.name, net.text)


@settings(max_examples=MODELS_OF_PARTS, phases=[Phase.generate])
@given(st.lists(nets().filter(RandomNet.ends), min_size=PARTS_TOGETHER, max_size=PARTS_TOGETHER))
def test_random_nets_of_parts_play_the_same_game(chosen: list[RandomNet]) -> None:
    texts = [of_parts(net, f"N{k}") for k, net in enumerate(chosen)]
    parts = " ".join(f"N{k} n{k};" for k in range(len(chosen)))
    result = saltus.load("\n".join([*texts, f"model All {parts} end All;\n"])).simulate(stop_time=END)
    for k, net in enumerate(chosen):
        assert rounds(result, f"n{k}.", net.marking, ".tokens") == expected(net), net.text


def run(text: str, **given: Any) -> saltus.Result:
    return saltus.load(f"net T\n{text}\nend T\n").simulate(**{"stop_time": 5.0} | given)


def test_a_long_net_is_lowered_in_about_linear_time() -> None:
    """The whole net is one long condition of its deadlock: that once took the cube of its length."""

    def calls(n: int) -> int:
        places = "".join(f"place p{k}\n" for k in range(n + 1))
        rules = "".join(f"transition t{k}: p{k} -> p{k + 1} when time > {k}\n" for k in range(n))
        text = f"net N\n{places}{rules}end N\n"
        with Profile() as profile:
            load_flat(text)
        return sum(entry.callcount for entry in profile.getstats())

    assert calls(800) < 6 * calls(200)
