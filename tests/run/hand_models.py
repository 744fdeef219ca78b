"""Hybrid models written by hand, for tests that need a run but no text.

Every equation gets a source of its own, so that messages can be checked for their places.
"""

from saltus.analyse.analysis import analyse
from saltus.core.source import Source, Span
from saltus.emit.build import build
from saltus.emit.llvm.jit import native_machine
from saltus.expr.helpers import Helper
from saltus.expr.nodes import (
    ONE,
    TRUE,
    Op,
    Symbol,
    Type,
    and_,
    const,
    der,
    if_,
    not_,
    pre,
    ref,
)
from saltus.ir.flat import Equation, Variability, Variable
from saltus.ir.hybrid import Check, Clock, Ending, HybridModel, Jump, Relation
from saltus.run.integrators.sundials import symbols
from saltus.run.schedule.settings import Settings
from saltus.run.simulate import simulate


def place(text):
    source = Source("hand.mo", text)
    return Span(source, 0, len(text))


def lift(value):
    return const(value) if isinstance(value, bool | int | float | str) else value


class Model:
    """Collects the parts of a HybridModel; its methods give references."""

    def __init__(self, name):
        self.name = name
        self.variables = {"parameter": [], "state": [], "algebraic": [], "discrete": []}
        self.order = []
        self.parts = {
            k: [] for k in ("equations", "initial", "relations", "clocks", "jumps", "checks", "endings")
        }

    def _variable(self, kind, name, variability, type=Type.REAL, helper=None, **attributes):
        for key in ("start", "nominal", "binding", "minimum", "maximum"):
            if attributes.get(key) is not None:
                attributes[key] = lift(attributes[key])
        symbol = Symbol(name, type, helper=helper)
        v = Variable(symbol, variability, place(f"{type.value} {name};"), **attributes)
        self.variables[kind].append(v)
        self.order.append(v)
        return ref(v.symbol)

    def parameter(self, name, value, type=Type.REAL, **attributes):
        return self._variable("parameter", name, Variability.PARAMETER, type, binding=value, **attributes)

    def state(self, name, start=0.0, **attributes):
        attributes.setdefault("fixed", True)
        return self._variable("state", name, Variability.CONTINUOUS, start=start, **attributes)

    def algebraic(self, name, **attributes):
        return self._variable("algebraic", name, Variability.CONTINUOUS, **attributes)

    def discrete(self, name, type=Type.BOOLEAN, **attributes):
        return self._variable("discrete", name, Variability.DISCRETE, type, **attributes)

    def equation(self, lhs, rhs, text=None):
        text = text or f"{lhs!r} = {rhs!r};"
        self.parts["equations"].append(Equation(lhs, lift(rhs), place(text)))

    def initially(self, lhs, rhs):
        self.parts["initial"].append(Equation(lhs, lift(rhs), place(f"initial {lhs!r} = {rhs!r};")))

    def relation(self, op, residue, text, slope=None, offset=None, nominal=1.0):
        name = Helper.RELATION.numbered(len(self.parts["relations"]))
        symbol = Symbol(name, Type.BOOLEAN, helper=Helper.RELATION)
        self.parts["relations"].append(
            Relation(
                symbol,
                op,
                residue,
                lift(nominal),
                text,
                place(text),
                slope=None if slope is None else lift(slope),
                offset=None if offset is None else lift(offset),
            )
        )
        return ref(symbol)

    def after(self, instant):
        """time >= instant, as a time event."""
        from saltus.expr.nodes import TIME

        instant = lift(instant)
        return self.relation(Op.GE, TIME - instant, f"time >= {instant!r}", ONE, -instant)

    def clock(self, start, interval):
        name = Helper.CLOCK.numbered(len(self.parts["clocks"]))
        symbol = Symbol(name, Type.BOOLEAN, helper=Helper.CLOCK)
        self.parts["clocks"].append(Clock(symbol, lift(start), lift(interval), place("sample(...)")))
        return ref(symbol)

    def edge(self, condition, text="when"):
        """A condition variable as lowering makes it, and its edge."""
        name = Helper.WHEN.numbered(len(self.variables["discrete"]))
        c = self.discrete(name, helper=Helper.WHEN, start=False)
        self.equation(c, condition, text)
        return and_(c, not_(pre(c)))

    def when(self, edge, target, value):
        self.equation(target, if_(edge, lift(value), pre(target)))

    def reinit(self, edge, state, value):
        self.parts["jumps"].append(Jump(state.data, edge, lift(value), place(f"reinit({state!r})")))

    def check(self, condition, message, warning=False, guard=TRUE):
        self.parts["checks"].append(Check(guard, condition, lift(message), warning, place("assert(...)")))

    def terminate(self, edge, message):
        self.parts["endings"].append(Ending(edge, lift(message), place("terminate(...)")))

    def hybrid(self):
        p = self.parts
        model = HybridModel(
            self.name,
            place(f"model {self.name}"),
            (),
            tuple(self.variables["parameter"]),
            tuple(self.variables["state"]),
            tuple(self.variables["algebraic"]),
            tuple(self.variables["discrete"]),
            tuple(p["equations"]),
            tuple(p["initial"]),
            tuple(p["relations"]),
            tuple(p["clocks"]),
            tuple(p["jumps"]),
            tuple(p["checks"]),
            tuple(p["endings"]),
            order=tuple(self.order),
        )
        model.verify()
        return model

    def compiled(self):
        structure = analyse(self.hybrid())
        program = build(structure)
        return structure, program, native_machine(program, symbols())

    def run(self, progress=None, **settings):
        return simulate(*self.compiled(), Settings(**settings), progress)


def bouncing_ball(restitution=0.7, height=1.0, velocity=0.0):
    """der(h) = v, der(v) = -g; when h <= 0 then reinit(v, -e*pre(v)), n = pre(n) + 1."""
    m = Model("Ball")
    g = m.parameter("g", 9.81)
    e = m.parameter("e", restitution)
    h = m.state("h", height)
    v = m.state("v", velocity)
    n = m.discrete("n", Type.INTEGER, start=0, fixed=True)
    m.equation(der(h), v)
    m.equation(der(v), -g)
    hit = m.edge(m.relation(Op.LE, h, "h <= 0"), "when h <= 0 then")
    m.when(hit, n, pre(n) + 1)
    m.reinit(hit, v, -e * pre(v))
    return m
