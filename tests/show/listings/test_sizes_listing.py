"""`saltus explain --sizes`."""

from pathlib import Path

import pytest

from saltus.tools.cli import main

CIRCUIT = """
model Circuit
  parameter Real R = 1e9;
  Real i(start = 0, fixed = true), u, s, w(nominal = 50) = 3*time;
  Boolean blocks = s < 0;
equation
  5*sin(time) = 1e8*der(i) + u + R*i;
  u = if blocks then s else 0;
  i = if blocks then 0 else s;
end Circuit;
"""


def listing(path: Path, capsys, *options: str) -> list[str]:
    file = path / "Circuit.mo"
    file.write_text(CIRCUIT)
    with pytest.raises(SystemExit) as status:
        main(["explain", str(file), "--sizes", *options])
    assert status.value.code == 0
    return capsys.readouterr().out.splitlines()


def test_each_variable_with_its_size_and_why(tmp_path, capsys):
    lines = listing(tmp_path, capsys)
    (current,) = [line for line in lines if line.startswith("  i ")]
    assert current.split()[1:3] == ["5e-09", "5e-09"] and "Circuit.mo:7" in current
    (given,) = [line for line in lines if line.startswith("  w ")]
    assert "its nominal value" in given
    (relation,) = [line for line in lines if line.startswith("  s < 0")]
    assert "5e-09 while false, 1 while true" in relation


def test_parameters_of_the_run_count(tmp_path, capsys):
    lines = listing(tmp_path, capsys, "--set", "R=1e12")
    (current,) = [line for line in lines if line.startswith("  i ")]
    assert current.split()[1] == "5e-12"
