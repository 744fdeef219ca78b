"""Graphs to classes of Modelica: parts of `Saltus.BondGraphs`, connected.

Everything keeps the places of the text, so that all later messages quote it. An element becomes a component
of its name, a bond a connection (with a component in between if it has a name), a signal a variable with a
binding.

A machine becomes one equation for the location in which it is *now*. With two locations that is

    sw.on = if initial() then false elseif sw.on then not (from on to off) else (from off to on)

with the conditions of its transitions. Its solutions are the locations in which no transition is enabled by
the values of their own mode. Within an instant a run tries the location before it, then the one to which the
values lead, and so on, while left limits are frozen: that is the event iteration of hybrid bond graphs
(Mosterman, Biswas, Otter 1998, algorithm 1), and modes that are tried and left are mythical. Conditions with
`pre` (`prior`) see what is kept of the mode before, so that a mode they lead away from has been there, and
has changed the state: a pinnacle. Initial values are those before the start; what the conditions say about
them is the first event, so that a clutch that closes at the start shares the momenta there are. A storage
whose initial value the initial location contradicts is cut off by a controlled junction of its own until then
(`starts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from saltus.core.diagnostics import model_error
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.automata.automaton import Automaton, Transition
from saltus.ir.automata.lines import Argument, Memory, Parameter, Signal
from saltus.ir.bonds.graph import CONTROLLED, KINDS, OFF, ON, Bond, Element, Graph, Machine, Ports
from saltus.read.bondgraph.prior import Priors, is_boolean
from saltus.read.bondgraph.starts import held_apart
from saltus.read.lines.pieces import (
    component,
    declared,
    equal,
    initially,
    joined,
    library_class,
    literal,
    modifier,
    negated,
    path,
    rebuilt,
    truth,
)
from saltus.read.lines.stored import model_class

#: Kind and argument of the law -> class, its argument, and the names that its formula may use for its own.
_CLASSES: dict[tuple[str, str], tuple[str, str, str]] = {
    ("Se", "e"): ("Se", "value", ""),
    ("Sf", "f"): ("Sf", "value", ""),
    ("MSe", "e"): ("MSe", "u", ""),
    ("MSf", "f"): ("MSf", "u", ""),
    ("C", "C"): ("C", "C", ""),
    ("C", "e"): ("NonlinearC", "effort", "q"),
    ("I", "I"): ("I", "I", ""),
    ("I", "f"): ("NonlinearI", "velocity", "p"),
    ("R", "R"): ("R", "R", ""),
    ("R", "e"): ("NonlinearR", "effort", "f"),
    ("R", "f"): ("NonlinearG", "current", "e"),
    ("MR", "R"): ("MR", "R", ""),
    ("TF", "m"): ("TF", "m", ""),
    ("GY", "r"): ("GY", "r", ""),
    ("MTF", "m"): ("MTF", "m", ""),
    ("MGY", "r"): ("MGY", "r", ""),
}
_START = {"q0": "q", "p0": "p", "e0": "e", "f0": "f"}
INTEGRAL = "integral"
LIBRARY = ("Saltus", "BondGraphs")


def to_class(graph: Graph, source: Source) -> ast.ClassDefinition:
    """The model of a graph that was checked. Raises `ModelError` where expressions say what they cannot."""
    return _Lowering(graph, source).definition()


class _Lowering:
    def __init__(self, graph: Graph, source: Source) -> None:
        self.graph = graph
        self.source = source
        self.priors = Priors(graph, source)
        self.machines = {m.name: m for m in graph.machines}
        self.names = {name for name, _, _ in graph.named()}
        self.taken: dict[tuple[str, str], int] = {}
        self.held = held_apart(graph)

    def definition(self) -> ast.ClassDefinition:
        graph = self.graph
        elements: list[ast.Element] = []
        items: list[ast.Item] = []
        for item in graph.items:
            match item:
                case Parameter():
                    self._plain(item.value)
                    elements.append(
                        declared(item, item.name, self._type(item.value), item.value, "parameter")
                    )
                case Element():
                    elements.append(self._element(item))
                    if item.name in self.held:
                        elements.append(self._keeper(item))
                        items += self._kept_apart(item)
                    elif graph.is_lone(item.name):
                        for port in self._open_ports(item):
                            elements.append(self._nothing(item, port))
                            items.append(self._ended(item, port))
                case Bond():
                    if item.name:
                        type_name = library_class(item, *LIBRARY, "NamedBond")
                        declaration = ast.Declaration(
                            item.start, item.end, item.name, description=item.description
                        )
                        elements.append(
                            ast.ComponentClause(item.start, item.end, type_name, (), (declaration,))
                        )
                    items += self._connections(item)
                case Signal():
                    elements.append(self._signal(item, items))
                case Memory():
                    elements.append(self._memory(item))
                case Machine():
                    elements += self._location(item)
                    items += self._machine(item)
        items += self._memories()
        for name, value in self.priors.variables.items():
            elements.append(declared(value, name, "Boolean", value))
        return model_class(graph, elements, items)

    # ------------------------------------------------------------ elements

    def _element(self, element: Element) -> ast.ComponentClause:
        kind = KINDS[element.kind]
        arguments: list[ast.ElementModification] = []
        law = element.argument(*kind.law)
        name = element.kind
        if law is not None:
            name, target, own = _CLASSES[element.kind, law.name]
            self._plain(law.value)
            arguments.append(modifier(law, (target,), self._own(element, law, own)))
        start = element.argument(*kind.start)
        if start is not None:
            self._plain(start.value)
            arguments += self._start(start)
        into = sum(b.head == element.name for b in self.graph.bonds)
        out = sum(b.tail == element.name for b in self.graph.bonds)
        if kind.ports is Ports.ANY:
            arguments.append(modifier(element, ("nIn",), literal(element, into)))
            arguments.append(modifier(element, ("nOut",), literal(element, out)))
        elif kind.ports is Ports.EITHER and into:
            arguments.append(modifier(element, ("inward",), truth(element, True)))
        if element.kind in CONTROLLED:
            machine = self.machines[element.name]
            begins = truth(element, machine.automaton.initial in machine.on)
            on = ast.Modification(element.start, element.end, (modifier(element, ("start",), begins),))
            arguments.append(ast.ElementModification(element.start, element.end, ("on",), on))
        modification = ast.Modification(element.start, element.end, tuple(arguments)) if arguments else None
        declaration = ast.Declaration(
            *element.named, element.name, modification=modification, description=element.description
        )
        return ast.ComponentClause(
            element.start, element.end, library_class(element, *LIBRARY, name), (), (declaration,)
        )

    # ------------------------------------------------------------ what is not joined

    def _keeper(self, element: Element) -> ast.ComponentClause:
        """The junction that keeps a storage from its bond until the start: an open clutch, an open switch."""
        kind = "X0" if element.kind == "I" else "X1"
        on = modifier(element, ("start",), truth(element, False))
        arguments = (
            modifier(element, ("nIn",), literal(element, 1)),
            modifier(element, ("nOut",), literal(element, 1)),
            ast.ElementModification(
                element.start, element.end, ("on",), ast.Modification(element.start, element.end, (on,))
            ),
        )
        return component(element, (*LIBRARY, kind), keeper_name(element.name), arguments)

    def _kept_apart(self, element: Element) -> Iterator[ast.Item]:
        keeper = keeper_name(element.name)
        out = ast.Reference(element.start, element.end, ((keeper, ()), ("out", (literal(element, 1),))))
        yield ast.Connect(element.start, element.end, out, path(element, element.name, "bond"))
        yield ast.SimpleEquation(
            element.start, element.end, path(element, keeper, "on"), negated(initially(element))
        )

    def _open_ports(self, element: Element) -> Iterator[str]:
        """Where an element without bonds is to meet the effort zero; what is open has no flow, which is all
        that the others need."""
        law = element.argument(*KINDS[element.kind].law)
        if element.kind in ("I", "Sf", "MSf") or (
            element.kind == "R" and law is not None and law.name == "f"
        ):
            yield "bond"
        elif element.kind in ("TF", "MTF"):
            yield "out"

    def _nothing(self, element: Element, port: str) -> ast.ComponentClause:
        return component(element, (*LIBRARY, "Se"), _end_name(element, port), ())

    def _ended(self, element: Element, port: str) -> ast.Connect:
        end = path(element, _end_name(element, port), "bond")
        return ast.Connect(element.start, element.end, path(element, element.name, port), end)

    def _own(self, element: Element, law: Argument, own: str) -> ast.Expression:
        """The formula of a law, in which the element's own variable may stand without its name."""
        if not own or own in self.names:
            return law.value

        def change(node: Any) -> Any:
            if isinstance(node, ast.Reference) and node.parts == ((own, ()),) and not node.absolute:
                return ast.Reference(node.start, node.end, ((element.name, ()), (own, ())))
            return None

        return rebuilt(law.value, change)  # type: ignore[no-any-return]

    def _start(self, start: Argument) -> Iterator[ast.ElementModification]:
        variable = _START[start.name]
        values = [modifier(start, ("fixed",), truth(start, True))]
        if start.name in ("e0", "f0"):
            values.insert(0, modifier(start, ("start",), start.value))
        else:
            yield modifier(start, (start.name,), start.value)
        inside = ast.Modification(start.start, start.end, tuple(values))
        yield ast.ElementModification(start.start, start.end, (variable,), inside)

    # ------------------------------------------------------------ bonds

    def _connections(self, bond: Bond) -> Iterator[ast.Connect]:
        tail = self._end(bond, bond.tail, bond.tail_at, "out")
        head = self._end(bond, bond.head, bond.head_at, "into")
        if not bond.name:
            yield ast.Connect(bond.start, bond.end, tail, head)
            return
        for left, right in ((tail, "into"), (head, "out")):
            yield ast.Connect(bond.start, bond.end, left, path(bond, bond.name, right))

    def _end(self, bond: Bond, name: str, place: ast.Offsets, side: str) -> ast.Reference:
        """The connector of an element at an end of a bond; those of junctions are counted."""
        ports = KINDS[self.graph.element(name).kind].ports
        if ports is Ports.ANY:
            number = self.taken[name, side] = self.taken.get((name, side), 0) + 1
            return ast.Reference(*place, ((name, ()), (side, (ast.Number(*place, number),))))
        if name in self.held:
            return ast.Reference(*place, ((keeper_name(name), ()), ("into", (ast.Number(*place, 1),))))
        port = side if ports is Ports.THROUGH else "bond"
        return ast.Reference(*place, ((name, ()), (port, ())))

    # ------------------------------------------------------------ signals

    def _plain(self, value: ast.Expression) -> None:
        """Refuses in an ordinary expression what only conditions and signals may say."""
        self.priors.refuse(value)
        self._no_integral(value)

    def _no_integral(self, value: Any) -> None:
        def change(node: Any) -> Any:
            if isinstance(node, ast.Call) and node.function.text == INTEGRAL:
                raise model_error(
                    "E209",
                    "an integral stands alone",
                    Span(self.source, node.start, node.end),
                    hint="give it a name: `signal x = integral(u, start)`",
                )
            return None

        rebuilt(value, change)

    def _type(self, value: ast.Expression) -> str:
        return "Boolean" if is_boolean(value, self.graph) else "Real"

    def _signal(self, signal: Signal, items: list[ast.Item]) -> ast.ComponentClause:
        value = signal.value
        if not (isinstance(value, ast.Call) and value.function.text == INTEGRAL):
            self._no_integral(value)
            if is_boolean(value, self.graph):
                value = self.priors.condition(value)
            self.priors.refuse(value)
            return declared(signal, signal.name, self._type(value), value)
        if not 1 <= len(value.args) <= 2 or value.named:
            span = Span(self.source, value.start, value.end)
            hint = "write `integral(u)` or `integral(u, START)`"
            raise model_error(
                "E212", "an integral has an integrand and a value at the start", span, hint=hint
            )
        for argument in value.args:
            self._plain(argument)
        der = ast.Call(value.start, value.end, path(value, "der"), (path(signal, signal.name),))
        items.append(ast.SimpleEquation(signal.start, signal.end, der, value.args[0]))
        start = value.args[1] if len(value.args) > 1 else literal(value, 0)
        # It only observes: bonds that its value modulates are determined by it, never the other way round.
        always = modifier(value, ("stateSelect",), path(value, "StateSelect", "always"))
        return self._started(signal, "Real", start, always)

    def _started(
        self, node: Signal | Memory, type_name: str, start: ast.Expression, *more: ast.ElementModification
    ) -> ast.ComponentClause:
        given = (modifier(node, ("start",), start), modifier(node, ("fixed",), truth(node, True)), *more)
        modification = ast.Modification(node.start, node.end, given)
        return declared(node, node.name, type_name, modification=modification)

    def _memory(self, memory: Memory) -> ast.ComponentClause:
        self._plain(memory.value)
        return self._started(memory, self._type(memory.value), memory.value)

    # ------------------------------------------------------------ machines

    def _simple(self, machine: Machine) -> bool:
        """Whether being on says where the machine is."""
        return len(machine.automaton.names) == 2 or len(machine.automaton.reachable()) == 1

    def _location(self, machine: Machine) -> Iterator[ast.ComponentClause]:
        """The variables that say where it is, if there are more than two places: the binary digits of its
        number, and the number."""
        if self._simple(machine):
            return
        name = location_name(machine)
        if name in self.names:
            message = f"`{name}` is the location of the machine `{machine.name}`"
            span = Span(self.source, machine.start, machine.start + len("machine"))
            raise model_error("E202", message, span, hint="choose another name for what is declared so")
        names = machine.automaton.names
        begin = names.index(machine.automaton.initial)
        for digit in range(_digits(machine)):
            start = modifier(machine, ("start",), truth(machine, bool(begin >> digit & 1)))
            given = ast.Modification(machine.start, machine.end, (start,))
            yield declared(machine, _digit_name(machine, digit), "Boolean", modification=given)
        yield declared(machine, name, "Integer")

    def _machine(self, machine: Machine) -> Iterator[ast.Item]:
        automaton = machine.automaton
        on = path(machine, machine.name, "on")
        if len(automaton.reachable()) == 1:
            begins = truth(machine, automaton.initial in machine.on)
            yield ast.SimpleEquation(machine.start, machine.end, on, begins)
            return
        if self._simple(machine):
            leave, enter = (self._any(automaton, location) for location in (ON, OFF))
            begins = truth(machine, automaton.initial in machine.on)
            ways = ((initially(machine), begins), (on, negated(leave)))
            value = ast.IfExpression(machine.start, machine.end, ways, enter)
            yield ast.SimpleEquation(machine.start, machine.end, on, value)
            return
        names = automaton.names
        for digit in range(_digits(machine)):
            own = path(machine, _digit_name(machine, digit))
            yield ast.SimpleEquation(machine.start, machine.end, own, self._next(machine, digit))
        number = self._case(machine, [literal(machine, k + 1) for k in range(len(names))])
        yield ast.SimpleEquation(machine.start, machine.end, path(machine, location_name(machine)), number)
        working = self._case(machine, [truth(machine, name in machine.on) for name in names])
        yield ast.SimpleEquation(machine.start, machine.end, on, working)

    def _next(self, machine: Machine, digit: int) -> ast.Expression:
        """A digit of the number of the location to which the machine goes. All digits of the present number
        stand in it: they are found together."""
        automaton = machine.automaton
        names = automaton.names

        def of(name: str) -> ast.Boolean:
            return truth(machine, bool(names.index(name) >> digit & 1))

        values: list[ast.Expression] = []
        for name in names:
            ways = tuple((self._guard(t), of(t.target)) for t in automaton.leaving(name))
            values.append(ast.IfExpression(machine.start, machine.end, ways, of(name)) if ways else of(name))
        begin = ((initially(machine), of(automaton.initial)),)
        return ast.IfExpression(machine.start, machine.end, begin, self._case(machine, values))

    def _case(self, machine: Machine, values: Sequence[ast.Expression]) -> ast.Expression:
        """The value for the location in which the machine is."""
        branches = tuple((self._at(machine, k), value) for k, value in enumerate(values[:-1]))
        return ast.IfExpression(machine.start, machine.end, branches, values[-1])

    def _at(self, machine: Machine, number: int) -> ast.Expression:
        """Whether the digits are those of a number."""
        digits = []
        for digit in range(_digits(machine)):
            one = path(machine, _digit_name(machine, digit))
            digits.append(one if number >> digit & 1 else negated(one))
        return joined("and", digits)

    def _guard(self, transition: Transition) -> ast.Expression:
        guard = self.priors.condition(transition.guard)
        self.priors.refuse(guard)
        self._no_integral(guard)
        return guard

    def _any(self, automaton: Automaton, location: str) -> ast.Expression:
        """Whether a transition leads away from a location."""
        guards = [self._guard(t) for t in automaton.leaving(location)]
        return joined("or", guards) if guards else truth(automaton, False)

    def _memories(self) -> Iterator[ast.WhenEquation]:
        """For each memory, what transitions set it to."""
        branches: dict[str, list[tuple[ast.Expression, tuple[ast.Item, ...]]]] = {}
        for machine in self.graph.machines:
            for transition in machine.automaton.transitions:
                for action in transition.actions:
                    self._no_integral(action.value)
                    set_ = ast.SimpleEquation(action.start, action.end, action.target, action.value)
                    taken = self._taken(machine, transition)
                    branches.setdefault(action.target.text, []).append((taken, (set_,)))
        for memory in self.graph.memories:
            if memory.name in branches:
                yield ast.WhenEquation(memory.start, memory.end, tuple(branches[memory.name]))

    def _taken(self, machine: Machine, transition: Transition) -> ast.Expression:
        """Whether a transition is taken in an instant."""
        if self._simple(machine):
            on = path(transition, machine.name, "on")
            before = ast.Call(transition.start, transition.end, path(transition, "pre"), (on,))
            if transition.target in machine.on:
                return joined("and", [on, negated(before)])
            return joined("and", [negated(on), before])
        here = path(transition, location_name(machine))
        before = ast.Call(transition.start, transition.end, path(transition, "pre"), (here,))
        names = machine.automaton.names
        is_target = equal(transition, here, names.index(transition.target) + 1)
        was_source = equal(transition, before, names.index(transition.source) + 1)
        return joined("and", [is_target, was_source])


def _digits(machine: Machine) -> int:
    return max(1, (len(machine.automaton.names) - 1).bit_length())


def _digit_name(machine: Machine, digit: int) -> str:
    """The name of a variable that no text can use by accident."""
    return f"'{machine.name} digit {digit}'"


def keeper_name(storage: str) -> str:
    """The name of the junction that separates a storage from its bond until the start."""
    return f"'{storage} from the start'"


def _end_name(element: Element, port: str) -> str:
    return f"'nothing at {element.name}.{port}'"


def location_name(machine: Machine) -> str:
    """The variable that says in which location a machine with more than two is, counted from one."""
    return f"{machine.name}_location"
