"""Locks that cannot close are refused by name, on one screen, and the command ends with status 3."""

from __future__ import annotations

from pathlib import Path

import pytest
from mechanical_elements import ANGLE_ELEMENTS, SPEED_ELEMENTS

from saltus.core.diagnostics import RunError
from saltus.tools.cli import main
from translated_models import translated

#: Lines of a screen.
SCREEN = 24

APART = """
model Apart "Teeth that do not meet"
  Inertia j1(J = 2, w(start = 5, fixed = true), phi(start = 0, fixed = true));
  Inertia j2(J = 3, w(start = 0, fixed = true), phi(start = 1, fixed = true));
  ToothedClutch clutch(locked = time >= 0.1);
equation
  connect(j1.flange, clutch.a);
  connect(clutch.b, j2.flange);
  annotation(experiment(StopTime = 1));
end Apart;
"""

TWO_DRIVES = """
model TwoDrives "Each of them insists on its speed"
  Speed d1(w = 5), d2(w = 3);
  Inertia j1(J = 1);
  Clutch clutch(locked = time >= 0.5);
equation
  connect(d1.flange, j1.flange);
  connect(j1.flange, clutch.a);
  connect(clutch.b, d2.flange);
  annotation(experiment(StopTime = 1));
end TwoDrives;
"""

BRAKED_DRIVE = """
model BrakedDrive "The drive does not stop"
  Speed drive(w = 5);
  Inertia rotor(J = 1);
  Brake brake(locked = time >= 0.5);
equation
  connect(drive.flange, rotor.flange);
  connect(rotor.flange, brake.flange);
  annotation(experiment(StopTime = 1));
end BrakedDrive;
"""

CASES = {
    "Apart": (ANGLE_ELEMENTS + APART, 0.1, ["clutch.phi_rel"]),
    "TwoDrives": (SPEED_ELEMENTS + TWO_DRIVES, 0.5, ["clutch."]),
    "BrakedDrive": (SPEED_ELEMENTS + BRAKED_DRIVE, 0.5, ["brake."]),
}


@pytest.mark.parametrize("name", CASES)
def test_refused_with_the_names(name: str) -> None:
    text, time, names = CASES[name]
    with pytest.raises(RunError) as caught:
        translated(text).simulate()
    first = caught.value.diagnostics[0]
    told = " ".join([first.message, *(note.message for note in first.notes), first.hint or ""])
    for part in names:
        assert part in told
    assert f"{time:g}" in told


@pytest.mark.parametrize("name", CASES)
def test_status_and_one_screen(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, _, names = CASES[name]
    path = tmp_path / f"{name}.mo"
    path.write_text(text)
    with pytest.raises(SystemExit) as ended:
        main(["simulate", str(path), "--model", name, "--quiet"])
    assert ended.value.code == 3
    said = capsys.readouterr().err
    assert all(part in said for part in names)
    assert f"{name}.mo:" in said and 3 <= len(said.splitlines()) <= SCREEN
    assert "Traceback" not in said


def test_angles_apart_are_no_trouble_where_speeds_are_locked() -> None:
    """The same two shafts with a clutch that locks speeds."""
    result = translated(ANGLE_ELEMENTS + APART.replace("ToothedClutch", "Clutch")).simulate()
    assert result["j1.w"][-1] == pytest.approx(2) and result["j2.w"][-1] == pytest.approx(2)
    assert result["clutch.phi_rel"][-1] == pytest.approx(1 - 0.5)
