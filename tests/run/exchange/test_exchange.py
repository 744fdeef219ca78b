"""Inputs and outputs exchanged while a run is under way: with a function, and with another process.

The truth is the recurrence of explicit Euler steps with inputs that hold from exchange to exchange, written
here once more."""

from __future__ import annotations

import json
import math
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import UsageError
from saltus.run.exchange.udp import LOOPBACK

PLANT = """
model Plant
  input Real u(start = 0.5);
  input Boolean on;
  input Integer n;
  output Real y;
  Real x(start = 1, fixed = true);
  Boolean high = u > 2;
  Integer changes(start = 0, fixed = true);
equation
  der(x) = (if on then u else 0) - x + n;
  y = -x;
  when {high, not high} then
    changes = pre(changes) + 1;
  end when;
end Plant;
"""
STEP = 0.01
MODEL = saltus.load(PLANT)


def recurrence(count: int, given: Callable[[int, float], tuple[float, bool, int]]) -> list[float]:
    """x after each step; `given` tells u, on and n for the step with a number, from x before it."""
    found = [1.0]
    for k in range(count):
        u, on, n = given(k, found[-1])
        found.append(found[-1] + STEP * ((u if on else 0.0) - found[-1] + n))
    return found


def plant(exchange: saltus.Exchange, **options: Any) -> saltus.Result:
    return MODEL.simulate(
        **{"method": "inline:euler", "step": STEP, "stop_time": 1.0, "interval": STEP, **options},
        exchange=exchange,
    )


def test_inputs_hold_from_one_exchange_to_the_next() -> None:
    """They count for the step that begins at the exchange; and what they switch is switched at once."""
    told: list[tuple[float, Mapping[str, Any]]] = []

    def respond(time: float, outputs: Mapping[str, Any]) -> Mapping[str, Any] | None:
        told.append((time, outputs))
        if time < 0.15:
            return None
        return {"on": True, "n": 2} if time < 0.45 else {"u": 3, "n": 0}

    result = plant(saltus.Exchange(respond, every=0.1, outputs=("y", "x", "high", "changes")))
    truth = recurrence(100, lambda k, x: (3.0 if k >= 50 else 0.5, k >= 20, 2 if 20 <= k < 50 else 0))
    assert result["x"][-1] == pytest.approx(truth[-1], rel=1e-12)
    assert [time for time, _ in told] == pytest.approx(np.arange(10) * 0.1)
    for k, (_, outputs) in enumerate(told):
        assert outputs["x"] == pytest.approx(truth[10 * k], rel=1e-12)
        assert outputs["y"] == -outputs["x"]
        assert outputs["high"] is (k > 5) and outputs["changes"] == (k > 5)
    assert result["u"][0] == 0.5 and result["u"][-1] == 3.0
    # The start, on and n at 0.2, u and n at 0.5.
    assert [event.time for event in result.events] == pytest.approx([0.0, 0.2, 0.5])


def test_a_controller_closes_the_loop() -> None:
    """Implicit Euler steps of a process with a sampled controller."""

    def respond(time: float, outputs: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"u": 4.0 * (2.0 + outputs["y"]), "on": True}

    result = plant(saltus.Exchange(respond, every=0.05, inputs=("u", "on")), method="inline:implicit-euler")
    x, u = 1.0, 0.0
    for k in range(100):
        u = 4.0 * (2.0 - x) if k % 5 == 0 else u
        x = (x + STEP * u) / (1 + STEP)
    # At an event the formula holds x by a step that is a millionth of the others.
    assert result["x"][-1] == pytest.approx(x, rel=1e-8)


def test_what_inputs_begin_with_can_be_set() -> None:
    result = plant(
        saltus.Exchange(lambda time, outputs: {"on": True}, every=0.25), set={"u.start": 2.5, "n": 1}
    )
    truth = recurrence(100, lambda k, x: (2.5, True, 1))
    assert result["x"][-1] == pytest.approx(truth[-1], rel=1e-12)


