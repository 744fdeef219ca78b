"""The graphs of `examples/bondgraphs`, built in Python: what the files say, said in another way."""

from __future__ import annotations

from collections.abc import Callable

from saltus.bondgraph import Graph, Node


def weight_and_body(name: str) -> tuple[Graph, Node, Node]:
    """Gravity pulls m_1, and there is a body I_1; both begin at rest."""
    g = Graph(name)
    weight = g.J1("weight")
    g.Se("gravity", e=9.8) >> weight >> g.I("m_1", I=1, p0=0)
    return g, weight, g.I("I_1", I=1, p0=0)


def fig3() -> Graph:
    g, weight, body = weight_and_body("Fig3")
    tension, rod, clutch = g.J0("tension"), g.X1("Sw_1"), g.X0("Sw_2")
    weight >> tension >> g.C("rope", C=0.02, q0=0)
    tension >> rod >> clutch >> body
    clutch >> g.R("R_1", R=2)
    g.machine(rod, "on", ("on", "off", "time >= 1"))
    g.machine(clutch, "on")
    g.experiment(stop=3)
    return g


def fig5() -> Graph:
    g = Graph("Fig5")
    clutch, shaft = g.X0("Sw_2"), g.J1("shaft")
    g.Sf("m_1", f="9.8*time") >> g.J1("rod") >> clutch
    g.bond(clutch, shaft, name="torque")
    shaft >> g.I("I_1", I=1)
    g.machine(clutch, "on", ("on", "off", "time >= 0.5 and time < 1"), ("off", "on", "time >= 1"))
    g.experiment(stop=1.5)
    return g


def fig6() -> Graph:
    g, weight, body = weight_and_body("Fig6")
    g.parameter("gain", 1)
    clutch, shaft = g.X0("Sw_2"), g.J1("shaft")
    weight >> g.TF("wheel", m="gain") >> g.J1("rod") >> clutch
    g.bond(clutch, shaft, name="torque")
    shaft >> body
    g.machine(clutch, "on", ("on", "off", "time >= 0.5 and time < 1"), ("off", "on", "time >= 1"))
    g.experiment(stop=1.5)
    return g


def fig7() -> Graph:
    g, weight, body = weight_and_body("Fig7")
    rod, clutch, shaft = g.X1("Sw_1"), g.X0("Sw_2"), g.J1("shaft")
    weight >> rod >> clutch
    g.bond(clutch, shaft, name="torque")
    shaft >> body
    slip = g.signal("slip", f"{body.f} - {rod.f}")
    g.machine(rod, "on", ("on", "off", "time >= 0.2"))
    g.machine(clutch, "on", ("on", "off", "torque.e < 0"), ("off", "on", f"{slip} < 0"))
    g.experiment(stop=0.4)
    return g


def fig11() -> Graph:
    g = Graph("Fig11")
    epsilon = g.parameter("epsilon", 1)
    body, contact = g.I("I_1", I=2, f0="-0.5/0.6"), g.X0("contact")
    g.Sf("wall", f=0) >> contact
    g.MSf("rule", f="kick") >> contact >> g.J1("body") >> body
    phi = g.signal("phi", f"integral({body.f}, 0.5)")
    g.memory("kick", 0)
    g.machine(
        contact,
        "off",
        ("off", "on", f"pre({phi}) <= 0 and pre({body.f}) < 0", {"kick": f"-{epsilon}*pre({body.f})"}),
        ("on", "off", f"pre({body.f}) > 0"),
    )
    g.experiment(stop=1.2)
    return g


def ladder() -> Graph:
    g = Graph("Ladder")
    inductance, capacitance = g.parameter("L", 1e-3), g.parameter("C", 1e-6)
    at: Node = g.Se("source", e=10)
    for k in (1, 2, 3):
        mesh, node = g.J1(f"m_{k}"), g.J0(f"n_{k}")
        at >> mesh >> node
        mesh >> g.I(f"l_{k}", I=inductance, p0=0)
        node >> g.C(f"c_{k}", C=capacitance, q0=0)
        at = node
    g["m_1"] >> g.R("R_s", R=30)
    at >> g.R("load", R=50)
    g.experiment(stop=1e-3)
    return g


def motor() -> Graph:
    g = Graph("Motor")
    mesh, shaft, axle = g.J1("mesh"), g.X1("shaft"), g.J1("axle")
    g.Se("battery", e=24) >> mesh >> g.I("coil", I=2e-3, p0=0)
    mesh >> g.R("windings", R=0.5)
    mesh >> g.GY("field", r=0.05) >> shaft >> g.I("rotor", I=1e-4, p0=0)
    shaft >> g.R("bearing", R=1e-4)
    shaft >> g.TF("gear", m=0.1) >> axle >> g.I("load", I=0.02)
    axle >> g.R("air", R=0.01)
    g.machine(shaft, "on", ("on", "off", "time >= 0.1 and time < 0.15"), ("off", "on", "time >= 0.15"))
    g.experiment(stop=0.3)
    return g


