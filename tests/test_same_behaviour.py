"""Two recordings of what Saltus does: the same if it is, and told apart where it is not.

Some of the recordings are of another `saltus`, made here, so that it is known what it does."""

from __future__ import annotations

import shutil
from pathlib import Path
from textwrap import dedent

import pytest
from tools.same_behaviour.__main__ import main, record
from tools.same_behaviour.case import Case
from tools.same_behaviour.cases import SOURCE, all_cases
from tools.same_behaviour.compare import compared, first_difference
from tools.same_behaviour.perform import normalised, unpacked
from tools.same_behaviour.texts import bodies_in, models_in

DECAY = "model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -{rate}*x;\nend M;\n"
UNKNOWN = "model M\n  Real x = {name};\nend M;\n"
RUN = ("saltus", "simulate", "m.mo", "--output", "m.csv", "--interval", "0.5")


def tiny(rate: str = "2", name: str = "nothing") -> list[Case]:
    """A model that is run, and one that is refused."""
    decay, unknown = DECAY.format(rate=rate), UNKNOWN.format(name=name)
    summary = ("saltus", "simulate", "m.mo")
    return [
        Case("runs", "decay", (RUN, summary), {"m.mo": decay}),
        Case("refusals", "name", (RUN,), {"m.mo": unknown}),
    ]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded")
    assert record(tiny(), folder, SOURCE) == 0
    return folder


def made(folder: Path, program: str) -> Path:
    """The sources of another `saltus`, which does this."""
    library = folder / "src" / "saltus" / "library" / "Saltus"
    library.mkdir(parents=True)
    (library / "package.mo").write_text("package Saltus end Saltus;")
    (library.parents[1] / "__init__.py").touch()
    (library.parents[1] / "__main__.py").write_text(dedent(program))
    return folder / "src"


def text_of(folder: Path, path: str) -> str:
    return unpacked((folder / path).read_bytes())


def test_the_same_is_the_same(recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(tiny(), tmp_path, SOURCE)
    capsys.readouterr()
    assert main(["compare", str(recorded), str(tmp_path)]) == 0
    counts = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines()}
    assert counts["runs"] == counts["refusals"] == ["1", "1", "0", "0", "0"]
    assert counts["all"] == ["2", "2", "0", "0", "0"]


def test_what_is_kept(recorded: Path) -> None:
    run, refusal = (text_of(recorded, path) for path in ("runs/decay.txt.gz", "refusals/name.txt.gz"))
    assert "status 0\n=== m.csv\ntime,x" in run
    assert "translated in <> s, simulated in <> s" in run
    assert "status 1\n=== standard error\nerror[E201]" in refusal and "m.mo:2:" in refusal


