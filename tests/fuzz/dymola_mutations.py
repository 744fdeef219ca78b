"""Models in the Dymola language of 1993 with damage done to them, for the fuzz test.

The undamaged texts are those of `examples/papers`, and those inside of the tests and pages that can be read.
As with Modelica, a case is made from the seed, its number, and the text on the circle to which it falls.
"""

from __future__ import annotations

import ast as python
import re
from bisect import bisect
from collections.abc import Callable
from functools import cache
from random import Random

from mutations import LETTERS, LONGEST, NUMBERS, ROOT, circle_of

from saltus.core.diagnostics import SaltusError
from saltus.core.source import Source
from saltus.read.dymola.text.parser import parse

TOKEN = re.compile(r"\{[^{}]*\}|\s+|\w+(?:\.\d+)?|//|[<>=]=|<>|.", re.DOTALL)
WORDS = [
    "model", "class", "type", "end", "terminal", "cut", "main", "path", "local", "parameter", "constant",
    "input", "output", "submodel", "node", "connect", "when", "endwhen", "at", "from", "to", "if", "then",
    "else", "and", "or", "not", "der", "der2", "new", "init", "pre", "True", "False", "Time",
]  # fmt: skip
SPARE = [
    *WORDS, "elsewhen", "elseif", "for", "equation", "Real", "time", "(", ")", "[", "]", "{", "}", ",", ";",
    "=", ":=", "+", "-", "*", "/", "//", "^", ".", ":", "<", ">=", "==", "<>", "0", "-1", "1e400", "x",
    '"', "'",
    "new(", "der(", "\n", "/*", "\\", "Common", "TwoPort", "Resistor", "{experiment stop = 1}",
]  # fmt: skip
OPERATORS = ["+", "-", "*", "/", "^", "//", "==", "<>", "<", ">", "<=", ">=", "and", "or", "="]


@cache
def sources() -> tuple[str, ...]:
    """The undamaged texts, in a fixed order."""
    found = [p.read_text(encoding="utf-8") for p in sorted((ROOT / "examples" / "papers").glob("*.dym"))]
    for folder in ("dymola", "read/dymola", "bad_input"):
        for path in sorted((ROOT / "tests" / folder).glob("*.py")):
            for node in python.walk(python.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, python.Constant) and isinstance(node.value, str):
                    found.append(node.value)
    page = (ROOT / "docs" / "dymola.md").read_text(encoding="utf-8")
    found += re.findall(r"```dymola [^\n]*\n(.*?)```", page, re.DOTALL)
    return tuple(dict.fromkeys(text for text in found if _is_model(text)))


def _is_model(text: str) -> bool:
    if len(text) > LONGEST or not re.search(r"^\s*end\b", text, re.MULTILINE) or "model" not in text:
        return False
    try:
        return bool(parse(Source("", text)))
    except SaltusError:
        return False


