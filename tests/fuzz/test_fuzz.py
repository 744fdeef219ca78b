"""Ten thousand damaged sources, a thousand in the Dymola language, some in chi, some nets and machines: each
is refused with a diagnostic or accepted, none crashes or hangs.

The cases run in processes of their own, with limits on memory and on the time of each (`fuzzing`). What was
found in this way is below, as small as it could be made.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest

from saltus.analyse.analysis import Analysis
from saltus.compiler import load_flat
from saltus.core.diagnostics import ModelError, SaltusError
from saltus.functions import interpret
from saltus.lower.hybrid.clauses import to_hybrid
from saltus.lower.scope import limits

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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of processes are those of Unix")
def test_damaged_models_of_dymola_give_diagnostics_or_mean_one_thing() -> None:
    """`make fuzz` tries 5,000 with each of two seeds."""
    command = [sys.executable, HERE / "fuzzing.py", "--language", "dymola", "--cases", "1000", "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1000 cases" in done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of processes are those of Unix")
def test_damaged_processes_of_chi_give_diagnostics_only() -> None:
    """`make fuzz` tries 5,000."""
    command = [sys.executable, HERE / "fuzzing.py", "--language", "chi", "--cases", "500", "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "500 cases" in done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of processes are those of Unix")
@pytest.mark.parametrize("language", ["net", "machine"])
def test_damaged_nets_and_machines_give_diagnostics_or_can_be_written_and_rewritten(language: str) -> None:
    """`make fuzz` tries 5,000 of each."""
    command = [sys.executable, HERE / "fuzzing.py", "--language", language, "--cases", "300", "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "300 cases" in done.stdout


LEAKY = "model M\n  local x = 1\n  der(x) = -2 * x\nend\n"


@pytest.mark.parametrize(
    "name, lossy, found",
    [
        ("dymola_text", lambda text: text.replace("-2*x", "-x"), "lost: 2.0"),
        ("dymola_text", lambda text: text.replace("local x = 1", "local  x = 1 "), None),
        ("convert", lambda text: text.replace("-2*x", "2*x"), "means something else"),
        ("convert", lambda text: text.replace("der(x) = -2*x;", ""), "means something else"),
        ("convert", lambda text: text.replace("x", "y", 1), "refused as Modelica"),
    ],
)
def test_the_judge_notices_what_is_lost(name, lossy, found, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that forgets a factor, and a conversion that changes a sign, an equation or a name."""
    monkeypatch.syspath_prepend(HERE)
    judge = importlib.import_module("dymola_judge")
    judge.translate(LEAKY)
    honest = getattr(judge, name)
    monkeypatch.setattr(judge, name, lambda *arguments: lossy(honest(*arguments)))
    if found is None:
        judge.translate(LEAKY)
    else:
        with pytest.raises(judge.Dishonest, match=found):
            judge.translate(LEAKY)


def test_a_new_text_leaves_the_cases_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever adds a model to a test does not meet faults that have nothing to do with it. One text of
    two thousand has such a share of them: of a thousand cases about one changes, and twenty do not."""
    monkeypatch.syspath_prepend(HERE)
    mutations = importlib.import_module("modelica_mutations")
    numbers = range(1000)
    before = [mutations.case(1, k) for k in numbers]
    before_circle = mutations.MODELICA.circle[0]
    more = replace(
        mutations.MODELICA, sources=lambda: ("model New Real x = 1; end New;", *mutations.sources())
    )
    monkeypatch.setattr(mutations, "MODELICA", more)
    changed = sum(mutations.case(1, k) != was for k, was in zip(numbers, before, strict=True))
    assert len(more.circle[0]) > len(before_circle)
    assert changed < 20
    assert len(set(before)) > 900


def refusal(text: str) -> str:
    with pytest.raises(SaltusError) as caught:
        load_flat(text + "\n")
    return caught.value.diagnostics[0].code


def test_a_text_that_ends_inside_a_call() -> None:
    assert refusal("model M Real q[3] = cat(1") == "E101"


def test_an_empty_array_with_a_dimension_beyond_all_numbers() -> None:
    for size, code in (
        ("99999999999999999999999", "E413"),
        ("9007199254740992", "E413"),
        ("9007199254740991", "E206"),
    ):
        assert refusal(f"model M Real x[0, {size}]; end M;") == code
        assert refusal(f"model M parameter Real x[:, :] = zeros(0, {size}); end M;") == code


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
    """Two of two of two ...: a few lines, and a million components."""
    monkeypatch.setattr(limits, "MOST_COMPONENTS", 1000)
    levels = "".join(f"model L{k + 1} L{k} a, b; end L{k + 1}; " for k in range(20))
    assert refusal(f"model L0 Real x = 1; end L0; {levels}") == "E206"


def test_a_function_that_never_ends_at_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpret, "STEP_LIMIT", 1000)
    function = "function g output Integer m; algorithm while true loop m := m + 1; end while; end g;"
    assert refusal(f"model M {function} parameter Integer n = g(); Real x[n]; end M;") == "E208"


def test_many_errors_are_not_all_collected() -> None:
    text = "model M " + "".join(f"Real x{i} = nothing{i}; " for i in range(3000)) + "end M;"
    with pytest.raises(ModelError) as caught:
        load_flat(text + "\n")
    assert len(caught.value.diagnostics) == 50


def test_a_class_that_is_its_own_package_with_itself_in_it() -> None:
    assert refusal("model M package f = f(redeclare model f = f); Real y = f(time); end M;") in (
        "E203", "E204", "E213",
    )  # fmt: skip


def test_an_element_of_a_large_array_by_a_varying_index() -> None:
    """The time grows with the size of the array, not with its square."""
    text = "model M parameter Real x[{n}] = 1:{n}; Integer i = integer(time); Real y = x[i + 1]; end M;"

    def seconds(n: int) -> float:
        began = process_time()
        Analysis(to_hybrid(load_flat(text.format(n=n))))
        return process_time() - began

    assert min(seconds(800) for _ in range(3)) < 10 * min(seconds(200) for _ in range(3))


def test_a_function_of_arrays_that_calls_itself_without_end() -> None:
    """Whether a recursion ends is found out in the run; writing it out would not end."""
    function = "function f input Real x[2]; output Real y[2]; algorithm y := 2*x + f(x); end f;"
    flat = load_flat(f"{function} model M Real y[2] = f({{1, time}}); end M;\n")
    Analysis(to_hybrid(flat)).structure.verify()


def test_an_inner_outer_component_without_an_inner_one_around_it() -> None:
    """The one around is made with default values, before the tree of components is gone through."""
    connector = "connector C Real v; flow Real i; end C;"
    model = f"{connector} model T inner outer C p; Real x = p.v; end T; model M T t; end M;\n"
    assert {"p.v", "t.p.v", "t.x"} <= {v.name for v in load_flat(model).variables}


def test_a_bus_in_a_bus_with_something_that_no_connection_makes_present() -> None:
    buses = "expandable connector Bus end Bus; expandable connector Inner Real unused; Real used; end Inner;"
    output = "connector Out = output Real;"
    give = f"{output} model Give Inner bus; Out y = 3; equation connect(y, bus.used); end Give;"
    model = f"{buses} {give} model M Bus bus; Give give[2]; equation connect(give.bus, bus.cell); end M;\n"
    names = {v.name for v in load_flat(model).variables}
    assert {"bus.cell[1].used", "bus.cell[2].used"} <= names
    assert not any("unused" in name for name in names)
