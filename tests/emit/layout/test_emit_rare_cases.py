"""Long code with a case that seldom happens: what a function gave stays where the function was called."""

from __future__ import annotations

import pytest

from saltus.emit.layout.splitting import CUT_FROM, LENGTH, cut
from saltus.emit.straight.sharing import Locals
from saltus.expr.nodes import ONE, TIME, ZERO, Expr, Op, ref, relation
from saltus.ir.program import Assign, CallFunction, Function, If, Routine, Statement


class Places:
    """As much of a memory as `cut` needs."""

    def __init__(self) -> None:
        self.slots: dict[Expr, int] = {}

    def append(self, leaf: Expr) -> None:
        self.slots[leaf] = len(self.slots)


def called(routine: Routine) -> set[str]:
    return {t.name for s in routine.body if isinstance(s, CallFunction) for t in s.targets if t is not None}


@pytest.mark.parametrize("used_outside", [False, True])
def test_results_of_functions_in_a_rare_case(used_outside: bool) -> None:
    local, memory = Locals(), Places()
    result, sum_ = local.new("r"), local.new()
    function = Function("f", (), (), (), ())
    call = CallFunction((result,), function, ())
    many: list[Statement] = [Assign(sum_, ref(sum_) + ref(result)) for _ in range(LENGTH + 1)]
    body = many if used_outside else [call, *many]
    fill: list[Statement] = [Assign(sum_, ref(sum_) + ONE) for _ in range(CUT_FROM)]
    rare = If(((relation(Op.GT, TIME, ZERO), ()),), tuple(body))
    statements = [*fill, *([call] if used_outside else []), rare, *fill]
    routines = cut("long", statements, local, memory)  # type: ignore[arg-type]
    assert len(routines) > 3
    assert any(r.rare for r in routines) is not used_outside
    for routine in routines:
        assert called(routine) <= {s.name for s in routine.locals}
    assert ref(result) not in memory.slots
    assert ref(sum_) in memory.slots
