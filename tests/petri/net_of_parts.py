"""Random nets once more, made of the parts of `Saltus.PetriNets` with a connection for each arc."""

from __future__ import annotations

import re
from math import inf

from random_nets import RandomNet
from reference_game import Rule

PETRI = "Saltus.PetriNets"


def of_parts(net: RandomNet, name: str) -> str:
    """The model. A place serves its transitions in the order in which the game asks them."""
    asked = sorted(net.rules, key=lambda r: r.priority)
    lines, joined = [f"model {name}"], []
    for p, start in net.marking.items():
        takers = [r.name for r in asked if p in r.takes]
        givers = [r.name for r in asked if p in r.gives]
        given = [f"start = {start}", f"nIn = {len(givers)}", f"nOut = {len(takers)}"]
        if net.capacity[p] < inf:
            given.append(f"capacity = {net.capacity[p]}")
        lines.append(f"  {PETRI}.Place {p}({', '.join(given)});")
        for rule in asked:
            if p in rule.takes:
                own = list(rule.takes).index(p) + 1
                joined.append(f"connect({p}.leave[{takers.index(rule.name) + 1}], {rule.name}.from[{own}]);")
            if p in rule.gives:
                own = list(rule.gives).index(p) + 1
                joined.append(f"connect({rule.name}.to[{own}], {p}.enter[{givers.index(rule.name) + 1}]);")
    for rule in asked:
        lines += _declared(rule, net.conditions[rule.name])
    return "\n".join([*lines, "equation", *joined, f"end {name};"])


def _declared(rule: Rule, words: str) -> list[str]:
    """A transition, and its condition as a Boolean where its edge counts."""
    given = [f"nIn = {len(rule.takes)}", f"nOut = {len(rule.gives)}", f"nInhibitors = {len(rule.unless)}"]
    for word, arcs in (("weightIn", rule.takes), ("weightOut", rule.gives), ("threshold", rule.unless)):
        if arcs:
            given.append(f"{word} = {{{', '.join(map(str, arcs.values()))}}}")
    if rule.unless:
        given.append(f"inhibitors = {{{', '.join(f'{p}.before' for p in rule.unless)}}}")
    found = []
    if words:
        condition = re.sub(r"\b([a-e]) >=", r"\1.before >=", words)
        if rule.edge:
            found.append(f"  Boolean holds_{rule.name} = {condition};")
            condition = f"edge(holds_{rule.name})"
        given.append(f"condition = {condition}")
    kind = "Transition"
    if rule.delay is not None:
        kind = "TimedTransition"
        given.append(f"delay = {rule.delay}")
    return [*found, f"  {PETRI}.{kind} {rule.name}({', '.join(given)});"]
