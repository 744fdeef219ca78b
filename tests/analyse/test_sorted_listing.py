"""The listing of sorted equations, on the switch circuit of paper 000 (its figure of sorted equations)."""

from __future__ import annotations

from analyse_models import Model

from saltus.analyse.analysis import analyse
from saltus.expr.nodes import TIME, ZERO, Op, Type, call, const, der, if_, neg, not_, ref
from saltus.show.listings.sorted import sorted_equations


def switch_circuit() -> Model:
    m = Model()
    r1, c = m.parameter("R1.R", binding=const(10.0)), m.parameter("C.C", binding=const(0.001))
    r2 = m.parameter("R2.R", binding=const(50.0))
    u = m.state("C.u", start=ZERO)
    names = ["C.Va", "C.Vb", "C.i", "R1.u", "R1.i", "Sw.i", "Sw.u", "Sw.Va", "I0.u", "R2.u", "R2.i", "i"]
    v = {name: m.algebraic(name) for name in names}
    opened = m.discrete("Sw.OpenSw", Type.BOOLEAN)
    m.equation(v["C.Vb"], ZERO, "Common")
    m.equation(u, v["C.Va"] - v["C.Vb"], "C")
    m.equation(v["R1.u"], v["Sw.Va"] - v["C.Vb"], "R1")
    m.equation(r1 * v["R1.i"], v["R1.u"], "R1")
    m.equation(v["Sw.i"] + v["R1.i"], v["i"])
    m.equation(ZERO, if_(opened, v["Sw.i"], v["Sw.u"]), "Sw")
    m.equation(v["Sw.u"], v["Sw.Va"] - v["C.Va"], "Sw")
    m.equation(v["I0.u"], v["Sw.Va"] - v["C.Vb"], "I0")
    m.equation(v["R2.u"], v["C.Va"] - v["C.Vb"], "R2")
    m.equation(r2 * v["R2.i"], v["R2.u"], "R2")
    m.equation(v["C.i"] + v["R2.i"], v["Sw.i"])
    m.equation(c * der(u), v["C.i"], "C")
    m.equation(opened, m.relation(Op.GT, TIME - 1.0), "Sw")
    m.equation(v["i"], call("sin", TIME))
    return m


def parts(model: Model) -> dict[str, list[str]]:
    structure = analyse(model.build())
    structure.verify()
    found: dict[str, list[str]] = {}
    for line in sorted_equations(structure).splitlines():
        if line.startswith(("SORTED", "ELIMINATED")):
            current = found.setdefault(line, [])
        elif line.strip():
            current.append(line)
    return found


def test_loop_of_the_paper_is_marked_and_no_other_equation() -> None:
    lines = parts(switch_circuit())["SORTED EQUATIONS"]
    marked = [" ".join(line.split()) for line in lines if line.startswith("|")]
    assert marked == [
        "| R1. [u] = Sw.Va - C.Vb",
        "| R*[i] = u",
        "| M. [Sw.i] + R1.i = i",
        "| Sw. 0.0 = if OpenSw then i else [u]",
        "| u = [Va] - C.Va",
    ]
    others = [" ".join(line.split()) for line in lines if not line.startswith("|")]
    assert others[0] == "Common. [C.Vb] = 0.0"
    assert others[1] == "C. u = [Va] - Vb"
    assert others[-1] == "C. C*[der(u)] = i"
    assert len(lines) == 14 and all(line.count("[") == 1 for line in lines)


def test_equations_are_aligned_behind_their_prefixes() -> None:
    lines = parts(switch_circuit())["SORTED EQUATIONS"]
    assert lines[3] == "          R*[i] = u" and lines[2] == "  R2.     [u] = C.Va - C.Vb"


def test_solved_part() -> None:
    lines = [line.strip() for line in parts(switch_circuit())["SORTED AND SOLVED EQUATIONS"]]
    start, end = (i for i, line in enumerate(lines) if "SIMULTANEOUS" in line)
    assert lines[start] == "SYSTEM OF 5 SIMULTANEOUS EQUATIONS"
    assert lines[start + 1 : start + 7] == ["UNKNOWN VARIABLES", "R1.u", "R1.i", "Sw.i", "Sw.u", "Sw.Va"]
    assert lines[end] == "END OF SYSTEM OF SIMULTANEOUS EQUATIONS"
    torn = lines[lines.index("-- The system of equations is linear.") + 1 : end]
    assert torn[:3] == ["TEARING VARIABLES", "R1.i", "FROM WHICH FOLLOW"]
    assert [" ".join(line.split()) for line in torn[-2:]] == [
        "RESIDUAL EQUATIONS",
        "Sw. 0.0 = if OpenSw then i else u",
    ]
    assert " ".join(lines[1].split()) == "C. Va = u + Vb"
    assert lines[-1].endswith("der(u) = i/C")


def test_relations_are_shown_as_written_and_aliases_are_listed() -> None:
    m = Model()
    x, a = m.state("x", start=ZERO), m.algebraic("a")
    b = m.discrete("b", Type.BOOLEAN)
    r = m.relation(Op.GT, x - 1.0)
    object.__setattr__(m.relations[0], "text", "x > 1")
    m.equation(a, neg(x))
    m.equation(der(x), if_(b, a, ZERO))
    m.equation(b, not_(r))
    found = parts(m)
    assert found["SORTED EQUATIONS"][0] == "  [b] = not x > 1"
    assert found["ELIMINATED VARIABLES"] == ["  a = -x"]


def test_short_name_that_means_something_else_is_not_used() -> None:
    m = Model()
    outer, inner = m.algebraic("u"), m.algebraic("r.u")
    m.equation(outer, TIME)
    m.equation(inner, 2.0 * outer, "r")
    assert parts(m)["SORTED EQUATIONS"][1] == "  r. [r.u] = 2.0*u"


def test_single_nonlinear_equation_is_a_system_of_one() -> None:
    m = Model()
    a = m.algebraic("a")
    m.equation(call("cos", a), ref(a.data))
    lines = parts(m)["SORTED AND SOLVED EQUATIONS"]
    assert lines[0] == "SYSTEM OF 1 SIMULTANEOUS EQUATION"
    assert lines[-2] == "  -- The system of equations is nonlinear."
