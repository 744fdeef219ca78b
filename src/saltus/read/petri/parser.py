"""Statements to nets: what places and transitions say.

    place queue(tokens = 3, capacity = 5)
    transition serve(priority = 2, delay = 1.5): queue + 2*staff -> 2*staff + served unless closed
      when level > 0.5 then level = 0

Expressions are read by the parser of Modelica. A statement with a fault is left out and the next one is read.
"""

from __future__ import annotations

from typing import NoReturn

from saltus.core.diagnostics import Diagnostic, ModelError
from saltus.core.nearest import did_you_mean
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.automata.net import Arc, Item, Net, Place, Transition
from saltus.read.lines.declarations import DECLARING, DeclaringStatement
from saltus.read.lines.reader import Reader
from saltus.read.lines.statements import arrow_at
from saltus.read.modelica.lexer import NAME, NUMBER
from saltus.read.modelica.token_stream import Fault

_OWN = ("place", "transition")
_WORDS = (*_OWN, *DECLARING, "end")
#: Words that people write who have learnt others.
_MEANT = {
    **dict.fromkeys(["node", "location", "buffer", "store", "resource", "token"], "place"),
    **dict.fromkeys(["event", "bar", "action", "activity", "trans"], "transition"),
}
_ARC = "write the arcs in the statement of the transition: `transition t: a + 2*b -> c`"
#: Arguments of places, transitions and nets.
PLACE_ARGUMENTS = ("tokens", "capacity")
TRANSITION_ARGUMENTS = ("priority", "delay")
NET_ARGUMENTS = ("capacity",)


def parse(source: Source) -> tuple[Net, ...]:
    """The nets of a text. Raises `ModelError` (E101, E201) with all faults of its form."""
    return _Reader(source).nets()


class _Statement(DeclaringStatement):
    """One statement of a net."""

    def item(self) -> Item:
        """What the statement says."""
        word = self.texts[0]
        if self.kinds[0] == NAME and self.kinds[1] == NAME and word in _OWN:
            return self._of_place() if word == "place" else self._of_transition()
        found = self.declared()
        return found if found is not None else self._unknown()

    def _unknown(self) -> NoReturn:
        word = self.texts[0]
        if self.kinds[0] != NAME:
            self.unexpected("a statement", hint=f"statements begin with {', '.join(_WORDS)}")
        if word in _WORDS:
            self.at = 1
            self.no_name(f"the {word}")
        if word in ("arc", "inhibitor", "arcs") or arrow_at(self.tokens, 1):
            self.fail("an arc is not a statement of its own", index=0, hint=_ARC)
        if self.kinds[1] == "=":
            what = f"write `signal {word} = ...`, `parameter {word} = ...` or `equation {word} = ...`"
            self.fail(f"`{word}` is not a statement of a net", index=0, hint=what)
        near = f"write `{_MEANT[word.lower()]}`" if word.lower() in _MEANT else None
        hint = near or did_you_mean(word, _WORDS[:-1]) or f"statements begin with {', '.join(_WORDS)}"
        raise Fault(
            Diagnostic("E201", f"there is no kind of statement `{word}`", self.token_span(0), hint=hint)
        )

    def _of_place(self) -> Place:
        self.at = 1
        name = self.name("the place")
        given = self.values(PLACE_ARGUMENTS, "a place")
        if self.kinds[self.at] == "=":
            self.unexpected("`(`", hint=f"write `place {name}(tokens = ...)`")
        return Place(
            self.starts[0],
            self.ends[-1],
            name,
            given.get("tokens"),
            given.get("capacity"),
            self.description_string(),
            self.span(1),
        )

    def _of_transition(self) -> Transition:
        self.at = 1
        name = self.name("the transition")
        given = self.values(TRANSITION_ARGUMENTS, "a transition")
        inputs: tuple[Arc, ...] = ()
        outputs: tuple[Arc, ...] = ()
        if self.kinds[self.at] != ":":
            self.unexpected("`:`", hint=f"write `transition {name}: a -> b`")
        self.at += 1
        if not arrow_at(self.tokens, self.at):
            inputs = self._arcs()
        if not self.arrow():
            hint = "write `a + 2*b -> c`: what is taken, an arrow, what is put"
            if self.kinds[self.at] == ",":
                hint = "places are joined by `+`"
            elif self.kinds[self.at] in (NAME, NUMBER):
                hint = "a weight is written `2*a`, and places are joined by `+`"
            self.unexpected("`->`", hint=hint)
        if self.kinds[self.at] in (NAME, NUMBER) and not self._at_word():
            outputs = self._arcs()
        inhibitors = self._inhibitors()
        condition, edge = self.condition()
        actions = self.actions()
        if self.kinds[self.at] == ",":
            self.unexpected("the end of the statement", hint="places are joined by `+`")
        return Transition(
            self.starts[0],
            self.ends[-1],
            name,
            inputs,
            outputs,
            inhibitors,
            condition,
            edge,
            given.get("delay"),
            self.priority_of(given.get("priority")),
            actions,
            self.description_string(),
            self.span(1),
        )

    def _at_word(self) -> bool:
        """Whether `unless` or `at` stands here, which no place is called if something follows."""
        return self.texts[self.at] in ("unless", "at") and self.kinds[self.at + 1] in (
            NAME,
            NUMBER,
            "not",
            "(",
        )

    def _inhibitors(self) -> tuple[Arc, ...]:
        if self.kinds[self.at] != NAME or self.texts[self.at] != "unless":
            return ()
        self.at += 1
        return self._arcs()

    def _arcs(self) -> tuple[Arc, ...]:
        found = [self._arc()]
        while self.kinds[self.at] == "+":
            self.at += 1
            found.append(self._arc())
        return tuple(found)

    def _arc(self) -> Arc:
        """`a`, `2*a` or `n*a`"""
        begin, weight = self.at, None
        if self.kinds[begin] == NUMBER or (self.kinds[begin] == NAME and self.kinds[begin + 1] == "*"):
            if self.kinds[begin + 1] != "*":
                self.at += 1
                self.unexpected("`*`", hint=f"a weight is written `{self.texts[begin]}*place`")
            weight = self._weight(begin)
            self.at = begin + 2
        place = self.name("a place")
        return Arc(self.starts[begin], self.ends[self.at - 1], place, weight)

    def _weight(self, at: int) -> ast.Expression:
        if self.kinds[at] == NAME:
            return ast.Reference(*self.span(at), ((self.texts[at], ()),))
        if not self.texts[at].isdigit():
            self.fail("a weight is a whole number", index=at, hint="tokens cannot be divided")
        return ast.Number(*self.span(at), int(self.texts[at]))


