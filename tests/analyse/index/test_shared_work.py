"""Modes share what they have in common: entering one more costs what its own equations cost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import saltus
from saltus.analyse.analysis import Analysis
from saltus.analyse.blocks import blocks, tangent
from saltus.analyse.index import derivatives
from saltus.ir.sorted.modes import Mode


def chain(cells: int) -> str:
    """Coils and capacitors in a row; each of the first two capacitors has an ideal diode across it. The power
    of a cell is a product, so that its derivatives have something to say; at the end there is a loop."""
    lines = ["model Chain", "  Real source = 10*sin(314*time);"]
    for k in range(cells):
        lines.append(f"  Real i{k}(start = 0, fixed = true), v{k}(start = 0, fixed = true), c{k}, p{k};")
    lines += ["  Real d[2], s[2]; Boolean off[2];", "  Real x, y;", "equation"]
    lines += [f"  x + y = v{cells - 1};", f"  x - 2*y = i{cells - 1};"]
    for k in range(cells):
        before, after = f"v{k - 1}" if k else "source", f"i{k + 1}" if k + 1 < cells else "0"
        lines += [
            f"  1e-3*der(i{k}) = {before} - v{k} - 10*i{k};",
            f"  1e-6*der(v{k}) = c{k};",
            f"  c{k} = i{k} - {after}{f' - d[{k + 1}]' if k < 2 else ''};",
            f"  p{k} = v{k}*i{k};",
        ]
    for k in range(2):
        n = k + 1
        lines += [
            f"  off[{n}] = s[{n}] < 0;",
            f"  v{k} = if off[{n}] then s[{n}] else 0;",
            f"  d[{n}] = if off[{n}] then 0 else s[{n}];",
        ]
    return "\n".join([*lines, "end Chain;"])


def work(cells: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often equations were solved or differentiated for one more mode, after its neighbours."""
    model = saltus.load(chain(cells))
    analysis = Analysis(model.hybrid)
    guards = analysis.fixing.guards()
    assert len(guards) == 2, "a guard for each diode"
    first, second = guards
    values = {v.symbol.name: 0.0 for v in (*model.hybrid.states, *model.hybrid.algebraics)}
    for one, other in ((0.0, 0.0), (1.0, 1.0), (0.0, 1.0)):
        analysis.in_mode(Mode(((first, one), (second, other))), values)
    calls: dict[str, int] = {}

    def counted(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def wrapper(*args: object) -> object:
            calls[name] = calls.get(name, 0) + 1
            return function(*args)

        return wrapper

    with monkeypatch.context() as patch:
        for module, name in (
            (blocks, "solve"),
            (blocks, "tear"),
            (derivatives, "differentiate"),
            (tangent, "total_derivative"),
        ):
            patch.setattr(module, name, counted(name, getattr(module, name)))
        found = analysis.in_mode(Mode(((first, 1.0), (second, 0.0))), values)
    assert found.structure.reduction is not None and len(found.structure.reduction.demoted) == 1
    assert calls, "the constraint has a derivative in this mode"
    return calls


def test_one_more_mode_costs_what_its_own_equations_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = work(5, monkeypatch), work(50, monkeypatch)
    assert few == many
    assert sum(many.values()) < 40
    assert "tear" not in many, "the loop is that of all modes"