def test_inputs_that_are_not_exchanged_have_curves() -> None:
    exchange = saltus.Exchange(lambda time, outputs: {"on": True}, every=0.25, inputs=["on"])
    result = plant(exchange, signals={"u": 2.0, "n": 0})
    assert result["x"][-1] == pytest.approx(recurrence(100, lambda k, x: (2.0, True, 0))[-1], rel=1e-12)


def test_modes_of_their_own_know_the_inputs() -> None:
    """A clutch that the other side locks: what is told goes to the programs of all modes."""
    model = saltus.load("""
model Clutch
  input Boolean closed;
  input Real torque;
  Real w1(start = 6, fixed = true), w2(start = 0, fixed = true), t;
equation
  2*der(w1) = torque - t;
  3*der(w2) = t;
  0 = if closed then w1 - w2 else t;
end Clutch;
""")

    def respond(time: float, outputs: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"closed": time >= 0.5, "torque": 5.0 if time >= 0.7 else 0.0}

    result = model.simulate(
        method="inline:euler", step=0.01, stop_time=1.0, exchange=saltus.Exchange(respond, every=0.1)
    )
    # Momentum is 12; after 0.7 the torque 5 acts on an inertia of 5.
    assert result["w1"][-1] == pytest.approx(12 / 5 + 0.3, rel=1e-9)
    assert result["w2"][-1] == pytest.approx(12 / 5 + 0.3, rel=1e-9)


