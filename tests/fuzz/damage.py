"""Damage that is done to texts of any language, for the fuzz test.

Each case is made from the seed, its number and the text that the number falls to. Texts lie on a circle, at
places that follow from their content, so that a text which is added or changed leaves nearly all cases as
they were. A language says what its tokens are, and adds mutations that know what its texts mean.
"""

from __future__ import annotations

import ast as python
import re
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import TypeAlias

ROOT = Path(__file__).parents[2]
LONGEST = 5_000  # characters: what is larger takes its time without saying more
PLACES = 8  # of each text on the circle: with many of them, all texts are taken about equally often

NUMBERS = [
    "0", "1", "2", "3", "-1", "2147483648", "1000000000", "100000", "99999999999999999999999", "1e308",
    "1e400", "1e-400", "0.5", "9007199254740993",
]  # fmt: skip
LETTERS = ["\0", "\x07", "\ufeff", "é", "λ", "😀", "\\", "`", "$", "#", "\u2028", "'", '"', "/*", "*/", "//"]

Mutation: TypeAlias = Callable[[Random, str], str]


def strings_of_tests(*folders: str) -> Iterator[str]:
    """What the tests in these folders have in quotes."""
    for folder in folders:
        for path in sorted((ROOT / "tests" / folder).glob("*.py")):
            yield from strings_of(path)


def strings_of(path: Path) -> Iterator[str]:
    """What a file of Python has in quotes."""
    for node in python.walk(python.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, python.Constant) and isinstance(node.value, str):
            yield node.value


def blocks_of_page(page: str, language: str) -> list[str]:
    """The texts in a language that a page shows."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language} [^\n]*\n(.*?)```", text, re.DOTALL)


@dataclass(frozen=True)
class Damage:
    """What a language has to say of its texts, and the mutations that need no more."""

    series: str  # so that the cases of one language have nothing to do with those of another
    token: re.Pattern[str]
    comments: tuple[str, ...]  # how one begins
    words: frozenset[str]  # those that are no names
    spare_words: Sequence[str]
    operators: Sequence[str]
    sources: Callable[[], tuple[str, ...]]
    ends_with_line: bool = False  # whether a statement does

    @cached_property
    def circle(self) -> tuple[tuple[float, ...], tuple[str, ...]]:
        """Places on a circle of length one, in order, and the text at each."""
        texts = self.sources()
        places = sorted((Random(f"{k}:{text}").random(), text) for text in texts for k in range(PLACES))
        return tuple(place for place, _ in places), tuple(text for _, text in places)

    def any_source(self, random: Random) -> str:
        places, texts = self.circle
        return texts[bisect(places, random.random()) % len(texts)]

    def case(
        self,
        seed: int,
        number: int,
        of_letters: Sequence[Mutation],
        of_meaning: Sequence[Mutation],
        letters: float = 0.3,
    ) -> tuple[str, str]:
        """What was done, and the text. A share of mutations is of letters: those mostly break the grammar;
        after others there is still something to lower."""
        random = Random(f"{self.series}{seed}:{number}")
        text = self.any_source(random)
        done = []
        for _ in range(random.choice([1, 1, 1, 2, 3])):
            mutation = random.choice(of_letters if random.random() < letters else of_meaning)
            done.append(getattr(mutation, "__name__", "").strip("_"))
            text = mutation(random, text)
        return "+".join(done), text

    # ------------------------------------------------------------ tokens

    def tokens(self, text: str) -> tuple[list[str], list[int]]:
        """All tokens, and which of them are neither blanks nor comments."""
        tokens = self.token.findall(text) or [" "]
        return tokens, [i for i, t in enumerate(tokens) if t.strip() and not t.startswith(self.comments)] or [
            0
        ]

    def names(self, text: str) -> tuple[list[str], list[int]]:
        """All tokens, and which of them are names; all words where there is none."""
        tokens, words = self.tokens(text)
        return tokens, [i for i in words if tokens[i][0].isalpha() and tokens[i] not in self.words] or words

    def delete(self, random: Random, text: str) -> str:
        tokens, words = self.tokens(text)
        at = random.randrange(len(words))
        for i in words[at : at + random.choice([1, 1, 1, 2, 5])]:
            tokens[i] = ""
        return "".join(tokens)

    def repeat(self, random: Random, text: str) -> str:
        tokens, words = self.tokens(text)
        at = random.choice(words)
        tokens[at] = " ".join([tokens[at]] * random.choice([2, 2, 3, 500]))
        return "".join(tokens)

    def exchange(self, random: Random, text: str) -> str:
        tokens, words = self.tokens(text)
        a, b = random.choice(words), random.choice(words)
        tokens[a], tokens[b] = tokens[b], tokens[a]
        return "".join(tokens)

    def spare(self, random: Random, text: str) -> str:
        """A word too many, or in place of another."""
        tokens, words = self.tokens(text)
        at = random.choice(words)
        tokens[at] = f" {random.choice(self.spare_words)} " + random.choice(["", tokens[at]])
        return "".join(tokens)

    def letter(self, random: Random, text: str) -> str:
        at = random.randrange(len(text) + 1)
        return text[:at] + random.choice(LETTERS) + text[at:]

    def cut_off(self, random: Random, text: str) -> str:
        at = random.randrange(len(text) + 1)
        return text[:at] if random.random() < 0.7 else text[at:]

    # ------------------------------------------------------------ what can often still be read

    def other_name(self, random: Random, text: str) -> str:
        """Other types, sizes, classes, counts, cuts, channels."""
        tokens, names = self.names(text)
        tokens[random.choice(names)] = tokens[random.choice(names)]
        return "".join(tokens)

    def renamed_everywhere(self, random: Random, text: str) -> str:
        """Two names become one: declared twice, circles of bases, classes that contain themselves."""
        tokens, names = self.names(text)
        known = sorted({tokens[i] for i in names})
        old, new = random.choice(known), random.choice(known)
        return "".join(new if t == old else t for t in tokens)

    def number(self, random: Random, text: str) -> str:
        tokens, words = self.tokens(text)
        numbers = [i for i in words if tokens[i][0].isdigit()] or words
        tokens[random.choice(numbers)] = random.choice(NUMBERS)
        return "".join(tokens)

    def operator(self, random: Random, text: str) -> str:
        tokens, words = self.tokens(text)
        at = random.choice([i for i in words if tokens[i] in self.operators] or words)
        tokens[at] = f" {random.choice(self.operators)} "
        return "".join(tokens)

    def line(self, random: Random, text: str) -> str:
        """A line is lost, repeated, moved, joined to the next one, or comes from another text."""
        lines = text.splitlines(keepends=True) or [""]
        at, to = random.randrange(len(lines)), random.randrange(len(lines) + 1)
        ways = ["lost", "repeated", "moved", *["joined"] * self.ends_with_line, "foreign"]
        match ways[random.randrange(len(ways))]:
            case "lost":
                del lines[at]
            case "repeated":
                lines.insert(to, lines[at])
            case "moved":
                lines.insert(min(to, len(lines) - 1), lines.pop(at))
            case "joined":
                lines[at] = lines[at].rstrip("\n") + " "
            case _:
                foreign = self.any_source(random).splitlines(keepends=True)
                lines.insert(to, random.choice(foreign or [""]))
        return "".join(lines)