@cache
def circle() -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Places on a circle of length one, in order, and the text at each."""
    return circle_of(sources())


def _any_source(random: Random) -> str:
    places, texts = circle()
    return texts[bisect(places, random.random()) % len(texts)]


def case(seed: int, number: int) -> tuple[str, str]:
    """What was done, and the text."""
    random = Random(f"dymola:{seed}:{number}")
    text = _any_source(random)
    done = []
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        mutation = random.choice(_OF_LETTERS if random.random() < 0.3 else _OF_MEANING)
        done.append(mutation.__name__.strip("_"))
        text = mutation(random, text)
    return "+".join(done), text


# ---------------------------------------------------------------- tokens


def _tokens(text: str) -> tuple[list[str], list[int]]:
    """All tokens, and which of them are neither blanks nor comments."""
    tokens = TOKEN.findall(text) or [" "]
    return tokens, [i for i, t in enumerate(tokens) if t.strip() and not t.startswith("{")] or [0]


def _names(text: str) -> tuple[list[str], list[int]]:
    tokens, words = _tokens(text)
    return tokens, [i for i in words if tokens[i][0].isalpha() and tokens[i] not in WORDS] or words


def _delete(random: Random, text: str) -> str:
    tokens, words = _tokens(text)
    at = random.randrange(len(words))
    for i in words[at : at + random.choice([1, 1, 1, 2, 5])]:
        tokens[i] = ""
    return "".join(tokens)


def _repeat(random: Random, text: str) -> str:
    tokens, words = _tokens(text)
    at = random.choice(words)
    tokens[at] = " ".join([tokens[at]] * random.choice([2, 2, 3, 500]))
    return "".join(tokens)


def _exchange(random: Random, text: str) -> str:
    tokens, words = _tokens(text)
    a, b = random.choice(words), random.choice(words)
    tokens[a], tokens[b] = tokens[b], tokens[a]
    return "".join(tokens)


def _spare(random: Random, text: str) -> str:
    """A word too many, or in place of another."""
    tokens, words = _tokens(text)
    at = random.choice(words)
    tokens[at] = f" {random.choice(SPARE)} " + random.choice(["", tokens[at]])
    return "".join(tokens)


def _letter(random: Random, text: str) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(LETTERS) + text[at:]


def _cut_off(random: Random, text: str) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] if random.random() < 0.7 else text[at:]


def _deep(random: Random, text: str) -> str:
    """Nested further than any recursion goes."""
    depth = random.choice([20, 200, 2_000, 20_000])
    tokens, names = _names(text)
    at = random.choice(names)
    old = tokens[at]
    tokens[at] = random.choice([
        "(" * depth + old + ")" * depth,
        "(" * depth + old,
        "-(" * depth + old + ")" * depth,
        "abs(" * depth + old + ")" * depth,
        "new(" * depth + old + ")" * depth,
        f"(if {old} > 0 then {old} else " * depth + old + ")" * depth,
        f"if {old} > 0 then {old} else " * depth + old,
        "not " * depth + old,
        f"{old} + " * depth + old,
        f"{old} // " * depth + old,
        f"({old} - " * depth + old + ")" * depth,
        f"{old}." * depth + old,
        f"{old}[" * depth + "1" + "]" * depth,
    ])  # fmt: skip
    return "".join(tokens)


# ---------------------------------------------------------------- what can still be read


def _other_name(random: Random, text: str) -> str:
    """Other classes, types, cuts or nodes."""
    tokens, names = _names(text)
    tokens[random.choice(names)] = tokens[random.choice(names)]
    return "".join(tokens)


def _renamed_everywhere(random: Random, text: str) -> str:
    """Two names become one: declared twice, circles of bases, classes that contain themselves."""
    tokens, names = _names(text)
    known = sorted({tokens[i] for i in names})
    old, new = random.choice(known), random.choice(known)
    return "".join(new if t == old else t for t in tokens)


def _number(random: Random, text: str) -> str:
    tokens, words = _tokens(text)
    numbers = [i for i in words if tokens[i][0].isdigit()] or words
    tokens[random.choice(numbers)] = random.choice(NUMBERS)
    return "".join(tokens)


def _operator(random: Random, text: str) -> str:
    tokens, words = _tokens(text)
    at = random.choice([i for i in words if tokens[i] in OPERATORS] or words)
    tokens[at] = f" {random.choice(OPERATORS)} "
    return "".join(tokens)


def _wrapped(random: Random, text: str) -> str:
    """A name is given to a function."""
    tokens, names = _names(text)
    at = random.choice(names)
    tokens[at] = f"{random.choice(['new', 'init', 'pre', 'der', 'der2', 'not ', 'sin', '-'])}({tokens[at]})"
    return "".join(tokens)


def _line(random: Random, text: str) -> str:
    """A line is lost, repeated, moved, joined to the next one, or comes from another model."""
    lines = text.splitlines(keepends=True) or [""]
    at, to = random.randrange(len(lines)), random.randrange(len(lines) + 1)
    what = random.randrange(5)
    if what == 0:
        del lines[at]
    elif what == 1:
        lines.insert(to, lines[at])
    elif what == 2:
        lines.insert(min(to, len(lines) - 1), lines.pop(at))
    elif what == 3:
        lines[at] = lines[at].rstrip("\n") + " "
    else:
        lines.insert(to, random.choice(_any_source(random).splitlines(keepends=True) or [""]))
    return "".join(lines)


def _broken(random: Random, text: str) -> str:
    """A line ends where it should not."""
    tokens, words = _tokens(text)
    at = random.choice(words)
    tokens[at] += "\n"
    return "".join(tokens)


def _added(random: Random, text: str) -> str:
    """A statement at the beginning of a model, about something that is there."""
    heads = list(re.finditer(r"^[ \t]*model\b[^\n]*\n", text, re.MULTILINE))
    if not heads:
        return _spare(random, text)
    tokens, names = _names(text)
    a, b = tokens[random.choice(names)], tokens[random.choice(names)]
    made = random.choice([
        f"submodel ({a}) {b}", f"submodel {a}", f"submodel ({a}) extra({b} = {a})", f"connect {a} - {b}",
        f"connect {a} at {b}", f"connect {a} from {b} to {a}", f"connect ({a} // {b}) - {a}", f"{a} = {b}",
        f"new({a}) = {b}", f"when {a} > 0 then\n new({b}) = {a}\nendwhen", f"init({a}) = {b}", f"node {a}",
        f"main cut extra ({a} / -{b})", f"cut extra [{a} {b}]", f"main path extra <{a} - {b}>",
        f"der2({a}) = {b}", f"local {a} = {b}", f"parameter {a} = {b}", f"{a} = if {b} then {a} else {b}",
        f"{{experiment stop = {random.choice(NUMBERS)}}}", f"local {a}[3]", f"{a}[1] = {b}",
    ])  # fmt: skip
    at = random.choice(heads).end()
    return f"{text[:at]}{made}\n{text[at:]}"


#: Those that mostly break the grammar, and those after which there is still something to lower.
_OF_LETTERS: list[Callable[[Random, str], str]] = [
    _delete, _repeat, _exchange, _spare, _letter, _cut_off, _deep,
]  # fmt: skip
_OF_MEANING: list[Callable[[Random, str], str]] = [
    _other_name, _other_name, _renamed_everywhere, _number, _operator, _wrapped, _line, _line, _broken,
    _added, _added,
]  # fmt: skip
