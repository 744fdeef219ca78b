"""Object code on disk: the second translation compiles nothing, damage does no harm, results are the same."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import saltus
from saltus.emit.llvm import object_code
from saltus.emit.llvm.object_code import Care

MODEL = """
model Circuit "a loop, a relation, an event, a function"
  function half
    input Real a;
    output Real b;
  algorithm
    b := a;
    for i in 1:3 loop
      b := (b + a/b)/2;
    end for;
  end half;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), a, b, c;
equation
  der(x) = v;
  der(v) = a - 0.1*v;
  a + 2*b = if x > 0 then -2*x else -3*x;
  a - b = sin(time);
  c = half(2 + x^2);
  when x <= -0.5 then
    reinit(v, -0.9*pre(v));
  end when;
end Circuit;
"""


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[Care]:
    """What was compiled, rather than found."""
    made: list[Care] = []
    compiled = object_code.compiled

    def counted(text: str, care: Care) -> bytes:
        made.append(care)
        return compiled(text, care)

    monkeypatch.setattr(object_code, "compiled", counted)
    return made


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SALTUS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "native"


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*"))


def numbers(method: str = "bdf") -> np.ndarray:
    result = saltus.load(MODEL).simulate(stop_time=3, method=method)
    return np.array([result[name] for name in ("time", "x", "v", "a", "b", "c")])


@pytest.mark.parametrize("method", ["bdf", "ida"])
def test_the_second_translation_compiles_nothing(folder: Path, compilations: list[Care], method: str) -> None:
    first = numbers(method)
    made = len(compilations)
    assert made >= 2 and len(entries(folder)) >= 2
    np.testing.assert_array_equal(numbers(method), first)
    assert len(compilations) == made


def test_another_program_is_compiled(folder: Path, compilations: list[Care]) -> None:
    saltus.load(MODEL)
    made = len(compilations)
    saltus.load(MODEL.replace("-3*x", "-4*x"))
    assert len(compilations) > made


def test_results_without_the_cache_are_the_same(
    folder: Path, compilations: list[Care], monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers()
    kept = numbers()
    made = len(compilations)
    monkeypatch.setenv("SALTUS_CACHE", "off")
    np.testing.assert_array_equal(numbers(), kept)
    assert len(compilations) > made


@pytest.mark.parametrize(
    "damage", [lambda data: b"", lambda data: data[:-100], lambda data: data[:-1] + b"?"]
)
def test_damaged_entries_are_replaced(
    folder: Path, compilations: list[Care], damage: Callable[[bytes], bytes]
) -> None:
    first = numbers()
    whole = {file: file.read_bytes() for file in entries(folder)}
    for file, data in whole.items():
        file.write_bytes(damage(data))
    made = len(compilations)
    np.testing.assert_array_equal(numbers(), first)
    assert len(compilations) > made
    repaired = [file for file, data in whole.items() if file.read_bytes() == data]
    assert len(repaired) == len(compilations) - made


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files here")
def test_a_folder_to_which_others_may_write_is_not_trusted(folder: Path, compilations: list[Care]) -> None:
    first = numbers()
    folder.chmod(0o777)
    before = entries(folder)
    made = len(compilations)
    np.testing.assert_array_equal(numbers(), first)
    assert len(compilations) > made
    assert entries(folder) == before


def test_care_changes_no_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALTUS_CACHE", "off")
    compiled = object_code.compiled
    results = []
    for care in Care:
        monkeypatch.setattr(object_code, "compiled", lambda text, _, care=care: compiled(text, care))
        results.append(numbers())
    for other in results[1:]:
        np.testing.assert_array_equal(other, results[0])