class _Reader(Reader[_Statement]):
    """Goes through the statements."""

    statement_class = _Statement
    continuing = frozenset(["unless", "at"])

    def nets(self) -> tuple[Net, ...]:
        found = []
        while self.at < len(self.parts):
            found.append(self._net())
        if not found and not self.errors:
            hint = "a file holds a net: `net NAME`, its places and transitions, `end NAME`"
            where = Span(self.source, 0, 0)
            self.complain(Diagnostic("E101", "there is no net in this text", where, hint=hint))
        if self.errors:
            raise ModelError(self.errors)
        return tuple(found)

    def _net(self) -> Net:
        head = self.next()
        name, description, items = "", "", list[Item]()
        capacity: ast.Expression | None = None

        def read_head() -> None:
            nonlocal name, description, capacity
            if head.texts[0] != "net" or head.kinds[0] != NAME:
                hint = "a net begins with `net NAME`"
                if head.kinds[0] in ("model", "package", "within", "block", "class"):
                    hint = "this is Modelica: let the name of the file end with .mo"
                    self.at = len(self.parts)  # nothing of it can be read
                head.unexpected("`net`", hint=hint)
            head.at = 1
            name = head.name("the net")
            capacity = head.values(NET_ARGUMENTS, "a net").get("capacity")
            description = head.description_string()

        self.read(head, read_head)
        while self.at < len(self.parts):
            statement = self.next()
            if statement.kinds[0] == "end":
                self.read(statement, lambda s=statement: s.end(name, head))  # type: ignore[misc]
                return Net(head.starts[0], statement.ends[-1], name, description, tuple(items), capacity)
            if statement.texts[0] == "net" and statement.kinds[:2] == [NAME, NAME]:
                self.at -= 1
                break
            self.read(statement, lambda s=statement: items.append(s.item()))  # type: ignore[misc]
        if name:
            self.complain(self.missing_end("net", name, head))
        end = self.parts[self.at - 1].ends[-1]
        return Net(head.starts[0], end, name, description, tuple(items), capacity)
