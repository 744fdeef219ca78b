"""`saltus explain --events`: what is listed, and how often it happened, against counts made by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import saltus
from saltus.show.listings.events import LISTED, events_text
from saltus.show.listings.switching import Switching
from saltus.tools.cli import main

#: y passes 0.5 upwards at asin(0.5) and downwards at pi - asin(0.5), once in each period of 2 pi.
MODEL = """model Parts
  model Relay
    input Real u;
    Boolean on(start = false, fixed = true);
  equation
    when u > 0.5 then
      on = true;
    elsewhen u < -0.5 then
      on = false;
    end when;
  end Relay;
  Relay relay(u = sin(time));
  Real x(start = 0, fixed = true), w = noEvent(if x > 3 then 1 else 2);
  Integer n(start = 0, fixed = true);
  Boolean late = time > 4;
equation
  der(x) = if relay.on then 1 else 0;
  when {sample(1, 2), late} then
    n = pre(n) + 1;
    reinit(x, 0);
  end when;
  when not relay.on then
    assert(x < 100, "x is large");
  end when;
  when n >= 8 then
    terminate("enough");
  end when;
  assert(x > -1, "x is negative", AssertionLevel.warning);
  annotation(experiment(StopTime = 12));
end Parts;
"""


def rows(text: str, section: str) -> dict[str, tuple[list[str], str]]:
    """The lines of a section: cells by the text of the entry, and the remark below."""
    body = text.split(f"{section} ", 1)[1].split("\n\n")[0].splitlines()[2:]
    found = {}
    for line, remark in zip(body[::2], body[1::2], strict=True):
        cells = re.split(r"  +", line.strip())
        found[cells[-2]] = (cells, remark.strip())
    return found


@pytest.fixture(scope="module")
def model() -> saltus.Model:
    return saltus.load(MODEL)


def test_everything_is_counted(model: saltus.Model) -> None:
    result = model.simulate(tolerance=1e-9)
    text = events_text(result.structure, result)
    relations = rows(text, "RELATIONS")
    # In 12 s: above from 0.52 to 2.62 and from 6.81 to 8.90, below from 3.67 to 5.76 and from 9.95 on.
    assert relations["relay.u > 0.5"][0][1:5] == ["4", "0", "0.523599", "8.90118"]
    assert relations["relay.u < -0.5"][0][1:5] == ["3", "0", "3.66519", "9.94838"]
    assert relations["time > 4"][0][1:5] == ["1", "0", "4", "4"]
    assert relations["relay.u > 0.5"][0][-1] == "<text>:6"
    assert relations["relay.u < -0.5"][0][-1] == "<text>:8"
    (clock,) = rows(text, "CLOCKS").values()
    assert clock[0][1:4] == ["6", "1", "11"]  # at 1, 3, ..., 11
    clauses = rows(text, "WHEN-CLAUSES")
    assert clauses["relay.u > 0.5"][0][1] == "2" and clauses["relay.u < -0.5"][0][1] == "2"
    assert clauses["sample(1, 2)"][0][1] == "6" and clauses["late"][0][1] == "1"
    assert clauses["not relay.on"][0][1] == "2"
    assert clauses["n >= 8"][0][1] == "0"  # six ticks and `late` make seven


def test_what_depends_on_what(model: saltus.Model) -> None:
    text = events_text(model.structure)
    assert "fired" not in text
    relations, clauses = rows(text, "RELATIONS"), rows(text, "WHEN-CLAUSES")
    number = clauses["relay.u > 0.5"][0][0]
    assert relations["relay.u > 0.5"][1] == f"crossing function relay.u - 0.5; triggers when-clause {number}"
    assert clauses["relay.u > 0.5"][1] == "sets relay.on"
    triggers = f"triggers when-clause {clauses['late'][0][0]}; switches late"
    assert relations["time > 4"][1] == f"scheduled, not searched for; {triggers}"
    assert clauses["sample(1, 2)"][1] == clauses["late"][1] == "sets n; reinit(x)"
    assert clauses["not relay.on"][1] == "assert" and clauses["n >= 8"][1] == "terminate"
    assert relations["x > -1"][1] == "crossing function x + 1.0; decides an assertion"
    assert re.search(r"ASSERTIONS 2\n.*\n?.*x > -1 +<text>:28  warns only", text)
    assert "COMPARISONS WITHOUT EVENTS (noEvent, smooth) 1\n  x > 3  <text>:13" in text


def test_the_busiest_of_many_are_listed() -> None:
    """The k-th of 1000 relations is crossed twice where it is below the peak; 997 peaks are too low."""
    model = saltus.load(
        "model Many Real u[1000] = {sin(time) - (if k <= 3 then 0.5 else 1 + k) for k in 1:1000};"
        " Boolean b[1000] = {u[k] > (if k == 2 then -0.2 else 0) for k in 1:1000}; end Many;"
    )
    result = model.simulate(stop_time=3.0)
    text = events_text(result.structure, result)
    assert text.count("crossing function") == LISTED and len(text.splitlines()) < 100
    assert f"... and {1000 - LISTED} more: 0 of them 0 times in all, {1000 - LISTED} never" in text
    first = list(rows(text.replace("  ... and", "\n\n  ... and"), "RELATIONS"))[:3]
    assert set(first) == {"u[1] > 0", "u[2] > -0.2", "u[3] > 0"}


def test_other_states_are_told_besides() -> None:
    """They are no events of the model."""
    result = saltus.load(Path(__file__).parents[3] / "examples" / "TumblingBody.mo").simulate(stop_time=10)
    chosen = sum(event.kind == "states" for event in result.events)
    assert chosen == result.statistics["state_choices"] - 1 > 0
    assert result.events.totals().turns == {"states": chosen}
    text = events_text(result.structure, result)
    assert f"  0 events, 0 rounds\n  besides: {chosen} times other states chosen\n" in text


def test_a_model_without_events() -> None:
    model = saltus.load("model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;")
    text = events_text(model.structure, model.simulate())
    assert "0 events, 0 rounds\n" in text and "no relations" in text


def test_a_rise_and_a_fall_are_two_clauses() -> None:
    model = saltus.load(
        "model M Boolean b = time > 1 and time < 2; Integer n(start = 0, fixed = true),"
        " m(start = 0, fixed = true); equation when b then n = pre(n) + 1; end when;"
        " when not b then m = pre(m) + 1; end when; end M;"
    )
    clauses = Switching(model.structure).clauses
    assert [(c.text, list(c.effects)) for c in clauses] == [("b", ["n"]), ("not b", ["m"])]
    result = model.simulate(stop_time=3.0)
    assert [a.first for a in result.events.edges([(c.condition, c.rises) for c in clauses])] == [1.0, 2.0]


# ---------------------------------------------------------------- the command


def command(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ending:
        main([str(a) for a in arguments])
    assert isinstance(ending.value.code, int)
    return ending.value.code, *capsys.readouterr()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Parts.mo"
    path.write_text(MODEL)
    status, out, _ = command(capsys, "explain", path, "--events", "--stop-time", "3")
    assert status == 0 and "from time 0 to 3" in out
    assert rows(out, "RELATIONS")["relay.u > 0.5"][0][1] == "2" and "Parts.mo:6" in out
    status, out, _ = command(capsys, "explain", path, "--events", "--no-run")
    assert status == 0 and "from time" not in out and "WHEN-CLAUSES" in out
    for wrong in (["--no-run"], ["--stop-time", "3"], ["--set", "x=1"]):
        status, out, err = command(capsys, "explain", path, *wrong)
        assert status == 2 and not out and "only together with --events" in err


def test_a_run_that_fails_is_counted_as_far_as_it_came(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "Falls.mo"
    path.write_text(
        "model Falls Real x(start = 1, fixed = true); Integer n(start = 0, fixed = true);\n"
        "equation der(x) = -1; when sample(0.1, 0.1) then n = pre(n) + 1; end when;\n"
        'assert(x > 0.55, "too low"); end Falls;\n'
    )
    status, out, err = command(capsys, "explain", path, "--events")
    assert status == 3 and "too low" in err
    assert rows(out, "CLOCKS")["sample(0.1, 0.1)"][0][1] == "4"  # it ends at 0.45


def test_relations_that_the_first_mode_takes_for_granted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The run starts in the program of the mode that sticks, which has no branches; the model has them."""
    path = tmp_path / "Friction.mo"
    path.write_text(
        """model Friction
          Real v(start = 0, fixed = true), f, s;
        equation
          der(v) = 2*sin(time) - f;
          v = if s > 1 then s - 1 elseif s < -1 then s + 1 else 0;
          f = if s > 1 then 1 elseif s < -1 then -1 else s;
        end Friction;"""
    )
    with pytest.raises(SystemExit) as ended:
        main(["explain", str(path), "--events"])
    assert ended.value.code == 0
    found = rows(capsys.readouterr().out, "RELATIONS")
    assert found["s > 1"][0][1:3] == ["1", "0"] and found["s > 1"][1].endswith("; switches s, f")
