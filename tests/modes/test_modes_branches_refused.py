"""If-equations with branches of different lengths that cannot be: refused by name, with file and line.
And what `--pedantic` says about those that can."""

from __future__ import annotations

from pathlib import Path

import pytest

import saltus
from saltus.core.diagnostics import SaltusError
from saltus.tools.cli import main

DECLARED = "Real x(start = 1, fixed = true), y, z;"


def refusal(declared: str, equations: str) -> str:
    """What is said about a model with x that falls from 1 to 0."""
    text = f"model M\n{declared}\nequation\nder(x) = -1;\n{equations}\nend M;"
    with pytest.raises(SaltusError) as caught:
        saltus.load(text).simulate()
    assert caught.value.diagnostics[0].span is not None
    return str(caught.value)


def test_a_branch_with_one_equation_too_many() -> None:
    said = refusal(
        "Real x(start = 1, fixed = true), y;",
        """if x > 0.5 then
             y = x;
           else
             y = 1;
             y = x + 1;
           end if;""",
    )
    assert "E301" in said and "1 equation too many (3 equations for 2 unknowns)" in said
    assert "in the mode in which `x > 0.5` is false" in said and "y = x + 1" in said


def test_a_variable_that_others_need_in_a_mode_without_it() -> None:
    said = refusal(DECLARED, "z = y + 1;\nif x > 0.5 then\n  y = x;\nend if;")
    assert "E301" in said and "undetermined: `y` and `z`" in said
    assert "in the mode in which `x > 0.5` is false" in said


def test_the_mode_at_the_start_is_refused_when_the_model_is_translated() -> None:
    text = """
    model M
      Real x(start = 1, fixed = true), y, z;
    equation
      der(x) = -1;
      z = y + 1;
      if x < 0.5 then
        y = x;
        z = x;
      end if;
    end M;
    """
    with pytest.raises(saltus.ModelError, match="E301"):
        saltus.load(text)


def test_a_comparison_of_what_does_not_exist_must_not_decide_anything() -> None:
    said = refusal(DECLARED, "if x > 0.5 then\n  y = x;\nend if;\nz = if y > 0.7 then 1 else 2;")
    assert "E307" in said
    assert "`y` does not exist while `x > 0.5` is false, but `y > 0.7` decides something here" in said
    assert "z = if y > 0.7" in said and "it is declared here" in said


def test_an_assertion_must_not_speak_of_what_does_not_exist() -> None:
    said = refusal(DECLARED, 'z = x;\nif x > 0.5 then\n  y = x;\nend if;\nassert(y < 10, "large");')
    assert "E307" in said and "`y` does not exist while `x > 0.5` is false" in said


def test_an_assertion_inside_the_branch_may() -> None:
    text = """
    model M
      Real x(start = 1, fixed = true), y;
    equation
      der(x) = -1;
      if x > 0.5 then
        y = x;
        assert(y > LIMIT, "y is small");
      end if;
    end M;
    """
    saltus.load(text.replace("LIMIT", "0.4")).simulate()
    with pytest.raises(saltus.RunError, match="y is small"):
        saltus.load(text.replace("LIMIT", "0.6")).simulate()


def test_reinit_of_what_does_not_exist() -> None:
    said = refusal(
        DECLARED,
        """z = x;
           if x > 0.5 then
             der(y) = 1;
           end if;
           when x < 0.25 then
             reinit(y, 3);
           end when;""",
    )
    assert "E307" in said and "so it cannot be reinitialised (at time 0.75" in said
    assert "reinit(y, 3)" in said


def test_the_value_after_an_event_of_what_has_ceased_to_exist() -> None:
    equations = """if x > 0.5 then
             der(y) = 1;
           else
             der(z) = 1;
           end if;
           when x <= 0.5 then
             reinit(z, y);
           end when;"""
    said = refusal(DECLARED, equations)
    assert "`y` does not exist while `x > 0.5` is false, but its value is used here" in said
    assert "its value before the event is pre(y)" in said
    right = equations.replace("reinit(z, y)", "reinit(z, pre(y))")
    right = f"model M\n{DECLARED}\nequation\nder(x) = -1;\n{right}\nend M;"
    assert saltus.load(right).simulate()["z"][-1] == pytest.approx(1.0)


