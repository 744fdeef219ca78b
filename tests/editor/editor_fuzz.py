"""Random edits of shipped models, as somebody might type them, and every feature asked at random places.

    python tests/editor/editor_fuzz.py [--cases 5000] [--seed 1]

prints the first case that raises anything.
"""

from __future__ import annotations

import argparse
import random
import traceback
from pathlib import Path

from saltus.editor.completion import completion
from saltus.editor.definition import definition, references
from saltus.editor.hover import hover
from saltus.editor.outline import Entry, folds, outline
from saltus.editor.signature import signature
from saltus.editor.text import Position, offset_of, position_of, range_of
from saltus.editor.workspace import Workspace

ROOT = Path(__file__).parents[2]
TEXTS = [
    *sorted((ROOT / "examples").glob("*.mo")),
    *sorted((ROOT / "src/saltus/library/Saltus/Electrical").glob("*.mo")),
    *sorted((ROOT / "src/saltus/library/Saltus/Fluid").glob("*.mo")),
]
#: What is typed somewhere: beginnings of things, and what has no end.
TYPED = (
    "(", ")", "[", "]", "{", "}", ";", ".", ",", "=", ":=", '"', "'", "/*", "//", "annotation", "annotation(",
    "model ", "end ", "end;", "equation\n", "algorithm\n", "extends ", "import ", "redeclare ", "if ",
    "then ", "connect(", "when ", "for i in ", "der(", "Real ", "parameter ", "x.", "..", "\u00e4", "\r\n",
    "\x0c", "\U0001f600", "within ", "package P\n", "1e", "type T = ", "function f\n", "constrainedby ",
    "each ", "\\", "encapsulated ",
)  # fmt: skip


def edited(text: str, choose: random.Random) -> str:
    """The text after a few edits."""
    for _ in range(choose.randint(1, 3)):
        at = choose.randint(0, len(text))
        match choose.randrange(6):
            case 0:
                text = text[:at]
            case 1:
                text = text[:at] + text[at + choose.randint(1, 40) :]
            case 2:
                text = text[:at] + choose.choice(TYPED) + text[at:]
            case 3:
                text = text[:at] + choose.choice(TYPED) + choose.choice(TYPED) + text[at:]
            case 4:
                other = choose.randint(0, len(text))
                text = text[:at] + text[other : other + choose.randint(1, 80)] + text[at:]
            case 5:
                lines = text.split("\n")
                del lines[choose.randrange(len(lines))]
                text = "\n".join(lines)
    return text


def try_all(workspace: Workspace, uri: str, choose: random.Random, places: int = 4) -> None:
    """Asks everything about a document, and looks at what must hold of the answers."""
    document = workspace[uri]
    size = len(document.source.text)
    for _ in range(places):
        offset = choose.randint(0, size)
        position = position_of(document.source, offset)
        assert offset_of(document.source, position) == offset
        found = completion(workspace, document, offset)
        assert 0 <= found.start <= offset <= found.end <= size
        told = hover(workspace, document, offset)
        if told is not None:
            assert told[0] and told[1].start <= offset <= told[1].end
        definition(workspace, document, offset)
        signature(workspace, document, offset)
        assert all(span.source.path == str(document.path) for span in references(workspace, document, offset))
    for entry in outline(workspace, document):
        _nested(entry)
    for first, last in folds(document):
        assert 0 <= first < last < len(document.source.line_starts)


def _nested(entry: Entry) -> None:
    """The protocol wants a name inside of what it names."""
    whole, name = range_of(entry.span), range_of(entry.name_span)
    assert whole.start <= name.start <= name.end <= whole.end, entry
    assert isinstance(whole.start, Position)
    for inner in entry.inner:
        _nested(inner)


def cases(number: int, seed: int, workspace: Workspace) -> None:
    """So many edits of random texts."""
    for k in range(number):
        choose = random.Random(f"{seed}-{k}")
        path = choose.choice(TEXTS)
        text = path.read_text(encoding="utf-8")
        uri = path.as_uri()
        workspace.open(uri, path, text, 1)
        if choose.random() < 0.5:
            workspace[uri].syntax  # noqa: B018  # so that there is an earlier tree
        text = edited(text, choose)
        workspace.change(uri, text, 2)
        try:
            try_all(workspace, uri, choose)
        except Exception:
            print(f"case {seed}-{k}, {path.name}:\n{text}")
            raise
        workspace.close(uri)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    try:
        cases(given.cases, given.seed, Workspace())
    except Exception:
        traceback.print_exc()
        raise SystemExit(1) from None
    print(f"{given.cases} cases, none raised anything")
