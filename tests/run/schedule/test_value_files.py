"""Values of parameters from files."""

from __future__ import annotations

from pathlib import Path

import pytest

from saltus.core.diagnostics import UsageError
from saltus.run.schedule.value_files import values_from

WANTED = {"motor.R": "50 mOhm", "motor.phi.start": 0.2, "on": True, "k": [1, 2]}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("v.toml", 'on = true\nk = [1, 2]\n[motor]\nR = "50 mOhm"\nphi.start = 0.2\n'),
        ("v.toml", '"motor.R" = "50 mOhm"\nmotor.phi.start = 0.2\non = true\nk = [1, 2]\n'),
        ("v.json", '{"motor": {"R": "50 mOhm", "phi.start": 0.2}, "on": true, "k": [1, 2]}'),
        (
            "v.csv",
            'name,value,unit\n# a remark\nmotor.R, 50, mOhm\nmotor.phi.start,0.2\non,true,\n\nk,"{1, 2}"\n',
        ),
        ("V.CSV", '\ufeffmotor.R,50 mOhm\nmotor.phi.start,0.2\non,true\nk,"{1,2}"\n'),
    ],
)
def test_the_same_values_in_every_form(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert values_from(tmp_path / name) == WANTED


def test_values_of_a_component_may_stand_together_in_python() -> None:
    given = {"motor": {"R": "50 mOhm", "phi": {"start": 0.2}}, "on": True, "k": [1, 2]}
    assert values_from(given) == WANTED


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("v.txt", "", ".json, .toml, .csv"),
        ("v.json", "[1, 2]", "no values by name"),
        ("v.json", '{"R": ', "line 1"),
        ("v.toml", "R 5", "line 1"),
        ("v.csv", "R,5\nL\n", "line 2 is not a name, a value and maybe a unit"),
        ("v.csv", "R,5\nR,6\n", "line 2 gives R again"),
        ("v.csv", "R,1..2\n", "line 1: 1..2 is not a value"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, text: str, words: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        values_from(tmp_path / name)
    assert words in str(caught.value) and name in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        values_from(tmp_path / "v.toml")