def test_the_same_in_an_equation_of_a_when_clause() -> None:
    equations = """z = x;
           if x > 0.5 then
             der(y) = 1;
           end if;
           when x <= 0.5 then
             d = y;
           end when;"""
    said = refusal(DECLARED + " discrete Real d(start = 0, fixed = true);", equations)
    assert "E307" in said and "pre(y)" in said


def test_an_initial_equation_for_what_does_not_exist_at_the_start() -> None:
    said = refusal(
        DECLARED,
        "z = x;\nif x < 0.5 then\n  der(y) = 1;\nend if;\ninitial equation\n  y = 2;",
    )
    assert "E307" in said and "it takes its start value" in said


def test_a_delay_needs_a_value_all_the_time() -> None:
    said = refusal(DECLARED, "z = delay(y, 0.1);\nif x > 0.5 then\n  y = x;\nend if;")
    assert "E3" in said and "`y`" in said


def test_discrete_variables_exist_all_the_time() -> None:
    said = refusal(DECLARED + " Boolean b;", "y = x;\nz = x;\nif x > 0.5 then\n  b = x > 0.7;\nend if;")
    assert "E209" in said and "`b` is discrete and cannot exist in some modes only" in said


def test_a_condition_without_event() -> None:
    said = refusal(DECLARED, "z = x;\nif noEvent(x > 0.5) then\n  y = x;\nend if;")
    assert "E211" in said and "generates no event" in said


def test_initial_sections_have_branches_alike() -> None:
    said = refusal(DECLARED, "y = x;\nder(z) = 1;\ninitial equation\nif x > 2 then\n  z = 2;\nend if;")
    assert "E209" in said and "different numbers of equations: 1, 0" in said


# ---------------------------------------------------------------- the command

SOUND = """model Sound
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  if x > 0.5 then
    y = x;
  end if;
end Sound;
"""


@pytest.mark.parametrize("command", ["simulate", "check", "explain"])
def test_pedantic_warns_of_the_extension(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "Sound.mo"
    path.write_text(SOUND)
    for flags, told in ((["--pedantic"], True), ([], False)):
        with pytest.raises(SystemExit) as ended:
            main([command, str(path), *flags])
        err = capsys.readouterr().err
        assert ended.value.code == 0
        assert ("W203" in err and "Sound.mo:5" in err and "numbers of equations: 1, 0" in err) is told
        # Without an else it may have been forgotten: that is told in any case.
        assert "W212" in err and "where no condition of this if-equation holds" in err
        assert "`y` does not exist" in err and "Sound.mo:5" in err
    assert [d.code for d in saltus.load(path).extensions] == ["W203"]


def test_an_empty_else_says_that_it_is_meant(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Sound.mo"
    path.write_text(SOUND.replace("end if", "else end if"))
    with pytest.raises(SystemExit):
        main(["check", str(path)])
    assert capsys.readouterr().err == ""
    assert [d.code for d in saltus.load(path).extensions] == ["W203"]


def test_pedantic_tells_of_branches_for_different_variables(capsys: pytest.CaptureFixture[str]) -> None:
    model = saltus.load(SOUND.replace("end if", "else z = 1; end if").replace("y;", "y, z;"))
    (told,) = model.extensions
    assert "equations for different variables" in told.message


def test_plain_modelica_is_no_extension(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Plain.mo"
    path.write_text(SOUND.replace("end if", "else y = 0; end if"))
    with pytest.raises(SystemExit):
        main(["check", str(path), "--pedantic"])
    assert capsys.readouterr().err == ""


def test_refused_during_the_run_the_command_ends_with_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "Sound.mo", tmp_path / "out.csv"
    path.write_text(SOUND.replace("end Sound", '  assert(y < 2, "y");\nend Sound'))
    with pytest.raises(SystemExit) as ended:
        main(["simulate", str(path), "--output", str(out)])
    err = capsys.readouterr().err
    assert ended.value.code == 3 and "E307" in err and "Traceback" not in err
    assert out.read_text().count("\n") > 100  # up to the event
