"""Circuits that nobody has drawn: parts of the library, connected at random."""

from __future__ import annotations

import random

_TWO_PINS = ("Resistor", "Capacitor", "Inductor", "Diode", "Conductor")
_SOURCES = ("Sources.SineVoltage", "Sources.ConstantVoltage", "Sources.ConstantCurrent")


def circuit(count: int, seed: int) -> str:
    """The text of a connected circuit with so many parts, one of them a source and one ground."""
    chance = random.Random(seed)
    parts = [("source", chance.choice(_SOURCES)), ("ground", "Ground")]
    parts += [(f"part{k}", chance.choice(_TWO_PINS)) for k in range(count - 2)]
    nets: list[list[str]] = [["source.p"], ["source.n", "ground.p"]]
    for name, _ in parts[2:]:
        # Most parts go on where another one ends, as in real circuits; some close a loop.
        at = chance.randrange(len(nets))
        nets[at].append(f"{name}.p")
        if chance.random() < 0.45 and len(nets) > 1:
            nets[chance.choice([k for k in range(len(nets)) if k != at])].append(f"{name}.n")
        else:
            nets.append([f"{name}.n"])
    declared = [f"  Saltus.Electrical.{kind} {name};" for name, kind in parts]
    joined = [
        f"  connect({a}, {chance.choice(net[:k])});" for net in nets for k, a in enumerate(net) if k > 0
    ]
    chance.shuffle(joined)
    return "\n".join(["model Circuit", *declared, "equation", *joined, "end Circuit;", ""])
