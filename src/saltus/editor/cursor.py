"""The context at a position in Modelica text: a name, and what is expected there. Only the tokens of the
statement before the position count, since the text after it is not written yet. They are read from left to
right, with a frame for each bracket that is open:

    Resistor r(R = sin(2*x), T_ref(start = |        Resistor(T_ref(...)), behind an `=`: an expression
    connect(source.p, r.|                           a connector in `r`
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from saltus.editor.document import Document
from saltus.read.modelica.lexer import ANNOTATION, NAME, NUMBER, STRING, Tokens


class Expected(Enum):
    """What a name at a place can be."""

    TYPE = auto()  # a class, as the type of a component or as a base
    ELEMENT = auto()  # a new element of a class: a type, or a word such as `parameter`
    IMPORT = auto()  # a package or a class by its full name
    NEW_NAME = auto()  # a name that is declared here
    EXPRESSION = auto()
    STATEMENT = auto()  # an equation or a statement
    MODIFIER = auto()  # what a modification is about
    ARGUMENT = auto()  # an expression, or the name of an argument
    CONNECTOR = auto()


@dataclass(frozen=True)
class Target:
    """What the parentheses of a modification are about: a class, and the elements from there on. `component`
    is the one that is declared by the statement, if it is about that."""

    names: tuple[str, ...]
    absolute: bool
    path: tuple[str, ...] = ()
    component: str = ""


@dataclass(frozen=True)
class Cursor:
    """A place in a text. `names` are those of the reference that it is in, the last one whole; `typed` is
    what of that stands before the place. `start` and `end` are those of the last name."""

    names: tuple[str, ...]
    typed: str
    start: int
    end: int
    absolute: bool
    expected: Expected
    statement: int  # where the statement begins
    modified: Target | None = None  # the innermost modification that it is in
    calls: tuple[tuple[tuple[str, ...], int], ...] = ()  # open calls: the function, and the number of commas
    given: tuple[str, ...] = ()  # names of arguments that the innermost modification or call has already

    @property
    def parents(self) -> tuple[str, ...]:
        """The names before the last dot."""
        return self.names[:-1]


@dataclass
class _Frame:
    kind: str  # statement, modifier, call, connect, other
    segment: int  # the token with which what stands between two commas begins
    target: Target | None = None
    function: tuple[str, ...] = ()
    declared: Target | None = None  # of a statement: the type of the components that it declares
    commas: int = 0
    given: list[str] = field(default_factory=list)


_CLASS_WORDS = frozenset(
    ["class", "model", "record", "block", "connector", "type", "package", "function", "operator"]
)
_PREFIXES = frozenset(
    ["redeclare", "replaceable", "each", "final", "inner", "outer", "flow", "stream", "discrete", "parameter",
     "constant", "input", "output", "partial", "encapsulated", "expandable", "pure", "impure"]
)  # fmt: skip
_SECTION_WORDS = frozenset(["equation", "algorithm"])
_CALLED_WORDS = frozenset(["der", "initial", "pure"])
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_COMMENT_OR_STRING = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"|'", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*\Z")


def cursor_at(document: Document, offset: int) -> Cursor | None:
    """What stands at a place; None in a comment, a string, a number or an annotation."""
    tokens = document.tokens
    at = bisect_right(tokens.starts, offset) - 1
    if at > 0 and tokens.starts[at] == offset and not _is_word(tokens, at):
        at -= 1
    if at >= 0 and _is_hidden(document, tokens, at, offset):
        return None
    word = at if at >= 0 and _is_word(tokens, at) and offset <= tokens.ends[at] else None
    first, names, absolute = _reference_before(tokens, word if word is not None else at + 1)
    begin = _statement_start(tokens, first)
    frames = _frames(tokens, begin, first)
    start, end = (tokens.starts[word], tokens.ends[word]) if word is not None else (offset, offset)
    whole = tokens.texts[word] if word is not None else ""
    return Cursor(
        (*names, whole),
        document.source.text[start:offset],
        start,
        end,
        absolute,
        _expected(tokens, frames[-1], first, begin),
        tokens.starts[begin] if begin < first else start,
        next((frame.target for frame in reversed(frames) if frame.kind == "modifier"), None),
        tuple((frame.function, frame.commas) for frame in frames if frame.kind == "call"),
        tuple(frames[-1].given),
    )


def _is_word(tokens: Tokens, at: int) -> bool:
    return tokens.kinds[at] == NAME or (
        tokens.kinds[at] != ANNOTATION and _WORD.match(tokens.texts[at]) is not None
    )


def _is_hidden(document: Document, tokens: Tokens, at: int, offset: int) -> bool:
    """Whether a place is inside of a string, a number or an annotation, or in a comment."""
    end = tokens.ends[at]
    if tokens.kinds[at] in (STRING, NUMBER, ANNOTATION) and offset < end + (tokens.kinds[at] == NUMBER):
        return True
    between = document.source.text[end:offset]
    for match in _COMMENT_OR_STRING.finditer(between):
        found = match[0]
        if found in "\"'":  # of a string that is not closed yet
            return True
        is_open = not found.endswith("*/") if found.startswith("/*") else True
        if match.end() == len(between) and is_open:
            return True
    return False


def _reference_before(tokens: Tokens, word: int) -> tuple[int, list[str], bool]:
    """The first token of the reference that ends with the name at `word`, the names before that, and whether
    it begins with a dot."""
    names: list[str] = []
    first = word
    while first > 0 and tokens.kinds[first - 1] == ".":
        before = first - 2
        while before >= 0 and tokens.kinds[before] == "]":
            opening = _opening(tokens, before)
            if opening is None:
                return first, names, False
            before = opening - 1
        if before < 0 or tokens.kinds[before] != NAME:
            return first - 1, names, True
        names.insert(0, tokens.texts[before])
        first = before
    return first, names, False


def _opening(tokens: Tokens, closing: int) -> int | None:
    """The bracket whose partner is at `closing`."""
    depth = 0
    for at in range(closing, -1, -1):
        kind = tokens.kinds[at]
        depth += (kind in _CLOSE) - (kind in _OPEN)
        if depth == 0:
            return at
        if kind == ";":
            return None
    return None


def _statement_start(tokens: Tokens, first: int) -> int:
    """The first token of the statement that a token belongs to."""
    begin = first
    while begin > 0:
        kind = tokens.kinds[begin - 1]
        if kind in (";", ANNOTATION, "public", "protected") or kind in _SECTION_WORDS:
            break
        begin -= 1
    # The heading of a class ends without a `;`.
    while True:
        heading = begin
        while heading < first and tokens.kinds[heading] in _PREFIXES:
            heading += 1
        words = heading
        while heading < first and tokens.kinds[heading] in _CLASS_WORDS:
            heading += 1
        if heading < first and heading > words and tokens.kinds[heading] == "extends":
            heading += 1
        if heading == words or heading >= first or tokens.kinds[heading] != NAME:
            return begin
        after = heading + 1
        while after < first and tokens.kinds[after] in (STRING, "+"):
            after += 1
        if tokens.kinds[after] in ("=", "("):
            return begin
        begin = after


# ---------------------------------------------------------------- frames


def _frames(tokens: Tokens, begin: int, first: int) -> list[_Frame]:
    """What is open before the token `first`, the outermost first."""
    frames = [_Frame("statement", begin)]
    for at in range(begin, first):
        kind = tokens.kinds[at]
        frame = frames[-1]
        if kind in _OPEN:
            frames.append(_opened(tokens, frame, at) if kind == "(" else _Frame("other", at + 1))
        elif kind in _CLOSE:
            if len(frames) > 1:
                frames.pop()
        elif kind == ",":
            frame.segment = at + 1
            frame.commas += 1
        elif kind == "=" and frame.kind in ("modifier", "call"):
            frame.given.append(tokens.texts[at - 1])
        elif len(frames) == 1 and kind in ("then", "loop", "else"):
            if not any(tokens.kinds[k] == "=" for k in range(frame.segment, at)):
                frames = [_Frame("statement", at + 1)]
        elif len(frames) == 1 and kind == "constrainedby":
            frame.segment = at
    return frames


def _opened(tokens: Tokens, frame: _Frame, at: int) -> _Frame:
    """The frame that the parenthesis at `at` opens."""
    segment = _outside_brackets(tokens, frame.segment, at)
    if frame.kind in ("statement", "modifier"):
        target = _modified(tokens, segment, frame)
        if target is not None:
            if frame.kind == "modifier" and segment:
                frame.given.append(tokens.texts[segment[-1]])
            return _Frame("modifier", at + 1, target)
    before = tokens.kinds[at - 1] if at > 0 else ""
    if before == "connect":
        return _Frame("connect", at + 1)
    if before == NAME:
        _, names, _ = _reference_before(tokens, at - 1)
        return _Frame("call", at + 1, function=(*names, tokens.texts[at - 1]))
    if before in _CALLED_WORDS:
        return _Frame("call", at + 1, function=(before,))
    return _Frame("other", at + 1)


def _outside_brackets(tokens: Tokens, begin: int, end: int) -> list[int]:
    """The tokens of a stretch that stand in no bracket inside of it."""
    found: list[int] = []
    depth = 0
    for at in range(begin, end):
        kind = tokens.kinds[at]
        if kind in _CLOSE:
            depth = max(0, depth - 1)
        elif kind in _OPEN:
            depth += 1
        elif depth == 0:
            found.append(at)
    return found


def _modified(tokens: Tokens, segment: list[int], frame: _Frame) -> Target | None:
    """What a parenthesis behind these tokens says something about, if it is a modification."""
    kinds = tokens.kinds
    rest = list(segment)
    is_redeclaration = False
    while rest and kinds[rest[0]] in _PREFIXES:
        is_redeclaration = is_redeclaration or kinds[rest[0]] in ("redeclare", "replaceable")
        rest.pop(0)
    if not rest:
        return None
    if kinds[rest[0]] in ("extends", "constrainedby"):
        return _only_name(tokens, rest[1:])
    if kinds[rest[0]] in _CLASS_WORDS:
        equals = next((k for k, at in enumerate(rest) if kinds[at] == "="), None)
        if equals is None:
            return None
        behind = rest[equals + 1 :]
        while behind and kinds[behind[0]] in ("input", "output"):
            behind.pop(0)
        return _only_name(tokens, behind)
    if any(kinds[at] in ("=", ":=") for at in rest):
        return None
    if frame.kind == "modifier" and not is_redeclaration:
        path = _only_name(tokens, rest)
        target = frame.target
        return replace(target, path=(*target.path, *path.names)) if path and target else None
    name = tokens.texts[rest[-1]] if frame.kind == "statement" else ""
    if frame.declared is not None and frame.commas:
        is_name = len(rest) == 1 and kinds[rest[0]] == NAME
        return replace(frame.declared, component=name) if is_name else None
    if len(rest) >= 2 and kinds[rest[-1]] == NAME and kinds[rest[-2]] == NAME:
        frame.declared = _only_name(tokens, rest[:-1])
        return replace(frame.declared, component=name) if frame.declared is not None else None
    return None


def _only_name(tokens: Tokens, found: list[int]) -> Target | None:
    """The dotted name that these tokens are, if they are one."""
    absolute = bool(found) and tokens.kinds[found[0]] == "."
    found = found[absolute:]
    names = [tokens.texts[at] for at in found[::2]]
    is_name = (
        len(found) % 2 == 1
        and all(tokens.kinds[at] == NAME for at in found[::2])
        and all(tokens.kinds[at] == "." for at in found[1::2])
    )
    return Target(tuple(names), absolute) if is_name else None


# ---------------------------------------------------------------- what is expected


def _expected(tokens: Tokens, frame: _Frame, first: int, begin: int) -> Expected:
    kinds = tokens.kinds
    segment = _outside_brackets(tokens, frame.segment, first)
    words = [kinds[at] for at in segment]
    if frame.kind == "connect":
        return Expected.CONNECTOR
    if frame.kind == "other":
        return Expected.EXPRESSION
    if frame.kind == "call":
        return Expected.EXPRESSION if words else Expected.ARGUMENT
    prefixes = 0
    while prefixes < len(words) and words[prefixes] in _PREFIXES:
        prefixes += 1
    rest = words[prefixes:]
    if frame.kind == "modifier":
        if "=" in rest:
            in_class = rest[0] in _CLASS_WORDS
            return Expected.TYPE if in_class and rest[-1] == "=" else Expected.EXPRESSION
        if {"redeclare", "replaceable"} & set(words[:prefixes]):
            return Expected.TYPE if not rest else Expected.NEW_NAME
        return Expected.MODIFIER if not rest else Expected.NEW_NAME
    if rest and rest[0] == "import":
        return Expected.IMPORT
    if rest and rest[0] in ("extends", "constrainedby"):
        return Expected.TYPE if len(rest) == 1 else Expected.NEW_NAME
    if rest and rest[0] in _CLASS_WORDS:
        return Expected.TYPE if rest[-1] in ("=", "input", "output") else Expected.NEW_NAME
    if rest and rest[0] in ("end", "within"):
        return Expected.IMPORT if rest[0] == "within" else Expected.NEW_NAME
    if _in_section(tokens, begin):
        return Expected.EXPRESSION if words else Expected.STATEMENT
    if not rest and frame.commas == 0:
        return Expected.TYPE if prefixes else Expected.ELEMENT
    if any(word in ("=", ":=", "if") for word in rest):
        return Expected.EXPRESSION
    return Expected.NEW_NAME


def _in_section(tokens: Tokens, begin: int) -> bool:
    """Whether a statement stands among equations or statements, not among declarations."""
    depth = 0
    kinds = tokens.kinds
    for at in range(begin - 1, -1, -1):
        kind = kinds[at]
        if kind in _SECTION_WORDS and depth == 0:
            return True
        if kind in ("public", "protected") and depth == 0:
            return False
        if kind == "end" and kinds[at + 1] == NAME:
            depth += 1
        elif kind in _CLASS_WORDS and kinds[at + 1] in (NAME, "extends") and kinds[at - 1] != "end":
            is_short = kinds[at + 1] == NAME and at + 2 < len(kinds) and kinds[at + 2] == "="
            if not is_short:
                if depth == 0:
                    return False
                depth -= 1
    return False
