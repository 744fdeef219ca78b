"""The event log in words and as JSON lines."""

import json

import pytest
from hand_models import Model, bouncing_ball

import saltus
from saltus.core.diagnostics import UsageError
from saltus.expr.nodes import TIME, Op, Type, call, const, if_, pre
from saltus.result.files.eventlog import event_lines, write_events


@pytest.fixture(scope="module")
def ball():
    return bouncing_ball(0.5).run(stop_time=0.6, tolerance=1e-8)


def test_the_log_reads_like_the_one_of_the_paper(ball):
    lines = list(event_lines(ball))
    assert lines[:2] == ["Expression h is initially 1.0000E+00 ( > 0 ).", "Continuing after event."]
    assert lines[2].startswith("Expression h became -") and "(< 0) at time = 0.451524" in lines[2]
    assert lines[3] == "Variable n changed to 1"
    assert lines[4] == "Iterating to find consistent restart conditions."
    assert lines[5].startswith("State v reinitialised from -4.42945 to 2.21472")
    assert lines[6] == "Continuing after event."
    assert lines[7].startswith("Expression h became 1.0") and "(> 0)" in lines[7]
    assert not any("$" in line for line in lines)


def test_an_expression_that_is_zero_at_the_start():
    m = Model("Zero")
    y = m.algebraic("y")
    u = m.algebraic("u")
    m.equation(u, call("sin", TIME))
    m.equation(y, if_(m.relation(Op.GT, u, "u > 0"), const(1.0), const(0.0)))
    lines = list(event_lines(m.run(stop_time=1.0)))
    assert lines[0] == "Expression u is initially 0.0000E+00 ( == 0 )."
    assert lines[2].startswith("Expression u became 1.0")


def test_json_lines(ball, tmp_path):
    path = tmp_path / "events.jsonl"
    write_events(ball, path)
    events = [json.loads(line) for line in path.read_text().splitlines()]
    assert [e["time"] for e in events] == [e.time for e in ball.events]
    assert events[0]["causes"] == [{"kind": "initial", "text": "initial"}]
    hit = events[1]
    (cause,) = hit["causes"]
    assert cause["text"] == "h <= 0" and cause["truth"] is True and cause["source"] == "hand.mo:1"
    assert cause["before"] <= 0.0
    assert hit["changed"] == [{"name": "n", "old": 0, "new": 1}]
    (jump,) = hit["reinitialised"]
    assert jump["name"] == "v" and jump["new"] == -0.5 * jump["old"]
    assert hit["rounds"] == 2


def test_clocks_and_time_events_are_causes(tmp_path):
    m = Model("Causes")
    n = m.discrete("n", Type.INTEGER, start=0, fixed=True)
    on = m.discrete("on", start=False)
    m.when(m.edge(m.clock(0.25, 1.0)), n, pre(n) + 1)
    m.equation(on, m.after(0.5))
    result = m.run(stop_time=1.0)
    assert [[c.kind for c in e.causes] for e in result.events] == [["initial"], ["clock"], ["time"]]
    assert result.events[2].changes[0].new is True
    lines = list(event_lines(result))
    assert "Clock sample(0.25, 1.0) ticks at time = 0.25.  [hand.mo:1]" in lines
    assert "Relation time >= 0.5 became true at time = 0.5  [hand.mo:1]" in lines
    assert "Variable on changed to true" in lines
    assert len(result.events[1:]) == 2


def test_an_unwritable_log_is_told(ball, tmp_path):
    with pytest.raises(UsageError) as error:
        write_events(ball, tmp_path / "missing" / "x.jsonl")
    assert error.value.diagnostics[0].code == "E503"


def test_two_relations_of_one_expression_are_told_once():
    m = Model("Twice")
    u, y, z = (m.algebraic(name) for name in ("u", "y", "z"))
    m.equation(u, call("sin", TIME))
    m.equation(y, if_(m.relation(Op.GT, u, "u > 0"), const(1.0), const(0.0)))
    m.equation(z, if_(m.relation(Op.LE, u, "u <= 0"), const(1.0), const(0.0)))
    lines = list(event_lines(m.run(start_time=1.0, stop_time=4.0)))
    assert sum("is initially" in line for line in lines) == 1
    assert [line.split(" at ")[0][-5:] for line in lines if " became " in line] == ["(< 0)"]


def test_an_event_and_the_table_of_events_in_words(ball):
    time, _, rest = str(ball.events[1]).partition(" ")
    assert float(time) == pytest.approx((2 / 9.81) ** 0.5, abs=1e-7)
    assert rest.strip() == "h <= 0 became true  [n: 0 -> 1; v: -4.42945 -> 2.21472]"
    text = repr(ball.events).splitlines()
    assert text[0] == f"<{len(ball.events)} events, the start of the run included>"
    assert text[2].strip() == str(ball.events[1]) and len(text) == len(ball.events) + 1
    assert text[0].strip("<>") in repr(ball)


SWITCHING = """model Switching
  parameter Boolean before = false;
  parameter Real tau = 1e-3;
  Boolean on(start = before{fixed});
  Real u(nominal = 1) = time - ({begin}), i(nominal = 1) = {current};
  Boolean flows = i > 0;
equation
  on = u > 0;
end Switching;
"""


def told(begin: float = 0.5, current: str = "if pre(on) then 0.1*u else 0", fixed: bool = True, **settings):
    text = SWITCHING.format(begin=begin, current=current, fixed=", fixed = true" if fixed else "")
    return list(event_lines(saltus.load(text).simulate(stop_time=1, **settings)))


AGAIN = "Iterating to find consistent restart conditions."


def test_a_current_that_leaves_zero_belongs_to_the_switch_that_has_closed():
    """u leaves its band at 0.5 + 1e-10, i at 0.5 + 1e-9: told as one event, and in data two."""
    lines = told()
    at = next(k for k, line in enumerate(lines) if line.startswith("Expression u became"))
    assert lines[at + 1 : at + 3] == ["Variable on changed to true", AGAIN]
    assert lines[at + 3].startswith("Expression i became 1.0000E-10 (> 0)")
    assert lines[at + 4 : at + 7] == ["Variable flows changed to true", AGAIN, "Continuing after event."]


def test_what_can_be_seen_between_two_events_keeps_them_apart():
    """With bands for what is of ordinary size i leaves its band 1e-6 later, a millionth of the run; or 3e-10
    later, but it was not zero before."""
    for current in ("if pre(on) then 1e-4*u else 0", "u - 3e-10"):
        lines = told(current=current, scale="one")
        at = next(k for k, line in enumerate(lines) if line.startswith("Expression u became"))
        assert "Continuing after event." in lines[at : at + 4], current


def test_what_the_start_makes_of_fixed_values_is_told():
    assert "Variable on changed to true" not in told()[:4]
    lines = told(begin=-1)
    assert lines[lines.index("Variable on changed to true") + 1] == AGAIN
    assert "Variable on changed to true" not in told(begin=-1, fixed=False)
    assert "Variable on changed to true" not in told(begin=-1, set={"before": True})
    assert "Variable on changed to false" in told(set={"before": True})[:4]