@pytest.mark.parametrize(
    ("options", "given", "words"),
    [
        ({"method": "bdf", "step": None}, {}, "values are exchanged between fixed steps"),
        ({}, {"v": 1.0}, "no input `v`"),
        ({}, {"u": "much"}, "must be a finite number"),
        ({}, {"u": math.nan}, "must be a finite number"),
        ({}, {"on": 2}, "must be true or false"),
        ({}, {"n": 1.5}, "must be a whole number"),
    ],
)
def test_what_cannot_be_told_is_refused(
    options: Mapping[str, Any], given: Mapping[str, Any], words: str
) -> None:
    with pytest.raises(UsageError) as refused:
        plant(saltus.Exchange(lambda time, outputs: given, every=0.1), **options)
    assert words in refused.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("names", "words"),
    [({"inputs": ["x"]}, "is not an open input"), ({"outputs": ["z"]}, "no variable `z`")],
)
def test_names_that_the_model_does_not_have_are_refused(names: Mapping[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as refused:
        plant(saltus.Exchange(lambda time, outputs: None, every=0.1, **names))
    assert words in refused.value.diagnostics[0].message


# ---------------------------------------------------------------- another process

CONTROLLER = """
import json, socket, sys
link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
link.settimeout(60)
link.connect(("127.0.0.1", int(sys.argv[1])))
for bad in sys.argv[2:]:
    link.send(bad.encode())
link.send(b"{}")
while True:
    told = json.loads(link.recv(65535))
    if told["end"]:
        print(json.dumps(told))
        break
    link.send(json.dumps({"u": 4*(2 + told["outputs"]["y"]), "on": True}).encode())
"""


def controlled() -> float:
    """x at the end, where a controller acts on it every 0.05 s."""
    u = 0.0

    def given(k: int, x: float) -> tuple[float, bool, int]:
        nonlocal u
        u = 4.0 * (2.0 - x) if k % 5 == 0 else u
        return u, True, 0

    return recurrence(100, given)[-1]


def test_a_second_process_closes_the_loop(tmp_path: Path) -> None:
    """Step by step: each waits for the other. Datagrams that are nonsense change nothing."""
    bad = ["not an object", "[1]", '{"v": 1}', '{"u": "much"}', '{"on": 1, "u": NaN}']
    with saltus.UdpLink(0, wait=60.0) as link:
        command = [sys.executable, "-c", CONTROLLER, str(link.port), *bad]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
            result = plant(saltus.Exchange(link, every=0.05))
            last = json.loads(other.communicate(timeout=60)[0])
    assert result["x"][-1] == pytest.approx(controlled(), rel=1e-12)
    assert last["time"] == 1.0 and last["outputs"]["y"] == result["y"][-1]
    assert link.exchanges == 20 and link.datagrams == 21 and link.missed == 0
    assert link.refused == len(bad) and link.first_refusal


def test_the_command_line_talks_to_a_second_process(tmp_path: Path) -> None:
    (tmp_path / "Plant.mo").write_text(PLANT)
    own = ["--method", "inline:euler", "--step", "10ms", "--speed", "0", "--stop-time", "1"]
    command = [sys.executable, "-m", "saltus", "realtime", "Plant.mo", *own]
    with subprocess.Popen(
        [*command, "--udp", "0", "--every", "50ms", "--wait", "60"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as run:  # fmt: skip
        assert run.stderr is not None
        found = re.search(r"port (\d+)", run.stderr.readline())
        assert found is not None
        other = subprocess.run(
            [sys.executable, "-c", CONTROLLER, found[1]],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        out, error = run.communicate(timeout=60)
    assert run.returncode == 0, error
    assert json.loads(other.stdout)["outputs"]["y"] == pytest.approx(-controlled(), rel=1e-12)
    assert "20 exchanges, 21 datagrams, 0 missed, 0 refused" in out


def test_who_does_not_answer_leaves_inputs_as_they_are() -> None:
    """Nobody sends anything: each exchange is missed, and the run goes on."""
    with saltus.UdpLink(0) as link:
        result = plant(saltus.Exchange(link, every=0.1), set={"u": 3.0, "on": True})
        assert (link.exchanges, link.missed, link.datagrams) == (10, 10, 0)
    assert result["x"][-1] == pytest.approx(recurrence(100, lambda k, x: (3.0, True, 0))[-1], rel=1e-12)


def test_of_several_datagrams_the_last_values_count() -> None:
    """What has come before the exchange counts there, and holds when nothing comes any more."""
    with saltus.UdpLink(0) as link, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        for told in ({"u": 7, "on": True}, {"u": 3}):
            other.sendto(json.dumps(told).encode(), (LOOPBACK, link.port))
        result = plant(saltus.Exchange(link, every=0.1))
        assert (link.missed, link.datagrams) == (9, 2)
        told = [json.loads(other.recv(65535)) for _ in range(11)]
    assert result["x"][-1] == pytest.approx(recurrence(100, lambda k, x: (3.0, True, 0))[-1], rel=1e-12)
    assert [t["number"] for t in told] == list(range(11))
    assert [t["missed"] for t in told] == [0, 0, *range(1, 10)]
    assert [t["end"] for t in told] == [False] * 10 + [True]


def test_a_port_that_is_taken_is_refused() -> None:
    with saltus.UdpLink(0) as link, pytest.raises(UsageError) as refused:
        saltus.UdpLink(link.port)
    assert "cannot be used" in refused.value.diagnostics[0].message


@pytest.mark.parametrize("method", ["inline:euler", "inline:implicit-euler"])
def test_what_has_jumped_stays_so_where_an_input_changes_at_the_same_time(method: str) -> None:
    """Both happen at 0.5 s, the blow first: the speed of 3 is not forgotten. Where an event may make states
    jump, an implicit step of a millionth of the usual one is taken at it."""
    kicked = saltus.load("""
    model Kicked
      input Real force(start = 0);
      Real v(start = 0, fixed = true);
    equation
      der(v) = force;
      when time >= 0.5 then
        reinit(v, 3);
      end when;
    end Kicked;""")
    pushed = saltus.Exchange(lambda time, outputs: {"force": float(time > 0.4)}, every=0.5, inputs=["force"])
    run = kicked.simulate(method=method, step=0.1, stop_time=1, interval=0.1, exchange=pushed)
    after = run.time > 0.55
    assert run["v"][after] == pytest.approx(2.5 + run.time[after], abs=1.1e-7)
