"""All cases. They come from this checkout, whichever version carries them out."""

from __future__ import annotations

import hashlib
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from random import Random

from tools.language_cases import read_cases
from tools.same_behaviour.case import Case
from tools.same_behaviour.perform import library_of
from tools.same_behaviour.texts import bodies_in, models_in

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"

COMMANDS = ("simulate", "check", "flat", "explain", "draw", "components", "gallery", "new")
STAGES = ("ast", "instance", "flat", "hybrid", "structure", "program", "python", "llvm")
FILES = ("--output", "result.csv", "--events", "events.jsonl")

#: What a run to the time of 1 would take minutes for, by the name of its case.
SHORTER = {"test_dense_time_events": "0.0035"}

#: A run that is saved and fails at nine tenths of its length, and the distance of its rows: there must be ten
#: thousand of them, or of steps, before it is saved at all.
CHECKPOINTED = {
    "BouncingBall": (3.0, 1e-4),
    "DryFriction": (10.0, 4e-4),
    "Hysteresis": (10.0, 4e-4),
    "InductorRectifier": (0.1, 4e-6),
    "Pendulum": (10.0, 4e-4),
    "SampledSystem": (10.0, 4e-4),
    "TankLevel": (100.0, 4e-3),
    "VanDerPol": (20.0, 1e-3),
    "Saltus.Examples.Blocks.SmithPredictor": (10.0, 4e-4),
    "Saltus.Examples.Electrical.BuckConverter": (0.01, 4e-7),
    "Saltus.Examples.Rotational.SplitFriction": (2.0, 1e-4),
}

#: The tour of one model in so many of the gallery.
TOURS = 4