def test_differences_are_told(recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(tiny(rate="3", name="anything"), tmp_path, SOURCE)
    capsys.readouterr()
    assert main(["compare", str(recorded), str(tmp_path)]) == 1
    out = capsys.readouterr().out
    # In the first row of the file, at time 0, x is still the same.
    assert f"different: runs/decay\n  $ {' '.join(RUN)}\n  m.csv, line 3\n" in out
    assert "  old: 0.5,0.367" in out and "  new: 0.5,0.223" in out  # exp(-1) and exp(-1.5)
    assert "different: refusals/name\n" in out and "standard error, line 1\n" in out
    assert main(["compare", str(recorded), str(tmp_path), "elsewhere"]) == 2


def test_what_is_not_known_is_not_the_same(tmp_path: Path) -> None:
    source = made(tmp_path, "import sys, time\ntime.sleep(60 if 'slow' in sys.argv else 0)\n")
    cases = [Case("k", name, (("saltus", name),)) for name in ("quick", "slow", "last")]
    old, new = tmp_path / "old", tmp_path / "new"
    assert record(cases, old, source, seconds=5.0) == 1
    shutil.copytree(old, new)
    (new / cases[2].path).unlink()
    verdicts = {v.path: v.verdict for v in compared(old, new)}
    assert verdicts == {"k/quick.txt.gz": "same", "k/slow.txt.gz": "late", "k/last.txt.gz": "missing"}
    assert main(["compare", str(old), str(new)]) == 1
    assert main(["compare", str(old), str(new), "quick"]) == 0


def test_the_sources_that_are_given_are_used(tmp_path: Path) -> None:
    """All that they leave behind is kept: what is printed at any level, files, and the status."""
    program = """
        import os, sys
        from pathlib import Path
        print("out", *sys.argv[1:], Path(__file__).parent, Path.cwd(), flush=True)
        os.write(2, b"below")
        Path("numbers").write_bytes(bytes([255]))
        Path("given").unlink()
        raise SystemExit(3)
        """
    case = Case("k", "n", (("saltus", "a b"),), {"given": "text"})
    record([case], tmp_path / "told", made(tmp_path, program))
    digest = "a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89"  # of the byte 255
    assert text_of(tmp_path / "told", "k/n.txt.gz") == (
        "$ saltus 'a b'\nstatus 3\n"
        "=== standard output\nout a b <source>/saltus <folder>\n=== standard error\nbelow\n"
        f"=== numbers\n1 bytes, SHA-256 {digest}\n=== given is gone\n=== given: given\ntext\n"
    )


def test_a_recording_is_not_mixed_with_another(recorded: Path, tmp_path: Path) -> None:
    assert main(["record", str(recorded), "help"]) == 2
    assert main(["record", str(tmp_path / "new"), "--source", str(tmp_path)]) == 2


def test_what_is_left_out(tmp_path: Path) -> None:
    source = made(tmp_path, "")
    library = f"{source}/saltus/library"
    told = ["seconds 1.5", ' "seconds": 1.5e-05,', f"{library}/Saltus/A.mo:1", "  in f, e.py:12"]
    left = ["seconds <>", ' "seconds": <>,', "<library>/Saltus/A.mo:1", "  in <>"]
    assert normalised("\n".join(told), Path("/nowhere"), source).splitlines() == left


def test_archives_are_told_without_addresses(tmp_path: Path) -> None:
    """A checkpoint holds arrays and a header in JSON; an address in it is a number below all normal ones."""
    program = """
        import io, json, sys
        import numpy as np
        header = np.frombuffer(json.dumps({"seconds": 0.25, "now": 2}).encode(), dtype=np.uint8)
        address = np.frombuffer(int(sys.argv[1]).to_bytes(8, "little"))
        np.savez(open("c", "wb"), header=header, memory=np.array([float(sys.argv[2]), *address]))
        """
    source, texts = made(tmp_path, program), []
    for folder, address, number in (("old", "94506", "5"), ("new", "94607", "5"), ("other", "94506", "6")):
        record([Case("k", "n", (("saltus", address, number),))], tmp_path / folder, source)
        texts.append(text_of(tmp_path / folder, "k/n.txt.gz").partition("=== ")[2])
    assert texts[0] == texts[1] != texts[2]
    assert ' "seconds": <>,\n "now": 2\n' in texts[0] and texts[0].endswith(": 5.0 0.0\n")


def test_long_lines_are_shown_where_they_differ() -> None:
    old, new = (f"$ c\n=== f\n{'a' * 500}{letter}{'b' * 500}\n" for letter in "xy")
    shown = first_difference(old, new).splitlines()
    assert shown[1:3] == ["  $ c", "  f, line 1"]
    assert all("... a" in line and len(line) < 170 for line in shown[3:])
    assert "ax" in shown[3] and "ay" in shown[4]


def test_texts_in_sources(tmp_path: Path) -> None:
    (tmp_path / "parts.py").write_text('PIN = "connector Pin Real v; end Pin; "\n')
    (tmp_path / "test_it.py").write_text(
        dedent(
            '''
            from parts import PIN
            N, NAME = 3, "M"
            MODEL = f"""
                model {NAME} Pin p[{N}]; end {NAME};
                """
            def test_it(x):
                assert load(PIN + "model M Pin p; end M;") and load("Real x; equation x = 1;")
                assert load(f"model M Real x = {x}; end M;") or "no model at the end;"
            '''
        )
    )
    assert list(models_in(tmp_path / "test_it.py")) == [
        "model M Pin p[3]; end M;\n",
        "connector Pin Real v; end Pin; model M Pin p; end M;",
    ]
    assert list(bodies_in(tmp_path / "test_it.py")) == ["model M\nReal x; equation x = 1;\nend M;\n"]


def test_there_are_cases_of_all_kinds() -> None:
    cases = all_cases()
    assert len(cases) > 4000
    kinds = {case.kind for case in cases}
    assert kinds >= {"help", "runs", "checkpoints", "listings", "stages", "bad_input", "tests", "benchmarks"}
    assert any(case.name.startswith("Saltus.Examples.") for case in cases)
