"""Ten thousand damaged sources: each is refused with a diagnostic or accepted, none crashes or hangs.

The cases run in processes of their own, with limits on memory and on the time of each (`fuzzing`). What was
found in this way is below, as small as it could be made.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from saltus.core.diagnostics import ModelError, SaltusError
from saltus.front import load_flat
from saltus.ir import interpret
from saltus.lower import limits

HERE = Path(__file__).parent
CASES = 10_000
SHARES = 4  # so that they are tried in parallel where there are several cores


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of processes are those of Unix")
@pytest.mark.parametrize("share", range(SHARES))
def test_damaged_sources_give_diagnostics_only(share: int) -> None:
    each = CASES // SHARES
    command = [sys.executable, HERE / "fuzzing.py", "--cases", str(each), "--first", str(share * each)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{each} cases" in done.stdout


def refusal(text: str) -> str:
    with pytest.raises(SaltusError) as caught:
        load_flat(text + "\n")
    return caught.value.diagnostics[0].code


def test_a_text_that_ends_inside_a_call() -> None:
    assert refusal("model M Real q[3] = cat(1") == "E101"


def test_an_empty_array_with_a_dimension_beyond_all_numbers() -> None:
    assert refusal("model M Real x[0, 99999999999999999999999]; end M;") == "E206"
    assert refusal("model M parameter Real x[:, :] = zeros(0, 99999999999999999999999); end M;") == "E206"


def test_more_variables_than_can_be_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal("model M Real x[1000000000]; end M;") == "E206"
    assert refusal("model M Real x[100000, 100000]; end M;") == "E206"
    monkeypatch.setattr(limits, "MOST_VARIABLES", 1000)
    assert refusal("model M Real x[400], y[400], z[400]; end M;") == "E206"


def test_more_passes_through_loops_than_can_be_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_ITERATIONS", 1000)
    assert refusal("model M Real x = sum(i*j for i in 1:100, j in 1:100); end M;") == "E206"
    loops = "for i in 1:100 loop for j in 1:100 loop x = i + j; end for; end for;"
    assert refusal(f"model M Real x; equation {loops} end M;") == "E206"


def test_components_that_multiply_from_level_to_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each class is another environment, so none contains itself, and each has two of the next."""
    monkeypatch.setattr(limits, "MOST_COMPONENTS", 1000)
    text = """
      model Base Real y = 1; end Base;
      model A replaceable model X = Base; X x; replaceable Base c; end A;
      model B extends A2; end B;
      model A2 extends A(redeclare replaceable model X = B, redeclare replaceable B c); end A2;
      model M A2 a; end M;"""
    assert refusal(text) in ("E206", "E213")


def test_a_function_that_never_ends_at_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpret, "STEP_LIMIT", 1000)
    function = "function g output Integer m; algorithm while true loop m := m + 1; end while; end g;"
    assert refusal(f"model M {function} parameter Integer n = g(); Real x[n]; end M;") == "E208"


def test_many_errors_are_not_all_collected() -> None:
    text = "model M " + "".join(f"Real x{i} = nothing{i}; " for i in range(3000)) + "end M;"
    with pytest.raises(ModelError) as caught:
        load_flat(text + "\n")
    assert len(caught.value.diagnostics) == 50