def accumulator() -> Graph:
    g = Graph("Accumulator")
    volume = g.parameter("V", 2)
    pump, valve, port = g.Se("pump", e="3*sin(2*time)"), g.X1("valve"), g.J0("port")
    gas = g.C("gas", e=f"1/(1 - q/{volume}) - 1", q0=0.1)
    pump >> valve >> g.R("pipe", R=0.5)
    g.bond(valve, port, name="inlet")
    port >> gas
    port >> g.R("load", R=4)
    g.machine(valve, "off", ("off", "on", f"{pump.e} > {gas.e}"), ("on", "off", f"{valve.f} < 0"))
    g.experiment(stop=10)
    return g


def boost() -> Graph:
    g = Graph("Boost")
    period, part = g.parameter("T", 1e-4), g.parameter("d", 0.4)
    mesh, node, diode, out = g.J1("mesh"), g.X0("node"), g.X1("diode"), g.J0("out")
    g.Se("battery", e=12) >> mesh >> g.I("coil", I=1e-3, p0=0)
    mesh >> g.R("wire", R=0.1)
    mesh >> node >> diode >> out >> g.R("load", R=20)
    out >> g.C("smoothing", C=1e-4, q0=12e-4)
    phase = g.signal("phase", f"time - {period}*floor(time/{period})")
    closed, opened = f"{phase} < {part}*{period}", f"{phase} >= {part}*{period}"
    g.machine(node, "off", ("off", "on", opened), ("on", "off", closed))
    g.machine(diode, "off", ("off", "on", f"{node.e} > {out.e}"), ("on", "off", f"{diode.f} < 0"))
    g.experiment(stop=5e-3)
    return g


def leg(g: Graph, name: str, other: str, planted: bool, foot: str) -> None:
    """One leg of the walker: it stands while its junction is off."""
    g.memory(f"foot_{name}", foot)
    stretch, ground = g.J0(f"leg_{name}"), g.X1(name)
    g["x"] >> g.MTF(f"{name}_x", m=f"(s_x - foot_{name})/l") >> stretch
    g["y"] >> g.MTF(f"{name}_y", m="s_y/l") >> stretch
    g.bond(stretch, ground, name=f"force_{name}")
    g.machine(
        ground,
        "off" if planted else "on",
        ("off", "on", f"force_{name}.e > 0", {f"foot_{name}": f"foot_{other} + 2*l*sin(alpha)"}),
        ("on", "off", f"s_x >= foot_{other} + l*sin(alpha)"),
    )


def walker() -> Graph:
    g = Graph("Walker")
    for name, value in {"m": 2, "l": 0.8, "g": 9.81, "alpha": 0.3, "gamma": 0.08, "omega": 1.2}.items():
        g.parameter(name, value)
    x, y = g.J1("x"), g.J1("y")
    along, up = g.I("along", I="m", f0="l*omega*cos(alpha)"), g.I("up", I="m")
    g.Se("pull", e="m*g*sin(gamma)") >> x >> along
    g.Se("weight", e="-m*g*cos(gamma)") >> y >> up
    g.signal("s_x", f"integral({along.f}, -l*sin(alpha))")
    g.signal("s_y", f"integral({up.f}, l*cos(alpha))")
    leg(g, "A", "B", planted=True, foot="0")
    leg(g, "B", "A", planted=False, foot="2*l*sin(alpha)")
    g.experiment(stop=4)
    return g


def gearbox() -> Graph:
    g = Graph("Gearbox")
    g.parameter("T", 0.2)
    torque = g.Se("torque", e=10)
    shafts = []
    bodies = {"engine": 0.2, "lay": 0.05, "main": 0.08, "load": 5}
    losses = {"oil": 0.05, "churning": 0.02, "bearing": 0.03, "air": 0.4}
    names = ("input_shaft", "lay_shaft", "main_shaft", "output_shaft")
    for name, (body, inertia), (loss, d) in zip(names, bodies.items(), losses.items(), strict=True):
        shaft = g.J1(name)
        shaft >> g.I(body, I=inertia, p0=0)
        shaft >> g.R(loss, R=d)
        shafts.append(shaft)
    torque >> shafts[0]
    g.signal("step", "floor(time/T)")
    g.signal("split", "mod(step, 3)")
    g.signal("gear", "mod(floor(step/3), 5)")
    g.signal("range", "mod(floor(step/15), 3)")
    groups = {"split": [0.8, 1], "gear": [0.25, 0.45, 0.7, 1], "range": [0.5, 1.25]}
    for (group, ratios), before, behind in zip(groups.items(), shafts, shafts[1:], strict=False):
        for k, ratio in enumerate(ratios, 1):
            clutch = g.X0(f"{group}_{k}")
            before >> clutch >> g.TF(f"{group}_wheels_{k}", m=ratio) >> behind
            away = f"abs({group} - {k})"
            g.machine(clutch, "off", ("off", "on", f"{away} < 0.5"), ("on", "off", f"{away} > 0.5"))
    g.experiment(stop=9)
    return g


#: By the names of the files.
BUILT: dict[str, Callable[[], Graph]] = {
    "Fig3": fig3, "Fig5": fig5, "Fig6": fig6, "Fig7": fig7, "Fig11": fig11, "Ladder": ladder, "Motor": motor,
    "Accumulator": accumulator, "Boost": boost, "Walker": walker, "Gearbox": gearbox,
}  # fmt: skip
