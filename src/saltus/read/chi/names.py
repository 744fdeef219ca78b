"""Names as they are declared, and words that are products of them.

Greek letters and subscript digits have names in ASCII, under which everything is known from here on: `μ₀`,
`μ0` and `mu0` are one variable. A word that is not declared is a product, if it is made of declared names in
one way: `nQset` is `n*Qset`, `ρgh` is `rho*g*h`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from saltus.read.modelica.lexer import KEYWORDS

_LETTERS = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ϵ": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ϑ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "µ": "mu",
    "ν": "nu", "ξ": "xi", "ο": "omicron", "π": "pi", "ρ": "rho", "ς": "sigma", "τ": "tau", "υ": "upsilon",
    "φ": "phi", "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Θ": "Theta", "Λ": "Lambda",
    "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
    **{digit: str(value) for value, digit in enumerate("₀₁₂₃₄₅₆₇₈₉")},
}  # fmt: skip
_TABLE = str.maketrans(_LETTERS)

#: Ends of channels, and whole ones.
SEND, RECEIVE, CHANNEL = "send", "receive", "channel"
#: What passes a channel that only synchronises.
VOID = "void"
#: A model of another language inside of a process; its variables are `plant.h`.
PART = "part"
#: What a declared name is.
CONTINUOUS, DISCRETE, PARAMETER, CONSTANT, LITERAL = (
    "continuous",
    "discrete",
    "parameter",
    "constant",
    "literal",
)
REAL, INTEGER, BOOLEAN = "Real", "Integer", "Boolean"
#: The simulated time, and the number.
TIME, PI = "tau", "pi"


def plain(word: str) -> str:
    """A word in ASCII."""
    return word.translate(_TABLE)


@dataclass(frozen=True)
class Declared:
    """A name that is known: `type` is a predefined one, or that of an enumeration with its `literals`."""

    name: str
    kind: str
    type: str = REAL
    unit: str = ""
    literals: tuple[str, ...] = ()
    causality: str = ""  # of a continuous variable that others give, or get: input or output
    place: tuple[int, int] = (0, 0)


PREDEFINED = {
    TIME: Declared(TIME, CONTINUOUS, REAL, "s"),
    PI: Declared(PI, CONSTANT),
}


def factors(word: str, known: Mapping[str, object], limit: int = 2) -> list[tuple[str, ...]]:
    """The ways to write a word as declared names side by side, each as the pieces of the word; not more than
    `limit` of them."""
    size = len(word)
    longest = max(map(len, known), default=0)  # a letter may stand for a name of several, never the other way
    ways: list[list[tuple[str, ...]]] = [[] for _ in range(size + 1)]
    ways[0].append(())
    for end in range(1, size + 1):
        for start in range(max(0, end - longest), end):
            if ways[start] and plain(word[start:end]) in known:
                ways[end] += [(*way, word[start:end]) for way in ways[start]]
        del ways[end][limit:]
    return ways[size]


#: Signs as they are written in ASCII; words have blanks around them.
_SIGNS = {
    "∇": " nabla ", "Δ": " delta ", "∆": " delta ", "¬": " not ", "∧": " and ", "∨": " or ", "√": " sqrt ",
    "→": " -> ", "⟶": " -> ", "≤": "<=", "≥": ">=", "≠": "/=", "‖": "||", "□": "[]", "▯": "[]", "☐": "[]",
    "·": "*", "⋅": "*", "×": "*", "−": "-", "σ": " sample ",
}  # fmt: skip
_SIGNS_TABLE = str.maketrans(_SIGNS)


def ascii_text(text: str) -> str:
    """A piece of a text in ASCII, on one line."""
    shown = " ".join(text.translate(_SIGNS_TABLE).translate(_TABLE).split())
    return "".join(c if " " <= c <= "~" else "?" for c in shown)


def safe(name: str) -> str:
    """A name as Modelica takes it: its reserved words are quoted."""
    return (
        f"'{name}'" if name in KEYWORDS or name in ("time", "Real", "Integer", "Boolean", "String") else name
    )


def quoted(text: str) -> str:
    """A text as a name of Modelica."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
