"""`%load_ext saltus` in an IPython of this process: cells that are models, warnings and errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

import saltus
from saltus.core.audience import announce, unheard
from saltus.core.message import Diagnostic

DECAY = """model Decay
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end Decay;"""
TWICE = "function twice input Real u; output Real y; algorithm y := {}*u; end twice;"
USER = "%%modelica --simulate\nmodel User extends Base; equation x = twice(time); end User;"
VAGUE = "model Vague Real x; equation der(x) = -x; end Vague;"


class Notebook:
    """Cells, one after the other."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell

    def run(self, cell: str) -> tuple[Any, str]:
        """The value of a cell, and all that it shows."""
        with capture_output() as captured:
            done = self.shell.run_cell(cell)
        shown = "".join(str(out.data.get("text/html", "")) for out in captured.outputs)
        plain = re.sub(r"\x1b\[[\d;]*m", "", captured.stdout + captured.stderr)
        return done, plain + shown

    def __getitem__(self, name: str) -> Any:
        return self.shell.user_ns[name]


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InteractiveShell]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        yield InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
        InteractiveShell.clear_instance()


@pytest.fixture
def notebook(shell: InteractiveShell) -> Iterator[Notebook]:
    shell.run_line_magic("load_ext", "saltus")
    yield Notebook(shell)
    shell.run_line_magic("unload_ext", "saltus")


def test_a_cell_is_a_model(notebook: Notebook) -> None:
    done, _ = notebook.run(f"%%modelica\n{DECAY}")
    assert isinstance(done.result, saltus.Model) and notebook["Decay"] is done.result


def test_it_may_have_another_name_and_be_simulated(notebook: Notebook) -> None:
    options = "--set k=3 --stop-time 0.5 --tolerance 1e-10"
    done, _ = notebook.run(f"%%modelica fast {options} --result run\n{DECAY}")
    assert isinstance(notebook["fast"], saltus.Model)
    assert done.result is notebook["run"]
    assert notebook["run"].time[-1] == 0.5
    assert notebook["run"]["x"][-1] == pytest.approx(2.718281828459045**-1.5, rel=1e-8)


def test_without_options_of_a_run_one_can_ask_for_it(notebook: Notebook) -> None:
    notebook.run(f"%%modelica --simulate\n{DECAY}")
    assert notebook["result"].time[-1] == 1


def test_later_cells_use_what_earlier_ones_define(notebook: Notebook) -> None:
    base = "partial model Base Real x; end Base;"
    done, shown = notebook.run(f"%%modelica\n{TWICE.format(2)}\n{base}")
    assert done.result is None and "defined: function twice, model Base" in shown
    done, _ = notebook.run(USER)
    assert done.result["x"][-1] == 2
    notebook.run(f"%%modelica\n{TWICE.format(3)}")
    done, _ = notebook.run(USER)
    assert done.result["x"][-1] == 3


def test_other_languages_are_recognised(notebook: Notebook) -> None:
    net = (Path(__file__).parents[2] / "examples" / "nets" / "TrafficLight.pn").read_text()
    done, _ = notebook.run(f"%%modelica\n{net}")
    assert isinstance(done.result, saltus.Model)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("%%modelica\nmodel M\n  Real x = y;\nend M;", ["error[E201]", ":3:", "3 |   Real x = y;", "^"]),
        (f"%%modelica --stop-tme 3\n{DECAY}", ["error[E501]", "--stop-tme", "--help"]),
        (f"%%modelica --stop-time soon\n{DECAY}", ["error[E501]", "soon"]),
        (f"%%modelica --method dassl\n{DECAY}", ["error[E501]", "dassl"]),
        ("%%modelica\nmodel M", ["error[E101]"]),
    ],
)
def test_a_mistake_is_told_in_place_of_a_traceback(notebook: Notebook, cell: str, words: list[str]) -> None:
    done, shown = notebook.run(cell)
    assert isinstance(done.error_in_exec, saltus.SaltusError)
    assert all(word in shown for word in words), shown
    assert "Traceback" not in shown and len(shown.splitlines()) <= 30


def test_without_the_extension_errors_are_readable_too(shell: InteractiveShell) -> None:
    _, shown = Notebook(shell).run("import saltus\nsaltus.load('model M Real x = y; end M;')")
    assert "error[E201]" in shown and "Traceback" not in shown


def test_a_run_that_fails_leaves_what_it_has_computed(notebook: Notebook) -> None:
    cell = "%%modelica --stop-time 1\nmodel Pole Real x = 1/(0.5 - time); end Pole;"
    done, shown = notebook.run(cell)
    assert isinstance(done.error_in_exec, saltus.RunError) and "error[E4" in shown
    assert 0 < notebook["result"].time[-1] <= 0.5


def test_warnings_appear_below_the_cell(notebook: Notebook) -> None:
    _, shown = notebook.run(f"import saltus\nvague = saltus.load('{VAGUE}')")
    assert shown.count("warning[W301]") == 1 and "saltus-warning" in shown
    _, shown = notebook.run("run = vague.simulate(stop_time=1)")
    assert "W301" not in shown  # it has been told


def test_they_are_not_told_twice(notebook: Notebook) -> None:
    done, shown = notebook.run(f"%%modelica\n{VAGUE}")
    assert "warning[W301]" in done.result._repr_html_() and "warning[W301]" not in shown


def test_help_lists_the_options_of_a_run(notebook: Notebook) -> None:
    _, shown = notebook.run(f"%%modelica --help\n{DECAY}")
    assert "--stop-time" in shown and "--zeno" in shown and "--plot " not in shown


def test_who_shows_warnings_by_himself_is_not_heard(notebook: Notebook) -> None:
    cell = "from saltus.core.audience import unheard\nwith unheard():\n    tell()"
    notebook.shell.user_ns["tell"] = lambda: announce([Diagnostic("W402", "early")])
    assert "W402" not in notebook.run(cell)[1]
    assert "W402" in notebook.run("tell()")[1]
    with unheard():
        announce([])
