"""A run that chatters names the relation that makes it chatter, in the user's own file, and not one that only
looks on: a library that counts how often the same level is passed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import saltus

WATCHER = """package Watch
  model Counter "how often a condition has become true"
    input Boolean condition;
    Integer n(start = 0, fixed = true);
  equation
    when condition then
      n = pre(n) + 1;
    end when;
  end Counter;
  model Passing "how often a level is reached from below"
    input Real u;
    parameter Real level;
    Integer n(start = 0, fixed = true);
  equation
    when u >= level then
      n = pre(n) + 1;
    end when;
  end Passing;
end Watch;
"""

#: The components that watch, and the heat balance, in which the thermostat stands.
WATCHED = {
    "a condition": ("Watch.Counter c(condition = T >= 350);", "if T < 350 then 10 else 0", "T < 350"),
    "the other way": (
        "Watch.Counter c(condition = T > 350);",
        "if 350 > T then 10 else 0",
        "350 > T",
    ),
    "two watchers": (
        "Watch.Counter c(condition = T > 350); Watch.Passing d(u = T, level = 350);",
        "if T <= 350 then 10 else 0",
        "T <= 350",
    ),
    "only when armed": (
        "Boolean armed = time > 1; Watch.Counter c(condition = T >= 350);",
        "if T < 350 or not armed then 10 else 0",
        "T < 350",
    ),
}


@pytest.mark.parametrize("name", WATCHED)
def test_the_cause_stands_in_the_users_file(name: str, tmp_path: Path) -> None:
    declared, heating, cause = WATCHED[name]
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "Watch.mo").write_text(WATCHER)
    (tmp_path / "Tank.mo").write_text(
        f"model Tank\n  Real T(start = 300, fixed = true);\n  {declared}\nequation\n"
        f"  der(T) = ({heating}) - 0.05*(T - 293);\nend Tank;\n"
    )
    model = saltus.load(str(tmp_path / "Tank.mo"), libraries=[tmp_path / "lib"])
    with pytest.raises(saltus.RunError) as caught:
        model.simulate(stop_time=20)
    (found,) = caught.value.diagnostics
    assert found.code == "E404" and f"`{cause}` is chattering" in found.message
    assert found.span is not None and found.span.source.path.endswith("Tank.mo") and found.span.line == 5
    assert any("whose past counts" in note.message for note in found.notes)


def test_of_two_relations_in_one_file_the_one_that_turns_the_motion_round() -> None:
    with pytest.raises(saltus.RunError) as caught:
        saltus.load("""model M
          Real x(start = 0.3, fixed = true);
          Integer n(start = 0, fixed = true);
        equation
          when x > 0 then
            n = pre(n) + 1;
          end when;
          der(x) = if x <= 0 then 1 else -1;
        end M;""").simulate(stop_time=1)
    (found,) = caught.value.diagnostics
    assert "`x <= 0` is chattering" in found.message
    assert found.span is not None and found.span.line == 8


@pytest.mark.parametrize("method", ["bdf", "rk45"])
@pytest.mark.parametrize("attempts", [5, 60])
def test_what_counts_its_changes_may_end_them(attempts: int, method: str) -> None:
    """A level rises by 1 in a second, and an overflow lowers it at once; a counter closes the inlet. All that
    is at one instant, after which the level falls: closed form."""
    source = """model M
      parameter Integer attempts = 5;
      Real x(start = 0, fixed = true); Boolean over = x >= 1; Boolean closed(start = false, fixed = true);
      Integer n(start = 0, fixed = true);
    equation
      der(x) = if closed then -0.5 elseif over then -2 else 1;
      when over then
        n = pre(n) + 1;
        closed = pre(n) + 1 >= attempts;
      end when;
    end M;"""
    model = saltus.load(source)
    result = model.simulate(stop_time=2, method=method, tolerance=1e-9, set={"attempts": attempts})
    assert result["n"][-1] == attempts
    exact = np.where(result.time < 1, result.time, 1 - 0.5 * (result.time - 1))
    assert np.abs(result["x"] - exact).max() < 1e-7