#: Damaged texts of each example, and of each row of the table of constructs.
DAMAGES, DAMAGES_OF_ROWS = 24, 2

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|\s+|\w+(?:\.\d+)?|[:<>=]=|<>|.', re.DOTALL)
_FENCE = re.compile(r"^```(\w+)[ \t]*([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

#: What the interface in Python tells, all stages and the counts of a run among it.
_SCRIPT = f"""
import sys
import saltus
model = saltus.load(sys.argv[1])
print(model, model.check(), model.experiment)
for stage in {STAGES}:
    print("---", stage)
    print(model.dump(stage))
print("---", "warnings")
for warning in (*model.warnings, *model.extensions, *model.unit_warnings()):
    print(warning)
try:
    result = model.simulate()
except saltus.RunError as error:
    print(error)
    result = error.partial
if result is not None:
    print("---", "statistics")
    for name, value in result.statistics.items():
        print(name, value)
    print("---", "last row")
    for name in result.variables:
        print(name, float(result[name][-1]).hex())
"""


def all_cases() -> list[Case]:
    """All of them, those of a kind together."""
    if sys.path[0] != str(SOURCE):
        sys.path.insert(0, str(SOURCE))  # the Saltus of this checkout tells what is shipped
    found = [
        *_helps(), *_runs(), *_methods(), *_checkpoints(), *_listings(), *_stages(), *_plots(), *_library(),
        *_gallery(), *_bad_input(), *_language(), *_documents(), *_tests(), *_damaged(), *_benchmarks(),
    ]  # fmt: skip
    for case in found:
        case.verify()
    paths = {case.path for case in found}
    assert len(paths) == len(found), "two cases have the same name"
    return found


# ---------------------------------------------------------------- what is shipped


def _shipped() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Of each model: its name, what it is called in a command, and the files that are needed for that."""
    for model in import_module("tools.long_runs.shipped_models").shipped_models():
        path = Path(model)
        if path.suffix == ".mo":
            yield path.stem, path.name, {path.name: path.read_text(encoding="utf-8")}
        else:
            yield model, model, {}


def _saltus(*arguments: str) -> tuple[str, ...]:
    return ("saltus", *arguments)


def _helps() -> Iterator[Case]:
    usages = [(), ("--help",), ("--version",), ("unknown",), ("simulate",), ("simulate", "x.mo", "--unknown")]
    usages += [(command, "--help") for command in COMMANDS]
    for usage in usages:
        yield Case("help", " ".join(usage) or "nothing", (_saltus(*usage),))
    yield Case("help", "no file", (_saltus("simulate", "missing.mo"),))
    yield Case("help", "no class", (_saltus("simulate", "No.Such.Class"), _saltus("check", "Saltus.Nothing")))


def _runs() -> Iterator[Case]:
    """With the experiments of the models. Later runs of the examples have their code from the cache."""
    for name, source, files in _shipped():
        commands = [_saltus("simulate", source, *FILES)]
        if files:
            commands += [_saltus("simulate", source), _saltus("simulate", source, "--log-events")]
        yield Case("runs", name, tuple(commands), files)


def _methods() -> Iterator[Case]:
    for name, source, files in _shipped():
        for method in ("ida", "rk45", *(("adams", "auto") if files else ())):
            run = _saltus("simulate", source, "--method", method, *FILES)
            yield Case("methods", f"{name} {method}", (run,), files)


def _checkpoints() -> Iterator[Case]:
    """A run that fails keeps its last checkpoint, and goes on from there if it is begun again; with another
    setting it is refused."""
    known = {name: (source, files) for name, source, files in _shipped()}
    for name, (stop, interval) in CHECKPOINTED.items():
        source, files = known[name]
        text = files.get(source, "") + (
            f'model Stopped\n  extends {name};\nequation\n  assert(time < {0.9 * stop!r}, "it stops here");\n'
            "end Stopped;\n"
        )
        options = ("--interval", repr(interval), *FILES, "--checkpoint", "run.checkpoint")
        run = _saltus("simulate", "Stopped.mo", "--stop-time", repr(stop), *options)
        other = _saltus("simulate", "Stopped.mo", "--stop-time", repr(2 * stop), *options)
        yield Case("checkpoints", name, (run, run, other), {"Stopped.mo": text})


def _listings() -> Iterator[Case]:
    for name, source, files in _shipped():
        listings = (("check", "--units", "--pedantic"), ("flat",), ("explain",))
        runs = (("explain", "--events"), ("explain", "--modes"))
        commands = [_saltus(command, source, *options) for command, *options in (*listings, *runs)]
        yield Case("listings", name, tuple(commands), files)


def _stages() -> Iterator[Case]:
    for name, source, files in _shipped():
        commands: list[tuple[str, ...]] = [("python", "script.py", source)]
        if files:
            commands += [_saltus("check", source, "--dump", stage) for stage in STAGES]
        yield Case("stages", name, tuple(commands), {**files, "script.py": _SCRIPT})


def _plots() -> Iterator[Case]:
    for name, source, files in _shipped():
        if files:
            plot = _saltus("simulate", source, "--plot", "a.png", "--shade-modes", "--plot-modes", "b.png")
            yield Case("plots", name, (plot, _saltus("explain", source, "--matrix", "c.svg")), files)


def _library() -> Iterator[Case]:
    shipped = library_of(SOURCE)
    for path in sorted(shipped.rglob("*.mo")):
        parts = path.relative_to(shipped).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "package" else parts)
        drawings = (("--output", "diagram.svg"), ("--icon", "--output", "icon.svg"))
        commands = [_saltus("draw", name, *drawing) for drawing in drawings]
        if not name.startswith("Saltus.Examples."):  # which are no components
            commands.append(_saltus("components", name))
        yield Case("library", name, tuple(commands))
    yield Case("library", "all parts", (_saltus("components"), _saltus("components", "valve")))
    yield Case("library", "all checks", (_saltus("check", "Saltus", "--json", "checks.json"),))
    for kind in ("circuit", "drive", "heating", "nothing"):
        yield Case(
            "library", f"new {kind}", (_saltus("new", "x.mo", "--kind", kind), _saltus("simulate", "x.mo"))
        )


def _gallery() -> Iterator[Case]:
    """The text of each model, and the tour of some: all of them are run elsewhere."""
    yield Case("gallery", "list", (_saltus("gallery"), _saltus("gallery", "nothing")))
    papers = "Saltus.Examples.Papers."
    shorts = [name.removeprefix(papers) for name, _, _ in _shipped() if name.startswith(papers)]
    for k, short in enumerate(shorts):
        tours = (_saltus("gallery", short, "--plot", "plot.png"),) if k % TOURS == 0 else ()
        yield Case("gallery", short, (_saltus("gallery", short, "--text"), *tours))


# ---------------------------------------------------------------- what the tests have


def _bad_input() -> Iterator[Case]:
    """The tables of `tests/bad_input`, which import nothing of Saltus."""
    folder = str(ROOT / "tests" / "bad_input")
    sys.path.append(folder)
    try:
        modules = [import_module(p.stem) for p in sorted(Path(folder).glob("bad_*.py"))]
    finally:
        sys.path.remove(folder)
    for module in modules:
        tables = [value for value in vars(module).values() if isinstance(value, list)]
        for bad in (bad for table in tables for bad in table):
            command = _saltus("simulate", "bad.mo", *bad.arguments)
            yield Case("bad_input", f"{module.__name__} {bad.name}", (command,), {"bad.mo": bad.text})


def _language() -> Iterator[Case]:
    """The cases of the language."""
    for case in read_cases():
        stop = () if case.stop is None else ("--stop-time", repr(case.stop))
        chosen = () if case.main is None else ("--model", case.main)
        given = ((name, str(value).lower()) for name, value in case.set.items())
        values = tuple(word for name, value in given for word in ("--set", f"{name}={value}"))
        run = _saltus("simulate", "case.mo", "--pedantic", *chosen, *values, *stop, *FILES)
        flat = _saltus("flat", "case.mo", *chosen)
        yield Case("language", case.test, (run, flat), {"case.mo": case.model})


def _documents() -> Iterator[Case]:
    """The commands of each page, with the models of the page."""
    for page in sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")]):
        files: dict[str, str] = {}
        commands: list[tuple[str, ...]] = []
        for kind, title, body in _FENCE.findall(page.read_text(encoding="utf-8")):
            if kind == "modelica" and title.strip().endswith(".mo"):
                files.setdefault(title.strip(), body)
            if kind == "console":
                said = re.findall(r"^\$ (saltus [^\n|&;<>`$]*)$", body, re.MULTILINE)
                commands += [tuple(shlex.split(line, comments=True)) for line in said]
        for name in [name for name in files if "/" in name]:
            del files[name]
        if commands:
            yield Case("documents", page.stem, tuple(commands), files)


def _tests() -> Iterator[Case]:
    """Texts of models, and of parts of them, from the sources of the tests."""
    seen: set[str] = set()
    paths = sorted(p for folder in ("tests", "tools", "benchmarks") for p in (ROOT / folder).rglob("*.py"))
    for kind, texts in (("tests", models_in), ("bodies", bodies_in)):
        for path in paths:
            for text in texts(path):
                if text not in seen:
                    seen.add(text)
                    yield _of_test(kind, path.stem, text)


def _of_test(kind: str, origin: str, text: str) -> Case:
    stop = ("--stop-time", SHORTER[origin]) if origin in SHORTER else ()
    commands = [_saltus("simulate", "model.mo", "--pedantic", *stop, *FILES)]
    if re.search(r"\bunit\s*=", text):
        commands.append(_saltus("check", "model.mo", "--units"))
    # Not by the line: a text may move.
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return Case(kind, f"{origin} {digest}", tuple(commands), {"model.mo": text})


def _damaged() -> Iterator[Case]:
    """Texts that are nearly right: what is said about them?"""
    whole = [(name, files[source], DAMAGES) for name, source, files in _shipped() if files]
    rows = [case for case in read_cases() if case.construct]
    whole += [(f"row {row.id}", row.model, DAMAGES_OF_ROWS) for row in rows]
    for name, text, count in whole:
        for k in range(count):
            damaged = damage(text, Random(f"{name} {k}"))
            yield Case("damaged", f"{name} {k}", (_saltus("check", "damaged.mo"),), {"damaged.mo": damaged})


def damage(text: str, random: Random) -> str:
    """A text with one token that is missing, there twice, at the wrong place, or another one."""
    tokens = _TOKEN.findall(text)
    places = [k for k, token in enumerate(tokens) if not token.isspace() and not token.startswith("//")]
    here, there = random.choice(places), random.choice(places)
    match random.randrange(4):
        case 0:
            tokens[here] = ""
        case 1:
            tokens[here] += " " + tokens[here]
        case 2:
            tokens[here], tokens[there] = tokens[there], tokens[here]
        case _:
            tokens[here] = tokens[there]
    return "".join(tokens)


# ---------------------------------------------------------------- benchmarks


def _benchmarks() -> Iterator[Case]:
    """The models whose speed is measured, some of them smaller or shorter."""
    for name, text, arguments in _measured():
        command = _saltus("simulate", "model.mo", *arguments, *FILES)
        yield Case("benchmarks", name, (command,), {"model.mo": text})


def _measured() -> Iterator[tuple[str, str, Sequence[str]]]:
    # Benchmarks are not checked for types.
    flattening, growth, new_mode, translation = (
        import_module(f"benchmarks.compiling.{name}")
        for name in ("flattening", "growth", "new_mode", "translation")
    )
    bounces, buck, chain, double_pendulum, ideal, rectifier = (
        import_module(f"benchmarks.running.{name}")
        for name in ("bounces", "buck", "chain", "double_pendulum", "ideal", "rectifier")
    )
    right_hand_side, sparse_chain, thermostats, van_der_pol, verification = (
        import_module(f"benchmarks.running.{name}")
        for name in ("right_hand_side", "sparse_chain", "thermostats", "van_der_pol", "verification")
    )

    ball, van = (path.read_text(encoding="utf-8") for path in (bounces.EXAMPLE, van_der_pol.EXAMPLE))
    stop = bounces.time_of(bounces.BOUNCES)
    yield "bounces", ball, _to(stop, stop, "--set", f"c={bounces.C!r}")
    yield "van_der_pol", van, _to(van_der_pol.STOP, van_der_pol.INTERVAL)
    yield "buck", buck.BUCK, _to(buck.PERIODS * buck.PERIOD, buck.PERIOD)
    yield "rectifier", rectifier.RECTIFIER, _to(rectifier.STOP, 1e-3)
    yield "thermostats", thermostats.THERMOSTATS, _to(thermostats.STOP, 0.1)
    yield "thermostats metered", thermostats.THERMOSTATS + thermostats.METERED, _to(thermostats.STOP, 0.1)
    yield "verification", verification.SMOOTH, _to(1000.0, 1.0)
    yield "chain", chain.MODEL, _to(chain.STOP, chain.INTERVAL, "--model", "Translational.Chain")
    angles = {"x1": 0.4, "y1": -0.9, "x2": 1.0, "y2": -1.7}
    yield "double_pendulum", double_pendulum.MODEL.format(**angles), _to(100.0, 0.2)
    for leak in ideal.LEAKS:
        for method in ideal.METHODS:
            named = f"leak {leak} {method}"
            yield f"ideal buck {named}", ideal.BUCK.format(leak=leak), _to(0.1, 4e-4, "--method", method)
            yield f"ideal bridge {named}", ideal.BRIDGE.format(leak=leak), _to(2.0, 1e-2, "--method", method)
    yield "ideal ladder", ideal.ladder(10), _to(0.03, 1e-4)
    yield "new_mode", new_mode.ladder(20, 8), _to(0.02, 1e-4)
    for solver in ("sparse", "dense"):
        yield f"sparse_chain {solver}", sparse_chain.chain(300), _to(0.01, 1e-3, "--linear-solver", solver)
    yield "translation", translation.ladder(80), _to(1e-3, 1e-5)
    yield "right_hand_side", right_hand_side.modelica_text(right_hand_side.CELLS), _to(1.0, 0.1)
    for name, text in (("array", flattening._array), ("names", flattening._names)):
        yield f"flattening {name}", text(60), _to(1.0, 0.1, "--model", "Row")
    yield "growth explicit", growth.EXPLICIT, _to(10.0, 0.1)
    yield "growth bridges", growth.BRIDGES, _to(10.0, 0.1, "--model", "Bridges.Row")
    yield "growth grid", growth.GRID, _to(10.0, 0.1, "--model", "Grids.Row")


def _to(stop: float, interval: float, *more: str) -> Sequence[str]:
    return ("--stop-time", repr(stop), "--interval", repr(interval), *more)


def chosen_cases(cases: Iterable[Case], paths: Iterable[str]) -> list[Case]:
    """The cases with these transcripts."""
    wanted = set(paths)
    return [case for case in cases if case.path in wanted]
